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

# The files of a folder of the data, each a line for each program.
rows_of() {
  folder=$1
  shift
  for file in "$data/$folder"/*.txt; do
    [ -f "$file" ] || continue
    for program in "$@"; do
      row "$program" "$file"
    done
  done
}

read_problems() {
  rows_of gmm gmm
  rows_of ba ba ba_found
  rows_of hand hand
  rows_of lstm lstm
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

if [ -n "$data" ] && ! ls "$data"/gmm/*.txt "$data"/ba/*.txt "$data"/hand/*.txt \
  "$data"/lstm/*.txt 2>/dev/null | grep -q .; then
  echo "demo: '$data' has no files gmm/*.txt, ba/*.txt, hand/*.txt or lstm/*.txt" >&2
  exit 2
fi
printf '%-28s %18s %10s %11s %14s %6s %8s\n' input objective 'max error' 'primal ms' \
  'derivative ms' ratio 'peak MB'
if [ -n "$data" ]; then
  read_problems
else
  make_problems
fi
exit $status
