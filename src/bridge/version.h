// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The one place that knows how LLVM 19 and LLVM 22 differ. For the bridge's own files only. */
#ifndef NABLA_BRIDGE_VERSION_H
#define NABLA_BRIDGE_VERSION_H

#include "bridge/bridge.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

/* A message without a place. */
#if LLVM_VERSION_MAJOR >= 22
using PlainDiagnostic = llvm::DiagnosticInfoGeneric;
#else
using PlainDiagnostic = llvm::DiagnosticInfoInlineAsm;
#endif

/* The loader binds functions when they are called, but tables at once. The tables that only one
 * of the versions has are weak, so that the other can load the plugin as far as its refusal. */
#if LLVM_VERSION_MAJOR >= 22
asm(".weak _ZTVN4llvm21SimpleCaptureAnalysisE");
asm(".weak _ZTVN4llvm21DiagnosticInfoGenericE");
#else
asm(".weak _ZTVN4llvm17SimpleCaptureInfoE");
#endif

namespace nabla {

/* Before LLVM 20 two phis of one block were compared edge by edge, across iterations too. */
constexpr bool compares_phis_by_edge = LLVM_VERSION_MAJOR < 20;

/* SCEVWrapPredicate::implies compares no widths. */
constexpr bool vectoriser_mixes_widths = LLVM_VERSION_MAJOR >= 20;

/* Plugins can read attributes of statements. Elsewhere clang refuses these where it knows the name.
 */
#if LLVM_VERSION_MAJOR >= 22
#define NABLA_READS_STATEMENTS override
#else
#define NABLA_READS_STATEMENTS
#endif

#if LLVM_VERSION_MAJOR >= 22

inline llvm::SCEVExpander scev_expander(llvm::ScalarEvolution &evolution, llvm::Function &) {
  return llvm::SCEVExpander(evolution, "nabla");
}

inline llvm::SmallVector<llvm::DbgVariableRecord *> debug_values_of(llvm::Value &value) {
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::findDbgValues(&value, records);
  return records;
}

inline bool parameter_nocapture(const llvm::Function &function, unsigned index) {
  const auto attributes = function.getAttributes().getParamAttrs(index);
  return llvm::capturesNothing(attributes.getCaptureInfo());
}

inline void add_nocapture(llvm::Function &function, unsigned index) {
  const auto nothing = llvm::CaptureInfo::none();
  function.addParamAttr(index, llvm::Attribute::getWithCaptureInfo(function.getContext(), nothing));
}

inline NbPhase phase_of(llvm::ThinOrFullLTOPhase phase, llvm::OptimizationLevel level) {
  if (phase == llvm::ThinOrFullLTOPhase::FullLTOPreLink)
    return NB_PHASE_BEFORE_LINK;
  if (phase != llvm::ThinOrFullLTOPhase::ThinLTOPreLink)
    return NB_PHASE_COMPILE;
  return level == llvm::OptimizationLevel::O0 ? NB_PHASE_THIN_ALONE : NB_PHASE_BEFORE_THIN_LINK;
}

/* Calls add(pass manager, phase) where a pipeline comes to its OptimizerEarly point. */
template <class Add> void on_optimizer_last(llvm::PassBuilder &builder, Add add) {
  builder.registerOptimizerLastEPCallback([add](llvm::ModulePassManager &manager,
                                                llvm::OptimizationLevel,
                                                llvm::ThinOrFullLTOPhase) { add(manager); });
}

template <class Add> void on_optimizer_early(llvm::PassBuilder &builder, Add add) {
  builder.registerOptimizerEarlyEPCallback(
      [add](llvm::ModulePassManager &manager, llvm::OptimizationLevel level,
            llvm::ThinOrFullLTOPhase phase) { add(manager, phase_of(phase, level)); });
}

/* Calls add(pass manager) where a pipeline has made values of local variables. */
template <class Add> void on_early_simplification(llvm::PassBuilder &builder, Add add) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [add](llvm::ModulePassManager &manager, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        add(manager);
      });
}

/* LLVM 22 tells the phase to each OptimizerEarly pass. */
inline NbPhase phase_of_compilation(const llvm::Module &, NbPhase told) { return told; }

#else

inline llvm::SCEVExpander scev_expander(llvm::ScalarEvolution &evolution,
                                        llvm::Function &function) {
  return llvm::SCEVExpander(evolution, function.getParent()->getDataLayout(), "nabla");
}

inline llvm::SmallVector<llvm::DbgVariableRecord *> debug_values_of(llvm::Value &value) {
  llvm::SmallVector<llvm::DbgValueInst *> instructions;
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::findDbgValues(instructions, &value, &records);
  return records;
}

inline bool parameter_nocapture(const llvm::Function &function, unsigned index) {
  return function.hasParamAttribute(index, llvm::Attribute::NoCapture);
}

inline void add_nocapture(llvm::Function &function, unsigned index) {
  function.addParamAttr(index, llvm::Attribute::NoCapture);
}

template <class Add> void on_optimizer_last(llvm::PassBuilder &builder, Add add) {
  builder.registerOptimizerLastEPCallback(
      [add](llvm::ModulePassManager &manager, llvm::OptimizationLevel) { add(manager); });
}

template <class Add> void on_optimizer_early(llvm::PassBuilder &builder, Add add) {
  builder.registerOptimizerEarlyEPCallback(
      [add](llvm::ModulePassManager &manager, llvm::OptimizationLevel level) {
        const bool last = level == llvm::OptimizationLevel::O0;
        add(manager, last ? NB_PHASE_THIN_ALONE : NB_PHASE_BEFORE_THIN_LINK);
      });
}

template <class Add> void on_early_simplification(llvm::PassBuilder &builder, Add add) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [add](llvm::ModulePassManager &manager, llvm::OptimizationLevel) { add(manager); });
}

/* LLVM 19 does not tell the phase: clang marks what -flto compiles by the module flag ThinLTO = 0,
 * and for ThinLTO by the flag EnableSplitLTOUnit alone. The link step sees these flags too: that of
 * full LTO is told, and for ThinLTO the compile step leaves a mark. */
inline NbPhase phase_of_compilation(const llvm::Module &module, NbPhase told) {
  if (told == NB_PHASE_LINK)
    return told;
  const auto *flag =
      llvm::mdconst::extract_or_null<llvm::ConstantInt>(module.getModuleFlag("ThinLTO"));
  if (flag && flag->isZero())
    return NB_PHASE_BEFORE_LINK;
  const bool thin = module.getModuleFlag("EnableSplitLTOUnit") != nullptr;
  const bool compiled = module.getNamedMetadata(NB_MARK_OF_THIN) != nullptr;
  return thin && !compiled ? told : NB_PHASE_COMPILE;
}

#endif

/* Has the bitcode been written into the module, so that what follows is its machine code? */
inline bool is_beside_bitcode(const llvm::Module &module) {
  for (const llvm::GlobalVariable &global : module.globals()) {
    if (global.getSection() == ".llvm.lto")
      return true;
  }
  return false;
}

inline NbPhase phase_seen_in(const llvm::Module &module, NbPhase told) {
  return is_beside_bitcode(module) ? NB_PHASE_BESIDE_BITCODE : phase_of_compilation(module, told);
}

} // namespace nabla
#endif
