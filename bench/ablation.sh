#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints, for each switch of the engine, how much slower than by hand reverse mode is with it:
# ablation.sh BUILD KERNELS SWITCH...
set -eu

build=$1
kernels=$2
shift 2

printf '%-24s' 'reverse/hand'
for kernel in $kernels; do
  printf ' %9s %9s' "$kernel" '+restrict'
done
printf ' %9s %9s\n' 'mean' '+restrict'
"$build/bench" --row='as it is' $kernels
for switch in "$@"; do
  "$build/bench-$switch" --row="$switch" $kernels
done
