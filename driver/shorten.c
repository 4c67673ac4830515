/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Expressions made shorter: what a failing call is given is seldom what makes it fail, but all that
 * is computed for it keeps whole headers there. */
#include "reduce.h"

#include "base/map.h"

#include <ctype.h>
#include <string.h>

/* How many names are tried in the place of one pair of brackets' content: the nearest. */
enum { NAMES_MAX = 12 };

/* What is put in the place of a part of the text. */
typedef struct {
  size_t start, end;
  const char *name;
} Shorter;

typedef struct {
  NbArena *arena;
  const char *text;
  Holds *holds;
  const Workers *workers;
  NbList shorter; /* from the end of the text */
} Shortening;

static bool is_of_word(char sign) { return isalnum((unsigned char)sign) || sign == '_'; }

static bool is_any_of(char sign, const char *signs) { return sign && strchr(signs, sign); }

/* --- Places ---------------------------------------------------------------------------------- */

/* From `at` to one of these signs outside of further brackets, or to the bracket around it. */
static const char *next_of(const char *at, const char *signs) {
  for (unsigned depth = 0; *at; at++) {
    if (*at == '"' || *at == '\'')
      at = end_of_quotes(at) - 1;
    else if (!depth && (is_any_of(*at, signs) || is_any_of(*at, ")]}")))
      return at;
    else if (is_any_of(*at, "([{"))
      depth++;
    else if (is_any_of(*at, ")]}"))
      depth--;
  }
  return at;
}

static bool ends_with_return(const char *text, const char *at) {
  static const char word[] = "return";
  size_t length = sizeof word - 1;
  return (size_t)(at - text) >= length && strncmp(at - length, word, length) == 0;
}

/* Back from `at` to behind one of these signs, or behind `return`, or the bracket around it. */
static const char *behind_last_of(const char *text, const char *at, const char *signs) {
  for (unsigned depth = 0; at > text; at--) {
    char sign = at[-1];
    if (!depth && (is_any_of(sign, signs) || is_any_of(sign, "([{") || ends_with_return(text, at)))
      return at;
    if (is_any_of(sign, ")]}"))
      depth++;
    else if (is_any_of(sign, "([{"))
      depth--;
  }
  return at;
}

/* --- What is shorter ------------------------------------------------------------------------- */

static void add(Shortening *shortening, const char *start, const char *end, const char *name) {
  const char *text = shortening->text;
  if (end <= start + strlen(name))
    return;
  Shorter *shorter = NB_NEW(shortening->arena, Shorter);
  *shorter = (Shorter){(size_t)(start - text), (size_t)(end - text), name};
  nb_list_push(&shortening->shorter, shorter);
}

/* The operator with what is behind it, up to where it ends, or with what is before it. */
static void add_sides(Shortening *shortening, const char *at) {
  const char *behind = at + 1;
  while (is_any_of(*behind, "+-*/%<>=&|"))
    behind++;
  add(shortening, at, next_of(behind, ";,"), "");
  add(shortening, behind_last_of(shortening->text, at, ";,="), behind, "");
}

static bool is_among(const NbList *names, const char *name) {
  for (unsigned i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return false;
}

/* The names before `at`, each once, the nearest first. */
static NbList names_before(NbArena *arena, const char *text, const char *at) {
  NbList names = nb_list(arena);
  while (at > text && names.count < NAMES_MAX) {
    const char *end = at--;
    if (!is_of_word(*at))
      continue;
    while (at > text && is_of_word(at[-1]))
      at--;
    const char *name = nb_arena_copy(arena, at, (size_t)(end - at));
    if (!isdigit((unsigned char)*at) && !is_among(&names, name))
      nb_list_push(&names, (void *)name);
  }
  return names;
}

/* A word alone is short. */
static void add_names(Shortening *shortening, const char *open) {
  const char *close = next_of(open, "");
  const char *end = open;
  while (is_of_word(*end))
    end++;
  if (end == close || *close != ')')
    return;
  NbList names = names_before(shortening->arena, shortening->text, open);
  for (unsigned i = 0; i < names.count; i++)
    add(shortening, open, close, names.items[i]);
}

/* Before `end`. */
static void find_shorter(Shortening *shortening, size_t end) {
  const char *text = shortening->text;
  shortening->shorter = nb_list(shortening->arena);
  for (const char *at = text + end; at > text; at--) {
    bool sign = is_any_of(at[-1], "+-*/%<>&|");
    if (sign && (at - 1 == text || !is_any_of(at[-2], "+-*/%<>&|")))
      add_sides(shortening, at - 1);
    if (at[-1] == '(')
      add_names(shortening, at);
  }
}

/* --- Trying ---------------------------------------------------------------------------------- */

static const char *with(NbArena *arena, const char *text, const Shorter *shorter) {
  return nb_arena_print(arena, "%.*s%s%s", (int)shorter->start, text, shorter->name,
                        text + shorter->end);
}

static bool holds_with(void *data, unsigned number, char *result) {
  const Shortening *shortening = data;
  NbArena *arena = nb_arena_new();
  (void)result;
  const char *text = with(arena, shortening->text, shortening->shorter.items[number]);
  bool holds = shortening->holds(shortening->workers->data, text);
  nb_arena_free(arena);
  return holds;
}

const char *shorten(NbArena *arena, const char *text, Holds *holds, const Workers *workers) {
  Shortening shortening = {arena, text, holds, workers, nb_list(arena)};
  find_shorter(&shortening, strlen(text));
  while (shortening.shorter.count) {
    char *result;
    unsigned count = shortening.shorter.count;
    unsigned first = first_to_succeed(arena, workers, count, holds_with, &shortening, 0, &result);
    if (first == count)
      break;
    const Shorter *shorter = shortening.shorter.items[first];
    shortening.text = with(arena, shortening.text, shorter);
    find_shorter(&shortening, shorter->start);
  }
  return shortening.text;
}
