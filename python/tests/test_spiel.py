"""Games of the gallery in lock-step with OpenSpiel: the same options at every decision, and the same results.

A single option is taken by Parlour without asking, so OpenSpiel takes it as well. Where both are meant to differ, the game's README says so.
"""

import os
import random
import re
from pathlib import Path

import pytest

import parlour

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: `pip install open_spiel`")

ROOT = Path(os.environ.get("PARLOUR_ROOT", Path(__file__).resolve().parents[2]))
GAMES = int(os.environ.get("SPIEL_GAMES", "300"))


def squares(text):
    """The spaces of a grid that an option names: columns and rows, counted from 1."""
    return [(int(x), int(y)) for x, y in re.findall(r"(\d+),(\d+)", text)]


class Othello:
    name, folder = "othello", "othello"

    @staticmethod
    def action(option, state):
        [(x, y)] = squares(option)
        return 8 * (y - 1) + x - 1


class Checkers:
    """The first player is at the top here, and at the bottom there. OpenSpiel draws after 40 moves without a capture."""

    name, folder = "checkers", "checkers"

    @staticmethod
    def action(option, state):
        named = ["abcdefgh"[8 - x] + str(y) for x, y in squares(option)]
        return state.string_to_action("".join(named))

    @staticmethod
    def ends_early(state):
        return state.returns() == [0, 0]


class Go:
    """OpenSpiel calls a game drawn in which a position comes about again."""

    name, folder = "go", "go"
    parameters = {"board_size": 9, "komi": 7.5}

    @staticmethod
    def action(option, state):
        if option == "pass":
            return 81
        [(x, y)] = squares(option)
        return 9 * (y - 1) + x - 1

    @staticmethod
    def ends_early(state):
        return state.returns() == [0, 0]


class NineMensMorris:
    """OpenSpiel knows no draw but by its number of turns; here positions that are repeated end a game, too."""

    name, folder = "nine_mens_morris", "nine-mens-morris"
    POINTS = sorted(
        (y, x)
        for y in range(1, 8)
        for x in range(1, 8)
        if (abs(x - 4) == abs(y - 4) or x == 4 or y == 4) and (x, y) != (4, 4)
    )

    @classmethod
    def action(cls, option, state):
        points = [cls.POINTS.index((y, x)) for x, y in squares(option)]
        if len(points) == 1:
            return points[0]
        return state.string_to_action(f"Move {points[0]} -> {points[1]}")

    @staticmethod
    def ends_early(state):
        return state.returns() == [0, 0]


class Chess:
    """White is OpenSpiel's second player."""

    first = 1
    name, folder = "chess", "chess"
    MEN = {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N"}
    known = moves = None

    @classmethod
    def action(cls, option, state):
        if cls.known != state.history_str():
            cls.known = state.history_str()
            board = state.board()
            cls.moves = {pyspiel.chess.action_to_move(a, board).to_lan(): a for a in state.legal_actions()}
        (x, y), (to_x, to_y) = squares(option)
        promoted = option.partition("becomes=")[2]
        lan = "abcdefgh"[x - 1] + str(9 - y) + "abcdefgh"[to_x - 1] + str(9 - to_y)
        return cls.moves[lan + (cls.MEN[promoted].lower() if promoted else "")]


@pytest.mark.parametrize("game", [Chess, Checkers, Go, NineMensMorris, Othello], ids=lambda game: game.folder)
def test_a_game_of_perfect_information_goes_as_in_open_spiel(game):
    ours = parlour.load(ROOT / "examples" / "gallery" / game.folder)
    theirs = pyspiel.load_game(game.name, getattr(game, "parameters", {}))
    first, results = getattr(game, "first", 0), set()
    for seed in range(GAMES):
        chance = random.Random(seed)
        session, state = ours.start(players=2, seed=seed), theirs.new_initial_state()
        while session.decision:
            while not state.is_terminal() and len(state.legal_actions()) == 1:
                state.apply_action(state.legal_actions()[0])
            if state.is_terminal():
                break
            assert session.decision.seat == (state.current_player() ^ first) + 1
            options = [option.written for option in session.decision.options]
            actions = [game.action(option, state) for option in options]
            assert sorted(actions) == sorted(state.legal_actions()), f"game {seed}: {options}\n{state}"
            at = chance.randrange(len(options))
            session.choose(at)
            state.apply_action(actions[at])
        while not state.is_terminal() and len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        if not (session.is_over and state.is_terminal()):
            drawn = state.is_terminal() and game.ends_early(state) or session.is_over and session.scores == [1, 1]
            assert drawn, f"game {seed}: {state}"
            results.add("drawn by one alone")
            continue
        winners = session.outcome["winners"]
        won = 0 if len(winners) == 2 else 1 if winners == [1] else -1
        assert won == state.returns()[first], f"game {seed}: {session.scores}, {state.returns()}\n{state}"
        results.add(state.returns()[first])
    assert GAMES < 100 or results >= {1, -1}


def faces(session, seat, zone):
    """What lies in a zone of a seat, as that seat sees it."""
    for found in session.view(seat)["zones"]:
        if (found["zone"], found["seat"]) == (zone, seat):
            return {piece["component"] for space in found["spaces"] for piece in space["pieces"]}
    return set()


def card(name):
    """A card as OpenSpiel writes it."""
    suit, _, rank = name.partition("_")
    return {"10": "T"}.get(rank, rank[0].upper()) + suit[0].upper()


def test_a_hand_of_hearts_goes_as_in_open_spiel():
    ours = parlour.load(ROOT / "examples" / "gallery" / "hearts")
    theirs = pyspiel.load_game("hearts", {"qs_breaks_hearts": False})
    state = theirs.new_initial_state()
    state.apply_action(1)
    number = {state.action_to_string(at): at for at, _ in state.chance_outcomes()}
    for seed in range(GAMES):
        chance = random.Random(seed)
        session, state = ours.start(players=4, seed=seed, sets={"params.target": "1"}), theirs.new_initial_state()
        state.apply_action(1)  # to the left, as in the first hand
        hands = {seat: faces(session, seat, "hand") for seat in range(1, 5)}
        for cards in zip(*(sorted(hands[seat]) for seat in range(1, 5))):
            for name in cards:
                state.apply_action(number[card(name)])
        while session.decision.name == "give":
            session.choose(chance.randrange(len(session.decision)))
        for seat in range(1, 5):
            for name in sorted(hands[seat] - faces(session, seat, "hand") - faces(session, seat, "played")):
                state.apply_action(number[card(name)])
        while session.decision:
            while len(state.legal_actions()) == 1:
                state.apply_action(state.legal_actions()[0])
            assert session.decision.seat == state.current_player() + 1
            options = [number[card(option.written)] for option in session.decision.options]
            assert sorted(options) == state.legal_actions(), f"hand {seed}: {state}"
            at = chance.randrange(len(options))
            session.choose(at)
            state.apply_action(options[at])
        while not state.is_terminal():
            assert len(state.legal_actions()) == 1
            state.apply_action(state.legal_actions()[0])
        assert [26 - score for score in session.scores] == state.returns(), f"hand {seed}: {state}"
