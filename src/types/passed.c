// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the memory holds that a user's call of an entry point passes: a function that only copies
 * bytes does not say what they are, but the code around the call may.
 *
 * That is asked for each call by itself, and is part of the request: two calls of which one passes
 * numbers, and the other structs, get a derivative each. Around the call, what derivatives do says
 * nothing, whether they are made by now or not: the answer does not depend on the order. Where that
 * function only passes on what it gets, and all calls of it are seen, these are asked, if they all
 * say the same.
 *
 * Only objects by themselves say something: of a class of several, what is known of one is no proof
 * for another, and nothing but the declaration of a variable counts. */
#include "objects/origins.h"
#include "types/facts.h"

#include <string.h>

enum { MOST_CALLS = 32, MOST_STEPS = 4, MOST_WRITTEN = 128 };

/* The code around calls, while it is asked. What is known of functions then is forgotten: code may
 * be linked in before they are looked at again. */
typedef struct Around {
  NbContext *context; /* for which derivatives say nothing */
  NbArena *arena;
  NbMap *open; /* functions that are asked */
} Around;

/* --- As text: calls that pass the same share a derivative. --- */

static const char *write_place(NbArena *arena, const char *text, const NbOffsets *place) {
  return nb_arena_print(arena, "%s %lld+%llux%llu+%llu", text, (long long)place->base,
                        (unsigned long long)place->inner, (unsigned long long)place->count,
                        (unsigned long long)place->period);
}

static const char *write_fact(NbArena *arena, const char *text, const NbFact *fact) {
  const NbOffsets *place = &fact->place;
  unsigned flags =
      (unsigned)fact->declared | (unsigned)fact->field << 1 | (unsigned)fact->moved << 2 |
      (unsigned)fact->tagged << 3 | (unsigned)fact->beyond << 4 | (unsigned)fact->further << 5 |
      (unsigned)fact->start << 6 | (unsigned)fact->noted << 7 | (unsigned)fact->copied << 8 |
      (unsigned)fact->counted << 9 | (unsigned)fact->indirect << 10 | (unsigned)place->loose << 12;
  return nb_arena_print(arena, "%s[%lld,%lld]:%llu.%d.%p.%llu.%x", write_place(arena, text, place),
                        (long long)place->low, (long long)place->high,
                        (unsigned long long)fact->size, (int)fact->kind, (void *)fact->type,
                        (unsigned long long)fact->rank, flags);
}

typedef struct Writer {
  NbArena *arena;
  NbTypes *types;
  const char *text;
  unsigned left; /* facts and fields that may still be written */
} Writer;

/* True where there is no room. */
static bool write_class(void *user, NbClass *class) {
  Writer *writer = user;
  const NbFacts *facts = nb_facts_of(writer->types, class);
  if (facts->count + class->field_count > writer->left)
    return true;
  writer->left -= facts->count + class->field_count;
  for (unsigned i = 0; i < facts->count; i++)
    writer->text = write_fact(writer->arena, writer->text, &facts->items[i]);
  for (unsigned i = 0; i < class->field_count; i++) {
    const NbField *field = &class->fields[i];
    writer->text = nb_arena_print(
        writer->arena, "%s {%lld+%llu:%llu}", writer->text, (long long)field->place.base,
        (unsigned long long)field->place.period, (unsigned long long)field->size);
  }
  writer->text =
      nb_arena_print(writer->arena, "%s%s %lld+%llu;", writer->text, facts->untyped ? "?" : "",
                     (long long)facts->begin, (unsigned long long)facts->extent);
  return false;
}

/* What is too long to be told is the same as nothing else. */
static const char *write_memory(NbArena *arena, const NbPassedMemory *memory) {
  const char *declared = nb_arena_print(arena, "%p", (void *)memory->declared);
  Writer writer = {arena, memory->types, write_place(arena, declared, &memory->at), MOST_WRITTEN};
  if (!memory->class)
    return memory->declared ? writer.text : "";
  writer.text = write_place(arena, writer.text, &memory->origin);
  if (nb_class_walk(memory->class, write_class, &writer))
    return nb_arena_print(arena, "%p", (const void *)memory->class);
  return writer.text;
}

const NbPassed *nb_passed_of(NbArena *arena, const NbPassedMemory *items, unsigned count) {
  NbPassed *passed = NB_NEW(arena, NbPassed);
  *passed = (NbPassed){.items = items, .count = count, .text = ""};
  bool known = false;
  for (unsigned i = 0; i < count; i++) {
    const char *text = write_memory(arena, &items[i]);
    known |= *text != 0;
    passed->text = nb_arena_print(arena, "%s (%s)", passed->text, text);
  }
  return known ? passed : NULL;
}

/* --- What is passed. --- */

/* The variable that the pointer is an offset into; anything else for other pointers. */
static LLVMValueRef variable_of(LLVMValueRef pointer) {
  pointer = nb_object_of(pointer);
  while (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

/* As many bytes as the type has are the variable's, in every file. */
static bool is_whole(LLVMValueRef variable) {
  if (LLVMIsAGlobalVariable(variable)) {
    LLVMLinkage linkage = LLVMGetLinkage(variable);
    return LLVMGetInitializer(variable) &&
           (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
            linkage == LLVMExternalLinkage);
  }
  LLVMValueRef count = LLVMIsAAllocaInst(variable) ? LLVMGetOperand(variable, 0) : NULL;
  return count && LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

static LLVMTypeRef declared_type(LLVMValueRef variable) {
  if (!is_whole(variable))
    return NULL;
  LLVMTypeRef type = LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable)
                                                 : LLVMGlobalGetValueType(variable);
  return LLVMTypeIsSized(type) ? type : NULL;
}

static NbPassedMemory memory_of(NbTypes *types, LLVMValueRef argument) {
  NbPassedMemory memory = {.types = types};
  NbClass *class = nb_value_class_known(types->objects, argument);
  LLVMValueRef variable = variable_of(argument);
  if (!class || LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
    return memory;
  memory.origin = nb_places_of(types->places, argument);
  memory.declared = declared_type(variable);
  memory.at = nb_place_shift(memory.origin, -nb_origin_of(types->objects->origins, variable));
  class = nb_class_find(class);
  const NbFacts *facts = nb_facts_of(types, class);
  bool open = class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_FUNCTION);
  if (!open && !facts->full && !nb_types_is_mixed(types, class))
    memory.class = class;
  return memory;
}

/* --- The code around. --- */

static NbTypes *types_around(Around *around, LLVMValueRef function);

/* The calls of the function, if it is called by name alone; none where others may call it. */
static NbList calls_of(const Around *around, LLVMValueRef function) {
  NbList calls = nb_list(around->arena);
  LLVMLinkage linkage = LLVMGetLinkage(function);
  bool local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use && local; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    local = LLVMIsAInstruction(call) && nb_is_call(call) && nb_callee(call) == function &&
            calls.count < MOST_CALLS && LLVMGetNumArgOperands(call) >= LLVMCountParams(function);
    nb_list_push(&calls, call);
  }
  return local ? calls : nb_list(around->arena);
}

/* What the calls pass as argument `index`, if all pass the same; else nothing. */
static NbPassedMemory passed_by_all(Around *around, const NbList *calls, unsigned index) {
  NbPassedMemory all = {0};
  const char *text = NULL;
  for (unsigned i = 0; i < calls->count; i++) {
    LLVMValueRef call = calls->items[i];
    NbTypes *types = types_around(around, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    if (!types)
      return (NbPassedMemory){0};
    NbPassedMemory memory = memory_of(types, LLVMGetOperand(call, index));
    const char *here = write_memory(around->arena, &memory);
    if (text && strcmp(text, here) != 0)
      return (NbPassedMemory){0};
    text = here;
    all = memory;
  }
  return all;
}

static void add_passed(Around *around, NbTypes *types, LLVMValueRef function) {
  NbList calls = calls_of(around, function);
  for (unsigned i = 0; calls.count && i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    NbClass *class = nb_value_class_known(types->objects, parameter);
    if (!class || LLVMGetTypeKind(LLVMTypeOf(parameter)) != LLVMPointerTypeKind)
      continue;
    NbPassedMemory memory = passed_by_all(around, &calls, i);
    nb_facts_adopt(types, parameter, &memory);
  }
}

/* NULL where it is being asked, or that would lead too far. */
static NbTypes *types_around(Around *around, LLVMValueRef function) {
  NbTypes *known = nb_map_get(around->open, function);
  if (known || nb_map_has(around->open, function) || nb_map_count(around->open) > MOST_STEPS)
    return known;
  nb_map_set(around->open, function, NULL);
  NbObjects *objects = nb_objects_in(around->context, around->arena, function);
  NbTypes *types = nb_types_in(around->context, around->arena, objects);
  types->changed = false;
  add_passed(around, types, function);
  nb_facts_solve_on(types);
  nb_map_set(around->open, function, types);
  return types;
}

/* --- The request. --- */

/* Is memory accessed here other than as a number of its own type? A function that does so nowhere
 * says itself what all its memory holds. */
static bool moves_others(NbContext *context, LLVMValueRef at) {
  if (LLVMIsALoadInst(at))
    return !nb_is_float_kind(LLVMGetTypeKind(LLVMTypeOf(at)));
  if (LLVMIsAStoreInst(at))
    return !nb_is_float_kind(LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 0))));
  if (!nb_is_call(at))
    return nb_memory_may_write_any(at);
  NbCallKind kind = nb_call_of(context, at).kind;
  bool moves = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(at); i++)
    moves |= nb_type_has_pointer(LLVMTypeOf(LLVMGetOperand(at, i)));
  return moves && kind != NB_CALL_BODY && kind != NB_CALL_HARMLESS;
}

/* May the function, or one that it calls, move bytes of which it does not tell what they are? */
static bool wants_passed(NbContext *context, LLVMValueRef function, NbMap *seen) {
  if (nb_map_has(seen, function))
    return false;
  nb_map_set(seen, function, function);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (moves_others(context, at))
      return true;
    NbCall what = nb_is_call(at) ? nb_call_of(context, at) : (NbCall){0};
    if (what.kind == NB_CALL_BODY && wants_passed(context, what.callee, seen))
      return true;
  }
  return false;
}

/* The answers of one caller, found once for all calls in it: the code around them is the same, and
 * what was served of it by then says nothing. */
static NbMap *passed_within(NbContext *context, Around *around, LLVMValueRef caller) {
  NbMap *calls = nb_map_get(context->around, caller);
  if (calls)
    return calls;
  calls = nb_map_new(context->arena);
  nb_map_set(context->around, caller, calls);
  NbTypes *types = types_around(around, caller);
  for (LLVMValueRef at = nb_instruction_first(caller); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = nb_is_call(at) ? nb_callee(at) : NULL;
    if (!callee || !LLVMIsDeclaration(callee) || LLVMGetIntrinsicID(callee))
      continue;
    unsigned count = LLVMGetNumArgOperands(at);
    NbPassedMemory *operands = NB_NEW_ARRAY(context->arena, NbPassedMemory, count + 1);
    for (unsigned i = 0; i < count; i++)
      operands[i] = memory_of(types, LLVMGetOperand(at, i));
    nb_map_set(calls, at, operands);
  }
  return calls;
}

/* What was made since the caller was looked at is looked at by itself. */
static NbPassedMemory passed_as(NbContext *context, Around *around, LLVMValueRef call,
                                LLVMValueRef argument) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  const NbPassedMemory *operands = nb_map_get(passed_within(context, around, caller), call);
  for (unsigned i = 0; operands && i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == argument)
      return operands[i];
  if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
    return (NbPassedMemory){0};
  return memory_of(types_around(around, caller), argument);
}

const NbPassed *nb_types_passed(NbContext *context, LLVMValueRef function, LLVMValueRef call,
                                const NbList *arguments) {
  NbContext *silent = NB_NEW(context->arena, NbContext);
  *silent = *context;
  silent->silent = true;
  silent->summaries = nb_map_new(context->arena);
  if (!wants_passed(silent, function, nb_map_new(context->arena)))
    return NULL;
  Around around = {silent, context->arena, nb_map_new(context->arena)};
  unsigned count = LLVMCountParams(function);
  count = arguments->count < count ? arguments->count : count;
  NbPassedMemory *items = NB_NEW_ARRAY(context->arena, NbPassedMemory, count + 1);
  for (unsigned i = 0; i < count; i++)
    items[i] = passed_as(context, &around, call, arguments->items[i]);
  return nb_passed_of(context->arena, items, count);
}

const char *nb_passed_text(const NbPassed *passed) { return passed->text; }
