#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the pictures of the manual's gallery: every panel and the whole window in both themes, from a sample campaign, with the
# screenshot command alone. They are made before a package is, and not kept in the repository.
#   packaging/gallery.sh [BUILD [FOLDER]]     (build/release and resources/docs/gallery)
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
folder=${2:-resources/docs/gallery}
size=1280x800
panels="lineage compare kernel machine-code plan charts roofline conversation findings knowledge prompts calibration spend history problem
  experiments activity"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp resources/samples/fp8-gemm-cpu.gks "$copy/sample.gks" # the copy is opened, and nobody's campaign is locked
mkdir -p "$folder"
draw() { # NAME THEME [ARGUMENTS...]
  picture="$folder/$1-$2.png"
  name=$1
  theme=$2
  shift 2
  QT_QPA_PLATFORM=offscreen "$build/bin/kernel-scientist" "$copy/sample.gks" --screenshot "$picture" --size "$size" --theme "$theme" "$@" 2> "$copy/errors" ||
    { cat "$copy/errors" >&2; echo "gallery: $name cannot be drawn" >&2; exit 3; }
}
for theme in dark light; do
  draw window "$theme"
  for panel in $panels; do
    draw "$panel" "$theme" --panel "$panel"
  done
done
echo "gallery: $(find "$folder" -name '*.png' | wc -l) pictures in $folder"
