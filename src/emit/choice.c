// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The choice between two versions of a derivative's function. */
#include "emit/choice.h"

#include "emit/emit.h"
#include "types/slots.h"

typedef struct Writer {
  NbContext *context;
  const NbChoice *choice;
  LLVMBuilderRef builder;
} Writer;

static LLVMValueRef null_pointer(const Writer *writer) {
  return LLVMConstNull(LLVMPointerTypeInContext(writer->context->llvm, 0));
}

static LLVMValueRef build_call(const Writer *writer, LLVMValueRef function,
                               LLVMValueRef *arguments) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  return LLVMBuildCall2(writer->builder, type, function, arguments, LLVMCountParams(function), "");
}

/* The test has the parameters of an augmented forward, of which it uses the primal's and the
 * shadows. */
static LLVMValueRef build_test(const Writer *writer) {
  const NbChoice *choice = writer->choice;
  unsigned given = nb_emit_tape_index(choice->request), count = LLVMCountParams(choice->test);
  LLVMValueRef *arguments = NB_NEW_ARRAY(writer->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = i < given ? LLVMGetParam(choice->function, i) : null_pointer(writer);
  return build_call(writer, choice->test, arguments);
}

static LLVMValueRef field_of(const Writer *writer, unsigned field) {
  const NbChoice *choice = writer->choice;
  LLVMValueRef tape = LLVMGetParam(choice->function, choice->tape_index);
  return LLVMBuildStructGEP2(writer->builder, choice->tape->type, tape, field, "");
}

static LLVMValueRef build_decision(const Writer *writer) {
  const NbChoice *choice = writer->choice;
  LLVMTypeRef bit = LLVMInt1TypeInContext(writer->context->llvm);
  LLVMTypeRef byte = LLVMInt8TypeInContext(writer->context->llvm);
  if (choice->decision == NB_DECISION_READ) {
    LLVMValueRef place = field_of(writer, choice->tape->decision);
    LLVMValueRef noted = LLVMBuildLoad2(writer->builder, byte, place, "");
    nb_access_note_slot(noted);
    return LLVMBuildTrunc(writer->builder, noted, bit, "");
  }
  LLVMValueRef holds = build_test(writer);
  if (choice->decision == NB_DECISION_NOTED) {
    LLVMValueRef noted = LLVMBuildZExt(writer->builder, holds, byte, "");
    LLVMValueRef store =
        LLVMBuildStore(writer->builder, noted, field_of(writer, choice->tape->decision));
    nb_access_note_slot(store);
  }
  return holds;
}

static LLVMValueRef tape_for(const Writer *writer, unsigned version) {
  const NbVersionsTape *tape = writer->choice->tape;
  bool kept = tape->type && tape->fields[version] >= 0;
  return kept ? field_of(writer, (unsigned)tape->fields[version]) : null_pointer(writer);
}

/* What the version does not use need not be there. */
static void build_version(const Writer *writer, unsigned version) {
  const NbChoice *choice = writer->choice;
  LLVMValueRef function = choice->versions[version];
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arguments = NB_NEW_ARRAY(writer->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    arguments[i] = LLVMGetFirstUse(parameter) ? LLVMGetParam(choice->function, i)
                                              : LLVMGetPoison(LLVMTypeOf(parameter));
  }
  if (choice->tape)
    arguments[choice->tape_index] = tape_for(writer, version);
  LLVMValueRef result = build_call(writer, function, arguments);
  if (LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(writer->builder);
  else
    LLVMBuildRet(writer->builder, result);
}

void nb_emit_choice(NbContext *context, const NbChoice *choice) {
  static const char *const names[] = {"entry", "apart", "otherwise"};
  enum { BLOCKS = sizeof names / sizeof *names };
  LLVMBasicBlockRef blocks[BLOCKS];
  Writer writer = {context, choice, LLVMCreateBuilderInContext(context->llvm)};
  for (unsigned i = 0; i < BLOCKS; i++)
    blocks[i] = LLVMAppendBasicBlockInContext(context->llvm, choice->function, names[i]);
  LLVMPositionBuilderAtEnd(writer.builder, blocks[0]);
  LLVMValueRef holds = build_decision(&writer);
  LLVMBuildCondBr(writer.builder, holds, blocks[1], blocks[2]);
  for (unsigned version = 0; version < 2; version++) {
    LLVMPositionBuilderAtEnd(writer.builder, blocks[BLOCKS - 1 - version]);
    build_version(&writer, version);
  }
  LLVMDisposeBuilder(writer.builder);
}
