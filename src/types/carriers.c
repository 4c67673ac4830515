// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that carry floats become floats, and those that carry pointers pointers.
 *
 * A web is a set of integer values joined by phis, selects, freezes and shuffles. It is a carrier
 * where it comes from loads, constants and casts of floats only, and goes to stores or casts to
 * floats, with the sign bit changed perhaps, the exponent, or the last bytes; and so with pointers,
 * which may be moved by numbers. Floats are joined with integers, too, that are no bits: by a store
 * to a union, after a branch. The type is that of the casts, else that of the memory accessed.
 * Other uses of the integers (the exponent is compared, say) get them by a cast from the float. */
#include "base/names.h"
#include "types/facts.h"
#include "types/query.h"

#include <llvm-c/DebugInfo.h>

enum { DEPTH = 6 };

typedef struct Web {
  NbContext *context;
  NbTypes *types;
  NbArena *arena;
  NbList members; /* loads, phis, selects, freezes, shuffles, casts, moves, of one integer type */
  NbMap *inside;
  NbMap *numbers;       /* integers that are joined with floats */
  NbList stores, casts; /* casts to floats or pointers */
  NbMap *fresh;         /* what each member becomes */
  LLVMTypeRef integer, type;
  bool moves;    /* has members that move an address: only pointers do */
  bool signs;    /* has members that change a sign or an exponent: only floats have these */
  bool lanes;    /* has members that treat each lane by itself */
  bool recast;   /* becomes other vectors of integers that may be such bits, too */
  bool computed; /* is joined with what is computed, of bits perhaps */
  bool either;   /* may be integers or floats, and is only moved */
  bool last;     /* no call is inlined any more */
  bool failed;
} Web;

/* Does it only put the elements of vectors of one type in another order? */
static bool is_shuffle(LLVMValueRef value) {
  return LLVMIsAShuffleVectorInst(value) &&
         LLVMTypeOf(LLVMGetOperand(value, 0)) == LLVMTypeOf(value);
}

static bool joins(LLVMValueRef value) { return nb_value_joins(value) || is_shuffle(value); }

static bool is_float_type(LLVMTypeRef type) {
  return nb_is_float_kind(LLVMGetTypeKind(nb_scalar_type(type)));
}

static bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

static bool is_cast_to_bits(LLVMValueRef value) {
  return LLVMIsABitCastInst(value) || LLVMIsAPtrToIntInst(value);
}

static bool is_cast_from_bits(LLVMValueRef value) {
  bool number = LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(value))) == LLVMIntegerTypeKind;
  return (LLVMIsABitCastInst(value) && !number) || LLVMIsAIntToPtrInst(value);
}

/* Or its exponent, or its end. */
static bool changes_sign(LLVMValueRef value) {
  return nb_bits_change_source(value) && !nb_address_becomes_pointer(value, DEPTH);
}

static bool moves_address(LLVMValueRef value) {
  return nb_address_base(value) && !changes_sign(value);
}

/* Pointers that are only moved may carry floats, but not the other way round. */
static void settle(Web *web, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(web->integer);
  bool word = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(web->integer) == 64;
  bool pointer = is_pointer(type) && (word || kind == LLVMDoubleTypeKind);
  web->failed |= (!is_float_type(type) && !pointer) || (web->type && web->type != type);
  web->type = type;
}

static void enter(Web *web, LLVMValueRef value) {
  bool null = LLVMIsNull(value) && is_pointer(LLVMTypeOf(value));
  if (LLVMIsAConstantInt(value) || LLVMIsUndef(value) || null || nb_map_has(web->inside, value))
    return;
  bool load = LLVMIsALoadInst(value) && nb_access_is_plain(value) &&
              !nb_types_declared_number(web->types, value);
  bool cast = is_cast_to_bits(value);
  bool moves = moves_address(value), signs = changes_sign(value);
  if (!load && !cast && !moves && !signs && !joins(value)) {
    web->failed = true;
    return;
  }
  web->moves |= moves;
  web->signs |= signs;
  web->lanes |= signs || is_shuffle(value) ||
                (LLVMIsASelectInst(value) && is_vector(LLVMTypeOf(LLVMGetOperand(value, 0))));
  if (cast)
    settle(web, LLVMTypeOf(LLVMGetOperand(value, 0)));
  nb_map_set(web->inside, value, value);
  nb_list_push(&web->members, value);
}

/* Is the integer computed from others, none of which may be the bits of a float? */
static bool is_number(const Web *web, LLVMValueRef value) {
  bool given = LLVMIsAArgument(value) != NULL;
  bool computed = (given || (LLVMIsAInstruction(value) && !LLVMIsATerminatorInst(value))) &&
                  LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  if (LLVMIsALoadInst(value))
    return computed && nb_access_is_plain(value) &&
           (nb_types_declared_number(web->types, value) ||
            (web->last && nb_facts_of_access(value) == NB_KIND_INTEGER));
  return computed && nb_types_made_of_numbers(web->types, value);
}

/* Is it computed with, so that no float that anybody knows comes of the bits in it? What comes of
 * the members of a web may be joined with them again. */
static bool is_computed(LLVMValueRef value) {
  bool scalar = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  bool widened = LLVMIsAZExtInst(value) || LLVMIsASExtInst(value);
  return scalar && (LLVMIsABinaryOperator(value) || widened) && !changes_sign(value) &&
         !nb_address_becomes_pointer(value, DEPTH);
}

static void enter_operand(Web *web, LLVMValueRef value) {
  bool number = is_number(web, value), computed = !number && is_computed(value);
  web->computed |= computed;
  if (number || computed)
    nb_map_set(web->numbers, value, value);
  else
    enter(web, value);
}

/* What is made of numbers alone carries no float, wherever it goes. */
static bool has_number_inside(const Web *web) {
  for (unsigned i = 0; i < nb_map_count(web->numbers); i++)
    if (nb_map_has(web->inside, nb_map_key(web->numbers, i)))
      return true;
  return false;
}

static bool is_bitwise(LLVMValueRef user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  return opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
}

/* What keeps all bits but the last, which are then others. */
static void visit_kept(Web *web, LLVMValueRef value, LLVMValueRef kept) {
  for (LLVMUseRef use = LLVMGetFirstUse(kept); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (nb_is_operation(user, LLVMOr) && nb_bits_change_source(user) == value)
      enter(web, user);
  }
}

static void visit_use(Web *web, LLVMValueRef value, LLVMValueRef user) {
  if (nb_is_operation(user, LLVMAnd))
    visit_kept(web, value, user);
  if (LLVMIsAStoreInst(user)) {
    web->failed |= LLVMGetOperand(user, 0) != value || !nb_access_is_plain(user);
    nb_list_push(&web->stores, user);
  } else if (is_cast_from_bits(user)) {
    settle(web, LLVMTypeOf(user));
    nb_list_push(&web->casts, user);
  } else if (joins(user) && !(LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) == value)) {
    enter(web, user);
  } else if (nb_address_base(user) == value && nb_address_becomes_pointer(user, DEPTH)) {
    enter(web, user);
  } else if (changes_sign(user) && nb_bits_change_source(user) == value) {
    enter(web, user);
  } else {
    web->recast |= is_vector(web->integer) && (LLVMIsABitCastInst(user) || is_bitwise(user));
    web->failed |= is_pointer(web->integer);
  }
}

/* Enters all that is joined with the members so far. */
static void close_web(Web *web) {
  for (unsigned i = 0; i < web->members.count && !web->failed; i++) {
    LLVMValueRef value = web->members.items[i];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      visit_use(web, value, LLVMGetUser(use));
    if (moves_address(value))
      enter(web, nb_address_base(value));
    if (changes_sign(value))
      enter(web, nb_bits_change_source(value));
    if (!joins(value))
      continue;
    int first = LLVMIsASelectInst(value) ? 1 : 0;
    for (int k = first; k < LLVMGetNumOperands(value); k++)
      enter_operand(web, LLVMGetOperand(value, (unsigned)k));
  }
}

/* The float type that fills memory of the integer's size at `pointer`, NULL where it is not one. */
static LLVMTypeRef type_at(Web *web, LLVMValueRef pointer) {
  uint64_t size = nb_store_size(web->context, web->integer);
  NbLayout layout = nb_types_layout(web->types, pointer, size);
  const NbPiece *piece = !layout.unknown && layout.count == 1 ? &layout.pieces[0] : NULL;
  bool holds = piece && !piece->offset && piece->kind == NB_KIND_POINTER && piece->size == 8;
  holds |= LLVMGetTypeKind(web->integer) == LLVMDoubleTypeKind;
  if (holds && size == 8 && !is_vector(web->integer))
    return LLVMPointerTypeInContext(web->context->llvm, 0);
  if (layout.unknown || !layout.count || layout.pieces[0].kind != NB_KIND_FLOAT)
    return NULL;
  LLVMTypeRef type = layout.pieces[0].type;
  uint64_t width = LLVMABISizeOfType(web->context->layout, type);
  uint64_t covered = layout.pieces[0].period == width ? size : 0;
  for (unsigned i = 0; i < layout.count && !covered; i++) {
    const NbPiece *piece = &layout.pieces[i];
    if (piece->type != type || piece->offset != i * width || piece->size != width)
      return NULL;
  }
  if ((covered ? covered : layout.count * width) != size)
    return NULL;
  return size == width ? type : LLVMVectorType(type, (unsigned)(size / width));
}

/* Do the four bytes at `pointer` lie beside a number of at most four bytes, the two of them at a
 * multiple of eight? What is only moved there is a float, or an integer, or the padding of a
 * struct: never a half of something wider. */
static bool is_beside_short_number(Web *web, LLVMValueRef pointer) {
  NbOffsets place = nb_places_of(web->types->places, pointer);
  int64_t within = (place.base % 8 + 8) % 8;
  NbOffsets beside = nb_place_shift(place, within ? -4 : 4);
  if (within % 4 || place.inner % 8 || place.period % 8)
    return false;
  return nb_facts_has_short_number(web->types, pointer, &beside, within != 0);
}

static bool is_word(const Web *web) {
  return LLVMGetTypeKind(web->integer) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(web->integer) == 32;
}

static bool is_only_moved(const Web *web) {
  bool moved = web->stores.count && (web->last || !nb_map_count(web->numbers));
  for (unsigned i = 0; i < web->members.count && moved; i++) {
    LLVMValueRef member = web->members.items[i];
    moved = LLVMIsALoadInst(member) || joins(member);
    LLVMUseRef use = LLVMGetFirstUse(member);
    for (; use && moved; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      moved = LLVMIsAStoreInst(user) || nb_map_has(web->inside, user);
    }
  }
  return moved;
}

/* Does a function with a body get the local variable? It may make a number of what lies there,
 * which is seen where it is inlined. */
static bool is_handed_over(LLVMValueRef pointer) {
  LLVMValueRef object = nb_object_of(pointer);
  for (LLVMUseRef use = LLVMGetFirstUse(object); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMIsACallInst(LLVMGetUser(use));
    LLVMValueRef callee = call ? nb_callee(call) : NULL;
    if (LLVMIsAAllocaInst(object) && callee && !LLVMIsDeclaration(callee))
      return true;
  }
  return false;
}

/* May what lies there be an integer, a float or padding, for all that is known here? */
static bool may_be_either(Web *web, LLVMValueRef pointer) {
  return (web->last || !is_handed_over(pointer)) && is_beside_short_number(web, pointer);
}

/* That is moved as a float, which is right for all of them: nobody looks at the shadow of the
 * others. It does not tell that floats lie there. */
static void settle_moved(Web *web) {
  for (unsigned i = 0; i < web->members.count; i++) {
    LLVMValueRef member = web->members.items[i];
    LLVMValueRef from = LLVMIsALoadInst(member) ? LLVMGetOperand(member, 0) : NULL;
    if (from && (!nb_facts_are_untold(web->types, from, 0) || !may_be_either(web, from)))
      return;
  }
  for (unsigned i = 0; i < web->stores.count; i++) {
    if (!may_be_either(web, LLVMGetOperand(web->stores.items[i], 1)))
      return;
  }
  settle(web, LLVMFloatTypeInContext(web->context->llvm));
  web->either = true;
}

/* Are eight bytes moved there, of which one half is declared to be an integer? They are no two
 * floats, though moving them as such would do no harm there: see lanes.c. */
static bool has_integer_half(Web *web, LLVMValueRef pointer) {
  LLVMTypeRef half = LLVMInt32TypeInContext(web->context->llvm);
  bool whole = LLVMGetTypeKind(web->integer) == LLVMIntegerTypeKind &&
               LLVMGetIntTypeWidth(web->integer) == 64;
  return whole && (nb_types_declared_integer_at(web->types, pointer, 0, half) ||
                   nb_types_declared_integer_at(web->types, pointer, 4, half));
}

/* Is one half of the eight bytes there a float, and the other one only moved? That may be anything:
 * see lanes.c. */
static bool has_untold_half(Web *web, LLVMValueRef pointer) {
  NbTypes *types = web->types;
  return LLVMGetTypeKind(web->integer) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(web->integer) == 64 &&
         nb_facts_are_untold(types, pointer, 0) != nb_facts_are_untold(types, pointer, 4);
}

/* Do pointers lie there at one time, and something else at another? */
static bool is_mixed(Web *web, LLVMValueRef pointer) {
  NbLayout layout = nb_types_layout(web->types, pointer, nb_store_size(web->context, web->integer));
  return !layout.unknown && layout.count && layout.pieces[0].kind == NB_KIND_CONFLICT;
}

/* A pointer that is moved to or from such memory stays one. */
static void settle_at(Web *web, LLVMValueRef pointer) {
  LLVMTypeRef type = type_at(web, pointer);
  web->failed |= !type && is_pointer(web->integer) && is_mixed(web, pointer);
  if (!type || (is_vector(type) && has_untold_half(web, pointer)))
    return;
  settle(web, type);
  web->failed |= !is_pointer(type) && has_integer_half(web, pointer);
}

/* What is only moved is no float because nothing tells what it is. */
static void settle_if_told(Web *web, LLVMValueRef pointer, bool moved) {
  if (!moved || nb_facts_tell_float(web->types, pointer))
    settle_at(web, pointer);
}

/* A pointer by name that is loaded as one goes on as one, also where numbers lie at other times. */
static void settle_store(Web *web, LLVMValueRef store, bool moved) {
  bool goes_on = web->type && is_pointer(web->type) && nb_access_names_pointer(store);
  if (!goes_on)
    settle_if_told(web, LLVMGetOperand(store, 1), moved);
}

/* Is the integer only moved, and says each access by name that a pointer lies there, also where
 * something else does at other times? The optimiser copies pointers as integers of their size. */
static bool names_pointers(const Web *web) {
  bool all = LLVMGetTypeKind(web->integer) == LLVMIntegerTypeKind &&
             LLVMGetIntTypeWidth(web->integer) == 64 && is_only_moved(web);
  for (unsigned i = 0; i < web->members.count; i++) {
    LLVMValueRef value = web->members.items[i];
    all = all && (!LLVMIsALoadInst(value) || nb_access_names_pointer(value));
  }
  for (unsigned i = 0; i < web->stores.count; i++)
    all = all && nb_access_names_pointer(web->stores.items[i]);
  return all;
}

/* The layouts of memory decide where no cast does, and must agree. */
static void settle_by_memory(Web *web) {
  bool moved = is_word(web) && is_only_moved(web);
  if (names_pointers(web)) {
    settle(web, LLVMPointerTypeInContext(web->context->llvm, 0));
    return;
  }
  for (unsigned i = 0; i < web->members.count; i++) {
    LLVMValueRef value = web->members.items[i];
    if (LLVMIsALoadInst(value))
      settle_if_told(web, LLVMGetOperand(value, 0), moved);
  }
  for (unsigned i = 0; i < web->stores.count; i++)
    settle_store(web, web->stores.items[i], moved);
  if (!web->type && !web->failed && moved)
    settle_moved(web);
}

/* Is a lane cut out of a member of the web? */
static bool has_lane(const Web *web) {
  for (unsigned i = 0; i < web->members.count; i++) {
    LLVMUseRef use = LLVMGetFirstUse(web->members.items[i]);
    for (; use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      LLVMUseRef next = LLVMGetFirstUse(user);
      bool shifts = LLVMIsABinaryOperator(user) && next && LLVMIsATruncInst(LLVMGetUser(next));
      if (nb_cut_feeds_float(shifts ? LLVMGetUser(next) : user))
        return true;
    }
  }
  return false;
}

/* Has the type as many lanes as the integers have? */
static bool has_same_lanes(const Web *web) {
  if (!is_vector(web->type) || !is_vector(web->integer))
    return is_vector(web->type) == is_vector(web->integer);
  return LLVMGetVectorSize(web->type) == LLVMGetVectorSize(web->integer);
}

static bool starts_web(Web *web, LLVMValueRef start) {
  web->integer = LLVMTypeOf(start);
  enter(web, start);
  close_web(web);
  if (web->failed || has_number_inside(web))
    return false;
  if (!web->type)
    settle_by_memory(web);
  bool load = web->members.count > 1 || LLVMIsALoadInst(start);
  bool mixed = web->members.count > 1 && nb_map_count(web->numbers);
  bool used =
      web->stores.count || web->casts.count || mixed || (load && (web->recast || has_lane(web)));
  bool fits = web->type && web->type != web->integer && (!web->moves || is_pointer(web->type)) &&
              ((!web->signs && !nb_map_count(web->numbers)) || !is_pointer(web->type)) &&
              (!web->lanes || has_same_lanes(web)) &&
              (!web->computed || (web->casts.count && is_float_type(web->type)));
  return !web->failed && fits && used;
}

/* --- Rewriting. ------------------------------------------------------------------------------- */

/* That the memory holds an integer is no longer said. */
static void copy_metadata(const Web *web, LLVMValueRef to, LLVMValueRef from) {
  LLVMSetAlignment(to, LLVMGetAlignment(from));
  if (web->either)
    nb_access_note(to, NB_EITHER_MOVED);
  const char *name = nb_tbaa_name(from);
  bool number = LLVMGetTypeKind(web->type) == LLVMIntegerTypeKind;
  if (number || (name && !nb_named_float(name) && !nb_tbaa_is_pointer(name)))
    return;
  unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(from)), "tbaa", 4);
  LLVMValueRef tag = LLVMGetMetadata(from, kind);
  if (tag)
    LLVMSetMetadata(to, kind, tag);
}

/* The value that `old`, a member or a constant, becomes; made where it is not yet. */
static LLVMValueRef fresh_value(Web *web, LLVMValueRef old);

static void build_before(LLVMBuilderRef builder, LLVMValueRef old) {
  LLVMPositionBuilderBefore(builder, old);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(old));
}

/* The pointer that is moved as its address is by `old`. */
static LLVMValueRef make_move(Web *web, LLVMBuilderRef builder, LLVMValueRef old) {
  LLVMValueRef base = nb_address_base(old);
  LLVMValueRef pointer = fresh_value(web, base);
  LLVMValueRef by = LLVMGetOperand(old, LLVMGetOperand(old, 0) == base ? 1 : 0);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(old);
  build_before(builder, old);
  if (opcode == LLVMSub) {
    by = LLVMBuildNeg(builder, by, "");
  } else if (opcode != LLVMAdd) {
    LLVMValueRef bits = LLVMBuildPtrToInt(builder, pointer, web->integer, "bits");
    LLVMValueRef masked = LLVMBuildBinOp(builder, opcode, bits, by, "");
    by = LLVMBuildSub(builder, masked, bits, "");
  }
  LLVMTypeRef byte = LLVMInt8TypeInContext(web->context->llvm);
  return LLVMBuildGEP2(builder, byte, pointer, &by, 1, nb_name(old));
}

static LLVMValueRef make_shuffle(Web *web, LLVMBuilderRef builder, LLVMValueRef old) {
  LLVMTypeRef number = LLVMInt32TypeInContext(web->context->llvm);
  unsigned count = LLVMGetNumMaskElements(old);
  LLVMValueRef *mask = NB_NEW_ARRAY(web->arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; i++) {
    int lane = LLVMGetMaskValue(old, i);
    mask[i] = lane < 0 ? LLVMGetPoison(number) : LLVMConstInt(number, (unsigned)lane, false);
  }
  LLVMValueRef first = fresh_value(web, LLVMGetOperand(old, 0));
  LLVMValueRef second = fresh_value(web, LLVMGetOperand(old, 1));
  build_before(builder, old);
  return LLVMBuildShuffleVector(builder, first, second, LLVMConstVector(mask, count), nb_name(old));
}

static LLVMValueRef make_sign_change(Web *web, LLVMBuilderRef builder, LLVMValueRef old) {
  LLVMValueRef value = fresh_value(web, nb_bits_change_source(old));
  build_before(builder, old);
  return nb_bits_change_build(web->context, builder, old, value);
}

static LLVMValueRef make_value(Web *web, LLVMBuilderRef builder, LLVMValueRef old) {
  if (is_cast_to_bits(old))
    return LLVMGetOperand(old, 0);
  if (changes_sign(old))
    return make_sign_change(web, builder, old);
  if (nb_address_base(old))
    return make_move(web, builder, old);
  if (is_shuffle(old))
    return make_shuffle(web, builder, old);
  LLVMValueRef condition = LLVMGetOperand(old, 0);
  LLVMValueRef first = NULL;
  LLVMValueRef second = NULL;
  if (LLVMIsASelectInst(old)) {
    first = fresh_value(web, LLVMGetOperand(old, 1));
    second = fresh_value(web, LLVMGetOperand(old, 2));
  } else if (LLVMIsAFreezeInst(old)) {
    first = fresh_value(web, condition);
  }
  build_before(builder, old);
  if (LLVMIsAPHINode(old))
    return LLVMBuildPhi(builder, web->type, nb_name(old));
  if (LLVMIsALoadInst(old)) {
    LLVMValueRef pointer = LLVMGetOperand(old, 0);
    LLVMValueRef fresh = LLVMBuildLoad2(builder, web->type, pointer, nb_name(old));
    copy_metadata(web, fresh, old);
    return fresh;
  }
  if (LLVMIsAFreezeInst(old))
    return LLVMBuildFreeze(builder, first, nb_name(old));
  return LLVMBuildSelect(builder, condition, first, second, nb_name(old));
}

static LLVMValueRef cast_number(const Web *web, LLVMBuilderRef builder, LLVMValueRef number) {
  LLVMBasicBlockRef entry =
      LLVMIsAArgument(number) ? LLVMGetEntryBasicBlock(LLVMGetParamParent(number)) : NULL;
  LLVMValueRef next = entry ? LLVMGetFirstInstruction(entry) : LLVMGetNextInstruction(number);
  while (LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  build_before(builder, next);
  LLVMValueRef cast = LLVMBuildBitCast(builder, number, web->type, nb_name(number));
  if (web->either)
    nb_access_note(cast, NB_EITHER_MOVED);
  return cast;
}

static LLVMValueRef fresh_value(Web *web, LLVMValueRef old) {
  LLVMValueRef fresh = nb_map_get(web->fresh, old);
  if (fresh)
    return fresh;
  if (LLVMIsUndef(old))
    return LLVMGetUndef(web->type);
  if (LLVMIsNull(old))
    return LLVMConstNull(web->type);
  if (LLVMIsAConstant(old))
    return is_pointer(web->type) ? LLVMConstIntToPtr(old, web->type)
                                 : LLVMConstBitCast(old, web->type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(web->context->llvm);
  fresh = nb_map_has(web->numbers, old) ? cast_number(web, builder, old)
                                        : make_value(web, builder, old);
  LLVMDisposeBuilder(builder);
  nb_map_set(web->fresh, old, fresh);
  return fresh;
}

static void link_phi(Web *web, LLVMValueRef old) {
  LLVMValueRef fresh = nb_map_get(web->fresh, old);
  for (unsigned i = 0; i < LLVMCountIncoming(old); i++) {
    LLVMValueRef incoming = fresh_value(web, LLVMGetIncomingValue(old, i));
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(old, i);
    LLVMAddIncoming(fresh, &incoming, &block, 1);
  }
}

static void replace_stores(Web *web, LLVMBuilderRef builder) {
  for (unsigned i = 0; i < web->stores.count; i++) {
    LLVMValueRef store = web->stores.items[i];
    LLVMValueRef value = fresh_value(web, LLVMGetOperand(store, 0));
    LLVMPositionBuilderBefore(builder, store);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef made = LLVMBuildStore(builder, value, LLVMGetOperand(store, 1));
    copy_metadata(web, made, store);
    LLVMInstructionEraseFromParent(store);
  }
}

static void replace_casts(Web *web) {
  for (unsigned i = 0; i < web->casts.count; i++) {
    LLVMValueRef cast = web->casts.items[i];
    LLVMReplaceAllUsesWith(cast, fresh_value(web, LLVMGetOperand(cast, 0)));
    LLVMInstructionEraseFromParent(cast);
  }
}

static bool is_used_outside(Web *web, LLVMValueRef member) {
  for (LLVMUseRef use = LLVMGetFirstUse(member); use; use = LLVMGetNextUse(use)) {
    if (!nb_map_has(web->inside, LLVMGetUser(use)))
      return true;
  }
  return false;
}

/* What is left of the uses of a member: those by other members, which die, and those that want an
 * integer. */
static void replace_others(Web *web, LLVMBuilderRef builder, LLVMValueRef member) {
  LLVMValueRef integer = LLVMGetUndef(web->integer);
  if (is_used_outside(web, member)) {
    LLVMValueRef before = member;
    while (LLVMIsAPHINode(before))
      before = LLVMGetNextInstruction(before);
    LLVMPositionBuilderBefore(builder, before);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(member));
    LLVMValueRef fresh = fresh_value(web, member);
    integer = is_pointer(web->type) ? LLVMBuildPtrToInt(builder, fresh, web->integer, "bits")
                                    : LLVMBuildBitCast(builder, fresh, web->integer, "bits");
    if (nb_access_has_note(member, NB_CHECKED_INTEGER) && LLVMIsAInstruction(integer))
      nb_access_note(integer, NB_CHECKED_INTEGER);
  }
  LLVMReplaceAllUsesWith(member, integer);
}

static void rewrite(Web *web) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(web->context->llvm);
  web->fresh = nb_map_new(web->arena);
  for (unsigned i = 0; i < web->members.count; i++)
    fresh_value(web, web->members.items[i]);
  for (unsigned i = 0; i < web->members.count; i++) {
    if (LLVMIsAPHINode(web->members.items[i]))
      link_phi(web, web->members.items[i]);
  }
  replace_stores(web, builder);
  replace_casts(web);
  for (unsigned i = 0; i < web->members.count; i++)
    replace_others(web, builder, web->members.items[i]);
  for (unsigned i = 0; i < web->members.count; i++)
    LLVMInstructionEraseFromParent(web->members.items[i]);
  LLVMDisposeBuilder(builder);
}

/* A constant integer stored over a float, as memset becomes one, is a float constant. The bytes of
 * a string are none that lie where only an index that led out of its array would find floats. */
static bool rewrite_constant(Web *web, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
  uint64_t size = nb_store_size(web->context, LLVMTypeOf(value));
  web->integer = LLVMTypeOf(value);
  LLVMTypeRef type = type_at(web, pointer);
  if (!type || type == web->integer || nb_types_declared_number(web->types, store) ||
      (!LLVMIsNull(value) && !nb_types_overlays(web->types, pointer, size, NB_KIND_FLOAT)))
    return false;
  web->type = type;
  web->fresh = nb_map_new(web->arena);
  nb_list_push(&web->stores, store);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(web->context->llvm);
  replace_stores(web, builder);
  LLVMDisposeBuilder(builder);
  return true;
}

static bool is_integer(LLVMTypeRef type) {
  type = nb_scalar_type(type);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 32;
}

static bool may_carry(NbTypes *types, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool real = LLVMGetTypeKind(type) == LLVMDoubleTypeKind && nb_access_moves_word(value);
  return is_integer(type) || is_pointer(type) || (real && nb_types_moves_pointer(types, value));
}

static bool stores_constant(LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  bool null = is_pointer(LLVMTypeOf(value)) && LLVMIsNull(value);
  return nb_access_is_plain(store) &&
         (null || (LLVMIsAConstantInt(value) && is_integer(LLVMTypeOf(value))));
}

static Web new_web(NbContext *context, NbTypes *types, NbArena *arena) {
  Web web = {.context = context, .types = types, .arena = arena};
  web.members = web.stores = web.casts = nb_list(arena);
  web.inside = nb_map_new(arena);
  web.numbers = nb_map_new(arena);
  return web;
}

/* Rewrites the web that starts at the instruction, where one does. */
static bool rewrite_at(NbContext *context, NbTypes *types, NbArena *arena, LLVMValueRef at) {
  bool constant = LLVMIsAStoreInst(at) && stores_constant(at);
  bool carries = (LLVMIsALoadInst(at) || is_cast_to_bits(at)) && may_carry(types, at);
  if (!constant && !carries)
    return false;
  Web web = new_web(context, types, arena);
  if (constant)
    return rewrite_constant(&web, at);
  if (!starts_web(&web, at))
    return false;
  rewrite(&web);
  return true;
}

enum { MOST_REWRITES = 4096, MOST_ROUNDS = 8, MOST_SPLITS = 2, MOST_NUMBERS = 64 };

/* Rewrites what it comes past, and goes on at the block of each web, which takes instructions away
 * on both sides of its start. */
static unsigned rewrite_pass(NbContext *context, NbTypes *types, NbArena *arena,
                             LLVMValueRef function, unsigned most) {
  unsigned count = 0;
  LLVMValueRef at = nb_instruction_first(function);
  while (at && count < most) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    bool changed = rewrite_at(context, types, arena, at);
    at = changed ? LLVMGetFirstInstruction(block) : nb_instruction_next(at);
    count += changed;
  }
  return count;
}

/* Numbers that are moved as pointers are moved as integers: what these carry is seen then. */
static bool rewrite_number(NbContext *context, NbTypes *types, NbArena *arena, LLVMValueRef load,
                           NbMap *gone) {
  Web web = new_web(context, types, arena);
  web.integer = LLVMTypeOf(load);
  enter(&web, load);
  close_web(&web);
  if (web.failed || web.casts.count)
    return false;
  web.type = LLVMInt64TypeInContext(context->llvm);
  for (unsigned i = 0; i < web.members.count; i++)
    nb_map_set(gone, web.members.items[i], web.members.items[i]);
  rewrite(&web);
  return true;
}

/* All are found before one is rewritten: what is known of memory is known of the code as it is. */
static bool rewrite_numbers(NbContext *context, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  NbTypes *types = NULL;
  NbList loads = nb_list(arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    bool moved = LLVMIsALoadInst(at) && is_pointer(LLVMTypeOf(at)) && nb_access_is_plain(at) &&
                 nb_value_is_moved(at);
    if (!moved || loads.count == MOST_NUMBERS)
      continue;
    if (!types)
      types = nb_types_in(context, arena, nb_objects_in(context, arena, function));
    if (nb_types_moves_numbers(types, at))
      nb_list_push(&loads, at);
  }
  bool changed = false;
  NbMap *gone = nb_map_new(arena);
  for (unsigned i = 0; i < loads.count; i++)
    if (!nb_map_has(gone, loads.items[i]))
      changed = rewrite_number(context, types, arena, loads.items[i], gone) || changed;
  nb_arena_free(arena);
  return changed;
}

static bool rewrite_webs(NbContext *context, LLVMValueRef function, NbList *hidden) {
  bool changed = nb_types_rewrite_shuffles(context, function);
  changed = nb_types_rewrite_casts(context, function) || changed;
  changed = rewrite_numbers(context, function) || changed;
  NbArena *arena = nb_arena_new();
  NbObjects *objects = nb_objects_in(context, arena, function);
  NbTypes *types = nb_types_in(context, arena, objects);
  unsigned most = MOST_REWRITES;
  for (unsigned count = 1; count; most -= count) {
    count = rewrite_pass(context, types, arena, function, most);
    changed = changed || count;
  }
  hidden->count = 0;
  changed = changed || nb_types_split_copies(types, function, hidden);
  nb_arena_free(arena);
  return changed;
}

/* What became a float tells what memory holds, and so of other integers what they are. */
static bool rewrite_all_webs(NbContext *context, LLVMValueRef function, NbList *hidden) {
  unsigned rounds = 0;
  while (rounds < MOST_ROUNDS && rewrite_webs(context, function, hidden))
    rounds++;
  return rounds > 0;
}

bool nb_types_rewrite_carriers(NbContext *context, LLVMValueRef function, NbList *hidden) {
  bool changed = nb_types_rejoin(context, function);
  changed = nb_types_choose_signs(context, function) || changed;
  changed = nb_types_split_lanes(context, function, true) || changed;
  changed = rewrite_all_webs(context, function, hidden) || changed;
  for (unsigned i = 0; i < MOST_SPLITS && nb_types_split_lanes(context, function, false); i++) {
    rewrite_all_webs(context, function, hidden);
    changed = true;
  }
  changed = nb_types_rewrite_signs(context, function) || changed;
  changed = nb_types_rewrite_masks(context, function) || changed;
  changed = nb_types_rewrite_exponents(context, function) || changed;
  return nb_types_rewrite_cuts(context, function) || changed;
}

static bool is_moved_word(LLVMValueRef load) {
  bool word = LLVMIsALoadInst(load) && nb_access_is_plain(load) &&
              LLVMTypeOf(load) == LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
  for (LLVMUseRef use = LLVMGetFirstUse(load); use && word; use = LLVMGetNextUse(use))
    word = LLVMIsAStoreInst(LLVMGetUser(use)) || joins(LLVMGetUser(use));
  return word;
}

bool nb_types_rewrite_moves(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  NbTypes *types = NULL;
  NbArena *arena = nb_arena_new();
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    if (!is_moved_word(at))
      continue;
    if (!types)
      types = nb_types_in(context, arena, nb_objects_in(context, arena, function));
    Web web = new_web(context, types, arena);
    web.last = true;
    if (!starts_web(&web, at))
      continue;
    rewrite(&web);
    changed = true;
    next = nb_instruction_first(function);
  }
  nb_arena_free(arena);
  return changed;
}
