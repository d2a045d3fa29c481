#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Does this machine judge kernels? What doctor says, then every built-in seed on one target: a line each, with times and reasons.
#   check_device.sh [nvidia|amd|cpu] [FOLDER for the verdicts as JSON]
# Extra options of `evaluate` come from CHECK_OPTIONS, e.g. CHECK_OPTIONS="--measure-seconds 1 --device 1".
set -u
here=$(cd "$(dirname "$0")" && pwd)
for bin in "$here/../../bin" "$here/../build/release/bin" "$here/../build/dev/bin"; do
  [ -x "$bin/kernel-scientist-cli" ] && break
done
cli="$bin/kernel-scientist-cli"
problems="$here/resources/problems"
[ -d "$problems" ] || problems="$here/../resources/problems"
target=${1:-nvidia}
out=${2:-$(mktemp -d)}
mkdir -p "$out"

"$cli" doctor 2>&1 | tee "$out/doctor.txt"
"$cli" doctor --json > "$out/doctor.json" 2>/dev/null
failed=0
for seed in "$problems"/*/seeds/*.hip; do
  problem=$(basename "$(dirname "$(dirname "$seed")")")
  label="$problem/$(basename "$seed" .hip)"
  file="$out/$(echo "$label" | tr / -)"
  # The first run is what a person waits for, the second comes from the build cache.
  for run in cold again; do
    began=$(date +%s%N)
    # shellcheck disable=SC2086
    "$cli" evaluate "$seed" --problem "$problem" --target "$target" ${CHECK_OPTIONS:-} --json > "$file-$run.json" 2> "$file-$run.err"
    status=$?
    took=$((($(date +%s%N) - began) / 1000000))
    reason=$(sed -n 's/^ *"reason": "\(.*\)",*$/\1/p' "$file-$run.json" | head -n 1)
    echo "$label $run: status $status, $took ms, $reason"
    if [ "$run" = cold ] && [ "$status" -ne 0 ]; then
      failed=$((failed + 1))
      grep '"log"' "$file-$run.json" | cut -c 1-2000
      break
    fi
  done
done
echo "$failed seeds failed; everything is in $out"
[ "$failed" -eq 0 ]
