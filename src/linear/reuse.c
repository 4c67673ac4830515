// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory that holds pointers at one time and numbers at another, in reverse mode.
 *
 * Its shadow holds shadows of pointers in the forward sweep, adjoints in the reverse sweep. An
 * adjoint must start from zero, so a number that takes the place of a pointer clears the shadow in
 * the forward sweep, and a pointer that took the place of a number does where the reverse sweep
 * comes to it. Memory of the caller's may hold the adjoint of a result there from the beginning:
 * it is refused, at compile time where it is certain, else when the program runs: the shadow of a
 * pointer is an address, which no adjoint looks like. A callee is told of such memory. */
#include "linear/build.h"
#include "objects/graph.h"
#include "types/facts.h"

enum { UNION_DEPTH = 4 };

static bool refuse(const NbLinear *linear, LLVMValueRef inst) {
  return nb_refuse(linear->work->context, NB_ERROR_UNKNOWN_TYPE, inst,
                   "this memory holds pointers at one time and numbers with a derivative at "
                   "another, and is not of this function alone");
}

static bool is_own(const NbLinear *linear, LLVMValueRef pointer) {
  return nb_linear_is_own(linear, pointer) || nb_activity_reuses(linear->activity, pointer) ||
         LLVMIsAAllocaInst(nb_object_of(pointer));
}

/* Is the store to bytes that hold something of the other kind at another time? Numbers that an
 * index reaches beyond an array look like it, so that of the caller's memory only what is certain
 * counts. */
static bool is_reused(const NbLinear *linear, LLVMValueRef store, NbKind other) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  if (linear->work->request->mode == NB_MODE_FORWARD)
    return false;
  if (nb_activity_reuses(linear->activity, pointer))
    return true;
  if (!nb_linear_memory_active(linear, pointer))
    return false;
  uint64_t bytes = nb_store_size(linear->work->context, LLVMTypeOf(LLVMGetOperand(store, 0)));
  return nb_types_also_hold(linear->types, pointer, bytes, other, !is_own(linear, pointer));
}

static bool refuse_moved(const NbLinear *linear, LLVMValueRef store) {
  return nb_refuse(linear->work->context, NB_ERROR_UNKNOWN_TYPE, store,
                   "bytes are moved from memory that holds pointers at one time and numbers with a "
                   "derivative at another, and it is not known which these are");
}

/* What is stored as a pointer may be a number. In forward mode it goes where its shadow goes; in
 * reverse mode it has an adjoint then, where the shadow of a pointer is what the forward sweep
 * left.
 */
static bool check_moved(const NbLinear *linear, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  uint64_t bytes = nb_store_size(linear->work->context, LLVMTypeOf(value));
  bool forward = linear->work->request->mode == NB_MODE_FORWARD;
  bool scalar = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  bool link = nb_access_is_of_link(store) && nb_types_declared_pointer(linear->types, store);
  if (link || !nb_activity_puns(linear->activity, store, 0) ||
      !nb_linear_memory_active(linear, pointer) ||
      (!nb_types_also_hold(linear->types, pointer, bytes, NB_KIND_FLOAT, false) &&
       !nb_activity_carries(linear->activity, pointer, bytes)))
    return true;
  if (forward && nb_linear_shadow(linear, value, 0))
    return true;
  if (!forward && scalar && is_own(linear, pointer) && !nb_linear_is_guarded(linear, pointer))
    return true;
  return refuse_moved(linear, store);
}

/* Was the pointer, or one that it is chosen from, loaded from a union, which may be a number? */
static bool is_of_union(const NbLinear *linear, LLVMValueRef value, unsigned depth) {
  if (LLVMIsALoadInst(value))
    return nb_tbaa_is_any(value) ||
           nb_types_in_union(linear->types, LLVMGetOperand(value, 0),
                             nb_store_size(linear->work->context, LLVMTypeOf(value)));
  bool joins = LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value);
  bool found = false;
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; joins && depth && !found; i++) {
    if (i == LLVMGetNumOperands(value))
      return false;
    found = is_of_union(linear, LLVMGetOperand(value, (unsigned)i), depth - 1);
  }
  return found;
}

/* May the pointer be a number that reverse mode has to bring back from memory of the caller's? */
static bool leaves_in_union(const NbLinear *linear, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
  return linear->work->request->mode != NB_MODE_FORWARD && !is_own(linear, to) &&
         is_of_union(linear, value, UNION_DEPTH) &&
         !nb_activity_is_accessed(linear->activity, value, store);
}

bool nb_linear_reuse_for_copy(const NbLinear *linear, const NbStatement *copy, LLVMValueRef to,
                              LLVMValueRef from) {
  bool leaves = linear->work->request->mode != NB_MODE_FORWARD && !is_own(linear, to) &&
                (nb_types_moves_union(linear->types, to, &copy->layout) ||
                 nb_types_moves_union(linear->types, from, &copy->layout));
  return !leaves || refuse_moved(linear, copy->origin);
}

static void clear_in_reverse(NbLinear *linear, NbAccess access) {
  NbContext *context = linear->work->context;
  uint64_t bytes = nb_store_size(context, LLVMTypeOf(LLVMGetOperand(access.inst, 0)));
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_FILL, access.inst);
  statement->address = nb_linear_shadow(linear, access.pointer, access.lane);
  statement->extent = nb_linear_extent(
      linear, access, true, LLVMConstInt(LLVMInt64TypeInContext(context->llvm), bytes, false));
  statement->layout = (NbLayout){NULL, 0, true};
  if (nb_activity_puns(linear->activity, access.inst, 0)) {
    LLVMValueRef value = LLVMGetOperand(access.inst, 0);
    LLVMValueRef shadow = nb_linear_shadow(linear, value, access.lane);
    statement->stored = shadow ? shadow : value;
  }
}

bool nb_linear_reuse_for_pointer(NbLinear *linear, LLVMValueRef store) {
  if (!check_moved(linear, store))
    return false;
  if (leaves_in_union(linear, store))
    return refuse_moved(linear, store);
  if (!is_reused(linear, store, NB_KIND_FLOAT))
    return true;
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  if (!is_own(linear, pointer))
    return refuse(linear, store);
  for (unsigned lane = 0; lane < linear->width; lane++)
    clear_in_reverse(linear, (NbAccess){store, pointer, lane});
  return true;
}

static void clear_in_forward(NbLinear *linear, NbAccess access) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(access.inst, 0));
  unsigned align = LLVMGetAlignment(access.inst);
  LLVMValueRef address = nb_linear_address(linear, access, type, NB_STANDIN_STORE);
  LLVMBuilderRef builder = nb_builder_after(linear, access.inst);
  LLVMValueRef clear = LLVMBuildStore(builder, LLVMConstNull(type), address);
  LLVMSetAlignment(clear, nb_linear_alignment(linear, type, align));
  LLVMDisposeBuilder(builder);
}

/* Only the run tells whether a pointer was there. */
static void check_in_forward(NbLinear *linear, NbAccess access, LLVMTypeRef type, const char *check,
                             LLVMValueRef primal) {
  NbContext *context = linear->work->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef address = nb_linear_address(linear, access, type, NB_STANDIN_STORE);
  LLVMBuilderRef builder = nb_builder_after(linear, access.inst);
  LLVMValueRef arguments[] = {
      address, LLVMConstInt(count, nb_store_size(context, type), false),
      nb_runtime_place(context, linear->work->request->function, access.inst), primal};
  nb_runtime_call(context, builder, check, LLVMVoidTypeInContext(context->llvm), arguments,
                  primal ? 4 : 3);
  LLVMDisposeBuilder(builder);
}

static bool is_overlaid(const NbLinear *linear, LLVMValueRef store) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  uint64_t bytes = nb_store_size(linear->work->context, LLVMTypeOf(LLVMGetOperand(store, 0)));
  return linear->work->request->mode == NB_MODE_REVERSE && !is_own(linear, pointer) &&
         nb_activity_overlays(linear->activity, pointer, bytes);
}

bool nb_linear_reuse_for_number(NbLinear *linear, LLVMValueRef store) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  bool reused = is_reused(linear, store, NB_KIND_POINTER);
  for (unsigned lane = 0; !reused && is_overlaid(linear, store) && lane < linear->width; lane++)
    check_in_forward(linear, (NbAccess){store, pointer, lane}, type, "__nabla_over_pointer", NULL);
  if (!reused)
    return true;
  if (!is_own(linear, pointer))
    return refuse(linear, store);
  for (unsigned lane = 0; lane < linear->width; lane++)
    clear_in_forward(linear, (NbAccess){store, pointer, lane});
  return true;
}

void nb_linear_check_moved_number(NbLinear *linear, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  const NbRequest *request = linear->work->request;
  bool checked =
      !request->masks && !request->interleaved && nb_activity_moves_either(linear->activity, load);
  for (unsigned lane = 0; checked && lane < linear->width; lane++)
    check_in_forward(linear, (NbAccess){load, pointer, lane}, LLVMTypeOf(load),
                     "__nabla_moved_pointer", pointer);
}

bool nb_linear_is_cleared(const NbLinear *linear, LLVMValueRef load) {
  LLVMValueRef primal = nb_linear_primal(linear, load);
  LLVMValueRef pointer = LLVMGetOperand(primal, 0);
  uint64_t bytes = nb_store_size(linear->work->context, LLVMTypeOf(primal));
  if (linear->work->context->reads_again)
    return primal != load;
  return primal != load && is_own(linear, pointer) && nb_linear_memory_active(linear, pointer) &&
         (nb_activity_reuses(linear->activity, pointer) ||
          nb_types_also_hold(linear->types, pointer, bytes, NB_KIND_FLOAT, false));
}

static bool is_reused_object(const NbLinear *linear, LLVMValueRef pointer) {
  NbClass *class = nb_class_find(nb_objects_class(linear->objects, pointer));
  return nb_class_member_count(class) < 2 && nb_types_is_reused(linear->types, class);
}

/* A function that calls itself tells itself nothing. */
bool nb_linear_reuse_in_call(const NbLinear *linear, LLVMValueRef call) {
  bool told = nb_map_has(linear->objects->bindings, call);
  if (told || linear->work->request->mode == NB_MODE_FORWARD)
    return true;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef pointer = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
        nb_linear_has_shadow(linear, pointer) && is_own(linear, pointer) &&
        nb_linear_memory_active(linear, pointer) && is_reused_object(linear, pointer))
      return refuse(linear, call);
  }
  return true;
}
