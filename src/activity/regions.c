// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Regions: what a caller's analysis knows of the memory behind the arguments of a callee, on both
 * sides of the call. */
#include "activity/flow.h"

#include "checkpoint/checkpoint.h"
#include "models/models.h"
#include "request/registrations.h"

static unsigned flags_of(const NbRequest *request, const NbClass *theirs) {
  for (unsigned i = 0; i < request->region_count; i++) {
    if (request->regions[i].class == theirs->number)
      return request->regions[i].flags;
  }
  return 0;
}

/* Of each class of the working copy the flags of all regions that it may be, NB_REGION_SHADOWED
 * where one of them has a shadow. */
void nb_activity_find_regions(NbActivity *activity) {
  const NbRequest *request = activity->request;
  LLVMValueRef primal = request->function;
  if (!request->regions)
    return;
  NbObjects *summary = nb_summary_of(activity->context, primal);
  NbList pairs = nb_graph_match(activity->objects, activity->function, summary, primal);
  activity->regions = nb_map_new(activity->context->arena);
  for (unsigned i = 0; i < pairs.count; i += 2) {
    NbClass *ours = nb_class_find(pairs.items[i]);
    unsigned flags = flags_of(request, nb_class_find(pairs.items[i + 1]));
    if (!(flags & NB_REGION_CONST))
      flags |= NB_REGION_SHADOWED;
    if (!(flags & NB_REGION_REUSED))
      flags |= NB_REGION_OTHER;
    flags |= (unsigned)(uintptr_t)nb_map_get(activity->regions, ours);
    nb_map_set(activity->regions, ours, (void *)(uintptr_t)flags);
  }
}

unsigned nb_activity_region(const NbActivity *activity, NbClass *class) {
  class = nb_class_find(class);
  if (!activity->regions)
    return NB_REGION_SHADOWED | NB_REGION_LASTS;
  if (!nb_map_has(activity->regions, class))
    return NB_REGION_SHADOWED | NB_REGION_CONST | NB_REGION_LASTS;
  return (unsigned)(uintptr_t)nb_map_get(activity->regions, class);
}

static bool lasts(const NbActivity *activity, NbClass *class) {
  return nb_class_escapes(activity->objects, class) &&
         (nb_activity_region(activity, class) & NB_REGION_LASTS);
}

bool nb_activity_lasts(NbActivity *activity, LLVMValueRef pointer) {
  return lasts(activity, nb_value_class(activity->objects, pointer));
}

static bool has_flag(const NbActivity *activity, LLVMValueRef pointer, unsigned flag) {
  return (nb_value_class(activity->objects, pointer)->flags & flag) != 0;
}

bool nb_activity_takes_back(NbActivity *activity, LLVMValueRef pointer) {
  return has_flag(activity, pointer, NB_CLASS_HANDED);
}

/* Is memory of the class both allocated and freed within the user's call, and there before or
 * after it, perhaps? */
static bool is_released(const NbActivity *activity, NbClass *class) {
  const unsigned both = NB_CLASS_HEAP | NB_CLASS_FREED;
  if (activity->regions)
    return (nb_activity_region(activity, class) & NB_REGION_RELEASED) != 0;
  return (class->flags & both) == both && lasts(activity, class);
}

bool nb_activity_releases(NbActivity *activity, LLVMValueRef pointer) {
  return is_released(activity, nb_value_class(activity->objects, pointer));
}

bool nb_activity_is_given(const NbContext *context, LLVMValueRef callee) {
  return nb_custom_of(context, callee) || nb_models_has(context, callee) ||
         nb_checkpoint_of(context, callee);
}

static bool binds_heap(const NbBinding *binding, NbClass *class) {
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    const NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    if ((theirs->flags & NB_CLASS_HEAP) &&
        nb_class_find(nb_map_get(binding->classes, theirs)) == class)
      return true;
  }
  return false;
}

bool nb_activity_allocates_outside(NbActivity *activity, LLVMValueRef pointer) {
  NbClass *class = nb_value_class(activity->objects, pointer);
  const NbMap *bindings = activity->objects->bindings;
  if (!lasts(activity, class))
    return false;
  for (unsigned i = 0; i < nb_map_count(bindings); i++) {
    const NbBinding *binding = nb_map_get(bindings, nb_map_key(bindings, i));
    if (nb_activity_is_given(activity->context, binding->callee) && binds_heap(binding, class))
      return true;
  }
  return false;
}

bool nb_activity_frees_outside(NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  bool given =
      binding && !activity->regions && nb_activity_is_given(activity->context, binding->callee);
  for (unsigned i = 0; given && i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    bool outside = ours->parameters || (ours->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE));
    bool made = (ours->flags & NB_CLASS_HEAP) && lasts(activity, ours);
    if ((theirs->flags & NB_CLASS_FREED) && outside && made &&
        nb_activity_reaches(activity, ours, nb_activity_class_shadowed))
      return true;
  }
  return false;
}

static bool reuses(const NbActivity *activity, NbClass *class) {
  const unsigned marks = NB_REGION_REUSED | NB_REGION_OTHER;
  return activity->regions && (nb_activity_region(activity, class) & marks) == NB_REGION_REUSED;
}

bool nb_activity_reuses(const NbActivity *activity, LLVMValueRef pointer) {
  return reuses(activity, nb_value_class(activity->objects, pointer));
}

/* Is the callee to take care of shadows of pointers where there will be adjoints? */
static bool is_reused(const NbActivity *activity, NbClass *class) {
  bool seen = !nb_class_is_external(class) && nb_activity_class_active(activity, class) &&
              nb_types_is_reused(activity->types, class);
  return activity->request->mode == NB_MODE_REVERSE && (seen || reuses(activity, class));
}

/* May numbers take the place of pointers in memory that is there before or after the call? */
static bool is_overlaid(const NbActivity *activity, NbClass *class) {
  bool told = activity->regions && (nb_activity_region(activity, class) & NB_REGION_OVERLAID);
  bool seen = nb_class_is_external(class) && nb_activity_class_active(activity, class) &&
              nb_types_is_overlaid(activity->types, class);
  return activity->request->mode == NB_MODE_REVERSE && (told || seen);
}

bool nb_activity_overlays(const NbActivity *activity, LLVMValueRef pointer, uint64_t size) {
  NbClass *class = nb_class_find(nb_value_class(activity->objects, pointer));
  bool told = activity->regions && (nb_activity_region(activity, class) & NB_REGION_OVERLAID);
  return told || (nb_class_is_external(class) &&
                  nb_types_overlays(activity->types, pointer, size, NB_KIND_POINTER));
}

/* Keeps the list in the order of the classes' numbers. */
static void insert(NbRegion *regions, unsigned count, NbRegion region) {
  for (; count && regions[count - 1].class > region.class; count--)
    regions[count] = regions[count - 1];
  regions[count] = region;
}

/* Has the class no shadow? Where pointers are only moved on, as integers, no analysis of this
 * function has met them: what is told from outside counts. */
static bool is_known_const(const NbActivity *activity, NbClass *class) {
  if (class->flags & NB_CLASS_POINTED)
    return !nb_activity_reaches(activity, class, nb_activity_class_shadowed);
  return !(nb_activity_region(activity, class) & NB_REGION_SHADOWED);
}

/* Is the callee to note what it frees, or to look for what it has allocated? */
static bool is_passed_on(const NbActivity *activity, const NbBinding *binding, NbClass *theirs) {
  return activity->request->mode == NB_MODE_REVERSE &&
         !nb_activity_is_given(activity->context, binding->callee) &&
         (theirs->flags & (NB_CLASS_HEAP | NB_CLASS_FREED)) &&
         is_released(activity, nb_class_find(nb_map_get(binding->classes, theirs)));
}

unsigned nb_activity_regions(NbActivity *activity, LLVMValueRef call, NbRegion **regions) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  unsigned all = binding ? nb_map_count(binding->classes) : 0;
  unsigned count = 0;
  bool heap = false;
  *regions = NB_NEW_ARRAY(activity->context->arena, NbRegion, all + 1);
  for (unsigned i = 0; i < all; i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    NbRegion region = {theirs->number, 0};
    heap |= (theirs->flags & (NB_CLASS_HEAP | NB_CLASS_FREED)) != 0;
    if (is_known_const(activity, ours))
      region.flags |= NB_REGION_CONST;
    if ((theirs->flags & NB_CLASS_HEAP) && lasts(activity, ours))
      region.flags |= NB_REGION_LASTS;
    if (nb_activity_works_on_class(activity, call, theirs))
      region.flags |= NB_REGION_BITS;
    if (is_passed_on(activity, binding, theirs))
      region.flags |= NB_REGION_RELEASED;
    if (is_reused(activity, ours))
      region.flags |= NB_REGION_REUSED;
    else if (is_overlaid(activity, ours))
      region.flags |= NB_REGION_OVERLAID;
    if (region.flags)
      insert(*regions, count++, region);
  }
  if (!count && !heap)
    *regions = NULL;
  return count;
}
