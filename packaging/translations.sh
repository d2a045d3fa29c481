#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The window in other languages: resources/translations/kernel-scientist_LANGUAGE.ts, one for each. Needs no network.
#   packaging/translations.sh                      every text without a translation: context, source, nothing; tabs between
#                                                  them, \n for a line break
#   packaging/translations.sh --fill de FILE.tsv   puts the translations of such a file, its third column, in their places;
#                                                  texts that left the source leave the file
#   packaging/translations.sh --check              fails when a text is missing, not translated, or has other placeholders
#                                                  (%1, %n), another mnemonic or another "..." at its end
set -eu
cd "$(dirname "$0")/.."
folder=resources/translations
texts() { # LANGUAGE FILE: what the source says now, with the translations of the language where they are known
  if [ -f "$folder/kernel-scientist_$1.ts" ]; then
    cp "$folder/kernel-scientist_$1.ts" "$2"
  fi
  # With the headers, for a text's context is its class with the namespace.
  "$lupdate" -silent -I . -locations none -no-obsolete -source-language en -target-language "$1" widgets app/workbench -ts "$2"
}

lupdate=""
for program in /usr/lib/qt6/bin/lupdate lupdate-qt6 lupdate6; do
  if [ -z "$lupdate" ] && command -v "$program" >/dev/null 2>&1; then
    lupdate=$program
  fi
done
if [ -z "$lupdate" ]; then
  echo "translations: Qt's lupdate is missing. Run packaging/setup.sh" >&2
  exit 3
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case "${1:-}" in
  "")
    for file in "$folder"/kernel-scientist_*.ts; do
      language=${file##*_}
      texts "${language%.ts}" "$work/fresh.ts"
      perl packaging/translations.pl missing "$work/fresh.ts"
    done
    ;;
  --fill)
    language=${2:?--fill needs a language, such as de}
    given=${3:?--fill needs a file}
    texts "$language" "$work/fresh.ts"
    perl packaging/translations.pl fill "$work/fresh.ts" "$given" > "$work/filled.ts"
    cp "$work/filled.ts" "$folder/kernel-scientist_$language.ts"
    ;;
  --check)
    failed=0
    for file in "$folder"/kernel-scientist_*.ts; do
      language=${file##*_}
      texts "${language%.ts}" "$work/fresh.ts"
      perl packaging/translations.pl check "$work/fresh.ts" "$file" || failed=1
    done
    exit "$failed"
    ;;
  *)
    echo "usage: packaging/translations.sh [--fill LANGUAGE FILE.tsv | --check]" >&2
    exit 2
    ;;
esac
