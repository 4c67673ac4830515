// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Chains of sums whose intermediate tangent is used once: vertex elimination (A. Griewank and
 * U. Naumann, "Accumulating Jacobians as chained sparse matrix products", 2003), as far as it is
 * never a loss. `t(r) = c * t(s)` disappears into the only statement that reads t(r), in whose
 * terms c * d takes the place of d: one multiplication of the reverse sweep less, and one residual
 * less where neither factor is at hand there. Both factors stay what the product can be computed
 * from, so that the minimum cut loses no choice.
 *
 * A product is formed only where it cannot overflow before the chain would (1e200 * 1e200 * 1e-300
 * is 1e100 from right to left): under `reassoc`, or where the factors' magnitudes are known. Behind
 * a speculated coefficient only copies and changes of sign are folded, since 0 * inf is guarded at
 * each statement by its own adjoint.
 *
 * Copies disappear into all their users. No statement that touches shadow memory moves. */
#include "simplify/steps.h"

#include <math.h>
#include <stdlib.h>

enum { NO_BOUND = 1 << 20, SPAN_OF_FLOAT = 60, SPAN_OF_DOUBLE = 500, MAX_TERMS = 64 };

typedef struct Fold {
  NbLinear *linear;
  NbMap *defined_by; /* value -> the one SUM that defines it */
  NbMap *uses;       /* value -> number of times that its tangent is read */
} Fold;

/* --- Coefficients ---------------------------------------------------------------------------- */

static bool constant_number(LLVMValueRef coefficient, double *number) {
  LLVMBool loses = false;
  *number = 1;
  if (!coefficient)
    return true;
  if (!LLVMIsAConstantFP(coefficient) ||
      LLVMGetTypeKind(LLVMTypeOf(coefficient)) == LLVMVectorTypeKind)
    return false;
  *number = LLVMConstRealGetDouble(coefficient, &loses);
  return true;
}

static bool is_number(LLVMValueRef coefficient, double wanted) {
  double number;
  return constant_number(coefficient, &number) && number == wanted;
}

/* The magnitude is zero, or within 2^-n and 2^n for the returned n. */
static unsigned span_of(LLVMValueRef coefficient) {
  double number;
  int exponent;
  if (constant_number(coefficient, &number)) {
    if (number == 0 || fabs(number) == 1)
      return 0;
    frexp(number, &exponent);
    return isfinite(number) ? (unsigned)abs(exponent) + 1 : NO_BOUND;
  }
  if (!LLVMIsAInstruction(coefficient))
    return NO_BOUND;
  switch (LLVMGetInstructionOpcode(coefficient)) {
  case LLVMFNeg:
    return span_of(LLVMGetOperand(coefficient, 0));
  case LLVMSelect: {
    unsigned yes = span_of(LLVMGetOperand(coefficient, 1));
    unsigned no = span_of(LLVMGetOperand(coefficient, 2));
    return yes > no ? yes : no;
  }
  case LLVMFMul:
    return span_of(LLVMGetOperand(coefficient, 0)) + span_of(LLVMGetOperand(coefficient, 1));
  default:
    return NO_BOUND;
  }
}

static bool may_reassociate(const NbStatement *statement) {
  return (nb_lower_flags(statement->origin) & LLVMFastMathAllowReassoc) != 0;
}

static bool is_single(LLVMTypeRef type) {
  return LLVMGetTypeKind(nb_scalar_type(type)) == LLVMFloatTypeKind;
}

/* Can the product neither overflow nor underflow where the chain would not? A factor of magnitude
 * one or zero loses nothing. */
static bool may_multiply(const NbStatement *inner, const NbSource *from, const NbStatement *outer,
                         const NbSource *to) {
  unsigned first = span_of(from->coefficient), second = span_of(to->coefficient);
  unsigned limit = is_single(LLVMTypeOf(from->value)) ? SPAN_OF_FLOAT : SPAN_OF_DOUBLE;
  return first == 0 || second == 0 || first + second <= limit ||
         (may_reassociate(inner) && may_reassociate(outer));
}

/* The builder folds constants; a product with one or minus one is none. */
static LLVMValueRef multiply(Fold *fold, const NbStatement *inner, const NbStatement *outer,
                             LLVMValueRef first, LLVMValueRef second) {
  if (nb_simplify_is_one(first))
    return second;
  if (nb_simplify_is_one(second))
    return first;
  LLVMBuilderRef builder = nb_builder_after(fold->linear, outer->origin);
  LLVMValueRef product;
  if (is_number(first, -1))
    product = LLVMBuildFNeg(builder, second, "");
  else if (is_number(second, -1))
    product = LLVMBuildFNeg(builder, first, "");
  else
    product = LLVMBuildFMul(builder, first, second, "partial");
  if (LLVMIsAInstruction(product))
    LLVMSetFastMathFlags(product, nb_lower_flags(inner->origin) & nb_lower_flags(outer->origin));
  LLVMDisposeBuilder(builder);
  return product;
}

/* --- Uses ------------------------------------------------------------------------------------ */

static unsigned uses_of(const Fold *fold, LLVMValueRef value) {
  return (unsigned)(uintptr_t)nb_map_get(fold->uses, value);
}

static void count_use(Fold *fold, LLVMValueRef value, int more) {
  uintptr_t count = uses_of(fold, value) + (unsigned)more;
  if (value)
    nb_map_set(fold->uses, value, (void *)count);
}

static void note_statement(Fold *fold, NbStatement *statement) {
  for (unsigned i = 0; i < statement->count; i++)
    if (statement->sources[i].value)
      count_use(fold, statement->sources[i].value, 1);
  if (statement->kind == NB_STATEMENT_SUM && !statement->member)
    nb_map_set(fold->defined_by, statement->result, statement);
}

static void note_uses(Fold *fold) {
  const NbWork *work = fold->linear->work;
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *statement = fold->linear->blocks[i].first; statement;
         statement = statement->next)
      note_statement(fold, statement);
  if (work->return_inst && work->request->result != NB_ROLE_CONST)
    count_use(fold, LLVMGetOperand(work->return_inst, 0), 1);
}

/* --- Folding --------------------------------------------------------------------------------- */

static const NbStatement *definition_of(const Fold *fold, const NbSource *source) {
  return source->value ? nb_map_get(fold->defined_by, source->value) : NULL;
}

/* The one source of a sum that has no other, of the same type as the result. */
static const NbSource *only_source(const NbStatement *sum) {
  bool single = sum && sum->count == 1 && sum->sources[0].value &&
                LLVMTypeOf(sum->sources[0].value) == LLVMTypeOf(sum->result);
  return single ? &sum->sources[0] : NULL;
}

static void drop_unused(Fold *fold, const NbStatement *sum) {
  if (uses_of(fold, sum->result) > 0)
    return;
  for (unsigned i = 0; i < sum->count; i++)
    count_use(fold, sum->sources[i].value, -1);
  nb_simplify_remove(fold->linear, sum);
  nb_map_set(fold->defined_by, sum->result, NULL);
  nb_map_set(fold->linear->active, sum->result, NULL);
}

static void read_instead(Fold *fold, NbSource *source, NbSource replacement) {
  count_use(fold, source->value, -1);
  count_use(fold, replacement.value, 1);
  *source = replacement;
}

static bool fold_copy(Fold *fold, NbSource *source) {
  const NbStatement *copy = definition_of(fold, source);
  const NbSource *from = only_source(copy);
  if (!from || !nb_simplify_is_one(from->coefficient))
    return false;
  read_instead(fold, source, (NbSource){from->value, source->coefficient});
  drop_unused(fold, copy);
  return true;
}

static bool runs_together(const Fold *fold, const NbStatement *inner, const NbStatement *outer) {
  const NbWork *work = fold->linear->work;
  return nb_work_block_of(work, inner->origin)->loop == nb_work_block_of(work, outer->origin)->loop;
}

static bool is_guarded(const NbStatement *inner, const NbSource *from, const NbStatement *outer,
                       const NbSource *to) {
  if (!inner->speculated && !outer->speculated)
    return false;
  bool sign = is_number(from->coefficient, -1) || nb_simplify_is_one(to->coefficient) ||
              is_number(to->coefficient, -1);
  return !sign || inner->speculated != outer->speculated;
}

/* Is the tangent cast to another type? A coefficient may then be of either. */
static bool is_cast(const NbStatement *outer, const NbSource *source) {
  LLVMTypeRef type = outer->result ? LLVMTypeOf(outer->result) : outer->type;
  LLVMTypeRef scalar = nb_scalar_type(LLVMTypeOf(source->value));
  bool mixed = source->coefficient && nb_scalar_type(LLVMTypeOf(source->coefficient)) != scalar;
  return mixed || (!outer->member && LLVMTypeOf(source->value) != type);
}

static bool fold_product(Fold *fold, NbStatement *outer, NbSource *source) {
  const NbStatement *inner = definition_of(fold, source);
  const NbSource *from = only_source(inner);
  if (!from || uses_of(fold, source->value) != 1 || is_cast(outer, source) ||
      !runs_together(fold, inner, outer) || is_guarded(inner, from, outer, source) ||
      !may_multiply(inner, from, outer, source))
    return false;
  LLVMValueRef product = multiply(fold, inner, outer, source->coefficient, from->coefficient);
  read_instead(fold, source, (NbSource){from->value, product});
  outer->pole = outer->pole || inner->pole;
  outer->product = outer->product || inner->product;
  drop_unused(fold, inner);
  return true;
}

/* --- Terms of one sum ------------------------------------------------------------------------ */

/* The sum of two coefficients; NULL where it may not be formed. */
static LLVMValueRef add(Fold *fold, const NbStatement *sum, const NbSource *left,
                        const NbSource *right) {
  double first, second;
  bool constant =
      constant_number(left->coefficient, &first) && constant_number(right->coefficient, &second);
  LLVMTypeRef type = LLVMTypeOf(left->value);
  bool scalar = LLVMGetTypeKind(type) != LLVMVectorTypeKind;
  if (constant && scalar && fabs(first) == 1 && fabs(second) == 1)
    return LLVMConstReal(type, first + second);
  if (!may_reassociate(sum) || !left->coefficient || !right->coefficient)
    return NULL;
  LLVMBuilderRef builder = nb_builder_after(fold->linear, sum->origin);
  LLVMValueRef value = LLVMBuildFAdd(builder, left->coefficient, right->coefficient, "partial");
  if (LLVMIsAInstruction(value))
    LLVMSetFastMathFlags(value, nb_lower_flags(sum->origin));
  LLVMDisposeBuilder(builder);
  return value;
}

static void drop_term(Fold *fold, NbStatement *sum, unsigned index) {
  count_use(fold, sum->sources[index].value, -1);
  sum->count--;
  for (unsigned i = index; i < sum->count; i++)
    sum->sources[i] = sum->sources[i + 1];
}

static bool merge_with(Fold *fold, NbStatement *sum, unsigned index, unsigned other) {
  NbSource *kept = &sum->sources[index];
  if (kept->value != sum->sources[other].value)
    return false;
  LLVMValueRef both = add(fold, sum, kept, &sum->sources[other]);
  if (!both)
    return false;
  kept->coefficient = both;
  drop_term(fold, sum, other);
  if (is_number(both, 0))
    drop_term(fold, sum, index);
  return true;
}

/* Terms of one tangent become one term. */
static void merge_terms(Fold *fold, NbStatement *sum) {
  for (unsigned i = 0; i < sum->count && sum->count <= MAX_TERMS; i++)
    for (unsigned k = i + 1; k < sum->count; k++)
      if (merge_with(fold, sum, i, k))
        k = i;
}

static void fold_statement(Fold *fold, NbStatement *statement) {
  bool sum = statement->kind == NB_STATEMENT_SUM || statement->kind == NB_STATEMENT_STORE ||
             statement->kind == NB_STATEMENT_ADD;
  for (unsigned i = 0; i < statement->count; i++) {
    NbSource *source = &statement->sources[i];
    while (fold_copy(fold, source) || (sum && fold_product(fold, statement, source)))
      continue;
  }
  if (sum)
    merge_terms(fold, statement);
}

void nb_simplify_fold(NbLinear *linear) {
  NbArena *arena = linear->work->context->arena;
  Fold fold = {linear, nb_map_new(arena), nb_map_new(arena)};
  note_uses(&fold);
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next)
      fold_statement(&fold, statement);
}
