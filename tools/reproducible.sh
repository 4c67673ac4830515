#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: reproducible.sh VERSION JOBS
#
# Builds the plugin from a copy of the source in another folder, and fails unless it has the same
# bytes as build/llvm-VERSION/nabla.so.
set -eu

version=$1
jobs=$2
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/llvm-$version
llvm_dir=$(sed -n 's/^LLVM_DIR:[A-Z]*=//p' "$build/CMakeCache.txt")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

mkdir "$copy/elsewhere"
tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$copy/elsewhere" -xf -
cmake -S "$copy/elsewhere" -B "$copy/other-build" -G Ninja -DLLVM_DIR="$llvm_dir" >/dev/null
cmake --build "$copy/other-build" -j "$jobs" --target nabla.so >/dev/null
if ! cmp "$build/nabla.so" "$copy/other-build/nabla.so"; then
  echo "reproducible: LLVM $version: another folder gives another nabla.so"
  exit 1
fi
echo "reproducible: LLVM $version: another folder gives the same nabla.so"
