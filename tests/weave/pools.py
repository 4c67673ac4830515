# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pools: blocks of bytes with records of numbers and of what is no number. A program has one type
of records, and helpers that clear, copy, exchange and shift them, and see no number of them."""

# What a record may have besides its number v.
FIELDS = {
    "w": "real w;", "next": "struct Record *next;", "key": "long key;", "tag": "int tag;",
    "mark": "char mark;", "pair": "real pair[2];",
    "inner": "struct { real in; long count; } inner;",
}
NUMBERS = {"w": ("w",), "pair": ("pair[0]", "pair[1]"), "inner": ("inner.in",)}

# What is done with a record Q of the pool `base`, and asked of it, without its numbers.
CHANGES = {
    "next": ("Q->next = (Record *)base;", "Q->next = NULL;", "Q->next = Q;",
             "Q->next = AT(base, 1);"),
    "key": ("Q->key = 2;", "Q->key++;"),
    "tag": ("Q->tag = 1;", "Q->tag ^= 1;"),
    "mark": ("Q->mark = 1;",),
    "inner": ("Q->inner.count = 2;",),
}
TESTS = {"next": "Q->next != NULL", "key": "Q->key > 1", "tag": "Q->tag", "mark": "Q->mark",
         "inner": "Q->inner.count"}

CLEARS = ("memset(q, 0, sizeof *q);", "memset(q, 0, sizeof *q);", "*q = (Record){0};",
          "bzero(q, sizeof *q);", "clear_bytes(q, sizeof *q);",
          "for (size_t i = 0; i < sizeof *q; i++) ((char *)q)[i] = 0;")
COPIES = ("*q = *p;", "*q = *p;", "if (q != p) memcpy(q, p, sizeof *q);",
          "memmove(q, p, sizeof *q);", "if (q != p) copy_bytes(q, p, sizeof *q);",
          "for (size_t i = 0; i < sizeof *q; i++) ((char *)q)[i] = ((char *)p)[i];")
THROUGH = "memcpy(&t, q, sizeof *q); memmove(q, p, sizeof *q); memcpy(p, &t, sizeof *p);"
LONGS = "sizeof(Record) / sizeof(long)"
EXCHANGES = ("Record t = *q; *q = *p; *p = t;",
             f"char t[sizeof(Record)]; {THROUGH}", "exchange_bytes(q, p, sizeof *q);",
             f"long t[{LONGS}]; {THROUGH}",
             f"struct {{ long a, b, more[{LONGS} - 2]; }} t; {THROUGH}",
             f"max_align_t t[1 + sizeof(Record) / sizeof(max_align_t)]; {THROUGH}",
             f"union {{ Record r; long l[{LONGS}]; }} t; t.r = *q; *q = *p; *p = t.r;",
             f"union {{ Record r; long l[{LONGS}]; char c[sizeof(Record)]; }} t; {THROUGH}")
SHIFTS = ("memmove(AT(base, 1), base, 2 * sizeof(Record));",
          "memmove(base, AT(base, 1), 3 * sizeof(Record));",
          "memmove(AT(base, 1), base, (q > p ? q - p : p - q) * sizeof(Record));",
          "for (size_t i = 3 * sizeof(Record); i-- > 0;) base[sizeof(Record) + i] = base[i];")

# How a helper is told of its records: its parameters, how it finds the records, its arguments.
STYLES = (
    ("char *base, size_t a, size_t b",
     "Record *q = (Record *)(base + a), *p = (Record *)(base + b);",
     "{base}, sizeof(Record) * {a}, sizeof(Record) * {b}"),
    ("char *base, long a, long b", "Record *q = AT(base, a), *p = AT(base, b);",
     "{base}, {a}, {b}"),
    ("Record *q, Record *p, char *base", "", "AT({base}, {a}), AT({base}, {b}), {base}"),
)
OUTLINED = ("", "__attribute__((noinline)) ", "__attribute__((noinline)) ")


class Pools:
    """The type of a program's records, and the functions for them."""

    def __init__(self, program):
        self.pick, self.chance = program.pick, program.chance
        fields = program.random.sample(list(FIELDS), program.between(1, 3))
        if not any(field in CHANGES for field in fields):
            fields.append(self.pick("next", "key"))
        self.fields = fields
        self.linked = "next" in fields
        self.declared = [FIELDS[field] for field in fields]
        self.declared.insert(program.between(0, len(fields)), "real v;")
        self.helpers = []

    def macros(self):
        return f"#define RECORD {' '.join(self.declared)}\n"

    def number(self, record):
        """A number of the record that this is a pointer to."""
        field = self.pick("v", *self.fields)
        return f"{record}->{self.pick(*NUMBERS.get(field, 'v'))}"

    def change(self, record):
        field = self.pick(*[field for field in self.fields if field in CHANGES])
        return self.pick(*CHANGES[field]).replace("Q", record)

    def test(self, record):
        field = self.pick(*[field for field in self.fields if field in TESTS])
        return TESTS[field].replace("Q", record)

    def deed(self):
        """What is done with the records q and p of the pool `base`."""
        kind = self.pick("clear", "clear", "copy", "exchange", "exchange", "shift", "either")
        if kind == "clear":
            text = self.pick(*CLEARS)
        elif kind == "copy":
            text = self.pick(*COPIES)
            after = self.pick("", "", "memset(p, 0, sizeof *p);", self.change("p"))
            text = f"if (q != p) {{ {text} {after} }}" if after else text
        elif kind == "exchange":
            text = self.pick(*EXCHANGES)
            text = f"if ({self.test('q')}) {{ {text} }}" if self.chance(0.5) else text
        elif kind == "shift":
            text = self.pick(*SHIFTS)
        else:
            text = f"if ({self.test('p')}) {{ {self.pick(*CLEARS)} }} else {{ " \
                f"{self.pick(*COPIES)} }}"
        return f"{text} {self.change('q')}" if self.chance(0.7) else text

    def use(self, base, a, b):
        """The call of a helper."""
        name, arguments = self.pick(*self.helpers)
        return f"{name}({arguments.format(base=base, a=a, b=b)})"

    def helper(self):
        parameters, records, arguments = self.pick(*STYLES)
        lines = [records, *([self.change("q")] if self.chance(0.3) else [])]
        if self.helpers and self.chance(0.3):
            lines.append(f"{self.use('base', '(q - (Record *)base)', '(p - (Record *)base)')};")
        name = f"blind{len(self.helpers)}"
        lines += [self.deed(), self.pick("return 1;", f"return {self.test('q')};")]
        self.helpers.append((name, arguments))
        return [f"{self.pick(*OUTLINED)}static int {name}({parameters}) {{",
                *("  " + line for line in lines if line), "}"]

    def functions(self):
        """Before what else the program has."""
        lines = self.of_bytes() + self.of_arenas()
        for _ in range(self.pick(2, 3, 4)):
            lines += self.helper()
        return lines

    def of_bytes(self):
        outlined = [self.pick(*OUTLINED) for _ in range(4)]
        copy = self.pick("memcpy(to, from, n);", "memmove(to, from, n);",
                         "char *d = to; const char *o = from; while (n--) *d++ = *o++;")
        clear = self.pick("memset(at, 0, n);", "char *d = at; for (; n; n--) *d++ = 0;")
        links = " base[i].next = base + (i + 1) % RECORDS;" if self.linked else ""
        return [
            f"{outlined[0]}static void copy_bytes(void *to, const void *from, size_t n) {{",
            f"  {copy}", "}",
            f"{outlined[1]}static void clear_bytes(void *at, size_t n) {{", f"  {clear}", "}",
            f"{outlined[2]}static void exchange_bytes(void *a, void *b, size_t n) {{",
            "  char t[256];", "  memcpy(t, a, n);", "  memmove(a, b, n);", "  memcpy(b, t, n);",
            "}", f"{outlined[3]}static void connect(Record *base) {{",
            f"  for (int i = 0; i < RECORDS; i++) {{{links} {self.change('base')} }}", "}"]

    def of_arenas(self):
        """An allocator in three layers; one of them clears, or none. `spare` is a list."""
        outlined = [self.pick(*OUTLINED) for _ in range(4)]
        clears = [self.pick("", "", self.pick(*CLEARS)) for _ in range(2)]
        first = self.pick("", "", "memset(at, 0, size);", "clear_bytes(at, size);")
        change = self.change("q").replace("base", "arena->base")
        spare = ["  Record *q = arena->spare;", "  if (q)", "    arena->spare = q->next;", "  else",
                 "    q = (Record *)claim(arena, sizeof *q);"]
        link = ["  q->next = arena->spare;", "  arena->spare = q;"] if self.linked else []
        return [
            f"{outlined[0]}static {self.pick('void', 'char')} *claim(Arena *arena, size_t size) {{",
            "  char *at = arena->base + arena->used;",
            "  arena->used = (arena->used + size) % (RECORDS * sizeof(Record));",
            f"  {first}", "  return at;", "}",
            f"{outlined[1]}static Record *claimed(Arena *arena) {{",
            *(spare if link else ["  Record *q = (Record *)claim(arena, sizeof *q);"]),
            f"  {clears[0]} {change}", "  return q;", "}",
            f"{outlined[2]}static Record *filled(Arena *arena, real value) {{",
            "  Record *q = claimed(arena);", "  q->v = value;", "  return q;", "}",
            f"{outlined[3]}static void release(Arena *arena, Record *q) {{",
            f"  {clears[1]}", *link, "}"]
