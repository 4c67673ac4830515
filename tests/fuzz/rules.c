// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Mutated rule files: rows of nabla's own files, spoilt here and there, are read as a user's file
 * would be, in front of the built-in ones. What is refused has a place and a reason; of what is
 * read all names are looked up, and a table and tests are written. To be built with a sanitizer
 * (make fuzz-rules), which finds the rest. */
#include "rules/rulec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1200, MOST_CHANGES = 4, LONGEST_SPAN = 24, DEEPEST = 2000 };

typedef struct Text {
  char *bytes;
  size_t length;
} Text;

/* The text that is spoilt; what a change adds fits behind it. */
typedef struct Spoilt {
  char bytes[LONGEST + MOST_CHANGES * (DEEPEST + LONGEST_SPAN)];
  size_t length;
} Spoilt;

typedef struct Counts {
  unsigned long read, refused;
} Counts;

static unsigned next(unsigned *state, unsigned bound) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % bound;
}

static Text read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  Text text = {NULL, 0};
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(2);
  }
  text.length = (size_t)ftell(file);
  rewind(file);
  text.bytes = malloc(text.length + 1);
  if (!text.bytes || fread(text.bytes, 1, text.length, file) != text.length) {
    perror(path);
    exit(2);
  }
  fclose(file);
  return text;
}

static bool begins_row(const Text *text, size_t at) {
  return at == 0 || at >= text->length || (text->bytes[at - 1] == '\n' && text->bytes[at] != ' ');
}

/* Some rows of the file, or the beginning of a long one. */
static void cut_out(const Text *text, unsigned *state, Spoilt *to) {
  size_t first = next(state, (unsigned)text->length);
  size_t last = first + 1 + next(state, LONGEST / 2);
  while (!begins_row(text, first))
    first--;
  while (!begins_row(text, last))
    last++;
  last = last > text->length ? text->length : last;
  to->length = last - first > LONGEST ? LONGEST : last - first;
  memcpy(to->bytes, text->bytes + first, to->length);
}

/* Makes room for `count` bytes at a place. */
static void open_gap(Spoilt *text, size_t at, size_t count) {
  memmove(text->bytes + at + count, text->bytes + at, text->length - at);
  text->length += count;
}

static void change(Spoilt *text, unsigned *state) {
  static const char letters[] = "()[]{},:=?+-*/<>!&|.#\" \n\tdxyzn01e9_f\0\377";
  size_t at = next(state, (unsigned)text->length), other = next(state, (unsigned)text->length);
  size_t span = 1 + next(state, LONGEST_SPAN);
  char letter = letters[next(state, sizeof letters - 1)];
  if (span > text->length - (at > other ? at : other))
    span = text->length - (at > other ? at : other);
  switch (next(state, 8)) {
  case 0:
    open_gap(text, at, span);
    memset(text->bytes + at, letter, span);
    return;
  case 1:
    span = 1 + next(state, DEEPEST);
    open_gap(text, at, span);
    memset(text->bytes + at, letters[next(state, 8)], span);
    return;
  case 2:
    memmove(text->bytes + at, text->bytes + at + span, text->length - at - span);
    text->length -= text->length > span ? span : 0;
    return;
  case 3:
  case 4:
    memmove(text->bytes + at, text->bytes + other, span);
    return;
  default:
    text->bytes[at] = letter;
  }
}

static void use(const NbRules *rules, NbArena *arena, FILE *nowhere) {
  for (unsigned i = 0; i < nb_rules_count(rules); i++) {
    const NbRule *rule = nb_rules_at(rules, i);
    NbFormat format;
    if (!rule->instruction && !nb_rules_find(rules, rule->name, strlen(rule->name), &format)) {
      fprintf(stderr, "the row of '%s' is not found\n", rule->name);
      abort();
    }
    for (unsigned k = 0; k < rule->alias_count; k++)
      nb_rules_find(rules, rule->aliases[k], strlen(rule->aliases[k]), &format);
  }
  nb_rulec_write_table(nowhere, arena, rules);
  nb_rulec_write_tests(nowhere, rules, true);
  nb_rulec_write_tests(nowhere, rules, false);
}

static void try_one(const Spoilt *text, bool alone, FILE *nowhere, Counts *counts) {
  NbArena *arena = nb_arena_new();
  NbRuleError error = {0};
  const NbRules *base = alone ? NULL : nb_rules_builtin();
  char *exact = malloc(text->length ? text->length : 1);
  if (!exact)
    abort();
  memcpy(exact, text->bytes, text->length);
  const NbRules *rules = nb_rules_parse(arena, "m.rules", exact, text->length, base, &error);
  free(exact);
  if (rules) {
    use(rules, arena, nowhere);
    counts->read++;
  } else {
    if (!error.message || !error.line || !error.column)
      abort();
    counts->refused++;
  }
  nb_arena_free(arena);
}

int main(int argument_count, char **arguments) {
  if (argument_count < 4) {
    fputs("usage: rules_fuzz COUNT SEED FILE...\n", stderr);
    return 2;
  }
  unsigned long wanted = strtoul(arguments[1], NULL, 10);
  unsigned state = (unsigned)strtoul(arguments[2], NULL, 10), files = (unsigned)argument_count - 3;
  FILE *nowhere = fopen("/dev/null", "w");
  Text *texts = calloc(files, sizeof(Text));
  static Spoilt text;
  Counts counts = {0, 0};
  for (unsigned i = 0; texts && i < files; i++)
    texts[i] = read_file(arguments[3 + i]);
  for (unsigned long i = 0; texts && nowhere && i < wanted; i++) {
    cut_out(&texts[next(&state, files)], &state, &text);
    for (unsigned k = 1 + next(&state, MOST_CHANGES); k && text.length; k--)
      change(&text, &state);
    try_one(&text, next(&state, 8) == 0, nowhere, &counts);
  }
  printf("%lu mutated rule files: %lu read, %lu refused with line and column\n",
         counts.read + counts.refused, counts.read, counts.refused);
  for (unsigned i = 0; texts && i < files; i++)
    free(texts[i].bytes);
  free(texts);
  return counts.read + counts.refused == wanted ? 0 : 1;
}
