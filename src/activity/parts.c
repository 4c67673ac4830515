// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers with a derivative that are read where a part of them is something else: a byte of them
 * was overwritten, or they lie across numbers of another format.
 *
 * Refused is what cannot be the other member of a union: from the write on, whatever way is taken,
 * the number is read, and on some way nothing has changed these bytes. So are two numbers of one
 * format that are read there one after the other, and share bytes. What is read here or there
 * only, or at places that the run tells, is left to the run (linear/parts.c).
 *
 * Where places are not known, addresses may be a known distance apart all the same: in each
 * iteration of a loop, or in the first ones of two. */
#include "activity/flow.h"

enum { MOST_SCANNED = 4096 };

/* Bytes of an object: numbers of `type` side by side, or for NULL what is no number. */
typedef struct Part {
  LLVMValueRef inst, pointer;
  NbClass *class;
  NbOffsets place;
  int64_t begin; /* behind that of the part that others are compared with */
  uint64_t size;
  LLVMTypeRef type;
} Part;

typedef struct Reading {
  NbActivity *activity;
  LLVMValueRef write; /* or the first load */
  const Part *part;
  NbMap *blocks;
  unsigned scanned;
  LLVMValueRef found;
} Reading;

static void find_place(const NbActivity *activity, LLVMValueRef inst, LLVMValueRef pointer,
                       Part *part) {
  part->inst = inst;
  part->pointer = pointer;
  part->class = nb_class_find(nb_value_class(activity->objects, pointer));
  part->place = nb_places_of(activity->types->places, pointer);
  part->begin = 0;
}

/* Is the block, of the loop, in each of its iterations that go on? */
static bool is_in_each(NbAnalyses *analyses, NbLoop *loop, LLVMBasicBlockRef block) {
  LLVMBasicBlockRef latch = nb_loop_latch(loop);
  return latch && nb_block_dominates(analyses, block, latch);
}

/* How far the part is behind `*base` in the first iterations of loops that it is in and the block
 * is not, if it is accessed in each of them; else NULL. */
static NbScev *find_first(const NbActivity *activity, const Part *part, LLVMBasicBlockRef elsewhere,
                          LLVMValueRef *base) {
  NbAnalyses *analyses = activity->context->analyses;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(part->inst);
  NbScev *offset = nb_scev_offset(analyses, LLVMGetBasicBlockParent(block), part->pointer, base);
  for (NbLoop *loop = nb_loop_of(analyses, block);
       offset && loop && !nb_loop_contains(loop, elsewhere); loop = nb_loop_parent(loop)) {
    if (!is_in_each(analyses, loop, block))
      return NULL;
    if (nb_scev_is_affine(analyses, offset, loop))
      offset = nb_scev_start(offset);
  }
  return offset;
}

/* Does the one come before the other in each iteration of the loops around both? */
static bool are_in_turn(NbAnalyses *analyses, LLVMBasicBlockRef home, LLVMBasicBlockRef block) {
  NbLoop *loop = nb_loop_of(analyses, home);
  while (loop && !nb_loop_contains(loop, block))
    loop = nb_loop_parent(loop);
  return !loop || nb_block_dominates(analyses, home, block);
}

/* How many bytes behind `part` the other begins; false where that is not known. What is no number
 * may be the half of one: the run tells whether the other half is written, too. */
static bool find_distance(const NbActivity *activity, const Part *part, Part *other) {
  if (part->class == other->class && nb_place_is_exact(&part->place) &&
      nb_place_is_exact(&other->place) && !nb_types_is_mixed(activity->types, part->class)) {
    other->begin = other->place.base - part->place.base;
    return true;
  }
  NbAnalyses *analyses = activity->context->analyses;
  LLVMBasicBlockRef home = LLVMGetInstructionParent(part->inst);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(other->inst);
  if (!part->type || part->class != other->class || !are_in_turn(analyses, home, block))
    return false;
  LLVMValueRef origin, base;
  NbScev *from = find_first(activity, part, block, &origin);
  NbScev *to = find_first(activity, other, home, &base);
  if (!from || !to || base != origin)
    return false;
  NbScev *distance = nb_scev_minus(analyses, LLVMGetBasicBlockParent(home), to, from);
  return distance && nb_scev_is_constant(distance, &other->begin);
}

static bool find_access(const NbActivity *activity, LLVMValueRef access, Part *part) {
  bool store = LLVMIsAStoreInst(access) != NULL;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
  part->size = nb_store_size(activity->context, type);
  type = nb_scalar_type(type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  part->type = nb_is_float_kind(kind) ? type : NULL;
  find_place(activity, access, LLVMGetOperand(access, store ? 1 : 0), part);
  return part->type || kind == LLVMIntegerTypeKind;
}

static bool is_active(const NbActivity *activity, LLVMValueRef value) {
  const unsigned both = NB_VARIED | NB_USEFUL;
  return (nb_activity_bits(activity, value) & both) == both;
}

/* Is it more than a choice that the value goes into? The optimiser loads ahead of those. */
static bool is_used(LLVMValueRef load) {
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsASelectInst(user) && !LLVMIsAPHINode(user))
      return true;
  }
  return false;
}

/* The format of the numbers side by side that a copy moves; NULL where it moves others, too. */
static LLVMTypeRef type_of_copied(const NbActivity *activity, LLVMValueRef copy,
                                  const NbCall *what) {
  const NbLayout *layout = nb_activity_copied(activity, copy);
  const NbPiece *piece = layout->pieces;
  if (layout->unknown || layout->count != 1 || piece->kind != NB_KIND_FLOAT || piece->offset)
    return NULL;
  bool one =
      LLVMIsAConstantInt(what->bytes) && LLVMConstIntGetZExtValue(what->bytes) == piece->size;
  return one || piece->period == piece->size ? piece->type : NULL;
}

/* The bytes that a copy of numbers side by side reads, or else writes: of an unknown number, those
 * of the first. */
static bool find_copied(const NbActivity *activity, LLVMValueRef copy, bool reads, Part *part) {
  NbCall what = nb_is_call(copy) ? nb_call_of(activity->context, copy) : (NbCall){0};
  if (what.kind != NB_CALL_COPY)
    return false;
  LLVMValueRef other = reads ? what.to : what.from;
  find_place(activity, copy, reads ? what.from : what.to, part);
  if (!nb_activity_class_active(activity, part->class) ||
      !nb_activity_class_active(activity, nb_class_find(nb_value_class(activity->objects, other))))
    return false;
  part->type = type_of_copied(activity, copy, &what);
  if (!part->type)
    return false;
  part->size = LLVMIsAConstantInt(what.bytes) ? LLVMConstIntGetZExtValue(what.bytes)
                                              : nb_store_size(activity->context, part->type);
  return part->size > 0;
}

/* What is read as numbers with a derivative, which are of use. */
static bool find_read(const NbActivity *activity, LLVMValueRef inst, Part *part) {
  if (!LLVMIsALoadInst(inst))
    return find_copied(activity, inst, true, part);
  return find_access(activity, inst, part) && part->type && is_active(activity, inst) &&
         is_used(inst);
}

/* A number without a derivative is as good as none. */
static bool find_store(const NbActivity *activity, LLVMValueRef store, Part *part) {
  bool found = find_access(activity, store, part);
  if (!is_active(activity, LLVMGetOperand(store, 0)))
    part->type = NULL;
  return found;
}

static bool find_write(const NbActivity *activity, LLVMValueRef inst, Part *part) {
  if (LLVMIsAStoreInst(inst))
    return find_store(activity, inst, part);
  if (find_copied(activity, inst, false, part))
    return true;
  NbCall what = nb_is_call(inst) ? nb_call_of(activity->context, inst) : (NbCall){0};
  if (what.kind != NB_CALL_FILL || !what.bytes || !LLVMIsAConstantInt(what.bytes))
    return false;
  part->size = LLVMConstIntGetZExtValue(what.bytes);
  part->type = NULL;
  find_place(activity, inst, what.to, part);
  return part->size > 0;
}

static bool meet(const Part *a, const Part *b) {
  return a->begin < b->begin + (int64_t)b->size && b->begin < a->begin + (int64_t)a->size;
}

/* Are the numbers that are read whole, in what was written, or beside it? */
static bool agree(const NbActivity *activity, const Part *written, const Part *read) {
  int64_t size = (int64_t)nb_store_size(activity->context, read->type);
  int64_t step = (int64_t)LLVMABISizeOfType(activity->context->layout, read->type);
  int64_t end = written->begin + (int64_t)written->size;
  if (written->type)
    return written->type == read->type && (read->begin - written->begin) % step == 0;
  for (int64_t at = read->begin; at < read->begin + (int64_t)read->size; at += step) {
    bool apart = at >= end || at + size <= written->begin;
    bool within = at >= written->begin && at + size <= end;
    if (!apart && !within)
      return false;
  }
  return true;
}

/* Where a loop begins that the block is in and `elsewhere` is not, if the block is in each of its
 * iterations: of loops it is taken that they run once at least. Else the block. */
static LLVMBasicBlockRef always_reached(NbAnalyses *analyses, LLVMBasicBlockRef block,
                                        LLVMBasicBlockRef elsewhere) {
  for (NbLoop *loop = nb_loop_of(analyses, block); loop && !nb_loop_contains(loop, elsewhere);
       loop = nb_loop_parent(loop)) {
    if (!is_in_each(analyses, loop, block))
      break;
    LLVMBasicBlockRef guard = nb_loop_guard(loop);
    block = guard ? guard : nb_loop_header(loop);
  }
  return block;
}

static bool is_always_read(const Reading *reading, LLVMValueRef inst) {
  NbAnalyses *analyses = reading->activity->context->analyses;
  LLVMBasicBlockRef home = LLVMGetInstructionParent(reading->write);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
  return block == home
             ? !nb_map_has(reading->blocks, home)
             : nb_block_postdominates(analyses, always_reached(analyses, block, home), home);
}

/* Where a store, a copy or a fill writes; NULL of others. */
static LLVMValueRef written_by(const NbActivity *activity, LLVMValueRef inst) {
  if (LLVMIsAStoreInst(inst))
    return LLVMGetOperand(inst, 1);
  NbCall what = nb_is_call(inst) ? nb_call_of(activity->context, inst) : (NbCall){0};
  return what.kind == NB_CALL_COPY || what.kind == NB_CALL_FILL ? what.to : NULL;
}

/* Is the distance that of each time that the other part is accessed? */
static bool is_at_one_place(const Reading *reading, const Part *other) {
  NbLoop *loop =
      nb_loop_of(reading->activity->context->analyses, LLVMGetInstructionParent(other->inst));
  return nb_place_is_exact(&other->place) || !loop ||
         nb_loop_contains(loop, LLVMGetInstructionParent(reading->write));
}

/* May the instruction change the bytes? */
static bool changes(const Reading *reading, LLVMValueRef inst) {
  Part part;
  if (!nb_memory_may_write_any(inst))
    return false;
  if (LLVMIsAStoreInst(inst) && find_access(reading->activity, inst, &part) &&
      is_at_one_place(reading, &part) && find_distance(reading->activity, reading->part, &part))
    return meet(&part, reading->part);
  if (nb_is_call(inst) && nb_call_of(reading->activity->context, inst).kind == NB_CALL_HARMLESS)
    return false;
  LLVMValueRef pointer = written_by(reading->activity, inst);
  return !pointer ||
         nb_class_find(nb_value_class(reading->activity->objects, pointer)) == reading->part->class;
}

/* False where the way ends, or what was looked for is found. Over what is no number, copies may
 * move the other member of a union. */
static bool scan(Reading *reading, LLVMValueRef inst) {
  Part part;
  if (++reading->scanned > MOST_SCANNED)
    return false;
  bool reads =
      (reading->part->type || LLVMIsALoadInst(inst)) && find_read(reading->activity, inst, &part);
  if (reads && find_distance(reading->activity, reading->part, &part) &&
      meet(&part, reading->part) && !agree(reading->activity, reading->part, &part) &&
      is_always_read(reading, inst))
    reading->found = inst;
  return !reading->found && !changes(reading, inst);
}

/* True where the end of the block is reached. */
static bool scan_block(Reading *reading, LLVMValueRef inst) {
  while (inst && scan(reading, inst))
    inst = LLVMGetNextInstruction(inst);
  return !inst;
}

static void follow(Reading *reading, LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(last, i);
    if (!nb_map_has(reading->blocks, next))
      nb_map_set(reading->blocks, next, next);
  }
}

/* The load that finds the write in a part of a number; NULL where there is none. */
static LLVMValueRef find_reader(NbActivity *activity, LLVMValueRef write, const Part *part) {
  Reading reading = {activity, write, part, nb_map_new(activity->context->arena), 0, NULL};
  if (scan_block(&reading, LLVMGetNextInstruction(write)))
    follow(&reading, LLVMGetInstructionParent(write));
  for (unsigned i = 0; !reading.found && i < nb_map_count(reading.blocks); i++) {
    LLVMBasicBlockRef block = (LLVMBasicBlockRef)nb_map_key(reading.blocks, i);
    if (scan_block(&reading, LLVMGetFirstInstruction(block)))
      follow(&reading, block);
  }
  return reading.found;
}

/* The same of a copy: numbers begin there where its layout has such. */
static bool copies_beginning(const NbActivity *activity, LLVMValueRef copy, const NbCall *what,
                             const NbOffsets *here, uint64_t size) {
  NbOffsets to = nb_places_of(activity->types->places, what->to);
  bool constant = LLVMIsAConstantInt(what->bytes) != NULL;
  uint64_t bytes = constant ? LLVMConstIntGetZExtValue(what->bytes) : (uint64_t)INT64_MAX;
  if (!nb_place_meets(&to, bytes, here, size))
    return false;
  const NbLayout *layout = nb_activity_copied(activity, copy);
  bool begins = !nb_layout_is_known(layout);
  for (unsigned i = 0; i < layout->count && !begins; i++) {
    const NbPiece *piece = &layout->pieces[i];
    NbOffsets place =
        nb_place_stride(nb_place_shift(to, (int64_t)piece->offset), piece->period, true);
    bool number = piece->kind == NB_KIND_FLOAT;
    begins = nb_place_meets(&place, number ? 1 : piece->size, here, number ? 1 : size);
  }
  return begins;
}

/* May the instruction write a number that begins where the pointer leads, or bytes of any kind
 * there? */
static bool may_begin(const NbActivity *activity, LLVMValueRef inst, LLVMValueRef pointer,
                      LLVMTypeRef type) {
  NbOffsets here = nb_places_of(activity->types->places, pointer);
  uint64_t size = nb_store_size(activity->context, type);
  if (LLVMIsAStoreInst(inst)) {
    LLVMTypeRef stored = LLVMTypeOf(LLVMGetOperand(inst, 0));
    NbOffsets there = nb_places_of(activity->types->places, LLVMGetOperand(inst, 1));
    bool same = stored == type;
    return nb_place_meets(&there, same ? 1 : nb_store_size(activity->context, stored), &here,
                          same ? 1 : size);
  }
  NbCall what = nb_is_call(inst) ? nb_call_of(activity->context, inst) : (NbCall){0};
  if (what.kind != NB_CALL_COPY)
    return nb_memory_may_write_any(inst) && what.kind != NB_CALL_HARMLESS &&
           what.kind != NB_CALL_FILL;
  return copies_beginning(activity, inst, &what, &here, size);
}

/* Does what is read there, in the function's own memory, begin within a number, and no other number
 * was written there? `type`: what is read; NULL: anything. */
static bool is_across(const NbActivity *activity, LLVMValueRef reader, LLVMValueRef pointer,
                      LLVMTypeRef type) {
  NbClass *class = nb_class_find(nb_value_class(activity->objects, pointer));
  const unsigned others = NB_CLASS_EXTERNAL | NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE;
  if ((class->flags & others) || !nb_activity_class_active(activity, class))
    return false;
  NbCut cut = nb_types_cut(activity->types, pointer, 0, 0);
  if (!cut.certain || (type && cut.type != type))
    return false;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(reader));
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef to = written_by(activity, at);
    bool met = !to || nb_class_find(nb_value_class(activity->objects, to)) == class;
    if (met && may_begin(activity, at, pointer, cut.type))
      return false;
  }
  return true;
}

static bool load_is_across(const NbActivity *activity, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  return LLVMIsALoadInst(load) && nb_is_float_kind(LLVMGetTypeKind(type)) &&
         is_active(activity, load) && is_across(activity, load, LLVMGetOperand(load, 0), type);
}

static bool copy_is_across(const NbActivity *activity, LLVMValueRef inst) {
  NbCall what = nb_is_call(inst) ? nb_call_of(activity->context, inst) : (NbCall){0};
  return what.kind == NB_CALL_COPY && LLVMIsAConstantInt(what.bytes) &&
         is_across(activity, inst, what.from, NULL);
}

static bool refuse_across(const NbActivity *activity, LLVMValueRef load) {
  return nb_refuse(activity->context, NB_ERROR_PART_OF_NUMBER, load,
                   "a number with a derivative is read here that lies across others");
}

/* Does what is read share bytes with numbers of the same format that are read afterwards? One
 * report is enough: each of two loads may find the other, and a loop is often unrolled. */
static bool check_read(NbActivity *activity, LLVMValueRef inst) {
  Part part, other;
  if (activity->refused)
    return true;
  if (load_is_across(activity, inst) || copy_is_across(activity, inst))
    return refuse_across(activity, inst);
  if (!find_read(activity, inst, &part) ||
      !nb_types_splits(activity->types, part.class, &part.place, part.size, NULL))
    return true;
  LLVMValueRef reader = find_reader(activity, inst, &part);
  if (!reader || !find_read(activity, reader, &other) || other.type != part.type)
    return true;
  return refuse_across(activity, reader);
}

static bool check_write(NbActivity *activity, LLVMValueRef inst) {
  Part part;
  if (!find_write(activity, inst, &part) || !nb_activity_class_active(activity, part.class) ||
      !nb_types_splits(activity->types, part.class, &part.place, part.size, part.type) ||
      !find_reader(activity, inst, &part))
    return true;
  return nb_refuse(activity->context, NB_ERROR_PART_OF_NUMBER, inst,
                   "a part of a number with a derivative is overwritten, and the number is read "
                   "afterwards");
}

bool nb_activity_check_part(NbActivity *activity, LLVMValueRef inst) {
  bool call = nb_is_call(inst);
  if ((call || LLVMIsALoadInst(inst)) && !check_read(activity, inst))
    return false;
  return !(call || LLVMIsAStoreInst(inst)) || check_write(activity, inst);
}
