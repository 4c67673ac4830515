// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers of 64 bits in which two things of 32 bits travel, one of them a float at least, become
 * two integers of 32 bits each. What they carry is then seen by itself.
 *
 * A web is a set of such integers joined by moves and by operations that only shift, mask and join
 * their halves, or add to the upper one. It is taken apart where all that goes in and out of it
 * does so in halves, or as a number that is in one of them, or through memory. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

enum { LANES = 2, LANE_BITS = 32, LANE_BYTES = 4, WIDE_BITS = 64 };

typedef struct Lanes {
  LLVMValueRef lane[LANES];
} Lanes;

typedef struct Web {
  NbContext *context;
  LLVMValueRef function;
  NbTypes *types; /* of the function; NULL until asked for */
  NbArena *arena;
  LLVMTypeRef wide, narrow;
  NbList members, sinks; /* sinks: stores, casts to vectors, numbers of one half */
  NbMap *inside, *lanes;
  NbMap *kept; /* members that stay */
  bool failed, floats;
} Web;

static bool is_opcode(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* By how many bits does the shift of that kind shift? 0 where it is none, or that is not known. */
static uint64_t bits_shifted(LLVMValueRef value, LLVMOpcode opcode) {
  LLVMValueRef count = is_opcode(value, opcode) ? LLVMGetOperand(value, 1) : NULL;
  return count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
}

static bool is_plain(LLVMValueRef access) {
  return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

/* A vector of two things of 32 bits. */
static bool is_pair(const Web *web, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) != LANES)
    return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  return element == web->narrow || LLVMGetTypeKind(element) == LLVMFloatTypeKind;
}

static bool is_number(LLVMValueRef value, uint64_t number) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

static bool is_float_cast(LLVMValueRef value) {
  return is_opcode(value, LLVMBitCast) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMFloatTypeKind;
}

/* Is it what the lower half holds, and nothing else? */
static bool widens_half(LLVMValueRef value) {
  if (!is_opcode(value, LLVMZExt))
    return false;
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(value, 0));
  return LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(from) <= LANE_BITS;
}

/* Halves that are joined again belong to the same web. */
static bool goes_on(LLVMValueRef shifted) {
  for (LLVMUseRef use = LLVMGetFirstUse(shifted); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(user) && !LLVMIsATruncInst(user) && !is_opcode(user, LLVMOr) &&
        !is_opcode(user, LLVMBitCast) && !LLVMIsAPHINode(user) && !LLVMIsASelectInst(user))
      return false;
  }
  return true;
}

/* Are bits of the upper half alone kept where they are, and used as a number? */
static bool keeps_upper(LLVMValueRef value) {
  LLVMValueRef mask = is_opcode(value, LLVMAnd) ? LLVMGetOperand(value, 1) : NULL;
  return mask && LLVMIsAConstantInt(mask) && !(LLVMConstIntGetZExtValue(mask) & UINT32_MAX) &&
         !goes_on(value);
}

/* Is it a number that depends on the upper half alone? */
static bool is_upper(LLVMValueRef value) {
  if (keeps_upper(value))
    return true;
  bool sign = is_opcode(value, LLVMAShr);
  uint64_t bits = bits_shifted(value, sign ? LLVMAShr : LLVMLShr);
  if (bits < LANE_BITS || bits >= WIDE_BITS)
    return false;
  return sign || bits > LANE_BITS || !goes_on(value);
}

/* Is it a comparison with a constant that the upper half alone decides? */
static bool compares_upper(LLVMValueRef value) {
  LLVMValueRef with = is_opcode(value, LLVMICmp) ? LLVMGetOperand(value, 1) : NULL;
  if (!with || !LLVMIsAConstantInt(with))
    return false;
  uint32_t lower = (uint32_t)LLVMConstIntGetZExtValue(with);
  switch (LLVMGetICmpPredicate(value)) {
  case LLVMIntULT:
  case LLVMIntUGE:
  case LLVMIntSLT:
  case LLVMIntSGE:
    return lower == 0;
  case LLVMIntUGT:
  case LLVMIntULE:
  case LLVMIntSGT:
  case LLVMIntSLE:
    return lower == UINT32_MAX;
  default:
    return false;
  }
}

/* Are of the value no more than the lowest bits used? */
static bool gives_bits(LLVMValueRef value, uint64_t bits) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef mask = is_opcode(user, LLVMAnd) ? LLVMGetOperand(user, 1) : NULL;
    bool masked = mask && LLVMIsAConstantInt(mask) && !(LLVMConstIntGetZExtValue(mask) >> bits);
    bool cut = LLVMIsATruncInst(user) && LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMIntegerTypeKind &&
               LLVMGetIntTypeWidth(LLVMTypeOf(user)) <= bits;
    if (!masked && !cut)
      return false;
  }
  return true;
}

/* Is it the lower half that is shifted down, as far as it is used? */
static bool is_lower_shifted(LLVMValueRef value) {
  uint64_t bits = bits_shifted(value, LLVMLShr);
  return bits && bits < LANE_BITS && gives_bits(value, LANE_BITS - bits);
}

/* Or on the lower half alone? */
static bool is_lower(const Web *web, LLVMValueRef value) {
  if (LLVMIsATruncInst(value))
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= LLVMGetIntTypeWidth(web->narrow);
  if (is_lower_shifted(value))
    return true;
  LLVMValueRef mask = is_opcode(value, LLVMAnd) ? LLVMGetOperand(value, 1) : NULL;
  if (!mask || !LLVMIsAConstantInt(mask))
    return false;
  uint64_t bits = LLVMConstIntGetZExtValue(mask);
  return bits < UINT32_MAX || (bits == UINT32_MAX && !goes_on(value));
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

/* Is nothing of a float in it? Then it is a member only as far as a half of it is. */
static bool is_only_number(Web *web, LLVMValueRef value) {
  return nb_types_made_of_numbers(types_of(web), value);
}

/* Does it shift into the upper half alone? */
static bool shifts_up(LLVMValueRef value) {
  uint64_t bits = bits_shifted(value, LLVMShl);
  return bits >= LANE_BITS && bits < WIDE_BITS;
}

/* Is the lower half zero, so that adding it leaves that of the other as it is? */
static bool has_upper_only(LLVMValueRef value) {
  if (LLVMIsAConstantInt(value))
    return (LLVMConstIntGetZExtValue(value) & UINT32_MAX) == 0;
  const uint64_t upper = ~(uint64_t)UINT32_MAX;
  return shifts_up(value) ||
         (is_opcode(value, LLVMAnd) && is_number(LLVMGetOperand(value, 1), upper));
}

/* Is nothing asked of it but its lower half, so that nothing is carried over? */
static bool gives_lower_only(const Web *web, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (!is_lower(web, LLVMGetUser(use)))
      return false;
  return true;
}

/* Is the value made of halves? The operands that are wide are then members too. */
static bool is_made(Web *web, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMLoad:
    return is_plain(value) && !nb_types_declared_number(types_of(web), value);
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMOr:
    return true;
  case LLVMZExt:
    return widens_half(value);
  case LLVMShl:
    return shifts_up(value);
  case LLVMLShr:
    return is_number(LLVMGetOperand(value, 1), LANE_BITS);
  case LLVMAdd:
    return has_upper_only(LLVMGetOperand(value, 1)) || has_upper_only(LLVMGetOperand(value, 0)) ||
           gives_lower_only(web, value);
  case LLVMSub:
    return has_upper_only(LLVMGetOperand(value, 1)) || gives_lower_only(web, value);
  case LLVMAnd:
  case LLVMXor:
    return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
  case LLVMBitCast:
    return is_pair(web, LLVMTypeOf(LLVMGetOperand(value, 0)));
  default:
    return false;
  }
}

static void enter(Web *web, LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) || LLVMIsUndef(value) || nb_map_has(web->inside, value))
    return;
  if (!is_made(web, value)) {
    web->failed = true;
    return;
  }
  nb_map_set(web->inside, value, value);
  nb_list_push(&web->members, value);
}

static bool holds_single(Web *web, LLVMValueRef pointer) {
  NbLayout layout = nb_types_layout(types_of(web), pointer, LANES * LANE_BYTES);
  for (unsigned i = 0; i < layout.count; i++) {
    const NbPiece *piece = &layout.pieces[i];
    if (piece->kind == NB_KIND_FLOAT && LLVMGetTypeKind(piece->type) == LLVMFloatTypeKind)
      return true;
  }
  return false;
}

static bool feeds_float(LLVMValueRef narrow) {
  for (LLVMUseRef use = LLVMGetFirstUse(narrow); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_opcode(user, LLVMBitCast) && LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMFloatTypeKind)
      return true;
  }
  return false;
}

/* What else is done with 32 bits that are widened is no matter: they stay for that. */
static void visit_use(Web *web, LLVMValueRef value, LLVMValueRef user) {
  bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value && is_plain(user);
  bool half = is_lower(web, user) || (is_upper(user) && LLVMGetOperand(user, 0) == value);
  bool pair = is_opcode(user, LLVMBitCast) && is_pair(web, LLVMTypeOf(user));
  if (store || half || pair || compares_upper(user)) {
    web->floats |= pair || (half && feeds_float(user));
    web->floats |= store && holds_single(web, LLVMGetOperand(user, 1));
    nb_list_push(&web->sinks, user);
  } else if (is_opcode(value, LLVMZExt) && !(LLVMTypeOf(user) == web->wide && is_made(web, user))) {
    nb_map_set(web->kept, value, value);
  } else if (LLVMTypeOf(user) == web->wide) {
    enter(web, user);
  } else {
    web->failed = true;
  }
}

static void visit_operands(Web *web, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMZExt)
    web->floats |= is_float_cast(LLVMGetOperand(value, 0));
  else if (opcode == LLVMBitCast)
    web->floats = true;
  else if (opcode == LLVMLoad)
    web->floats |= holds_single(web, LLVMGetOperand(value, 0));
  LLVMValueRef first = LLVMGetOperand(value, 0);
  bool number = opcode == LLVMShl && (!is_made(web, first) || is_only_number(web, first));
  if (opcode == LLVMZExt || opcode == LLVMBitCast || opcode == LLVMLoad || number)
    return;
  for (int i = opcode == LLVMSelect ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    enter(web, LLVMGetOperand(value, (unsigned)i));
}

static void close_web(Web *web) {
  for (unsigned i = 0; i < web->members.count && !web->failed; i++) {
    LLVMValueRef value = web->members.items[i];
    visit_operands(web, value);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      visit_use(web, value, LLVMGetUser(use));
  }
}

/* --- Rewriting. --------------------------------------------------------------------------------
 */

static Lanes lanes_of(Web *web, LLVMValueRef value);

static Lanes lanes_of_constant(const Web *web, LLVMValueRef value) {
  if (LLVMIsUndef(value))
    return (Lanes){{LLVMGetUndef(web->narrow), LLVMGetUndef(web->narrow)}};
  uint64_t bits = LLVMConstIntGetZExtValue(value);
  LLVMValueRef low = LLVMConstInt(web->narrow, bits & UINT32_MAX, false);
  LLVMValueRef high = LLVMConstInt(web->narrow, bits >> LANE_BITS, false);
  return (Lanes){{low, high}};
}

/* What a half is that is the same constant whatever is chosen: the upper one of integers that were
 * zero extended, say. */
typedef struct Constant {
  NbMap *seen; /* choices */
  LLVMValueRef half;
  bool differs;
} Constant;

static void add_half(const Web *web, Constant *constant, LLVMValueRef value, unsigned lane) {
  bool choice = LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
  bool zero = (widens_half(value) && lane) || (is_opcode(value, LLVMShl) && !lane);
  LLVMValueRef half = zero ? LLVMConstNull(web->narrow) : NULL;
  if (LLVMIsAConstantInt(value))
    half = lanes_of_constant(web, value).lane[lane];
  constant->differs |= (!choice && !half) || (half && constant->half && half != constant->half);
  if (half)
    constant->half = half;
  if (!choice || nb_map_has(constant->seen, value))
    return;
  nb_map_set(constant->seen, value, value);
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    if (!constant->differs)
      add_half(web, constant, LLVMGetOperand(value, (unsigned)i), lane);
}

/* NULL for others. */
static LLVMValueRef constant_half(const Web *web, LLVMValueRef choice, unsigned lane) {
  Constant constant = {.seen = nb_map_new(web->arena)};
  add_half(web, &constant, choice, lane);
  return constant.differs ? NULL : constant.half;
}

static LLVMValueRef lane_address(const Web *web, LLVMBuilderRef builder, LLVMValueRef pointer,
                                 unsigned lane) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(web->context->llvm);
  LLVMValueRef offset = LLVMConstInt(web->wide, (uint64_t)lane * LANE_BYTES, false);
  return lane ? LLVMBuildInBoundsGEP2(builder, byte, pointer, &offset, 1, "") : pointer;
}

static unsigned lane_alignment(LLVMValueRef access) {
  unsigned align = LLVMGetAlignment(access);
  return align < LANE_BYTES ? align : LANE_BYTES;
}

static LLVMValueRef joined(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
  if (LLVMIsNull(a))
    return b;
  return LLVMIsNull(b) ? a : LLVMBuildOr(builder, a, b, "");
}

/* Where bits within a half are cleared, that half is a number. */
static LLVMValueRef masked(LLVMBuilderRef builder, LLVMValueRef lane, LLVMValueRef mask) {
  if (LLVMIsNull(mask))
    return mask;
  return LLVMConstIntGetSExtValue(mask) == -1 ? lane : LLVMBuildAnd(builder, lane, mask, "");
}

static LLVMValueRef changed(LLVMBuilderRef builder, LLVMValueRef lane, LLVMValueRef bits) {
  return LLVMIsNull(bits) ? lane : LLVMBuildXor(builder, lane, bits, "");
}

/* Of a member, or of a number that is shifted into the upper half of one. */
static LLVMValueRef lower_half(Web *web, LLVMBuilderRef builder, LLVMValueRef value) {
  bool member = LLVMIsAConstant(value) || nb_map_has(web->inside, value);
  return member ? lanes_of(web, value).lane[0] : LLVMBuildTrunc(builder, value, web->narrow, "");
}

static LLVMValueRef shifted_half(Web *web, LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMValueRef half = lower_half(web, builder, LLVMGetOperand(value, 0));
  uint64_t bits = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) - LANE_BITS;
  return bits ? LLVMBuildShl(builder, half, LLVMConstInt(web->narrow, bits, false), "") : half;
}

static LLVMValueRef moved_lane(Web *web, LLVMBuilderRef builder, LLVMValueRef value,
                               unsigned lane) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef first = LLVMGetOperand(value, 0);
  LLVMValueRef zero = LLVMConstNull(web->narrow);
  switch (opcode) {
  case LLVMZExt:
    return lane ? zero : LLVMBuildZExt(builder, first, web->narrow, "");
  case LLVMShl:
    return lane ? shifted_half(web, builder, value) : zero;
  case LLVMLShr:
    return lane ? zero : lanes_of(web, first).lane[1];
  case LLVMAnd:
    return masked(builder, lanes_of(web, first).lane[lane],
                  lanes_of_constant(web, LLVMGetOperand(value, 1)).lane[lane]);
  case LLVMXor:
    return changed(builder, lanes_of(web, first).lane[lane],
                   lanes_of_constant(web, LLVMGetOperand(value, 1)).lane[lane]);
  case LLVMFreeze:
    return LLVMBuildFreeze(builder, lanes_of(web, first).lane[lane], "");
  case LLVMSelect: {
    LLVMValueRef yes = lanes_of(web, LLVMGetOperand(value, 1)).lane[lane];
    LLVMValueRef no = lanes_of(web, LLVMGetOperand(value, 2)).lane[lane];
    return LLVMBuildSelect(builder, first, yes, no, "");
  }
  default: {
    LLVMValueRef a = lanes_of(web, first).lane[lane];
    LLVMValueRef b = lanes_of(web, LLVMGetOperand(value, 1)).lane[lane];
    if (opcode != LLVMOr && gives_lower_only(web, value))
      return lane ? zero : LLVMBuildBinOp(builder, opcode, a, b, "");
    bool adds = lane && opcode != LLVMOr;
    return adds ? LLVMBuildBinOp(builder, opcode, a, b, "") : joined(builder, a, b);
  }
  }
}

static LLVMValueRef read_lane(const Web *web, LLVMBuilderRef builder, LLVMValueRef value,
                              unsigned lane) {
  LLVMValueRef first = LLVMGetOperand(value, 0);
  if (is_opcode(value, LLVMLoad)) {
    LLVMValueRef address = lane_address(web, builder, first, lane);
    LLVMValueRef load = LLVMBuildLoad2(builder, web->narrow, address, "lane");
    LLVMSetAlignment(load, lane_alignment(value));
    return load;
  }
  LLVMValueRef index = LLVMConstInt(web->wide, lane, false);
  LLVMValueRef element = LLVMBuildExtractElement(builder, first, index, "");
  return LLVMBuildBitCast(builder, element, web->narrow, "");
}

static Lanes lanes_of(Web *web, LLVMValueRef value) {
  const Lanes *known = nb_map_get(web->lanes, value);
  if (known)
    return *known;
  if (LLVMIsAConstantInt(value) || LLVMIsUndef(value))
    return lanes_of_constant(web, value);
  Lanes *lanes = NB_NEW(web->arena, Lanes);
  bool read = is_opcode(value, LLVMLoad) || is_opcode(value, LLVMBitCast);
  for (unsigned i = 0; i < LANES; i++) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(web->context->llvm);
    LLVMPositionBuilderBefore(builder, value);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(value));
    bool choice = LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
    LLVMValueRef constant = choice ? constant_half(web, value, i) : NULL;
    if (constant)
      lanes->lane[i] = constant;
    else if (LLVMIsAPHINode(value))
      lanes->lane[i] = LLVMBuildPhi(builder, web->narrow, "lane");
    else
      lanes->lane[i] =
          read ? read_lane(web, builder, value, i) : moved_lane(web, builder, value, i);
    LLVMDisposeBuilder(builder);
  }
  nb_map_set(web->lanes, value, lanes);
  return *lanes;
}

static void link_phi(Web *web, LLVMValueRef phi) {
  Lanes lanes = lanes_of(web, phi);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    Lanes incoming = lanes_of(web, LLVMGetIncomingValue(phi, i));
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    for (unsigned k = 0; k < LANES; k++)
      if (LLVMIsAPHINode(lanes.lane[k]))
        LLVMAddIncoming(lanes.lane[k], &incoming.lane[k], &block, 1);
  }
}

static LLVMValueRef upper_number(const Web *web, LLVMBuilderRef builder, LLVMValueRef sink,
                                 LLVMValueRef lane) {
  if (is_opcode(sink, LLVMAnd)) {
    LLVMValueRef mask = lanes_of_constant(web, LLVMGetOperand(sink, 1)).lane[1];
    LLVMValueRef kept = LLVMBuildAnd(builder, lane, mask, "");
    LLVMValueRef wide = LLVMBuildZExt(builder, kept, web->wide, "");
    return LLVMBuildShl(builder, wide, LLVMConstInt(web->wide, LANE_BITS, false), "");
  }
  uint64_t bits = LLVMConstIntGetZExtValue(LLVMGetOperand(sink, 1)) - LANE_BITS;
  LLVMValueRef count = LLVMConstInt(web->narrow, bits, false);
  if (is_opcode(sink, LLVMAShr)) {
    LLVMValueRef number = bits ? LLVMBuildAShr(builder, lane, count, "") : lane;
    return LLVMBuildSExt(builder, number, web->wide, "");
  }
  LLVMValueRef number = bits ? LLVMBuildLShr(builder, lane, count, "") : lane;
  return LLVMBuildZExt(builder, number, web->wide, "");
}

static LLVMValueRef lower_number(const Web *web, LLVMBuilderRef builder, LLVMValueRef sink,
                                 LLVMValueRef lane) {
  if (LLVMIsATruncInst(sink))
    return LLVMTypeOf(sink) == web->narrow ? lane
                                           : LLVMBuildTrunc(builder, lane, LLVMTypeOf(sink), "");
  uint64_t bits = LLVMConstIntGetZExtValue(LLVMGetOperand(sink, 1));
  LLVMValueRef second = LLVMConstInt(web->narrow, bits, false);
  LLVMValueRef number = is_opcode(sink, LLVMLShr) ? LLVMBuildLShr(builder, lane, second, "")
                                                  : LLVMBuildAnd(builder, lane, second, "");
  return LLVMBuildZExt(builder, number, web->wide, "");
}

static void replace_sink(Web *web, LLVMBuilderRef builder, LLVMValueRef sink) {
  Lanes lanes = lanes_of(web, LLVMGetOperand(sink, 0));
  LLVMPositionBuilderBefore(builder, sink);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(sink));
  if (compares_upper(sink)) {
    LLVMValueRef with = lanes_of_constant(web, LLVMGetOperand(sink, 1)).lane[1];
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(sink);
    LLVMReplaceAllUsesWith(sink, LLVMBuildICmp(builder, predicate, lanes.lane[1], with, ""));
  } else if (is_lower(web, sink)) {
    LLVMReplaceAllUsesWith(sink, lower_number(web, builder, sink, lanes.lane[0]));
  } else if (is_upper(sink)) {
    LLVMReplaceAllUsesWith(sink, upper_number(web, builder, sink, lanes.lane[1]));
  } else if (is_opcode(sink, LLVMBitCast)) {
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(sink));
    LLVMValueRef pair = LLVMGetPoison(LLVMTypeOf(sink));
    for (unsigned i = 0; i < LANES; i++) {
      LLVMValueRef part = LLVMBuildBitCast(builder, lanes.lane[i], element, "");
      LLVMValueRef index = LLVMConstInt(web->wide, i, false);
      pair = LLVMBuildInsertElement(builder, pair, part, index, "");
    }
    LLVMReplaceAllUsesWith(sink, pair);
  } else {
    for (unsigned i = 0; i < LANES; i++) {
      LLVMValueRef address = lane_address(web, builder, LLVMGetOperand(sink, 1), i);
      LLVMValueRef store = LLVMBuildStore(builder, lanes.lane[i], address);
      LLVMSetAlignment(store, lane_alignment(sink));
    }
  }
  LLVMInstructionEraseFromParent(sink);
}

static void rewrite(Web *web) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(web->context->llvm);
  for (unsigned i = 0; i < web->members.count; i++) {
    if (LLVMIsAPHINode(web->members.items[i]))
      lanes_of(web, web->members.items[i]);
  }
  for (unsigned i = 0; i < web->members.count; i++) {
    if (LLVMIsAPHINode(web->members.items[i]))
      link_phi(web, web->members.items[i]);
  }
  for (unsigned i = 0; i < web->sinks.count; i++)
    if (!nb_map_has(web->inside, web->sinks.items[i]))
      replace_sink(web, builder, web->sinks.items[i]);
  for (unsigned i = 0; i < web->members.count; i++)
    if (!nb_map_has(web->kept, web->members.items[i]))
      LLVMReplaceAllUsesWith(web->members.items[i], LLVMGetPoison(web->wide));
  for (unsigned i = 0; i < web->members.count; i++)
    if (!nb_map_has(web->kept, web->members.items[i]))
      LLVMInstructionEraseFromParent(web->members.items[i]);
  LLVMDisposeBuilder(builder);
}

static bool starts(Web *web, LLVMValueRef at) {
  return LLVMTypeOf(at) == web->wide && is_made(web, at) &&
         (LLVMIsALoadInst(at) || is_opcode(at, LLVMZExt) || is_opcode(at, LLVMBitCast));
}

/* Rewrites the first web that can be; false where there is none left. */
static bool rewrite_next(NbContext *context, NbArena *arena, LLVMValueRef function) {
  Web web = {.context = context, .function = function, .arena = arena};
  web.wide = LLVMIntTypeInContext(context->llvm, WIDE_BITS);
  web.narrow = LLVMIntTypeInContext(context->llvm, LANE_BITS);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!starts(&web, at))
      continue;
    web.failed = web.floats = false;
    web.members = web.sinks = nb_list(arena);
    web.inside = nb_map_new(arena);
    web.lanes = nb_map_new(arena);
    web.kept = nb_map_new(arena);
    enter(&web, at);
    close_web(&web);
    if (web.failed || !web.floats || !web.sinks.count)
      continue;
    rewrite(&web);
    return true;
  }
  return false;
}

enum { MOST_WEBS = 64 };

bool nb_types_split_lanes(NbContext *context, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  unsigned count = 0;
  while (count < MOST_WEBS && rewrite_next(context, arena, function))
    count++;
  nb_arena_free(arena);
  return count > 0;
}
