#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The house's habits, kept by machines: layout, licences, commit subjects and what the documents state, in seconds; then the lint.
#   packaging/check.sh              all of it; lint of what changed since the merge base with origin/main, without a
#                                   remote with main; on main itself give --since
#   packaging/check.sh --since REV  lint of what changed since another commit
#   packaging/check.sh --quick      without the lint; what CI runs
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
packaging/setup.sh --checks

failed=0
complain() {
  echo "check: $1" >&2
  failed=1
}
# The project's own C++; test data is fixed input, and packs are text that models read.
sources() { git ls-files '*.cpp' '*.h' '*.c' | grep -vE '^(resources|prompts|tests/data)/'; }

unformatted=$(sources | xargs clang-format-19 --dry-run -Werror 2>&1 | sed -n 's/^\([^:]*\):.*error.*/\1/p' | sort -u)
[ -z "$unformatted" ] || complain "not as clang-format-19 writes it (clang-format-19 -i FILE):
$unformatted"

no_license=$(sources | xargs grep -L 'SPDX-License-Identifier' || true)
[ -z "$no_license" ] || complain "no SPDX line:
$no_license"

# Subjects are checked from the commit on that laid out the tree; older ones stay as they are.
began=$(grep -v '^#' .git-blame-ignore-revs | head -n 1)
if git cat-file -e "$began^{commit}" 2>/dev/null; then
  long=$(git log --no-merges --format='%h %s' "$began"..HEAD | awk 'length($0) - index($0, " ") > 72')
  [ -z "$long" ] || complain "commit subjects of more than 72 characters:
$long"
fi

cmake -DROOT="$PWD" -P tests/core/documents_agree.cmake || failed=1

if [ "$lint" = yes ]; then
  [ -n "$since" ] || since=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main)
  changed=$({ git diff --name-only --diff-filter=d "$since"; git ls-files --others --exclude-standard; } | sort -u |
    grep -E '^(app|core|widgets)/.*\.(cpp|h)$' || true)
  # A header is linted in its own source, else in the first one that includes it.
  files=$(for file in $changed; do
    case "$file" in
      *.cpp) echo "$file" ;;
      *) if [ -f "${file%.h}.cpp" ]; then echo "${file%.h}.cpp"; else
           git grep -lF "#include \"$file\"" -- 'app/*.cpp' 'core/*.cpp' 'widgets/*.cpp' | head -n 1
         fi ;;
    esac
  done | sort -u)
  [ -n "$files" ] || echo "check: nothing to lint since $(git rev-parse --short "$since")"
  if [ -n "$files" ]; then
    # Without precompiled headers, so that a missing include is an error here. Generated headers are needed.
    cmake --preset lint > /dev/null
    cmake --build build/lint --target autogen -- --quiet > /dev/null 2>&1 || true
    printf '%s\n' "$files" | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/lint --quiet --warnings-as-errors='*' 2>/dev/null ||
      complain "clang-tidy-19 has found something (see above)"
  fi
fi
[ "$failed" -eq 1 ] || echo "check: nothing found"
exit "$failed"
