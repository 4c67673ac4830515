// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which declarations of a file are used: what -nabla-used=FILE writes, for `nabla repro`. A line
 * for each that is written in the file itself: the offsets of its first byte and behind its last,
 * 2 where what is emitted leads to it, else 1 where something uses it, else 0, and its name.
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
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace {

unsigned place_of(const Decl *declaration) { return declaration->getLocation().getRawEncoding(); }

class Uses : public RecursiveASTVisitor<Uses> {
  llvm::DenseSet<unsigned> places;

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

/* What the declarations of a file lead to that are emitted, or that stay because nothing is known
 * of them: all that these name, what that names, and so on. What is made of templates is followed
 * by itself, so that of a template's members those alone count that something asks for. */
class Reach : public RecursiveASTVisitor<Reach> {
  ASTContext &context;
  llvm::DenseMap<unsigned, llvm::SmallVector<Decl *, 1>> written;
  llvm::DenseSet<const Decl *> seen;
  llvm::DenseSet<unsigned> places;
  llvm::SmallVector<Decl *> ahead;
  llvm::SmallVector<const OverloadExpr *> open;  /* names of which an instance finds its own */
  llvm::DenseSet<DeclarationName> asked, called; /* of members, wherever they are found */
  unsigned untold = 0;                           /* of what is not evaluated: how deep */
  llvm::SmallVector<const CXXRecordDecl *> records;
  const Decl *from = nullptr;

  /* Does it stay or go by itself, rather than with what it is in? */
  static bool is_apart(const Decl *declaration) {
    return llvm::isa<FunctionDecl, RedeclarableTemplateDecl, TypedefNameDecl, TagDecl, VarDecl,
                     BaseUsingDecl, StaticAssertDecl, FriendDecl, NamespaceDecl, LinkageSpecDecl>(
               declaration) &&
           !llvm::isa<ParmVarDecl>(declaration) && !declaration->getParentFunctionOrMethod();
  }

  static bool is_scope(const Decl *declaration) {
    return llvm::isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(declaration);
  }

  void reach(const Decl *declaration) {
    if (declaration && !is_scope(declaration) && seen.insert(declaration).second)
      ahead.push_back(const_cast<Decl *>(declaration));
  }

  /* All declarations, and those that it all begins with. */
  void begin_in(const DeclContext *scope) {
    for (Decl *declaration : scope->decls()) {
      written[place_of(declaration)].push_back(declaration);
      const auto *pattern = llvm::dyn_cast<TemplateDecl>(declaration);
      const Decl *inner =
          pattern && pattern->getTemplatedDecl() ? pattern->getTemplatedDecl() : declaration;
      if (is_scope(declaration) || llvm::isa<CXXRecordDecl>(inner))
        begin_in(llvm::cast<DeclContext>(inner));
      if (scope->isFileContext() && (!is_apart(declaration) || is_emitted(declaration)))
        reach(declaration);
    }
  }

  bool is_emitted(const Decl *declaration) const {
    return !is_scope(declaration) && context.DeclMustBeEmitted(declaration);
  }

  void reach_record(CXXRecordDecl *record) {
    records.push_back(record);
    reach(record->getDescribedClassTemplate());
    if (!record->hasDefinition())
      return;
    reach(record->getDestructor());
    const auto needs_start = [](const FieldDecl *field) {
      return field->getType()->isReferenceType() || field->getType().isConstQualified();
    };
    if (llvm::any_of(record->fields(), needs_start) && record->ctor_begin() != record->ctor_end())
      reach(*record->ctor_begin());
    for (const CXXMethodDecl *method : record->methods())
      if (method->isVirtual() || method->getOverloadedOperator() == OO_Call)
        reach(method);
  }

  void reach_special(ClassTemplateSpecializationDecl *made) {
    reach(made->getSpecializedTemplate());
    auto from_which = made->getSpecializedTemplateOrPartial();
    if (auto *partial = llvm::dyn_cast<ClassTemplatePartialSpecializationDecl *>(from_which))
      reach(partial);
    TraverseTemplateArguments(made->getTemplateArgs().asArray());
  }

  /* What is made where something is tried no type tells: of a template's special forms all stay
   * that are whole, or that something was made of. */
  void reach_forms(ClassTemplateDecl *pattern) {
    for (const ClassTemplateSpecializationDecl *made : pattern->specializations()) {
      auto from_which = made->getSpecializedTemplateOrPartial();
      if (auto *partial = llvm::dyn_cast<ClassTemplatePartialSpecializationDecl *>(from_which))
        reach(partial);
      if (made->getSpecializationKind() == TSK_ExplicitSpecialization)
        reach(made);
    }
  }

  void reach_function(FunctionDecl *function) {
    reach(function->getPrimaryTemplate());
    reach(function->getDescribedFunctionTemplate());
    if (const TemplateArgumentList *arguments = function->getTemplateSpecializationArgs())
      TraverseTemplateArguments(arguments->asArray());
  }

  void reach_beside(Decl *declaration) {
    places.insert(place_of(declaration));
    for (const Decl *again : written.lookup(place_of(declaration)))
      reach(again);
    for (const Decl *again : declaration->redecls())
      reach(again);
    reach(Decl::castFromDeclContext(declaration->getDeclContext()));
    if (auto *pattern = llvm::dyn_cast<TemplateDecl>(declaration))
      reach(pattern->getTemplatedDecl());
    if (auto *pattern = llvm::dyn_cast<ClassTemplateDecl>(declaration))
      reach_forms(pattern);
    if (auto *record = llvm::dyn_cast<CXXRecordDecl>(declaration))
      reach_record(record);
    if (auto *made = llvm::dyn_cast<ClassTemplateSpecializationDecl>(declaration))
      reach_special(made);
    if (auto *made = llvm::dyn_cast<VarTemplateSpecializationDecl>(declaration))
      reach(made->getSpecializedTemplate());
    if (auto *function = llvm::dyn_cast<FunctionDecl>(declaration))
      reach_function(function);
    if (auto *shadow = llvm::dyn_cast<UsingShadowDecl>(declaration))
      reach(shadow->getTargetDecl());
  }

  bool is_asked(const Decl *member) const {
    if (const auto *values = llvm::dyn_cast<EnumDecl>(member))
      if (llvm::any_of(values->enumerators(), [&](const EnumConstantDecl *value) {
            return asked.contains(value->getDeclName());
          }))
        return true;
    const auto *named = llvm::dyn_cast<NamedDecl>(member);
    const bool function = llvm::isa<FunctionDecl, FunctionTemplateDecl>(member);
    return named && (function ? called : asked).contains(named->getDeclName());
  }

  /* What is asked for by its name, which no instance tells. */
  bool follow_members() {
    const size_t before = seen.size();
    for (const CXXRecordDecl *record : records)
      for (const Decl *member : record->decls())
        if (is_asked(member))
          reach(member);
    follow();
    return seen.size() > before;
  }

  void follow() {
    while (!ahead.empty()) {
      Decl *declaration = ahead.pop_back_val();
      reach_beside(declaration);
      from = declaration;
      TraverseDecl(declaration);
    }
  }

  /* A name of which no instance asks must be there nonetheless: one of what it may be is enough. */
  void follow_names() {
    for (size_t i = 0; i < open.size(); i++) {
      auto has_place = [&](const NamedDecl *found) { return has(found); };
      if (open[i]->decls_begin() == open[i]->decls_end() ||
          llvm::any_of(open[i]->decls(), has_place))
        continue;
      reach(*open[i]->decls_begin());
      follow();
    }
  }

  /* Of what is not evaluated no instance tells what it calls. */
  void ask_in(const Stmt *part) {
    if (const auto *member = llvm::dyn_cast_or_null<CXXDependentScopeMemberExpr>(part))
      called.insert(member->getMember());
    if (const auto *names = llvm::dyn_cast_or_null<OverloadExpr>(part))
      for (const NamedDecl *found : names->decls())
        if (found->isCXXClassMember())
          reach(found);
    if (part)
      for (const Stmt *inner : part->children())
        ask_in(inner);
  }

  void follow_all() {
    do {
      follow();
      follow_names();
    } while (follow_members());
  }

public:
  explicit Reach(ASTContext &context) : context(context) {
    begin_in(context.getTranslationUnitDecl());
    follow_all();
  }

  bool has(const Decl *declaration) const { return places.contains(place_of(declaration)); }
  bool has_itself(const Decl *declaration) const { return seen.contains(declaration); }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(Decl *declaration) {
    if (!declaration || (declaration != from && is_apart(declaration)))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool TraverseTemplateName(TemplateName name) {
    reach(name.getAsTemplateDecl());
    return RecursiveASTVisitor::TraverseTemplateName(name);
  }

  bool VisitTagType(TagType *type) { return reach(type->getDecl()), true; }
  bool VisitTypedefType(TypedefType *type) { return reach(type->getDecl()), true; }
  bool VisitTemplateSpecializationType(TemplateSpecializationType *type) {
    reach(type->getTemplateName().getAsTemplateDecl());
    return !type->isTypeAlias() || TraverseType(type->getAliasedType());
  }
  bool VisitDecltypeType(DecltypeType *type) {
    ask_in(type->getUnderlyingExpr());
    return type->isDependentType() || TraverseType(type->getUnderlyingType());
  }
  bool VisitCXXNoexceptExpr(CXXNoexceptExpr *question) {
    return ask_in(question->getOperand()), true;
  }
  bool TraverseRequiresExpr(RequiresExpr *question) {
    untold++;
    const bool more = RecursiveASTVisitor::TraverseRequiresExpr(question);
    untold--;
    return more;
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *member) {
    if (untold)
      called.insert(member->getMember());
    return true;
  }
  bool VisitDependentNameType(DependentNameType *type) {
    return asked.insert(type->getIdentifier()), true;
  }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *name) {
    return asked.insert(name->getDeclName()), true;
  }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *directive) {
    for (const Decl *again : directive->getNominatedNamespace()->redecls())
      places.insert(place_of(again));
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *name) {
    reach(name->getDecl());
    return reach(name->getFoundDecl()), true;
  }
  bool VisitMemberExpr(MemberExpr *member) { return reach(member->getMemberDecl()), true; }
  bool VisitCXXConstructExpr(CXXConstructExpr *call) { return reach(call->getConstructor()), true; }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *call) {
    return reach(call->getConstructor()), true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *made) {
    reach(made->getOperatorNew());
    return reach(made->getOperatorDelete()), true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *end) { return reach(end->getOperatorDelete()), true; }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *value) { return TraverseStmt(value->getExpr()); }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *value) { return TraverseStmt(value->getExpr()); }
  bool VisitOverloadExpr(OverloadExpr *names) { return open.push_back(names), true; }
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
  const Reach &reached;
  llvm::raw_ostream &out;
  llvm::DenseSet<size_t> known; /* where instances begin that are asked for */

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

  /* Whether the declaration that a friend is can be reached; of what is not known yet that may be.
   */
  bool is_friend_reached(const FriendDecl *declaration) const {
    const Decl *target = declaration->getFriendDecl();
    if (!target && declaration->getFriendType()) {
      const QualType type = declaration->getFriendType()->getType();
      target = type->getAsTagDecl();
      if (const auto *made = type->getAs<TemplateSpecializationType>())
        target = made->getTemplateName().getAsTemplateDecl();
    }
    return !target || is_reached(target);
  }

  bool is_reached(const Decl *declaration) const {
    if (llvm::isa<StaticAssertDecl>(declaration))
      return false;
    if (const auto *linkage = llvm::dyn_cast<LinkageSpecDecl>(declaration))
      return llvm::any_of(linkage->decls(), [&](const Decl *inner) { return is_reached(inner); });
    if (const auto *shadowed = llvm::dyn_cast<UsingDecl>(declaration))
      return llvm::any_of(shadowed->shadows(), [&](const UsingShadowDecl *shadow) {
        return reached.has(shadow->getTargetDecl());
      });
    if (const auto *space = llvm::dyn_cast<NamespaceDecl>(declaration))
      return !space->decls_empty() || space->isInline() || reached.has(space);
    if (const auto *befriended = llvm::dyn_cast<FriendDecl>(declaration))
      return is_friend_reached(befriended);
    return llvm::any_of(declaration->redecls(),
                        [&](const Decl *again) { return reached.has(again); });
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
        << (is_reached(declaration) ? 2 : is_used(declaration)) << ' ';
    const auto *linkage = llvm::dyn_cast<LinkageSpecDecl>(declaration);
    const Decl *inner = linkage && !linkage->decls_empty() ? *linkage->decls_begin() : declaration;
    if (const auto *named = llvm::dyn_cast<NamedDecl>(inner))
      named->printName(out);
    out << '\n';
  }

  /* Where a function of a template is asked for by itself, of which no declaration tells. */
  void write_instances(const FunctionTemplateDecl *pattern) {
    static const llvm::StringRef word = "template";
    for (const FunctionDecl *made : pattern->specializations()) {
      const SourceLocation place = made->getPointOfInstantiation();
      const TemplateSpecializationKind kind = made->getTemplateSpecializationKind();
      const bool is_asked = kind == TSK_ExplicitInstantiationDeclaration ||
                            kind == TSK_ExplicitInstantiationDefinition;
      if (!is_asked || !sources.isWrittenInMainFile(place))
        continue;
      const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
      const llvm::StringRef before = text.take_front(sources.getFileOffset(place));
      size_t start = before.rfind(word);
      const size_t end = text.find(';', before.size());
      if (start == llvm::StringRef::npos || end == llvm::StringRef::npos)
        continue;
      llvm::StringRef front = before.take_front(start).rtrim();
      start = front.consume_back("extern") ? front.size() : start;
      known.insert(start);
      out << start << ' ' << end + 1 << ' ' << (reached.has_itself(made) ? 2 : 0) << ' ';
      made->printName(out);
      out << '\n';
    }
  }

public:
  Writer(ASTContext &context, const Uses &uses, const Reach &reached, llvm::raw_ostream &out)
      : context(context), sources(context.getSourceManager()), uses(uses), reached(reached),
        out(out) {}

  void write_all(const DeclContext *scope) {
    for (const Decl *declaration : scope->decls()) {
      write(declaration);
      if (const auto *pattern = llvm::dyn_cast<FunctionTemplateDecl>(declaration))
        write_instances(pattern);
      const Decl *inner = templated(declaration);
      if (llvm::isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(inner) && !is_whole(inner))
        write_all(llvm::cast<DeclContext>(inner));
    }
  }

  /* Those that specializations hide. */
  void write_unknown() {
    static const llvm::StringRef word = "extern template";
    const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
    for (size_t start = text.find(word); start != llvm::StringRef::npos;
         start = text.find(word, start + 1)) {
      const size_t end = text.find(';', start);
      const llvm::StringRef rest = text.substr(start + word.size()).ltrim();
      const bool type = rest.starts_with("class ") || rest.starts_with("struct ");
      if (end != llvm::StringRef::npos && !type && !known.contains(start))
        out << start << ' ' << end + 1 << " 0 extern\n";
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
  const Reach reached(context);
  Writer writer(context, uses, reached, out);
  writer.write_all(context.getTranslationUnitDecl());
  writer.write_unknown();
}
