// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Scalar evolution's expressions as formulas for people. */
#include "bridge/internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <numeric>
#include <string>

using namespace llvm;
using namespace nabla;

namespace {

const SCEV *without_extension(const SCEV *scev) {
  while (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(scev))
    scev = cast<SCEVIntegralCastExpr>(scev)->getOperand();
  return scev;
}

/* The division in `1 + x / 4`, as what goes on in steps is counted; null: it is not so. */
const SCEVUDivExpr *steps_of(const SCEV *scev) {
  const auto *sum = dyn_cast<SCEVAddExpr>(scev);
  const bool pair = sum && sum->getNumOperands() == 2 && sum->getOperand(0)->isOne();
  return pair ? dyn_cast<SCEVUDivExpr>(without_extension(sum->getOperand(1))) : nullptr;
}

bool holds_pointer(const SCEV *scev) {
  return SCEVExprContains(scev, [](const SCEV *part) { return isa<SCEVPtrToIntExpr>(part); });
}

int64_t number_in(const SCEV *scev) {
  const auto *constant = dyn_cast<SCEVConstant>(scev);
  return constant && constant->getAPInt().getSignificantBits() <= 64
             ? constant->getAPInt().getSExtValue()
             : 0;
}

/* Is it `1 + (x - 4) / 4`, which is 0 where x is, or a distance of pointers in steps? */
bool counts_from_none(const SCEV *scev) {
  const SCEVUDivExpr *steps = steps_of(scev);
  const auto *rest = steps ? dyn_cast<SCEVAddExpr>(without_extension(steps->getLHS())) : nullptr;
  const auto *less = rest ? dyn_cast<SCEVConstant>(rest->getOperand(0)) : nullptr;
  const auto *step = steps ? dyn_cast<SCEVConstant>(steps->getRHS()) : nullptr;
  if (!less || !step)
    return false;
  return holds_pointer(rest) || number_in(less) == -number_in(step);
}

/* The pointer of which it is the address; null: it is no such number. */
const SCEVUnknown *pointer_of(const SCEV *scev) {
  const auto *cast = dyn_cast<SCEVPtrToIntExpr>(scev);
  return cast ? dyn_cast<SCEVUnknown>(cast->getOperand()) : nullptr;
}

/* A sum of multiples that is divided, and the distance of two pointers in it. */
struct Quotient {
  SmallVector<std::pair<int64_t, std::string>, 4> terms;
  const SCEVUnknown *to = nullptr, *from = nullptr;
  int64_t constant = 0, by = 0;

  /* Divides what is divided, and by what, by their common factor: what is lost of the constant is
   * no more than is lost anyway. */
  void reduce() {
    int64_t common = by;
    for (const auto &[factor, text] : terms)
      common = std::gcd(common, factor);
    for (auto &[factor, text] : terms)
      factor /= common;
    constant = constant / common - (constant % common < 0 ? 1 : 0);
    by /= common;
  }

  std::string sum(int64_t more) const {
    std::string text;
    for (const bool negative : {false, true})
      for (const auto &[factor, own] : terms)
        if ((factor < 0) == negative)
          text += term(factor, own, text.empty());
    if (more)
      text += (more < 0 ? " - " : " + ") + std::to_string(std::abs(more));
    return text;
  }

private:
  static std::string term(int64_t factor, const std::string &own, bool first) {
    const std::string sign = factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    const int64_t times = std::abs(factor);
    const bool loose = own.find(" - ") != std::string::npos && own.front() != '(';
    const std::string tight = loose && (times != 1 || !first) ? "(" + own + ")" : own;
    return sign + (times == 1 ? "" : std::to_string(times) + " * ") + tight;
  }
};

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
        text += (text.empty() ? "-" : " - ") + without_sign(in(operand, Product));
    return text;
  }

  static std::string without_sign(const std::string &text) {
    return StringRef(text).drop_while([](char letter) { return letter == '-'; }).str();
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

  /* A constant, a multiple or one of the two pointers of a distance; false: another pointer. */
  bool add_to(Quotient &quotient, const SCEV *operand) {
    const auto *product = dyn_cast<SCEVMulExpr>(operand);
    const int64_t factor = product ? number_in(product->getOperand(0)) : 0;
    if (isa<SCEVConstant>(operand)) {
      quotient.constant += number_in(operand);
      return true;
    }
    const SCEV *last = factor == -1 ? product->getOperand(1) : operand;
    if (const SCEVUnknown *pointer = pointer_of(last)) {
      const SCEVUnknown *&place = factor == -1 ? quotient.from : quotient.to;
      const bool first = !place && (!product || product->getNumOperands() == 2);
      place = pointer;
      return first;
    }
    std::string text = factor ? "" : in(operand, Tight);
    for (unsigned i = 1; factor && i < product->getNumOperands(); i++)
      text += (i > 1 ? " * " : "") + in(product->getOperand(i), Tight);
    quotient.terms.push_back({factor ? factor : 1, text});
    return true;
  }

  /* How far apart pointers are, in elements. */
  bool add_distance(Quotient &quotient) {
    if (!quotient.to && !quotient.from)
      return true;
    if (!quotient.to || !quotient.from)
      return false;
    const int64_t own = nb_debug_element_size(wrap(quotient.to->getValue()));
    const int64_t size = own ? own : nb_debug_element_size(wrap(quotient.from->getValue()));
    const std::string text = in(quotient.to, Tight) + " - " + in(quotient.from, Tight);
    quotient.terms.insert(quotient.terms.begin(), {size, text});
    return size != 0;
  }

  /* `x` of `(4 * x) / 4`, or of `1 + (4 * x - 4) / 4`; `(e - p)` of the bytes from one pointer to
   * another. "" where nothing gets simpler. */
  std::string quotient(const SCEVUDivExpr &divide, bool one_more, Binding &binding) {
    Quotient whole;
    whole.by = number_in(divide.getRHS());
    const SCEV *divided = without_extension(divide.getLHS());
    const auto *sum = dyn_cast<SCEVAddExpr>(divided);
    bool good = whole.by > 0;
    for (const SCEV *operand : sum ? sum->operands() : ArrayRef<const SCEV *>(divided))
      good = good && add_to(whole, operand);
    if (!good || !add_distance(whole))
      return holds_pointer(&divide) ? unknown() : "";
    const int64_t by = whole.by, least = whole.constant;
    whole.reduce();
    const bool exact = one_more && whole.constant == -whole.by;
    if (whole.by == by && !exact)
      return "";
    return quotient_text(whole, one_more, exact, whole.to && least == -1, binding);
  }

  /* Without parentheses around all of it. */
  static std::string bare(const std::string &text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')')
      return text;
    const StringRef inner = StringRef(text).drop_front().drop_back();
    int depth = 0;
    for (const char letter : inner) {
      depth += (letter == '(') - (letter == ')');
      if (depth < 0)
        return text;
    }
    return inner.str();
  }

  /* `positive`: the distance of the pointers is more than 0 where the loop runs. */
  static std::string quotient_text(const Quotient &whole, bool one_more, bool exact, bool positive,
                                   Binding &binding) {
    const std::string by = " / " + std::to_string(whole.by);
    binding = Product;
    if (positive && one_more && whole.by == 1) {
      binding = Tight;
      return "max(0, " + whole.sum(0) + ")";
    }
    if (positive && one_more)
      return "(max(0, " + whole.sum(0) + ") + " + std::to_string(whole.by - 1) + ")" + by;
    if (whole.by == 1) {
      const std::string text = bare(whole.sum(whole.constant + (one_more ? 1 : 0)));
      binding = has_loose_space(text) ? Sum : Tight;
      return text;
    }
    const std::string text = whole.sum(exact ? 0 : whole.constant);
    const std::string divided = (has_loose_space(text) ? "(" + text + ")" : text) + by;
    if (exact || !one_more)
      return divided;
    binding = Sum;
    return "1 + " + divided;
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
    const SCEVUDivExpr *steps = steps_of(scev);
    const auto *parts = steps ? steps : dyn_cast<SCEVUDivExpr>(scev);
    const std::string simpler = parts ? quotient(*parts, steps != nullptr, binding) : "";
    if (!simpler.empty() || !known)
      return simpler;
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
const SCEVNAryExpr *minimum_less(const SCEV *operand) {
  const auto *product = dyn_cast<SCEVMulExpr>(operand);
  const bool less =
      product && product->getNumOperands() == 2 && product->getOperand(0)->isAllOnesValue();
  const auto *minimum = dyn_cast_or_null<SCEVNAryExpr>(less ? product->getOperand(1) : nullptr);
  return minimum && isa<SCEVSMinExpr, SCEVUMinExpr>(minimum) && minimum->getNumOperands() == 2 &&
                 isa<SCEVConstant>(minimum->getOperand(0))
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

/* Trip counts in terms of what holds where the loop begins. */
struct Trips {
  ScalarEvolution &scalars;
  const Loop &loop;

  const SCEV *plain(const SCEV *trips) const {
    trips = rounded_up(trips);
    const SCEVUDivExpr *steps = steps_of(trips);
    if (steps && steps->getType() == trips->getType()) {
      const SCEV *divided = plain(without_maximum(steps->getLHS(), number_in(steps->getRHS())));
      const SCEV *count = scalars.getUDivExpr(divided, steps->getRHS());
      return scalars.getAddExpr(scalars.getOne(count->getType()), count);
    }
    const auto *sum = dyn_cast<SCEVAddExpr>(trips);
    for (const SCEV *operand : sum ? sum->operands() : ArrayRef<const SCEV *>())
      if (const SCEVNAryExpr *minimum = minimum_less(operand))
        return without_minimum(*sum, *minimum);
    return trips;
  }

private:
  /* `1 + n - min(2, n)` is n - 1 where n is 2 or more. */
  const SCEV *without_minimum(const SCEVAddExpr &sum, const SCEVNAryExpr &minimum) const {
    const SCEV *least = minimum.getOperand(0);
    const SCEV *count = minimum.getOperand(1);
    const SCEV *more = scalars.getMinusSCEV(scalars.getAddExpr(&sum, &minimum), count);
    if (!isa<SCEVConstant>(more))
      return &sum;
    const SCEV *plain = scalars.getAddExpr(count, scalars.getMinusSCEV(more, least));
    const APInt bound = cast<SCEVConstant>(least)->getAPInt();
    const SCEV *here = scalars.applyLoopGuards(count, &loop);
    if (isa<SCEVUMinExpr>(minimum) && !scalars.isKnownNonNegative(count))
      return scalars.getUnsignedRangeMin(here).uge(bound) ? plain : &sum;
    return scalars.getSignedRangeMin(here).sge(bound) ? plain : scalars.getSMaxExpr(more, plain);
  }

  /* `1 + (y + step - 1) / step` of `1 + (y - min(1, y)) / step + min(1, y)`. */
  const SCEV *rounded_up(const SCEV *trips) const {
    const auto *sum = dyn_cast<SCEVAddExpr>(trips);
    const bool triple = sum && sum->getNumOperands() == 3 && sum->getOperand(0)->isOne();
    for (unsigned i = 1; triple && i < 3; i++) {
      const auto *divide = dyn_cast<SCEVUDivExpr>(sum->getOperand(i));
      const auto *minimum = dyn_cast<SCEVUMinExpr>(sum->getOperand(3 - i));
      const bool pair =
          divide && minimum && minimum->getNumOperands() == 2 && minimum->getOperand(0)->isOne();
      if (!pair || scalars.getAddExpr(divide->getLHS(), minimum) != minimum->getOperand(1))
        continue;
      const SCEV *one = scalars.getOne(divide->getType());
      const SCEV *more = scalars.getMinusSCEV(divide->getRHS(), one);
      const SCEV *divided = scalars.getAddExpr(minimum->getOperand(1), more);
      return scalars.getAddExpr(one, scalars.getUDivExpr(divided, divide->getRHS()));
    }
    return trips;
  }

  /* `e - 1 - p` of `max(p + step, e) - 1 - p`, where the loop begins with p before e. */
  const SCEV *without_maximum(const SCEV *divided, int64_t step) const {
    const auto *sum = dyn_cast<SCEVAddExpr>(divided);
    for (const SCEV *operand : sum ? sum->operands() : ArrayRef<const SCEV *>()) {
      const auto *maximum = dyn_cast<SCEVUMaxExpr>(operand);
      const SCEV *rest = maximum ? scalars.getMinusSCEV(sum, maximum) : nullptr;
      for (unsigned i = 0; maximum && maximum->getNumOperands() == 2 && i < 2; i++) {
        const SCEV *last = maximum->getOperand(1 - i);
        const SCEV *first = scalars.getAddExpr(maximum->getOperand(i),
                                               scalars.getConstant(last->getType(), -step, true));
        const SCEV *least = scalars.getAddExpr(maximum->getOperand(i), rest);
        if (isa<SCEVConstant>(least) && number_in(least) == step - 1 && is_before(first, last))
          return scalars.getAddExpr(last, rest);
      }
      if (const SCEV *whole = maximum ? farther(*maximum) : nullptr)
        return scalars.getAddExpr(whole, rest);
    }
    return divided;
  }

  /* The number by which it is a multiple, as it is written. */
  static int64_t factor_of(const SCEV *scev) {
    const auto *product = dyn_cast<SCEVMulExpr>(scev);
    const int64_t factor = number_in(product ? product->getOperand(0) : scev);
    return factor || isa<SCEVConstant>(scev) ? std::abs(factor) : 1;
  }

  /* Of two addresses behind one pointer that which is farther behind it, by what they have in
   * common; null: they are not such. */
  const SCEV *farther(const SCEVUMaxExpr &maximum) const {
    const SCEV *one = as_pointer(maximum.getOperand(0)), *other = as_pointer(maximum.getOperand(1));
    if (maximum.getNumOperands() != 2 || !one || !other ||
        scalars.getPointerBase(one) != scalars.getPointerBase(other))
      return nullptr;
    const SCEV *behind = scalars.removePointerBase(one);
    const SCEV *start = scalars.getMinusSCEV(maximum.getOperand(0), behind);
    const SCEV *also = scalars.removePointerBase(other);
    const int64_t unit = std::gcd(factor_of(behind), factor_of(also));
    if (!unit)
      return nullptr;
    const SCEV *common = scalars.getConstant(behind->getType(), static_cast<uint64_t>(unit));
    const SCEV *most = scalars.getSMaxExpr(scalars.getUDivExactExpr(behind, common),
                                           scalars.getUDivExactExpr(also, common));
    return scalars.getAddExpr(start, scalars.getMulExpr(common, most));
  }

  /* The pointer of an address; null: it is another number. */
  const SCEV *as_pointer(const SCEV *address) const {
    if (const SCEVUnknown *pointer = pointer_of(address))
      return pointer;
    const auto *sum = dyn_cast<SCEVAddExpr>(address);
    for (const SCEV *operand : sum ? sum->operands() : ArrayRef<const SCEV *>())
      if (const SCEVUnknown *pointer = pointer_of(operand))
        return scalars.getAddExpr(scalars.getMinusSCEV(sum, operand), pointer);
    return nullptr;
  }

  /* Where both lie behind one pointer, their distances from it are compared. */
  bool is_before(const SCEV *first, const SCEV *last) const {
    const SCEV *from = as_pointer(first), *to = as_pointer(last);
    if (!from || !to)
      return false;
    if (scalars.getPointerBase(from) != scalars.getPointerBase(to))
      return scalars.isLoopEntryGuardedByCond(&loop, CmpInst::ICMP_ULT, from, to);
    return scalars.isLoopEntryGuardedByCond(
        &loop, CmpInst::ICMP_SLT, scalars.removePointerBase(from), scalars.removePointerBase(to));
  }
};

bool divides_or_chooses(const SCEV *scev) {
  return isa<SCEVUDivExpr, SCEVSMaxExpr, SCEVUMaxExpr>(scev);
}

} // namespace

NbScev *nb_scev_plain_trips(NbAnalyses *analyses, NbScev *trips, NbLoop *loop) {
  const Loop &own = *loop_of(loop);
  auto &scalars = analyses->get<ScalarEvolutionAnalysis>(*own.getHeader()->getParent());
  return handle_of(Trips{scalars, own}.plain(scev_of(trips)));
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
  return constant && constant->getAPInt().isStrictlyPositive() && !counts_from_none(trips) &&
         SCEVExprContains(trips, divides_or_chooses);
}

char *nb_scev_formula(NbScev *scev, NbNamer *name, void *data) {
  Formula formula{name, data};
  const std::string text = formula.in(scev_of(scev), Formula::Sum);
  return formula.known ? LLVMCreateMessage(text.c_str()) : nullptr;
}
