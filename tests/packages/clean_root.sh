#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: clean_root.sh PACKAGES TESTS
#
# Inside a fresh Debian that has nothing of nabla: installs the packages from the folder PACKAGES,
# uses them, changes between the versions, and removes them. TESTS is this folder.
set -eu

packages=$1
tests=$2

install_them() {
  apt-get install -q -y --no-install-recommends "$packages"/*.deb lld-22 lld-19 llvm-22 llvm-19 \
    clangd-22 clangd-19 cmake make pkg-config libc6-dev automake zsh fish bash-completion
  update-alternatives --query nabla
}

use_version() {
  mkdir "/tmp/$1"
  (cd "/tmp/$1" && "$tests/use.sh" "$1" /usr "$tests/consumer")
}

# Each shell finds what completes a command of nabla's by itself.
use_completion() {
  zsh -fc 'autoload -Uz compinit && compinit -D && test "${_comps[nabla-cc]}" = _nabla'
  bash -c '. /usr/share/bash-completion/bash_completion && __load_completion nabla-cc &&
    complete -p nabla-cc'
  fish -c 'complete -C "nabla-cc --llv"' | grep -q -e --llvm=22
  echo "used: completion"
}

# usage: expect_version VERSION: nabla cc runs the clang of that version, and pkg-config names its
# plugin.
expect_version() {
  nabla cc --version | grep -q "clang version $1\."
  pkg-config --cflags nabla | grep -q "/usr/lib/nabla/llvm-$1/nabla.so"
  echo "used: nabla of LLVM $1"
}

change_version() {
  expect_version 22
  update-alternatives --set nabla /usr/lib/nabla/llvm-19/bin/nabla
  expect_version 19
  test "$(readlink -f /usr/bin/nabla-c++)" = /usr/lib/nabla/llvm-19/bin/nabla-c++
  apt-get remove -q -y nabla-19
  expect_version 22
  apt-get install -q -y --no-install-recommends "$packages"/nabla-19_*.deb
  apt-get remove -q -y nabla-22
  expect_version 19
}

# Nothing is left of them.
remove_them() {
  apt-get purge -q -y nabla-22 nabla-19 libnabla-dev
  test -z "$(find /usr /etc -path '*nabla*')"
  echo "used: removed without a trace"
}

echo "clean root: ready"
install_them
use_version 22
use_version 19
use_completion
change_version
remove_them
