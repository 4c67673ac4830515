// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Debug information of functions that are made from others: what a debugger steps through, and a
 * profiler counts, are the lines of the primal. */
#include "bridge/internal.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <string>

using namespace llvm;
using namespace nabla;

namespace {

/* Moves locations into a subprogram: the outermost scope of each becomes that one; what was inlined
 * stays so. */
struct Mover {
  DISubprogram &own;
  DenseMap<const DILocation *, DILocation *> known;

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

/* Variables are the primal's: a debugger would look for them in the wrong frame. */
static void drop_variables(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    instruction.dropDbgRecords();
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
    if (!is_derivative(function) || !is_debugged(function))
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
  drop_variables(function);
  for (Instruction &instruction : instructions(function)) {
    if (const DILocation *location = instruction.getDebugLoc())
      instruction.setDebugLoc(mover.moved(*location));
    updateLoopMetadataDebugLocations(instruction, mover);
  }
  function.setSubprogram(own);
  fill_calls(function, *own);
}
