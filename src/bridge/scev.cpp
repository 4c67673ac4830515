// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Scalar evolution, and the library functions that LLVM knows. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace nabla;

static ScalarEvolution &evolution(NbAnalyses *analyses, NbLoop *loop) {
  return analyses->get<ScalarEvolutionAnalysis>(*loop_of(loop)->getHeader()->getParent());
}

static ScalarEvolution &evolution(NbAnalyses *analyses, LLVMValueRef place) {
  return analyses->get<ScalarEvolutionAnalysis>(function_of(place));
}

static NbScev *known_or_null(const SCEV *scev) {
  return isa<SCEVCouldNotCompute>(scev) ? nullptr : handle_of(scev);
}

NbScev *nb_scev_of(NbAnalyses *analyses, LLVMValueRef function, LLVMValueRef value) {
  ScalarEvolution &scalars = evolution(analyses, function);
  if (!scalars.isSCEVable(unwrap(value)->getType()))
    return nullptr;
  return known_or_null(scalars.getSCEV(unwrap(value)));
}

NbScev *nb_scev_backedges(NbAnalyses *analyses, NbLoop *loop) {
  if (!loop_of(loop)->getExitingBlock())
    return nullptr;
  return known_or_null(evolution(analyses, loop).getBackedgeTakenCount(loop_of(loop)));
}

bool nb_scev_is_affine(NbAnalyses *analyses, NbScev *scev, NbLoop *loop) {
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev_of(scev));
  if (!recurrence || !recurrence->isAffine() || recurrence->getLoop() != loop_of(loop))
    return false;
  ScalarEvolution &scalars = evolution(analyses, loop);
  const SCEV *step = recurrence->getStepRecurrence(scalars);
  return scalars.isLoopInvariant(recurrence->getStart(), loop_of(loop)) &&
         scalars.isLoopInvariant(step, loop_of(loop));
}

NbScev *nb_scev_step(NbAnalyses *analyses, NbScev *scev, NbLoop *loop) {
  const auto *recurrence = cast<SCEVAddRecExpr>(scev_of(scev));
  return handle_of(recurrence->getStepRecurrence(evolution(analyses, loop)));
}

NbScev *nb_scev_start(NbScev *scev) {
  return handle_of(cast<SCEVAddRecExpr>(scev_of(scev))->getStart());
}

NbScev *nb_scev_last(NbAnalyses *analyses, NbScev *scev, NbLoop *loop) {
  ScalarEvolution &scalars = evolution(analyses, loop);
  const SCEV *rounds = scalars.getBackedgeTakenCount(loop_of(loop));
  return handle_of(cast<SCEVAddRecExpr>(scev_of(scev))->evaluateAtIteration(rounds, scalars));
}

NbScev *nb_scev_minus(NbAnalyses *analyses, LLVMValueRef function, NbScev *left, NbScev *right) {
  return known_or_null(evolution(analyses, function).getMinusSCEV(scev_of(left), scev_of(right)));
}

static const SCEV *widened(ScalarEvolution &scalars, const SCEV *scev, Type *wide) {
  if (auto *cast = dyn_cast<SCEVIntegralCastExpr>(scev))
    return widened(scalars, cast->getOperand(), wide);
  if (auto *constant = dyn_cast<SCEVConstant>(scev))
    return scalars.getConstant(wide, constant->getAPInt().getSExtValue(), true);
  SmallVector<const SCEV *, 4> operands;
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev);
  if (recurrence || isa<SCEVAddExpr, SCEVMulExpr>(scev))
    for (const SCEV *operand : scev->operands())
      operands.push_back(widened(scalars, operand, wide));
  if (isa<SCEVAddExpr>(scev))
    return scalars.getAddExpr(operands);
  if (isa<SCEVMulExpr>(scev))
    return scalars.getMulExpr(operands);
  if (recurrence)
    return scalars.getAddRecExpr(operands, recurrence->getLoop(), SCEV::FlagAnyWrap);
  return scalars.getNoopOrSignExtend(scev, wide);
}

static const SCEV *widened(ScalarEvolution &scalars, const SCEV *scev) {
  Type *wide = Type::getInt64Ty(scalars.getContext());
  const bool fits =
      scev->getType()->isIntegerTy() && scalars.getTypeSizeInBits(scev->getType()) <= 64;
  return fits ? widened(scalars, scev, wide) : scalars.getCouldNotCompute();
}

NbScev *nb_scev_offset(NbAnalyses *analyses, LLVMValueRef function, LLVMValueRef pointer,
                       LLVMValueRef *base) {
  ScalarEvolution &scalars = evolution(analyses, function);
  const SCEV *address = scalars.getSCEV(unwrap(pointer));
  const auto *start = dyn_cast<SCEVUnknown>(scalars.getPointerBase(address));
  if (!start)
    return nullptr;
  *base = wrap(start->getValue());
  return known_or_null(widened(scalars, scalars.removePointerBase(address)));
}

NbScev *nb_scev_estimate(NbAnalyses *analyses, LLVMValueRef function, NbScev *scev) {
  return known_or_null(widened(evolution(analyses, function), scev_of(scev)));
}

NbScev *nb_scev_plus(NbAnalyses *analyses, LLVMValueRef function, NbScev *left, NbScev *right) {
  return handle_of(evolution(analyses, function).getAddExpr(scev_of(left), scev_of(right)));
}

NbScev *nb_scev_times(NbAnalyses *analyses, LLVMValueRef function, NbScev *left, NbScev *right) {
  return handle_of(evolution(analyses, function).getMulExpr(scev_of(left), scev_of(right)));
}

bool nb_scev_is_constant(NbScev *scev, int64_t *value) {
  const auto *constant = dyn_cast<SCEVConstant>(scev_of(scev));
  if (!constant || constant->getAPInt().getSignificantBits() > 64)
    return false;
  *value = constant->getAPInt().getSExtValue();
  return true;
}

unsigned nb_scev_widened_from(NbAnalyses *analyses, NbScev *scev, NbLoop *loop) {
  const auto *cast = dyn_cast<SCEVIntegralCastExpr>(scev_of(scev));
  if (!cast || isa<SCEVTruncateExpr>(cast))
    return 0;
  const SCEV *narrow = cast->getOperand();
  if (!nb_scev_is_affine(analyses, handle_of(narrow), loop))
    return 0;
  return narrow->getType()->getIntegerBitWidth();
}

uint64_t nb_zero_bits(LLVMValueRef integer) {
  const auto *instruction = cast<Instruction>(unwrap(integer));
  APInt zeros = computeKnownBits(instruction, instruction->getDataLayout()).Zero;
  return zeros.zextOrTrunc(64).getZExtValue();
}

bool nb_scev_range(NbAnalyses *analyses, LLVMValueRef function, NbScev *scev, int64_t *low,
                   int64_t *high) {
  const SCEV *integer = scev_of(scev);
  if (!integer->getType()->isIntegerTy() || integer->getType()->getIntegerBitWidth() > 64)
    return false;
  ConstantRange range = evolution(analyses, function).getSignedRange(integer);
  if (range.isEmptySet())
    return false;
  *low = range.getSignedMin().getSExtValue();
  *high = range.getSignedMax().getSExtValue();
  return true;
}

bool nb_scev_is_invariant(NbAnalyses *analyses, NbScev *scev, NbLoop *loop) {
  return evolution(analyses, loop).isLoopInvariant(scev_of(scev), loop_of(loop));
}

bool nb_scev_safe_to_expand(NbAnalyses *analyses, NbScev *scev, LLVMValueRef before) {
  auto expander = scev_expander(evolution(analyses, before), function_of(before));
  return expander.isSafeToExpandAt(scev_of(scev), &instruction_of(before));
}

LLVMValueRef nb_scev_expand(NbAnalyses *analyses, NbScev *scev, LLVMTypeRef type,
                            LLVMValueRef before) {
  auto expander = scev_expander(evolution(analyses, before), function_of(before));
  const auto place = instruction_of(before).getIterator();
  return wrap(expander.expandCodeFor(scev_of(scev), unwrap(type), place));
}

static const Function *callee_or_self(LLVMValueRef call_or_function) {
  if (auto *call = call_of(call_or_function))
    return call->isNoBuiltin() ? nullptr : call->getCalledFunction();
  return unwrap<Function>(call_or_function);
}

/* LLVM finds library functions by name, so theirs is the canonical one, but for the byte that says
 * "as written in assembly". A local function only happens to be called so. */
const char *nb_library_name(NbAnalyses *analyses, LLVMValueRef call_or_function) {
  const auto &library = analyses->get<TargetLibraryAnalysis>(function_of(call_or_function));
  const Function *callee = callee_or_self(call_or_function);
  LibFunc id;
  if (!callee || callee->hasLocalLinkage() || !library.getLibFunc(*callee, id) || !library.has(id))
    return nullptr;
  return GlobalValue::dropLLVMManglingEscape(callee->getName()).data();
}

bool nb_call_multiplies_and_adds(LLVMValueRef call) {
  const Function *callee = callee_or_self(call);
  return callee && callee->getIntrinsicID() == Intrinsic::fmuladd;
}
