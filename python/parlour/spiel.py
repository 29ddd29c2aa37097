"""Games with the interface of OpenSpiel, for algorithms that are written for it. Players are counted from 0.

    state = parlour.spiel.load_game("leduc-poker").new_initial_state(seed=7)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns())

Random events happen inside the game: there are no chance nodes, and a state begins with a seed. Algorithms of OpenSpiel that need no chance
nodes can be used, such as MCTS, `rl_environment`, `expected_game_score`, `TabularPolicy` and both sampling variants of MCCFR. Algorithms
that visit all outcomes of chance nodes cannot, such as CFR, best responses and exploitability, and neither can code in C++ that takes a
`pyspiel.Game`. OpenSpiel encodes the whole history of what a player has seen; the tensor here encodes what a seat sees and remembers now.
`information_state_string` contains the history.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _rows
from ._parlour import ChoiceError, Session

TERMINAL = -4
"""Result of `current_player` when the game is over, as in OpenSpiel."""


class Game:
    """A game for a number of players."""

    def __init__(
        self,
        name: Any,
        players: int | None = None,
        *,
        options: Any = None,
        sets: Any = None,
        max_options: int | None = None,
        reward: str = "win",
        seeds: Sequence[int] | None = None,
    ):
        self._rows = _rows.Rows(name, players, options, sets, max_options)
        self.reward, self.seeds = _rows.known_reward(reward), None if seeds is None else list(seeds)
        if self.seeds == []:
            raise ValueError("`seeds` has one seed at least")

    def __str__(self) -> str:
        return f"{self._rows.game.id}({self._rows.players} players)"

    def get_type(self) -> Any:
        """Returns the type of the game as a `pyspiel.GameType`. Needs the package `open_spiel`."""
        import pyspiel

        of = pyspiel.GameType
        least, most = self._rows.game.players
        return of(
            short_name=self._rows.game.id,
            long_name=self._rows.game.id,
            dynamics=of.Dynamics.SEQUENTIAL,
            chance_mode=of.ChanceMode.SAMPLED_STOCHASTIC,
            information=of.Information.IMPERFECT_INFORMATION,
            utility=of.Utility.GENERAL_SUM,
            reward_model=of.RewardModel.TERMINAL,
            max_num_players=most,
            min_num_players=least,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )

    def min_utility(self) -> float:
        """Returns the minimum return of a player. It is unknown if the reward is a score."""
        return -1.0 if self.reward == "win" else float("-inf")

    def max_utility(self) -> float:
        """Returns the maximum return of a player. It is unknown if the reward is a score."""
        return 1.0 if self.reward == "win" else float("inf")

    def num_players(self) -> int:
        return self._rows.players

    def num_distinct_actions(self) -> int:
        return self._rows.max_options

    def information_state_tensor_shape(self) -> list[int]:
        return [self._rows.width]

    def information_state_tensor_size(self) -> int:
        return self._rows.width

    def observation_tensor_shape(self) -> list[int]:
        return self.information_state_tensor_shape()

    def observation_tensor_size(self) -> int:
        return self.information_state_tensor_size()

    def new_initial_state(self, seed: int | None = None) -> State:
        if seed is None:
            seed = random.getrandbits(53) if self.seeds is None else random.choice(self.seeds)
        return State(self, self._rows.start(seed))

    def new_initial_states(self) -> list[State]:
        """Returns a state for each of the game's `seeds`, or for seed 0 if none were given, which is enough for a game without chance."""
        return [self.new_initial_state(seed) for seed in self.seeds or [0]]

    def deserialize_state(self, text: str) -> State:
        """Returns the state that `State.serialize` has written."""
        written = json.loads(text)
        state = self.new_initial_state(written["seed"])
        for action in written["actions"]:
            state.apply_action(action)
        return state


class State:
    """A game in progress."""

    def __init__(self, game: Game, session: Session):
        self._game, self.session = game, session
        game._rows.check(session)

    def get_game(self) -> Game:
        return self._game

    def current_player(self) -> int:
        asked = self.session.decision
        return TERMINAL if asked is None else asked.seat - 1

    def is_chance_node(self) -> bool:
        return False

    def is_simultaneous_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        return self.session.decision is None

    def legal_actions(self, player: int | None = None) -> list[int]:
        asked = self.session.decision
        if asked is None or player not in (None, asked.seat - 1):
            return []
        return list(range(len(asked)))

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        count = len(self.legal_actions(player))
        return [1] * count + [0] * (self._game.num_distinct_actions() - count)

    def action_to_string(self, player: int, action: int) -> str:
        asked = self.session.decision
        if asked is None or player != asked.seat - 1 or not 0 <= action < len(asked):
            raise ChoiceError(f"player {player} has no action {action} now")
        return asked[action].text

    def apply_action(self, action: int) -> None:
        self._game._rows.choose(self.session, action)

    def child(self, action: int) -> State:
        """Returns the state after an action, without changing this state. Random draws are the same as in this game after the action."""
        child = self.clone()
        child.apply_action(action)
        return child

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def undo_action(self, player: int, action: int) -> None:
        self.session.undo()

    def clone(self) -> State:
        return State(self._game, self.session.fork())

    def resample_from_infostate(self, player: int, seed: int | None = None) -> State:
        """Returns a state that the player cannot distinguish from this one. If the player is asked now, the decision is the same there."""
        return State(self._game, self.session.imagine(self._player(player) + 1, seed))

    def returns(self) -> list[float]:
        return _rows.rewards(self.session, self._game.reward) if self.is_terminal() else [0.0] * self.num_players()

    def player_return(self, player: int) -> float:
        return self.returns()[self._player(player)]

    def rewards(self) -> list[float]:
        """Returns the rewards of the last action: all rewards are given at the end."""
        return self.returns()

    def player_reward(self, player: int) -> float:
        return self.player_return(player)

    def history(self) -> list[int]:
        return self.session.answers

    def history_str(self) -> str:
        """Returns the seed and the actions, which identify a state of the game."""
        return " ".join(map(str, [f"seed={self.session.seed}", *self.session.answers]))

    def serialize(self) -> str:
        """Returns the state as a text that `Game.deserialize_state` can read."""
        return json.dumps({"seed": self.session.seed, "actions": list(self.session.answers)})

    def __str__(self) -> str:
        return self.history_str()

    def _player(self, player: int | None) -> int:
        if player is None:
            return max(self.current_player(), 0)
        if not 0 <= player < self._game.num_players():
            raise ValueError(f"there is no player {player}: players are counted from 0 to {self._game.num_players() - 1}")
        return player

    def information_state_tensor(self, player: int | None = None) -> np.ndarray:
        return self._game._rows.observation(self.session, self._player(player) + 1)

    def observation_tensor(self, player: int | None = None) -> np.ndarray:
        return self.information_state_tensor(player)

    def information_state_string(self, player: int | None = None) -> str:
        """Returns the player's log so far. If the player is asked, also the decision and its options."""
        number = self._player(player)
        lines = self.session.log(number + 1)
        asked = self.session.decision
        if asked is not None and asked.seat == number + 1:
            lines = [*lines, f"{asked.name}: {' | '.join(option.written for option in asked)}"]
        return "\n".join(lines)

    def observation_string(self, player: int | None = None) -> str:
        return self.information_state_string(player)

    def action_tensor(self) -> np.ndarray:
        """Returns a row of numbers for each legal action."""
        rows = np.frombuffer(self.session.option_rows(), np.float32)
        return rows.reshape(len(self.legal_actions()), self._game._rows.option_width)


def load_game(name: Any, players: int | None = None, **more: Any) -> Game:
    """Opens a game by its folder or name. `options` and `sets` are those of `game.start`; `max_options` is by default the result of
    `game.max_options`; `reward` is `"win"`, `"score"` or `"margin"` (the difference between a score and the best of the others); a new
    state begins with one of `seeds`."""
    return Game(name, players, **more)
