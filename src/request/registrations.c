// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a module registers, as notes.c has noted it. What a row of a rule file can say becomes one;
 * derivatives of the user's are remembered by the function that they belong to, shadows by their
 * global. What is not served is refused: nothing may be missing from a derivative without a word.
 */
#include "request/registrations.h"
#include "base/names.h"
#include "request/collected.h"

#include <stdlib.h>
#include <string.h>

/* What one registration lists: functions and globals, texts, and numbers as texts. */
typedef struct Note {
  const char *name;
  NbEntryKind kind;
  unsigned count;
  LLVMValueRef *items; /* NULL: a text, or what the optimiser has deleted since */
  const char **texts;
  bool *elsewhere; /* a function that this module does not even declare */
} Note;

/* --- Reading them -------------------------------------------------------------------------------
 */

/* A function with its name: ThinLTO brings the one without the other. */
static LLVMValueRef read_named(NbContext *context, LLVMValueRef pair, bool *elsewhere) {
  LLVMValueRef parts[2] = {NULL, NULL};
  unsigned length = 0;
  if (LLVMGetMDNodeNumOperands(pair) != 2)
    return NULL;
  LLVMGetMDNodeOperands(pair, parts);
  const char *text = parts[1] ? LLVMGetMDString(parts[1], &length) : NULL;
  if (!parts[0] && text) {
    const char *name = nb_arena_copy(context->arena, text, length);
    parts[0] = LLVMGetNamedFunction(context->module, name);
  }
  *elsewhere = !parts[0];
  return parts[0];
}

static bool read_note(NbContext *context, LLVMValueRef node, Note *note) {
  NbArena *arena = context->arena;
  unsigned count = LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *parts = NB_NEW_ARRAY(arena, LLVMValueRef, count + 1);
  const char **texts = NB_NEW_ARRAY(arena, const char *, count + 1);
  bool *elsewhere = NB_NEW_ARRAY(arena, bool, count + 1);
  LLVMGetMDNodeOperands(node, parts);
  for (unsigned i = 0; i < count; i++) {
    unsigned length = 0;
    bool named = parts[i] && !LLVMIsAConstant(parts[i]) && LLVMIsAMDNode(parts[i]);
    if (named)
      parts[i] = read_named(context, parts[i], elsewhere + i);
    const char *text = parts[i] ? LLVMGetMDString(parts[i], &length) : NULL;
    texts[i] = text ? nb_arena_copy(arena, text, length) : NULL;
    bool value = parts[i] && (LLVMIsAFunction(parts[i]) || LLVMIsAGlobalVariable(parts[i]));
    parts[i] = value ? parts[i] : NULL;
  }
  if (!count || !texts[0])
    return false;
  *note = (Note){texts[0],     nb_entry_kind(texts[0], NULL), count - 1, parts + 1, texts + 1,
                 elsewhere + 1};
  return true;
}

/* The notes of the module, one by one: taking one may change what the next ones name. */
typedef struct Notes {
  LLVMValueRef *nodes;
  unsigned count, next;
} Notes;

static Notes notes_of(NbContext *context) {
  Notes notes = {.count = LLVMGetNamedMetadataNumOperands(context->module, NB_NOTES)};
  notes.nodes = NB_NEW_ARRAY(context->arena, LLVMValueRef, notes.count + 1);
  if (notes.count)
    LLVMGetNamedMetadataOperands(context->module, NB_NOTES, notes.nodes);
  return notes;
}

/* The next one that can be read; false: there is none left. */
static bool next_note(NbContext *context, Notes *notes, Note *note) {
  bool read = false;
  while (!read && notes->next < notes->count)
    read = read_note(context, notes->nodes[notes->next++], note);
  return read;
}

static bool refuse_note(NbContext *context, const Note *note, LLVMValueRef where,
                        const char *reason) {
  LLVMValueRef first = note->count ? note->items[0] : NULL;
  return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED,
                   first && LLVMIsAFunction(first) ? first : where, "the registration '%s' %s",
                   note->name, reason);
}

/* --- Rows ---------------------------------------------------------------------------------------
 */

static const char *type_word(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind:
    return "void";
  case LLVMIntegerTypeKind:
    return "int";
  case LLVMPointerTypeKind:
    return "ptr";
  case LLVMFloatTypeKind:
    return "float";
  case LLVMDoubleTypeKind:
    return "double";
  default:
    return nb_is_float_kind(LLVMGetTypeKind(type)) ? "real" : "any";
  }
}

/* "int f(ptr a0, double a1)". */
const char *nb_row_signature(NbContext *context, LLVMValueRef function) {
  NbArena *arena = context->arena;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  const char *result = type_word(LLVMGetReturnType(type));
  const char *text = "";
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    const char *word = type_word(LLVMTypeOf(LLVMGetParam(function, i)));
    text = nb_arena_print(arena, "%s%s%s a%u", text, i ? ", " : "", word, i);
  }
  if (LLVMIsFunctionVarArg(type))
    text = nb_arena_print(arena, "%s%s...", text, *text ? ", " : "");
  return nb_arena_print(arena, "%s %s(%s)", result, nb_name(function), text);
}

const char *nb_row_of_inactive(NbContext *context, LLVMValueRef function) {
  static const char row[] = "%s inactive once reads memory writes memory\n";
  return nb_arena_print(context->arena, row, nb_row_signature(context, function));
}

/* What stands behind the name of a function of <math.h> in the format of the first float that the
 * function takes. */
static const char *suffix_of(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i)));
    if (kind == LLVMFloatTypeKind || kind == LLVMX86_FP80TypeKind)
      return kind == LLVMFloatTypeKind ? "f" : "l";
    if (kind == LLVMDoubleTypeKind)
      break;
  }
  return "";
}

/* Does the function take references where the row has numbers, as Fortran's do? */
static bool takes_references(LLVMValueRef function, const NbRule *rule) {
  unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i < count && i < rule->parameter_count; i++) {
    bool reference = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind;
    if (reference && rule->parameters[i].type != NB_TYPE_POINTER)
      return true;
  }
  return false;
}

/* The name stands behind the function, or in the global's name (as Fortran writes it). */
static const char *row_of_like(NbContext *context, const Note *note) {
  LLVMValueRef function = note->count ? note->items[0] : NULL;
  const char *known = NULL;
  if (note->count > 2)
    return NULL;
  nb_entry_kind(note->name, &known);
  const char *model = note->count > 1 ? note->texts[1] : strstr(note->name, known) + strlen(known);
  if (!function || !model)
    return NULL;
  while (*model == '_')
    model++;
  const char *own = nb_arena_print(context->arena, "%s%s", model, suffix_of(function));
  NbFormat format = NB_FORMAT_ANY;
  if (nb_rules_find(context->rules, own, strlen(own), &format) &&
      (format == NB_FORMAT_FLOAT || format == NB_FORMAT_LONG))
    model = own;
  const NbRule *rule = nb_rules_find(context->rules, model, strlen(model), NULL);
  if (!rule || takes_references(function, rule))
    return NULL;
  return nb_arena_print(context->arena, "%s like %s\n", nb_name(function), model);
}

/* What the deallocator takes, by the list "0,-1": arguments of the allocator, and -1 for the
 * memory, of which `*place` is the place. NULL where the types do not fit. */
static const char *handed_to(NbContext *context, const char *list, LLVMValueRef allocator,
                             LLVMValueRef partner, unsigned *place) {
  const char *text = "";
  unsigned count = LLVMCountParams(partner), made = LLVMCountParams(allocator), found = 0;
  for (unsigned i = 0; i < count; i++) {
    char *end;
    long index = strtol(list, &end, 10);
    bool memory = index == -1, last = i + 1 == count;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(partner, i));
    if (end == list || *end != (last ? '\0' : ',') || index < -1 || index >= (long)made ||
        (!memory && LLVMTypeOf(LLVMGetParam(allocator, (unsigned)index)) != type))
      return NULL;
    text = memory ? nb_arena_print(context->arena, "%s%sresult", text, i ? ", " : "")
                  : nb_arena_print(context->arena, "%s%sa%ld", text, i ? ", " : "", index);
    *place = memory ? i : *place;
    found += memory;
    list = end + !last;
  }
  return found == 1 ? text : NULL;
}

/* Allocator, index of the size, arguments of the deallocator, deallocator. */
static const char *row_of_allocation(NbContext *context, const Note *note) {
  LLVMValueRef allocator = note->count == 4 ? note->items[0] : NULL;
  LLVMValueRef partner = allocator ? note->items[3] : NULL;
  bool plain = partner && note->texts[1] && note->texts[2];
  unsigned place = 0;
  const char *handed =
      plain ? handed_to(context, note->texts[2], allocator, partner, &place) : NULL;
  const char *head = handed ? nb_row_signature(context, allocator) : NULL;
  const char *other = handed ? nb_row_signature(context, partner) : NULL;
  if (!head || !other || (unsigned)atoi(note->texts[1]) >= LLVMCountParams(allocator))
    return NULL;
  const char *name = nb_name(partner);
  const char *row = nb_arena_print(context->arena, "%s allocates a%d freed by %s(%s)\n", head,
                                   atoi(note->texts[1]), name, handed);
  if (nb_rules_find(context->rules, name, strlen(name), NULL))
    return row;
  return nb_arena_print(context->arena, "%s frees a%u\n%s", other, place, row);
}

/* The row that says what the note says; "" where there is nothing to say; NULL where no row can. */
static const char *row_of(NbContext *context, const Note *note) {
  switch (note->kind) {
  case NB_ENTRY_SAYS_LIKE:
    return row_of_like(context, note);
  case NB_ENTRY_SAYS_ALLOCATES:
    return row_of_allocation(context, note);
  default:
    return "";
  }
}

/* Why no row says what the note says. */
static const char *reason_of(const Note *note) {
  LLVMValueRef function = note->count ? note->items[0] : NULL;
  bool like = note->kind == NB_ENTRY_SAYS_LIKE && function && LLVMIsAFunction(function);
  if (like && note->count > 2)
    return "lists more than a function and a name: each function needs one of its own";
  for (unsigned i = 0; like && i < LLVMCountParams(function); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind)
      return "is of a function that takes references (in Fortran, declare its numbers 'value')";
  return "says what a rule cannot say yet";
}

static void take_row(NbContext *context, const Note *note, const char *row, LLVMValueRef where) {
  NbRuleError error;
  if (!row) {
    refuse_note(context, note, where, reason_of(note));
    return;
  }
  const NbRules *rules =
      nb_rules_parse(context->arena, note->name, row, strlen(row), context->rules, &error);
  if (rules)
    context->rules = rules;
  else
    refuse_note(context, note, where, error.message);
}

/* All functions that it lists; what the optimiser has deleted behind the first needs nothing. */
static void take_inactive(NbContext *context, const Note *note, LLVMValueRef where) {
  if (!note->count || !note->items[0])
    refuse_note(context, note, where, reason_of(note));
  for (unsigned i = 0; i < note->count; i++) {
    LLVMValueRef function = note->items[i];
    if (function)
      take_row(context, note,
               LLVMIsAFunction(function) ? nb_row_of_inactive(context, function) : NULL, where);
  }
}

/* --- Globals ---------------------------------------------------------------------------------- */

/* What the optimiser has deleted since is missing, and needs nothing. */
static void take_globals(NbContext *context, const Note *note, LLVMValueRef where) {
  bool shadows = note->kind == NB_ENTRY_SHADOW_GLOBAL;
  unsigned step = shadows ? 2 : 1;
  if (note->count % step)
    refuse_note(context, note, where, "does not list pairs of a global and its shadow");
  for (unsigned i = 0; i + step <= note->count; i += step) {
    LLVMValueRef global = note->items[i], last = note->items[i + step - 1];
    if (global && last)
      nb_map_set(shadows ? context->declared_shadows : context->inactive_globals, global, last);
  }
}

static bool begins(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Tables of other files that a C++ compiler makes: they lead to functions and to such tables only,
 * but are not always declared constant. */
static void take_tables(NbContext *context) {
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global)) {
    const char *name = nb_name(global);
    bool table = begins(name, NB_CXX_VTABLE_PREFIX) || begins(name, NB_CXX_VTABLES_PREFIX) ||
                 begins(name, NB_CXX_TYPE_PREFIX);
    if (table && LLVMIsDeclaration(global))
      nb_map_set(context->inactive_globals, global, global);
  }
}

/* --- Derivatives ------------------------------------------------------------------------------ */

NbCustom *nb_custom_of(const NbContext *context, LLVMValueRef function) {
  LLVMValueRef original = nb_map_get(context->originals, function);
  return nb_map_get(context->custom, original ? original : function);
}

/* Of a variable: it is written, and read for nothing. */
static bool is_idle(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable;
    bool load = LLVMIsALoadInst(user) && !LLVMGetFirstUse(user);
    if (!store && !load)
      return false;
  }
  return true;
}

bool nb_parameter_is_unused(LLVMValueRef parameter) {
  for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef store = LLVMGetUser(use);
    LLVMValueRef variable = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 1) : NULL;
    bool only = variable && LLVMIsAAllocaInst(variable) && LLVMGetOperand(store, 0) == parameter;
    if (!only || !is_idle(variable))
      return false;
  }
  return true;
}

static NbCustom *custom_for(NbContext *context, LLVMValueRef function) {
  NbCustom *custom = nb_map_get(context->custom, function);
  if (custom)
    return custom;
  custom = NB_NEW(context->arena, NbCustom);
  nb_map_set(context->custom, function, custom);
  return custom;
}

/* "byref_2": the bit of that parameter, 0 where it says something else. */
static uint64_t by_reference(const char *text) {
  static const char word[] = "byref_";
  size_t length = strlen(word);
  if (!text || strncmp(text, word, length) != 0 || !text[length])
    return 0;
  char *end;
  unsigned long index = strtoul(text + length, &end, 10);
  return *end || index > 63 ? 0 : UINT64_C(1) << index;
}

static void take_functions(NbCustom *custom, const Note *note) {
  switch (note->kind) {
  case NB_ENTRY_SAYS_GRADIENT:
    custom->augmented = note->items[1];
    custom->reverse = note->items[2];
    break;
  case NB_ENTRY_SAYS_SPLIT_DERIVATIVE:
    custom->split_augmented = note->items[1];
    custom->split_forward = note->items[2];
    break;
  default:
    custom->forward = note->items[1];
  }
}

static bool is_custom(NbEntryKind kind) {
  return kind == NB_ENTRY_SAYS_GRADIENT || kind == NB_ENTRY_SAYS_DERIVATIVE ||
         kind == NB_ENTRY_SAYS_SPLIT_DERIVATIVE;
}

/* The functions come first, then words about their parameters. */
static void take_custom(NbContext *context, const Note *note, LLVMValueRef where) {
  unsigned wanted = note->kind == NB_ENTRY_SAYS_DERIVATIVE ? 2 : 3;
  bool fits = note->count >= wanted;
  uint64_t references = 0;
  for (unsigned i = 0; fits && i < note->count; i++) {
    uint64_t bit = i < wanted ? 0 : by_reference(note->texts[i]);
    fits = i < wanted ? note->items[i] != NULL : bit != 0;
    references |= bit;
  }
  for (unsigned i = 0; !fits && i < wanted && i < note->count; i++)
    if (note->elsewhere[i]) {
      refuse_note(context, note, where,
                  "stands in another file, whose functions ThinLTO has not brought: link with "
                  "-flto, or let it stand in this file, too");
      return;
    }
  if (!fits) {
    refuse_note(context, note, where,
                "does not list the functions that it is made of, or more than \"byref_N\"");
    return;
  }
  NbCustom *custom = custom_for(context, note->items[0]);
  custom->by_reference |= references;
  take_functions(custom, note);
}

static void refuse_unknown(NbContext *context, const Note *note, LLVMValueRef where) {
  LLVMValueRef first = note->count ? note->items[0] : NULL;
  where = first && LLVMIsAFunction(first) ? first : where;
  const char *nearest = nb_entry_nearest(context->arena, note->name);
  if (note->kind != NB_ENTRY_NONE)
    nb_refuse(context, NB_ERROR_ENTRY_UNKNOWN, where, "there is no registration '%s'%s%s%s",
              note->name, nearest ? "; the nearest is '" : "", nearest ? nearest : "",
              nearest ? "'" : "");
  else
    nb_refuse(context, NB_ERROR_ENTRY_UNKNOWN, where, "nothing is known of an attribute '%s'",
              note->name);
}

static void take_note(NbContext *context, const Note *note, LLVMValueRef where) {
  if (note->count && note->elsewhere[0])
    return;
  if (!nb_entry_is_registration(note->kind))
    refuse_unknown(context, note, where);
  else if (note->kind == NB_ENTRY_REGISTRATION)
    refuse_note(context, note, where,
                "is not supported yet, and a derivative without it would be another one");
  else if (is_custom(note->kind))
    take_custom(context, note, where);
  else if (note->kind == NB_ENTRY_SHADOW_GLOBAL || note->kind == NB_ENTRY_INACTIVE_GLOBAL)
    take_globals(context, note, where);
  else if (note->kind == NB_ENTRY_SAYS_INACTIVE)
    take_inactive(context, note, where);
  else if (note->kind != NB_ENTRY_SAYS_NOTHING)
    take_row(context, note, row_of(context, note), where);
}

/* -nabla-globals-default-inactive. */
static void take_all_globals(NbContext *context) {
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global))
    if (!nb_map_has(context->declared_shadows, global))
      nb_map_set(context->inactive_globals, global, global);
}

/* -nabla-emptyfn-inactive. */
static void take_all_declared(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    const char *name = nb_name(function);
    bool known = LLVMGetIntrinsicID(function) || nb_custom_of(context, function) ||
                 nb_rules_find(context->rules, name, strlen(name), NULL);
    bool ours = !strncmp(name, NB_OWN_PREFIX, strlen(NB_OWN_PREFIX)) ||
                nb_entry_kind(name, NULL) != NB_ENTRY_NONE;
    Note note = {name, NB_ENTRY_SAYS_INACTIVE, 0, NULL, NULL, NULL};
    if (LLVMIsDeclaration(function) && !known && !ours)
      take_row(context, &note, nb_row_of_inactive(context, function), function);
  }
}

static void take_notes(NbContext *context, LLVMValueRef where) {
  take_tables(context);
  Notes notes = notes_of(context);
  for (Note note; next_note(context, &notes, &note);)
    take_note(context, &note, where);
}

void nb_registrations_take(NbContext *context, LLVMValueRef where) {
  take_notes(context, where);
  if (nb_option_on(context->options, "globals-default-inactive", false))
    take_all_globals(context);
  if (nb_option_on(context->options, "emptyfn-inactive", false))
    take_all_declared(context);
}

/* --- Into other files -------------------------------------------------------------------------
 */

#define CARRIES "nabla-carries"

/* None at other steps. */
static Notes notes_at_thin_compile(NbContext *context) {
  return context->phase == NB_PHASE_BEFORE_THIN_LINK ? notes_of(context) : (Notes){.count = 0};
}

static LLVMAttributeIndex whole(void) { return (LLVMAttributeIndex)LLVMAttributeFunctionIndex; }

static bool carries(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(function, whole(), CARRIES, strlen(CARRIES)) != NULL;
}

/* How far `function` is from `base`, which position-independent code may have in front of it. */
static LLVMValueRef distance(NbContext *context, LLVMValueRef function, LLVMValueRef base) {
  LLVMTypeRef wide = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef to = LLVMConstPtrToInt(function, wide), from = LLVMConstPtrToInt(base, wide);
  LLVMValueRef offset = LLVMConstSub(to, from);
  return LLVMConstTrunc(offset, LLVMInt32TypeInContext(context->llvm));
}

/* What stands before the function in memory names the functions of the note, too. */
static void carry(NbContext *context, const Note *note) {
  LLVMValueRef function = note->count ? note->items[0] : NULL;
  bool ours = function && LLVMIsAFunction(function) && carries(function);
  if (!function || LLVMIsDeclaration(function) || (LLVMHasPrefixData(function) && !ours))
    return;
  NbList list = nb_list(context->arena);
  LLVMValueRef old = ours ? LLVMGetPrefixData(function) : NULL;
  for (int i = 0; old && i < LLVMGetNumOperands(old); i++)
    nb_list_push(&list, LLVMGetOperand(old, (unsigned)i));
  for (unsigned i = 1; i < note->count; i++)
    if (note->items[i] && LLVMIsAFunction(note->items[i]) && !LLVMIsDeclaration(note->items[i]))
      nb_list_push(&list, distance(context, note->items[i], function));
  if (!list.count)
    return;
  LLVMTypeRef type = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef *items = (LLVMValueRef *)list.items;
  LLVMSetPrefixData(function, LLVMConstArray2(type, items, list.count));
  LLVMAddAttributeAtIndex(
      function, whole(), LLVMCreateStringAttribute(context->llvm, CARRIES, strlen(CARRIES), "", 0));
}

/* That the compile step has seen the registrations: LLVM 19 does not tell it from the link step. */
static const char seen[] = "nabla.registrations.seen";

void nb_registrations_carry(NbContext *context) {
  Notes notes = notes_at_thin_compile(context);
  if (notes.count)
    LLVMGetOrInsertNamedMetadata(context->module, seen, strlen(seen));
  for (Note note; next_note(context, &notes, &note);)
    if (is_custom(note.kind))
      carry(context, &note);
}

bool nb_registrations_hold(NbContext *context) {
  unsigned count = LLVMGetNamedMetadataNumOperands(context->module, NB_NOTES);
  if (!count || !LLVMGetNamedMetadata(context->module, NB_MARK_OF_THIN, strlen(NB_MARK_OF_THIN)))
    return false;
  take_notes(context, LLVMGetFirstFunction(context->module));
  return nb_held_back(context);
}

/* A file that asks for derivatives sees its own registrations, and those of files whose functions
 * ThinLTO brings. At the link step a function may be missing that the file has: another one's body
 * of it was taken. */
void nb_registrations_warn(NbContext *context) {
  Notes notes = notes_at_thin_compile(context);
  if (LLVMGetNamedMetadata(context->module, seen, strlen(seen)))
    return;
  for (Note note; next_note(context, &notes, &note);) {
    bool custom = is_custom(note.kind) && note.count > 1;
    LLVMValueRef function = custom ? note.items[0] : NULL,
                 derivative = custom ? note.items[1] : NULL;
    if (function && derivative && LLVMIsAFunction(function) && LLVMIsDeclaration(function))
      nb_warn(
          context, NB_ERROR_REGISTERED_APART, derivative,
          "'%s' is defined in another file, and no derivative is asked for in this one: ThinLTO "
          "does not show the registration '%s' to files that ask for one of '%s'",
          nb_name(function), note.name, nb_name(function));
  }
}

static void drop_carried(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    if (!carries(function))
      continue;
    LLVMSetPrefixData(function, NULL);
    LLVMRemoveStringAttributeAtIndex(function, whole(), CARRIES, strlen(CARRIES));
  }
}

void nb_registrations_release(NbContext *context) {
  if (context->phase != NB_PHASE_BEFORE_THIN_LINK)
    drop_carried(context);
  if (context->phase != NB_PHASE_LINK)
    return;
  NbMap *released = nb_map_new(context->arena);
  Notes notes = notes_of(context);
  for (Note note; next_note(context, &notes, &note);) {
    for (unsigned k = 0; k < note.count; k++) {
      if (!note.items[k] || nb_map_has(released, note.items[k]))
        continue;
      nb_map_set(released, note.items[k], note.items[k]);
      nb_unkeep(context, note.items[k]);
    }
  }
}
