// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Walks through text: `for (char *c = p->name; *c; c++)`. Where the walk ends only the run tells,
 * but C promises that it ends in the array where it began. Once addresses are counted in bytes,
 * nothing tells that array from the numbers beside it.
 *
 * So how many characters there are before and behind where a walk begins is noted at its accesses,
 * at the start of the pipeline: from the pointers that its variable is given, and through
 * parameters from all calls of the file. Where it begins is then seen in the address. */
#include "objects/characters.h"

#include "base/names.h"
#include "objects/path.h"

#include <string.h>

enum { MOST_SOURCES = 128, MOST_ENTRIES = 256 };

static bool is_text(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMArrayTypeKind && nb_is_byte(LLVMGetElementType(type));
}

/* --- What is noted. --------------------------------------------------------------------------- */

/* Where a pointer may come from, each once, and the room around these. */
typedef struct Sources {
  NbContext *context;
  LLVMValueRef items[MOST_SOURCES];
  unsigned count;
  uint64_t before, behind;
  bool failed;
} Sources;

static void enter(Sources *sources, LLVMValueRef pointer) {
  for (unsigned i = 0; i < sources->count; i++)
    if (sources->items[i] == pointer)
      return;
  sources->failed |= sources->count == MOST_SOURCES;
  if (!sources->failed)
    sources->items[sources->count++] = pointer;
}

static void add_room(Sources *sources, uint64_t before, uint64_t length) {
  uint64_t behind = before < length ? length - before : 0;
  sources->failed |= !behind;
  sources->before = before > sources->before ? before : sources->before;
  sources->behind = behind > sources->behind ? behind : sources->behind;
}

/* A function of the library that lets the variable point into what it was given. */
static bool enter_written(Sources *sources, LLVMValueRef call, LLVMValueRef variable) {
  const NbRule *rule = LLVMIsACallInst(call) ? nb_rule_of_call(sources->context, call, NULL) : NULL;
  for (unsigned i = 0; rule && i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    unsigned count = LLVMGetNumArgOperands(call);
    if (!effect->leads || effect->parameter >= count || effect->into >= count ||
        LLVMGetOperand(call, effect->parameter) != variable)
      continue;
    enter(sources, LLVMGetOperand(call, effect->into));
    return LLVMGetOperand(call, effect->into) != variable;
  }
  return false;
}

/* The values of a variable of which nothing but loads and stores knows. */
static void enter_variable(Sources *sources, LLVMValueRef variable) {
  sources->failed |= !LLVMIsAAllocaInst(variable);
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use && !sources->failed;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != variable)
      enter(sources, LLVMGetOperand(user, 0));
    else
      sources->failed |= !LLVMIsALoadInst(user) && !enter_written(sources, user, variable) &&
                         !(nb_is_call(user) && nb_call_is_silent(sources->context, user));
  }
}

/* The requested function itself is called by code that is not its own. */
static void enter_arguments(Sources *sources, LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  unsigned index = nb_parameter_index(parameter);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool called =
        nb_is_call(user) && nb_callee(user) == function && index < LLVMGetNumArgOperands(user);
    sources->failed |= !called;
    if (called)
      enter(sources, LLVMGetOperand(user, index));
  }
  sources->failed |= !LLVMGetFirstUse(function);
}

/* What the last index of the gep counts in; NULL where it has but one. */
static LLVMTypeRef indexed_type(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int last = LLVMGetNumOperands(gep) - 1;
  for (int i = 2; i < last; i++) {
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    type = structure ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                     : LLVMGetElementType(type);
  }
  return last > 1 ? type : NULL;
}

/* A byte further on is one of the same array; what leads into a struct says which array it is. */
static void enter_gep(Sources *sources, LLVMValueRef gep) {
  LLVMTypeRef within = indexed_type(gep), type = nb_path_type(gep);
  LLVMValueRef index = LLVMGetOperand(gep, (unsigned)LLVMGetNumOperands(gep) - 1);
  if (!within && nb_is_byte(type))
    enter(sources, LLVMGetOperand(gep, 0));
  else if (is_text(type))
    add_room(sources, 0, LLVMGetArrayLength2(type));
  else if (within && is_text(within) && LLVMIsAConstantInt(index))
    add_room(sources, LLVMConstIntGetZExtValue(index), LLVMGetArrayLength2(within));
  else
    sources->failed = true;
}

static void enter_whole(Sources *sources, LLVMTypeRef type) {
  if (is_text(type))
    add_room(sources, 0, LLVMGetArrayLength2(type));
  else
    sources->failed = true;
}

/* A function of the library that gives back what it was given. */
static void enter_result(Sources *sources, LLVMValueRef call) {
  const NbRule *rule = LLVMIsACallInst(call) ? nb_rule_of_call(sources->context, call, NULL) : NULL;
  bool given =
      rule && rule->returns != NB_NO_PARAMETER && rule->returns < LLVMGetNumArgOperands(call);
  sources->failed |= !given;
  if (given)
    enter(sources, LLVMGetOperand(call, rule->returns));
}

static void enter_origin(Sources *sources, LLVMValueRef value) {
  if (LLVMIsNull(value) || LLVMIsUndef(value))
    return;
  if (nb_path_steps(value))
    enter_gep(sources, value);
  else if (LLVMIsALoadInst(value))
    enter_variable(sources, LLVMGetOperand(value, 0));
  else if (LLVMIsAAllocaInst(value))
    enter_whole(sources, LLVMGetAllocatedType(value));
  else if (LLVMIsAGlobalVariable(value))
    enter_whole(sources, LLVMGlobalGetValueType(value));
  else if (LLVMIsAArgument(value))
    enter_arguments(sources, value);
  else if (nb_is_call(value))
    enter_result(sources, value);
  else if (LLVMIsAPHINode(value) || LLVMIsASelectInst(value))
    for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
      enter(sources, LLVMGetOperand(value, (unsigned)i));
  else
    sources->failed = true;
}

/* The table of the module's files: a group of accesses, then what is noted of it, and so on. */
static unsigned read_table(LLVMModuleRef module, LLVMValueRef table[MOST_ENTRIES]) {
  unsigned count = LLVMGetNamedMetadataNumOperands(module, NB_CHARACTERS);
  if (count > MOST_ENTRIES)
    return 0;
  if (count)
    LLVMGetNamedMetadataOperands(module, NB_CHARACTERS, table);
  return count;
}

static LLVMValueRef describe(NbContext *context, const Sources *sources) {
  LLVMTypeRef type = LLVMInt64TypeInContext(context->llvm);
  LLVMMetadataRef parts[] = {LLVMValueAsMetadata(LLVMConstInt(type, sources->before, false)),
                             LLVMValueAsMetadata(LLVMConstInt(type, sources->behind, false))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context->llvm, parts, 2);
  return LLVMMetadataAsValue(context->llvm, node);
}

static void attach(NbContext *context, LLVMValueRef access, const Sources *sources) {
  LLVMValueRef table[MOST_ENTRIES];
  unsigned count = read_table(context->module, table);
  LLVMValueRef room = describe(context, sources);
  for (unsigned i = 0; i + 1 < count; i += 2) {
    if (table[i + 1] != room)
      continue;
    nb_access_group_join(access, LLVMValueAsMetadata(table[i]));
    return;
  }
  LLVMMetadataRef group = nb_access_group_new(context->llvm);
  LLVMAddNamedMetadataOperand(context->module, NB_CHARACTERS,
                              LLVMMetadataAsValue(context->llvm, group));
  LLVMAddNamedMetadataOperand(context->module, NB_CHARACTERS, room);
  nb_access_group_join(access, group);
}

static bool accesses_byte(LLVMValueRef access) {
  bool store = LLVMIsAStoreInst(access) != NULL;
  return (store || LLVMIsALoadInst(access)) &&
         nb_is_byte(LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access));
}

void nb_characters_note(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!accesses_byte(at))
      continue;
    Sources sources = {.context = context};
    enter(&sources, nb_access_pointer(at, false));
    for (unsigned i = 0; i < sources.count && !sources.failed; i++)
      enter_origin(&sources, sources.items[i]);
    if (!sources.failed && sources.behind)
      attach(context, at, &sources);
  }
}

/* --- What is read. ---------------------------------------------------------------------------- */

static bool read_room(LLVMValueRef node, uint64_t *before, uint64_t *behind) {
  LLVMValueRef parts[2];
  if (!LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) != 2)
    return false;
  LLVMGetMDNodeOperands(node, parts);
  if (!parts[0] || !parts[1] || !LLVMIsAConstantInt(parts[0]) || !LLVMIsAConstantInt(parts[1]))
    return false;
  *before = LLVMConstIntGetZExtValue(parts[0]);
  *behind = LLVMConstIntGetZExtValue(parts[1]);
  return true;
}

static bool read_note(NbContext *context, LLVMValueRef access, uint64_t *before, uint64_t *behind) {
  LLVMValueRef table[MOST_ENTRIES];
  unsigned count = accesses_byte(access) ? read_table(context->module, table) : 0;
  for (unsigned i = 0; i + 1 < count; i += 2)
    if (nb_access_group_has(access, LLVMValueAsMetadata(table[i])))
      return read_room(table[i + 1], before, behind);
  return false;
}

/* A walk, as it is followed back to where it begins. */
typedef struct Walk {
  const NbPlaces *places;
  uint64_t room;
} Walk;

/* Is the pointer joined of several, steps of the walk among them? Pointers to structs go further
 * at a step. */
static bool joins(const Walk *walk, LLVMValueRef value) {
  if (!LLVMIsAPHINode(value) && !LLVMIsASelectInst(value) && !LLVMIsALoadInst(value))
    return false;
  NbOffsets place = nb_places_of(walk->places, value);
  uint64_t step = nb_place_step(&place);
  return step && step < walk->room;
}

/* Does the gep lead on by any number of bytes? */
static bool goes_on(const Walk *walk, LLVMValueRef gep) {
  if (!LLVMIsAGetElementPtrInst(gep) || LLVMGetNumOperands(gep) != 2)
    return false;
  LLVMValueRef index = LLVMGetOperand(gep, 1);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  return nb_is_byte(type) && !LLVMIsAConstantInt(index) &&
         nb_integer_factor(walk->places, index) == 1;
}

/* The pointer that the walk to this one begins at, or that joins where it may. */
static LLVMValueRef start_of(const Walk *walk, LLVMValueRef pointer) {
  LLVMValueRef start = pointer;
  for (LLVMValueRef at = pointer; LLVMIsAGetElementPtrInst(at); at = LLVMGetOperand(at, 0)) {
    LLVMValueRef base = LLVMGetOperand(at, 0);
    bool constant = LLVMGetNumOperands(at) == 2 && LLVMIsAConstantInt(LLVMGetOperand(at, 1));
    bool on = goes_on(walk, at);
    if (!on && !constant)
      return start;
    if (on || joins(walk, base))
      start = base;
  }
  return start;
}

/* What the pointer is joined of. */
static void enter_joined(const Walk *walk, Sources *sources, LLVMValueRef value) {
  if (!joins(walk, value))
    return;
  if (LLVMIsALoadInst(value))
    enter_variable(sources, LLVMGetOperand(value, 0));
  for (int k = LLVMIsASelectInst(value) ? 1 : 0;
       !LLVMIsALoadInst(value) && k < LLVMGetNumOperands(value); k++)
    enter(sources, LLVMGetOperand(value, (unsigned)k));
}

/* Where the walks begin that join here, behind those that are there; false where it begins here, or
 * nobody knows. */
static bool find_joined(const Walk *walk, LLVMValueRef value, LLVMValueRef *found,
                        unsigned *count) {
  Sources sources = {.context = walk->places->objects->context};
  enter_joined(walk, &sources, value);
  for (unsigned i = 0; i < sources.count; i++)
    sources.failed |= LLVMGetTypeKind(LLVMTypeOf(sources.items[i])) != LLVMPointerTypeKind;
  for (unsigned i = 0; i < sources.count && !sources.failed; i++) {
    LLVMValueRef from = start_of(walk, sources.items[i]);
    bool known = LLVMIsNull(from) || LLVMIsUndef(from);
    for (unsigned j = 0; j < *count && !known; j++)
      known = found[j] == from;
    if (!known && *count < NB_MOST_WALKS)
      found[*count] = from;
    *count += !known;
  }
  return sources.count && !sources.failed;
}

/* All of them; 0 where they are too many. */
static unsigned starts_of(const Walk *walk, LLVMValueRef pointer, LLVMValueRef *starts) {
  LLVMValueRef found[NB_MOST_WALKS] = {start_of(walk, pointer)};
  unsigned count = 1, kept = 0;
  for (unsigned i = 0; i < count; i++) {
    bool joined = find_joined(walk, found[i], found, &count);
    if (count > NB_MOST_WALKS)
      return 0;
    if (!joined)
      starts[kept++] = found[i];
  }
  return kept;
}

unsigned nb_characters_places(const NbPlaces *places, LLVMValueRef access,
                              NbOffsets found[NB_MOST_WALKS]) {
  LLVMValueRef starts[NB_MOST_WALKS];
  uint64_t before, behind;
  if (!read_note(places->objects->context, access, &before, &behind))
    return 0;
  const Walk walk = {places, before + behind};
  unsigned count = starts_of(&walk, nb_access_pointer(access, false), starts);
  for (unsigned i = 0; i < count; i++) {
    NbOffsets start = nb_place_shift(nb_places_of(places, starts[i]), -(int64_t)before);
    found[i] = nb_place_index(start, 1, walk.room);
  }
  return count;
}
