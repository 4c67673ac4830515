// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Names of functions and variables as the source has them. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;
using namespace nabla;

/* --- Variables ------------------------------------------------------------------------------- */

/* flang calls the size of dimension 1 of w in f, which no variable of the source holds, ._QFfEw1.
 */
std::string nabla::source_name(const DbgVariableRecord &record) {
  const StringRef name = record.getVariable()->getName();
  const size_t entity = name.rfind('E');
  if (!name.starts_with("._Q") || entity == StringRef::npos || !isDigit(name.back()))
    return name.str();
  return ("size(" + name.slice(entity + 1, name.size() - 1) + ", " + name.take_back() + ")").str();
}

static char *name_in(const DbgVariableRecord &record) {
  return LLVMCreateMessage(source_name(record).c_str());
}

/* A variable is declared, or, above -O0, has its assignments tracked from the start. */
char *nb_variable_source_name(LLVMValueRef variable) {
  for (const DbgVariableRecord *record : findDVRDeclares(unwrap(variable)))
    if (!record->getExpression()->getNumElements())
      return name_in(*record);
  if (isa<AllocaInst>(unwrap(variable)))
    for (const DbgVariableRecord *record : at::getDVRAssignmentMarkers(&instruction_of(variable)))
      return name_in(*record);
  return nullptr;
}

/* Parameters of functions that were inlined are no names of the function's own. */
static bool names_parameter(const DbgVariableRecord &record) {
  return record.getVariable()->isParameter() && !record.getDebugLoc()->getInlinedAt();
}

bool nabla::is_whole_value(DbgVariableRecord &record) {
  return record.isDbgValue() && !record.hasArgList() && !record.getExpression()->getNumElements();
}

bool nabla::is_nearer(const DbgVariableRecord &one, const DbgVariableRecord &other) {
  return !one.getDebugLoc()->getInlinedAt() && other.getDebugLoc()->getInlinedAt();
}

/* Does `one` say it sooner? Of a value that several variables have in turn, such as the next one
 * of a recurrence, the first is the one that it was computed for. */
static bool is_sooner(const Value &value, DbgVariableRecord &one, DbgVariableRecord &other) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  const BasicBlock *own = instruction ? instruction->getParent() : nullptr;
  if (one.getParent() != other.getParent() || one.getParent() != own)
    return one.getParent() == own && other.getParent() != own;
  const Instruction *first = one.getInstruction(), *second = other.getInstruction();
  if (first != second)
    return first && (!second || first->comesBefore(second));
  for (const DbgRecord &record :
       first ? first->getDbgRecordRange() : other.getMarker()->getDbgRecordRange())
    if (&record == &one || &record == &other)
      return &record == &one;
  return false;
}

bool nabla::is_better(const Value &value, DbgVariableRecord &one, DbgVariableRecord &other) {
  if (is_nearer(one, other) || is_nearer(other, one))
    return is_nearer(one, other);
  return is_sooner(value, one, other);
}

/* Is the value called so wherever it is used, so far as its block tells? `u[i + 1]` may use the
 * next `i` before that is one. */
bool nabla::is_before_uses(const Value &value, DbgVariableRecord &record) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  const Instruction *behind = record.getInstruction();
  for (const User *user : value.users()) {
    const auto *use = dyn_cast<Instruction>(user);
    const bool near =
        instruction && use && !isa<PHINode>(use) && use->getParent() == instruction->getParent();
    if (near && (record.getParent() != use->getParent() || !behind || use->comesBefore(behind)))
      return false;
  }
  return true;
}

char *nb_value_source_name(LLVMValueRef value, bool *certain) {
  *certain = true;
  if (isa<AllocaInst>(unwrap(value)))
    return nb_variable_source_name(value);
  const bool parameter = isa<Argument>(unwrap(value));
  DbgVariableRecord *best = nullptr;
  for (DbgVariableRecord *record : debug_values_of(*unwrap(value)))
    if (is_whole_value(*record) && (!parameter || names_parameter(*record)) &&
        (!best || is_better(*unwrap(value), *record, *best)))
      best = record;
  const bool inlined = best && best->getDebugLoc()->getInlinedAt();
  const bool wider = isa<SExtInst>(unwrap(value)) || isa<ZExtInst>(unwrap(value));
  char *given =
      inlined && wider ? nb_value_source_name(LLVMGetOperand(value, 0), certain) : nullptr;
  if (given)
    return given;
  *certain = !best || is_before_uses(*unwrap(value), *best);
  if (best)
    return name_in(*best);
  return parameter ? nb_variable_source_name(value) : nullptr;
}

/* --- Functions ------------------------------------------------------------------------------- */

/* In flang's symbols each name stands behind a letter that says what it is of: a module, a
 * submodule, the host of an inner function, a function. Empty where it is no such symbol. */
static std::string read_fortran(StringRef symbol) {
  std::string text;
  if (!symbol.consume_front("_Q"))
    return text;
  while (!symbol.empty()) {
    const char kind = symbol.front();
    const StringRef name = symbol.drop_front().take_while(
        [](char letter) { return isLower(letter) || isDigit(letter) || letter == '_'; });
    if (!StringRef("MSFP").contains(kind) || name.empty())
      return std::string();
    text += (text.empty() ? "" : "::") + name.str();
    symbol = symbol.drop_front(name.size() + 1);
  }
  return text;
}

/* A function of no module has an underscore behind it, which debug information tells from one that
 * the source has. */
static bool is_outside_modules(const Function &function, StringRef symbol) {
  const DISubprogram *known = function.getSubprogram();
  return known && symbol.consume_back("_") && known->getName() == symbol &&
         known->getLinkageName() == (symbol + "_").str();
}

static std::string readable_name(const GlobalValue &global, StringRef symbol) {
  StringRef primal = symbol;
  const StringRef part = nabla::take_part(primal);
  if (primal != symbol) {
    const GlobalValue *known = global.getParent()->getNamedValue(primal);
    const std::string own = readable_name(known ? *known : global, primal);
    return part.empty() ? own : own + "." + part.str();
  }
  const auto *function = dyn_cast<Function>(&global);
  if (function && is_outside_modules(*function, symbol))
    return symbol.drop_back().str();
  const std::string fortran = read_fortran(symbol);
  return fortran.empty() ? demangle(symbol) : fortran;
}

char *nb_readable_name(LLVMValueRef global, const char *symbol) {
  return LLVMCreateMessage(readable_name(*cast<GlobalValue>(unwrap(global)), symbol).c_str());
}

/* --- Names alone ----------------------------------------------------------------------------- */

/* Without the arguments of templates, and whatever else stands in brackets. */
static std::string without_brackets(StringRef text) {
  std::string plain;
  unsigned depth = 0;
  for (char letter : text) {
    depth += letter == '<' || letter == '(' || letter == '{';
    if (!depth)
      plain += letter;
    depth -= letter == '>' || letter == ')' || letter == '}';
  }
  return plain;
}

/* Takes what `take` of the demangler gives. */
template <class Take> static std::string taken(Take take) {
  size_t size = 0;
  char *text = take(nullptr, &size);
  const std::string copy = text ? text : "";
  free(text);
  return copy;
}

/* Without the prefix the demangler reads types: that of `f` would be float. */
static std::string demangled_name(const std::string &symbol) {
  ItaniumPartialDemangler name;
  if (!StringRef(symbol).starts_with("_Z") || name.partialDemangle(symbol.c_str()))
    return symbol;
  if (!name.isFunction())
    return without_brackets(
        taken([&](char *buffer, size_t *size) { return name.finishDemangle(buffer, size); }));
  const std::string scope = without_brackets(taken(
      [&](char *buffer, size_t *size) { return name.getFunctionDeclContextName(buffer, size); }));
  const std::string base =
      taken([&](char *buffer, size_t *size) { return name.getFunctionBaseName(buffer, size); });
  const StringRef inner = StringRef(scope).substr(StringRef(scope).rfind("::") + 1).ltrim(':');
  return inner.empty() ? base : inner.str() + "::" + base;
}

static std::string plain_name(const Value &global, StringRef symbol) {
  StringRef primal = symbol;
  const StringRef part = nabla::take_part(primal);
  if (primal != symbol) {
    const std::string own = plain_name(global, primal);
    return part.empty() ? own : own + "." + part.str();
  }
  const auto *function = dyn_cast<Function>(&global);
  if (function && is_outside_modules(*function, symbol))
    return symbol.drop_back().str();
  const std::string fortran = read_fortran(symbol);
  return fortran.empty() ? demangled_name(symbol.str()) : fortran;
}

char *nb_plain_name(LLVMValueRef global, const char *symbol) {
  return LLVMCreateMessage(plain_name(*unwrap(global), symbol).c_str());
}
