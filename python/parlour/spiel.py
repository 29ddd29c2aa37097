"""Games as states in the manner of OpenSpiel, for learners written for it. Players are counted from 0.

    state = parlour.spiel.load_game("leduc-poker").new_initial_state(seed=7)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns())

Chance is the game's own: there are no chance nodes, and a state begins with a seed. Where OpenSpiel encodes the whole history of what a
player has seen, the tensor here encodes what a seat sees and remembers now; `information_state_string` has the history.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from . import _rows
from ._parlour import ChoiceError, Session

TERMINAL = -4
"""What `current_player` returns when the game is over, as OpenSpiel has it."""


class Game:
    """A game for a number of players."""

    def __init__(self, name: Any, players: int | None = None, *, options: Any = None, sets: Any = None, max_options: int | None = None):
        self._rows = _rows.Rows(name, players, options, sets, max_options)

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
        seed = random.getrandbits(53) if seed is None else seed
        return State(self, self._rows.start(seed))


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
        self.session.choose(int(action))
        self._game._rows.check(self.session)

    def undo_action(self, player: int, action: int) -> None:
        self.session.undo()

    def clone(self) -> State:
        return State(self._game, self.session.fork())

    def resample_from_infostate(self, player: int, seed: int | None = None) -> State:
        """A state that the player cannot tell from this one: asked now, it is asked the same there."""
        return State(self._game, self.session.imagine(self._player(player) + 1, seed))

    def returns(self) -> list[float]:
        return self.session.returns

    def player_return(self, player: int) -> float:
        return self.session.returns[self._player(player)]

    def rewards(self) -> list[float]:
        """What the last action brought: all comes at the end."""
        return self.session.returns

    def history(self) -> list[int]:
        return self.session.answers

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
        return "\n".join(self.session.log(self._player(player) + 1))

    def action_tensor(self) -> np.ndarray:
        """A row of numbers for each legal action."""
        rows = np.frombuffer(self.session.option_rows(), np.float32)
        return rows.reshape(len(self.legal_actions()), self._game._rows.option_width)


def load_game(name: Any, players: int | None = None, **more: Any) -> Game:
    """A game by its name or folder: `options` and `sets` as at `game.start`, `max_options` (what `game.max_options` says)."""
    return Game(name, players, **more)
