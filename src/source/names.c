// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Names: those of the source, where they are known, and each only once. */
#include "source/writer.h"

#include "base/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char KEYWORDS[] =
    "auto, break, case, char, const, continue, default, do, double, else, enum, extern, float, "
    "for, "
    "goto, if, inline, int, long, register, restrict, return, short, signed, sizeof, static, "
    "struct, switch, typedef, union, unsigned, void, volatile, while, asm, typeof, linux, unix, "
    "main, bool, true, false, nullptr, constexpr";

static bool is_taken(const NbList *names, const char *name) {
  for (unsigned i = 0; names && i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return false;
}

/* How many bytes of an identifier stand here: C has letters beyond ASCII, too, and names of the
 * source have no others. */
static size_t letter_length(const char *at) {
  return isalnum((unsigned char)*at) || *at == '_' ? 1 : nb_text_wide(at);
}

bool source_is_identifier(const char *name) {
  if (!*name || isdigit((unsigned char)*name))
    return false;
  size_t length = 1;
  for (; *name && length; name += length)
    length = letter_length(name);
  return length != 0;
}

static char *spelt(NbArena *arena, const char *name) {
  size_t length = strlen(name);
  char *copy = nb_arena_copy(arena, name, length);
  for (char *at = copy; *at;) {
    size_t letter = letter_length(at);
    if (!letter)
      *at = '_';
    at += letter ? letter : 1;
  }
  return isdigit((unsigned char)*copy) ? nb_arena_print(arena, "_%s", copy) : copy;
}

/* The greatest number behind `base` and an underscore among the names, `last` at least. */
static unsigned last_number(const NbList *names, const char *base, unsigned last) {
  size_t length = strlen(base);
  for (unsigned i = 0; names && i < names->count; i++) {
    const char *name = names->items[i];
    if (strncmp(name, base, length) != 0 || name[length] != '_')
      continue;
    char *end;
    unsigned long number = strtoul(name + length + 1, &end, 10);
    if (!*end && number > last && number < UINT32_MAX)
      last = (unsigned)number;
  }
  return last;
}

const char *source_unique(NbArena *arena, NbList *names, const NbList *others, const char *wanted) {
  const char *name = spelt(arena, *wanted ? wanted : "v");
  if (is_taken(names, name) || is_taken(others, name) || nb_is_listed(KEYWORDS, name)) {
    unsigned last = last_number(others, name, last_number(names, name, 1));
    name = nb_arena_print(arena, "%s_%u", name, last + 1);
  }
  nb_list_push(names, (void *)name);
  return name;
}

bool source_is_named(LLVMValueRef value) { return strchr(nb_name(value), '$') != NULL; }

/* Numbers at the end, and what follows a dot, tell copies apart. */
const char *source_clean(NbArena *arena, const char *name) {
  size_t length = strcspn(name, "$");
  if (name[length])
    return nb_arena_copy(arena, name, length);
  length = strcspn(name, ".");
  while (length && isdigit((unsigned char)name[length - 1]))
    length--;
  return nb_arena_copy(arena, name, length);
}

/* Derivatives are called nabla.MODE.NAME. */
static const char *readable(NbArena *arena, const char *name) {
  static const char own[] = "nabla.";
  if (strncmp(name, own, sizeof own - 1) != 0)
    return name;
  const char *mode = name + sizeof own - 1;
  const char *function = strchr(mode, '.');
  if (!function)
    return name;
  return nb_arena_print(arena, "%s_%.*s", function + 1, (int)(function - mode), mode);
}

static bool is_local(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

const char *source_global(Writer *writer, LLVMValueRef global) {
  const char *known = nb_map_get(writer->globals, global);
  if (known)
    return known;
  const char *name = nb_name(global);
  if (*name == '\1')
    name++;
  bool exact = !is_local(global) && source_is_identifier(name) && strcmp(name, "main") != 0;
  const char *result = name;
  if (exact)
    nb_list_push(&writer->names, (void *)name);
  else
    result = source_unique(writer->arena, &writer->names, NULL, readable(writer->arena, name));
  nb_map_set(writer->globals, global, (void *)result);
  return result;
}
