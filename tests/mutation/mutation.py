#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the random programs find bugs? Plants those of mutants.txt and counts the programs it takes.

    mutation.py [-j 2] [--seeds 2000] [--only NAME] [--out build/mutation] [--write FILE]
    mutation.py --plantable

Each bug is planted in a copy of the tree, which is built for LLVM 22; then random programs run (at
the levels that their seeds say) until one fails: a wrong value, a crash, a leak. That program must
pass with the tree as it is. A bug that no longer applies, does not compile, or is found by none of
the programs is a failure, and so is one that only leads to refusals. --plantable only asks which
still apply.

The last line is "N passed, N failed".
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "fuzz"))

import batch as batches  # noqa: E402
from generate import BATCH  # noqa: E402
from report import write_between  # noqa: E402

VERSION = "22"
TARGET = "nabla.so"
COPIED = ["CMakeLists.txt", "cmake", "src", "models", "rules", "runtime", "include", "driver",
          "tools", "tests/fuzz/rules.c"]
PROGRAM_LEVELS = (5, 4, 3, 2)


class Unusable(Exception):
    """A bug that cannot be planted; the text says why."""


@dataclass
class Mutant:
    """A bug: its name, what it does, and the change of one file."""

    name: str
    what: str
    file: str
    old: list
    new: list


def read_mutants(text):
    """All bugs of the list."""
    mutants = []
    for stanza in re.split(r"\n\n+", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip()):
        head, file, *changes = stanza.split("\n")
        name, what = head.split(": ", 1)
        mutant = Mutant(name, what, file, [], [])
        for line in changes:
            (mutant.old if line[0] == "-" else mutant.new).append(line[1:].strip())
        mutants.append(mutant)
    return mutants


def find(mutant, text):
    """Where the old text, whatever its spaces, stands once."""
    words = [re.escape(word) for word in " ".join(mutant.old).split()]
    found = list(re.finditer(r"\s+".join(words), text))
    if len(found) != 1:
        raise Unusable(f"its text stands {len(found)} times in {mutant.file}")
    return found[0].span()


def plant(mutant, tree):
    """Changes the file; returns what it held."""
    file = tree / mutant.file
    text = file.read_text()
    start, end = find(mutant, text)
    file.write_text(text[:start] + "\n".join(mutant.new) + text[end:])
    return text


def run_quietly(command, tree):
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, errors="replace",
                          check=False)
    return done.returncode == 0, done.stdout + done.stderr


def copy_tree(tree):
    """A copy of what the plugin is built from, configured like the tree itself."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tree / name)
    (tree / "tests" / "CMakeLists.txt").write_text("")
    command = ["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DNABLA_WERROR=OFF",
               f"-DLLVM_DIR=/usr/lib/llvm-{VERSION}/lib/cmake/llvm"]
    good, text = run_quietly(command, tree)
    if not good:
        sys.exit(text)


def build(tree, jobs):
    good, text = run_quietly(["cmake", "--build", "build", "-j", str(jobs), "--target", TARGET],
                             tree)
    if not good:
        raise Unusable("it does not compile:\n" + text[-2000:])


def bad_seeds(seeds, level, plugin, folder, references):
    """The seeds of one batch that fail with a plugin, at their configurations of VERSION; each as
    (seed, configuration, what is wrong)."""
    batch, _ = batches.make_batch(seeds, level)
    bad = []
    for setting in batches.configurations(seeds[0] // BATCH, {VERSION: plugin}, folder):
        key = (level, seeds[0], setting.real)
        if key not in references:
            references[key] = batches.build_reference(batch, setting, f"reference_{level}")
        work = batches.judge_batch(batch, setting, references[key])
        bad += [(seed, setting.named(), f"{verdict.kind}: {verdict.detail}")
                for seed, verdict in sorted(work.verdicts.items())
                if verdict.kind in ("wrong", "crashed")]
    return bad


def hunt(limit, plugins, folder, references):
    """The number of programs until one fails with the bug and passes without; what it was."""
    tried = 0
    for number in range(0, limit // len(PROGRAM_LEVELS), BATCH):
        seeds = list(range(number, number + BATCH))
        for level in PROGRAM_LEVELS:
            bad = bad_seeds(seeds, level, plugins["planted"], folder, references)
            old = bad and bad_seeds(seeds, level, plugins["clean"], folder, references)
            news = [item for item in bad if item[:2] not in {known[:2] for known in old}]
            if news:
                seed, named, detail = news[0]
                return tried + seed - number + 1, f"level {level} seed {seed} {named}, {detail}"
            tried += BATCH
    return None, ""


def judge(mutant, given, plugins, references):
    """The number of programs that it took, None where no one found it; one line is printed."""
    try:
        before = plant(mutant, given.out / "tree")
    except Unusable as problem:
        print(f"{mutant.name:26} CANNOT BE PLANTED: {problem}", flush=True)
        return None
    try:
        build(given.out / "tree", given.jobs)
        count, detail = hunt(given.seeds, plugins, given.out, references)
        verdict = f"{count:5}  {detail[:110]}" if count else "NOT FOUND"
    except Unusable as problem:
        count, verdict = None, f"CANNOT BE BUILT: {problem}"
    (given.out / "tree" / mutant.file).write_text(before)
    print(f"{mutant.name:26} {verdict}", flush=True)
    return count


def count_plantable(mutants):
    """How many bugs still apply to the tree."""
    count = 0
    for mutant in mutants:
        try:
            find(mutant, (ROOT / mutant.file).read_text())
            count += 1
        except Unusable as problem:
            print(f"{mutant.name:26} CANNOT BE PLANTED: {problem}")
    return count


def write_page(given, counts):
    """Puts the table into a page."""
    lines = [f"Each bug was given {given.seeds} programs at most.", "",
             "| bug | programs until it was found |", "|---|--:|"]
    lines += [f"| {mutant.what} | {count or 'not found'} |" for mutant, count in counts]
    write_between(given.write, "mutation", f"make mutation WRITE={given.write.name}", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=2000, help="programs for each bug at most")
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "mutation")
    parser.add_argument("--write", type=pathlib.Path, help="a page that gets the table")
    parser.add_argument("--plantable", action="store_true")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    given = parser.parse_args()
    mutants = [mutant for mutant in read_mutants((HERE / "mutants.txt").read_text())
               if given.only in mutant.name]
    if given.plantable:
        count = count_plantable(mutants)
        print(f"{count} passed, {len(mutants) - count} failed")
        return 0 if count == len(mutants) else 1
    copy_tree(given.out / "tree")
    build(given.out / "tree", given.jobs)
    clean = given.out / "clean.so"
    shutil.copy(given.out / "tree" / "build" / "nabla.so", clean)
    plugins = {"clean": clean, "planted": given.out / "tree" / "build" / "nabla.so"}
    print(f"{'bug':26} programs until it is found")
    references = {}
    counts = [(mutant, judge(mutant, given, plugins, references)) for mutant in mutants]
    found = sum(1 for _, count in counts if count)
    if given.write:
        write_page(given, counts)
    print(f"{found} passed, {len(counts) - found} failed")
    return 0 if counts and found == len(counts) else 1


if __name__ == "__main__":
    sys.exit(main())
