# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What clang's own tools check: the layout, and that each header compiles alone, but those that say
that nothing is there."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

FORMAT = "clang-format-22"
COMPILER = "clang-22"
LLVM_INCLUDE = "/usr/lib/llvm-22/include"
MESSAGE = re.compile(r"^(.+?):(\d+):\d+: (?:fatal )?(?:error|warning): (.*)$", re.MULTILINE)
CPLUSPLUS = re.compile(r'^\s*#\s*include\s+["<]llvm/|^(namespace|class|template)\b', re.MULTILINE)
REFUSED = re.compile(r"\*/\n#error ")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]


def findings_of(root, source, command):
    """Runs a command on one file and returns what it says of it, one finding a line."""
    result = subprocess.run(command, check=False, capture_output=True, text=True, cwd=root)
    if result.returncode == 0:
        return []
    said = {int(line): message for _, line, message in MESSAGE.findall(result.stderr)}
    if not said:
        return [source.finding(1, result.stderr.strip().splitlines()[0])]
    return [source.finding(line, message) for line, message in said.items()]


def check_format(root, source):
    """The layout of one file."""
    return findings_of(root, source, [FORMAT, "--dry-run", "-Werror", source.name])


def languages(source):
    """Returns the languages that a header is for: ours for users is for both, unless it is .hpp."""
    if source.path.suffix == ".hpp" or CPLUSPLUS.search(source.text):
        return (["-xc++", "-std=c++17", "-fno-rtti", "-fno-exceptions"],)
    if source.is_under("include"):
        return (["-xc", "-std=c17"], ["-xc++", "-std=c++17"])
    return (["-xc", "-std=c17"],)


def check_header(root, source):
    """That one header needs no other before it. It is included, so that `#pragma once` is fine."""
    findings = []
    for language in languages(source):
        command = [COMPILER, "-fsyntax-only", *language, *WARNINGS, "-Isrc", "-Iinclude",
                   "-Iruntime", "-isystem", LLVM_INCLUDE, "-include", source.name, "/dev/null"]
        findings += findings_of(root, source, command)
    return findings


def check(sources, root, jobs):
    """Returns all findings of this module."""
    suffixes = (".c", ".h", ".inc", ".cpp", ".hpp")
    written = [source for source in sources if source.path.suffix in suffixes]
    written = [source for source in written if not source.is_under("tests/ll")]
    headers = [source for source in written if source.path.suffix in (".h", ".hpp")]
    headers = [source for source in headers if not source.is_under("tests", "examples")
               and not REFUSED.search(source.text)]
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda source: check_format(root, source), written))
        results += pool.map(lambda source: check_header(root, source), headers)
    return [finding for result in results for finding in result]
