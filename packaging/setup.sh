#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian packages that are missing, and nothing else. Asks for root only when something is missing.
#   packaging/setup.sh            what building and running needs
#   packaging/setup.sh --tests    and what the tests need
#   packaging/setup.sh --servers  sshd and Slurm alone, which the tests of remote lanes start for themselves; where services start with their
#                                 package, sshd then listens as everywhere
#   packaging/setup.sh --fuzz     and what the fuzzers need beside that
#   packaging/setup.sh --checks   only what packaging/check.sh needs
set -eu

build="g++ cmake ninja-build pkg-config
  qt6-base-dev qt6-charts-dev libqt6opengl6-dev libqscintilla2-qt6-dev qt6-svg-dev qt6-l10n-tools qtkeychain-qt6-dev qt6-qpa-plugins fonts-dejavu-core
  libcurl4-openssl-dev libssl-dev libsqlite3-dev nlohmann-json3-dev libtomlplusplus-dev
  libkainjow-mustache-dev libmuparser-dev libgit2-dev libfmt-dev libzstd-dev libxml2-dev libseccomp-dev libyaml-dev libexpected-dev llvm-19-dev"
run="clang-19 llvm-19 lld-19 qt6-translations-l10n libamdhip64-dev rocm-device-libs bubblewrap poppler-utils"
tests="nodejs npm git dbus-daemon gnome-keyring libsecret-1-0 sqlite3 librocprim-dev librocrand-dev libhiprand-dev"
servers="openssh-client openssh-server slurm-wlm"
fuzz="libclang-rt-19-dev"
checks="git cmake clang-format-19 clang-tidy-19"

wanted="$build $run"
case "${1:-}" in
  "") ;;
  --tests) wanted="$wanted $tests" ;;
  --fuzz) wanted="$wanted $tests $fuzz" ;;
  --servers) wanted="$servers" ;;
  --checks) wanted="$checks" ;;
  *)
    echo "usage: packaging/setup.sh [--tests | --servers | --fuzz | --checks]" >&2
    exit 2
    ;;
esac

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: this is not a Debian or Ubuntu system. Install the equivalents of:" >&2
  echo $wanted >&2
  exit 3
fi

missing=""
for package in $wanted; do
  case "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" in
    installed) ;;
    *) missing="$missing $package" ;;
  esac
done
# nodejs from elsewhere brings its own npm without Debian's package of that name.
if command -v npm >/dev/null 2>&1; then
  missing=$(printf '%s' "$missing" | sed -e 's/ nodejs\b//' -e 's/ npm\b//')
fi
if [ -z "$missing" ]; then
  exit 0
fi

echo "setup: installing the Debian packages$missing"
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1; then
  as_root="sudo"
else
  echo "setup: root is needed for that and there is no sudo. As root run:" >&2
  echo "  apt-get install --no-install-recommends$missing" >&2
  exit 3
fi
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
