"""Games, sessions, decisions and exceptions."""

import ast
import copy
import importlib.metadata
import os
import pickle
import random
import shutil
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

import parlour
import parlour.vector
from parlour import _parlour

ROOT = Path(os.environ.get("PARLOUR_ROOT", Path(__file__).resolve().parents[2]))
SAMPLES = ROOT / "examples" / "games"


def played(session, seed=0):
    """Plays a session to its end at random."""
    chance = random.Random(seed)
    while session.decision:
        session.choose(chance.randrange(len(session.decision)))
    return session


def test_bundled_games_are_loaded_by_name_and_others_by_folder():
    assert "stockpile" in parlour.games()
    assert parlour.load("stockpile").id == "stockpile"
    assert parlour.load(SAMPLES / "tic-tac-toe").players == (2, 2)


def test_a_game_is_copied_and_sent_by_its_name_or_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(SAMPLES)
    for game in (parlour.load("stockpile"), parlour.load("tic-tac-toe")):
        sent = pickle.dumps(game)
        with monkeypatch.context() as elsewhere:
            elsewhere.chdir(tmp_path)
            for other in (pickle.loads(sent), copy.deepcopy(game)):
                assert (other.id, other.layout()) == (game.id, game.layout())
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(parlour.load("stockpile").start(2, 1))


def test_a_game_is_played_to_its_end():
    game = parlour.load("stockpile")
    session = played(game.start(players=4, seed=7))
    assert session.is_over and session.decision is None
    assert len(session.scores) == 4
    best = max(session.scores)
    assert [seat for seat in range(1, 5) if session.scores[seat - 1] == best][0] in session.outcome["winners"]
    assert sum(session.returns) == pytest.approx(0)


def test_a_decision_says_what_may_be_chosen():
    session = parlour.load("stockpile").start(players=4, seed=7)
    decision = session.decision
    assert decision.seat in range(1, 5)
    assert decision.name and decision.text
    assert len(decision.options) == len(decision)
    for at, option in enumerate(decision.options):
        assert option.index == at
        assert str(option) == option.text
        assert decision[at].written == option.written
    assert decision[-1].text == decision.options[-1].text
    with pytest.raises(IndexError):
        decision[len(decision)]


def test_a_decision_is_gone_through_option_by_option():
    decision = parlour.load("stockpile").start(2, 1).decision
    assert hasattr(type(decision), "__iter__")
    assert [one.index for one in decision] == list(range(len(decision)))


def test_there_is_a_name_for_each_seat():
    game = parlour.load("stockpile")
    assert game.start(2, 1, names=["Ann", "Ben"]).decision
    for few in (["Ann"], list("ABCD")):
        with pytest.raises(ValueError, match=f"{len(few)} names are given for 3 seats"):
            game.start(3, 1, names=few)


def test_options_have_parts_as_data():
    session = parlour.load(SAMPLES / "connect-four").start(seed=1)
    assert all(option.parts.startswith("board[") for option in session.decision.options)


def test_an_option_is_chosen_as_plays_write_it():
    game = parlour.load(SAMPLES / "connect-four")
    one, two = game.start(seed=1), game.start(seed=1)
    written = one.decision.options[3].written
    one.choose(3)
    two.choose(written)
    assert one.fingerprint == two.fingerprint
    with pytest.raises(parlour.ChoiceError, match="is not among"):
        two.choose("nowhere")


def test_what_is_not_offered_is_refused_and_changes_nothing():
    session = parlour.load(SAMPLES / "connect-four").start(seed=1)
    before = session.fingerprint
    for wrong in (-1, 99):
        with pytest.raises(parlour.ChoiceError, match="there is no option"):
            session.choose(wrong)
    assert session.fingerprint == before


def test_a_decision_that_was_answered_is_no_longer_asked():
    session = parlour.load(SAMPLES / "connect-four").start(seed=1)
    decision = session.decision
    session.choose(0)
    with pytest.raises(parlour.ChoiceError, match="no longer open"):
        decision.options


def test_undo_and_fork_lead_back_and_aside():
    session = parlour.load("stockpile").start(players=3, seed=5)
    for _ in range(20):
        before = session.fingerprint
        fork = session.fork()
        session.choose(0)
    assert fork.fingerprint == before
    session.undo()
    assert session.fingerprint == before
    fork.choose(0)
    session.choose(0)
    assert fork.fingerprint == session.fingerprint
    with pytest.raises(parlour.ChoiceError):
        parlour.load("stockpile").start(players=3, seed=5).undo()


def test_a_campaign_is_gone_on_with():
    winters = parlour.load(SAMPLES / "three-winters")
    session = winters.start(players=2, seed=5, names=["Ida", "Jon"])
    assert session.next_game() is None
    for winter in range(3):
        played(session, seed=winter)
        following = session.next_game()
        if winter == 2:
            assert following is None
        else:
            assert following["sets"]["carry.winters"] == str(winter + 1)
            session = winters.start(**following)
    assert winters.start(players=2).next_game() is None


def test_answers_lead_to_the_same_place_again():
    game = parlour.load("stockpile")
    session = played(game.start(players=3, seed=5))
    again = game.start(players=3, seed=5, answers=session.answers)
    assert again.fingerprint == session.fingerprint and again.scores == session.scores


def test_answers_are_those_of_agents_too():
    game = parlour.load("stockpile")
    agents = {2: "random", 3: lambda decision, view: 0}
    session = game.start(players=3, seed=7, agents=agents)
    for _ in range(5):
        session.choose(len(session.decision) - 1)
    again = game.start(players=3, seed=7, agents=agents, answers=session.answers)
    assert again.fingerprint == session.fingerprint and again.decision.seat == 1
    played(again)
    with pytest.raises(parlour.ChoiceError, match="there is no option 999"):
        game.start(players=3, seed=7, answers=[999])


def test_a_view_has_what_follows_from_what_was_learned():
    """No player is shown a card of another hand in this game, so all knowledge about hands comes from answers."""
    game = parlour.load(str(SAMPLES / "missing-lantern"))
    known = 0
    for seed in range(12):
        session, chance = game.start(3, seed=seed), random.Random(seed)
        while session.decision:
            for seat in (1, 2, 3):
                hands = [zone for zone in session.view(seat)["zones"] if zone["zone"] == "hand" and zone["seat"] != seat]
                known += sum(len(space["pieces"]) for zone in hands for space in zone["spaces"])
            session.choose(chance.randrange(len(session.decision)))
    assert known > 0


def test_an_imagined_world_looks_the_same_to_the_seat_and_not_to_the_others():
    session = parlour.load(SAMPLES / "leduc-poker").start(seed=3)
    seat = session.decision.seat
    worlds = [session.imagine(seat) for _ in range(20)]
    assert all(world.view(seat) == session.view(seat) for world in worlds)
    other = 3 - seat
    assert any(world.view(other) != session.view(other) for world in worlds)
    assert session.imagine(seat, seed=9).view() == session.imagine(seat, seed=9).view()


def test_a_view_is_what_programs_get():
    session = parlour.load("stockpile").start(players=2, seed=1)
    view = session.view(1)
    assert set(view) == {"round", "phase", "first", "active", "eliminated", "zones", "values"}
    assert session.view(1) != session.view(2)


def test_a_log_is_read_by_a_seat_and_in_a_language():
    session = played(parlour.load("stockpile").start(players=2, seed=1))
    assert session.log(1) and session.log() and session.log(1) != session.log(1, "zh-Hant")
    with pytest.raises(ValueError, match="there is no language"):
        session.log(1, "xx")


def test_agents_have_their_seats():
    asked = []

    def last(decision, view):
        asked.append((decision.seat, decision.name, view["round"], [option.text for option in decision.options]))
        return len(decision) - 1

    session = parlour.load("stockpile").start(players=3, seed=7, agents={2: "random", 3: last})
    while session.decision:
        assert session.decision.seat == 1
        session.choose(0)
    assert session.is_over and asked and {seat for seat, *_ in asked} == {3}
    session.undo()
    assert session.decision.seat == 1


def test_what_an_agent_raises_is_raised():
    def broken(decision, view):
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        parlour.load("stockpile").start(players=2, seed=7, agents=broken)
    with pytest.raises(parlour.ChoiceError, match="chooses option 99999"):
        parlour.load("stockpile").start(players=2, seed=7, agents=lambda decision, view: 99999)
    with pytest.raises(parlour.AgentError, match="did you mean `random`"):
        parlour.load("stockpile").start(players=2, agents="randm")


def test_an_agent_may_raise_once_and_go_on():
    calls = []

    def nervous(decision, view):
        calls.append(decision.name)
        if len(calls) == 3:
            raise KeyError("once")
        return 0

    session = parlour.load("stockpile").start(players=3, seed=7, agents={2: nervous})
    raised = 0
    while session.decision:
        try:
            session.choose(0)
        except KeyError:
            raised += 1
    assert raised == 1 and session.is_over and len(calls) > 3
    session.undo()
    assert session.decision.seat != 2


def test_an_agent_gets_texts_in_the_language_of_the_game():
    texts = []
    game = parlour.load("stockpile")
    session = game.start(players=2, seed=3, language="zh-Hant", agents={2: lambda decision, view: texts.append(str(decision[0])) or 0})
    while session.decision and not texts:
        session.choose(0)
    assert any(ord(letter) > 0x2E80 for letter in texts[0])


def test_others_go_on_while_an_agent_thinks():
    game = parlour.load("stockpile")
    ticks = []
    over = threading.Event()

    def tick():
        while not over.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    try:
        session = game.start(players=4, seed=7, agents={seat: "search:700ms" for seat in (2, 3, 4)})
        while time.monotonic() - begin < 2:
            session.choose(0)
    finally:
        over.set()
        thread.join()
    assert len(ticks) > 30


def test_a_session_belongs_to_its_thread_and_says_so():
    session = parlour.load("stockpile").start(players=3, seed=7)
    decision = session.decision
    found = []

    def elsewhere():
        for use in (lambda: session.choose(0), lambda: session.decision, lambda: session.view(1), lambda: decision.options, lambda: repr(session)):
            with pytest.raises(parlour.Error, match="belongs to the thread that began it") as raised:
                use()
            found.append(raised.value.code)
        # The other thread may hold the last reference.
        mine.clear()

    mine = [parlour.load("stockpile").start(players=3, seed=7)]
    thread = threading.Thread(target=elsewhere)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        thread.start()
        thread.join()
    assert found == [None] * 5 and not mine
    session.choose(0)


def test_an_agent_cannot_look_behind_what_it_gets():
    sessions, raised = [], []

    def prying(decision, view):
        for use in (lambda: sessions[0].view(), lambda: sessions[0].choose(0), lambda: sessions[0].decision):
            try:
                use()
            except parlour.Error as error:
                raised.append(str(error))
        return 0

    session = parlour.load("stockpile").start(players=2, seed=3, agents={2: lambda *given: prying(*given) if sessions else 0})
    sessions.append(session)
    while not raised:
        sessions[0].choose(0)
    assert len(raised) == 3 and all("waits for an agent" in text for text in raised)


def test_every_error_has_a_code_or_none():
    assert parlour.Error("x").code is None and parlour.OverflowError("x").code is None
    with pytest.raises(parlour.ChoiceError) as raised:
        parlour.load("stockpile").start(players=2, seed=1).choose(10**30)
    assert raised.value.code is None and "there is no option 1000" in str(raised.value)


def test_what_is_chosen_before_play_is_checked():
    game = parlour.load("stockpile")
    with pytest.raises(ValueError, match="players"):
        game.start(players=12)
    with pytest.raises(parlour.GameError, match="error"):
        game.start(players=3, options={"nothing_of_the_sort": 1})
    for name, values in game.options.items():
        game.start(players=3, options={name: values[-1]})


def test_a_game_that_is_not_there_says_which_are():
    with pytest.raises(parlour.GameError, match="did you mean `stockpile`"):
        parlour.load("stokpile")


def test_a_mistake_of_the_rules_is_a_diagnostic(tmp_path):
    """Plays Connect Four with a division that fails once six discs are on the board."""
    folder = tmp_path / "broken"
    shutil.copytree(SAMPLES / "connect-four", folder, ignore=shutil.ignore_patterns("plays"))
    rules = folder / "rules" / "play.rhai"
    head, body = rules.read_text(encoding="utf-8").split("{", 1)
    wrong = "{\n    let left = 100 / (board.count() - 6);\n    if left > 100 { game.winner = seat; }"
    rules.write_text(head + wrong + body, encoding="utf-8")
    game = parlour.load(folder)
    session = game.start(seed=1)
    with pytest.raises(parlour.RuleError, match="nothing can be divided by 0") as raised:
        played(session)
    assert raised.value.code == "arithmetic" and "rules/play.rhai:3" in str(raised.value)
    assert session.decision is None and not session.is_over
    session.undo()
    assert session.decision is not None
    faults = game.simulate(5, seed=1).faults
    assert faults["games"] == [5] and "rules/play.rhai:3" in faults["message"][0]
    with pytest.raises(parlour.RuleError):
        step = parlour.vector.Games(game, 2, seed=1)
        for _ in range(7):
            step.step([0, 0])


def test_a_mistake_in_the_files_is_a_diagnostic(tmp_path):
    folder = tmp_path / "wrong"
    folder.mkdir()
    (folder / "game.toml").write_text("[game]\nid = 3\n", encoding="utf-8")
    with pytest.raises(parlour.GameError, match="game.toml") as raised:
        parlour.load(folder)
    assert raised.value.code
    assert "error[" in str(raised.value)


def test_the_stubs_name_what_is_there():
    stubs = ast.parse((Path(parlour.__file__).parent / "_parlour.pyi").read_text(encoding="utf-8"))
    for node in stubs.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            assert hasattr(_parlour, node.name), node.name
        if isinstance(node, ast.ClassDef):
            stubs_of_class = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            there = getattr(_parlour, node.name)
            for name in stubs_of_class:
                assert hasattr(there, name), f"{node.name}.{name}"
            public = {name for name in vars(there) if not name.startswith("_")}
            if stubs_of_class:
                assert public <= stubs_of_class, f"{node.name}: the stubs lack {public - stubs_of_class}"
    assert (Path(parlour.__file__).parent / "py.typed").exists()


def test_the_program_comes_with_the_module():
    def program(*words):
        return subprocess.run([sys.executable, "-m", "parlour", *words], capture_output=True, text=True)

    version = program("--version").stdout
    assert version.startswith("parlour ") and os.environ.get("PARLOUR_COMMIT", "") in version
    run = program("run", "stockpile", "--players", "3", "--seed", "7", "--agents", "random")
    assert run.returncode == 0 and run.stdout.startswith("Stockpile · 3 players · seed 7")
    assert program("run", "nothing-of-the-sort").returncode == 2
    assert (Path(sys.executable).parent / "parlour").exists()


def test_the_wheel_has_its_licenses_and_tells_what_it_is():
    wheel = importlib.metadata.distribution("parlour")
    names = {Path(file).name for file in wheel.files}
    assert {"LICENSE-MIT", "LICENSE-APACHE"} <= names
    assert wheel.metadata["Description-Content-Type"].startswith("text/markdown")
