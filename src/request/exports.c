// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives that cross files without a link step that sees all of the program. A function with
 * the attribute "enzyme_export_derivative" offers its own in tables of constants:
 *
 *   __enzyme_sep_rev_w1_NAME = {augmented, reverse}      of "reverse"
 *   __enzyme_sep_fwd_w1_NAME = forward                   of "forward"
 *
 * Each is a function that calls an entry point as a user would: pointers have shadows, numbers are
 * active, integers are constant. */
#include "base/names.h"
#include "emit/tangent.h"
#include "request/collected.h"

#include <string.h>

#define TABLE_OF_REVERSE NB_EXPORT_PREFIX "rev_w1_"
#define TABLE_OF_FORWARD NB_EXPORT_PREFIX "fwd_w1_"
#define ATTRIBUTE "enzyme_export_derivative"
#define PRIMAL_RETURN "enzyme_primal_return"

/* The types of one function's derivatives, and what they are asked for with. */
typedef struct Shape {
  NbContext *context;
  LLVMValueRef function;
  const char *name;
  LLVMTypeRef pointer, result; /* of the function */
  NbList both;                 /* its arguments with the shadows of pointers, types */
  NbList tangents;             /* the same with the tangents of numbers */
  NbList adjoints;             /* the numbers among them */
} Shape;

static bool is_number(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

static bool is_plain(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind || is_number(type);
}

/* An argument that is a struct, or lies where one does. */
static bool is_struct(LLVMValueRef function, unsigned index) {
  return nb_parameter_pointee(function, index, "byval") ||
         nb_parameter_pointee(function, index, "sret") ||
         !is_plain(LLVMTypeOf(LLVMGetParam(function, index)));
}

/* False where something of the function is no number, integer or pointer. */
static bool take_shape(NbContext *context, LLVMValueRef function, Shape *shape) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
  NbArena *arena = context->arena;
  *shape = (Shape){
      context, function,       nb_name(function), LLVMPointerTypeInContext(context->llvm, 0),
      result,  nb_list(arena), nb_list(arena),    nb_list(arena)};
  if (LLVMIsFunctionVarArg(type) ||
      (LLVMGetTypeKind(result) != LLVMVoidTypeKind && !is_plain(result)))
    return false;
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeRef own = LLVMTypeOf(LLVMGetParam(function, i));
    bool moves = own == shape->pointer || is_number(own);
    if (is_struct(function, i))
      return false;
    for (unsigned k = 0; k < (own == shape->pointer ? 2U : 1U); k++)
      nb_list_push(&shape->both, own);
    for (unsigned k = 0; k < (moves ? 2U : 1U); k++)
      nb_list_push(&shape->tangents, own);
    if (is_number(own))
      nb_list_push(&shape->adjoints, own);
  }
  return true;
}

/* --- The types of the derivatives --------------------------------------------------------------
 */

static LLVMTypeRef tuple_of(const Shape *shape, const NbList *types) {
  if (types->count < 2)
    return types->count ? types->items[0] : LLVMVoidTypeInContext(shape->context->llvm);
  return LLVMStructTypeInContext(shape->context->llvm, (LLVMTypeRef *)types->items, types->count,
                                 false);
}

static LLVMTypeRef function_of(const NbList *parameters, LLVMTypeRef result) {
  return LLVMFunctionType(result, (LLVMTypeRef *)parameters->items, parameters->count, false);
}

static bool has_result(const Shape *shape) {
  return LLVMGetTypeKind(shape->result) != LLVMVoidTypeKind;
}

/* The primal's result, and what goes with it: a pointer's shadow, in forward mode a tangent. */
static void push_result(const Shape *shape, bool tangent, NbList *types) {
  bool twice = shape->result == shape->pointer || (tangent && is_number(shape->result));
  for (unsigned i = 0; has_result(shape) && i < (twice ? 2U : 1U); i++)
    nb_list_push(types, shape->result);
}

static LLVMTypeRef augmented_type(const Shape *shape) {
  NbList results = nb_list(shape->context->arena);
  nb_list_push(&results, shape->pointer);
  push_result(shape, false, &results);
  return function_of(&shape->both, tuple_of(shape, &results));
}

/* The seed of a number stands behind the arguments, then the tape. */
static LLVMTypeRef reverse_type(const Shape *shape) {
  NbList parameters = nb_list(shape->context->arena);
  for (unsigned i = 0; i < shape->both.count; i++)
    nb_list_push(&parameters, shape->both.items[i]);
  if (is_number(shape->result))
    nb_list_push(&parameters, shape->result);
  nb_list_push(&parameters, shape->pointer);
  return function_of(&parameters, tuple_of(shape, &shape->adjoints));
}

static LLVMTypeRef forward_type(const Shape *shape) {
  NbList results = nb_list(shape->context->arena);
  push_result(shape, true, &results);
  return function_of(&shape->tangents, tuple_of(shape, &results));
}

/* --- Functions that call -----------------------------------------------------------------------
 */

/* A local function of the type with one block, where the builder then stands. */
static LLVMValueRef begin(const Shape *shape, const char *name, LLVMTypeRef type,
                          LLVMBuilderRef builder) {
  LLVMValueRef function = LLVMAddFunction(shape->context->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMAppendBasicBlockInContext(shape->context->llvm, function, "entry"));
  return function;
}

static void end(LLVMBuilderRef builder, LLVMValueRef call) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, call);
}

/* Calls the entry point for the function with the arguments of its own. `flag`: a marker, or NULL.
 */
static LLVMValueRef ask(const Shape *shape, NbEntryKind entry, LLVMTypeRef type, const char *flag) {
  NbContext *context = shape->context;
  NbArena *arena = context->arena;
  const char *word = nb_entry_name(entry);
  LLVMTypeRef first = shape->pointer;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef made =
      begin(shape, nb_arena_print(arena, "nabla.export%s.%s", word, shape->name), type, builder);
  LLVMValueRef callee = nb_declare(context, nb_arena_print(arena, "%s.%s", word, shape->name),
                                   LLVMFunctionType(LLVMGetReturnType(type), &first, 1, true));
  NbList arguments = nb_list(arena);
  nb_list_push(&arguments, shape->function);
  LLVMValueRef marker = flag ? LLVMGetNamedGlobal(context->module, flag) : NULL;
  if (flag && !marker)
    marker = LLVMAddGlobal(context->module, LLVMInt32TypeInContext(context->llvm), flag);
  if (marker)
    nb_list_push(&arguments, marker);
  for (unsigned i = 0; i < LLVMCountParams(made); i++)
    nb_list_push(&arguments, LLVMGetParam(made, i));
  end(builder, LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee,
                              (LLVMValueRef *)arguments.items, arguments.count, ""));
  LLVMDisposeBuilder(builder);
  return made;
}

/* --- What is offered ---------------------------------------------------------------------------
 */

/* A file may use its own table, too. */
static void offer(const Shape *shape, const char *table, LLVMValueRef constant) {
  LLVMModuleRef module = shape->context->module;
  const char *name = nb_arena_print(shape->context->arena, "%s%s", table, shape->name);
  LLVMValueRef declared = LLVMGetNamedGlobal(module, name);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(constant), name);
  LLVMSetInitializer(global, constant);
  LLVMSetGlobalConstant(global, true);
  if (!declared || !LLVMIsDeclaration(declared))
    return;
  LLVMReplaceAllUsesWith(declared, global);
  LLVMDeleteGlobal(declared);
  LLVMSetValueName2(global, name, strlen(name));
}

static void offer_reverse(const Shape *shape) {
  LLVMValueRef halves[] = {ask(shape, NB_ENTRY_SPLIT_AUGMENTED, augmented_type(shape), NULL),
                           ask(shape, NB_ENTRY_SPLIT_REVERSE, reverse_type(shape), NULL)};
  offer(shape, TABLE_OF_REVERSE, LLVMConstStructInContext(shape->context->llvm, halves, 2, false));
}

static void offer_forward(const Shape *shape) {
  const char *flag = has_result(shape) ? PRIMAL_RETURN : NULL;
  offer(shape, TABLE_OF_FORWARD, ask(shape, NB_ENTRY_FORWARD, forward_type(shape), flag));
}

/* The call that stands for the refusal is found when requests are served. */
static void offer_refusal(const Shape *shape) {
  NbContext *context = shape->context;
  const char *message = nb_arena_print(
      context->arena,
      "the derivative of '%s' cannot be exported: it takes or returns something else than numbers, "
      "integers and pointers",
      shape->name);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), NULL, 0, false);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef made = begin(shape, "nabla.export", type, builder);
  LLVMValueRef refused = nb_declare(
      context, nb_refused_name(context->arena, NB_ERROR_ENTRY_UNSUPPORTED, message), type);
  end(builder, LLVMBuildCall2(builder, type, refused, NULL, 0, ""));
  LLVMDisposeBuilder(builder);
  offer(shape, TABLE_OF_REVERSE, made);
}

/* What the function's attribute lists; NULL where it has none. */
static const char *exported(NbContext *context, LLVMValueRef function) {
  LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMAttributeRef attribute =
      LLVMGetStringAttributeAtIndex(function, whole, ATTRIBUTE, strlen(ATTRIBUTE));
  if (!attribute || LLVMIsDeclaration(function))
    return NULL;
  LLVMRemoveStringAttributeAtIndex(function, whole, ATTRIBUTE, strlen(ATTRIBUTE));
  unsigned length = 0;
  const char *text = LLVMGetStringAttributeValue(attribute, &length);
  return nb_arena_copy(context->arena, text, length);
}

bool nb_exports_ask(NbContext *context) {
  bool changed = false;
  LLVMValueRef function = LLVMGetFirstFunction(context->module), last;
  last = LLVMGetLastFunction(context->module);
  for (bool more = function != NULL; more; function = LLVMGetNextFunction(function)) {
    Shape shape;
    more = function != last;
    const char *modes = exported(context, function);
    if (!modes)
      continue;
    changed = true;
    if (!take_shape(context, function, &shape)) {
      offer_refusal(&shape);
      continue;
    }
    if (strstr(modes, "reverse"))
      offer_reverse(&shape);
    if (strstr(modes, "forward"))
      offer_forward(&shape);
  }
  return changed;
}
