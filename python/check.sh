#!/usr/bin/env bash
# Builds the Python module as it is shipped, installs it into a new environment, and runs its tests and the examples of its pages. Needs
# Python (3.10 or newer) and the package index. PROFILE is the build profile, and GAMES the number of random games that each environment
# plays of every game.
set -euo pipefail
cd "$(dirname "$0")"
profile="${PROFILE:-release}"
export GAMES="${GAMES:-1}"
# The profile `dist`, with which a release is built, determines the commit by itself.
PARLOUR_COMMIT="${PARLOUR_COMMIT:-$(git rev-parse --short=12 HEAD || true)}"
export PARLOUR_COMMIT
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../target}"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
pip=("$work/venv/bin/python" -m pip --quiet --disable-pip-version-check)
"${pip[@]}" install -r requirements.txt
"${pip[@]}" install open_spiel==2.0.2 || echo "OpenSpiel cannot be installed here: the games are not compared with it"
"$work/venv/bin/maturin" build --quiet --locked --profile "$profile" --out "$work/wheels" --interpreter "$work/venv/bin/python"
"${pip[@]}" install --no-deps "$work"/wheels/parlour-*.whl
# The tests run in another folder, so that they import the installed module and not the sources.
cp -r tests pyproject.toml "$work"
export PARLOUR_ROOT="$(realpath ..)"
cd "$work"
venv/bin/python -m mypy.stubtest parlour._parlour
venv/bin/python -m pytest --quiet --rootdir "$work" -c pyproject.toml -p no:cacheprovider tests
