// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Clang's glue: `-fplugin=` alone runs the passes, knows the vocabulary's attributes, defines its
 * macros and finds its headers, and keeps the names of local variables that are markers. opt and
 * lld have no clang, and yet load this file: the build makes its references to clang weak, and
 * nothing here touches them before clang is found in the process.
 */
#include "bridge/frontend.h"
#include "bridge/internal.h"
#include "bridge/version.h"
#include "nabla/checkpoint.h"
#include "nabla/version.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace clang;

namespace {

/* --- Attributes: each becomes an annotation, which collect reads. ------------------------------
 */

struct SourceAttribute {
  const char *annotation;
  unsigned arguments;
  ParsedAttrInfo::Spelling spellings[7];
};

/* Clang reads arguments only where it knows the name without its namespace too. */
#define NABLA_ATTRIBUTE(word, arguments)                                                           \
  {                                                                                                \
    "enzyme_" word, arguments, {                                                                   \
      {ParsedAttr::AS_GNU, "enzyme_" word}, {ParsedAttr::AS_C23, "enzyme_" word},                  \
          {ParsedAttr::AS_C23, "enzyme::" word},                                                   \
          {ParsedAttr::AS_C23, arguments ? word : "enzyme_" word},                                 \
          {ParsedAttr::AS_CXX11, "enzyme_" word}, {ParsedAttr::AS_CXX11, "enzyme::" word}, {       \
        ParsedAttr::AS_CXX11, arguments ? word : "enzyme_" word                                    \
      }                                                                                            \
    }                                                                                              \
  }

const SourceAttribute attributes[] = {
    NABLA_ATTRIBUTE("inactive", 0),        NABLA_ATTRIBUTE("inactive_noblock", 0),
    NABLA_ATTRIBUTE("nofree", 0),          NABLA_ATTRIBUTE("no_escaping_allocation", 0),
    NABLA_ATTRIBUTE("shouldrecompute", 0), NABLA_ATTRIBUTE("elementwise_read", 0),
    NABLA_ATTRIBUTE("notypeanalysis", 0),  NABLA_ATTRIBUTE("sparse_accumulate", 0),
    NABLA_ATTRIBUTE("function_like", 1)};

void report(Sema &sema, const ParsedAttr &attribute, const char *message) {
  auto &diagnostics = sema.getDiagnostics();
  const unsigned id =
      diagnostics.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, message);
  diagnostics.Report(attribute.getLoc(), id);
}

bool is_function_or_global(const Decl *declaration) {
  const auto *variable = dyn_cast<VarDecl>(declaration);
  return isa<FunctionDecl>(declaration) || (variable && variable->hasGlobalStorage());
}

/* Returns whether the annotation could be made. */
bool annotate(Sema &sema, Decl *declaration, const ParsedAttr &attribute, llvm::StringRef text,
              llvm::MutableArrayRef<Expr *> arguments) {
  if (!sema.ConstantFoldAttrArgs(attribute, arguments))
    return false;
  declaration->addAttr(AnnotateAttr::Create(sema.getASTContext(), text, arguments.data(),
                                            arguments.size(), attribute));
  return true;
}

template <unsigned Index> struct WordAttribute : ParsedAttrInfo {
  WordAttribute() {
    Spellings = attributes[Index].spellings;
    NumArgs = attributes[Index].arguments;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute,
                            const Decl *declaration) const override {
    if (is_function_or_global(declaration))
      return true;
    report(sema, attribute, "this attribute applies to functions and global variables");
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &attribute) const override {
    std::string text = attributes[Index].annotation;
    llvm::StringRef argument;
    if (NumArgs && !sema.checkStringLiteralArgumentAttr(attribute, 0, argument))
      return AttributeNotApplied;
    if (NumArgs)
      text += "=" + argument.str();
    return annotate(sema, declaration, attribute, text, {}) ? AttributeApplied
                                                            : AttributeNotApplied;
  }
};

/* What a template's name with all its arguments stands for, as the initialiser of a pointer would
 * take it; null where that is not one function. */
Expr *specialisation(Sema &sema, OverloadExpr *name) {
  DeclAccessPair found;
  FunctionDecl *function = sema.ResolveSingleFunctionTemplateSpecialization(name, false, &found);
  if (!function)
    return nullptr;
  sema.MarkFunctionReferenced(name->getNameLoc(), function);
  const ExprResult fixed = sema.FixOverloadedFunctionReference(name, found, function);
  return fixed.isUsable() ? fixed.get() : nullptr;
}

/* Casts to other pointers are no constants of C++. */
Expr *without_casts(Expr *expression) {
  Expr *inner = expression->IgnoreParenCasts();
  if (const auto *address = dyn_cast<UnaryOperator>(inner))
    inner = address->getSubExpr()->IgnoreParenCasts();
  return inner;
}

/* The function that an expression names, without casts and the operator that takes its address;
 * null where it names several, or does so in a template. */
Expr *function_named(Sema &sema, Expr *expression) {
  Expr *inner = without_casts(expression);
  if (auto *several = dyn_cast<OverloadExpr>(inner))
    return several->isInstantiationDependent() ? nullptr : specialisation(sema, several);
  const auto *reference = dyn_cast<DeclRefExpr>(inner);
  return reference && isa<FunctionDecl>(reference->getDecl()) ? inner : expression;
}

/* The compiler would leave out a static function that only an annotation mentions. One that was
 * defined above has been left out already. */
void keep_function(Sema &sema, Expr *expression) {
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  const auto *function = reference ? dyn_cast<FunctionDecl>(reference->getDecl()) : nullptr;
  if (!function)
    return;
  const FunctionDecl *definition = nullptr;
  auto *kept = const_cast<FunctionDecl *>(function->hasBody(definition) ? definition : function);
  if (!kept->hasAttr<UsedAttr>())
    kept->addAttr(UsedAttr::CreateImplicit(sema.getASTContext()));
  if (definition)
    sema.Consumer.HandleTopLevelDecl(DeclGroupRef(kept));
}

/* __attribute__((enzyme("augment", f))) and the like: f is a part of this function's derivative. */
struct PartAttribute : ParsedAttrInfo {
  PartAttribute() {
    static const Spelling spellings[] = {{ParsedAttr::AS_GNU, "enzyme"}};
    Spellings = spellings;
    NumArgs = 2;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &attribute) const override {
    llvm::StringRef part;
    if (!isa<FunctionDecl>(declaration) || attribute.isArgIdent(1)) {
      report(sema, attribute, "this attribute gives a function a part of its derivative");
      return AttributeNotApplied;
    }
    if (!sema.checkStringLiteralArgumentAttr(attribute, 0, part))
      return AttributeNotApplied;
    Expr *function[] = {function_named(sema, attribute.getArgAsExpr(1))};
    if (!function[0]) {
      report(sema, attribute,
             "the attribute names no single function: give a template all its arguments, cast the "
             "name of several functions to the type of one, and name a static member of a class "
             "template where arguments of a template are to choose");
      return AttributeNotApplied;
    }
    keep_function(sema, function[0]);
    return annotate(sema, declaration, attribute, "enzyme_" + part.str(), function)
               ? AttributeApplied
               : AttributeNotApplied;
  }
};

/* --- Loops that are checkpointed as they stand. ------------------------------------------------
 */

int schedule_of(llvm::StringRef word) {
  return llvm::StringSwitch<int>(word)
      .Case("none", ENZYME_CKPT_SCHEDULE_NONE)
      .Case("periodic", ENZYME_CKPT_SCHEDULE_PERIODIC)
      .Case("regular", ENZYME_CKPT_SCHEDULE_PERIODIC)
      .Case("revolve", ENZYME_CKPT_SCHEDULE_REVOLVE)
      .Case("store_all", ENZYME_CKPT_SCHEDULE_STORE_ALL)
      .Case("binomial", ENZYME_CKPT_SCHEDULE_BINOMIAL)
      .Default(-1);
}

/* A function of this name that no declaration of the user's is. */
FunctionDecl *mark_function(ASTContext &context, SourceLocation place) {
  const QualType word = context.LongLongTy;
  const QualType type = context.getFunctionType(context.VoidTy, {word, word}, {});
  IdentifierInfo &name = context.Idents.get("__enzyme_set_checkpointing.loop");
  auto *function =
      FunctionDecl::Create(context, context.getTranslationUnitDecl(), place, place, &name, type,
                           context.getTrivialTypeSourceInfo(type, place), SC_Extern);
  llvm::SmallVector<ParmVarDecl *, 2> parameters;
  for (unsigned i = 0; i < 2; i++)
    parameters.push_back(ParmVarDecl::Create(context, function, place, place, nullptr, word,
                                             context.getTrivialTypeSourceInfo(word, place), SC_None,
                                             nullptr));
  function->setParams(parameters);
  function->setImplicit();
  return function;
}

Expr *number(ASTContext &context, int64_t value, SourceLocation place) {
  const QualType word = context.LongLongTy;
  const llvm::APInt bits(context.getIntWidth(word), static_cast<uint64_t>(value), true);
  return IntegerLiteral::Create(context, bits, word, place);
}

Stmt *mark_of(ASTContext &context, int schedule, int64_t budget, SourceLocation place) {
  FunctionDecl *function = mark_function(context, place);
  const QualType type = context.getPointerType(function->getType());
  auto *name = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), function,
                                   false, place, function->getType(), VK_PRValue);
  auto *callee = ImplicitCastExpr::Create(context, type, CK_FunctionToPointerDecay, name, nullptr,
                                          VK_PRValue, FPOptionsOverride());
  Expr *arguments[] = {number(context, schedule, place), number(context, budget, place)};
  return CallExpr::Create(context, callee, arguments, context.VoidTy, VK_PRValue, place,
                          FPOptionsOverride());
}

/* Calls change(body) for what may set a loop's body; false where the statement is no loop. */
template <class Change> bool change_body(Stmt *statement, Change change) {
  if (auto *counted = dyn_cast<ForStmt>(statement))
    counted->setBody(change(counted->getBody()));
  else if (auto *tested = dyn_cast<WhileStmt>(statement))
    tested->setBody(change(tested->getBody()));
  else if (auto *run = dyn_cast<DoStmt>(statement))
    run->setBody(change(run->getBody()));
  else if (auto *range = dyn_cast<CXXForRangeStmt>(statement))
    range->setBody(change(range->getBody()));
  else
    return false;
  return true;
}

/* The mark stands at the top of the body, as users may write it themselves. */
struct LoopAttribute : ParsedAttrInfo {
  explicit LoopAttribute(llvm::ArrayRef<Spelling> spellings) {
    Spellings = spellings;
    OptArgs = 2;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute, const Decl *) const override {
    report(sema, attribute, "this attribute applies to loops");
    return false;
  }

  AttrHandling handleStmtAttribute(Sema &sema, Stmt *statement, const ParsedAttr &attribute,
                                   Attr *&) const NABLA_READS_STATEMENTS {
    llvm::StringRef word = "periodic";
    int64_t budget = -1;
    if (attribute.getNumArgs() > 0 && !sema.checkStringLiteralArgumentAttr(attribute, 0, word))
      return AttributeNotApplied;
    if (schedule_of(word) < 0)
      report(sema, attribute,
             "a schedule is \"revolve\", \"binomial\", \"periodic\", "
             "\"store_all\" or \"none\"");
    else if (attribute.getNumArgs() > 1 && !read_budget(sema, attribute, budget))
      report(sema, attribute, "how many states are kept must be a constant integer");
    else
      mark(sema, statement, attribute, schedule_of(word), budget);
    return AttributeApplied;
  }

  static bool read_budget(Sema &sema, const ParsedAttr &attribute, int64_t &budget) {
    Expr::EvalResult result;
    if (!attribute.isArgExpr(1) || attribute.getArgAsExpr(1)->isValueDependent() ||
        !attribute.getArgAsExpr(1)->EvaluateAsInt(result, sema.getASTContext()))
      return false;
    budget = result.Val.getInt().getExtValue();
    return true;
  }

  static void mark(Sema &sema, Stmt *statement, const ParsedAttr &attribute, int schedule,
                   int64_t budget) {
    ASTContext &context = sema.getASTContext();
    const SourceLocation place = attribute.getLoc();
    auto change = [&](Stmt *body) {
      Stmt *parts[] = {mark_of(context, schedule, budget, place), body};
      return CompoundStmt::Create(context, parts, FPOptionsOverride(), body->getBeginLoc(),
                                  body->getEndLoc());
    };
    if (!change_body(statement, change))
      report(sema, attribute, "this attribute applies to loops");
  }
};

const ParsedAttrInfo::Spelling checkpoint_spellings[] = {
    {ParsedAttr::AS_GNU, "enzyme_checkpoint"},   {ParsedAttr::AS_C23, "enzyme_checkpoint"},
    {ParsedAttr::AS_C23, "enzyme::checkpoint"},  {ParsedAttr::AS_C23, "checkpoint"},
    {ParsedAttr::AS_CXX11, "enzyme_checkpoint"}, {ParsedAttr::AS_CXX11, "enzyme::checkpoint"},
    {ParsedAttr::AS_CXX11, "checkpoint"}};

const ParsedAttrInfo::Spelling enable_spellings[] = {
    {ParsedAttr::AS_GNU, "enzyme_checkpointing_enable"},
    {ParsedAttr::AS_C23, "enzyme_checkpointing_enable"},
    {ParsedAttr::AS_C23, "enzyme::checkpointing_enable"},
    {ParsedAttr::AS_C23, "checkpointing_enable"},
    {ParsedAttr::AS_CXX11, "enzyme_checkpointing_enable"},
    {ParsedAttr::AS_CXX11, "enzyme::checkpointing_enable"},
    {ParsedAttr::AS_CXX11, "checkpointing_enable"}};

struct CheckpointAttribute : LoopAttribute {
  CheckpointAttribute() : LoopAttribute(checkpoint_spellings) {}
};
struct CheckpointingEnableAttribute : LoopAttribute {
  CheckpointingEnableAttribute() : LoopAttribute(enable_spellings) {}
};

/* `#pragma enzyme checkpoint("revolve", 32)` reads as the attribute. */
class EnzymePragma : public PragmaHandler {
public:
  EnzymePragma() : PragmaHandler("enzyme") {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer, Token &first) override {
    llvm::SmallVector<Token, 16> tokens;
    Token token;
    preprocessor.Lex(token);
    const bool known = token.is(tok::identifier) && token.getIdentifierInfo()->isStr("checkpoint");
    const SourceLocation place = known ? token.getLocation() : first.getLocation();
    add(tokens, tok::kw___attribute, place, preprocessor.getIdentifierInfo("__attribute__"));
    add(tokens, tok::l_paren, place, nullptr);
    add(tokens, tok::l_paren, place, nullptr);
    add(tokens, tok::identifier, place, preprocessor.getIdentifierInfo("enzyme_checkpoint"));
    for (preprocessor.Lex(token); token.isNot(tok::eod); preprocessor.Lex(token))
      tokens.push_back(token);
    add(tokens, tok::r_paren, place, nullptr);
    add(tokens, tok::r_paren, place, nullptr);
    if (!known)
      return refuse(preprocessor, place);
    auto owned = std::make_unique<Token[]>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), owned.get());
    preprocessor.EnterTokenStream(std::move(owned), tokens.size(), false, false);
  }

private:
  static void add(llvm::SmallVectorImpl<Token> &tokens, tok::TokenKind kind, SourceLocation place,
                  IdentifierInfo *name) {
    Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(place);
    token.setIdentifierInfo(name);
    tokens.push_back(token);
  }

  static void refuse(Preprocessor &preprocessor, SourceLocation place) {
    auto &diagnostics = preprocessor.getDiagnostics();
    const unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID(
        DiagnosticIDs::Error, "the pragma 'enzyme' knows 'checkpoint' only");
    diagnostics.Report(place, id);
  }
};

/* --- Headers and macros. -----------------------------------------------------------------------
 */

/* The folders of nabla's headers, from where the plugin lies in the build folder or is installed:
 * there <enzyme/...> lies apart. The system's own folder is searched anyway, and must not move
 * before the C++ library's. */
std::vector<std::string> header_folders() {
  Dl_info info;
  llvm::SmallString<256> file;
  std::vector<std::string> folders;
  if (!dladdr(reinterpret_cast<const void *>(&nb_option_text), &info) || !info.dli_fname ||
      llvm::sys::fs::real_path(info.dli_fname, file))
    return folders;
  for (const char *up : {"../include", "../../include", "../../../include"}) {
    llvm::SmallString<256> folder(llvm::sys::path::parent_path(file));
    llvm::sys::path::append(folder, up);
    llvm::sys::path::remove_dots(folder, true);
    const bool is_ours = llvm::sys::fs::exists(llvm::Twine(folder) + "/nabla/version.h") ||
                         llvm::sys::fs::exists(llvm::Twine(folder) + "/enzyme/enzyme");
    if (is_ours && folder != "/usr/include")
      folders.push_back(folder.str().str());
  }
  return folders;
}

void add_headers(Preprocessor &preprocessor, const std::vector<std::string> &folders) {
  for (const std::string &folder : folders) {
    auto found = preprocessor.getFileManager().getOptionalDirectoryRef(folder);
    if (found)
      preprocessor.getHeaderSearchInfo().AddSearchPath(
          DirectoryLookup(*found, SrcMgr::C_System, false), true);
  }
}

/* --- Files of rules, which the output depends on as on a header. --------------------------------
 */

/* Who lists dependencies (-MD, scanners of modules) is told behind the last header, as if the
 * source had asked whether the file is there: that is the one way that leads to all of them. */
class RulesAreHeaders : public PPCallbacks {
  Preprocessor &preprocessor;

  void depend_on(llvm::StringRef path) {
    const auto file = preprocessor.getFileManager().getOptionalFileRef(path);
    if (file)
      preprocessor.getPPCallbacks()->HasInclude(SourceLocation(), path, false, *file,
                                                SrcMgr::C_User);
  }

public:
  explicit RulesAreHeaders(Preprocessor &preprocessor) : preprocessor(preprocessor) {}

  void EndOfMainFile() override {
    NbOptions *options = nb_options_new();
    const char *text = nb_option_text(options, "rules");
    llvm::SmallVector<llvm::StringRef, 4> paths;
    llvm::StringRef(text ? text : "").split(paths, ';', -1, false);
    for (llvm::StringRef path : paths)
      depend_on(path);
    nb_options_free(options);
  }
};

/* What code asks for that adapts to the version of the tool whose vocabulary this is. */
const char macros[] = "#define __NABLA__ 1\n"
                      "#define ENZYME_VERSION_MAJOR 0\n"
                      "#define ENZYME_VERSION_MINOR 0\n"
                      "#define ENZYME_VERSION_PATCH 200\n";

/* --- Local variables that are markers: clang drops the names of values. -------------------------
 */

bool is_named(const Decl *declaration, llvm::StringRef part) {
  const auto *named = llvm::dyn_cast_or_null<NamedDecl>(declaration);
  const IdentifierInfo *name = named ? named->getIdentifier() : nullptr;
  return name && name->getName().contains(part);
}

/* The annotation becomes a call beside the variable, with the name as its text. */
void keep_name(Decl *declaration) {
  auto *variable = llvm::dyn_cast<VarDecl>(declaration);
  const bool marker = is_named(variable, "enzyme_") || is_named(variable, "diffe_");
  if (marker && variable->hasLocalStorage())
    variable->addAttr(
        AnnotateAttr::CreateImplicit(variable->getASTContext(), variable->getName(), nullptr, 0));
}

void keep_names(Stmt *body) {
  llvm::SmallVector<Stmt *, 32> open{body};
  while (!open.empty()) {
    Stmt *statement = open.pop_back_val();
    if (!statement)
      continue;
    if (auto *declarations = llvm::dyn_cast<DeclStmt>(statement))
      for (Decl *declaration : declarations->decls())
        keep_name(declaration);
    open.append(statement->child_begin(), statement->child_end());
  }
}

/* --- Registrations that clang would leave out: nothing mentions them. ---------------------------
 */

class Registrations {
  Sema &sema;
  llvm::SmallVector<VarDecl *, 4> open;
  llvm::SmallPtrSet<VarDecl *, 8> seen;

  /* Of a template that is instantiated by itself, a member gets its value only where it is used;
   * the template's own may follow later in the file. */
  void instantiate() {
    llvm::erase_if(open, [this](VarDecl *variable) {
      const VarDecl *pattern = variable->getTemplateInstantiationPattern();
      if (!pattern || !pattern->getDefinition())
        return false;
      const SourceLocation place = variable->getLocation();
      variable->setTemplateSpecializationKind(TSK_ImplicitInstantiation, place);
      sema.PendingInstantiations.emplace_back(variable, place);
      return true;
    });
  }

  void look_in(Decl *declaration) {
    look_at(llvm::dyn_cast<VarDecl>(declaration));
    if (auto *record = llvm::dyn_cast<CXXRecordDecl>(declaration))
      for (Decl *inner : record->decls())
        look_in(inner);
  }

public:
  explicit Registrations(Sema &sema) : sema(sema) {}

  void look_at(VarDecl *variable) {
    if (!is_named(variable, "__enzyme_") || !variable->isFileVarDecl() ||
        variable->getDeclContext()->isDependentContext() || !seen.insert(variable).second)
      return;
    if (!variable->hasAttr<UsedAttr>())
      variable->addAttr(UsedAttr::CreateImplicit(sema.getASTContext()));
    const bool made = variable->getTemplateSpecializationKind() == TSK_ImplicitInstantiation;
    if (made && variable->isStaticDataMember() && variable->getPointOfInstantiation().isInvalid())
      open.push_back(variable);
  }

  void look_around(Decl *declaration) {
    look_in(declaration);
    instantiate();
  }
};

/* Sees each declaration before code is made of it, and looks into functions once an entry point has
 * been declared. */
class KeepNames : public ASTConsumer {
  CompilerInstance &compiler;
  bool asked = false;
  nabla::Puns puns;
  std::optional<Registrations> registered;

  /* The compiler has no Sema yet when it makes this. */
  Registrations &registrations() {
    if (!registered)
      registered.emplace(compiler.getSema());
    return *registered;
  }

  void visit(Decl *declaration) {
    asked |= is_named(declaration, "__enzyme_");
    registrations().look_around(declaration);
    if (llvm::isa<NamespaceDecl>(declaration) || llvm::isa<LinkageSpecDecl>(declaration))
      for (Decl *inner : llvm::cast<DeclContext>(declaration)->decls())
        visit(inner);
    auto *function = llvm::dyn_cast<FunctionDecl>(declaration);
    if (asked && function && function->doesThisDeclarationHaveABody())
      keep_names(function->getBody());
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group) {
      visit(declaration);
      puns.look_at(declaration);
    }
    return true;
  }

  void HandleTagDeclDefinition(TagDecl *declaration) override {
    puns.look_at_type(declaration);
    registrations().look_around(declaration);
  }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    registrations().look_at(variable);
  }

  void HandleTranslationUnit(ASTContext &context) override {
    nabla::options_know_types(puns.known(compiler));
    NbOptions *options = nb_options_new();
    const char *path = nb_option_text(options, "used");
    if (path && *path)
      nabla::write_used(context, path);
    nb_options_free(options);
  }

public:
  explicit KeepNames(CompilerInstance &compiler) : compiler(compiler) {
    nabla::options_know_types(NB_TYPES_UNKNOWN);
    nabla::take_sources(&compiler);
  }

  KeepNames(const KeepNames &) = delete;
  KeepNames &operator=(const KeepNames &) = delete;
  ~KeepNames() override { nabla::take_sources(nullptr); }
};

bool tells_classes;

/* Clang says of which classes virtual calls are, as for a link step. The passes take note of it and
 * take it away; so nothing is said where none run, or where a link step is to come. */
void tell_classes(const LangOptions &language, CodeGenOptions &options) {
  tells_classes = language.CPlusPlus && !options.PrepareForLTO && !options.PrepareForThinLTO &&
                  !options.DisableLLVMPasses && !options.WholeProgramVTables && !options.LTOUnit;
  options.WholeProgramVTables |= tells_classes;
  options.LTOUnit |= tells_classes;
}

/* Every compilation with the plugin makes one. */
class AddPasses : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(
        [](llvm::PassBuilder &builder) { nabla::passes_register(builder, nullptr); });
    tell_classes(compiler.getLangOpts(), compiler.getCodeGenOpts());
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() + macros);
    add_headers(preprocessor, header_folders());
    preprocessor.AddPragmaHandler(new EnzymePragma);
    preprocessor.addPPCallbacks(std::make_unique<RulesAreHeaders>(preprocessor));
    return std::make_unique<KeepNames>(compiler);
  }

  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

bool nabla::classes_told() { return tells_classes; }

static bool host_is_clang() {
  return dlsym(RTLD_DEFAULT, "_ZN4llvm8RegistryIN5clang15PluginASTActionEE4TailE") != nullptr;
}

template <unsigned Index> static void register_attribute() {
  static ParsedAttrInfoRegistry::Add<WordAttribute<Index>> entry("nabla", "");
}

template <unsigned... Indices>
static void register_attributes(std::integer_sequence<unsigned, Indices...>) {
  (register_attribute<Indices>(), ...);
}

void nabla::frontend_register() {
  if (!host_is_clang())
    return;
  static FrontendPluginRegistry::Add<AddPasses> entry("nabla", "writes derivatives");
  static ParsedAttrInfoRegistry::Add<PartAttribute> part("nabla", "");
  static ParsedAttrInfoRegistry::Add<CheckpointAttribute> checkpoint("nabla", "");
  static ParsedAttrInfoRegistry::Add<CheckpointingEnableAttribute> enable("nabla", "");
  register_attributes(std::make_integer_sequence<unsigned, std::size(attributes)>());
}
