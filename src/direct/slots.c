// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A virtual call takes the function that lies a constant number of bytes behind the pointer to a
 * table that its object holds. Objects of many classes are one class of memory soon, with the
 * functions of all entries of their tables. But nothing is computed from the pointers to tables
 * that objects hold, which TBAA tells from others: they are addresses that stand in the module as
 * constants, and the function lies as far behind one of these. Of which class the call is, and so
 * which tables they are, its note may tell (direct/tables.h). */
#include "direct/slots.h"

#include "direct/tables.h"
#include "objects/path.h"
#include "request/collected.h"

#include <string.h>

struct NbSlots {
  NbContext *context;
  NbTables tables;
  NbList addresses; /* NbTableAddress: the constants of the module that lead into tables */
  NbMap *seen;      /* constants that were looked at */
};

enum { NESTING = 8, MOST_ENTRIES = 256, POINTER_BITS = 64 };

/* --- Constants. ------------------------------------------------------------------------------- */

static bool is_table(LLVMValueRef value) {
  return LLVMIsAGlobalVariable(value) && LLVMIsGlobalConstant(value) && !LLVMIsDeclaration(value) &&
         LLVMGetInitializer(value);
}

static void add_address(NbSlots *slots, LLVMValueRef table, int64_t offset) {
  if (!is_table(table))
    return;
  NbTableAddress *address = NB_NEW(slots->context->arena, NbTableAddress);
  *address = (NbTableAddress){.table = table, .offset = offset};
  nb_list_push(&slots->addresses, address);
}

static void look_at(NbSlots *slots, LLVMValueRef constant, unsigned depth) {
  if (!LLVMIsAConstant(constant) || LLVMIsAFunction(constant) || nb_map_has(slots->seen, constant))
    return;
  nb_map_set(slots->seen, constant, constant);
  if (LLVMIsAGlobalVariable(constant)) {
    add_address(slots, constant, 0);
    return;
  }
  int64_t offset = 0;
  if (nb_constant_offset(slots->context->module, constant, &offset)) {
    add_address(slots, LLVMGetOperand(constant, 0), offset);
    return;
  }
  int count = depth ? LLVMGetNumOperands(constant) : 0;
  for (int i = 0; i < count; i++)
    look_at(slots, LLVMGetOperand(constant, (unsigned)i), depth - 1);
}

static void look_into(NbSlots *slots, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    for (int i = 0; i < LLVMGetNumOperands(at); i++)
      look_at(slots, LLVMGetOperand(at, (unsigned)i), NESTING);
}

NbSlots *nb_slots_new(NbContext *context) {
  NbSlots *slots = NB_NEW(context->arena, NbSlots);
  *slots = (NbSlots){.context = context,
                     .tables = nb_tables_of(context),
                     .addresses = nb_list(context->arena),
                     .seen = nb_map_new(context->arena)};
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      look_into(slots, function);
  for (LLVMValueRef global = LLVMGetFirstGlobal(context->module); global;
       global = LLVMGetNextGlobal(global))
    if (!LLVMIsDeclaration(global) && LLVMGetInitializer(global))
      look_at(slots, LLVMGetInitializer(global), NESTING);
  return slots;
}

/* --- Entries. --------------------------------------------------------------------------------- */

/* The member of an aggregate in which the offset lies, which then counts from its start. */
static LLVMValueRef member_at(const NbSlots *slots, LLVMValueRef constant, uint64_t *offset) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  LLVMTargetDataRef layout = slots->context->layout;
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    unsigned index = LLVMElementAtOffset(layout, type, *offset);
    *offset -= LLVMOffsetOfElement(layout, type, index);
    return LLVMGetAggregateElement(constant, index);
  }
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
    return NULL;
  uint64_t size = LLVMABISizeOfType(layout, LLVMGetElementType(type));
  unsigned index = size ? (unsigned)(*offset / size) : 0;
  *offset -= index * size;
  return LLVMGetAggregateElement(constant, index);
}

/* The pointer that an integer is made of, as those to member functions are. */
static LLVMValueRef pointer_in(LLVMValueRef constant) {
  bool made = LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == LLVMPtrToInt;
  return made ? LLVMGetOperand(constant, 0) : NULL;
}

/* The pointer that lies at the offset in a table; NULL where none does. */
static LLVMValueRef entry_at(const NbSlots *slots, LLVMValueRef table, int64_t offset) {
  LLVMValueRef constant = LLVMGetInitializer(table);
  uint64_t rest = (uint64_t)offset;
  if (offset < 0 || rest >= LLVMABISizeOfType(slots->context->layout, LLVMTypeOf(constant)))
    return NULL;
  while (constant && LLVMGetTypeKind(LLVMTypeOf(constant)) != LLVMPointerTypeKind)
    constant = LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMIntegerTypeKind
                   ? pointer_in(constant)
                   : member_at(slots, constant, &rest);
  return rest == 0 ? constant : NULL;
}

static void add_once(NbList *functions, LLVMValueRef function) {
  for (unsigned i = 0; i < functions->count; i++)
    if (functions->items[i] == function)
      return;
  nb_list_push(functions, function);
}

static bool leads_to_table(LLVMValueRef value) {
  const char *name = LLVMIsALoadInst(value) ? nb_tbaa_name(value) : NULL;
  return name && strcmp(name, "vtable pointer") == 0;
}

static void add_entry(const NbSlots *slots, const NbTableAddress *address, int64_t offset,
                      NbList *functions) {
  LLVMValueRef entry = entry_at(slots, address->table, address->offset + offset);
  LLVMValueRef function = entry ? nb_resolve_function(slots->context, entry) : NULL;
  if (function)
    add_once(functions, function);
}

bool nb_slots_find(const NbSlots *slots, LLVMValueRef pointer, NbList *functions) {
  if (!LLVMIsALoadInst(pointer))
    return false;
  NbPath path = nb_path_of(slots->context, LLVMGetOperand(pointer, 0));
  if (path.failed || path.count || !leads_to_table(path.root))
    return false;
  for (unsigned i = 0; i < slots->addresses.count; i++)
    add_entry(slots, slots->addresses.items[i], path.offset, functions);
  return true;
}

bool nb_slots_find_of_class(const NbSlots *slots, LLVMValueRef call, NbList *functions) {
  int64_t slot = 0;
  const NbList *addresses = nb_tables_of_call(&slots->tables, call, &slot);
  for (unsigned i = 0; addresses && i < addresses->count; i++) {
    const NbTableAddress *address = addresses->items[i];
    if (is_table(address->table))
      add_entry(slots, address, slot, functions);
  }
  return addresses != NULL;
}

/* Is it a table that no other file has in another form? */
static bool is_final(LLVMValueRef value) {
  if (!is_table(value))
    return false;
  LLVMLinkage linkage = LLVMGetLinkage(value);
  return linkage != LLVMWeakAnyLinkage && linkage != LLVMLinkOnceAnyLinkage;
}

/* Every so many bytes the indices of the path may lead to; 0: there are none. */
static uint64_t step_of(const NbPath *path) {
  uint64_t step = 0;
  for (unsigned i = 0; i < path->count; i++)
    step = nb_gcd(step, path->pairs[2 * i]);
  return step;
}

static void add_place(const NbSlots *slots, LLVMValueRef table, int64_t offset, NbList *addresses) {
  NbTableAddress *address = NB_NEW(slots->context->arena, NbTableAddress);
  *address = (NbTableAddress){.table = table, .offset = offset};
  nb_list_push(addresses, address);
}

/* Adds the places in the table that the path may lead to: none lies outside of it. */
static bool add_places(const NbSlots *slots, const NbPath *path, NbList *addresses) {
  if (!path->count) {
    add_place(slots, path->root, path->offset, addresses);
    return true;
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(path->root);
  int64_t size = (int64_t)LLVMABISizeOfType(slots->context->layout, type);
  int64_t step = (int64_t)step_of(path);
  if (step <= 0 || size / step > MOST_ENTRIES)
    return false;
  for (int64_t offset = (path->offset % step + step) % step; offset < size; offset += step)
    add_place(slots, path->root, offset, addresses);
  return true;
}

/* Adds the constant that the pointer leads to, or those of which it is chosen. */
static bool add_chosen(const NbSlots *slots, LLVMValueRef pointer, NbMap *seen, NbList *addresses) {
  NbPath path = nb_path_of(slots->context, pointer);
  bool chosen = LLVMIsAPHINode(path.root) || LLVMIsASelectInst(path.root);
  if (path.failed || (chosen && (path.offset || path.count)) || !(chosen || is_final(path.root)))
    return false;
  if (!chosen)
    return add_places(slots, &path, addresses);
  if (nb_map_has(seen, path.root))
    return true;
  nb_map_set(seen, path.root, path.root);
  int first = LLVMIsASelectInst(path.root) ? 1 : 0;
  for (int i = first; i < LLVMGetNumOperands(path.root); i++) {
    if (!add_chosen(slots, LLVMGetOperand(path.root, (unsigned)i), seen, addresses))
      return false;
  }
  return true;
}

/* The load that gives the pointer, or the integer that it is made of; NULL where none does. */
static LLVMValueRef load_of(LLVMValueRef pointer) {
  LLVMValueRef made = LLVMIsAIntToPtrInst(pointer) ? LLVMGetOperand(pointer, 0) : pointer;
  bool word = LLVMGetTypeKind(LLVMTypeOf(made)) == LLVMPointerTypeKind ||
              LLVMGetIntTypeWidth(LLVMTypeOf(made)) == POINTER_BITS;
  return LLVMIsALoadInst(made) && word ? made : NULL;
}

bool nb_slots_find_chosen(const NbSlots *slots, LLVMValueRef pointer, NbList *functions) {
  LLVMValueRef load = load_of(pointer);
  if (!load)
    return false;
  NbArena *arena = slots->context->arena;
  NbPath path = nb_path_of(slots->context, LLVMGetOperand(load, 0));
  bool indexed = path.count != 0;
  NbList addresses = nb_list(arena);
  if (path.failed || (indexed && !is_final(path.root)) ||
      !add_chosen(slots, indexed ? LLVMGetOperand(load, 0) : path.root, nb_map_new(arena),
                  &addresses))
    return false;
  for (unsigned i = 0; i < addresses.count; i++)
    add_entry(slots, addresses.items[i], indexed ? 0 : path.offset, functions);
  return true;
}
