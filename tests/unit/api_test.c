// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The C API: requests in memory, run by LLJIT; contexts that know nothing of each other. */
#include "nabla-c/nabla.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4 };

static const char text[] =
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:"
    "64-S128\"\n"
    "target triple = \"x86_64-unknown-linux-gnu\"\n"
    "define double @product(double %x, double %y) {\n"
    "  %r = fmul double %x, %y\n"
    "  ret double %r\n"
    "}\n"
    "define double @at(ptr %p, i64 %i) {\n"
    "  %a = getelementptr double, ptr %p, i64 %i\n"
    "  %v = load double, ptr %a\n"
    "  %r = fmul double %v, %v\n"
    "  ret double %r\n"
    "}\n"
    "declare double @sqrt(double)\n"
    "define double @root(double %z, double %x) {\n"
    "  %r = call double @sqrt(double %x)\n"
    "  %w = fmul double %r, %z\n"
    "  ret double %w\n"
    "}\n";
static const char unknown_text[] = "declare double @unknown(double)\n"
                                   "define double @calls(double %x) {\n"
                                   "  %r = call double @unknown(double %x)\n"
                                   "  ret double %r\n"
                                   "}\n";

/* A module, and what is said about it. */
typedef struct Unit {
  LLVMContextRef llvm;
  LLVMModuleRef module;
  NablaContext *nabla;
  char errors[1024];
  unsigned count;
} Unit;

static void hear(const NablaDiagnostic *diagnostic, void *data) {
  Unit *unit = data;
  if (diagnostic->severity != NABLA_ERROR)
    return;
  unit->count++;
  snprintf(unit->errors, sizeof unit->errors, "%s", diagnostic->message);
}

static Unit *start_with(const char *ir) {
  Unit *unit = calloc(1, sizeof *unit);
  char *message;
  unit->llvm = LLVMContextCreate();
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "text");
  assert_false(LLVMParseIRInContext(unit->llvm, buffer, &unit->module, &message));
  unit->nabla = nabla_context_create();
  nabla_context_set_handler(unit->nabla, hear, unit);
  return unit;
}

static Unit *start(void) { return start_with(text); }

static void finish(Unit *unit) {
  nabla_context_dispose(unit->nabla);
  LLVMDisposeModule(unit->module);
  LLVMContextDispose(unit->llvm);
  free(unit);
}

static NablaRequest request_of(const Unit *unit, const char *function, NablaMode mode) {
  return (NablaRequest){.function = LLVMGetNamedFunction(unit->module, function), .mode = mode};
}

static void serve(Unit *unit, NablaRequest request, const char *name, const char *passes) {
  assert_non_null(nabla_request(unit->nabla, &request, name));
  assert_true(nabla_run(unit->nabla, unit->module, NULL, passes));
  assert_int_equal(unit->count, 0);
}

static LLVMMemoryBufferRef code_of(const Unit *unit) {
  LLVMTargetRef target;
  LLVMMemoryBufferRef code;
  char *message;
  char *triple = LLVMGetDefaultTargetTriple();
  assert_false(LLVMGetTargetFromTriple(triple, &target, &message));
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      target, triple, "x86-64", "", LLVMCodeGenLevelNone, LLVMRelocPIC, LLVMCodeModelDefault);
  assert_false(
      LLVMTargetMachineEmitToMemoryBuffer(machine, unit->module, LLVMObjectFile, &message, &code));
  LLVMDisposeTargetMachine(machine);
  LLVMDisposeMessage(triple);
  return code;
}

/* The JIT lives as long as the test: the code that it made is called. */
static LLVMOrcLLJITRef load(const Unit *unit, const char *name, void *function) {
  LLVMOrcLLJITRef jit;
  LLVMOrcDefinitionGeneratorRef process;
  LLVMOrcExecutorAddress address;
  assert_null(LLVMOrcCreateLLJIT(&jit, NULL));
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
  assert_null(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &process, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL));
  LLVMOrcJITDylibAddGenerator(library, process);
  assert_null(LLVMOrcLLJITAddObjectFile(jit, library, code_of(unit)));
  assert_null(LLVMOrcLLJITLookup(jit, &address, name));
  memcpy(function, &address, sizeof address);
  return jit;
}

static void one_result_is_returned(void **state) {
  (void)state;
  Unit *unit = start();
  double (*tangent)(double, double, double, double);
  serve(unit, request_of(unit, "product", NABLA_FORWARD), "tangent", "default<O2>");
  LLVMOrcLLJITRef jit = load(unit, "tangent", &tangent);
  assert_true(tangent(3, 1, 5, 10) == 35);
  LLVMOrcDisposeLLJIT(jit);
  finish(unit);
}

static void several_results_go_to_memory(void **state) {
  (void)state;
  Unit *unit = start();
  void (*gradient)(double, double, double *);
  NablaRequest request = request_of(unit, "product", NABLA_REVERSE);
  request.primal = true;
  serve(unit, request, "gradient", "nabla");
  LLVMOrcLLJITRef jit = load(unit, "gradient", &gradient);
  double results[3];
  gradient(3, 5, results);
  assert_true(results[0] == 15 && results[1] == 5 && results[2] == 3);
  LLVMOrcDisposeLLJIT(jit);
  finish(unit);
}

static void shadows_follow_their_parameter(void **state) {
  (void)state;
  Unit *unit = start();
  void (*gradient)(const double *, double *, double *, int64_t);
  NablaRequest request = request_of(unit, "at", NABLA_REVERSE);
  request.width = 2;
  serve(unit, request, "gradient", "default<O1>");
  LLVMOrcLLJITRef jit = load(unit, "gradient", &gradient);
  double x[] = {1, 2}, first[2] = {0}, second[2] = {0, 1};
  gradient(x, first, second, 1);
  assert_true(first[0] == 0 && first[1] == 4 && second[1] == 5);
  LLVMOrcDisposeLLJIT(jit);
  finish(unit);
}

/* A zero tangent at an infinite slope. */
static void activities_and_switches_are_the_requests(void **state) {
  (void)state;
  for (int strong = 0; strong < 2; strong++) {
    Unit *unit = start();
    NablaActivity activities[] = {NABLA_CONST, NABLA_OUT};
    double (*slope)(double, double), (*root)(double, double);
    NablaRequest request = request_of(unit, "product", NABLA_REVERSE);
    request.activities = activities;
    assert_non_null(nabla_request(unit->nabla, &request, "slope"));
    request = request_of(unit, "root", NABLA_REVERSE);
    request.activities = activities;
    request.strong_zero = strong;
    serve(unit, request, "root_slope", "nabla");
    LLVMOrcLLJITRef jit = load(unit, "slope", &slope);
    assert_true(slope(7, 2) == 7);
    LLVMOrcDisposeLLJIT(jit);
    jit = load(unit, "root_slope", &root);
    double value = root(0, 0);
    assert_true(strong ? value == 0 : value != value);
    LLVMOrcDisposeLLJIT(jit);
    finish(unit);
  }
}

static void refusals_reach_the_handler(void **state) {
  (void)state;
  Unit *unit = start_with(unknown_text);
  NablaRequest request = request_of(unit, "calls", NABLA_REVERSE);
  assert_non_null(nabla_request(unit->nabla, &request, "gradient"));
  assert_false(nabla_run(unit->nabla, unit->module, NULL, "nabla"));
  assert_int_equal(unit->count, 1);
  assert_non_null(strstr(unit->errors, "'unknown'"));
  assert_non_null(strstr(unit->errors, "[nabla: "));
  finish(unit);
}

static void mistakes_are_reported(void **state) {
  (void)state;
  Unit *unit = start();
  NablaRequest request = request_of(unit, "product", NABLA_REVERSE);
  assert_null(nabla_request(unit->nabla, &request, "root"));
  assert_non_null(strstr(unit->errors, "something of this name"));
  request.function = NULL;
  assert_null(nabla_request(unit->nabla, &request, "gradient"));
  assert_non_null(strstr(unit->errors, "no function"));
  assert_false(nabla_run(unit->nabla, unit->module, NULL, "no-such-pass"));
  assert_non_null(strstr(unit->errors, "no-such-pass"));
  assert_int_equal(unit->count, 3);
  finish(unit);
}

/* Options and users' rules of one context are not those of another. */
static void contexts_are_apart(void **state) {
  (void)state;
  Unit *with = start_with(unknown_text), *without = start_with(unknown_text);
  const char *file = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
  char path[256];
  snprintf(path, sizeof path, "%s/nabla-api-XXXXXX", file);
  FILE *rules = fdopen(mkstemp(path), "w");
  fputs("unknown(x) inactive\n", rules);
  fclose(rules);
  nabla_context_add_rules(with->nabla, path);
  assert_false(nabla_context_set_option(with->nabla, "no-such-option", "1"));
  assert_true(nabla_context_set_option(with->nabla, "max-tape", "1M"));
  Unit *both[] = {with, without};
  for (int i = 0; i < 2; i++) {
    NablaRequest request = request_of(both[i], "calls", NABLA_REVERSE);
    assert_non_null(nabla_request(both[i]->nabla, &request, "gradient"));
    assert_true(nabla_run(both[i]->nabla, both[i]->module, NULL, "nabla") == (i == 0));
    assert_int_equal(both[i]->count, i);
  }
  remove(path);
  finish(with);
  finish(without);
}

static void *make_text(void *result) {
  Unit *unit = start();
  NablaRequest request = request_of(unit, "at", NABLA_REVERSE);
  if (nabla_request(unit->nabla, &request, "gradient") &&
      nabla_run(unit->nabla, unit->module, NULL, "default<O2>"))
    *(char **)result = LLVMPrintModuleToString(unit->module);
  finish(unit);
  return NULL;
}

static void threads_have_contexts_of_their_own(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  char *texts[THREADS] = {NULL};
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, make_text, &texts[i]), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    assert_string_equal(texts[i], texts[0]);
  for (int i = 0; i < THREADS; i++)
    LLVMDisposeMessage(texts[i]);
}

static void the_version_is_the_header_s(void **state) {
  (void)state;
  assert_string_equal(nabla_version(), NABLA_VERSION_STRING);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_result_is_returned),
      cmocka_unit_test(several_results_go_to_memory),
      cmocka_unit_test(shadows_follow_their_parameter),
      cmocka_unit_test(activities_and_switches_are_the_requests),
      cmocka_unit_test(refusals_reach_the_handler),
      cmocka_unit_test(mistakes_are_reported),
      cmocka_unit_test(contexts_are_apart),
      cmocka_unit_test(threads_have_contexts_of_their_own),
      cmocka_unit_test(the_version_is_the_header_s),
  };
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
