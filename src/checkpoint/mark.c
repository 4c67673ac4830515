// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that are marked as they stand (__enzyme_set_checkpointing, and what the front end makes of
 * the pragma and the attribute; __enzyme_set_fixed_point): the body becomes a function, and the
 * loop a call of __enzyme_checkpoint_for, __enzyme_checkpoint_while or __enzyme_fixed_point. At the
 * start of the pipeline, before anything is unrolled or moved. */
#include "base/names.h"
#include "checkpoint/checkpoint.h"
#include "nabla/checkpoint.h"
#include "request/serving.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Operands of a mark: of the other kind, as many before the states. */
enum { MARK_OPERANDS = 2, FIXED_MARK_OPERANDS = 3 };

typedef struct Mark {
  NbContext *context;
  LLVMValueRef call; /* of the mark */
  LLVMMetadataRef location;
  int64_t schedule, budget;
} Mark;

static bool is_mark(NbArena *arena, LLVMValueRef callee) {
  (void)arena;
  NbEntryKind kind = nb_entry_kind(nb_name(callee), NULL);
  return kind == NB_ENTRY_LOOP_MARK || kind == NB_ENTRY_FIXED_MARK;
}

/* Refused where the requests are served, at the user's line. */
static void refuse(const Mark *mark, const char *reason) {
  NbContext *context = mark->context;
  LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(mark->call), NULL, 0, false);
  const char *message =
      nb_arena_print(context->arena, "the loop cannot be taken as it stands: %s", reason);
  const char *name = nb_refused_name(context->arena, NB_ERROR_CHECKPOINT, message);
  LLVMValueRef callee = nb_declare(context, name, type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, mark->call);
  LLVMValueRef call = LLVMBuildCall2(builder, type, callee, NULL, 0, "");
  LLVMInstructionSetDebugLoc(call, mark->location);
  LLVMDisposeBuilder(builder);
  nb_call_replace(mark->call, call);
}

/* --- The scheme and its data -------------------------------------------------------------------
 */

static LLVMTypeRef pointer_of(const NbContext *context) {
  return LLVMPointerTypeInContext(context->llvm, 0);
}

static LLVMValueRef constant(const Mark *mark, const char *name, LLVMValueRef value) {
  LLVMValueRef global = LLVMAddGlobal(mark->context->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetGlobalConstant(global, true);
  return global;
}

/* A function of the runtime; nobody calls it by the type that it has here. */
static LLVMValueRef runtime(const Mark *mark, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(mark->context->module, name);
  LLVMTypeRef type = LLVMFunctionType(pointer_of(mark->context), NULL, 0, false);
  return function ? function : LLVMAddFunction(mark->context->module, name, type);
}

/* An EnzymeCheckpointScheme, as NABLA_CHECKPOINT_SCHEME writes it. */
static LLVMValueRef scheme_of(const Mark *mark) {
  static const char *const starts[] = {
      [ENZYME_CKPT_SCHEDULE_PERIODIC] = "__nabla_checkpoint_periodic",
      [ENZYME_CKPT_SCHEDULE_REVOLVE] = "__nabla_checkpoint_revolve",
      [ENZYME_CKPT_SCHEDULE_STORE_ALL] = "__nabla_checkpoint_store_all",
      [ENZYME_CKPT_SCHEDULE_BINOMIAL] = "__nabla_checkpoint_revolve"};
  static const char *const others[] = {"__nabla_checkpoint_next", "__nabla_checkpoint_put",
                                       "__nabla_checkpoint_get", "__nabla_checkpoint_steps_known",
                                       "__nabla_checkpoint_finish"};
  NbContext *context = mark->context;
  LLVMValueRef null = LLVMConstNull(pointer_of(context));
  LLVMValueRef fields[10] = {[7] = null, [8] = null, [9] = null};
  fields[0] = LLVMConstInt(LLVMInt32TypeInContext(context->llvm), ENZYME_CKPT_ABI_VERSION, false);
  fields[1] = runtime(mark, starts[mark->schedule]);
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    fields[2 + i] = runtime(mark, others[i]);
  return constant(mark, "nabla.scheme", LLVMConstStructInContext(context->llvm, fields, 10, false));
}

/* An EnzymeCkptConfig. */
static LLVMValueRef config_of(const Mark *mark) {
  LLVMContextRef llvm = mark->context->llvm;
  LLVMTypeRef word = LLVMInt64TypeInContext(llvm);
  LLVMValueRef null = LLVMConstNull(pointer_of(mark->context));
  int64_t budget = mark->budget > 0 ? mark->budget : 0;
  LLVMValueRef fields[] = {LLVMConstInt(word, (uint64_t)budget, true),
                           LLVMConstNull(LLVMInt32TypeInContext(llvm)), null, LLVMConstNull(word),
                           null};
  return constant(mark, "nabla.config", LLVMConstStructInContext(llvm, fields, 5, false));
}

/* --- The call ---------------------------------------------------------------------------------
 */

static LLVMValueRef marker(const Mark *mark, NbMarker kind) {
  const char *name = nb_arena_print(mark->context->arena, "enzyme_%s", nb_marker_word(kind));
  LLVMValueRef global = LLVMGetNamedGlobal(mark->context->module, name);
  LLVMTypeRef type = LLVMInt32TypeInContext(mark->context->llvm);
  return global ? global : LLVMAddGlobal(mark->context->module, type, name);
}

static void note_marked(const NbContext *context, LLVMValueRef step) {
  LLVMAttributeRef mark =
      LLVMCreateStringAttribute(context->llvm, NB_MARKED_STEP, strlen(NB_MARKED_STEP), "", 0);
  LLVMAddAttributeAtIndex(step, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
}

/* In place of `body`, the call of the body's function, a call of the entry point with what is said
 * of the loop. */
static void call_loop(const Mark *mark, LLVMValueRef body, NbEntryKind entry, const NbList *said) {
  NbContext *context = mark->context;
  unsigned more = LLVMGetNumArgOperands(body) - 1;
  NbList operands = nb_list(context->arena);
  nb_list_push(&operands, nb_callee(body));
  note_marked(context, nb_callee(body));
  for (unsigned i = 0; i < said->count; i++)
    nb_list_push(&operands, said->items[i]);
  for (unsigned i = 0; i < more; i++)
    nb_list_push(&operands, LLVMGetOperand(body, i + 1));
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, operands.count);
  for (unsigned i = 0; i < operands.count; i++)
    types[i] = LLVMTypeOf(operands.items[i]);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), types, operands.count, false);
  const char *name = nb_arena_print(context->arena, "%s.marked", nb_entry_name(entry));
  LLVMValueRef callee = LLVMAddFunction(context->module, name, type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, body);
  LLVMValueRef call =
      LLVMBuildCall2(builder, type, callee, (LLVMValueRef *)operands.items, operands.count, "");
  LLVMInstructionSetDebugLoc(call, mark->location);
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(body);
}

static void call_checkpointed(const Mark *mark, LLVMValueRef body, LLVMValueRef iterations) {
  NbList said = nb_list(mark->context->arena);
  if (iterations) {
    nb_list_push(&said, LLVMConstNull(LLVMTypeOf(iterations)));
    nb_list_push(&said, iterations);
  }
  nb_list_push(&said, marker(mark, NB_MARKER_SCHEME));
  nb_list_push(&said, scheme_of(mark));
  nb_list_push(&said, config_of(mark));
  call_loop(mark, body, iterations ? NB_ENTRY_CHECKPOINT : NB_ENTRY_CHECKPOINT_UNTIL, &said);
}

/* `operands` are those of the mark. */
static void call_fixed(const Mark *mark, LLVMValueRef body, const LLVMValueRef *operands,
                       unsigned count) {
  static const NbMarker kinds[FIXED_MARK_OPERANDS] = {
      NB_MARKER_FIXED_REDUCTION, NB_MARKER_FIXED_LIMIT, NB_MARKER_FIXED_CONTROL};
  NbList said = nb_list(mark->context->arena);
  for (unsigned i = 0; i < count; i++) {
    if (i < FIXED_MARK_OPERANDS)
      nb_list_push(&said, marker(mark, kinds[i]));
    else if ((i - FIXED_MARK_OPERANDS) % 2 == 0)
      nb_list_push(&said, marker(mark, NB_MARKER_FIXED_STATE));
    nb_list_push(&said, operands[i]);
  }
  call_loop(mark, body, NB_ENTRY_FIXED_POINT, &said);
}

bool nb_checkpoint_is_marked(LLVMValueRef step) {
  return LLVMGetStringAttributeAtIndex(step, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       NB_MARKED_STEP, strlen(NB_MARKED_STEP)) != NULL;
}

/* --- The marks --------------------------------------------------------------------------------
 */

static bool read_operands(Mark *mark) {
  int64_t *values[MARK_OPERANDS] = {&mark->schedule, &mark->budget};
  mark->schedule = ENZYME_CKPT_SCHEDULE_PERIODIC;
  mark->budget = -1;
  for (unsigned i = 0; i < MARK_OPERANDS && i < LLVMGetNumArgOperands(mark->call); i++) {
    LLVMValueRef operand = LLVMGetOperand(mark->call, i);
    if (!LLVMIsAConstantInt(operand))
      return false;
    *values[i] = LLVMConstIntGetSExtValue(operand);
  }
  return true;
}

static void serve_checkpointing(Mark *mark) {
  LLVMValueRef body = NULL, iterations = NULL;
  if (!read_operands(mark)) {
    refuse(mark, "its schedule and its budget are not constants");
  } else if (mark->schedule == ENZYME_CKPT_SCHEDULE_NONE) {
    nb_call_replace(mark->call, NULL);
  } else if (mark->schedule < 0 || mark->schedule > ENZYME_CKPT_SCHEDULE_BINOMIAL) {
    refuse(mark, "there is no such schedule");
  } else {
    const char *reason = nb_loop_outline(mark->call, &body, &iterations, NULL);
    if (reason)
      refuse(mark, reason);
    else
      call_checkpointed(mark, body, iterations);
  }
}

static void serve_fixed(Mark *mark) {
  unsigned count = LLVMGetNumArgOperands(mark->call);
  LLVMValueRef body = NULL;
  LLVMValueRef *operands = NB_NEW_ARRAY(mark->context->arena, LLVMValueRef, count + 1);
  const char *reason = "its mark says a reduction, a limit, a control function or NULL, and then "
                       "states, each a pointer and its bytes";
  if (count > FIXED_MARK_OPERANDS && (count - FIXED_MARK_OPERANDS) % 2 == 0)
    reason = nb_loop_outline(mark->call, &body, NULL, operands);
  if (reason)
    refuse(mark, reason);
  else
    call_fixed(mark, body, operands, count);
}

static void serve(NbContext *context, LLVMValueRef call) {
  Mark mark = {context, call, LLVMInstructionGetDebugLoc(call), 0, 0};
  if (nb_entry_kind(nb_name(nb_callee(call)), NULL) == NB_ENTRY_FIXED_MARK)
    serve_fixed(&mark);
  else
    serve_checkpointing(&mark);
}

/* Most files have none: their functions are not walked through. */
static bool has_marks(const NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    if (LLVMIsDeclaration(function) && is_mark(context->arena, function))
      return true;
  return false;
}

bool nb_checkpoint_collect(NbContext *context) {
  if (!has_marks(context))
    return false;
  NbList calls = nb_calls_of(context, is_mark);
  bool any = calls.count != 0;
  for (; calls.count; calls = nb_calls_of(context, is_mark)) {
    LLVMValueRef inner = calls.items[0];
    for (unsigned i = 1; i < calls.count; i++)
      if (nb_loops_around(calls.items[i]) > nb_loops_around(inner))
        inner = calls.items[i];
    serve(context, inner);
  }
  return any;
}
