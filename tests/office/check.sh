#!/usr/bin/env bash
# Opens the spreadsheets that `parlour cards` writes for each game in LibreOffice, saves them in each format, and reads them back: the game
# must be the same. The argument is the `parlour` program. Needs Python and `soffice` (in Debian `libreoffice-calc-nogui`), without which
# nothing is checked.
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
