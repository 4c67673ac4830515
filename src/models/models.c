// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/models.h"

#include "bridge/body.h"
#include "models/derived.h"
#include "models/lengths.h"
#include "models/signatures.h"
#include "request/registrations.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* The models as bitcode, and the names of the library's functions in it, made when nabla is
 * built. */
extern const unsigned char nb_models_bitcode[];
extern const size_t nb_models_bitcode_size;
extern const char *const nb_models_names[];

#define MODEL_PREFIX "__nabla_model_"
#define ON_DEVICE "_cuda"
#define HIDDEN "nabla.hidden."
#define LINKED "nabla.linked."

enum { LIBRARY, FORWARD, AUGMENTED, REVERSE, PART_COUNT };
static const char *const parts[PART_COUNT] = {"_real", "_forward", "_augmented", "_reverse"};

bool nb_models_is_own(LLVMValueRef function) {
  return strncmp(nb_name(function), MODEL_PREFIX, strlen(MODEL_PREFIX)) == 0;
}

static bool has_suffix(LLVMValueRef function, const char *suffix) {
  const char *name = nb_name(function);
  size_t length = strlen(name), end = strlen(suffix);
  return length > end && strcmp(name + length - end, suffix) == 0;
}

static bool is_part(LLVMValueRef function) {
  bool part = false;
  for (unsigned i = 0; i < PART_COUNT && !part; i++)
    part = has_suffix(function, parts[i]);
  return part;
}

static LLVMValueRef part_of(const NbContext *context, LLVMValueRef model, unsigned part) {
  const char *name = nb_arena_print(context->arena, "%s%s", nb_name(model), parts[part]);
  LLVMValueRef function = LLVMGetNamedFunction(context->module, name);
  return function && !LLVMIsDeclaration(function) ? function : NULL;
}

/* --- Linking ---------------------------------------------------------------------------------- */

/* Of the functions of libraries that models know: those declared here of which nothing else is said
 * (`wanted`), the declarations of the others, and of what only shares the name (`hidden`), and
 * those with a body (`defined`). */
typedef struct Known {
  NbList wanted, hidden;
  NbList said; /* of what is wanted */
  NbMap *defined;
} Known;

static Known find_known(NbContext *context) {
  NbArena *arena = context->arena;
  Known found = {nb_list(arena), nb_list(arena), nb_list(arena), nb_map_new(arena)};
  for (unsigned i = 0; nb_models_names[i]; i++) {
    const char *name = nb_models_names[i];
    LLVMValueRef function = LLVMGetNamedFunction(context->module, name);
    if (!function)
      continue;
    bool told =
        nb_rules_find(context->rules, name, strlen(name), NULL) || nb_custom_of(context, function);
    if (LLVMIsDeclaration(function))
      nb_list_push(told ? &found.hidden : &found.wanted, function);
    else
      nb_map_set(found.defined, function, function);
  }
  return found;
}

/* The models as they lie in the plugin, without bodies; NULL where they cannot be read. */
static LLVMModuleRef open_models(NbContext *context) {
  LLVMModuleRef models = NULL;
  LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(
      (const char *)nb_models_bitcode, nb_models_bitcode_size, "nabla models", false);
  return LLVMGetBitcodeModuleInContext2(context->llvm, bytes, &models) ? NULL : models;
}

/* What is declared with another type than the library's function is a function of the user's. */
static void tell_by_types(NbContext *context, Known *known) {
  LLVMModuleRef models = known->wanted.count ? open_models(context) : NULL;
  NbList wanted = nb_list(context->arena);
  for (unsigned i = 0; models && i < known->wanted.count; i++) {
    LLVMValueRef declared = known->wanted.items[i];
    LLVMValueRef model = LLVMGetNamedFunction(models, nb_name(declared));
    bool fits = model && nb_models_fit(declared, model);
    nb_list_push(fits ? &wanted : &known->hidden, declared);
  }
  if (models)
    LLVMDisposeModule(models);
  known->wanted = wanted;
}

static void rename_one(LLVMValueRef function, const char *name) {
  LLVMSetValueName2(function, name, strlen(name));
}

static void hide(NbContext *context, const NbList *functions) {
  for (unsigned i = 0; i < functions->count; i++)
    rename_one(functions->items[i],
               nb_arena_print(context->arena, HIDDEN "%s", nb_name(functions->items[i])));
}

/* Models may have asked for functions of the library under these names meanwhile. */
static void show(NbContext *context, const NbList *functions) {
  for (unsigned i = 0; i < functions->count; i++) {
    const char *name = nb_name(functions->items[i]) + strlen(HIDDEN);
    name = nb_arena_copy(context->arena, name, strlen(name));
    LLVMValueRef linked = LLVMGetNamedFunction(context->module, name);
    if (linked)
      rename_one(linked, nb_arena_print(context->arena, LINKED "%s", name));
    rename_one(functions->items[i], name);
  }
}

static bool link_bitcode(NbContext *context) {
  char *message = nb_link_needed(context->module, (const char *)nb_models_bitcode,
                                 nb_models_bitcode_size, false);
  if (!message)
    return true;
  nb_refuse(context, NB_ERROR_BUILD, LLVMGetFirstFunction(context->module),
            "nabla's models could not be linked: %s", message);
  LLVMDisposeMessage(message);
  return false;
}

/* Declares the parts of models that came without them; false where there are none. */
static bool ask_for_parts(NbContext *context) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), NULL, 0, false);
  NbList models = nb_list(context->arena);
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    if (nb_models_is_own(function) && !is_part(function) && !nb_map_has(context->custom, function))
      nb_list_push(&models, function);
  for (unsigned i = 0; i < models.count; i++) {
    nb_map_set(context->custom, models.items[i], NB_NEW(context->arena, NbCustom));
    for (unsigned part = 0; part < PART_COUNT; part++) {
      const char *name =
          nb_arena_print(context->arena, "%s%s", nb_name(models.items[i]), parts[part]);
      if (!LLVMGetNamedFunction(context->module, name))
        LLVMAddFunction(context->module, name, type);
    }
  }
  return models.count != 0;
}

static void note_custom(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef model = (LLVMValueRef)nb_map_key(context->custom, i);
    NbCustom *custom = nb_map_get(context->custom, model);
    if (!nb_models_is_own(model))
      continue;
    *custom = (NbCustom){.forward = part_of(context, model, FORWARD),
                         .augmented = part_of(context, model, AUGMENTED),
                         .reverse = part_of(context, model, REVERSE),
                         .of_model = true,
                         .on_device = has_suffix(model, ON_DEVICE)};
  }
}

/* Has the call, which fits (models/signatures.h), a result that the function has not, or a type for
 * any arguments? */
static bool is_bent(LLVMValueRef call, LLVMValueRef function) {
  LLVMTypeRef given = LLVMGetCalledFunctionType(call), own = LLVMGlobalGetValueType(function);
  return LLVMIsFunctionVarArg(given) || LLVMGetReturnType(given) != LLVMGetReturnType(own);
}

static LLVMValueRef build_straight(NbContext *context, LLVMValueRef call, LLVMValueRef function) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    arguments[i] = LLVMGetOperand(call, i);
    types[i] = LLVMTypeOf(arguments[i]);
  }
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef straight =
      LLVMIsAInvokeInst(call)
          ? LLVMBuildInvoke2(builder, type, function, arguments, count, LLVMGetNormalDest(call),
                             LLVMGetUnwindDest(call), "")
          : LLVMBuildCall2(builder, type, function, arguments, count, "");
  LLVMDisposeBuilder(builder);
  return straight;
}

/* Headers in the manner of f2c declare subroutines of Fortran as functions with a result, those of
 * old C functions without parameters. */
static void straighten_calls(NbContext *context, LLVMValueRef function) {
  LLVMUseRef use = LLVMGetFirstUse(function);
  while (use) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
    if (!is_call || LLVMGetCalledValue(call) != function || !is_bent(call, function))
      continue;
    LLVMValueRef straight = build_straight(context, call, function);
    if (LLVMTypeOf(straight) == LLVMTypeOf(call))
      LLVMReplaceAllUsesWith(call, straight);
    LLVMInstructionEraseFromParent(call);
  }
}

static LLVMValueRef said_of(const Known *known, const char *name) {
  for (unsigned i = 0; i < known->said.count; i++)
    if (strcmp(nb_name(known->said.items[i]), name) == 0)
      return known->said.items[i];
  return NULL;
}

static void note_takers(NbContext *context) {
  NbList made = nb_list(context->arena), names = nb_list(context->arena);
  nb_lengths_take(context, &context->modelled, &made, &names);
  for (unsigned i = 0; i < made.count; i++) {
    nb_list_push(&context->modelled, made.items[i]);
    nb_list_push(&context->names_of_modelled, names.items[i]);
    nb_list_push(&context->said_of_modelled, NULL);
  }
}

/* The library's functions that have a body now; nothing that was linked is seen from outside. */
static void note_modelled(NbContext *context, const Known *known) {
  LLVMValueRef model = LLVMGetFirstFunction(context->module);
  for (; model; model = LLVMGetNextFunction(model))
    if (nb_models_is_own(model) && !LLVMIsDeclaration(model))
      LLVMSetLinkage(model, LLVMInternalLinkage);
  for (unsigned i = 0; nb_models_names[i]; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(context->module, nb_models_names[i]);
    if (!function || LLVMIsDeclaration(function) || nb_map_has(known->defined, function))
      continue;
    LLVMSetLinkage(function, LLVMInternalLinkage);
    straighten_calls(context, function);
    nb_list_push(&context->modelled, function);
    nb_list_push(&context->names_of_modelled, (void *)nb_models_names[i]);
    nb_list_push(&context->said_of_modelled, said_of(known, nb_models_names[i]));
  }
  note_takers(context);
}

/* At -O0 nobody has said yet that what malloc returns is new: models that work on descriptors of
 * memory are simple only where that is known. */
static void know_allocations(NbContext *context) {
  LLVMDisposeMessage(nb_passes_run(context->analyses, context->module, NULL, "inferattrs"));
}

/* What is said elsewhere about a function counts, so it has another name while models are linked.
 */
void nb_models_link(NbContext *context) {
  Known known = find_known(context);
  tell_by_types(context, &known);
  context->modelled = nb_list(context->arena);
  if (!known.wanted.count)
    return;
  context->names_of_modelled = nb_list(context->arena);
  context->said_of_modelled = nb_list(context->arena);
  for (unsigned i = 0; i < known.wanted.count; i++)
    nb_list_push(&known.said, nb_body_said(known.wanted.items[i]));
  hide(context, &known.hidden);
  bool linked = link_bitcode(context);
  while (linked && ask_for_parts(context))
    linked = link_bitcode(context);
  if (linked)
    linked = nb_derived_write(context, link_bitcode);
  note_modelled(context, &known);
  show(context, &known.hidden);
  note_custom(context);
  know_allocations(context);
}

bool nb_models_has(const NbContext *context, LLVMValueRef function) {
  for (unsigned i = 0; i < context->modelled.count; i++)
    if (context->modelled.items[i] == function)
      return true;
  return false;
}

/* --- Releasing -------------------------------------------------------------------------------- */

static void delete_unused(NbContext *context) {
  bool changed = true;
  while (changed) {
    changed = false;
    LLVMValueRef function = LLVMGetFirstFunction(context->module);
    while (function) {
      LLVMValueRef next = LLVMGetNextFunction(function);
      if (nb_models_is_own(function) && !LLVMGetFirstUse(function)) {
        LLVMDeleteFunction(function);
        changed = true;
      }
      function = next;
    }
  }
}

/* A function of the runtime that calls the library has taken the name. */
static void call_library(NbContext *context, LLVMValueRef function, const char *name) {
  LLVMValueRef library = LLVMGetNamedFunction(context->module, name);
  if (library == function)
    return;
  if (!library) {
    LLVMSetValueName2(function, name, strlen(name));
    return;
  }
  LLVMReplaceAllUsesWith(function, library);
  LLVMDeleteFunction(function);
}

void nb_models_release(NbContext *context) {
  if (!context->modelled.count)
    return;
  for (unsigned i = 0; i < context->modelled.count; i++) {
    LLVMValueRef function =
        nb_body_forget(context->modelled.items[i], context->said_of_modelled.items[i]);
    call_library(context, function, context->names_of_modelled.items[i]);
  }
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    LLVMValueRef library = nb_models_is_own(function) && !is_part(function)
                               ? part_of(context, function, LIBRARY)
                               : NULL;
    if (library)
      LLVMReplaceAllUsesWith(function, library);
  }
  delete_unused(context);
  nb_derived_release(context);
  context->modelled.count = 0;
}
