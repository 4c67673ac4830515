// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What LLVM has intrinsics for, though vectors of fixed length and casts of 16 bits do the same
 * with instructions, which everything after this knows. */
#include "prepare/permutations.h"

#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { NO_LANE = -1 };

typedef struct Permutation {
  const NbContext *context;
  LLVMBuilderRef builder;
  LLVMValueRef call;
  unsigned parts; /* of INTERLEAVE and DEINTERLEAVE */
} Permutation;

typedef LLVMValueRef (*Spell)(const Permutation *permutation);

typedef struct Known {
  const char *name; /* `*` at its end: a number stands there, of parts */
  Spell spell;
} Known;

static unsigned lanes_of(LLVMValueRef vector) { return LLVMGetVectorSize(LLVMTypeOf(vector)); }

static LLVMValueRef operand(const Permutation *permutation, unsigned index) {
  return LLVMGetOperand(permutation->call, index);
}

static int *new_lanes(const Permutation *permutation, unsigned count) {
  return NB_NEW_ARRAY(permutation->context->arena, int, count + 1);
}

/* Lanes of `a` and, behind these, of `b` (NULL: none), of the same type. */
static LLVMValueRef pick(const Permutation *permutation, LLVMValueRef a, LLVMValueRef b,
                         const int *lanes, unsigned count) {
  LLVMTypeRef index = LLVMInt32TypeInContext(permutation->context->llvm);
  LLVMValueRef *mask = NB_NEW_ARRAY(permutation->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    mask[i] = lanes[i] == NO_LANE ? LLVMGetPoison(index)
                                  : LLVMConstInt(index, (unsigned long long)lanes[i], false);
  b = b ? b : LLVMGetPoison(LLVMTypeOf(a));
  return LLVMBuildShuffleVector(permutation->builder, a, b, LLVMConstVector(mask, count), "");
}

/* `count` lanes from `first` on, `step` apart. */
static LLVMValueRef pick_from(const Permutation *permutation, LLVMValueRef a, LLVMValueRef b,
                              int first, int step, unsigned count) {
  int *lanes = new_lanes(permutation, count);
  for (unsigned i = 0; i < count; i++)
    lanes[i] = first + (int)i * step;
  return pick(permutation, a, b, lanes, count);
}

/* `vector`, in whose lanes `first`, `first` + `step` ... those of `part` stand. */
static LLVMValueRef put(const Permutation *permutation, LLVMValueRef vector, LLVMValueRef part,
                        unsigned first, unsigned step) {
  unsigned count = lanes_of(vector), inner = lanes_of(part);
  int *spread = new_lanes(permutation, count), *lanes = new_lanes(permutation, count);
  for (unsigned i = 0; i < count; i++) {
    unsigned at = i < first || (i - first) % step ? inner : (i - first) / step;
    spread[i] = at < inner ? (int)at : NO_LANE;
    lanes[i] = (int)(at < inner ? count + i : i);
  }
  LLVMValueRef wide = pick(permutation, part, NULL, spread, count);
  return LLVMIsPoison(vector) ? wide : pick(permutation, vector, wide, lanes, count);
}

static LLVMValueRef spell_reverse(const Permutation *permutation) {
  LLVMValueRef vector = operand(permutation, 0);
  unsigned count = lanes_of(vector);
  return pick_from(permutation, vector, NULL, (int)count - 1, -1, count);
}

static LLVMValueRef splice(const Permutation *permutation, long long first) {
  LLVMValueRef a = operand(permutation, 0), b = operand(permutation, 1);
  return pick_from(permutation, a, b, (int)first, 1, lanes_of(a));
}

static long long offset_of(const Permutation *permutation) {
  return LLVMConstIntGetSExtValue(operand(permutation, 2));
}

static LLVMValueRef spell_splice(const Permutation *permutation) {
  long long offset = offset_of(permutation);
  return splice(permutation, offset < 0 ? lanes_of(operand(permutation, 0)) + offset : offset);
}

static LLVMValueRef spell_splice_left(const Permutation *permutation) {
  return splice(permutation, offset_of(permutation));
}

static LLVMValueRef spell_splice_right(const Permutation *permutation) {
  return splice(permutation, lanes_of(operand(permutation, 0)) - offset_of(permutation));
}

static LLVMValueRef spell_interleave(const Permutation *permutation) {
  LLVMValueRef whole = LLVMGetPoison(LLVMTypeOf(permutation->call));
  for (unsigned i = 0; i < permutation->parts; i++)
    whole = put(permutation, whole, operand(permutation, i), i, permutation->parts);
  return whole;
}

static LLVMValueRef spell_deinterleave(const Permutation *permutation) {
  LLVMValueRef vector = operand(permutation, 0);
  LLVMValueRef parts = LLVMGetPoison(LLVMTypeOf(permutation->call));
  unsigned count = permutation->parts, lanes = lanes_of(vector) / count;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef part = pick_from(permutation, vector, NULL, (int)i, (int)count, lanes);
    parts = LLVMBuildInsertValue(permutation->builder, parts, part, i, "");
  }
  return parts;
}

static LLVMValueRef spell_insert(const Permutation *permutation) {
  LLVMValueRef vector = operand(permutation, 0), part = operand(permutation, 1);
  return put(permutation, vector, part, (unsigned)offset_of(permutation), 1);
}

static LLVMValueRef spell_extract(const Permutation *permutation) {
  int first = (int)LLVMConstIntGetZExtValue(operand(permutation, 1));
  unsigned count = lanes_of(permutation->call);
  return pick_from(permutation, operand(permutation, 0), NULL, first, 1, count);
}

static LLVMValueRef spell_from_half(const Permutation *permutation) {
  LLVMTypeRef half = LLVMHalfTypeInContext(permutation->context->llvm);
  LLVMValueRef short_one =
      LLVMBuildBitCast(permutation->builder, operand(permutation, 0), half, "");
  return LLVMBuildFPExt(permutation->builder, short_one, LLVMTypeOf(permutation->call), "");
}

static LLVMValueRef spell_to_half(const Permutation *permutation) {
  LLVMTypeRef half = LLVMHalfTypeInContext(permutation->context->llvm);
  LLVMValueRef short_one =
      LLVMBuildFPTrunc(permutation->builder, operand(permutation, 0), half, "");
  return LLVMBuildBitCast(permutation->builder, short_one, LLVMTypeOf(permutation->call), "");
}

static const Known known[] = {
    {"llvm.vector.reverse", spell_reverse},
    {"llvm.vector.splice", spell_splice},
    {"llvm.vector.splice.left", spell_splice_left},
    {"llvm.vector.splice.right", spell_splice_right},
    {"llvm.vector.interleave*", spell_interleave},
    {"llvm.vector.deinterleave*", spell_deinterleave},
    {"llvm.vector.insert", spell_insert},
    {"llvm.vector.extract", spell_extract},
    {"llvm.convert.from.fp16", spell_from_half},
    {"llvm.convert.to.fp16", spell_to_half},
};

/* Is it the intrinsic's name, with types behind it? Of one with a number `*parts` is that. */
static bool is_called(const char *name, const char *pattern, unsigned *parts) {
  const char *star = strchr(pattern, '*');
  size_t length = star ? (size_t)(star - pattern) : strlen(pattern);
  if (strncmp(name, pattern, length) != 0)
    return false;
  const char *rest = name + length;
  bool number = star && *rest >= '2' && *rest <= '8';
  *parts = number ? (unsigned)(*rest++ - '0') : 0;
  unsigned id = LLVMLookupIntrinsicID(name, (size_t)(rest - name));
  return number == (star != NULL) && *rest == '.' && id != 0 &&
         id == LLVMLookupIntrinsicID(name, strlen(name));
}

static bool has_fixed_length(LLVMValueRef call) {
  bool fixed = true;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    fixed =
        fixed && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMScalableVectorTypeKind;
  return fixed && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMScalableVectorTypeKind;
}

static Spell spelling_of(LLVMValueRef call, unsigned *parts) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? nb_callee(call) : NULL;
  bool intrinsic = callee && LLVMGetIntrinsicID(callee) != 0;
  for (unsigned i = 0; intrinsic && i < sizeof known / sizeof *known; i++)
    if (is_called(nb_name(callee), known[i].name, parts) && has_fixed_length(call))
      return known[i].spell;
  return NULL;
}

static void replace(Permutation permutation, Spell spell) {
  LLVMValueRef call = permutation.call;
  LLVMPositionBuilderBefore(permutation.builder, call);
  LLVMSetCurrentDebugLocation2(permutation.builder, LLVMInstructionGetDebugLoc(call));
  LLVMReplaceAllUsesWith(call, spell(&permutation));
  LLVMInstructionEraseFromParent(call);
}

void nb_prepare_spell_permutations(const NbContext *context, LLVMValueRef function) {
  Permutation permutation = {context, LLVMCreateBuilderInContext(context->llvm), NULL, 0};
  LLVMValueRef next;
  for (LLVMValueRef inst = nb_instruction_first(function); inst; inst = next) {
    next = nb_instruction_next(inst);
    Spell spell = spelling_of(inst, &permutation.parts);
    permutation.call = inst;
    if (spell)
      replace(permutation, spell);
  }
  LLVMDisposeBuilder(permutation.builder);
}
