"""One batch on many machines: a shard of it for each task, on Dask or Ray, put together at the end.

    from dask.distributed import Client
    parlour.cluster.on_dask(Client("tcp://head:8786"), "stockpile", "runs/big", shards=64, games=100_000, seed=7)

Every game has its seed by its number in the whole batch, so what is put together is, byte for byte, what one machine would have played.
A shard is played in a folder of its own and moved to its place when it is done: whatever becomes of a worker, a shard is there whole or
not at all, and those that are there are not played again. Workers need the module, the game, and a folder that all of them share.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._parlour import Error

__all__ = ["merge", "on_dask", "on_ray", "shard", "simulate"]

RETRIES = 3
"""How often a shard is played again whose worker has gone."""


def _program(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "parlour", *words], capture_output=True, text=True)
    # 1 is what faults and missed targets end with, which the report tells.
    if done.returncode not in (0, 1):
        raise Error(f"parlour {' '.join(words)}:\n{done.stderr}")


def simulate(game: str, out: str | Path, *, games: int, seed: int, words: Sequence[str] = ()) -> Path:
    """Plays the whole batch here: what all others come to."""
    _program("simulate", game, "--games", str(games), "--seed", str(seed), *words, "--out", str(out))
    return Path(out)


def shard(game: str, out: str, number: int, shards: int, games: int, seed: int, words: Sequence[str] = ()) -> str:
    """Plays a shard, counted from 1, unless it is there: its folder."""
    folder = Path(out) / "parts" / f"{number:05}"
    if folder.exists():
        return str(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Whoever played it before may have gone, and may not: nobody writes where another does.
    under_way = folder.with_name(f"{folder.name}.{uuid.uuid4().hex}")
    try:
        simulate(game, under_way, games=games, seed=seed, words=["--shard", f"{number}/{shards}", "--jobs", "1", *words])
        try:
            under_way.rename(folder)
        except OSError:
            # Another was quicker, with the same.
            if not folder.exists():
                raise
    finally:
        shutil.rmtree(under_way, ignore_errors=True)
    return str(folder)


def merge(parts: Sequence[str], out: str | Path) -> Path:
    """Puts shards together, in `whole` of a folder."""
    whole = Path(out) / "whole"
    if not whole.exists():
        _program("merge", *parts, "--out", str(whole))
    return whole


def on_dask(
    client: Any, game: str, out: str | Path, *, games: int, seed: int, shards: int = 8, words: Sequence[str] = ()
) -> Path:
    """Plays a batch on a Dask cluster: a task for each shard. What is put together is in `whole` of the folder."""
    tasks = [
        client.submit(shard, game, str(out), number, shards, games, seed, tuple(words), retries=RETRIES, pure=False)
        for number in range(1, shards + 1)
    ]
    return merge(client.gather(tasks), out)


def on_ray(game: str, out: str | Path, *, games: int, seed: int, shards: int = 8, words: Sequence[str] = ()) -> Path:
    """The same on the Ray cluster that `ray.init` has found or begun."""
    import ray

    play = ray.remote(num_cpus=1, max_retries=RETRIES)(shard)
    tasks = [play.remote(game, str(out), number, shards, games, seed, tuple(words)) for number in range(1, shards + 1)]
    return merge(ray.get(tasks), out)
