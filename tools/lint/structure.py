# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C and C++: length and nesting of functions, macros, comments in bodies, mutable state."""

import re

from .tokens import code_only, matching, split_file_scope, tokenize

FUNCTION_LINES_MAX = 60
NESTING_MAX = 4
CASE_LINES_MAX = 3
CONTROL = {"if", "else", "for", "while", "do", "switch", "goto", "return", "break", "continue"}
ARGUMENT_NAME = re.compile(r"/\*\w+=\*/")
STATELESS = ("src", "runtime", "driver")
STATEFUL = ("check_report.c", "check_call.c", "check_session.c", "cublas.c", "registry.c")


class Nesting:
    """Measures how deep the statements of a body are nested."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.deepest = 0

    def text(self, index):
        """Returns the text of a token, or nothing past the end."""
        return self.tokens[index].text if index < len(self.tokens) else ""

    def block(self, opening, depth):
        """Walks over a block; returns the index past its closing brace."""
        closing = matching(self.tokens, opening)
        index = opening + 1
        while index < closing:
            index = self.statement(index, depth)
        return closing + 1

    def body(self, index, depth):
        """Walks over what a control statement governs: a block or one statement."""
        self.deepest = max(self.deepest, depth)
        if self.text(index) == "{":
            return self.block(index, depth)
        return self.statement(index, depth)

    def statement(self, index, depth):
        """Walks over one statement; returns the index past it."""
        text = self.text(index)
        if text in ("if", "for", "while", "switch"):
            return self.governed(index, depth)
        if text == "do":
            after = self.body(index + 1, depth + 1)
            return self.expression(after, depth)
        if text == "{":
            return self.body(index, depth + 1)
        if text in ("case", "default"):
            return self.label(index)
        return self.expression(index, depth)

    def governed(self, index, depth):
        """Walks over if, for, while or switch. An `else if` is no deeper than its `if`."""
        is_if = self.text(index) == "if"
        index += 1
        while self.text(index) != "(":
            index += 1
        index = self.body(matching(self.tokens, index) + 1, depth + 1)
        if not is_if or self.text(index) != "else":
            return index
        if self.text(index + 1) == "if":
            return self.governed(index + 1, depth)
        return self.body(index + 1, depth + 1)

    def label(self, index):
        """Walks over a case's label."""
        while self.text(index) not in (":", ""):
            index += 1
        return index + 1

    def expression(self, index, depth):
        """Walks over an expression statement; the bodies of lambdas in it are blocks."""
        while index < len(self.tokens):
            text = self.text(index)
            if text == ";":
                return index + 1
            if text == "{" and self.holds_statements(index):
                index = self.body(index, depth + 1)
            elif text == "{":
                index = matching(self.tokens, index) + 1
            else:
                index += 1
        return index

    def holds_statements(self, opening):
        """Does a brace in an expression open a lambda's body, and not a list of values?"""
        closing = matching(self.tokens, opening)
        return any(token.text == ";" for token in self.tokens[opening:closing])


def flat_switch_lines(tokens, opening, closing):
    """Returns how many lines of a body are switches whose cases have few lines each."""
    saved = 0
    for index in range(opening, closing):
        if tokens[index].text != "switch":
            continue
        begin = matching(tokens, index + 1) + 1
        end = matching(tokens, begin)
        labels = [token.line for token in tokens[begin:end] if token.text in ("case", "default")]
        ends = labels[1:] + [tokens[end].line]
        if labels and all(b - a <= CASE_LINES_MAX for a, b in zip(labels, ends)):
            saved += tokens[end].line - tokens[begin].line
    return saved


def check_function(source, tokens, function):
    """Length and nesting of one function."""
    first = tokens[function.begin].line
    length = tokens[function.closing].line - first + 1
    if length > FUNCTION_LINES_MAX:
        length -= flat_switch_lines(tokens, function.opening, function.closing)
    if length > FUNCTION_LINES_MAX:
        yield source.finding(first, f"{function.name} has {length} lines "
                                    f"(at most {FUNCTION_LINES_MAX})")
    nesting = Nesting(tokens[function.opening:function.closing + 1])
    nesting.block(0, 0)
    if nesting.deepest > NESTING_MAX:
        yield source.finding(first, f"{function.name} is nested {nesting.deepest} deep "
                                    f"(at most {NESTING_MAX})")


def check_comments(source, everything, bodies):
    """Comments within function bodies; the name of an argument is none."""
    for token in everything:
        if token.kind != "comment" or ARGUMENT_NAME.fullmatch(token.text):
            continue
        if any(first < token.line < last for first, last in bodies):
            yield source.finding(token.line, "comment in a function's body: extract a function")


def check_macros(source, everything):
    """The bodies of macros: no control flow, no more lines than a function."""
    for token in everything:
        if token.kind != "directive" or not re.match(r"\s*#\s*define\b", token.text):
            continue
        if token.text.count("\n") >= FUNCTION_LINES_MAX:
            yield source.finding(token.line, "macro longer than a function may be")
        text = re.sub(r'"(?:[^"\\]|\\.)*"', "", token.text)
        words = set(re.findall(r"[A-Za-z_]\w*", text))
        if words & CONTROL:
            yield source.finding(token.line, "control flow in a macro")


def check_conditionals(source, everything, bodies):
    """Conditional compilation within function bodies."""
    for token in everything:
        if token.kind == "directive" and re.match(r"\s*#\s*(if|el|endif)", token.text):
            if any(first < token.line < last for first, last in bodies):
                yield source.finding(token.line, "conditional compilation in a function's body")


def object_is_const(words):
    """Is the declared object const: after its last star, or anywhere when there is no star?"""
    if "=" in words:
        words = words[:words.index("=")]
    if "*" in words:
        last = len(words) - 1 - words[::-1].index("*")
        return "const" in words[last:]
    return "const" in words or "constexpr" in words


def without_braces(tokens):
    """Returns the words of a statement without what stands in braces."""
    words = []
    depth = 0
    for token in tokens:
        depth -= token.text == "}"
        if depth == 0:
            words.append(token.text)
        depth += token.text == "{"
    return words


def is_object(words):
    """Does a statement at file scope define an object, as far as its words tell?"""
    if not words or words[0] in ("typedef", "extern", "using", "_Static_assert", "static_assert"):
        return False
    before = words[:words.index("=")] if "=" in words else words
    if words[0] in ("struct", "union", "enum", "class") and "=" not in words:
        return len(before) > 2 and before[-1] != "}" and "(" not in before
    is_function = "(" in before and before[before.index("(") + 1:][:1] != ["*"]
    return len(before) > 1 and not is_function


def check_state(source, tokens, functions, statements):
    """Objects that are not const, at file scope and static within functions."""
    for begin, end in statements:
        words = without_braces(tokens[begin:end])
        if is_object(words) and not object_is_const(words):
            yield source.finding(tokens[begin].line, "mutable state at file scope")
    for function in functions:
        for index in range(function.opening, function.closing):
            if tokens[index].text != "static":
                continue
            end = index
            while tokens[end].text != ";":
                end = matching(tokens, end) + 1 if tokens[end].text == "{" else end + 1
            if not object_is_const(without_braces(tokens[index:end])):
                yield source.finding(tokens[index].line, "mutable static object")


def check_source(source):
    """Returns all findings in one C or C++ file."""
    everything = tokenize(source.text)
    tokens = code_only(everything)
    functions, statements = split_file_scope(tokens)
    bodies = [(tokens[f.opening].line, tokens[f.closing].line) for f in functions]
    findings = []
    for function in functions:
        findings += check_function(source, tokens, function)
    findings += check_macros(source, everything)
    if not source.is_under("tests", "examples"):
        findings += check_comments(source, everything, bodies)
        findings += check_conditionals(source, everything, bodies)
    if source.path.suffix == ".c" and source.is_under(*STATELESS) and \
            source.path.name not in STATEFUL:
        findings += check_state(source, tokens, functions, statements)
    return findings


def check(sources):
    """Returns all findings of this module."""
    chosen = [source for source in sources if source.kind in ("c", "c++")]
    return [finding for source in chosen for finding in check_source(source)]
