// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers in which two things travel, one of them a float at least that has no more than half of
 * the bits, become two integers of half the width. What they carry is then seen by itself.
 *
 * A web is a set of such integers joined by moves and by operations of which each half of the
 * result is a matter of halves (halves.c). It is taken apart where something comes out of it by
 * halves, or as a comparison, or through memory; what else is done with one of its members is done
 * with its halves joined again. */
#include "types/facts.h"
#include "types/halves.h"

#include <llvm-c/DebugInfo.h>

typedef struct Web {
  NbContext *context;
  LLVMValueRef function;
  NbTypes *types; /* of the function; NULL until asked for */
  NbArena *arena;
  LLVMTypeRef wide, narrow;
  unsigned bits;          /* of a half */
  NbList members, sinks;  /* sinks: what takes halves, and is replaced */
  NbMap *inside, *halves; /* of members */
  NbMap *taking;          /* the sinks */
  NbMap *replaced;        /* of these: what stands for them */
  NbMap *tried;           /* members of webs that stay */
  bool mixed;             /* only webs are asked for in which both are seen */
  bool failed, floats, numbers;
} Web;

/* A float that fits a half. */
static bool is_small_float(const Web *web, LLVMTypeRef type) {
  return nb_is_float_kind(LLVMGetTypeKind(type)) &&
         nb_store_size(web->context, type) * 8 <= web->bits;
}

/* A vector of two halves. */
static bool is_pair(const Web *web, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) != NB_HALVES)
    return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  return element == web->narrow || is_small_float(web, element);
}

static bool is_narrow(const Web *web, LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= web->bits;
}

/* --- What belongs to a web. --------------------------------------------------------------------
 */

static NbTypes *types_of(Web *web) {
  if (!web->types) {
    NbObjects *objects = nb_objects_in(web->context, web->arena, web->function);
    web->types = nb_types_in(web->context, web->arena, objects);
  }
  return web->types;
}

/* By how many bits, if that is known? */
static bool shifts_by_constant(const Web *web, LLVMValueRef value) {
  LLVMValueRef count = LLVMGetOperand(value, 1);
  return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) < NB_HALVES * web->bits;
}

/* As it is, or joined with other bits. */
static bool becomes_small_float(const Web *web, LLVMValueRef narrow) {
  for (LLVMUseRef use = LLVMGetFirstUse(narrow); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (nb_is_operation(user, LLVMBitCast) && is_small_float(web, LLVMTypeOf(user)))
      return true;
    if (nb_is_operation(user, LLVMOr) && becomes_small_float(web, user))
      return true;
  }
  return false;
}

static bool is_cut(const Web *web, LLVMValueRef user) {
  return LLVMIsATruncInst(user) && is_narrow(web, LLVMTypeOf(user));
}

/* Is nothing made of it but floats, each of a half, whatever is declared? */
static bool gives_small_floats(const Web *web, LLVMValueRef whole) {
  LLVMUseRef use = LLVMGetFirstUse(whole);
  bool gives = use != NULL;
  for (; use && gives; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool upper = nb_is_operation(user, LLVMLShr) && shifts_by_constant(web, user);
    gives = (is_cut(web, user) && becomes_small_float(web, user)) ||
            (upper && LLVMGetOperand(user, 0) == whole && gives_small_floats(web, user));
  }
  return gives;
}

/* Is each half of it a matter of halves? The operands that are as wide are members too, or cut. */
static bool is_made(Web *web, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || LLVMTypeOf(value) != web->wide)
    return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMLoad:
    return nb_access_is_plain(value) &&
           (gives_small_floats(web, value) || !nb_types_declared_number(types_of(web), value));
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMAdd:
  case LLVMSub:
    return true;
  case LLVMZExt:
  case LLVMSExt:
    return is_narrow(web, LLVMTypeOf(LLVMGetOperand(value, 0)));
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    return shifts_by_constant(web, value);
  case LLVMBitCast:
    return is_pair(web, LLVMTypeOf(LLVMGetOperand(value, 0)));
  default:
    return false;
  }
}

/* Does a sum or difference come into it, as such or as one of those that are chosen from? */
static bool is_counted(LLVMValueRef value, NbMap *seen) {
  if (nb_is_operation(value, LLVMAdd) || nb_is_operation(value, LLVMSub))
    return true;
  bool choice = LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
  if (!choice || nb_map_has(seen, value))
    return false;
  nb_map_set(seen, value, value);
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    if (is_counted(LLVMGetOperand(value, (unsigned)i), seen))
      return true;
  return false;
}

/* Numbers that are counted stay whole. */
static bool is_whole_number(Web *web, LLVMValueRef value) {
  return is_counted(value, nb_map_new(web->arena)) &&
         (nb_integer_made_of_numbers(value, NULL, NULL) ||
          nb_types_made_of_numbers(types_of(web), value));
}

/* Is it known as a whole only, and may be a pointer, or a float that is as wide? */
static bool is_other(LLVMValueRef value) {
  return LLVMIsAInvokeInst(value) || nb_is_operation(value, LLVMPtrToInt) ||
         nb_is_operation(value, LLVMBitCast);
}

static void enter(Web *web, LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) || LLVMIsUndef(value) || nb_map_has(web->inside, value))
    return;
  if (is_made(web, value) && !is_whole_number(web, value)) {
    nb_map_set(web->inside, value, value);
    nb_list_push(&web->members, value);
  } else {
    web->failed |= is_other(value) || (LLVMIsAConstant(value) && !LLVMIsAConstantInt(value));
  }
}

/* Or is one accessed there by an index, though as surely the whole is, as an integer? It is that
 * whose halves may be two of them; of others no more than time is lost. */
static bool holds_small_float(Web *web, LLVMValueRef pointer, LLVMTypeRef type) {
  NbLayout layout = nb_types_layout(types_of(web), pointer, nb_store_size(web->context, type));
  for (unsigned i = 0; i < layout.count; i++) {
    const NbPiece *piece = &layout.pieces[i];
    if (piece->kind == NB_KIND_FLOAT && is_small_float(web, piece->type))
      return true;
  }
  return nb_facts_meet_float(types_of(web), pointer, nb_store_size(web->context, type),
                             web->bits / 8);
}

/* Is it a small float's bits, or loaded from where one lies, or chosen from what may be that? */
static bool is_of_small_float(Web *web, LLVMValueRef narrow, NbMap *seen) {
  if (nb_is_operation(narrow, LLVMBitCast))
    return is_small_float(web, LLVMTypeOf(LLVMGetOperand(narrow, 0)));
  if (LLVMIsALoadInst(narrow) && LLVMTypeOf(narrow) == web->narrow && nb_access_is_plain(narrow))
    return holds_small_float(web, LLVMGetOperand(narrow, 0), web->narrow);
  bool choice = LLVMIsAPHINode(narrow) || LLVMIsASelectInst(narrow);
  if (!choice || nb_map_has(seen, narrow))
    return false;
  nb_map_set(seen, narrow, narrow);
  for (int i = LLVMIsASelectInst(narrow) ? 1 : 0; i < LLVMGetNumOperands(narrow); i++)
    if (is_of_small_float(web, LLVMGetOperand(narrow, (unsigned)i), seen))
      return true;
  return false;
}

/* Is it computed with, or compared, as it is or chosen? */
static bool is_computed_with(LLVMValueRef narrow, NbMap *seen) {
  if (nb_map_has(seen, narrow))
    return false;
  nb_map_set(seen, narrow, narrow);
  for (LLVMUseRef use = LLVMGetFirstUse(narrow); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMICmp:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMSExt:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMGetElementPtr:
      return true;
    case LLVMPHI:
    case LLVMSelect:
    case LLVMTrunc:
      if (is_computed_with(user, seen))
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

static void visit_use(Web *web, LLVMValueRef value, LLVMValueRef user) {
  bool store =
      LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value && nb_access_is_plain(user);
  bool cast = nb_is_operation(user, LLVMBitCast);
  bool pair = cast && is_pair(web, LLVMTypeOf(user));
  if (store || pair || is_cut(web, user) || LLVMIsAICmpInst(user)) {
    web->floats |= pair || (is_cut(web, user) && becomes_small_float(web, user));
    web->numbers |= is_cut(web, user) && is_computed_with(user, nb_map_new(web->arena));
    web->floats |= store && holds_small_float(web, LLVMGetOperand(user, 1), web->wide);
    if (!nb_map_has(web->taking, user))
      nb_list_push(&web->sinks, user);
    nb_map_set(web->taking, user, user);
  } else if (is_made(web, user)) {
    enter(web, user);
  } else {
    web->failed |= cast || nb_is_operation(user, LLVMIntToPtr);
  }
}

static void visit_operands(Web *web, LLVMValueRef value) {
  LLVMValueRef first = LLVMGetOperand(value, 0);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
  case LLVMSExt:
    web->floats |= is_of_small_float(web, first, nb_map_new(web->arena));
    break;
  case LLVMBitCast:
    web->floats = true;
    break;
  case LLVMLoad:
    web->floats |= holds_small_float(web, first, web->wide);
    break;
  default:
    for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
      enter(web, LLVMGetOperand(value, (unsigned)i));
  }
}

static void close_web(Web *web) {
  for (unsigned i = 0; i < web->members.count; i++) {
    LLVMValueRef value = web->members.items[i];
    visit_operands(web, value);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      visit_use(web, value, LLVMGetUser(use));
  }
}

/* --- The halves of members. --------------------------------------------------------------------
 */

static NbHalves halves_of(Web *web, LLVMBuilderRef builder, LLVMValueRef value);

/* What a half is that is the same constant whatever is chosen: the upper one of integers that were
 * zero extended, say. */
typedef struct Constant {
  NbMap *seen; /* choices */
  LLVMValueRef half;
  bool differs;
} Constant;

static void add_half(Web *web, LLVMBuilderRef builder, Constant *constant, LLVMValueRef value,
                     unsigned half) {
  bool choice = LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
  bool up = nb_is_operation(value, LLVMShl) && shifts_by_constant(web, value) &&
            LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) >= web->bits;
  bool zero = half == NB_UPPER ? nb_is_operation(value, LLVMZExt) && is_made(web, value) : up;
  LLVMValueRef found = zero ? LLVMConstNull(web->narrow) : NULL;
  if (LLVMIsAConstantInt(value))
    found = nb_halves_cut(builder, value).half[half];
  constant->differs |= (!choice && !found) || (found && constant->half && found != constant->half);
  if (found)
    constant->half = found;
  if (!choice || nb_map_has(constant->seen, value))
    return;
  nb_map_set(constant->seen, value, value);
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    if (!constant->differs)
      add_half(web, builder, constant, LLVMGetOperand(value, (unsigned)i), half);
}

/* NULL for others. */
static LLVMValueRef constant_half(Web *web, LLVMBuilderRef builder, LLVMValueRef choice,
                                  unsigned half) {
  Constant constant = {.seen = nb_map_new(web->arena)};
  add_half(web, builder, &constant, choice, half);
  return constant.differs ? NULL : constant.half;
}

static NbHalves chosen(Web *web, LLVMBuilderRef builder, LLVMValueRef choice) {
  NbHalves made, yes = {{NULL}}, no = {{NULL}};
  if (LLVMIsASelectInst(choice)) {
    yes = halves_of(web, builder, LLVMGetOperand(choice, 1));
    no = halves_of(web, builder, LLVMGetOperand(choice, 2));
  }
  for (unsigned i = 0; i < NB_HALVES; i++) {
    made.half[i] = constant_half(web, builder, choice, i);
    if (made.half[i])
      continue;
    if (LLVMIsAPHINode(choice))
      made.half[i] = LLVMBuildPhi(builder, web->narrow, "half");
    else
      made.half[i] =
          LLVMBuildSelect(builder, LLVMGetOperand(choice, 0), yes.half[i], no.half[i], "");
  }
  return made;
}

static LLVMValueRef half_address(const Web *web, LLVMBuilderRef builder, LLVMValueRef pointer,
                                 unsigned half) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(web->context->llvm);
  LLVMTypeRef index = LLVMInt64TypeInContext(web->context->llvm);
  LLVMValueRef offset = LLVMConstInt(index, (uint64_t)half * web->bits / 8, false);
  return half ? LLVMBuildInBoundsGEP2(builder, byte, pointer, &offset, 1, "") : pointer;
}

static unsigned half_alignment(const Web *web, LLVMValueRef access) {
  unsigned align = LLVMGetAlignment(access), most = web->bits / 8;
  return align < most ? align : most;
}

static NbHalves loaded(const Web *web, LLVMBuilderRef builder, LLVMValueRef load) {
  NbHalves made;
  for (unsigned i = 0; i < NB_HALVES; i++) {
    LLVMValueRef address = half_address(web, builder, LLVMGetOperand(load, 0), i);
    made.half[i] = LLVMBuildLoad2(builder, web->narrow, address, "half");
    LLVMSetAlignment(made.half[i], half_alignment(web, load));
  }
  return made;
}

static NbHalves taken_from_pair(const Web *web, LLVMBuilderRef builder, LLVMValueRef pair) {
  NbHalves made;
  LLVMTypeRef index = LLVMInt64TypeInContext(web->context->llvm);
  for (unsigned i = 0; i < NB_HALVES; i++) {
    LLVMValueRef at = LLVMConstInt(index, i, false);
    LLVMValueRef element = LLVMBuildExtractElement(builder, pair, at, "");
    made.half[i] = LLVMBuildBitCast(builder, element, web->narrow, "");
  }
  return made;
}

static NbHalves frozen(Web *web, LLVMBuilderRef builder, LLVMValueRef freeze) {
  NbHalves made = halves_of(web, builder, LLVMGetOperand(freeze, 0));
  for (unsigned i = 0; i < NB_HALVES; i++)
    made.half[i] = LLVMBuildFreeze(builder, made.half[i], "");
  return made;
}

static NbHalves make_halves(Web *web, LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef first = LLVMGetOperand(value, 0);
  switch (opcode) {
  case LLVMPHI:
  case LLVMSelect:
    return chosen(web, builder, value);
  case LLVMLoad:
    return loaded(web, builder, value);
  case LLVMBitCast:
    return taken_from_pair(web, builder, first);
  case LLVMFreeze:
    return frozen(web, builder, value);
  case LLVMZExt:
  case LLVMSExt:
    return nb_halves_extend(builder, opcode, first, web->narrow);
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr: {
    unsigned count = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
    return nb_halves_shift(builder, opcode, halves_of(web, builder, first), count);
  }
  default: {
    NbHalves a = halves_of(web, builder, first);
    return nb_halves_combine(builder, opcode, a, halves_of(web, builder, LLVMGetOperand(value, 1)));
  }
  }
}

/* A half may be what a member was made of, and be taken from another one itself. */
static NbHalves still_there(const Web *web, NbHalves halves) {
  for (unsigned i = 0; i < NB_HALVES; i++)
    while (nb_map_has(web->replaced, halves.half[i]))
      halves.half[i] = nb_map_get(web->replaced, halves.half[i]);
  return halves;
}

/* Is it a number that the lower half has room for, as a loop's counter may be known to be? */
static bool fits_half(const Web *web, LLVMValueRef value) {
  int64_t low = -1, high = 0;
  if (!LLVMIsAInstruction(value) || web->bits >= 64)
    return false;
  NbScev *evolution = nb_scev_of(web->context->analyses, web->function, value);
  return nb_scev_range(web->context->analyses, web->function, evolution, &low, &high) && low >= 0 &&
         high >> web->bits == 0;
}

static NbHalves halves_outside(const Web *web, LLVMBuilderRef builder, LLVMValueRef value) {
  NbHalves made = nb_halves_cut(builder, value);
  if (fits_half(web, value))
    made.half[1] = LLVMConstNull(web->narrow);
  return made;
}

/* Those of what is no member are made where the builder stands. */
static NbHalves halves_of(Web *web, LLVMBuilderRef builder, LLVMValueRef value) {
  const NbHalves *known = nb_map_get(web->halves, value);
  if (known)
    return still_there(web, *known);
  if (!nb_map_has(web->inside, value))
    return halves_outside(web, builder, value);
  NbHalves *halves = NB_NEW(web->arena, NbHalves);
  LLVMBuilderRef here = LLVMCreateBuilderInContext(web->context->llvm);
  LLVMPositionBuilderBefore(here, value);
  LLVMSetCurrentDebugLocation2(here, LLVMInstructionGetDebugLoc(value));
  *halves = make_halves(web, here, value);
  LLVMDisposeBuilder(here);
  nb_map_set(web->halves, value, halves);
  return *halves;
}

/* A block may come in more than once. */
static void link_phi(Web *web, LLVMBuilderRef builder, LLVMValueRef phi) {
  NbHalves halves = halves_of(web, builder, phi), incoming = {{NULL}};
  NbMap *edges = nb_map_new(web->arena);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    NbHalves *known = nb_map_get(edges, block);
    if (!known) {
      LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(block));
      known = NB_NEW(web->arena, NbHalves);
      *known = halves_of(web, builder, LLVMGetIncomingValue(phi, i));
      nb_map_set(edges, block, known);
    }
    incoming = *known;
    for (unsigned k = 0; k < NB_HALVES; k++)
      if (LLVMIsAPHINode(halves.half[k]))
        LLVMAddIncoming(halves.half[k], &incoming.half[k], &block, 1);
  }
}

/* --- What takes them. --------------------------------------------------------------------------
 */

static LLVMValueRef as_pair(const Web *web, LLVMBuilderRef builder, NbHalves halves,
                            LLVMTypeRef type) {
  LLVMTypeRef index = LLVMInt64TypeInContext(web->context->llvm);
  LLVMValueRef pair = LLVMGetPoison(type);
  for (unsigned i = 0; i < NB_HALVES; i++) {
    LLVMValueRef part = LLVMBuildBitCast(builder, halves.half[i], LLVMGetElementType(type), "");
    pair = LLVMBuildInsertElement(builder, pair, part, LLVMConstInt(index, i, false), "");
  }
  return pair;
}

static void store_halves(const Web *web, LLVMBuilderRef builder, LLVMValueRef store,
                         NbHalves halves) {
  for (unsigned i = 0; i < NB_HALVES; i++) {
    LLVMValueRef address = half_address(web, builder, LLVMGetOperand(store, 1), i);
    LLVMSetAlignment(LLVMBuildStore(builder, halves.half[i], address), half_alignment(web, store));
  }
}

static void replace_sink(Web *web, LLVMBuilderRef builder, LLVMValueRef sink) {
  LLVMPositionBuilderBefore(builder, sink);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(sink));
  NbHalves halves = halves_of(web, builder, LLVMGetOperand(sink, 0));
  LLVMTypeRef type = LLVMTypeOf(sink);
  LLVMValueRef fresh = NULL;
  if (LLVMIsAStoreInst(sink)) {
    store_halves(web, builder, sink, halves);
  } else if (LLVMIsAICmpInst(sink)) {
    NbHalves with = halves_of(web, builder, LLVMGetOperand(sink, 1));
    fresh = nb_halves_compare(builder, LLVMGetICmpPredicate(sink), halves, with);
  } else if (nb_is_operation(sink, LLVMBitCast)) {
    fresh = as_pair(web, builder, halves, type);
  } else {
    fresh = halves.half[NB_LOWER];
    if (type != web->narrow)
      fresh = LLVMBuildTrunc(builder, fresh, type, "");
  }
  if (fresh) {
    LLVMReplaceAllUsesWith(sink, fresh);
    nb_map_set(web->replaced, sink, fresh);
  }
}

/* What else is done with a member is done with the whole. */
static void replace_others(Web *web, LLVMBuilderRef builder, LLVMValueRef member) {
  LLVMValueRef before = member, whole = NULL;
  while (LLVMIsAPHINode(before))
    before = LLVMGetNextInstruction(before);
  for (LLVMUseRef use = LLVMGetFirstUse(member), next; use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (nb_map_has(web->inside, user))
      continue;
    if (!whole) {
      LLVMPositionBuilderBefore(builder, before);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(member));
      whole = nb_halves_join(builder, halves_of(web, builder, member));
    }
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == member)
        LLVMSetOperand(user, (unsigned)i, whole);
    next = LLVMGetFirstUse(member);
  }
  LLVMReplaceAllUsesWith(member, LLVMGetPoison(web->wide));
}

static void rewrite(Web *web) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(web->context->llvm);
  for (unsigned i = 0; i < web->members.count; i++)
    halves_of(web, builder, web->members.items[i]);
  for (unsigned i = 0; i < web->members.count; i++)
    if (LLVMIsAPHINode(web->members.items[i]))
      link_phi(web, builder, web->members.items[i]);
  for (unsigned i = 0; i < web->sinks.count; i++)
    replace_sink(web, builder, web->sinks.items[i]);
  for (unsigned i = 0; i < web->sinks.count; i++)
    LLVMInstructionEraseFromParent(web->sinks.items[i]);
  for (unsigned i = 0; i < web->members.count; i++)
    replace_others(web, builder, web->members.items[i]);
  for (unsigned i = 0; i < web->members.count; i++)
    LLVMInstructionEraseFromParent(web->members.items[i]);
  LLVMDisposeBuilder(builder);
}

/* --- The webs of a function. -------------------------------------------------------------------
 */

/* The value at which a web may start: where a small float, or memory, comes into it or out of it.
 */
static LLVMValueRef start_of(const Web *web, LLVMValueRef at) {
  bool cut = LLVMIsATruncInst(at) && becomes_small_float(web, at);
  if (web->mixed || cut)
    return cut ? LLVMGetOperand(at, 0) : NULL;
  if (LLVMIsALoadInst(at) || nb_is_operation(at, LLVMZExt) || nb_is_operation(at, LLVMSExt))
    return at;
  if (nb_is_operation(at, LLVMBitCast))
    return is_pair(web, LLVMTypeOf(at)) ? LLVMGetOperand(at, 0) : at;
  return NULL;
}

/* Is it nothing but the upper half of what is not taken apart, cut as it is? */
static bool is_cut_already(const Web *web) {
  LLVMValueRef member = web->members.items[0];
  bool upper = web->members.count == 1 && nb_is_operation(member, LLVMLShr) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(member, 1)) == web->bits;
  for (unsigned i = 0; i < web->sinks.count && upper; i++)
    upper = is_cut(web, web->sinks.items[i]);
  return upper;
}

static bool find_web(Web *web, LLVMValueRef start) {
  web->failed = web->floats = web->numbers = false;
  web->members = web->sinks = nb_list(web->arena);
  web->inside = nb_map_new(web->arena);
  web->halves = nb_map_new(web->arena);
  web->taking = nb_map_new(web->arena);
  web->replaced = nb_map_new(web->arena);
  enter(web, start);
  close_web(web);
  for (unsigned i = 0; i < web->members.count; i++)
    nb_map_set(web->tried, web->members.items[i], web->members.items[i]);
  return !web->failed && web->floats && web->sinks.count && (web->numbers || !web->mixed) &&
         !is_cut_already(web);
}

/* Rewrites the first web that can be; false where there is none left. */
static bool rewrite_next(NbContext *context, NbArena *arena, LLVMValueRef function, unsigned bits,
                         bool mixed) {
  Web web = {.context = context, .function = function, .arena = arena, .bits = bits};
  web.mixed = mixed;
  web.wide = LLVMIntTypeInContext(context->llvm, bits * NB_HALVES);
  web.narrow = LLVMIntTypeInContext(context->llvm, bits);
  web.tried = nb_map_new(arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef start = start_of(&web, at);
    if (!start || !is_made(&web, start) || nb_map_has(web.tried, start) || !find_web(&web, start))
      continue;
    rewrite(&web);
    return true;
  }
  return false;
}

enum { MOST_WEBS = 64 };

static const unsigned widths[] = {64, 32}; /* of halves: widest first, whose halves are cut again */

/* What nobody asks for goes; what is known of loops stays so. */
#define SIMPLIFY "bdce,instsimplify,lcssa"

bool nb_types_split_lanes(NbContext *context, LLVMValueRef function, bool mixed) {
  bool changed = nb_halves_spell(context->llvm, function);
  changed = nb_types_split_choices(context, function) || changed;
  changed = nb_types_widen_moves(context, function) || changed;
  NbArena *arena = nb_arena_new();
  unsigned count = 0;
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
    while (count < MOST_WEBS && rewrite_next(context, arena, function, widths[i], mixed))
      count++;
  nb_arena_free(arena);
  if (!count)
    return changed;
  nb_analyses_forget(context->analyses, function);
  LLVMDisposeMessage(nb_passes_run(context->analyses, context->module, function, SIMPLIFY));
  return true;
}
