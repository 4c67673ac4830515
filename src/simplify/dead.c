// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tangents that are always zero, and tangents that nobody reads. Activity answers for values and
 * classes of memory; here it is the statements that are followed, one by one. */
#include "simplify/steps.h"

static bool is_zero(LLVMValueRef coefficient) {
  return coefficient && nb_is_constant(coefficient) && LLVMIsNull(coefficient);
}

/* Values whose tangent need not be zero, from none upwards. */
typedef struct Walk {
  NbLinear *linear;
  NbMap *found;
  bool changed;
} Walk;

static bool reads_nonzero(const Walk *walk, const NbStatement *statement) {
  for (unsigned i = 0; i < statement->count; i++) {
    const NbSource *source = &statement->sources[i];
    if (source->value && nb_map_has(walk->found, source->value) && !is_zero(source->coefficient))
      return true;
  }
  return false;
}

static void find(Walk *walk, LLVMValueRef value) {
  if (!value || nb_map_has(walk->found, value))
    return;
  nb_map_set(walk->found, value, value);
  walk->changed = true;
}

static void find_nonzero(Walk *walk, const NbStatement *statement) {
  bool opaque = statement->kind == NB_STATEMENT_LOAD || statement->kind == NB_STATEMENT_CALL;
  if (opaque || reads_nonzero(walk, statement))
    find(walk, statement->result);
}

static void drop_zeros(const Walk *walk, NbStatement *statement) {
  bool sum = statement->kind == NB_STATEMENT_SUM || statement->kind == NB_STATEMENT_STORE ||
             statement->kind == NB_STATEMENT_ADD;
  unsigned kept = 0;
  for (unsigned i = 0; i < statement->count; i++) {
    NbSource source = statement->sources[i];
    bool zero =
        !source.value || !nb_map_has(walk->found, source.value) || is_zero(source.coefficient);
    if (zero)
      source.value = NULL;
    if (!zero || !sum)
      statement->sources[kept++] = source;
  }
  statement->count = kept;
}

/* The statement goes, and its result has no tangent any more. */
static void forget(NbLinear *linear, const NbStatement *statement) {
  nb_simplify_remove(linear, statement);
  nb_map_set(linear->active, statement->result, NULL);
}

void nb_simplify_zero(NbLinear *linear) {
  Walk walk = {linear, nb_map_new(linear->work->context->arena), true};
  for (unsigned i = 0; i < linear->work->request->count; i++)
    if (linear->parameters[i] && nb_linear_is_active(linear, linear->parameters[i]))
      find(&walk, linear->parameters[i]);
  while (walk.changed) {
    walk.changed = false;
    for (unsigned i = 0; i < linear->work->block_count; i++)
      for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next)
        find_nonzero(&walk, statement);
  }
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next) {
      drop_zeros(&walk, statement);
      if (statement->result && !nb_map_has(walk.found, statement->result))
        forget(linear, statement);
    }
}

/* Statements with an effect are always needed, the others where their result is. */
static bool is_needed(const Walk *walk, const NbStatement *statement) {
  bool pure = statement->kind == NB_STATEMENT_SUM || statement->kind == NB_STATEMENT_CHOOSE ||
              statement->kind == NB_STATEMENT_PHI || statement->kind == NB_STATEMENT_LOAD ||
              statement->kind == NB_STATEMENT_SHUFFLE;
  return !pure || nb_map_has(walk->found, statement->result);
}

static void find_needed(Walk *walk, const NbStatement *statement) {
  if (!is_needed(walk, statement))
    return;
  for (unsigned i = 0; i < statement->count; i++)
    find(walk, statement->sources[i].value);
}

void nb_simplify_dead(NbLinear *linear) {
  const NbWork *work = linear->work;
  Walk walk = {linear, nb_map_new(work->context->arena), true};
  if (work->return_inst && work->request->result != NB_ROLE_CONST)
    find(&walk, LLVMGetOperand(work->return_inst, 0));
  while (walk.changed) {
    walk.changed = false;
    for (unsigned i = work->block_count; i-- > 0;)
      for (NbStatement *statement = linear->blocks[i].last; statement;
           statement = statement->previous)
        find_needed(&walk, statement);
  }
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next)
      if (!is_needed(&walk, statement))
        forget(linear, statement);
}
