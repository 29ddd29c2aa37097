#!/usr/bin/env bash
# Packages the extension, and looks that what is packaged can be read as one: it needs Node.js and its package index.
set -euo pipefail
cd "$(dirname "$0")"
npm ci --silent --no-audit --no-fund
npm run --silent package >/dev/null
node check.js
