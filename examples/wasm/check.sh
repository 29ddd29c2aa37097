#!/usr/bin/env bash
# Plays the same games on this machine and in WebAssembly. Both must compute the same number.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=wasm32-unknown-unknown
if ! rustup target list --installed 2>/dev/null | grep -q "$target" && ! rustup target add "$target"; then
    echo "not run: there is no target $target"
    exit
fi
if ! command -v node >/dev/null; then
    echo "not run: there is no node"
    exit
fi

expected="$(cargo run --quiet --locked --release --package parlour-wasm)"
EXPECTED="$expected" cargo build --quiet --locked --release --package parlour-wasm --target "$target"
node -e '
    const bytes = require("fs").readFileSync(process.argv[1]);
    const module = new WebAssembly.Module(bytes);
    const imports = WebAssembly.Module.imports(module);
    if (imports.length > 0) throw new Error("asks its host for " + JSON.stringify(imports));
    const code = new WebAssembly.Instance(module, {}).exports.main(0, 0);
    if (code !== 0) throw new Error("another number than " + process.argv[2] + ", or no game at all: " + code);
' "${CARGO_TARGET_DIR:-target}/$target/release/parlour-wasm.wasm" "$expected"
echo "games in WebAssembly come to the same tables: $expected"
