# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's configuration: tools/check.py gives the build folder, the LLVM prefix and the version."""

import os
import shutil
import subprocess
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = lit_config.params["build"]
prefix = lit_config.params["llvm_prefix"]
plugin = os.path.join(build, "nabla.so")

config.name = "nabla"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(root, "tests")
config.test_exec_root = os.path.join(build, "tests")
config.environment["PATH"] = os.path.join(prefix, "bin") + ":" + os.environ["PATH"]
config.available_features.add("llvm-" + lit_config.params["llvm"])

# A browser looks at pages where there is one; elsewhere such tests count as skipped. It may hang
# on a machine that is busy.
chromium = shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
    browser = f"timeout 120 {chromium} --headless --no-sandbox --disable-gpu"
    config.substitutions.append(("%chromium", browser))

if shutil.which("flang-" + lit_config.params["llvm"]):
    config.available_features.add("flang")

for tool in ("fish", "gdb", "valgrind", "zsh"):
    if shutil.which(tool):
        config.available_features.add(tool)

# Formats longer than a double, where MPFR was there when nabla was built.
longer = os.path.join(build, "libnabla-mpfr.a")
if os.path.exists(longer):
    config.available_features.add("mpfr")
    config.substitutions.append(("%mpfr", longer + " -lmpfr -lgmp"))


# As a user who must not read everything: root becomes one where it can.
unprivileged = "env" if os.geteuid() else shutil.which("setpriv")
if unprivileged:
    config.available_features.add("unprivileged")
    if not os.geteuid():
        unprivileged += " --reuid=65534 --regid=65534 --clear-groups"
    config.substitutions.append(("%unprivileged", unprivileged))

# The plugin for the other LLVM, where it is built beside this one.
others = {"22": "19", "19": "22"}
foreign = os.path.join(os.path.dirname(build), "llvm-" + others[lit_config.params["llvm"]],
                       "nabla.so")
if os.path.exists(foreign):
    config.available_features.add("foreign")
    config.substitutions.append(("%foreign", foreign))

# A name that begins another one's comes after it.
config.substitutions += [
    ("%nabla-cc", os.path.join(build, "nabla-cc") + " --llvm=" + lit_config.params["llvm"]),
    ("%driver", os.path.join(build, "nabla")),
    ("%nabla", plugin),
    ("%opt", "opt -load-pass-plugin=" + plugin),
    ("%clang", "clang -fplugin=" + plugin + " -fpass-plugin=" + plugin),
    ("%include", os.path.join(root, "include")),
    ("%rulec", os.path.join(build, "nabla-rulec")),
    ("%llvm", lit_config.params["llvm"]),
    ("%src", root),
    ("%python", sys.executable),
    ("%each-level", sys.executable + " " + os.path.join(root, "tests/ll/Inputs/levels.py")),
]
