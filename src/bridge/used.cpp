// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which declarations of a file are used: what -nabla-used=FILE writes, for `nabla repro`. A line
 * for each that is written in the file itself: the offsets of its first byte and behind its last,
 * 1 where something uses it, else 0, and its name.
 *
 * Templates are used where something is made of them: members are looked up in what was made by
 * the place where both are written.
 */
#include "bridge/frontend.h"
#include "bridge/internal.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace {

class Uses : public RecursiveASTVisitor<Uses> {
  llvm::DenseSet<unsigned> places;

  static unsigned place_of(const Decl *declaration) {
    return declaration->getLocation().getRawEncoding();
  }

  void use(const Decl *declaration) { places.insert(place_of(declaration)); }

public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseStmt(Stmt *, DataRecursionQueue * = nullptr) { return true; }

  bool VisitDecl(Decl *declaration) {
    if (declaration->isReferenced() || declaration->isUsed(false))
      use(declaration);
    return true;
  }

  bool VisitClassTemplateSpecializationDecl(ClassTemplateSpecializationDecl *made) {
    const bool written = made->getSpecializationKind() == TSK_ExplicitSpecialization;
    if (written && !made->isReferenced())
      return true;
    use(made->getSpecializedTemplate());
    auto from = made->getSpecializedTemplateOrPartial();
    if (auto *partial = llvm::dyn_cast<ClassTemplatePartialSpecializationDecl *>(from))
      use(partial);
    return true;
  }

  bool VisitEnumConstantDecl(EnumConstantDecl *constant) {
    if (constant->isReferenced())
      use(llvm::cast<EnumDecl>(constant->getDeclContext()));
    return true;
  }

  bool VisitCXXRecordDecl(CXXRecordDecl *record) {
    if (record->hasDefinition())
      for (const CXXBaseSpecifier &base : record->bases())
        if (const CXXRecordDecl *used = base.getType()->getAsCXXRecordDecl())
          use(used);
    return true;
  }

  bool has(const Decl *declaration) const { return places.contains(place_of(declaration)); }
};

/* Of a specialization what it is one of: without it, that would silently be taken; NULL: none. */
static const Decl *general_of(const Decl *declaration) {
  if (const auto *made = llvm::dyn_cast<ClassTemplateSpecializationDecl>(declaration))
    return made->getSpecializedTemplate();
  if (const auto *made = llvm::dyn_cast<VarTemplateSpecializationDecl>(declaration))
    return made->getSpecializedTemplate();
  const auto *function = llvm::dyn_cast<FunctionDecl>(declaration);
  return function ? function->getPrimaryTemplate() : nullptr;
}

class Writer {
  ASTContext &context;
  const SourceManager &sources;
  const Uses &uses;
  llvm::raw_ostream &out;

  bool is_used(const Decl *declaration) const {
    if (llvm::isa<StaticAssertDecl>(declaration))
      return false;
    if (context.DeclMustBeEmitted(declaration))
      return true;
    if (const auto *linkage = llvm::dyn_cast<LinkageSpecDecl>(declaration))
      return llvm::any_of(linkage->decls(), [&](const Decl *inner) { return is_used(inner); });
    if (const auto *shadowed = llvm::dyn_cast<UsingDecl>(declaration))
      return llvm::any_of(shadowed->shadows(), [&](const UsingShadowDecl *shadow) {
        return uses.has(shadow->getTargetDecl());
      });
    if (const auto *space = llvm::dyn_cast<NamespaceDecl>(declaration))
      return !space->decls_empty();
    if (llvm::isa<FriendDecl>(declaration))
      return true;
    if (const Decl *general = general_of(declaration))
      return is_used(general);
    for (const Decl *again : declaration->redecls())
      if (uses.has(again))
        return true;
    return false;
  }

  /* `extern "C"` before one declaration. */
  static bool is_whole(const Decl *declaration) {
    const auto *linkage = llvm::dyn_cast<LinkageSpecDecl>(declaration);
    return linkage && !linkage->hasBraces();
  }

  static bool is_kind(const Decl *declaration) {
    const auto *tag = llvm::dyn_cast<TagDecl>(declaration);
    const auto *space = llvm::dyn_cast<NamespaceDecl>(declaration);
    if ((tag && tag->isEmbeddedInDeclarator()) || (space && space->isNested()))
      return false;
    return is_whole(declaration) ||
           llvm::isa<FunctionDecl, RedeclarableTemplateDecl, TypedefNameDecl, TagDecl, UsingDecl,
                     StaticAssertDecl, VarDecl, FriendDecl, NamespaceDecl>(declaration);
  }

  static const Decl *templated(const Decl *declaration) {
    const auto *pattern = llvm::dyn_cast<TemplateDecl>(declaration);
    return pattern && pattern->getTemplatedDecl() ? pattern->getTemplatedDecl() : declaration;
  }

  /* Of a template's member, with the parameters of the template. */
  template <class Kind> static SourceLocation outermost(const Kind *declaration) {
    const bool is_inner = declaration && declaration->getNumTemplateParameterLists();
    return is_inner ? declaration->getTemplateParameterList(0)->getTemplateLoc() : SourceLocation();
  }

  static SourceRange range_of(const Decl *declaration) {
    const Decl *pattern = templated(declaration);
    SourceLocation start = outermost(llvm::dyn_cast<DeclaratorDecl>(pattern));
    if (start.isInvalid())
      start = outermost(llvm::dyn_cast<TagDecl>(pattern));
    const SourceRange range = declaration->getSourceRange();
    return start.isValid() && start < range.getBegin() ? SourceRange(start, range.getEnd()) : range;
  }

  /* What may stand before the range that clang gives: attributes, and a word that silences it. */
  size_t start_of(llvm::StringRef before) const {
    before = before.rtrim();
    if (before.ends_with("]]"))
      return start_of(before.take_front(before.rfind("[[")));
    return before.consume_back("__extension__") ? start_of(before) : before.size();
  }

  /* Behind the semicolon, where one ends it; 0 where other declarations share it. */
  static size_t end_of(llvm::StringRef text, size_t end) {
    const bool is_body = end && text[end - 1] == '}';
    const size_t next =
        is_body ? text.find_first_not_of(" \t\n", end) : text.find_first_of(";{}", end);
    if (next != llvm::StringRef::npos && text[next] == ';')
      return next + 1;
    return is_body ? end : 0;
  }

  void write(const Decl *declaration) {
    const SourceRange range = range_of(declaration);
    if (declaration->isImplicit() || !is_kind(declaration) ||
        !sources.isWrittenInMainFile(range.getBegin()))
      return;
    const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
    const SourceLocation last =
        Lexer::getLocForEndOfToken(range.getEnd(), 0, sources, context.getLangOpts());
    const size_t end = end_of(text, sources.getFileOffset(last));
    if (!end)
      return;
    out << start_of(text.take_front(sources.getFileOffset(range.getBegin()))) << ' ' << end << ' '
        << is_used(declaration) << ' ';
    const auto *linkage = llvm::dyn_cast<LinkageSpecDecl>(declaration);
    const Decl *inner = linkage && !linkage->decls_empty() ? *linkage->decls_begin() : declaration;
    if (const auto *named = llvm::dyn_cast<NamedDecl>(inner))
      named->printName(out);
    out << '\n';
  }

public:
  Writer(ASTContext &context, const Uses &uses, llvm::raw_ostream &out)
      : context(context), sources(context.getSourceManager()), uses(uses), out(out) {}

  void write_all(const DeclContext *scope) {
    for (const Decl *declaration : scope->decls()) {
      write(declaration);
      const Decl *inner = templated(declaration);
      if (llvm::isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(inner) && !is_whole(inner))
        write_all(llvm::cast<DeclContext>(inner));
    }
  }
};

} // namespace

void nabla::write_used(ASTContext &context, const char *path) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return;
  Uses uses;
  uses.TraverseDecl(context.getTranslationUnitDecl());
  Writer(context, uses, out).write_all(context.getTranslationUnitDecl());
}
