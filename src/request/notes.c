// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Registration globals, annotations, attributes and metadata say what holds for a whole program.
 * The optimiser may drop them before requests are served, so they are noted in metadata of the
 * module at the start: the name of the registration that says the same, then what it lists. */
#include "base/names.h"
#include "request/collected.h"

#include <llvm-c/Comdat.h>
#include <string.h>

#define ANNOTATIONS "llvm.global.annotations"

enum { NESTING = 4 };

typedef struct Parts {
  NbContext *context;
  bool of_globals; /* they are meant, not the texts in them */
  NbList items;    /* LLVMMetadataRef */
} Parts;

static void push_text(Parts *parts, const char *text, size_t length) {
  nb_list_push(&parts->items, LLVMMDStringInContext2(parts->context->llvm, text, length));
}

static void push_number(Parts *parts, LLVMValueRef number) {
  long long value = number ? LLVMConstIntGetSExtValue(number) : 0;
  const char *text = nb_arena_print(parts->context->arena, "%lld", value);
  push_text(parts, text, strlen(text));
}

/* The text of a global constant string; false for every other value. */
static bool push_string(Parts *parts, LLVMValueRef value) {
  LLVMValueRef initial = LLVMIsAGlobalVariable(value) ? LLVMGetInitializer(value) : NULL;
  if (!initial || !LLVMIsConstantString(initial))
    return false;
  size_t length = 0;
  const char *text = LLVMGetAsString(initial, &length);
  push_text(parts, text, strnlen(text, length));
  return true;
}

/* ThinLTO may bring what is said of a function into a file without the function: then its name
 * tells which one it was. */
static void push_function(Parts *parts, LLVMValueRef function) {
  NbContext *context = parts->context;
  nb_make_findable(context, function);
  LLVMMetadataRef value = LLVMValueAsMetadata(function);
  if (context->phase == NB_PHASE_BEFORE_LINK) {
    const char *name = nb_name(function);
    LLVMMetadataRef pair[] = {value, LLVMMDStringInContext2(context->llvm, name, strlen(name))};
    value = LLVMMDNodeInContext2(context->llvm, pair, 2);
  }
  nb_list_push(&parts->items, value);
}

static void push_item(Parts *parts, LLVMValueRef value, unsigned depth) {
  if (LLVMIsAGlobalAlias(value))
    value = LLVMAliasGetAliasee(value);
  bool meant = parts->of_globals && LLVMIsAGlobalVariable(value);
  if (meant && parts->context->phase == NB_PHASE_BEFORE_LINK)
    nb_keep(parts->context, value);
  if (LLVMIsAFunction(value)) {
    push_function(parts, value);
  } else if (meant) {
    nb_list_push(&parts->items, LLVMValueAsMetadata(value));
  } else if (LLVMIsNull(value) || LLVMIsAConstantInt(value)) {
    push_number(parts, LLVMIsAConstantInt(value));
  } else if (!push_string(parts, value) && depth) {
    bool inner = LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value);
    int count = inner ? LLVMGetNumOperands(value) : LLVMIsAConstantExpr(value) != NULL;
    for (int i = 0; i < count; i++)
      push_item(parts, LLVMGetOperand(value, (unsigned)i), depth - 1);
  }
}

static void write_note(Parts *parts) {
  NbContext *context = parts->context;
  LLVMMetadataRef *items = (LLVMMetadataRef *)parts->items.items;
  LLVMMetadataRef node = LLVMMDNodeInContext2(context->llvm, items, parts->items.count);
  LLVMAddNamedMetadataOperand(context->module, NB_NOTES, LLVMMetadataAsValue(context->llvm, node));
}

/* Does it list functions or variables, and not only texts? */
static bool lists_any(LLVMValueRef value, unsigned depth) {
  bool inner = value && (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) ||
                         LLVMIsAConstantExpr(value));
  for (int i = 0; inner && depth && i < LLVMGetNumOperands(value); i++)
    if (lists_any(LLVMGetOperand(value, (unsigned)i), depth - 1))
      return true;
  LLVMValueRef initial = value && LLVMIsAGlobalVariable(value) ? LLVMGetInitializer(value) : NULL;
  bool text = initial && LLVMIsConstantString(initial);
  return value && LLVMIsAGlobalValue(value) && !text;
}

/* Tables that a C++ compiler makes, and those of exported derivatives, list functions, too. */
static bool is_table(const char *name) {
  static const char compiled[] = "_ZT", exported[] = NB_EXPORT_PREFIX;
  return strncmp(name, compiled, strlen(compiled)) == 0 ||
         strncmp(name, exported, strlen(exported)) == 0;
}

/* Is it one by its name, or by what it lists, though nobody knows the name? */
static bool is_registration(LLVMValueRef global, NbEntryKind kind) {
  bool misspelt =
      (kind == NB_ENTRY_UNKNOWN || kind == NB_ENTRY_LATER) && !is_table(nb_name(global));
  return nb_entry_is_registration(kind) ||
         (misspelt && lists_any(LLVMGetInitializer(global), NESTING));
}

/* Metadata keeps nothing from being dropped: what it alone may name is kept by a global. */
static void anchor(NbContext *context, LLVMValueRef value) {
  const char *name = nb_arena_print(context->arena, NB_ANCHOR_PREFIX "%s", nb_name(value));
  if (LLVMIsDeclaration(value) || LLVMGetNamedGlobal(context->module, name))
    return;
  LLVMValueRef global = LLVMAddGlobal(context->module, LLVMTypeOf(value), name);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetInitializer(global, value);
  nb_keep(context, global);
}

static LLVMValueRef first_anchor(const NbContext *context) {
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  while (global && strncmp(nb_name(global), NB_ANCHOR_PREFIX, strlen(NB_ANCHOR_PREFIX)) != 0)
    global = LLVMGetNextGlobal(global);
  return global;
}

/* Is it named by nothing but the list of what is kept? */
static bool is_kept_alone(NbContext *context, LLVMValueRef global) {
  for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMUseRef outer = LLVMIsAConstant(user) ? LLVMGetFirstUse(user) : use;
    for (; outer; outer = LLVMGetNextUse(outer))
      if (!nb_is_keep_list(context, LLVMGetUser(outer)))
        return false;
  }
  return true;
}

/* What it names need not be there, and other files may have one of that name. */
static void delete_registration(NbContext *context, LLVMValueRef global) {
  while (nb_unkeep(context, global))
    continue;
  LLVMDeleteGlobal(global);
}

static void delete_registrations(NbContext *context) {
  NbList found = nb_list(context->arena);
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global))
    if (!LLVMIsDeclaration(global) &&
        nb_entry_is_registration(nb_entry_kind(nb_name(global), NULL)) &&
        is_kept_alone(context, global))
      nb_list_push(&found, global);
  for (unsigned i = 0; i < found.count; i++)
    delete_registration(context, found.items[i]);
}

void nb_registrations_let_go(NbContext *context) {
  for (LLVMValueRef global; (global = first_anchor(context)); LLVMDeleteGlobal(global))
    nb_unkeep(context, global);
  if (!nb_context_is_before_link(context))
    delete_registrations(context);
}

/* A note about a function or global, with a text or NULL. */
static void note_value(NbContext *context, const char *name, LLVMValueRef value, const char *text) {
  Parts parts = {context, LLVMIsAGlobalVariable(value) != NULL, nb_list(context->arena)};
  push_text(&parts, name, strlen(name));
  push_item(&parts, value, NESTING);
  if (text)
    push_text(&parts, text, strlen(text));
  write_note(&parts);
}

/* --- Registration globals -----------------------------------------------------------------------
 */

/* Files that are linked before it goes may have one of that name each. */
static void make_local(NbContext *context, LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
    return;
  LLVMSetComdat(global, NULL);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  nb_keep(context, global);
}

static bool note_globals(NbContext *context) {
  bool changed = false;
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global)) {
    const char *name = nb_name(global);
    NbEntryKind kind = nb_entry_kind(name, NULL);
    if (!is_registration(global, kind))
      continue;
    bool of_globals = kind == NB_ENTRY_SHADOW_GLOBAL || kind == NB_ENTRY_INACTIVE_GLOBAL;
    Parts parts = {context, of_globals, nb_list(context->arena)};
    push_text(&parts, name, strlen(name));
    if (LLVMGetInitializer(global))
      push_item(&parts, LLVMGetInitializer(global), NESTING);
    write_note(&parts);
    if (nb_context_is_linked_later(context) && !LLVMIsDeclaration(global))
      make_local(context, global);
    changed = true;
  }
  return changed;
}

/* --- Derivatives of the user's, said one function at a time
 * --------------------------------------- */

typedef enum Half { HALF_AUGMENT, HALF_GRADIENT, HALF_DERIVATIVE, HALF_SPLIT, HALF_COUNT } Half;

typedef struct Halves {
  LLVMValueRef function[HALF_COUNT];
} Halves;

static const char *const half_words[] = {"enzyme_augment", "enzyme_gradient", "enzyme_derivative",
                                         "enzyme_splitderivative"};

/* True where the word is one of these. */
static bool take_half(NbContext *context, NbMap *halves, LLVMValueRef of, const char *word,
                      LLVMValueRef function) {
  for (unsigned i = 0; i < HALF_COUNT; i++) {
    if (strcmp(word, half_words[i]) != 0)
      continue;
    Halves *known = nb_map_get(halves, of);
    if (!known)
      nb_map_set(halves, of, known = NB_NEW(context->arena, Halves));
    known->function[i] = function;
    return true;
  }
  return false;
}

static void note_list(NbContext *context, const char *name, LLVMValueRef first,
                      LLVMValueRef const *others, unsigned count) {
  Parts parts = {context, false, nb_list(context->arena)};
  push_text(&parts, name, strlen(name));
  push_item(&parts, first, NESTING);
  for (unsigned i = 0; i < count; i++) {
    if (!others[i])
      continue;
    push_item(&parts, others[i], NESTING);
    anchor(context, others[i]);
  }
  write_note(&parts);
}

static bool note_halves(NbContext *context, const NbMap *halves) {
  for (unsigned i = 0; i < nb_map_count(halves); i++) {
    LLVMValueRef of = (LLVMValueRef)nb_map_key(halves, i);
    const Halves *known = nb_map_get(halves, of);
    LLVMValueRef split[] = {known->function[HALF_AUGMENT], known->function[HALF_SPLIT]};
    if (known->function[HALF_SPLIT])
      note_list(context, nb_entry_name(NB_ENTRY_SAYS_SPLIT_DERIVATIVE), of, split, 2);
    if (known->function[HALF_GRADIENT] ||
        (known->function[HALF_AUGMENT] && !known->function[HALF_SPLIT]))
      note_list(context, nb_entry_name(NB_ENTRY_SAYS_GRADIENT), of, known->function, 2);
    if (known->function[HALF_DERIVATIVE])
      note_list(context, nb_entry_name(NB_ENTRY_SAYS_DERIVATIVE), of,
                known->function + HALF_DERIVATIVE, 1);
  }
  return nb_map_count(halves) != 0;
}

/* --- Annotations and attributes -----------------------------------------------------------------
 */

/* A word of the user's, "enzyme_..." with what follows '=' in it; false where nobody knows it. */
static bool note_word(NbContext *context, LLVMValueRef value, const char *word) {
  NbAttributeWord known = nb_attribute_word(word);
  bool variable = LLVMIsAGlobalVariable(value) != NULL;
  if (!known.entry)
    return false;
  bool inactive = nb_entry_kind(known.entry, NULL) == NB_ENTRY_SAYS_INACTIVE;
  if (!variable)
    note_value(context, known.entry, value, known.text);
  else if (inactive)
    note_value(context, nb_entry_name(NB_ENTRY_INACTIVE_GLOBAL), value, NULL);
  return true;
}

static const char *string_of(NbArena *arena, LLVMValueRef value) {
  LLVMValueRef text = LLVMIsAGlobalVariable(value) ? LLVMGetInitializer(value) : NULL;
  size_t length = 0;
  if (!text || !LLVMIsConstantString(text))
    return "";
  const char *start = LLVMGetAsString(text, &length);
  return nb_arena_copy(arena, start, strnlen(start, length));
}

/* The function among the arguments of an annotation; NULL where there is none. */
static LLVMValueRef function_in(const NbContext *context, LLVMValueRef annotation) {
  bool some = LLVMGetNumOperands(annotation) > 4;
  LLVMValueRef arguments = some ? LLVMGetOperand(annotation, 4) : NULL;
  LLVMValueRef list =
      arguments && LLVMIsAGlobalVariable(arguments) ? LLVMGetInitializer(arguments) : NULL;
  LLVMValueRef first = list && LLVMIsAConstantStruct(list) ? LLVMGetOperand(list, 0) : NULL;
  return first ? nb_resolve_function(context, first) : NULL;
}

static void note_annotation(NbContext *context, NbMap *halves, LLVMValueRef annotation) {
  LLVMValueRef value = LLVMGetOperand(annotation, 0);
  const char *word = string_of(context->arena, LLVMGetOperand(annotation, 1));
  if (strncmp(word, "enzyme_", strlen("enzyme_")) != 0 ||
      (!LLVMIsAFunction(value) && !LLVMIsAGlobalVariable(value)))
    return;
  LLVMValueRef function = function_in(context, annotation);
  if (function && take_half(context, halves, value, word, function))
    return;
  if (!note_word(context, value, word))
    note_value(context, word, value, NULL);
}

static bool note_annotations(NbContext *context, NbMap *halves) {
  LLVMValueRef global = LLVMGetNamedGlobal(context->module, ANNOTATIONS);
  LLVMValueRef list = global ? LLVMGetInitializer(global) : NULL;
  int count = list && LLVMIsAConstantArray(list) ? LLVMGetNumOperands(list) : 0;
  for (int i = 0; i < count; i++)
    note_annotation(context, halves, LLVMGetOperand(list, (unsigned)i));
  return count != 0;
}

static bool note_attributes(NbContext *context, LLVMValueRef function) {
  LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  unsigned count = LLVMGetAttributeCountAtIndex(function, whole);
  LLVMAttributeRef *list = NB_NEW_ARRAY(context->arena, LLVMAttributeRef, count + 1);
  LLVMGetAttributesAtIndex(function, whole, list);
  bool changed = false;
  for (unsigned i = 0; i < count; i++) {
    unsigned length = 0, text_length = 0;
    const char *kind =
        LLVMIsStringAttribute(list[i]) ? LLVMGetStringAttributeKind(list[i], &length) : "";
    const char *word = nb_arena_print(context->arena, "%.*s", (int)length, kind);
    if (!nb_attribute_word(word).entry)
      continue;
    const char *text = LLVMGetStringAttributeValue(list[i], &text_length);
    changed |= note_word(context, function,
                         nb_arena_print(context->arena, "%s=%.*s", word, (int)text_length, text));
  }
  return changed;
}

/* --- Metadata -----------------------------------------------------------------------------------
 */

/* The first operand of the metadata `kind` of a function or global. `*present`: there is some. */
static LLVMValueRef metadata_of(const NbContext *context, LLVMValueRef value, const char *kind,
                                bool *present) {
  unsigned wanted = 0;
  LLVMValueRef first = NULL;
  *present = false;
  if (!nb_metadata_kind(context->llvm, kind, &wanted))
    return NULL;
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(value, &count);
  for (unsigned i = 0; i < count; i++) {
    if (LLVMValueMetadataEntriesGetKind(entries, i) != wanted)
      continue;
    LLVMMetadataRef found = LLVMValueMetadataEntriesGetMetadata(entries, i);
    LLVMValueRef node = LLVMMetadataAsValue(context->llvm, found);
    unsigned operands = LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *list = NB_NEW_ARRAY(context->arena, LLVMValueRef, operands + 1);
    LLVMGetMDNodeOperands(node, list);
    first = operands ? list[0] : NULL;
    *present = true;
  }
  LLVMDisposeValueMetadataEntries(entries);
  return first;
}

static bool note_functions(NbContext *context, NbMap *halves) {
  bool changed = false, present;
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    changed |= note_attributes(context, function);
    for (unsigned i = 0; i < HALF_COUNT; i++) {
      LLVMValueRef half = metadata_of(context, function, half_words[i], &present);
      if (half)
        take_half(context, halves, function, half_words[i], half);
    }
  }
  return changed;
}

static bool note_variables(NbContext *context) {
  static const char shadow_kind[] = "enzyme_shadow", inactive_kind[] = "enzyme_inactive";
  bool changed = false, shadowed, inactive;
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global)) {
    LLVMValueRef shadow = metadata_of(context, global, shadow_kind, &shadowed);
    metadata_of(context, global, inactive_kind, &inactive);
    if (!shadow && !inactive)
      continue;
    Parts parts = {context, true, nb_list(context->arena)};
    const char *name = nb_entry_name(shadow ? NB_ENTRY_SHADOW_GLOBAL : NB_ENTRY_INACTIVE_GLOBAL);
    push_text(&parts, name, strlen(name));
    push_item(&parts, global, NESTING);
    if (shadow) {
      push_item(&parts, shadow, NESTING);
      anchor(context, shadow);
      anchor(context, global);
    }
    write_note(&parts);
    changed = true;
  }
  return changed;
}

bool nb_registrations_note(NbContext *context) {
  NbMap *halves = nb_map_new(context->arena);
  bool changed = note_globals(context);
  changed |= note_annotations(context, halves);
  changed |= note_functions(context, halves);
  changed |= note_variables(context);
  changed |= note_halves(context, halves);
  return changed;
}
