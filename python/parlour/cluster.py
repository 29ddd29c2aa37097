"""Plays one batch on many machines: splits it into shards, one for each task on Dask or Ray, and merges them at the end.

    from dask.distributed import Client
    parlour.cluster.on_dask(Client("tcp://head:8786"), "stockpile", "runs/big", shards=64, games=100_000, seed=7)

The seed of every game depends only on the seed of the batch and its number in it, so the merged result is, byte for byte, what one machine
would have produced. A shard is played in a folder of its own, which is renamed when it is complete. Even if a worker is killed, a shard is
therefore either complete or missing, and complete shards are not played again. Incomplete folders are deleted when the shards are merged. A
folder belongs to one batch: `parts/batch.json` describes it, and another batch is refused there. Workers need the module, the game, and a
folder that all of them share.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ._parlour import Error, __version__

__all__ = ["merge", "on_dask", "on_ray", "shard", "simulate"]

Place: TypeAlias = str | os.PathLike[str]

RETRIES = 3
"""Number of times that a shard is played again after its worker has died."""


ATTEMPT = re.compile(r"(\d{5,}|parts|whole)\.[0-9a-f]{32}")
"""Pattern for the names of folders that have not been renamed yet."""


def _program(place: Path, *words: str) -> None:
    """Lets the program create a run in a new folder. The program ends with this process, however this process ends."""
    was_there = place.exists()
    command = [sys.executable, "-c", "import sys; from parlour import _program; sys.exit(_program.attended())", *words, "--out", str(place)]
    attended, holding = os.pipe()
    try:
        done = subprocess.run(command, stdin=attended, capture_output=True, text=True, encoding="utf-8", errors="replace")
    finally:
        os.close(attended)
        os.close(holding)
    # The program exits with 1 after faults or missed targets, which the report shows. For mistakes in the game, it also exits with 1, but
    # creates no run.
    is_made = done.returncode == 1 and not was_there and (place / "manifest.json").exists() and _manifest(place)["complete"]
    if done.returncode != 0 and not is_made:
        raise Error(f"parlour {' '.join(words)}:\n{done.stderr.rstrip()}")


def _number(game: str) -> str:
    """Returns a fingerprint of a game's files. Runs in the game's folder are not part of it."""
    number = hashlib.sha256(__version__.encode())
    for folder, folders, files in os.walk(game):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not (Path(folder) / name / "manifest.json").exists())
        for file in sorted(Path(folder) / name for name in files):
            if file.suffix in (".toml", ".rhai", ".csv", ".ods", ".xlsx"):
                number.update(file.relative_to(game).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return number.hexdigest()[:16]


def _moved(place: Path, out: Path, make: Callable[[Path], object]) -> None:
    """Creates a folder under a temporary name and renames it, so that another task finds all of it or nothing."""
    # An earlier task for this folder may still be running. The unique name prevents two tasks from writing to the same folder.
    under_way = out / f"{place.name}.{uuid.uuid4().hex}"
    try:
        make(under_way)
        try:
            under_way.rename(place)
        except OSError:
            # Another task was faster.
            if not place.exists():
                raise
    finally:
        shutil.rmtree(under_way, ignore_errors=True)


def _check(parts: Path, batch: dict[str, Any]) -> None:
    """Raises `Error` if the folder contains the shards of another batch."""
    try:
        there = json.loads((parts / "batch.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        there = {}
    other = [name for name in batch if there.get(name) != batch[name]]
    if other:
        differences = [f"`{name}` is {json.dumps(there.get(name))} there, and {json.dumps(batch[name])} is asked for" for name in other]
        raise Error(f"{parts.parent} has another batch: {'; '.join(differences)}\n  help: give each batch a folder of its own")


def _manifest(run: Place) -> dict[str, Any]:
    try:
        return json.loads((Path(run) / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise Error(f"{run} is no run: {why}\n  help: move it away, or give another folder") from why


def simulate(game: Place, out: Place, *, games: int, seed: int, words: Sequence[str] = ()) -> Path:
    """Plays the whole batch on this machine, in a new folder. Merged shards have the same result."""
    _program(Path(out), "simulate", os.fspath(game), "--games", str(games), "--seed", str(seed), *words)
    return Path(out)


def shard(game: Place, out: Place, number: int, shards: int, games: int, seed: int, words: Sequence[str] = ()) -> str:
    """Plays a shard, counted from 1, unless it is complete. Returns its folder."""
    game, parts = os.fspath(game), Path(out) / "parts"
    batch = {"game": game, "files": _number(game), "games": games, "seed": seed, "shards": shards, "words": list(words)}
    if parts.exists():
        _check(parts, batch)

    def note(place: Path) -> None:
        place.mkdir()
        (place / "batch.json").write_text(json.dumps(batch, indent=2) + "\n", encoding="utf-8")

    def play(place: Path) -> None:
        more = ["--shard", f"{number}/{shards}", "--jobs", "1", *words]
        simulate(game, place, games=games, seed=seed, words=more)
        # If the shard could not be played, no folder is created.
        if not parts.exists():
            _moved(parts, Path(out), note)
        _check(parts, batch)

    folder = parts / f"{number:05}"
    if not folder.exists():
        Path(out).mkdir(parents=True, exist_ok=True)
        _moved(folder, Path(out), play)
    return str(folder)


def merge(parts: Sequence[Place], out: Place) -> Path:
    """Merges all shards of a batch into the folder `whole` in `out`. An existing `whole` must be the result of these shards."""
    whole = Path(out) / "whole"
    of_parts = [_manifest(part) for part in parts]
    for part, one in zip(parts, of_parts):
        if not one["complete"]:
            raise Error(f"{part} has not all of its games\n  help: move it away, and play that shard again")
    shards = [one["shard"] or {"part": 1, "of": 1} for one in of_parts]
    lack = sorted(set(range(1, max((one["of"] for one in shards), default=1) + 1)) - {one["part"] for one in shards})
    if lack:
        names = ", ".join(map(str, lack))
        raise Error(f"{len(parts)} of {len(parts) + len(lack)} shards are given, and the batch is not whole without {names}")
    alike = ["game", "path", "seed", "games", "agents", "options", "sets"]

    def check(place: Path) -> None:
        there = _manifest(place)
        rules = [[batch["rules"] for batch in one["batches"]] for one in (there, *of_parts)]
        is_theirs = all(there[word] == one[word] for one in of_parts for word in alike) and rules.count(rules[0]) == len(rules)
        if not there["complete"] or not is_theirs:
            raise Error(f"{whole} is not what these shards come to\n  help: move it away, or give another folder")

    def put_together(place: Path) -> None:
        _program(place, "merge", *map(str, parts))
        check(place)

    if not whole.exists():
        _moved(whole, Path(out), put_together)
    check(whole)
    for path in Path(out).iterdir():
        if ATTEMPT.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)
    return whole


def _resolved(game: Place, out: Place) -> tuple[str, str]:
    """Returns the game and the folder as all workers can find them. A game that is not a folder is included in the module."""
    name = os.fspath(game)
    return os.path.abspath(name) if os.path.exists(name) else name, os.path.abspath(out)


def on_dask(
    client: Any, game: Place, out: Place, *, games: int, seed: int, shards: int = 8, words: Sequence[str] = ()
) -> Path:
    """Plays a batch on a Dask cluster, with a task for each shard. The merged result is in the folder `whole`."""
    game, out = _resolved(game, out)
    tasks = [
        client.submit(shard, game, out, number, shards, games, seed, tuple(words), retries=RETRIES, pure=False)
        for number in range(1, shards + 1)
    ]
    return merge(client.gather(tasks), out)


def on_ray(game: Place, out: Place, *, games: int, seed: int, shards: int = 8, words: Sequence[str] = ()) -> Path:
    """Like `on_dask`, on the Ray cluster that `ray.init` has found or started."""
    import ray

    game, out = _resolved(game, out)
    play = ray.remote(num_cpus=1, max_retries=RETRIES)(shard)
    tasks = [play.remote(game, out, number, shards, games, seed, tuple(words)) for number in range(1, shards + 1)]
    return merge(ray.get(tasks), out)
