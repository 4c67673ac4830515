// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Does a file of C keep to the types of its objects, as far as its text shows?
 *
 * C promises that a number is accessed as what it was stored as, and TBAA says so to LLVM. Without
 * optimisation there is no TBAA; what it would say is taken from the types in the IR then, if
 * nothing in the file breaks the promise: no union holds a number, no pointer to numbers is cast to
 * one to something else, no type may alias, and strict aliasing was not turned off.
 */
#include "bridge/frontend.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

static bool has_number(QualType type);

static bool has_number_among(const RecordDecl *record) {
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
  return type->isVoidType() || type->isAnyCharacterType() || type->isFunctionType() ||
         type->isIncompleteType();
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
  if (!cast || cast->getCastKind() != CK_BitCast)
    return false;
  const QualType from = source_of(cast)->getType()->getPointeeType();
  const QualType to = cast->getType()->getPointeeType();
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

/* The name of an attribute is an identifier of the file, wherever it stands. */
static bool says_may_alias(CompilerInstance &compiler) {
  const IdentifierTable &names = compiler.getPreprocessor().getIdentifierTable();
  return names.find("may_alias") != names.end() || names.find("__may_alias__") != names.end();
}

bool nabla::Puns::absent(CompilerInstance &compiler) const {
  const LangOptions &language = compiler.getLangOpts();
  const bool plain = !language.CPlusPlus && !language.ObjC && !language.OpenCL && !language.CUDA;
  return plain && !found && !compiler.getCodeGenOpts().OptimizationLevel &&
         !compiler.getCodeGenOpts().RelaxedAliasing &&
         !compiler.getASTContext().getExternalSource() && !says_may_alias(compiler);
}
