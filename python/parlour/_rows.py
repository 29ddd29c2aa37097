"""Sessions as arrays, for all environments."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._parlour import Error, Game, OverflowError, Session, load


class Rows:
    """Converts sessions of a game to arrays for `max_options` options (by default, the number that the game declares)."""

    def __init__(self, game: str | Game, players: int | None, options: Any, sets: Any, max_options: int | None):
        self.game = game if isinstance(game, Game) else load(game)
        self.players = players if players is not None else self.game.players[0]
        self.options, self.sets = options, sets
        if max_options is None:
            max_options = self.game.max_options(self.players, options=options, sets=sets)
        if max_options < 1:
            raise ValueError(f"`max_options` is 1 at least, and not {max_options}")
        self.max_options = max_options
        self.width = sum(n for _, n in self.game.layout(self.players, options=options, sets=sets))
        self.option_width = sum(n for _, n in self.game.option_layout(self.players, options=options, sets=sets))

    def start(self, seed: int, agents: Any = None) -> Session:
        return self.game.start(self.players, seed, options=self.options, sets=self.sets, agents=agents)

    def check(self, session: Session) -> None:
        """Raises `OverflowError` if the decision has more options than were declared."""
        asked = session.decision
        if asked is not None and len(asked) > self.max_options:
            larger = 1 << (len(asked) - 1).bit_length()
            raise OverflowError(
                f"`{asked.name}` has {len(asked)} options, and {self.max_options} are declared: give a larger `max_options`, as {larger}"
            )

    def choose(self, session: Session, action: Any) -> None:
        """Answers with the option at an index. Raises `TypeError` for a number such as 3.9 that is not an integer. If the next decision has
        more options than were declared, the answer is taken back."""
        session.choose(operator.index(action))
        try:
            self.check(session)
        except OverflowError:
            session.undo()
            raise

    def observation(self, session: Session, seat: int) -> np.ndarray:
        return np.frombuffer(session.observation(seat), np.float32)

    def observe(self, session: Session, seat: int) -> dict[str, np.ndarray]:
        """Returns what a seat knows. If the seat is asked, also a mask of the available options and a row for each."""
        mask = np.zeros(self.max_options, np.int8)
        rows = np.zeros((self.max_options, self.option_width), np.float32)
        asked = session.decision
        if asked is not None and asked.seat == seat:
            mask[: len(asked)] = 1
            rows[: len(asked)] = np.frombuffer(session.option_rows(), np.float32).reshape(len(asked), -1)
        return {"observation": self.observation(session, seat), "action_mask": mask, "options": rows}


def begun(session: Session | None) -> Session:
    """Returns the session of an environment. Raises `Error` before the first `reset`."""
    if session is None:
        raise Error("no game has begun here: call `reset` first")
    return session


def known_reward(kind: str) -> str:
    """Returns the name of a reward. Raises `ValueError` if there is no such reward."""
    if kind not in ("win", "score", "margin"):
        raise ValueError(f"there is no reward {kind!r}: there are 'win', 'score' and 'margin'")
    return kind


def rewards(session: Session, kind: str) -> list[float]:
    """Returns the reward of each seat at the end, and 0 before: its return, its score, or the difference between its score and the best
    other one."""
    if kind == "win":
        return session.returns
    scores = [float(score) for score in session.scores or [0] * session.players]
    if kind == "score" or len(scores) == 1:
        return scores
    return [score - max(scores[:at] + scores[at + 1 :]) for at, score in enumerate(scores)]
