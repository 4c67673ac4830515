// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that is only declared here may have derivatives of the user's. The analyses want a
 * body to look at, so it is lent one while the requests are served, in which all that it returns
 * and writes depends on all that it takes. Nobody may inline it: the function is weak meanwhile.
 *
 * Behind its pointers is what the user's functions access there: of one kind, else no body is lent,
 * nor where they only hand a shadow on, for nothing tells the format. What has no shadow in them is
 * read and written, and has no derivative. Numbers of whose shadow a reverse only adds something,
 * or which a forward only reads, are not written. */
#include "bridge/body.h"
#include "request/collected.h"
#include "request/registrations.h"

#include <string.h>

/* What the user's functions say of the memory behind one parameter. */
typedef struct Behind {
  LLVMTypeRef number; /* of its elements; NULL */
  bool shadowed;      /* some function uses its shadow */
  bool mixed;         /* pointers, or several kinds: no body */
  bool read;          /* nothing else is done there */
} Behind;

/* One pointer, and what becomes of it. */
typedef struct Search {
  NbMap *seen;
  Behind *behind;
  bool stored; /* something, or it goes where nobody sees */
  bool moved;  /* there is more than sums that go on */
} Search;

typedef struct Lent {
  NbContext *context;
  LLVMValueRef function;
  Behind *behind; /* of each parameter */
  LLVMBuilderRef builder;
  LLVMTypeRef wide; /* in which sums are formed */
  LLVMValueRef index, length;
} Lent;

enum { FORMS = 5, SUMS = 8 };

static bool is_kind(LLVMTypeRef type, LLVMTypeKind kind) { return LLVMGetTypeKind(type) == kind; }

static bool is_pointer(LLVMTypeRef type) { return is_kind(type, LLVMPointerTypeKind); }

static bool is_integer(LLVMTypeRef type) { return is_kind(type, LLVMIntegerTypeKind); }

static bool is_real(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

/* --- What lies behind a pointer ----------------------------------------------------------------
 */

static void note_access(Search *search, LLVMTypeRef type) {
  if (is_kind(type, LLVMVectorTypeKind))
    type = LLVMGetElementType(type);
  Behind *behind = search->behind;
  behind->mixed |=
      (!is_real(type) && !is_integer(type)) || (behind->number && behind->number != type);
  behind->number = type;
}

/* `value` plus or minus something; NULL where `user` is anything else. */
static LLVMValueRef sum_with(LLVMValueRef user, LLVMValueRef value) {
  enum { ADDEND = 2 };
  if (LLVMIsACallInst(user) && nb_call_multiplies_and_adds(user))
    return LLVMGetOperand(user, ADDEND) == value ? user : NULL;
  LLVMOpcode code = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMRet;
  bool first = code == LLVMFSub && LLVMGetOperand(user, 0) == value;
  return code == LLVMFAdd || first ? user : NULL;
}

/* Is the value only added to, and put back where it was? */
static bool is_sum_at(LLVMValueRef value, LLVMValueRef place, unsigned depth) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  bool only = use && depth;
  for (; only && use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), sum = sum_with(user, value);
    bool back = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == place;
    only = back || (sum && is_sum_at(sum, place, depth - 1));
  }
  return only;
}

/* Does it begin with what was there? */
static bool begins_at(LLVMValueRef value, LLVMValueRef place, unsigned depth) {
  if (LLVMIsALoadInst(value))
    return LLVMGetOperand(value, 0) == place;
  bool found = false;
  for (int i = 0; depth && LLVMIsAInstruction(value) && i < LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    found |= sum_with(value, operand) && begins_at(operand, place, depth - 1);
  }
  return found;
}

static void look_at_uses(Search *search, LLVMValueRef pointer);

static void look_at_variable(Search *search, LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
    if (LLVMIsALoadInst(LLVMGetUser(use)))
      look_at_uses(search, LLVMGetUser(use));
}

static void look_at_call(Search *search, LLVMValueRef call, LLVMValueRef pointer) {
  LLVMValueRef callee = nb_callee(call);
  if (!callee || LLVMIsDeclaration(callee)) {
    search->stored = search->moved = true;
    return;
  }
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(callee); i++)
    if (LLVMGetOperand(call, i) == pointer)
      look_at_uses(search, LLVMGetParam(callee, i));
}

static void look_at_use(Search *search, LLVMValueRef user, LLVMValueRef pointer) {
  if (LLVMIsALoadInst(user)) {
    note_access(search, LLVMTypeOf(user));
    search->moved |= !is_sum_at(user, pointer, SUMS);
  } else if (LLVMIsAStoreInst(user)) {
    LLVMValueRef value = LLVMGetOperand(user, 0), place = LLVMGetOperand(user, 1);
    if (place == pointer) {
      note_access(search, LLVMTypeOf(value));
      search->stored = true;
      search->moved |= !begins_at(value, place, SUMS);
    } else if (LLVMIsAAllocaInst(place)) {
      look_at_variable(search, place);
    } else {
      search->stored = search->moved = true;
    }
  } else if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) {
    look_at_call(search, user, pointer);
  } else if (is_pointer(LLVMTypeOf(user))) {
    look_at_uses(search, user);
  }
}

static void look_at_uses(Search *search, LLVMValueRef pointer) {
  if (nb_map_has(search->seen, pointer))
    return;
  nb_map_set(search->seen, pointer, pointer);
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
    look_at_use(search, LLVMGetUser(use), pointer);
}

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

/* Looks at the pointers of `function` in `user`, one of its derivatives. */
static void look_at_derivative(NbContext *context, LLVMValueRef function, Behind *behind,
                               LLVMValueRef user, bool forward, bool doubled) {
  unsigned next = has_sret(user), given = LLVMCountParams(user);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
    if (is_pointer(type) && next + 1 < given) {
      Search primal = {nb_map_new(context->arena), behind + i, false, false};
      Search shadow = primal;
      look_at_uses(&primal, LLVMGetParam(user, next));
      look_at_uses(&shadow, LLVMGetParam(user, next + 1));
      bool used = !nb_parameter_is_unused(LLVMGetParam(user, next + 1));
      behind[i].shadowed |= used;
      behind[i].read |= used && forward ? !shadow.stored : !shadow.moved && shadow.stored;
    }
    next += parameter_after(type, forward, doubled);
  }
}

static void look_at_all(NbContext *context, LLVMValueRef function, const NbCustom *custom,
                        Behind *behind) {
  const LLVMValueRef of[FORMS] = {custom->forward, custom->augmented, custom->reverse,
                                  custom->split_augmented, custom->split_forward};
  static const bool forward[FORMS] = {true, false, false, false, true};
  bool doubled = false;
  for (unsigned i = 0; i < FORMS; i++) {
    if (!of[i] || LLVMIsDeclaration(of[i]))
      continue;
    unsigned given = LLVMCountParams(of[i]) - has_sret(of[i]);
    if (of[i] != custom->reverse)
      doubled = given >= count_of(function, forward[i], true);
    look_at_derivative(context, function, behind, of[i], forward[i], doubled);
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
    settled = settled && !behind[i].mixed && (!behind[i].shadowed || behind[i].number);
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
  LLVMTypeRef number = lent->behind[parameter].number;
  return is_pointer(LLVMTypeOf(LLVMGetParam(lent->function, parameter))) && number &&
         is_real(number);
}

static LLVMValueRef element(Lent *lent, unsigned parameter) {
  LLVMValueRef pointer = LLVMGetParam(lent->function, parameter);
  return LLVMBuildGEP2(lent->builder, lent->behind[parameter].number, pointer, &lent->index, 1, "");
}

/* What the parameter brings into the sum; NULL: nothing. */
static LLVMValueRef term(Lent *lent, unsigned parameter) {
  LLVMValueRef value = LLVMGetParam(lent->function, parameter);
  if (holds_numbers(lent, parameter))
    return LLVMBuildLoad2(lent->builder, lent->behind[parameter].number, element(lent, parameter),
                          "");
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
      LLVMBuildStore(lent->builder, LLVMBuildFPCast(lent->builder, sum, lent->behind[i].number, ""),
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

static bool try_to_lend(NbContext *context, LLVMValueRef function, const NbCustom *custom) {
  if (!LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMExternalLinkage ||
      !is_lendable(function))
    return false;
  Behind *behind = NB_NEW_ARRAY(context->arena, Behind, LLVMCountParams(function) + 1);
  look_at_all(context, function, custom, behind);
  if (!is_settled(function, behind))
    return false;
  Lent lent = {.context = context, .function = function, .behind = behind};
  lend(&lent);
  return true;
}

void nb_bodies_lend(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(context->custom, i);
    NbCustom *custom = nb_map_get(context->custom, function);
    custom->bodyless = try_to_lend(context, function, custom);
  }
}

void nb_bodies_take_back(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(context->custom, i);
    const NbCustom *custom = nb_map_get(context->custom, function);
    if (!custom->bodyless)
      continue;
    nb_body_delete(function);
    LLVMDeleteBasicBlock(LLVMGetFirstBasicBlock(function));
    LLVMSetLinkage(function, LLVMExternalLinkage);
  }
}
