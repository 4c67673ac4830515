// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* From C source in a string to the address of its gradient, in one process: clang makes LLVM IR of
 * the source, nabla the gradient while LLVM optimises, LLJIT the code. */
#include "nabla-c/nabla.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The clang of this LLVM, whose bitcode it can read. */
#ifndef CLANG
#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)
#define CLANG "clang-" TEXT(LLVM_VERSION_MAJOR)
#endif

static const char source[] = "double exp(double);\n"
                             "double f(const double *x, double s, int n) {\n"
                             "  double sum = 0;\n"
                             "  for (int i = 0; i < n; i++)\n"
                             "    sum += exp(s * x[i]) * x[i];\n"
                             "  return sum;\n"
                             "}\n";
typedef double Gradient(const double *x, double *dx, double s, int n);

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "jit: %s\n", what);
  exit(1);
}

static void check(LLVMErrorRef error) {
  if (error)
    fail(LLVMGetErrorMessage(error));
}

/* What clang would optimise, with lines for nabla's messages. */
static LLVMModuleRef compile(LLVMContextRef context, const char *text) {
  char path[] = "/tmp/nabla-jit-XXXXXX", command[512], *message;
  int file = mkstemp(path);
  snprintf(command, sizeof command,
           CLANG " -O2 -gline-tables-only -Xclang -disable-llvm-passes -emit-llvm -c -x c - -o %s",
           path);
  FILE *pipe = file < 0 ? NULL : popen(command, "w");
  if (!pipe || fputs(text, pipe) < 0 || pclose(pipe) != 0)
    fail("clang does not accept the source");
  LLVMMemoryBufferRef bitcode;
  LLVMModuleRef module;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bitcode, &message) ||
      LLVMParseBitcodeInContext2(context, bitcode, &module))
    fail("clang's bitcode cannot be read");
  LLVMDisposeMemoryBuffer(bitcode);
  remove(path);
  return module;
}

static LLVMTargetMachineRef native_machine(void) {
  char *triple = LLVMGetDefaultTargetTriple(), *message;
  char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    fail(message);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      target, triple, cpu, features, LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMDisposeMessage(features);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(triple);
  return machine;
}

/* Adds the gradient of `name` to the module, optimises all of it, and makes code of it. */
static LLVMMemoryBufferRef differentiate(LLVMModuleRef module, const char *name) {
  NablaContext *nabla = nabla_context_create();
  LLVMTargetMachineRef machine = native_machine();
  NablaRequest request = {.function = LLVMGetNamedFunction(module, name), .mode = NABLA_REVERSE};
  char *message;
  LLVMMemoryBufferRef code;
  if (!nabla_request(nabla, &request, "gradient") ||
      !nabla_run(nabla, module, machine, "default<O2>"))
    exit(1);
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &code))
    fail(message);
  LLVMDisposeTargetMachine(machine);
  nabla_context_dispose(nabla);
  return code;
}

/* What the code calls (exp, malloc, ...) is found in this process. */
static LLVMOrcLLJITRef load(LLVMMemoryBufferRef code) {
  LLVMOrcLLJITRef jit;
  LLVMOrcDefinitionGeneratorRef process;
  check(LLVMOrcCreateLLJIT(&jit, NULL));
  LLVMOrcJITDylibRef main = LLVMOrcLLJITGetMainJITDylib(jit);
  check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &process, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL));
  LLVMOrcJITDylibAddGenerator(main, process);
  check(LLVMOrcLLJITAddObjectFile(jit, main, code));
  return jit;
}

static int is_right(double value, double expected) {
  return fabs(value - expected) <= 1e-12 * (1 + fabs(expected));
}

int main(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = compile(context, source);
  LLVMOrcLLJITRef jit = load(differentiate(module, "f"));
  LLVMDisposeModule(module);
  LLVMContextDispose(context);

  LLVMOrcExecutorAddress address;
  Gradient *gradient;
  check(LLVMOrcLLJITLookup(jit, &address, "gradient"));
  memcpy(&gradient, &address, sizeof gradient);
  const double x[] = {1.0, -0.5, 0.25}, s = 0.5;
  double dx[3] = {0}, ds = 0;
  double result = gradient(x, dx, s, 3);
  int wrong = 0;
  for (int i = 0; i < 3; i++) {
    wrong |= !is_right(dx[i], exp(s * x[i]) * (1 + s * x[i]));
    ds += exp(s * x[i]) * x[i] * x[i];
  }
  wrong |= !is_right(result, ds);
  printf("df/dx = %g %g %g, df/ds = %g\n", dx[0], dx[1], dx[2], result);
  check(LLVMOrcDisposeLLJIT(jit));
  return wrong;
}
