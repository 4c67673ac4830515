#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of tests/run, tests/run/cpp and tests/refuse with clang and the plugin.

    runner.py --llvm 22 --levels ci --build build/llvm-22 [-j 2] [--filter NAME]

A program of tests/run holds many cases (cases.h says how one is written); it is compiled at each
level, once with double and, at some levels, once with float. Where it does not compile, each case
is compiled alone, so that the others still count. A program of tests/refuse must be refused: it
says on the line itself what error must appear there, `// error: part ... other part`, and no other
error may appear. `--differences` checks the reference itself, without the plugin. At a level with
-fsanitize= all of the program is built with it; with -fsanitize=thread, derivatives run in several
threads at once.

A program may say on lines of its own: `// tolerance: 1e-6`; `// load: -fplugin` where it needs the
plugin's part for clang; `// flags: -fX` for the compiler (of
a program that is refused: in place of the line tables); `// levels: -O0` where only one level
refuses; `// libraries: -lX` for the linker; `// with: X.c` where a library of with/ is linked;
`// reals: double` where float makes no sense;
`// differences: none` where divided differences do not; `// split: none` where no tape can be read
twice; `// llvm: 22` where others refuse it; `// one-thread: CASE` of one whose primal writes a
global; `// lto: none` where what the compile step makes of a loop hides it from the link step;
`// march: none` where a library has instructions of wider vectors that have no row.

The last line is "N passed, M failed"; the exit status says whether M is 0.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
REFUSE = HERE.parent / "refuse"
KEPT = HERE.parents[1] / "build/run-support"
PLAIN = ["-O0", "-O1", "-O2", "-O3", "-O3 -ffast-math"]
MORE = ["-O3 -march=native", "-O2 -flto -fuse-ld=lld"]
SANITIZED = ["-O1 -fsanitize=address", "-O1 -fsanitize=memory", "-O1 -fsanitize=thread",
             "-O1 -fsanitize=undefined -fno-sanitize-recover=all"]
LEVELS = {
    "all": {"22": PLAIN + MORE, "19": PLAIN + MORE},
    "ci": {"22": PLAIN, "19": ["-O0", "-O2"]},
    "sanitized": {"22": SANITIZED, "19": SANITIZED},
}
FLOAT_LEVELS = "-O0,-O2,-O3 -ffast-math"
LEFT_OUT = (("NB_SPLIT", "split"), ("-flto", "lto"), ("-march", "march"))
REFUSE_LEVELS = {"-O0", "-O2"}
TOLERANCE = {("double", False): 1e-11, ("double", True): 1e-9,
             ("float", False): 3e-4, ("float", True): 1e-3}
WRAPPED = ["malloc", "calloc", "realloc", "free", "malloc_usable_size"]
CASE = re.compile(r"^(SCALAR[123]|SUM|TWIN|MAP|FIXED|CHECK)\((\w+)", re.MULTILINE)
SECONDS = 180
SANITIZED_SECONDS = 300
PATIENCE = 4
OUT_OF_TIME = 124
SANITIZER_OPTIONS = {f"{name}SAN_OPTIONS": "exitcode=99" for name in "AMTL"}
REASON_LINES = 6


@dataclass
class Setting:
    """Where to build, with what, and what to run."""

    llvm: str
    plugin: pathlib.Path
    out: pathlib.Path
    levels: list
    filter: str
    differences: bool
    programs: pathlib.Path
    floats: tuple = ()

    @property
    def clang(self):
        return f"clang-{self.llvm}"

    def compiler(self, file):
        """clang or clang++, as the program needs it."""
        return f"clang++-{self.llvm}" if is_cxx(file) else self.clang


@dataclass
class Outcome:
    """The cases that passed, for each that failed a text that says why and how to repeat it, and
    how often a program was skipped."""

    passed: list = field(default_factory=list)
    failed: dict = field(default_factory=dict)
    skipped: int = 0

    def add(self, other):
        self.passed += other.passed
        self.failed.update(other.failed)
        self.skipped += other.skipped


def run(command, timeout=SECONDS, **variables):
    """Exit status and error output; a timeout counts as status OUT_OF_TIME. The time is that of the
    processor in each process, and that of the clock for a machine that does other things too."""
    command = ["prlimit", f"--cpu={timeout}", *command]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, start_new_session=True,
                          env={**os.environ, **variables}) as process:
        try:
            _, text = process.communicate(timeout=PATIENCE * timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return OUT_OF_TIME, f"timed out after {PATIENCE * timeout} s"
    if process.returncode == -signal.SIGXCPU:
        return OUT_OF_TIME, f"timed out after {timeout} s of the processor"
    return process.returncode, text.decode(errors="replace")


def make_private(path):
    """Leaves the reference alone visible in an object: its classes have the names of the subject's,
    of which the linker would keep one."""
    merged = path.with_suffix(".merged")
    for command in (["ld", "-r", "--force-group-allocation", str(path), "-o", str(merged)],
                    ["objcopy", "--wildcard", "--keep-global-symbol=*_reference", str(merged),
                     str(path)]):
        status, text = run(command)
        if status != 0:
            sys.exit(f"{shlex.join(command)}\n{text}")
    merged.unlink()


@functools.cache
def newest_clang():
    """The newest of the compilers that there are."""
    return next(name for name in ("clang-22", "clang-19") if shutil.which(name))


def build_once(setting, source, flags):
    """The object of a source that does not depend on the plugin, kept by the hash of all of it: one
    for every LLVM, but where a sanitizer's run time must be that of the linking compiler."""
    compiler = setting.clang if sanitizers(" ".join(flags)) else newest_clang()
    command = [compiler, *flags, "-c", str(source)]
    digest = hashlib.sha256(" ".join(command).encode())
    for path in [source, *sorted(HERE.glob("*.h")), *sorted(HERE.glob("*.hpp")),
                 *sorted(HERE.glob("with/*"))]:
        digest.update(path.read_bytes())
    digest.update(b"private")
    KEPT.mkdir(parents=True, exist_ok=True)
    target = KEPT / f"{source.stem}-{digest.hexdigest()[:16]}.o"
    if not target.exists():
        temporary = target.with_suffix(f".{os.getpid()}-{threading.get_ident()}.tmp")
        status, text = run([*command, "-o", str(temporary)])
        if status != 0:
            sys.exit(f"{shlex.join(command)}\n{text}")
        if is_cxx(source) and source.parent != HERE:
            make_private(temporary)
        temporary.rename(target)
    return target


def is_cxx(file):
    """Is the program written in C++?"""
    return file.suffix == ".cpp"


def standard(file):
    """The language that a program is written in, as options of the compiler."""
    return ["-std=gnu++20", "-DNB_SUBJECT"] if is_cxx(file) else ["-std=gnu17"]


def sanitizers(level):
    """The options of a level that the whole program must be built with."""
    return [option for option in level.split() if "sanitize" in option]


def support(setting, source, level, real):
    """The objects that a program is linked with: the checker, the heap, and its reference, which
    is compiled without optimisation: it runs for a moment."""
    warnings = ["-Wall", "-Wextra", "-Werror", f"-DNB_REAL={real}", *sanitizers(level)]
    common = ["-O1", *warnings]
    language = ["-std=c++20"] if is_cxx(source) else ["-std=c++17", "-fno-exceptions", "-fno-rtti"]
    reference = ["-x", "c++", *language, "-I", str(HERE),
                 "-O0", *warnings, "-Wno-unused-parameter" if setting.programs == HERE else "-w"]
    objects = [build_once(setting, HERE / "check.c", ["-std=c17", *common]),
               build_once(setting, HERE / "heap.c", ["-std=c17", "-fno-builtin", *common])]
    objects += [build_once(setting, HERE / "with" / name, ["-std=c17", *common])
                for name in directive(source, "with").split()]
    if is_cxx(source) and not sanitizers(level):
        objects.append(build_once(setting, HERE / "heap.cpp", ["-std=c++17", *common]))
    if any(match[1] != "CHECK" for match in CASE.finditer(source.read_text())):
        objects.append(build_once(setting, source, reference))
    return objects


def directive(file, name):
    """What a program says about itself on a line `// name: value`."""
    match = re.search(rf"^// {name}: (.*)$", file.read_text(), re.MULTILINE)
    return match[1] if match else ""


def compile_command(setting, file, level, real):
    """The command line that makes a program at a level, without its files."""
    command = [setting.compiler(file), *standard(file), *level.split(), "-gline-tables-only",
               *shlex.split(directive(file, "flags")), f"-DNB_REAL={real}", "-I", str(HERE), "-w",
               "-fno-crash-diagnostics"]
    if setting.differences:
        command += ["-fuse-ld=lld", "-no-pie", "-Wl,--unresolved-symbols=ignore-all"]
    else:
        command += [] if sanitizers(level) else ["-fuse-ld=lld"]
        command.append(f"{directive(file, 'load') or '-fpass-plugin'}={setting.plugin}")
        if "-flto" in level:
            command.append(f"-Wl,--load-pass-plugin={setting.plugin}")
    if not sanitizers(level):
        command += [f"-Wl,--wrap={name}" for name in WRAPPED]
    return command


def check_arguments(setting, file, level, real):
    """What the program is told: the mode, the tolerance, and whether ties are kinks."""
    fast = "fast" in level
    if setting.differences:
        return ["differences", "1e-5", "1"]
    tolerance = max(TOLERANCE[real, fast], float(directive(file, "tolerance") or 0))
    mode = "threads" if "sanitize=thread" in level else "derivatives"
    return [mode, repr(tolerance), str(int(fast))]


def read_report(text):
    """The verdicts that the checker wrote, by the name of the case, with what a sanitizer said."""
    verdicts, said = {}, ""
    for line in text.splitlines():
        match = re.match(r"@(ok|fail) (\w+)(?:: (.*))?$", line)
        if match:
            verdicts[match[2]] = match[3] + said if match[1] == "fail" else None
            said = ""
        elif re.search(r"^SUMMARY: |runtime error: ", line):
            said += f" ({line})"
    return verdicts


def run_program(setting, source, level, real, names, file):
    """Compiles and runs one program; None where it does not compile."""
    label = re.sub(r"\W+", "", f"{file.name}{level}{real}{source.stem}")
    target = setting.out / f"{label}.exe"
    objects = [str(path) for path in support(setting, file, level, real)]
    command = [*compile_command(setting, file, level, real), str(source), *objects,
               *shlex.split(directive(file, "libraries")), "-lm", "-o", str(target)]
    status, text = run(command)
    if status != 0:
        return None, f"{shlex.join(command)}\n{text}"
    arguments = [str(target), *check_arguments(setting, file, level, real)]
    status, text = run(arguments, SANITIZED_SECONDS if sanitizers(level) else SECONDS,
                       **SANITIZER_OPTIONS)
    verdicts = read_report(text)
    outcome = Outcome()
    repeat = f"\n  {shlex.join(command)} && {shlex.join(arguments)}"
    for name in names:
        reason = verdicts.get(name, f"no verdict, exit status {status}")
        if reason is None:
            outcome.passed.append(name)
        else:
            outcome.failed[f"{file.name}:{name} [{level}, {real}]"] = f"{reason}{repeat}"
            repeat = ""
    if not outcome.failed:
        target.unlink()
    return outcome, ""


def only_case(text, name):
    """The program with all cases but one left out."""
    def mark(match):
        return match[0] if match[2] == name else f"OMIT_{match[1]}({match[2]}"
    return CASE.sub(mark, text)


def run_apart(setting, file, level, real, names):
    """Compiles and runs each case of a program alone."""
    outcome = Outcome()
    plain_level = re.sub(r"[^0-9A-Za-z]", "", level)
    for name in names:
        alone = setting.out / f"{file.stem}_{name}_{real}_{plain_level}{file.suffix}"
        alone.write_text(f'#line 1 "{file}"\n' + only_case(file.read_text(), name))
        part, text = run_program(setting, alone, level, real, [name], file)
        if part is None:
            outcome.failed[f"{file.name}:{name} [{level}, {real}]"] = f"does not compile\n  {text}"
            continue
        outcome.add(part)
        if part.passed:
            alone.unlink()
    return outcome


@functools.cache
def is_there(compiler, header):
    """Does the compiler find the header of a library?"""
    command = [compiler, "-x", "c++", "-fsyntax-only", "-include", header, os.devnull]
    return run(command)[0] == 0


def run_file(setting, file, level, real):
    """All cases of a program at a level."""
    text = file.read_text()
    alone = directive(file, "one-thread").split() if "sanitize=thread" in level else []
    names = [match[2] for match in CASE.finditer(text) if match[2] not in ("name", *alone)]
    wanted = [name for name in names if setting.filter in f"{file.stem}:{name}"]
    if not wanted:
        return Outcome()
    header = directive(file, "header")
    if header and not is_there(setting.compiler(file), header):
        return Outcome(skipped=1)
    if wanted != names:
        return run_apart(setting, file, level, real, wanted)
    outcome, _ = run_program(setting, file, level, real, wanted, file)
    return outcome or run_apart(setting, file, level, real, wanted)


def expected_messages(text):
    """(lines, parts of the message) for each expectation: on the line itself (error), at most two
    lines away, as optimisation moves lines a little (error-near), or anywhere (error-anywhere)."""
    reach = {"": 0, "-near": 2, "-anywhere": 10**6}
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for match in re.finditer(r"// error(|-near|-anywhere): (.*?)(?= // error|$)", line):
            distance = reach[match[1]]
            lines = range(number - distance, number + distance + 1)
            found.append((lines, match[2].split(" ... ")))
    return found


def has_parts(message, parts):
    """Do the parts stand in the message, in this order?"""
    at = 0
    for part in parts:
        at = message.find(part, at) + 1
        if at == 0:
            return False
    return True


def refusal_mistakes(name, text, status, output):
    """What a refused program's messages have too many or too few."""
    pattern = re.compile(rf"^(?:\S*{re.escape(name)}:(\d+):\d+: )?error: (.*)$", re.MULTILINE)
    found = [(int(m[1] or 0), m[2]) for m in pattern.finditer(output)]
    expected = expected_messages(text)
    mistakes = []
    for lines, parts in expected:
        hit = next((f for f in found if f[0] in lines and has_parts(f[1], parts)), None)
        if hit:
            found.remove(hit)
        else:
            mistakes.append(f"line {lines[len(lines) // 2]}: no error with: {' ... '.join(parts)}")
    mistakes += [f"line {line}: unexpected error: {message}" for line, message in found]
    if (status == 0) == bool(expected):
        mistakes.append(f"the compiler ended with status {status}")
    if status not in (0, 1) or "Stack dump" in output:
        mistakes.append("the compiler crashed")
    return mistakes


def run_refusal(setting, file, level):
    """One program that must be refused."""
    name = f"{file.stem} [{level}]"
    text = file.read_text()
    if setting.filter not in f"refuse:{file.stem}":
        return Outcome()
    flags = directive(file, "flags")
    command = [setting.compiler(file), *standard(file), *level.split(),
               *shlex.split(flags or "-gline-tables-only"),
               "-fno-crash-diagnostics", f"-fplugin={setting.plugin}",
               f"-fpass-plugin={setting.plugin}", "-c", str(file), "-o", os.devnull]
    status, output = run(command)
    mistakes = refusal_mistakes(file.name, text, status, output)
    if not mistakes:
        return Outcome([name])
    return Outcome([], {f"refuse/{name}": "\n  ".join([*mistakes, shlex.join(command)])})


def is_for(setting, file):
    """Is the program one for this LLVM?"""
    return setting.llvm in (directive(file, "llvm") or setting.llvm)


def is_at(file, level):
    """Is the program one for this level?"""
    return not any(part in level and directive(file, name) for part, name in LEFT_OUT)


def all_programs(setting):
    """The programs that are to be run."""
    files = sorted([*setting.programs.glob("*.c"), *setting.programs.glob("cpp/*.cpp")])
    return [file for file in files if '"cases.h"' in file.read_text() and is_for(setting, file)
            and not (setting.differences and directive(file, "differences"))]


def all_jobs(setting):
    """(function, arguments) of everything that is to be run: level by level, so that no two jobs
    that run together make the same reference."""
    programs = all_programs(setting)
    for level in setting.levels:
        chosen = [file for file in programs if is_at(file, level)]
        for file in chosen:
            yield run_file, (setting, file, level, "double")
        for file in chosen if level in setting.floats else []:
            if not directive(file, "reals"):
                yield run_file, (setting, file, level, "float")
    others = setting.differences or setting.programs != HERE
    for file in [] if others else sorted([*REFUSE.glob("*.c"), *REFUSE.glob("*.cpp")]):
        chosen = directive(file, "levels")
        for level in setting.levels:
            if level in ([chosen] if chosen else REFUSE_LEVELS) and is_for(setting, file):
                yield run_refusal, (setting, file, level)


def read_arguments():
    """The command line as a setting, and the number of jobs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--llvm", default="22")
    parser.add_argument("--levels", default="ci", help="all, ci, sanitized, or a list")
    parser.add_argument("--floats", default=FLOAT_LEVELS, help="levels at which float runs, too")
    parser.add_argument("--build", default=None)
    parser.add_argument("--filter", default="", help="run what has this in file:case")
    parser.add_argument("--differences", action="store_true")
    parser.add_argument("--programs", default=HERE, help="a folder of other programs to run")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    build = pathlib.Path(given.build or f"build/llvm-{given.llvm}").resolve()
    levels = LEVELS[given.levels][given.llvm] if given.levels in LEVELS else \
        given.levels.split(",")
    out = build / "run"
    out.mkdir(parents=True, exist_ok=True)
    floats = tuple(given.floats.split(","))
    if given.differences:
        levels, floats = ["-O1"], ()
    return Setting(given.llvm, build / "nabla.so", out, levels, given.filter,
                   given.differences, pathlib.Path(given.programs).resolve(), floats), given.j


def check_plugin(setting):
    """Ends the run at once where the plugin is missing or does not load."""
    if not setting.plugin.exists():
        sys.exit(f"there is no {setting.plugin}: build it first")
    status, text = run([setting.clang, f"-fpass-plugin={setting.plugin}", "-x", "c", "-c",
                        os.devnull, "-o", os.devnull], LD_BIND_NOW="1")
    if status != 0:
        sys.exit(text)


def shortened(reason):
    """The lines of a long text that say most: two, then errors and the plugin's frames."""
    lines = reason.splitlines()
    pattern = r"error: |nabla\.so|Assertion|timed out|undefined|ld: "
    telling = [line for line in lines[2:] if re.search(pattern, line)]
    return "\n".join([*lines[:2], *telling[:REASON_LINES]])


def main():
    setting, jobs = read_arguments()
    if not setting.differences:
        check_plugin(setting)
    total = Outcome()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = [pool.submit(function, *arguments) for function, arguments in all_jobs(setting)]
        for future in pending:
            total.add(future.result())
    for name, reason in total.failed.items():
        print(f"FAILED {name}: {shortened(reason)}")
    print(f"{len(total.passed)} passed, {total.skipped} skipped, {len(total.failed)} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
