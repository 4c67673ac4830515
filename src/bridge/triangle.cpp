// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Recurrences whose step is one itself: what walks through a triangle, row by row, in the loop over
 * the rows. The inner loop may stand behind the question whether the row has any element; scalar
 * evolution takes what comes behind that for unknown, though the row that has none adds nothing. */
#include "bridge/internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

#include <optional>

using namespace llvm;
using namespace nabla;

namespace {

struct Triangle {
  ScalarEvolution &scalars;
  const Loop &loop;
  PHINode &phi;
};

/* Where an iteration goes past the inner loop. */
struct Detour {
  const BasicBlock *from = nullptr, *to = nullptr;
};

/* The question whether to take the detour: how the first stands to the second. */
struct Question {
  CmpInst::Predicate predicate;
  const SCEV *left, *right;
};

} // namespace

static const SCEVAddRecExpr *affine(const Triangle &triangle, const SCEV *scev) {
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev);
  if (!recurrence || !recurrence->isAffine() || recurrence->getLoop() != &triangle.loop)
    return nullptr;
  ScalarEvolution &scalars = triangle.scalars;
  const bool fixed =
      scalars.isLoopInvariant(recurrence->getStart(), &triangle.loop) &&
      scalars.isLoopInvariant(recurrence->getStepRecurrence(scalars), &triangle.loop);
  return fixed ? recurrence : nullptr;
}

/* What goes round, without the way past the inner loop, which is set. */
static Value *grown(const Triangle &triangle, Detour &past) {
  Value *next = triangle.phi.getIncomingValueForBlock(triangle.loop.getLoopLatch());
  auto *join = dyn_cast<PHINode>(next);
  if (!join || join->getNumIncomingValues() != 2 || join->getParent() == triangle.phi.getParent() ||
      is_contained(join->incoming_values(), join))
    return next;
  for (const unsigned i : {0U, 1U})
    if (join->getIncomingValue(i) == &triangle.phi) {
      past = {join->getIncomingBlock(i), join->getParent()};
      return join->getIncomingValue(1 - i);
    }
  return next;
}

static std::optional<Question> asked(const Triangle &triangle, const Detour &past) {
  auto *branch = dyn_cast<BranchInst>(past.from->getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return std::nullopt;
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  const bool taken = branch->getSuccessor(0) == past.to;
  const CmpInst::Predicate wanted =
      taken ? compare->getPredicate() : compare->getInversePredicate();
  const SCEV *left = triangle.scalars.getSCEV(compare->getOperand(0));
  const SCEV *right = triangle.scalars.getSCEV(compare->getOperand(1));
  if (affine(triangle, left))
    return Question{wanted, left, right};
  return Question{CmpInst::getSwappedPredicate(wanted), right, left};
}

/* Does the answer, where no wrapping around can change it, say which of two is the greater? */
static bool is_steady(const SCEVAddRecExpr *counted, CmpInst::Predicate predicate, bool at_least) {
  const CmpInst::Predicate without_sign = at_least ? CmpInst::ICMP_UGE : CmpInst::ICMP_ULE;
  const CmpInst::Predicate with_sign = at_least ? CmpInst::ICMP_SGE : CmpInst::ICMP_SLE;
  return predicate == CmpInst::ICMP_EQ ||
         (predicate == without_sign && counted->hasNoUnsignedWrap()) ||
         (predicate == with_sign && counted->hasNoSignedWrap());
}

/* Is nothing added in the last iteration, in which the count meets the end? Its number is said in
 * several ways, since scalar evolution may see through one of them alone. */
static bool adds_nothing_at_end(const Triangle &triangle, const SCEVAddRecExpr *counted,
                                const SCEV *end, const SCEV *last, const SCEVAddRecExpr *step) {
  ScalarEvolution &scalars = triangle.scalars;
  Type *wide = step->getType();
  SmallVector<const SCEV *, 3> numbers{scalars.getTruncateOrZeroExtend(last, wide)};
  if (counted->hasNoUnsignedWrap())
    numbers.push_back(
        scalars.getMinusSCEV(scalars.getTruncateOrZeroExtend(end, wide),
                             scalars.getTruncateOrZeroExtend(counted->getStart(), wide)));
  if (counted->hasNoSignedWrap())
    numbers.push_back(
        scalars.getMinusSCEV(scalars.getTruncateOrSignExtend(end, wide),
                             scalars.getTruncateOrSignExtend(counted->getStart(), wide)));
  return any_of(numbers, [&](const SCEV *number) {
    return step->evaluateAtIteration(number, scalars)->isZero();
  });
}

/* Is the detour taken in no iteration but the first, or the last, and is nothing added there? What
 * is asked about counts up by one, and meets what it is compared with in that iteration. */
static bool adds_nothing(const Triangle &triangle, const Detour &past, const SCEVAddRecExpr *step) {
  ScalarEvolution &scalars = triangle.scalars;
  const std::optional<Question> question = asked(triangle, past);
  const auto *counted = question ? affine(triangle, question->left) : nullptr;
  if (!counted || !triangle.loop.getExitingBlock() ||
      !scalars.isLoopInvariant(question->right, &triangle.loop) ||
      !counted->getStepRecurrence(scalars)->isOne())
    return false;
  const SCEV *last = scalars.getBackedgeTakenCount(&triangle.loop);
  if (isa<SCEVCouldNotCompute>(last) || counted->getType() != last->getType())
    return false;
  const bool from_first = is_steady(counted, question->predicate, false) &&
                          scalars.getMinusSCEV(counted->getStart(), question->right)->isZero();
  if (from_first && step->getStart()->isZero())
    return true;
  const SCEV *at_end = counted->evaluateAtIteration(last, scalars);
  return is_steady(counted, question->predicate, true) &&
         scalars.getMinusSCEV(at_end, question->right)->isZero() &&
         adds_nothing_at_end(triangle, counted, question->right, last, step);
}

bool nb_scev_triangle(NbAnalyses *analyses, LLVMValueRef phi, NbLoop *loop, NbScev **first,
                      NbScev **change) {
  Loop &rows = *loop_of(loop);
  PHINode &walking = *cast<PHINode>(unwrap(phi));
  ScalarEvolution &scalars = analyses->get<ScalarEvolutionAnalysis>(*rows.getHeader()->getParent());
  const Triangle triangle{scalars, rows, walking};
  Detour past;
  if (!rows.getLoopLatch() || !scalars.isSCEVable(walking.getType()))
    return false;
  const SCEV *next = scalars.getSCEVAtScope(grown(triangle, past), &rows);
  const SCEV *added = scalars.getMinusSCEV(next, scalars.getSCEV(&walking));
  const auto *step = affine(triangle, added);
  if (!step || (past.from && !adds_nothing(triangle, past, step)))
    return false;
  *first = handle_of(step->getStart());
  *change = handle_of(step->getStepRecurrence(scalars));
  return true;
}
