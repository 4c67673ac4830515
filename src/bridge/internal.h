// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the bridge's files share: the analyses' owner and the casts from C handles. */
#ifndef NABLA_BRIDGE_INTERNAL_H
#define NABLA_BRIDGE_INTERNAL_H

#include "bridge/bridge.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include <optional>

namespace nabla {

/* Alias queries on one function that does not change meanwhile, across iterations. The scopes are
 * those declared inside a loop: what they promise ends with the iteration. */
struct AliasQueries {
  const llvm::Function *function;
  llvm::BatchAAResults results;
  llvm::SmallPtrSet<const llvm::MDNode *, 8> scopes_of_iterations;

  AliasQueries(llvm::Function &function, llvm::AAResults &alias, llvm::LoopInfo &loops);
};

} // namespace nabla

/* Lives as long as one run of a pass; the managers are the host's. */
struct NbAnalyses {
  llvm::ModuleAnalysisManager &modules;
  llvm::FunctionAnalysisManager &functions;
  std::optional<nabla::AliasQueries> alias;
  std::optional<llvm::PassBuilder> parser;

  NbAnalyses(llvm::Module &module, llvm::ModuleAnalysisManager &modules);
  template <class Analysis> auto &get(llvm::Function &function) {
    return functions.getResult<Analysis>(function);
  }
};

namespace nabla {

inline llvm::Instruction &instruction_of(LLVMValueRef value) {
  return *llvm::cast<llvm::Instruction>(llvm::unwrap(value));
}

/* The function itself, or the one that the instruction is in. */
inline llvm::Function &function_of(LLVMValueRef value) {
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(llvm::unwrap(value)))
    return *instruction->getFunction();
  return *llvm::cast<llvm::Function>(llvm::unwrap(value));
}

inline llvm::CallBase *call_of(LLVMValueRef value) {
  return llvm::dyn_cast<llvm::CallBase>(llvm::unwrap(value));
}

inline llvm::Loop *loop_of(NbLoop *loop) { return reinterpret_cast<llvm::Loop *>(loop); }
inline NbLoop *handle_of(llvm::Loop *loop) { return reinterpret_cast<NbLoop *>(loop); }

inline const llvm::SCEV *scev_of(NbScev *scev) {
  return reinterpret_cast<const llvm::SCEV *>(scev);
}
inline NbScev *handle_of(const llvm::SCEV *scev) {
  return reinterpret_cast<NbScev *>(const_cast<llvm::SCEV *>(scev));
}

/* The variable of a record, as the source has it. */
std::string source_name(const llvm::DbgVariableRecord &record);
/* Is what the variable has the value as it is? */
bool is_whole_value(llvm::DbgVariableRecord &record);
/* Is the one variable the function's own, and the other that of a function that was inlined? */
bool is_nearer(const llvm::DbgVariableRecord &one, const llvm::DbgVariableRecord &other);
/* Is the value rather called as the one says than as the other, and wherever it is used? */
bool is_better(const llvm::Value &value, llvm::DbgVariableRecord &one,
               llvm::DbgVariableRecord &other);
bool is_before_uses(const llvm::Value &value, llvm::DbgVariableRecord &record);
/* True where another copy of the plugin, a different file, has registered the options before. */
bool options_taken();
/* Makes the command line know nabla's options: before the host parses it. */
void options_register();
/* Says to the passes that follow whether the types in the IR are those that the source's objects
 * are accessed as: nb_options_types_known. */
void options_know_types(NbTypesKnown known);

/* A line of a file that clang has read; 0: none. */
struct FileLine {
  std::string file;
  unsigned line;
};

/* The line that #line counts as that one; none where there is no such, or no clang. */
FileLine line_in_file(llvm::StringRef path, unsigned line);
/* Makes clang, where it is the host, run the passes for -fplugin= as for -fpass-plugin=. */
void frontend_register();
/* Takes what nabla put in front of the primal's name, and returns which part of the derivative it
 * is: nabla.PART.SYMBOL. Empty for other functions: those of the user that nabla works on. */
llvm::StringRef take_part(llvm::StringRef &symbol);
/* With -g or -ftime-trace: nabla.reverse.f becomes f.reverse, for tools that know symbols alone,
 * and in what the passes behind say. Nothing of nabla's may look for its functions any more. */
bool debug_name_symbols(llvm::Module &module);
/* While it lives, a function that nabla makes has a readable name, where somebody reads it. */
class TracedName {
  llvm::Function *function;
  std::string name;

public:
  explicit TracedName(llvm::Function *function);
  TracedName(const TracedName &) = delete;
  TracedName &operator=(const TracedName &) = delete;
  ~TracedName();
};

/* Adds the passes to the pipelines that `builder` makes, once for each builder. `options`: NULL for
 * those of the process. */
void passes_register(llvm::PassBuilder &builder, const NbOptions *options);

} // namespace nabla
#endif
