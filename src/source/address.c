// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory as C has it: p[i], s->m, or a cast where types do not tell. */
#include "source/place.h"

#include <inttypes.h>
#include <string.h>

typedef struct Path {
  Function *f;
  NbArena *arena;
  const char *text;
  LLVMTypeRef type;
  int64_t offset;
  Term terms[TERMS_MAX];
  unsigned count;
} Path;

/* --- Indices --------------------------------------------------------------------------------- */

static const char *term_text(Path *path, const Term *term, int64_t factor, bool alone) {
  bool narrow = LLVMGetIntTypeWidth(LLVMTypeOf(term->value)) < 64;
  bool plain = alone && factor == 1;
  int level = plain ? LEVEL_ANY : factor == 1 ? LEVEL_SUM : LEVEL_UNARY;
  const char *text = source_value(path->f, term->value, narrow && !plain ? LEVEL_UNARY : level);
  if (narrow && !plain)
    text = nb_arena_print(path->arena, "(long)%s", text);
  return factor == 1 ? text : nb_arena_print(path->arena, "%" PRId64 " * %s", factor, text);
}

static const char *plus(const Path *path, const char *sum, int64_t number) {
  if (!*sum)
    return nb_arena_print(path->arena, "%" PRId64, number);
  if (!number)
    return sum;
  return nb_arena_print(path->arena, "%s %c %" PRIu64, sum, number < 0 ? '-' : '+',
                        number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/* The index of the element of `size` bytes in which the rest of the path lies; the path is then
 * within it. */
static const char *take_index(Path *path, int64_t size) {
  int64_t number = path->offset / size;
  if (path->offset % size < 0)
    number--;
  path->offset -= number * size;
  unsigned kept = 0, taken = 0;
  for (unsigned i = 0; i < path->count; i++)
    taken += path->terms[i].scale % size == 0;
  const char *text = "";
  for (unsigned i = 0; i < path->count; i++) {
    Term term = path->terms[i];
    if (term.scale % size) {
      path->terms[kept++] = term;
      continue;
    }
    const char *own = term_text(path, &term, term.scale / size, taken == 1 && !number);
    text = nb_arena_print(path->arena, "%s%s%s", text, *text ? " + " : "", own);
  }
  path->count = kept;
  return plus(path, text, number);
}

/* --- Paths through types --------------------------------------------------------------------- */

static bool enter_struct(Path *path, const char *dot) {
  LLVMTargetDataRef layout = path->f->writer->context->layout;
  if (!LLVMCountStructElementTypes(path->type) || path->offset < 0 ||
      path->offset >= (int64_t)LLVMABISizeOfType(layout, path->type))
    return false;
  unsigned member = LLVMElementAtOffset(layout, path->type, (uint64_t)path->offset);
  path->offset -= (int64_t)LLVMOffsetOfElement(layout, path->type, member);
  path->text = nb_arena_print(path->arena, "%s%s%s", path->text, dot,
                              source_member(path->f->writer, path->type, member));
  path->type = LLVMStructGetTypeAtIndex(path->type, member);
  return true;
}

/* Goes on until what is left is `type`. */
static bool follow(Path *path, LLVMTypeRef type, const char *dot) {
  LLVMTargetDataRef layout = path->f->writer->context->layout;
  while (path->type != type || path->count || path->offset) {
    LLVMTypeKind kind = LLVMGetTypeKind(path->type);
    if (kind == LLVMStructTypeKind && enter_struct(path, dot)) {
      dot = ".";
      continue;
    }
    bool array = kind == LLVMArrayTypeKind && strcmp(dot, ".") == 0;
    LLVMTypeRef element = array ? LLVMGetElementType(path->type) : NULL;
    int64_t size = array ? (int64_t)LLVMABISizeOfType(layout, element) : 0;
    if (!size)
      return false;
    path->text = nb_arena_print(path->arena, "%s[%s]", path->text, take_index(path, size));
    path->type = element;
  }
  return true;
}

static Path path_of(Function *f, const Place *place, LLVMTypeRef type) {
  Path path = {f, f->arena, "", type, place->offset, {{0}}, place->count};
  memcpy(path.terms, place->terms, sizeof place->terms);
  return path;
}

/* A variable or global whose memory has a type of its own. */
static LLVMTypeRef type_of_object(const Function *f, LLVMValueRef base) {
  if (LLVMIsAGlobalVariable(base))
    return LLVMGlobalGetValueType(base);
  const Variable *variable = nb_map_get(f->variables, base);
  return variable && variable->declaration ? variable->type : NULL;
}

/* Of an array from which one element is asked for at an index that its own length limits. */
static const char *in_object(Function *f, const Place *place, LLVMTypeRef type, LLVMTypeRef own) {
  Path path = path_of(f, place, own);
  bool global = LLVMIsAGlobalVariable(place->base) != NULL;
  path.text = global ? source_global(f->writer, place->base)
                     : source_refer(f, nb_map_get(f->variables, place->base));
  return follow(&path, type, ".") ? path.text : NULL;
}

static const char *behind_pointer(Function *f, const Place *place, LLVMTypeRef type) {
  LLVMTypeRef pointee = source_pointee(f->writer, place->base);
  LLVMTargetDataRef layout = f->writer->context->layout;
  int64_t size = pointee ? (int64_t)LLVMABISizeOfType(layout, pointee) : 0;
  if (!size)
    return NULL;
  Path path = path_of(f, place, pointee);
  const char *index = take_index(&path, size);
  const char *base = source_address(f, place->base, pointee, LEVEL_PRIMARY);
  bool first = strcmp(index, "0") == 0;
  bool arrow = first && LLVMGetTypeKind(pointee) == LLVMStructTypeKind && pointee != type;
  if (arrow)
    path.text = base;
  else if (first && !place->count && !place->offset && !LLVMIsAGetElementPtrInst(place->base))
    path.text = nb_arena_print(f->arena, "*%s", base);
  else
    path.text = nb_arena_print(f->arena, "%s[%s]", base, index);
  return follow(&path, type, arrow ? "->" : ".") ? path.text : NULL;
}

/* --- Accesses -------------------------------------------------------------------------------- */

/* Is the C that an access through the object would be one that TBAA allows, and aligned as C
 * thinks? */
static bool is_plain(const Function *f, LLVMTypeRef type, unsigned alignment, bool is_volatile) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool aggregate = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
  unsigned needed = LLVMABIAlignmentOfType(f->writer->context->layout, type);
  return !is_volatile && !aggregate && kind != LLVMVectorTypeKind &&
         (!alignment || alignment >= needed);
}

static const char *direct(Function *f, const Place *place, LLVMTypeRef type) {
  LLVMTypeRef own = type_of_object(f, place->base);
  return own ? in_object(f, place, type, own) : behind_pointer(f, place, type);
}

const char *source_memory(Function *f, LLVMValueRef pointer, LLVMTypeRef type, unsigned alignment,
                          bool is_volatile, int level) {
  Place place = source_place(f, f->writer, pointer);
  const char *text = NULL;
  if (place.known && is_plain(f, type, alignment, is_volatile))
    text = direct(f, &place, type);
  if (text)
    return source_wrap(f->arena, text, *text == '*' ? LEVEL_UNARY : LEVEL_PRIMARY, level);
  const char *name = source_access(f->writer, type, alignment);
  bool typed = !is_volatile && source_pointee(f->writer, pointer) == type &&
               name == source_access(f->writer, type, 0);
  if (typed) {
    text = nb_arena_print(f->arena, "*%s", source_address(f, pointer, type, LEVEL_UNARY));
    return source_wrap(f->arena, text, LEVEL_UNARY, level);
  }
  const char *address = source_address(f, pointer, source_pointee(f->writer, pointer), LEVEL_UNARY);
  text = nb_arena_print(f->arena, "*(%s%s *)%s", is_volatile ? "volatile " : "", name, address);
  return source_wrap(f->arena, text, LEVEL_UNARY, level);
}

/* --- Addresses ------------------------------------------------------------------------------- */

static const char *with_cast(Function *f, const char *text, int own, LLVMTypeRef wanted,
                             int level) {
  const char *type = source_pointer(f->writer, wanted);
  const char *cast =
      nb_arena_print(f->arena, "(%s)%s", type, source_wrap(f->arena, text, own, LEVEL_UNARY));
  return source_wrap(f->arena, cast, LEVEL_UNARY, level);
}

static const char *bytes_from(Function *f, const Place *place, LLVMTypeRef pointee, int level) {
  Path path = path_of(f, place, NULL);
  LLVMTypeRef has = source_pointee(f->writer, place->base);
  const char *sum = take_index(&path, 1);
  if (strcmp(sum, "0") == 0)
    return source_address(f, place->base, pointee, level);
  const char *base = source_address(f, place->base, has, LEVEL_UNARY);
  const char *type = source_pointer(f->writer, pointee);
  bool simple = !strpbrk(sum, " ");
  const char *format = !place->inside ? "(%s)((unsigned long)%s + (unsigned long)(%s))"
                       : simple       ? "(%s)((char *)%s + %s)"
                                      : "(%s)((char *)%s + (%s))";
  const char *text = nb_arena_print(f->arena, format, type, base, sum);
  return source_wrap(f->arena, text, LEVEL_UNARY, level);
}

static const char *elements_from(Function *f, const Place *place, LLVMTypeRef pointee) {
  LLVMTypeRef has = source_pointee(f->writer, place->base);
  LLVMTargetDataRef layout = f->writer->context->layout;
  int64_t size = has ? (int64_t)LLVMABISizeOfType(layout, has) : 0;
  bool whole = size && has == pointee && place->offset % size == 0 && place->inside;
  for (unsigned i = 0; whole && i < place->count; i++)
    whole = place->terms[i].scale % size == 0;
  if (!whole)
    return NULL;
  Path path = path_of(f, place, has);
  const char *base = source_address(f, place->base, has, LEVEL_PRIMARY);
  return nb_arena_print(f->arena, "&%s[%s]", base, take_index(&path, size));
}

const char *source_element(Function *f, LLVMValueRef gep, int level) {
  LLVMTypeRef pointee = source_pointee(f->writer, gep);
  return source_address(f, gep, pointee, level);
}

static const char *computed(Function *f, LLVMValueRef pointer, LLVMTypeRef pointee, int level) {
  Place place = source_place(f, f->writer, pointer);
  if (!place.known)
    return source_refuse(f, "an address has too many parts");
  const char *text = elements_from(f, &place, pointee);
  return text ? source_wrap(f->arena, text, LEVEL_UNARY, level)
              : bytes_from(f, &place, pointee, level);
}

static const char *of_variable(Function *f, LLVMValueRef pointer, Variable *variable,
                               LLVMTypeRef pointee, int level) {
  const char *name = source_refer(f, variable);
  if (variable->declaration)
    return with_cast(f, nb_arena_print(f->arena, "&%s", name), LEVEL_UNARY, pointee, level);
  LLVMTypeRef has = source_pointee(f->writer, pointer);
  bool any = !pointee && level <= LEVEL_CHOICE;
  return has == pointee || any ? name : with_cast(f, name, LEVEL_PRIMARY, pointee, level);
}

const char *source_address(Function *f, LLVMValueRef pointer, LLVMTypeRef pointee, int level) {
  Variable *variable = source_variable(f, pointer);
  if (variable)
    return of_variable(f, pointer, variable, pointee, level);
  if (LLVMIsAGetElementPtrInst(pointer))
    return computed(f, pointer, pointee, level);
  const char *text = LLVMIsAInstruction(pointer) ? source_compute(f, pointer, LEVEL_UNARY)
                                                 : source_constant(f->writer, pointer, LEVEL_UNARY);
  if (!text)
    return source_refuse(f, "a constant is an expression of a kind that C has not");
  return pointee ? with_cast(f, text, LEVEL_UNARY, pointee, level)
                 : source_wrap(f->arena, text, LEVEL_UNARY, level);
}
