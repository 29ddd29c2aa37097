#!/usr/bin/env bash
# Plays in pages without a server in two real browsers. Give the `parlour` program and the engine for pages; it needs Chromium, its driver, Firefox,
# Python and the package index.
set -euo pipefail
parlour="$(realpath "${1:?give the parlour program}")"
engine="$(realpath "${2:?give the engine for pages}")"
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r tests/browser/requirements.txt
"$work/venv/bin/python" tests/browser/page.py "$parlour" "$engine"
"$work/venv/bin/python" tests/browser/firefox.py "$parlour" "$engine"
