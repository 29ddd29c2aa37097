"""Games as Gymnasium environments: one seat learns, and agents play the others.

    env = parlour.gymnasium.env("stockpile", players=4, agents="random")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import Env as GymEnv
from gymnasium import spaces

from . import _rows
from ._parlour import Game, Session

__all__ = ["env", "Env", "Offered"]

MOST_EMPTY = 1000
"""Maximum number of consecutive games that end before the seat is asked anything."""


class Offered(spaces.Discrete):
    """Indexes of options. Samples only those that are available now."""

    def __init__(self, n: int):
        super().__init__(n)
        self.count = 1

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        if mask is None and probability is None:
            mask = (np.arange(self.n) < self.count).astype(np.int8)
        return super().sample(mask=mask, probability=probability)


class Env(GymEnv):
    """A game from the view of one seat."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        name: str | Game,
        players: int | None = None,
        *,
        seat: int = 1,
        agents: Any = "random",
        options: dict[str, Any] | None = None,
        sets: dict[str, Any] | None = None,
        max_options: int | None = None,
        reward: str = "win",
        render_mode: str | None = None,
    ):
        self._rows = _rows.Rows(name, players, options, sets, max_options)
        if not 1 <= seat <= self._rows.players:
            raise ValueError(f"there is no seat {seat}: seats are counted from 1 to {self._rows.players}")
        others = [other for other in range(1, self._rows.players + 1) if other != seat]
        if isinstance(agents, Mapping):
            raise ValueError("`agents` is one for all other seats, or a list with one for each of them in their order")
        given = [agents] * len(others) if isinstance(agents, str) or callable(agents) else list(agents)
        if len(given) != len(others):
            raise ValueError(f"{len(given)} agents are given for {len(others)} other seats")
        self._agents = dict(zip(others, given))
        self.seat, self.reward, self.render_mode = seat, _rows.known_reward(reward), render_mode
        self.max_options = max_options = self._rows.max_options
        self.action_space = Offered(max_options)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (self._rows.width,), np.float32),
                "action_mask": spaces.Box(0, 1, (max_options,), np.int8),
                "options": spaces.Box(-np.inf, np.inf, (max_options, self._rows.option_width), np.float32),
            }
        )
        self.session: Session | None = None

    def view(self) -> dict[str, Any]:
        """Returns what the seat knows as nested data."""
        return _rows.begun(self.session).view(self.seat)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        if options:
            raise ValueError("what is chosen before play is given to `env`, as its `options`")
        super().reset(seed=seed)
        for _ in range(MOST_EMPTY):
            self.session = self._rows.start(int(self.np_random.integers(1 << 53)), self._agents)
            if self.session.decision is not None:
                return self._observe(), {}
        raise RuntimeError(f"in {MOST_EMPTY} games seat {self.seat} was never asked anything")

    def _observe(self) -> dict[str, np.ndarray]:
        self._rows.check(self.session)
        asked = self.session.decision
        self.action_space.count = 1 if asked is None else len(asked)
        return self._rows.observe(self.session, self.seat)

    def step(self, action: int):
        session = _rows.begun(self.session)
        self._rows.choose(session, action)
        is_over = session.decision is None
        reward = _rows.rewards(session, self.reward)[self.seat - 1] if is_over else 0.0
        return self._observe(), reward, is_over, False, {}

    def action_masks(self) -> np.ndarray:
        """Returns which indexes are available now, as `MaskablePPO` of SB3-Contrib expects."""
        asked = _rows.begun(self.session).decision
        return np.arange(self.max_options) < (0 if asked is None else len(asked))

    def render(self) -> str | None:
        return "\n".join(_rows.begun(self.session).log(self.seat)) if self.render_mode == "ansi" else None


def env(name: str | Game, players: int | None = None, **more: Any) -> Env:
    """Creates an environment for a seat of a game. `seat` is 1 by default; `agents` play the other seats (one for all, or a list);
    `options` and `sets` are those of `game.start`; `max_options` is by default the result of `game.max_options`; `reward` is `"win"`,
    `"score"` or `"margin"`."""
    return Env(name, players, **more)
