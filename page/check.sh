#!/usr/bin/env bash
# Compares games of the engine for pages with those of the program: the tables at their ends. Give the program and the engine; it needs Node.
#
#     GAMES=10000 page/check.sh target/release/parlour target/page/engine.wasm.gz
set -euo pipefail
parlour="$(realpath "${1:?give the parlour program}")"
engine="$(realpath "${2:?give the engine for pages}")"
cd "$(dirname "$0")/.."
games="${GAMES:-300}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

compare() {
    local folder="$1" players="$2" agent="$3" games="$4"
    local run seconds
    run="$work/$(basename "$folder")-$players-${agent//:/-}"
    # Seconds of a processor, which another program on the machine does not change much.
    local TIMEFORMAT=%U
    seconds="$({
        time "$parlour" simulate "$folder" --players "$players" --agents "$agent" --games "$games" --jobs 1 --seed 11 --out "$run" >/dev/null 2>"$run.log"
    } 2>&1)" || { cat "$run.log" >&2; exit 1; }
    node page/check.js "$engine" "$folder" "$run/games.csv" "$agent" 11 "$players" "$seconds"
}

for folder in games/*; do
    players="$("$parlour" info "$folder" --format json | node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8")).players.max ?? 2')"
    compare "$folder" "$players" random "$games"
done
# Agents that look ahead imagine worlds, and play them on, so their games take a hundred times as long as those of random agents.
compare games/stockpile 3 trader "$((games / 100 + 1))"
compare games/stockpile 3 search:100 5
compare examples/games/nettles 4 search:50 3

# The page with the five games is what a reader loads.
for folder in games/*; do
    (cd "$folder" && find . -type f) | (cd "$folder" && tar -cf - -T -)
done | gzip -9c >"$work/games.gz"
bytes="$(($(wc -c <"$engine") + $(wc -c <"$work/games.gz")))"
echo "the engine and the five games have $bytes bytes, compressed"
if [ "$bytes" -gt 4000000 ]; then
    echo "that is more than 4 MB" >&2
    exit 1
fi
