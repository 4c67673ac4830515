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

/* How many bytes of an identifier stand here: C has letters beyond ASCII, too, and names of the
 * source have no others but the dollar sign, which all compilers take. */
static size_t letter_length(const char *at) {
  return isalnum((unsigned char)*at) || *at == '_' || *at == '$' ? 1 : nb_text_wide(at);
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

/* --- Each only once -------------------------------------------------------------------------- */

Names source_names(NbArena *arena) {
  return (Names){arena, nb_texts_new(arena), nb_texts_new(arena), nb_map_new(arena)};
}

static bool is_taken(const Names *names, const char *name) {
  return names && nb_texts_find(names->taken, name, strlen(name));
}

/* The greatest number behind `base` and an underscore among the names; 1 where there is none. */
static unsigned last_number(const Names *names, const char *base) {
  const char *known = names ? nb_texts_find(names->bases, base, strlen(base)) : NULL;
  return known ? (unsigned)(uintptr_t)nb_map_get(names->last, known) : 1;
}

void source_take(Names *names, const char *name) {
  nb_texts_add(names->taken, name, strlen(name));
  const char *behind = strrchr(name, '_');
  if (!behind || !isdigit((unsigned char)behind[1]))
    return;
  char *end;
  unsigned long number = strtoul(behind + 1, &end, 10);
  const char *base = nb_arena_copy(names->arena, name, (size_t)(behind - name));
  if (!*end && number > last_number(names, base) && number < UINT32_MAX)
    nb_map_set(names->last, nb_texts_add(names->bases, base, strlen(base)),
               (void *)(uintptr_t)number);
}

const char *source_unique(NbArena *arena, Names *names, const Names *others, const char *wanted) {
  const char *name = spelt(arena, *wanted ? wanted : "v");
  if (is_taken(names, name) || is_taken(others, name) || nb_is_listed(KEYWORDS, name)) {
    unsigned last = last_number(names, name), other = last_number(others, name);
    name = nb_arena_print(arena, "%s_%u", name, (last > other ? last : other) + 1);
  }
  source_take(names, name);
  return name;
}

/* --- Values ---------------------------------------------------------------------------------- */

bool source_is_named(LLVMValueRef value) {
  const char *name = nb_name(value);
  return strchr(name, NB_OF_SOURCE) && nb_text_given(name, NB_OF_SOURCE);
}

/* Numbers at the end, and what follows a dot, tell copies apart. */
const char *source_clean(NbArena *arena, const char *name) {
  if (strchr(name, NB_OF_SOURCE))
    return nb_arena_copy(arena, name, nb_text_given(name, NB_OF_SOURCE));
  size_t length = strcspn(name, ".");
  while (length && isdigit((unsigned char)name[length - 1]))
    length--;
  return nb_arena_copy(arena, name, length);
}

/* --- Globals --------------------------------------------------------------------------------- */

/* What a symbol is in its language, as one word: of `double model::weigh<double>(double)` it is
 * model_weigh, and of its derivatives that and their part. */
static const char *word_of(NbArena *arena, LLVMValueRef global, const char *symbol) {
  char *readable = nb_plain_name(global, symbol);
  char *word = nb_arena_copy(arena, readable, strlen(readable));
  LLVMDisposeMessage(readable);
  for (char *colons; (colons = strstr(word, "::")) != NULL;)
    memmove(colons, colons + 1, strlen(colons));
  return word;
}

static bool is_local(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static const char *symbol_of(LLVMValueRef global) {
  const char *name = nb_name(global);
  return *name == '\1' ? name + 1 : name;
}

/* Is it known by its symbol, and is that a name of C? */
static bool is_exact(NbArena *arena, LLVMValueRef global) {
  const char *name = symbol_of(global);
  return !is_local(global) && source_is_identifier(name) && !nb_is_listed(KEYWORDS, name) &&
         strcmp(word_of(arena, global, name), name) == 0;
}

/* Names that others know are taken before any that is only ours. */
void source_take_exact(Writer *writer) {
  LLVMModuleRef module = writer->context->module;
  for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
    if (is_exact(writer->arena, at))
      source_take(&writer->exact_names, symbol_of(at));
  for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
    if (is_exact(writer->arena, at))
      source_take(&writer->exact_names, symbol_of(at));
}

const char *source_global(Writer *writer, LLVMValueRef global) {
  const char *known = nb_map_get(writer->globals, global);
  if (known)
    return known;
  const char *name = symbol_of(global);
  if (is_exact(writer->arena, global))
    source_take(&writer->names, name);
  else
    name = source_unique(writer->arena, &writer->names, &writer->exact_names,
                         word_of(writer->arena, global, name));
  nb_map_set(writer->globals, global, (void *)name);
  return name;
}
