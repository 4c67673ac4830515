#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints how many compilations may run at once: one a processor, each with 1.5 GiB of memory.
set -eu

processors=$(nproc)
by_memory=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo)
jobs=$processors
if [ "${by_memory:-1}" -lt "$jobs" ]; then
  jobs=${by_memory:-1}
fi
if [ "$jobs" -lt 1 ]; then
  jobs=1
fi
echo "$jobs"
