// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that addresses cancel out of: distances, however they are added up.
 *
 * The weight of an integer is how often addresses go into it, modulo 2^64: 1 for an address, that
 * of `a` plus that of `b` for a + b. `end - 9 - (8 * half + start)` has weight 0, as `end - start`
 * has. What is computed from integers of weight 0 in any other way has weight 0, too. */
#include "objects/graph.h"

#include "base/names.h"

#include <string.h>

enum { MOST_STEPS = 1000, MOST_PHIS = 32 };

typedef struct {
  bool known;
  uint64_t number;
} Weight;

/* `weights`: of the phis, not known as long as all arms that were looked at lead back to them. */
typedef struct {
  LLVMValueRef phis[MOST_PHIS];
  Weight weights[MOST_PHIS];
  unsigned count, steps;
  bool addresses, failed; /* are there any; is there no telling */
} Weigher;

static const Weight unknown = {false, 0}, none = {true, 0};

static Weight weigh(Weigher *weigher, LLVMValueRef value);

static Weight fail(Weigher *weigher) {
  weigher->failed = true;
  return unknown;
}

static Weight weigh_sum(Weigher *weigher, LLVMValueRef value) {
  Weight a = weigh(weigher, LLVMGetOperand(value, 0));
  Weight b = weigh(weigher, LLVMGetOperand(value, 1));
  if (!a.known || !b.known)
    return unknown;
  const bool minus = LLVMGetInstructionOpcode(value) == LLVMSub;
  return (Weight){true, minus ? a.number - b.number : a.number + b.number};
}

static Weight weigh_multiple(Weigher *weigher, LLVMValueRef value) {
  Weight weight = weigh(weigher, LLVMGetOperand(value, 0));
  LLVMValueRef by = LLVMGetOperand(value, 1);
  if (!weight.known || !weight.number)
    return weight;
  const uint64_t number = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 0;
  const bool shifts = LLVMGetInstructionOpcode(value) == LLVMShl;
  if (!number || (shifts && number > 63))
    return fail(weigher);
  return (Weight){true, shifts ? weight.number << number : weight.number * number};
}

static bool find_phi(const Weigher *weigher, LLVMValueRef phi, unsigned *index) {
  for (*index = 0; *index < weigher->count; ++*index)
    if (weigher->phis[*index] == phi)
      return true;
  return false;
}

/* Of the arms that do not lead back to where the weight is asked for, the first. */
static void weigh_arms(Weigher *weigher, unsigned index) {
  LLVMValueRef phi = weigher->phis[index];
  for (unsigned i = 0; i < LLVMCountIncoming(phi) && !weigher->weights[index].known; i++)
    weigher->weights[index] = weigh(weigher, LLVMGetIncomingValue(phi, i));
}

static Weight weigh_phi(Weigher *weigher, LLVMValueRef phi) {
  unsigned index;
  if (find_phi(weigher, phi, &index))
    return weigher->weights[index];
  if (index == MOST_PHIS)
    return fail(weigher);
  weigher->phis[weigher->count++] = phi;
  weigher->weights[index] = unknown;
  weigh_arms(weigher, index);
  return weigher->weights[index];
}

/* One of two, whichever. */
static Weight weigh_either(Weigher *weigher, LLVMValueRef first, LLVMValueRef second) {
  Weight a = weigh(weigher, first);
  Weight b = weigh(weigher, second);
  if (a.known && b.known && a.number != b.number)
    return fail(weigher);
  return a.known ? a : b;
}

/* What is made of an address otherwise than by adding may be one in disguise. */
static Weight weigh_others(Weigher *weigher, LLVMValueRef value) {
  Weight all = none;
  for (int i = 0; i < LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    Weight weight = weigh(weigher, operand);
    if (weight.known && weight.number)
      return fail(weigher);
    if (!weight.known)
      all = unknown;
  }
  return all;
}

/* All bits turned around, an integer is its negative less 1. */
static Weight weigh_mask(Weigher *weigher, LLVMValueRef value) {
  LLVMValueRef mask = LLVMGetOperand(value, 1);
  if (!LLVMIsAConstantInt(mask) || LLVMConstIntGetSExtValue(mask) != -1)
    return weigh_others(weigher, value);
  Weight weight = weigh(weigher, LLVMGetOperand(value, 0));
  return (Weight){weight.known, 0 - weight.number};
}

static bool chooses(LLVMValueRef callee) {
  static const char *const names[] = {"llvm.umax.", "llvm.umin.", "llvm.smax.", "llvm.smin."};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(nb_name(callee), names[i], strlen(names[i])))
      return true;
  return false;
}

/* What memory holds, and what a function returns, is followed as such. */
static Weight weigh_call(Weigher *weigher, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  if (callee && chooses(callee))
    return weigh_either(weigher, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
  return callee && LLVMGetIntrinsicID(callee) ? weigh_others(weigher, call) : none;
}

static Weight weigh_address(Weigher *weigher) {
  weigher->addresses = true;
  return (Weight){true, 1};
}

static Weight weigh_instruction(Weigher *weigher, LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMPtrToInt:
    return weigh_address(weigher);
  case LLVMAdd:
  case LLVMSub:
    return weigh_sum(weigher, value);
  case LLVMMul:
  case LLVMShl:
    return weigh_multiple(weigher, value);
  case LLVMFreeze:
    return weigh(weigher, LLVMGetOperand(value, 0));
  case LLVMPHI:
    return weigh_phi(weigher, value);
  case LLVMSelect:
    return weigh_either(weigher, LLVMGetOperand(value, 1), LLVMGetOperand(value, 2));
  case LLVMXor:
    return weigh_mask(weigher, value);
  case LLVMCall:
    return weigh_call(weigher, value);
  case LLVMLoad:
  case LLVMInvoke:
  case LLVMICmp:
  case LLVMFCmp:
    return none;
  default:
    return weigh_others(weigher, value);
  }
}

static Weight weigh(Weigher *weigher, LLVMValueRef value) {
  if (weigher->failed || weigher->steps++ == MOST_STEPS)
    return fail(weigher);
  if (LLVMIsAConstantExpr(value))
    return LLVMGetConstOpcode(value) == LLVMPtrToInt ? weigh_address(weigher) : fail(weigher);
  return LLVMIsAInstruction(value) ? weigh_instruction(weigher, value) : none;
}

static void check_arms(Weigher *weigher, unsigned index) {
  LLVMValueRef phi = weigher->phis[index];
  weigh_arms(weigher, index);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    Weight arm = weigh(weigher, LLVMGetIncomingValue(phi, i));
    Weight known = weigher->weights[index];
    weigher->failed |= !arm.known || !known.known || arm.number != known.number;
  }
}

/* `addresses`: are there any in the integer? */
static Weight weight_of(LLVMValueRef integer, bool *addresses) {
  Weigher weigher = {.count = 0};
  Weight weight = weigh(&weigher, integer);
  for (unsigned i = 0; i < weigher.count && !weigher.failed; i++)
    check_arms(&weigher, i);
  *addresses = weigher.addresses;
  return weigher.failed ? unknown : weight;
}

bool nb_address_is_distance(LLVMValueRef integer) {
  LLVMOpcode opcode =
      LLVMIsAInstruction(integer) ? LLVMGetInstructionOpcode(integer) : LLVMUnreachable;
  if (opcode != LLVMSub && opcode != LLVMAdd)
    return false;
  bool addresses;
  Weight weight = weight_of(integer, &addresses);
  return addresses && weight.known && !weight.number;
}

bool nb_address_is_in(LLVMValueRef integer) {
  bool addresses;
  Weight weight = weight_of(integer, &addresses);
  return addresses && (!weight.known || weight.number);
}
