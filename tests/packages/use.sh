#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: use.sh VERSION PREFIX CONSUMER
#
# Uses an installed nabla in an empty folder, as users would: the driver, rules, the plugin alone,
# CMake's package, in place of the compiler in CMake and autotools, clangd, pkg-config. Says
# `used: ...` for each way, or `not used: ...` where its program is not installed; ends at the first
# that fails. The compilers of this version of LLVM and nabla's programs are on PATH.
set -eu

version=$1
prefix=$2
consumer=$3

use_driver() {
  nabla doctor | tail -n 1
  nabla cc --llvm="$version" -O2 "$consumer/alone.c" -o alone
  ./alone
  nabla-c++ --llvm="$version" -O2 "$consumer/object.cpp" -o object
  ./object
  nabla cc --llvm="$version" -O2 -flto "$consumer/other.c" "$consumer/together.c" -o together
  ./together
  nabla rules sin | head -n 1
  nabla explain --llvm="$version" -O2 "$consumer/alone.c" -o report.html
  test -s report.html
  echo "used: the driver"
}

# Rules of the user's own, tested with what is installed for that.
use_rules() {
  nabla-rulec --tests rows.c "$consumer/closed.rules"
  nabla cc --llvm="$version" -O1 -w "-nabla-rules=$consumer/closed.rules" \
    "-I$prefix/share/nabla/ruletest" rows.c "$consumer/closed.c" \
    "$prefix/share/nabla/ruletest/standins.c" -lm -o rows
  ./rows
  echo "used: rules"
}

# Clang's flags alone: headers are found without the driver, too.
use_plugin() {
  plugin=$prefix/lib/nabla/llvm-$version/nabla.so
  "clang++-$version" -O2 "-fplugin=$plugin" "-fpass-plugin=$plugin" "$consumer/object.cpp" \
    -o plugged
  ./plugged
  echo "used: the plugin"
}

# usage: use_cmake NAME ARGUMENT...
use_cmake() {
  name=$1
  shift
  cmake -S "$consumer" -B "$name" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release "$@" \
    >"$name.log" 2>&1 || { cat "$name.log" && exit 1; }
  cmake --build "$name" >"$name.log" 2>&1 || { cat "$name.log" && exit 1; }
  (cd "$name" && ctest --output-on-failure) >"$name.log" 2>&1 || { cat "$name.log" && exit 1; }
  grep "tests passed" "$name.log"
  echo "used: $name"
}

# In the place of the compiler, for a project that knows nothing of nabla.
use_in_place() {
  set -- -DCMAKE_C_COMPILER=nabla-cc -DCMAKE_CXX_COMPILER=nabla-c++ \
    "-DCMAKE_C_FLAGS=--llvm=$version" "-DCMAKE_CXX_FLAGS=--llvm=$version"
  if command -v "flang-$version" >/dev/null; then
    set -- "$@" "-DLANGUAGES=C;CXX;Fortran" -DCMAKE_Fortran_COMPILER=nabla-fc \
      "-DCMAKE_Fortran_FLAGS=--llvm=$version"
  fi
  cp -R "$consumer" project
  consumer=project/in_place use_cmake in_place "$@"
}

# clangd reads what CMake has written, and asks nabla-cc where its headers are. It must be told
# which options are nabla's.
use_clangd() {
  printf 'CompileFlags:\n  Remove: [--llvm=*, -nabla-*]\n' >project/.clangd
  "clangd-$version" --query-driver="$prefix/bin/nabla-*" --compile-commands-dir=in_place \
    --check=project/alone.c >clangd.log 2>&1 || { cat clangd.log && exit 1; }
  echo "used: clangd"
}

# A project of autoconf and automake.
use_configure() {
  mkdir configured
  cp "$consumer"/configured/* "$consumer/alone.c" "$consumer/object.cpp" configured
  (cd configured && autoreconf -i && ./configure CC="nabla-cc --llvm=$version" \
    CXX="nabla-c++ --llvm=$version" && make check) >configured.log 2>&1 ||
    { cat configured.log && exit 1; }
  grep "# PASS: *2" configured.log
  echo "used: configure"
}

# The flags have what the shell must not split behind backslashes.
use_pkg_config() {
  PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  export PKG_CONFIG_PATH
  flags=$(pkg-config "--define-variable=llvm=$version" --cflags nabla)
  late=$(pkg-config "--define-variable=llvm=$version" --variable=lto_libs nabla)
  eval "clang-$version -O2 $flags \"\$consumer/alone.c\" -o packaged"
  ./packaged
  eval "clang-$version -O2 -flto $flags \"\$consumer/other.c\" \"\$consumer/together.c\" $late \
    -o linked"
  ./linked
  echo "used: pkg-config"
}

# usage: if_there PROGRAM FUNCTION: calls the function where the program is installed.
if_there() {
  if command -v "$1" >/dev/null; then
    "$2"
  else
    echo "not used: $1 is not installed"
  fi
}

use_cmake_package() {
  use_cmake cmake "-DCMAKE_C_COMPILER=clang-$version" "-DCMAKE_CXX_COMPILER=clang++-$version"
  if command -v "flang-$version" >/dev/null; then
    use_cmake cmake-fortran "-DCMAKE_C_COMPILER=clang-$version" "-DLANGUAGES=C;CXX;Fortran" \
      "-DCMAKE_CXX_COMPILER=clang++-$version" "-DCMAKE_Fortran_COMPILER=flang-$version"
  fi
  use_in_place
  if_there "clangd-$version" use_clangd
}

use_driver
use_rules
use_plugin
if_there cmake use_cmake_package
if_there autoreconf use_configure
if_there pkg-config use_pkg_config
