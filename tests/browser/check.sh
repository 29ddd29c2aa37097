#!/usr/bin/env bash
# Opens a report and printed sheets, plays at served tables (also behind proxies with TLS), and opens a lobby, in a real browser. The
# argument is the `parlour` program. Needs Chromium, its driver, Python and the package index.
set -euo pipefail
parlour="$(realpath "${1:?give the parlour program}")"
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r tests/browser/requirements.txt
"$parlour" simulate games/stockpile --players 3..4 --games 60 --seed 7 --out "$work/run" >/dev/null
"$work/venv/bin/python" tests/browser/report.py "$work/run/report.html"
"$parlour" print games/last-will --out "$work/sheets" --browser /usr/bin/chromium --no-sandbox >/dev/null
"$work/venv/bin/python" tests/browser/print.py "$parlour" "$work/sheets"
"$work/venv/bin/python" tests/browser/table.py "$parlour"
"$work/venv/bin/python" tests/browser/gallery.py "$parlour"
"$work/venv/bin/python" tests/browser/lobby.py "$parlour"
"$work/venv/bin/python" tests/browser/proxy.py "$parlour"
