"""Games of the gallery in lock-step with OpenSpiel: the same boards or hands and the same options at every decision, and the same results.

If there is only one option, Parlour takes it without asking, so it is given to OpenSpiel as well. Intended differences are listed in the
README of the game.
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
    """Returns the spaces of a grid that an option names: columns and rows, counted from 1."""
    return [(int(x), int(y)) for x, y in re.findall(r"(\d+),(\d+)", text)]


def board_of(session):
    """Returns the topmost piece of each space of the board, by column and row: its component and its seat."""
    zones = (zone for zone in session.view()["zones"] if zone["zone"] == "board")  # none while it is empty
    tops = ((space["space"], space["pieces"][-1]) for zone in zones for space in zone["spaces"])
    return {tuple(map(int, label.split(","))): (top["component"], top["owner"]) for label, top in tops}


class Othello:
    name, folder = "othello", "othello"

    @staticmethod
    def board(state):
        rows = [line.replace(" ", "") for line in re.findall(r"^\d ([-xo ]+) \d$", str(state), re.MULTILINE)]
        assert len(rows) == 8
        squares = ((x, y, letter) for y, row in enumerate(rows, 1) for x, letter in enumerate(row, 1))
        return {(x, y): ("disc", "xo".index(letter) + 1) for x, y, letter in squares if letter != "-"}

    @staticmethod
    def action(option, state):
        [(x, y)] = squares(option)
        return 8 * (y - 1) + x - 1


class Checkers:
    """The first player is at the top in Parlour, and at the bottom in OpenSpiel. OpenSpiel ends a game as a draw after 40 moves without a
    capture."""

    name, folder = "checkers", "checkers"
    PIECES = {"o": ("man", 1), "8": ("king", 1), "+": ("man", 2), "*": ("king", 2)}

    @classmethod
    def board(cls, state):
        rows = re.findall(r"^(\d)([.o8+*]{8})$", str(state), re.MULTILINE)
        assert len(rows) == 8
        squares = ((8 - at, int(y), letter) for y, row in rows for at, letter in enumerate(row))
        return {(x, y): cls.PIECES[letter] for x, y, letter in squares if letter != "."}

    @staticmethod
    def action(option, state):
        named = ["abcdefgh"[8 - x] + str(y) for x, y in squares(option)]
        return state.string_to_action("".join(named))

    @staticmethod
    def ends_early(state):
        return state.returns() == [0, 0]


class Go:
    """OpenSpiel ends a game as a draw if a position is repeated."""

    name, folder = "go", "go"
    parameters = {"board_size": 9, "komi": 7.5}

    @staticmethod
    def board(state):
        rows = re.findall(r"^ (\d) ([+XO]{9})$", str(state), re.MULTILINE)
        assert len(rows) == 9
        squares = ((x, int(y), letter) for y, row in rows for x, letter in enumerate(row, 1))
        return {(x, y): ("stone", "XO".index(letter) + 1) for x, y, letter in squares if letter != "+"}

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
    """OpenSpiel ends a game as a draw only after a number of turns; Parlour does so for repeated positions, too."""

    name, folder = "nine_mens_morris", "nine-mens-morris"
    POINTS = sorted(
        (y, x)
        for y in range(1, 8)
        for x in range(1, 8)
        if (abs(x - 4) == abs(y - 4) or x == 4 or y == 4) and (x, y) != (4, 4)
    )

    @classmethod
    def board(cls, state):
        drawn = re.findall("[WB.]", str(state).partition("\n\n")[0])
        assert len(drawn) == 24
        lies = zip(cls.POINTS, drawn)
        return {(x, y): ("man", "WB".index(letter) + 1) for (y, x), letter in lies if letter != "."}

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
    """White is the second player of OpenSpiel."""

    first = 1
    name, folder = "chess", "chess"
    MEN = {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N"}
    known = moves = None
    LETTERS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}

    @classmethod
    def board(cls, state):
        ranks = re.sub(r"\d", lambda gap: "." * int(gap[0]), str(state).split()[0]).split("/")
        squares = ((x, y, letter) for y, rank in enumerate(ranks, 1) for x, letter in enumerate(rank, 1))
        return {(x, y): (cls.LETTERS[letter.lower()], 1 + letter.islower()) for x, y, letter in squares if letter != "."}

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
            assert board_of(session) == game.board(state), f"game {seed}: {state}"
            options = [option.written for option in session.decision.options]
            actions = [game.action(option, state) for option in options]
            assert sorted(actions) == sorted(state.legal_actions()), f"game {seed}: {options}\n{state}"
            at = chance.randrange(len(options))
            session.choose(at)
            state.apply_action(actions[at])
        while not state.is_terminal() and len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        # After a draw in OpenSpiel, Parlour may take options without a choice until it reaches an end of its own.
        if state.is_terminal() and hasattr(game, "ends_early") and game.ends_early(state):
            results.add("drawn by OpenSpiel")
            continue
        if not state.is_terminal():
            assert session.is_over and session.scores == [1, 1], f"game {seed}: {state}"
            results.add("drawn by Parlour")
            continue
        assert session.is_over, f"game {seed}: {state}"
        assert board_of(session) == game.board(state), f"game {seed}: {state}"
        winners = session.outcome["winners"]
        won = 0 if len(winners) == 2 else 1 if winners == [1] else -1
        assert won == state.returns()[first], f"game {seed}: {session.scores}, {state.returns()}\n{state}"
        results.add(state.returns()[first])
    assert GAMES < 100 or results >= {1, -1}


def faces(session, seat, zone):
    """Returns what a seat sees in one of its zones."""
    for found in session.view(seat)["zones"]:
        if (found["zone"], found["seat"]) == (zone, seat):
            return {piece["component"] for space in found["spaces"] for piece in space["pieces"]}
    return set()


def card(name):
    """Returns a card in the notation of OpenSpiel."""
    suit, _, rank = name.partition("_")
    return {"10": "T"}.get(rank, rank[0].upper()) + suit[0].upper()


def hearts_hand(state, player, number):
    """Returns the cards of a player, with a line for each suit."""
    suits = re.findall(r"^([SHDC]) ([AKQJT\d]+|none)$", state.information_state_string(player), re.MULTILINE)
    assert len(suits) == 4
    return {number[rank + suit] for suit, ranks in suits if ranks != "none" for rank in ranks}


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
            for seat in range(1, 5):
                held = {number[card(name)] for name in faces(session, seat, "hand")}
                assert held == hearts_hand(state, seat - 1, number), f"hand {seed}: {state}"
            options = [number[card(option.written)] for option in session.decision.options]
            assert sorted(options) == state.legal_actions(), f"hand {seed}: {state}"
            at = chance.randrange(len(options))
            session.choose(at)
            state.apply_action(options[at])
        while not state.is_terminal():
            assert len(state.legal_actions()) == 1
            state.apply_action(state.legal_actions()[0])
        assert [26 - score for score in session.scores] == state.returns(), f"hand {seed}: {state}"


def rummy_card(name):
    suit, _, rank = name.partition("_")
    ranks = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]
    return 13 * ["spades", "clubs", "diamonds", "hearts"].index(suit) + ranks.index(rank)


def outcomes(state, player):
    """Returns the possible results of a hand for the first player, if `player` arranges the cards in any way and the other player in the
    best way."""
    if state.is_terminal():
        return {state.returns()[0]}
    found = [outcomes(state.child(action), player) for action in state.legal_actions()]
    if state.current_player() == player:
        return set().union(*found)
    best = max if state.current_player() == 0 else min
    return {best(best(results) for results in found)}


def test_a_hand_of_gin_rummy_goes_as_in_open_spiel():
    """OpenSpiel lets a player discard the card that was just taken from the pile, ends a hand as a draw if the discard pile was drawn from
    fifty times, and does not offer the third card of a chain that is laid off on a run."""
    ours = parlour.load(ROOT / "examples" / "gallery" / "gin-rummy")
    theirs = pyspiel.load_game("gin_rummy")
    single = {"params.target": "1", "params.gin_bonus": "25", "params.undercut_bonus": "25"}
    chains = 0
    for seed in range(GAMES):
        chance = random.Random(seed)
        session, state = ours.start(players=2, seed=seed, sets=single), theirs.new_initial_state()
        hands = {seat: {rummy_card(name) for name in faces(session, seat, "hand")} for seat in (1, 2)}
        for action in [*sorted(hands[1]), *sorted(hands[2])]:
            state.apply_action(action)
        [upcard] = faces_of(session, "discards")
        state.apply_action(rummy_card(upcard))
        knocked = taken = None
        while session.decision and session.view(1)["round"] == 1 and not state.is_terminal():
            seat, name = session.decision.seat, session.decision.name
            if name == "discard":
                if not state.is_chance_node() and state.legal_actions() == [53]:
                    state.apply_action(53)
                held = {rummy_card(card) for card in faces(session, seat, "hand")}
                if state.is_chance_node():
                    [drawn] = held - hands[seat]
                    state.apply_action(drawn)
                hands[seat] = held
            assert state.current_player() == seat - 1, f"hand {seed}: {state}"
            for other in (1, 2):
                held = {rummy_card(card) for card in faces(session, other, "hand")}
                assert held == set(state.hands()[other - 1]), f"hand {seed}: {state}"
            piled = [rummy_card(card) for card in faces_of(session, "discards")]
            turned = [] if state.upcard() is None else [state.upcard()]
            assert piled == [*state.discard_pile(), *turned], f"hand {seed}: {state}"
            options = [option.written for option in session.decision.options]
            at = chance.randrange(len(options))
            chosen = options[at]
            if name != "discard":
                top = faces_of(session, "discards")[-1]
                taken = rummy_card(top) if chosen in ("yes", "discards") else None
            if name == "upcard":
                assert state.legal_actions() == [52, 54]
                state.apply_action(52 if chosen == "yes" else 54)
            elif name == "draw":
                assert state.legal_actions() == [52, 53]
                state.apply_action(52 if chosen == "discards" else 53)
            else:
                named = [(rummy_card(re.search(r"card=(\w+)", option)[1]), option.endswith("knock")) for option in options]
                thrown = sorted(card for card, knocks in named if not knocks)
                knocks = sorted(card for card, knocks in named if knocks)
                may = [action for action in state.legal_actions() if action != taken]
                if taken is not None and not knocks and 55 in may:
                    may.remove(55)
                assert [*thrown, *([55] if knocks else [])] == may, f"hand {seed}: {options}\n{state}"
                card, is_knock = named[at]
                hands[seat] -= {card}
                if is_knock:
                    state.apply_action(55)
                    assert knocks == [a for a in state.legal_actions() if a != taken], f"hand {seed}: {options}\n{state}"
                    knocked = seat - 1
                state.apply_action(card)
            session.choose(at)
        values = session.view(1)["values"]["points"]
        margin = values["1"] - values["2"]
        if knocked is None:
            assert margin == 0 and (not state.is_terminal() or state.returns() == [0, 0]), f"hand {seed}: {state}"
            continue
        results = outcomes(state, knocked)
        if margin not in results:
            chains += 1
            assert (max(results) > margin) if knocked == 0 else (min(results) < margin), f"hand {seed}: {margin}, {results}"
    assert chains <= GAMES / 50


def faces_of(session, zone):
    """Returns what a shared zone contains."""
    zones = [found for found in session.view(1)["zones"] if found["zone"] == zone]
    return [piece["component"] for found in zones for space in found["spaces"] for piece in space["pieces"]]


def turns_of(log):
    """Extracts the dice and moves from a log of backgammon. Returns a list of turns: the seat (0 or 1), the dice, and the moves."""
    turns, players = [], ["Ann", "Ben"]
    for line in log:
        begins = re.search(r"Round 1 · (\w+) begins", line)
        if begins and turns and turns[0][0] is None:
            turns[0][0] = players.index(begins[1])
        thrown = re.search(r"(Rolled:|(\w+) rolls).*dice to be played: ([\d, ]+)", line)
        if thrown:
            seat = players.index(thrown[2]) if thrown[2] else None
            turns.append([seat, [int(die) for die in thrown[3].split(", ")], []])
        moved = re.search(r"(\w+) moves \w+'s checker(?: \((\d+)\))? by (\d)", line)
        if moved:
            turns[-1][2].append((100 if moved[2] is None else 24 - int(moved[2]), int(moved[3])))
    return turns


def backgammon_options(decision):
    """Returns the options of a decision, with points numbered as in OpenSpiel."""
    parts = [re.match(r"checker=\w+\.checker(?:@board\[(\d+)\])? die=(\d)", option.written) for option in decision.options]
    return {(100 if found[1] is None else 24 - int(found[1]), int(found[2])) for found in parts}


def backgammon_board(session):
    """Returns the number of checkers of each seat on each point, numbered as in OpenSpiel, and on the bar."""
    found = {}
    for zone in session.view()["zones"]:
        for space in zone["spaces"] if zone["zone"] in ("board", "bar") else []:
            point = 24 - int(space["space"]) if zone["zone"] == "board" else 100
            found[space["pieces"][0]["owner"] - 1, point] = space["count"]
    return found


def test_backgammon_goes_as_in_open_spiel():
    """Compares single moves, and the board before each of them."""
    ours = parlour.load(ROOT / "examples" / "gallery" / "backgammon")
    theirs = pyspiel.load_game("backgammon", {"scoring_type": "full_scoring"})
    for seed in range(GAMES):
        chance = random.Random(seed)
        session, asked, boards = ours.start(players=2, seed=seed), {}, {}
        while session.decision:
            turns = turns_of(session.log(1))
            at = len(turns) - 1, len(turns[-1][2])
            asked[at], boards[at] = backgammon_options(session.decision), backgammon_board(session)
            session.choose(chance.randrange(len(session.decision)))
        turns = turns_of(session.log(1))
        if seed == 0:
            assert len(turns) > 20 and len(asked) > 40
        state = theirs.new_initial_state()
        for number, (seat, dice, moves) in enumerate(turns):
            for outcome, _ in state.chance_outcomes():
                text = state.action_to_string(outcome)
                shown = [int(die) for die in re.search(r"roll: (\d\d)", text)[1]]
                starts = re.search(r"([XO]) starts", text)
                if shown in (dice[:2], dice[1::-1]) and (starts is None or "XO".index(starts[1]) == seat):
                    state.apply_action(outcome)
                    break
            done = 0
            while not state.is_terminal() and not state.is_chance_node() and state.current_player() == seat:
                legal = {a: [(m.pos, m.num) for m in state.spiel_move_to_checker_moves(seat, a)] for a in state.legal_actions()}
                first = {pair[0] for pair in legal.values() if pair[0][0] >= 0}
                if (number, done) in asked:
                    points = ((player, point) for player in range(2) for point in [*range(24), 100])
                    lies = {at: state.board(*at) for at in points if state.board(*at)}
                    assert boards[number, done] == lies, f"game {seed}: {state}"
                    assert asked[number, done] == first, f"game {seed}: {asked[number, done]} {first}\n{state}"
                wanted = moves[done : done + 2]
                played = [a for a, pair in legal.items() if [move for move in pair if move[0] >= 0] == wanted]
                assert played, f"game {seed}, turn {number}: {moves} after {done}, {legal}\n{state}"
                state.apply_action(played[0])
                done += len(wanted)
            assert done == len(moves), f"game {seed}, turn {number}: {dice}, {moves}\n{state}"
        assert state.is_terminal() and state.returns() == [
            session.scores[0] - session.scores[1],
            session.scores[1] - session.scores[0],
        ], f"game {seed}: {session.scores}\n{state}"


def test_cribbage_goes_as_in_open_spiel():
    """The second player deals first and is the first player of OpenSpiel. OpenSpiel counts the last hands to their end, and also counts
    four cards of a suit in a crib."""
    ours, theirs = parlour.load(ROOT / "examples" / "gallery" / "cribbage"), pyspiel.load_game("cribbage")
    dealing = theirs.new_initial_state()
    number = {dealing.action_to_string(at).split()[-1]: at for at, _ in dealing.chance_outcomes()}
    player = {1: 1, 2: 0}
    for seed in range(GAMES):
        chance = random.Random(seed)
        session, state = ours.start(players=2, seed=seed), theirs.new_initial_state()

        def settle():
            while not state.is_terminal() and not state.is_chance_node() and len(state.legal_actions()) == 1:
                state.apply_action(state.legal_actions()[0])

        def compare(is_over=False):
            points = session.view(1)["values"]["points"]
            scores = [int(score) for score in re.search(r"Scores: (\d+) (\d+)", str(state)).groups()]
            found = [points["2"], points["1"]]
            if found != scores and not is_over:
                log = session.log(1)
                cribs = [re.findall("[♣♦♠♥]", line) for line in log if "Crib: " in line and "pegs" in line]
                starters = [line.split("Starter: ")[1][0] for line in log if "→ Starter: " in line]
                for at, suits in enumerate(cribs):
                    found[at % 2] += 4 if set(suits[:4]) == {suits[0]} != {starters[at]} else 0
            is_right = all(map(int.__le__, found, scores)) if is_over else found == scores
            assert is_right, f"game {seed}: {points}\n{state}"

        while session.decision:
            settle()
            if state.is_terminal():  # by a flush in a crib
                break
            if session.decision.name == "lay_away":
                compare()
                hands = {seat: {number[card(name)] for name in faces(session, seat, "hand")} for seat in (1, 2)}
                for action in [*hands[2], *hands[1]]:
                    state.apply_action(action)
                while session.decision and session.decision.name == "lay_away":
                    session.choose(chance.randrange(len(session.decision)))
                for seat in (2, 1):
                    kept = {number[card(name)] for name in faces(session, seat, "hand")}
                    laid = [state.action_to_string(at) for at in sorted(hands[seat] - kept)]
                    laid = {text.split()[-1] for text in laid}
                    [action] = [at for at in state.legal_actions() if set(state.action_to_string(at).split()[1:]) == laid]
                    state.apply_action(action)
                if session.decision:
                    [starter] = faces_of(session, "starter")
                    state.apply_action(number[card(starter)])
                continue
            assert player[session.decision.seat] == state.current_player(), f"game {seed}: {state}"
            for seat in (1, 2):
                hand = re.search(rf"P{player[seat]} Hand:(.*)", str(state))[1].split()
                assert {card(name) for name in faces(session, seat, "hand")} == set(hand), f"game {seed}: {state}"
            options = [number[card(option.written)] for option in session.decision.options]
            assert sorted(options) == state.legal_actions(), f"game {seed}: {options}\n{state}"
            at = chance.randrange(len(options))
            session.choose(at)
            state.apply_action(options[at])
        settle()
        if session.decision:
            continue
        if state.is_chance_node():  # out by the heels of the dealer
            assert max(session.scores) == 121
            continue
        assert state.is_terminal() and max(session.scores) == 121, f"game {seed}: {state}"
        compare(is_over=True)
