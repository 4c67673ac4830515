// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The passes, where they stand in the pipelines, and what happens when the plugin is loaded. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace nabla;

namespace {

struct CollectPass : PassInfoMixin<CollectPass> {
  NbPhase phase;

  explicit CollectPass(NbPhase phase) : phase(phase) {}
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &);
};

struct NotePass : PassInfoMixin<NotePass> {
  NbPhase phase;

  explicit NotePass(NbPhase phase) : phase(phase) {}
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &);
};

struct DerivePass : PassInfoMixin<DerivePass> {
  NbPhase phase;

  explicit DerivePass(NbPhase phase) : phase(phase) {}
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager);
};

} // namespace

static PreservedAnalyses kept_if(bool unchanged) {
  return unchanged ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

/* No LLVM tells the phase at the start of a pipeline. Only what is compiled for a link step has
 * one of these flags there: full LTO the first, ThinLTO the second. */
static NbPhase phase_at_start(const Module &module, NbPhase told) {
  const bool waits = module.getModuleFlag("ThinLTO") || module.getModuleFlag("EnableSplitLTOUnit");
  return told == NB_PHASE_COMPILE && waits ? NB_PHASE_BEFORE_LINK : told;
}

PreservedAnalyses CollectPass::run(Module &module, ModuleAnalysisManager &manager) {
  const bool inlines = nb_engine_wants_inlining(wrap(&module));
  if (inlines)
    AlwaysInlinerPass(false).run(module, manager);
  const bool collected = nb_engine_collect(wrap(&module), phase_at_start(module, phase));
  return kept_if(!collected && !inlines);
}

PreservedAnalyses NotePass::run(Module &module, ModuleAnalysisManager &) {
  return kept_if(!nb_engine_note(wrap(&module), phase_at_start(module, phase)));
}

PreservedAnalyses DerivePass::run(Module &module, ModuleAnalysisManager &manager) {
  NbAnalyses analyses(module, manager);
  return kept_if(!nb_engine_derive(wrap(&module), &analyses, phase_seen_in(module, phase)));
}

static void add_both(ModulePassManager &manager, NbPhase phase) {
  manager.addPass(CollectPass(phase));
  manager.addPass(DerivePass(phase));
}

static bool parse_pass(StringRef name, ModulePassManager &manager,
                       ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "nabla" || name == "enzyme")
    add_both(manager, NB_PHASE_COMPILE);
  else if (name == "nabla-collect")
    manager.addPass(CollectPass(NB_PHASE_COMPILE));
  else if (name == "nabla-note")
    manager.addPass(NotePass(NB_PHASE_COMPILE));
  else if (name == "nabla-derive")
    manager.addPass(DerivePass(NB_PHASE_COMPILE));
  else
    return false;
  return true;
}

static bool knows_passes(PassBuilder &builder) {
  ModulePassManager manager;
  return !errorToBool(builder.parsePassPipeline(manager, "nabla"));
}

/* What the start of the pipeline collected stays so; the second collection is for ThinLTO's link
 * step, which has no such start, of files that were compiled without the plugin. */
void nabla::passes_register(PassBuilder &builder) {
  if (knows_passes(builder))
    return;
  builder.registerPipelineParsingCallback(parse_pass);
  builder.registerPipelineStartEPCallback([](ModulePassManager &manager, OptimizationLevel) {
    manager.addPass(CollectPass(NB_PHASE_COMPILE));
  });
  on_early_simplification(
      builder, [](ModulePassManager &manager) { manager.addPass(NotePass(NB_PHASE_COMPILE)); });
  on_optimizer_early(builder, [](ModulePassManager &manager, NbPhase phase) {
    if (phase == NB_PHASE_COMPILE)
      add_both(manager, phase);
    else
      manager.addPass(DerivePass(phase));
  });
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &manager, OptimizationLevel) { add_both(manager, NB_PHASE_LINK); });
}

/* Nothing else of this LLVM may be touched before the versions are known to agree: a host of
 * another version has no door to report through, since its classes are laid out differently. */
static void refuse_other_version() {
  unsigned major;
  unsigned minor;
  unsigned patch;
  LLVMGetVersion(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR)
    return;
  std::fprintf(stderr,
               "error: this nabla.so was built for LLVM %d and cannot be loaded into LLVM %u: "
               "use the one that was built for LLVM %u\n",
               LLVM_VERSION_MAJOR, major, major);
  std::exit(1);
}

/* The same file under several names is loaded once; of two files one would not see the options. */
static void refuse_second_copy() {
  if (!options_taken())
    return;
  std::fputs("error: two different copies of nabla.so are loaded: load only one\n", stderr);
  std::exit(1);
}

__attribute__((constructor)) static void load() {
  refuse_other_version();
  refuse_second_copy();
  options_register();
  frontend_register();
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  PassPluginLibraryInfo info{};
  info.APIVersion = LLVM_PLUGIN_API_VERSION;
  info.PluginName = "nabla";
  info.PluginVersion = LLVM_VERSION_STRING;
  info.RegisterPassBuilderCallbacks = passes_register;
  return info;
}
