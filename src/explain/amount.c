// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explain/amount.h"

#include "explain/explain.h"
#include "plan/reasons.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Stand for factors that no formula tells. */
#define ITERATIONS "iterations("
#define BYTES "bytes("

static const char *name_of(void *data, LLVMValueRef value) {
  const NbPlan *plan = data;
  const char *text = nb_explain_value(plan->linear, value);
  return strstr(text, "...") ? NULL : text;
}

static const NbWorkLoop *outermost(const NbWorkLoop *loop) {
  while (loop->parent)
    loop = loop->parent;
  return loop;
}

const char *nb_amount_formula(const NbPlan *plan, LLVMValueRef value, const NbWorkLoop *loop) {
  const NbWork *work = plan->linear->work;
  NbAnalyses *analyses = work->context->analyses;
  NbScev *scev = value ? nb_scev_of(analyses, work->function, value) : NULL;
  NbLoop *natural = loop ? nb_loop_of(analyses, outermost(loop)->header) : NULL;
  if (!scev || (natural && !nb_scev_is_invariant(analyses, scev, natural)))
    return NULL;
  NbScev *wide = nb_scev_estimate(analyses, work->function, scev);
  char *text = nb_scev_formula(scev, name_of, (void *)plan);
  if (text && wide && !strstr(text, " % ")) {
    LLVMDisposeMessage(text);
    text = nb_scev_formula(wide, name_of, (void *)plan);
  }
  if (!text)
    return NULL;
  const char *copy = nb_arena_copy(work->context->arena, text, strlen(text));
  LLVMDisposeMessage(text);
  return copy;
}

/* Is there an operator but `*` outside of all parentheses, which a factor must not have? */
static bool is_loose(const char *formula) {
  int depth = 0;
  for (const char *at = formula; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (depth == 0 && *at == ' ' && strncmp(at, " * ", strlen(" * ")) != 0 &&
        !(at > formula && at[-1] == '*'))
      return true;
  }
  return *formula == '-';
}

const char *nb_amount_often(const NbPlan *plan, const NbWorkLoop *loop) {
  NbArena *arena = plan->linear->work->context->arena;
  const char *text = "";
  for (; loop; loop = loop->parent) {
    const char *trips = nb_amount_formula(plan, loop->trips, loop);
    unsigned line = LLVMGetDebugLocLine(nb_reason_loop_place(loop));
    const char *factor = trips;
    if (!trips)
      factor = nb_arena_print(arena, ITERATIONS "line %u)", line);
    else if (is_loose(trips))
      factor = nb_arena_print(arena, "(%s)", trips);
    text = *text ? nb_arena_print(arena, "%s * %s", factor, text) : factor;
    if (!trips)
      break;
  }
  return text;
}

/* Of the two numbers that make up the bytes, the one that is known. */
static uint64_t size_of_place(const NbPlan *plan, LLVMValueRef origin) {
  if (LLVMIsAAllocaInst(origin))
    return LLVMABISizeOfType(plan->linear->work->context->layout, LLVMGetAllocatedType(origin));
  return LLVMConstIntGetZExtValue(LLVMGetOperand(origin, 1));
}

const char *nb_amount_of_copy(const NbPlan *plan, const NbStatement *copy) {
  NbArena *arena = plan->linear->work->context->arena;
  const NbWorkLoop *loop = nb_work_block_of(plan->linear->work, copy->origin)->loop;
  const char *bytes = nb_amount_formula(plan, LLVMGetOperand(copy->origin, 0), loop);
  const char *around = nb_amount_often(plan, loop);
  uint64_t size = size_of_place(plan, copy->origin);
  const char *own = bytes ? nb_arena_print(arena, "(%s)", bytes) : BYTES "of the elements)";
  if (bytes && size > 1)
    own = nb_arena_print(arena, "%" PRIu64 " * %s", size, own);
  return *around ? nb_arena_print(arena, "%s * %s", around, own) : own;
}

/* A product of numbers; 0 where it is none, or too large. */
static uint64_t number_of(const char *product) {
  uint64_t all = 1;
  for (const char *at = product; *at;) {
    char *end;
    uint64_t factor = strtoull(at, &end, 10);
    if (end == at || (*end && strncmp(end, " * ", strlen(" * ")) != 0) || factor == 0 ||
        all > UINT32_MAX || factor > UINT32_MAX)
      return 0;
    all *= factor;
    at = *end ? end + strlen(" * ") : end;
  }
  return all;
}

const char *nb_amount_total(const NbPlan *plan, uint64_t size, const char *product) {
  NbArena *arena = plan->linear->work->context->arena;
  if (strstr(product, ITERATIONS) || strstr(product, BYTES))
    return NULL;
  uint64_t number = number_of(product);
  if (number)
    return nb_arena_print(arena, "%" PRIu64, size * number);
  return size == 1 ? product : nb_arena_print(arena, "%" PRIu64 " * %s", size, product);
}
