// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What sanitizers report of memory that is not needed: that it is null, not aligned, too small.
 * What the program stores there is dropped, so that nothing is wrong with it. Each report stands
 * behind a test of the address. A way that does nothing but report, and comes back to where the
 * other way leads or never, is not taken; where the optimiser has made the two ways one, the call
 * is dropped. A copy that is only looked at is rid of all reports so: what a program does that does
 * nothing wrong. */
#include "prepare/reports.h"

#include "objects/graph.h"

/* How far a report may be from the test, and the test from the address. */
enum { REPORT_BLOCKS = 3, ADDRESS_STEPS = 8 };

static bool is_report(NbContext *context, LLVMValueRef inst) {
  const NbRule *rule = LLVMIsACallInst(inst) ? nb_rule_of_call(context, inst, NULL) : NULL;
  return rule && rule->reports;
}

static bool does_nothing(NbContext *context, LLVMValueRef inst) {
  if (nb_is_call(inst))
    return is_report(context, inst) || nb_call_is_silent(context, inst);
  return LLVMGetInstructionOpcode(inst) != LLVMStore && !LLVMIsAAtomicRMWInst(inst) &&
         !LLVMIsAAtomicCmpXchgInst(inst);
}

/* Does each way from the block report, within `depth` more blocks, and do nothing else before it
 * comes to `join` (NULL: nowhere) or ends the program? */
static bool only_reports(NbContext *context, LLVMBasicBlockRef block, LLVMBasicBlockRef join,
                         unsigned depth) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool reported = false;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != end;
       at = LLVMGetNextInstruction(at)) {
    reported = reported || is_report(context, at);
    if (!does_nothing(context, at))
      return false;
  }
  if (LLVMIsAUnreachableInst(end))
    return true;
  if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end))
    return false;
  if (reported && join && LLVMGetNumSuccessors(end) == 1 && LLVMGetSuccessor(end, 0) == join)
    return true;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (!depth || !only_reports(context, LLVMGetSuccessor(end, i), NULL, depth - 1))
      return false;
  return true;
}

/* Is the number computed from the address of memory that is not needed, within `depth` steps?
 * `unneeded` NULL: every number counts. */
static bool is_of_address(const NbUnneeded *unneeded, LLVMValueRef value, unsigned depth) {
  if (!unneeded || nb_unneeded_need(unneeded, value) != NB_NEED_YES)
    return true;
  if (!depth || !LLVMIsAInstruction(value) || LLVMIsALoadInst(value))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    if (!LLVMValueIsBasicBlock(operand) && is_of_address(unneeded, operand, depth - 1))
      return true;
  }
  return false;
}

static bool leads_on(NbContext *context, LLVMValueRef branch, LLVMBasicBlockRef on) {
  if (only_reports(context, on, NULL, REPORT_BLOCKS))
    return false;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
    LLVMBasicBlockRef other = LLVMGetSuccessor(branch, i);
    if (other != on && !only_reports(context, other, on, REPORT_BLOCKS))
      return false;
  }
  return true;
}

/* The successor to which the program goes on where nothing is reported; NULL: no report stands
 * behind this branch. */
static LLVMBasicBlockRef way_on(NbContext *context, LLVMValueRef branch) {
  for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
    if (leads_on(context, branch, LLVMGetSuccessor(branch, i)))
      return LLVMGetSuccessor(branch, i);
  return NULL;
}

static bool settle(NbContext *context, const NbUnneeded *unneeded, LLVMBasicBlockRef block) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
  if ((!LLVMIsABranchInst(branch) && !LLVMIsASwitchInst(branch)) ||
      LLVMGetNumSuccessors(branch) < 2 ||
      !is_of_address(unneeded, LLVMGetOperand(branch, 0), ADDRESS_STEPS))
    return false;
  LLVMBasicBlockRef on = way_on(context, branch);
  if (!on)
    return false;
  if (!unneeded && LLVMIsABranchInst(branch))
    nb_overflow_exclude(block, LLVMGetCondition(branch), LLVMGetSuccessor(branch, 0) == on);
  nb_branch_settle(block, on);
  return true;
}

static bool names_address(const NbUnneeded *unneeded, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (is_of_address(unneeded, LLVMGetOperand(call, i), ADDRESS_STEPS))
      return true;
  return !unneeded;
}

static bool drop_calls(NbContext *context, const NbUnneeded *unneeded, LLVMValueRef function) {
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    if (!is_report(context, at) || LLVMIsAUnreachableInst(next) || !names_address(unneeded, at))
      continue;
    LLVMInstructionEraseFromParent(at);
    changed = true;
  }
  return changed;
}

bool nb_reports_drop(const NbWork *work, const NbUnneeded *unneeded) {
  bool changed = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    changed |= settle(work->context, unneeded, block);
  if (!changed || !unneeded)
    changed |= drop_calls(work->context, unneeded, work->function);
  return changed;
}
