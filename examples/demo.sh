#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the table: demo.sh BUILD [DATA]. Without DATA, problems of the same shapes are made from
# a fixed seed. Fails if any derivative is wrong.
set -u

build=$1
data=${2:-}
status=0

# One line of the table: the program, and its input.
row() {
  program=$1
  shift
  "$build/$program" "$@" || status=1
}

read_problems() {
  for file in "$data"/gmm/*.txt; do
    row gmm "$file"
  done
  for file in "$data"/ba/*.txt; do
    row ba "$file"
    row ba_found "$file"
  done
  for file in "$data"/hand/*.txt; do
    row hand "$file"
  done
  for file in "$data"/lstm/*.txt; do
    row lstm "$file"
  done
}

make_problems() {
  row gmm 2 5 1000
  row gmm 10 25 1000
  row gmm 10 50 10000
  row gmm 20 50 1000
  row gmm 64 25 1000
  row ba 49 7776 31843
  row ba 161 48126 182072
  row ba_found 49 7776 31843
  row ba_found 161 48126 182072
  row hand 100 26
  row hand 400 26
  row hand 1600 26
  row lstm 2 1024 14
  row lstm 4 4096 14
}

printf '%-28s %18s %10s %11s %14s %6s %8s\n' input objective 'max error' 'primal ms' \
  'derivative ms' ratio 'peak MB'
if [ -n "$data" ]; then
  read_problems
else
  make_problems
fi
exit $status
