"""A batch on Dask and on Ray, each with two workers of which one is killed. The result is the same run, byte for byte."""

import filecmp
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import parlour
from parlour import cluster

ROOT = Path(os.environ.get("PARLOUR_ROOT", Path(__file__).resolve().parents[2]))
GAME = str(ROOT / "examples" / "games" / "goofspiel")
BATCH = {"games": 600, "seed": 7}
SHARDS = 6


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return cluster.simulate(GAME, tmp_path_factory.mktemp("one") / "run", **BATCH)


def alike(one, other):
    found = filecmp.dircmp(one, other, ignore=[])
    names = found.common_files
    assert names and not found.left_only and not found.right_only
    assert filecmp.cmpfiles(one, other, names, shallow=False) == (names, [], [])


def kill_when_begun(out, worker):
    """Kills a worker as soon as it plays, so that its shard is not complete."""

    def kill():
        while not list(Path(out).glob("0*.*")):
            time.sleep(0.01)
        os.kill(worker(), signal.SIGKILL)
        killed.set()

    killed = threading.Event()
    threading.Thread(target=kill, daemon=True).start()
    return killed


def test_a_relative_folder_is_where_the_caller_is(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as one, distributed.Client(one) as client:
        client.run(os.chdir, str(tmp_path / "elsewhere"))
        whole = cluster.on_dask(client, "stockpile", "run", games=4, seed=1, shards=2)
    assert whole == tmp_path / "here" / "run" / "whole" and (whole / "manifest.json").exists()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_dask_loses_nothing_with_a_worker(one, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two, distributed.Client(two) as client:
        numbers = client.run(os.getpid)
        killed = kill_when_begun(tmp_path, lambda: next(iter(numbers.values())))
        whole = cluster.on_dask(client, GAME, tmp_path, shards=SHARDS, **BATCH)
        assert killed.is_set()
    alike(one, whole)


def test_ray_loses_nothing_with_a_worker(one, tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        first = tmp_path / "first"

        def noting(*given):
            """Plays a shard, and records the process that does."""
            first.write_text(str(os.getpid())) if not first.exists() else None
            return cluster.shard(*given)

        play = ray.remote(num_cpus=1, max_retries=cluster.RETRIES)(noting)
        tasks = [play.remote(GAME, str(tmp_path), number, SHARDS, 600, 7, ()) for number in range(1, SHARDS + 1)]
        killed = kill_when_begun(tmp_path, lambda: int(first.read_text()))
        parts = ray.get(tasks)
        assert killed.is_set()
        alike(one, cluster.merge(parts, tmp_path))
        # All shards are complete, and none is played again.
        assert cluster.on_ray(GAME, tmp_path, shards=SHARDS, **BATCH) == tmp_path / "whole"
    finally:
        ray.shutdown()


def test_a_shard_that_is_there_is_not_played_again(one, tmp_path):
    parts = [cluster.shard(GAME, str(tmp_path), number, 2, 600, 7) for number in (1, 2)]
    before = [os.stat(part).st_mtime_ns for part in parts]
    assert [cluster.shard(GAME, str(tmp_path), number, 2, 600, 7) for number in (1, 2)] == parts
    assert [os.stat(part).st_mtime_ns for part in parts] == before
    alike(one, cluster.merge(parts, tmp_path))


def test_what_the_program_says_is_raised(tmp_path):
    with pytest.raises(parlour.Error, match="there is no game") as raised:
        cluster.shard("nothing-of-the-sort", str(tmp_path), 1, 2, 10, 7)
    assert raised.value.code is None and not list(tmp_path.iterdir())


def test_a_folder_is_for_one_batch(tmp_path):
    game = tmp_path / "game"
    shutil.copytree(GAME, game)
    out = str(tmp_path / "run")
    parts = [cluster.shard(str(game), out, number, 2, 40, 7) for number in (1, 2)]
    cluster.merge(parts, out)
    for other, difference in [((2, 400, 7), "`games` is 40"), ((2, 40, 8), "`seed` is 7"), ((3, 40, 7), "`shards` is 2")]:
        with pytest.raises(parlour.Error, match=f"another batch: {difference} there"):
            cluster.shard(str(game), out, 1, *other)
    with pytest.raises(parlour.Error, match="`words`"):
        cluster.shard(str(game), out, 1, 2, 40, 7, ["--agents", "first"])
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write("\n# Another version.\n")
    with pytest.raises(parlour.Error, match="`files`"):
        cluster.shard(str(game), out, 1, 2, 40, 7)


def test_a_whole_is_all_shards_of_its_batch_or_none(tmp_path):
    one = [cluster.shard(GAME, str(tmp_path / "one"), number, 2, 40, 7) for number in (1, 2)]
    other = [cluster.shard(GAME, str(tmp_path / "other"), number, 2, 40, 8) for number in (1, 2)]
    with pytest.raises(parlour.Error, match="1 of 2 shards are given, and the batch is not whole without 2"):
        cluster.merge(one[:1], tmp_path / "one")
    assert not (tmp_path / "one" / "whole").exists()
    cluster.merge(one, tmp_path / "one")
    with pytest.raises(parlour.Error, match="is not what these shards come to"):
        cluster.merge(other, tmp_path / "one")
    (tmp_path / "other" / "whole").mkdir()
    with pytest.raises(parlour.Error, match="is no run"):
        cluster.merge(other, tmp_path / "other")
    # No incomplete folders are left.
    assert {path.name for path in (tmp_path / "one").iterdir()} == {"parts", "whole"}


def test_mistakes_of_a_game_are_raised_and_leave_no_shard(tmp_path):
    game, out = tmp_path / "game", tmp_path / "run"
    shutil.copytree(GAME, game)
    with (game / "rules" / "play.rhai").open("a", encoding="utf-8") as file:
        file.write("fn broken( { let ;\n")
    (tmp_path / "empty").mkdir()
    mistake = r"the name of a parameter is missing\n +--> rules/play.rhai"
    for name, said in [(game, mistake), (tmp_path / "empty", "has no file `game.toml`")]:
        with pytest.raises(parlour.Error, match=said):
            cluster.shard(name, out, 1, 2, 10, 7)
        assert not list(out.iterdir())
        with pytest.raises(parlour.Error, match=said):
            cluster.simulate(name, tmp_path / f"run of {name.name}", games=10, seed=7)
    # The mistake is raised even if the folder contains an earlier run.
    one = cluster.simulate(GAME, tmp_path / "one", games=10, seed=7)
    with pytest.raises(parlour.Error, match="has no file `game.toml`"):
        cluster.simulate(tmp_path / "empty", one, games=10, seed=7)


def test_targets_that_are_missed_are_no_failure(tmp_path):
    game = tmp_path / "game"
    shutil.copytree(GAME, game)
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write('\n[targets]\nrounds = { min = 1000 }\n')
    assert (cluster.simulate(game, tmp_path / "run", games=10, seed=7) / "report.html").exists()


def test_shards_are_looked_at_before_they_are_put_together(tmp_path):
    parts = [Path(cluster.shard(Path(GAME), tmp_path, number, 2, 40, 7)) for number in (1, 2)]
    manifest = parts[1] / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(json.dumps(json.loads(text) | {"complete": False}), encoding="utf-8")
    with pytest.raises(parlour.Error, match="00002 has not all of its games"):
        cluster.merge(parts, tmp_path)
    manifest.write_text(json.dumps(json.loads(text) | {"path": "elsewhere"}), encoding="utf-8")
    with pytest.raises(parlour.Error):
        cluster.merge(parts, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"parts"}


def test_a_killed_worker_takes_its_program_along_and_what_it_left_is_cleared_away(tmp_path):
    psutil = pytest.importorskip("psutil")
    out = tmp_path / "run"
    code = f"from parlour import cluster; cluster.shard({GAME!r}, {str(out)!r}, 1, 2, 10_000_000, 7)"
    worker = subprocess.Popen([sys.executable, "-c", code])
    while not list(out.glob("0*.*")):
        assert worker.poll() is None
        time.sleep(0.01)
    (program,) = psutil.Process(worker.pid).children()
    worker.kill()
    worker.wait()
    try:
        program.wait(timeout=10)
    except psutil.TimeoutExpired:
        program.kill()
        raise
    (left,) = out.iterdir()
    assert left.name.startswith("00001.")
    (out / "mine").mkdir()
    cluster.merge([cluster.shard(GAME, out, number, 2, 40, 7) for number in (1, 2)], out)
    assert {path.name for path in out.iterdir()} == {"parts", "whole", "mine"}
