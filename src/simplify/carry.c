// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Neighbours: where a loop reads u[i] and u[i + 1], the second is the first of the next iteration.
 * Its tangent goes there in a phi, and one load less is left in the loop. On the way back each
 * iteration adds to one element, not to two of which its neighbour has just added to one: that made
 * each wait for the one before, and kept the loop from being vectorised. (On loads of a primal this
 * is known as predictive commoning.)
 *
 * The primal keeps its loads, which the reverse sweep may repeat where it could not repeat a phi.
 */
#include "simplify/steps.h"

#include <llvm-c/DebugInfo.h>

enum { MAX_LOADS = 64 };

typedef struct Load {
  NbStatement *statement;
  NbScev *primal, *shadow; /* addresses, affine in the loop */
  LLVMValueRef carried;    /* the phi that takes its place; NULL */
} Load;

typedef struct Carry {
  NbLinear *linear;
  const NbWorkLoop *loop;
  NbLoop *natural;
  unsigned count;
  Load loads[MAX_LOADS];
  NbMap *replaced; /* value -> the phi whose tangent is the same */
} Carry;

/* --- Where it may be done --------------------------------------------------------------------- */

static bool is_always_run(const Carry *carry, const NbStatement *statement) {
  return nb_block_dominates(carry->linear->work->context->analyses,
                            LLVMGetInstructionParent(statement->origin), carry->loop->latch);
}

static NbScev *affine(const Carry *carry, LLVMValueRef address) {
  const NbWork *work = carry->linear->work;
  NbScev *scev = nb_scev_of(work->context->analyses, work->function, address);
  return scev && nb_scev_is_affine(work->context->analyses, scev, carry->natural) ? scev : NULL;
}

static void note_load(Carry *carry, NbStatement *statement) {
  if (carry->count == MAX_LOADS || !LLVMIsALoadInst(statement->origin) ||
      !is_always_run(carry, statement))
    return;
  Load load = {statement, affine(carry, LLVMGetOperand(statement->origin, 0)),
               affine(carry, statement->addresses[0]), NULL};
  if (load.primal && load.shadow)
    carry->loads[carry->count++] = load;
}

static bool may_write(const Carry *carry, const NbStatement *statement, const Load *load) {
  bool writes = statement->kind == NB_STATEMENT_STORE || statement->kind == NB_STATEMENT_ADD ||
                statement->kind == NB_STATEMENT_FILL || statement->kind == NB_STATEMENT_COPY ||
                statement->kind == NB_STATEMENT_CALL || statement->kind == NB_STATEMENT_ALLOCATE ||
                statement->kind == NB_STATEMENT_RELEASE;
  const NbContext *context = carry->linear->work->context;
  return writes && nb_memory_may_write(context->analyses, statement->origin,
                                       LLVMGetOperand(load->statement->origin, 0),
                                       nb_store_size(context, load->statement->type));
}

static bool is_constant_in_loop(const Carry *carry, const Load *load) {
  const NbWork *work = carry->linear->work;
  for (unsigned i = 0; i < work->block_count; i++) {
    if (work->blocks[i].loop != carry->loop)
      continue;
    for (const NbStatement *statement = carry->linear->blocks[i].first; statement;
         statement = statement->next)
      if (may_write(carry, statement, load))
        return false;
  }
  return true;
}

/* Does `ahead` read in each iteration what `load` reads in the next? */
static bool is_ahead(const Carry *carry, const Load *ahead, const Load *load) {
  const NbWork *work = carry->linear->work;
  NbAnalyses *analyses = work->context->analyses;
  NbScev *step = nb_scev_step(analyses, load->primal, carry->natural);
  return ahead != load && ahead->statement->type == load->statement->type &&
         nb_scev_minus(analyses, work->function, ahead->primal, load->primal) == step &&
         nb_scev_minus(analyses, work->function, ahead->shadow, load->shadow) == step;
}

static const Load *find_ahead(const Carry *carry, const Load *load) {
  for (unsigned i = 0; i < carry->count; i++)
    if (is_ahead(carry, &carry->loads[i], load))
      return &carry->loads[i];
  return NULL;
}

/* --- How it is done --------------------------------------------------------------------------- */

static NbStatement *new_statement(Carry *carry, NbStatementKind kind, LLVMValueRef origin,
                                  const Load *load) {
  NbArena *arena = carry->linear->work->context->arena;
  NbStatement *statement = NB_NEW(arena, NbStatement);
  statement->kind = kind;
  statement->width = carry->linear->width;
  statement->origin = statement->result = origin;
  statement->type = load->statement->type;
  statement->align = load->statement->align;
  statement->sources = NB_NEW_ARRAY(arena, NbSource, 3);
  nb_map_set(carry->linear->active, origin, origin);
  return statement;
}

/* The first iteration's load stands in front of the loop, which runs it whenever it is entered. */
static LLVMValueRef load_first(Carry *carry, const Load *load) {
  NbLinear *linear = carry->linear;
  NbContext *context = linear->work->context;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(carry->loop->preheader);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context->llvm, 0);
  LLVMValueRef primal =
      nb_scev_expand(context->analyses, nb_scev_start(load->primal), pointer, end);
  LLVMValueRef shadow =
      nb_scev_expand(context->analyses, nb_scev_start(load->shadow), pointer, end);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, end);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load->statement->origin));
  LLVMValueRef first = LLVMBuildLoad2(builder, load->statement->type, primal, "first");
  LLVMSetAlignment(first, LLVMGetAlignment(load->statement->origin));
  LLVMDisposeBuilder(builder);
  nb_map_set(linear->following, first, end);
  nb_map_set(linear->shown, shadow, primal);
  NbStatement *statement = new_statement(carry, NB_STATEMENT_LOAD, first, load);
  statement->addresses = NB_NEW_ARRAY(context->arena, LLVMValueRef, 1);
  statement->addresses[0] = shadow;
  nb_statement_append(&linear->blocks[nb_work_block(linear->work, carry->loop->preheader)->index],
                      statement);
  return first;
}

static void carry_over(Carry *carry, Load *load, const Load *ahead) {
  NbLinear *linear = carry->linear;
  LLVMValueRef first = load_first(carry, load);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(linear->work->context->llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(carry->loop->header));
  LLVMValueRef phi = LLVMBuildPhi(builder, load->statement->type, "carried");
  LLVMDisposeBuilder(builder);
  LLVMValueRef values[] = {first, ahead->statement->result};
  LLVMBasicBlockRef blocks[] = {carry->loop->preheader, carry->loop->latch};
  LLVMAddIncoming(phi, values, blocks, 2);
  nb_map_set(linear->following, phi, nb_work_first_after_phis(carry->loop->header));
  nb_map_set(linear->shown, phi, load->statement->origin);
  NbStatement *statement = new_statement(carry, NB_STATEMENT_PHI, phi, load);
  statement->count = 2;
  statement->sources[0].value = first;
  statement->sources[1].value = ahead->statement->result;
  nb_statement_prepend(&linear->blocks[nb_work_block(linear->work, carry->loop->header)->index],
                       statement);
  load->carried = phi;
  nb_map_set(carry->replaced, load->statement->result, phi);
}

static bool can_expand(const Carry *carry, const Load *load) {
  NbAnalyses *analyses = carry->linear->work->context->analyses;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(carry->loop->preheader);
  return nb_scev_safe_to_expand(analyses, nb_scev_start(load->primal), end) &&
         nb_scev_safe_to_expand(analyses, nb_scev_start(load->shadow), end);
}

static void carry_in_loop(NbLinear *linear, const NbWorkLoop *loop, NbMap *replaced) {
  const NbWork *work = linear->work;
  Carry carry = {.linear = linear, .loop = loop, .replaced = replaced};
  carry.natural = nb_loop_of(work->context->analyses, loop->header);
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *statement = work->blocks[i].loop == loop ? linear->blocks[i].first : NULL;
         statement; statement = statement->next)
      if (statement->kind == NB_STATEMENT_LOAD && !statement->either)
        note_load(&carry, statement);
  for (unsigned i = 0; i < carry.count; i++) {
    const Load *ahead = find_ahead(&carry, &carry.loads[i]);
    if (ahead && can_expand(&carry, &carry.loads[i]) &&
        is_constant_in_loop(&carry, &carry.loads[i]))
      carry_over(&carry, &carry.loads[i], ahead);
  }
  for (unsigned i = 0; i < carry.count; i++)
    if (carry.loads[i].carried)
      nb_simplify_remove(linear, carry.loads[i].statement);
}

static void rename_sources(const NbMap *replaced, NbStatement *statement) {
  for (unsigned i = 0; i < statement->count; i++) {
    NbSource *source = &statement->sources[i];
    LLVMValueRef phi = source->value ? nb_map_get(replaced, source->value) : NULL;
    if (phi)
      source->value = phi;
  }
}

void nb_simplify_carry(NbLinear *linear) {
  const NbWork *work = linear->work;
  if (!linear->effects || linear->width > 1)
    return;
  NbMap *replaced = nb_map_new(work->context->arena);
  for (unsigned i = 0; i < work->loop_count; i++)
    if (nb_work_is_innermost(work, &work->loops[i]) &&
        nb_work_is_left_at_end(work, &work->loops[i]))
      carry_in_loop(linear, &work->loops[i], replaced);
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next)
      rename_sources(replaced, statement);
  for (unsigned i = 0; i < nb_map_count(replaced); i++)
    nb_map_set(linear->active, nb_map_key(replaced, i), NULL);
}
