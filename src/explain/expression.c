// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Values as expressions. A value is shown by its name where the source gave it one; else what
 * computed it is shown, so far as room and depth allow. The text is for reading: casts are left
 * out, and of a struct's members only the offset may be known. */
#include "explain/element.h"
#include "explain/explain.h"
#include "explain/names.h"
#include "explain/sums.h"
#include "explain/way.h"

#include "objects/graph.h"
#include "plan/reasons.h"

#include <ctype.h>
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#define OWN_PREFIX "__nabla_"

enum { MAX_VALUES = 12, MAX_PARENTHESES = 4, MAX_RANK = 15 };

typedef struct Printer {
  const NbLinear *linear;
  NbArena *arena;
  unsigned left; /* how many more values may be spelled out */
  bool unnamed;  /* the next address goes without its member's name */
} Printer;

static const char *show(Printer *printer, LLVMValueRef value, unsigned depth);
/* The same of an integer that is no sum. */
static const char *show_leaf(Printer *printer, LLVMValueRef value, unsigned depth);

/* --- Constants ------------------------------------------------------------------------------- */

static const char *show_float(Printer *printer, LLVMValueRef value) {
  LLVMBool lost;
  return nb_arena_print(printer->arena, "%.9g", LLVMConstRealGetDouble(value, &lost));
}

static const char *show_constant(Printer *printer, LLVMValueRef value) {
  if (LLVMIsAConstantFP(value))
    return show_float(printer, value);
  if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
    return nb_arena_print(printer->arena, "%" PRId64, (int64_t)LLVMConstIntGetSExtValue(value));
  if (LLVMIsAGlobalValue(value))
    return nb_name(value);
  return LLVMIsNull(value) ? "0" : "...";
}

/* --- Sums ------------------------------------------------------------------------------------ */

static bool is_product(LLVMValueRef value) {
  value = explain_number(value);
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
  return opcode == LLVMMul || opcode == LLVMUDiv || opcode == LLVMSDiv;
}

static const char *show_term(Printer *printer, const SumTerm *term, bool alone) {
  int64_t times = term->times < 0 ? -term->times : term->times;
  bool tight = times != 1 || (term->times < 0 && !alone) || !is_product(term->value);
  const char *text = show_leaf(printer, term->value, alone && term->times == 1 ? 0 : tight);
  return times == 1 ? text : nb_arena_print(printer->arena, "%" PRId64 " * %s", times, text);
}

/* Products first, then what else is added, then what is taken away. */
static unsigned rank_of(const SumTerm *term) {
  bool product = term->times != 1 || is_product(term->value);
  return term->times < 0 ? 2 : product ? 0 : 1;
}

static const char *show_sum(Printer *printer, const Sum *sum) {
  enum { RANKS = 3 };
  const char *text = "";
  bool alone = sum->count == 1 && !sum->constant;
  for (unsigned rank = 0; rank < RANKS; rank++)
    for (unsigned i = 0; i < sum->count; i++) {
      bool negative = sum->terms[i].times < 0;
      if (rank_of(&sum->terms[i]) != rank)
        continue;
      const char *sign = negative ? (*text ? " - " : "-") : (*text ? " + " : "");
      text = nb_arena_print(printer->arena, "%s%s%s", text, sign,
                            show_term(printer, &sum->terms[i], alone));
    }
  if (!*text)
    return nb_arena_print(printer->arena, "%" PRId64, sum->constant);
  int64_t more = sum->constant;
  return !more ? text
               : nb_arena_print(printer->arena, "%s %s %" PRId64, text, more < 0 ? "-" : "+",
                                more < 0 ? -more : more);
}

static const char *show_integer(Printer *printer, const Sum *sum, unsigned depth) {
  const char *text = show_sum(printer, sum);
  bool loose =
      sum->count + (sum->constant != 0) > 1 || (sum->count == 1 && sum->terms[0].times != 1);
  return depth && loose ? nb_arena_print(printer->arena, "(%s)", text) : text;
}

/* --- Addresses ------------------------------------------------------------------------------- */

/* An address from which others are counted: what lies just there says nothing of those. */
static const char *show_start(Printer *printer, LLVMValueRef base, unsigned depth) {
  printer->unnamed = LLVMIsAGetElementPtrInst(base) != NULL;
  const char *text = show(printer, base, depth);
  printer->unnamed = false;
  return text;
}

static const char *show_offset(Printer *printer, LLVMValueRef base, LLVMValueRef bytes,
                               unsigned depth) {
  const char *start = show_start(printer, base, depth + 1);
  const char *distance = show(printer, bytes, depth + 1);
  if (strstr(distance, "..."))
    return nb_arena_print(printer->arena, "(%s + ...)", start);
  return nb_arena_print(printer->arena, "(%s + %s bytes)", start, distance);
}

/* Is it known as the address of a struct that begins with no array? */
static bool leads_to_struct(LLVMValueRef pointer) {
  bool array = false;
  char *part = nb_debug_part_behind(pointer, 0, &array);
  LLVMDisposeMessage(part);
  return part && !array;
}

/* What an index may stand behind: `(&u[i])` of `&u[i]`. */
static const char *as_array(const Printer *printer, const char *text) {
  return *text == '&' || *text == '*' ? nb_arena_print(printer->arena, "(%s)", text) : text;
}

/* An element of an array some bytes behind another: base[index + distance]; NULL where it is none.
 */
static const char *show_neighbour(Printer *printer, LLVMValueRef base, LLVMValueRef bytes,
                                  unsigned depth) {
  if (!LLVMIsAGetElementPtrInst(base) || !LLVMIsAConstantInt(bytes) ||
      LLVMGetNumOperands(base) != 2)
    return NULL;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(base);
  int64_t size = (int64_t)LLVMABISizeOfType(printer->linear->work->context->layout, type);
  int64_t distance = LLVMConstIntGetSExtValue(bytes);
  if (size <= 1 || distance % size)
    return NULL;
  if (leads_to_struct(LLVMGetOperand(base, 0)))
    return NULL;
  const char *array = as_array(printer, show(printer, LLVMGetOperand(base, 0), depth + 1));
  const char *index = show(printer, LLVMGetOperand(base, 1), 0);
  const char *sign = distance < 0 ? "-" : "+";
  return nb_arena_print(printer->arena, "%s[%s %s %" PRId64 "]", array, index, sign,
                        (distance < 0 ? -distance : distance) / size);
}

static NbDebugStruct *struct_of(const Printer *printer, LLVMTypeRef type) {
  const NbContext *context = printer->linear->work->context;
  if (!nb_map_has(context->debug_structs, type))
    nb_map_set(context->debug_structs, type, nb_debug_struct(context->module, type));
  return nb_map_get(context->debug_structs, type);
}

/* The number or name of a struct's member. */
static const char *show_member(Printer *printer, LLVMTypeRef type, LLVMValueRef index) {
  LLVMModuleRef module = printer->linear->work->context->module;
  unsigned number = (unsigned)LLVMConstIntGetZExtValue(index);
  char *name = nb_debug_member(module, struct_of(printer, type), type, number);
  const char *text = name ? nb_arena_copy(printer->arena, name, strlen(name))
                          : nb_arena_print(printer->arena, "%u", number);
  LLVMDisposeMessage(name);
  return text;
}

/* How many bytes behind `*base` the address is; -1: unknown. */
static int64_t distance_from(const Printer *printer, LLVMValueRef pointer, LLVMValueRef *base) {
  LLVMTargetDataRef layout = printer->linear->work->context->layout;
  *base = pointer;
  if (!LLVMIsAGetElementPtrInst(pointer))
    return 0;
  *base = LLVMGetOperand(pointer, 0);
  LLVMValueRef index = LLVMGetOperand(pointer, 1);
  if (LLVMGetNumOperands(pointer) != 2 || !LLVMIsAConstantInt(index))
    return -1;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
  return LLVMConstIntGetSExtValue(index) * (int64_t)LLVMABISizeOfType(layout, type);
}

/* What lies at the address, by members' names; NULL: they are not known. `*array`: it is the first
 * element of an array, of which this is the name. */
static const char *show_part(Printer *printer, LLVMValueRef pointer, unsigned depth, bool *array);

/* The array that begins at the address and is a member; NULL: none such. */
static const char *show_array_part(Printer *printer, LLVMValueRef pointer, unsigned depth) {
  bool array = false;
  const char *text = show_part(printer, pointer, depth, &array);
  return array ? text : NULL;
}

/* The start of an array of numbers that nothing names, somewhere in a struct. */
static const char *show_counted(Printer *printer, LLVMValueRef base, LLVMTypeRef type,
                                unsigned depth) {
  const char *start = show_start(printer, base, depth + 1);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool number = kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
  start = as_array(printer, start);
  if (!number || !leads_to_struct(base))
    return start;
  return nb_arena_print(printer->arena, "((%s *)%s)",
                        kind == LLVMDoubleTypeKind ? "double" : "float", start);
}

/* An element of an array of numbers that a variable leads to; NULL: it is none. */
static const char *show_flat(Printer *printer, LLVMValueRef gep, unsigned depth) {
  Sum index;
  LLVMValueRef base =
      LLVMGetNumOperands(gep) == 2 ? explain_array(printer->linear, gep, &index) : NULL;
  if (!base || LLVMIsAAllocaInst(base))
    return NULL;
  const char *array = as_array(printer, show(printer, base, depth + 1));
  return nb_arena_print(printer->arena, "%s[%s]", array, show_sum(printer, &index));
}

/* The address as what lies there: `base[i][j]`, with members by number; `*there` tells that it is
 * that, and not yet an address. */
static const char *show_element(Printer *printer, LLVMValueRef gep, unsigned depth, bool *there) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned count = (unsigned)LLVMGetNumOperands(gep) - 1;
  LLVMValueRef first = LLVMGetOperand(gep, 1);
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  *there = LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8;
  if (!*there) {
    const char *flat = show_flat(printer, gep, depth);
    *there = flat != NULL;
    if (flat)
      return flat;
    const char *neighbour = show_neighbour(printer, base, first, depth);
    *there = neighbour != NULL;
    return neighbour ? neighbour : show_offset(printer, base, first, depth);
  }
  const char *array = show_array_part(printer, base, depth);
  const char *flat = array ? NULL : show_flat(printer, gep, depth);
  if (flat)
    return flat;
  const char *text = array ? array : show_counted(printer, base, type, depth);
  if (count == 1 || !LLVMIsNull(first))
    text = nb_arena_print(printer->arena, "%s[%s]", text, show(printer, first, 0));
  for (unsigned i = 1; i < count; i++) {
    LLVMValueRef own = LLVMGetOperand(gep, i + 1);
    bool member = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    const char *index = member ? show_member(printer, type, own) : show(printer, own, 0);
    text = nb_arena_print(printer->arena, member ? "%s.%s" : "%s[%s]", text, index);
    if (member)
      type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(own));
    else
      type = LLVMGetElementType(type);
  }
  return text;
}

/* What lies where the address computation leads. */
static LLVMTypeRef type_behind(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep); i++)
    type = LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMStructGetTypeAtIndex(
                     type, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i)))
               : LLVMGetElementType(type);
  return type;
}

static const char *show_part(Printer *printer, LLVMValueRef pointer, unsigned depth, bool *array) {
  LLVMValueRef base;
  int64_t distance = distance_from(printer, pointer, &base);
  if (distance < 0) {
    distance = 0;
    base = pointer;
  }
  bool element =
      LLVMIsAGetElementPtrInst(base) && LLVMGetTypeKind(type_behind(base)) == LLVMStructTypeKind;
  char *part = element ? nb_debug_part(struct_of(printer, type_behind(base)), distance, array)
                       : nb_debug_part_behind(base, distance, array);
  if (!part)
    return NULL;
  bool there;
  const char *text =
      element ? show_element(printer, base, depth, &there) : show(printer, base, depth + 1);
  text = nb_arena_print(printer->arena, "%s%s", text, part);
  LLVMDisposeMessage(part);
  return text;
}

/* Is it a variable's own place: a local one's, a global one's, or that of an argument which the
 * caller passes by its address without the source saying so? */
static bool is_variable(LLVMValueRef pointer) {
  char *declared = LLVMIsAArgument(pointer) ? nb_variable_source_name(pointer) : NULL;
  if (declared)
    LLVMDisposeMessage(declared);
  return declared || LLVMIsAAllocaInst(pointer) || LLVMIsAGlobalVariable(pointer);
}

/* --- Fortran's arrays ------------------------------------------------------------------------ */

/* Where flang's descriptor of an array has the first dimension, and how far apart these are: the
 * lower bound, the number of elements, the bytes between neighbours. */
enum { DESCRIPTOR_DIMENSIONS = 24, DESCRIPTOR_DIMENSION = 24, DESCRIPTOR_MEMBER = 8 };

/* The member of a descriptor that is loaded. */
typedef struct Member {
  LLVMValueRef descriptor; /* or the struct of which it is `part` */
  const char *part;        /* "" */
  int64_t dimension;       /* from 1; 0: the array itself */
  const char *name;
} Member;

/* Of a descriptor within a struct its name; else "". Returns how many of the bytes behind the start
 * are before it. */
static int64_t bytes_before(const Printer *printer, int64_t distance, Member *member) {
  bool array;
  member->part = "";
  for (int64_t start = distance; start >= 0; start -= DESCRIPTOR_MEMBER) {
    char *part = nb_debug_part_behind(member->descriptor, start, &array);
    if (!part)
      continue;
    member->part = nb_arena_copy(printer->arena, part, strlen(part));
    LLVMDisposeMessage(part);
    return start;
  }
  return 0;
}

static bool is_member(const Printer *printer, LLVMValueRef load, Member *member) {
  static const char *const names[] = {"lbound", "size", "stride"};
  const char *tag = LLVMIsALoadInst(load) ? nb_tbaa_name(load) : NULL;
  if (!tag || strcmp(tag, "descriptor member") != 0)
    return false;
  int64_t distance = distance_from(printer, LLVMGetOperand(load, 0), &member->descriptor);
  distance -= bytes_before(printer, distance, member);
  int64_t place = distance - DESCRIPTOR_DIMENSIONS;
  member->dimension = distance ? place / DESCRIPTOR_DIMENSION + 1 : 0;
  member->name = "";
  if (!distance)
    return true;
  if (place < 0 || place % DESCRIPTOR_MEMBER)
    return false;
  member->name = names[place % DESCRIPTOR_DIMENSION / DESCRIPTOR_MEMBER];
  return true;
}

/* What a load of a descriptor's member is in Fortran, `size(q, 1)` or the array; NULL: none such.
 */
static const char *show_descriptor(Printer *printer, LLVMValueRef load, unsigned depth) {
  Member member;
  if (!is_member(printer, load, &member))
    return NULL;
  const char *array =
      nb_arena_print(printer->arena, "%s%s", show(printer, member.descriptor, depth), member.part);
  if (!member.dimension)
    return array;
  return nb_arena_print(printer->arena, "%s(%s, %" PRId64 ")", member.name, array,
                        member.dimension);
}

/* Indices of one element, by their dimensions, as values that are less by one; NULL: none yet. */
typedef struct Described {
  LLVMValueRef descriptor;
  const char *part;
  LLVMValueRef indices[MAX_RANK];
} Described;

/* Is it so many strides of a dimension that has no index yet? */
static bool is_stride_of(const Printer *printer, Described *element, LLVMValueRef stride,
                         LLVMValueRef index) {
  Member member;
  bool is_stride = is_member(printer, stride, &member) && strcmp(member.name, "stride") == 0 &&
                   member.descriptor == element->descriptor &&
                   strcmp(member.part, element->part) == 0 && member.dimension <= MAX_RANK;
  if (!is_stride || element->indices[member.dimension - 1])
    return false;
  element->indices[member.dimension - 1] = index;
  return true;
}

/* Is the distance a sum of indices times strides? */
static bool is_of_indices(const Printer *printer, Described *element, LLVMValueRef bytes) {
  LLVMOpcode opcode = LLVMIsAInstruction(bytes) ? LLVMGetInstructionOpcode(bytes) : LLVMRet;
  if (opcode != LLVMAdd && opcode != LLVMMul)
    return false;
  LLVMValueRef left = LLVMGetOperand(bytes, 0), right = LLVMGetOperand(bytes, 1);
  if (opcode == LLVMAdd)
    return is_of_indices(printer, element, left) && is_of_indices(printer, element, right);
  return is_stride_of(printer, element, left, right) || is_stride_of(printer, element, right, left);
}

static bool is_element(const Printer *printer, Described *element, LLVMValueRef pointer) {
  Member member;
  if (is_member(printer, pointer, &member) && !member.dimension) {
    element->descriptor = member.descriptor;
    element->part = member.part;
    return true;
  }
  bool one = LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) == 2 &&
             LLVMABISizeOfType(printer->linear->work->context->layout,
                               LLVMGetGEPSourceElementType(pointer)) == 1;
  return one && is_element(printer, element, LLVMGetOperand(pointer, 0)) &&
         is_of_indices(printer, element, LLVMGetOperand(pointer, 1));
}

static const char *show_index(Printer *printer, LLVMValueRef less) {
  bool sum = LLVMIsAInstruction(less) && LLVMGetInstructionOpcode(less) == LLVMAdd;
  LLVMValueRef last = sum ? LLVMGetOperand(less, 1) : NULL;
  bool constant = last && LLVMIsAConstantInt(last);
  int64_t more = 1 + (constant ? LLVMConstIntGetSExtValue(last) : 0);
  const char *index = show(printer, constant ? LLVMGetOperand(less, 0) : less, more != 0);
  if (!more)
    return index;
  return nb_arena_print(printer->arena, "%s %s %" PRId64, index, more < 0 ? "-" : "+",
                        more < 0 ? -more : more);
}

/* The values of one dimension's index, and what is added to them. */
static const char *show_indices(Printer *printer, const Element *element, unsigned dimension) {
  Sum index = {.constant = element->constants[dimension], .known = true};
  for (unsigned i = 0; i < element->count; i++) {
    const ElementTerm *term = &element->terms[i];
    if (!term->value || term->dimension != dimension)
      continue;
    Sum own = explain_sum(printer->linear, term->value);
    explain_add(&index, &own, term->times);
  }
  return index.known ? show_sum(printer, &index) : "...";
}

/* The element of an array whose declaration tells its shape; NULL: it is none. */
static const char *show_declared(Printer *printer, LLVMValueRef pointer, unsigned depth) {
  Element element;
  if (!element_at(&element, printer->linear->work->context->layout, pointer))
    return NULL;
  const char *text = nb_arena_print(printer->arena, "%s(", show(printer, element.array, depth));
  for (unsigned i = 0; i < element.rank; i++)
    text = nb_arena_print(printer->arena, "%s%s%s", text, i ? ", " : "",
                          show_indices(printer, &element, i));
  return nb_arena_print(printer->arena, "%s)", text);
}

/* The element of an array that starts with 1 in each dimension, `q(i, j)`; NULL: it is none. */
static const char *show_fortran(Printer *printer, LLVMValueRef pointer, unsigned depth) {
  Described element = {0};
  const char *declared = show_declared(printer, pointer, depth);
  if (declared)
    return declared;
  if (!LLVMIsAGetElementPtrInst(pointer) || !is_element(printer, &element, pointer) ||
      !element.indices[0])
    return NULL;
  const char *text = nb_arena_print(printer->arena, "%s%s(",
                                    show(printer, element.descriptor, depth), element.part);
  unsigned rank = 0;
  for (; rank < MAX_RANK && element.indices[rank]; rank++)
    text = nb_arena_print(printer->arena, "%s%s%s", text, rank ? ", " : "",
                          show_index(printer, element.indices[rank]));
  for (; rank < MAX_RANK; rank++)
    if (element.indices[rank])
      return NULL;
  return nb_arena_print(printer->arena, "%s)", text);
}

/* --- Memory ---------------------------------------------------------------------------------- */

static const char *write_index(void *data, const Sum *index) { return show_sum(data, index); }

/* An element or a member, as the types of the source tell; `whole`: an array or a struct, too, as
 * large as may be. NULL: it is none. */
static const char *show_typed(Printer *printer, LLVMValueRef pointer, bool whole, unsigned depth) {
  LLVMValueRef base;
  const char *way = explain_way(printer->linear, pointer, whole, write_index, printer, &base);
  return way ? nb_arena_print(printer->arena, "%s%s", show(printer, base, depth + 1), way) : NULL;
}

/* What lies at the address; `whole`: it may be all of a variable. */
static const char *show_memory(Printer *printer, LLVMValueRef pointer, bool whole, unsigned depth) {
  bool array = false;
  const char *typed = show_typed(printer, pointer, whole, depth);
  if (typed)
    return typed;
  const char *part = show_part(printer, pointer, depth, &array);
  if (part)
    return array ? nb_arena_print(printer->arena, "%s[0]", part) : part;
  bool variable = is_variable(pointer), is_sum = false;
  const char *name =
      LLVMIsAGetElementPtrInst(pointer) ? explain_name(printer->linear, pointer, &is_sum) : NULL;
  if (name)
    return nb_arena_print(printer->arena, "*%s", name);
  const char *element = whole && variable ? NULL : show_fortran(printer, pointer, depth + 1);
  if (element)
    return element;
  if (variable)
    return show(printer, pointer, depth);
  bool there = false;
  const char *text = LLVMIsAGetElementPtrInst(pointer)
                         ? show_element(printer, pointer, depth, &there)
                         : show(printer, pointer, depth + 1);
  return there ? text : nb_arena_print(printer->arena, "*%s", text);
}

/* What is loaded. */
static const char *show_load(Printer *printer, LLVMValueRef load, unsigned depth) {
  const char *member = show_descriptor(printer, load, depth);
  return member ? member : show_memory(printer, LLVMGetOperand(load, 0), false, depth);
}

static const char *show_address(Printer *printer, LLVMValueRef gep, unsigned depth) {
  bool array = false, named = !printer->unnamed;
  printer->unnamed = false;
  const char *typed = named ? show_typed(printer, gep, true, depth) : NULL;
  if (typed)
    return nb_arena_print(printer->arena, "&%s", typed);
  const char *part = named ? show_part(printer, gep, depth, &array) : NULL;
  if (array)
    return part;
  const char *element = part ? part : show_fortran(printer, gep, depth + 1);
  bool there = element != NULL;
  const char *text = element ? element : show_element(printer, gep, depth, &there);
  return there ? nb_arena_print(printer->arena, "&%s", text) : text;
}

/* --- Operations ------------------------------------------------------------------------------ */

static const char *sign_of(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd:
  case LLVMFAdd:
    return "+";
  case LLVMSub:
  case LLVMFSub:
    return "-";
  case LLVMMul:
  case LLVMFMul:
    return "*";
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMFDiv:
    return "/";
  case LLVMURem:
  case LLVMSRem:
  case LLVMFRem:
    return "%";
  case LLVMShl:
    return "<<";
  case LLVMLShr:
  case LLVMAShr:
    return ">>";
  case LLVMAnd:
    return "&";
  case LLVMOr:
    return "|";
  case LLVMXor:
    return "^";
  default:
    return NULL;
  }
}

static const char *sign_of_floats(LLVMRealPredicate predicate) {
  switch (predicate) {
  case LLVMRealOEQ:
  case LLVMRealUEQ:
    return "==";
  case LLVMRealONE:
  case LLVMRealUNE:
    return "!=";
  case LLVMRealOGT:
  case LLVMRealUGT:
    return ">";
  case LLVMRealOGE:
  case LLVMRealUGE:
    return ">=";
  case LLVMRealOLT:
  case LLVMRealULT:
    return "<";
  case LLVMRealOLE:
  case LLVMRealULE:
    return "<=";
  default:
    return NULL;
  }
}

static const char *show_pair(Printer *printer, LLVMValueRef inst, const char *sign,
                             unsigned depth) {
  const char *left = show(printer, LLVMGetOperand(inst, 0), depth + 1);
  const char *right = show(printer, LLVMGetOperand(inst, 1), depth + 1);
  if (*sign == '+' && *right == '-' && isdigit((unsigned char)right[1])) {
    sign = "-";
    right++;
  }
  return nb_arena_print(printer->arena, depth ? "(%s %s %s)" : "%s %s %s", left, sign, right);
}

/* What a constant decides is no choice. */
static const char *show_choice(Printer *printer, LLVMValueRef select, unsigned depth) {
  LLVMValueRef decision = LLVMGetOperand(select, 0);
  if (LLVMIsAConstantInt(decision))
    return show(printer, LLVMGetOperand(select, LLVMIsNull(decision) ? 2 : 1), depth);
  const char *condition = show(printer, LLVMGetOperand(select, 0), depth + 1);
  const char *yes = show(printer, LLVMGetOperand(select, 1), depth + 1);
  const char *no = show(printer, LLVMGetOperand(select, 2), depth + 1);
  return nb_arena_print(printer->arena, "(%s ? %s : %s)", condition, yes, no);
}

/* "sin" of "llvm.sin.f64"; of a function in C++ its name without parameters. */
static const char *callee_name(Printer *printer, LLVMValueRef callee) {
  const char *name = nb_name(callee);
  if (LLVMGetIntrinsicID(callee)) {
    const char *start = strchr(name, '.');
    start = start ? start + 1 : name;
    bool extreme = strchr("su", *start) && (!strncmp(start + 1, "max.", strlen("max.")) ||
                                            !strncmp(start + 1, "min.", strlen("min.")));
    start += extreme;
    return nb_arena_copy(printer->arena, start, strcspn(start, "."));
  }
  const char *readable = nb_shown_name(printer->linear->work->context, callee);
  return nb_arena_copy(printer->arena, readable, strcspn(readable, "("));
}

bool nb_explain_is_own_call(LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  return callee && strncmp(nb_name(callee), OWN_PREFIX, strlen(OWN_PREFIX)) == 0;
}

static const char *show_call(Printer *printer, LLVMValueRef call, unsigned depth) {
  LLVMValueRef callee = nb_callee(call);
  if (nb_explain_is_own_call(call))
    return "memory of the tape";
  if (nb_call_multiplies_and_adds(call)) {
    const char *left = show(printer, LLVMGetOperand(call, 0), depth + 1);
    const char *right = show(printer, LLVMGetOperand(call, 1), depth + 1);
    const char *more = show(printer, LLVMGetOperand(call, 2), depth + 1);
    return nb_arena_print(printer->arena, depth ? "(%s * %s + %s)" : "%s * %s + %s", left, right,
                          more);
  }
  const char *text = callee ? callee_name(printer, callee) : "(*...)";
  unsigned count = LLVMGetNumArgOperands(call);
  text = nb_arena_print(printer->arena, "%s(", text);
  for (unsigned i = 0; i < count; i++) {
    const char *argument = show(printer, LLVMGetOperand(call, i), 0);
    text = nb_arena_print(printer->arena, "%s%s%s", text, i ? ", " : "", argument);
  }
  return nb_arena_print(printer->arena, "%s)", text);
}

static const char *show_operation(Printer *printer, LLVMValueRef inst, unsigned depth) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  const char *sign = sign_of(opcode);
  if (opcode == LLVMICmp)
    sign = nb_comparison_sign(LLVMGetICmpPredicate(inst));
  if (opcode == LLVMFCmp)
    sign = sign_of_floats(LLVMGetFCmpPredicate(inst));
  if (sign)
    return show_pair(printer, inst, sign, depth);
  bool same = LLVMIsACastInst(inst) || opcode == LLVMFreeze;
  if (same || explain_is_no_choice(inst))
    return show(printer, LLVMGetOperand(inst, 0), depth);
  switch (opcode) {
  case LLVMFNeg:
    return nb_arena_print(printer->arena, "-%s", show(printer, LLVMGetOperand(inst, 0), depth + 1));
  case LLVMLoad:
    return show_load(printer, inst, depth);
  case LLVMGetElementPtr:
    return show_address(printer, inst, depth);
  case LLVMSelect:
    return show_choice(printer, inst, depth);
  case LLVMCall:
  case LLVMInvoke:
    return show_call(printer, inst, depth);
  default:
    return "...";
  }
}

/* "counter", and which loop's where there are several. */
static const char *show_counter(Printer *printer, const NbWorkLoop *loop) {
  const NbWork *work = printer->linear->work;
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(nb_reason_loop_place(loop));
  unsigned line = at ? LLVMDILocationGetLine(at) : 0;
  if (work->loop_count == 1)
    return "counter";
  return line && !loop->parent ? nb_arena_print(printer->arena, "counter(line %u)", line)
                               : nb_arena_print(printer->arena, "counter%u", loop->index + 1);
}

static const char *show_leaf(Printer *printer, LLVMValueRef value, unsigned depth) {
  const NbWorkLoop *loop = explain_counted(printer->linear, value);
  if (loop)
    return show_counter(printer, loop);
  bool is_sum;
  const char *name = explain_name(printer->linear, value, &is_sum);
  if (name && !LLVMIsAGlobalValue(value))
    return is_sum && depth ? nb_arena_print(printer->arena, "(%s)", name) : name;
  if (!LLVMIsAInstruction(value))
    return show_constant(printer, value);
  if (!printer->left || depth > MAX_PARENTHESES)
    return "...";
  printer->left--;
  return show_operation(printer, value, depth);
}

static bool is_sum_of_integers(const NbLinear *linear, LLVMValueRef value) {
  bool is_sum, integer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  if (!integer || LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1)
    return false;
  return explain_counted(linear, value) ||
         (LLVMIsABinaryOperator(value) && !explain_name(linear, value, &is_sum));
}

/* The pointer of which a phi is the shadow, in the first direction; the value itself: of none. */
static LLVMValueRef primal_of_phi(const NbLinear *linear, LLVMValueRef value) {
  bool pointer = LLVMIsAPHINode(value) &&
                 LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind && linear->shadows;
  const NbMap *shadows = pointer ? linear->shadows[0] : NULL;
  for (unsigned i = 0; shadows && i < nb_map_count(shadows); i++)
    if (nb_map_get(shadows, nb_map_key(shadows, i)) == value)
      return (LLVMValueRef)nb_map_key(shadows, i);
  return value;
}

static const char *show(Printer *printer, LLVMValueRef value, unsigned depth) {
  if (!value)
    return "0";
  if (nb_map_get(printer->linear->shown, value))
    value = nb_map_get(printer->linear->shown, value);
  LLVMValueRef primal = nb_linear_primal(printer->linear, value);
  primal = primal == value ? primal_of_phi(printer->linear, value) : primal;
  if (primal != value)
    return nb_arena_print(printer->arena, "d(%s)", show(printer, primal, depth));
  if (!is_sum_of_integers(printer->linear, value) || depth > MAX_PARENTHESES)
    return show_leaf(printer, value, depth);
  Sum sum = explain_sum(printer->linear, value);
  return sum.known ? show_integer(printer, &sum, depth) : show_leaf(printer, value, depth);
}

/* The parameter whose shadow the pointer is, or what it is the shadow of otherwise. */
static LLVMValueRef primal_of(const NbLinear *linear, LLVMValueRef pointer) {
  const NbRequest *request = linear->work->request;
  LLVMValueRef function = linear->work->function;
  for (unsigned i = 0; LLVMIsAArgument(pointer) && i < request->count; i++) {
    unsigned first = nb_request_first_shadow(request, i);
    for (unsigned k = 0; k < nb_request_shadows(request, i); k++)
      if (first + k < LLVMCountParams(function) && LLVMGetParam(function, first + k) == pointer)
        return LLVMGetParam(function, i);
  }
  LLVMValueRef shown = nb_map_get(linear->shown, pointer);
  return shown ? shown : nb_linear_primal(linear, pointer);
}

const char *nb_explain_value(const NbLinear *linear, LLVMValueRef value) {
  Printer printer = {linear, linear->work->context->arena, MAX_VALUES, false};
  return show(&printer, value, 0);
}

const char *nb_explain_memory(const NbLinear *linear, LLVMValueRef pointer, bool whole) {
  Printer printer = {linear, linear->work->context->arena, MAX_VALUES, false};
  return show_memory(&printer, primal_of(linear, pointer), whole, 0);
}
