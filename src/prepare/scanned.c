// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that are read by a format, as by sscanf. How many bytes are written where, only the
 * format tells, and how many conversions succeeded, the result. So each number goes to a variable
 * of the function's own first; then the program's memory takes it if it was found, and else what it
 * had. What has no derivative then is a store like any other. Formats with anything uncommon stay.
 */
#include "prepare/scanned.h"

#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_CONVERSIONS = 64 };

/* A conversion that takes an argument. */
typedef struct Conversion {
  LLVMTypeRef type; /* NULL: it writes characters */
} Conversion;

typedef struct Format {
  LLVMContextRef llvm;
  const char *at;
  bool simple; /* all of it is understood */
  unsigned count;
  Conversion conversions[MOST_CONVERSIONS];
} Format;

/* --- The format ------------------------------------------------------------------------------- */

/* Behind the bracket that closes a set of characters, in which one right behind the first stands
 * for itself. */
static const char *behind_set(const char *at) {
  at += *at == '^';
  at += *at == ']';
  at = strchr(at, ']');
  return at ? at + 1 : NULL;
}

/* By the letters in front of the conversion: of `l`, and of `h`; NULL: another. */
static LLVMTypeRef integer_type(const Format *format, const char *length, size_t letters) {
  if (!letters)
    return LLVMInt32TypeInContext(format->llvm);
  if (*length == 'h')
    return letters > 1 ? LLVMInt8TypeInContext(format->llvm) : LLVMInt16TypeInContext(format->llvm);
  return strchr("ljztq", *length) ? LLVMInt64TypeInContext(format->llvm) : NULL;
}

static LLVMTypeRef float_type(const Format *format, const char *length, size_t letters) {
  if (!letters)
    return LLVMFloatTypeInContext(format->llvm);
  return letters == 1 && *length == 'l' ? LLVMDoubleTypeInContext(format->llvm) : NULL;
}

static void add_conversion(Format *format, LLVMTypeRef type) {
  if (format->count < MOST_CONVERSIONS)
    format->conversions[format->count++] = (Conversion){type};
  else
    format->simple = false;
}

/* Behind the `%`. */
static void read_conversion(Format *format) {
  bool dropped = *format->at == '*';
  format->at += dropped;
  format->at += strspn(format->at, "0123456789");
  const char *length = format->at;
  size_t letters = strspn(length, "hljztq");
  char letter = length[letters];
  format->at += letters + (letter != 0);
  LLVMTypeRef type = NULL;
  bool number = letter && strchr("diuxXoaAeEfFgG", letter),
       text = letter && strchr("scC[S", letter);
  if (number)
    type = strchr("diuxXo", letter) ? integer_type(format, length, letters)
                                    : float_type(format, length, letters);
  if (letter == '[')
    format->at = behind_set(format->at);
  bool percent = letter == '%' && format->at == length + 1;
  format->simple &= format->at && (percent || text || type);
  if (format->simple && !dropped && !percent)
    add_conversion(format, type);
}

static const char *constant_text(const NbContext *context, LLVMValueRef pointer) {
  LLVMValueRef global = LLVMIsAGlobalVariable(pointer);
  bool constant = global && LLVMIsGlobalConstant(global) && !LLVMIsDeclaration(global);
  LLVMValueRef initial = constant ? LLVMGetInitializer(global) : NULL;
  size_t length = 0;
  if (!initial || !LLVMIsConstantString(initial))
    return NULL;
  const char *text = LLVMGetAsString(initial, &length);
  return nb_arena_copy(context->arena, text, length);
}

static bool read_format(const NbContext *context, LLVMValueRef pointer, Format *format) {
  const char *text = constant_text(context, pointer);
  *format = (Format){.llvm = context->llvm, .at = text, .simple = text != NULL};
  while (format->simple && *format->at)
    if (*format->at++ == '%')
      read_conversion(format);
  return format->simple;
}

/* --- The call --------------------------------------------------------------------------------- */

static LLVMValueRef new_variable(LLVMBuilderRef builder, LLVMValueRef call, LLVMTypeRef type) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(nb_function_around(call));
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  return LLVMBuildAlloca(builder, type, "scanned");
}

/* Conversion `index` is the one that the result counts as the next. */
static void bring(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef variable,
                  LLVMValueRef place, unsigned index) {
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  LLVMValueRef before = LLVMConstInt(LLVMTypeOf(call), index, false);
  LLVMValueRef found = LLVMBuildICmp(builder, LLVMIntSGT, call, before, "");
  LLVMValueRef old = LLVMBuildLoad2(builder, type, place, "");
  LLVMValueRef read = LLVMBuildLoad2(builder, type, variable, "");
  LLVMBuildStore(builder, LLVMBuildSelect(builder, found, read, old, ""), place);
}

static void spell(const NbContext *context, LLVMValueRef call, unsigned first,
                  const Format *format) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef next = LLVMGetNextInstruction(call);
  for (unsigned i = 0; i < format->count; i++) {
    LLVMValueRef place = LLVMGetOperand(call, first + i);
    if (!format->conversions[i].type)
      continue;
    LLVMValueRef variable = new_variable(builder, call, format->conversions[i].type);
    LLVMSetOperand(call, first + i, variable);
    LLVMPositionBuilderBefore(builder, next);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    bring(builder, call, variable, place, i);
  }
  LLVMDisposeBuilder(builder);
}

void nb_prepare_spell_scanned(const NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef inst = nb_instruction_first(function); inst; inst = nb_instruction_next(inst)) {
    const NbRule *rule = LLVMIsACallInst(inst) ? nb_rule_of_call(context, inst, NULL) : NULL;
    Format format;
    if (!rule || rule->scans == NB_NO_PARAMETER ||
        !read_format(context, LLVMGetOperand(inst, rule->scans), &format))
      continue;
    unsigned count = LLVMGetNumArgOperands(inst);
    if (count >= rule->parameter_count + format.count)
      spell(context, inst, rule->parameter_count, &format);
  }
}
