// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs that are assigned as a whole are assigned member by member.
 *
 * The front end makes one copy of bytes of `s->list[i] = t`, and says of it what scalars lie where,
 * but not of arrays; the optimiser joins such copies, cuts them into words, and forgets what was
 * said. C promises that what is assigned is of that type: so each number is loaded and stored as
 * one, and stays one. At -O0 the front end says nothing, but both ends may have the struct's type.
 * Padding is not copied, which C does not promise. Only in what is to be differentiated, and not
 * where a union lies in the struct, or some code takes the bytes of numbers for other members
 * (puns.c). */
#include "request/assigned.h"

#include "objects/graph.h"
#include "objects/path.h"
#include "request/collected.h"
#include "request/layout.h"
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_SCALARS = 32, WIDEST_IN_REGISTERS = 16 };

typedef struct Assignment {
  NbContext *context;
  LLVMValueRef copy, to, from;
  uint64_t bytes;
  LLVMTypeRef type;
  const NbLeaves *leaves;
  NbTaggedField fields[NB_MOST_FIELDS]; /* what the front end says */
  unsigned count;
  LLVMValueRef tags[MOST_SCALARS]; /* of the scalars, NULL where there is none */
} Assignment;

/* --- What is assigned. ------------------------------------------------------------------------ */

static bool find_type(Assignment *assignment) {
  assignment->type = nb_layout_copied(assignment->context, assignment->copy);
  if (!assignment->type || !nb_layout_is_plain(assignment->type))
    return false;
  assignment->leaves = nb_leaves_of(assignment->context, assignment->type);
  return !assignment->leaves->overflow && assignment->leaves->count <= MOST_SCALARS &&
         nb_leaves_have_float(assignment->leaves);
}

/* --- What the front end says of it. ----------------------------------------------------------- */

/* Is the scalar one of those that the field may be? Characters may be anything. */
static bool agrees(LLVMTypeRef type, const NbTaggedField *field) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (field->named)
    return type == field->named->type(LLVMGetTypeContext(type));
  return field->kind == NB_KIND_UNKNOWN ||
         kind == (field->kind == NB_KIND_POINTER ? LLVMPointerTypeKind : LLVMIntegerTypeKind);
}

/* Finds the field that the scalar is, or lies in; false where there is none, or another type. */
static bool find_tag(Assignment *assignment, unsigned index) {
  const NbLeaf *leaf = &assignment->leaves->items[index];
  uint64_t end = leaf->offset + LLVMStoreSizeOfType(assignment->context->layout, leaf->type);
  for (unsigned i = 0; i < assignment->count; i++) {
    const NbTaggedField *field = &assignment->fields[i];
    if (leaf->offset < field->offset || end > field->offset + field->size)
      continue;
    assignment->tags[index] = field->kind == NB_KIND_UNKNOWN ? NULL : field->tag;
    return agrees(leaf->type, field);
  }
  return false;
}

/* Arrays of bytes may be storage for anything. */
static bool has_storage(const NbLeaves *leaves) {
  bool found = false;
  for (unsigned i = 0; i < leaves->count; i++)
    found |= leaves->items[i].element && nb_is_byte(leaves->items[i].type);
  return found;
}

/* Without tags: both ends have the type, of a file that keeps to its types. What is passed in
 * registers stays as whole as it is there. */
static bool is_told_by_ends(const Assignment *assignment) {
  return nb_types_are_kept(assignment->context) && assignment->bytes > WIDEST_IN_REGISTERS &&
         !has_storage(assignment->leaves) &&
         nb_layout_struct_at(assignment->context, assignment->to, assignment->bytes) ==
             nb_layout_struct_at(assignment->context, assignment->from, assignment->bytes);
}

static bool find_assignment(Assignment *assignment) {
  LLVMValueRef copy = assignment->copy;
  LLVMValueRef bytes = LLVMGetOperand(copy, 2);
  if (!LLVMIsAConstantInt(bytes) || !LLVMIsNull(LLVMGetOperand(copy, 3)))
    return false;
  assignment->to = LLVMGetOperand(copy, 0);
  assignment->from = LLVMGetOperand(copy, 1);
  assignment->bytes = LLVMConstIntGetZExtValue(bytes);
  bool found = find_type(assignment);
  assignment->count = found ? nb_tags_fields(assignment->context, copy, assignment->fields) : 0;
  if (assignment->count && nb_tbaa_is_own(assignment->fields[0].tag))
    assignment->count = 0;
  if (found && !assignment->count && is_told_by_ends(assignment))
    return true;
  for (unsigned i = 0; found && i < assignment->leaves->count; i++)
    found = find_tag(assignment, i);
  return found;
}

/* --- Members. --------------------------------------------------------------------------------- */

static unsigned align_of(const Assignment *assignment, LLVMValueRef memory, unsigned index) {
  uint64_t offset = assignment->leaves->items[index].offset;
  uint64_t whole = nb_facts_argument_align(assignment->copy, memory);
  return (unsigned)(offset ? nb_gcd(whole, offset) : whole);
}

static LLVMValueRef address(const Assignment *assignment, LLVMBuilderRef builder,
                            LLVMValueRef memory, unsigned index) {
  return nb_layout_address(assignment->context, builder, assignment->type, memory,
                           assignment->leaves->items[index].offset);
}

static void finish(const Assignment *assignment, LLVMValueRef access, LLVMValueRef memory,
                   unsigned index) {
  LLVMSetAlignment(access, align_of(assignment, memory, index));
  if (!assignment->count)
    nb_access_note_member(assignment->context, access);
  if (assignment->tags[index])
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(assignment->context->llvm, "tbaa", 4),
                    assignment->tags[index]);
}

/* All is read before anything is written. */
static void split(const Assignment *assignment) {
  const NbLeaves *leaves = assignment->leaves;
  LLVMValueRef values[MOST_SCALARS];
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(assignment->context->llvm);
  LLVMPositionBuilderBefore(builder, assignment->copy);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(assignment->copy));
  for (unsigned i = 0; i < leaves->count; i++) {
    LLVMValueRef from = address(assignment, builder, assignment->from, i);
    values[i] = LLVMBuildLoad2(builder, leaves->items[i].type, from, "");
    finish(assignment, values[i], assignment->from, i);
  }
  for (unsigned i = 0; i < leaves->count; i++) {
    LLVMValueRef to = address(assignment, builder, assignment->to, i);
    finish(assignment, LLVMBuildStore(builder, values[i], to), assignment->to, i);
  }
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(assignment->copy);
}

static void split_in(NbContext *context, LLVMValueRef function) {
  LLVMValueRef at = nb_instruction_first(function);
  while (at) {
    LLVMValueRef next = nb_instruction_next(at);
    Assignment assignment = {.context = context, .copy = at};
    if (LLVMIsAMemCpyInst(at) && find_assignment(&assignment))
      split(&assignment);
    at = next;
  }
}

void nb_assigned_split(NbContext *context, const NbList *calls) {
  NbList reached = nb_request_reach(context, calls);
  for (unsigned i = 0; i < reached.count; i++)
    split_in(context, reached.items[i]);
}
