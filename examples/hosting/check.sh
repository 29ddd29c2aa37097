#!/usr/bin/env bash
# Builds the container, starts it, and opens the host's link of its lobby. The argument is the static program of a release.
#
#     examples/hosting/check.sh target/archives/parlour-*-x86_64-unknown-linux-musl/parlour
#
# Without a container engine that runs (Docker, or the one that ENGINE names), nothing is tried, and a message says so.
set -euo pipefail
parlour="$(realpath "${1:?give the static program}")"
cd "$(dirname "$0")"
engine="${ENGINE:-docker}"
if ! "$engine" info >/dev/null 2>&1; then
    echo "the container is not tried: \`$engine\` does not run here"
    exit
fi

work="$(mktemp -d)"
name="parlour-check-$$"
trap '"$engine" rm --force --volumes "$name" >/dev/null 2>&1; "$engine" rmi "$name" >/dev/null 2>&1; rm -rf "$work"' EXIT
cp Dockerfile "$parlour" "$work/"
"$engine" build --quiet --tag "$name" "$work" >/dev/null
"$engine" run --detach --name "$name" --publish 127.0.0.1:8128:8128 "$name" >/dev/null
for _ in $(seq 100); do
    link="$("$engine" logs "$name" 2>/dev/null | grep -o 'http://localhost:8128/lobby/enter/[0-9a-f]*' || true)"
    [ -z "$link" ] || break
    sleep 0.1
done
# The link sets a cookie, with which the lobby is shown to its host.
curl --silent --show-error --fail --cookie-jar "$work/cookies" "$link" >/dev/null
curl --silent --show-error --fail --cookie "$work/cookies" --output "$work/lobby" "http://localhost:8128/lobby/"
grep -q Stockpile "$work/lobby"
echo "the container serves its lobby"
