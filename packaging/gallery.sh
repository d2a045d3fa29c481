#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the pictures of the manual's gallery: ten of the whole window at work, and every panel in both themes, from the sample
# campaigns, with the screenshot command alone. They are made before a package is, and not kept in the repository.
#   packaging/gallery.sh [BUILD [FOLDER]]     (build/release and resources/docs/gallery)
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
folder=${2:-resources/docs/gallery}
size=1280x800
scene_size=1600x1000
panels="lineage compare kernel machine-code plan charts roofline conversation findings knowledge prompts calibration spend history problem
  experiments activity"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp resources/samples/*.gks "$copy" # the copies are opened, and nobody's campaign is locked
mkdir -p "$folder"
draw() { # NAME THEME SAMPLE SIZE [ARGUMENTS...]
  picture="$folder/$1-$2.png"
  name=$1
  theme=$2
  sample=$3
  extent=$4
  shift 4
  QT_QPA_PLATFORM=offscreen "$build/bin/kernel-scientist" "$copy/$sample.gks" --screenshot "$picture" --size "$extent" --theme "$theme" "$@" 2> "$copy/errors" ||
    { cat "$copy/errors" >&2; echo "gallery: $name cannot be drawn" >&2; exit 3; }
}
scene() { # NAME THEME SAMPLE PANEL: the window with that page in front
  draw "$1" "$2" "$3" "$scene_size" --panel "$4" --whole
}
scene scene-compare dark fp8-gemm-h200 compare
scene scene-kernel light attention-forward-h200 kernel
scene scene-machine-code dark fp8-gemm-cpu machine-code
scene scene-charts light fp8-gemm-h200 charts
scene scene-roofline dark fp8-gemm-h200 roofline
scene scene-conversation light fp8-gemm-h200 conversation
scene scene-prompts dark attention-forward-h200 prompts
scene scene-findings light fp8-gemm-h200 findings
scene scene-calibration dark fp8-gemm-h200 calibration
scene scene-history light fp8-gemm-h200 history
for theme in dark light; do
  draw window "$theme" fp8-gemm-cpu "$size"
  for panel in $panels; do
    draw "$panel" "$theme" fp8-gemm-cpu "$size" --panel "$panel"
  done
done
echo "gallery: $(find "$folder" -name '*.png' | wc -l) pictures in $folder"
