// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/extent.h"

#include <string.h>

enum { MAX_DEPTH = 8 };

static unsigned depth_of(const NbWorkLoop *loop) { return loop ? loop->depth : 0; }

static NbSpan *span_in(const NbWork *work, NbScev *scev, const NbWorkLoop *loop,
                       const NbWorkLoop *outer);

/* Adds what one loop does with the value; false where it is not known. */
static bool add_loop(const NbWork *work, NbSpan *span, const NbWorkLoop *loop,
                     const NbWorkLoop *outer) {
  NbAnalyses *analyses = work->context->analyses;
  NbLoop *natural = nb_loop_of(analyses, loop->header);
  if (nb_scev_is_invariant(analyses, span->start, natural))
    return true;
  NbScev *rounds = nb_scev_backedges(analyses, natural);
  if (!rounds || !nb_scev_is_affine(analyses, span->start, natural))
    return false;
  span->steps[span->count] = nb_scev_step(analyses, span->start, natural);
  span->rounds[span->count] = span_in(work, rounds, loop->parent, outer);
  span->start = nb_scev_start(span->start);
  return span->rounds[span->count++] != NULL;
}

static bool steps_are_fixed(const NbWork *work, const NbSpan *span, const NbWorkLoop *loop,
                            const NbWorkLoop *outer) {
  NbAnalyses *analyses = work->context->analyses;
  for (; loop != outer; loop = loop->parent)
    for (unsigned i = 0; i < span->count; i++)
      if (!nb_scev_is_invariant(analyses, span->steps[i], nb_loop_of(analyses, loop->header)))
        return false;
  return true;
}

/* `outer` is the loop around all those that count, NULL for the function. */
static NbSpan *span_in(const NbWork *work, NbScev *scev, const NbWorkLoop *loop,
                       const NbWorkLoop *outer) {
  NbArena *arena = work->context->arena;
  unsigned depth = depth_of(loop) - depth_of(outer);
  if (depth > MAX_DEPTH)
    return NULL;
  NbSpan *span = NB_NEW(arena, NbSpan);
  *span = (NbSpan){scev, 0, NB_NEW_ARRAY(arena, NbScev *, depth + 1),
                   NB_NEW_ARRAY(arena, NbSpan *, depth + 1)};
  for (const NbWorkLoop *around = loop; around != outer; around = around->parent)
    if (!add_loop(work, span, around, outer))
      return NULL;
  return steps_are_fixed(work, span, loop, outer) ? span : NULL;
}

NbSpan *nb_span_of(const NbWork *work, LLVMValueRef value, LLVMValueRef base,
                   LLVMBasicBlockRef block, const NbWorkLoop *outer) {
  NbAnalyses *analyses = work->context->analyses;
  NbScev *scev = nb_scev_of(analyses, work->function, value);
  NbScev *origin = base ? nb_scev_of(analyses, work->function, base) : NULL;
  if (scev && base)
    scev = origin ? nb_scev_minus(analyses, work->function, scev, origin) : NULL;
  const NbWorkLoop *around = outer ? outer->parent : NULL;
  return scev ? span_in(work, scev, nb_work_block(work, block)->loop, around) : NULL;
}

bool nb_span_is_safe(const NbWork *work, const NbSpan *span, LLVMValueRef before) {
  NbAnalyses *analyses = work->context->analyses;
  if (!nb_scev_safe_to_expand(analyses, span->start, before))
    return false;
  for (unsigned i = 0; i < span->count; i++)
    if (!nb_scev_safe_to_expand(analyses, span->steps[i], before) ||
        !nb_span_is_safe(work, span->rounds[i], before))
      return false;
  return true;
}

/* --- Code --------------------------------------------------------------------------------------
 */

typedef struct Writer {
  const NbWork *work;
  LLVMBuilderRef builder;
  LLVMValueRef before;
} Writer;

static LLVMTypeRef integer_type(const Writer *writer) {
  return LLVMInt64TypeInContext(writer->work->context->llvm);
}

static LLVMValueRef write_scev(const Writer *writer, NbScev *scev, bool is_signed) {
  LLVMValueRef value = nb_scev_expand(writer->work->context->analyses, scev, NULL, writer->before);
  return LLVMBuildIntCast2(writer->builder, value, integer_type(writer), is_signed, "");
}

static LLVMValueRef magnitude(const Writer *writer, LLVMValueRef value) {
  LLVMTypeRef type = LLVMDoubleTypeInContext(writer->work->context->llvm);
  LLVMValueRef number = LLVMBuildSIToFP(writer->builder, value, type, "");
  LLVMValueRef zero = LLVMConstNull(type);
  LLVMValueRef negative = LLVMBuildFCmp(writer->builder, LLVMRealOLT, number, zero, "");
  LLVMValueRef opposite = LLVMBuildFNeg(writer->builder, number, "");
  return LLVMBuildSelect(writer->builder, negative, opposite, number, "");
}

static NbHull write_span(const Writer *writer, const NbSpan *span);

/* The distance that one loop adds goes to one end of the hull. */
static void widen(const Writer *writer, NbHull *hull, LLVMValueRef step, const NbHull *rounds) {
  LLVMBuilderRef builder = writer->builder;
  LLVMValueRef zero = LLVMConstNull(integer_type(writer));
  LLVMValueRef way = LLVMBuildMul(builder, step, rounds->greatest, "");
  LLVMValueRef down = LLVMBuildICmp(builder, LLVMIntSLT, way, zero, "");
  LLVMValueRef lower = LLVMBuildSelect(builder, down, way, zero, "");
  LLVMValueRef upper = LLVMBuildSelect(builder, down, zero, way, "");
  hull->least = LLVMBuildAdd(builder, hull->least, lower, "");
  hull->greatest = LLVMBuildAdd(builder, hull->greatest, upper, "");
  LLVMValueRef height = magnitude(writer, step);
  LLVMValueRef most =
      LLVMBuildFAdd(builder, magnitude(writer, rounds->greatest), rounds->reach, "");
  LLVMValueRef distance = LLVMBuildFMul(builder, height, most, "");
  hull->reach = LLVMBuildFAdd(builder, hull->reach, distance, "");
}

static NbHull write_span(const Writer *writer, const NbSpan *span) {
  LLVMValueRef start = write_scev(writer, span->start, false);
  NbHull hull = {start, start, magnitude(writer, start)};
  for (unsigned i = 0; i < span->count; i++) {
    LLVMValueRef step = write_scev(writer, span->steps[i], true);
    NbHull rounds = write_span(writer, span->rounds[i]);
    widen(writer, &hull, step, &rounds);
  }
  return hull;
}

NbHull nb_span_write(const NbWork *work, LLVMBuilderRef builder, const NbSpan *span,
                     LLVMValueRef before) {
  Writer writer = {work, builder, before};
  LLVMPositionBuilderBefore(builder, before);
  return write_span(&writer, span);
}
