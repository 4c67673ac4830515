# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C and C++ as tokens, and the functions and declarations that they make up."""

import re
from typing import NamedTuple

PATTERN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      |(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
      |(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
      |(?P<character>[uUL]?'(?:[^'\\\n]|\\.)*')
      |(?P<word>[A-Za-z_]\w*)
      |(?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)
      |(?P<mark>->|::|[^\s\w])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)
OPENING = {"(": ")", "[": "]", "{": "}"}
SCOPES = {"namespace", "extern", "class", "struct", "union"}


class Token(NamedTuple):
    """One token and the line on which it begins."""

    kind: str
    text: str
    line: int


class Function(NamedTuple):
    """One function: its name, and its tokens from `begin` to the body's braces."""

    name: str
    begin: int
    opening: int
    closing: int


def tokenize(text):
    """Returns the tokens of a text, comments and directives among them."""
    tokens = []
    line = 1
    position = 0
    for match in PATTERN.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        tokens.append(Token(match.lastgroup, match.group(), line))
    return tokens


def code_only(tokens):
    """Returns the tokens without comments and directives."""
    return [token for token in tokens if token.kind not in ("comment", "directive")]


def matching(tokens, start):
    """Returns the index of the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        text = tokens[index].text
        if text in OPENING:
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return index
    return len(tokens) - 1


def function_name(head):
    """Returns the name in front of the first parenthesis of a function's head, or None."""
    for index, token in enumerate(head):
        if token.text == "=":
            return None
        if token.text == "(" and index and head[index - 1].kind == "word":
            if head[index - 1].text not in ("__attribute__", "alignas", "_Alignas"):
                return head[index - 1].text
    return None


def split_file_scope(tokens):
    """Returns (functions, statements) of a file; a statement is its range of tokens.

    The bodies of namespaces, linkage specifications and classes are part of the file's scope.
    """
    functions = []
    statements = []
    begin = 0
    index = 0
    while index < len(tokens):
        text = tokens[index].text
        if text == ";":
            statements.append((begin, index))
            begin = index + 1
        elif text in ("(", "["):
            index = matching(tokens, index)
        elif text == "}":
            begin = index + 1
        elif text == "{":
            index, begin = step_over_brace(tokens, begin, index, functions)
        index += 1
    return functions, statements


def step_over_brace(tokens, begin, index, functions):
    """Decides what a brace at file scope opens. Returns the next (index, begin of statement)."""
    head = tokens[begin:index]
    closing = matching(tokens, index)
    name = function_name(head)
    if name:
        functions.append(Function(name, begin, index, closing))
        return closing, closing + 1
    words = {token.text for token in head}
    if words & SCOPES and "=" not in words and opens_scope(head):
        return index, index + 1
    return closing, begin


def opens_scope(head):
    """Does this head open a scope that may hold functions? Plain C structs hold none."""
    words = [token.text for token in head]
    return "namespace" in words or "class" in words or "extern" in words or ":" in words


def functions_of(tokens):
    """Returns the functions of a file."""
    return split_file_scope(tokens)[0]
