// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Shadows of globals, and of constants that are computed from their addresses. */
#include "linear/globals.h"

#include "request/registrations.h"

#include <string.h>

#define SHADOW_PREFIX "nabla.shadow."

static LLVMValueRef shadow_of(NbContext *context, NbDirection direction, LLVMValueRef constant);

static LLVMValueRef shadow_of_parts(NbContext *context, NbDirection direction,
                                    LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  bool structure = LLVMIsAConstantStruct(constant) != NULL;
  bool vector = LLVMIsAConstantVector(constant) != NULL;
  if (!structure && !vector && !LLVMIsAConstantArray(constant))
    return LLVMConstNull(type);
  unsigned count = (unsigned)LLVMGetNumOperands(constant);
  LLVMValueRef *parts = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    parts[i] = shadow_of(context, direction, LLVMGetOperand(constant, i));
  if (vector)
    return LLVMConstVector(parts, count);
  return structure ? LLVMConstNamedStruct(type, parts, count)
                   : LLVMConstArray2(LLVMGetElementType(type), parts, count);
}

static NbList *lanes_at(NbContext *context, unsigned depth) {
  context->shadow_globals.arena = context->arena;
  while (context->shadow_globals.count <= depth) {
    NbList *lanes = NB_NEW(context->arena, NbList);
    *lanes = nb_list(context->arena);
    nb_list_push(&context->shadow_globals, lanes);
  }
  return context->shadow_globals.items[depth];
}

/* The shadows made at a depth for one direction, by global. */
static NbMap *made_at(NbContext *context, NbDirection direction) {
  NbList *lanes = lanes_at(context, direction.depth);
  while (lanes->count <= direction.lane)
    nb_list_push(lanes, nb_map_new(context->arena));
  return lanes->items[direction.lane];
}

static LLVMValueRef new_global(NbContext *context, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  const char *name = nb_arena_print(context->arena, SHADOW_PREFIX "%s", nb_name(global));
  LLVMValueRef shadow = LLVMAddGlobal(context->module, type, name);
  LLVMSetLinkage(shadow, LLVMInternalLinkage);
  LLVMSetAlignment(shadow, LLVMGetAlignment(global));
  LLVMSetInitializer(shadow, LLVMConstNull(type));
  return shadow;
}

static LLVMValueRef make_shadow(NbContext *context, NbDirection direction, LLVMValueRef global) {
  LLVMValueRef shadow = new_global(context, global);
  nb_map_set(made_at(context, direction), global, shadow);
  if (LLVMIsGlobalConstant(global))
    LLVMSetInitializer(shadow, shadow_of(context, direction, LLVMGetInitializer(global)));
  return shadow;
}

/* The user's shadow is as many of the global's type as there are directions, one after the other.
 */
static LLVMValueRef declared_at(NbContext *context, NbDirection direction, LLVMValueRef global,
                                LLVMValueRef declared) {
  if (!direction.lane)
    return declared;
  uint64_t bytes = LLVMABISizeOfType(context->layout, LLVMGlobalGetValueType(global));
  LLVMValueRef offset =
      LLVMConstInt(LLVMInt64TypeInContext(context->llvm), bytes * direction.lane, false);
  return LLVMConstGEP2(LLVMInt8TypeInContext(context->llvm), declared, &offset, 1);
}

/* Constants without pointers, and what is declared inactive, have none: they are their own. */
static bool has_own(const NbContext *context, LLVMValueRef global) {
  return !nb_map_has(context->inactive_globals, global) && !LLVMIsDeclaration(global) &&
         !nb_constant_is_plain(global, NB_CONSTANT_DEPTH);
}

static bool any_is_of_user(const NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    const NbCustom *custom = nb_map_get(context->custom, nb_map_key(context->custom, i));
    if (!custom->of_model)
      return true;
  }
  return false;
}

/* Functions of the user's read and add to the shadows that they are given: may numbers of constants
 * be handed to one? */
static bool is_handed(const NbContext *context, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  return LLVMIsGlobalConstant(global) && !nb_map_has(context->inactive_globals, global) &&
         nb_type_has_float(type) && !nb_type_has_pointer(type) && LLVMTypeIsSized(type) &&
         LLVMABISizeOfType(context->layout, type) && any_is_of_user(context);
}

/* Zeros for forward mode, which only reads them, and for reverse mode what nobody reads. */
static LLVMValueRef standin_of(NbContext *context, NbDirection direction, LLVMValueRef global) {
  NbMap **standins = direction.forward ? &context->zeros : &context->sinks;
  *standins = *standins ? *standins : nb_map_new(context->arena);
  LLVMValueRef known = nb_map_get(*standins, global);
  if (known)
    return known;
  LLVMValueRef standin = new_global(context, global);
  LLVMSetGlobalConstant(standin, direction.forward);
  nb_map_set(*standins, global, standin);
  return standin;
}

static LLVMValueRef shadow_of_global(NbContext *context, NbDirection direction,
                                     LLVMValueRef global) {
  LLVMValueRef declared = nb_map_get(context->declared_shadows, global);
  LLVMValueRef known = declared ? declared_at(context, direction, global, declared)
                                : nb_map_get(made_at(context, direction), global);
  if (known)
    return known;
  if (has_own(context, global))
    return make_shadow(context, direction, global);
  return is_handed(context, global) ? standin_of(context, direction, global) : global;
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

static LLVMValueRef shadow_of(NbContext *context, NbDirection direction, LLVMValueRef constant) {
  LLVMValueRef shadow = nb_shadow_constant(context, direction, constant, NULL);
  return shadow ? shadow : constant;
}

LLVMValueRef nb_shadow_constant(NbContext *context, NbDirection direction, LLVMValueRef constant,
                                const NbActivity *activity) {
  if (LLVMGetTypeKind(LLVMTypeOf(constant)) != LLVMPointerTypeKind)
    return shadow_of_parts(context, direction, constant);
  if (LLVMIsAGlobalAlias(constant))
    return nb_shadow_constant(context, direction, LLVMAliasGetAliasee(constant), activity);
  if (LLVMIsAGlobalVariable(constant)) {
    bool plain = activity && !LLVMIsGlobalConstant(constant);
    bool own = plain && !nb_activity_global(activity, constant);
    return own ? constant : shadow_of_global(context, direction, constant);
  }
  if (!LLVMIsAConstantExpr(constant) || LLVMGetConstOpcode(constant) != LLVMGetElementPtr)
    return LLVMIsAConstantExpr(constant) ? NULL : constant;
  LLVMValueRef base = LLVMGetOperand(constant, 0);
  LLVMValueRef shadow = nb_shadow_constant(context, direction, base, activity);
  if (!shadow || shadow == base)
    return shadow ? constant : NULL;
  return shadow_of_offset(constant, shadow);
}

static bool any_is_among(const NbList *lanes, const NbMap *globals) {
  for (unsigned lane = 0; lane < lanes->count; lane++) {
    const NbMap *made = lanes->items[lane];
    for (unsigned i = 0; i < nb_map_count(made); i++)
      if (nb_map_has(globals, nb_map_get(made, nb_map_key(made, i))))
        return true;
  }
  return false;
}

unsigned nb_shadow_depth(NbContext *context, LLVMValueRef function) {
  const NbMap *globals = nb_summary_of(context, function)->globals;
  unsigned depth = context->shadow_globals.count;
  while (depth && !any_is_among(context->shadow_globals.items[depth - 1], globals))
    depth--;
  return depth;
}

static void clear_lane(NbContext *context, LLVMBuilderRef builder, const NbMap *globals,
                       const NbMap *made) {
  for (unsigned i = 0; i < nb_map_count(made); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(made, i);
    if (LLVMIsGlobalConstant(global) || !nb_map_has(globals, global))
      continue;
    LLVMValueRef shadow = nb_map_get(made, global);
    uint64_t bytes = LLVMABISizeOfType(context->layout, LLVMGlobalGetValueType(global));
    LLVMBuildMemSet(builder, shadow, LLVMConstNull(LLVMInt8TypeInContext(context->llvm)),
                    LLVMConstInt(LLVMInt64TypeInContext(context->llvm), bytes, false),
                    LLVMGetAlignment(shadow));
  }
}

void nb_shadow_globals_clear(NbContext *context, LLVMBuilderRef builder, const NbRequest *request) {
  const NbMap *globals = nb_summary_of(context, request->function)->globals;
  for (unsigned lane = 0; lane < request->width; lane++)
    clear_lane(context, builder, globals,
               made_at(context, (NbDirection){.depth = request->depth, .lane = lane}));
}
