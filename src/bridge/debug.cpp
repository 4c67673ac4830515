// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Debug information of functions that are made from others: what a debugger steps through, and a
 * profiler counts, are the lines of the primal. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <string>

using namespace llvm;
using namespace nabla;

namespace {

bool is_around(const DIScope *around, const DIScope *scope) {
  while (scope && scope != around && !isa<DISubprogram>(scope))
    scope = scope->getScope();
  return scope == around;
}

/* Moves locations and variables into a subprogram: the outermost scope of each becomes that one;
 * what was inlined stays so. There are no blocks in it, for a line that the optimiser makes of two
 * is lost where these are of different ones. */
struct Mover {
  DISubprogram &own;
  DenseMap<const DILocation *, DILocation *> known;
  SmallVector<std::pair<const DILocalVariable *, DILocalVariable *>, 8> variables;

  explicit Mover(DISubprogram &own) : own(own) {}

  DIScope *scope_for(const DILocation &location) {
    if (location.getFile() == own.getFile())
      return &own;
    return DILexicalBlockFile::get(own.getContext(), &own, location.getFile(), 0);
  }

  DILocation *moved(const DILocation &location) {
    const auto found = known.find(&location);
    if (found != known.end())
      return found->second;
    LLVMContext &context = own.getContext();
    const unsigned line = location.getLine();
    const unsigned column = location.getColumn();
    DILocation *inlined = location.getInlinedAt() ? moved(*location.getInlinedAt()) : nullptr;
    DIScope *scope = inlined ? location.getScope() : scope_for(location);
    DILocation *result = location.isDistinct()
                             ? DILocation::getDistinct(context, line, column, scope, inlined)
                             : DILocation::get(context, line, column, scope, inlined);
    known[&location] = result;
    return result;
  }

  /* One for all of that name and type in blocks beside each other, such as those of loops. */
  DILocalVariable *moved(DILocalVariable &variable) {
    for (const auto &[before, made] : variables) {
      const bool beside = !is_around(before->getScope(), variable.getScope()) &&
                          !is_around(variable.getScope(), before->getScope());
      const bool same = before->getName() == variable.getName() &&
                        before->getType() == variable.getType() && !before->getArg() &&
                        !variable.getArg();
      if (before == &variable || (same && beside))
        return made;
    }
    auto *made = DILocalVariable::get(own.getContext(), &own, variable.getName(),
                                      variable.getFile(), variable.getLine(), variable.getType(),
                                      variable.getArg(), variable.getFlags(),
                                      variable.getAlignInBits(), variable.getAnnotations());
    variables.push_back({&variable, made});
    return made;
  }

  Metadata *operator()(Metadata *metadata) {
    auto *location = dyn_cast_or_null<DILocation>(metadata);
    return location ? moved(*location) : metadata;
  }
};

constexpr StringLiteral OWN_PREFIX = "nabla.";
constexpr StringLiteral PARTS[] = {"combined", "choice",        "augmented", "reverse",
                                   "forward",  "reverse_again", "recorded",  "reach"};

} // namespace

/* The namespace or module around a function, also around its class; else its file. */
static DIScope *surroundings_of(const DISubprogram &primal) {
  DIScope *scope = primal.getScope();
  while (scope && !isa<DINamespace>(scope) && !isa<DIModule>(scope))
    scope = scope->getScope();
  return scope ? scope : primal.getFile();
}

/* The name of the symbol is left out: debuggers would show it in place of the readable one. */
static DISubprogram *subprogram_for(const DISubprogram &primal, const char *suffix) {
  const std::string name = (primal.getName() + "." + suffix).str();
  const auto flags =
      DISubprogram::SPFlagLocalToUnit | DISubprogram::SPFlagDefinition |
      (primal.isOptimized() ? DISubprogram::SPFlagOptimized : DISubprogram::SPFlagZero);
  return DISubprogram::getDistinct(primal.getContext(), surroundings_of(primal), name, "",
                                   primal.getFile(), primal.getLine(), primal.getType(),
                                   primal.getScopeLine(), nullptr, 0, 0, DINode::FlagZero, flags,
                                   primal.getUnit());
}

/* LLVM wants a line for calls; and what stands behind an instruction with one is mostly of it. */
static void fill_calls(Function &function, DISubprogram &own) {
  for (BasicBlock &block : function) {
    DebugLoc last = DILocation::get(own.getContext(), own.getLine(), 0, &own);
    for (Instruction &instruction : block) {
      if (instruction.getDebugLoc())
        last = instruction.getDebugLoc();
      else if (isa<CallBase>(instruction))
        instruction.setDebugLoc(last);
    }
  }
}

/* What is said of variables, of assignments that are tracked nothing. Instructions that say such
 * things are no more. */
static void move_variables(Function &function, Mover &mover) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    for (DbgRecord &record : make_early_inc_range(instruction.getDbgRecordRange())) {
      auto *told = dyn_cast<DbgVariableRecord>(&record);
      if (!told || told->isDbgAssign()) {
        record.eraseFromParent();
        continue;
      }
      if (!told->getDebugLoc()->getInlinedAt())
        told->setVariable(mover.moved(*told->getVariable()));
      told->setDebugLoc(mover.moved(*told->getDebugLoc()));
    }
    if (isa<DbgInfoIntrinsic>(instruction))
      instruction.eraseFromParent();
  }
}

StringRef nabla::take_part(StringRef &symbol) {
  if (!symbol.consume_front(OWN_PREFIX))
    return StringRef();
  const auto [part, rest] = symbol.split('.');
  symbol = rest;
  return is_contained(PARTS, part) ? part : StringRef();
}

/* SYMBOL.PART, which demanglers understand. */
static std::string readable_symbol(StringRef symbol) {
  StringRef primal = symbol;
  const StringRef part = take_part(primal);
  if (primal == symbol)
    return symbol.str();
  const std::string own = readable_symbol(primal);
  return part.empty() ? own : own + "." + part.str();
}

static bool is_derivative(const Function &function) {
  StringRef name = function.getName();
  return name.consume_front(OWN_PREFIX) && is_contained(PARTS, name.split('.').first) &&
         function.hasLocalLinkage();
}

/* Only where the user debugs: -Rpass and its like need lines, too. */
static bool is_debugged(const Function &function) {
  const DISubprogram *own = function.getSubprogram();
  return own && own->getUnit() && own->getUnit()->getEmissionKind() != DICompileUnit::NoDebug;
}

bool nabla::debug_name_symbols(Module &module) {
  bool changed = false;
  for (Function &function : module) {
    if (!is_derivative(function) || !(is_debugged(function) || nb_trace_is_written()))
      continue;
    function.setName(readable_symbol(function.getName()));
    changed = true;
  }
  return changed;
}

void nb_debug_adopt(LLVMValueRef derivative, LLVMValueRef primal, const char *suffix) {
  Function &function = function_of(derivative);
  const DISubprogram *known = function_of(primal).getSubprogram();
  if (!known || !known->getUnit() || function.isDeclaration())
    return;
  DISubprogram *own = subprogram_for(*known, suffix);
  Mover mover(*own);
  move_variables(function, mover);
  for (Instruction &instruction : instructions(function)) {
    if (const DILocation *location = instruction.getDebugLoc())
      instruction.setDebugLoc(mover.moved(*location));
    updateLoopMetadataDebugLocations(instruction, mover);
  }
  function.setSubprogram(own);
  fill_calls(function, *own);
}

/* --- Variables ------------------------------------------------------------------------------- */

/* The variable in which a parameter of the function arrives, as its value or in memory of its own.
 */
static DILocalVariable *variable_of(Argument &parameter) {
  for (DbgVariableRecord *record : debug_values_of(parameter))
    if (is_whole_value(*record) && record->getVariable()->isParameter() &&
        !record->getDebugLoc()->getInlinedAt())
      return record->getVariable();
  for (const User *user : parameter.users()) {
    const auto *store = dyn_cast<StoreInst>(user);
    if (!store || store->getValueOperand() != &parameter)
      continue;
    auto *place = const_cast<Value *>(store->getPointerOperand());
    for (const DbgVariableRecord *record : findDVRDeclares(place))
      if (record->getVariable()->isParameter() && !record->getExpression()->getNumElements())
        return record->getVariable();
  }
  return nullptr;
}

static void tell_before(Instruction &place, Value &value, DILocalVariable &variable,
                        const DILocation &location) {
  auto *expression = DIExpression::get(place.getContext(), {});
  auto *record = new DbgVariableRecord(ValueAsMetadata::get(&value), &variable, expression,
                                       &location, DbgVariableRecord::LocationType::Value);
  place.getParent()->insertDbgRecordBefore(record, place.getIterator());
}

/* What is said in front of variables in memory is lost when these move into a caller. */
static Instruction &behind_variables(BasicBlock &block) {
  for (Instruction &instruction : block)
    if (!isa<AllocaInst, StoreInst, PHINode>(instruction) && !instruction.isEHPad())
      return instruction;
  return block.back();
}

static bool tells(Argument &parameter) {
  return any_of(debug_values_of(parameter),
                [](DbgVariableRecord *record) { return is_whole_value(*record); });
}

/* Blocks are taken apart when the function is inlined, and each says it, for not all stay. */
void nb_debug_parameter(LLVMValueRef derivative, unsigned index, LLVMValueRef primal, unsigned of,
                        const char *prefix) {
  Function &function = function_of(derivative);
  DISubprogram *own = function.getSubprogram();
  const bool there = own && !function.isDeclaration() && index < function.arg_size();
  DILocalVariable *known = there ? variable_of(*function_of(primal).getArg(of)) : nullptr;
  if (!known || tells(*function.getArg(index)))
    return;
  const unsigned first = *prefix ? own->getType()->getTypeArray().size() : 0;
  const unsigned number = *prefix ? first + index + 1 : known->getArg();
  auto *variable =
      DILocalVariable::get(own->getContext(), own, (Twine(prefix) + known->getName()).str(),
                           known->getFile(), known->getLine(), known->getType(), number,
                           known->getFlags(), known->getAlignInBits(), known->getAnnotations());
  const DILocation &start = *DILocation::get(own->getContext(), own->getLine(), 0, own);
  for (BasicBlock &block : function)
    tell_before(behind_variables(block), *function.getArg(index), *variable, start);
}

void nb_debug_tell_as(LLVMValueRef copy, LLVMValueRef value) {
  auto *instruction = dyn_cast<Instruction>(unwrap(copy));
  if (!instruction || isa<PHINode>(instruction))
    return;
  for (DbgVariableRecord *record : debug_values_of(*unwrap(value))) {
    if (!is_whole_value(*record))
      continue;
    auto *own = new DbgVariableRecord(ValueAsMetadata::get(instruction), record->getVariable(),
                                      record->getExpression(), record->getDebugLoc().get(),
                                      DbgVariableRecord::LocationType::Value);
    instruction->getParent()->insertDbgRecordAfter(own, instruction);
  }
}
