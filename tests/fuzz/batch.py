# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and judges a batch of random programs at one configuration.

All programs of a batch are compiled together. nabla refuses each at its own line, so that one
compilation says which ones, and the rest is compiled again; where it crashes, each is compiled
alone.
"""

import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
RUN = HERE.parent / "run"
TWICE = HERE / "twice"
sys.path[:0] = [str(RUN), str(HERE)]

import runner  # noqa: E402
from construct import TABLE, survives  # noqa: E402
from generate import BATCH, make_header, make_program  # noqa: E402

VERSIONS = ("22", "19")
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-O3 -ffast-math")
SLOW_SECONDS = 10
LIMIT_SECONDS = 60
RUN_SECONDS = 300
MOST_TRIES = 2
OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGXCPU, 128 + signal.SIGKILL)
CHECKS = ("memory,undefined", "address,undefined")
OWN_ERRORS = {"broken-build"}
BAD = ("wrong", "crashed", "slow", "invalid")


@dataclass(frozen=True)
class Setting:
    """A configuration: how a batch is compiled, and by which plugin; `twice`: differentiated once
    more."""

    llvm: str
    level: str
    real: str
    plugin: pathlib.Path
    folder: pathlib.Path
    twice: bool = False

    def named(self):
        return f"{self.level} LLVM {self.llvm} {'twice' if self.twice else self.real}"

    def flags(self):
        return self.level.split()

    def is_fast(self):
        return "fast" in self.level


class Verdict(NamedTuple):
    """What became of one program; `kind` is passed, loose (passed, but rounding had to be
    measured), skipped (the reference is not smooth), refused (`detail` is the id), foreign (the
    compiler alone computes something else than the reference), invalid (a mistake of the
    generator's: the program is not C), or one of BAD. `blame` names the constructs
    that a refusal points at."""

    seed: int
    kind: str
    detail: str
    blame: list


@dataclass
class Batch:
    """Programs that are compiled together, where each stands in the text, and the construct that
    wrote each of its lines."""

    seeds: list
    header: str
    programs: dict
    owners: dict

    def text(self, kept):
        """The source, with the cases of other seeds than `kept` left out."""
        parts = [self.header]
        for seed, lines in self.programs.items():
            program = "\n".join(lines)
            parts.append(program if seed in kept else runner.CASE.sub(r"OMIT_\1(\2", program))
        return "\n".join(parts) + "\n"

    def place_of(self, line):
        """The seed whose program has that line, and the construct that wrote it."""
        at = self.header.count("\n") + 1
        for seed, lines in self.programs.items():
            end = at + len("\n".join(lines).split("\n"))
            if at < line <= end:
                owners = self.owners.get(seed, [])
                return seed, owners[line - at - 1] if line - at <= len(owners) else "frame"
            at = end
        return None, None


@dataclass
class Work:
    """A batch at one configuration, while it is judged; `printing`: the prepared code is asked
    for."""

    batch: Batch
    setting: Setting
    printing: bool = False
    verdicts: dict = field(default_factory=dict)
    seconds: float = 0
    printed: str = ""

    def judge(self, seed, kind, detail="", blame=()):
        self.verdicts[seed] = Verdict(seed, kind, detail, sorted(blame))

    def open(self):
        """The seeds without a verdict."""
        return [seed for seed in self.batch.seeds if seed not in self.verdicts]

    def file(self, suffix):
        name = "".join([f"{self.batch.seeds[0]}_{self.setting.llvm}", *self.setting.flags()])
        return self.setting.folder / f"{name}{suffix}"


def configurations(batch, plugins, folder, twice=False):
    """The two configurations that a batch of seeds is tested at. Batches take them in turn, in an
    order by chance, so that all are met once by those that a pass over all of them takes. The
    differences that second derivatives are compared with want double precision."""
    pairs = [(llvm, level) for llvm in VERSIONS for level in LEVELS]
    turns = len(pairs) // 2
    random.Random(f"configurations {batch // turns}").shuffle(pairs)
    chosen = pairs[2 * (batch % turns):2 * (batch % turns) + 2]
    real = "float" if random.Random(f"precision {batch}").random() < 0.25 else "double"
    real = "double" if twice else real
    return [Setting(llvm, level, real, plugins[llvm], folder, twice) for llvm, level in chosen
            if llvm in plugins]


def make_batch(seeds, level, wanted=()):
    """The batch of these seeds, which lie in one group of BATCH, and by seed the constructs that
    each program has, with the names that they made."""
    programs = {seed: make_program(seed, level, wanted) for seed in seeds}
    used = {seed: {name: program.named.get(name, []) for name in sorted(program.used)}
            for seed, program in programs.items()}
    lines = {seed: program.lines for seed, program in programs.items()}
    owners = {seed: program.owner_of_line for seed, program in programs.items()}
    return Batch(list(seeds), make_header(seeds[0] // BATCH), lines, owners), used


def timed(command, errors, variables):
    """Exit status and processor time of a command; its error output goes to a file."""
    with open(errors, "wb") as output, open(os.devnull, "rb") as nothing:
        process = subprocess.Popen(["prlimit", f"--cpu={LIMIT_SECONDS}", *command], stdin=nothing,
                                   stdout=subprocess.DEVNULL, stderr=output,
                                   env={**os.environ, **variables})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def compile_kept(work, kept, plugin=True):
    """Compiles the batch with these cases; returns exit status, messages and processor time."""
    source, errors = work.file(".c"), work.file(".err")
    source.write_text(work.batch.text(set(kept)))
    setting = work.setting
    shape = ["-I", str(TWICE)] if setting.twice else []
    command = [f"clang-{setting.llvm}", "-std=gnu17", *setting.flags(), *shape,
               f"-DNB_REAL={setting.real}", "-I", str(RUN), "-w", "-gline-tables-only",
               "-fno-crash-diagnostics", "-c", str(source), "-o", str(work.file(".o"))]
    if plugin:
        command += [f"-fpass-plugin={setting.plugin}"]
    if work.printing:
        command += ["-fno-discard-value-names"]
    status, seconds = timed(command, errors, {"NABLA_PRINT": "prepare"} if work.printing else {})
    return status, errors.read_text(errors="replace"), seconds


class Error(NamedTuple):
    """An error of the compiler's: whose program it is in, its id where nabla gives it, and the
    construct that it points at; None for what is not known."""

    seed: int | None
    identifier: str | None
    owner: str | None


def errors_of(work, text):
    """All errors in the compiler's messages."""
    found = []
    for match in re.finditer(r"^(?:\S+?:(\d+):\d+: )?(?:fatal )?error: (.*)$", text, re.MULTILINE):
        identifier = re.search(r"\[nabla: ([\w-]+)\]", match[2])
        seed, owner = work.batch.place_of(int(match[1])) if match[1] else (None, None)
        found.append(Error(seed, identifier[1] if identifier else None, owner))
    return found


def runs_of(setting):
    """The setting as tests/run/runner.py has it."""
    return runner.Setting(setting.llvm, setting.plugin, setting.folder, [], "", False,
                          setting.folder)


def build_primal(batch, seed, setting, reference, flags):
    """Compiles the primal of a seed without nabla; the program, None where it does not link. Unless
    AddressSanitizer watches the heap itself, heap.c does."""
    stem = setting.folder / f"primal_{seed}"
    stem.with_suffix(".c").write_text(batch.text({seed}))
    flags = ["-std=gnu17", "-g1", "-w", f"-DNB_REAL={setting.real}", "-I", str(RUN), *flags]
    checker = [str(runner.build_once(runs_of(setting), RUN / name, flags))
               for name in ("check.c", "heap.c")]
    command = [f"clang-{setting.llvm}", *flags, f"{stem}.c", *checker, str(reference), "-lm",
               "-fuse-ld=lld", "-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-o",
               f"{stem}.exe"]
    if "-fsanitize=address" not in " ".join(flags):
        command += [f"-Wl,--wrap={name}" for name in runner.WRAPPED]
    status, _ = runner.run(command)
    stem.with_suffix(".c").unlink()
    return stem.with_suffix(".exe") if status == 0 else None


def run_primal(batch, seed, setting, reference, flags):
    """What the checker says of the primal of a seed, compiled without nabla."""
    program = build_primal(batch, seed, setting, reference, flags)
    if not program:
        return ""
    _, text = runner.run([str(program), "differences", "1e-5", "1", f"seed_{seed}"], 60)
    program.unlink()
    return text


def is_valid(batch, seed, setting, reference):
    """Whether the program of a seed is C: it computes nothing from what was never set, and does
    nothing undefined, by the sanitizers' judgement of the primal."""
    for sanitizers in CHECKS:
        flags = [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
        text = run_primal(batch, seed, setting, reference, flags)
        clean = not re.search(r"Sanitizer|runtime error|the primal leaves|heap: ", text)
        if not clean or not re.search(rf"^@(ok|fail) seed_{seed}\b", text, re.MULTILINE):
            return False
    return True


def is_foreign(batch, seed, setting, reference):
    """Whether the compiler alone makes a program of the seed that computes something else than the
    reference."""
    flags = [*setting.flags(), "-fno-crash-diagnostics"]
    text = run_primal(batch, seed, setting, reference, flags)
    return re.search(rf"^@fail seed_{seed}: primal\[", text, re.MULTILINE) is not None


def said_of(status, text):
    """How a compilation ended, in one line."""
    lines = re.findall(r"error: .*|.*Assertion.*|.*\bnb_\w+.*", text)
    return f"status {status}: {'; '.join(lines[:3])[:300]}"


def judge_alone(work, seed):
    """Compiles one program of a batch that does not compile."""
    status, text, seconds = compile_kept(work, [seed])
    errors = errors_of(work, text)
    ids = {error.identifier for error in errors}
    if seconds > SLOW_SECONDS or status in OUT_OF_TIME:
        work.judge(seed, "slow", f"{seconds:.0f} s")
    elif status == 1 and ids and None not in ids and not ids & OWN_ERRORS:
        work.judge(seed, "refused", min(ids), {error.owner for error in errors if error.owner})
    elif status != 0:
        work.judge(seed, "crashed", said_of(status, text))


def judge_refused(work, status, found):
    """Judges what nabla refuses; false where it refuses nothing, or not only that is wrong."""
    clear = status == 1 and all(error.seed in work.open() and error.identifier and
                                error.identifier not in OWN_ERRORS for error in found)
    for error in found if clear else []:
        blame = {other.owner for other in found if other.seed == error.seed}
        work.judge(error.seed, "refused", error.identifier, blame)
    return bool(clear and found)


def compile_batch(work):
    """Compiles until what is left compiles; true where something is left. The object is then that
    of all of it: what took too long together, and does not alone, is compiled together again."""
    alone = 0
    while work.open():
        status, text, work.seconds = compile_kept(work, work.open())
        work.printed += text
        if status == 0 and (work.seconds <= SLOW_SECONDS or alone):
            return True
        if judge_refused(work, status, errors_of(work, text)):
            continue
        before = work.open()
        for seed in before if alone < MOST_TRIES else []:
            judge_alone(work, seed)
        alone = alone + 1 if len(work.open()) == len(before) else 1
        for seed in work.open() if alone > MOST_TRIES else []:
            kind = "slow" if status in OUT_OF_TIME else "crashed"
            said = said_of(status, text)
            work.judge(seed, kind, f"each alone compiles, all together give {said}")
    return False


def run_or_exit(command):
    """Runs a command that does not fail."""
    status, text = runner.run(command)
    if status != 0:
        sys.exit(f"{shlex.join(command)}\n{text}")


def link(work, reference):
    """Links the subject with the checker and the reference; what is differentiated twice checks
    itself."""
    setting = work.setting
    if setting.twice:
        run_or_exit([f"clang-{setting.llvm}", "-fuse-ld=lld", str(work.file(".o")), "-lm", "-o",
                     str(work.file(".exe"))])
        return
    runs = runs_of(setting)
    common = ["-O1", f"-DNB_REAL={setting.real}"]
    objects = [runner.build_once(runs, RUN / "check.c", ["-std=c17", *common]),
               runner.build_once(runs, RUN / "heap.c", ["-std=c17", "-fno-builtin", *common])]
    command = [f"clang-{setting.llvm}", "-fuse-ld=lld", str(work.file(".o")), str(reference),
               *map(str, objects), "-lm", "-o", str(work.file(".exe"))]
    run_or_exit([*command, *(f"-Wl,--wrap={name}" for name in runner.WRAPPED)])


def run_program(work, *names):
    """The verdicts of the checker, by seed, of all cases or of these; the seeds that passed only
    as rounding counts; how the program ended; and whether nabla's runtime ended one."""
    tolerance = re.search(r"// tolerance: (\S+)", work.batch.header)
    fast = work.setting.is_fast()
    limit = max(runner.TOLERANCE[work.setting.real, fast], float(tolerance[1]) if tolerance else 0)
    status, text = runner.run([str(work.file(".exe")), "random", repr(limit), str(int(fast)),
                               *names], RUN_SECONDS)
    stopped = re.search(r"^nabla: '", text, re.MULTILINE) is not None
    return (runner.read_report(text), set(re.findall(r"^@loose seed_(\d+)$", text, re.M)), status,
            stopped)


def kind_of_failure(reason):
    """What a reason of the checker's is: a crash, too much time, or a wrong value."""
    if re.match(rf"signal ({signal.SIGXCPU:d}|{signal.SIGKILL:d})\b", reason) or \
            reason.endswith(f"exit status {runner.OUT_OF_TIME}"):
        return "slow"
    return "crashed" if re.match("signal|exit status|no verdict", reason) else "wrong"


def run_batch(work, reference):
    """Runs what was compiled and judges it. What has no verdict, or was ended from outside, runs
    once more alone: a machine that is short of time or memory makes no failure. What the runtime
    refuses, with a message and SIGABRT, is refused as `at-run-time`."""
    reports, loose, _, _ = run_program(work)
    for seed in work.open():
        name = f"seed_{seed}"
        reason, stopped = reports.get(name, "no verdict"), False
        if reason and kind_of_failure(reason) in ("slow", "crashed"):
            alone, again, status, stopped = run_program(work, name)
            reason = alone.get(name, f"no verdict, exit status {status}")
            loose |= again
        if reason is None:
            work.judge(seed, "loose" if str(seed) in loose else "passed")
        elif "the reference is not smooth" in reason:
            work.judge(seed, "skipped")
        elif stopped and reason == f"signal {signal.SIGABRT:d}":
            work.judge(seed, "refused", "at-run-time")
        else:
            asked = (work.batch, seed, work.setting, reference)
            kind = kind_of_failure(reason) if is_valid(*asked) else "invalid"
            if reason.startswith("primal[") and kind == "wrong" and is_foreign(*asked):
                kind = "foreign"
            work.judge(seed, kind, reason)


def build_reference(batch, setting, name="reference"):
    """Compiles the batch over dual numbers."""
    stem = setting.folder / f"{batch.seeds[0]}_{name}"
    stem.with_suffix(".cc").write_text(batch.text(set(batch.seeds)))
    command = ["clang-22", "-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-O0", "-w",
               f"-DNB_REAL={setting.real}", "-I", str(RUN), "-c", f"{stem}.cc", "-o", f"{stem}.o"]
    run_or_exit(command)
    stem.with_suffix(".cc").unlink()
    return stem.with_suffix(".o")


def constructs_seen(printed, used):
    """For each seed, the constructs of which the prepared code shows something: those of the
    program, and those that it does not have."""
    code = {seed: [] for seed in used}
    for part in re.split(r"^(?=define )", printed, flags=re.MULTILINE):
        name = re.match(r"define [^@]*@nabla\.work\.[\w.]*?_(\d+)[.\d]*\(", part)
        if name and int(name[1]) in code:
            code[int(name[1])].append(part)
    whole = {seed: "".join(parts) for seed, parts in code.items()}
    seen = {seed: [c.name for c in TABLE if survives(c, used[seed].get(c.name), whole[seed])]
            for seed in used}
    return {seed: ([name for name in seen[seed] if name in used[seed]],
                   [name for name in seen[seed] if name not in used[seed]]) for seed in used}


def judge_batch(batch, setting, reference, keep=False, printing=False):
    """All verdicts of a batch at a configuration, and the Work that they come from."""
    work = Work(batch, setting, printing)
    if compile_batch(work):
        link(work, reference)
        run_batch(work, reference)
    for suffix in () if keep else (".c", ".o", ".err", ".exe"):
        work.file(suffix).unlink(missing_ok=True)
    return work
