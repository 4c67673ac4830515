// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "effects/effects.h"

#include "checkpoint/checkpoint.h"
#include "effects/ahead.h"
#include "effects/delay.h"
#include "effects/named.h"
#include "effects/writers.h"
#include "objects/graph.h"
#include "objects/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Pairs of a reader and a writer that one function may ask LLVM about; beyond it, all is taken to
 * be overwritten. */
enum { PAIR_BUDGET = 1 << 20 };

struct NbEffects {
  NbMap *delayed; /* see effects/delay.h */
  NbMap *kept;    /* nb_effects_kept_arrays */
  NbList gone;    /* classes of stack arrays that die before the reverse sweep */
  NbWork *work;
  NbObjects *objects;
  unsigned budget;
  NbWriters writers;
  uint64_t *later; /* bit [from * words + to]: can control go on from the end of block `from`? */
  unsigned words;
  NbMap *answers; /* load -> 0 or 1; call -> a bit for each argument that survives */
  NbMap *losses;  /* load -> NbLoss */
};

/* Arrays that have a shadow live as long as that. Others only where they do not pile up: what the
 * reverse sweep needs of them goes to the tape. */
static void find_stack_arrays(NbEffects *effects, NbActivity *activity) {
  const NbWork *work = effects->work;
  for (unsigned i = 0; i < work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      if (!LLVMIsAAllocaInst(inst) || nb_work_is_frame_array(work, inst))
        continue;
      if (!work->blocks[i].loop || nb_activity_pointer(activity, inst))
        nb_map_set(effects->kept, inst, inst);
      else
        nb_list_push(&effects->gone, nb_objects_class(effects->objects, inst));
    }
}

static bool is_gone(const NbEffects *effects, const NbClass *class) {
  for (unsigned i = 0; i < effects->gone.count; i++)
    if (effects->gone.items[i] == class)
      return true;
  return false;
}

static uint64_t *row_of(const NbEffects *effects, unsigned block) {
  return effects->later + (size_t)block * effects->words;
}

static bool add_successors(NbEffects *effects, NbWorkBlock *block) {
  bool changed = false;
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block->block);
  uint64_t *row = row_of(effects, block->index);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
    unsigned next = nb_work_block(effects->work, LLVMGetSuccessor(last, s))->index;
    const uint64_t *from = row_of(effects, next);
    for (unsigned w = 0; w < effects->words; w++) {
      uint64_t bits = row[w] | from[w] | (w == next / 64 ? 1ull << next % 64 : 0);
      changed = changed || bits != row[w];
      row[w] = bits;
    }
  }
  return changed;
}

static void find_reachable(NbEffects *effects) {
  unsigned count = effects->work->block_count;
  effects->words = (count + 63) / 64;
  effects->later =
      NB_NEW_ARRAY(effects->work->context->arena, uint64_t, (size_t)effects->words *count);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = count; i-- > 0;)
      changed = add_successors(effects, &effects->work->blocks[i]) || changed;
  }
}

bool nb_effects_goes_on(const NbEffects *effects, const NbWorkBlock *from, const NbWorkBlock *to) {
  return row_of(effects, from->index)[to->index / 64] >> to->index % 64 & 1;
}

/* Can the writer run after the reader did, in any iteration? */
static bool runs_after(const NbEffects *effects, const NbWriter *writer, LLVMValueRef reader) {
  NbWorkBlock *block = nb_work_block_of(effects->work, reader);
  unsigned position = (unsigned)(uintptr_t)nb_map_get(effects->writers.position, reader);
  if (writer->block == block && writer->position > position)
    return true;
  return nb_effects_goes_on(effects, block, writer->block);
}

/* May whoever runs between the augmented forward and the reverse change the class? */
static NbLossKind changed_outside(const NbEffects *effects, NbClass *class) {
  const NbRequest *request = effects->work->request;
  if (request->top || !nb_class_is_external(class))
    return NB_LOSS_NONE;
  uint64_t parameters = nb_class_parameters(class);
  if (parameters >> 62 || !parameters)
    return NB_LOSS_REACHED;
  if (!request->overwritten)
    return NB_LOSS_ARGUMENT;
  for (unsigned i = 0; i < request->count && i < 62; i++)
    if ((parameters >> i & 1) && request->overwritten[i])
      return NB_LOSS_ARGUMENT;
  return NB_LOSS_NONE;
}

static bool is_constant_memory(LLVMValueRef pointer) {
  LLVMValueRef object = nb_memory_underlying(pointer);
  return LLVMIsAGlobalVariable(object) && LLVMIsGlobalConstant(object);
}

/* Writes to memory that the reader's memory is not. */
static bool is_apart(const NbEffects *effects, LLVMValueRef writer, NbClass *class) {
  LLVMValueRef written = nb_written_pointer(writer);
  return written &&
         !nb_writers_meet(&effects->writers, nb_objects_class(effects->objects, written), class);
}

/* Does the callee come to memory of its class by arguments alone, none of which leads to what the
 * pointer does? */
static bool is_passed_apart(NbEffects *effects, LLVMValueRef call, const NbClass *theirs,
                            LLVMValueRef pointer) {
  const NbBinding *binding = nb_map_get(effects->objects->bindings, call);
  NbAnalyses *analyses = effects->work->context->analyses;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    NbClass *class = nb_value_class_known(binding->group, LLVMGetParam(binding->callee, i));
    if (!class || nb_class_find(class) != theirs)
      continue;
    if (effects->budget == 0)
      return false;
    effects->budget--;
    if (!nb_memory_disjoint(analyses, effects->work->function, LLVMGetOperand(call, i), pointer))
      return false;
  }
  return nb_graph_stays_with_arguments(effects->objects, call);
}

/* Does the callee, by what is known of its body, do nothing of what the flags say with memory that
 * may be that behind the pointer? */
static bool is_spared(NbEffects *effects, LLVMValueRef writer, LLVMValueRef pointer,
                      unsigned changed) {
  const NbBinding *binding = nb_map_get(effects->objects->bindings, writer);
  if (!binding || binding->group->opaque)
    return false;
  NbClass *class = nb_objects_class(effects->objects, pointer);
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *key = (NbClass *)nb_map_key(binding->classes, i);
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, key)), *theirs = nb_class_find(key);
    if (!(theirs->flags & changed) || !nb_writers_meet(&effects->writers, ours, class) ||
        (ours != nb_class_find(class) && nb_named_alone(effects->writers.named, theirs)))
      continue;
    if (ours == nb_class_find(class) || !is_passed_apart(effects, writer, theirs, pointer))
      return false;
  }
  return true;
}

/* May the writer change what the load read? Within one class, memory may have become that of
 * another type since, so that what the types of the two accesses say (TBAA) counts only where they
 * stand at different places of the objects, however far an index goes. */
static bool changes(const NbEffects *effects, LLVMValueRef writer, LLVMValueRef load,
                    NbClass *class) {
  const NbContext *context = effects->work->context;
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  LLVMValueRef written = nb_written_pointer(writer);
  if (!written || nb_objects_class(effects->objects, written) != class)
    return nb_memory_may_write_access(context->analyses, writer, load);
  uint64_t size = nb_store_size(context, LLVMTypeOf(load));
  if (LLVMIsAStoreInst(writer)) {
    uint64_t bytes = nb_store_size(context, LLVMTypeOf(LLVMGetOperand(writer, 0)));
    NbOffsets there = nb_places_of(effects->objects->flat, written);
    NbOffsets here = nb_places_of(effects->objects->flat, pointer);
    if (!nb_place_meets(&there, bytes, &here, size))
      return nb_class_is_external(class) &&
             nb_memory_may_write_access(context->analyses, writer, load);
  }
  return nb_memory_may_write(context->analyses, writer, pointer, size);
}

static NbLoss lost(NbLossKind kind) { return (NbLoss){kind, NULL}; }

/* What the function itself does to the memory behind the pointer, of which the reader saw what it
 * held. What a library does with its own memory is not seen in the bodies that call it. */
static NbLoss lost_within(NbEffects *effects, LLVMValueRef reader, LLVMValueRef pointer) {
  const NbContext *context = effects->work->context;
  NbClass *class = nb_objects_class(effects->objects, pointer);
  bool library = (nb_class_find(class)->flags & NB_CLASS_OPAQUE) != 0;
  bool across = !library && !nb_without(context, NB_OPTIMISATION_ACROSS);
  bool is_load = LLVMIsALoadInst(reader) != NULL;
  NbCandidates candidates = nb_writers_of(&effects->writers, class, across);
  for (const NbWriter *writer; (writer = nb_writers_next(&candidates));) {
    if (!runs_after(effects, writer, reader) || is_apart(effects, writer->inst, class) ||
        (across && is_spared(effects, writer->inst, pointer, NB_WRITER_CHANGES)))
      continue;
    if (effects->budget == 0)
      return lost(NB_LOSS_BUDGET);
    effects->budget--;
    if (is_load && nb_store_is_ahead(effects->work, writer->inst, reader))
      continue;
    if (is_load ? changes(effects, writer->inst, reader, class)
                : nb_memory_may_write(context->analyses, writer->inst, pointer, NB_UNKNOWN_SIZE))
      return (NbLoss){NB_LOSS_OVERWRITTEN, writer->inst};
  }
  return lost(NB_LOSS_NONE);
}

static NbLoss loss_of(NbEffects *effects, LLVMValueRef reader, LLVMValueRef pointer) {
  if (nb_without(effects->work->context, NB_OPTIMISATION_EFFECTS))
    return lost(NB_LOSS_UNASKED);
  if (is_constant_memory(pointer))
    return lost(NB_LOSS_NONE);
  NbClass *class = nb_objects_class(effects->objects, pointer);
  NbLossKind outside = changed_outside(effects, class);
  if (outside || is_gone(effects, class))
    return lost(outside ? outside : NB_LOSS_GONE);
  return lost_within(effects, reader, pointer);
}

static bool survives(NbEffects *effects, LLVMValueRef call, LLVMValueRef pointer) {
  return loss_of(effects, call, pointer).kind == NB_LOSS_NONE;
}

static bool may_reload(NbEffects *effects, LLVMValueRef load) {
  NbLoss *loss = NB_NEW(effects->work->context->arena, NbLoss);
  *loss = nb_access_is_plain(load) ? loss_of(effects, load, LLVMGetOperand(load, 0))
                                   : lost(NB_LOSS_VOLATILE);
  nb_map_set(effects->losses, load, loss);
  return loss->kind == NB_LOSS_NONE;
}

/* One bit for each pointer argument that survives; only memory without pointers in it. A step of a
 * checkpointed loop is reversed right behind its forward sweep. */
static uint64_t surviving_arguments(NbEffects *effects, LLVMValueRef call) {
  uint64_t bits = 0;
  if (nb_checkpoint_asked(effects->work->context, effects->work->request))
    return UINT64_MAX;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < 64; i++) {
    LLVMValueRef pointer = LLVMGetOperand(call, i);
    bool asked = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
                 !nb_class_holds_pointers(nb_objects_class(effects->objects, pointer));
    if (asked && survives(effects, call, pointer))
      bits |= 1ull << i;
  }
  return bits;
}

static void answer(NbEffects *effects, LLVMValueRef inst) {
  NbArena *arena = effects->work->context->arena;
  LLVMValueRef callee = LLVMIsACallInst(inst) ? nb_callee(inst) : NULL;
  uint64_t *bits = NULL;
  if (LLVMIsALoadInst(inst)) {
    bits = NB_NEW(arena, uint64_t);
    *bits = may_reload(effects, inst);
  } else if (callee && LLVMCountBasicBlocks(callee) > 0) {
    bits = NB_NEW(arena, uint64_t);
    *bits = surviving_arguments(effects, inst);
  }
  if (bits)
    nb_map_set(effects->answers, inst, bits);
}

NbEffects *nb_effects_of(NbWork *work, NbObjects *objects, NbActivity *activity) {
  NbEffects *effects = NB_NEW(work->context->arena, NbEffects);
  effects->work = work;
  effects->objects = objects;
  effects->budget = PAIR_BUDGET;
  effects->delayed = nb_delayed_frees(work);
  effects->answers = nb_map_new(work->context->arena);
  effects->losses = nb_map_new(work->context->arena);
  effects->kept = nb_map_new(work->context->arena);
  effects->gone = nb_list(work->context->arena);
  find_stack_arrays(effects, activity);
  nb_writers_find(&effects->writers, work, objects, effects->delayed);
  find_reachable(effects);
  for (unsigned i = 0; i < work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst))
      answer(effects, inst);
  return effects;
}

LLVMValueRef nb_effects_delayed(const NbEffects *effects, LLVMValueRef call) {
  return nb_map_get(effects->delayed, call);
}

const NbMap *nb_effects_kept_arrays(const NbEffects *effects) { return effects->kept; }

bool nb_effects_reloadable(const NbEffects *effects, LLVMValueRef load) {
  const uint64_t *bits = nb_map_get(effects->answers, load);
  return bits && *bits;
}

bool nb_effects_survives(const NbEffects *effects, LLVMValueRef call, unsigned argument) {
  const uint64_t *bits = nb_map_get(effects->answers, call);
  return bits && argument < 64 && (*bits >> argument & 1) &&
         !nb_without(effects->work->context, NB_OPTIMISATION_ACROSS);
}

/* May the writer free memory of the class? */
static bool frees(NbEffects *effects, LLVMValueRef writer, LLVMValueRef pointer, NbClass *class) {
  const NbContext *context = effects->work->context;
  if (nb_written_pointer(writer) || !nb_is_call(writer))
    return false;
  const NbRule *rule = nb_rule_of_call(context, writer, NULL);
  if (rule && rule->kind != NB_RULE_FREE && rule->kind != NB_RULE_RESIZE)
    return false;
  if (rule)
    return nb_objects_class(effects->objects, LLVMGetOperand(writer, rule->operands[0])) == class;
  return !is_spared(effects, writer, pointer, NB_WRITER_ENDS) &&
         nb_memory_may_write(context->analyses, writer, pointer, NB_UNKNOWN_SIZE);
}

/* Is memory that was there before the function still there at its reverse? */
static bool lasts_outside(const NbEffects *effects, NbClass *class) {
  const NbRequest *request = effects->work->request;
  uint64_t parameters = nb_class_parameters(class);
  bool lasts = !(parameters >> 62 & 1) && parameters;
  for (unsigned i = 0; i < request->count && i < 62; i++)
    lasts = lasts && (!(parameters >> i & 1) || nb_request_lasts(request, i));
  return lasts || request->top;
}

/* Does the function return behind the block? Else an exception leaves it, and there is no reverse.
 */
static bool returns_behind(const NbEffects *effects, const NbWorkBlock *block) {
  const NbWork *work = effects->work;
  for (unsigned i = 0; i < work->block_count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(work->blocks[i].block);
    bool here = &work->blocks[i] == block || nb_effects_goes_on(effects, block, &work->blocks[i]);
    if (here && LLVMGetInstructionOpcode(end) == LLVMRet)
      return true;
  }
  return false;
}

bool nb_effects_lasts(NbEffects *effects, LLVMValueRef call, unsigned argument) {
  LLVMValueRef pointer = LLVMGetOperand(call, argument);
  NbClass *class = nb_objects_class(effects->objects, pointer);
  if (is_gone(effects, class) || (nb_class_is_external(class) && !lasts_outside(effects, class)))
    return false;
  for (unsigned i = 0; i < effects->writers.enders.count; i++) {
    const NbWriter *writer = effects->writers.enders.items[i];
    if (runs_after(effects, writer, call) && returns_behind(effects, writer->block) &&
        frees(effects, writer->inst, pointer, class))
      return false;
  }
  return true;
}

NbLoss nb_effects_loss(NbEffects *effects, LLVMValueRef load) {
  const NbLoss *loss = nb_map_get(effects->losses, load);
  if (nb_effects_reloadable(effects, load))
    return lost(NB_LOSS_NONE);
  if (!loss || (loss->kind != NB_LOSS_ARGUMENT && loss->kind != NB_LOSS_REACHED))
    return loss ? *loss : lost(NB_LOSS_UNASKED);
  NbLoss within = lost_within(effects, load, LLVMGetOperand(load, 0));
  return within.kind == NB_LOSS_OVERWRITTEN ? within : *loss;
}

void nb_effects_note_lasting(NbEffects *effects, LLVMValueRef load) {
  uint64_t *bits = NB_NEW(effects->work->context->arena, uint64_t);
  *bits = 1;
  nb_map_set(effects->answers, load, bits);
}

bool nb_effects_changed_by(NbEffects *effects, LLVMValueRef load,
                           bool (*stands)(const void *data, const NbWorkBlock *block),
                           bool (*matters)(const void *data, LLVMValueRef writer),
                           const void *data) {
  NbClass *class = nb_objects_class(effects->objects, LLVMGetOperand(load, 0));
  NbCandidates candidates = nb_writers_of(&effects->writers, class, false);
  for (const NbWriter *at; (at = nb_writers_next(&candidates));) {
    LLVMValueRef writer = at->inst;
    if ((stands && !stands(data, at->block)) || is_apart(effects, writer, class))
      continue;
    if (effects->budget == 0)
      return true;
    effects->budget--;
    if (changes(effects, writer, load, class) && (!matters || matters(data, writer)))
      return true;
  }
  return false;
}

bool nb_effects_lasts_in(NbEffects *effects, LLVMValueRef load, const NbWorkLoop *loop) {
  NbClass *class = nb_objects_class(effects->objects, LLVMGetOperand(load, 0));
  NbCandidates candidates = nb_writers_of(&effects->writers, class, false);
  for (const NbWriter *writer; (writer = nb_writers_next(&candidates));) {
    if (!nb_work_loop_contains(loop, writer->block->loop) || is_apart(effects, writer->inst, class))
      continue;
    if (effects->budget == 0)
      return false;
    effects->budget--;
    if (changes(effects, writer->inst, load, class))
      return false;
  }
  return true;
}

static void print_answer(const NbEffects *effects, LLVMValueRef inst) {
  char *text = LLVMPrintValueToString(inst);
  const char *shown = text + strspn(text, " ");
  uint64_t bits = *(uint64_t *)nb_map_get(effects->answers, inst);
  if (LLVMIsALoadInst(inst))
    fprintf(stderr, "  %s %s\n", bits ? "reload     " : "overwritten", shown);
  else
    fprintf(stderr, "  survives %#" PRIx64 " %s\n", bits, shown);
  LLVMDisposeMessage(text);
}

void nb_effects_print(const NbEffects *effects) {
  fprintf(stderr, "effects @%s\n", nb_name(effects->work->request->function));
  for (unsigned i = 0; i < nb_map_count(effects->answers); i++)
    print_answer(effects, (LLVMValueRef)nb_map_key(effects->answers, i));
  for (unsigned i = 0; i < nb_map_count(effects->delayed); i++) {
    LLVMValueRef call = (LLVMValueRef)nb_map_key(effects->delayed, i);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
      fprintf(stderr, "  delayed free of %s\n", nb_name(call));
  }
}
