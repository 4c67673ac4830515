# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python: length and nesting of functions."""

import ast

from .structure import FUNCTION_LINES_MAX, NESTING_MAX

NESTED = (ast.If, ast.For, ast.While, ast.With, ast.Try)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def depth_of(node, depth):
    """Returns the deepest nesting below a node that is itself `depth` deep."""
    deepest = depth
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        inner = depth + 1 if isinstance(child, NESTED) and not is_elif else depth
        deepest = max(deepest, depth_of(child, inner))
    return deepest


def check_function(source, function):
    """Length and nesting of one function."""
    length = function.end_lineno - function.lineno + 1
    if length > FUNCTION_LINES_MAX:
        yield source.finding(function.lineno, f"{function.name} has {length} lines "
                                              f"(at most {FUNCTION_LINES_MAX})")
    depth = depth_of(function, 0)
    if depth > NESTING_MAX:
        yield source.finding(function.lineno, f"{function.name} is nested {depth} deep "
                                              f"(at most {NESTING_MAX})")


def check_source(source):
    """Returns all findings in one file."""
    try:
        tree = ast.parse(source.text)
    except SyntaxError as error:
        return [source.finding(error.lineno or 1, f"not Python: {error.msg}")]
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    return [finding for function in functions for finding in check_function(source, function)]


def check(sources):
    """Returns all findings of this module."""
    chosen = [source for source in sources if source.kind == "python"]
    return [finding for source in chosen for finding in check_source(source)]
