// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies to, from and within the memory of a device, and fills of it: of whole floats, by the
 * runtime (runtime/device.h). */
#include "linear/build.h"

static bool is_number(const NbPiece *piece) {
  LLVMTypeKind kind =
      piece->kind == NB_KIND_FLOAT ? LLVMGetTypeKind(piece->type) : LLVMVoidTypeKind;
  return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
}

/* Pointers in the memory of a device would need shadows there. */
static bool check_layout(NbLinear *linear, LLVMValueRef call, const NbLayout *layout) {
  NbContext *context = linear->work->context;
  if (!nb_layout_is_known(layout))
    return nb_refuse(context, NB_ERROR_UNKNOWN_TYPE, call,
                     "memory of a device is copied or set of which no call of a library tells here "
                     "whether it holds floats or doubles");
  bool numbers = true;
  for (unsigned i = 0; i < layout->count; i++)
    numbers &= is_number(&layout->pieces[i]) || layout->pieces[i].kind == NB_KIND_INTEGER;
  return numbers || nb_refuse(context, NB_ERROR_NO_RULE, call,
                              "active memory of a device is copied or set that may hold something "
                              "else than floats, doubles and integers");
}

static NbStatement *new_fill(NbLinear *linear, LLVMValueRef call, LLVMValueRef shadow,
                             const NbLayout *layout) {
  NbStatement *fill = nb_statement_new(linear, NB_STATEMENT_FILL, call);
  fill->address = shadow;
  fill->layout = *layout;
  fill->device = true;
  return fill;
}

bool nb_linearise_device(NbLinear *linear, LLVMValueRef call, const NbMemoryTransfer *transfer) {
  LLVMValueRef to = transfer->to, from = transfer->from;
  LLVMValueRef shadow = nb_linear_shadow(linear, to, transfer->lane);
  NbAccess write = {call, to, transfer->lane}, read = {call, from, transfer->lane};
  LLVMValueRef extent = nb_linear_extent(linear, write, true, transfer->extent);
  bool copied = from && nb_linear_has_shadow(linear, from);
  NbLayout layout = from ? nb_types_transfer(linear->types, call)
                         : nb_types_layout(linear->types, to, nb_linear_most(transfer->extent));
  bool own[] = {nb_linear_is_own(linear, to), !copied || nb_linear_is_own(linear, from)};
  if (nb_layout_is_known(&layout))
    layout = nb_types_either(linear->types, call, layout, own);
  if (!check_layout(linear, call, &layout))
    return false;
  if (!copied) {
    new_fill(linear, call, shadow, &layout)->extent = extent;
    return true;
  }
  NbStatement *copy = nb_statement_new(linear, NB_STATEMENT_COPY, call);
  copy->address = shadow;
  copy->address_from = nb_linear_shadow(linear, from, transfer->lane);
  copy->layout = layout;
  copy->device = true;
  copy->extent = extent;
  if (!nb_linear_is_guarded(linear, from))
    return true;
  new_fill(linear, call, shadow, &layout)->extent = nb_linear_extent(linear, read, false, extent);
  copy->extent = nb_linear_extent(linear, read, true, extent);
  return true;
}
