// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which operand of a call is which argument or shadow of the function. A parameter takes the next
 * operand; where its role is a duplicated one, the operand behind that is its shadow. */
#include "emit/tangent.h"
#include "request/byvalue.h"
#include "request/descriptors.h"
#include "request/serving.h"

#include <string.h>

enum { REGISTER_BYTES = 8 };

const char *nb_type_text(NbArena *arena, LLVMTypeRef type) {
  char *text = LLVMPrintTypeToString(type);
  const char *copy = nb_arena_copy(arena, text, strlen(text));
  LLVMDisposeMessage(text);
  return copy;
}

LLVMValueRef nb_serving_local(NbServing *serving, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(serving->call));
  LLVMValueRef start = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(serving->context->llvm);
  LLVMPositionBuilderBefore(builder, start);
  LLVMValueRef local = LLVMBuildAlloca(builder, type, "");
  LLVMDisposeBuilder(builder);
  return local;
}

static LLVMTypeRef byval_parameter(LLVMValueRef function, unsigned index) {
  static const char kind[] = "byval";
  unsigned id = LLVMGetEnumAttributeKindForName(kind, sizeof kind - 1);
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, index + 1, id);
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static bool has_sret(LLVMValueRef function) {
  return LLVMCountParams(function) && nb_has_attribute_at(function, 1, "sret");
}

/* A struct of floats that the ABI passes in memory. */
static bool is_struct_in_memory(LLVMValueRef function, unsigned index) {
  LLVMTypeRef type = byval_parameter(function, index);
  return type && nb_type_has_float(type) && !nb_type_has_pointer(type);
}

/* In reverse mode the adjoint of a struct that is passed by value is returned, wherever the ABI
 * puts the struct. */
static NbRole default_by_value(const NbServing *serving, unsigned index, NbRole role) {
  LLVMTypeRef type = byval_parameter(serving->function, index);
  if (!type || !nb_serving_is_reverse(serving) || nb_type_has_pointer(type))
    return role;
  return nb_type_has_float(type) ? NB_ROLE_OUT : NB_ROLE_CONST;
}

static NbRole default_role(const NbServing *serving, LLVMTypeRef type) {
  if (nb_type_has_pointer(type))
    return NB_ROLE_DUP;
  if (nb_type_has_real(type))
    return nb_serving_is_reverse(serving) ? NB_ROLE_OUT : NB_ROLE_DUP;
  return NB_ROLE_CONST;
}

static NbRole role_of(const NbServing *serving, NbMarker marker, LLVMTypeRef type) {
  switch (marker) {
  case NB_MARKER_CONST:
    return NB_ROLE_CONST;
  case NB_MARKER_DUP:
  case NB_MARKER_DUPV:
    return NB_ROLE_DUP;
  case NB_MARKER_DUPNONEED:
  case NB_MARKER_DUPNONEEDV:
    return NB_ROLE_DUPNONEED;
  case NB_MARKER_OUT:
    return NB_ROLE_OUT;
  default:
    return default_role(serving, type);
  }
}

static bool refuse_role(const NbServing *serving, unsigned index, const char *reason) {
  return nb_refuse(serving->context, NB_ERROR_WRONG_ROLE, serving->call,
                   "parameter %u of '%s' cannot have the role that the call gives it: %s",
                   index + 1, nb_shown_name(serving->context, serving->function), reason);
}

/* Can parameter `index` have `role` in this mode? */
static bool check_role(const NbServing *serving, unsigned index, NbRole role) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, index));
  bool reverse = nb_serving_is_reverse(serving);
  bool pointer = nb_type_has_pointer(type);
  bool real = nb_type_has_real(type);
  if (role == NB_ROLE_CONST)
    return true;
  if (!pointer && !real)
    return refuse_role(serving, index, "it is an integer and has no derivative");
  if (role != NB_ROLE_OUT && (pointer || !reverse) && !(reverse && real))
    return true;
  if (role != NB_ROLE_OUT)
    return refuse_role(serving, index,
                       "its adjoint in reverse mode is returned, so it has no shadow");
  if (is_struct_in_memory(serving->function, index))
    return reverse || refuse_role(serving, index, "forward mode takes its tangent as an argument");
  if (pointer)
    return refuse_role(serving, index, "the adjoints behind a pointer go to its shadow");
  return reverse || refuse_role(serving, index, "forward mode takes its tangent as an argument");
}

/* A struct that the call passes by value must be one for the function, of the same size. */
static bool check_by_value(const NbServing *serving, unsigned operand, unsigned index) {
  LLVMTypeRef given = nb_call_operand_pointee(serving->call, operand, "byval");
  LLVMTypeRef wanted = byval_parameter(serving->function, index);
  const NbContext *context = serving->context;
  if (!given)
    return true;
  if (wanted && nb_store_size(context, given) == nb_store_size(context, wanted))
    return true;
  return nb_refuse(serving->context, NB_ERROR_WRONG_TYPE, serving->call,
                   "argument %u is a struct passed by value, which parameter %u of '%s' is not",
                   operand + 1, index + 1, nb_shown_name(serving->context, serving->function));
}

/* enzyme_byref: the call has a pointer to the value; NULL where that is of another size. */
static LLVMValueRef read_reference(const NbServing *serving, LLVMValueRef pointer, uint64_t bytes,
                                   LLVMTypeRef type) {
  bool fits = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
              nb_store_size(serving->context, type) == bytes;
  return fits ? LLVMBuildLoad2(serving->builder, type, pointer, "") : NULL;
}

LLVMValueRef nb_serving_convert(const NbServing *serving, LLVMTypeRef type) {
  unsigned operand = serving->indices[serving->next];
  LLVMValueRef value = LLVMGetOperand(serving->call, operand);
  uint64_t bytes = serving->by_reference[serving->next];
  if (bytes)
    return read_reference(serving, value, bytes, type);
  return nb_call_converted(serving->builder, serving->call, operand, type);
}

/* The type of the variable whose address `pointer` is; NULL where that is not known. */
static LLVMTypeRef variable_type(LLVMValueRef pointer) {
  if (LLVMIsAAllocaInst(pointer))
    return LLVMGetAllocatedType(pointer);
  return LLVMIsAGlobalVariable(pointer) ? LLVMGlobalGetValueType(pointer) : NULL;
}

LLVMValueRef nb_serving_convert_count(const NbServing *serving) {
  LLVMTypeRef word = LLVMInt64TypeInContext(serving->context->llvm);
  LLVMValueRef value = LLVMGetOperand(serving->call, serving->indices[serving->next]);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  if (kind == LLVMIntegerTypeKind)
    return nb_serving_convert(serving, word);
  LLVMTypeRef there = kind == LLVMPointerTypeKind ? variable_type(value) : NULL;
  if (!there || LLVMGetTypeKind(there) != LLVMIntegerTypeKind)
    return NULL;
  LLVMValueRef count = LLVMBuildLoad2(serving->builder, there, value, "");
  return LLVMBuildIntCast2(serving->builder, count, word, true, "");
}

/* What the user may have meant by an argument of another type. A constant of the user's own with a
 * marker's name is a number by now; that a function writes its result to memory, C does not show.
 */
static const char *hint(const NbServing *serving, unsigned index, LLVMValueRef value) {
  LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(serving->function, index));
  if (nb_parameter_pointee(serving->function, index, "sret"))
    return " (where it puts its result, a large struct: pass a pointer to such a struct, and its "
           "shadow)";
  bool number = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  bool other = LLVMGetTypeKind(wanted) != LLVMIntegerTypeKind;
  if (!number || !other)
    return "";
  return " (a marker is known by its declaration, 'extern int enzyme_...;' outside of any "
         "function; of a local one, keep the name with -g or -fno-discard-value-names)";
}

/* Of a struct that the function takes in memory, a reference to one is what it takes. */
static bool is_reference_to_struct(const NbServing *serving, unsigned index, LLVMValueRef value) {
  LLVMTypeRef wanted = byval_parameter(serving->function, index);
  uint64_t bytes = serving->by_reference[serving->next];
  return wanted && bytes == nb_store_size(serving->context, wanted) &&
         LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

bool nb_serving_take_value(NbServing *serving, unsigned index, NbList *list) {
  unsigned operand = serving->indices[serving->next];
  LLVMValueRef value = LLVMGetOperand(serving->call, operand);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, index));
  if (!check_by_value(serving, operand, index) || !nb_descriptors_check(serving, operand, index))
    return false;
  LLVMValueRef converted =
      is_reference_to_struct(serving, index, value) ? value : nb_serving_convert(serving, type);
  if (!converted) {
    NbArena *arena = serving->context->arena;
    return nb_refuse(serving->context, NB_ERROR_WRONG_TYPE, serving->call,
                     "argument %u has type '%s', but parameter %u of '%s' has type '%s'%s",
                     operand + 1, nb_type_text(arena, LLVMTypeOf(value)), index + 1,
                     nb_shown_name(serving->context, serving->function), nb_type_text(arena, type),
                     hint(serving, index, value));
  }
  nb_list_push(list, converted);
  serving->next++;
  return true;
}

/* What stands where a part of an argument or of its shadow must be is a marker, or nothing. */
static bool refuse_part(const NbServing *serving, unsigned index, bool shadow, bool left) {
  const char *found = left ? "a marker follows instead" : "no argument is left";
  if (shadow)
    return nb_refuse(serving->context, NB_ERROR_MISSING_SHADOW, serving->call,
                     "parameter %u of '%s' is active and needs its shadow, but %s", index + 1,
                     nb_shown_name(serving->context, serving->function), found);
  return nb_refuse(serving->context, NB_ERROR_TOO_FEW_ARGUMENTS, serving->call,
                   "parameter %u of '%s' is a part of a struct passed by value, but %s", index + 1,
                   nb_shown_name(serving->context, serving->function), found);
}

/* In reverse mode a shadow that is passed by value, the next operand, has no memory that outlives
 * the call to take an adjoint of a number in it. */
static bool check_adjoint_place(const NbServing *serving, unsigned index) {
  LLVMTypeRef wanted = byval_parameter(serving->function, index);
  if (!nb_serving_is_reverse(serving) || serving->next >= serving->count || !wanted ||
      !nb_type_has_real(wanted))
    return true;
  if (!nb_call_operand_pointee(serving->call, serving->indices[serving->next], "byval"))
    return true;
  return refuse_role(serving, index,
                     "a shadow that is passed by value has no place for the adjoint: it must be "
                     "a pointer, or the struct enzyme_out, whose adjoint is returned");
}

/* An argument of the function's source: one parameter, or the parts of a struct. */
typedef struct Argument {
  unsigned first, parts; /* parameters */
  NbRole role;           /* of the whole */
  LLVMValueRef distance; /* bytes from one of its shadows to the next; NULL: each is given */
  NbRole *roles;         /* of each part */
  bool *overwritten;     /* the same */
} Argument;

/* The marker of the next operand; what is asked for by its roles alone may stop early. */
static NbMarker marker_here(const NbServing *serving) {
  return serving->next < serving->count ? serving->operands[serving->next].marker : NB_MARKER_NONE;
}

/* Without a marker the part that can do most decides for the whole. */
static NbRole whole_role(const NbServing *serving, const Argument *argument) {
  NbMarker marker = marker_here(serving);
  NbRole whole = NB_ROLE_CONST;
  for (unsigned i = 0; i < argument->parts; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, argument->first + i));
    NbRole role = role_of(serving, marker, type);
    if (marker == NB_MARKER_NONE)
      role = default_by_value(serving, argument->first + i, role);
    if (role == NB_ROLE_DUP || whole == NB_ROLE_CONST)
      whole = role;
  }
  return whole;
}

/* What else is in a struct may have a shadow, and so may an integer: nobody looks at that. One that
 * is an address is refused where memory is reached through it. */
static bool check_part(const NbServing *serving, const Argument *argument, unsigned part) {
  unsigned index = argument->first + part;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, index));
  bool marked = marker_here(serving) == NB_MARKER_CONST;
  if (nb_by_value_is_packed(serving->function, index) && !marked)
    return refuse_role(serving, index,
                       "floats of a struct passed by value lie in an integer with other members, "
                       "so the struct must be enzyme_const, or be passed by pointer");
  bool plain = !nb_type_has_pointer(type) && !nb_type_has_real(type);
  bool given = plain && (argument->parts > 1 || nb_role_has_shadow(argument->role));
  argument->roles[part] = given ? NB_ROLE_CONST : argument->role;
  return check_role(serving, index, argument->roles[part]);
}

/* How many bytes the next operand leads to, of a struct that the call passes in memory, for want of
 * registers, or by a reference; 0: it is no such pointer. */
static uint64_t bytes_in_memory(const NbServing *serving) {
  unsigned operand = serving->indices[serving->next];
  LLVMTypeRef whole = nb_call_operand_pointee(serving->call, operand, "byval");
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(serving->call, operand));
  if (whole)
    return nb_store_size(serving->context, whole);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? serving->by_reference[serving->next] : 0;
}

/* Does it, where the function takes parts? */
static bool lies_in_memory(const NbServing *serving, unsigned first, unsigned parts) {
  uint64_t bytes = bytes_in_memory(serving);
  bool whole = nb_call_operand_pointee(serving->call, serving->indices[serving->next], "byval");
  bool fits = bytes && (whole || parts > 1) && !byval_parameter(serving->function, first);
  for (unsigned i = 0; i < parts && fits; i++) {
    LLVMTypeRef part = LLVMTypeOf(LLVMGetParam(serving->function, first + i));
    uint64_t end = i * REGISTER_BYTES + nb_store_size(serving->context, part);
    fits = end <= bytes && bytes <= parts * REGISTER_BYTES;
  }
  return fits;
}

/* Each part is what a register would hold. */
bool nb_serving_take_from_memory(NbServing *serving, unsigned first, unsigned parts, NbList *list) {
  if (!lies_in_memory(serving, first, parts))
    return false;
  LLVMValueRef base = LLVMGetOperand(serving->call, serving->indices[serving->next]);
  LLVMTypeRef byte = LLVMInt8TypeInContext(serving->context->llvm);
  LLVMTypeRef word = LLVMInt64TypeInContext(serving->context->llvm);
  for (unsigned i = 0; i < parts; i++) {
    LLVMTypeRef part = LLVMTypeOf(LLVMGetParam(serving->function, first + i));
    LLVMValueRef offset = LLVMConstInt(word, i * REGISTER_BYTES, false);
    LLVMValueRef place = LLVMBuildGEP2(serving->builder, byte, base, &offset, 1, "");
    LLVMValueRef value = LLVMBuildLoad2(serving->builder, part, place, "");
    LLVMSetAlignment(value, 1);
    nb_list_push(list, value);
  }
  serving->next++;
  return true;
}

/* Takes the next operands as the parts of the argument, or of one of its shadows. */
static bool take_parts(NbServing *serving, const Argument *argument, bool shadow, NbList *list) {
  unsigned end = shadow ? serving->count : serving->end;
  bool marked = shadow && marker_here(serving) != NB_MARKER_NONE;
  if (serving->next < end && !marked &&
      nb_serving_take_from_memory(serving, argument->first, argument->parts, list))
    return true;
  for (unsigned i = 0; i < argument->parts; i++) {
    unsigned index = argument->first + i;
    bool left = serving->next < end;
    NbMarker marker = left ? marker_here(serving) : NB_MARKER_NONE;
    bool unmarked = left && (marker == NB_MARKER_NONE || marker == NB_MARKER_INTERLEAVE);
    bool first = i == 0 && !shadow && !argument->distance;
    if (!first && !unmarked)
      return refuse_part(serving, index, shadow, left);
    if (!nb_serving_take_value(serving, index, list))
      return false;
  }
  return true;
}

/* Does one pointer stand for the shadows in all directions? */
static bool has_one_shadow(const NbServing *serving, const Argument *argument) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, argument->first));
  return argument->distance || (serving->request.interleaved && argument->parts == 1 &&
                                LLVMGetTypeKind(type) == LLVMPointerTypeKind);
}

/* One pointer, and the others at their distance from it; where they lie side by side, which the
 * derivative knows, the same one. */
static void spread_pointer(NbServing *serving, const Argument *argument, NbList *lanes) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(serving->context->llvm);
  LLVMTypeRef word = LLVMInt64TypeInContext(serving->context->llvm);
  LLVMValueRef base = lanes[0].items[0];
  for (unsigned lane = 1; lane < serving->request.width; lane++) {
    if (!argument->distance) {
      nb_list_push(&lanes[lane], base);
      continue;
    }
    LLVMValueRef offset =
        LLVMBuildMul(serving->builder, argument->distance, LLVMConstInt(word, lane, false), "");
    nb_list_push(&lanes[lane], LLVMBuildGEP2(serving->builder, byte, base, &offset, 1, ""));
  }
}

LLVMValueRef nb_serving_lanes(const NbServing *serving, LLVMTypeRef type,
                              const LLVMValueRef *lanes) {
  LLVMValueRef tangent = nb_tangent_of_lanes(serving->builder, type, serving->request.width, lanes);
  return LLVMIsAConstantArray(tangent) ? LLVMBuildFreeze(serving->builder, tangent, "") : tangent;
}

/* The shadows of part `part`, as the derivative takes them. */
static void push_shadow(NbServing *serving, const Argument *argument, unsigned part,
                        const NbList *lanes) {
  unsigned width = serving->request.width;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, argument->first + part));
  LLVMValueRef values[NB_MOST_WIDTH];
  for (unsigned lane = 0; lane < width; lane++)
    values[lane] = lanes[lane].items[part];
  if (!nb_type_has_pointer(type))
    values[0] = nb_serving_lanes(serving, type, values);
  for (unsigned lane = 0; lane < (nb_type_has_pointer(type) ? width : 1); lane++)
    nb_list_push(&serving->shadows, values[lane]);
}

/* The shadows stand behind the argument, or behind those of the arguments before it. */
static bool take_shadows(NbServing *serving, const Argument *argument) {
  bool one = has_one_shadow(serving, argument);
  unsigned width = serving->request.width, given = one ? 1 : width;
  NbList *lanes = NB_NEW_ARRAY(serving->context->arena, NbList, width);
  unsigned next = serving->next;
  bool ok = true;
  if (serving->next_shadow)
    serving->next = serving->next_shadow;
  for (unsigned lane = 0; lane < width; lane++)
    lanes[lane] = nb_list(serving->context->arena);
  for (unsigned lane = 0; ok && lane < given; lane++)
    ok = check_adjoint_place(serving, argument->first) &&
         take_parts(serving, argument, true, &lanes[lane]);
  if (serving->next_shadow) {
    serving->next_shadow = serving->next;
    serving->next = next;
  }
  if (ok && one)
    spread_pointer(serving, argument, lanes);
  for (unsigned i = 0; ok && i < argument->parts; i++)
    if (nb_role_has_shadow(argument->roles[i]))
      push_shadow(serving, argument, i, lanes);
  return ok;
}

/* Where directions lie side by side, only inputs have shadows apart, which are all the same. */
static bool check_distance(const NbServing *serving, const Argument *argument) {
  bool same =
      argument->distance && nb_is_constant(argument->distance) && LLVMIsNull(argument->distance);
  if (serving->request.interleaved && (!serving->inputs || !same))
    return refuse_role(serving, argument->first,
                       "its shadows in several directions lie side by side, at no distance");
  if (serving->inputs)
    serving->inputs[argument->first] = true;
  return true;
}

/* enzyme_dupv: the distance between the shadows stands before the argument. */
static bool take_distance(NbServing *serving, Argument *argument) {
  NbMarker marker = marker_here(serving);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, argument->first));
  if (marker != NB_MARKER_DUPV && marker != NB_MARKER_DUPNONEEDV)
    return true;
  if (argument->parts > 1 || LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return refuse_role(serving, argument->first,
                       "only shadows in memory lie at a distance from each other");
  argument->distance = nb_serving_convert_count(serving);
  serving->next++;
  if (!check_distance(serving, argument))
    return false;
  return argument->distance ||
         nb_refuse(serving->context, NB_ERROR_WRONG_TYPE, serving->call,
                   "behind the marker 'enzyme_%s' the bytes between two shadows must stand, an "
                   "integer",
                   nb_marker_word(marker));
}

static bool take_roles(const NbServing *serving, Argument *argument) {
  bool kept = serving->next < serving->count && serving->operands[serving->next].kept;
  argument->role = whole_role(serving, argument);
  for (unsigned i = 0; i < argument->parts; i++) {
    argument->overwritten[i] = !kept;
    if (!check_part(serving, argument, i))
      return false;
  }
  return true;
}

/* The adjoint of a struct in memory is a shadow of our own, and returned from there. */
static bool take_adjoint_in_memory(NbServing *serving, const Argument *argument) {
  LLVMTypeRef type = byval_parameter(serving->function, argument->first);
  NbList *places = NB_NEW(serving->context->arena, NbList);
  *places = nb_list(serving->context->arena);
  for (unsigned lane = 0; lane < serving->request.width; lane++) {
    LLVMValueRef place = nb_serving_local(serving, type);
    LLVMBuildStore(serving->builder, LLVMConstNull(type), place);
    nb_list_push(places, place);
    nb_list_push(&serving->shadows, place);
  }
  argument->roles[0] = NB_ROLE_DUP;
  nb_map_set(serving->places, LLVMGetParam(serving->function, argument->first), places);
  return true;
}

void nb_serving_push_lanes(NbServing *serving, LLVMValueRef tangent, LLVMTypeRef type,
                           NbList *fields) {
  unsigned width = serving->request.width;
  for (unsigned lane = 0; lane < width; lane++)
    nb_list_push(fields, nb_tangent_lane(serving->builder, tangent, type, width, lane));
}

void nb_serving_push_adjoints(NbServing *serving, LLVMValueRef result, unsigned next,
                              NbList *fields) {
  for (unsigned i = 0; i < serving->request.count; i++) {
    LLVMValueRef parameter = LLVMGetParam(serving->function, i);
    const NbList *places = nb_map_get(serving->places, parameter);
    for (unsigned lane = 0; places && lane < places->count; lane++)
      nb_list_push(fields,
                   LLVMBuildLoad2(serving->builder, LLVMGetAllocatedType(places->items[lane]),
                                  places->items[lane], ""));
    if (places || serving->request.roles[i] != NB_ROLE_OUT)
      continue;
    LLVMValueRef adjoint = LLVMBuildExtractValue(serving->builder, result, next++, "");
    nb_serving_push_lanes(serving, adjoint, LLVMTypeOf(parameter), fields);
  }
}

/* Where the next operand has no marker, it may be of the next argument, or of this one, a struct.
 */
static bool check_alone(const NbServing *serving, const Argument *argument) {
  unsigned index = argument->first;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(serving->function, index));
  bool differs =
      nb_role_has_shadow(argument->role) ||
      (argument->role == NB_ROLE_CONST && (nb_type_has_real(type) || nb_type_has_pointer(type)));
  if (!differs || argument->parts > 1 || serving->next >= serving->end ||
      marker_here(serving) != NB_MARKER_NONE ||
      !nb_by_value_may_continue(serving->context, serving->function, index))
    return true;
  return nb_refuse(serving->context, NB_ERROR_BY_VALUE, serving->call,
                   "parameters %u and %u of '%s' may be parts of one struct passed by value, which "
                   "is seen only where the function is compiled",
                   index + 1, index + 2, nb_shown_name(serving->context, serving->function));
}

static bool take_argument(NbServing *serving, Argument *argument) {
  if (serving->next >= serving->end)
    return nb_refuse(serving->context, NB_ERROR_TOO_FEW_ARGUMENTS, serving->call,
                     "'%s' takes %u arguments, and no argument is left for parameter %u",
                     nb_shown_name(serving->context, serving->function), serving->request.count,
                     argument->first + 1);
  if (!take_roles(serving, argument))
    return false;
  if (!take_distance(serving, argument) ||
      !take_parts(serving, argument, false, &serving->arguments))
    return false;
  if (argument->role == NB_ROLE_OUT && is_struct_in_memory(serving->function, argument->first))
    return take_adjoint_in_memory(serving, argument);
  bool ok = !nb_role_has_shadow(argument->role) || take_shadows(serving, argument);
  return ok && check_alone(serving, argument);
}

/* Forward mode of a function that returns a struct in memory: the call's own memory takes the
 * tangent, the primal, or the primal and then the tangent; memory of ours what nobody wants. */
static bool take_memory(NbServing *serving) {
  LLVMTypeRef wanted = LLVMGetTypeAttributeValue(LLVMGetEnumAttributeAtIndex(
      serving->function, 1, LLVMGetEnumAttributeKindForName("sret", strlen("sret"))));
  LLVMTypeRef byte = LLVMInt8TypeInContext(serving->context->llvm);
  LLVMTypeRef word = LLVMInt64TypeInContext(serving->context->llvm);
  unsigned long long bytes = LLVMABISizeOfType(serving->context->layout, wanted);
  bool primal = nb_collected_has(&serving->collected, NB_MARKER_FLAG_PRIMAL_RETURN);
  bool tangent = !nb_collected_has(&serving->collected, NB_MARKER_FLAG_CONST_RETURN) &&
                 !nb_collected_has(&serving->collected, NB_MARKER_FLAG_NORET);
  unsigned long long given = LLVMABISizeOfType(serving->context->layout, serving->memory_type);
  unsigned width = serving->request.width;
  unsigned slots = primal + (tangent ? width : 0);
  if (given != bytes * slots)
    return nb_refuse(serving->context, NB_ERROR_WRONG_RESULT, serving->call,
                     "the call returns %llu bytes, but the derivative of '%s' has %llu", given,
                     nb_shown_name(serving->context, serving->function), bytes * slots);
  nb_list_push(&serving->arguments, primal ? serving->memory : nb_serving_local(serving, wanted));
  for (unsigned lane = 0; lane < width; lane++) {
    LLVMValueRef offset = LLVMConstInt(word, bytes * (primal + lane), false);
    LLVMValueRef slot =
        tangent ? LLVMBuildInBoundsGEP2(serving->builder, byte, serving->memory, &offset, 1, "")
                : nb_serving_local(serving, wanted);
    nb_list_push(&serving->shadows, slot);
  }
  serving->memory = NULL;
  return true;
}

/* The derivative's arguments: those of the primal, then the shadows. */
static bool take_all(NbServing *serving, NbRole *roles, bool *overwritten) {
  unsigned start = 0;
  if (!nb_serving_is_reverse(serving) && serving->memory && has_sret(serving->function)) {
    if (!take_memory(serving))
      return false;
    roles[start++] = NB_ROLE_DUP;
  }
  while (start < serving->request.count) {
    Argument argument = {
        .first = start, .roles = roles + start, .overwritten = overwritten + start};
    argument.parts = nb_by_value_parts(serving->function, start);
    bool roles_only = serving->collected.entry == NB_ENTRY_SPLIT_SIZE;
    if (roles_only ? !take_roles(serving, &argument) : !take_argument(serving, &argument))
      return false;
    if (roles_only && argument.role == NB_ROLE_OUT && is_struct_in_memory(serving->function, start))
      roles[start] = NB_ROLE_DUP;
    serving->next += roles_only && serving->next < serving->count;
    start += argument.parts;
  }
  for (unsigned i = 0; i < serving->shadows.count; i++)
    nb_list_push(&serving->arguments, serving->shadows.items[i]);
  return true;
}

/* The caller may pass any argument as its own shadow, to say that it has none. */
static const bool *guard_all(NbArena *arena, unsigned count) {
  bool *guarded = NB_NEW_ARRAY(arena, bool, count + 1);
  for (unsigned i = 0; i < count; i++)
    guarded[i] = true;
  return guarded;
}

/* By loads of inputs, of one argument: else it is not known which list is meant. */
static bool check_inputs(const NbServing *serving) {
  unsigned count = 0;
  for (unsigned i = 0; serving->inputs && i < serving->request.count; i++)
    count += serving->inputs[i];
  return !serving->inputs || count == 1 ||
         nb_refuse(serving->context, NB_ERROR_WRONG_ROLE, serving->call,
                   "one argument of '%s' must be its input, marked enzyme_dupv with the distance 0",
                   nb_shown_name(serving->context, serving->function));
}

bool nb_serving_take_arguments(NbServing *serving) {
  LLVMValueRef function = serving->function;
  NbEntryKind entry = serving->collected.entry;
  unsigned count = LLVMCountParams(function);
  NbRole *roles = NB_NEW_ARRAY(serving->context->arena, NbRole, count + 1);
  bool *overwritten = NB_NEW_ARRAY(serving->context->arena, bool, count + 1);
  serving->request.function = function;
  serving->request.mode = nb_collected_mode(&serving->collected);
  serving->request.count = count;
  serving->request.roles = roles;
  serving->request.overwritten = nb_serving_is_split(serving) ? overwritten : NULL;
  serving->request.top = !nb_serving_is_split(serving);
  serving->request.width = serving->collected.width;
  serving->request.errors = entry == NB_ENTRY_ERRORS;
  serving->request.unread =
      serving->request.top && !serving->request.errors && !nb_serving_wants_primal(serving);
  serving->request.masks = entry == NB_ENTRY_SPARSITY || entry == NB_ENTRY_SITE_MASKS;
  bool by_site = entry == NB_ENTRY_SITES || entry == NB_ENTRY_SITE_MASKS;
  serving->inputs = by_site ? NB_NEW_ARRAY(serving->context->arena, bool, count + 1) : NULL;
  serving->request.interleaved = by_site || entry == NB_ENTRY_INTERLEAVED;
  serving->request.inputs = serving->inputs;
  serving->request.strong_zero = nb_collected_has(&serving->collected, NB_MARKER_FLAG_STRONG_ZERO);
  if (nb_collected_has(&serving->collected, NB_MARKER_FLAG_RUNTIME_ACTIVITY))
    serving->request.guarded = guard_all(serving->context->arena, count);
  return take_all(serving, roles, overwritten) && check_inputs(serving);
}
