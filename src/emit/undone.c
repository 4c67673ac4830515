// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A derivative of the user's, which was written for one direction, is run for each of several. It
 * may write what the primal writes, and does so each time: what the primal has changed once it must
 * find unchanged the next time. So before a copy of it overwrites memory of the primal's, that is
 * noted, and put back afterwards; shadows and tapes are left as it makes them, for they are those
 * of one direction.
 *
 * Where a pointer leads is followed through the code, with all helpers inlined: from the parameters
 * through addresses, and through memory by what was put into memory of that kind. A pointer loaded
 * from primal memory leads to primal memory, one from a shadow to a shadow. What may be both is
 * refused, and so is memory that an earlier run would have to give back. */
#include "emit/undone.h"

#include "emit/runtime.h"
#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Calls that one function may have inlined. */
enum { MOST_CALLS = 300 };

typedef struct Search {
  NbContext *context;
  LLVMValueRef function; /* the copy */
  NbMap *places;         /* pointer -> where it leads, as a number */
  NbWhereHeld *held;
  bool changed;
  const char *reason;
  LLVMValueRef log;
  unsigned notes;
} Search;

NbWhereHeld nb_where_held(void) {
  NbWhereHeld held = {{0}};
  for (unsigned i = 0; i < NB_WHERES; i++)
    if (1u << i >= NB_WHERE_SHADOW)
      held.in[i] = 1u << i;
  return held;
}

/* --- Where pointers lead ---------------------------------------------------------------------- */

static bool has_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) != LLVMVoidTypeKind && nb_type_has_pointer(type);
}

static unsigned place_of(const Search *search, LLVMValueRef value);

static unsigned places_of_operands(const Search *search, LLVMValueRef value) {
  unsigned places = 0;
  for (int i = 0; i < LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    if (!LLVMIsABasicBlock(operand) && has_pointer(LLVMTypeOf(operand)))
      places |= place_of(search, operand);
  }
  return places;
}

static unsigned place_of(const Search *search, LLVMValueRef value) {
  if (LLVMIsAFunction(value) || LLVMIsAConstantPointerNull(value) || LLVMIsAUndefValue(value))
    return 0;
  if (LLVMIsAGlobalValue(value))
    return NB_WHERE_UNKNOWN;
  if (LLVMIsAConstant(value))
    return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr
               ? (unsigned)NB_WHERE_UNKNOWN
               : places_of_operands(search, value);
  return (unsigned)(uintptr_t)nb_map_get(search->places, value);
}

static unsigned held_in(const Search *search, unsigned places) {
  unsigned held = 0;
  for (unsigned i = 0; i < NB_WHERES; i++)
    if (places >> i & 1)
      held |= search->held->in[i];
  return held;
}

static void hold(Search *search, unsigned places, unsigned more) {
  for (unsigned i = 0; i < NB_WHERES; i++) {
    bool new = (places >> i & 1) != 0 && (more & ~search->held->in[i]) != 0;
    search->changed |= new;
    if (new)
      search->held->in[i] |= more;
  }
}

static unsigned place_of_call(const Search *search, LLVMValueRef call) {
  NbCall known = nb_call_of(search->context, call);
  if (known.kind == NB_CALL_ROW && known.rule->kind == NB_RULE_ALLOCATE)
    return NB_WHERE_OWN;
  if (known.kind == NB_CALL_ROW && known.rule->kind == NB_RULE_RESIZE)
    return NB_WHERE_OWN | places_of_operands(search, call);
  bool same = known.kind == NB_CALL_ROW || known.kind == NB_CALL_COPY ||
              known.kind == NB_CALL_FILL || known.kind == NB_CALL_HARMLESS;
  return same ? places_of_operands(search, call) : (unsigned)NB_WHERE_UNKNOWN;
}

static unsigned place_of_instruction(const Search *search, LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMAlloca:
    return NB_WHERE_OWN;
  case LLVMLoad:
    return held_in(search, place_of(search, LLVMGetOperand(inst, 0)));
  case LLVMCall:
  case LLVMInvoke:
    return place_of_call(search, inst);
  case LLVMGetElementPtr:
    return place_of(search, LLVMGetOperand(inst, 0));
  case LLVMPHI:
  case LLVMSelect:
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
    return places_of_operands(search, inst);
  default:
    return NB_WHERE_UNKNOWN;
  }
}

static void follow(Search *search, LLVMValueRef inst) {
  if (has_pointer(LLVMTypeOf(inst))) {
    unsigned before = place_of(search, inst);
    unsigned places = before | place_of_instruction(search, inst);
    search->changed |= places != before;
    nb_map_set(search->places, inst, (void *)(uintptr_t)places);
  }
  if (LLVMIsAStoreInst(inst) && has_pointer(LLVMTypeOf(LLVMGetOperand(inst, 0))))
    hold(search, place_of(search, LLVMGetOperand(inst, 1)),
         place_of(search, LLVMGetOperand(inst, 0)));
  NbCall known = nb_call_of(search->context, inst);
  if (known.kind == NB_CALL_COPY)
    hold(search, place_of(search, known.to), held_in(search, place_of(search, known.from)));
}

static void find_places(Search *search) {
  do {
    search->changed = false;
    for (LLVMValueRef at = nb_instruction_first(search->function); at; at = nb_instruction_next(at))
      follow(search, at);
  } while (search->changed);
}

/* --- What is overwritten ---------------------------------------------------------------------- */

static void obstruct(Search *search, const char *reason) {
  if (!search->reason)
    search->reason = reason;
}

static void note(Search *search, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef bytes) {
  NbContext *context = search->context;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, inst);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  LLVMTypeRef word = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef count = LLVMBuildIntCast2(builder, bytes, word, false, "");
  LLVMValueRef arguments[] = {search->log, pointer, count};
  nb_runtime_call(context, builder, "__nabla_undo_note", LLVMVoidTypeInContext(context->llvm),
                  arguments, 3);
  LLVMDisposeBuilder(builder);
  search->notes++;
}

/* Must what is overwritten there be put back? */
static bool is_primal(Search *search, LLVMValueRef pointer) {
  unsigned places = place_of(search, pointer);
  if (places == NB_WHERE_PRIMAL)
    return true;
  if (!places || (places & (NB_WHERE_PRIMAL | NB_WHERE_UNKNOWN)) != 0)
    obstruct(search, "nothing tells whether it writes memory of the function's or of a shadow");
  return false;
}

static void see_bytes(Search *search, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef bytes) {
  if (is_primal(search, pointer))
    note(search, inst, pointer, bytes);
}

static void see_type(Search *search, LLVMValueRef inst, LLVMValueRef pointer, LLVMTypeRef type) {
  LLVMTypeRef word = LLVMInt64TypeInContext(search->context->llvm);
  LLVMValueRef bytes = LLVMConstInt(word, nb_store_size(search->context, type), false);
  see_bytes(search, inst, pointer, bytes);
}

/* Each run would leave one, and all but the last are put back. */
static void see_held(Search *search, LLVMValueRef pointer, unsigned held) {
  if ((place_of(search, pointer) & NB_WHERE_PRIMAL) != 0 && (held & NB_WHERE_OWN) != 0)
    obstruct(search, "it leaves memory that it allocates to the function");
}

static void see_freed(Search *search, LLVMValueRef pointer) {
  unsigned places = place_of(search, pointer);
  if ((places & (NB_WHERE_PRIMAL | NB_WHERE_UNKNOWN)) != 0)
    obstruct(search, "it may free memory of the function's");
}

static void see_row(Search *search, LLVMValueRef call, const NbRule *rule) {
  if (rule->kind == NB_RULE_FREE || rule->kind == NB_RULE_RESIZE)
    see_freed(search, LLVMGetOperand(call, rule->operands[0]));
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    bool known = effect->parameter != NB_NO_PARAMETER;
    if (effect->writes && known && is_primal(search, LLVMGetOperand(call, effect->parameter)))
      obstruct(search, "it has a function of a library write memory of the function's");
  }
}

static void see_call(Search *search, LLVMValueRef call) {
  NbCall known = nb_call_of(search->context, call);
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  if (nb_runtime_is(call) || nb_call_says(call, nb_callee(call), whole, "noreturn"))
    return;
  switch (known.kind) {
  case NB_CALL_COPY:
  case NB_CALL_FILL:
    if (known.rule && known.rule->device)
      obstruct(search, "it writes memory that may be a device's");
    if (known.kind == NB_CALL_COPY)
      see_held(search, known.to, held_in(search, place_of(search, known.from)));
    see_bytes(search, call, known.to, known.bytes);
    break;
  case NB_CALL_ROW:
    see_row(search, call, known.rule);
    break;
  case NB_CALL_HARMLESS:
    break;
  default:
    if (nb_memory_may_write_any(call))
      obstruct(search, known.callee ? "it calls a function of which nothing tells what it writes"
                                    : "it calls a function through a pointer");
  }
}

static void see(Search *search, LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMStore:
    if (has_pointer(LLVMTypeOf(LLVMGetOperand(inst, 0))))
      see_held(search, LLVMGetOperand(inst, 1), place_of(search, LLVMGetOperand(inst, 0)));
    see_type(search, inst, LLVMGetOperand(inst, 1), LLVMTypeOf(LLVMGetOperand(inst, 0)));
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    see_type(search, inst, LLVMGetOperand(inst, 0), LLVMTypeOf(LLVMGetOperand(inst, 1)));
    break;
  case LLVMCall:
  case LLVMInvoke:
    see_call(search, inst);
    break;
  case LLVMRet:
    if (LLVMGetNumOperands(inst) && has_pointer(LLVMTypeOf(LLVMGetOperand(inst, 0))) &&
        (place_of(search, LLVMGetOperand(inst, 0)) & NB_WHERE_OWN) != 0)
      obstruct(search, "it returns memory that it allocates");
    break;
  default:
    break;
  }
}

static void find_writes(Search *search) {
  NbList list = nb_list(search->context->arena);
  for (LLVMValueRef at = nb_instruction_first(search->function); at; at = nb_instruction_next(at))
    nb_list_push(&list, at);
  for (unsigned i = 0; i < list.count; i++)
    see(search, list.items[i]);
}

/* --- The copy --------------------------------------------------------------------------------- */

static LLVMValueRef next_body(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (nb_call_of(context, at).kind == NB_CALL_BODY)
      return at;
  return NULL;
}

static bool inline_all(NbContext *context, LLVMValueRef function) {
  for (unsigned i = 0; i < MOST_CALLS; i++) {
    LLVMValueRef call = next_body(context, function);
    if (!call)
      return true;
    if (nb_inline_call(context->analyses, call))
      return false;
  }
  return false;
}

static LLVMValueRef copy(NbContext *context, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  LLVMValueRef *parameters = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  LLVMGetParamTypes(type, types);
  types[count] = LLVMPointerTypeInContext(context->llvm, 0);
  type = LLVMFunctionType(LLVMGetReturnType(type), types, count + 1, false);
  const char *name = nb_arena_print(context->arena, "%s.undone", nb_name(function));
  LLVMValueRef made = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(made, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(function));
  nb_attributes_copy_target(made, function);
  LLVMGetParams(made, parameters);
  nb_clone_body(made, function, parameters);
  return made;
}

LLVMValueRef nb_undone_copy(NbContext *context, LLVMValueRef function, const unsigned *places,
                            NbWhereHeld *held, const char **reason) {
  LLVMValueRef made = copy(context, function);
  unsigned count = LLVMCountParams(function);
  bool whole = inline_all(context, made);
  LLVMDisposeMessage(nb_passes_run(context->analyses, context->module, made, "sroa,instsimplify"));
  Search search = {.context = context, .function = made, .held = held};
  search.places = nb_map_new(context->arena);
  search.log = LLVMGetParam(made, count);
  for (unsigned i = 0; i < count; i++)
    nb_map_set(search.places, LLVMGetParam(made, i), (void *)(uintptr_t)places[i]);
  if (!whole)
    obstruct(&search, "it, or what it calls, calls itself");
  find_places(&search);
  find_writes(&search);
  nb_analyses_forget(context->analyses, made);
  *reason = search.reason;
  if (!search.reason && search.notes)
    return made;
  LLVMDeleteFunction(made);
  return search.reason ? NULL : function;
}
