#!/usr/bin/env bash
# Saves what `parlour cards` writes of every game anew in LibreOffice, in each of its formats, and reads it back: it has to be the same
# game. Give the `parlour` program; it needs Python, and `soffice` (in Debian `libreoffice-calc-nogui`), without which nothing is done.
set -euo pipefail
parlour="$(realpath "${1:?give the parlour program}")"
cd "$(dirname "$0")/../.."
if ! command -v soffice >/dev/null; then
    echo "no LibreOffice on this machine: what it saves is not looked at" >&2
    exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 tests/office/saved.py "$parlour" "$work"
