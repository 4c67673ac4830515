/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "reduce.h"

#include "base/map.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const char *start;
  size_t length;
  bool dropped;
} Piece;

typedef struct {
  NbArena *arena;
  NbList pieces; /* Piece */
  NbList tried;  /* those of them that may go */
  Holds *holds;
  const Workers *workers;
} Reduction;

/* --- Pieces ---------------------------------------------------------------------------------- */

/* The end of a string or character constant that starts here. */
const char *end_of_quotes(const char *at) {
  char quote = *at++;
  while (*at && *at != quote && *at != '\n')
    at += *at == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

static bool begins_with_word(const char *text, const char *word) {
  size_t length = strlen(word);
  return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]);
}

/* Braces around declarations are pieces by themselves. */
static bool opens_scope(const char *start) {
  while (isspace((unsigned char)*start))
    start++;
  return begins_with_word(start, "namespace") || begins_with_word(start, "inline namespace") ||
         strncmp(start, "extern \"C", 9) == 0;
}

/* One declaration: up to its semicolon, or to the end of a function's body, or, where namespaces
 * are to stay `whole`, of one. */
static const char *end_of_declaration(const char *start, bool whole) {
  unsigned depth = 0;
  bool parameters = whole && opens_scope(start);
  const char *at = start;
  while (isspace((unsigned char)*at))
    at++;
  if (*at == '#')
    return at + strcspn(at, "\n");
  while (*at) {
    if (*at == '"' || *at == '\'') {
      at = end_of_quotes(at);
      continue;
    }
    char sign = *at++;
    if (!whole && sign == '{' && depth == 0 && opens_scope(start))
      return at;
    parameters = parameters || (sign == '(' && depth == 0);
    if (strchr("({[", sign))
      depth++;
    else if (strchr(")}]", sign) && depth)
      depth--;
    if (depth == 0 && (sign == ';' || (sign == '}' && parameters)))
      return at;
    if (depth == 0 && sign == '}' && at[strspn(at, " \t\n")] == '}')
      return at;
  }
  return at;
}

const char *end_of_line(const char *start) {
  const char *end = start + strcspn(start, "\n");
  return *end ? end + 1 : end;
}

static bool asks_for_derivative(const char *start, const char *end) {
  static const char *const words[] = {"enzyme", "nabla::"};
  for (const char *at = start; at < end; at++)
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
      if (*at == *words[i] && strncmp(at, words[i], strlen(words[i])) == 0)
        return true;
  return false;
}

static void split(Reduction *reduction, const char *text, PieceKind kind) {
  while (*text) {
    bool lines = kind == PIECES_LINES || kind == PIECES_REQUESTS;
    const char *end = lines ? end_of_line(text) : end_of_declaration(text, kind == PIECES_SCOPES);
    Piece *piece = NB_NEW(reduction->arena, Piece);
    *piece = (Piece){text, (size_t)(end - text), false};
    nb_list_push(&reduction->pieces, piece);
    if (kind != PIECES_REQUESTS || asks_for_derivative(text, end))
      nb_list_push(&reduction->tried, piece);
    text = end;
  }
}

/* Does a statement end or begin behind the sign, rather than what a variable starts as? */
static bool ends_statement(const char *start, const char *at) {
  const char *before = at;
  while (before > start && isspace((unsigned char)before[-1]))
    before--;
  bool value = *at == '{' && before > start && strchr("=,({", before[-1]);
  return *at == ';' || (*at == '{' && !value) || (*at == '}' && !strchr(",;)}", at[1]));
}

const char *with_statements_apart(NbArena *arena, const char *text) {
  char *broken = nb_arena_print(arena, "%s%s", text, text), *to = broken;
  const char *start = text;
  bool directive = false;
  char quote = 0;
  for (; *text; text++) {
    char sign = *text;
    *to++ = sign;
    directive = sign == '#' || (directive && sign != '\n');
    if (sign == '\\' && quote && text[1])
      *to++ = *++text;
    else if (sign == quote)
      quote = 0;
    else if (!quote && (sign == '"' || sign == '\''))
      quote = sign;
    else if (!quote && !directive && ends_statement(start, text) && text[1] != '\n')
      *to++ = '\n';
  }
  *to = 0;
  return broken;
}

/* --- Leaving out ----------------------------------------------------------------------------- */

/* The text in an arena of its own or in the reduction's. */
static const char *join(NbArena *arena, const Reduction *reduction) {
  size_t length = 0;
  for (unsigned i = 0; i < reduction->pieces.count; i++) {
    const Piece *piece = reduction->pieces.items[i];
    length += piece->dropped ? 0 : piece->length;
  }
  char *text = nb_arena_alloc(arena, length + 1);
  char *to = text;
  for (unsigned i = 0; i < reduction->pieces.count; i++) {
    const Piece *piece = reduction->pieces.items[i];
    if (piece->dropped)
      continue;
    memcpy(to, piece->start, piece->length);
    to += piece->length;
  }
  return text;
}

static bool still_holds(const Reduction *reduction) {
  NbArena *arena = nb_arena_new();
  bool holds = reduction->holds(reduction->workers->data, join(arena, reduction));
  nb_arena_free(arena);
  return holds;
}

/* Up to `end`, of which some are left. */
typedef struct {
  unsigned first, end;
} Range;

typedef struct {
  const Reduction *reduction;
  const NbList *ranges;
  unsigned from; /* the attempts begin with this range */
} Leaving;

static void drop(const Reduction *reduction, const Range *range) {
  for (unsigned i = range->first; i < range->end; i++)
    ((Piece *)reduction->tried.items[i])->dropped = true;
}

static bool leave_out(void *data, unsigned number, char *result) {
  const Leaving *leaving = data;
  (void)result;
  drop(leaving->reduction, leaving->ranges->items[leaving->from + number]);
  return still_holds(leaving->reduction);
}

/* From the end: what is used later is left out before what it uses. */
static NbList ranges_of(const Reduction *reduction, unsigned step) {
  NbList ranges = nb_list(reduction->arena);
  for (unsigned end = reduction->tried.count, first; end > 0; end = first) {
    first = end > step ? end - step : 0;
    bool any = false;
    for (unsigned i = first; i < end; i++)
      any = any || !((const Piece *)reduction->tried.items[i])->dropped;
    if (!any)
      continue;
    Range *range = NB_NEW(reduction->arena, Range);
    *range = (Range){first, end};
    nb_list_push(&ranges, range);
  }
  return ranges;
}

static bool leave_out_by(const Reduction *reduction, unsigned step) {
  NbList ranges = ranges_of(reduction, step);
  Leaving leaving = {reduction, &ranges, 0};
  bool any = false;
  while (leaving.from < ranges.count) {
    char *result;
    leaving.from += first_to_succeed(reduction->arena, reduction->workers,
                                     ranges.count - leaving.from, leave_out, &leaving, 0, &result);
    if (leaving.from == ranges.count)
      break;
    drop(reduction, ranges.items[leaving.from++]);
    any = true;
  }
  return any;
}

static bool is_late(const Workers *workers) { return workers->out_of_time(workers->data); }

const char *reduce(NbArena *arena, const char *text, PieceKind kind, Holds *holds,
                   const Workers *workers) {
  Reduction reduction = {arena, nb_list(arena), nb_list(arena), holds, workers};
  split(&reduction, text, kind);
  for (unsigned step = (reduction.tried.count + 1) / 2; step > 1; step = (step + 1) / 2) {
    leave_out_by(&reduction, step);
    if (step == 2)
      break;
  }
  while (!is_late(workers) && leave_out_by(&reduction, 1))
    continue;
  return join(arena, &reduction);
}
