// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/context.h"

#include "base/fits.h"
#include "base/names.h"
#include "base/records.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Diagnostic {
  const char *name, *way_out;
} Diagnostic;

static const Diagnostic diagnostics[] = {
#define NB_DIAGNOSTIC(id, name, way_out) {name, way_out},
#include "base/diagnostics.def"
#undef NB_DIAGNOSTIC
};

static const char *const OPTIMISATIONS[] = {
#define NB_OPTIMISATION(id, name, text) name,
#include "base/optimisations.def"
#undef NB_OPTIMISATION
};

static char *print_list(NbArena *arena, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = nb_arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, list);
  return text;
}

/* The user's function around `where`, also where that stands in a working copy; of a global
 * variable, itself. */
static LLVMValueRef function_of(const NbContext *context, LLVMValueRef where) {
  if (where && LLVMIsAInstruction(where))
    where = LLVMGetBasicBlockParent(LLVMGetInstructionParent(where));
  LLVMValueRef primal = where ? nb_map_get(context->primals, where) : NULL;
  if (!primal)
    primal = where;
  LLVMValueRef original = primal ? nb_map_get(context->originals, primal) : NULL;
  return original ? original : primal;
}

static bool has_location(LLVMValueRef where) {
  if (!where)
    return false;
  bool located =
      LLVMIsAInstruction(where) || LLVMIsAFunction(where) || LLVMIsAGlobalVariable(where);
  return located && LLVMGetDebugLocLine(where) != 0;
}

static unsigned line_of(LLVMValueRef where) {
  return has_location(where) ? LLVMGetDebugLocLine(where) : 0;
}

enum { MOST_STEPS = 3 };

/* What uses it, or uses what does, and has a line; NULL where none has. */
static LLVMValueRef located_use(LLVMValueRef where, unsigned steps) {
  LLVMValueRef found = NULL;
  if (!steps || !where || !LLVMIsAInstruction(where))
    return NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(where); use; use = LLVMGetNextUse(use))
    if (has_location(LLVMGetUser(use)))
      return LLVMGetUser(use);
  for (LLVMUseRef use = LLVMGetFirstUse(where); use && !found; use = LLVMGetNextUse(use))
    found = located_use(LLVMGetUser(use), steps - 1);
  return found;
}

/* What the optimiser moved has lost its line: the line of what uses it is shown, or the function's.
 */
static LLVMValueRef shown_at(const NbContext *context, LLVMValueRef where) {
  LLVMValueRef use = has_location(where) ? where : located_use(where, MOST_STEPS);
  return use ? use : function_of(context, where);
}

static bool is_inlined(LLVMValueRef where) {
  LLVMMetadataRef location =
      where && LLVMIsAInstruction(where) ? LLVMInstructionGetDebugLoc(where) : NULL;
  return location && LLVMDILocationGetInlinedAt(location);
}

/* Are both the same call of the source, in the function that has it and where that was inlined? */
static bool is_copy(LLVMValueRef one, LLVMValueRef other) {
  unsigned line = 0, column = 0, other_line = 0, other_column = 0;
  if (!one || !other || (!is_inlined(one) && !is_inlined(other)))
    return false;
  char *path = nb_place_for_user(one, &line, &column);
  char *other_path = nb_place_for_user(other, &other_line, &other_column);
  bool same = path && other_path && line == other_line && column == other_column &&
              !strcmp(path, other_path);
  LLVMDisposeMessage(path);
  LLVMDisposeMessage(other_path);
  return same;
}

/* One line of the user's is refused once for one reason, whatever became of it in several copies.
 */
static bool already_refused(const NbContext *context, const NbRefusal *refusal) {
  LLVMValueRef function = function_of(context, refusal->where);
  for (const NbRefusal *other = context->refusals; other; other = other->next) {
    bool here = line_of(other->where) == line_of(refusal->where) &&
                function_of(context, other->where) == function;
    if (other->id == refusal->id && !strcmp(other->message, refusal->message) &&
        (here || is_copy(other->where, refusal->where)))
      return true;
  }
  return false;
}

bool nb_refuse(NbContext *context, NbErrorId id, LLVMValueRef where, const char *format, ...) {
  NbRefusal *refusal = NB_NEW(context->arena, NbRefusal);
  va_list list;
  va_start(list, format);
  refusal->message = print_list(context->arena, format, list);
  va_end(list);
  refusal->id = id;
  refusal->where = where;
  refusal->root = context->root;
  if (already_refused(context, refusal))
    return false;
  NbRefusal **last = context->last_refusal ? context->last_refusal : &context->refusals;
  *last = refusal;
  context->last_refusal = &refusal->next;
  return false;
}

bool nb_refusals_take_back(NbContext *context, NbRefusal **since, NbErrorId id) {
  NbRefusal **first = since ? since : &context->refusals;
  const NbRefusal *refusal = *first;
  while (refusal && refusal->id != id)
    refusal = refusal->next;
  if (!refusal)
    return false;
  *first = NULL;
  context->last_refusal = since;
  return true;
}

/* --- Places in libraries ---------------------------------------------------------------------- */

static bool has_place_for_user(LLVMValueRef where) {
  unsigned line, column;
  char *path = nb_place_for_user(where, &line, &column);
  LLVMDisposeMessage(path);
  return path != NULL;
}

/* Functions from a root on, with the call that first led to each. */
typedef struct Descent {
  NbMap *calls; /* function -> call; of the root NULL */
  NbList functions;
} Descent;

static void descend(Descent *descent, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee = nb_callee(at);
      if (!callee || nb_map_has(descent->calls, callee))
        continue;
      nb_map_set(descent->calls, callee, at);
      nb_list_push(&descent->functions, callee);
    }
}

/* The user's call that leads to the function, of those nearest to the root; NULL. */
static LLVMValueRef call_of_user(const NbContext *context, LLVMValueRef root,
                                 LLVMValueRef function) {
  Descent descent = {nb_map_new(context->arena), nb_list(context->arena)};
  nb_list_push(&descent.functions, root);
  nb_map_set(descent.calls, root, NULL);
  LLVMValueRef found = NULL;
  for (unsigned i = 0; i < descent.functions.count && !found; i++) {
    if (function_of(context, descent.functions.items[i]) == function)
      found = descent.functions.items[i];
    else
      descend(&descent, descent.functions.items[i]);
  }
  LLVMValueRef call = found ? nb_map_get(descent.calls, found) : NULL;
  while (call && !has_place_for_user(call))
    call = nb_map_get(descent.calls, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  return call;
}

/* The user's call of the function, or of what calls it, of those nearest to it; NULL. */
static LLVMValueRef caller_of_user(const NbContext *context, LLVMValueRef function) {
  NbMap *callers = nb_map_new(context->arena);
  nb_map_set(callers, function, function);
  for (unsigned i = 0; i < nb_map_count(callers); i++) {
    LLVMValueRef callee = nb_map_get(callers, nb_map_key(callers, i));
    for (LLVMUseRef use = LLVMGetFirstUse(callee); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (nb_callee(user) != callee)
        continue;
      if (has_place_for_user(user))
        return user;
      LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
      nb_map_set(callers, caller, caller);
    }
  }
  return NULL;
}

/* What a library does is shown at the user's line that led there: as a part of what is
 * differentiated, or to a request of the library's own. */
static LLVMValueRef shown_to_user(const NbContext *context, const NbRefusal *refusal) {
  LLVMValueRef where = shown_at(context, refusal->where);
  char *library = where ? nb_place_in_library(where) : NULL;
  LLVMDisposeMessage(library);
  if (!library || has_place_for_user(where))
    return where;
  LLVMValueRef function = function_of(context, where);
  LLVMValueRef call = refusal->root ? call_of_user(context, refusal->root, function) : NULL;
  if (!call)
    call = caller_of_user(context, function);
  return call ? call : where;
}

/* `shown`: where the user sees it. */
static const char *with_library(const NbContext *context, const NbRefusal *refusal,
                                LLVMValueRef shown) {
  LLVMValueRef where = shown_at(context, refusal->where);
  char *library = where && has_place_for_user(shown) ? nb_place_in_library(where) : NULL;
  const char *text = refusal->message;
  if (library)
    text = nb_arena_print(context->arena, "%s (in %s, to which this line leads)", text, library);
  LLVMDisposeMessage(library);
  return text;
}

/* --- Reports ---------------------------------------------------------------------------------- */

/* What the user reads: the message, the way out, the diagnostic's name, and, where no source line
 * can be shown, the function or global variable. */
static const char *refusal_text(const NbContext *context, const NbRefusal *refusal,
                                LLVMValueRef place) {
  const Diagnostic *diagnostic = &diagnostics[refusal->id];
  const char *message = with_library(context, refusal, place);
  const char *text = nb_arena_print(context->arena, "%s; %s [nabla: %s]", message,
                                    diagnostic->way_out, diagnostic->name);
  LLVMValueRef function = function_of(context, refusal->where);
  LLVMValueRef shown = shown_at(context, refusal->where);
  if (!refusal->where)
    return text;
  if (has_location(refusal->where) || shown != function)
    return text;
  bool variable = LLVMIsAGlobalVariable(refusal->where) != NULL;
  const char *name = nb_shown_name(context, function);
  if (!variable && LLVMGetSubprogram(function))
    return nb_arena_print(context->arena, "in '%s': %s", name, text);
  return nb_arena_print(context->arena, "in '%s': %s; add %s to see the line", name, text,
                        variable ? "-g" : "-gline-tables-only");
}

/* "entry-unknown" as "EntryUnknown". */
static const char *remark_name(const NbContext *context, const char *name) {
  char *out = nb_arena_copy(context->arena, name, strlen(name));
  char *end = out;
  bool first = true;
  for (; *name; name++) {
    if (*name == '-') {
      first = true;
      continue;
    }
    *end++ = first ? (char)toupper((unsigned char)*name) : *name;
    first = false;
  }
  *end = 0;
  return out;
}

static void report_one(const NbContext *context, const NbRefusal *refusal, NbSeverity severity) {
  LLVMValueRef where = shown_to_user(context, refusal);
  const char *text = refusal_text(context, refusal, where);
  const char *name = remark_name(context, diagnostics[refusal->id].name);
  const char *fields[] = {severity == NB_SEVERITY_WARNING ? "warning" : "error", text};
  nb_record_message(context, where, fields, 2);
  LLVMValueRef named = where ? function_of(context, where) : LLVMGetFirstFunction(context->module);
  nb_report(context->analyses, severity, where, named, name, text);
}

/* Once a line, however many derivatives are made of it. */
static bool already_warned(NbContext *context, const NbRefusal *warning) {
  const char *all = context->warned ? context->warned : "";
  const char *text =
      nb_arena_print(context->arena, "\n%s:%u: %s\n", nb_name(function_of(context, warning->where)),
                     line_of(warning->where), warning->message);
  if (strstr(all, text))
    return true;
  context->warned = nb_arena_print(context->arena, "%s%s", all, text);
  return false;
}

void nb_warn(NbContext *context, NbErrorId id, LLVMValueRef where, const char *format, ...) {
  NbRefusal warning = {.id = id, .where = where};
  va_list list;
  va_start(list, format);
  warning.message = print_list(context->arena, format, list);
  va_end(list);
  if (!already_warned(context, &warning))
    report_one(context, &warning, NB_SEVERITY_WARNING);
}

static const char *file_of(LLVMValueRef where, unsigned *length) {
  *length = 0;
  return has_location(where) ? LLVMGetDebugLocFilename(where, length) : "";
}

/* Does `a` stand above `b` in the same file? */
static bool stands_above(const NbRefusal *a, const NbRefusal *b) {
  unsigned length;
  unsigned other_length;
  const char *file = file_of(a->where, &length);
  const char *other = file_of(b->where, &other_length);
  bool same = length && length == other_length && !memcmp(file, other, length);
  return same && line_of(a->where) < line_of(b->where);
}

/* Each stage refuses what it sees first; a reader goes down the file. */
static NbRefusal *in_order_of_lines(NbRefusal *refusals) {
  NbRefusal *sorted = NULL;
  while (refusals) {
    NbRefusal *refusal = refusals;
    refusals = refusal->next;
    NbRefusal **at = &sorted;
    while (*at && !stands_above(refusal, *at))
      at = &(*at)->next;
    refusal->next = *at;
    *at = refusal;
  }
  return sorted;
}

static const NbRefusal *take_refusals(NbContext *context) {
  const NbRefusal *first = in_order_of_lines(context->refusals);
  context->refusals = NULL;
  context->last_refusal = NULL;
  return first;
}

void nb_refusals_warn(NbContext *context) {
  for (const NbRefusal *refusal = take_refusals(context); refusal; refusal = refusal->next)
    report_one(context, refusal, NB_SEVERITY_WARNING);
}

bool nb_refusals_report(NbContext *context) {
  const NbRefusal *first = take_refusals(context);
  if (!first)
    return false;
  bool collects = nb_report_host_collects_errors(context->llvm);
  if (collects)
    report_one(context, first, NB_SEVERITY_ERROR);
  NbSeverity others = collects ? NB_SEVERITY_ERROR : NB_SEVERITY_NOTE;
  for (const NbRefusal *refusal = first->next; refusal; refusal = refusal->next)
    report_one(context, refusal, others);
  if (!collects)
    report_one(context, first, NB_SEVERITY_ERROR);
  return true;
}

bool nb_is_listed(const char *list, const char *wanted) {
  size_t length = strlen(wanted);
  const char *at = list ? list : "";
  while (*at) {
    size_t word = strcspn(at, ",; ");
    if (word == length && !strncmp(at, wanted, length))
      return true;
    at += word;
    at += strspn(at, ",; ");
  }
  return false;
}

bool nb_printing(const NbContext *context, const char *stage) {
  return nb_is_listed(context->print, stage);
}

bool nb_without(const NbContext *context, NbOptimisation optimisation) {
  return nb_is_listed(context->without, OPTIMISATIONS[optimisation]);
}

bool nb_context_is_linked_later(const NbContext *context) {
  return context->phase == NB_PHASE_BEFORE_LINK || nb_context_is_before_link(context);
}

bool nb_context_is_before_link(const NbContext *context) {
  return context->phase == NB_PHASE_BESIDE_BITCODE || context->phase == NB_PHASE_BEFORE_THIN_LINK;
}

/* What stands before the name of a function that another one stands for. */
static const char *const stand_ins[] = {NB_HELD_PREFIX, NB_PARTS_PREFIX, NB_HIDDEN_PREFIX,
                                        NB_INACTIVE_PREFIX};

/* The prefix of a stand-in's name, "" of any other's. */
static const char *stand_in_prefix(LLVMValueRef function) {
  for (unsigned i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
    if (!strncmp(nb_name(function), stand_ins[i], strlen(stand_ins[i])))
      return stand_ins[i];
  return "";
}

bool nb_stands_in(LLVMValueRef function) { return *stand_in_prefix(function) != '\0'; }

LLVMValueRef nb_stood_for(const NbContext *context, LLVMValueRef function) {
  const char *name = nb_name(function) + strlen(stand_in_prefix(function));
  LLVMValueRef other = LLVMGetNamedFunction(context->module, name);
  return other ? other : function;
}

const char *nb_known_name(LLVMValueRef function) {
  const char *name = nb_name(function);
  for (unsigned i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
    if (strcmp(stand_ins[i], NB_INACTIVE_PREFIX) != 0 &&
        !strncmp(name, stand_ins[i], strlen(stand_ins[i])))
      name += strlen(stand_ins[i]);
  return name;
}

/* The program has a function of its own under the name of one that nabla knows: many of these, such
 * as y1, erfcx or select, are not reserved in C. */
static bool is_programs_own(const NbContext *context, const NbRule *rule, LLVMValueRef callee,
                            const char *name) {
  bool computes = rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT ||
                  rule->kind == NB_RULE_INACTIVE;
  bool copied = LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage;
  bool body = !LLVMIsDeclaration(callee) || nb_map_has(context->interposable, callee);
  return computes && body && !copied && *name != '_' &&
         rule == nb_rules_find(nb_rules_builtin(), name, strlen(name), NULL);
}

/* What is known of a function that ends the program, whatever else it is. */
static const NbEffect ending_effect = {.parameter = NB_NO_PARAMETER, .type = NB_TYPE_VOID};
static const NbRule ending = {.name = "noreturn",
                              .kind = NB_RULE_INACTIVE,
                              .result = NB_TYPE_VOID,
                              .variadic = true,
                              .once = true,
                              .noreturn = true,
                              .returns = NB_NO_PARAMETER,
                              .throws = NB_NO_PARAMETER,
                              .effect_count = 1,
                              .effects = &ending_effect};

bool nb_call_says(LLVMValueRef call, LLVMValueRef function, LLVMAttributeIndex index,
                  const char *attribute) {
  unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
  return (function && LLVMGetEnumAttributeAtIndex(function, index, kind)) ||
         LLVMGetCallSiteEnumAttribute(call, index, kind);
}

/* Does the call neither return nor unwind to where the program goes on? */
static bool ends(LLVMValueRef call, LLVMValueRef callee) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  return LLVMIsACallInst(call) && nb_call_says(call, callee, whole, "noreturn") &&
         (nb_call_says(call, callee, whole, "nounwind") ||
          nb_call_says(call, caller, whole, "nounwind"));
}

const NbRule *nb_rule_named_as(const NbContext *context, LLVMValueRef function) {
  const char *name = nb_known_name(function);
  return nb_rules_find(context->rules, name, strlen(name), NULL);
}

/* Which row a name finds, as it was asked last for the function. */
typedef struct Found {
  const NbRules *rules;
  const char *name;
  const NbRule *rule;
  NbFormat format;
} Found;

/* Most functions are none that a row knows, which takes the longest to find out. */
static const Found *find_row(const NbContext *context, LLVMValueRef function, const char *name) {
  Found *found = nb_map_get(context->found, function);
  if (found && found->rules == context->rules && strcmp(found->name, name) == 0)
    return found;
  found = NB_NEW(context->arena, Found);
  size_t length = strlen(name);
  found->rules = context->rules;
  found->name = nb_arena_copy(context->arena, name, length);
  found->rule = nb_rules_find(context->rules, name, length, &found->format);
  nb_map_set(context->found, function, found);
  return found;
}

const NbRule *nb_rule_of_call(const NbContext *context, LLVMValueRef call, NbFormat *format) {
  LLVMValueRef callee = nb_callee(call);
  if (!callee)
    return NULL;
  LLVMValueRef original = nb_map_get(context->originals, callee);
  if (nb_map_has(context->custom, original ? original : callee))
    return NULL;
  const char *name = nb_known_name(callee);
  const Found *found = find_row(context, callee, name);
  const NbRule *rule = found->rule;
  if (format)
    *format = found->format;
  bool known = rule && nb_rule_fits(context, rule, found->format, call);
  if (known && !is_programs_own(context, rule, callee, name))
    return rule;
  return ends(call, callee) ? &ending : NULL;
}

const char *nb_opcode_name(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMFAdd:
    return "fadd";
  case LLVMFSub:
    return "fsub";
  case LLVMFMul:
    return "fmul";
  case LLVMFDiv:
    return "fdiv";
  case LLVMFRem:
    return "frem";
  case LLVMFNeg:
    return "fneg";
  default:
    return NULL;
  }
}

const char *nb_comparison_sign(LLVMIntPredicate predicate) {
  switch (predicate) {
  case LLVMIntEQ:
    return "==";
  case LLVMIntNE:
    return "!=";
  case LLVMIntUGT:
  case LLVMIntSGT:
    return ">";
  case LLVMIntUGE:
  case LLVMIntSGE:
    return ">=";
  case LLVMIntULT:
  case LLVMIntSLT:
    return "<";
  default:
    return "<=";
  }
}

bool nb_call_only_computes(const NbContext *context, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(context, call, NULL);
  return rule && rule->kind == NB_RULE_TANGENT && rule->effect_count == 0 && !rule->once;
}

bool nb_call_only_looks(const NbContext *context, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(context, call, NULL);
  return rule && rule->kind == NB_RULE_INACTIVE && !LLVMGetFirstUse(call);
}

LLVMValueRef nb_call_next(LLVMValueRef call) {
  if (!LLVMIsAInvokeInst(call))
    return LLVMGetNextInstruction(call);
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMBasicBlockRef normal = LLVMGetNormalDest(call);
  LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(llvm, normal, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  LLVMPositionBuilderAtEnd(builder, between);
  LLVMValueRef next = LLVMBuildBr(builder, normal);
  LLVMDisposeBuilder(builder);
  nb_phis_redirect(normal, LLVMGetInstructionParent(call), between);
  LLVMSetNormalDest(call, between);
  return next;
}

LLVMValueRef nb_callee(LLVMValueRef call) {
  if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
    return NULL;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  while (callee && !LLVMIsAFunction(callee)) {
    if (LLVMIsAGlobalAlias(callee))
      callee = LLVMAliasGetAliasee(callee);
    else if (LLVMIsAConstantExpr(callee) && LLVMGetConstOpcode(callee) == LLVMBitCast)
      callee = LLVMGetOperand(callee, 0);
    else
      return NULL;
  }
  return callee;
}

const char *nb_name(LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  return length ? name : "";
}

const char *nb_user_name(const NbContext *context, LLVMValueRef function) {
  LLVMValueRef original = nb_map_get(context->originals, function);
  return nb_known_name(original ? original : function);
}

/* The user's function that one of ours only calls; else `global`. */
static LLVMValueRef called_by(const NbContext *context, LLVMValueRef global) {
  static const char *const prefixes[] = {NB_WRAPPED_PREFIX, NB_UNPACKED_PREFIX};
  for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t length = strlen(prefixes[i]);
    bool ours = !strncmp(nb_name(global), prefixes[i], length);
    LLVMValueRef called =
        ours ? LLVMGetNamedFunction(context->module, nb_name(global) + length) : NULL;
    global = called ? called : global;
  }
  return global;
}

const char *nb_shown_name(const NbContext *context, LLVMValueRef global) {
  global = called_by(context, global);
  LLVMValueRef original = nb_map_get(context->originals, global);
  char *readable = nb_readable_name(original ? original : global, nb_user_name(context, global));
  const char *copy = nb_arena_copy(context->arena, readable, strlen(readable));
  LLVMDisposeMessage(readable);
  return copy;
}

const char *nb_parameter_name(const NbContext *context, LLVMValueRef function, unsigned index) {
  LLVMValueRef parameter = LLVMGetParam(function, index);
  bool certain;
  char *source = nb_value_source_name(parameter, &certain);
  const char *name = source ? source : nb_name(parameter);
  const char *end = source ? NULL : strchr(name, NB_OF_SOURCE);
  name = nb_arena_copy(context->arena, name, end ? (size_t)(end - name) : strlen(name));
  if (source)
    LLVMDisposeMessage(source);
  return *name ? name : nb_arena_print(context->arena, "argument %u", index + 1);
}

bool nb_leads_nowhere(LLVMValueRef value) {
  enum { PAGE = 4096 };
  if (!LLVMIsAConstant(value))
    return false;
  if (LLVMIsNull(value) || LLVMIsUndef(value))
    return true;
  bool made = LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr;
  LLVMValueRef integer = made ? LLVMGetOperand(value, 0) : NULL;
  return integer && LLVMIsAConstantInt(integer) && LLVMConstIntGetZExtValue(integer) < PAGE;
}

static bool type_has(LLVMTypeRef type, bool (*leaf)(LLVMTypeKind)) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind || kind == LLVMArrayTypeKind)
    return type_has(LLVMGetElementType(type), leaf);
  if (kind != LLVMStructTypeKind)
    return leaf(kind);
  unsigned count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count; i++) {
    if (type_has(LLVMStructGetTypeAtIndex(type, i), leaf))
      return true;
  }
  return false;
}

bool nb_access_is_plain(LLVMValueRef access) {
  return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

bool nb_is_byte(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8;
}

bool nb_is_float_kind(LLVMTypeKind kind) {
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind ||
         kind == LLVMBFloatTypeKind || kind == LLVMX86_FP80TypeKind;
}

static bool is_quadruple(LLVMTypeKind kind) {
  return kind == LLVMFP128TypeKind || kind == LLVMPPC_FP128TypeKind;
}

static bool is_real(LLVMTypeKind kind) { return nb_is_float_kind(kind) || is_quadruple(kind); }

static bool is_pointer(LLVMTypeKind kind) { return kind == LLVMPointerTypeKind; }

bool nb_type_has_float(LLVMTypeRef type) { return type_has(type, nb_is_float_kind); }

bool nb_type_has_quadruple(LLVMTypeRef type) { return type_has(type, is_quadruple); }

bool nb_type_has_real(LLVMTypeRef type) { return type_has(type, is_real); }

LLVMValueRef nb_function_around(LLVMValueRef instruction) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

LLVMValueRef nb_phi_incoming(LLVMValueRef phi, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == block)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

bool nb_is_operation(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

unsigned nb_parameter_index(LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  unsigned index = 0;
  while (LLVMGetParam(function, index) != parameter)
    index++;
  return index;
}

bool nb_has_attribute_at(LLVMValueRef function, LLVMAttributeIndex index, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

bool nb_has_attribute(LLVMValueRef function, const char *name) {
  return nb_has_attribute_at(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name);
}

bool nb_type_is_real(LLVMTypeRef type) { return is_real(LLVMGetTypeKind(type)); }

bool nb_type_has_pointer(LLVMTypeRef type) { return type_has(type, is_pointer); }

LLVMTypeRef nb_scalar_type(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned nb_element_count(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return (unsigned)LLVMGetArrayLength2(type);
  default:
    return 0;
  }
}

bool nb_is_constant(LLVMValueRef value) { return LLVMIsConstant(value) != 0; }

uint64_t nb_store_size(const NbContext *context, LLVMTypeRef type) {
  return LLVMStoreSizeOfType(context->layout, type);
}
