// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Types. Integers are signed; arithmetic that wraps is done in the unsigned ones. Arrays are
 * structs where they are values. */
#include "objects/graph.h"
#include "source/writer.h"

#include <stdlib.h>
#include <string.h>

static const char *integer_type(const Writer *writer, LLVMTypeRef type, bool is_unsigned) {
  unsigned bits = LLVMGetIntTypeWidth(type);
  const char *sign = is_unsigned ? "unsigned " : "";
  switch (bits) {
  case 1:
    return "_Bool";
  case 8:
    return is_unsigned ? "unsigned char" : "signed char";
  case 16:
    return is_unsigned ? "unsigned short" : "short";
  case 32:
    return is_unsigned ? "unsigned" : "int";
  case 64:
    return is_unsigned ? "unsigned long" : "long";
  case 128:
    return is_unsigned ? "unsigned __int128" : "__int128";
  default:
    return nb_arena_print(writer->arena, "%s_BitInt(%u)", sign, bits);
  }
}

static const char *float_type(LLVMTypeKind kind) {
  switch (kind) {
  case LLVMHalfTypeKind:
    return "_Float16";
  case LLVMBFloatTypeKind:
    return "__bf16";
  case LLVMFloatTypeKind:
    return "float";
  case LLVMDoubleTypeKind:
    return "double";
  case LLVMX86_FP80TypeKind:
    return "long double";
  default:
    return "__float128";
  }
}

/* --- Structs and vectors --------------------------------------------------------------------- */

static const char *short_name(Writer *writer, LLVMTypeRef type) {
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  if (!name)
    return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? "array" : "several";
  const char *dot = strchr(name, '.');
  return dot && dot[1] ? source_clean(writer->arena, dot + 1) : name;
}

/* By the name of the source where that is one of C's and known, each only once. */
static const char *find_member(const Writer *writer, NbDebugStruct *known, Names *names,
                               LLVMTypeRef type, unsigned index) {
  char *own = nb_debug_member(writer->context->module, known, type, index);
  bool good = own && source_is_identifier(own);
  const char *name = good ? nb_arena_copy(writer->arena, own, strlen(own))
                          : nb_arena_print(writer->arena, "m%u", index);
  LLVMDisposeMessage(own);
  return source_unique(writer->arena, names, NULL, name);
}

const char *source_member(Writer *writer, LLVMTypeRef type, unsigned index) {
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return nb_arena_print(writer->arena, "at[%u]", index);
  const char **names = nb_map_get(writer->members, type);
  if (!names) {
    unsigned count = LLVMCountStructElementTypes(type);
    NbDebugStruct *known = nb_debug_struct(writer->context->module, type);
    Names taken = source_names(writer->arena);
    names = NB_NEW_ARRAY(writer->arena, const char *, count + 1);
    for (unsigned i = 0; i < count; i++)
      names[i] = find_member(writer, known, &taken, type, i);
    nb_map_set(writer->members, type, (void *)names);
  }
  return names[index];
}

static const char *members_of(Writer *writer, LLVMTypeRef type) {
  const char *text = "";
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return nb_arena_print(writer->arena, "  %s;\n", source_declare(writer, type, "at"));
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    const char *member = source_member(writer, type, i);
    const char *line = source_declare(writer, LLVMStructGetTypeAtIndex(type, i), member);
    text = nb_arena_print(writer->arena, "%s  %s;\n", text, line);
  }
  return text;
}

static const char *define_struct(Writer *writer, LLVMTypeRef type) {
  const char *wanted = short_name(writer, type);
  const char *name = source_unique(writer->arena, &writer->names, NULL, wanted);
  const char *result = nb_arena_print(writer->arena, "struct %s", name);
  nb_map_set(writer->type_names, type, (void *)result);
  bool packed = LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsPackedStruct(type);
  const char *members = members_of(writer, type);
  const char *text = nb_arena_print(writer->arena, "%s {\n%s} __attribute__((%smay_alias));\n",
                                    result, members, packed ? "packed, " : "");
  nb_list_push(&writer->types, (void *)text);
  return result;
}

static const char *define_vector(Writer *writer, LLVMTypeRef type, const char *element,
                                 NbMap *known) {
  unsigned count = LLVMGetVectorSize(type);
  const char *wanted = nb_arena_print(writer->arena, "%s_x%u", element, count);
  const char *name = source_unique(writer->arena, &writer->names, NULL, wanted);
  nb_map_set(known, type, (void *)name);
  const char *text = nb_arena_print(
      writer->arena, "typedef %s %s __attribute__((ext_vector_type(%u)));\n", element, name, count);
  nb_list_push(&writer->types, (void *)text);
  return name;
}

static const char *lane_type(Writer *writer, LLVMTypeRef vector) {
  bool pointers = LLVMGetTypeKind(LLVMGetElementType(vector)) == LLVMPointerTypeKind;
  return pointers ? "long" : source_type(writer, LLVMGetElementType(vector));
}

const char *source_type(Writer *writer, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  const char *known = nb_map_get(writer->type_names, type);
  if (known)
    return known;
  switch (kind) {
  case LLVMVoidTypeKind:
    return "void";
  case LLVMIntegerTypeKind:
    return integer_type(writer, type, false);
  case LLVMPointerTypeKind:
    return "void *";
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
    return define_struct(writer, type);
  case LLVMVectorTypeKind:
    return define_vector(writer, type, lane_type(writer, type), writer->type_names);
  default:
    return float_type(kind);
  }
}

const char *source_unsigned(Writer *writer, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return integer_type(writer, type, true);
  const char *known = nb_map_get(writer->unsigned_names, type);
  LLVMTypeRef element = LLVMGetElementType(type);
  return known ? known
               : define_vector(writer, type, integer_type(writer, element, true),
                               writer->unsigned_names);
}

const char *source_pointer(Writer *writer, LLVMTypeRef pointee) {
  if (!pointee)
    return "void *";
  const char *type = source_access(writer, pointee, 0);
  bool is_pointer = type[strlen(type) - 1] == '*';
  return nb_arena_print(writer->arena, is_pointer ? "%s*" : "%s *", type);
}

static const char *joined(const Writer *writer, const char *type, const char *name) {
  bool close = type[strlen(type) - 1] == '*';
  return nb_arena_print(writer->arena, close ? "%s%s" : "%s %s", type, name);
}

const char *source_declare(Writer *writer, LLVMTypeRef type, const char *name) {
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
    return joined(writer, source_access(writer, type, 0), name);
  unsigned long long count = LLVMGetArrayLength2(type);
  return source_declare(writer, LLVMGetElementType(type),
                        nb_arena_print(writer->arena, "%s[%llu]", name, count));
}

/* --- What can be written --------------------------------------------------------------------- */

static bool are_elements_values(LLVMTypeRef type) {
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (!source_is_value(LLVMStructGetTypeAtIndex(type, i)))
      return false;
  return true;
}

/* Of any other vector memory has another form, or C has no operators. */
static bool is_fit_for_lanes(LLVMTypeRef element, unsigned count) {
  bool integer = LLVMGetTypeKind(element) == LLVMIntegerTypeKind;
  unsigned bits = integer ? LLVMGetIntTypeWidth(element) : 8;
  bool whole = bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return source_is_value(element) && whole && (count & (count - 1)) == 0;
}

bool source_is_value(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) <= 128;
  case LLVMPointerTypeKind:
    return LLVMGetPointerAddressSpace(type) == 0;
  case LLVMStructTypeKind:
    return !LLVMIsOpaqueStruct(type) && are_elements_values(type);
  case LLVMArrayTypeKind:
    return source_is_value(LLVMGetElementType(type));
  case LLVMVectorTypeKind:
    return is_fit_for_lanes(LLVMGetElementType(type), LLVMGetVectorSize(type));
  case LLVMVoidTypeKind:
    return true;
  default:
    return nb_is_float_kind(LLVMGetTypeKind(type)) || LLVMGetTypeKind(type) == LLVMFP128TypeKind;
  }
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* Does the name that TBAA gives an access tell what C would, of an access by the type? */
static bool is_fitting(LLVMTypeRef type, const char *name) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (!name)
    return false;
  if (kind == LLVMPointerTypeKind)
    return nb_tbaa_is_pointer(name);
  if (kind != LLVMIntegerTypeKind)
    return strcmp(name, float_type(kind)) == 0;
  switch (LLVMGetIntTypeWidth(type)) {
  case 16:
    return strcmp(name, "short") == 0;
  case 32:
    return strcmp(name, "int") == 0;
  case 64:
    return strcmp(name, "long") == 0 || strcmp(name, "long long") == 0;
  default:
    return false;
  }
}

static LLVMTypeRef accessed_type(LLVMValueRef instruction) {
  if (LLVMIsALoadInst(instruction))
    return LLVMTypeOf(instruction);
  return LLVMIsAStoreInst(instruction) ? LLVMTypeOf(LLVMGetOperand(instruction, 0)) : NULL;
}

/* A type of which one access says nothing, or something else, is accessed as any memory. */
void source_find_exact(Writer *writer) {
  for (LLVMValueRef function = LLVMGetFirstFunction(writer->context->module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
      LLVMTypeRef type = accessed_type(at);
      if (type && !is_fitting(type, nb_tbaa_name(at)))
        nb_map_set(writer->exact, type, writer);
    }
}

static const char *short_access(const Writer *writer, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned long long bits = LLVMSizeOfTypeInBits(writer->context->layout, type);
  if (kind == LLVMIntegerTypeKind)
    return nb_arena_print(writer->arena, "i%llu", bits);
  if (nb_is_float_kind(kind) || kind == LLVMFP128TypeKind)
    return nb_arena_print(writer->arena, kind == LLVMBFloatTypeKind ? "bf%llu" : "f%llu", bits);
  return kind == LLVMPointerTypeKind ? "pointer" : "any";
}

static const char *define_access(Writer *writer, LLVMTypeRef type, bool low) {
  const char *wanted = short_access(writer, type);
  if (low)
    wanted = nb_arena_print(writer->arena, "%s_unaligned", wanted);
  const char *name = source_unique(writer->arena, &writer->names, NULL, wanted);
  const char *base = source_type(writer, type);
  const char *text = nb_arena_print(writer->arena, "typedef %s %s __attribute__((may_alias%s));\n",
                                    base, name, low ? ", aligned(1)" : "");
  nb_list_push(&writer->types, (void *)text);
  return name;
}

const char *source_access(Writer *writer, LLVMTypeRef type, unsigned alignment) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool low = alignment && alignment < LLVMABIAlignmentOfType(writer->context->layout, type);
  bool aggregate = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
  if (!low && (aggregate || nb_is_byte(type) || !nb_map_has(writer->exact, type)))
    return source_type(writer, type);
  const char *(*names)[2] = nb_map_get(writer->access_names, type);
  if (!names) {
    names = nb_arena_alloc(writer->arena, sizeof *names);
    nb_map_set(writer->access_names, type, names);
  }
  if (!(*names)[low])
    (*names)[low] = define_access(writer, type, low);
  return (*names)[low];
}
