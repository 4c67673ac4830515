# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From C to a shared object with derivatives, through nabla-cc."""

import ctypes
import functools
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from nablac.function import Function
from nablac.signature import SignatureError, find_last, read_tree

HERE = Path(__file__).resolve().parent
BESIDE = ("../../build/llvm-22/nabla-cc", "../../build/llvm-19/nabla-cc",
          "../../../../bin/nabla-cc")


class CompileError(Exception):
    """What the compiler or nabla said: why there is no derivative, and at which line."""


def find_compiler():
    """Returns the driver: NABLA_CC, that on PATH, or that beside this package."""
    if os.environ.get("NABLA_CC"):
        return shlex.split(os.environ["NABLA_CC"])
    found = shutil.which("nabla-cc")
    if found:
        return [found]
    for place in BESIDE:
        if (HERE / place).exists():
            return [str((HERE / place).resolve())]
    raise CompileError("there is no nabla-cc: install nabla, or name its nabla-cc in NABLA_CC")


def run(command):
    """Returns what a compiler printed; no argument passes through a shell."""
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise CompileError(done.stderr.strip())
    return done.stdout


def argument_texts(signature, forward):
    """Returns the arguments of an entry point: values v[i] with shadows d[i]."""
    texts = []
    for i, parameter in enumerate(signature.parameters):
        value = f"({parameter.text})v[{i}]" if parameter.array else \
            f"*(const {parameter.number} *)v[{i}]"
        shadow = f"(void *)d[{i}]" if parameter.array else f"*(const {parameter.number} *)d[{i}]"
        if not parameter.real:
            texts.append(f"enzyme_const, {value}")
        elif parameter.array or forward:
            texts.append(f"enzyme_dup, {value}, {shadow}")
        else:
            texts.append(f"enzyme_out, {value}")
    return "".join(", " + text for text in texts)


def reverse_text(signature):
    """Returns the function that fills the shadows: adjoints of numbers come as results."""
    outs = [(i, p) for i, p in enumerate(signature.parameters) if p.real and not p.array]
    call = f"__enzyme_autodiff_{signature.name}((void *){signature.name}" \
           f"{argument_texts(signature, False)})"
    kind, take = "void", [f"  {call};"]
    lines = []
    if len(outs) == 1:
        index, parameter = outs[0]
        kind, take = parameter.number, [f"  *({parameter.number} *)d[{index}] = {call};"]
    elif outs:
        kind = "NablacAdjoints"
        fields = " ".join(f"{p.number} a{i};" for i, p in outs)
        lines.append(f"typedef struct {{ {fields} }} {kind};")
        take = [f"  {kind} r = {call};"]
        take += [f"  *({p.number} *)d[{i}] = r.a{i};" for i, p in outs]
    return [*lines, f"{kind} __enzyme_autodiff_{signature.name}(void *, ...);",
            "void nablac_reverse(void **v, void **d) {", *take, "}"]


def wrapper_text(signature):
    """Returns C that calls the function and its derivatives with arrays of addresses."""
    name, result = signature.name, signature.result
    values = ", ".join(f"({p.text})v[{i}]" if p.array else f"*(const {p.number} *)v[{i}]"
                       for i, p in enumerate(signature.parameters))
    keep = "" if result == "void" else f"*({result} *)value = "
    forward = f"__enzyme_fwddiff_{name}((void *){name}{argument_texts(signature, True)})"
    lines = ["extern int enzyme_const, enzyme_dup, enzyme_out;",
             "void nablac_call(void **v, void *value) {", "  (void)v, (void)value;",
             f"  {keep}{name}({values});", "}",
             f"{result} __enzyme_fwddiff_{name}(void *, ...);",
             "void nablac_forward(void **v, void **d, void *value) {", "  (void)value;",
             f"  {keep}{forward};", "}", *reverse_text(signature)]
    return "\n".join(lines) + "\n"


def source_file(source, folder):
    """Returns the path of the C file: one that exists, or a new one with the text."""
    if isinstance(source, os.PathLike) or "\n" not in source and source.endswith(".c"):
        path = Path(source).resolve()
        if not path.exists():
            raise CompileError(f"there is no file {path}")
        return path
    path = Path(folder) / "source.c"
    path.write_text(source, encoding="utf-8")
    return path


def compile(source, name, flags=("-O2",)):  # pylint: disable=redefined-builtin
    """Compiles C and returns one of its functions.

    `source` is C as text, or the name of a file (a path, or a text that ends with .c); `name` the
    function: its parameters are numbers and arrays of numbers, its result is real or void. `flags`
    are the compiler's. Raises CompileError with what the compiler says, of derivatives too.
    """
    folder = tempfile.TemporaryDirectory(prefix="nablac-")
    path = source_file(source, folder.name)
    compiler = find_compiler()
    if isinstance(flags, str):
        raise CompileError(f"flags={flags!r}: a list of texts, one for each argument")

    def tree_of(symbol):
        return run([*compiler, *flags, "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang",
                    f"-ast-dump-filter={symbol}", str(path)])

    def named(word):
        node = find_last(tree_of(word), "TypedefDecl", word) if word.isidentifier() else None
        return node and node["type"].get("desugaredQualType", node["type"]["qualType"])

    try:
        signature = read_tree(tree_of(name), name, functools.cache(named))
    except SignatureError as error:
        raise CompileError(str(error)) from None
    wrapper = Path(folder.name) / "wrapper.c"
    wrapper.write_text(f'#include "{path}"\n{wrapper_text(signature)}', encoding="utf-8")
    library = Path(folder.name) / "library.so"
    run([*compiler, *flags, "-shared", "-fPIC", str(wrapper), "-lm", "-o", str(library)])
    return Function(signature, ctypes.CDLL(str(library)), folder)
