# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parameters of a C function are, as clang reads them."""

import ctypes
import json
from typing import NamedTuple

REALS = {"double": "float64", "float": "float32"}
INTEGERS = {"char": ctypes.c_char, "signed char": ctypes.c_byte, "unsigned char": ctypes.c_ubyte,
            "short": ctypes.c_short, "unsigned short": ctypes.c_ushort, "int": ctypes.c_int,
            "unsigned int": ctypes.c_uint, "long": ctypes.c_long,
            "unsigned long": ctypes.c_ulong, "long long": ctypes.c_longlong,
            "unsigned long long": ctypes.c_ulonglong, "_Bool": ctypes.c_bool}
KNOWN_WORDS = {"const", "*", "void"}.union(*(kind.split() for kind in (*REALS, *INTEGERS)))
MOST_NAMES = 16


class SignatureError(Exception):
    """A function that is not there, or whose types have no counterpart in NumPy."""


class Parameter(NamedTuple):
    """One parameter: its name, the type of the number, whether it is an array that is written."""

    name: str
    number: str
    array: bool
    constant: bool

    @property
    def real(self):
        """Does it have a derivative?"""
        return self.number in REALS

    @property
    def written(self):
        """May the function write to it?"""
        return self.array and not self.constant

    @property
    def dtype(self):
        """The name of NumPy's type of the number."""
        if self.real:
            return REALS[self.number]
        kind = INTEGERS[self.number]
        letter = "int" if kind(-1).value in (-1, b"\xff") else "uint"
        return f"{letter}{8 * ctypes.sizeof(kind)}"

    @property
    def text(self):
        """The type as C has it."""
        constant = "const " if self.constant else ""
        return f"{constant}{self.number}{' *' if self.array else ''}"


class Signature(NamedTuple):
    """The parameters and the type of the result: of a real, or void."""

    name: str
    result: str
    parameters: tuple


def words_of(text):
    """Returns the words of a type that matter."""
    return [word for word in text.replace("*", " * ").split()
            if word not in ("restrict", "volatile", "__restrict")]


def without_names(text, named):
    """Returns the words of a type; of those that are names of types, what these stand for."""
    words = words_of(text)
    for _ in range(MOST_NAMES):
        word = next((word for word in words if word not in KNOWN_WORDS and named(word)), None)
        if word is None:
            break
        at = words.index(word)
        words[at:at + 1] = words_of(named(word))
    return words


def parameter_of(node, function, named):
    """Returns the parameter that a node of clang's tree declares."""
    kind = node["type"]
    words = without_names(kind.get("desugaredQualType", kind["qualType"]), named)
    array = words.count("*") == 1 and words.index("*") >= len(words) - 2
    constant = "const" in (words[:words.index("*")] if array else [])
    number = " ".join(word for word in words if word not in ("const", "*"))
    if "*" in words and not array or number not in REALS and number not in INTEGERS:
        raise SignatureError(f"parameter '{node.get('name', '')}' of '{function}' is "
                             f"'{kind['qualType']}': only numbers and arrays of numbers can be "
                             "passed")
    return Parameter(node.get("name", ""), number, array, constant)


def find_last(text, kind, name):
    """Returns the last node of clang's tree, as JSON, of the kind and name; None: none."""
    decoder = json.JSONDecoder()
    found = None
    start = text.find("{")
    while start >= 0:
        node, length = decoder.raw_decode(text[start:])
        if node.get("kind") == kind and node.get("name") == name:
            found = node
        start = text.find("{", start + length)
    return found


def read_tree(text, name, named):
    """Returns the signature that clang's tree, as JSON, has for the function.

    `named` gives what a name of a type stands for, None where it is none.
    """
    found = find_last(text, "FunctionDecl", name)
    if found is None:
        raise SignatureError(f"there is no function '{name}'")
    nodes = [node for node in found.get("inner", []) if node["kind"] == "ParmVarDecl"]
    result = found["type"]["qualType"].split("(")[0].strip()
    words = without_names(result, named)
    result = " ".join(word for word in words if word != "const")
    if result != "void" and result not in REALS:
        raise SignatureError(f"'{name}' returns '{result}': the result must be double, float or "
                             "void")
    return Signature(name, result, tuple(parameter_of(node, name, named) for node in nodes))
