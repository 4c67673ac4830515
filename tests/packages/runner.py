#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the packages of what is built, and uses them as users would.

    runner.py [--clean-root]

The packages have the same bytes twice; the tar works in a folder whose name has a space; with
--clean-root the Debian packages are installed, used and removed in a fresh system that mmdebstrap
makes, which is skipped where mmdebstrap is missing or can make none. What use.sh has no program for
is skipped. The last line is "N passed, S skipped, M failed".
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSIONS = ("22", "19")
SECONDS = 1800
RELEASE = "bookworm"
READY = "clean root: ready"
SOURCES = (Path("/etc/apt/sources.list.d/debian.sources"), Path("/etc/apt/sources.list"))


class Failure(Exception):
    """What a program printed."""


class Missing(Exception):
    """Why a test cannot run here."""


def run(command, folder, **environment):
    """Returns what a program printed."""
    done = subprocess.run([str(word) for word in command], cwd=folder, check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
                          stderr=subprocess.STDOUT, timeout=SECONDS,
                          env=dict(os.environ, **environment))
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def make(folder):
    """Makes the packages in a folder."""
    return run([ROOT / "tools/package.sh", folder], ROOT)


def files_of(folder):
    """Returns the packages in a folder, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_same_bytes(folder):
    """Two packagings of one build are the same."""
    make(folder / "again")
    first, second = files_of(folder / "packages"), files_of(folder / "again")
    different = [name for name in first if first[name] != second.get(name)]
    if different or len(first) < 3:
        raise Failure(f"not the same twice: {different or list(first)}")


def test_tar(folder):
    """The tar is used where it is unpacked."""
    place = folder / "some where"
    place.mkdir()
    tar = next((folder / "packages").glob("*.tar.gz"))
    run(["tar", "-xzf", tar, "-C", place], folder)
    prefix = next(place.iterdir())
    version = next(number for number in VERSIONS if (prefix / f"lib/nabla/llvm-{number}").exists())
    work = folder / "work"
    work.mkdir()
    return run([HERE / "use.sh", version, prefix, HERE / "consumer"], work,
               PATH=f"{prefix}/bin:{os.environ['PATH']}")


def test_clean_root(folder):
    """The Debian packages are installed, used and removed in a fresh system."""
    sources = next((path for path in SOURCES if path.exists()), None)
    if not shutil.which("mmdebstrap") or os.geteuid() or not sources:
        raise Missing("mmdebstrap is not installed, or this is not root on Debian")
    if len(list((folder / "packages").glob("*.deb"))) < 3:
        raise Missing("nabla is not built for both versions of LLVM")
    hooks = [f"copy-in {folder}/packages /srv", f"copy-in {HERE} /opt",
             'chroot "$1" /opt/packages/clean_root.sh /srv/packages /opt/packages']
    command = ["mmdebstrap", "--variant=apt", *(f"--customize-hook={hook}" for hook in hooks),
               RELEASE, "/dev/null", sources]
    try:
        said = run(command, folder)
    except Failure as reason:
        if READY in str(reason):
            raise
        raise Missing(f"there is no fresh system: {str(reason).splitlines()[-1]}") from None
    print("".join(line for line in said.splitlines(True) if line.startswith("used: ")), end="")
    return said


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clean-root", action="store_true")
    arguments = parser.parse_args()
    tests = [test_same_bytes, test_tar] + [test_clean_root] * arguments.clean_root
    counts = {"passed": 0, "skipped": 0, "failed": 0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder / "packages")
        for test in tests:
            try:
                said = test(folder) or ""
                unused = [line for line in said.splitlines() if line.startswith("not used: ")]
                print("\n".join(unused), end="\n" * bool(unused))
                counts["skipped"] += len(unused)
                counts["passed"] += 1
            except Missing as reason:
                print(f"skipped: {test.__name__}: {reason}")
                counts["skipped"] += 1
            except Failure as reason:
                print(f"FAIL: {test.__name__}: {reason}")
                counts["failed"] += 1
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
