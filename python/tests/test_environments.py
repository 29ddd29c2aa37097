"""Environments: the tests of PettingZoo and Gymnasium, random games of every bundled game, and secrecy."""

import copy
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import parlour
import parlour.gymnasium
import parlour.pettingzoo
import parlour.spiel
import parlour.vector

GAMES = int(os.environ.get("GAMES", "1"))
"""Number of random games that each environment plays of every bundled game."""

SAMPLES = Path(os.environ.get("PARLOUR_ROOT", Path(__file__).resolve().parents[2])) / "examples" / "games"
LEDUC = SAMPLES / "leduc-poker"

TOGETHER = [SAMPLES / name for name in ["goofspiel", "spice-caravan", "three-winters", "peddlers"]]
"""Games in which several seats are asked at the same time."""

WORD = {"call": 16, "raise": 17}
"""Positions of words among the 32 for words."""


@pytest.mark.parametrize("name", parlour.games())
def test_pettingzoo_says_yes(name):
    env = parlour.pettingzoo.env(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=100)


def test_pettingzoo_finds_the_same_from_the_same_seed():
    seed_test(lambda: parlour.pettingzoo.env("stockpile", players=3), num_cycles=50)


def test_gymnasium_says_yes():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(parlour.gymnasium.env("stockpile", players=3), skip_render_check=True)


@pytest.mark.parametrize("name", parlour.games())
def test_random_games_by_pettingzoo(name):
    chance = random.Random(1)
    env = parlour.pettingzoo.env(name)
    for game in range(GAMES):
        env.reset(seed=game)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                total[agent] += reward
                env.step(None)
                continue
            offered = np.flatnonzero(observation["action_mask"])
            assert len(offered) > 0
            assert np.isfinite(observation["observation"]).all() and np.isfinite(observation["options"]).all()
            env.step(int(chance.choice(offered)))
        assert not env.agents and sum(total.values()) == pytest.approx(0)


@pytest.mark.parametrize("name", parlour.games())
def test_random_games_by_gymnasium(name):
    env = parlour.gymnasium.env(name, seat=2)
    for game in range(GAMES):
        observation, _ = env.reset(seed=game)
        terminated = False
        while not terminated:
            assert observation["action_mask"].sum() > 0
            observation, reward, terminated, _, _ = env.step(env.action_space.sample())
        assert -1 <= reward <= 1


@pytest.mark.parametrize("name", parlour.games())
def test_random_games_as_states(name):
    chance = random.Random(2)
    game = parlour.spiel.load_game(name)
    for seed in range(GAMES):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            player = state.current_player()
            assert state.information_state_tensor().shape == (game.information_state_tensor_size(),)
            assert state.legal_actions(1 - player if player < 2 else 0) == []
            assert len(state.action_tensor()) == len(state.legal_actions())
            state.apply_action(chance.choice(state.legal_actions()))
        assert state.current_player() == parlour.spiel.TERMINAL and sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("name", parlour.games())
def test_random_games_in_a_vector(name):
    chance = np.random.default_rng(3)
    games = parlour.vector.Games(name, max(GAMES, 2), seed=5)
    step, left = games.first, max(GAMES, 2)
    while left > 0:
        assert (step.counts > 0).all() and step.offsets[-1] == len(step.rows)
        step = games.step(chance.integers(step.counts))
        left -= int(step.dones.sum())
        assert np.allclose(step.returns.sum(axis=1), 0, atol=1e-5)
        assert not step.returns[~step.dones].any()
    games.close()


def test_a_vector_plays_the_games_of_a_session():
    name, players, seed = "stockpile", 3, 11
    threads = [parlour.vector.Games(name, 6, players, seed=seed, threads=count) for count in (1, 3)]
    steps = [games.first for games in threads]
    for _ in range(80):
        for field in ("seats", "counts", "observations", "rows", "dones", "returns"):
            assert np.array_equal(getattr(steps[0], field), getattr(steps[1], field)), field
        steps = [games.step(step.counts // 2) for games, step in zip(threads, steps)]
    seeds = parlour.load(name).simulate(6, players, seed=seed).games()["seed"]
    first = parlour.vector.Games(name, 6, players, seed=seed).first
    for game, of_game in enumerate(seeds):
        session = parlour.load(name).start(players, of_game)
        seat = int(first.seats[game])
        assert session.decision.seat == seat and len(session.decision) == first.counts[game]
        assert first.observations[game].tobytes() == session.observation(seat)
        rows = first.rows[first.offsets[game] : first.offsets[game + 1]]
        assert rows.tobytes() == session.option_rows()
    assert first.padded(256).shape == (6, 256, first.rows.shape[1])
    assert (first.mask(256).sum(axis=1) == first.counts).all()


def test_a_vector_refuses_what_is_not_offered():
    games = parlour.vector.Games("stockpile", 3, 2, seed=1)
    twin = parlour.vector.Games("stockpile", 3, 2, seed=1)
    for wrong in ([0, 10**6, 0], [0, -1, 0]):
        with pytest.raises(parlour.ChoiceError, match="game 1: there is no option"):
            games.step(wrong)
    # No game has been answered, and the games can continue.
    assert np.array_equal(games.step([0, 0, 0]).observations, twin.step([0, 0, 0]).observations)
    with pytest.raises(ValueError, match="2 answers are given for 3 games"):
        parlour.vector.Games("stockpile", 3, 2, seed=1).step([0, 0])


def test_agents_have_seats_of_a_vector():
    games = parlour.vector.Games("stockpile", 4, 2, seed=1, agents={2: "random"})
    step = games.first
    for _ in range(60):
        assert (step.seats == 1).all()
        step = games.step(np.zeros(4))


UNASKED = {
    "game.toml": """
[game]
id = "coin"
players = { min = 2, max = 2 }
[values.game]
coin = 0
[params]
least = 1
[flow]
setup = ["toss"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "act" }]
[decisions.act]
ask = "What?"
""",
    "rules/play.rhai": """
fn toss() { game.coin = any_of([least, 2]); }
fn act(seat) {
    if seat == seats[0] && game.coin == 1 { choose(seat, "act", ["a", "b"]); }
}
/// Seat 1 wins the games in which it is asked, and seat 2 the others.
fn score(seat) { if (seat == seats[0]) == (game.coin == 1) { 1 } else { 0 } }
""",
}
"""A game that asks seat 1 once if a coin shows 1, and nobody otherwise."""


def coin(folder):
    for name, text in UNASKED.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return parlour.load(folder)


def test_a_vector_skips_games_that_ask_nobody(tmp_path):
    games = parlour.vector.Games(coin(tmp_path), 20, seed=3)
    step = games.first
    for _ in range(30):
        # The result is that of the game that was answered, not of a skipped game.
        assert (step.counts == 2).all()
        step = games.step(step.counts * 0)
        assert step.dones.all() and (step.returns == [1, -1]).all()


def test_a_vector_of_games_that_never_ask_is_an_error(tmp_path):
    with pytest.raises(parlour.Error, match="without asking a seat"):
        parlour.vector.Games(coin(tmp_path), 2, seed=3, sets={"params.least": 2}).step([0, 0])


def test_more_options_than_declared_are_an_error():
    with pytest.raises(parlour.OverflowError, match="give a larger `max_options`, as 32") as raised:
        parlour.pettingzoo.env("stockpile", players=3, max_options=1).reset(seed=1)
    assert raised.value.code is None
    with pytest.raises(parlour.OverflowError, match="give a larger number"):
        parlour.vector.Games("stockpile", 2, 3, seed=1).first.mask(1)


@pytest.mark.parametrize("agents", ["random", "search:2"])
def test_a_step_that_overflows_leaves_no_trace(agents):
    """The answer is taken back, and with it the answers and random numbers of the agents. The same step then has the same result as in a
    game without the error."""

    def begun(max_options):
        env = parlour.gymnasium.env("stockpile", 3, agents=agents, max_options=max_options)
        env.reset(seed=3)
        return env

    few, many = begun(20), begun(256)
    overflows = 0
    for _ in range(60):
        before = few.session.answers, few.session.fingerprint
        try:
            few.step(0)
        except parlour.OverflowError:
            overflows += 1
            assert (few.session.answers, few.session.fingerprint) == before
            declared, few._rows.max_options = few._rows.max_options, 256
            few.step(0)
            few._rows.max_options = declared
        many.step(0)
        assert few.session.answers == many.session.answers
        if many.session.decision is None:
            break
    assert overflows > 0 and many.session.fingerprint == few.session.fingerprint


def test_rows_of_too_many_options_are_an_error(tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "game.toml").write_text(
        "[game]\nid = 'wide'\nplayers = { min = 2, max = 2 }\n[decisions.number]\nask = 'Which?'\n[flow]\nround = ['play']\n"
        "rounds = 1\n[phases.play]\nsteps = [{ each_seat = 'turn' }]\n"
    )
    rules = "fn turn(seat) { choose_number(seat, 'number', 0, 1_000_000_000); }\nfn score(seat) { 0 }\n"
    (tmp_path / "rules" / "play.rhai").write_text(rules.replace("'", '"'))
    session = parlour.load(tmp_path).start(seed=1)
    assert len(session.decision) == 1_000_000_001
    with pytest.raises(parlour.ChoiceError, match="`number` has 1000000001 options"):
        session.option_rows()
    with pytest.raises(parlour.ChoiceError, match="`number` has 1000000001 options"):
        parlour.vector.Games(tmp_path, 2, seed=1)


@pytest.mark.parametrize("name", parlour.games())
def test_layouts_are_as_wide_as_rows(name):
    game = parlour.load(name)
    for players in range(game.players[0], game.players[1] + 1):
        session = game.start(players, seed=1)
        layout, options = game.layout(players), game.option_layout(players)
        assert sum(n for _, n in layout) * 4 == len(session.observation(1))
        assert sum(n for _, n in options) * len(session.decision) * 4 == len(session.option_rows())
        assert len({name for name, _ in layout}) == len(layout)


def test_environments_declare_what_their_game_needs():
    """Trained networks depend on these sizes. If this test must be changed, the major version of the module must be, too."""
    sizes = {name: [parlour.load(name).max_options(players) for players in parlour.load(name).players] for name in parlour.games()}
    few = [256, 256]
    assert sizes == {
        "last-will": few, "monga-alley": [4096, 8192], "revolution-1828": few, "stockpile": few, "wall-street-1920": few,
    }  # fmt: skip
    env = parlour.pettingzoo.env("monga-alley")
    env.reset(seed=1)
    assert env.max_options == env.action_space("seat_1").n == 4096
    assert parlour.spiel.load_game("monga-alley", max_options=5000).num_distinct_actions() == 5000


@pytest.mark.parametrize("name", [*parlour.games(), *TOGETHER], ids=lambda name: Path(name).name)
def test_what_a_seat_cannot_see_changes_no_observation(name):
    """Everything that the seat does not know is dealt again, and other seats that are asked at the same time give any answers. The seat
    must have the same decision, and its observation and the rows of its options must stay the same."""
    chance = random.Random(4)
    game = parlour.load(name)
    worlds = 0
    for seed in range(max(2, GAMES // 10)):
        session = game.start(min(game.players[1], 4), seed)
        while session.decision:
            seat, count = session.decision.seat, len(session.decision)
            if chance.random() < 0.15 or worlds == 0:
                world = session.imagine(seat, seed=chance.getrandbits(32))
                worlds += 1
                assert (world.decision.seat, world.decision.name, len(world.decision)) == (seat, session.decision.name, count)
                assert world.decision.picked == session.decision.picked
                assert world.observation(seat) == session.observation(seat)
                assert world.option_rows() == session.option_rows()
                assert world.view(seat) == session.view(seat)
            session.choose(chance.randrange(count))
    assert worlds > 0


@pytest.mark.parametrize("name", TOGETHER, ids=lambda name: name.name)
def test_a_resampled_state_asks_the_same_player_the_same(name):
    game = parlour.spiel.load_game(name)
    chance = random.Random(5)
    secrets = set()
    for seed in range(4):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            player = state.current_player()
            others = [state.resample_from_infostate(player, seed=each) for each in range(4)]
            for other in others:
                assert other.current_player() == player and other.legal_actions(player) == state.legal_actions(player)
                assert np.array_equal(other.information_state_tensor(player), state.information_state_tensor(player))
                assert other.information_state_string(player) == state.information_state_string(player)
            secrets.add(len({other.session.fingerprint for other in others}))
            state.apply_action(chance.choice(state.legal_actions()))
    assert max(secrets) > 1, "what others have answered is another in another world"


def test_what_is_hidden_was_really_swapped():
    session = parlour.load("stockpile").start(players=4, seed=2)
    seat = session.decision.seat
    worlds = [session.imagine(seat, seed) for seed in range(10)]
    assert len({world.fingerprint for world in worlds}) > 1
    other = seat % 4 + 1
    assert len({world.observation(other) for world in worlds}) > 1


def test_the_numbers_of_a_game_never_change():
    """The weights of trained networks depend on this layout. If this test must be changed, the major version of the module must be, too."""
    game = parlour.load(LEDUC)
    assert game.layout() == [
        ("round", 1), ("phase", 3), ("first", 2), ("active", 2), ("asked", 1), ("decision", 1), ("picked", 1),
        ("deck", 6), ("hand of you", 6), ("hand of seat +1", 6), ("board", 6), ("stake[you]", 2), ("stake[seat +1]", 2),
        ("wins[you]", 2), ("wins[seat +1]", 2), ("raises[game]", 2),
    ]  # fmt: skip
    session = game.start(seed=3)
    assert [option.written for option in session.decision.options] == ["call", "raise"]
    numbers = np.frombuffer(session.observation(1), np.float32).astype(int).tolist()
    of = dict(zip([name for name, _ in game.layout()], np.split(numbers, np.cumsum([n for _, n in game.layout()])[:-1])))
    # The seat holds a king face down. Of the deck and of the other hand, it knows only the number of cards.
    assert of["hand of you"].tolist() == [1, 0, 0, 0, 0, 1]
    assert of["hand of seat +1"].tolist() == [1, 0, 0, 0, 0, 0] and of["deck"].tolist() == [4, 0, 0, 0, 0, 0]
    assert of["stake[you]"].tolist() == [1, 1] and of["asked"].tolist() == [1]
    rows = np.frombuffer(session.option_rows(), np.float32).reshape(2, -1)
    words = sum(n for _, n in game.option_layout()[:7])
    assert [int(row[words : words + 32].argmax()) for row in rows] == [WORD["call"], WORD["raise"]]


def test_seats_see_the_same_thing_the_same_way():
    """What belongs to a seat comes first in its own observation, so two seats with equal things have the same observation."""
    game = parlour.load("stockpile")
    names = [name for name, _ in game.layout(3)]
    assert any(name.endswith("of you") for name in names) and any(name.endswith("of seat +2") for name in names)


def test_nested_data_is_what_the_seat_sees():
    env = parlour.pettingzoo.env("stockpile", players=2)
    env.reset(seed=1)
    agent = env.agent_selection
    assert env.view(agent) == env.session.view(int(agent[-1]))
    assert env.render() is None
    assert parlour.pettingzoo.env("stockpile", players=2, render_mode="ansi").render_mode == "ansi"


def test_a_state_has_the_calls_of_one_of_openspiel():
    game = parlour.spiel.load_game(LEDUC)
    assert game.observation_tensor_shape() == game.information_state_tensor_shape() == [game.observation_tensor_size()]
    state = game.new_initial_state(seed=3)
    assert not state.is_chance_node() and not state.is_simultaneous_node() and state.rewards() == [0, 0]
    player = state.current_player()
    assert state.action_to_string(player, 0)
    for wrong in [(player, -1), (player, 99), (1 - player, 0)]:
        with pytest.raises(parlour.ChoiceError, match="has no action"):
            state.action_to_string(*wrong)
    for wrong in (-1, 2):
        for call in (state.player_return, state.information_state_tensor, state.resample_from_infostate):
            with pytest.raises(ValueError, match="there is no player"):
                call(wrong)
    while not state.is_terminal():
        state.apply_action(0)
    assert state.rewards() == state.returns() == [state.player_return(0), state.player_return(1)]


def test_environments_say_what_is_wrong_with_a_call():
    for module in (parlour.pettingzoo, parlour.gymnasium):
        with pytest.raises(ValueError, match="there is no reward 'zzz'"):
            module.env("stockpile", reward="zzz")
        env = module.env("stockpile", render_mode="ansi")
        for call in (lambda: env.step(0), env.render):
            with pytest.raises(parlour.Error, match="call `reset` first"):
                call()
    with pytest.raises(parlour.Error, match="call `reset` first"):
        parlour.pettingzoo.env("stockpile").observe("seat_1")
    with pytest.raises(ValueError, match="given to `env`"):
        parlour.gymnasium.env("stockpile").reset(options={"board": "advanced"})


def test_gymnasium_steps_many_environments_by_their_masks():
    envs = gymnasium.vector.SyncVectorEnv([lambda: parlour.gymnasium.env("stockpile")] * 3)
    chance = np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    for _ in range(60):
        mask = observations["action_mask"]
        observations, *_ = envs.step((mask * chance.random(mask.shape)).argmax(axis=1))
    envs.close()


def test_a_vector_has_games_that_fit():
    with pytest.raises(ValueError, match="131072 games at most"):
        parlour.vector.Games(LEDUC, 10**12)
    with pytest.raises(ValueError, match="is below 0"):
        parlour.vector.Games(LEDUC, -1)
    bare = parlour.vector.Games(LEDUC, 2, seed=1, rows=False)
    assert bare.first.mask(3).shape == (2, 3)
    with pytest.raises(ValueError, match="rows=True"):
        bare.first.padded(3)


def test_a_vector_is_stepped_by_any_thread():
    games = parlour.vector.Games(LEDUC, 3, seed=1)
    steps = []
    thread = threading.Thread(target=lambda: steps.append(games.step([0, 0, 0])))
    thread.start()
    thread.join()
    assert len(steps) == 1 and (games.step([0, 0, 0]).counts > 0).all()


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interruption_ends_a_vector_that_begins():
    code = (
        "import parlour.vector\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    parlour.vector.Games('monga-alley', 100_000)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "begun\n"
    time.sleep(1)
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=30)
    assert out == "interrupted\n"


def test_an_environment_is_copied_before_its_game_begins():
    for name in ("pettingzoo", "gymnasium"):
        env = getattr(parlour, name).env(LEDUC)
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            other.reset(seed=7)
            env.reset(seed=7)
            assert other.session.log() == env.session.log()


def test_a_vector_takes_whole_numbers():
    games = parlour.vector.Games(LEDUC, 2, seed=7)
    with pytest.raises(TypeError, match="whole numbers"):
        games.step([0.9, 0])
    with pytest.raises(TypeError, match="whole numbers"):
        games.step([float("nan"), 0])
    assert len(games.step(np.array([0.0, 1.0])).counts) == 2
    games.close()
    with pytest.raises(parlour.Error, match="has been closed"):
        games.step([0, 0])


def test_what_cannot_be_is_said_in_words():
    for env in (parlour.pettingzoo.env, parlour.gymnasium.env):
        for few in (0, -1):
            with pytest.raises(ValueError, match=f"`max_options` is 1 at least, and not {few}"):
                env(LEDUC, max_options=few)
    with pytest.raises(ValueError, match="`agents` is one for all other seats, or a list"):
        parlour.gymnasium.env(LEDUC, agents={2: "random"})
    env = parlour.pettingzoo.env(LEDUC)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(observation["action_mask"].argmax()))
    with pytest.raises(parlour.Error, match="the game is over"):
        env.step(None)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_vector_is_not_used_after_a_fork():
    program = """
import os, parlour, parlour.vector
games = parlour.vector.Games("leduc-poker", 8, seed=1)
child = os.fork()
if child == 0:
    try:
        games.step(games.first.counts * 0)
    except parlour.Error as why:
        os._exit(7 if "after `fork`" in str(why) else 8)
    os._exit(9)
_, status = os.waitpid(child, 0)
games.step(games.first.counts * 0)
print(os.waitstatus_to_exitcode(status))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "7", done.stderr


def test_small_games_come_with_the_module():
    state = parlour.spiel.load_game("leduc-poker").new_initial_state(seed=7)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert sum(state.returns()) == 0
