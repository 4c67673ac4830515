// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Places that were noted at accesses while types were the front end's (request/indices.c). Only
 * types go by them: programs that walk on into the next member access other bytes too. */
#include "base/names.h"
#include "objects/path.h"
#include "objects/places.h"

#include <string.h>

enum { MOST_PARTS = 3 + 2 * NB_MOST_STEPS, MOST_JOINED = 16 };

LLVMValueRef nb_access_pointer(LLVMValueRef instruction, bool source) {
  if (LLVMIsALoadInst(instruction))
    return source ? NULL : LLVMGetOperand(instruction, 0);
  if (LLVMIsAStoreInst(instruction))
    return source ? NULL : LLVMGetOperand(instruction, 1);
  bool copy = LLVMIsAMemCpyInst(instruction) || LLVMIsAMemMoveInst(instruction);
  if (copy || (!source && LLVMIsAMemSetInst(instruction)))
    return LLVMGetOperand(instruction, source ? 1 : 0);
  return NULL;
}

LLVMValueRef nb_written_pointer(LLVMValueRef writer) {
  return LLVMIsALoadInst(writer) ? NULL : nb_access_pointer(writer, false);
}

uint64_t nb_array_bytes(const NbContext *context, LLVMValueRef array) {
  return LLVMABISizeOfType(context->layout, LLVMGetAllocatedType(array)) *
         LLVMConstIntGetZExtValue(LLVMGetOperand(array, 0));
}

uint64_t nb_access_bytes(const NbContext *context, LLVMValueRef access) {
  if (LLVMIsALoadInst(access))
    return nb_store_size(context, LLVMTypeOf(access));
  if (LLVMIsAStoreInst(access))
    return nb_store_size(context, LLVMTypeOf(LLVMGetOperand(access, 0)));
  LLVMValueRef bytes = LLVMGetOperand(access, 2);
  return LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : NB_UNKNOWN_SIZE;
}

/* The numbers of the access's note, 0 where it has none. */
static unsigned numbers_of(LLVMValueRef access, const char *kind, uint64_t *numbers) {
  LLVMValueRef parts[MOST_PARTS];
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(access));
  unsigned id = LLVMGetMDKindIDInContext(llvm, kind, (unsigned)strlen(kind));
  LLVMValueRef node = LLVMGetMetadata(access, id);
  unsigned count = node && LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
  if (count < 3 || count > MOST_PARTS || count % 2 == 0)
    return 0;
  LLVMGetMDNodeOperands(node, parts);
  for (unsigned i = 0; i < count; i++) {
    if (!parts[i] || !LLVMIsAConstantInt(parts[i]))
      return 0;
    numbers[i] = LLVMConstIntGetZExtValue(parts[i]);
  }
  return count;
}

LLVMTypeRef nb_access_struct(const NbContext *context, LLVMValueRef access, bool source,
                             uint64_t *offset) {
  LLVMValueRef parts[3];
  const char *kind = source ? NB_NOTED_STRUCT_SOURCE : NB_NOTED_STRUCT;
  unsigned id = LLVMGetMDKindIDInContext(context->llvm, kind, (unsigned)strlen(kind));
  LLVMValueRef node = LLVMGetMetadata(access, id);
  if (!node || !LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) != 3)
    return NULL;
  LLVMGetMDNodeOperands(node, parts);
  bool whole = parts[0] && parts[1] && parts[2] && LLVMIsAConstantInt(parts[0]) &&
               LLVMIsAConstantInt(parts[1]);
  if (!whole || LLVMConstIntGetZExtValue(parts[0]) != nb_access_bytes(context, access))
    return NULL;
  *offset = LLVMConstIntGetZExtValue(parts[1]);
  return LLVMTypeOf(parts[2]);
}

static bool add_place(NbSpread *spread, NbOffsets place) {
  for (unsigned i = 0; i < spread->count; i++)
    if (nb_place_equal(&spread->items[i], &place))
      return true;
  if (spread->count == NB_MOST_SPREAD)
    return false;
  spread->items[spread->count++] = place;
  return true;
}

/* Adds the offsets from `place` on of arrays in arrays: pairs of stride and count, of which those
 * that are bounded are left. Only the innermost fits into one place. */
static bool add_arrays(NbSpread *spread, NbOffsets place, const uint64_t *pairs, unsigned count) {
  while (count && pairs[1] <= 1)
    pairs += 2, count--;
  if (!count)
    return add_place(spread, place);
  bool innermost = true;
  for (unsigned i = 1; i < count; i++)
    innermost &= pairs[2 * i + 1] <= 1;
  bool fits = pairs[1] <= NB_MOST_SPREAD || innermost;
  if (innermost)
    return add_place(spread, nb_place_index(place, pairs[0], pairs[1]));
  for (uint64_t k = 0; fits && k < pairs[1]; k++)
    fits = add_arrays(spread, nb_place_shift(place, (int64_t)(k * pairs[0])), pairs + 2, count - 1);
  return fits;
}

static bool add_steps(NbSpread *spread, NbOffsets place, const uint64_t *pairs, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (!pairs[2 * i + 1])
      place = nb_place_stride(place, pairs[2 * i], false);
  return add_arrays(spread, place, pairs, count);
}

/* An access of another size than the noted one may be a part of it. */
static bool add_note(const NbPlaces *places, LLVMValueRef access, const char *kind,
                     NbSpread *spread) {
  uint64_t numbers[MOST_PARTS];
  unsigned count = numbers_of(access, kind, numbers);
  if (!count || numbers[0] != nb_access_bytes(places->objects->context, access))
    return false;
  NbOffsets place = nb_place_stride(nb_place_at((int64_t)numbers[1]), numbers[2], false);
  return add_steps(spread, place, numbers + 3, (count - 3) / 2);
}

/* What the types of the geps themselves say, where they are still those of the source. */
static bool add_path(const NbPlaces *places, LLVMValueRef pointer, NbSpread *spread) {
  NbPath path = nb_path_of(places->objects->context, pointer);
  NbOffsets place = nb_place_shift(nb_places_of(places, path.root), path.offset);
  return !path.failed && path.bounded && place.count == 1 &&
         add_steps(spread, place, path.pairs, path.count);
}

bool nb_places_has_note(LLVMValueRef instruction) {
  uint64_t numbers[MOST_PARTS];
  return nb_access_pointer(instruction, false) &&
         (numbers_of(instruction, NB_NOTED_PLACE, numbers) ||
          numbers_of(instruction, NB_NOTED_SOURCE, numbers));
}

/* Does the pointer come from where objects start, or from parameters, which are seen from there? */
static bool is_seen_from_start(const NbPlaces *places, LLVMValueRef pointer) {
  LLVMValueRef joined[MOST_JOINED] = {pointer};
  unsigned count = 1;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef value = joined[i];
    bool chosen = LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
    bool gep = LLVMIsAGetElementPtrInst(value) != NULL;
    bool start = LLVMIsAAllocaInst(value) || LLVMIsAGlobalVariable(value) ||
                 LLVMIsAArgument(value) || LLVMIsNull(value) || LLVMIsUndef(value) ||
                 nb_value_is_allocated(places->objects->context, value);
    if (!start && !chosen && !gep)
      return false;
    int last = gep ? 1 : chosen ? LLVMGetNumOperands(value) : 0;
    for (int k = LLVMIsASelectInst(value) ? 1 : 0; k < last; k++) {
      LLVMValueRef from = LLVMGetOperand(value, (unsigned)k);
      bool known = false;
      for (unsigned j = 0; j < count; j++)
        known |= joined[j] == from;
      if (!known && count == MOST_JOINED)
        return false;
      if (!known)
        joined[count++] = from;
    }
  }
  return true;
}

/* May the access go anywhere from there? */
static bool leads_on(const NbPlaces *places, LLVMValueRef user) {
  return LLVMIsAAtomicRMWInst(user) ||
         (nb_is_call(user) && !nb_call_is_silent(places->objects->context, user));
}

/* Adds what all accesses through the pointer itself say; false where one says nothing. */
static bool add_notes(const NbPlaces *places, LLVMValueRef pointer, NbSpread *spread) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool written = nb_access_pointer(user, false) == pointer;
    bool read = nb_access_pointer(user, true) == pointer;
    bool other = !written && !read && leads_on(places, user);
    if (other || (written && !add_note(places, user, NB_NOTED_PLACE, spread)) ||
        (read && !add_note(places, user, NB_NOTED_SOURCE, spread)))
      return false;
  }
  return spread->count != 0;
}

/* Is the noted place among the offsets that the address itself allows, and does it say more? Where
 * it is not, the object is another than it was. */
static bool is_better(const NbOffsets *noted, const NbOffsets *known) {
  uint64_t step = nb_place_is_exact(noted) ? nb_place_step(known)
                                           : nb_gcd(nb_place_step(known), nb_place_step(noted));
  bool agrees = step && (noted->base - known->base) % (int64_t)step == 0;
  return agrees && known->period && (!noted->period || noted->period > known->period);
}

/* The same where the address itself is bounded, by what is known of an index: cuts the noted place
 * down to what lies there. */
static bool cut_down(NbOffsets *noted, const NbOffsets *known) {
  if (known->period || !known->inner || (noted->base - known->base) % (int64_t)known->inner)
    return false;
  int64_t period = (int64_t)noted->period;
  int64_t length = noted->count > 1 ? (int64_t)((noted->count - 1) * noted->inner) : 0;
  int64_t last = known->base + (int64_t)((known->count - 1) * known->inner);
  int64_t base = noted->base;
  if (period)
    base = known->base + ((base - known->base) % period + period) % period;
  bool again = period && (base - period + length >= known->base || base + period <= last);
  if (again || base < known->base || base + length > last || noted->count >= known->count)
    return false;
  NbOffsets start = nb_place_at(base);
  *noted = noted->count > 1 ? nb_place_index(start, noted->inner, noted->count) : start;
  return true;
}

NbSpread nb_places_spread(const NbPlaces *places, LLVMValueRef pointer) {
  NbOffsets known = nb_places_of(places, pointer);
  NbSpread spread = {.count = 0};
  bool open = !places->flat && !places->lost && !nb_place_is_exact(&known) &&
              LLVMIsAGetElementPtrInst(pointer);
  bool noted = open && places->notes && add_notes(places, pointer, &spread) &&
               is_seen_from_start(places, pointer);
  if (open && !noted) {
    spread.count = 0;
    noted = places->extents && add_path(places, pointer, &spread);
  }
  for (unsigned i = 0; i < spread.count; i++)
    noted &= is_better(&spread.items[i], &known) || cut_down(&spread.items[i], &known);
  if (!noted)
    spread = (NbSpread){.items = {known}, .count = 1};
  spread.noted = noted;
  return spread;
}

NbOffsets nb_places_noted(const NbPlaces *places, LLVMValueRef pointer) {
  NbSpread spread = nb_places_spread(places, pointer);
  return spread.count == 1 ? spread.items[0] : nb_places_of(places, pointer);
}
