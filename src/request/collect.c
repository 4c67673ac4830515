// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* At the start of the pipeline the code still says what its author wrote: which marker stands
 * before which argument. Later a marker is just a load that may be merged, hoisted or folded. So
 * each call is rewritten now into a call of a declaration whose name holds the mode and the
 * markers, and whose operands are the function, the arguments and the shadows. What is wrong with a
 * call is also put into a name, and refused when the requests are served: all refusals of a
 * program are then reported together. */
#include "checkpoint/checkpoint.h"
#include "emit/tangent.h"
#include "objects/characters.h"
#include "request/assigned.h"
#include "request/byvalue.h"
#include "request/collected.h"
#include "request/descriptors.h"
#include "request/members.h"
#include "request/puns.h"
#include "request/rolled.h"
#include "request/sites.h"
#include "request/unions.h"

#include <stdio.h>
#include <string.h>

#define ANNOTATION "llvm.var.annotation"

/* How many loads, casts and merges, and how many variables, may stand between a marker and its
 * call.
 */
enum { MARKER_DEPTH = 8, VARIABLE_DEPTH = 64 };

/* How a call is rewritten: the operands to keep, or why it is refused. */
typedef struct Rewriting {
  NbContext *context;
  LLVMValueRef call;
  NbCollected collected;
  NbMarked *operands;
  bool bytes_next;  /* what comes next says how many bytes enzyme_byref speaks of */
  NbMarked pending; /* what the markers so far say of the operand that comes next */
  unsigned *kept;   /* operands that stay */
  unsigned kept_count;
  NbErrorId error;
  const char *message; /* NULL: not refused */
} Rewriting;

static bool is_entry(NbArena *arena, LLVMValueRef callee) {
  (void)arena;
  return nb_entry_is_served(nb_entry_kind(nb_name(callee), NULL));
}

static const char *marker_of(const NbContext *context, LLVMValueRef value, unsigned depth);

/* The marker that all of `count` operands from the first on agree on. */
static const char *common_marker(const NbContext *context, LLVMValueRef value, unsigned depth) {
  bool phi = LLVMIsAPHINode(value) != NULL;
  unsigned count = phi ? LLVMCountIncoming(value) : 2;
  const char *common = NULL;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef arm = phi ? LLVMGetIncomingValue(value, i) : LLVMGetOperand(value, i + 1);
    const char *text = marker_of(context, arm, depth);
    if (!text || (common && strcmp(common, text) != 0))
      return NULL;
    common = text;
  }
  return common;
}

/* The text of the annotation that clang's glue gives to local variables that are markers. */
static const char *annotation_of(LLVMValueRef variable) {
  const unsigned kind = LLVMLookupIntrinsicID(ANNOTATION, strlen(ANNOTATION));
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    LLVMValueRef callee = nb_callee(call);
    bool annotates = callee && LLVMGetIntrinsicID(callee) == kind;
    LLVMValueRef string = annotates ? LLVMGetOperand(call, 1) : NULL;
    LLVMValueRef text = string && LLVMIsAGlobalVariable(string) ? LLVMGetInitializer(string) : NULL;
    size_t length = 0;
    if (text && LLVMIsConstantString(text))
      return LLVMGetAsString(text, &length);
  }
  return "";
}

/* Of a local variable: its name, or, where the compiler has dropped that, what clang's glue or -g
 * says. */
static const char *local_marker(NbArena *arena, LLVMValueRef variable) {
  const char *text = nb_marker_text(arena, nb_name(variable));
  if (!text)
    text = nb_marker_text(arena, annotation_of(variable));
  char *source = text ? NULL : nb_variable_source_name(variable);
  if (source)
    text = nb_marker_text(arena, source);
  LLVMDisposeMessage(source);
  return text;
}

/* The value behind local variables that are set once, as the parameters of inlined functions are.
 */
static LLVMValueRef behind_variables(const NbContext *context, LLVMValueRef value) {
  LLVMValueRef behind = value;
  for (unsigned budget = VARIABLE_DEPTH; behind && budget; budget--) {
    value = behind;
    bool variable = LLVMIsALoadInst(value) && LLVMIsAAllocaInst(LLVMGetOperand(value, 0));
    bool named = variable && local_marker(context->arena, LLVMGetOperand(value, 0));
    behind = variable && !named ? nb_loaded_value(context, value) : NULL;
  }
  return value;
}

/* The text of the marker that `value` is, behind "enzyme_"; NULL where it is none. */
static const char *marker_of(const NbContext *context, LLVMValueRef value, unsigned depth) {
  NbArena *arena = context->arena;
  value = behind_variables(context, value);
  unsigned length;
  const char *string = LLVMGetMDString(value, &length);
  if (string)
    return nb_marker_text(arena, nb_arena_copy(arena, string, length));
  if (LLVMIsAGlobalVariable(value))
    return nb_marker_text(arena, nb_name(value));
  if (LLVMIsAAllocaInst(value))
    return local_marker(arena, value);
  if (!depth)
    return NULL;
  if (LLVMIsALoadInst(value) || LLVMIsACastInst(value) || LLVMIsAConstantExpr(value))
    return marker_of(context, LLVMGetOperand(value, 0), depth - 1);
  if (LLVMIsAPHINode(value) || LLVMIsASelectInst(value))
    return common_marker(context, value, depth - 1);
  return NULL;
}

/* Is `value` a local variable of the type of a marker that nothing ever sets? Without its name,
 * which compilers drop, nobody can say which marker it is. */
static bool is_nameless_marker(const NbContext *context, LLVMValueRef value) {
  if (!LLVMIsALoadInst(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
    return false;
  LLVMValueRef variable = LLVMGetOperand(value, 0);
  if (!LLVMIsAAllocaInst(variable) || LLVMGetAllocatedType(variable) != LLVMTypeOf(value))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsALoadInst(user) && !nb_is_idle(context, user))
      return false;
  }
  return true;
}

static bool refuse(Rewriting *r, NbErrorId error, const char *message) {
  r->error = error;
  r->message = message;
  return false;
}

static bool refuse_marker(Rewriting *r, NbMarker kind, const char *text) {
  NbArena *arena = r->context->arena;
  if (kind == NB_MARKER_LATER)
    return refuse(r, NB_ERROR_ENTRY_UNSUPPORTED,
                  nb_arena_print(arena, "the marker 'enzyme_%s' is not supported yet", text));
  const char *nearest = nb_marker_nearest(arena, text);
  return refuse(r, NB_ERROR_MARKER_UNKNOWN,
                nb_arena_print(arena,
                               "nothing is known of a marker 'enzyme_%s', so the "
                               "argument behind it has no known role%s%s%s",
                               text, nearest ? "; the nearest is 'enzyme_" : "",
                               nearest ? nearest : "", nearest ? "'" : ""));
}

static void take_pending(Rewriting *r) {
  r->operands[r->collected.count++] = r->pending;
  r->pending = (NbMarked){NB_MARKER_NONE, false};
}

/* They stand before the argument, whose own marker may come before or behind. */
static void take_bytes(Rewriting *r) {
  r->operands[r->collected.count++] = (NbMarked){NB_MARKER_BYREF, false};
  r->bytes_next = false;
}

static bool take_marker(Rewriting *r, const char *text) {
  NbMarker kind = nb_marker_kind(text);
  if (kind == NB_MARKER_LATER || kind == NB_MARKER_UNKNOWN)
    return refuse_marker(r, kind, text);
  if (nb_marker_is_flag(kind)) {
    nb_collected_set(&r->collected, kind);
    return true;
  }
  if (kind == NB_MARKER_NOT_OVERWRITTEN) {
    r->pending.kept = true;
    return true;
  }
  if (kind == NB_MARKER_BYREF && r->collected.entry != NB_ENTRY_SPLIT_SIZE) {
    r->bytes_next = true;
    return true;
  }
  if (r->pending.marker != NB_MARKER_NONE)
    return refuse(r, NB_ERROR_MARKER_WITHOUT_ARGUMENT,
                  nb_arena_print(r->context->arena,
                                 "the marker 'enzyme_%s' is followed by 'enzyme_%s' instead "
                                 "of an argument",
                                 nb_marker_word(r->pending.marker), text));
  r->pending.marker = kind;
  if (r->collected.entry == NB_ENTRY_SPLIT_SIZE && kind != NB_MARKER_WIDTH)
    take_pending(r);
  return true;
}

static bool only_reads(const NbContext *context, LLVMValueRef user) {
  LLVMValueRef callee = LLVMIsACallInst(user) ? nb_callee(user) : NULL;
  return LLVMIsALoadInst(user) || nb_is_idle(context, user) ||
         (callee && is_entry(context->arena, callee));
}

/* What all stores to a local variable agree on, where nothing but loads and calls of entry points
 * sees it besides; NULL otherwise. */
static LLVMValueRef agreed_value(const NbContext *context, LLVMValueRef variable) {
  LLVMValueRef agreed = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (only_reads(context, user))
      continue;
    bool sets = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable;
    LLVMValueRef value = sets ? LLVMGetOperand(user, 0) : NULL;
    if (!value || value == variable || (agreed && value != agreed))
      return NULL;
    agreed = value;
  }
  return agreed;
}

/* The number that an operand is, or that Fortran passes the address of. */
static LLVMValueRef number_given(const NbContext *context, LLVMValueRef operand) {
  if (LLVMIsAAllocaInst(operand))
    return agreed_value(context, operand);
  if (LLVMIsAGlobalVariable(operand) && LLVMIsGlobalConstant(operand))
    return LLVMGetInitializer(operand);
  return operand;
}

static bool take_width(Rewriting *r, LLVMValueRef operand) {
  NbArena *arena = r->context->arena;
  r->pending = (NbMarked){NB_MARKER_NONE, false};
  operand = number_given(r->context, operand);
  if (!operand || !LLVMIsAConstantInt(operand))
    return refuse(r, NB_ERROR_WRONG_MARKER,
                  "behind the marker 'enzyme_width' a constant must stand, for the directions are "
                  "a part of the code that is written");
  unsigned long long width = LLVMConstIntGetZExtValue(operand);
  if (width == 0 || width > NB_MOST_WIDTH)
    return refuse(r, NB_ERROR_WRONG_MARKER,
                  nb_arena_print(arena,
                                 "the marker 'enzyme_width' asks for %llu directions at once: "
                                 "there must be one at least, and there can be %u",
                                 width, NB_MOST_WIDTH));
  r->collected.width = (unsigned)width;
  return true;
}

static bool take_operand(Rewriting *r, unsigned index) {
  NbArena *arena = r->context->arena;
  LLVMValueRef operand = LLVMGetOperand(r->call, index);
  const char *text = marker_of(r->context, operand, MARKER_DEPTH);
  if (text)
    return take_marker(r, text);
  if (r->pending.marker == NB_MARKER_WIDTH)
    return take_width(r, operand);
  if (is_nameless_marker(r->context, operand))
    return refuse(r, NB_ERROR_MARKER_UNKNOWN,
                  nb_arena_print(arena,
                                 "argument %u is a local variable that is never set and whose name "
                                 "the compiler has dropped, so which marker it is cannot be known",
                                 index + 1));
  if (r->collected.entry == NB_ENTRY_SPLIT_SIZE)
    return refuse(r, NB_ERROR_TOO_MANY_ARGUMENTS,
                  nb_arena_print(arena,
                                 "argument %u is no marker: the size of the tape is asked for with "
                                 "the roles of the arguments alone",
                                 index + 1));
  r->kept[r->kept_count++] = index;
  if (r->bytes_next)
    take_bytes(r);
  else
    take_pending(r);
  return true;
}

static bool take_operands(Rewriting *r) {
  NbArena *arena = r->context->arena;
  unsigned count = LLVMGetNumArgOperands(r->call);
  unsigned function = nb_call_function_index(r->call);
  r->kept = NB_NEW_ARRAY(arena, unsigned, count + 1);
  r->operands = NB_NEW_ARRAY(arena, NbMarked, count + 1);
  r->collected.operands = r->operands;
  if (function >= count)
    return refuse(r, NB_ERROR_TOO_FEW_ARGUMENTS, "the call names no function to differentiate");
  for (unsigned i = 0; i <= function; i++)
    r->kept[r->kept_count++] = i;
  for (unsigned i = function + 1; i < count; i++) {
    if (!take_operand(r, i))
      return false;
  }
  if (r->bytes_next)
    r->pending.marker = NB_MARKER_BYREF;
  NbMarker last = r->pending.kept ? NB_MARKER_NOT_OVERWRITTEN : r->pending.marker;
  if (last == NB_MARKER_NONE)
    return true;
  return refuse(
      r, NB_ERROR_MARKER_WITHOUT_ARGUMENT,
      nb_arena_print(arena, "no argument follows the marker 'enzyme_%s'", nb_marker_word(last)));
}

static LLVMValueRef declaration(Rewriting *r, LLVMTypeRef type) {
  NbArena *arena = r->context->arena;
  if (r->message)
    return nb_declare(r->context, nb_refused_name(arena, r->error, r->message), type);
  char *text = LLVMPrintTypeToString(type);
  const char *name = nb_collected_name(arena, &r->collected, text);
  LLVMDisposeMessage(text);
  return nb_declare(r->context, name, type);
}

static void copy_attributes(NbArena *arena, LLVMValueRef from, unsigned from_index, LLVMValueRef to,
                            unsigned to_index) {
  unsigned count = LLVMGetCallSiteAttributeCount(from, from_index + 1);
  if (!count)
    return;
  LLVMAttributeRef *list = NB_NEW_ARRAY(arena, LLVMAttributeRef, count);
  LLVMGetCallSiteAttributes(from, from_index + 1, list);
  for (unsigned i = 0; i < count; i++)
    LLVMAddCallSiteAttribute(to, to_index + 1, list[i]);
}

static LLVMValueRef build_call(Rewriting *r) {
  NbArena *arena = r->context->arena;
  unsigned count = r->message ? 0 : r->kept_count;
  LLVMValueRef *operands = NB_NEW_ARRAY(arena, LLVMValueRef, count + 1);
  LLVMTypeRef *types = NB_NEW_ARRAY(arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    operands[i] = LLVMGetOperand(r->call, r->kept[i]);
    types[i] = LLVMTypeOf(operands[i]);
  }
  LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(r->call), types, count, false);
  LLVMValueRef callee = declaration(r, type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(r->context->llvm);
  LLVMPositionBuilderBefore(builder, r->call);
  LLVMValueRef call = LLVMBuildCall2(builder, type, callee, operands, count, "");
  LLVMDisposeBuilder(builder);
  nb_place_request(call, r->call);
  nb_by_value_note_padding(r->context, r->call, call);
  for (unsigned i = 0; i < count; i++)
    copy_attributes(arena, r->call, r->kept[i], call, i);
  return call;
}

static bool is_marker_part(LLVMValueRef value) {
  return LLVMIsALoadInst(value) || LLVMIsACastInst(value) || LLVMIsAPHINode(value) ||
         LLVMIsASelectInst(value);
}

/* The instructions that `value`, a marker, is computed with, each once, and the variables that it
 * is put into on its way. */
static void add_marker_parts(const NbContext *context, NbMap *parts, LLVMValueRef value) {
  if (!is_marker_part(value) || nb_map_has(parts, value))
    return;
  nb_map_set(parts, value, value);
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  for (unsigned i = 0; i < count; i++)
    add_marker_parts(context, parts, LLVMGetOperand(value, i));
  LLVMValueRef variable = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
  LLVMValueRef stored =
      variable && LLVMIsAAllocaInst(variable) ? nb_loaded_value(context, value) : NULL;
  if (!stored)
    return;
  add_marker_parts(context, parts, stored);
  nb_map_set(parts, variable, variable);
}

/* Takes away what sets a variable that nothing reads any more. */
static void erase_stores(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
    if (!LLVMIsAStoreInst(LLVMGetUser(use)))
      return;
  while (LLVMGetFirstUse(variable))
    LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(variable)));
}

/* A volatile variable is read as often as the program says; a marker of no file is no variable. */
static bool must_be_read(LLVMValueRef value) {
  if (!LLVMIsALoadInst(value) || !LLVMGetVolatile(value))
    return false;
  LLVMValueRef variable = LLVMGetOperand(value, 0);
  return !LLVMIsAGlobalVariable(variable) || !LLVMIsDeclaration(variable);
}

/* Erases what has no use any more; users stand before what they use. */
static void erase_dead(NbMap *parts) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i < nb_map_count(parts); i++) {
      const void *key = nb_map_key(parts, i);
      LLVMValueRef value = nb_map_get(parts, key);
      if (value && LLVMIsAAllocaInst(value))
        erase_stores(value);
      if (!value || LLVMGetFirstUse(value) || must_be_read(value))
        continue;
      nb_map_set(parts, key, NULL);
      LLVMInstructionEraseFromParent(value);
      changed = true;
    }
  }
}

/* Of functions that may be differentiated: a body that the optimiser would drop because another
 * file has it too stays, and what the front end's types say is noted. */
static void keep_bodies(NbContext *context, LLVMValueRef operand) {
  LLVMValueRef function = nb_resolve_function(context, operand);
  if (!function)
    return;
  NbList reached = nb_reach(context->arena, function);
  for (unsigned i = 0; i < reached.count; i++) {
    if (LLVMGetLinkage(reached.items[i]) == LLVMAvailableExternallyLinkage)
      LLVMSetLinkage(reached.items[i], LLVMLinkOnceODRLinkage);
    nb_fields_note(context, reached.items[i]);
    nb_types_note(context, reached.items[i]);
    nb_taken_note(context, reached.items[i]);
    nb_characters_note(context, reached.items[i]);
  }
}

static void rewrite(NbContext *context, LLVMValueRef call) {
  Rewriting r = {.context = context, .call = call};
  r.collected.entry = nb_entry_kind(nb_name(nb_callee(call)), NULL);
  r.collected.width = 1;
  unsigned count = LLVMGetNumArgOperands(call);
  NbMap *parts = nb_map_new(context->arena);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(call, i);
    if (marker_of(context, operand, MARKER_DEPTH))
      add_marker_parts(context, parts, operand);
  }
  if (take_operands(&r))
    keep_bodies(context, LLVMGetOperand(call, nb_call_function_index(call)));
  LLVMValueRef request = build_call(&r);
  if (nb_printing(context, "collect")) {
    LLVMDumpValue(request);
    fputc('\n', stderr);
  }
  nb_call_replace(call, request);
  erase_dead(parts);
}

/* Declarations of entry points and markers that nothing mentions any more. */
static void delete_unused(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  while (function) {
    LLVMValueRef next = LLVMGetNextFunction(function);
    bool dead = LLVMIsDeclaration(function) && !LLVMGetFirstUse(function);
    if (dead && nb_entry_is_call(nb_entry_kind(nb_name(function), NULL)))
      LLVMDeleteFunction(function);
    function = next;
  }
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  while (global) {
    LLVMValueRef next = LLVMGetNextGlobal(global);
    bool dead = LLVMIsDeclaration(global) && !LLVMGetFirstUse(global);
    const char *text = dead ? nb_marker_text(context->arena, nb_name(global)) : NULL;
    if (text && nb_marker_kind(text) != NB_MARKER_UNKNOWN)
      LLVMDeleteGlobal(global);
    global = next;
  }
}

bool nb_request_collect(NbContext *context) {
  bool changed = nb_exports_ask(context);
  changed |= nb_checkpoint_collect(context);
  changed |= nb_sites_collect(context);
  NbList calls = nb_calls_of(context, is_entry);
  if (calls.count || context->phase == NB_PHASE_BEFORE_LINK)
    changed |= nb_marks_collect(context, &calls);
  if (calls.count) {
    nb_puns_note(context);
    nb_unions_note(context);
    nb_rolled_note(context, &calls);
    nb_assigned_split(context, &calls);
    nb_members_pass(context, &calls);
    nb_descriptors_note_calls(context, &calls);
  }
  for (unsigned i = 0; i < calls.count; i++)
    rewrite(context, calls.items[i]);
  changed |= calls.count != 0;
  if (changed)
    delete_unused(context);
  if (changed || context->phase == NB_PHASE_BEFORE_LINK) {
    changed |= nb_equalities_hide_all(context);
    changed |= nb_sites_collect_types(context);
    changed |= nb_by_value_note(context);
    changed |= nb_descriptors_note(context);
    changed |= nb_registrations_note(context);
    nb_registrations_take(context, LLVMGetFirstFunction(context->module));
    changed |= nb_sites_ignore_globals(context);
    changed |= nb_held_back(context);
  }
  return changed;
}
