// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that is only declared here may have derivatives of the user's. The analyses want a
 * body to look at, so it is lent one while the requests are served, in which all that it returns
 * and writes depends on all that it takes. Nobody may inline it: the function is weak meanwhile.
 *
 * Behind its pointers is what the user's functions access there: of one kind, else no body is lent,
 * nor where they only hand a shadow on, for nothing tells the format. Where these are only declared
 * here, too, bytes are moved from what has a shadow to what has one: what they are, the caller
 * tells. What has no shadow in them is read and written, and has no derivative. Numbers of whose
 * shadow a reverse only adds something, or which a forward only reads, are not written.
 *
 * One with a body of its own changes, besides what that says, what its derivatives change: they
 * would not be asked for otherwise. */
#include "bridge/body.h"
#include "request/accesses.h"
#include "request/collected.h"
#include "request/layout.h"
#include "request/registrations.h"
#include "request/shapes.h"

#include <string.h>

/* What the user's functions say of the memory behind one parameter. */
typedef struct Behind {
  NbFormatBehind format; /* of its elements: where they are mixed, no body is lent */
  bool shadowed;         /* some function uses its shadow */
  bool untold;           /* or takes it, and is only declared here */
  bool read;             /* nothing else is done there */
  NbChanges changes;     /* what the function counts as changing, whatever its body says */
} Behind;

typedef struct Lent {
  NbContext *context;
  LLVMValueRef function;
  Behind *behind; /* of each parameter */
  LLVMBuilderRef builder;
  LLVMTypeRef wide; /* in which sums are formed */
  LLVMValueRef index, length;
  LLVMValueRef slot; /* by which numbers come from, and go to, memory of whatever kind */
} Lent;

static bool is_kind(LLVMTypeRef type, LLVMTypeKind kind) { return LLVMGetTypeKind(type) == kind; }

static bool is_pointer(LLVMTypeRef type) { return is_kind(type, LLVMPointerTypeKind); }

static bool is_integer(LLVMTypeRef type) { return is_kind(type, LLVMIntegerTypeKind); }

static bool is_real(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

/* --- What lies behind the parameters ------------------------------------------------------------
 */

static bool is_forward(NbForm form) {
  return form == NB_FORM_FORWARD || form == NB_FORM_SPLIT_FORWARD;
}

/* A reverse that does more with a shadow than add to it takes what is there for the adjoint of what
 * the function leaves there. */
static void note_change(NbChanges *changes, const NbAccesses *shadow, NbForm form) {
  bool reverse = form == NB_FORM_REVERSE;
  changes->here |= reverse ? shadow->here.moved : shadow->here.stored;
  changes->behind |= reverse ? shadow->behind.moved : shadow->behind.stored;
  changes->unseen |= shadow->unseen;
}

static void look_at_shadow(NbContext *context, Behind *behind, LLVMValueRef shadow, NbForm form) {
  NbAccesses of_shadow = nb_accesses_behind(context, shadow, &behind->format);
  bool used = !nb_parameter_is_unused(shadow);
  bool stored = of_shadow.here.stored || of_shadow.unseen;
  bool moved = of_shadow.here.moved || of_shadow.unseen;
  behind->shadowed |= used;
  behind->read |= used && is_forward(form) ? !stored : !moved && stored;
  note_change(&behind->changes, &of_shadow, form);
}

/* Models take more than others, of which they tell by how much only in forward mode. */
static const NbShape *shape_of(const NbContext *context, NbShaped shaped, const NbShape *like) {
  static const unsigned told[NB_FORMS] = {[NB_FORM_AUGMENTED] = 2, [NB_FORM_REVERSE] = 3};
  enum { MOST_TOLD = 2 };
  bool forward = is_forward(shaped.form);
  if (!shaped.custom->of_model)
    return nb_shape_of(context, shaped, like);
  const NbShape *shape = NULL;
  for (unsigned i = 0; i <= (forward ? MOST_TOLD : 0) && !shape; i++) {
    shaped.told = told[shaped.form] + i;
    shape = nb_shape_of(context, shaped, like);
  }
  return shape;
}

/* Looks at the pointers of the function's in one of its derivatives. */
static const NbShape *look_at_derivative(NbContext *context, NbShaped shaped, const NbShape *like,
                                         Behind *behind) {
  const NbShape *shape = shape_of(context, shaped, like);
  unsigned first = nb_shape_has_sret(shaped.user);
  for (unsigned i = 0; shape && i < shape->count; i++) {
    NbGiven given = shape->given[i];
    bool value = given.kind == NB_GIVEN_VALUE, shadow = given.kind == NB_GIVEN_SHADOW;
    LLVMValueRef parameter = LLVMGetParam(shaped.user, first + i);
    if ((!value && !shadow) || !is_pointer(LLVMTypeOf(LLVMGetParam(shaped.function, given.index))))
      continue;
    if (LLVMIsDeclaration(shaped.user))
      behind[given.index].untold |= shadow;
    else if (value)
      nb_accesses_behind(context, parameter, &behind[given.index].format);
    else
      look_at_shadow(context, behind + given.index, parameter, shaped.form);
  }
  return shape;
}

static void look_at_all(NbContext *context, LLVMValueRef function, const NbCustom *custom,
                        Behind *behind) {
  const LLVMValueRef of[NB_FORMS] = {custom->forward, custom->augmented, custom->reverse,
                                     custom->split_augmented, custom->split_forward};
  const NbShape *augmented = NULL;
  for (unsigned i = 0; i < NB_FORMS; i++) {
    for (unsigned k = 0; of[i] && LLVMIsDeclaration(of[i]) && k < LLVMCountParams(function); k++)
      behind[k].changes.unseen = true;
    if (!of[i])
      continue;
    NbShaped shaped = {function, of[i], custom, (NbForm)i, 0};
    const NbShape *like = is_forward(shaped.form) ? NULL : augmented;
    const NbShape *shape = look_at_derivative(context, shaped, like, behind);
    augmented = shaped.form == NB_FORM_AUGMENTED ? shape : augmented;
  }
}

/* --- The body --------------------------------------------------------------------------------- */

/* Memory of numbers that the ABI passes or returns a struct in. */
static LLVMTypeRef struct_at(LLVMValueRef function, unsigned index) {
  LLVMTypeRef type = nb_shape_memory(function, index, "byval");
  return type ? type : nb_shape_memory(function, index, "sret");
}

static bool is_lendable(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
  bool all = is_kind(result, LLVMVoidTypeKind) || is_integer(result) || nb_shape_is_real(result);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeRef parameter = LLVMTypeOf(LLVMGetParam(function, i));
    bool in_memory =
        nb_parameter_pointee(function, i, "sret") || nb_parameter_pointee(function, i, "byval");
    bool known =
        in_memory ? struct_at(function, i) != NULL
                  : is_pointer(parameter) || is_integer(parameter) || nb_shape_is_real(parameter);
    all = all && known;
  }
  return all && !LLVMIsFunctionVarArg(type);
}

/* The format in which the function speaks of numbers: of its result, else of its parameters. */
static LLVMTypeRef own_format(LLVMValueRef function) {
  LLVMTypeRef format = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  for (unsigned i = 0; !is_real(format) && i < LLVMCountParams(function); i++)
    format = LLVMTypeOf(LLVMGetParam(function, i));
  return is_real(format) ? format : NULL;
}

/* Is it known what lies behind each pointer with a shadow? */
static bool is_settled(LLVMValueRef function, const Behind *behind) {
  bool settled = true;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    settled =
        settled && (struct_at(function, i) ||
                    (!behind[i].format.mixed && (!behind[i].shadowed || behind[i].format.number)));
  return settled;
}

static bool says(LLVMValueRef function, unsigned index, const char *word, uint64_t *value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(word, strlen(word));
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, index, kind);
  if (attribute && value)
    *value = LLVMGetEnumAttributeValue(attribute);
  return attribute != NULL;
}

/* The attribute `memory` has two bits for each kind of memory, the arguments' first. */
static bool may_write(LLVMValueRef function, unsigned parameter, const Behind *behind) {
  enum { WRITES_ARGUMENTS = 2 };
  uint64_t memory = WRITES_ARGUMENTS;
  says(function, (unsigned)LLVMAttributeFunctionIndex, "memory", &memory);
  return (memory & WRITES_ARGUMENTS) && !behind->read &&
         !says(function, parameter + 1, "readonly", NULL) &&
         !says(function, parameter + 1, "readnone", NULL);
}

static bool holds_numbers(const Lent *lent, unsigned parameter) {
  if (struct_at(lent->function, parameter))
    return false;
  LLVMTypeRef number = lent->behind[parameter].format.number;
  return is_pointer(LLVMTypeOf(LLVMGetParam(lent->function, parameter))) && number &&
         is_real(number);
}

static bool holds_anything(const Lent *lent, unsigned parameter) {
  const Behind *behind = lent->behind + parameter;
  return behind->untold && !behind->format.number && !struct_at(lent->function, parameter);
}

static void move(const Lent *lent, LLVMValueRef to, LLVMValueRef from) {
  LLVMBuildMemMove(lent->builder, to, 1, from, 1, lent->length);
}

static LLVMValueRef element(Lent *lent, unsigned parameter) {
  LLVMValueRef pointer = LLVMGetParam(lent->function, parameter);
  return LLVMBuildGEP2(lent->builder, lent->behind[parameter].format.number, pointer, &lent->index,
                       1, "");
}

static LLVMValueRef add(const Lent *lent, LLVMValueRef sum, LLVMValueRef number) {
  LLVMValueRef term = LLVMBuildFPCast(lent->builder, number, lent->wide, "");
  return sum ? LLVMBuildFAdd(lent->builder, sum, term, "") : term;
}

/* The sum of a struct's numbers at `memory`, or all of them `written`, where there is one. */
static LLVMValueRef with_members(const Lent *lent, LLVMValueRef memory, LLVMTypeRef type,
                                 LLVMValueRef written) {
  const NbLeaves *leaves = nb_leaves_of(lent->context, type);
  LLVMTypeRef byte = LLVMInt8TypeInContext(lent->context->llvm), number;
  LLVMTypeRef size = LLVMInt64TypeInContext(lent->context->llvm);
  LLVMValueRef sum = NULL;
  for (unsigned i = 0; i < leaves->count; i++) {
    number = leaves->items[i].type;
    if (!is_real(number))
      continue;
    LLVMValueRef offset = LLVMConstInt(size, leaves->items[i].offset, false);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(lent->builder, byte, memory, &offset, 1, "");
    if (written)
      LLVMBuildStore(lent->builder, LLVMBuildFPCast(lent->builder, written, number, ""), at);
    else
      sum = add(lent, sum, LLVMBuildLoad2(lent->builder, number, at, ""));
  }
  return sum;
}

/* A struct in registers. */
static LLVMValueRef in_memory(const Lent *lent, LLVMTypeRef type, LLVMValueRef value) {
  LLVMValueRef memory = LLVMBuildAlloca(lent->builder, type, "");
  LLVMBuildStore(lent->builder, value, memory);
  return memory;
}

/* What the parameter brings into the sum; NULL: nothing. */
static LLVMValueRef term(Lent *lent, unsigned parameter) {
  LLVMValueRef value = LLVMGetParam(lent->function, parameter);
  LLVMTypeRef memory = nb_shape_memory(lent->function, parameter, "byval");
  LLVMTypeRef type = LLVMTypeOf(value);
  if (memory)
    return with_members(lent, value, memory, NULL);
  if (holds_numbers(lent, parameter))
    return LLVMBuildLoad2(lent->builder, lent->behind[parameter].format.number,
                          element(lent, parameter), "");
  if (holds_anything(lent, parameter)) {
    move(lent, lent->slot, value);
    return LLVMBuildLoad2(lent->builder, lent->wide, lent->slot, "");
  }
  if (is_real(type) || !nb_shape_is_real(type))
    return is_real(type) ? value : NULL;
  return with_members(lent, in_memory(lent, type, value), type, NULL);
}

static LLVMValueRef sum_of_all(Lent *lent) {
  LLVMValueRef sum = LLVMConstNull(lent->wide);
  for (unsigned i = 0; i < LLVMCountParams(lent->function); i++) {
    LLVMValueRef one = term(lent, i);
    sum = one ? add(lent, sum, one) : sum;
  }
  return sum;
}

/* What is there to be told of, of other memory and of numbers. */
static void write_anything(Lent *lent, unsigned parameter, LLVMValueRef sum) {
  LLVMValueRef to = LLVMGetParam(lent->function, parameter);
  bool numbers = false;
  for (unsigned i = 0; i < LLVMCountParams(lent->function); i++) {
    numbers |= nb_shape_is_real(LLVMTypeOf(LLVMGetParam(lent->function, i))) ||
               holds_numbers(lent, i) || struct_at(lent->function, i);
    if (holds_anything(lent, i))
      move(lent, to, LLVMGetParam(lent->function, i));
  }
  if (!numbers)
    return;
  LLVMBuildStore(lent->builder, sum, lent->slot);
  move(lent, to, lent->slot);
}

static void write_all(Lent *lent, LLVMValueRef sum) {
  for (unsigned i = 0; i < LLVMCountParams(lent->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(lent->function, i);
    if (struct_at(lent->function, i) || !is_pointer(LLVMTypeOf(parameter)) ||
        !may_write(lent->function, i, lent->behind + i))
      continue;
    if (holds_numbers(lent, i))
      LLVMBuildStore(lent->builder,
                     LLVMBuildFPCast(lent->builder, sum, lent->behind[i].format.number, ""),
                     element(lent, i));
    else if (holds_anything(lent, i))
      write_anything(lent, i, sum);
    else
      move(lent, parameter, parameter);
  }
}

/* A loop of which nobody knows how often it runs, over all elements behind all pointers. */
static LLVMValueRef build_loop(Lent *lent, LLVMBasicBlockRef entry) {
  LLVMContextRef llvm = lent->context->llvm;
  LLVMTypeRef count = LLVMInt64TypeInContext(llvm);
  LLVMBuilderRef builder = lent->builder;
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(llvm, lent->function, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(llvm, lent->function, "");
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMValueRef place = LLVMBuildAlloca(builder, count, "");
  lent->length = LLVMBuildLoad2(builder, count, place, "");
  LLVMSetVolatile(lent->length, true);
  lent->slot = LLVMBuildAlloca(builder, lent->wide, "");
  LLVMBuildBr(builder, body);
  LLVMPositionBuilderAtEnd(builder, body);
  lent->index = LLVMBuildPhi(builder, count, "");
  LLVMValueRef total = LLVMBuildPhi(builder, lent->wide, "");
  LLVMValueRef sum = LLVMBuildFAdd(builder, total, sum_of_all(lent), "");
  write_all(lent, sum);
  LLVMValueRef next = LLVMBuildAdd(builder, lent->index, LLVMConstInt(count, 1, false), "");
  LLVMValueRef goes_on = LLVMBuildICmp(builder, LLVMIntNE, next, lent->length, "");
  LLVMBuildCondBr(builder, goes_on, body, end);
  LLVMValueRef zero = LLVMConstNull(count), none = LLVMConstNull(lent->wide);
  LLVMAddIncoming(lent->index, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){entry, body}, 2);
  LLVMAddIncoming(total, (LLVMValueRef[]){none, sum}, (LLVMBasicBlockRef[]){entry, body}, 2);
  LLVMPositionBuilderAtEnd(builder, end);
  return sum;
}

static void build_result(const Lent *lent, LLVMValueRef sum) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(lent->function));
  LLVMTypeRef memory =
      LLVMCountParams(lent->function) ? nb_shape_memory(lent->function, 0, "sret") : NULL;
  if (memory)
    with_members(lent, LLVMGetParam(lent->function, 0), memory, sum);
  if (is_kind(type, LLVMVoidTypeKind)) {
    LLVMBuildRetVoid(lent->builder);
  } else if (is_integer(type)) {
    LLVMBuildRet(lent->builder, LLVMConstNull(type));
  } else if (is_real(type)) {
    LLVMBuildRet(lent->builder, LLVMBuildFPCast(lent->builder, sum, type, ""));
  } else {
    LLVMValueRef result = in_memory(lent, type, LLVMConstNull(type));
    with_members(lent, result, type, sum);
    LLVMBuildRet(lent->builder, LLVMBuildLoad2(lent->builder, type, result, ""));
  }
}

static bool has_pointer(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (is_pointer(LLVMTypeOf(LLVMGetParam(function, i))) && !struct_at(function, i))
      return true;
  return false;
}

static void lend(Lent *lent) {
  LLVMTypeRef format = own_format(lent->function);
  LLVMContextRef llvm = lent->context->llvm;
  lent->wide = format ? format : LLVMDoubleTypeInContext(llvm);
  lent->builder = LLVMCreateBuilderInContext(llvm);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(llvm, lent->function, "");
  LLVMPositionBuilderAtEnd(lent->builder, entry);
  LLVMValueRef sum = has_pointer(lent->function) ? build_loop(lent, entry) : sum_of_all(lent);
  build_result(lent, sum);
  LLVMDisposeBuilder(lent->builder);
  LLVMSetLinkage(lent->function, LLVMWeakAnyLinkage);
}

static bool try_to_lend(NbContext *context, LLVMValueRef function, NbCustom *custom,
                        Behind *behind) {
  if (!LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMExternalLinkage ||
      !is_lendable(function) || !is_settled(function, behind))
    return false;
  Lent lent = {.context = context, .function = function, .behind = behind};
  lend(&lent);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    custom->untold |= holds_anything(&lent, i);
  return true;
}

/* --- A body of its own --------------------------------------------------------------------------
 */

/* What is said of a function or of a parameter, until the requests are served. */
static void withhold(NbCustom *custom, LLVMValueRef function, unsigned index, const char *word) {
  unsigned kind = LLVMGetEnumAttributeKindForName(word, strlen(word));
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, index, kind);
  if (!attribute)
    return;
  LLVMRemoveEnumAttributeAtIndex(function, index, kind);
  nb_list_push(&custom->withheld, attribute);
  nb_list_push(&custom->withheld, (void *)(uintptr_t)index);
}

static void note_changes(NbContext *context, LLVMValueRef function, NbCustom *custom,
                         const Behind *behind) {
  unsigned count = LLVMCountParams(function);
  bool any = false;
  custom->withheld = nb_list(context->arena);
  custom->changes = NB_NEW_ARRAY(context->arena, NbChanges, count + 1);
  for (unsigned i = 0; i < count; i++) {
    const NbChanges *changes = &behind[i].changes;
    custom->changes[i] = *changes;
    if (!changes->here && !changes->behind && !changes->unseen)
      continue;
    withhold(custom, function, i + 1, "readonly");
    withhold(custom, function, i + 1, "readnone");
    any = true;
  }
  if (!any)
    return;
  withhold(custom, function, (unsigned)LLVMAttributeFunctionIndex, "memory");
  custom->linkage = LLVMGetLinkage(function);
  custom->weak = true;
  LLVMSetLinkage(function, LLVMWeakAnyLinkage);
}

static void give_back(const NbCustom *custom, LLVMValueRef function) {
  for (unsigned i = 0; i < custom->withheld.count; i += 2)
    LLVMAddAttributeAtIndex(function, (unsigned)(uintptr_t)custom->withheld.items[i + 1],
                            custom->withheld.items[i]);
  if (custom->weak)
    LLVMSetLinkage(function, custom->linkage);
}

/* What LLVM has found about functions that write no memory is forgotten. */
static void forget_bodies(NbContext *context) {
  static const char pipeline[] = "invalidate<globals-aa>";
  if (context->analyses)
    LLVMDisposeMessage(nb_passes_run(context->analyses, context->module, NULL, pipeline));
}

void nb_bodies_lend(NbContext *context) {
  bool any_weak = false;
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(context->custom, i);
    NbCustom *custom = nb_map_get(context->custom, function);
    Behind *behind = NB_NEW_ARRAY(context->arena, Behind, LLVMCountParams(function) + 1);
    look_at_all(context, function, custom, behind);
    custom->bodyless = try_to_lend(context, function, custom, behind);
    if (!custom->bodyless && !LLVMIsDeclaration(function) && !custom->of_model)
      note_changes(context, function, custom, behind);
    any_weak |= custom->weak;
  }
  if (any_weak)
    forget_bodies(context);
}

void nb_bodies_take_back(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(context->custom, i);
    const NbCustom *custom = nb_map_get(context->custom, function);
    give_back(custom, function);
    if (!custom->bodyless)
      continue;
    nb_body_delete(function);
    LLVMDeleteBasicBlock(LLVMGetFirstBasicBlock(function));
    LLVMSetLinkage(function, LLVMExternalLinkage);
  }
}
