// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Runs of the passes that no program of LLVM's makes, and what is heard meanwhile. */
#include "bridge/internal.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace nabla;

namespace {

/* Hands on what is said, and all of nabla's remarks. */
class Listener : public DiagnosticHandler {
  NbHandler handler;
  void *data;
  bool *failed;

public:
  Listener(NbHandler handler, void *data, bool *failed)
      : handler(handler), data(data), failed(failed) {}
  void tell(NbSeverity severity, const DiagnosticInfoWithLocationBase *place,
            const std::string &message) const;
  bool handleDiagnostics(const DiagnosticInfo &info) override;
  bool isAnalysisRemarkEnabled(StringRef) const override { return false; }
  bool isMissedOptRemarkEnabled(StringRef pass) const override { return pass == "nabla"; }
  bool isPassedOptRemarkEnabled(StringRef pass) const override { return pass == "nabla"; }
  bool isAnyRemarkEnabled() const override { return true; }
};

/* The host's own handler comes back at the end. */
class Listening {
  LLVMContext &context;
  std::unique_ptr<DiagnosticHandler> before;

public:
  Listening(LLVMContext &context, std::unique_ptr<Listener> listener)
      : context(context), before(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::move(listener));
  }
  ~Listening() { context.setDiagnosticHandler(std::move(before)); }
};

} // namespace

void Listener::tell(NbSeverity severity, const DiagnosticInfoWithLocationBase *place,
                    const std::string &message) const {
  NbDiagnosis diagnosis{severity, message.c_str(), "", "", 0, 0};
  const std::string function = place ? place->getFunction().getName().str() : "";
  std::string file;
  if (place && place->isLocationAvailable()) {
    StringRef path;
    place->getLocation(path, diagnosis.line, diagnosis.column);
    file = path.str();
  }
  diagnosis.function = function.c_str();
  diagnosis.file = file.c_str();
  *failed |= severity == NB_SEVERITY_ERROR;
  if (handler)
    handler(&diagnosis, data);
}

static NbSeverity severity_of(const DiagnosticInfo &info) {
  switch (info.getSeverity()) {
  case DS_Error:
    return NB_SEVERITY_ERROR;
  case DS_Warning:
    return NB_SEVERITY_WARNING;
  case DS_Note:
    return NB_SEVERITY_NOTE;
  case DS_Remark:
    return isa<OptimizationRemarkMissed>(info) ? NB_SEVERITY_REMARK_MISSED : NB_SEVERITY_REMARK;
  }
  return NB_SEVERITY_ERROR;
}

static std::string text_of(const DiagnosticInfo &info) {
  if (auto *refusal = dyn_cast<DiagnosticInfoUnsupported>(&info))
    return refusal->getMessage().str();
  if (auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info))
    return remark->getMsg();
  std::string text;
  raw_string_ostream stream(text);
  DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  return text;
}

/* Those that say where they are. */
static const DiagnosticInfoWithLocationBase *place_of(const DiagnosticInfo &info) {
  if (auto *refusal = dyn_cast<DiagnosticInfoUnsupported>(&info))
    return refusal;
  return dyn_cast<DiagnosticInfoOptimizationBase>(&info);
}

bool Listener::handleDiagnostics(const DiagnosticInfo &info) {
  tell(severity_of(info), place_of(info), text_of(info));
  return true;
}

/* False where the text is no pipeline. */
static bool run(Module &module, TargetMachine *machine, const char *passes,
                const NbOptions *options, std::string &message) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager cycles;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine);
  passes_register(builder, options);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(cycles);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, cycles, modules);
  ModulePassManager manager;
  if (Error error = builder.parsePassPipeline(manager, passes)) {
    message = toString(std::move(error));
    return false;
  }
  manager.run(module, modules);
  return true;
}

bool nb_run(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes,
            const NbOptions *options, NbHandler handler, void *data) {
  bool failed = false;
  Module &unit = *unwrap(module);
  const Listener own(handler, data, &failed);
  const Listening listening(unit.getContext(), std::make_unique<Listener>(own));
  std::string message;
  if (!run(unit, reinterpret_cast<TargetMachine *>(machine), passes, options, message))
    own.tell(NB_SEVERITY_ERROR, nullptr, message);
  return !failed;
}
