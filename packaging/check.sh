#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The house's habits, kept by machines: seconds for what needs no compiler, then the lint of the changed files.
#   packaging/check.sh              all of it, against the merge base with origin/main (or main, or the last commit)
#   packaging/check.sh --since REV  against another commit
#   packaging/check.sh --quick      without the lint
set -eu
cd "$(dirname "$0")/.."

since=""
lint=yes
while [ $# -gt 0 ]; do
  case "$1" in
    --since) since=${2:?--since needs a commit}; shift ;;
    --quick) lint=no ;;
    *) echo "usage: packaging/check.sh [--quick] [--since REV]" >&2; exit 2 ;;
  esac
  shift
done
if [ -z "$since" ]; then
  for base in origin/main main; do
    since=$(git merge-base HEAD "$base" 2>/dev/null) && [ "$since" != "$(git rev-parse HEAD)" ] && break
    since=""
  done
  # On the main branch itself: what came after the last merge-free day of work is not known, so the last twenty commits.
  [ -n "$since" ] || since=$(git rev-list --max-count=21 HEAD | tail -n 1)
fi

failed=0
complain() {
  echo "check: $1" >&2
  failed=1
}
# The project's own C++; test data is fixed input, and packs are text that models read.
sources() { git ls-files '*.cpp' '*.h' '*.c' | grep -vE '^(resources|prompts|tests/data)/'; }
changed() { { git diff --name-only --diff-filter=d "$since"; git ls-files --others --exclude-standard; } | sort -u; }

unformatted=$(sources | xargs clang-format-19 --dry-run -Werror 2>&1 | sed -n 's/^\([^:]*\):.*error.*/\1/p' | sort -u)
[ -z "$unformatted" ] || complain "not as clang-format-19 writes it (clang-format-19 -i FILE):
$unformatted"

long=$(git log --format='%h %s' "$since"..HEAD | awk 'length($0) - index($0, " ") > 72')
[ -z "$long" ] || complain "commit subjects of more than 72 characters:
$long"

no_license=$(sources | xargs grep -L 'SPDX-License-Identifier' || true)
[ -z "$no_license" ] || complain "no SPDX line:
$no_license"

cmake -DROOT="$PWD" -P tests/core/documents_agree.cmake || failed=1

if [ "$lint" = yes ]; then
  files=$(changed | grep -E '^(app|core|widgets)/.*\.cpp$' | grep -v '^core/hipcpu/include/' || true)
  if [ -n "$files" ]; then
    # Without precompiled headers and joined sources, so that a missing include is an error here.
    cmake --preset lint > /dev/null
    cmake --build build/lint --target autogen > /dev/null 2>&1 || true
    # shellcheck disable=SC2086
    printf '%s\n' $files | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/lint --quiet --warnings-as-errors='*' 2>/dev/null ||
      complain "clang-tidy-19 has found something (see above)"
  fi
fi
[ "$failed" -eq 0 ] && echo "check: nothing found"
exit "$failed"
