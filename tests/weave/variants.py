# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variants: structs with a tag and a union of a number and what leads to numbers. A program has one
such type, and reads of the union only what the tag says."""

# What a variant may be: its member, what is stored there, and what that is worth. V stands
# for a variant, WORTH for the function; the other names are what `made` is given.
MEMBERS = {
    "NUMBER": ("real d;", "V.u.d = value;", "V.u.d"),
    "POINTER": ("real *p;", "V.u.p = numbers;", "*V.u.p"),
    "LINK": ("struct Variant *link;", "V.u.link = other;", "R(0.5) * WORTH(V.u.link)"),
    "TWO": ("struct { real a, b; } two;", "V.u.two.a = value, V.u.two.b = numbers[1];",
            "V.u.two.a * V.u.two.b"),
    "SLICE": ("struct { real *at; long n; } slice;", "V.u.slice.at = numbers, V.u.slice.n = 2;",
              "total(V.u.slice.at, V.u.slice.n)"),
    "BOTH": ("struct { struct Variant *l, *r; } both;", "V.u.both.l = V.u.both.r = other;",
             "mild(WORTH(V.u.both.l) - R(0.3) * WORTH(V.u.both.r))"),
    "CHOICE": ("long k;", "V.u.k = value > 0;", "(V.u.k & 1 ? R(0.4) : R(0.7))"),
}
OUTLINED = ("", "__attribute__((noinline)) ")


class Variants:
    """The type of a program's variants, and the functions for them."""

    def __init__(self, program):
        self.pick = program.pick
        others = [tag for tag in MEMBERS if tag != "NUMBER"]
        self.tags = ["NUMBER", *program.random.sample(others, program.pick(1, 1, 2))]
        self.by_value = program.chance(0.5)
        members = " ".join(MEMBERS[tag][0] for tag in program.random.sample(self.tags,
                                                                            len(self.tags)))
        union = f"union {{ {members} }} u;"
        tag = program.pick("char tag;", "int tag;", "int tag;", "long tag;")
        more = program.pick("", "", "", "real w;")
        self.fields = " ".join(program.pick((tag, union, more), (union, more, tag)))

    def macros(self):
        return f"#define VARIANT {self.fields}\n"

    def worth(self, place, depth):
        """The number that a variant at a place is, or leads to."""
        return f"worth({place if self.by_value else '&' + place}, {depth})"

    def cases(self, name, part, ending):
        """A switch over the tag of the variant that has this name."""
        function = f"worth({'*' if self.by_value else ''}"
        lines = [f"switch ({name}.tag) {{"]
        for tag in self.tags:
            text = MEMBERS[tag][part].replace("WORTH(", function).replace("V.", f"{name}.")
            for member in ("link", "both.l", "both.r"):
                text = text.replace(f"u.{member})", f"u.{member}, depth - 1)")
            lines.append(ending(f"case {tag}:", text))
        return [*lines, "}"]

    def put(self, name):
        """Sets the member that the tag says."""
        return self.cases(name, 1, lambda case, text: f"{case} {text} break;")

    def chain(self, name):
        """The same as branches, in the body of a function."""
        lines = self.cases(name, 2, lambda case, text: f"if ({name}.tag == {case[5:-1]}) "
                           f"return {text};")
        return lines[1:-1]

    def functions(self):
        """Before what else the program has."""
        outlined = [self.pick(*OUTLINED) for _ in range(5)]
        of = self.pick("v", "w") if self.by_value else self.pick("(*v)", "w")
        copy = ["  Variant w = v;" if self.by_value else "  Variant w = *v;"] if of == "w" else []
        read = self.pick(self.cases(of, 2, lambda case, text: f"{case} return {text};"),
                         self.chain(of))
        own = self.pick("Variant v;", "Variant v = {0};")
        by = "Variant " if self.by_value else "const Variant *"
        return [
            f"static const int tags[] = {{{', '.join(self.tags)}}};",
            f"{outlined[0]}static real worth({by}v, int depth) {{",
            "  if (depth <= 0)", "    return R(0.3);", *copy, *("  " + line for line in read),
            "  return 0;", "}",
            f"{outlined[1]}static Variant made(real *numbers, Variant *other, real value, int tag)",
            "{",
            f"  {own}", "  v.tag = tag;",
            *("  " + line for line in self.put("v")),
            "  return v;", "}",
            f"{outlined[2]}static void exchange(Variant *a, Variant *b) {{",
            "  Variant held = *a;", "  *a = *b;", "  *b = held;", "}",
            f"{outlined[3]}static Variant either(Variant a, Variant b, int k) {{",
            "  return k & 1 ? a : b;", "}",
            f"{outlined[4]}static Variant scaled(Variant v, real by) {{",
            "  if (v.tag == NUMBER)", "    v.u.d = mild(v.u.d * by);", "  return v;", "}"]
