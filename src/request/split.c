// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Split reverse mode: the augmented forward and the reverse are two calls of the user's, and the
 * tape goes from one to the other.
 *
 * Without enzyme_allocated the tape is memory of the heap, which the augmented forward allocates
 * and the reverse frees; its address is returned, or kept where enzyme_tape says. With it the tape
 * itself lies where enzyme_tape says, in memory of any alignment, and the user may move its bytes
 * to another place before the reverse; so the sweeps work on a copy. A tape that holds addresses of
 * its own parts cannot move: it stays on the heap, and the user keeps its address. */
#include "emit/runtime.h"
#include "request/dispatch.h"
#include "request/serving.h"

static LLVMTypeRef pointer_type(const NbServing *serving) {
  return LLVMPointerTypeInContext(serving->context->llvm, 0);
}

static LLVMValueRef bytes_of(const NbServing *serving, uint64_t bytes) {
  return LLVMConstInt(LLVMInt64TypeInContext(serving->context->llvm), bytes, false);
}

static bool is_nofree(const NbServing *serving) {
  return nb_collected_has(&serving->collected, NB_MARKER_FLAG_NOFREE);
}

static uint64_t tape_size(const NbServing *serving, const NbDerivative *derivative) {
  return derivative->tape ? LLVMABISizeOfType(serving->context->layout, derivative->tape) : 0;
}

/* What the user keeps with enzyme_allocated: the tape itself, or its address. */
static LLVMTypeRef kept_type(const NbServing *serving, const NbDerivative *derivative) {
  return nb_tape_is_pinned(derivative) ? pointer_type(serving) : derivative->tape;
}

static uint64_t room_needed(const NbServing *serving, const NbDerivative *derivative) {
  LLVMTypeRef type = kept_type(serving, derivative);
  return type ? LLVMABISizeOfType(serving->context->layout, type) : 0;
}

/* Too little room is an error now where the size is known, and ends the program where not. */
static bool check_room(NbServing *serving, const NbDerivative *derivative) {
  uint64_t needed = room_needed(serving, derivative);
  LLVMValueRef room = serving->tape_room;
  if (!room || !needed)
    return true;
  if (LLVMIsAConstantInt(room)) {
    uint64_t given = LLVMConstIntGetZExtValue(room);
    return given >= needed ||
           nb_refuse(serving->context, NB_ERROR_TAPE_ROOM, serving->call,
                     "the tape of '%s' needs %llu bytes, but enzyme_allocated says %llu",
                     nb_shown_name(serving->context, serving->function), (unsigned long long)needed,
                     (unsigned long long)given);
  }
  LLVMTypeRef count = LLVMInt64TypeInContext(serving->context->llvm);
  LLVMValueRef arguments[] = {LLVMBuildIntCast2(serving->builder, room, count, false, ""),
                              bytes_of(serving, needed)};
  nb_runtime_call(serving->context, serving->builder, "__nabla_tape_check_room",
                  LLVMVoidTypeInContext(serving->context->llvm), arguments, 2);
  return true;
}

static bool in_users_memory(const NbServing *serving, const NbDerivative *derivative) {
  return serving->tape_room && !nb_tape_is_pinned(derivative);
}

static LLVMValueRef null_pointer(const NbServing *serving) {
  return LLVMConstNull(pointer_type(serving));
}

/* What all tapes of this run together may take (runtime/memory.h). */
static LLVMValueRef budget_of(NbServing *serving) {
  LLVMTypeRef type = LLVMInt64TypeInContext(serving->context->llvm);
  uint64_t limit = serving->context->max_tape;
  if (!limit)
    return null_pointer(serving);
  LLVMValueRef budget = nb_serving_local(serving, type);
  LLVMBuildStore(serving->builder, bytes_of(serving, limit), budget);
  return budget;
}

static LLVMValueRef allocate(NbServing *serving, const NbDerivative *derivative,
                             LLVMValueRef budget) {
  LLVMValueRef arguments[] = {
      bytes_of(serving, 1), bytes_of(serving, tape_size(serving, derivative)),
      nb_runtime_function_name(serving->context, serving->function), budget};
  return nb_runtime_call(serving->context, serving->builder, "__nabla_tape_allocate",
                         pointer_type(serving), arguments, 4);
}

static void move_tape(NbServing *serving, const NbDerivative *derivative, LLVMValueRef to,
                      LLVMValueRef from) {
  LLVMBuildMemCpy(serving->builder, to, 1, from, 1,
                  bytes_of(serving, tape_size(serving, derivative)));
}

static void store_address(NbServing *serving, LLVMValueRef tape) {
  LLVMValueRef store = LLVMBuildStore(serving->builder, tape, serving->tape);
  LLVMSetAlignment(store, 1);
}

/* What the primal returned, and its shadow; a call declared to return a pointer gets the tape
 * alone.
 */
static void push_results(NbServing *serving, LLVMValueRef result, NbList *fields) {
  bool tape_alone = !serving->tape_is_kept && !serving->memory &&
                    LLVMTypeOf(serving->call) == pointer_type(serving);
  if (tape_alone || !nb_serving_wants_primal(serving))
    return;
  if (serving->request.result != NB_ROLE_DUP) {
    nb_list_push(fields, result);
    return;
  }
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(serving->function));
  nb_list_push(fields, LLVMBuildExtractValue(serving->builder, result, 0, ""));
  LLVMValueRef shadows = LLVMBuildExtractValue(serving->builder, result, 1, "");
  nb_serving_push_lanes(serving, shadows, type, fields);
}

/* The user gets the tape where he has said, else as a result. */
static void deliver_tape(NbServing *serving, const NbDerivative *derivative, LLVMValueRef tape,
                         NbList *fields) {
  bool users = in_users_memory(serving, derivative);
  if (users && derivative->tape)
    move_tape(serving, derivative, serving->tape, tape);
  else if (serving->tape && !users)
    store_address(serving, tape);
  else if (!serving->tape)
    nb_list_push(fields, tape);
}

/* `shadows`: that the augmented forward is given and does not take. */
static void note_half(NbServing *serving, const NbDerivative *derivative, LLVMValueRef call,
                      NbCheckedPart part, NbList shadows) {
  bool users = in_users_memory(serving, derivative);
  NbServed served = {.call = call, .part = part, .shadows = shadows};
  served.tape_bytes = users ? tape_size(serving, derivative) : 0;
  nb_serving_note(serving, served);
}

bool nb_serving_emit_augmented(NbServing *serving, NbDerivative *derivative, NbList *fields) {
  LLVMValueRef tape = null_pointer(serving);
  bool mine = in_users_memory(serving, derivative);
  if (!check_room(serving, derivative))
    return false;
  LLVMValueRef budget = budget_of(serving);
  if (derivative->tape)
    tape =
        mine ? nb_serving_local(serving, derivative->tape) : allocate(serving, derivative, budget);
  nb_list_push(&serving->arguments, tape);
  if (serving->context->max_tape)
    nb_list_push(&serving->arguments, budget);
  LLVMValueRef result = nb_serving_call(serving, derivative->augmented);
  note_half(serving, derivative, result, NB_CHECKED_AUGMENTED, (NbList){0});
  derivative->made_by = result;
  deliver_tape(serving, derivative, tape, fields);
  push_results(serving, result, fields);
  return true;
}

static LLVMValueRef find_tape(NbServing *serving, const NbDerivative *derivative) {
  if (!derivative->tape)
    return null_pointer(serving);
  if (in_users_memory(serving, derivative)) {
    LLVMValueRef copy = nb_serving_local(serving, derivative->tape);
    move_tape(serving, derivative, copy, serving->tape);
    return copy;
  }
  if (!serving->tape_is_kept)
    return serving->tape;
  LLVMValueRef load = LLVMBuildLoad2(serving->builder, pointer_type(serving), serving->tape, "");
  LLVMSetAlignment(load, 1);
  return load;
}

bool nb_serving_emit_reverse_half(NbServing *serving, NbDerivative *derivative, NbList *fields) {
  if (!check_room(serving, derivative))
    return false;
  LLVMValueRef tape = find_tape(serving, derivative);
  if (serving->seed)
    nb_list_push(&serving->arguments, serving->seed);
  nb_list_push(&serving->arguments, tape);
  LLVMValueRef reverse = is_nofree(serving) ? derivative->reverse_again : derivative->reverse;
  LLVMValueRef result = nb_serving_call(serving, reverse);
  note_half(serving, derivative, result,
            is_nofree(serving) ? NB_CHECKED_REVERSED_AGAIN : NB_CHECKED_REVERSED, (NbList){0});
  derivative->read_by = result;
  if (derivative->tape && !in_users_memory(serving, derivative) && !is_nofree(serving))
    nb_runtime_call(serving->context, serving->builder, "__nabla_tape_release",
                    LLVMVoidTypeInContext(serving->context->llvm), &tape, 1);
  nb_serving_push_adjoints(serving, result, 0, fields);
  return true;
}

/* --- Forward mode that reads a tape ----------------------------------------------------------- */

/* The augmented forward was read as one of reverse mode, whose roles say the same. */
void nb_serving_replay(NbServing *serving) {
  NbRequest *request = &serving->request;
  NbRole *roles = NB_NEW_ARRAY(serving->context->arena, NbRole, request->count + 1);
  for (unsigned i = 0; i < request->count; i++)
    roles[i] = request->roles[i] == NB_ROLE_OUT ? NB_ROLE_DUP : request->roles[i];
  request->roles = roles;
  request->mode = NB_MODE_FORWARD;
  request->overwritten = NULL;
  request->replayed = true;
  if (request->result != NB_ROLE_CONST)
    request->result = NB_ROLE_DUP;
}

/* The derivative as the user's tape has it: with the queue's records behind an address. */
static NbDerivative with_queue(const NbServing *serving, const NbDerivative *derivative) {
  NbDerivative whole = *derivative;
  LLVMTypeRef types[2];
  unsigned count = 0;
  if (derivative->tape)
    types[count++] = derivative->tape;
  if (derivative->queued)
    types[count++] = pointer_type(serving);
  whole.tape = count ? LLVMStructTypeInContext(serving->context->llvm, types, count, false) : NULL;
  return whole;
}

/* Where the tape keeps that address. */
static LLVMValueRef records_of(const NbServing *serving, const NbDerivative *whole,
                               LLVMValueRef tape) {
  unsigned last = LLVMCountStructElementTypes(whole->tape) - 1;
  return LLVMBuildStructGEP2(serving->builder, whole->tape, tape, last, "");
}

/* runtime/queue.h */
enum { QUEUE_FIRST = 0, QUEUE_FUNCTION = 4, QUEUE_BUDGET = 5, QUEUE_FIELDS = 6 };

static LLVMTypeRef queue_type(const NbServing *serving) {
  return LLVMArrayType2(pointer_type(serving), QUEUE_FIELDS);
}

static LLVMValueRef queue_field(const NbServing *serving, LLVMValueRef queue, unsigned field) {
  LLVMTypeRef word = LLVMInt64TypeInContext(serving->context->llvm);
  LLVMValueRef path[] = {LLVMConstNull(word), LLVMConstInt(word, field, false)};
  return LLVMBuildInBoundsGEP2(serving->builder, queue_type(serving), queue, path, 2, "");
}

/* Null where no function uses it. */
static LLVMValueRef new_queue(NbServing *serving, const NbDerivative *derivative) {
  if (!derivative->queued)
    return null_pointer(serving);
  LLVMValueRef queue = nb_serving_local(serving, queue_type(serving));
  LLVMBuildStore(serving->builder, LLVMConstNull(queue_type(serving)), queue);
  return queue;
}

bool nb_serving_emit_recorded(NbServing *serving, NbDerivative *derivative, NbList *fields) {
  NbDerivative whole = with_queue(serving, derivative);
  bool mine = in_users_memory(serving, &whole);
  if (!check_room(serving, &whole))
    return false;
  LLVMValueRef budget = budget_of(serving);
  LLVMValueRef tape = null_pointer(serving);
  if (whole.tape)
    tape = mine ? nb_serving_local(serving, whole.tape) : allocate(serving, &whole, budget);
  LLVMValueRef queue = new_queue(serving, derivative);
  LLVMValueRef name = nb_runtime_function_name(serving->context, serving->function);
  if (derivative->queued) {
    LLVMBuildStore(serving->builder, name, queue_field(serving, queue, QUEUE_FUNCTION));
    LLVMBuildStore(serving->builder, budget, queue_field(serving, queue, QUEUE_BUDGET));
  }
  NbList shadows = nb_list(serving->context->arena);
  for (unsigned i = serving->request.count; i < serving->arguments.count; i++)
    nb_list_push(&shadows, serving->arguments.items[i]);
  serving->arguments.count = serving->request.count;
  nb_list_push(&serving->arguments, tape);
  nb_list_push(&serving->arguments, queue);
  LLVMValueRef result = nb_serving_call(serving, derivative->recorded);
  note_half(serving, derivative, result, NB_CHECKED_RECORDED, shadows);
  derivative->made_by = result;
  if (derivative->queued) {
    LLVMValueRef first = LLVMBuildLoad2(serving->builder, pointer_type(serving),
                                        queue_field(serving, queue, QUEUE_FIRST), "");
    LLVMBuildStore(serving->builder, first, records_of(serving, &whole, tape));
  }
  deliver_tape(serving, &whole, tape, fields);
  serving->request.result = NB_ROLE_CONST;
  push_results(serving, result, fields);
  return true;
}

bool nb_serving_emit_replayed(NbServing *serving, NbDerivative *derivative, NbList *fields) {
  NbDerivative whole = with_queue(serving, derivative);
  if (!check_room(serving, &whole))
    return false;
  LLVMValueRef tape = find_tape(serving, &whole);
  LLVMValueRef queue = new_queue(serving, derivative), first = null_pointer(serving);
  if (derivative->queued) {
    LLVMValueRef from = records_of(serving, &whole, tape);
    first = LLVMBuildLoad2(serving->builder, pointer_type(serving), from, "");
    LLVMBuildStore(serving->builder, first, queue_field(serving, queue, QUEUE_FIRST));
  }
  nb_list_push(&serving->arguments, tape);
  nb_list_push(&serving->arguments, queue);
  LLVMValueRef result = nb_serving_call(serving, derivative->forward);
  note_half(serving, derivative, result,
            is_nofree(serving) ? NB_CHECKED_REPLAYED_AGAIN : NB_CHECKED_REPLAYED, (NbList){0});
  derivative->read_by = result;
  LLVMTypeRef nothing = LLVMVoidTypeInContext(serving->context->llvm);
  if (derivative->queued && !is_nofree(serving))
    nb_runtime_call(serving->context, serving->builder, "__nabla_queue_free", nothing, &first, 1);
  if (whole.tape && !in_users_memory(serving, &whole) && !is_nofree(serving))
    nb_runtime_call(serving->context, serving->builder, "__nabla_tape_release", nothing, &tape, 1);
  nb_serving_push_forward(serving, result, fields);
  return true;
}

void nb_split_find_replayed(NbContext *context, const NbList *calls) {
  for (unsigned i = 0; i < calls->count; i++) {
    LLVMValueRef call = calls->items[i];
    LLVMValueRef operand = LLVMGetOperand(call, nb_call_function_index(call));
    NbList functions = nb_list(context->arena);
    NbCollected collected;
    nb_collected_parse(context->arena, nb_name(nb_callee(call)), &collected);
    if (collected.entry == NB_ENTRY_SPLIT_FORWARD)
      nb_candidates(context, operand, &functions);
    for (unsigned k = 0; k < functions.count; k++)
      nb_map_set(context->replayed, functions.items[k], functions.items[k]);
  }
}

/* --- Both ------------------------------------------------------------------------------------- */

void nb_serving_emit_size(NbServing *serving, const NbDerivative *derivative, NbList *fields) {
  NbDerivative whole = with_queue(serving, derivative);
  uint64_t needed = room_needed(serving, serving->replayed ? &whole : derivative);
  LLVMTypeRef type = LLVMTypeOf(serving->call);
  LLVMTypeRef own = LLVMGetTypeKind(type) == LLVMIntegerTypeKind
                        ? type
                        : LLVMInt64TypeInContext(serving->context->llvm);
  nb_list_push(fields, LLVMConstInt(own, needed, false));
}

static NbDerivative *other_maker(const NbContext *context, const NbDerivative *derivative) {
  for (NbDerivative *other = context->all; other; other = other->next)
    if (other->made_by && !other->read_by &&
        other->request.function == derivative->request.function)
      return other;
  return NULL;
}

void nb_split_check_halves(NbContext *context) {
  for (NbDerivative *derivative = context->all; derivative; derivative = derivative->next) {
    bool reads = derivative->tape || derivative->queued;
    if (derivative->request.replayed && derivative->read_by && !derivative->made_by && reads)
      nb_refuse(context, NB_ERROR_TAPE_MISMATCH, derivative->read_by,
                "this forward derivative of '%s' reads a tape that nobody makes in this file: the "
                "augmented forward must stand here, with the same roles of arguments and result",
                nb_name(derivative->request.function));
    if (derivative->request.replayed || !derivative->read_by || derivative->made_by ||
        !other_maker(context, derivative))
      continue;
    nb_refuse(context, NB_ERROR_TAPE_MISMATCH, derivative->read_by,
              "this reverse of '%s' reads a tape that nobody makes: the augmented forward here "
              "gives the arguments or the result other roles, so that its tape is another one",
              nb_name(derivative->request.function));
  }
}

bool nb_split_asks_again(const NbContext *context, const NbList *calls) {
  for (unsigned i = 0; i < calls->count; i++) {
    NbCollected collected;
    nb_collected_parse(context->arena, nb_name(nb_callee(calls->items[i])), &collected);
    if (nb_collected_has(&collected, NB_MARKER_FLAG_NOFREE))
      return true;
  }
  return false;
}

static bool refuse_marker(const NbServing *serving, NbMarker marker, const char *reason) {
  return nb_refuse(serving->context, NB_ERROR_WRONG_MARKER, serving->call,
                   "the marker 'enzyme_%s' is not for this call: %s", nb_marker_word(marker),
                   reason);
}

/* Batches have markers of their own, and no others. */
static bool check_lane_markers(const NbServing *serving) {
  const NbCollected *collected = &serving->collected;
  bool batch = collected->entry == NB_ENTRY_BATCH;
  for (unsigned i = 0; i < collected->count; i++) {
    NbMarker marker = collected->operands[i].marker;
    bool of_batch = marker >= NB_MARKER_SCALAR && marker <= NB_MARKER_BUFFER;
    bool of_both = marker == NB_MARKER_NONE || marker == NB_MARKER_BYREF;
    if (marker >= NB_MARKER_SCHEME && marker <= NB_MARKER_FIXED_CONTROL)
      return refuse_marker(serving, marker,
                           "it speaks of a loop (__enzyme_checkpoint_for, __enzyme_fixed_point)");
    if (!of_both && of_batch != batch)
      return refuse_marker(serving, marker,
                           batch ? "a batch calls the function, and has no derivatives"
                                 : "it says which lanes of a batch get the argument");
  }
  for (NbMarker flag = NB_MARKER_FLAG_NORET; batch && nb_marker_is_flag(flag); flag++)
    if (nb_collected_has(collected, flag))
      return refuse_marker(serving, flag, "a batch calls the function, and has no derivatives");
  return true;
}

/* It parts the arguments from the shadows, so it stands once, and some arguments before it. */
static bool check_interleave(const NbServing *serving) {
  bool found = false;
  for (unsigned i = 0; i < serving->count; i++) {
    if (serving->operands[i].marker != NB_MARKER_INTERLEAVE)
      continue;
    if (serving->collected.entry == NB_ENTRY_SPLIT_SIZE)
      return refuse_marker(serving, NB_MARKER_INTERLEAVE, "the size of a tape needs no shadows");
    if (found)
      return refuse_marker(serving, NB_MARKER_INTERLEAVE, "it stands once, behind all arguments");
    if (i == 0)
      return refuse_marker(serving, NB_MARKER_INTERLEAVE,
                           "it stands behind all arguments, in front of their shadows, and not in "
                           "front of the arguments");
    found = true;
  }
  return true;
}

bool nb_serving_check_markers(const NbServing *serving) {
  static const char combined[] = "only split reverse mode has a tape, and time between the halves";
  const NbCollected *collected = &serving->collected;
  bool split = nb_serving_is_split(serving);
  if (!check_lane_markers(serving) || !check_interleave(serving))
    return false;
  if (serving->replayed && collected->entry == NB_ENTRY_SPLIT_REVERSE)
    return nb_refuse(serving->context, NB_ERROR_ENTRY_UNSUPPORTED, serving->call,
                     "the tapes of '%s' are made for __enzyme_fwdsplit, which this file calls for "
                     "it, and no reverse can read them; let one of the two differentiate a "
                     "function that only calls it",
                     nb_shown_name(serving->context, serving->function));
  if (!split && serving->tape)
    return refuse_marker(serving, NB_MARKER_TAPE, combined);
  if (!split && serving->tape_room)
    return refuse_marker(serving, NB_MARKER_ALLOCATED, combined);
  if (!split && nb_collected_has(collected, NB_MARKER_FLAG_NOFREE))
    return refuse_marker(serving, NB_MARKER_FLAG_NOFREE, combined);
  for (unsigned i = 0; !split && i < serving->count; i++)
    if (serving->operands[i].kept)
      return refuse_marker(serving, NB_MARKER_NOT_OVERWRITTEN, combined);
  if (serving->tape_room && !serving->tape && collected->entry != NB_ENTRY_SPLIT_SIZE)
    return refuse_marker(serving, NB_MARKER_ALLOCATED,
                         "it says how large the memory is that enzyme_tape gives, and there is no "
                         "enzyme_tape");
  bool primal = nb_collected_has(collected, NB_MARKER_FLAG_PRIMAL_RETURN);
  if (primal && collected->entry == NB_ENTRY_SPLIT_REVERSE)
    return refuse_marker(serving, NB_MARKER_FLAG_PRIMAL_RETURN,
                         "the primal runs in the augmented forward, which returns its result");
  return true;
}
