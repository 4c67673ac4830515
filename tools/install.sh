#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: install.sh PREFIX DESTDIR
#
# Installs every version that is built under DESTDIR/PREFIX, and writes each file and each folder
# that it made into a manifest there, from which uninstall.sh works.
set -eu

prefix=$1
destination=$2
root=$(cd "$(dirname "$0")/.." && pwd)
target=$destination$prefix
manifest=$target/share/nabla/manifest.txt
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# CMake would take a file for one that is there if both are of about the same time.
stage_builds() {
  for build in "$root"/build/llvm-*; do
    if [ -e "$build/nabla.so" ]; then
      DESTDIR=$stage CMAKE_INSTALL_ALWAYS=1 cmake --install "$build" --prefix "$prefix" >/dev/null
    fi
  done
}

# Makes a folder and those above it that are missing, and notes each one.
make_folder() {
  if [ -d "$1" ]; then
    return
  fi
  make_folder "$(dirname "$1")"
  mkdir "$1"
  case $1/ in
    "$target"/*) echo "folder .${1#"$target"}" ;;
    *) echo "folder ${1#"$destination"}" ;;
  esac >>"$stage/manifest"
}

install_file() {
  make_folder "$(dirname "$target/$1")"
  cp "$stage$prefix/$1" "$target/$1"
  echo "file $1" >>"$stage/manifest"
}

case $prefix in
  /*) ;;
  *) echo "install: PREFIX must be an absolute path" && exit 2 ;;
esac
stage_builds
if [ ! -d "$stage$prefix" ]; then
  echo "install: nothing is built: run make first"
  exit 2
fi
: >"$stage/manifest"
if [ -e "$manifest" ]; then
  "$root/tools/uninstall.sh" "$prefix" "$destination"
fi
(cd "$stage$prefix" && find . -type f | sed 's|^\./||' | sort) >"$stage/files"
while read -r file; do
  install_file "$file"
done <"$stage/files"
make_folder "$(dirname "$manifest")"
cp "$stage/manifest" "$manifest"
echo "install: $(wc -l <"$stage/files") files in $target"
