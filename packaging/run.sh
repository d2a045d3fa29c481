#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From nothing to the running demo: installs what is missing, builds, and opens the workbench on a campaign of a real H200 beside the
# demo, fp8-gemm running on this CPU. Without a display (or with --headless) the demo runs in the terminal.
#   packaging/run.sh [--headless] [FILE.gks]
set -eu
cd "$(dirname "$0")/.."

headless=no
campaign=
for argument in "$@"; do
  case "$argument" in
    --headless) headless=yes ;;
    -*) echo "usage: packaging/run.sh [--headless] [FILE.gks]" >&2; exit 2 ;;
    *) campaign="$argument" ;;
  esac
done
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  headless=yes
fi

packaging/setup.sh
echo "run: building (build/release)"
mkdir -p build
if ! { cmake --preset release && cmake --build build/release --target programs; } > build/run.log 2>&1; then
  tail -n 40 build/run.log >&2
  echo "run: the build failed; the whole log is in build/run.log" >&2
  exit 3
fi

bin=build/release/bin
if [ "$headless" = no ] && [ -z "$campaign" ]; then
  exec "$bin/kernel-scientist" --demo
fi
: "${campaign:=${XDG_DATA_HOME:-$HOME/.local/share}/kernel-scientist/fp8-gemm-demo.gks}"
if [ ! -e "$campaign" ]; then
  mkdir -p "$(dirname "$campaign")"
  "$bin/kernel-scientist-cli" new "$campaign" --template demo
fi
if [ "$headless" = yes ]; then
  exec "$bin/kernel-scientist-cli" run "$campaign" --evaluations 24
fi
exec "$bin/kernel-scientist" "$campaign" --run
