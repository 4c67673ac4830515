// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The optimiser, and nabla, which counts iterations, write `x[j - 1]` as so many bytes from x, and
 * those as a sum with factors of 8 or -1. Taken apart, added up and divided by the size of an
 * element, that is the index again. As everywhere in the report, formats do not count. */
#include "explain/sums.h"

#include "explain/names.h"

#include <string.h>

enum { DEPTH_MAX = 12, SHIFT_MAX = 40, WIDTH_MAX = 64 };

#define TIMES_MAX (INT64_C(1) << SHIFT_MAX)

static void add(const NbLinear *linear, Sum *sum, LLVMValueRef value, int64_t times,
                unsigned depth);

/* --- Terms ----------------------------------------------------------------------------------- */

static void drop_empty(Sum *sum) {
  unsigned kept = 0;
  for (unsigned i = 0; i < sum->count; i++)
    if (sum->terms[i].times)
      sum->terms[kept++] = sum->terms[i];
  sum->count = kept;
}

static bool is_small(int64_t number) { return number < TIMES_MAX && number > -TIMES_MAX; }

static void add_term(Sum *sum, LLVMValueRef value, int64_t times) {
  sum->known = sum->known && is_small(times);
  for (unsigned i = 0; i < sum->count; i++)
    if (explain_number(sum->terms[i].value) == explain_number(value)) {
      sum->terms[i].times += times;
      return;
    }
  if (sum->count == SUM_TERMS || !sum->known) {
    sum->known = false;
    return;
  }
  sum->terms[sum->count++] = (SumTerm){value, times};
}

void explain_add(Sum *sum, const Sum *other, int64_t times) {
  sum->known = sum->known && other->known && is_small(times) && is_small(other->constant);
  for (unsigned i = 0; sum->known && i < other->count; i++)
    add_term(sum, other->terms[i].value, other->terms[i].times * times);
  sum->constant += sum->known ? other->constant * times : 0;
  sum->known = sum->known && is_small(sum->constant);
  drop_empty(sum);
}

static bool divide(Sum *sum, int64_t by) {
  bool whole = sum->known && sum->constant % by == 0;
  for (unsigned i = 0; i < sum->count; i++)
    whole = whole && sum->terms[i].times % by == 0;
  if (!whole)
    return false;
  sum->constant /= by;
  for (unsigned i = 0; i < sum->count; i++)
    sum->terms[i].times /= by;
  return true;
}

/* --- Operations ------------------------------------------------------------------------------ */

static bool is_number(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= WIDTH_MAX;
}

static bool is_shift(LLVMOpcode opcode) {
  return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

/* By how much the operation multiplies or divides; 0: it does not, or not by a constant. */
static int64_t factor_of(LLVMOpcode opcode, LLVMValueRef second) {
  bool factor = opcode == LLVMMul || opcode == LLVMUDiv || opcode == LLVMSDiv || is_shift(opcode);
  int64_t number = factor && is_number(second) ? LLVMConstIntGetSExtValue(second) : 0;
  if (is_shift(opcode))
    number = number > 0 && number < SHIFT_MAX ? INT64_C(1) << number : 0;
  return is_small(number) ? number : 0;
}

/* Does it only cut an index to 32 bits or more? */
static bool is_cut(LLVMValueRef value) {
  LLVMValueRef mask = LLVMGetInstructionOpcode(value) == LLVMAnd ? LLVMGetOperand(value, 1) : NULL;
  uint64_t bits = mask && is_number(mask) ? LLVMConstIntGetZExtValue(mask) : 0;
  return bits >= UINT32_MAX && (bits & (bits + 1)) == 0;
}

static void add_quotient(const NbLinear *linear, Sum *sum, LLVMValueRef value, int64_t times,
                         unsigned depth) {
  Sum inner = {.known = true};
  add(linear, &inner, LLVMGetOperand(value, 0), 1, depth);
  if (divide(&inner, factor_of(LLVMGetInstructionOpcode(value), LLVMGetOperand(value, 1))))
    explain_add(sum, &inner, times);
  else
    add_term(sum, value, times);
}

static void add_operation(const NbLinear *linear, Sum *sum, LLVMValueRef value, int64_t times,
                          unsigned depth) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
  int64_t factor = factor_of(opcode, right);
  if (opcode == LLVMAdd || opcode == LLVMSub) {
    add(linear, sum, left, times, depth);
    add(linear, sum, right, opcode == LLVMSub ? -times : times, depth);
  } else if (factor && (opcode == LLVMMul || opcode == LLVMShl)) {
    add(linear, sum, left, times * factor, depth);
  } else if (factor) {
    add_quotient(linear, sum, value, times, depth);
  } else if (is_cut(value)) {
    add(linear, sum, left, times, depth);
  } else {
    add_term(sum, value, times);
  }
}

static void add_parts(const NbLinear *linear, Sum *sum, LLVMValueRef value, int64_t times,
                      unsigned depth) {
  LLVMValueRef number = explain_number(value);
  sum->known = sum->known && is_small(times);
  if (number != value)
    add(linear, sum, number, times, depth + 1);
  else if (sum->known && depth < DEPTH_MAX && LLVMIsABinaryOperator(value))
    add_operation(linear, sum, value, times, depth + 1);
  else
    add_term(sum, value, times);
}

static void add(const NbLinear *linear, Sum *sum, LLVMValueRef value, int64_t times,
                unsigned depth) {
  bool is_sum = false;
  if (is_number(value)) {
    int64_t number = LLVMConstIntGetSExtValue(value);
    sum->known = sum->known && is_small(number) && is_small(times);
    sum->constant += sum->known ? number * times : 0;
  } else if (!LLVMIsAInstruction(value) || explain_name(linear, value, &is_sum)) {
    add_term(sum, value, times);
  } else {
    add_parts(linear, sum, value, times, depth);
  }
  drop_empty(sum);
}

/* --- Iterations ------------------------------------------------------------------------------ */

const NbWorkLoop *explain_counted(const NbLinear *linear, LLVMValueRef value) {
  const NbWork *work = linear->work;
  for (unsigned i = 0; i < work->loop_count; i++)
    if (work->loops[i].counter == value)
      return &work->loops[i];
  return NULL;
}

static int64_t times_of(const Sum *sum, LLVMValueRef value) {
  for (unsigned i = 0; i < sum->count; i++)
    if (sum->terms[i].value == value)
      return sum->terms[i].times;
  return 0;
}

/* In place of the counter stands what it is by a variable that goes up or down with it. */
static void tell_by_variable(const NbLinear *linear, Sum *sum, const NbWorkLoop *loop) {
  int64_t times = times_of(sum, loop->counter);
  const NbList *variables = explain_variables(linear, loop->header);
  for (unsigned i = 0; variables && i < variables->count; i++) {
    LLVMValueRef variable = variables->items[i];
    if (variable == loop->counter)
      continue;
    Sum own = {.known = true}, told = *sum;
    add_parts(linear, &own, variable, 1, 0);
    int64_t sign = times_of(&own, loop->counter);
    if (!own.known || (sign != 1 && sign != -1))
      continue;
    explain_add(&told, &own, -times * sign);
    add_term(&told, variable, times * sign);
    drop_empty(&told);
    if (told.known && told.count <= sum->count) {
      *sum = told;
      return;
    }
  }
}

Sum explain_sum(const NbLinear *linear, LLVMValueRef value) {
  Sum sum = {.known = true};
  bool is_sum = false;
  if (LLVMIsAInstruction(value) && !explain_name(linear, value, &is_sum))
    add_parts(linear, &sum, value, 1, 0);
  else
    add(linear, &sum, value, 1, 0);
  for (unsigned i = 0; sum.known && i < linear->work->loop_count; i++)
    if (times_of(&sum, linear->work->loops[i].counter))
      tell_by_variable(linear, &sum, &linear->work->loops[i]);
  return sum;
}

/* --- Addresses ------------------------------------------------------------------------------- */

static bool has_one_index(LLVMValueRef address) {
  return LLVMIsAGetElementPtrInst(address) && LLVMGetNumOperands(address) == 2;
}

LLVMValueRef explain_array(const NbLinear *linear, LLVMValueRef address, Sum *index) {
  LLVMTargetDataRef layout = linear->work->context->layout;
  bool is_sum = false;
  *index = (Sum){.known = true};
  do {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    Sum own = explain_sum(linear, LLVMGetOperand(address, 1));
    explain_add(index, &own, (int64_t)LLVMABISizeOfType(layout, type));
    address = LLVMGetOperand(address, 0);
  } while (has_one_index(address) && !explain_name(linear, address, &is_sum));
  int64_t size = nb_debug_element_size(address);
  return size && divide(index, size) ? address : NULL;
}

/* The bytes of one address computation. */
static void add_address(const NbLinear *linear, Sum *bytes, LLVMValueRef gep) {
  LLVMTargetDataRef layout = linear->work->context->layout;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      bytes->constant += (int64_t)LLVMOffsetOfElement(layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    type = i > 1 ? LLVMGetElementType(type) : type;
    Sum own = explain_sum(linear, index);
    explain_add(bytes, &own, (int64_t)LLVMABISizeOfType(layout, type));
  }
}

static bool is_element_of(LLVMValueRef address) {
  return LLVMIsAGetElementPtrInst(address) ||
         (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
}

LLVMValueRef explain_start(const NbLinear *linear, LLVMValueRef address, Sum *bytes) {
  bool is_sum = false;
  *bytes = (Sum){.known = true};
  if (!is_element_of(address) || explain_name(linear, address, &is_sum))
    return address;
  do {
    add_address(linear, bytes, address);
    address = LLVMGetOperand(address, 0);
  } while (is_element_of(address) && !explain_name(linear, address, &is_sum));
  return address;
}
