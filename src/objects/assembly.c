// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "objects/assembly.h"

#include <string.h>

/* The digit of a tied operand may stand in any of the alternatives (`0|m`). */
static unsigned tied_operand(const char *at, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bool starts = i == 0 || at[i - 1] == '|' || at[i - 1] == '%';
    bool digit = starts && at[i] >= '0' && at[i] <= '9';
    if (digit && (i + 1 == length || at[i + 1] == '|'))
      return (unsigned)(at[i] - '0');
  }
  return NB_ASSEMBLY_FREE;
}

/* Takes the next constraint; `argument` is the index of the next argument. */
static bool read_operand(NbAssembly *assembly, const char *at, size_t length, unsigned *argument) {
  if (at[0] == '~') {
    assembly->clobbers |= length == strlen("~{memory}") && strncmp(at, "~{memory}", length) == 0;
    return true;
  }
  if (at[0] == '!' || assembly->count == NB_ASSEMBLY_MOST)
    return false;
  NbAssemblyOperand *operand = &assembly->operands[assembly->count++];
  *operand = (NbAssemblyOperand){.output = at[0] == '=', .tied = NB_ASSEMBLY_FREE};
  operand->memory = memchr(at, '*', length) != NULL;
  if (!operand->output)
    operand->tied = tied_operand(at, length);
  if (operand->output && !operand->memory) {
    assembly->results++;
    return true;
  }
  if (*argument == LLVMGetNumArgOperands(assembly->call))
    return false;
  operand->value = LLVMGetOperand(assembly->call, (*argument)++);
  return operand->tied == NB_ASSEMBLY_FREE || operand->tied + 1 < assembly->count;
}

bool nb_assembly_read(LLVMValueRef call, NbAssembly *assembly) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  if (!callee || !LLVMIsAInlineAsm(callee))
    return false;
  size_t length;
  *assembly = (NbAssembly){.call = call};
  assembly->text = LLVMGetInlineAsmAsmString(callee, &assembly->length);
  const char *constraints = LLVMGetInlineAsmConstraintString(callee, &length);
  const char *end = constraints + length;
  unsigned argument = 0;
  for (const char *at = constraints; at < end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    const char *stop = comma ? comma : end;
    if (stop == at || !read_operand(assembly, at, (size_t)(stop - at), &argument))
      return false;
    at = stop + 1;
  }
  return argument == LLVMGetNumArgOperands(call);
}

static bool is_number(LLVMTypeRef type) {
  return !nb_type_has_float(type) && !nb_type_has_pointer(type);
}

bool nb_assembly_is_apart(LLVMValueRef call) {
  NbAssembly assembly;
  if (!nb_assembly_read(call, &assembly) || assembly.clobbers || !is_number(LLVMTypeOf(call)))
    return false;
  for (unsigned i = 0; i < assembly.count; i++) {
    const NbAssemblyOperand *operand = &assembly.operands[i];
    if (operand->memory || (operand->value && !is_number(LLVMTypeOf(operand->value))))
      return false;
  }
  return true;
}
