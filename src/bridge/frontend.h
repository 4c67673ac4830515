// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What clang's glue shares. */
#ifndef NABLA_BRIDGE_FRONTEND_H
#define NABLA_BRIDGE_FRONTEND_H

#include "bridge/bridge.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
class TagDecl;
} // namespace clang

namespace nabla {

/* What one file does that its types do not allow, gathered while it is read. */
class Puns {
  bool found = false;

public:
  void look_at(const clang::Decl *declaration);
  void look_at_type(const clang::TagDecl *declaration);
  /* At the end of the file: does it keep to its types, and is it compiled without TBAA? */
  NbTypesKnown known(clang::CompilerInstance &compiler) const;
};

/* Whose sources line_in_file looks at; null: nobody's any more. */
void take_sources(clang::CompilerInstance *compiler);

/* Did clang say, for the passes alone, of which classes virtual calls and tables are? */
bool classes_told();

/* Writes which declarations are used into the file at `path`. */
void write_used(clang::ASTContext &context, const char *path);

} // namespace nabla
#endif
