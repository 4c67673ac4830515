// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Writes that begin or end within a number, which then is none any more: a union's other member is
 * written, or a mistake is made. In reverse mode, a derivative that comes back to such a number
 * tells that it is read afterwards: the program ends there with a message. In forward mode, its
 * tangent is NaN where it is certain which number it is.
 *
 * And writes over numbers of which memory holds others at another time. */
#include "linear/build.h"

typedef struct Write {
  NbAccess access;
  LLVMValueRef bytes; /* its size */
} Write;

bool nb_linear_is_own(const NbLinear *linear, LLVMValueRef pointer) {
  return !nb_class_is_external(nb_objects_class(linear->objects, pointer));
}

static NbStatement *new_part(NbLinear *linear, const Write *write, NbPiece piece) {
  NbPiece *pieces = NB_NEW(linear->work->context->arena, NbPiece);
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_FILL, write->access.inst);
  *pieces = piece;
  statement->layout = (NbLayout){pieces, 1, false};
  statement->part = true;
  return statement;
}

/* The number lies at a known distance from the write. */
static void add_number(NbLinear *linear, const Write *write, const NbCut *cut) {
  const NbContext *context = linear->work->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMTypeRef byte = LLVMInt8TypeInContext(context->llvm);
  LLVMValueRef shadow = nb_linear_shadow(linear, write->access.pointer, write->access.lane);
  uint64_t size = LLVMABISizeOfType(context->layout, cut->type);
  NbStatement *statement =
      new_part(linear, write, (NbPiece){0, size, 0, NB_KIND_FLOAT, cut->type, 0});
  LLVMValueRef offset = LLVMConstInt(count, (uint64_t)cut->offset, true);
  LLVMBuilderRef builder = nb_builder_after(linear, write->access.inst);
  statement->address = LLVMBuildGEP2(builder, byte, shadow, &offset, 1, "part");
  statement->extent = LLVMConstInt(count, size, false);
  LLVMDisposeBuilder(builder);
}

/* Some number may lie at either end, where its format is aligned. */
static void add_ends(NbLinear *linear, const Write *write, LLVMTypeRef type) {
  uint64_t size = LLVMABISizeOfType(linear->work->context->layout, type);
  NbStatement *statement =
      new_part(linear, write, (NbPiece){0, size, size, NB_KIND_FLOAT, type, 0});
  statement->address = nb_linear_shadow(linear, write->access.pointer, write->access.lane);
  statement->extent = write->bytes;
}

/* The shadow of a caller's memory may hold anything where integers are. */
static bool has_ends(const NbLinear *linear, const Write *write, const NbCut *cut) {
  LLVMTypeKind kind = cut->type ? LLVMGetTypeKind(cut->type) : LLVMVoidTypeKind;
  return linear->work->request->mode == NB_MODE_REVERSE &&
         (cut->alone || nb_linear_is_own(linear, write->access.pointer)) &&
         (kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind);
}

/* Does the number lie where others do at another time, which would take the tangent for theirs?
 * Only long doubles lie over several. Of memory that others access they know more. */
static bool shares_bytes(const NbLinear *linear, const Write *write, const NbCut *cut) {
  if (!cut->type || LLVMGetTypeKind(cut->type) != LLVMX86_FP80TypeKind)
    return false;
  if (linear->work->request->mode == NB_MODE_FORWARD &&
      !nb_linear_is_own(linear, write->access.pointer))
    return true;
  uint64_t size = LLVMABISizeOfType(linear->work->context->layout, cut->type);
  NbPiece piece = {(uint64_t)cut->offset, size, 0, NB_KIND_FLOAT, cut->type, 0};
  NbLayout layout = {&piece, 1, false};
  return nb_types_hides_floats(linear->types, write->access.pointer, &layout, true);
}

/* Do all bytes of the write lie in the number? */
static bool is_within(const NbLinear *linear, const NbCut *cut, uint64_t bytes) {
  uint64_t size = LLVMABISizeOfType(linear->work->context->layout, cut->type);
  return bytes && cut->offset <= 0 && bytes <= (uint64_t)(cut->offset + (int64_t)size);
}

bool nb_linear_add_parts(NbLinear *linear, NbAccess access, LLVMValueRef bytes) {
  Write write = {access, bytes};
  bool constant = LLVMIsAConstantInt(bytes) != NULL;
  uint64_t size = constant ? LLVMConstIntGetZExtValue(bytes) : 0;
  uint64_t step = constant ? 0 : nb_types_factor(linear->types, bytes);
  if (nb_linear_is_guarded(linear, access.pointer))
    return false;
  NbCut cuts[] = {nb_types_cut(linear->types, access.pointer, 0, 0),
                  nb_types_cut(linear->types, access.pointer, size, step)};
  LLVMTypeRef ends = NULL;
  bool within = false;
  for (unsigned i = 0; i < 2; i++) {
    if (shares_bytes(linear, &write, &cuts[i]))
      continue;
    if (cuts[i].certain) {
      add_number(linear, &write, &cuts[i]);
      within |= is_within(linear, &cuts[i], size);
    } else if (has_ends(linear, &write, &cuts[i]))
      ends = cuts[i].type;
  }
  if (ends)
    add_ends(linear, &write, ends);
  return within && linear->work->request->mode == NB_MODE_REVERSE;
}

void nb_linear_clear_hidden(NbLinear *linear, NbStatement *fill, LLVMValueRef pointer) {
  const NbContext *context = linear->work->context;
  bool within = !nb_linear_is_own(linear, pointer);
  if (nb_layout_is_known(&fill->layout) &&
      nb_types_hides_floats(linear->types, pointer, &fill->layout, within))
    fill->layout = nb_layout_between_pointers(context, &fill->layout, fill->extent);
}
