// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Files: functions first, then what they turned out to need. */
#include "base/records.h"
#include "objects/graph.h"
#include "source/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define OWN_PREFIX "nabla."
#define LEFT_OUT "/* What happens where a call throws an exception is left out. */\n"

/* --- Functions ------------------------------------------------------------------------------- */

typedef struct Order {
  Function *f;
  NbMap *seen;
  unsigned count;
} Order;

/* Fills `blocks` from its end. The way that an exception takes is none. */
static void visit(Order *order, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool throws = LLVMIsAInvokeInst(end) != NULL;
  order->f->throws = order->f->throws || throws;
  nb_map_set(order->seen, block, order);
  for (unsigned i = throws ? 1 : LLVMGetNumSuccessors(end); i-- > 0;)
    if (!nb_map_has(order->seen, LLVMGetSuccessor(end, i)))
      visit(order, LLVMGetSuccessor(end, i));
  order->f->blocks[--order->count] = block;
}

static void order_blocks(Function *f) {
  unsigned count = LLVMCountBasicBlocks(f->function);
  LLVMBasicBlockRef *blocks = NB_NEW_ARRAY(f->arena, LLVMBasicBlockRef, count);
  Order order = {f, nb_map_new(f->arena), count};
  f->blocks = blocks;
  visit(&order, LLVMGetEntryBasicBlock(f->function));
  f->blocks = blocks + order.count;
  f->block_count = count - order.count;
  for (unsigned i = 0; i < f->block_count; i++)
    nb_map_set(f->numbers, f->blocks[i], (void *)(uintptr_t)(i + 1));
}

static Function *new_function(Writer *writer, LLVMValueRef function) {
  Function *f = NB_NEW(writer->arena, Function);
  *f = (Function){.writer = writer, .arena = writer->arena, .function = function};
  f->variables = nb_map_new(f->arena);
  f->folded = nb_map_new(f->arena);
  f->late = nb_map_new(f->arena);
  f->numbers = nb_map_new(f->arena);
  f->gotos = nb_map_new(f->arena);
  f->names = source_names(f->arena);
  f->at = NB_NEW(f->arena, Stmt);
  return f;
}

static bool has_prefix(LLVMValueRef function, const char *prefix) {
  return strncmp(nb_name(function), prefix, strlen(prefix)) == 0;
}

static bool is_local(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_weak(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage ||
         linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage ||
         linkage == LLVMExternalWeakLinkage;
}

/* What C has no body for is weak only where it was only declared as that: where nobody else defines
 * it the linker says so. */
static const char *linkage_text(const Writer *writer, LLVMValueRef function) {
  bool written = nb_map_get(writer->written, function) != NULL;
  if (is_weak(function) && (written || LLVMIsDeclaration(function)))
    return "__attribute__((weak)) ";
  return is_local(function) && written ? "static " : "";
}

/* The symbol of what C knows by another name; "". What is only known here, and is not written as C,
 * leads to no symbol, lest another file's of that name be taken for it. */
static const char *symbol_text(const Writer *writer, LLVMValueRef global, bool written) {
  const char *name = nb_map_get(writer->globals, global), *own = nb_name(global);
  if (is_local(global))
    return written || !writer->whole
               ? ""
               : nb_arena_print(writer->arena, " __asm__(\"%s, which is not written as C\")", name);
  return strcmp(own, name) == 0 ? "" : nb_arena_print(writer->arena, " __asm__(\"%s\")", own);
}

static const char *head_of(Function *f) {
  unsigned count = LLVMCountParams(f->function);
  const char **names = NB_NEW_ARRAY(f->arena, const char *, count + 1);
  for (unsigned i = 0; i < count; i++)
    names[i] = source_variable(f, LLVMGetParam(f->function, i))->name;
  return source_prototype(f->writer, f->function, names);
}

/* Variables of the function's are not called as what it mentions. */
static void take_mentioned(Function *f, LLVMValueRef constant, unsigned depth) {
  if (LLVMIsAGlobalValue(constant))
    source_take(&f->names, nb_name(constant));
  else
    for (int i = 0; depth && i < LLVMGetNumOperands(constant); i++)
      take_mentioned(f, LLVMGetOperand(constant, (unsigned)i), depth - 1);
}

static void take_all_mentioned(Function *f) {
  enum { NESTING = 4 };
  for (LLVMValueRef at = nb_instruction_first(f->function); at; at = nb_instruction_next(at))
    for (int i = 0; i < LLVMGetNumOperands(at); i++)
      if (LLVMIsAConstant(LLVMGetOperand(at, (unsigned)i)))
        take_mentioned(f, LLVMGetOperand(at, (unsigned)i), NESTING);
}

/* A parameter of a name, so that all that follows is about it. */
const char *source_function(Writer *writer, LLVMValueRef function) {
  Function *f = new_function(writer, function);
  take_all_mentioned(f);
  order_blocks(f);
  source_parameters(f);
  source_fold(f);
  if (f->throws && writer->whole)
    source_refuse(f, "it handles exceptions");
  if (!f->why_not)
    source_structure(f);
  const char *name = source_global(writer, function);
  if (f->why_not)
    return nb_arena_print(f->arena, "/* %s is not written as C: %s. */\n", name, f->why_not);
  nb_map_set(writer->written, function, f);
  source_tidy(f);
  source_place_declarations(f);
  const char *head = head_of(f);
  return nb_arena_print(f->arena, "%s%s%s {\n%s}\n", f->throws ? LEFT_OUT : "",
                        linkage_text(writer, function), head, source_print(f));
}

/* What LLVM's lists of globals say: which are kept though nothing mentions them, and which
 * functions run before and after main. */
static bool is_in_list(const Writer *writer, const char *list, LLVMValueRef global) {
  LLVMValueRef named = LLVMGetNamedGlobal(writer->context->module, list);
  LLVMValueRef items = named ? LLVMGetInitializer(named) : NULL;
  for (int i = 0; items && i < LLVMGetNumOperands(items); i++) {
    LLVMValueRef item = LLVMGetOperand(items, (unsigned)i);
    if (LLVMIsAConstantStruct(item))
      item = LLVMGetOperand(item, 1);
    if (item == global)
      return true;
  }
  return false;
}

static bool is_kept(const Writer *writer, LLVMValueRef global) {
  return is_in_list(writer, "llvm.used", global) ||
         is_in_list(writer, "llvm.compiler.used", global);
}

static const char *times_of(const Writer *writer, LLVMValueRef function) {
  const char *text = is_kept(writer, function) ? " __attribute__((used))" : "";
  if (is_in_list(writer, "llvm.global_ctors", function))
    text = nb_arena_print(writer->arena, "%s __attribute__((constructor))", text);
  if (is_in_list(writer, "llvm.global_dtors", function))
    text = nb_arena_print(writer->arena, "%s __attribute__((destructor))", text);
  return text;
}

/* --- Globals --------------------------------------------------------------------------------- */

static const char *attributes_of(const Writer *writer, LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  const char *text = is_weak(global) ? " __attribute__((weak))" : "";
  if (is_kept(writer, global))
    text = nb_arena_print(writer->arena, "%s __attribute__((used))", text);
  if (LLVMGetAlignment(global))
    text = nb_arena_print(writer->arena, "%s __attribute__((aligned(%u)))", text,
                          LLVMGetAlignment(global));
  if (section && *section)
    text = nb_arena_print(writer->arena, "%s __attribute__((section(\"%s\")))", text, section);
  return text;
}

static const char *variable_head(Writer *writer, LLVMValueRef global) {
  const char *name = source_global(writer, global);
  const char *text = source_declare(writer, LLVMGlobalGetValueType(global), name);
  const char *thread = LLVMIsThreadLocal(global) ? "_Thread_local " : "";
  const char *constant = LLVMIsGlobalConstant(global) ? "const " : "";
  return nb_arena_print(writer->arena, "%s%s%s%s%s", thread, constant, text,
                        symbol_text(writer, global, true), attributes_of(writer, global));
}

typedef struct Parts {
  const char *declarations, *definitions;
} Parts;

static void add_table(Writer *writer, LLVMValueRef table, Parts *parts) {
  const char *name = source_global(writer, table);
  uint64_t count = LLVMGetArrayLength2(LLVMGlobalGetValueType(table));
  const char *addresses = writer->whole ? source_table(writer, table) : NULL;
  parts->declarations =
      nb_arena_print(writer->arena, "%s%s void *const %s[%" PRIu64 "];\n", parts->declarations,
                     addresses ? "static" : "extern", name, count);
  if (addresses)
    parts->definitions =
        nb_arena_print(writer->arena, "%sstatic void *const %s[%" PRIu64 "] = %s;\n",
                       parts->definitions, name, count, addresses);
}

static void add_variable(Writer *writer, LLVMValueRef global, Parts *parts) {
  LLVMValueRef value = LLVMGetInitializer(global);
  bool good = source_is_value(LLVMGlobalGetValueType(global));
  const char *name = source_global(writer, global);
  const char *initialiser =
      good && value && writer->whole ? source_initialiser(writer, value) : NULL;
  if (!good || (value && writer->whole && !initialiser)) {
    parts->declarations =
        nb_arena_print(writer->arena, "%s/* %s is not written as C. */\nextern char %s%s;\n",
                       parts->declarations, name, name, symbol_text(writer, global, false));
    return;
  }
  const char *head = variable_head(writer, global);
  bool local = is_local(global) && initialiser;
  parts->declarations = nb_arena_print(writer->arena, "%s%s%s;\n", parts->declarations,
                                       local ? "static " : "extern ", head);
  if (initialiser)
    parts->definitions = nb_arena_print(writer->arena, "%s%s%s = %s;\n", parts->definitions,
                                        local ? "static " : "", head, initialiser);
}

static bool runs_by_itself(const Writer *writer, LLVMValueRef function) {
  return writer->whole && (is_in_list(writer, "llvm.global_ctors", function) ||
                           is_in_list(writer, "llvm.global_dtors", function));
}

/* Nothing mentions what runs by itself: that it is not there would go unseen. */
static void add_missing(Writer *writer, LLVMValueRef function, Parts *parts) {
  const char *own = source_global(writer, function);
  const char *name = source_unique(writer->arena, &writer->names, &writer->exact_names, "left_out");
  parts->definitions =
      nb_arena_print(writer->arena, "%sstatic void *const %s __attribute__((used)) = (void *)%s;\n",
                     parts->definitions, name, own);
}

static void add_function(Writer *writer, LLVMValueRef function, Parts *parts) {
  if (LLVMGetIntrinsicID(function))
    return;
  const char *head = source_prototype(writer, function, NULL);
  bool written = nb_map_get(writer->written, function) != NULL;
  const char *renamed = symbol_text(writer, function, written);
  const char *inlined = nb_call_says(function, function, LLVMAttributeFunctionIndex, "noinline")
                            ? " __attribute__((noinline))"
                            : "";
  parts->declarations = nb_arena_print(writer->arena, "%s%s%s%s%s%s;\n", parts->declarations,
                                       linkage_text(writer, function), head, renamed, inlined,
                                       times_of(writer, function));
  if (!written && runs_by_itself(writer, function))
    add_missing(writer, function, parts);
}

static void add_global(Writer *writer, LLVMValueRef global, Parts *parts) {
  if (LLVMIsAFunction(global))
    add_function(writer, global, parts);
  else if (LLVMIsAGlobalVariable(global) && source_is_table(global))
    add_table(writer, global, parts);
  else if (LLVMIsAGlobalVariable(global))
    add_variable(writer, global, parts);
  else
    parts->declarations = nb_arena_print(
        writer->arena, "%s/* %s is another name of something. */\nextern char %s%s;\n",
        parts->declarations, source_global(writer, global), source_global(writer, global),
        symbol_text(writer, global, false));
}

/* What is mentioned grows while it is declared. */
static Parts parts_of(Writer *writer) {
  Parts parts = {"", ""};
  for (unsigned i = 0; i < nb_map_count(writer->globals); i++)
    add_global(writer, (LLVMValueRef)nb_map_key(writer->globals, i), &parts);
  return parts;
}

/* --- Files ----------------------------------------------------------------------------------- */

static Writer *new_writer(NbContext *context, bool whole) {
  NbArena *arena = nb_arena_new();
  Writer *writer = NB_NEW(arena, Writer);
  *writer = (Writer){.context = context, .arena = arena, .whole = whole};
  writer->type_names = nb_map_new(arena);
  writer->exact = nb_map_new(arena);
  writer->access_names = nb_map_new(arena);
  writer->members = nb_map_new(arena);
  writer->globals = nb_map_new(arena);
  writer->pointees = nb_map_new(arena);
  writer->written = nb_map_new(arena);
  writer->names = source_names(arena);
  writer->unsigned_names = nb_map_new(arena);
  writer->exact_names = source_names(arena);
  writer->types = nb_list(arena);
  source_find_exact(writer);
  source_take_exact(writer);
  return writer;
}

/* Names that others know are taken before any that is only ours. */
static void take_names(Writer *writer) {
  LLVMModuleRef module = writer->context->module;
  for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
    if (!is_local(at) && !LLVMGetIntrinsicID(at) && writer->whole)
      source_global(writer, at);
  for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
    if (!is_local(at) && writer->whole && !has_prefix(at, "llvm."))
      source_global(writer, at);
  for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
    if (writer->whole && is_kept(writer, at))
      source_global(writer, at);
}

static const char HEAD[] =
    "#pragma STDC FP_CONTRACT OFF\n"
    "#pragma clang diagnostic ignored \"-Wincompatible-library-redeclaration\"\n"
    "#pragma clang diagnostic ignored \"-Wbuiltin-requires-header\"\n"
    "#pragma clang diagnostic ignored \"-Wincompatible-pointer-types-discards-qualifiers\"\n"
    "#pragma clang diagnostic ignored \"-Wparentheses-equality\"\n"
    "#pragma clang diagnostic ignored \"-Wpsabi\"\n\n";

static void write_file(const Writer *writer, FILE *out, const Parts *parts, const NbList *texts) {
  size_t length;
  const char *source = LLVMGetSourceFileName(writer->context->module, &length);
  fputs("/* What nabla made of ", out);
  for (size_t i = 0; i < length; i++)
    fputc(source[i] == '*' ? '_' : source[i], out);
  fputs(". */\n", out);
  fputs(HEAD, out);
  for (unsigned i = 0; i < writer->types.count; i++)
    fprintf(out, "%s\n", (const char *)writer->types.items[i]);
  fprintf(out, "%s\n%s", parts->declarations, parts->definitions);
  for (unsigned i = 0; i < texts->count; i++)
    fprintf(out, "\n%s", (const char *)texts->items[i]);
}

static bool is_body(LLVMValueRef function) {
  return LLVMCountBasicBlocks(function) &&
         LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage;
}

static void save(Writer *writer, const NbList *texts) {
  const char *path = nb_option_text(writer->context->options, "source");
  if (!path || !*path)
    return;
  Parts parts = parts_of(writer);
  FILE *out = fopen(path, "w");
  if (out)
    write_file(writer, out, &parts, texts);
  bool written = out && !ferror(out);
  if (!out || fclose(out) != 0 || !written)
    nb_refuse(writer->context, NB_ERROR_OPTION, NULL, "-nabla-source=%s cannot be written", path);
}

/* --- Derivatives ----------------------------------------------------------------------------- */

static bool is_of(const NbDerivative *derivative, LLVMValueRef function) {
  LLVMValueRef parts[] = {derivative->forward,       derivative->recorded,
                          derivative->augmented,     derivative->reverse,
                          derivative->reverse_again, derivative->combined[0],
                          derivative->combined[1]};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] == function)
      return true;
  return false;
}

static void name_parameter(LLVMValueRef function, unsigned index, const char *name) {
  if (index < LLVMCountParams(function) && !*nb_name(LLVMGetParam(function, index)) && *name)
    LLVMSetValueName2(LLVMGetParam(function, index), name, strlen(name));
}

/* What a request was about may be gone by now. */
static bool is_there(const NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = LLVMGetFirstFunction(context->module); at; at = LLVMGetNextFunction(at))
    if (at == function)
      return true;
  return false;
}

/* What is behind the shadows: adjoints of the result, or the tape. */
static void name_others(NbArena *arena, LLVMValueRef function, unsigned first) {
  for (unsigned i = first; i < LLVMCountParams(function); i++) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i)));
    bool pointer = kind == LLVMPointerTypeKind || kind == LLVMStructTypeKind;
    const char *name = pointer ? "tape" : "seed";
    name_parameter(function, i, nb_arena_print(arena, "%s%c", name, NB_OF_SOURCE));
  }
}

/* First the primal's parameters, then the shadows of those that have one. */
static void name_parameters(NbArena *arena, const NbRequest *request, LLVMValueRef function) {
  unsigned next = request->count;
  for (unsigned i = 0; i < request->count; i++) {
    const char *own = source_clean(arena, nb_name(LLVMGetParam(request->function, i)));
    bool doubled = request->roles[i] == NB_ROLE_DUP && request->width == 1;
    name_parameter(function, i, *own ? nb_arena_print(arena, "%s%c", own, NB_OF_SOURCE) : "");
    if (doubled)
      name_parameter(function, next++,
                     *own ? nb_arena_print(arena, "d_%s%c", own, NB_OF_SOURCE) : "");
  }
  if (request->width == 1)
    name_others(arena, function, next);
}

static const NbDerivative *derivative_of(const NbContext *context, LLVMValueRef function,
                                         uint64_t *number) {
  const NbDerivative *derivative = context->all;
  for (*number = 1; derivative && !is_of(derivative, function); derivative = derivative->next)
    ++*number;
  return derivative;
}

static void record(const NbContext *context, const Writer *writer, LLVMValueRef function,
                   const char *text) {
  uint64_t number;
  const NbDerivative *derivative = derivative_of(context, function, &number);
  const char *fields[] = {nb_record_number(context, derivative ? number : 0),
                          nb_map_get(writer->globals, function), text};
  nb_record(context, "source", fields, 3);
}

static bool is_whole(const NbContext *context) {
  return nb_option_on(context->options, "source-whole", false);
}

bool nb_source_wanted(const NbContext *context) {
  const char *path = nb_option_text(context->options, "source");
  return nb_recording(context) || (path && *path);
}

void nb_source_note_names(LLVMModuleRef module, const NbOptions *options) {
  const char *file = nb_option_text(options, "source");
  const char *records = nb_option_text(options, "explain");
  if ((file && *file) || (records && *records))
    nb_names_from_source(module);
}

void nb_source_derivatives(NbContext *context) {
  if (!nb_source_wanted(context))
    return;
  Writer *writer = new_writer(context, false);
  NbList texts = nb_list(writer->arena);
  for (LLVMValueRef at = LLVMGetFirstFunction(context->module); at; at = LLVMGetNextFunction(at)) {
    if (!has_prefix(at, OWN_PREFIX) || !is_body(at))
      continue;
    nb_analyses_forget(context->analyses, at);
    uint64_t number;
    const NbDerivative *derivative = derivative_of(context, at, &number);
    if (derivative && is_there(context, derivative->request.function) &&
        LLVMCountParams(derivative->request.function) == derivative->request.count)
      name_parameters(writer->arena, &derivative->request, at);
    const char *text = source_function(writer, at);
    nb_list_push(&texts, (void *)text);
    record(context, writer, at, text);
  }
  if (!is_whole(context))
    save(writer, &texts);
  nb_arena_free(writer->arena);
}

void nb_source_module(NbContext *context) {
  if (!nb_source_wanted(context) || !is_whole(context))
    return;
  Writer *writer = new_writer(context, true);
  NbList texts = nb_list(writer->arena);
  take_names(writer);
  for (LLVMValueRef at = LLVMGetFirstFunction(context->module); at; at = LLVMGetNextFunction(at)) {
    if (!is_body(at))
      continue;
    nb_analyses_forget(context->analyses, at);
    nb_list_push(&texts, (void *)source_function(writer, at));
  }
  save(writer, &texts);
  nb_arena_free(writer->arena);
}
