// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* LLVM's intrinsics as clang's builtins. */
#include "source/intrinsics.h"

#include <ctype.h>
#include <string.h>

/* .NAME, of llvm.NAME.TYPES. */
static const char *base_name(const Function *f, LLVMValueRef callee) {
  const char *name = nb_name(callee) + strlen("llvm");
  char *base = nb_arena_copy(f->arena, name, strlen(name));
  for (char *dot = strrchr(base, '.'); dot != base; dot = strrchr(base, '.')) {
    bool is_type = strchr("fivpb", dot[1]) && strpbrk(dot, "0123456789") && dot[1];
    if (!is_type)
      break;
    *dot = '\0';
  }
  return base;
}

static const char *argument(Function *f, LLVMValueRef call, unsigned index) {
  return source_value(f, LLVMGetOperand(call, index), LEVEL_CHOICE);
}

static const char *typed(Function *f, LLVMValueRef call, unsigned index, bool is_unsigned) {
  LLVMValueRef operand = LLVMGetOperand(call, index);
  LLVMTypeRef type = LLVMTypeOf(operand);
  const char *name = is_unsigned ? source_unsigned(f->writer, type) : source_type(f->writer, type);
  return nb_arena_print(f->arena, "(%s)%s", name, source_value(f, operand, LEVEL_UNARY));
}

static const char *result_cast(Function *f, LLVMValueRef call, const char *text) {
  return nb_arena_print(f->arena, "(%s)%s", source_type(f->writer, LLVMTypeOf(call)), text);
}

/* --- Single ones ----------------------------------------------------------------------------- */

static const char *move_bytes(Function *f, LLVMValueRef call, const char *name) {
  return nb_arena_print(f->arena, "__builtin_%.*s(%s, %s, %s)", (int)strcspn(name, "."), name,
                        argument(f, call, 0), argument(f, call, 1), argument(f, call, 2));
}

static const char *helper_of(Function *f, LLVMValueRef call) {
  Writer *writer = f->writer;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *known = nb_map_get(writer->globals, callee);
  if (known)
    return known;
  const char *type = source_type(writer, LLVMTypeOf(call));
  known = source_unique(writer->arena, &writer->names, NULL, "multiply_add");
  nb_map_set(writer->globals, callee, (void *)known);
  const char *text = nb_arena_print(writer->arena,
                                    "/* Rounds once where the processor can, else twice. */\n"
                                    "static inline %s %s(%s a, %s b, %s c) {\n"
                                    "#pragma STDC FP_CONTRACT ON\n  return a * b + c;\n}\n",
                                    type, known, type, type, type);
  nb_list_push(&writer->types, (void *)text);
  return known;
}

static const char *multiply_add(Function *f, LLVMValueRef call, const char *name) {
  (void)name;
  const char *helper = helper_of(f, call);
  const char *first = argument(f, call, 0), *second = argument(f, call, 1);
  return nb_arena_print(f->arena, "%s(%s, %s, %s)", helper, first, second, argument(f, call, 2));
}

/* The name begins with an 's' or a 'u': signed or unsigned; three letters say what is done. */
static const char *of_integers(Function *f, LLVMValueRef call, const char *name,
                               const char *suffix) {
  bool is_unsigned = *name == 'u';
  const char *first = typed(f, call, 0, is_unsigned), *second = typed(f, call, 1, is_unsigned);
  const char *text = nb_arena_print(f->arena, "__builtin_elementwise_%.3s%s(%s, %s)", name + 1,
                                    suffix, first, second);
  return is_unsigned ? result_cast(f, call, text) : text;
}

static const char *least(Function *f, LLVMValueRef call, const char *name) {
  return of_integers(f, call, name, "");
}

static const char *saturated(Function *f, LLVMValueRef call, const char *name) {
  return of_integers(f, call, name, "_sat");
}

static const char *absolute(Function *f, LLVMValueRef call, const char *name) {
  return nb_arena_print(f->arena, "__builtin_elementwise_%s(%s)", name, typed(f, call, 0, false));
}

static const char *count_bits(Function *f, LLVMValueRef call, const char *name) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(call));
  const char *operand = typed(f, call, 0, true);
  if (strcmp(name, "ctpop") == 0)
    return result_cast(f, call, nb_arena_print(f->arena, "__builtin_popcountg(%s)", operand));
  return result_cast(f, call,
                     nb_arena_print(f->arena, "__builtin_%sg(%s, %u)", name + 1, operand, bits));
}

static const char *count_leading(Function *f, LLVMValueRef call, const char *name) {
  return count_bits(f, call, strcmp(name, "ctlz") == 0 ? "cclz" : "cctz");
}

/* clang's builtins of bits and bytes are for integers of these sizes. */
static bool has_builtin(unsigned bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static const char *swap_bytes(Function *f, LLVMValueRef call, const char *name) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(call));
  if (!has_builtin(bits))
    return source_refuse(f, "the bytes of an integer are reversed that C has no builtin for");
  return result_cast(
      f, call, nb_arena_print(f->arena, "__builtin_%s%u(%s)", name, bits, typed(f, call, 0, true)));
}

static const char *watch_overflow(Function *f, LLVMValueRef call, const char *name) {
  const char *type = source_type(f->writer, LLVMTypeOf(call));
  LLVMTypeRef integer = LLVMTypeOf(LLVMGetOperand(call, 0));
  bool is_unsigned = *name == 'u';
  const char *spelt =
      is_unsigned ? source_unsigned(f->writer, integer) : source_type(f->writer, integer);
  const char *first = typed(f, call, 0, is_unsigned), *second = typed(f, call, 1, is_unsigned);
  const char *number = source_member(f->writer, LLVMTypeOf(call), 0);
  return nb_arena_print(
      f->arena, "({ %s r; r.%s = __builtin_%.3s_overflow(%s, %s, (%s *)&r.%s); r; })", type,
      source_member(f->writer, LLVMTypeOf(call), 1), name + 1, first, second, spelt, number);
}

static const char *first_argument(Function *f, LLVMValueRef call, const char *name) {
  (void)name;
  return argument(f, call, 0);
}

static const char *plain(Function *f, LLVMValueRef call, const char *name) {
  (void)call;
  return nb_arena_print(f->arena, "__builtin_%s()", name);
}

/* Arrays of a size that only the run tells stay until the function returns. */
static const char *no_stack(Function *f, LLVMValueRef call, const char *name) {
  (void)f;
  (void)call;
  return strcmp(name, "stacksave") == 0 ? "(void *)0" : "(void)0";
}

static const char *is_class(Function *f, LLVMValueRef call, const char *name) {
  (void)name;
  const char *number = argument(f, call, 0);
  return nb_arena_print(f->arena, "__builtin_isfpclass(%s, %s)", number, argument(f, call, 1));
}

static const char *rotate_by_shifts(Function *f, LLVMValueRef call, bool left) {
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned bits = LLVMGetIntTypeWidth(type);
  if (bits & (bits - 1))
    return source_refuse(f, "an integer of unusual size is rotated");
  const char *value = typed(f, call, 0, true);
  const char *text =
      nb_arena_print(f->arena, "({ %s r = %s; int n = %s & %u; r %s n | r %s (-n & %u); })",
                     source_unsigned(f->writer, type), value, typed(f, call, 2, true), bits - 1,
                     left ? "<<" : ">>", left ? ">>" : "<<", bits - 1);
  return result_cast(f, call, text);
}

static const char *rotate(Function *f, LLVMValueRef call, const char *name) {
  if (LLVMGetOperand(call, 0) != LLVMGetOperand(call, 1))
    return source_refuse(f, "two integers are shifted as one");
  bool left = strcmp(name, "fshl") == 0;
  const char *way = left ? "rotateleft" : "rotateright";
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(call));
  if (!has_builtin(bits))
    return rotate_by_shifts(f, call, left);
  const char *value = typed(f, call, 0, true);
  return result_cast(f, call,
                     nb_arena_print(f->arena, "__builtin_%s%u(%s, %s)", way, bits, value,
                                    typed(f, call, 2, true)));
}

/* An address that lies at a distance from a table, which has the distance. */
static const char *relative(Function *f, LLVMValueRef call, const char *name) {
  (void)name;
  LLVMValueRef table = LLVMGetOperand(call, 0);
  const char *offset = source_value(f, LLVMGetOperand(call, 1), LEVEL_PRODUCT);
  if (LLVMIsAGlobalVariable(table) && source_is_table(table))
    return nb_arena_print(f->arena, "%s[%s / 4]", source_global(f->writer, table), offset);
  const char *address = source_address(f, table, NULL, LEVEL_UNARY);
  const char *first = nb_arena_print(f->arena, "(char *)%s", address);
  return nb_arena_print(
      f->arena, "(void *)(%s + *(%s *)(%s + %s))", first,
      source_access(f->writer, LLVMInt32TypeInContext(f->writer->context->llvm), 4), first, offset);
}

/* -1, 0 or 1. */
static const char *compare_three_ways(Function *f, LLVMValueRef call, const char *name) {
  const char *first = typed(f, call, 0, *name == 'u'), *second = typed(f, call, 1, *name == 'u');
  return nb_arena_print(f->arena, "((%s > %s) - (%s < %s))", first, second, first, second);
}

static const char *known_constant(Function *f, LLVMValueRef call, const char *name) {
  (void)name;
  return nb_arena_print(f->arena, "__builtin_constant_p(%s)", argument(f, call, 0));
}

typedef struct Known {
  const char *name;
  const char *(*write)(Function *f, LLVMValueRef call, const char *name);
  bool scalar;
} Known;

static const Known KNOWN[] = {
    {".memcpy", move_bytes, false},
    {".memmove", move_bytes, false},
    {".memset", move_bytes, false},
    {".memcpy.inline", move_bytes, false},
    {".memset.inline", move_bytes, false},
    {".fmuladd", multiply_add, false},
    {".umin", least, false},
    {".umax", least, false},
    {".smin", least, false},
    {".smax", least, false},
    {".uadd.sat", saturated, false},
    {".usub.sat", saturated, false},
    {".sadd.sat", saturated, false},
    {".ssub.sat", saturated, false},
    {".scmp", compare_three_ways, true},
    {".ucmp", compare_three_ways, true},
    {".abs", absolute, false},
    {".ctpop", count_bits, true},
    {".ctlz", count_leading, true},
    {".cttz", count_leading, true},
    {".bswap", swap_bytes, true},
    {".fshl", rotate, true},
    {".fshr", rotate, true},
    {".uadd.with.overflow", watch_overflow, false},
    {".usub.with.overflow", watch_overflow, false},
    {".umul.with.overflow", watch_overflow, false},
    {".sadd.with.overflow", watch_overflow, false},
    {".ssub.with.overflow", watch_overflow, false},
    {".smul.with.overflow", watch_overflow, false},
    {".expect", first_argument, true},
    {".launder.invariant.group", first_argument, true},
    {".threadlocal.address", first_argument, false},
    {".stacksave", no_stack, false},
    {".stackrestore", no_stack, false},
    {".trap", plain, false},
    {".debugtrap", plain, false},
    {".is.fpclass", is_class, true},
    {".is.constant", known_constant, true},
    {".load.relative", relative, true},
};

/* --- Mathematics ----------------------------------------------------------------------------- */

static bool is_real(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

static const char *mathematics(Function *f, LLVMValueRef call, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  const char *suffix = kind == LLVMFloatTypeKind ? "f" : kind == LLVMX86_FP80TypeKind ? "l" : "";
  const char *list = "";
  bool small = kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    list = nb_arena_print(f->arena, "%s%s%s", list, i ? ", " : "", argument(f, call, i));
  bool elementwise = small || strncmp(name, "m", 1) == 0;
  if (elementwise)
    return nb_arena_print(f->arena, "__builtin_elementwise_%s(%s)",
                          source_lane_name(f->arena, name), list);
  return nb_arena_print(f->arena, "__builtin_%s%s(%s)", name, suffix, list);
}

const char *source_intrinsic(Function *f, LLVMValueRef call) {
  const char *name = base_name(f, LLVMGetCalledValue(call));
  bool vector = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind;
  for (unsigned i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
    if (strcmp(name, KNOWN[i].name) == 0 && !(vector && KNOWN[i].scalar))
      return KNOWN[i].write(f, call, name + 1);
  bool maths = LLVMGetNumArgOperands(call) && is_real(LLVMTypeOf(LLVMGetOperand(call, 0))) &&
               !strchr(name + 1, '.') && is_real(LLVMTypeOf(call));
  if (maths)
    return mathematics(f, call, name + 1);
  const char *of_lanes = source_vector_intrinsic(f, call, name + 1);
  if (of_lanes)
    return of_lanes;
  return source_refuse(f, nb_arena_print(f->arena, "it calls LLVM's intrinsic %s", name + 1));
}
