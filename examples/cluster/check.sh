#!/usr/bin/env bash
# Holds a batch played by the Dask example against one run, byte for byte. Give the `parlour` program; it needs Python and the
# package index.
set -euo pipefail
PARLOUR="$(realpath "${1:?give the parlour program}")"
export PARLOUR
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r examples/cluster/requirements.txt
words=(--games 200 --seed 7)
"$work/venv/bin/python" examples/cluster/dask_batch.py examples/games/tic-tac-toe "$work/dask" --shards 4 -- "${words[@]}"
"$PARLOUR" simulate examples/games/tic-tac-toe "${words[@]}" --out "$work/one" >/dev/null
diff -r "$work/one" "$work/dask/whole"
echo "the batch of the Dask example is the one run, byte for byte"
