#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From nothing to the running demo: installs what is missing, builds, creates the demo campaign and opens the workbench on it with the
# loop running. Without a display (or with --headless) the same campaign runs in the terminal.
#   packaging/run.sh [--headless] [FILE.gks]
set -eu
cd "$(dirname "$0")/.."

headless=no
campaign="${XDG_DATA_HOME:-$HOME/.local/share}/kernel-scientist/demo.gks"
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
if [ ! -e "$campaign" ]; then
  mkdir -p "$(dirname "$campaign")"
  "$bin/kernel-scientist-cli" new "$campaign" --problem fp8-gemm --target cpu --scientist tuner
fi
if [ "$headless" = yes ]; then
  exec "$bin/kernel-scientist-cli" run "$campaign" --evaluations 24
fi
exec "$bin/kernel-scientist" "$campaign" --run
