# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of what random programs showed, on the terminal and in docs/reliability.md."""

import re
from collections import Counter

import batch as batches

BEGIN, END = "<!-- {}: written by {} -->", "<!-- end of {} -->"
FEATURES = {
    "unions, in arrays and by value": ["cells", "union_by_value"],
    "floats that travel as integers": ["carried"],
    "arithmetic on the bits of a float": ["bit_tricks"],
    "structs by value, of all sizes": ["pair", "by_value", "all_sizes"],
    "bit-fields beside floats": ["bit_fields"],
    "flexible arrays": ["flexible"],
    "arrays of run-time size": ["runtime_sized", "runtime_rows"],
    "alloca in loops": ["stack_in_loop"],
    "growth by realloc": ["growing"],
    "heap blocks, in loops and through helpers": ["heap", "heap_in_loop", "heap_from_helper"],
    "lists and trees": ["nodes", "sorted_list", "tree"],
    "pointers to pointers": ["rows", "matrix", "out_pointer"],
    "pointer walks": ["walk"],
    "pointers chosen by the data, aliases": ["through_pointer", "table_or_array",
                                             "rows_of_either", "slices"],
    "goto": ["jump"],
    "irreducible loops": ["tangle", "maze"],
    "loops whose bound changes, or that the data end": ["moving_bound", "data_loop", "while_loop",
                                                        "do_loop"],
    "switch with fall-through": ["switch"],
    "function pointers chosen at run time": ["called", "method_table"],
    "callbacks": ["callback"],
    "recursion": ["call_arrays"],
    "variable arguments": ["variable_arguments", "variable_words"],
    "globals": ["scratch", "global_pointer", "constants"],
    "static locals": ["static_state"],
    "complex numbers": ["complex_numbers"],
    "volatile": ["volatile_state"],
    "mixed precision": ["accumulate", "narrow_array", "mixed_array"],
    "memset and memcpy of parts": ["copy", "clear", "pieces", "fields_moved", "nested_struct",
                                    "nested_arrays"],
    "bytes through char buffers and void *": ["byte_buffer", "untyped_copy"],
    "memory used for one type after another": ["arena"],
    "pointers carried in integers": ["pointer_number"],
    "vectors": ["lanes"],
    "checked integers, assumptions, indices from data": ["overflow_checks", "best_of"],
    "updates in place, self-assignment": ["shift", "plane", "grid", "self_assign", "overwritten"],
}


class Tally:
    """Runs, and what became of them, by name."""

    def __init__(self, names_of, results):
        self.runs, self.right, self.seen, self.refused, self.blamed, self.bad = (
            Counter() for _ in range(6))
        for result in results:
            if result["kind"] in ("skipped", "foreign"):
                continue
            names = names_of(result["used"])
            self.runs.update(names)
            self.right.update(names if result["kind"] in ("passed", "loose") else [])
            self.seen.update(names & names_of(result["seen"]))
            self.refused.update(names if result["kind"] == "refused" else [])
            self.blamed.update(names & names_of(result["blame"]))
            self.bad.update(names if result["kind"] in batches.BAD else [])

    def share(self, counter, name):
        return 100 * counter[name] / self.runs[name] if self.runs[name] else 0


def features_of(constructs):
    """The features that some of these constructs are of."""
    return {name for name, parts in FEATURES.items() if set(parts) & set(constructs)}


def background(results):
    """For each construct, the share of the runs without it whose code shows what it would show."""
    shown = Counter(name for result in results for name in result["elsewhere"])
    used = Counter(name for result in results for name in result["used"])
    return {name: 100 * shown[name] / max(1, len(results) - used[name]) for name in used}


def show_constructs(results):
    """Prints, for each construct, how many runs have it and what became of them: in how many the
    code shows it still, and in how many of the others it seems to."""
    tally, elsewhere = Tally(set, results), background(results)
    head = ("construct", "runs", "in the IR", "without", "refused", "there", "failed")
    print("{:18} {:>7} {:>10} {:>9} {:>9} {:>8} {:>7}".format(*head))
    for name in sorted(tally.runs):
        print(f"{name:18} {tally.runs[name]:7} {tally.share(tally.seen, name):8.1f} % "
              f"{elsewhere[name]:7.1f} % {tally.share(tally.refused, name):7.1f} % "
              f"{tally.share(tally.blamed, name):6.1f} % {tally.bad[name]:7}")


def show_refusals(results):
    """Prints how many runs each diagnostic refused, and at which constructs."""
    groups = {}
    for result in results:
        if result["kind"] == "refused":
            groups.setdefault(result["detail"], []).append(result)
    for identifier, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"refused with {identifier}: {len(group)}, such as seed {group[0]['seed']} "
              f"{group[0]['at']}")
        blamed = Counter(name for result in group for name in result["blame"])
        print("  at " + ", ".join(f"{name} {count}" for name, count in blamed.most_common(12)))


def feature_table(results):
    """The lines of the table of features, in Markdown."""
    tally = Tally(features_of, results)
    lines = ["| feature | runs | in the IR | right | refused there | wrong or crashed |",
             "|---|--:|--:|--:|--:|--:|"]
    for name in FEATURES:
        cells = (name, tally.runs[name], f"{tally.share(tally.seen, name):.0f} %",
                 tally.right[name], f"{tally.share(tally.blamed, name):.1f} %", tally.bad[name])
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def write_between(file, name, command, lines):
    """Puts the lines between the marks of that name in a file."""
    begin, end = BEGIN.format(name, command), END.format(name)
    text = file.read_text()
    opening = re.escape(BEGIN.format(name, "")[:-len(" -->")])
    pattern = re.compile(opening + r".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"{file} has no place for {name}")
    file.write_text(pattern.sub(lambda _: "\n".join([begin, "", *lines, "", end]), text))
