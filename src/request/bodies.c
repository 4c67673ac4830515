// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that is only declared here may have derivatives of the user's. The analyses want a
 * body to look at, so it is lent one while the requests are served, in which all that it returns
 * and writes depends on all that it takes. Nobody may inline it: the function is weak meanwhile.
 *
 * Behind its pointers is what the user's functions access there: of one kind, else no body is lent,
 * nor where they only hand a shadow on, for nothing tells the format. What has no shadow in them is
 * read and written, and has no derivative. Numbers of whose shadow a reverse only adds something,
 * or which a forward only reads, are not written.
 *
 * One with a body of its own changes, besides what that says, what its derivatives change: they
 * would not be asked for otherwise. */
#include "bridge/body.h"
#include "request/accesses.h"
#include "request/collected.h"
#include "request/registrations.h"

#include <string.h>

/* What the user's functions say of the memory behind one parameter. */
typedef struct Behind {
  NbFormatBehind format; /* of its elements: where they are mixed, no body is lent */
  bool shadowed;         /* some function uses its shadow */
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
} Lent;

/* The user's functions, as they stand in NbCustom. */
typedef enum Form { FORWARD, AUGMENTED, REVERSE, SPLIT_AUGMENTED, SPLIT_FORWARD, FORMS } Form;

static bool is_kind(LLVMTypeRef type, LLVMTypeKind kind) { return LLVMGetTypeKind(type) == kind; }

static bool is_pointer(LLVMTypeRef type) { return is_kind(type, LLVMPointerTypeKind); }

static bool is_integer(LLVMTypeRef type) { return is_kind(type, LLVMIntegerTypeKind); }

static bool is_real(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

/* --- What lies behind the parameters ------------------------------------------------------------
 */

/* Where the arguments begin, and whether integers stand twice, in one of the user's functions. */
static unsigned parameter_after(LLVMTypeRef type, bool forward, bool doubled) {
  bool two = is_pointer(type) || (forward && is_real(type)) || (doubled && is_integer(type));
  return two ? 2 : 1;
}

static unsigned count_of(LLVMValueRef function, bool forward, bool doubled) {
  unsigned count = 0;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    count += parameter_after(LLVMTypeOf(LLVMGetParam(function, i)), forward, doubled);
  return count;
}

static bool has_sret(LLVMValueRef function) {
  return LLVMCountParams(function) && nb_parameter_pointee(function, 0, "sret");
}

static bool is_forward(Form form) { return form == FORWARD || form == SPLIT_FORWARD; }

/* A reverse that does more with a shadow than add to it takes what is there for the adjoint of what
 * the function leaves there. */
static void note_change(NbChanges *changes, const NbAccesses *shadow, Form form) {
  bool reverse = form == REVERSE;
  changes->here |= reverse ? shadow->here.moved : shadow->here.stored;
  changes->behind |= reverse ? shadow->behind.moved : shadow->behind.stored;
  changes->unseen |= shadow->unseen;
}

/* Looks at the pointers of `function` in `user`, one of its derivatives. */
static void look_at_derivative(NbContext *context, LLVMValueRef function, Behind *behind,
                               LLVMValueRef user, Form form, bool doubled) {
  unsigned next = has_sret(user), given = LLVMCountParams(user);
  bool forward = is_forward(form);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
    if (is_pointer(type) && next + 1 < given) {
      LLVMValueRef shadow = LLVMGetParam(user, next + 1);
      nb_accesses_behind(context, LLVMGetParam(user, next), &behind[i].format);
      NbAccesses of_shadow = nb_accesses_behind(context, shadow, &behind[i].format);
      bool used = !nb_parameter_is_unused(shadow);
      bool stored = of_shadow.here.stored || of_shadow.unseen;
      bool moved = of_shadow.here.moved || of_shadow.unseen;
      behind[i].shadowed |= used;
      behind[i].read |= used && forward ? !stored : !moved && stored;
      note_change(&behind[i].changes, &of_shadow, form);
    }
    next += parameter_after(type, forward, doubled);
  }
}

static void look_at_all(NbContext *context, LLVMValueRef function, const NbCustom *custom,
                        Behind *behind) {
  const LLVMValueRef of[FORMS] = {custom->forward, custom->augmented, custom->reverse,
                                  custom->split_augmented, custom->split_forward};
  bool doubled = false;
  for (unsigned i = 0; i < FORMS; i++) {
    for (unsigned k = 0; of[i] && LLVMIsDeclaration(of[i]) && k < LLVMCountParams(function); k++)
      behind[k].changes.unseen = true;
    if (!of[i] || LLVMIsDeclaration(of[i]))
      continue;
    unsigned given = LLVMCountParams(of[i]) - has_sret(of[i]);
    if (of[i] != custom->reverse)
      doubled = given >= count_of(function, is_forward((Form)i), true);
    look_at_derivative(context, function, behind, of[i], (Form)i, doubled);
  }
}

/* --- The body --------------------------------------------------------------------------------- */

static bool is_lendable(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
  bool all = is_kind(result, LLVMVoidTypeKind) || is_integer(result) || is_real(result);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeRef parameter = LLVMTypeOf(LLVMGetParam(function, i));
    bool in_memory =
        nb_parameter_pointee(function, i, "sret") || nb_parameter_pointee(function, i, "byval");
    all =
        all && !in_memory && (is_pointer(parameter) || is_integer(parameter) || is_real(parameter));
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
        settled && !behind[i].format.mixed && (!behind[i].shadowed || behind[i].format.number);
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
  LLVMTypeRef number = lent->behind[parameter].format.number;
  return is_pointer(LLVMTypeOf(LLVMGetParam(lent->function, parameter))) && number &&
         is_real(number);
}

static LLVMValueRef element(Lent *lent, unsigned parameter) {
  LLVMValueRef pointer = LLVMGetParam(lent->function, parameter);
  return LLVMBuildGEP2(lent->builder, lent->behind[parameter].format.number, pointer, &lent->index,
                       1, "");
}

/* What the parameter brings into the sum; NULL: nothing. */
static LLVMValueRef term(Lent *lent, unsigned parameter) {
  LLVMValueRef value = LLVMGetParam(lent->function, parameter);
  if (holds_numbers(lent, parameter))
    return LLVMBuildLoad2(lent->builder, lent->behind[parameter].format.number,
                          element(lent, parameter), "");
  return is_real(LLVMTypeOf(value)) ? value : NULL;
}

static LLVMValueRef sum_of_all(Lent *lent) {
  LLVMValueRef sum = LLVMConstNull(lent->wide);
  for (unsigned i = 0; i < LLVMCountParams(lent->function); i++) {
    LLVMValueRef one = term(lent, i);
    if (one)
      sum = LLVMBuildFAdd(lent->builder, sum, LLVMBuildFPCast(lent->builder, one, lent->wide, ""),
                          "");
  }
  return sum;
}

static void write_all(Lent *lent, LLVMValueRef sum) {
  for (unsigned i = 0; i < LLVMCountParams(lent->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(lent->function, i);
    if (!is_pointer(LLVMTypeOf(parameter)) || !may_write(lent->function, i, lent->behind + i))
      continue;
    if (holds_numbers(lent, i))
      LLVMBuildStore(lent->builder,
                     LLVMBuildFPCast(lent->builder, sum, lent->behind[i].format.number, ""),
                     element(lent, i));
    else
      LLVMBuildMemMove(lent->builder, parameter, 1, parameter, 1, lent->length);
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
  if (is_kind(type, LLVMVoidTypeKind))
    LLVMBuildRetVoid(lent->builder);
  else if (is_integer(type))
    LLVMBuildRet(lent->builder, LLVMConstNull(type));
  else
    LLVMBuildRet(lent->builder, LLVMBuildFPCast(lent->builder, sum, type, ""));
}

static bool has_pointer(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (is_pointer(LLVMTypeOf(LLVMGetParam(function, i))))
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

static bool try_to_lend(NbContext *context, LLVMValueRef function, Behind *behind) {
  if (!LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMExternalLinkage ||
      !is_lendable(function) || !is_settled(function, behind))
    return false;
  Lent lent = {.context = context, .function = function, .behind = behind};
  lend(&lent);
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
    custom->bodyless = try_to_lend(context, function, behind);
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
