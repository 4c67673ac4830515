// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Scalar evolution's expressions as formulas for people. */
#include "bridge/internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <string>

using namespace llvm;
using namespace nabla;

namespace {

/* The x of `1 + (4 * x - 4) / 4`, as a loop is counted that was unrolled before; null: it is not
 * so. */
const SCEV *counted_by_several(const SCEV *scev) {
  const auto *sum = dyn_cast<SCEVAddExpr>(scev);
  const auto *divided =
      sum && sum->getNumOperands() == 2 ? dyn_cast<SCEVUDivExpr>(sum->getOperand(1)) : nullptr;
  const auto *rest = divided ? dyn_cast<SCEVAddExpr>(divided->getLHS()) : nullptr;
  const auto *product =
      rest && rest->getNumOperands() == 2 ? dyn_cast<SCEVMulExpr>(rest->getOperand(1)) : nullptr;
  if (!product || product->getNumOperands() != 2 || !sum->getOperand(0)->isOne())
    return nullptr;
  const auto *step = dyn_cast<SCEVConstant>(divided->getRHS());
  const auto *less = dyn_cast<SCEVConstant>(rest->getOperand(0));
  const bool same = step && less && product->getOperand(0) == step;
  return same && less->getAPInt() == -step->getAPInt() ? product->getOperand(1) : nullptr;
}

const SCEV *without_casts(const SCEV *scev) {
  while (const auto *cast = dyn_cast<SCEVIntegralCastExpr>(scev))
    scev = cast->getOperand();
  return scev;
}

/* Which bits of an int are left out where it is divided by a power of two. */
unsigned bits_divided_away(const SCEV *scev) {
  const auto *divided = dyn_cast<SCEVUDivExpr>(scev);
  const auto *by = divided ? dyn_cast<SCEVConstant>(divided->getRHS()) : nullptr;
  return by && by->getAPInt().isPowerOf2() ? by->getAPInt().logBase2() : 0;
}

/* Writes a formula; how tightly its text binds tells where parentheses are needed. */
struct Formula {
  enum Binding { Sum, Product, Tight };
  NbNamer *name;
  void *data;
  bool known = true;

  std::string in(const SCEV *scev, Binding around) {
    Binding own = Tight;
    std::string text = of(scev, own);
    return own < around ? "(" + text + ")" : text;
  }

  std::string unknown() {
    known = false;
    return "";
  }

  static bool is_negative(const SCEV *scev) {
    if (auto *product = dyn_cast<SCEVMulExpr>(scev))
      scev = product->getOperand(0);
    auto *constant = dyn_cast<SCEVConstant>(scev);
    return constant && constant->getAPInt().isNegative();
  }

  std::string number(const APInt &value) {
    SmallString<24> text;
    value.toString(text, 10, true);
    return std::string(text);
  }

  /* The maximum in `max(2, n) - 2`, which is `max(0, n - 2)`; null: the sum is no such one. */
  static const SCEVSMaxExpr *cut_off(const SCEVAddExpr &scev) {
    const auto *less = dyn_cast<SCEVConstant>(scev.getOperand(0));
    const SCEV *most = scev.getOperand(scev.getNumOperands() - 1);
    const auto *maximum = dyn_cast<SCEVSMaxExpr>(without_casts(most));
    const auto *least = maximum ? dyn_cast<SCEVConstant>(maximum->getOperand(0)) : nullptr;
    const bool pair =
        scev.getNumOperands() == 2 && less && maximum && maximum->getNumOperands() == 2;
    return pair && least && less->getAPInt().getSExtValue() == -least->getAPInt().getSExtValue()
               ? maximum
               : nullptr;
  }

  std::string from_zero(const SCEVSMaxExpr &maximum) {
    const bool more = !is_negative(maximum.getOperand(0));
    const std::string least = number(cast<SCEVConstant>(maximum.getOperand(0))->getAPInt());
    return "max(0, " + in(maximum.getOperand(1), Sum) +
           (more ? " - " + least : " + " + least.substr(1)) + ")";
  }

  /* What has a minus sign stands last, so that no sum begins with it. */
  std::string sum(const SCEVAddExpr &scev) {
    std::string text;
    for (const SCEV *operand : scev.operands())
      if (!is_negative(operand))
        text = (text.empty() ? "" : text + " + ") + in(operand, Sum);
    for (const SCEV *operand : scev.operands())
      if (is_negative(operand))
        text += (text.empty() ? "-" : " - ") + in(operand, Product).substr(1);
    return text;
  }

  std::string product(const SCEVMulExpr &scev) {
    const auto *factor = dyn_cast<SCEVConstant>(scev.getOperand(0));
    std::string text;
    if (factor && factor->getAPInt().isAllOnes())
      text = "-";
    else
      text = in(scev.getOperand(0), factor ? Product : Tight);
    for (unsigned i = 1; i < scev.getNumOperands(); i++)
      text += (text == "-" ? "" : " * ") + in(scev.getOperand(i), Tight);
    return text;
  }

  std::string function(const char *name, ArrayRef<const SCEV *> operands) {
    std::string text = name;
    for (unsigned i = 0; i < operands.size(); i++)
      text += (i ? ", " : "(") + in(operands[i], Sum);
    return text + ")";
  }

  static bool has_loose_space(StringRef text) {
    int depth = 0;
    for (const char letter : text) {
      depth += (letter == '(') - (letter == ')');
      if (depth == 0 && letter == ' ')
        return true;
    }
    return false;
  }

  /* What the namer writes may be an operation. */
  std::string value(Value *value, Binding &binding) {
    const char *text = name(data, wrap(value));
    if (text && has_loose_space(text))
      binding = Sum;
    return text ? text : unknown();
  }

  /* Bounds of ints that are computed in 64 bits are cut, too, and lose nothing. */
  std::string rest(const SCEVTruncateExpr &scev, Binding &binding) {
    const unsigned bits = scev.getType()->getScalarSizeInBits();
    const unsigned away = bits_divided_away(scev.getOperand());
    if (bits >= 32 || (away && bits + away >= 31))
      return of(scev.getOperand(), binding);
    binding = Product;
    return in(scev.getOperand(), Tight) + " % " + std::to_string(uint64_t(1) << bits);
  }

  std::string of(const SCEV *scev, Binding &binding) {
    if (auto *cut = dyn_cast<SCEVTruncateExpr>(scev))
      return rest(*cut, binding);
    if (auto *cast = dyn_cast<SCEVIntegralCastExpr>(scev))
      return of(cast->getOperand(), binding);
    if (auto *constant = dyn_cast<SCEVConstant>(scev))
      return number(constant->getAPInt());
    if (auto *leaf = dyn_cast<SCEVUnknown>(scev))
      return value(leaf->getValue(), binding);
    if (isa<SCEVSMaxExpr, SCEVUMaxExpr>(scev))
      return function("max", scev->operands());
    if (isa<SCEVMinMaxExpr, SCEVSequentialMinMaxExpr>(scev))
      return function("min", scev->operands());
    if (auto *count = counted_by_several(scev))
      return of(count, binding);
    const auto *add = dyn_cast<SCEVAddExpr>(scev);
    if (const SCEVSMaxExpr *maximum = add ? cut_off(*add) : nullptr)
      return from_zero(*maximum);
    binding = add ? Sum : Product;
    if (add)
      return sum(*add);
    if (auto *multiply = dyn_cast<SCEVMulExpr>(scev))
      return product(*multiply);
    if (auto *divide = dyn_cast<SCEVUDivExpr>(scev))
      return in(divide->getLHS(), Tight) + " / " + in(divide->getRHS(), Tight);
    return unknown();
  }
};

/* The minimum that the operand of a sum takes away; null: it is none. */
const SCEVSMinExpr *minimum_less(const SCEV *operand) {
  const auto *product = dyn_cast<SCEVMulExpr>(operand);
  const bool less =
      product && product->getNumOperands() == 2 && product->getOperand(0)->isAllOnesValue();
  const auto *minimum = less ? dyn_cast<SCEVSMinExpr>(product->getOperand(1)) : nullptr;
  return minimum && minimum->getNumOperands() == 2 && isa<SCEVConstant>(minimum->getOperand(0))
             ? minimum
             : nullptr;
}

/* Does the operand of a sum take away what is at most a constant, as counts do where the loop is
 * known to run? */
bool takes_away_least(const SCEV &operand) {
  const auto *product = dyn_cast<SCEVMulExpr>(without_casts(&operand));
  const auto *factor = product ? dyn_cast<SCEVConstant>(product->getOperand(0)) : nullptr;
  const SCEV *least = factor ? without_casts(product->getOperand(1)) : nullptr;
  const auto *minimum = dyn_cast_or_null<SCEVNAryExpr>(least);
  return minimum && factor->getAPInt().isAllOnes() && product->getNumOperands() == 2 &&
         isa<SCEVSMinExpr, SCEVUMinExpr>(minimum) && isa<SCEVConstant>(minimum->getOperand(0));
}

bool divides_or_chooses(const SCEV *scev) {
  return isa<SCEVUDivExpr, SCEVSMaxExpr, SCEVUMaxExpr>(scev);
}

} // namespace

NbScev *nb_scev_plain_trips(NbAnalyses *analyses, NbScev *trips, NbLoop *loop) {
  const auto *sum = dyn_cast<SCEVAddExpr>(scev_of(trips));
  const Loop &own = *loop_of(loop);
  auto &scalars = analyses->get<ScalarEvolutionAnalysis>(*own.getHeader()->getParent());
  for (const SCEV *operand : sum ? sum->operands() : ArrayRef<const SCEV *>()) {
    const SCEVSMinExpr *minimum = minimum_less(operand);
    if (!minimum)
      continue;
    const SCEV *least = minimum->getOperand(0);
    const SCEV *count = minimum->getOperand(1);
    if (scalars.getAddExpr(sum, minimum) != scalars.getAddExpr(count, least))
      continue;
    const APInt known = scalars.getSignedRangeMin(scalars.applyLoopGuards(count, &own));
    const bool more = known.sge(cast<SCEVConstant>(least)->getAPInt());
    return handle_of(more ? count : scalars.getSMaxExpr(least, count));
  }
  return trips;
}

bool nb_scev_is_sum(NbScev *scev) { return isa<SCEVAddExpr>(scev_of(scev)); }

bool nb_scev_is_positive_unless_none(NbScev *scev) {
  const SCEV *trips = scev_of(scev);
  const auto *most = dyn_cast<SCEVSMaxExpr>(without_casts(trips));
  const auto *least = most ? dyn_cast<SCEVConstant>(most->getOperand(0)) : nullptr;
  if (least && least->getAPInt().isStrictlyPositive())
    return true;
  if (const auto *sum = dyn_cast<SCEVAddExpr>(without_casts(trips)))
    for (const SCEV *operand : sum->operands())
      if (takes_away_least(*operand))
        return true;
  const auto *constant =
      nb_scev_is_sum(scev) ? dyn_cast<SCEVConstant>(trips->operands()[0]) : nullptr;
  return constant && constant->getAPInt().isStrictlyPositive() && !counted_by_several(trips) &&
         SCEVExprContains(trips, divides_or_chooses);
}

char *nb_scev_formula(NbScev *scev, NbNamer *name, void *data) {
  Formula formula{name, data};
  const std::string text = formula.in(scev_of(scev), Formula::Sum);
  return formula.known ? LLVMCreateMessage(text.c_str()) : nullptr;
}
