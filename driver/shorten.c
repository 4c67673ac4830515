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
  size_t next; /* it goes on before this place */
} Shorter;

typedef struct {
  NbArena *arena;
  const char *text;
  Holds *holds;
  const Workers *workers;
  const char *said; /* of a failing call, whose arguments alone are meant; NULL: everything is */
  NbList shorter;   /* from the end of the text */
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

/* `next`: NULL: it goes on before what is shorter. */
static void add_before(Shortening *shortening, const char *start, const char *end, const char *name,
                       const char *next) {
  const char *text = shortening->text;
  size_t length = (size_t)(end - start);
  bool same = length == strlen(name) && strncmp(start, name, length) == 0;
  if (!length || same || (!shortening->said && length <= strlen(name)))
    return;
  Shorter *shorter = NB_NEW(shortening->arena, Shorter);
  size_t place = (size_t)(start - text);
  *shorter = (Shorter){place, (size_t)(end - text), name, next ? (size_t)(next - text) : place};
  nb_list_push(&shortening->shorter, shorter);
}

static void add(Shortening *shortening, const char *start, const char *end, const char *name) {
  add_before(shortening, start, end, name, NULL);
}

/* The operator with what is behind it, up to where it ends, or with what is before it. */
static void add_sides(Shortening *shortening, const char *at) {
  const char *behind = at + 1;
  while (is_any_of(*behind, "+-*/%<>=&|"))
    behind++;
  add(shortening, at, next_of(behind, ";,"), "");
  add(shortening, behind_last_of(shortening->text, at, ";,="), behind, "");
}

/* Each name once, the last that came at the end. */
static void add_name(NbList *names, const char *name) {
  unsigned kept = 0;
  for (unsigned i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) != 0)
      names->items[kept++] = names->items[i];
  names->count = kept;
  nb_list_push(names, (void *)name);
}

/* Is it a value's name, by what is around it? Keywords, types, functions and members are not. */
static bool is_value(const char *text, const char *start, const char *end) {
  const char *next = end + strspn(end, " \t\n");
  bool part = start > text && is_any_of(start[-1], ".>:");
  bool type = next > end && is_of_word(*next);
  return !isdigit((unsigned char)*start) && !part && !type && *next != '(' &&
         !(next[0] == ':' && next[1] == ':');
}

/* The names of values before `at`, up to a bracket that ends a line: first those that stand for the
 * first time nearest. */
static NbList names_before(NbArena *arena, const char *text, const char *at) {
  NbList names = nb_list(arena);
  while (at > text && names.count < NAMES_MAX && strncmp(at - 1, "}\n", 2) != 0) {
    const char *end = at--;
    if (!is_of_word(*at))
      continue;
    while (at > text && is_of_word(at[-1]))
      at--;
    const char *name = nb_arena_copy(arena, at, (size_t)(end - at));
    if (is_value(text, at, end))
      add_name(&names, name);
  }
  return names;
}

/* For all that is in brackets; a word alone is short. */
static void add_names(Shortening *shortening, const char *open) {
  const char *close = next_of(open, ""), *word = open;
  while (is_of_word(*word))
    word++;
  if (word == close || *close != ')')
    return;
  NbList names = names_before(shortening->arena, shortening->text, open);
  for (unsigned i = 0; i < names.count; i++)
    add(shortening, open, close, names.items[i]);
}

/* Each of the names, and what it leads to, in the place of an argument; first those that stand
 * farthest, for which less must be computed. */
static void add_for_argument(Shortening *shortening, const char *open, const char *start,
                             const char *end) {
  NbArena *arena = shortening->arena;
  NbList names = names_before(arena, shortening->text, open);
  for (unsigned i = names.count; i-- > 0;) {
    const char *name = names.items[i];
    size_t length = strlen(name);
    if ((size_t)(end - start) == length && strncmp(start, name, length) == 0)
      return;
    add_before(shortening, start, end, name, open - 1);
    add_before(shortening, start, end, nb_arena_print(arena, "*%s", name), open - 1);
  }
}

static void add_arguments(Shortening *shortening, const char *open) {
  const char *start = open, *end;
  while (is_any_of(*(end = next_of(start, ",")), ",)")) {
    start += strspn(start, " \t\n");
    add_for_argument(shortening, open, start, end);
    if (*end == ')')
      return;
    start = end + 1;
  }
}

static const char *start_of_word(const char *text, const char *end) {
  while (end > text && is_of_word(end[-1]))
    end--;
  return end;
}

/* Is the word said to be a function's: in quotes, or before brackets? */
static bool is_said(const Shortening *shortening, const char *start, const char *end) {
  size_t length = (size_t)(end - start);
  const char *at = shortening->said, *found = NULL;
  for (; *at && !found; at++) {
    bool begins = at == shortening->said || !is_of_word(at[-1]);
    if (begins && strncmp(at, start, length) == 0 && is_any_of(at[length], "'("))
      found = at;
  }
  return found;
}

/* What stands before and behind a call in its statement goes. */
static void add_sides_of_call(Shortening *shortening, const char *start, const char *open) {
  const char *close = next_of(open, "");
  if (*close != ')')
    return;
  add(shortening, close + 1, next_of(close + 1, ";,"), "");
  add_before(shortening, behind_last_of(shortening->text, start, ";,="), start, " ", close);
}

/* Is the name that starts here one that is declared, behind its type? */
static bool is_declared(const char *text, const char *start) {
  const char *before = start;
  while (before > text && is_any_of(before[-1], " \t*&"))
    before--;
  return before < start && before > text && is_of_word(before[-1]) &&
         !ends_with_return(text, before);
}

/* The calls of what is said to fail, before `end`. */
static void find_calls(Shortening *shortening, size_t end) {
  const char *text = shortening->text;
  for (const char *at = text + end; at > text; at--) {
    const char *start = at[-1] == '(' ? start_of_word(text, at - 1) : at;
    if (start == at || is_declared(text, start) || !is_said(shortening, start, at - 1))
      continue;
    add_sides_of_call(shortening, start, at);
    add_arguments(shortening, at);
  }
}

/* Before `end`. */
static void find_all(Shortening *shortening, size_t end) {
  const char *text = shortening->text;
  for (const char *at = text + end; at > text; at--) {
    bool sign = is_any_of(at[-1], "+-*/%<>&|");
    if (sign && (at - 1 == text || !is_any_of(at[-2], "+-*/%<>&|")))
      add_sides(shortening, at - 1);
    if (at[-1] == '(')
      add_names(shortening, at);
  }
}

static void find_shorter(Shortening *shortening, size_t end) {
  shortening->shorter = nb_list(shortening->arena);
  if (shortening->said)
    find_calls(shortening, end);
  else
    find_all(shortening, end);
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

const char *shorten(NbArena *arena, const char *text, const char *said, Holds *holds,
                    const Workers *workers) {
  Shortening shortening = {arena, text, holds, workers, said, nb_list(arena)};
  find_shorter(&shortening, strlen(text));
  while (shortening.shorter.count) {
    char *result;
    unsigned count = shortening.shorter.count;
    unsigned first = first_to_succeed(arena, workers, count, holds_with, &shortening, 0, &result);
    if (first == count)
      break;
    const Shorter *shorter = shortening.shorter.items[first];
    shortening.text = with(arena, shortening.text, shorter);
    find_shorter(&shortening, shorter->next);
  }
  return shortening.text;
}
