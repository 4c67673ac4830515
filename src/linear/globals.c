// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Shadows of globals, and of constants that are computed from their addresses. */
#include "linear/globals.h"

#include <string.h>

#define SHADOW_PREFIX "nabla.shadow."

static LLVMValueRef shadow_of(NbContext *context, LLVMValueRef constant);

static LLVMValueRef shadow_of_parts(NbContext *context, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  bool structure = LLVMIsAConstantStruct(constant) != NULL;
  if (!structure && !LLVMIsAConstantArray(constant))
    return LLVMConstNull(type);
  unsigned count = (unsigned)LLVMGetNumOperands(constant);
  LLVMValueRef *parts = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    parts[i] = shadow_of(context, LLVMGetOperand(constant, i));
  return structure ? LLVMConstNamedStruct(type, parts, count)
                   : LLVMConstArray2(LLVMGetElementType(type), parts, count);
}

static LLVMValueRef make_shadow(NbContext *context, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  const char *name = nb_arena_print(context->arena, SHADOW_PREFIX "%s", nb_name(global));
  LLVMValueRef shadow = LLVMAddGlobal(context->module, type, name);
  nb_map_set(context->shadow_globals, global, shadow);
  LLVMSetLinkage(shadow, LLVMInternalLinkage);
  LLVMSetAlignment(shadow, LLVMGetAlignment(global));
  LLVMSetInitializer(shadow, LLVMConstNull(type));
  if (LLVMIsGlobalConstant(global))
    LLVMSetInitializer(shadow, shadow_of(context, LLVMGetInitializer(global)));
  return shadow;
}

/* Constants without pointers, and what is declared inactive, have none: they are their own. */
static LLVMValueRef shadow_of_global(NbContext *context, LLVMValueRef global) {
  LLVMValueRef declared = nb_map_get(context->declared_shadows, global);
  LLVMValueRef known = declared ? declared : nb_map_get(context->shadow_globals, global);
  if (known)
    return known;
  bool plain = LLVMIsGlobalConstant(global) && !nb_type_has_pointer(LLVMGlobalGetValueType(global));
  bool inactive = nb_map_has(context->inactive_globals, global);
  if (plain || inactive || LLVMIsDeclaration(global))
    return global;
  return make_shadow(context, global);
}

static LLVMValueRef shadow_of_offset(LLVMValueRef constant, LLVMValueRef base) {
  unsigned count = (unsigned)LLVMGetNumOperands(constant) - 1;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(constant);
  enum { MOST = 16 };
  LLVMValueRef indices[MOST];
  if (count > MOST)
    return NULL;
  for (unsigned i = 0; i < count; i++)
    indices[i] = LLVMGetOperand(constant, i + 1);
  return LLVMConstGEP2(type, base, indices, count);
}

static LLVMValueRef shadow_of(NbContext *context, LLVMValueRef constant) {
  LLVMValueRef shadow = nb_shadow_constant(constant, NULL, context);
  return shadow ? shadow : constant;
}

LLVMValueRef nb_shadow_constant(LLVMValueRef constant, const NbActivity *activity,
                                NbContext *context) {
  if (LLVMGetTypeKind(LLVMTypeOf(constant)) != LLVMPointerTypeKind)
    return shadow_of_parts(context, constant);
  if (LLVMIsAGlobalAlias(constant))
    return nb_shadow_constant(LLVMAliasGetAliasee(constant), activity, context);
  if (LLVMIsAGlobalVariable(constant)) {
    bool plain = activity && !LLVMIsGlobalConstant(constant);
    return plain && !nb_activity_global(activity, constant) ? constant
                                                            : shadow_of_global(context, constant);
  }
  if (!LLVMIsAConstantExpr(constant) || LLVMGetConstOpcode(constant) != LLVMGetElementPtr)
    return LLVMIsAConstantExpr(constant) ? NULL : constant;
  LLVMValueRef base = LLVMGetOperand(constant, 0);
  LLVMValueRef shadow = nb_shadow_constant(base, activity, context);
  if (!shadow || shadow == base)
    return shadow ? constant : NULL;
  return shadow_of_offset(constant, shadow);
}

void nb_shadow_globals_clear(NbContext *context, LLVMBuilderRef builder, LLVMValueRef function) {
  const NbMap *globals = nb_summary_of(context, function)->globals;
  for (unsigned i = 0; i < nb_map_count(context->shadow_globals); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(context->shadow_globals, i);
    if (LLVMIsGlobalConstant(global) || !nb_map_has(globals, global))
      continue;
    LLVMValueRef shadow = nb_map_get(context->shadow_globals, global);
    uint64_t bytes = LLVMABISizeOfType(context->layout, LLVMGlobalGetValueType(global));
    LLVMBuildMemSet(builder, shadow, LLVMConstNull(LLVMInt8TypeInContext(context->llvm)),
                    LLVMConstInt(LLVMInt64TypeInContext(context->llvm), bytes, false),
                    LLVMGetAlignment(shadow));
  }
}
