"""Tabletop games whose rules are data: load, play and simulate them, and train agents for them, in Python.

    import parlour

    game = parlour.load("stockpile")
    session = game.start(players=4, seed=7)
    while session.decision:
        session.choose(0)
    print(session.scores)

Seats are counted from 1, options of a decision from 0.
"""

from ._parlour import (
    AgentError,
    Batch,
    Choice,
    ChoiceError,
    Comparison,
    Decision,
    Error,
    Game,
    GameError,
    OverflowError,
    RuleError,
    Session,
    __version__,
    games,
    load,
    printed,
)
from ._progress import bar
from ._types import Agent, Setting, Table, View

__all__ = [
    "Agent",
    "AgentError",
    "Batch",
    "Choice",
    "ChoiceError",
    "Comparison",
    "Decision",
    "Error",
    "Game",
    "GameError",
    "OverflowError",
    "RuleError",
    "Session",
    "Setting",
    "Table",
    "View",
    "__version__",
    "bar",
    "games",
    "load",
    "printed",
]
