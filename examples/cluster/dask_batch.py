"""Plays one batch of games on a Dask cluster: a shard for each task, put together at the end.

    python dask_batch.py GAME OUT [--shards 8] [--scheduler ADDRESS] [-- more words for `parlour simulate`]

Without an address it starts workers on this machine. Workers need the `parlour` program (or PARLOUR names it), the game, and a
folder that all of them share with whoever merges.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster, as_completed

PARLOUR = os.environ.get("PARLOUR", "parlour")


def play(shard: int, shards: int, game: str, out: str, more: list[str]) -> str:
    """Plays one shard; 1 is the exit code of faults and missed targets, which the report tells."""
    folder = Path(out) / "parts" / f"{shard:05}"
    if not (folder / "report.html").exists():
        shutil.rmtree(folder, ignore_errors=True)
        command = [PARLOUR, "simulate", game, "--shard", f"{shard}/{shards}", "--jobs", "1", "--out", str(folder), *more]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return str(folder)


def main() -> int:
    words = argparse.ArgumentParser(description="Plays one batch of games on a Dask cluster.")
    words.add_argument("game")
    words.add_argument("out")
    words.add_argument("--shards", type=int, default=8)
    words.add_argument("--scheduler", help="the address of a cluster [default: workers on this machine]")
    words.add_argument("--workers", type=int, default=2, help="how many, on this machine")
    ours, more = words.parse_known_args()
    more = [word for word in more if word != "--"]
    if "--seed" not in more:
        words.error("give the shards one seed: -- --seed 7")

    cluster = None if ours.scheduler else LocalCluster(n_workers=ours.workers, threads_per_worker=1, dashboard_address=None)
    with Client(ours.scheduler or cluster) as client:
        tasks = [client.submit(play, shard, ours.shards, ours.game, ours.out, more) for shard in range(1, ours.shards + 1)]
        for task in as_completed(tasks):
            print("played", task.result(), file=sys.stderr)
        parts = client.gather(tasks)
    if cluster is not None:
        cluster.close()
    return subprocess.run([PARLOUR, "merge", *parts, "--out", str(Path(ours.out) / "whole")]).returncode


if __name__ == "__main__":
    sys.exit(main())
