#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs, each at two configurations (level and version of LLVM) that its seed says.

    fuzz.py --seeds 0:200 [--level 5] [--twice] [--with NAME,...] [-j 2] [--out build/fuzz]
            [--fresh] [--write FILE] [22 19]

With --twice, forward mode of reverse mode is compared with differences of the gradient. Else the
reference is dual numbers, forward and reverse mode are compared with it and with one another.
A refusal (an error that nabla gives at compile time) is counted by its id; a program whose
reference has a kink or is not finite is skipped; a wrong value, a crash, a leak, and a compilation
of over 10 s of processor time are failures.

Verdicts are written to OUT/level-N/results.jsonl as they come, and a run goes on where the one
before it ended, unless the plugins or these programs have changed since (or with --fresh). The
last line is "N passed, N refused, N skipped, N failed"; the exit status says whether the last is 0.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import sys
from collections import Counter

import batch as batches
import report
from construct import LEVELS
from generate import BATCH

ROOT = batches.HERE.parent.parent
SHOWN = 40


def digest_of(plugins, printing):
    """Of the plugins, of the programs of this folder, of the checker, and of what is asked for."""
    digest = hashlib.sha256(str(printing).encode())
    files = [*plugins.values(), *sorted(batches.HERE.glob("*.py")),
             *sorted(batches.RUN.glob("*.h*")), *sorted(batches.TWICE.glob("*.h")),
             batches.RUN / "check.c"]
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def read_results(file, digest):
    """The verdicts of earlier runs with the same digest."""
    if not file.exists():
        return []
    lines = file.read_text().splitlines()
    if not lines or lines[0] != digest:
        return []
    return [json.loads(line) for line in lines[1:]]


def run_group(given, seeds, plugins, folder):
    """The results of the seeds of one batch, as they are written to the file."""
    batch, used = batches.make_batch(seeds, given.level, given.constructs)
    settings = batches.configurations(seeds[0] // BATCH, plugins, folder, given.twice)
    results = []
    reference = batches.build_reference(batch, settings[0]) if settings else None
    for setting in settings:
        work = batches.judge_batch(batch, setting, reference, printing=not given.quiet)
        seen = batches.constructs_seen(work.printed, used)
        for seed, verdict in sorted(work.verdicts.items()):
            results.append({"seed": seed, "at": setting.named(), "kind": verdict.kind,
                            "detail": verdict.detail, "blame": verdict.blame,
                            "used": list(used[seed]), "seen": seen[seed][0],
                            "elsewhere": seen[seed][1],
                            "seconds": round(work.seconds / len(batch.seeds), 3)})
    if reference:
        reference.unlink()
    return results


def groups_of(seeds, done):
    """Seeds that are not done, in lists that share a batch."""
    groups = {}
    for seed in seeds:
        if seed not in done:
            groups.setdefault(seed // BATCH, []).append(seed)
    return list(groups.values())


def run_all(given, seeds, plugins, show):
    """The results of all seeds; `show` is called with those of each batch as they come."""
    folder = given.out / f"level-{given.level}{'-twice' if given.twice else ''}"
    folder.mkdir(parents=True, exist_ok=True)
    file, digest = folder / "results.jsonl", digest_of(plugins, [not given.quiet, given.constructs])
    results = [] if given.fresh else read_results(file, digest)
    with open(file, "w" if not results else "a") as output:
        if not results:
            print(digest, file=output, flush=True)
        groups = groups_of(seeds, {result["seed"] for result in results})
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            pending = [pool.submit(run_group, given, group, plugins, folder)
                       for group in groups]
            for future in concurrent.futures.as_completed(pending):
                new = future.result()
                output.write("".join(json.dumps(result) + "\n" for result in new))
                output.flush()
                show(new)
                results += new
    return [result for result in results if result["seed"] in seeds]


def show_bad(results):
    """Prints the failures among the results."""
    for result in results:
        if result["kind"] in batches.BAD:
            print(f"{result['kind'].upper()} seed {result['seed']} {result['at']}: "
                  f"{result['detail'][:200]}", flush=True)


def show_totals(results):
    """Prints the totals; returns the number of failures."""
    kinds = Counter(result["kind"] for result in results)
    failed = sum(kinds[kind] for kind in batches.BAD)
    print(f"{len({result['seed'] for result in results})} programs, {len(results)} runs: "
          + ", ".join(f"{kinds[kind]} {kind}" for kind in batches.BAD)
          + f"; {kinds['loose']} passed where rounding counts, {kinds['foreign']} foreign")
    print(f"{kinds['passed'] + kinds['loose']} passed, {kinds['refused']} refused, "
          f"{kinds['skipped']} skipped, {failed} failed")
    return failed


def write_page(given, results):
    """Puts the table of features and the totals into a page."""
    kinds = Counter(result["kind"] for result in results)
    bad = sum(kinds[kind] for kind in batches.BAD)
    command = f"make fuzz SEEDS={given.seeds} LEVEL={given.level} WRITE={given.write.name}"
    totals = (f"{len({result['seed'] for result in results})} programs, {len(results)} runs: "
              f"{kinds['passed'] + kinds['loose']} right, {kinds['refused']} refused, "
              f"{kinds['skipped']} skipped, {kinds['foreign']} that clang alone compiles to "
              f"something else, {bad} wrong or crashed.")
    report.write_between(given.write, "features", command,
                         [totals, "", *report.feature_table(results)])


def read_plugins(versions):
    """The plugins of the versions, by version."""
    plugins = {version: ROOT / "build" / f"llvm-{version}" / "nabla.so" for version in versions}
    for plugin in plugins.values():
        if not plugin.exists():
            sys.exit(f"there is no {plugin}: build it first")
    return plugins


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="0:100")
    parser.add_argument("--level", type=int, choices=sorted(LEVELS), default=max(LEVELS))
    parser.add_argument("--with", type=lambda text: text.split(","), default=[],
                        dest="constructs", help="constructs of which each program has some")
    parser.add_argument("--twice", action="store_true", help="second derivatives")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "fuzz")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--write", type=pathlib.Path, help="a page that gets the table of features")
    parser.add_argument("--quiet", action="store_true", help="no tables, no look at the code")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    parser.add_argument("llvm", nargs="*", default=["22", "19"])
    given = parser.parse_args()
    first, last = (int(part) for part in given.seeds.split(":"))
    results = run_all(given, range(first, last), read_plugins(given.llvm), show_bad)
    if not given.quiet:
        report.show_constructs(results)
        report.show_refusals(results)
    if given.write:
        write_page(given, results)
    return 1 if show_totals(results) or not results else 0


if __name__ == "__main__":
    sys.exit(main())
