// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How calls, and integers that may be something else, are to be understood. */
#include "base/names.h"
#include "objects/assembly.h"
#include "objects/graph.h"
#include "types/slots.h"

#include <string.h>

bool nb_is_call(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

LLVMValueRef nb_instruction_next(LLVMValueRef instruction) {
  LLVMValueRef next = LLVMGetNextInstruction(instruction);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  while (!next && (block = LLVMGetNextBasicBlock(block)))
    next = LLVMGetFirstInstruction(block);
  return next;
}

unsigned nb_instruction_count(LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    count++;
  return count;
}

LLVMValueRef nb_instruction_first(LLVMValueRef function) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  while (block && !LLVMGetFirstInstruction(block))
    block = LLVMGetNextBasicBlock(block);
  return block ? LLVMGetFirstInstruction(block) : NULL;
}

bool nb_value_joins(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value);
}

bool nb_gep_is_constant(LLVMValueRef gep) {
  for (int i = 1; i < LLVMGetNumOperands(gep); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(gep, (unsigned)i)))
      return false;
  return true;
}

static bool carries_nothing(LLVMValueRef call) {
  if (nb_type_has_float(LLVMTypeOf(call)) || nb_type_has_pointer(LLVMTypeOf(call)))
    return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    if (LLVMGetTypeKind(type) != LLVMMetadataTypeKind && nb_type_has_float(type))
      return false;
  }
  return true;
}

static void find_memory_intrinsic(LLVMValueRef call, NbCall *answer) {
  if (LLVMIsAMemCpyInst(call) || LLVMIsAMemMoveInst(call)) {
    answer->kind = NB_CALL_COPY;
    answer->from = LLVMGetOperand(call, 1);
  } else if (LLVMIsAMemSetInst(call)) {
    answer->kind = NB_CALL_FILL;
  } else {
    return;
  }
  answer->to = LLVMGetOperand(call, 0);
  answer->bytes = LLVMGetOperand(call, 2);
}

static void find_row(LLVMValueRef call, NbCall *answer) {
  const NbRule *rule = answer->rule;
  unsigned count = LLVMGetNumArgOperands(call);
  answer->kind = NB_CALL_ROW;
  if (rule->kind == NB_RULE_COPY && rule->operands[0] < count && rule->operands[1] < count &&
      rule->operands[2] < count) {
    answer->kind = NB_CALL_COPY;
    answer->to = LLVMGetOperand(call, rule->operands[0]);
    answer->from = LLVMGetOperand(call, rule->operands[1]);
    answer->bytes = LLVMGetOperand(call, rule->operands[2]);
  }
  if (rule->kind == NB_RULE_FILL && rule->operands[0] < count && rule->operands[1] < count) {
    answer->kind = NB_CALL_FILL;
    answer->to = LLVMGetOperand(call, rule->operands[0]);
    answer->bytes = LLVMGetOperand(call, rule->operands[1]);
  }
}

bool nb_is_derivative(const NbContext *context, LLVMValueRef function) {
  static const char asked[] = NB_REQUEST_PREFIX, made[] = "nabla.";
  const char *name = function ? nb_name(function) : "";
  return !strncmp(name, asked, sizeof asked - 1) ||
         (!strncmp(name, made, sizeof made - 1) && !nb_map_has(context->originals, function));
}

uint64_t nb_call_most(const NbCall *what) {
  return LLVMIsAConstantInt(what->bytes) ? LLVMConstIntGetZExtValue(what->bytes) : what->most;
}

NbCall nb_call_of(NbContext *context, LLVMValueRef call) {
  NbCall answer = {.kind = NB_CALL_INDIRECT, .call = call, .unit = 1, .most = NB_UNKNOWN_SIZE};
  answer.callee = nb_callee(call);
  nb_number_noted(call, NB_NOTED_UNIT, &answer.unit);
  nb_number_noted(call, NB_NOTED_WITHIN, &answer.most);
  answer.rule = nb_rule_of_call(context, call, &answer.format);
  if (answer.rule)
    find_row(call, &answer);
  bool silent = context->silent && nb_is_derivative(context, answer.callee);
  if (nb_assembly_is_apart(call) || silent)
    answer.kind = NB_CALL_HARMLESS;
  if (answer.to || !answer.callee || silent)
    return answer;
  if (LLVMGetIntrinsicID(answer.callee)) {
    find_memory_intrinsic(call, &answer);
    if (answer.to || answer.rule)
      return answer;
    answer.kind = carries_nothing(call) ? NB_CALL_HARMLESS : NB_CALL_UNKNOWN;
    return answer;
  }
  if (!answer.rule)
    answer.kind = LLVMIsDeclaration(answer.callee) ? NB_CALL_UNKNOWN : NB_CALL_BODY;
  return answer;
}

bool nb_call_is_silent(NbContext *context, LLVMValueRef call) {
  NbCall what = nb_call_of(context, call);
  bool silent = what.kind == NB_CALL_ROW && what.rule->kind == NB_RULE_INACTIVE &&
                !what.rule->effect_count && !what.rule->once && !what.rule->noreturn;
  return silent || (what.kind == NB_CALL_HARMLESS && what.callee);
}

bool nb_call_measures(NbContext *context, LLVMValueRef call, LLVMValueRef integer) {
  NbCall what = nb_call_of(context, call);
  if (what.kind == NB_CALL_COPY || what.kind == NB_CALL_FILL)
    return what.bytes == integer;
  return what.kind == NB_CALL_ROW &&
         (what.rule->kind == NB_RULE_ALLOCATE || what.rule->kind == NB_RULE_FREE ||
          what.rule->kind == NB_RULE_RESIZE);
}

/* --- Integers. -------------------------------------------------------------------------------- */

enum { MOST_FOLLOWED = 256, MOST_ORIGINS = 32 };

static bool moves_bits(LLVMOpcode opcode) {
  return opcode == LLVMPHI || opcode == LLVMSelect || opcode == LLVMFreeze ||
         opcode == LLVMInsertElement || opcode == LLVMExtractElement ||
         opcode == LLVMShuffleVector || opcode == LLVMInsertValue || opcode == LLVMExtractValue;
}

static bool changes_bits(LLVMOpcode opcode) {
  return opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor || opcode == LLVMShl ||
         opcode == LLVMLShr || opcode == LLVMAShr || opcode == LLVMAdd || opcode == LLVMSub ||
         opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt;
}

/* What else changes bits may cut a float in pieces, or put one together. */
static bool is_arithmetic(LLVMOpcode opcode) { return opcode == LLVMAdd || opcode == LLVMSub; }

/* An intrinsic that makes an integer of others of its type. */
static bool combines_integers(LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  LLVMTypeRef type = LLVMTypeOf(call);
  return callee && LLVMGetIntrinsicID(callee) && LLVMGetNumArgOperands(call) > 0 &&
         LLVMGetTypeKind(nb_scalar_type(type)) == LLVMIntegerTypeKind &&
         LLVMTypeOf(LLVMGetOperand(call, 0)) == type;
}

/* One of two integers is arithmetic, or gives one of them; others may give their bits in another
 * order. */
static bool permutes_bits(LLVMValueRef call) { return LLVMGetNumArgOperands(call) != 2; }

/* What becomes of an integer: used as a number; or cast to a float or pointer; or that, or stored
 * when it has changed. */
typedef struct Fate {
  bool number, casts, escapes;
} Fate;

/* What becomes of what such an intrinsic makes, found by a walk of as many values as walks have
 * that are nested so deep. While that is going on, it is not known. */
typedef struct Combined {
  LLVMValueRef call;
  unsigned nested;
  Fate fate;
} Combined;

/* Of one walk and those in it: without it, rounds of a hash would be walked through as often as
 * there are ways through them. */
typedef struct CombinedList {
  Combined items[MOST_FOLLOWED];
  unsigned count;
} CombinedList;

/* A walk over what is made of an integer, each value once as it is and once changed. */
typedef struct Walk {
  LLVMValueRef values[MOST_FOLLOWED];
  bool changed[MOST_FOLLOWED];
  unsigned count, most, nested;
  CombinedList *combined;
  Fate fate;
} Walk;

static Fate fate_within(LLVMValueRef value, bool changed, unsigned nested, CombinedList *combined);

static void follow(Walk *walk, LLVMValueRef value, bool changed) {
  for (unsigned i = 0; i < walk->count; i++)
    if (walk->values[i] == value && walk->changed[i] >= changed)
      return;
  if (walk->count == walk->most) {
    walk->fate.escapes = true;
    return;
  }
  walk->values[walk->count] = value;
  walk->changed[walk->count++] = changed;
}

static Fate fate_of_combined(const Walk *walk, LLVMValueRef call) {
  CombinedList *list = walk->combined;
  const unsigned nested = walk->nested + 1;
  const Fate unknown = {.escapes = true};
  unsigned at = 0;
  while (at < list->count && list->items[at].call != call)
    at++;
  if (at == MOST_FOLLOWED)
    return unknown;
  if (at < list->count && list->items[at].nested <= nested)
    return list->items[at].fate;
  list->count += at == list->count;
  list->items[at] = (Combined){call, nested, unknown};
  list->items[at].fate = fate_within(call, permutes_bits(call), nested, list);
  return list->items[at].fate;
}

/* What is no less than a constant, say, may be the bits of a float, but is no piece of them. */
static void follow_combined(Walk *walk, LLVMValueRef call) {
  bool bound = !permutes_bits(call) && LLVMIsAConstantInt(LLVMGetOperand(call, 1));
  Fate made = fate_of_combined(walk, call);
  walk->fate.number |= made.number || !permutes_bits(call);
  walk->fate.casts |= made.casts;
  walk->fate.escapes |= bound ? made.casts : made.escapes;
}

/* What a function with a body makes of an argument is seen there; others take numbers. */
static void follow_argument(Walk *walk, LLVMUseRef use, bool changed) {
  LLVMValueRef call = LLVMGetUser(use);
  LLVMValueRef callee = nb_callee(call);
  if (combines_integers(call)) {
    follow_combined(walk, call);
    return;
  }
  bool body = callee && LLVMCountBasicBlocks(callee) > 0;
  unsigned count = body ? LLVMCountParams(callee) : 0;
  walk->fate.number |= !body;
  for (unsigned i = 0; i < count && i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == LLVMGetUsedValue(use))
      follow(walk, LLVMGetParam(callee, i), changed);
}

bool nb_is_simple_variable(LLVMValueRef variable, LLVMTypeRef type) {
  if (!LLVMIsAAllocaInst(variable) || LLVMGetAllocatedType(variable) != type)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool reads = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
    bool writes = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
                  LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
    if (!reads && !writes)
      return false;
  }
  return true;
}

/* A store to a simple variable goes on at its loads; what a tape keeps as an integer is a number.
 */
static void follow_store(Walk *walk, LLVMValueRef store, bool changed) {
  if (nb_access_is_slot(store)) {
    walk->fate.number = true;
    return;
  }
  LLVMValueRef variable = LLVMGetOperand(store, 1);
  if (!nb_is_simple_variable(variable, LLVMTypeOf(LLVMGetOperand(store, 0)))) {
    walk->fate.escapes |= changed;
    return;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
    if (LLVMIsALoadInst(LLVMGetUser(use)))
      follow(walk, LLVMGetUser(use), changed);
}

static void follow_use(Walk *walk, LLVMUseRef use, bool changed) {
  LLVMValueRef user = LLVMGetUser(use);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  if (moves_bits(opcode)) {
    follow(walk, user, changed);
  } else if (opcode == LLVMBitCast && nb_access_is_either(user)) {
    return;
  } else if (opcode == LLVMBitCast || opcode == LLVMIntToPtr) {
    walk->fate.casts = walk->fate.escapes = true;
  } else if (opcode == LLVMStore) {
    follow_store(walk, user, changed);
  } else if (opcode == LLVMRet) {
    walk->fate.escapes |= changed;
  } else if (opcode == LLVMCall || opcode == LLVMInvoke) {
    follow_argument(walk, use, changed);
  } else if (changes_bits(opcode)) {
    bool arithmetic = is_arithmetic(opcode);
    walk->fate.number |= arithmetic;
    follow(walk, user, changed || !arithmetic);
  } else {
    walk->fate.number = true;
  }
}

static Fate fate_within(LLVMValueRef value, bool changed, unsigned nested, CombinedList *combined) {
  Walk walk = {.most = MOST_FOLLOWED >> nested, .nested = nested, .combined = combined};
  follow(&walk, value, changed);
  for (unsigned i = 0; i < walk.count && !walk.fate.casts; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(walk.values[i]); use; use = LLVMGetNextUse(use))
      follow_use(&walk, use, walk.changed[i]);
  return walk.fate;
}

static Fate fate_of(LLVMValueRef value) {
  CombinedList combined;
  combined.count = 0;
  return fate_within(value, false, 0, &combined);
}

/* What was looked at on the way: a cycle adds nothing. */
typedef struct Origins {
  LLVMValueRef seen[MOST_ORIGINS];
  unsigned count;
  NbIsNumber is_number; /* what else is known of what is loaded; NULL: nothing */
  const void *user;
} Origins;

static bool makes_bits_of_float(LLVMValueRef value, Origins *origins);

static bool any_operand_makes_bits(LLVMValueRef value, unsigned count, Origins *origins) {
  for (unsigned i = 0; i < count; i++)
    if (makes_bits_of_float(LLVMGetOperand(value, i), origins))
      return true;
  return false;
}

/* The member that was put into the struct last, the struct itself where that is not seen. */
static LLVMValueRef member_of(LLVMValueRef whole, unsigned member) {
  LLVMValueRef at = whole;
  while (LLVMIsAInsertValueInst(at) && LLVMGetIndices(at)[0] != member)
    at = LLVMGetOperand(at, 0);
  return LLVMIsAInsertValueInst(at) && LLVMGetNumIndices(at) == 1 ? LLVMGetOperand(at, 1) : whole;
}

/* `part`: what is taken out of the struct that is returned; NULL: all. */
static bool returns_bits_of_float(LLVMValueRef call, LLVMValueRef part, Origins *origins) {
  LLVMValueRef callee = nb_callee(call);
  if (combines_integers(call))
    return any_operand_makes_bits(call, LLVMGetNumArgOperands(call), origins);
  if (!callee || LLVMCountBasicBlocks(callee) == 0)
    return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(callee); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(last) || LLVMGetNumOperands(last) != 1)
      continue;
    LLVMValueRef value = LLVMGetOperand(last, 0);
    if (makes_bits_of_float(part ? member_of(value, LLVMGetIndices(part)[0]) : value, origins))
      return true;
  }
  return false;
}

static bool loads_bits_of_float(LLVMValueRef load, Origins *origins) {
  LLVMValueRef variable = LLVMGetOperand(load, 0);
  if (origins->is_number && origins->is_number(origins->user, load))
    return false;
  if (!nb_is_simple_variable(variable, LLVMTypeOf(load)))
    return !nb_integer_is_number(load);
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && makes_bits_of_float(LLVMGetOperand(user, 0), origins))
      return true;
  }
  return false;
}

static bool makes_bits_of_float(LLVMValueRef value, Origins *origins) {
  for (unsigned i = 0; i < origins->count; i++)
    if (origins->seen[i] == value)
      return false;
  if (LLVMIsAInstruction(value) && nb_access_has_note(value, NB_CHECKED_INTEGER))
    return false;
  if (origins->count == MOST_ORIGINS)
    return true;
  origins->seen[origins->count++] = value;
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMFAdd;
  if (opcode == LLVMLoad)
    return loads_bits_of_float(value, origins);
  LLVMValueRef part = opcode == LLVMExtractValue ? value : NULL;
  LLVMValueRef call = part ? LLVMGetOperand(part, 0) : value;
  if (nb_is_call(call))
    return returns_bits_of_float(call, part, origins);
  if (opcode == LLVMBitCast || opcode == LLVMPtrToInt)
    return true;
  if (nb_address_is_distance(value))
    return false;
  if (!moves_bits(opcode) && !changes_bits(opcode))
    return false;
  return any_operand_makes_bits(value, (unsigned)LLVMGetNumOperands(value), origins);
}

bool nb_integer_is_number(LLVMValueRef value) {
  if (LLVMIsALoadInst(value)) {
    Fate fate = fate_of(value);
    return fate.number && !fate.escapes;
  }
  return nb_integer_made_of_numbers(value, NULL, NULL);
}

bool nb_integer_made_of_numbers(LLVMValueRef value, NbIsNumber is_number, const void *user) {
  Origins origins = {.is_number = is_number, .user = user};
  return !LLVMIsAConstant(value) && !makes_bits_of_float(value, &origins);
}

/* --- TBAA. ------------------------------------------------------------------------------------ */

enum { TAG_LONGEST = 8, MOST_MEMBERS = 64, DEEPEST_TYPE = 32 };

/* Flang's tags are named after variables, and say nothing of what is accessed there; but for bounds
 * and the like it has a name of their own. */
#define MEMBER_OF_DESCRIPTOR "descriptor member"

/* The name of the root that the types of TBAA end in; NULL where there is none. */
static const char *root_of_type(LLVMValueRef type) {
  LLVMValueRef operands[TAG_LONGEST];
  unsigned count = LLVMGetMDNodeNumOperands(type);
  for (unsigned depth = 0; depth < DEEPEST_TYPE && count > 1 && count <= TAG_LONGEST; depth++) {
    LLVMGetMDNodeOperands(type, operands);
    type = operands[1];
    count = type && LLVMIsAMDNode(type) ? LLVMGetMDNodeNumOperands(type) : 0;
  }
  if (count != 1)
    return NULL;
  LLVMGetMDNodeOperands(type, operands);
  unsigned length = 0;
  return operands[0] ? LLVMGetMDString(operands[0], &length) : NULL;
}

static bool is_type_of_c(LLVMValueRef type) {
  const char *root = root_of_type(type);
  return root && strstr(root, "C++ TBAA");
}

static const char any_type[] = "omnipotent char";

typedef struct Scalar {
  LLVMValueRef type;
  const char *name;
} Scalar;

/* The scalar type that the tag says is accessed. */
static Scalar scalar_of_tag(LLVMValueRef tag) {
  LLVMValueRef operands[TAG_LONGEST];
  unsigned count = tag && LLVMIsAMDNode(tag) ? LLVMGetMDNodeNumOperands(tag) : 0;
  if (count < 3 || count > 4)
    return (Scalar){NULL, NULL};
  LLVMGetMDNodeOperands(tag, operands);
  LLVMValueRef type = operands[1];
  count = type && LLVMIsAMDNode(type) ? LLVMGetMDNodeNumOperands(type) : 0;
  if (count < 2 || count > TAG_LONGEST)
    return (Scalar){NULL, NULL};
  LLVMGetMDNodeOperands(type, operands);
  unsigned length = 0;
  return (Scalar){type, operands[0] ? LLVMGetMDString(operands[0], &length) : NULL};
}

static bool has_root(LLVMValueRef tag, const char *name) {
  Scalar scalar = scalar_of_tag(tag);
  const char *root = scalar.name ? root_of_type(scalar.type) : NULL;
  return root && strcmp(root, name) == 0;
}

bool nb_tbaa_is_own(LLVMValueRef tag) { return has_root(tag, NB_TBAA_ROOT); }

bool nb_tbaa_is_own_integer(LLVMValueRef tag) {
  Scalar scalar = scalar_of_tag(tag);
  return scalar.name && strcmp(scalar.name, NB_TBAA_INTEGER) == 0 && nb_tbaa_is_own(tag);
}

/* May what is accessed be of any type, as the tag has it? */
static bool is_any_tag(LLVMValueRef tag) {
  Scalar scalar = scalar_of_tag(tag);
  if (!scalar.name)
    return false;
  return nb_tbaa_is_own(tag) ? strcmp(scalar.name, NB_TBAA_UNION) == 0
                             : is_type_of_c(scalar.type) && strcmp(scalar.name, any_type) == 0;
}

const char *nb_tbaa_tag_name(LLVMValueRef tag) {
  Scalar scalar = scalar_of_tag(tag);
  bool told =
      scalar.name && (is_type_of_c(scalar.type) || strcmp(scalar.name, MEMBER_OF_DESCRIPTOR) == 0);
  return told && strcmp(scalar.name, any_type) != 0 ? scalar.name : NULL;
}

static LLVMValueRef tag_of(LLVMValueRef access) {
  unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(access)), "tbaa", 4);
  return LLVMGetMetadata(access, kind);
}

const char *nb_tbaa_name(LLVMValueRef access) { return nb_tbaa_tag_name(tag_of(access)); }

bool nb_tbaa_is_slot(LLVMValueRef access) { return has_root(tag_of(access), NB_TBAA_SLOT); }

bool nb_tbaa_is_any(LLVMValueRef access) { return is_any_tag(tag_of(access)); }

bool nb_value_is_allocated(NbContext *context, LLVMValueRef value) {
  const NbRule *rule = LLVMIsACallInst(value) ? nb_rule_of_call(context, value, NULL) : NULL;
  return rule && rule->kind == NB_RULE_ALLOCATE;
}

static unsigned kind_of_note(LLVMContextRef llvm, const char *name) {
  return LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name));
}

void nb_number_note(LLVMValueRef instruction, const char *name, uint64_t number) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(instruction));
  LLVMValueRef constant = LLVMConstInt(LLVMInt64TypeInContext(llvm), number, true);
  LLVMMetadataRef item = LLVMValueAsMetadata(constant);
  LLVMMetadataRef node = LLVMMDNodeInContext2(llvm, &item, 1);
  LLVMSetMetadata(instruction, kind_of_note(llvm, name), LLVMMetadataAsValue(llvm, node));
}

bool nb_number_noted(LLVMValueRef instruction, const char *name, uint64_t *number) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(instruction));
  LLVMValueRef node = LLVMGetMetadata(instruction, kind_of_note(llvm, name));
  LLVMValueRef constant = NULL;
  if (!node)
    return false;
  LLVMGetMDNodeOperands(node, &constant);
  *number = LLVMConstIntGetZExtValue(constant);
  return true;
}

void nb_access_note(LLVMValueRef access, const char *name) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(access));
  LLVMMetadataRef nothing = LLVMMDNodeInContext2(llvm, NULL, 0);
  LLVMSetMetadata(access, kind_of_note(llvm, name), LLVMMetadataAsValue(llvm, nothing));
}

bool nb_access_has_note(LLVMValueRef access, const char *name) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(access));
  return LLVMGetMetadata(access, kind_of_note(llvm, name)) != NULL;
}

bool nb_access_is_noted(LLVMValueRef access) {
  return nb_access_has_note(access, NB_INTEGER_FIELD) || nb_access_is_noted_integer(access) ||
         nb_tbaa_is_own_integer(tag_of(access));
}

bool nb_access_is_word(LLVMValueRef access) { return nb_access_has_note(access, NB_WORD_FIELD); }

bool nb_access_is_either(LLVMValueRef access) {
  return nb_access_has_note(access, NB_EITHER_MOVED);
}

bool nb_access_is_of_pointer(LLVMValueRef access) {
  return nb_access_has_note(access, NB_POINTER_FIELD);
}

bool nb_tbaa_is_pointer(const char *name) {
  if (strcmp(name, "any pointer") == 0 || strcmp(name, "vtable pointer") == 0)
    return true;
  return name[0] == 'p' && name[1] >= '0' && name[1] <= '9' && strchr(name, ' ');
}

bool nb_access_names_pointer(LLVMValueRef access) {
  const char *name = nb_tbaa_name(access);
  return name && nb_tbaa_is_pointer(name);
}

bool nb_tbaa_is_class_pointer(const char *name) {
  const char *type = nb_tbaa_is_pointer(name) ? strchr(name, ' ') : NULL;
  return type && strncmp(type, " _ZTS", strlen(" _ZTS")) == 0;
}

const char *nb_access_pointer_kind(LLVMValueRef access) {
  const char *name = nb_tbaa_name(access);
  if (!name || strncmp(name, "any ", strlen("any ")) == 0 ||
      strcmp(name, MEMBER_OF_DESCRIPTOR) == 0)
    return NULL;
  if (nb_tbaa_is_class_pointer(name))
    return name;
  return "of no class";
}

bool nb_pointer_kinds_meet(const char *a, const char *b) { return !a || !b || strcmp(a, b) == 0; }

/* --- Fields. ---------------------------------------------------------------------------------- */

static const char *name_of_struct(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
}

bool nb_is_declared_struct(LLVMTypeRef type) {
  const char *name = name_of_struct(type);
  return name && (strncmp(name, "struct.", 7) == 0 || strncmp(name, "class.", 6) == 0);
}

bool nb_is_declared_union(LLVMTypeRef type) {
  const char *name = name_of_struct(type);
  return name && strncmp(name, "union.", 6) == 0;
}

/* The struct that the tag names, and a scalar in it; NULL where it names no struct. */
static LLVMValueRef path_of_tag(LLVMValueRef access) {
  LLVMValueRef operands[TAG_LONGEST];
  LLVMValueRef tag = tag_of(access);
  unsigned count = tag && LLVMIsAMDNode(tag) ? LLVMGetMDNodeNumOperands(tag) : 0;
  if (count < 3 || count > 4)
    return NULL;
  LLVMGetMDNodeOperands(tag, operands);
  return operands[0] != operands[1] ? operands[0] : NULL;
}

/* Is something else than pointers in what the type of TBAA is, or is made of? Scalars lead to the
 * root of all types. */
static bool holds_others(LLVMValueRef type) {
  LLVMValueRef operands[MOST_MEMBERS];
  unsigned count = type && LLVMIsAMDNode(type) ? LLVMGetMDNodeNumOperands(type) : 0;
  if (count == 0 || count > MOST_MEMBERS)
    return false;
  LLVMGetMDNodeOperands(type, operands);
  unsigned length = 0;
  const char *name = operands[0] ? LLVMGetMDString(operands[0], &length) : NULL;
  if (!name || nb_tbaa_is_pointer(name))
    return false;
  bool others = count < 3;
  for (unsigned i = 1; i + 1 < count && !others; i += 2)
    others = holds_others(operands[i]);
  return others;
}

/* Does the name of TBAA say that the pointer is one to a struct? */
static bool is_of_struct(const char *name) {
  const char to_struct[] = "p1 _ZTS";
  return strncmp(name, to_struct, sizeof to_struct - 1) == 0;
}

bool nb_access_is_of_link(LLVMValueRef access) {
  const char *name = nb_tbaa_name(access);
  bool pointer = name && nb_tbaa_is_pointer(name);
  LLVMValueRef structure = pointer ? path_of_tag(access) : NULL;
  return nb_access_has_note(access, NB_LINK_FIELD) || (pointer && is_of_struct(name)) ||
         (structure && holds_others(structure));
}

static bool is_union(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind && !nb_is_declared_struct(type);
}

/* Do the indices lead to or through a union? */
static bool indexes_union(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  for (int i = 2; i < count && !is_union(type); i++) {
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    type = structure ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                     : LLVMGetElementType(type);
  }
  return is_union(type);
}

bool nb_is_in_union(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) {
    if (indexes_union(pointer))
      return true;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return LLVMIsAAllocaInst(pointer) && is_union(LLVMGetAllocatedType(pointer));
}

/* The type of the member that the gep leads to; NULL where it leads to none. */
static LLVMTypeRef member_behind(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  if (count < 3 || !nb_is_declared_struct(type))
    return NULL;
  for (int i = 2; i < count; i++) {
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    if (i == count - 1 && !(structure && nb_is_declared_struct(type)))
      return NULL;
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    type = structure ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                     : LLVMGetElementType(type);
  }
  return type;
}

/* The first element of an array of floats is none. */
static bool leads_to_field(LLVMValueRef access, LLVMValueRef pointer) {
  LLVMTypeRef member = LLVMIsAGetElementPtrInst(pointer) ? member_behind(pointer) : NULL;
  bool store = LLVMIsAStoreInst(access) != NULL;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
  bool first = member && LLVMGetTypeKind(member) == LLVMArrayTypeKind &&
               nb_is_float_kind(LLVMGetTypeKind(type));
  return member && !first && !nb_is_in_union(pointer);
}

/* Does the tag, if there is one, say what is accessed? That of a union's member does not. */
static bool is_untold(LLVMValueRef access) {
  LLVMValueRef tag = tag_of(access);
  return tag && !nb_tbaa_tag_name(tag) && (is_any_tag(tag) || !nb_tbaa_is_own(tag));
}

bool nb_access_is_field(LLVMValueRef access, LLVMValueRef pointer) {
  bool noted = nb_access_is_noted(access) && !is_untold(access);
  return path_of_tag(access) || noted || leads_to_field(access, pointer);
}
