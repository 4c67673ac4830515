// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The answers of the activity analysis, and its printer. */
#include "activity/flow.h"

#include <stdio.h>
#include <string.h>

static NbActivity *analyse(NbContext *context, const NbRequest *request, LLVMValueRef function,
                           NbObjects *objects, NbTypes *types) {
  NbActivity *activity = NB_NEW(context->arena, NbActivity);
  activity->context = context;
  activity->request = request;
  activity->function = function;
  activity->objects = objects;
  activity->types = types;
  activity->values = nb_map_new(context->arena);
  activity->classes = nb_map_new(context->arena);
  activity->carried = nb_map_new(context->arena);
  activity->copied = nb_map_new(context->arena);
  activity->copies = nb_map_new(context->arena);
  activity->bounds = nb_map_new(context->arena);
  activity->globals = nb_map_new(context->arena);
  nb_activity_find_regions(activity);
  nb_activity_flow(activity);
  return activity;
}

NbList nb_activity_bit_calls(NbContext *context, const NbRequest *request, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  NbList calls = nb_list(context->arena);
  NbObjects *objects = nb_objects_in(context, arena, function);
  NbActivity *activity = NULL;
  for (unsigned i = 0; i < nb_map_count(objects->bindings); i++) {
    LLVMValueRef call = (LLVMValueRef)nb_map_key(objects->bindings, i);
    if (!activity)
      activity = analyse(context, request, function, objects, nb_types_in(context, arena, objects));
    if (nb_activity_is_bit_call(activity, call))
      nb_list_push(&calls, call);
  }
  if (activity && !calls.count)
    calls = nb_activity_tag_calls(activity);
  nb_arena_free(arena);
  return calls;
}

bool nb_activity_check_integers(NbContext *context, const NbRequest *request,
                                LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  NbObjects *objects = nb_objects_in(context, arena, function);
  NbTypes *types = nb_types_in(context, arena, objects);
  bool changed = nb_activity_tag(analyse(context, request, function, objects, types));
  nb_arena_free(arena);
  return changed;
}

NbActivity *nb_activity_of(NbContext *context, const NbRequest *request, LLVMValueRef function,
                           NbObjects *objects, NbTypes *types) {
  NbActivity *activity = analyse(context, request, function, objects, types);
  nb_activity_choose_globals(activity);
  nb_activity_check(activity);
  if (!activity->refused && !request->observed)
    nb_activity_warn_of_lost(activity);
  return activity->refused ? NULL : activity;
}

bool nb_activity_value(NbActivity *activity, LLVMValueRef value) {
  const unsigned both = NB_VARIED | NB_USEFUL;
  return (nb_activity_bits(activity, value) & both) == both && nb_type_has_real(LLVMTypeOf(value));
}

bool nb_activity_class_shadowed(const NbActivity *activity, NbClass *class) {
  return nb_activity_class_active(activity, class) ||
         (nb_activity_class_bits(activity, class) & NB_SHADOWED);
}

bool nb_activity_pointer(NbActivity *activity, LLVMValueRef pointer) {
  NbClass *class = nb_value_class(activity->objects, pointer);
  return nb_activity_reaches(activity, class, nb_activity_class_shadowed);
}

bool nb_activity_parameter(NbActivity *activity, LLVMValueRef call, unsigned index) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  if (!binding || index >= LLVMCountParams(binding->callee))
    return false;
  NbClass *theirs = nb_value_class_known(binding->group, LLVMGetParam(binding->callee, index));
  NbClass *ours = theirs ? nb_map_get(binding->classes, theirs) : NULL;
  return ours && nb_activity_reaches(activity, ours, nb_activity_class_shadowed);
}

bool nb_activity_memory(NbActivity *activity, LLVMValueRef pointer) {
  return nb_activity_class_active(activity, nb_value_class(activity->objects, pointer));
}

/* A callee takes what leads to memory with a shadow to have one, too. */
static bool has_mixed(const NbActivity *activity, NbClass *class) {
  return nb_activity_class_mixed(activity, class) &&
         nb_activity_reaches(activity, class, nb_activity_class_shadowed);
}

bool nb_activity_mixed(NbActivity *activity, LLVMValueRef pointer, bool deep) {
  NbClass *class = nb_value_class(activity->objects, pointer);
  return deep ? nb_activity_reaches(activity, class, has_mixed)
              : nb_activity_class_mixed(activity, class);
}

/* Does the callee free memory that has a shadow, or write to floats or pointers with one? */
static bool changes_active(NbActivity *activity, const NbBinding *binding) {
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_map_get(binding->classes, theirs);
    bool written = (theirs->flags & NB_CLASS_WRITTEN) != 0;
    bool moved = (theirs->flags & NB_CLASS_FREED) || (written && nb_class_holds_pointers(theirs));
    if (moved && nb_activity_reaches(activity, ours, nb_activity_class_shadowed))
      return true;
    if (written && nb_activity_reaches(activity, ours, nb_activity_class_active))
      return true;
  }
  return false;
}

bool nb_activity_call(NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  if (!binding)
    return false;
  LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) != LLVMVoidTypeKind && nb_activity_value(activity, call))
    return true;
  if (nb_type_has_pointer(type) && nb_activity_pointer(activity, call))
    return true;
  return changes_active(activity, binding);
}

bool nb_activity_writes(NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  return binding && changes_active(activity, binding);
}

/* --- The printer. ----------------------------------------------------------------------------- */

static void print_value(LLVMValueRef value) {
  if (LLVMIsAArgument(value)) {
    fprintf(stderr, "  active %%%s\n", nb_name(value));
    return;
  }
  char *text = LLVMPrintValueToString(value);
  char *metadata = strstr(text, ", !");
  if (metadata)
    *metadata = 0;
  fprintf(stderr, "  active %s\n", text + strspn(text, " "));
  LLVMDisposeMessage(text);
}

static void print_classes(NbActivity *activity) {
  NbObjects *objects = activity->objects;
  NbArena *arena = nb_arena_new();
  NbMap *done = nb_map_new(arena);
  for (unsigned i = 0; i < nb_map_count(objects->values); i++) {
    NbClass *class = nb_map_get(objects->values, nb_map_key(objects->values, i));
    class = nb_class_find(class);
    if (nb_map_has(done, class) || !nb_activity_class_active(activity, class))
      continue;
    nb_map_set(done, class, class);
    char *name = nb_class_describe(arena, class);
    fprintf(stderr, "  active class %u %s\n", nb_class_number(class), name);
  }
  nb_arena_free(arena);
}

void nb_activity_print(NbActivity *activity) {
  fprintf(stderr, "activity of @%s\n", nb_name(activity->function));
  print_classes(activity);
  for (unsigned i = 0; i < LLVMCountParams(activity->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(activity->function, i);
    if (nb_activity_value(activity, parameter))
      print_value(parameter);
  }
  LLVMValueRef at = nb_instruction_first(activity->function);
  for (; at; at = nb_instruction_next(at)) {
    bool active =
        LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMVoidTypeKind && nb_activity_value(activity, at);
    if (active || (nb_is_call(at) && nb_activity_call(activity, at)))
      print_value(at);
  }
}

const NbLayout *nb_activity_copied(const NbActivity *activity, LLVMValueRef call) {
  NbLayout *layout = nb_map_get(activity->copied, call);
  if (layout)
    return layout;
  layout = NB_NEW(activity->context->arena, NbLayout);
  *layout = nb_types_transfer(activity->types, call);
  nb_map_set(activity->copied, call, layout);
  return layout;
}
