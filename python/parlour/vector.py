"""Many games that are stepped together, on a thread for each processor, without Python in between.

    games = parlour.vector.Games("stockpile", 1000, players=4, seed=7)
    step = games.first
    while True:
        step = games.step(choose(step))

When a game ends, another one starts in its place: `dones` marks it, and `returns` has the returns of the previous game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._parlour import Game, OverflowError, Vector, load

__all__ = ["Games", "Step"]


class Step(NamedTuple):
    """The decisions that all games wait for. Each array has an entry for each game, unless stated otherwise."""

    seats: np.ndarray
    """Number of the seat that is asked, from 1."""
    counts: np.ndarray
    """Number of options."""
    observations: np.ndarray
    """What the seat knows: a row for each game, in the order of `game.layout`."""
    rows: np.ndarray
    """A row for each option of all games, one game after the other, in the order of `game.option_layout`."""
    offsets: np.ndarray
    """Index of the first of each game's rows in `rows`, and the number of all rows at the end."""
    dones: np.ndarray
    """Whether the previous game has just ended."""
    returns: np.ndarray
    """Returns of the seats in the previous game: a row for each game."""

    def mask(self, max_options: int) -> np.ndarray:
        """Returns which of `max_options` indexes are available: a row for each game."""
        self._check(max_options)
        return np.arange(max_options) < self.counts[:, None]

    def padded(self, max_options: int) -> np.ndarray:
        """Returns the rows of options, padded with zeros. The axes are games, options and numbers."""
        self._check(max_options)
        if self.offsets[-1] != self.counts.sum():
            raise ValueError("the rows of options were left out: make the games with `rows=True`")
        full = np.zeros((len(self.counts), max_options, self.rows.shape[1]), np.float32)
        full[self.mask(max_options)] = self.rows
        return full

    def _check(self, max_options: int) -> None:
        most = int(self.counts.max())
        if most > max_options:
            raise OverflowError(f"a decision has {most} options, and {max_options} are declared: give a larger number")


class Games:
    """Many games that are stepped together. `agents` play the seats that it names."""

    def __init__(
        self,
        name: str | Game,
        games: int,
        players: int | None = None,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        sets: dict[str, Any] | None = None,
        agents: Any = None,
        threads: int | None = None,
        rows: bool = True,
    ):
        game = name if isinstance(name, Game) else load(name)
        more = {"seed": seed, "options": options, "sets": sets, "agents": agents, "threads": threads, "rows": rows}
        self._vector = Vector(game, games, players, **more)
        self.game, self.games, self._has_rows = game, games, rows
        self.first = self._receive()

    def _receive(self) -> Step:
        seats, counts, observations, rows, dones, returns = self._vector.receive()
        counts = np.frombuffer(counts, np.uint32).astype(np.int64)
        option_rows = np.frombuffer(rows, np.float32).reshape(-1, self._vector.option_width)
        return Step(
            np.frombuffer(seats, np.uint8).astype(np.int64) + 1,
            counts,
            np.frombuffer(observations, np.float32).reshape(self.games, -1),
            option_rows,
            np.concatenate([[0], np.cumsum(counts)]) if self._has_rows else np.zeros(self.games + 1, np.int64),
            np.frombuffer(dones, np.bool_),
            np.frombuffer(returns, np.float32).reshape(self.games, -1),
        )

    def step(self, actions: Any) -> Step:
        """Answers in every game with the index of an option, counted from 0. If one of them is not available, no game is answered."""
        given = np.asarray(actions)
        with np.errstate(invalid="ignore"):
            whole = np.ascontiguousarray(given, np.int64)
        if (whole != given).any():
            raise TypeError("actions are positions of options: whole numbers, counted from 0")
        self._vector.send(whole.tobytes())
        return self._receive()

    def close(self) -> None:
        """Ends all games."""
        self._vector.close()
