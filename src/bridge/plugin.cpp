// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The passes, where they stand in the pipelines, and what happens when the plugin is loaded. */
#include "base/names.h"
#include "bridge/frontend.h"
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace nabla;

namespace {

/* The options that are given, or else those of the process when a pass begins. */
class Settings {
  std::unique_ptr<NbOptions, void (*)(NbOptions *)> own{nullptr, nb_options_free};
  const NbOptions *options;

public:
  explicit Settings(const NbOptions *given) : options(given) {
    if (!given)
      own.reset(nb_options_new());
  }
  const NbOptions *get() const { return options ? options : own.get(); }
};

struct Pass {
  NbPhase phase;
  const NbOptions *given;

  Pass(NbPhase phase, const NbOptions *given) : phase(phase), given(given) {}
  static bool isRequired() { return true; }
};

struct CollectPass : Pass, PassInfoMixin<CollectPass> {
  using Pass::Pass;
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager);
};

struct NotePass : Pass, PassInfoMixin<NotePass> {
  using Pass::Pass;
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &);
};

struct DerivePass : Pass, PassInfoMixin<DerivePass> {
  using Pass::Pass;
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager);
};

struct LastPass : Pass, PassInfoMixin<LastPass> {
  using Pass::Pass;
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &);
};

/* Of the existing tool, and without use here. */
struct IgnoredPass : PassInfoMixin<IgnoredPass> {
  std::string word;

  explicit IgnoredPass(StringRef name) : word(name) {}
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &);
};

} // namespace

static PreservedAnalyses kept_if(bool unchanged) {
  return unchanged ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

/* No LLVM tells the phase at the start of a pipeline. Only what is compiled for a link step has
 * one of these flags there: full LTO the first, ThinLTO the second. */
static NbPhase phase_at_start(const Module &module, NbPhase told) {
  if (is_beside_bitcode(module))
    return NB_PHASE_BESIDE_BITCODE;
  const bool waits = module.getModuleFlag("ThinLTO") || module.getModuleFlag("EnableSplitLTOUnit");
  return told == NB_PHASE_COMPILE && waits ? NB_PHASE_BEFORE_LINK : told;
}

PreservedAnalyses CollectPass::run(Module &module, ModuleAnalysisManager &manager) {
  const Settings settings(given);
  const bool inlines = nb_engine_wants_inlining(wrap(&module), settings.get());
  if (inlines)
    AlwaysInlinerPass(false).run(module, manager);
  const bool collected =
      nb_engine_collect(wrap(&module), settings.get(), phase_at_start(module, phase));
  return kept_if(!collected && !inlines);
}

PreservedAnalyses NotePass::run(Module &module, ModuleAnalysisManager &) {
  const Settings settings(given);
  return kept_if(!nb_engine_note(wrap(&module), settings.get(), phase_at_start(module, phase)));
}

PreservedAnalyses DerivePass::run(Module &module, ModuleAnalysisManager &manager) {
  const Settings settings(given);
  NbAnalyses analyses(module, manager);
  const NbPhase now = phase_seen_in(module, phase);
  const bool derived = nb_engine_derive(wrap(&module), settings.get(), &analyses, now);
  const bool last = now == NB_PHASE_COMPILE || now == NB_PHASE_LINK;
  const bool named = last && debug_name_symbols(module);
  return kept_if(!derived && !named);
}

/* Of which classes tables and calls are, and that clang was asked for it. */
static void forget_classes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      instruction.setMetadata(NB_CALLED_CLASS, nullptr);
  Function *assume = module.getFunction("llvm.assume");
  if (assume && assume->use_empty())
    assume->eraseFromParent();
  for (GlobalVariable &global : module.globals()) {
    global.eraseMetadata(LLVMContext::MD_type);
    global.eraseMetadata(LLVMContext::MD_vcall_visibility);
  }
  NamedMDNode *flags = module.getModuleFlagsMetadata();
  if (!flags)
    return;
  SmallVector<MDNode *, 8> kept;
  for (MDNode *flag : flags->operands()) {
    const auto *key = dyn_cast_or_null<MDString>(flag->getOperand(1));
    if (!key || key->getString() != "Virtual Function Elim")
      kept.push_back(flag);
  }
  flags->clearOperands();
  for (MDNode *flag : kept)
    flags->addOperand(flag);
}

PreservedAnalyses LastPass::run(Module &module, ModuleAnalysisManager &) {
  const bool waits = phase_at_start(module, phase) == NB_PHASE_BEFORE_LINK;
  if (!waits)
    debug_name_symbols(module);
  if (nabla::classes_told())
    forget_classes(module);
  return kept_if(!nb_engine_finish(wrap(&module), waits));
}

PreservedAnalyses IgnoredPass::run(Module &module, ModuleAnalysisManager &) {
  const std::string message = "the pass '" + word + "' is ignored: nabla does nothing in its place";
  if (!module.empty())
    nb_report(nullptr, NB_SEVERITY_NOTE, nullptr, wrap(&*module.begin()), "", message.c_str());
  return PreservedAnalyses::all();
}

/* Those that print have options here, those that prepare have nothing to prepare. */
static bool is_ignored(StringRef name) {
  static constexpr const char *names[] = {
      "preserve-nvvm",    "preserve-nvvm-end", "print-type-analysis", "print-activity-analysis",
      "jl-inst-simplify", "simple-gvn",        "enzyme-summary"};
  return llvm::is_contained(names, name);
}

static void add_both(ModulePassManager &manager, NbPhase phase, const NbOptions *options) {
  manager.addPass(CollectPass(phase, options));
  manager.addPass(DerivePass(phase, options));
}

static bool parse_pass(StringRef name, ModulePassManager &manager, const NbOptions *options) {
  if (name == "nabla" || name == "enzyme")
    add_both(manager, NB_PHASE_COMPILE, options);
  else if (name == "nabla-collect")
    manager.addPass(CollectPass(NB_PHASE_COMPILE, options));
  else if (name == "nabla-note")
    manager.addPass(NotePass(NB_PHASE_COMPILE, options));
  else if (name == "nabla-derive")
    manager.addPass(DerivePass(NB_PHASE_COMPILE, options));
  else if (name == "nabla-last")
    manager.addPass(LastPass(NB_PHASE_COMPILE, options));
  else if (is_ignored(name))
    manager.addPass(IgnoredPass(name));
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
void nabla::passes_register(PassBuilder &builder, const NbOptions *options) {
  if (knows_passes(builder))
    return;
  builder.registerPipelineParsingCallback([options](StringRef name, ModulePassManager &manager,
                                                    ArrayRef<PassBuilder::PipelineElement>) {
    return parse_pass(name, manager, options);
  });
  builder.registerPipelineStartEPCallback([options](ModulePassManager &manager, OptimizationLevel) {
    manager.addPass(CollectPass(NB_PHASE_COMPILE, options));
  });
  on_early_simplification(builder, [options](ModulePassManager &manager) {
    manager.addPass(NotePass(NB_PHASE_COMPILE, options));
  });
  on_optimizer_early(builder, [options](ModulePassManager &manager, NbPhase phase) {
    if (phase == NB_PHASE_COMPILE)
      add_both(manager, phase, options);
    else
      manager.addPass(DerivePass(phase, options));
  });
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [options](ModulePassManager &manager, OptimizationLevel) {
        add_both(manager, NB_PHASE_LINK, options);
      });
  on_optimizer_last(builder, [options](ModulePassManager &manager) {
    manager.addPass(LastPass(NB_PHASE_COMPILE, options));
  });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [options](ModulePassManager &manager, OptimizationLevel) {
        manager.addPass(LastPass(NB_PHASE_LINK, options));
      });
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
  info.RegisterPassBuilderCallbacks = [](PassBuilder &builder) {
    passes_register(builder, nullptr);
  };
  return info;
}
