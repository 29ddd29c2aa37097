#!/usr/bin/env bash
# Edits a game in a real editor: Neovim as packaged by Debian, without a screen, with the settings of the guide. The argument is the
# `parlour` program. Needs `nvim`.
set -euo pipefail
parlour="$(realpath "${1:?give the parlour program}")"
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$parlour" "$work/bin/parlour"
cp -r examples/games/little-tricks "$work/game"
awk '/^```lua/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/src/editor.md >"$work/init.lua"
PATH="$work/bin:$PATH" HOME="$work" XDG_STATE_HOME="$work" XDG_CACHE_HOME="$work" GAME="$work/game" \
    timeout 300 nvim --headless --clean -n -u "$work/init.lua" -S tests/editor/write.lua
"$parlour" test "$work/game"
grep -q '^\[zones.held\]' "$work/game/game.toml"
grep -q 'Ann.held.top' "$work/game/plays/rules.play"
if grep -rn 'seat\.hand\b' "$work/game/rules"; then
    exit 1
fi
echo "the game was written in Neovim"
