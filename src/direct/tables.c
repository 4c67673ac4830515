// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A virtual call is of a class of the source: its object is of that class or of one derived from
 * it. Clang's glue has clang say so, as for optimisers at link time: of each table of virtual
 * functions it is said where in it the objects of which classes point, and each pointer to a table
 * is tested for that before a call. The tests would not outlive the pipeline, and stand in nobody's
 * way where their word is noted at the call. */
#include "direct/tables.h"

#include "base/names.h"
#include "objects/graph.h"

#include <string.h>

static unsigned kind_of(LLVMContextRef llvm, const char *name) {
  return LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name));
}

/* --- The calls. ------------------------------------------------------------------------------- */

static void note_call(LLVMValueRef call, LLVMValueRef class, LLVMValueRef slot) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(slot));
  LLVMMetadataRef parts[] = {LLVMValueAsMetadata(class), LLVMValueAsMetadata(slot)};
  LLVMValueRef node = LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, parts, 2));
  LLVMSetMetadata(call, kind_of(llvm, NB_CALLED_CLASS), node);
}

/* Notes it at the calls of what is loaded there. */
static void note_calls_of(LLVMValueRef loaded, LLVMValueRef class, LLVMValueRef slot) {
  for (LLVMUseRef use = LLVMGetFirstUse(loaded); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (nb_is_call(user) && LLVMGetCalledValue(user) == loaded)
      note_call(user, class, slot);
  }
}

static void note_loads(LLVMValueRef address, LLVMValueRef class, LLVMValueRef slot) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use))
    if (LLVMIsALoadInst(LLVMGetUser(use)))
      note_calls_of(LLVMGetUser(use), class, slot);
}

/* The constant number of bytes that a step leads away from where it starts. */
static LLVMValueRef step_of(LLVMTargetDataRef layout, LLVMValueRef step) {
  if (!LLVMIsAGetElementPtrInst(step) || LLVMGetNumOperands(step) != 2 ||
      !LLVMIsAConstantInt(LLVMGetOperand(step, 1)))
    return NULL;
  uint64_t size = LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(step));
  uint64_t count = (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(step, 1));
  LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(step)));
  return LLVMConstInt(type, size * count, true);
}

static void note_table(LLVMTargetDataRef layout, LLVMValueRef table, LLVMValueRef class) {
  LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(table)));
  note_loads(table, class, LLVMConstNull(type));
  for (LLVMUseRef use = LLVMGetFirstUse(table); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef step = LLVMGetUser(use), slot = step_of(layout, step);
    if (slot && LLVMGetOperand(step, 0) == table)
      note_loads(step, class, slot);
  }
}

/* Is it nothing but assumed that the test holds? */
static bool is_assumed(LLVMValueRef test) {
  bool assumed = true;
  for (LLVMUseRef use = LLVMGetFirstUse(test); use && assumed; use = LLVMGetNextUse(use)) {
    LLVMValueRef callee = nb_callee(LLVMGetUser(use));
    assumed = callee && LLVMGetIntrinsicID(callee) && !LLVMGetFirstUse(LLVMGetUser(use));
  }
  return assumed;
}

static void take_away(LLVMValueRef test) {
  while (LLVMGetFirstUse(test))
    LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(test)));
  LLVMInstructionEraseFromParent(test);
}

static bool note_tests(LLVMModuleRef module, LLVMValueRef tests, bool is_linked) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMUseRef use = LLVMGetFirstUse(tests), next = NULL;
  bool any = use != NULL;
  for (; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef test = LLVMGetUser(use);
    note_table(layout, LLVMGetOperand(test, 0), LLVMGetOperand(test, 1));
    if (!is_linked && is_assumed(test))
      take_away(test);
  }
  if (!LLVMGetFirstUse(tests))
    LLVMDeleteFunction(tests);
  return any;
}

bool nb_tables_note(LLVMModuleRef module, bool is_linked) {
  static const char *const names[] = {"llvm.type.test", "llvm.public.type.test"};
  bool any = false;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef tests = LLVMGetNamedFunction(module, names[i]);
    any |= tests && note_tests(module, tests, is_linked);
  }
  return any;
}

/* --- The tables. ------------------------------------------------------------------------------ */

static void add(NbTables *tables, LLVMValueRef table, LLVMMetadataRef said) {
  NbContext *context = tables->context;
  LLVMValueRef node = LLVMMetadataAsValue(context->llvm, said), parts[2];
  if (LLVMGetMDNodeNumOperands(node) != 2)
    return;
  LLVMGetMDNodeOperands(node, parts);
  NbList *list = parts[0] && parts[1] ? nb_map_get(tables->classes, parts[1]) : NULL;
  if (!parts[0] || !parts[1] || !LLVMIsAConstantInt(parts[0]))
    return;
  if (!list) {
    list = NB_NEW(context->arena, NbList);
    *list = nb_list(context->arena);
    nb_map_set(tables->classes, parts[1], list);
  }
  NbTableAddress *address = NB_NEW(context->arena, NbTableAddress);
  *address = (NbTableAddress){table, LLVMConstIntGetSExtValue(parts[0])};
  nb_list_push(list, address);
}

NbTables nb_tables_of(NbContext *context) {
  NbTables tables = {context, nb_map_new(context->arena)};
  const unsigned kind = kind_of(context->llvm, "type");
  for (LLVMValueRef global = LLVMGetFirstGlobal(context->module); global;
       global = LLVMGetNextGlobal(global)) {
    size_t count = 0;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    for (unsigned i = 0; i < count; i++)
      if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
        add(&tables, global, LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
  }
  return tables;
}

const NbList *nb_tables_of_call(const NbTables *tables, LLVMValueRef call, int64_t *slot) {
  LLVMValueRef note = LLVMGetMetadata(call, kind_of(tables->context->llvm, NB_CALLED_CLASS)),
               parts[2];
  if (!note || LLVMGetMDNodeNumOperands(note) != 2)
    return NULL;
  LLVMGetMDNodeOperands(note, parts);
  if (!parts[1] || !LLVMIsAConstantInt(parts[1]))
    return NULL;
  *slot = LLVMConstIntGetSExtValue(parts[1]);
  return nb_map_get(tables->classes, parts[0]);
}
