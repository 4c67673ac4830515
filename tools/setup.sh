#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: setup.sh [--all]
#
# Installs the Debian packages that building and testing nabla needs and that are missing.
# Calls apt only when something is missing, and says what. Without root it prints the apt line
# and exits with 2. What some tests alone need is installed where the system offers it: compilers of
# other languages and libraries; with --all also large programs that few tests run, which are named
# else. On a system without dpkg it leaves the tools to the user.
set -eu

packages_of_version() {
  echo "clang-$1 llvm-$1-dev llvm-$1-tools lld-$1 libclang-rt-$1-dev libclang-$1-dev"
}

packages_of_every_build() {
  echo "cmake ninja-build python3 libc6-dev libstdc++-12-dev libcmocka-dev libopenblas-dev"
  echo "clang-format-22"
}

# For other languages than C and C++, libraries whose functions have rows, and libraries of
# templates: tests are skipped where a system does not offer these.
packages_of_some_tests() {
  echo "flang-22 rustc-web ldc python3-numpy libgsl-dev libcerf-dev libeigen3-dev"
  echo "libboost-dev libmpfr-dev"
}

# A browser for reports, a debugger, a profiler, PyTorch, the report of the rules, and what packages
# and builds are tried with.
packages_of_few_tests() {
  echo "chromium gdb valgrind python3-torch python3-mpmath mmdebstrap clangd-22 automake pkg-config"
}

is_installed() {
  status=$(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null || true)
  echo "$status" | grep -qx installed
}

is_offered() {
  [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]
}

missing_packages() {
  for package in $(packages_of_every_build) $(packages_of_version 22) $(packages_of_version 19); do
    is_installed "$package" || printf ' %s' "$package"
  done
}

# usage: missing_of PACKAGE...: those that the system offers.
missing_of() {
  for package in "$@"; do
    is_installed "$package" || ! is_offered "$package" || printf ' %s' "$package"
  done
}

# Packages that must be there, and that no source of the system has.
refuse_unoffered() {
  unoffered=
  for package in "$@"; do
    is_offered "$package" || unoffered="$unoffered $package"
  done
  if [ -n "$unoffered" ]; then
    echo "setup: the sources of this system (/etc/apt) do not have:$unoffered"
    echo "setup: Debian 12 has LLVM 22 among its security updates (bookworm-security)"
    exit 2
  fi
}

# What --all would install is only named without it, and only where a person reads it.
offer() {
  # shellcheck disable=SC2046
  offered=$(missing_of $(packages_of_few_tests))
  if [ -n "$offered" ] && [ -t 1 ]; then
    echo "setup: a few tests are skipped without these (make setup-all):$offered"
  fi
}

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not a Debian system: see tools/setup.sh for the tools that nabla needs"
  exit 0
fi

missing=$(missing_packages)
if [ -n "$missing" ] && [ "$(id -u)" -eq 0 ]; then
  apt-get update -q
  # shellcheck disable=SC2086
  refuse_unoffered $missing
fi
# shellcheck disable=SC2046
missing=$missing$(missing_of $(packages_of_some_tests))
if [ "${1:-}" = --all ]; then
  # shellcheck disable=SC2046
  missing=$missing$(missing_of $(packages_of_few_tests))
else
  offer
fi
if [ -z "$missing" ]; then
  exit 0
fi
echo "setup: missing packages:$missing"
if [ "$(id -u)" -ne 0 ]; then
  echo "setup: run this as root, then try again:"
  echo "  apt-get update && apt-get install -y --no-install-recommends$missing"
  exit 2
fi
# The list is split into words on purpose: it is one package a word.
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
