#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: package.sh FOLDER
#
# Makes packages of every version that is built, in FOLDER: nabla-N_*.deb of each and
# libnabla-dev_*.deb, which they share, and a tar that works wherever it is unpacked. The same
# builds give the same bytes: dates are that of the last commit, or SOURCE_DATE_EPOCH.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null ||
    date -r "$root/CHANGELOG.md" +%s)
fi
export SOURCE_DATE_EPOCH

make_debs() {
  (cd "$stage" && cpack --config "$1/CPackConfig.cmake" -B "$stage/debs" >"$stage/log") ||
    { cat "$stage/log" && exit 1; }
}

# Both versions in one folder, whose name is the version of nabla.
make_tar() {
  name=nabla-$(sed -n 's/.*VERSION_STRING "\(.*\)".*/\1/p' "$root/include/nabla/version.h")
  "$root/tools/install.sh" "/$name" "$stage/tar" >/dev/null
  rm "$stage/tar/$name/share/nabla/manifest.txt"
  tar -C "$stage/tar" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=u-w \
    --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
    gzip -n -9 >"$folder/$name-linux-$(uname -m).tar.gz"
}

found=no
for build in "$root"/build/llvm-*; do
  if [ -e "$build/nabla.so" ]; then
    found=yes
    make_debs "$build"
  fi
done
if [ "$found" = no ]; then
  echo "package: nothing is built: run make first"
  exit 2
fi
cp "$stage"/debs/*.deb "$folder"
make_tar
echo "package: $(ls "$folder" | wc -l) files in $folder"
