// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Diagnostics, through the host's own handler: the one door to the user. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace llvm;
using namespace nabla;

static SmallString<128> path_of(const DILocation &location) {
  SmallString<128> path = location.getFilename();
  if (!sys::path::is_absolute(path)) {
    path = location.getDirectory();
    sys::path::append(path, location.getFilename());
  }
  return path;
}

/* Headers of the system and of compilers. */
static bool is_in_library(const DILocation &location) {
  const SmallString<128> path = path_of(location);
  return path.starts_with("/usr/") && path.str().contains("/include/");
}

/* The innermost place of the user's that this is inlined to; null where there is none. */
static const DILocation *place_of_user(const DILocation *location) {
  while (location && is_in_library(*location))
    location = location->getInlinedAt();
  return location;
}

/* nabla's header of C++, wherever it lies: what its functions ask for, the user's line asks for. */
static bool is_in_own_header(const DILocation &location) {
  const SmallString<128> path = path_of(location);
  return sys::path::filename(path) == "nabla.hpp" &&
         sys::path::filename(sys::path::parent_path(path)) == "nabla";
}

void nb_place_request(LLVMValueRef request, LLVMValueRef call) {
  const DILocation *location = unwrap<Instruction>(call)->getDebugLoc().get();
  while (location && location->getInlinedAt() && is_in_own_header(*location))
    location = location->getInlinedAt();
  unwrap<Instruction>(request)->setDebugLoc(DebugLoc(location));
}

static DebugLoc innermost_location(const Value &where, const Function &function) {
  if (auto *instruction = dyn_cast<Instruction>(&where))
    if (instruction->getDebugLoc())
      return instruction->getDebugLoc();
  DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return DebugLoc();
  return DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram);
}

static DebugLoc location_of(const Value &where, const Function &function) {
  const DebugLoc location = innermost_location(where, function);
  const DILocation *of_user = place_of_user(location.get());
  return of_user ? DebugLoc(of_user) : location;
}

static const DILocation *place_of(LLVMValueRef where) {
  if (!where || isa<GlobalVariable>(unwrap(where)))
    return nullptr;
  return innermost_location(*unwrap(where), function_of(where)).get();
}

char *nb_place_in_library(LLVMValueRef where) {
  const DILocation *location = place_of(where);
  if (!location || !is_in_library(*location))
    return nullptr;
  const StringRef file = sys::path::filename(location->getFilename());
  return LLVMCreateMessage((file + ":" + Twine(location->getLine())).str().c_str());
}

char *nb_place_for_user(LLVMValueRef where, unsigned *line, unsigned *column) {
  const DILocation *location = place_of_user(place_of(where));
  if (!location)
    return nullptr;
  *line = location->getLine();
  *column = location->getColumn();
  return LLVMCreateMessage(path_of(*location).c_str());
}

static DISubprogram *scope_of(const DIGlobalVariable &variable, LLVMContext &context) {
  DIFile *file = variable.getFile();
  const StringRef name = variable.getName();
  const unsigned line = variable.getLine();
  return DISubprogram::getDistinct(context, file, name, name, file, line, nullptr, line, nullptr, 0,
                                   0, DINode::FlagZero, DISubprogram::SPFlagZero, nullptr);
}

/* Locations are those of functions, and so are diagnostics: a function that stands for the variable
 * has its line and its name, by which clang finds the declaration where there is no line. */
static void diagnose_variable(const GlobalVariable &variable, DiagnosticSeverity severity,
                              const char *message) {
  LLVMContext &context = variable.getContext();
  FunctionType *type = FunctionType::get(Type::getVoidTy(context), false);
  const std::unique_ptr<Function> function(
      Function::Create(type, GlobalValue::ExternalLinkage, variable.getName()));
  SmallVector<DIGlobalVariableExpression *, 1> known;
  variable.getDebugInfo(known);
  DebugLoc location;
  if (!known.empty())
    location = DILocation::get(context, known[0]->getVariable()->getLine(), 0,
                               scope_of(*known[0]->getVariable(), context));
  context.diagnose(DiagnosticInfoUnsupported(*function, message, location, severity));
}

static const BasicBlock *block_of(const Value &where, const Function &function) {
  auto *instruction = dyn_cast<Instruction>(&where);
  return instruction ? instruction->getParent() : &function.getEntryBlock();
}

template <class Remark>
static void remark(NbAnalyses *analyses, const Value &where, Function &function, const char *name,
                   const char *message) {
  if (!analyses || function.isDeclaration())
    return;
  analyses->get<OptimizationRemarkEmitterAnalysis>(function).emit([&] {
    const DebugLoc location = location_of(where, function);
    return Remark("nabla", name, location, block_of(where, function)) << message;
  });
}

/* Clang counts as #line says what it takes for a line of the file. */
static DebugLoc location_in_file(const DebugLoc &location) {
  const FileLine found =
      location ? line_in_file(path_of(*location), location.getLine()) : FileLine{"", 0};
  if (!found.line)
    return location;
  LLVMContext &context = location->getContext();
  DIFile *file = DIFile::get(context, found.file, "");
  DILocalScope *scope = DILexicalBlockFile::get(context, location->getScope(), file, 0);
  return DILocation::get(context, found.line, location.getCol(), scope);
}

static void diagnose(const Value &where, const Function &function, DiagnosticSeverity severity,
                     const char *message) {
  const DebugLoc location = location_in_file(location_of(where, function));
  function.getContext().diagnose(DiagnosticInfoUnsupported(function, message, location, severity));
}

static void diagnose_nowhere(LLVMContext &context, NbSeverity severity, const char *message) {
  const bool error = severity == NB_SEVERITY_ERROR;
  const bool warning = severity == NB_SEVERITY_WARNING;
  const DiagnosticSeverity shown = error ? DS_Error : warning ? DS_Warning : DS_Remark;
  context.diagnose(PlainDiagnostic(message, shown));
}

void nb_report(NbAnalyses *analyses, NbSeverity severity, LLVMValueRef where, LLVMValueRef named,
               const char *name, const char *message) {
  if (!where)
    return diagnose_nowhere(function_of(named).getContext(), severity, message);
  const Value &value = *unwrap(where);
  if (auto *variable = dyn_cast<GlobalVariable>(&value)) {
    const bool error = severity == NB_SEVERITY_ERROR;
    return diagnose_variable(*variable, error ? DS_Error : DS_Remark, message);
  }
  Function &function = function_of(where);
  switch (severity) {
  case NB_SEVERITY_ERROR:
    return diagnose(value, function_of(named), DS_Error, message);
  case NB_SEVERITY_WARNING:
    return diagnose(value, function_of(named), DS_Warning, message);
  case NB_SEVERITY_NOTE:
    return diagnose(value, function_of(named), DS_Remark, message);
  case NB_SEVERITY_REMARK:
    return remark<OptimizationRemark>(analyses, value, function, name, message);
  case NB_SEVERITY_REMARK_MISSED:
    return remark<OptimizationRemarkMissed>(analyses, value, function, name, message);
  }
}

bool nb_report_is_heard(LLVMContextRef context) {
  LLVMContext &host = *unwrap(context);
  return host.getLLVMRemarkStreamer() || host.getDiagHandlerPtr()->isAnyRemarkEnabled();
}

bool nb_metadata_kind(LLVMContextRef context, const char *name, unsigned *kind) {
  SmallVector<StringRef, 64> names;
  unwrap(context)->getMDKindNames(names);
  for (*kind = 0; *kind < names.size(); (*kind)++)
    if (names[*kind] == name)
      return true;
  return false;
}

/* Without RTTI an object's class is seen by its virtual table alone. */
static bool is_plain(const DiagnosticHandler &handler) {
  const DiagnosticHandler plain;
  const void *table_of_handler;
  const void *table_of_plain;
  std::memcpy(&table_of_handler, static_cast<const void *>(&handler), sizeof table_of_handler);
  std::memcpy(&table_of_plain, static_cast<const void *>(&plain), sizeof table_of_plain);
  return table_of_handler == table_of_plain && !handler.DiagHandlerCallback;
}

bool nb_report_host_collects_errors(LLVMContextRef context) {
  const DiagnosticHandler *handler = unwrap(context)->getDiagHandlerPtr();
  return handler && !is_plain(*handler);
}
