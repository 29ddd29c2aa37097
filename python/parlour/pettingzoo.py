"""Games as PettingZoo environments: agents take turns (AEC).

    env = parlour.pettingzoo.env("stockpile", players=4)

An action is the index of an option. The observation of an agent is what its seat knows: `observation` are numbers in the order of
`game.layout`, `action_mask` marks the available options, and `options` has a row of numbers for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from . import _rows
from ._parlour import Error, Game, Session

__all__ = ["env", "Env"]


class Env(AECEnv):
    """A game for agents `seat_1`, `seat_2` and so on."""

    metadata = {"name": "parlour", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        name: str | Game,
        players: int | None = None,
        *,
        options: dict[str, Any] | None = None,
        sets: dict[str, Any] | None = None,
        max_options: int | None = None,
        reward: str = "win",
        render_mode: str | None = None,
    ):
        super().__init__()
        self._rows = _rows.Rows(name, players, options, sets, max_options)
        self.max_options = max_options = self._rows.max_options
        self.metadata = {**self.metadata, "name": self._rows.game.id}
        self.reward, self.render_mode = _rows.known_reward(reward), render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self._rows.players + 1)]
        observed = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (self._rows.width,), np.float32),
                "action_mask": spaces.Box(0, 1, (max_options,), np.int8),
                "options": spaces.Box(-np.inf, np.inf, (max_options, self._rows.option_width), np.float32),
            }
        )
        self.observation_spaces = {agent: observed for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(max_options) for agent in self.possible_agents}
        self._chance = np.random.default_rng()
        self.session: Session | None = None

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent) + 1

    def view(self, agent: str) -> dict[str, Any]:
        """Returns what an agent knows as nested data."""
        return _rows.begun(self.session).view(self._seat(agent))

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return self._rows.observe(_rows.begun(self.session), self._seat(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts another game. The parameter `options` belongs to PettingZoo's interface and has no effect: pass options of the game to
        `env`."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.session = self._rows.start(int(self._chance.integers(1 << 53)))
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def _go_on(self) -> None:
        asked = self.session.decision
        if asked is not None:
            self._rows.check(self.session)
            self.agent_selection = self.possible_agents[asked.seat - 1]
            return
        for agent, reward in zip(self.possible_agents, _rows.rewards(self.session, self.reward)):
            self.rewards[agent] = reward
            self.terminations[agent] = True

    def step(self, action: int | None) -> None:
        session = _rows.begun(self.session)
        if not self.agents:
            raise Error("the game is over, and every agent has left it: call `reset` first")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._rows.choose(session, action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return "\n".join(_rows.begun(self.session).log()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.session = None


def env(name: str | Game, players: int | None = None, **more: Any) -> Env:
    """Creates an environment for a game. `options` and `sets` are those of `game.start`; `max_options` is by default the result of
    `game.max_options`; `reward` is `"win"`, `"score"` or `"margin"`."""
    return Env(name, players, **more)
