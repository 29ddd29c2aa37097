"""Runs the example that trains a policy: the policy plays better than chance, in the module and as an agent program."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("PARLOUR_ROOT", Path(__file__).resolve().parents[2]))
EXAMPLE = ROOT / "examples" / "python"
GAME = "examples/games/leduc-poker"


def test_a_trained_policy_beats_random_players(tmp_path):
    file = tmp_path / "policy.npz"
    words = [sys.executable, str(EXAMPLE / "train.py"), GAME, str(file), "--games", "1500", "--seed", "7"]
    printed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    low = float(re.search(r"95 %: ([\d.]+)%", printed).group(1))
    assert low > 55, printed

    agent = f"cmd=60s:{sys.executable} {EXAMPLE / 'play_policy.py'} {file}"
    words = ["arena", GAME, "--agents", f"{agent},random", "--games", "60", "--seed", "3", "--all", "--format", "json"]
    arena = subprocess.run([sys.executable, "-m", "parlour", *words], cwd=ROOT, capture_output=True, text=True)
    assert arena.returncode == 0, arena.stderr
    best = json.loads(arena.stdout)["agents"][0]
    assert "play_policy.py" in best["agent"] and best["interval"][0] > 0.5

    words = ["play", GAME, "--agents", f"{agent},random", "--seed", "3"]
    played = subprocess.run([sys.executable, "-m", "parlour", *words], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert played.returncode == 0 and "wins" in played.stdout, played.stderr


def test_it_learns_in_an_environment(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import train

    made = []
    env = train.parlour.gymnasium.env
    monkeypatch.setattr(train.parlour.gymnasium, "env", lambda *given, **more: made.append(env(*given, **more)) or made[-1])
    policy = train.train(str(ROOT / GAME), games=200, players=2, seed=7)
    assert [one.seat for one in made] == [1, 2]
    begun = train.Policy(seed=7).weights
    assert all((policy.weights[name] != begun[name]).any() for name in begun)
