// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The parameters of derivatives of the user's. What they take is the primal's arguments, each
 * pointer followed by its shadow, and in forward mode each float by its tangent; integers may
 * stand twice, as existing code has them; then the seed and the tape.
 *
 * What the ABI passes or returns in memory may be treated as the pointer that it is, with a shadow
 * behind it, or as the struct that the source says: its adjoint is then a seed, or returned. The
 * conventions are tried one after the other, and the types of the parameters tell. */
#include "request/shapes.h"

#include "request/byvalue.h"
#include "request/collected.h"
#include "request/layout.h"

enum { DOUBLED = 1, RESULT = 2, ADJOINTS = 4, CONVENTIONS = 8 };

typedef struct Fitting {
  const NbContext *context;
  NbShaped shaped;
  NbShape *shape;
  unsigned next, given; /* among the user's parameters */
} Fitting;

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

static bool is_forward(NbForm form) {
  return form == NB_FORM_FORWARD || form == NB_FORM_SPLIT_FORWARD;
}

static LLVMTypeRef type_of(LLVMValueRef function, unsigned index) {
  return LLVMTypeOf(LLVMGetParam(function, index));
}

bool nb_shape_is_real(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) != LLVMVoidTypeKind && nb_type_has_float(type) &&
         !nb_type_has_pointer(type);
}

bool nb_shape_has_sret(LLVMValueRef function) {
  return LLVMCountParams(function) && nb_parameter_pointee(function, 0, "sret");
}

LLVMTypeRef nb_shape_memory(LLVMValueRef function, unsigned index, const char *kind) {
  LLVMTypeRef type = nb_parameter_pointee(function, index, kind);
  return type && nb_shape_is_real(type) ? type : NULL;
}

bool nb_shape_by_reference(const NbCustom *custom, LLVMValueRef user, unsigned parameter) {
  unsigned index = parameter - nb_shape_has_sret(user);
  return index < 64 && (custom->by_reference >> index & 1) != 0;
}

static bool users_is_in_memory(const Fitting *fitting) {
  return fitting->next < fitting->given &&
         nb_parameter_pointee(fitting->shaped.user, fitting->next, "byval");
}

/* The user's next parameter, where a value of `type` belongs. */
static void put(Fitting *fitting, NbGiven given, LLVMTypeRef type) {
  const NbShaped *shaped = &fitting->shaped;
  NbShape *shape = fitting->shape;
  bool there = fitting->next < fitting->given;
  LLVMTypeRef taken = there ? type_of(shaped->user, fitting->next) : NULL;
  bool pointer =
      given.in_memory || nb_shape_by_reference(shaped->custom, shaped->user, fitting->next);
  bool fits = taken && (pointer ? is_pointer(taken) : taken == type);
  fitting->next++;
  if (!fits && !shape->misfit)
    shape->misfit = fitting->next;
  shape->given[shape->count++] = given;
}

/* --- Arguments -------------------------------------------------------------------------------- */

static bool has_shadow(const Fitting *fitting, unsigned index) {
  const NbShaped *shaped = &fitting->shaped;
  LLVMTypeRef type = type_of(shaped->function, index);
  bool alone = fitting->shape->adjoints_by_value && !is_forward(shaped->form) &&
               nb_shape_memory(shaped->function, index, "byval");
  if (is_pointer(type))
    return !alone;
  return nb_shape_is_real(type) ? is_forward(shaped->form) : fitting->shape->doubled;
}

/* Are these parameters of the function's numbers? */
static bool are_real(LLVMValueRef function, unsigned first, unsigned count) {
  for (unsigned i = first; i < first + count; i++)
    if (i >= LLVMCountParams(function) || !nb_shape_is_real(type_of(function, i)))
      return false;
  return true;
}

/* How many parameters of the function's from `first` on are floats of one number or struct, whose
 * tangents the user's function takes behind all of them. */
static unsigned parts_at(Fitting *fitting, unsigned first) {
  const NbShaped *shaped = &fitting->shaped;
  unsigned theirs = nb_by_value_parts(shaped->function, first);
  unsigned count =
      fitting->next < fitting->given ? nb_by_value_parts(shaped->user, fitting->next) : 1;
  if (!is_forward(shaped->form) || shaped->custom->of_model)
    return 1;
  bool unknown = count == 1 && theirs > 1 && LLVMIsDeclaration(shaped->user);
  if (unknown)
    count = theirs;
  if (!are_real(shaped->function, first, count))
    return 1;
  fitting->shape->unknown |= unknown;
  return count;
}

/* A struct that the function takes in registers, and its derivative, which takes more, in memory.
 */
static unsigned put_in_memory(Fitting *fitting, unsigned first) {
  const NbShaped *shaped = &fitting->shaped;
  unsigned parts = nb_by_value_parts(shaped->function, first);
  if (!users_is_in_memory(fitting) || nb_parameter_pointee(shaped->function, first, "byval") ||
      !are_real(shaped->function, first, parts))
    return 0;
  put(fitting, (NbGiven){NB_GIVEN_VALUE, first, parts, .in_memory = true}, NULL);
  if (is_forward(shaped->form))
    put(fitting, (NbGiven){NB_GIVEN_SHADOW, first, parts, .in_memory = true}, NULL);
  return parts;
}

static unsigned put_arguments(Fitting *fitting, unsigned first) {
  LLVMValueRef function = fitting->shaped.function;
  unsigned parts = put_in_memory(fitting, first);
  if (parts)
    return parts;
  parts = parts_at(fitting, first);
  for (unsigned i = first; i < first + parts; i++)
    put(fitting, (NbGiven){.kind = NB_GIVEN_VALUE, .index = i, .parts = 1}, type_of(function, i));
  for (unsigned i = first; i < first + parts; i++)
    if (has_shadow(fitting, i))
      put(fitting, (NbGiven){.kind = NB_GIVEN_SHADOW, .index = i, .parts = 1},
          type_of(function, i));
  return parts;
}

/* --- What stands behind them ------------------------------------------------------------------ */

/* Does the user's next parameter take one member of a struct that the function returns? */
static bool takes_member(const Fitting *fitting, LLVMTypeRef type) {
  const NbShaped *shaped = &fitting->shaped;
  bool there = LLVMGetTypeKind(type) == LLVMStructTypeKind && fitting->next < fitting->given;
  return there && type_of(shaped->user, fitting->next) != type && !users_is_in_memory(fitting) &&
         !nb_shape_by_reference(shaped->custom, shaped->user, fitting->next);
}

static void put_seed(Fitting *fitting) {
  const NbShaped *shaped = &fitting->shaped;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(shaped->function));
  if (shaped->form != NB_FORM_REVERSE ||
      (!fitting->shape->result_by_value && !nb_shape_is_real(type)))
    return;
  if (!takes_member(fitting, type)) {
    bool in_memory = users_is_in_memory(fitting);
    put(fitting, (NbGiven){NB_GIVEN_SEED, 0, 1, .in_memory = in_memory}, type);
    return;
  }
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    put(fitting, (NbGiven){NB_GIVEN_SEED, i, 1, .is_part = true},
        LLVMStructGetTypeAtIndex(type, i));
}

/* What is left is one argument. */
static void put_tape(Fitting *fitting) {
  const NbShaped *shaped = &fitting->shaped;
  unsigned left = fitting->given > fitting->next ? fitting->given - fitting->next : 0;
  bool taken = shaped->form == NB_FORM_REVERSE || shaped->form == NB_FORM_SPLIT_FORWARD;
  if (!taken || (left > 1 && nb_by_value_parts(shaped->user, fitting->next) != left))
    return;
  fitting->shape->tapes = left;
  for (unsigned i = 0; i < left; i++)
    put(fitting, (NbGiven){NB_GIVEN_TAPE, i, 1, .in_memory = users_is_in_memory(fitting)},
        type_of(shaped->user, fitting->next));
}

/* --- Conventions ------------------------------------------------------------------------------ */

static bool any_of(LLVMValueRef function, const char *kind) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (nb_shape_memory(function, i, kind))
      return true;
  return false;
}

static bool any_integer(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeRef type = type_of(function, i);
    if (!is_pointer(type) && !nb_shape_is_real(type))
      return true;
  }
  return false;
}

/* The conventions that make a difference. */
static unsigned conventions_of(const NbShaped *shaped) {
  unsigned all = any_integer(shaped->function) ? DOUBLED : 0;
  if (shaped->custom->of_model)
    return all;
  all |= any_of(shaped->function, "sret") ? RESULT : 0;
  return all | (any_of(shaped->function, "byval") ? ADJOINTS : 0);
}

static bool has_room(const Fitting *fitting) { return fitting->next <= fitting->given; }

/* The shape by one convention; NULL where the number of parameters is another. */
static NbShape *fit(const NbContext *context, const NbShaped *shaped, unsigned convention) {
  LLVMValueRef function = shaped->function;
  NbShape *shape = NB_NEW(context->arena, NbShape);
  Fitting fitting = {.context = context, .shaped = *shaped, .shape = shape};
  fitting.next = nb_shape_has_sret(shaped->user);
  unsigned taken = LLVMCountParams(shaped->user), count = LLVMCountParams(function);
  fitting.given = taken > shaped->told ? taken - shaped->told : 0;
  shape->doubled = convention & DOUBLED;
  shape->result_by_value = convention & RESULT;
  shape->adjoints_by_value = convention & ADJOINTS;
  shape->given = NB_NEW_ARRAY(context->arena, NbGiven, 2 * count + taken + NB_LEAF_LIMIT);
  for (unsigned i = shape->result_by_value; i < count;)
    i += put_arguments(&fitting, i);
  put_seed(&fitting);
  if (has_room(&fitting))
    put_tape(&fitting);
  return fitting.next == fitting.given ? shape : NULL;
}

static unsigned convention_of(const NbShape *shape) {
  return (shape->doubled ? DOUBLED : 0) | (shape->result_by_value ? RESULT : 0) |
         (shape->adjoints_by_value ? ADJOINTS : 0);
}

const NbShape *nb_shape_of(const NbContext *context, NbShaped shaped, const NbShape *like) {
  unsigned all = conventions_of(&shaped);
  NbShape *closest = like ? fit(context, &shaped, convention_of(like)) : NULL;
  if (closest && !closest->misfit)
    return closest;
  for (unsigned i = 0; i < CONVENTIONS; i++) {
    NbShape *shape = (i & ~all) == 0 ? fit(context, &shaped, i) : NULL;
    if (shape && !shape->misfit)
      return shape;
    closest = closest ? closest : shape;
  }
  return closest;
}
