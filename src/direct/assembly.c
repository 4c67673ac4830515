// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* In programs that compute with numbers, assembly stands mostly to hold back the optimiser
 * (`asm("" : "+x"(sum))`), to mark a place in what the compiler writes (a comment), and where a
 * compiler once had no other name for an instruction. What the text says by itself is understood.
 */
#include "direct/assembly.h"

#include "objects/assembly.h"
#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Instruction {
  const char *text;
  bool adds;                   /* a product; else a choice */
  LLVMRealPredicate predicate; /* of a choice */
} Instruction;

static const Instruction instructions[] = {
#define NB_ASSEMBLY_CHOICE(text, predicate) {text, false, predicate},
#define NB_ASSEMBLY_FMA(text) {text, true, LLVMRealPredicateFalse},
#include "direct/assembly.def"
};

/* Arguments and the result are vectors of one type, and only what a product is added to shares the
 * place of the result. */
static bool has_operands(const NbAssembly *assembly, const Instruction *instruction) {
  unsigned count = instruction->adds ? 4 : 3;
  if (assembly->count != count || (instruction->adds && assembly->operands[3].tied != 0))
    return false;
  for (unsigned i = 1; i < count; i++)
    if (assembly->operands[i].memory ||
        LLVMTypeOf(assembly->operands[i].value) != LLVMTypeOf(assembly->call))
      return false;
  return true;
}

static const Instruction *instruction_of(const NbAssembly *assembly) {
  LLVMTypeRef type = LLVMTypeOf(assembly->call);
  bool fits = assembly->results == 1 && !assembly->clobbers &&
              LLVMGetTypeKind(type) == LLVMVectorTypeKind && nb_type_has_float(type);
  for (unsigned i = 0; fits && i < sizeof instructions / sizeof *instructions; i++)
    if (assembly->length == strlen(instructions[i].text) &&
        memcmp(assembly->text, instructions[i].text, assembly->length) == 0)
      return has_operands(assembly, &instructions[i]) ? &instructions[i] : NULL;
  return NULL;
}

/* No instruction: nothing, or one comment to the end of the line, as x86's assemblers read it. */
static bool is_empty(const NbAssembly *assembly) {
  size_t i = 0;
  while (i < assembly->length && strchr(" \t\n", assembly->text[i]))
    i++;
  return i == assembly->length ||
         (assembly->text[i] == '#' && !memchr(assembly->text + i, '\n', assembly->length - i));
}

/* The input that shares the place of the output; NULL where there is none of its type. */
static LLVMValueRef input_of(const NbAssembly *assembly, unsigned output, LLVMTypeRef type) {
  for (unsigned i = 0; i < assembly->count; i++) {
    const NbAssemblyOperand *operand = &assembly->operands[i];
    if (operand->tied == output && !operand->memory &&
        (!type || LLVMTypeOf(operand->value) == type))
      return operand->value;
  }
  return NULL;
}

static LLVMTypeRef result_type(const NbAssembly *assembly, unsigned index) {
  LLVMTypeRef type = LLVMTypeOf(assembly->call);
  return assembly->results == 1 ? type : LLVMStructGetTypeAtIndex(type, index);
}

/* Is each result what the assembly takes? */
static bool passes_on(const NbAssembly *assembly) {
  unsigned result = 0;
  for (unsigned i = 0; i < assembly->count; i++) {
    const NbAssemblyOperand *operand = &assembly->operands[i];
    if (operand->output && !operand->memory &&
        !input_of(assembly, i, result_type(assembly, result++)))
      return false;
  }
  return true;
}

static bool is_known(LLVMValueRef inst) {
  NbAssembly assembly;
  if (!nb_assembly_read(inst, &assembly))
    return false;
  return instruction_of(&assembly) || (is_empty(&assembly) && passes_on(&assembly));
}

static LLVMValueRef multiply_and_add(NbContext *context, LLVMBuilderRef builder,
                                     const NbAssembly *assembly) {
  LLVMTypeRef type = LLVMTypeOf(assembly->call);
  unsigned id = LLVMLookupIntrinsicID("llvm.fma", strlen("llvm.fma"));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(context->module, id, &type, 1);
  LLVMValueRef arguments[] = {assembly->operands[1].value, assembly->operands[2].value,
                              assembly->operands[3].value};
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, 3, "");
}

static LLVMValueRef compute(NbContext *context, LLVMBuilderRef builder, const NbAssembly *assembly,
                            const Instruction *instruction) {
  if (instruction->adds)
    return multiply_and_add(context, builder, assembly);
  LLVMValueRef first = assembly->operands[1].value, second = assembly->operands[2].value;
  LLVMValueRef chosen = LLVMBuildFCmp(builder, instruction->predicate, second, first, "");
  return LLVMBuildSelect(builder, chosen, second, first, "");
}

/* What an output in memory shares with an input is written there. */
static LLVMValueRef pass_on(LLVMBuilderRef builder, const NbAssembly *assembly) {
  LLVMTypeRef type = LLVMTypeOf(assembly->call);
  LLVMValueRef made = assembly->results ? LLVMGetPoison(type) : NULL;
  unsigned result = 0;
  for (unsigned i = 0; i < assembly->count; i++) {
    const NbAssemblyOperand *operand = &assembly->operands[i];
    LLVMValueRef input = operand->output ? input_of(assembly, i, NULL) : NULL;
    if (input && operand->memory)
      LLVMSetAlignment(LLVMBuildStore(builder, input, operand->value), 1);
    else if (input && assembly->results > 1)
      made = LLVMBuildInsertValue(builder, made, input, result++, "");
    else if (input)
      made = input;
  }
  return made;
}

static void open_call(NbContext *context, LLVMValueRef call) {
  NbAssembly assembly;
  nb_assembly_read(call, &assembly);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  const Instruction *instruction = instruction_of(&assembly);
  LLVMValueRef made =
      instruction ? compute(context, builder, &assembly, instruction) : pass_on(builder, &assembly);
  LLVMDisposeBuilder(builder);
  if (made)
    LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

bool nb_assembly_any(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (is_known(at))
      return true;
  return false;
}

void nb_assembly_open(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    if (is_known(at))
      open_call(context, at);
  }
}
