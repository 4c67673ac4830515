// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Clang's glue: `-fplugin=` alone runs the passes. opt and lld have no clang, and yet load this
 * file: the build makes its references to clang weak, and nothing here touches them before clang is
 * found in the process. */
#include "bridge/internal.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include <dlfcn.h>

namespace {

/* Every compilation with the plugin makes one; its consumer consumes nothing. */
class AddPasses : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(nabla::passes_register);
    return std::make_unique<clang::ASTConsumer>();
  }

  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static bool host_is_clang() {
  return dlsym(RTLD_DEFAULT, "_ZN4llvm8RegistryIN5clang15PluginASTActionEE4TailE") != nullptr;
}

void nabla::frontend_register() {
  if (!host_is_clang())
    return;
  static clang::FrontendPluginRegistry::Add<AddPasses> entry("nabla", "writes derivatives");
}
