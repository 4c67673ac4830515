// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Small facts about integers that index memory. */
#include "objects/places.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 6, MOST_SUMMANDS = 8, MOST_ZEROS = 20, WIDEST_RANGE = 1 << 16 };

static uint64_t factor_of(const NbPlaces *places, LLVMValueRef value, unsigned depth);

static uint64_t factor_of_constant(LLVMValueRef value) {
  if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return 1;
  int64_t number = LLVMConstIntGetSExtValue(value);
  return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

static uint64_t factor_of_sum(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  uint64_t a = factor_of(places, LLVMGetOperand(value, 0), depth - 1);
  return nb_gcd(a, factor_of(places, LLVMGetOperand(value, 1), depth - 1));
}

static uint64_t distance_of(const NbPlaces *places, LLVMValueRef a, LLVMValueRef b,
                            unsigned depth) {
  if (LLVMIsAPtrToIntInst(a) && LLVMIsAPtrToIntInst(b))
    return nb_places_distance(places, LLVMGetOperand(a, 0), LLVMGetOperand(b, 0));
  LLVMValueRef chosen = LLVMIsAPtrToIntInst(a) ? b : a;
  uint64_t factor = 0;
  if (!depth || !LLVMIsAPHINode(chosen))
    return 1;
  for (unsigned i = 0; i < LLVMCountIncoming(chosen); i++) {
    LLVMValueRef one = LLVMGetIncomingValue(chosen, i);
    factor = nb_gcd(factor,
                    distance_of(places, chosen == a ? one : a, chosen == a ? b : one, depth - 1));
  }
  return factor;
}

/* Where the distance of two pointers is counted in elements, C has it that these are whole. */
static uint64_t exact_divisor(LLVMValueRef distance) {
  for (LLVMUseRef use = LLVMGetFirstUse(distance); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
    bool divides = opcode == LLVMSDiv || opcode == LLVMAShr;
    LLVMValueRef by = divides ? LLVMGetOperand(user, 1) : NULL;
    if (!divides || !LLVMGetExact(user) || !LLVMIsAConstantInt(by) ||
        LLVMGetOperand(user, 0) != distance)
      continue;
    uint64_t number = LLVMConstIntGetZExtValue(by);
    if (opcode == LLVMSDiv && number > 1 && number < (1u << 20))
      return number;
    if (opcode == LLVMAShr && number > 0 && number < 20)
      return UINT64_C(1) << number;
  }
  return 1;
}

/* Of two addresses, the difference is that of places in one object. */
static uint64_t factor_of_difference(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
  uint64_t distance = distance_of(places, a, b, 3);
  if (distance == 1)
    distance = exact_divisor(value);
  return distance == 1 ? factor_of_sum(places, value, depth) : distance;
}

static uint64_t factor_of_product(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  uint64_t a = factor_of(places, LLVMGetOperand(value, 0), depth - 1);
  uint64_t b = factor_of(places, LLVMGetOperand(value, 1), depth - 1);
  return a > (1u << 20) || b > (1u << 20) ? 1 : a * b;
}

static uint64_t factor_of_shift(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  LLVMValueRef amount = LLVMGetOperand(value, 1);
  if (!LLVMIsAConstantInt(amount) || LLVMConstIntGetZExtValue(amount) > 20)
    return 1;
  uint64_t a = factor_of(places, LLVMGetOperand(value, 0), depth - 1);
  return a > (1u << 20) ? 1 : a << LLVMConstIntGetZExtValue(amount);
}

/* A division without a rest. */
static uint64_t factor_of_quotient(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  LLVMValueRef by = LLVMGetOperand(value, 1);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64)
    return 1;
  uint64_t divisor = LLVMConstIntGetZExtValue(by);
  if (opcode == LLVMAShr)
    divisor = divisor < 20 ? UINT64_C(1) << divisor : 0;
  uint64_t factor = factor_of(places, LLVMGetOperand(value, 0), depth - 1);
  bool exact = divisor && divisor <= (1u << 20) && factor % divisor == 0;
  return exact ? factor / divisor : 1;
}

static bool is_sum(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
}

/* Of what comes in from a loop, which adds to the phi in one step or several, that of the steps. */
static uint64_t factor_of_steps(const NbPlaces *places, LLVMValueRef phi, LLVMValueRef incoming,
                                unsigned depth) {
  LLVMValueRef open[MOST_SUMMANDS] = {incoming};
  unsigned count = 1, sums = 0;
  uint64_t factor = 0;
  while (count) {
    LLVMValueRef summand = open[--count];
    if (summand == phi)
      continue;
    if (is_sum(summand) && ++sums < MOST_SUMMANDS) {
      open[count++] = LLVMGetOperand(summand, 0);
      open[count++] = LLVMGetOperand(summand, 1);
      continue;
    }
    factor = nb_gcd(factor, factor_of(places, summand, depth / 2));
  }
  return factor;
}

static uint64_t factor_of_phi(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  uint64_t factor = 0;
  if (LLVMCountIncoming(value) == 1)
    return factor_of(places, LLVMGetIncomingValue(value, 0), depth);
  for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
    factor = nb_gcd(factor, factor_of_steps(places, value, LLVMGetIncomingValue(value, i), depth));
  return factor;
}

static uint64_t factor_of_choice(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  uint64_t a = factor_of(places, LLVMGetOperand(value, 1), depth - 1);
  return nb_gcd(a, factor_of(places, LLVMGetOperand(value, 2), depth - 1));
}

static uint64_t factor_by_operands(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
    return factor_of_sum(places, value, depth);
  case LLVMSub:
    return factor_of_difference(places, value, depth);
  case LLVMOr:
    return LLVMGetIsDisjoint(value) ? factor_of_sum(places, value, depth) : 1;
  case LLVMMul:
    return factor_of_product(places, value, depth);
  case LLVMShl:
    return factor_of_shift(places, value, depth);
  case LLVMAShr:
  case LLVMSDiv:
    return factor_of_quotient(places, value, depth);
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFreeze:
    return factor_of(places, LLVMGetOperand(value, 0), depth - 1);
  case LLVMPHI:
    return factor_of_phi(places, value, depth);
  case LLVMSelect:
    return factor_of_choice(places, value, depth);
  default:
    return 1;
  }
}

/* A hint says that so many bytes are a whole number of what it names (request/sites.c). */
static uint64_t factor_of_hint(LLVMValueRef user, LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(user) ? nb_callee(user) : NULL;
  const size_t prefix = strlen(NB_HINT_PREFIX);
  if (!callee || strncmp(nb_name(callee), NB_HINT_PREFIX, prefix) != 0 ||
      LLVMGetNumArgOperands(user) < 2 || LLVMGetOperand(user, 1) != value)
    return 0;
  const char *count = strchr(nb_name(callee) + prefix, '.');
  const char *bytes = count ? strchr(count + 1, '.') : NULL;
  return bytes ? strtoull(bytes + 1, NULL, 10) : 0;
}

static uint64_t factor_of_hints(LLVMValueRef value) {
  uint64_t factor = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    uint64_t hinted = factor_of_hint(LLVMGetUser(use), value);
    factor = factor && hinted ? nb_gcd(factor, hinted) : factor + hinted;
  }
  return factor ? factor : 1;
}

static uint64_t factor_of(const NbPlaces *places, LLVMValueRef value, unsigned depth) {
  if (LLVMIsAConstantInt(value))
    return factor_of_constant(value);
  uint64_t hinted = factor_of_hints(value);
  if (!depth || hinted > 1 || !LLVMIsAInstruction(value))
    return hinted;
  uint64_t factor = factor_by_operands(places, value, depth);
  uint64_t zeros = factor == 1 ? nb_zero_bits(value) : 0;
  for (unsigned i = 0; i < MOST_ZEROS && zeros & 1; i++, zeros >>= 1)
    factor *= 2;
  return factor;
}

uint64_t nb_integer_factor(const NbPlaces *places, LLVMValueRef value) {
  return factor_of(places, value, DEPTH);
}

/* What `prepare` found before it wrote the index in another form. */
static bool noted_least(LLVMValueRef value, int64_t *least) {
  uint64_t number;
  if (!LLVMIsAInstruction(value) || !nb_number_noted(value, NB_LEAST_INDEX, &number))
    return false;
  *least = (int64_t)number;
  return true;
}

/* The phis that the question is about already: taken to be natural, which their other incoming
 * values then prove by induction. */
typedef struct Assumed {
  LLVMValueRef phi;
  const struct Assumed *outer;
} Assumed;

static bool natural(LLVMValueRef value, unsigned depth, const Assumed *outer);

static bool natural_phi(LLVMValueRef phi, unsigned depth, const Assumed *outer) {
  for (const Assumed *at = outer; at; at = at->outer) {
    if (at->phi == phi)
      return true;
  }
  Assumed here = {phi, outer};
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    if (!natural(LLVMGetIncomingValue(phi, i), depth - 1, &here))
      return false;
  }
  return true;
}

static bool natural_both(LLVMValueRef value, unsigned depth, const Assumed *outer) {
  return natural(LLVMGetOperand(value, 0), depth - 1, outer) &&
         natural(LLVMGetOperand(value, 1), depth - 1, outer);
}

static bool natural(LLVMValueRef value, unsigned depth, const Assumed *outer) {
  if (LLVMIsAConstantInt(value))
    return LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 && LLVMConstIntGetSExtValue(value) >= 0;
  int64_t least;
  if (!depth || !LLVMIsAInstruction(value))
    return false;
  if (noted_least(value, &least))
    return true;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
    return true;
  case LLVMSExt:
  case LLVMFreeze:
    return natural(LLVMGetOperand(value, 0), depth - 1, outer);
  case LLVMPHI:
    return natural_phi(value, depth, outer);
  case LLVMAdd:
  case LLVMMul:
    return LLVMGetNSW(value) && natural_both(value, depth, outer);
  case LLVMShl:
    return LLVMGetNSW(value) && natural(LLVMGetOperand(value, 0), depth - 1, outer);
  case LLVMAnd:
    return natural(LLVMGetOperand(value, 0), depth - 1, outer) ||
           natural(LLVMGetOperand(value, 1), depth - 1, outer);
  case LLVMSRem:
    return natural(LLVMGetOperand(value, 0), depth - 1, outer);
  case LLVMOr:
  case LLVMUDiv:
  case LLVMURem:
  case LLVMSDiv:
    return natural_both(value, depth, outer);
  default:
    return false;
  }
}

/* The most that is left of a division, or of some bits, of what is not negative: scalar evolution
 * sees less, or nothing where no derivative is computed. */
static bool range_left(LLVMValueRef value, int64_t *low, int64_t *high) {
  while (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsAFreezeInst(value))
    value = LLVMGetOperand(value, 0);
  LLVMValueRef by = LLVMIsABinaryOperator(value) ? LLVMGetOperand(value, 1) : NULL;
  if (!by || !LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64 ||
      LLVMConstIntGetSExtValue(by) <= 0)
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  bool rest =
      opcode == LLVMURem || (opcode == LLVMSRem && natural(LLVMGetOperand(value, 0), DEPTH, NULL));
  *low = 0;
  *high = LLVMConstIntGetSExtValue(by) - rest;
  return rest || opcode == LLVMAnd;
}

/* As scalar evolution sees it, of what is a part of a function that is differentiated. */
static bool range_of(const NbPlaces *places, LLVMValueRef value, int64_t *low, int64_t *high) {
  const NbContext *context = places->objects->context;
  if (!context->analyses || !LLVMIsAInstruction(value))
    return false;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(value));
  if (!nb_map_has(context->primals, function))
    return false;
  NbScev *scev = nb_scev_of(context->analyses, function, value);
  if (!scev || !nb_scev_range(context->analyses, function, scev, low, high))
    return false;
  int64_t least, most;
  if (range_left(value, &least, &most)) {
    *low = *low < least ? least : *low;
    *high = *high > most ? most : *high;
  }
  return true;
}

bool nb_integer_is_natural(const NbPlaces *places, LLVMValueRef value) {
  int64_t low, high;
  return natural(value, DEPTH + 2, NULL) || (range_of(places, value, &low, &high) && low >= 0);
}

static bool is_bit(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1;
}

static bool is_chosen(LLVMValueRef value, unsigned depth, int64_t *low, int64_t *high);

static bool is_chosen_phi(LLVMValueRef phi, unsigned depth, int64_t *low, int64_t *high) {
  bool chosen = true;
  for (unsigned i = 0; i < LLVMCountIncoming(phi) && chosen; i++)
    chosen = is_chosen(LLVMGetIncomingValue(phi, i), depth, low, high);
  return chosen;
}

static void widen(int64_t first, int64_t last, int64_t *low, int64_t *high) {
  *low = first < *low ? first : *low;
  *high = last > *high ? last : *high;
}

/* Of a truth value, as such or made wider; without a sign only what is not negative stays what it
 * was. */
static bool is_chosen_wider(LLVMValueRef wider, unsigned depth, int64_t *low, int64_t *high) {
  LLVMValueRef from = LLVMGetOperand(wider, 0);
  bool sign = LLVMIsASExtInst(wider) != NULL;
  int64_t least = INT64_MAX, most = INT64_MIN;
  if (is_bit(from))
    widen(sign ? -1 : 0, sign ? 0 : 1, &least, &most);
  else if (!is_chosen(from, depth - 1, &least, &most) || (!sign && least < 0))
    return false;
  widen(least, most, low, high);
  return true;
}

/* Widens the range by the constants that the value is chosen from; false where it is made
 * otherwise. */
static bool is_chosen(LLVMValueRef value, unsigned depth, int64_t *low, int64_t *high) {
  bool constant = LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
  if (constant)
    widen(LLVMConstIntGetSExtValue(value), LLVMConstIntGetSExtValue(value), low, high);
  if (constant || !depth)
    return constant;
  if (LLVMIsASelectInst(value))
    return is_chosen(LLVMGetOperand(value, 1), depth - 1, low, high) &&
           is_chosen(LLVMGetOperand(value, 2), depth - 1, low, high);
  if (LLVMIsAPHINode(value))
    return is_chosen_phi(value, depth / 2, low, high);
  return (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value)) &&
         is_chosen_wider(value, depth, low, high);
}

bool nb_integer_is_chosen(LLVMValueRef value, int64_t *low, int64_t *high) {
  *low = INT64_MAX;
  *high = INT64_MIN;
  return LLVMIsAInstruction(value) && is_chosen(value, DEPTH, low, high) && *low > -WIDEST_RANGE &&
         *high < WIDEST_RANGE;
}

bool nb_integer_range(const NbPlaces *places, LLVMValueRef value, int64_t *low, int64_t *high) {
  if (nb_integer_is_chosen(value, low, high))
    return true;
  bool known = range_of(places, value, low, high) || range_left(value, low, high);
  return known && *low > -WIDEST_RANGE && *high < WIDEST_RANGE;
}

int64_t nb_integer_least(const NbPlaces *places, LLVMValueRef value) {
  int64_t low, high;
  if (noted_least(value, &low) && low < WIDEST_RANGE)
    return low;
  bool known = range_of(places, value, &low, &high) && low > 0 && low < WIDEST_RANGE;
  return known ? low : 0;
}
