"""Batches and comparisons."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import types

import pandas
import polars
import pytest

import parlour
import parlour.vector


@pytest.fixture(scope="module")
def game():
    return parlour.load("stockpile")


def test_a_batch_is_the_same_with_any_number_of_threads(game):
    one = game.simulate(60, players=3, seed=7, threads=1)
    two = game.simulate(60, players=3, seed=7, threads=2)
    assert one.games() == two.games() and one.summary() == two.summary()
    assert len(one) == 60 and one.seed == 7


def test_a_batch_is_the_one_of_the_program(game, tmp_path):
    words = ["simulate", "stockpile", "--players", "3", "--games", "20", "--seed", "7", "--agents", "random", "--out", str(tmp_path / "run")]
    subprocess.run([sys.executable, "-m", "parlour", *words], check=True, capture_output=True)
    lines = [json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    games = game.simulate(20, players=3, seed=7).games()
    assert games["fingerprint"] == [line["fingerprint"] for line in lines]
    assert games["seed"] == [line["seed"] for line in lines]
    for seat in range(3):
        assert games[f"score.{seat + 1}"] == [line["scores"][seat] for line in lines]
        assert games[f"rank.{seat + 1}"] == [line["ranks"][seat] for line in lines]


def test_prospects_are_measured_where_they_are_asked_for(game, tmp_path):
    words = ["simulate", "stockpile", "--players", "3", "--games", "3", "--seed", "7", "--agents", "random", "--prospects", "10"]
    subprocess.run([sys.executable, "-m", "parlour", *words, "--out", str(tmp_path / "run")], check=True, capture_output=True)
    lines = [json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    games = game.simulate(3, players=3, seed=7, prospects=10).games()
    for measure in ["kingmaking", "hopeless", "winner_chance.5", "least_chance"]:
        assert games[measure] == pytest.approx([line[measure] for line in lines])
    assert "kingmaking" not in game.simulate(3, players=3, seed=7).games()
    with pytest.raises(ValueError):
        game.simulate(3, prospects=9)


def test_tables_are_read_by_pandas_and_polars(game):
    batch = game.simulate(30, players=2, seed=1)
    games = pandas.DataFrame(batch.games())
    assert len(games) == 30 and games["win.1"].add(games["win.2"]).eq(1).all()
    summary = polars.DataFrame(batch.summary())
    assert summary.filter(polars.col("measure") == "win.1")["value"][0] == pytest.approx(games["win.1"].mean())
    assert polars.DataFrame(batch.games()).height == 30
    assert batch.faults["code"] == []


def test_functions_of_python_play_batches(game):
    def first(decision, view):
        return 0

    mine = game.simulate(10, agents=[first, "random"], seed=3, threads=2)
    theirs = game.simulate(10, agents=["first", "random"], seed=3, threads=2)
    assert mine.games() == theirs.games()


def test_what_a_function_raises_ends_the_batch(game):
    def broken(decision, view):
        raise ZeroDivisionError("so it is")

    with pytest.raises(ZeroDivisionError, match="so it is"):
        game.simulate(1000, players=2, agents=broken)


def test_other_threads_of_python_go_on_while_games_are_played(game):
    ticks = []
    over = threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    game.simulate(300, players=4, seed=1, threads=1)
    over.set()
    thread.join()
    assert len(ticks) > 5


def test_progress_is_reported_and_may_end_it(game):
    reported = []
    game.simulate(40, players=2, seed=1, progress=lambda done, games: reported.append((done, games)))
    assert reported[-1] == (40, 40)

    def enough(done, games):
        raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        game.simulate(10**9, players=2, seed=1, progress=enough)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    "long",
    [
        "game.simulate(10**9, players=4, seed=1)",
        "game.simulate(100, players=4, seed=1, prospects=100_000, threads=1)",
        "game.simulate(100, players=4, seed=1, prospects=100_000)",
        "game.compare(games=100, players=4, seed=1, prospects=100_000)",
        "game.simulate(100, players=4, seed=1, agents='search:100000')",
        "game.simulate(100, players=4, seed=1, agents='search:100000:cores=2:plain')",
        "game.start(players=4, seed=1, agents='search:100000')",
        "game.start(players=4, seed=1, agents='search:100000:cores=2')",
    ],
)
def test_an_interruption_ends_games_soon(long):
    code = (
        "import parlour\n"
        "game = parlour.load('stockpile')\n"
        "print('begun', flush=True)\n"
        "try:\n"
        f"    {long}\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "begun\n"
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    try:
        out, _ = program.communicate(timeout=20)
    finally:
        program.kill()
    assert out == "interrupted\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    "long",
    [
        "game.simulate(20, 3, seed=1, agents=think)",
        "game.compare(games=20, players=3, seed=1, agents=think, threads=1)",
        "parlour.vector.Games(game, 5, 3, seed=1, agents={1: think, 3: think}).step([0] * 5)",
    ],
)
@pytest.mark.parametrize("think", ["time.sleep(60)", "while True: pass"])
def test_a_function_that_does_not_return_is_interrupted(long, think):
    code = (
        "import time, parlour, parlour.vector\n"
        "game = parlour.load('stockpile')\n"
        "def think(decision, view):\n"
        "    print('begun', flush=True)\n"
        f"    {think}\n"
        "try:\n"
        f"    {long}\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "begun\n"
    program.send_signal(signal.SIGINT)
    try:
        out, _ = program.communicate(timeout=5)
    finally:
        program.kill()
    assert out == "interrupted\n"


def test_a_function_is_called_by_who_plays_the_batch(game):
    def choose(decision, view):
        threads.add(threading.get_ident())
        # A batch inside a batch asks its own questions.
        if len(threads) == 1 and not inner:
            inner.append(game.simulate(2, agents=lambda decision, view: 0, seed=1))
        return 0

    threads, inner = set(), []
    game.simulate(3, agents=choose, seed=1)
    step = parlour.vector.Games(game, 3, seed=1, agents={1: choose}).step([0, 0, 0])
    assert threads == {threading.get_ident()} and len(inner[0]) == 2 and len(step.counts) == 3


def test_two_versions_are_compared_on_the_same_luck(game):
    same = game.compare(games=20, players=3, seed=7)
    assert set(same.summary()["verdict"]) == {"identical"}
    games = same.games()
    assert games["fingerprint a"] == games["fingerprint b"]
    other = game.compare(parlour.load("stockpile"), games=20, players=3, seed=7, other_options={"board": "advanced"})
    table = pandas.DataFrame(other.summary())
    assert (table["verdict"] != "identical").any()
    row = table.set_index("measure").loc["score.1"]
    assert row["difference"] == pytest.approx(row["b"] - row["a"])


def test_wrong_arguments_are_refused(game):
    with pytest.raises(ValueError, match="3 agents are given for 2 seats"):
        game.simulate(10, players=2, agents=["random"] * 3)
    with pytest.raises(ValueError, match="one thread"):
        game.simulate(10, threads=0)
    for wrong in ({"seed": -1}, {"seed": 2**64}, {"games": -1}, {"threads": 10**30}, {"prospects": 2**32}):
        with pytest.raises(ValueError, match="is below 0, or too large a number"):
            game.simulate(**wrong)
    with pytest.raises(ValueError, match="is below 0"):
        game.start(players=2, seed=-1)


def test_settings_and_agents_are_any_mapping(game):
    mapping = types.MappingProxyType({"board": "advanced"})
    rows = game.simulate(5, players=2, seed=1, options=mapping).games()
    assert rows == game.simulate(5, players=2, seed=1, options={"board": "advanced"}).games()
    session = game.start(players=2, seed=1, options=mapping, agents=types.MappingProxyType({2: "random"}))
    assert session.decision.seat == 1


def test_two_games_are_not_compared():
    with pytest.raises(ValueError, match="are two games"):
        parlour.load("leduc-poker").compare(parlour.load("stockpile"), games=4, seed=1)
