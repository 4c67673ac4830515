#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: uninstall.sh PREFIX DESTDIR
#
# Removes the files that install.sh wrote, and the folders that it made and that are now empty.
set -eu

prefix=$1
destination=$2
manifest=$destination$1/share/nabla/manifest.txt

if [ ! -e "$manifest" ]; then
  echo "uninstall: no manifest $manifest"
  exit 2
fi
# Names are those in the prefix, which may have been moved, but for folders above it.
place_of() {
  case $1 in
    .) echo "$destination$prefix" ;;
    /*) echo "$destination$1" ;;
    *) echo "$destination$prefix/$1" ;;
  esac
}

list=$(mktemp)
trap 'rm -f "$list"' EXIT
cp "$manifest" "$list"

sed -n 's/^file //p' "$list" | while read -r file; do
  rm -f "$(place_of "$file")"
done
rm -f "$manifest"
{
  sed -n 's/^folder \././p' "$list" | sort -r
  sed -n 's|^folder /|/|p' "$list" | sort -r
} | while read -r folder; do
  rmdir "$(place_of "$folder")" 2>/dev/null || true
done
echo "uninstall: removed nabla from $destination$1"
