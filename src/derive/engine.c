// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the passes call. */
#include "base/records.h"
#include "base/stack.h"
#include "base/texts.h"
#include "direct/tables.h"
#include "emit/runtime.h"
#include "models/models.h"
#include "objects/graph.h"
#include "request/collected.h"
#include "request/request.h"
#include "request/truncate.h"
#include "source/source.h"
#include "tidy/tidy.h"

#include <errno.h>
#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x86-64 Linux, but not with the pointers of 32 bits of x32 (gnux32, muslx32); modules written by
 * hand may leave that out. */
static bool is_supported_triple(const char *triple) {
  if (!triple[0])
    return true;
  return strncmp(triple, "x86_64-", 7) == 0 && strstr(triple, "linux") && !strstr(triple, "x32");
}

/* What compilers of LLVM 19 to 22 write for it; pointers of 64 bits need not be said. */
static const char *const layout_of_target =
    "-e-m:e-p:64:64-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128-";

/* Is each part of the layout one of the target's? What is left out is as LLVM has it. */
static bool is_of_target(const char *text) {
  while (*text) {
    char part[32];
    size_t length = strcspn(text, "-");
    if (length + 3 > sizeof part)
      return false;
    snprintf(part, sizeof part, "-%.*s-", (int)length, text);
    if (!strstr(layout_of_target, part))
      return false;
    text += length + (text[length] == '-');
  }
  return true;
}

/* Its layout as the ABI has it, as far as derivatives depend on it. */
static bool is_supported_layout(LLVMModuleRef module) {
  LLVMContextRef llvm = LLVMGetModuleContext(module);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  const char *text = LLVMGetDataLayoutStr(module);
  if (LLVMPointerSize(layout) != 8 || LLVMByteOrder(layout) != LLVMLittleEndian)
    return false;
  return !text[0] || (LLVMABIAlignmentOfType(layout, LLVMInt64TypeInContext(llvm)) == 8 &&
                      LLVMABIAlignmentOfType(layout, LLVMDoubleTypeInContext(llvm)) == 8 &&
                      LLVMABIAlignmentOfType(layout, LLVMX86FP80TypeInContext(llvm)) == 16 &&
                      strstr(text, "S128") && is_of_target(text));
}

static void check_target(NbContext *context, LLVMValueRef where) {
  const char *triple = LLVMGetTarget(context->module);
  if (!is_supported_triple(triple))
    nb_refuse(context, NB_ERROR_TARGET, where, "this target is not supported: %s", triple);
  else if (!is_supported_layout(context->module))
    nb_refuse(context, NB_ERROR_TARGET, where, "this data layout is not supported: %s",
              LLVMGetDataLayoutStr(context->module));
}

static bool refuse_rules(NbContext *context, const NbRuleError *error) {
  for (; error; error = error->next)
    nb_refuse(context, NB_ERROR_RULE_FILE, NULL, "%s:%u:%u: %s", error->file, error->line,
              error->column, error->message);
  return false;
}

/* rules/options/accurate.rules, which an option puts before the built-in rows. */
extern const char nb_accurate_rules[];
extern const size_t nb_accurate_rules_size;

static bool load_accurate_rules(NbContext *context) {
  NbRuleError error;
  if (!nb_option_on(context->options, "accurate", false))
    return true;
  const NbRules *rules = nb_rules_parse(context->arena, "accurate.rules", nb_accurate_rules,
                                        nb_accurate_rules_size, context->rules, &error);
  if (!rules)
    return refuse_rules(context, &error);
  context->rules = rules;
  return true;
}

/* The next file of rules that the option names; NULL behind the last. */
static const char *next_rules(NbContext *context, const char **paths) {
  if (!*paths || !**paths)
    return NULL;
  size_t length = strcspn(*paths, ";");
  const char *path = nb_arena_copy(context->arena, *paths, length);
  *paths += length + ((*paths)[length] == ';');
  return path;
}

static bool load_rules(NbContext *context) {
  const char *paths = nb_option_text(context->options, "rules"), *path;
  context->rules = nb_rules_builtin();
  if (!load_accurate_rules(context))
    return false;
  while ((path = next_rules(context, &paths))) {
    NbRuleError error;
    const NbRules *rules = nb_rules_load(context->arena, path, context->rules, &error);
    if (!rules)
      return refuse_rules(context, &error);
    context->rules = rules;
  }
  return true;
}

/* A number of bytes with K, M or G; the last of several counts. */
static bool read_bytes(const char *text, uint64_t *bytes) {
  const char *last = strrchr(text, ';');
  const char *digits = last ? last + 1 : text;
  char *end;
  errno = 0;
  unsigned long long number = strtoull(digits, &end, 10);
  unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  *bytes = (uint64_t)number << shift;
  bool counted = errno == 0 && *bytes >> shift == number && number > 0;
  return *digits >= '0' && *digits <= '9' && counted && end[shift > 0] == 0;
}

static const char STAGES[] =
    "collect, request, direct, prepare, objects, types, activity, effects, "
    "linear, simplify, plan, emit, tidy";
/* Each behind a comma. */
static const char OPTIMISATIONS[] =
#define NB_OPTIMISATION(ID, name, text) ", " name
#include "base/optimisations.def"
#undef NB_OPTIMISATION
    ;

/* Is each word of the option's list known? */
static bool check_words(NbContext *context, const char *option, const char *known) {
  const char *at = nb_option_text(context->options, option);
  while (at && *at) {
    size_t length = strcspn(at, ",; ");
    const char *word = nb_arena_copy(context->arena, at, length);
    if (!nb_is_listed(known, word))
      return nb_refuse(context, NB_ERROR_OPTION, NULL, "-nabla-%s= knows no '%s', but %s", option,
                       word, known);
    at += length;
    at += strspn(at, ",; ");
  }
  return true;
}

static bool check_flags(NbContext *context) {
  const char *name = nb_option_unclear(context->options);
  return !name || nb_refuse(context, NB_ERROR_OPTION, NULL,
                            "-nabla-%s=%s is neither on (1, true, yes, on) nor off (0, false, no, "
                            "off)",
                            name, nb_option_text(context->options, name));
}

static bool read_options(NbContext *context) {
  if (!check_flags(context) || !check_words(context, "print", STAGES) ||
      !check_words(context, "without", OPTIMISATIONS + strlen(", ")))
    return false;
  if (!nb_records_open(context))
    return nb_refuse(context, NB_ERROR_OPTION, NULL, "-nabla-explain=%s cannot be written",
                     nb_option_text(context->options, "explain"));
  const char *text = nb_option_text(context->options, "max-tape");
  if (!text || read_bytes(text, &context->max_tape))
    return true;
  return nb_refuse(context, NB_ERROR_OPTION, NULL,
                   "-nabla-max-tape=%s is no number of bytes, such as 65536, 512K, 100M or 2G",
                   text);
}

static void start(NbContext *context, LLVMModuleRef module, const NbOptions *options,
                  NbAnalyses *analyses, NbPhase phase) {
  const char *print = nb_option_text(options, "print");
  const char *without = nb_option_text(options, "without");
  *context = (NbContext){.module = module,
                         .llvm = LLVMGetModuleContext(module),
                         .layout = LLVMGetModuleDataLayout(module),
                         .options = options,
                         .analyses = analyses,
                         .arena = nb_arena_new(),
                         .phase = phase,
                         .print = print ? print : "",
                         .without = without ? without : ""};
  context->primals = nb_map_new(context->arena);
  context->around = nb_map_new(context->arena);
  context->released = nb_map_new(context->arena);
  context->passed = nb_map_new(context->arena);
  context->custom = nb_map_new(context->arena);
  context->direct = nb_map_new(context->arena);
  context->checkpoints = nb_map_new(context->arena);
  context->variable = nb_map_new(context->arena);
  context->through = nb_map_new(context->arena);
  context->reaches = nb_map_new(context->arena);
  context->debug_structs = nb_map_new(context->arena);
  context->value_names = nb_map_new(context->arena);
  context->replayed = nb_map_new(context->arena);
  context->originals = nb_map_new(context->arena);
  context->found = nb_map_new(context->arena);
  context->interposable = nb_map_new(context->arena);
  context->declared_shadows = nb_map_new(context->arena);
  context->inactive_globals = nb_map_new(context->arena);
  context->summaries = nb_map_new(context->arena);
  context->keys = nb_texts_new(context->arena);
  context->by_key = nb_map_new(context->arena);
}

bool nb_engine_wants_inlining(LLVMModuleRef module, const NbOptions *options) {
  return nb_option_on(options, "enable", true) && nb_entries_need_inlining(module);
}

/* A pass that only looks at the module and leaves marks. */
static bool prepare(LLVMModuleRef module, const NbOptions *options, NbPhase phase,
                    bool (*change)(NbContext *context)) {
  LLVMValueRef first = LLVMGetFirstFunction(module);
  if (!first || !nb_option_on(options, "enable", true))
    return false;
  NbContext context;
  start(&context, module, options, NULL, phase);
  bool changed = load_rules(&context) && change(&context);
  nb_arena_free(context.arena);
  return changed;
}

bool nb_engine_collect(LLVMModuleRef module, const NbOptions *options, NbPhase phase) {
  bool noted = nb_tables_note(module, phase == NB_PHASE_BEFORE_LINK);
  return prepare(module, options, phase, nb_request_collect) || noted;
}

static bool note(NbContext *context) {
  bool held = nb_registrations_hold(context);
  return nb_request_note_indices(context) || held;
}

bool nb_engine_note(LLVMModuleRef module, const NbOptions *options, NbPhase phase) {
  nb_source_note_names(module, options);
  return prepare(module, options, phase, note);
}

/* The generated code is held to LLVM's own rules: what breaks them is a bug of ours. */
static void verify(NbContext *context) {
  char *message = NULL;
  if (LLVMVerifyModule(context->module, LLVMReturnStatusAction, &message))
    nb_refuse(context, NB_ERROR_BUILD, LLVMGetFirstFunction(context->module),
              "nabla wrote code that LLVM does not accept: %s", message);
  LLVMDisposeMessage(message);
}

/* Of an option that is accepted and ignored the user learns why. */
static void report_unused(NbContext *context, LLVMValueRef where) {
  const char *reason;
  for (unsigned i = 0;; i++) {
    const char *name = nb_option_unused(context->options, i, &reason);
    if (!name)
      return;
    nb_report(context->analyses, NB_SEVERITY_REMARK, where, where, "Option",
              nb_arena_print(context->arena, "-enzyme-%s is ignored: %s", name, reason));
  }
}

static void report_rules(NbContext *context, LLVMValueRef where) {
  const char *paths = nb_option_text(context->options, "rules"), *path;
  while ((path = next_rules(context, &paths)))
    nb_report(context->analyses, NB_SEVERITY_REMARK, where, where, "Rules",
              nb_arena_print(context->arena, "the rules of %s are used", path));
}

static void forget_type(const NbContext *context, LLVMValueRef access, const char *kind) {
  LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context->llvm, kind, (unsigned)strlen(kind)),
                  NULL);
}

/* The user says that types of accesses are not to be trusted. That one may be anything stays. */
static void forget_types(NbContext *context) {
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
      if (!nb_tbaa_is_any(at))
        forget_type(context, at, "tbaa");
      forget_type(context, at, "tbaa.struct");
    }
}

/* A file may name the runtime (a scheme of checkpointed loops) and ask for nothing. */
static bool serve(NbContext *context) {
  LLVMValueRef first = LLVMGetFirstFunction(context->module);
  if (!nb_option_on(context->options, "strict-aliasing", true))
    forget_types(context);
  if (!load_rules(context) || !read_options(context))
    return nb_refusals_report(context);
  nb_request_may_move(context);
  bool changed = nb_truncate_all(context);
  bool served = nb_request_serve(context);
  changed |= nb_equalities_show_all(context->module, !nb_context_is_before_link(context));
  if (!served && !nb_runtime_link(context))
    return nb_refusals_report(context) || changed;
  report_unused(context, first);
  report_rules(context, first);
  check_target(context, first);
  if (!context->refusals) {
    nb_tidy_module(context);
    verify(context);
    nb_source_module(context);
  }
  if (nb_refusals_report(context)) {
    nb_models_release(context);
    nb_tidy_refused(context);
  }
  return true;
}

/* Leaves the requests to a link step that may see more of the program. Machine code that stands
 * beside bitcode can be linked without one: then the linker misses them. */
static bool wait_for_link(NbContext *context) {
  bool beside = context->phase == NB_PHASE_BESIDE_BITCODE;
  if (!nb_context_is_before_link(context))
    return false;
  if (!load_rules(context) || !nb_request_waits(context))
    return false;
  if (beside) {
    nb_request_leave(context);
    nb_equalities_show_all(context->module, false);
  } else {
    nb_request_stay(context);
    LLVMGetOrInsertNamedMetadata(context->module, NB_MARK_OF_THIN, strlen(NB_MARK_OF_THIN));
  }
  return true;
}

typedef struct Derivation {
  NbContext context;
  bool changed;
} Derivation;

static void derive(void *user) {
  Derivation *derivation = user;
  derivation->changed = wait_for_link(&derivation->context) || serve(&derivation->context);
  nb_registrations_carry(&derivation->context);
}

bool nb_engine_derive(LLVMModuleRef module, const NbOptions *options, NbAnalyses *analyses,
                      NbPhase phase) {
  if (phase == NB_PHASE_BEFORE_LINK || !LLVMGetFirstFunction(module) ||
      !nb_option_on(options, "enable", true))
    return false;
  nb_source_note_names(module, options);
  Derivation derivation;
  start(&derivation.context, module, options, analyses, phase);
  nb_on_large_stack(derive, &derivation);
  nb_records_close(&derivation.context);
  nb_arena_free(derivation.context.arena);
  return derivation.changed;
}

bool nb_engine_finish(LLVMModuleRef module, bool linked) {
  bool changed = linked && nb_held_show_all(module);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function)) {
      changed |= nb_tidy_merge_vectors(function);
      changed |= nb_tidy_avoid_tables(function);
    }
  return changed;
}
