/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * Large headers are left out by what the compiler knows about them: it tells which declarations
 * what is emitted leads to, and all others are left out at once; where that does not hold, those
 * that nothing uses, or parts of them. Where an error names one of them, those of that name are put
 * back, until no error is left, which takes few compilations of what is small by then. The same is
 * tried with fewer and fewer of those that are used, from the end: what is used later is left out
 * before what it uses. After each such pass there is more that nothing uses.
 */
#include "prune.h"

#include "base/map.h"
#include "base/texts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often errors may be asked what is missing; a pass of leaving out ends where it gains less
 * than a part of the text. */
enum { TRIES_ALL = 60, TRIES_SOME = 8, PART_WORTH = 4, SHRINK = 4 };

typedef enum { USE_NONE, USE_SOME, USE_REACHED } Use;

/* One, or all that one semicolon ends. */
typedef struct {
  size_t start, end;
  Use use;
  bool dropped;
  NbList names; /* the first word of each, of the pruning's words */
} Declaration;

typedef struct {
  NbArena *arena;
  const Asked *asked;
  const char *text;
  NbTexts *words;
  NbList declarations; /* Declaration, by their starts */
} Pruning;

/* --- Declarations ---------------------------------------------------------------------------- */

/* Of `operator==` the first word alone, of `~box` and `box<T>` the word in it. */
static const char *word_of(Pruning *pruning, const char *name, size_t length) {
  while (length && !isalpha((unsigned char)*name) && *name != '_') {
    name++;
    length--;
  }
  size_t own = 0;
  while (own < length && (isalnum((unsigned char)name[own]) || name[own] == '_'))
    own++;
  return nb_texts_add(pruning->words, name, own);
}

static int compare_starts(const void *left, const void *right) {
  const Declaration *a = *(Declaration *const *)left, *b = *(Declaration *const *)right;
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  return (a->end < b->end) - (a->end > b->end);
}

static void read_declarations(Pruning *pruning, const char *lines) {
  size_t length = strlen(pruning->text);
  for (const char *line = lines; *line;) {
    size_t own = strcspn(line, "\n");
    char *at;
    size_t start = strtoul(line, &at, 10);
    size_t end = strtoul(at, &at, 10);
    Use use = (Use)strtoul(at, &at, 10);
    if (start < end && end <= length) {
      Declaration *declaration = NB_NEW(pruning->arena, Declaration);
      const char *name = word_of(pruning, at, (size_t)(line + own - at));
      *declaration = (Declaration){start, end, use, false, nb_list(pruning->arena)};
      nb_list_push(&declaration->names, (void *)name);
      nb_list_push(&pruning->declarations, declaration);
    }
    line += own + (line[own] == '\n');
  }
}

/* Those of one place, of which one stays where another does, become one. */
static void sort_declarations(NbList *declarations) {
  unsigned kept = 0;
  if (declarations->count)
    qsort(declarations->items, declarations->count, sizeof(void *), compare_starts);
  for (unsigned i = 0; i < declarations->count; i++) {
    Declaration *last = kept ? declarations->items[kept - 1] : NULL;
    Declaration *declaration = declarations->items[i];
    if (last && last->start == declaration->start && last->end == declaration->end) {
      last->use = declaration->use > last->use ? declaration->use : last->use;
      nb_list_push(&last->names, declaration->names.items[0]);
    } else {
      declarations->items[kept++] = declaration;
    }
  }
  declarations->count = kept;
}

/* Asks the compiler; false where it has nothing to say. */
static bool find_declarations(Pruning *pruning) {
  const Asked *asked = pruning->asked;
  pruning->declarations = nb_list(pruning->arena);
  pruning->words = nb_texts_new(pruning->arena);
  const char *lines = asked->used(asked->workers->data, pruning->text, pruning->arena);
  if (lines)
    read_declarations(pruning, lines);
  sort_declarations(&pruning->declarations);
  return pruning->declarations.count != 0;
}

/* Declarations lie in one another: what is left out ends where the last of them does. */
static const char *without(NbArena *arena, const Pruning *pruning) {
  char *text = nb_arena_alloc(arena, strlen(pruning->text) + 1);
  char *to = text;
  size_t at = 0;
  for (unsigned i = 0; i < pruning->declarations.count; i++) {
    const Declaration *declaration = pruning->declarations.items[i];
    if (!declaration->dropped)
      continue;
    if (declaration->start > at) {
      memcpy(to, pruning->text + at, declaration->start - at);
      to += declaration->start - at;
    }
    at = declaration->end > at ? declaration->end : at;
  }
  memcpy(to, pruning->text + at, strlen(pruning->text + at));
  return text;
}

/* --- What errors name ------------------------------------------------------------------------ */

/* Those of the words in the text that are names of declarations. */
static void each_word(const Pruning *pruning, const char *text, size_t length, NbMap *found) {
  for (size_t i = 0; i < length;) {
    size_t own = i;
    while (own < length && (isalnum((unsigned char)text[own]) || text[own] == '_'))
      own++;
    const char *word = nb_texts_find(pruning->words, text + i, own - i);
    if (word)
      nb_map_set(found, word, NULL);
    i = own > i ? own : i + 1;
  }
}

/* What stands in quotes behind "error: ". */
static void find_quoted(const Pruning *pruning, const char *line, size_t length, NbMap *found) {
  const char *end = line + length;
  const char *open = memchr(line, '\'', length);
  while (open) {
    const char *close = memchr(open + 1, '\'', (size_t)(end - open - 1));
    if (!close)
      return;
    each_word(pruning, open + 1, (size_t)(close - open - 1), found);
    open = memchr(close + 1, '\'', (size_t)(end - close - 1));
  }
}

/* The names in the errors, or, where `lines`, in the lines of source below them. */
static NbMap *named_in(NbArena *arena, const Pruning *pruning, const char *said, bool lines) {
  static const char mark[] = "error: ";
  NbMap *found = nb_map_new(arena);
  for (const char *error = said; (error = strstr(error, mark)) != NULL;) {
    error += sizeof mark - 1;
    size_t length = strcspn(error, "\n");
    const char *below = error + length + (error[length] == '\n');
    if (lines)
      each_word(pruning, below, strcspn(below, "\n"), found);
    else
      find_quoted(pruning, error, length, found);
  }
  return found;
}

static bool has_name(const Declaration *declaration, const NbMap *names) {
  bool has = false;
  for (unsigned i = 0; i < declaration->names.count && !has; i++)
    has = nb_map_has(names, declaration->names.items[i]);
  return has;
}

/* Puts back what has one of these names; returns how many. */
static unsigned put_back(const NbList *tried, const NbMap *names) {
  unsigned count = 0;
  for (unsigned i = 0; i < tried->count; i++) {
    Declaration *declaration = tried->items[i];
    if (declaration->dropped && has_name(declaration, names)) {
      declaration->dropped = false;
      count++;
    }
  }
  return count;
}

/* --- Leaving out ----------------------------------------------------------------------------- */

static bool is_late(const Pruning *pruning) {
  const Workers *workers = pruning->asked->workers;
  return workers->out_of_time(workers->data);
}

static bool is_any_dropped(const NbList *tried) {
  for (unsigned i = 0; i < tried->count; i++)
    if (((const Declaration *)tried->items[i])->dropped)
      return true;
  return false;
}

static void set_dropped(const NbList *tried, bool dropped) {
  for (unsigned i = 0; i < tried->count; i++)
    ((Declaration *)tried->items[i])->dropped = dropped;
}

/* Once: 1: it holds, 0: something was put back, -1: nothing helps. */
static int try_once(const Pruning *pruning, const NbList *tried, bool all) {
  const Asked *asked = pruning->asked;
  NbArena *arena = nb_arena_new();
  const char *said = "";
  bool holds = asked->holds(asked->workers->data, without(arena, pruning), all, arena, &said);
  unsigned back = 0;
  for (int lines = 0; !holds && all && !back && lines < 2; lines++)
    back = put_back(tried, named_in(arena, pruning, said, lines != 0));
  nb_arena_free(arena);
  return holds ? 1 : back ? 0 : -1;
}

/* Leaves out of these what it can; true where that is any. */
static bool leave_out(const Pruning *pruning, const NbList *tried, unsigned tries) {
  set_dropped(tried, true);
  for (unsigned i = 0; i < tries && is_any_dropped(tried) && !is_late(pruning); i++) {
    int got = try_once(pruning, tried, tries > 1);
    if (got > 0)
      return true;
    if (got < 0)
      break;
  }
  set_dropped(tried, false);
  return false;
}

typedef struct {
  const Pruning *pruning;
  const NbList *all;
  unsigned step, from; /* the attempts begin with this group of so many, from the end */
} Leaving;

static NbList group_of(const Leaving *leaving, unsigned number) {
  const NbList *all = leaving->all;
  NbList group = nb_list(leaving->pruning->arena);
  unsigned behind = (leaving->from + number) * leaving->step;
  for (unsigned i = behind; i < behind + leaving->step && i < all->count; i++)
    nb_list_push(&group, all->items[all->count - 1 - i]);
  return group;
}

static bool leave_out_group(void *data, unsigned number, char *result) {
  const Leaving *leaving = data;
  NbList group = group_of(leaving, number);
  bool left = leave_out(leaving->pruning, &group, leaving->step > 1 ? TRIES_SOME : 1);
  for (unsigned i = 0; i < group.count && left; i++)
    result[i] = ((const Declaration *)group.items[i])->dropped;
  return left;
}

/* So many of these at once, from the end; true where any is left out. */
static bool leave_out_by(const Pruning *pruning, const NbList *all, unsigned step) {
  unsigned groups = (all->count + step - 1) / step;
  Leaving leaving = {pruning, all, step, 0};
  bool any = false;
  while (leaving.from < groups) {
    char *result;
    unsigned left = groups - leaving.from;
    unsigned first = first_to_succeed(pruning->arena, pruning->asked->workers, left,
                                      leave_out_group, &leaving, step, &result);
    NbList group = group_of(&leaving, first);
    for (unsigned i = 0; i < group.count && first < left; i++)
      ((Declaration *)group.items[i])->dropped = result[i] != 0;
    any = any || first < left;
    leaving.from += first + 1;
  }
  return any;
}

static NbList used_less(const Pruning *pruning, Use use) {
  NbList found = nb_list(pruning->arena);
  for (unsigned i = 0; i < pruning->declarations.count; i++) {
    Declaration *declaration = pruning->declarations.items[i];
    if (declaration->use < use)
      nb_list_push(&found, declaration);
  }
  return found;
}

/* All that is used less than that, or where nothing helps of it all, halves and parts of it. */
static bool leave_out_used_less(const Pruning *pruning, Use use) {
  NbList tried = used_less(pruning, use);
  bool left = tried.count && leave_out(pruning, &tried, TRIES_ALL);
  for (unsigned step = tried.count / 2; use == USE_SOME && !left && step; step /= SHRINK)
    left = leave_out_by(pruning, &tried, step);
  return left;
}

/* What nothing leads to or uses, as long as that is worth it. */
static void leave_out_unused(Pruning *pruning) {
  size_t before, after = strlen(pruning->text);
  do {
    before = after;
    if (!find_declarations(pruning) ||
        (!leave_out_used_less(pruning, USE_REACHED) && !leave_out_used_less(pruning, USE_SOME)))
      return;
    pruning->text = without(pruning->arena, pruning);
    after = strlen(pruning->text);
  } while (before - after > before / PART_WORTH);
}

const char *prune_unused(NbArena *arena, const char *text, const Asked *asked) {
  Pruning pruning = {.arena = arena, .asked = asked, .text = text};
  leave_out_unused(&pruning);
  return pruning.text;
}

const char *prune(NbArena *arena, const char *text, const Asked *asked) {
  Pruning pruning = {.arena = arena, .asked = asked, .text = text};
  leave_out_unused(&pruning);
  for (unsigned step = pruning.declarations.count / SHRINK; step; step /= SHRINK) {
    if (is_late(&pruning))
      break;
    if (!find_declarations(&pruning))
      break;
    leave_out_by(&pruning, &pruning.declarations, step);
    pruning.text = without(arena, &pruning);
    leave_out_unused(&pruning);
  }
  return pruning.text;
}
