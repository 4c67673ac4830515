// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Does a file keep to the types of its objects, as far as its text shows?
 *
 * C and C++ promise that a number is accessed as what it was stored as, and TBAA says so to LLVM.
 * Without optimisation there is no TBAA; what it would say is taken from the types in the IR then,
 * if nothing in the file breaks the promise: no union holds a number, no pointer to numbers is cast
 * to one to something else, no type may alias, and strict aliasing was not turned off. Of C++ the
 * headers of the system are no part of the question: they are made for compilers that take them at
 * their types.
 */
#include "bridge/frontend.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/ASTReader.h"

using namespace clang;

static bool has_number(QualType type);

static bool is_number_in_base(const CXXBaseSpecifier &base) { return has_number(base.getType()); }

static bool has_number_among(const RecordDecl *record) {
  const auto *derived = llvm::dyn_cast<CXXRecordDecl>(record);
  if (derived && derived->hasDefinition() && llvm::any_of(derived->bases(), is_number_in_base))
    return true;
  return llvm::any_of(record->fields(),
                      [](const FieldDecl *field) { return has_number(field->getType()); });
}

/* Is there a floating-point number in an object of the type? */
static bool has_number(QualType type) {
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return has_number(array->getElementType());
  if (const RecordDecl *record = type->getAsRecordDecl())
    return has_number_among(record);
  return type->isFloatingType() || type->isVectorType() || type->isAnyComplexType();
}

/* The type of what an object of the type begins with; the type itself where that is a scalar. */
static QualType first_of(QualType type) {
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return array->getElementType();
  if (const auto *complex = type->getAs<ComplexType>())
    return complex->getElementType();
  if (const auto *vector = type->getAs<VectorType>())
    return vector->getElementType();
  const RecordDecl *record = type->getAsRecordDecl();
  const auto *object = llvm::dyn_cast_or_null<CXXRecordDecl>(record);
  if (object && object->hasDefinition() && (object->getNumBases() || object->isDynamicClass()))
    return type;
  return record && !record->field_empty() ? record->field_begin()->getType() : type;
}

/* Does an object of the one type begin with one of the other? */
static bool begins_with(QualType whole, QualType part) {
  whole = whole.getCanonicalType().getUnqualifiedType();
  part = part.getCanonicalType().getUnqualifiedType();
  while (whole != part) {
    const QualType first = first_of(whole).getCanonicalType().getUnqualifiedType();
    if (first == whole)
      return false;
    whole = first;
  }
  return true;
}

/* May a pointer to it be to anything? */
static bool is_any(QualType type) {
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return is_any(array->getElementType());
  return type->isVoidType() || type->isAnyCharacterType() || type->isStdByteType() ||
         type->isFunctionType() || type->isDependentType() || type->isIncompleteType();
}

/* What is cast, by way of `void *` too. */
static const Expr *source_of(const CastExpr *cast) {
  const Expr *source = cast->getSubExpr()->IgnoreParens();
  const auto *before = llvm::dyn_cast<CastExpr>(source);
  const bool goes_on =
      before && (before->getCastKind() == CK_BitCast || before->getCastKind() == CK_NoOp);
  return goes_on ? source_of(before) : source;
}

static bool is_pun(const Stmt *statement) {
  const auto *cast = llvm::dyn_cast<CastExpr>(statement);
  const CastKind kind = cast ? cast->getCastKind() : CK_NoOp;
  const bool named = kind == CK_LValueBitCast || kind == CK_LValueToRValueBitCast;
  if (!named && kind != CK_BitCast)
    return false;
  const QualType source = source_of(cast)->getType();
  const QualType from = named ? source : source->getPointeeType();
  const QualType to = named ? cast->getType() : cast->getType()->getPointeeType();
  if (from.isNull() || to.isNull() || is_any(from) || is_any(to))
    return false;
  const bool numbers = has_number(from) || has_number(to);
  return numbers && !begins_with(from, to) && !begins_with(to, from);
}

static bool has_pun(const Stmt *body) {
  llvm::SmallVector<const Stmt *, 32> open{body};
  while (!open.empty()) {
    const Stmt *statement = open.pop_back_val();
    if (!statement)
      continue;
    if (is_pun(statement))
      return true;
    open.append(statement->child_begin(), statement->child_end());
  }
  return false;
}

void nabla::Puns::look_at(const Decl *declaration) {
  const auto *function = llvm::dyn_cast<FunctionDecl>(declaration);
  const auto *variable = llvm::dyn_cast<VarDecl>(declaration);
  if (function && function->doesThisDeclarationHaveABody())
    found |= has_pun(function->getBody());
  if (variable && variable->hasInit())
    found |= has_pun(variable->getInit());
}

void nabla::Puns::look_at_type(const TagDecl *declaration) {
  const auto *record = llvm::dyn_cast<RecordDecl>(declaration);
  found |= record && record->isUnion() && has_number_among(record);
}

/* Are objects of the type nothing but integers and pointers? */
static bool is_words(QualType type) {
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return is_words(array->getElementType());
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record || is_any(type))
    return !is_any(type) && (type->isIntegerType() || type->isAnyPointerType());
  const auto *object = llvm::dyn_cast<CXXRecordDecl>(record);
  if (record->field_empty() || (object && object->getNumBases()))
    return false;
  return llvm::all_of(record->fields(),
                      [](const FieldDecl *field) { return is_words(field->getType()); });
}

/* Does it take words out of bytes that may be anything? Those that are allocated there are new. */
static bool takes_words(const CastExpr *cast) {
  if (cast->getCastKind() != CK_BitCast)
    return false;
  const Expr *source = source_of(cast);
  const QualType from = source->getType()->getPointeeType();
  const QualType to = cast->getType()->getPointeeType();
  const bool allocated = llvm::isa<CallExpr>(source) || llvm::isa<CXXNewExpr>(source);
  return !from.isNull() && !to.isNull() && is_any(from) && !allocated && is_words(to);
}

/* What a file of C++ says itself, and what is made of its templates. */
class OwnPuns : public RecursiveASTVisitor<OwnPuns> {
  const SourceManager &sources;

public:
  bool found = false;

  explicit OwnPuns(const SourceManager &sources) : sources(sources) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *declaration) {
    const bool unit = declaration && llvm::isa<TranslationUnitDecl>(declaration);
    const bool foreign =
        declaration && !unit && sources.isInSystemHeader(declaration->getLocation());
    return foreign || RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitRecordDecl(RecordDecl *record) {
    found |= record->isUnion() && has_number_among(record);
    return !found;
  }

  bool VisitCastExpr(CastExpr *cast) {
    found |= is_pun(cast) || takes_words(cast);
    return !found;
  }
};

static bool has_own_pun(ASTContext &context) {
  OwnPuns puns(context.getSourceManager());
  puns.TraverseDecl(context.getTranslationUnitDecl());
  return puns.found;
}

/* The name of an attribute is an identifier of the file, wherever it stands. */
static bool says_may_alias(CompilerInstance &compiler) {
  const IdentifierTable &names = compiler.getPreprocessor().getIdentifierTable();
  return names.find("may_alias") != names.end() || names.find("__may_alias__") != names.end();
}

/* Are there declarations that nobody sees who only looks at what is parsed? */
static bool has_modules(CompilerInstance &compiler) {
  const auto reader = compiler.getASTReader();
  return reader && reader->getModuleManager().size();
}

NbTypesKnown nabla::Puns::known(CompilerInstance &compiler) const {
  const LangOptions &language = compiler.getLangOpts();
  const CodeGenOptions &options = compiler.getCodeGenOpts();
  const bool plain = !language.ObjC && !language.OpenCL && !language.CUDA;
  if (!plain || options.OptimizationLevel || options.RelaxedAliasing || has_modules(compiler) ||
      says_may_alias(compiler))
    return NB_TYPES_UNKNOWN;
  if (language.CPlusPlus)
    return has_own_pun(compiler.getASTContext()) ? NB_TYPES_UNKNOWN : NB_TYPES_OF_ALL;
  return found ? NB_TYPES_UNKNOWN : NB_TYPES_OF_NUMBERS;
}
