"""A batch on Dask and on Ray, each with two workers of which one is killed: the same run, byte for byte."""

import filecmp
import os
import signal
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
    """Kills a worker once it plays: so early that its shard is not done."""

    def kill():
        while not list(Path(out).glob("parts/*.*")):
            time.sleep(0.01)
        os.kill(worker(), signal.SIGKILL)
        killed.set()

    killed = threading.Event()
    threading.Thread(target=kill, daemon=True).start()
    return killed


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
            """Plays a shard, and says who does."""
            first.write_text(str(os.getpid())) if not first.exists() else None
            return cluster.shard(*given)

        play = ray.remote(num_cpus=1, max_retries=cluster.RETRIES)(noting)
        tasks = [play.remote(GAME, str(tmp_path), number, SHARDS, 600, 7, ()) for number in range(1, SHARDS + 1)]
        killed = kill_when_begun(tmp_path, lambda: int(first.read_text()))
        parts = ray.get(tasks)
        assert killed.is_set()
        alike(one, cluster.merge(parts, tmp_path))
        # Nothing is left to do, and nothing is done again.
        assert cluster.on_ray(GAME, tmp_path, shards=SHARDS, **BATCH) == tmp_path / "whole"
    finally:
        ray.shutdown()


def test_a_shard_that_is_there_is_not_played_again(one, tmp_path):
    parts = [cluster.shard(GAME, str(tmp_path), number, 2, 600, 7) for number in (1, 2)]
    before = [os.stat(part).st_mtime_ns for part in parts]
    assert [cluster.shard(GAME, str(tmp_path), number, 2, 600, 7) for number in (1, 2)] == parts
    assert [os.stat(part).st_mtime_ns for part in parts] == before
    alike(one, cluster.merge(parts, tmp_path))


def test_what_the_program_says_is_told(tmp_path):
    with pytest.raises(parlour.Error, match="there is no game"):
        cluster.shard("nothing-of-the-sort", str(tmp_path), 1, 2, 10, 7)
