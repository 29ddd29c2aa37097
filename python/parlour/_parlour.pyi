"""The compiled part of the module."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, final

from ._types import Agent, Setting, Table, View

__all__ = [
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
    "Vector",
    "__version__",
    "games",
    "load",
    "printed",
    "run",
]

__version__: str

class Error(Exception):
    """An error in Parlour. It prints the diagnostic."""

    code: str | None
    """Stable code of the mistake, if it has one. `parlour explain CODE` explains it."""

class GameError(Error):
    """A game cannot be opened, or cannot be played with what was chosen before play."""

class RuleError(Error):
    """The rules of a game failed during play."""

class AgentError(Error):
    """An agent does not exist, or did not answer."""

class ChoiceError(Error):
    """A choice is not offered, or no decision is open."""

class OverflowError(Error):
    """A decision has more options than an environment has declared."""

def load(name: str | PathLike[str]) -> Game:
    """Opens a game by its folder, or by its name if it is included in the module, and checks it."""

def games() -> list[str]:
    """Returns the names of the games that are included in the module."""

def printed(game: Game, players: int | None = None) -> dict[str, Any]:
    """Returns what is printed on the spaces of boards, by place. It never changes during a game."""

def run(arguments: Sequence[str]) -> int:
    """Runs the program with these arguments, the first of which is its name. Returns its exit code."""

@final
class Game:
    """A game that can be played."""

    @property
    def id(self) -> str:
        """Id of the game."""
    @property
    def players(self) -> tuple[int, int]:
        """Minimum and maximum number of players."""
    @property
    def options(self) -> dict[str, list[str]]:
        """All options that can be chosen before play, with the values worth trying."""
    @property
    def agents(self) -> list[str]:
        """Names of the game's own agents."""
    def start(
        self,
        players: int | None = None,
        seed: int | None = None,
        *,
        options: Setting | None = None,
        sets: Setting | None = None,
        names: Sequence[str] | None = None,
        agents: Agent | Sequence[Agent | None] | Mapping[int, Agent] | None = None,
        language: str = "en",
        answers: Sequence[int] | None = None,
    ) -> Session:
        """Starts a game and plays up to the first decision. By default, it has the minimum number of players and a random seed.

        `agents` play the seats that it names: one for all seats, a list with one for each seat (`None` is asked), or a dictionary by seats.
        `answers` are given at once, including those of agents, as in `session.answers`; agents choose after them."""
    def simulate(
        self,
        games: int = 1000,
        players: int | None = None,
        *,
        agents: Agent | Sequence[Agent] | None = None,
        seed: int | None = None,
        threads: int | None = None,
        options: Setting | None = None,
        sets: Setting | None = None,
        prospects: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Batch:
        """Plays many games with agents (by default, random ones), on a thread for each processor.

        The same seed results in the same games on any number of threads, which are those of `parlour simulate`. An interruption ends the
        batch. `prospects` is a number of imagined worlds: if it is given, each seat's probability to win is measured during games, and
        kingmaking."""
    def compare(
        self,
        other: Game | None = None,
        games: int = 1000,
        players: int | None = None,
        *,
        agents: Agent | Sequence[Agent] | None = None,
        seed: int | None = None,
        threads: int | None = None,
        options: Setting | None = None,
        sets: Setting | None = None,
        other_options: Setting | None = None,
        other_sets: Setting | None = None,
        prospects: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Comparison:
        """Plays this and another version with the same seeds: the game of another folder, or this one with `other_options` and `other_sets`."""
    def max_options(
        self, players: int | None = None, *, options: Setting | None = None, sets: Setting | None = None
    ) -> int:
        """Returns the number of options that environments declare by default: a quarter more than the maximum in a few random games with
        fixed seeds, rounded up to a power of 2, but at least 256."""
    def layout(
        self, players: int | None = None, *, options: Setting | None = None, sets: Setting | None = None
    ) -> list[tuple[str, int]]:
        """Returns the layout of `session.observation`: pairs of a name and a number of values, in order."""
    def option_layout(
        self, players: int | None = None, *, options: Setting | None = None, sets: Setting | None = None
    ) -> list[tuple[str, int]]:
        """Returns the layout of a row of `session.option_rows`: pairs of a name and a number of values, in order."""

@final
class Session:
    """One game being played. It belongs to the thread that started it; using it on another thread raises `Error`."""

    @property
    def game(self) -> Game: ...
    @property
    def players(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def decision(self) -> Decision | None:
        """The open decision; `None` when the game is over."""
    @property
    def is_over(self) -> bool: ...
    @property
    def answers(self) -> list[int]:
        """Indexes of all options chosen so far, including those of agents."""
    @property
    def fingerprint(self) -> str:
        """Fingerprint of the table, in hexadecimal."""
    @property
    def outcome(self) -> dict[str, Any] | None:
        """Result of the game: `ending`, `rounds`, `winners`, and for each seat its `scores`, `ranks` and `breakdowns`; `None` before the
        end."""
    @property
    def scores(self) -> list[int] | None: ...
    @property
    def returns(self) -> list[float]:
        """Return of each seat: 1 for winning alone, less for a shared win, and negative for losing, so that the sum is 0. In a game of
        teams, the sum over teams is 0, and each seat has the return of its team."""
    def choose(self, option: int | str) -> None:
        """Answers the open decision with the index of an option, counted from 0, or with its notation in playscripts."""
    def undo(self) -> None:
        """Takes back the last answer of a seat without an agent, and the answers of agents after it."""
    def next_game(self) -> dict[str, Any] | None:
        """Returns the next game of the campaign as arguments of `Game.start`, once this one is over; `None` if this was the last game."""
    def fork(self) -> Session:
        """Returns an independent copy at the current decision, with new agents."""
    def imagine(self, seat: int, seed: int | None = None) -> Session:
        """Returns a world that a seat cannot distinguish from this game: everything is dealt again that the seat does not know, and other
        seats that are asked at the same time have given any answers. If the seat is asked now, it has the same decision there."""
    def view(self, seat: int | None = None) -> View:
        """Returns what a seat sees and remembers; without a seat, the whole table."""
    def log(self, seat: int | None = None, language: str | None = None) -> list[str]:
        """Returns the log as a seat may read it; without a seat, as onlookers read it."""
    def observation(self, seat: int) -> bytes:
        """Returns what a seat knows as 32-bit floats, in the order of `game.layout`."""
    def option_rows(self) -> bytes:
        """Returns 32-bit floats for each option, one option after the other, in the order of `game.option_layout`."""

@final
class Decision:
    """An open decision."""

    @property
    def seat(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def least(self) -> int | None: ...
    @property
    def most(self) -> int | None: ...
    @property
    def picked(self) -> list[str]: ...
    @property
    def log(self) -> list[str]:
        """Lines of the seat's log since the agent was last asked; empty for a decision of a session."""
    @property
    def events(self) -> list[dict[str, Any]]:
        """Events since the agent was last asked, as data; `None` for a decision of a session."""
    @property
    def answers(self) -> list[str] | None:
        """Number of complete answers that each option leads to, as decimal digits; `None` if each option is one answer."""
    @property
    def options(self) -> list[Choice]:
        """All options in order. An agent that is asked gets a sample if there are more than 5,000."""
    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> Choice: ...
    def __iter__(self) -> Iterator[Choice]: ...

@final
class Choice:
    """One option of a decision."""

    @property
    def index(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def written(self) -> str: ...
    @property
    def parts(self) -> Any:
        """The option as data: a number, a string, or a dictionary of parts; `None` for a pass."""

@final
class Batch:
    """Games that were played by agents."""

    @property
    def seed(self) -> int: ...
    @property
    def faults(self) -> Table:
        """Failures of games."""
    def games(self) -> Table:
        """Returns a row for each game."""
    def summary(self) -> Table:
        """Returns a row for each measure with its 95 % interval."""
    def __len__(self) -> int: ...

@final
class Comparison:
    """Two versions that were played with the same seeds."""

    @property
    def seed(self) -> int: ...
    def games(self) -> Table:
        """Returns a row for each pair of games."""
    def summary(self) -> Table:
        """Returns a row for each measure: its values in both versions, the difference with its interval, and the verdict."""
    def __len__(self) -> int: ...

@final
class Vector:
    """Many games that are stepped together; see `parlour.vector`."""

    def __new__(
        cls,
        game: Game,
        games: int,
        players: int | None = None,
        *,
        seed: int | None = None,
        options: Setting | None = None,
        sets: Setting | None = None,
        agents: Agent | Sequence[Agent | None] | Mapping[int, Agent] | None = None,
        threads: int | None = None,
        rows: bool = True,
    ) -> Vector: ...
    @property
    def width(self) -> int: ...
    @property
    def option_width(self) -> int: ...
    @property
    def players(self) -> int: ...
    def send(self, answers: bytes) -> None: ...
    def receive(self) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]: ...
    def close(self) -> None: ...
