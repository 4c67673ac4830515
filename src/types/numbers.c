// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers and pointers that are such although floats lie at their offset in other objects of their
 * class: the count of elements in the head of a list lies where its elements have their values, and
 * a pointer to one may be a pointer to the other.
 *
 * C and C++ promise that a member of one type is not accessed as another. What breaks that promise
 * on purpose is a copy of bytes or a union, and is seen: such accesses speak against it. */
#include "objects/characters.h"
#include "types/facts.h"
#include "types/slots.h"

enum { MOST_OFFSETS = 64 };

/* The type of the scalar at the offset, NULL where that is not declared: in unions, or between
 * members. */
static LLVMTypeRef type_at(NbContext *context, LLVMTypeRef type, uint64_t offset) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  while (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
    if (offset >= LLVMABISizeOfType(context->layout, type))
      return NULL;
    if (kind == LLVMStructTypeKind) {
      if (!nb_is_declared_struct(type))
        return NULL;
      unsigned member = LLVMElementAtOffset(context->layout, type, offset);
      offset -= LLVMOffsetOfElement(context->layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
    } else {
      type = LLVMGetElementType(type);
      offset %= LLVMABISizeOfType(context->layout, type);
    }
    kind = LLVMGetTypeKind(type);
  }
  return offset ? NULL : type;
}

LLVMValueRef nb_object_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

static LLVMValueRef pointer_of(LLVMValueRef access) {
  return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static LLVMTypeRef type_of(LLVMValueRef access) {
  return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

/* Is nothing declared at the bytes? */
static bool is_padding(NbContext *context, LLVMTypeRef type, uint64_t offset, uint64_t size) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (offset >= LLVMABISizeOfType(context->layout, type))
    return false;
  if (kind == LLVMArrayTypeKind) {
    LLVMTypeRef element = LLVMGetElementType(type);
    uint64_t stride = LLVMABISizeOfType(context->layout, element);
    return stride && is_padding(context, element, offset % stride, size);
  }
  if (kind != LLVMStructTypeKind || !nb_is_declared_struct(type))
    return false;
  unsigned member = LLVMElementAtOffset(context->layout, type, offset);
  uint64_t within = offset - LLVMOffsetOfElement(context->layout, type, member);
  LLVMTypeRef inner = LLVMStructGetTypeAtIndex(type, member);
  if (within < LLVMABISizeOfType(context->layout, inner))
    return is_padding(context, inner, within, size);
  bool last = member + 1 == LLVMCountStructElementTypes(type);
  uint64_t end = last ? LLVMABISizeOfType(context->layout, type)
                      : LLVMOffsetOfElement(context->layout, type, member + 1);
  return offset + size <= end;
}

/* Is a scalar of the type declared at the offset, or padding as wide as it, or an integer with the
 * padding behind it? Structs are copied in such pieces. */
static bool declares(NbContext *context, LLVMTypeRef whole, uint64_t offset, LLVMTypeRef type) {
  uint64_t width = nb_store_size(context, type);
  LLVMTypeRef scalar = type_at(context, whole, offset);
  if (scalar == type || is_padding(context, whole, offset, width))
    return true;
  if (!scalar || LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind)
    return false;
  uint64_t filled = nb_store_size(context, scalar);
  return filled < width && is_padding(context, whole, offset + filled, width - filled);
}

/* Is that so at all offsets of the place in a variable of type `whole`? */
static bool declares_all(NbContext *context, LLVMTypeRef whole, const NbOffsets *place,
                         LLVMTypeRef type) {
  uint64_t size = LLVMABISizeOfType(context->layout, whole);
  uint64_t period = place->period ? place->period : size;
  unsigned left = MOST_OFFSETS;
  for (uint64_t k = 0; k < place->count; k++) {
    int64_t base = nb_place_element(place, k).base;
    uint64_t first = place->period && base >= 0 ? (uint64_t)base % period : (uint64_t)base;
    for (uint64_t offset = first; base >= 0 && offset < size; offset += period)
      if (!left-- || !declares(context, whole, offset, type))
        return false;
    if (base < 0 || (uint64_t)base >= size)
      return false;
  }
  return true;
}

/* Some bytes that are accessed, or a part of them. */
typedef struct Bytes {
  LLVMValueRef pointer;
  int64_t offset;
  LLVMTypeRef type;
} Bytes;

/* Are they a member of a local variable, by its declaration? */
static bool is_declared_member(NbTypes *types, const Bytes *bytes) {
  LLVMValueRef object = nb_object_of(bytes->pointer);
  NbOffsets place = nb_places_of(types->places, bytes->pointer);
  if (!LLVMIsAAllocaInst(object))
    return false;
  NbOffsets start = nb_places_of(types->places, object);
  place = nb_place_shift(place, bytes->offset - start.base);
  return nb_place_is_exact(&start) &&
         declares_all(types->context, LLVMGetAllocatedType(object), &place, bytes->type);
}

NbIndirect nb_indirection_of(const NbTypes *types, LLVMValueRef access, bool told) {
  LLVMValueRef object = nb_object_of(pointer_of(access));
  if (LLVMIsAAllocaInst(object) || LLVMIsAGlobalVariable(object))
    return NB_DIRECT;
  bool untold = !told && nb_access_is_unoptimised(types->context, access);
  return told ? NB_INDIRECT : untold ? NB_INDIRECT_UNTOLD : NB_DIRECT;
}

/* Is that variable a struct, or an array of structs? */
static bool is_of_struct(LLVMValueRef pointer) {
  LLVMValueRef object = nb_object_of(pointer);
  LLVMTypeRef type = LLVMIsAAllocaInst(object) ? LLVMGetAllocatedType(object) : NULL;
  while (type && LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return type && LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

/* What a callee stores into a variable may be the bytes of a float, also in an integer, for memcpy
 * moves them; but where a tag says their type, that is the variable's. Code that was not optimised
 * has no tags: there, memory that is linked with others is of one class with them, and what is
 * stored is theirs. */
bool nb_facts_speak_against(const NbFacts *facts, const NbOffsets *place, uint64_t size,
                            NbPromise promise) {
  bool typed = promise.typed && !facts->filled;
  bool other = promise.tagged || promise.declared || promise.noted;
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool real = fact->kind == NB_KIND_FLOAT || fact->kind == NB_KIND_CONFLICT;
    bool harmless = (promise.tagged && fact->tagged) || (typed && fact->typed) ||
                    (promise.declared && fact->indirect == NB_INDIRECT) ||
                    (promise.linked && fact->indirect == NB_INDIRECT_UNTOLD) ||
                    ((promise.declared || promise.noted) && nb_fact_is_beyond(fact));
    if (real && !fact->declared && !harmless &&
        nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return facts->full || (promise.typed && !typed && !other);
}

/* What is accessed, and what is promised of it. */
typedef struct Promised {
  NbPromise promise;
  Bytes bytes;
} Promised;

static bool is_punned(NbTypes *types, LLVMValueRef pointer, const void *user) {
  const Promised *promised = user;
  NbOffsets place = nb_place_shift(nb_places_of(types->places, pointer), promised->bytes.offset);
  uint64_t size = nb_store_size(types->context, promised->bytes.type);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  return nb_facts_speak_against(facts, &place, size, promised->promise);
}

static bool is_any(const NbPromise *promise) {
  return promise->tagged || promise->typed || promise->declared || promise->noted;
}

static bool is_kept(NbTypes *types, const Promised *promised) {
  LLVMValueRef at = promised->bytes.pointer;
  if (!is_any(&promised->promise))
    return false;
  return !is_punned(types, at, promised) || !nb_types_any_member(types, at, is_punned, promised);
}

/* Is it an integer or a pointer that is moved alone, and no struct's member? Programs copy and
 * exchange what has any type in words. */
static bool is_moved_word(LLVMValueRef access) {
  LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
  return !LLVMIsAConstant(value) && nb_value_is_moved(value) &&
         !nb_access_is_field(access, pointer_of(access));
}

/* Were bytes copied there of which others may know what they are? */
static bool is_filled(NbTypes *types, LLVMValueRef pointer) {
  return nb_facts_of(types, nb_value_class(types->objects, pointer))->filled;
}

/* What speaks for it that the access is one of such a thing. */
static Promised promised_of(NbTypes *types, LLVMValueRef access, NbKind kind) {
  LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
  Bytes bytes = {pointer_of(access), 0, type_of(access)};
  NbPromise promise = {0};
  const char *name = nb_tbaa_name(access);
  bool moved = is_moved_word(access) && !(name && nb_tbaa_is_class_pointer(name));
  promise.tagged = name && nb_facts_of_access(access) == kind && !moved;
  promise.typed = nb_access_is_typed(access) && !moved;
  bool pointer = kind == NB_KIND_POINTER && nb_access_is_of_pointer(access);
  bool bits = moved || nb_access_is_word(access) || nb_value_passes(value);
  bool open = bits && kind == NB_KIND_INTEGER && is_filled(types, bytes.pointer);
  promise.declared = pointer || (!open && is_declared_member(types, &bytes));
  promise.linked = promise.declared && (kind == NB_KIND_POINTER || is_of_struct(bytes.pointer));
  promise.noted = kind == NB_KIND_INTEGER && nb_access_is_noted(access) && !moved;
  return (Promised){promise, bytes};
}

static bool is_declared(NbTypes *types, LLVMValueRef access, NbKind kind) {
  LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
  if (nb_access_is_slot(access))
    return true;
  if (nb_value_is_bits(value) && !nb_access_is_field(access, pointer_of(access)))
    return false;
  Promised promised = promised_of(types, access, kind);
  return is_kept(types, &promised);
}

/* Does an access of a walk through characters find a float among these? */
static bool finds_float(NbTypes *types, LLVMValueRef pointer, const void *access) {
  NbOffsets places[NB_MOST_WALKS];
  unsigned count = nb_characters_places(types->places, (LLVMValueRef)access, places);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < count; i++)
    if (nb_facts_speak_against(facts, &places[i], 1, (NbPromise){.noted = true}))
      return true;
  return !count;
}

static bool is_character(NbTypes *types, LLVMValueRef access) {
  LLVMValueRef pointer = pointer_of(access);
  return !is_moved_word(access) && (!finds_float(types, pointer, access) ||
                                    !nb_types_any_member(types, pointer, finds_float, access));
}

bool nb_types_declared_number(NbTypes *types, LLVMValueRef access) {
  bool known = LLVMIsALoadInst(access) || LLVMIsAStoreInst(access);
  if (!known || LLVMGetTypeKind(type_of(access)) != LLVMIntegerTypeKind)
    return false;
  return is_declared(types, access, NB_KIND_INTEGER) || is_character(types, access);
}

/* Do those of the facts that are so long speak against it? */
static bool speak_as_long(const NbFacts *facts, const NbOffsets *place, uint64_t size,
                          NbPromise promise) {
  NbFacts same = {.filled = facts->filled};
  for (unsigned i = 0; i < facts->count; i++) {
    NbFact fact = facts->items[i];
    same.items = &fact;
    same.count = 1;
    if (fact.size == size && nb_facts_speak_against(&same, place, size, promise))
      return true;
  }
  return false;
}

/* Is there a float that is as long, or one in each half, wherever others lie? */
static bool is_as_long(NbTypes *types, LLVMValueRef pointer, const void *user) {
  const Promised *promised = user;
  NbOffsets place = nb_places_of(types->places, pointer);
  uint64_t size = nb_store_size(types->context, promised->bytes.type);
  NbOffsets upper = nb_place_shift(place, (int64_t)(size / 2));
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  return speak_as_long(facts, &place, size, promised->promise) ||
         (size >= sizeof(double) && speak_as_long(facts, &place, size / 2, promised->promise) &&
          speak_as_long(facts, &upper, size / 2, promised->promise));
}

/* Is it memory that the function allocates for itself? */
static bool is_own_heap(const NbTypes *types, LLVMValueRef pointer) {
  const unsigned others = NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_GLOBAL;
  const NbClass *class = nb_class_find(nb_value_class(types->objects, pointer));
  return (class->flags & NB_CLASS_HEAP) && !(class->flags & others) && !class->parameters;
}

bool nb_types_breaks_promise(NbTypes *types, LLVMValueRef access) {
  if (LLVMGetTypeKind(type_of(access)) != LLVMIntegerTypeKind || nb_access_is_slot(access))
    return false;
  Promised promised = promised_of(types, access, NB_KIND_INTEGER);
  LLVMValueRef at = promised.bytes.pointer;
  bool told = promised.promise.declared || (promised.promise.tagged && is_own_heap(types, at));
  bool wide = nb_store_size(types->context, promised.bytes.type) >= sizeof(double);
  return told && (wide || !nb_access_is_unoptimised(types->context, access)) &&
         is_as_long(types, at, &promised) && nb_types_any_member(types, at, is_as_long, &promised);
}

static bool is_declared_number(const void *types, LLVMValueRef load) {
  return nb_types_declared_number((NbTypes *)types, load);
}

bool nb_types_made_of_numbers(NbTypes *types, LLVMValueRef value) {
  return nb_integer_made_of_numbers(value, is_declared_number, types);
}

bool nb_types_declared_integer_at(NbTypes *types, LLVMValueRef pointer, int64_t offset,
                                  LLVMTypeRef type) {
  Bytes bytes = {pointer, offset, type};
  NbPromise promise = {.declared = is_declared_member(types, &bytes)};
  promise.linked = promise.declared && is_of_struct(pointer);
  return is_kept(types, &(Promised){promise, bytes});
}

bool nb_types_declared_pointer(NbTypes *types, LLVMValueRef access) {
  return LLVMGetTypeKind(type_of(access)) == LLVMPointerTypeKind &&
         is_declared(types, access, NB_KIND_POINTER);
}
