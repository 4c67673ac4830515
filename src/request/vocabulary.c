// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request/vocabulary.h"
#include "base/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry {
  const char *name;
  NbEntryKind kind;
} Entry;

static const Entry entries[] = {
#define NB_ENTRY(name, kind) {name, NB_ENTRY_##kind},
#include "request/entries.def"
};

typedef struct Marker {
  const char *name;
  NbMarker kind;
} Marker;

static const Marker markers[] = {
#define NB_MARKER(name, kind) {name, NB_MARKER_##kind},
#include "request/entries.def"
};

enum {
  ENTRY_COUNT = sizeof entries / sizeof *entries,
  MARKER_COUNT = sizeof markers / sizeof *markers
};

NbEntryKind nb_entry_kind(const char *name, const char **known) {
  if (!strstr(name, NB_ENTRY_COMMON))
    return NB_ENTRY_NONE;
  for (unsigned i = 0; i < ENTRY_COUNT; i++) {
    if (!strstr(name, entries[i].name))
      continue;
    if (known)
      *known = entries[i].name;
    return entries[i].kind;
  }
  return NB_ENTRY_UNKNOWN;
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Levenshtein's distance, one row at a time. */
static unsigned distance(NbArena *arena, const char *a, const char *b) {
  size_t columns = strlen(b);
  unsigned *row = NB_NEW_ARRAY(arena, unsigned, columns + 1);
  for (size_t j = 0; j <= columns; j++)
    row[j] = (unsigned)j;
  for (unsigned i = 0; a[i]; i++) {
    unsigned diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < columns; j++) {
      unsigned replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = least(replaced, least(diagonal, row[j]) + 1);
    }
  }
  return row[columns];
}

/* The user's own spelling in a name that C++ has mangled: the digits before it are its length. */
static const char *unmangled(NbArena *arena, const char *name) {
  const char *start = strstr(name, NB_ENTRY_COMMON);
  if (!start)
    return name;
  const char *digits = start;
  while (digits > name && isdigit((unsigned char)digits[-1]))
    digits--;
  size_t length = strlen(start);
  if (digits < start) {
    unsigned long stated = strtoul(digits, NULL, 10);
    length = stated < length ? stated : length;
  }
  return nb_arena_copy(arena, start, length);
}

static const char *nearest(NbArena *arena, const char *name, unsigned *slips) {
  const char *best = NULL;
  for (unsigned i = 0; i < ENTRY_COUNT; i++) {
    if (entries[i].kind == NB_ENTRY_SUPPLIED)
      continue;
    unsigned found = distance(arena, name, entries[i].name);
    if (!best || found < *slips) {
      best = entries[i].name;
      *slips = found;
    }
  }
  return best;
}

const char *nb_entry_nearest(NbArena *arena, const char *name) {
  const char *written = unmangled(arena, name);
  unsigned slips = 0;
  const char *best = nearest(arena, written, &slips);
  return slips * 3 <= strlen(written) - strlen(NB_ENTRY_COMMON) ? best : NULL;
}

bool nb_entry_almost(NbArena *arena, const char *name) {
  size_t length = strlen(name);
  for (unsigned i = 0; i < ENTRY_COUNT; i++) {
    if (entries[i].kind != NB_ENTRY_REVERSE && entries[i].kind != NB_ENTRY_FORWARD)
      continue;
    size_t known = strlen(entries[i].name);
    bool near = length + 2 >= known && length <= known + 2;
    if (near && distance(arena, name, entries[i].name) <= 2)
      return true;
  }
  return false;
}

/* Where `prefix` starts a word of `name`: at its start, or behind a length or an E of mangling. */
static const char *word_with(const char *name, const char *prefix) {
  for (const char *at = strstr(name, prefix); at; at = strstr(at + 1, prefix)) {
    if (at == name || isdigit((unsigned char)at[-1]) || at[-1] == 'E')
      return at + strlen(prefix);
  }
  return NULL;
}

const char *nb_marker_text(NbArena *arena, const char *name) {
  const char *word = word_with(name, "enzyme_");
  if (!word)
    word = word_with(name, "diffe_");
  if (!word)
    return NULL;
  size_t length = 0;
  while (islower((unsigned char)word[length]) || word[length] == '_')
    length++;
  return nb_arena_copy(arena, word, length);
}

NbMarker nb_marker_kind(const char *text) {
  for (unsigned i = 0; i < MARKER_COUNT; i++) {
    if (!strcmp(text, markers[i].name))
      return markers[i].kind;
  }
  return NB_MARKER_UNKNOWN;
}

const char *nb_marker_word(NbMarker marker) {
  for (unsigned i = 0; i < MARKER_COUNT; i++) {
    if (markers[i].kind == marker)
      return markers[i].name;
  }
  return "";
}

/* A letter for each operand's marker in the name of a collected call, in the order of NbMarker. */
static const char letters[] = "acdno";

const char *nb_collected_name(NbArena *arena, const NbCollected *collected, const char *type) {
  char *roles = nb_arena_alloc(arena, collected->count + 1);
  for (unsigned i = 0; i < collected->count; i++)
    roles[i] = letters[collected->markers[i]];
  const char *mode = collected->mode == NB_MODE_REVERSE ? "reverse" : "forward";
  const char *noret = collected->noret ? "+noret" : "";
  const char *primal = collected->primal_return ? "+primal" : "";
  return nb_arena_print(arena, NB_REQUEST_PREFIX "%s(%s)%s%s %s", mode, roles, noret, primal, type);
}

/* Skips `word` at `*at`; false where it does not stand there. */
static bool skip(const char **at, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0)
    return false;
  *at += length;
  return true;
}

bool nb_collected_parse(NbArena *arena, const char *name, NbCollected *collected) {
  *collected = (NbCollected){.mode = NB_MODE_FORWARD};
  if (!skip(&name, NB_REQUEST_PREFIX))
    return false;
  if (skip(&name, "reverse("))
    collected->mode = NB_MODE_REVERSE;
  else if (!skip(&name, "forward("))
    return false;
  unsigned count = (unsigned)strcspn(name, ")");
  NbMarker *list = NB_NEW_ARRAY(arena, NbMarker, count + 1);
  for (unsigned i = 0; i < count; i++) {
    const char *letter = strchr(letters, name[i]);
    if (!letter || !*letter)
      return false;
    list[i] = (NbMarker)(letter - letters);
  }
  name += count;
  collected->count = count;
  collected->markers = list;
  bool closed = skip(&name, ")");
  collected->noret = skip(&name, "+noret");
  collected->primal_return = skip(&name, "+primal");
  return closed;
}

#define REFUSED_PREFIX "__nabla_refused."

const char *nb_refused_name(NbArena *arena, NbErrorId id, const char *message) {
  return nb_arena_print(arena, REFUSED_PREFIX "%u %s", (unsigned)id, message);
}

bool nb_refused_parse(const char *name, NbErrorId *id, const char **message) {
  if (!skip(&name, REFUSED_PREFIX))
    return false;
  char *end;
  unsigned long number = strtoul(name, &end, 10);
  if (number >= NB_ERROR_COUNT || *end != ' ')
    return false;
  *id = (NbErrorId)number;
  *message = end + 1;
  return true;
}
