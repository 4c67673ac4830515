// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that move bytes one by one, or a few at a time, as integers narrower than the floats that
 * lie there too: they exchange those of two objects (`t = *p; *p++ = *q; *q++ = t`), or copy them
 * where LLVM's passes do not see that the objects lie apart. Here each becomes copies of all bytes
 * at once, three of an exchange, by way of a variable. Where the objects overlap such that the loop
 * does something else, the program ends with a message. */
#include "prepare/moves.h"

#include "emit/runtime.h"
#include "objects/graph.h"
#include "prepare/bytes.h"
#include "prepare/single.h"
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

/* A loop of one block. It loads a piece of so many bytes and stores it elsewhere, or of two objects
 * each the other's. */
typedef struct Move {
  NbWork *work;
  LLVMBasicBlockRef block;
  NbLoop *loop;
  LLVMValueRef loads[2], stores[2];
  unsigned loaded, stored, piece;
  bool words; /* they are more than bytes, perhaps */
} Move;

/* --- What they are. --------------------------------------------------------------------------- */

static bool add(Move *move, LLVMValueRef inst, LLVMValueRef *list, unsigned *count) {
  unsigned piece = nb_prepare_size_moved(inst);
  bool fits = piece && (!move->piece || piece == move->piece) && *count < 2;
  move->piece = piece;
  move->words |= !nb_prepare_piece(inst);
  if (fits)
    list[(*count)++] = inst;
  return fits;
}

/* All are loaded before one is stored. */
static bool find_accesses(Move *move) {
  for (LLVMValueRef inst = LLVMGetFirstInstruction(move->block); inst;
       inst = LLVMGetNextInstruction(inst)) {
    bool found = nb_single_leads_on(inst);
    if (LLVMIsALoadInst(inst))
      found = !move->stored && add(move, inst, move->loads, &move->loaded);
    else if (LLVMIsAStoreInst(inst))
      found = add(move, inst, move->stores, &move->stored);
    if (!found)
      return false;
  }
  return move->loaded && move->loaded == move->stored;
}

static LLVMValueRef address(LLVMValueRef load) { return LLVMGetOperand(load, 0); }

static bool exchanges(const Move *move) { return move->loaded == 2; }

/* Does the store write over `to` what was loaded from the other? */
static bool writes(LLVMValueRef store, LLVMValueRef to, LLVMValueRef from) {
  return LLVMGetOperand(store, 0) == from && LLVMGetOperand(store, 1) == address(to);
}

static bool crosses(const Move *move) {
  LLVMValueRef a = move->loads[0], b = move->loads[1];
  if (!exchanges(move))
    return LLVMGetOperand(move->stores[0], 0) == a;
  LLVMValueRef first = move->stores[0], second = move->stores[1];
  return (writes(first, a, b) && writes(second, b, a)) ||
         (writes(first, b, a) && writes(second, a, b));
}

/* Do wider floats lie where the words are loaded, or stored? */
static bool cuts_float(const Move *move) {
  NbArena *arena = nb_arena_new();
  NbObjects *objects = nb_objects_in(move->work->context, arena, move->work->function);
  NbTypes *types = nb_types_in(move->work->context, arena, objects);
  bool found = false;
  for (unsigned i = 0; i < move->loaded && !found; i++)
    found = nb_types_cuts_float(types, address(move->loads[i]), move->piece) ||
            nb_types_cuts_float(types, LLVMGetOperand(move->stores[i], 1), move->piece);
  nb_arena_free(arena);
  return found;
}

static bool is_move(NbWork *work, LLVMBasicBlockRef block, Move *move) {
  *move = (Move){.work = work, .block = block};
  return nb_single_repeats(block) && find_accesses(move) && crosses(move) &&
         (!move->words || cuts_float(move));
}

bool nb_prepare_has_moves(NbWork *work) {
  Move move;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function);
       work->context->analyses && block; block = LLVMGetNextBasicBlock(block))
    if (is_move(work, block, &move))
      return true;
  return false;
}

/* --- The copies. ------------------------------------------------------------------------------ */

/* The least address that the pointer has in the loop; NULL where it does not move on by one piece.
 * `*back` says whether it moves downwards. */
static NbScev *least_of(const Move *move, LLVMValueRef pointer, bool *back) {
  NbAnalyses *analyses = move->work->context->analyses;
  NbScev *at = nb_scev_of(analyses, move->work->function, pointer);
  int64_t step = 0;
  bool steps = at && nb_scev_is_affine(analyses, at, move->loop) &&
               nb_scev_is_constant(nb_scev_step(analyses, at, move->loop), &step);
  *back = step < 0;
  if (!steps || llabs(step) != move->piece)
    return NULL;
  return *back ? nb_scev_last(analyses, at, move->loop) : nb_scev_start(at);
}

static LLVMTypeRef word(const Move *move) {
  return LLVMInt64TypeInContext(move->work->context->llvm);
}

/* Ends the program where the objects overlap such that the loop does not move what lies there
 * before it. */
static void check_overlap(const Move *move, LLVMBuilderRef builder, const LLVMValueRef *objects,
                          LLVMValueRef bytes, bool back) {
  NbContext *context = move->work->context;
  LLVMValueRef first = LLVMBuildPtrToInt(builder, objects[0], word(move), "");
  LLVMValueRef second = LLVMBuildPtrToInt(builder, objects[1], word(move), "");
  LLVMValueRef place = nb_runtime_place(context, move->work->request->function, move->loads[0]);
  LLVMValueRef arguments[] = {first, second, bytes, place};
  const char *name = exchanges(move) ? "__nabla_exchange" : "__nabla_copy_up";
  if (!exchanges(move) && back)
    name = "__nabla_copy_down";
  nb_runtime_call(context, builder, name, LLVMVoidTypeInContext(context->llvm), arguments, 4);
}

static void copy(LLVMBuilderRef builder, LLVMValueRef to, LLVMValueRef from, LLVMValueRef bytes) {
  LLVMBuildMemMove(builder, to, 1, from, 1, bytes);
}

/* A variable of so many bytes; `*saved` is the stack before, where only the run tells how many. */
static LLVMValueRef variable(const Move *move, LLVMBuilderRef builder, LLVMValueRef bytes,
                             LLVMValueRef *saved) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(move->work->context->llvm);
  *saved = NULL;
  if (!LLVMIsAConstantInt(bytes)) {
    *saved = nb_build_stack_save(builder);
    return LLVMBuildArrayAlloca(builder, byte, bytes, "exchanged");
  }
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(move->work->function);
  LLVMBuilderRef first = LLVMCreateBuilderInContext(move->work->context->llvm);
  LLVMPositionBuilderBefore(first, LLVMGetFirstInstruction(entry));
  LLVMTypeRef array = LLVMArrayType2(byte, LLVMConstIntGetZExtValue(bytes));
  LLVMValueRef local = LLVMBuildAlloca(first, array, "exchanged");
  LLVMDisposeBuilder(first);
  return local;
}

static void build_exchange(const Move *move, LLVMBuilderRef builder, const LLVMValueRef *objects,
                           LLVMValueRef bytes) {
  LLVMValueRef saved, local = variable(move, builder, bytes, &saved);
  copy(builder, local, objects[0], bytes);
  copy(builder, objects[0], objects[1], bytes);
  copy(builder, objects[1], local, bytes);
  if (saved)
    nb_build_stack_restore(builder, saved);
}

static void build_copies(const Move *move, const LLVMValueRef *objects, LLVMValueRef rounds,
                         bool back, LLVMValueRef before) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(move->work->context->llvm);
  LLVMPositionBuilderBefore(builder, before);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(move->loads[0]));
  rounds = LLVMBuildIntCast2(builder, rounds, word(move), false, "");
  LLVMValueRef piece = LLVMConstInt(word(move), move->piece, false);
  LLVMValueRef bytes = LLVMBuildNUWMul(builder, rounds, piece, "");
  bytes = LLVMBuildNUWAdd(builder, bytes, piece, "");
  check_overlap(move, builder, objects, bytes, back);
  if (exchanges(move))
    build_exchange(move, builder, objects, bytes);
  else
    copy(builder, objects[0], objects[1], bytes);
  LLVMDisposeBuilder(builder);
}

/* What is copied to and from, or the two that are exchanged. */
static void find_ends(const Move *move, LLVMValueRef *pointers) {
  pointers[0] = exchanges(move) ? address(move->loads[1]) : LLVMGetOperand(move->stores[0], 1);
  pointers[1] = address(move->loads[0]);
}

static bool spell(Move *move) {
  NbAnalyses *analyses = move->work->context->analyses;
  move->loop = nb_loop_of(analyses, move->block);
  LLVMBasicBlockRef preheader = move->loop ? nb_loop_preheader(move->loop) : NULL;
  NbScev *rounds = preheader ? nb_scev_backedges(analyses, move->loop) : NULL;
  if (!rounds)
    return false;
  LLVMValueRef before = LLVMGetBasicBlockTerminator(preheader), pointers[2], objects[2];
  find_ends(move, pointers);
  NbScev *least[2];
  bool back[2], known = nb_scev_safe_to_expand(analyses, rounds, before);
  for (unsigned i = 0; i < 2; i++) {
    least[i] = least_of(move, pointers[i], &back[i]);
    known = known && least[i] && nb_scev_safe_to_expand(analyses, least[i], before);
  }
  if (!known || back[0] != back[1])
    return false;
  for (unsigned i = 0; i < 2; i++)
    objects[i] = nb_scev_expand(analyses, least[i], LLVMTypeOf(pointers[i]), before);
  build_copies(move, objects, nb_scev_expand(analyses, rounds, NULL, before), back[0], before);
  for (unsigned i = 0; i < move->stored; i++)
    LLVMInstructionEraseFromParent(move->stores[i]);
  return true;
}

bool nb_prepare_spell_moves(NbWork *work) {
  Move move;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    if (is_move(work, block, &move) && spell(&move))
      return true;
  return false;
}
