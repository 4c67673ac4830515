// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Debug information calls a value by each variable that has it at some point, and a variable has
 * many values: an expression in which two of them have its name is no formula. So where a value of
 * a name is known, no later one has that name: the next value of a loop's variable is `i + 1`,
 * others are what computes them. Only parameters and phis, which no expression could stand for,
 * keep their names in any case, and what stands for the phi of a variable that a loop goes on with.
 */
#include "explain/names.h"

#include "base/text.h"
#include "base/texts.h"
#include "objects/graph.h"

#include <inttypes.h>
#include <string.h>

typedef struct Known {
  NbTexts *texts;
  NbMap *owners;    /* text -> NbList of values that have the name */
  NbMap *variables; /* a loop's header -> NbList of the values with a name of their own there */
} Known;

static const char *plain_name(NbArena *arena, LLVMValueRef value) {
  return nb_arena_copy(arena, nb_name(value), nb_text_given(nb_name(value), NB_OF_SOURCE));
}

static bool keeps_its_name(LLVMValueRef value) {
  return !LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || LLVMIsAAllocaInst(value);
}

/* The names of instructions but phis are clang's, such as "add" or "arrayidx". `*certain`: it is
 * the variable wherever it is used. */
static const char *given_name(NbArena *arena, LLVMValueRef value, bool *certain) {
  bool local = LLVMIsAInstruction(value) || LLVMIsAArgument(value);
  char *source = local ? nb_value_source_name(value, certain) : NULL;
  source = local && !source ? nb_value_part_name(value, certain) : source;
  bool said = keeps_its_name(value);
  const char *plain = said ? plain_name(arena, value) : "";
  const char *name = source && (*certain || !*plain) ? source : plain;
  name = nb_arena_copy(arena, name, strlen(name));
  *certain = *certain || said;
  if (source)
    LLVMDisposeMessage(source);
  return *name ? name : NULL;
}

static bool is_conversion(LLVMValueRef value) {
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
  return opcode == LLVMSExt || opcode == LLVMZExt || opcode == LLVMTrunc || opcode == LLVMFreeze;
}

static LLVMValueRef converted(LLVMValueRef value) {
  while (is_conversion(value))
    value = LLVMGetOperand(value, 0);
  return value;
}

bool explain_is_no_choice(LLVMValueRef value) {
  if (!LLVMIsAPHINode(value))
    return false;
  LLVMValueRef first = converted(LLVMGetIncomingValue(value, 0));
  for (unsigned i = 1; i < LLVMCountIncoming(value); i++)
    if (converted(LLVMGetIncomingValue(value, i)) != first)
      return false;
  return true;
}

/* The value that this one only is in another format. */
LLVMValueRef explain_number(LLVMValueRef value) {
  while (is_conversion(value) || explain_is_no_choice(value))
    value = LLVMIsAPHINode(value) ? LLVMGetIncomingValue(value, 0) : LLVMGetOperand(value, 0);
  return value;
}

/* So many times the counter, or that behind something else? */
static bool is_counted_by(LLVMValueRef value, LLVMValueRef counter) {
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
  if (opcode == LLVMMul)
    return converted(LLVMGetOperand(value, 0)) == counter;
  bool sum = opcode == LLVMAdd || (opcode == LLVMGetElementPtr && LLVMGetNumOperands(value) == 2);
  LLVMValueRef last = sum ? LLVMGetOperand(value, 1) : NULL;
  return last && LLVMIsABinaryOperator(last) && LLVMGetInstructionOpcode(last) == LLVMMul &&
         converted(LLVMGetOperand(last, 0)) == counter;
}

/* Does it stand for the phi of a variable that a loop goes on with? */
static bool is_of_loop(const NbWork *work, LLVMValueRef value) {
  for (unsigned i = 0; LLVMIsAInstruction(value) && i < work->loop_count; i++)
    if (LLVMGetInstructionParent(value) == work->loops[i].header && work->loops[i].counter &&
        is_counted_by(value, work->loops[i].counter))
      return true;
  return false;
}

/* Is the value computed before the other, and not in a loop that has ended then? */
static bool is_seen(NbAnalyses *analyses, LLVMValueRef value, LLVMValueRef other) {
  if (!LLVMIsAInstruction(value) || !LLVMIsAInstruction(other))
    return !LLVMIsAInstruction(value);
  NbLoop *loop = nb_loop_of(analyses, LLVMGetInstructionParent(value));
  return nb_dominates(analyses, value, other) &&
         (!loop || nb_loop_contains(loop, LLVMGetInstructionParent(other)));
}

/* The other value that has the name where this one is used; NULL: none has. */
static LLVMValueRef owner_before(const NbWork *work, const NbList *owners, LLVMValueRef number) {
  for (unsigned i = owners->count; i-- > 0;)
    if (owners->items[i] != number && is_seen(work->context->analyses, owners->items[i], number))
      return owners->items[i];
  return NULL;
}

static LLVMBasicBlockRef header_around(NbAnalyses *analyses, LLVMValueRef value) {
  NbLoop *loop =
      LLVMIsAInstruction(value) ? nb_loop_of(analyses, LLVMGetInstructionParent(value)) : NULL;
  return loop ? nb_loop_header(loop) : NULL;
}

static NbList *list_of(NbArena *arena, NbMap *lists, const void *key) {
  NbList *list = nb_map_get(lists, key);
  if (list)
    return list;
  list = NB_NEW(arena, NbList);
  *list = nb_list(arena);
  nb_map_set(lists, key, list);
  return list;
}

/* The last owner of the name is new. */
static void note_variable(const NbWork *work, const Known *known, const NbList *owners) {
  NbAnalyses *analyses = work->context->analyses;
  LLVMValueRef value = owners->items[owners->count - 1];
  LLVMBasicBlockRef header = header_around(analyses, value);
  bool integer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  if (!header || !integer)
    return;
  for (unsigned i = 0; i + 1 < owners->count; i++)
    if (header_around(analyses, owners->items[i]) == header)
      return;
  nb_list_push(list_of(work->context->arena, known->variables, header), value);
}

static void note(const NbWork *work, const Known *known, LLVMValueRef value) {
  NbArena *arena = work->context->arena;
  bool certain = false;
  const char *name = given_name(arena, value, &certain);
  if (!name || !certain)
    return;
  const char *text = nb_texts_add(known->texts, name, strlen(name));
  NbList *owners = list_of(arena, known->owners, text);
  LLVMValueRef number = explain_number(value);
  if (owner_before(work, owners, number) && !is_of_loop(work, number))
    return;
  nb_list_push(owners, number);
  note_variable(work, known, owners);
}

static const Known *known_of(const NbWork *work) {
  NbMap *all = work->context->value_names;
  NbArena *arena = work->context->arena;
  if (nb_map_has(all, work))
    return nb_map_get(all, work);
  Known *known = NB_NEW(arena, Known);
  *known = (Known){nb_texts_new(arena), nb_map_new(arena), nb_map_new(arena)};
  nb_map_set(all, work, known);
  for (unsigned i = 0; i < LLVMCountParams(work->function); i++)
    note(work, known, LLVMGetParam(work->function, i));
  for (LLVMValueRef at = nb_instruction_first(work->function); at; at = nb_instruction_next(at))
    if (LLVMGetFirstUse(at))
      note(work, known, at);
  return known;
}

static NbScev *estimate(const NbWork *work, LLVMValueRef value) {
  NbAnalyses *analyses = work->context->analyses;
  NbScev *scev = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind
                     ? nb_scev_of(analyses, work->function, value)
                     : NULL;
  return scev ? nb_scev_estimate(analyses, work->function, scev) : NULL;
}

/* `name + 1` of a value that is always more by so much than the one of that name; else NULL. */
static const char *sum_with(const NbWork *work, LLVMValueRef owner, const char *name,
                            LLVMValueRef value) {
  NbScev *own = estimate(work, value), *base = estimate(work, owner);
  NbScev *distance =
      own && base ? nb_scev_minus(work->context->analyses, work->function, own, base) : NULL;
  int64_t number;
  if (!distance || !nb_scev_is_constant(distance, &number) || number == INT64_MIN)
    return NULL;
  return number ? nb_arena_print(work->context->arena, "%s %c %" PRId64, name,
                                 number < 0 ? '-' : '+', number < 0 ? -number : number)
                : name;
}

const char *explain_name(const NbLinear *linear, LLVMValueRef value, bool *is_sum) {
  const NbWork *work = linear->work;
  const Known *known = known_of(work);
  bool certain = false;
  const char *name = given_name(work->context->arena, value, &certain);
  *is_sum = false;
  if (!name || keeps_its_name(value) || (certain && is_of_loop(work, value)))
    return name;
  const char *text = nb_texts_find(known->texts, name, strlen(name));
  const NbList *owners = text ? nb_map_get(known->owners, text) : NULL;
  LLVMValueRef number = explain_number(value);
  LLVMValueRef owner = owners ? owner_before(work, owners, number) : NULL;
  const char *sum = owner ? sum_with(work, owner, name, number) : NULL;
  *is_sum = sum && sum != name;
  return sum ? sum : certain && !owner ? name : NULL;
}

const NbList *explain_variables(const NbLinear *linear, LLVMBasicBlockRef header) {
  return nb_map_get(known_of(linear->work)->variables, header);
}
