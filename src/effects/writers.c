// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "effects/writers.h"

#include "effects/named.h"

/* A row says all that a function does with memory that is not the library's own. */
static bool writes_nothing(const NbContext *context, LLVMValueRef inst) {
  const NbRule *rule = LLVMIsACallInst(inst) ? nb_rule_of_call(context, inst, NULL) : NULL;
  if (!rule || (rule->kind != NB_RULE_INACTIVE && rule->kind != NB_RULE_TANGENT))
    return false;
  for (unsigned i = 0; i < rule->effect_count; i++)
    if (rule->effects[i].writes)
      return false;
  return true;
}

static bool meets_outside(const NbWriters *writers, NbClass *class) {
  return nb_class_is_external(class) && !nb_named_alone(writers->named, class);
}

bool nb_writers_meet(const NbWriters *writers, NbClass *one, NbClass *other) {
  return nb_class_find(one) == nb_class_find(other) ||
         (meets_outside(writers, one) && meets_outside(writers, other));
}

/* --- The indices ------------------------------------------------------------------------------ */

static NbWriterIndex new_index(NbArena *arena) {
  return (NbWriterIndex){nb_map_new(arena), nb_list(arena), nb_list(arena)};
}

static void push_once(NbList *list, NbWriter *writer) {
  if (list->count == 0 || list->items[list->count - 1] != writer)
    nb_list_push(list, writer);
}

static void add(NbWriters *writers, NbWriterIndex *index, NbClass *class, NbWriter *writer) {
  NbArena *arena = writers->work->context->arena;
  class = nb_class_find(class);
  NbList *own = nb_map_get(index->inside, class);
  if (!own) {
    own = NB_NEW(arena, NbList);
    *own = nb_list(arena);
    nb_map_set(index->inside, class, own);
  }
  push_once(own, writer);
  if (meets_outside(writers, class))
    push_once(&index->outside, writer);
}

/* May the call end the life of any memory? */
static bool may_end(const NbWriters *writers, LLVMValueRef call, const NbBinding *binding) {
  const NbRule *rule = nb_rule_of_call(writers->work->context, call, NULL);
  if (rule)
    return rule->kind == NB_RULE_FREE || rule->kind == NB_RULE_RESIZE;
  bool ends = !binding || binding->group->opaque;
  for (unsigned i = 0; !ends && i < nb_map_count(binding->classes); i++)
    ends = nb_class_find((NbClass *)nb_map_key(binding->classes, i))->flags & NB_WRITER_ENDS;
  return ends;
}

static void add_call(NbWriters *writers, NbWriter *writer) {
  const NbBinding *binding = nb_map_get(writers->objects->bindings, writer->inst);
  nb_list_push(&writers->written.anywhere, writer);
  if (nb_is_call(writer->inst) && may_end(writers, writer->inst, binding))
    nb_list_push(&writers->enders, writer);
  if (!binding || binding->group->opaque) {
    nb_list_push(&writers->calls.anywhere, writer);
    return;
  }
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = (NbClass *)nb_map_key(binding->classes, i);
    if (nb_class_find(theirs)->flags & NB_WRITER_CHANGES)
      add(writers, &writers->calls, nb_map_get(binding->classes, theirs), writer);
  }
}

/* What acts on the world may overwrite what the library returned before: gmtime its date, readdir
 * its entry, setenv what getenv found. */
static void add_library(NbWriters *writers, NbWriter *writer) {
  const NbRule *rule = nb_rule_of_call(writers->work->context, writer->inst, NULL);
  if (!rule->once || rule->reports || rule->noreturn)
    return;
  nb_list_push(&writers->libraries, writer);
  if (rule->result == NB_TYPE_POINTER && rule->returns == NB_NO_PARAMETER)
    nb_list_push(&writers->givers, writer);
}

static void add_writer(NbWriters *writers, NbWriter *writer) {
  LLVMValueRef pointer = nb_written_pointer(writer->inst);
  if (writes_nothing(writers->work->context, writer->inst))
    add_library(writers, writer);
  else if (pointer)
    add(writers, &writers->written, nb_objects_class(writers->objects, pointer), writer);
  else
    add_call(writers, writer);
}

void nb_writers_find(NbWriters *writers, NbWork *work, NbObjects *objects, const NbMap *spared) {
  NbArena *arena = work->context->arena;
  *writers = (NbWriters){work,
                         objects,
                         nb_map_new(arena),
                         nb_map_new(arena),
                         new_index(arena),
                         new_index(arena),
                         nb_list(arena),
                         nb_list(arena),
                         nb_list(arena)};
  unsigned count = 0;
  for (unsigned i = 0; i < work->block_count; i++) {
    uintptr_t position = 0;
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      nb_map_set(writers->position, inst, (void *)++position);
      if (!nb_memory_may_write_any(inst) || nb_map_has(spared, inst))
        continue;
      NbWriter *writer = NB_NEW(arena, NbWriter);
      *writer = (NbWriter){inst, &work->blocks[i], (unsigned)position, count++};
      add_writer(writers, writer);
    }
  }
}

/* --- The iteration ---------------------------------------------------------------------------- */

static void add_list(NbCandidates *candidates, const NbList *list) {
  if (list && list->count > 0)
    candidates->lists[candidates->count++] = list;
}

static void add_lists(const NbWriters *writers, NbCandidates *candidates,
                      const NbWriterIndex *index, NbClass *class) {
  if (meets_outside(writers, class))
    add_list(candidates, &index->outside);
  else
    add_list(candidates, nb_map_get(index->inside, nb_class_find(class)));
}

NbCandidates nb_writers_of(const NbWriters *writers, NbClass *class, bool by_bodies) {
  NbCandidates candidates = {.count = 0};
  add_lists(writers, &candidates, &writers->written, class);
  if (by_bodies)
    add_lists(writers, &candidates, &writers->calls, class);
  add_list(&candidates, by_bodies ? &writers->calls.anywhere : &writers->written.anywhere);
  if (nb_class_find(class)->flags & NB_CLASS_OPAQUE)
    add_list(&candidates, &writers->libraries);
  else if (meets_outside(writers, class))
    add_list(&candidates, &writers->givers);
  return candidates;
}

const NbWriter *nb_writers_next(NbCandidates *candidates) {
  const NbWriter *first = NULL;
  unsigned from = 0;
  for (unsigned i = 0; i < candidates->count; i++) {
    if (candidates->next[i] == candidates->lists[i]->count)
      continue;
    const NbWriter *writer = candidates->lists[i]->items[candidates->next[i]];
    if (first && first->index < writer->index)
      continue;
    first = writer;
    from = i;
  }
  if (first)
    candidates->next[from]++;
  return first;
}
