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

const char *nb_entry_name(NbEntryKind kind) {
  for (unsigned i = 0; i < ENTRY_COUNT; i++)
    if (entries[i].kind == kind)
      return entries[i].name;
  return "";
}

bool nb_entry_is_served(NbEntryKind kind) {
  return kind >= NB_ENTRY_REVERSE && kind <= NB_ENTRY_FIXED_POINT;
}

bool nb_entry_is_call(NbEntryKind kind) {
  return kind >= NB_ENTRY_REVERSE && kind < NB_ENTRY_LATER;
}

bool nb_entry_is_site(NbEntryKind kind) {
  return kind >= NB_ENTRY_IGNORED && kind <= NB_ENTRY_HINT;
}

bool nb_entry_is_registration(NbEntryKind kind) { return kind >= NB_ENTRY_REGISTRATION; }

NbAttributeWord nb_attribute_word(const char *word) {
  static const struct {
    const char *word, *entry;
  } words[] = {
#define NB_ATTRIBUTE(word, entry) {word, entry},
#include "request/entries.def"
  };
  size_t length = strcspn(word, "=");
  NbAttributeWord found = {NULL, NULL};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == length && !strncmp(words[i].word, word, length))
      found.entry = words[i].entry;
  if (word[length] && word[length + 1])
    found.text = word + length + 1;
  return found;
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

/* Names by their index; NULL: one that nobody writes. */
typedef const char *(*NameAt)(unsigned index);

static const char *entry_at(unsigned index) {
  return entries[index].kind == NB_ENTRY_SUPPLIED ? NULL : entries[index].name;
}

static const char *marker_at(unsigned index) { return markers[index].name; }

static const char *nearest(NbArena *arena, const char *text, NameAt name_at, unsigned count,
                           unsigned *slips) {
  const char *best = NULL;
  for (unsigned i = 0; i < count; i++) {
    const char *name = name_at(i);
    unsigned found = name ? distance(arena, text, name) : 0;
    if (name && (!best || found < *slips)) {
      best = name;
      *slips = found;
    }
  }
  return best;
}

const char *nb_entry_nearest(NbArena *arena, const char *name) {
  const char *written = unmangled(arena, name);
  unsigned slips = 0;
  const char *best = nearest(arena, written, entry_at, ENTRY_COUNT, &slips);
  return slips * 3 <= strlen(written) - strlen(NB_ENTRY_COMMON) ? best : NULL;
}

const char *nb_marker_nearest(NbArena *arena, const char *text) {
  unsigned slips = 0;
  const char *best = nearest(arena, text, marker_at, MARKER_COUNT, &slips);
  return slips * 2 <= strlen(text) ? best : NULL;
}

bool nb_entry_almost(NbArena *arena, const char *name) {
  size_t length = strlen(name);
  for (unsigned i = 0; i < ENTRY_COUNT; i++) {
    if (!nb_entry_is_served(entries[i].kind))
      continue;
    size_t known = strlen(entries[i].name);
    bool near = length + 2 >= known && length <= known + 2;
    if (near && distance(arena, name, entries[i].name) <= 2)
      return true;
  }
  return false;
}

/* Where `prefix` starts a word of `name`: at its start, behind a length or an E of mangling, or
 * behind the function of a static local variable. */
static const char *word_with(const char *name, const char *prefix) {
  for (const char *at = strstr(name, prefix); at; at = strstr(at + 1, prefix)) {
    if (at == name || isdigit((unsigned char)at[-1]) || at[-1] == 'E' || at[-1] == '.')
      return at + strlen(prefix);
  }
  return NULL;
}

/* nabla's own prefix is that of other names too, so only whole words count. */
const char *nb_marker_text(NbArena *arena, const char *name) {
  if (!strcmp(name, "nabla_check"))
    return "check";
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

/* --- Names of collected calls ----------------------------------------------------------------- */

static const char *const words[] = {[NB_ENTRY_REVERSE] = "reverse",
                                    [NB_ENTRY_FORWARD] = "forward",
                                    [NB_ENTRY_SPLIT_AUGMENTED] = "split-augmented",
                                    [NB_ENTRY_SPLIT_REVERSE] = "split-reverse",
                                    [NB_ENTRY_SPLIT_SIZE] = "split-size",
                                    [NB_ENTRY_SPLIT_FORWARD] = "split-forward",
                                    [NB_ENTRY_ERRORS] = "errors",
                                    [NB_ENTRY_SPARSITY] = "sparsity",
                                    [NB_ENTRY_INTERLEAVED] = "interleaved",
                                    [NB_ENTRY_SITES] = "sites",
                                    [NB_ENTRY_SITE_MASKS] = "site-masks",
                                    [NB_ENTRY_BATCH] = "batch",
                                    [NB_ENTRY_TRUNCATE] = "truncate",
                                    [NB_ENTRY_TRUNCATE_MEMORY] = "memory-truncate",
                                    [NB_ENTRY_CHECKPOINT] = "checkpoint",
                                    [NB_ENTRY_CHECKPOINT_UNTIL] = "until",
                                    [NB_ENTRY_FIXED_POINT] = "fixed-point"};

/* A letter for each operand's marker, in the order of NbMarker; of memory that is kept, in upper
 * case. */
static const char letters[] = "acdnotsvwiplbregzqmf";

NbMode nb_collected_mode(const NbCollected *collected) {
  NbEntryKind entry = collected->entry;
  bool forward = entry == NB_ENTRY_FORWARD || entry == NB_ENTRY_SPLIT_FORWARD ||
                 entry == NB_ENTRY_ERRORS || entry == NB_ENTRY_SPARSITY ||
                 entry == NB_ENTRY_INTERLEAVED || entry == NB_ENTRY_SITES ||
                 entry == NB_ENTRY_SITE_MASKS;
  return forward ? NB_MODE_FORWARD : NB_MODE_REVERSE;
}

bool nb_marker_is_flag(NbMarker kind) {
  return kind >= NB_MARKER_FLAG_NORET && kind < NB_MARKER_LATER;
}

static unsigned bit_of(NbMarker flag) { return 1u << (flag - NB_MARKER_FLAG_NORET); }

bool nb_collected_has(const NbCollected *collected, NbMarker flag) {
  return (collected->flags & bit_of(flag)) != 0;
}

void nb_collected_set(NbCollected *collected, NbMarker flag) { collected->flags |= bit_of(flag); }

static const char *flags_text(NbArena *arena, const NbCollected *collected) {
  const char *text = "";
  for (NbMarker flag = NB_MARKER_FLAG_NORET; nb_marker_is_flag(flag); flag++)
    if (nb_collected_has(collected, flag))
      text = nb_arena_print(arena, "%s+%s", text, nb_marker_word(flag));
  return text;
}

const char *nb_collected_name(NbArena *arena, const NbCollected *collected, const char *type) {
  char *roles = nb_arena_alloc(arena, collected->count + 1);
  for (unsigned i = 0; i < collected->count; i++) {
    char letter = letters[collected->operands[i].marker];
    roles[i] = collected->operands[i].kept ? (char)toupper((unsigned char)letter) : letter;
  }
  const char *width = collected->width > 1 ? nb_arena_print(arena, "*%u", collected->width) : "";
  return nb_arena_print(arena, NB_REQUEST_PREFIX "%s(%s)%s%s %s", words[collected->entry], roles,
                        flags_text(arena, collected), width, type);
}

/* Skips `word` at `*at`; false where it does not stand there. */
static bool skip(const char **at, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0)
    return false;
  *at += length;
  return true;
}

static bool parse_entry(const char **at, NbEntryKind *entry) {
  for (*entry = NB_ENTRY_REVERSE; nb_entry_is_served(*entry); (*entry)++)
    if (skip(at, words[*entry]))
      return skip(at, "(");
  return false;
}

static bool parse_operand(char letter, NbMarked *operand) {
  const char *found = letter ? strchr(letters, tolower((unsigned char)letter)) : NULL;
  if (!found)
    return false;
  *operand = (NbMarked){(NbMarker)(found - letters), isupper((unsigned char)letter) != 0};
  return true;
}

static void parse_flags(const char **at, NbCollected *collected) {
  for (NbMarker flag = NB_MARKER_FLAG_NORET; nb_marker_is_flag(flag); flag++) {
    const char *behind = *at;
    if (!skip(&behind, "+") || !skip(&behind, nb_marker_word(flag)))
      continue;
    nb_collected_set(collected, flag);
    *at = behind;
  }
}

bool nb_collected_parse(NbArena *arena, const char *name, NbCollected *collected) {
  *collected = (NbCollected){.entry = NB_ENTRY_FORWARD};
  if (!skip(&name, NB_REQUEST_PREFIX) || !parse_entry(&name, &collected->entry))
    return false;
  unsigned count = (unsigned)strcspn(name, ")");
  NbMarked *list = NB_NEW_ARRAY(arena, NbMarked, count + 1);
  for (unsigned i = 0; i < count; i++)
    if (!parse_operand(name[i], &list[i]))
      return false;
  name += count;
  collected->count = count;
  collected->operands = list;
  bool closed = skip(&name, ")");
  parse_flags(&name, collected);
  collected->width = skip(&name, "*") ? (unsigned)strtoul(name, NULL, 10) : 1;
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
