// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What writing functions as C asks for: names of the source, and a few facts. */
#include "bridge/internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace nabla;

bool nb_constant_offset(LLVMModuleRef module, LLVMValueRef constant, int64_t *offset) {
  const auto *address = dyn_cast<GEPOperator>(unwrap(constant));
  const DataLayout &layout = unwrap(module)->getDataLayout();
  APInt bytes(layout.getIndexTypeSizeInBits(unwrap(constant)->getType()), 0);
  if (!address || !address->accumulateConstantOffset(layout, bytes))
    return false;
  *offset = bytes.getSExtValue();
  return true;
}

LLVMValueRef nb_switch_case(LLVMValueRef instruction, unsigned successor) {
  const auto &choice = cast<SwitchInst>(instruction_of(instruction));
  return wrap(SwitchInst::ConstCaseIt::fromSuccessorIndex(&choice, successor)->getCaseValue());
}

/* The test at the loop's end, as one whether to go on. */
static const ICmpInst *test_of(const Loop &loop, CmpInst::Predicate &predicate) {
  const BasicBlock *latch = loop.getLoopLatch();
  const auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  const auto *test =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (test)
    predicate = branch->getSuccessor(0) == loop.getHeader() ? test->getPredicate()
                                                            : test->getInversePredicate();
  return test;
}

bool nb_loop_runs_once(NbAnalyses *analyses, NbLoop *handle) {
  const Loop &loop = *loop_of(handle);
  auto &scalars = analyses->get<ScalarEvolutionAnalysis>(*loop.getHeader()->getParent());
  CmpInst::Predicate predicate;
  const ICmpInst *test = test_of(loop, predicate);
  if (!test || !scalars.isSCEVable(test->getOperand(0)->getType()))
    return false;
  const auto *next = dyn_cast<SCEVAddRecExpr>(scalars.getSCEV(test->getOperand(0)));
  const SCEV *bound = scalars.getSCEV(test->getOperand(1));
  if (!next || next->getLoop() != &loop || !next->isAffine() ||
      !scalars.isLoopInvariant(bound, &loop))
    return false;
  const SCEV *first = scalars.getMinusSCEV(next->getStart(), next->getStepRecurrence(scalars));
  return !isa<SCEVCouldNotCompute>(first) &&
         (scalars.isLoopEntryGuardedByCond(&loop, predicate, first, bound) ||
          scalars.isKnownPredicate(predicate, first, bound));
}

static void name_after(const DbgVariableRecord &record) {
  const DIExpression *expression = record.getExpression();
  if (record.getNumVariableLocationOps() != 1 || expression->getNumElements())
    return;
  Value *value = record.getVariableLocationOp(0);
  const bool local = value && (isa<Instruction>(value) || isa<Argument>(value));
  if (local && !value->getName().contains(NB_OF_SOURCE))
    value->setName(source_name(record) + Twine(NB_OF_SOURCE));
}

void nb_names_from_source(LLVMModuleRef module) {
  unwrap(module)->getContext().setDiscardValueNames(false);
  for (Function &function : *unwrap(module))
    for (Instruction &instruction : instructions(function))
      for (const DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
        name_after(record);
}
