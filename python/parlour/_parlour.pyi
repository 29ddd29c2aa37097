"""What of the module is compiled."""

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
    """What goes wrong in Parlour. It prints the diagnostic."""

    code: str | None
    """The stable word for the sort of mistake, where it has one: `parlour explain CODE` tells more."""

class GameError(Error):
    """A game cannot be opened, or not be played with what was chosen."""

class RuleError(Error):
    """The rules of a game have made a mistake while they were played."""

class AgentError(Error):
    """An agent is not there, or gave no answer."""

class ChoiceError(Error):
    """What was chosen is not offered, or nobody is asked."""

class OverflowError(Error):
    """A decision has more options than an environment has declared."""

def load(name: str | PathLike[str]) -> Game:
    """Opens a game by its folder, or by its name where it comes with the module, and looks for mistakes."""

def games() -> list[str]:
    """The names of the games that come with the module."""

def printed(game: Game, players: int | None = None) -> dict[str, Any]:
    """What is printed on the spaces of boards, by place: it never changes."""

def run(arguments: Sequence[str]) -> int:
    """Runs the program with the arguments that it was called with, the first of which is its name: its exit code."""

@final
class Game:
    """A game that can be played."""

    @property
    def id(self) -> str:
        """The word for it."""
    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players."""
    @property
    def options(self) -> dict[str, list[str]]:
        """Every option that can be chosen before play, with the values worth trying."""
    @property
    def agents(self) -> list[str]:
        """The names of the game's own agents."""
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
        """Sits down and plays up to the first decision. Without a number it is the fewest players; without a seed, any.

        Seats that `agents` names are played by these: one for all, a list with one for each seat (`None` is asked), or a dictionary by
        seats. `answers` are given at once, those of agents among them, as `session.answers` has them; agents choose what follows."""
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
        """Plays many games by agents, at random where none are named, on a thread for each processor.

        The same seed gives the same games, those of `parlour simulate`, with any number of threads. An interruption ends it.
        `prospects` measures by so many imagined worlds each time how likely seats are to win as games go on, and kingmaking."""
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
        """Plays this and another version on the same luck: another game, or this one with `other_options` and `other_sets`."""
    def max_options(
        self, players: int | None = None, *, options: Setting | None = None, sets: Setting | None = None
    ) -> int:
        """How many options environments declare where they are given no number: a quarter more than the most of a few random games
        that are always the same, raised to a power of 2, and 256 at least."""
    def layout(
        self, players: int | None = None, *, options: Setting | None = None, sets: Setting | None = None
    ) -> list[tuple[str, int]]:
        """What the numbers of `session.observation` are, in order: a name, and how many of them."""
    def option_layout(
        self, players: int | None = None, *, options: Setting | None = None, sets: Setting | None = None
    ) -> list[tuple[str, int]]:
        """What the numbers of a row of `session.option_rows` are, in order: a name, and how many of them."""

@final
class Session:
    """One game being played. It belongs to the thread that began it: elsewhere it is an `Error` to use it."""

    @property
    def game(self) -> Game: ...
    @property
    def players(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def decision(self) -> Decision | None:
        """What is asked; nothing when the game is over."""
    @property
    def is_over(self) -> bool: ...
    @property
    def answers(self) -> list[int]:
        """The positions of all options chosen so far, those of agents included."""
    @property
    def fingerprint(self) -> str:
        """One stable number computed from the table, in hexadecimal."""
    @property
    def outcome(self) -> dict[str, Any] | None:
        """How it ended: `ending`, `rounds`, `winners`, and for each seat its `scores`, `ranks` and `breakdowns`."""
    @property
    def scores(self) -> list[int] | None: ...
    @property
    def returns(self) -> list[float]:
        """What each seat got: 1 for winning alone, less for a shared first place, and what others lose; all together is 0, or all teams
        together: each seat has what its team got."""
    def choose(self, option: int | str) -> None:
        """Answers the open decision: by the position of an option, counted from 0, or by what plays write for it."""
    def undo(self) -> None:
        """Takes the last answer back, with those of agents behind it."""
    def next_game(self) -> dict[str, Any] | None:
        """What follows in the campaign, once the game is over, as `Game.start` takes it; `None` where this was the last game."""
    def fork(self) -> Session:
        """An independent copy at the present decision. Agents sit there anew."""
    def imagine(self, seat: int, seed: int | None = None) -> Session:
        """A world that a seat cannot tell from this one: everything it does not know has been dealt again, and others who are asked at
        the same time have answered anything. Where the seat is asked, it is asked the same there."""
    def view(self, seat: int | None = None) -> View:
        """What a seat sees and remembers; without a seat, the whole table."""
    def log(self, seat: int | None = None, language: str | None = None) -> list[str]:
        """What has happened, as a seat may read it; without a seat, as onlookers do."""
    def observation(self, seat: int) -> bytes:
        """What a seat knows as 32-bit floats, in the order of `game.layout`."""
    def option_rows(self) -> bytes:
        """32-bit floats for each option, one after the other, in the order of `game.option_layout`."""

@final
class Decision:
    """A question that is open."""

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
        """The lines of the seat's log since the agent was last asked; none where a session is asked."""
    @property
    def events(self) -> list[dict[str, Any]]:
        """What has happened since the agent was last asked, as data; none where a session is asked."""
    @property
    def answers(self) -> list[str] | None:
        """How many complete answers each of the options leads to, as digits; nothing where each is one answer."""
    @property
    def options(self) -> list[Choice]:
        """Every option, in order; where an agent is asked, of more than 5,000 a sample."""
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
        """As data: a number, a text, or named parts of these; nothing for a pass."""

@final
class Batch:
    """Games that were played by agents."""

    @property
    def seed(self) -> int: ...
    @property
    def faults(self) -> Table:
        """What went wrong in games."""
    def games(self) -> Table:
        """A row for each game."""
    def summary(self) -> Table:
        """A row for each measure with its 95 % interval."""
    def __len__(self) -> int: ...

@final
class Comparison:
    """Two versions, played on the same luck."""

    @property
    def seed(self) -> int: ...
    def games(self) -> Table:
        """A row for each pair of games."""
    def summary(self) -> Table:
        """A row for each measure: both versions, the difference with its interval, and the verdict."""
    def __len__(self) -> int: ...

@final
class Vector:
    """Many games that are stepped at once: see `parlour.vector`."""

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
