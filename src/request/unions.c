// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unions, and integers beside numbers, in structs that are copied whole.
 *
 * A variable that a struct is copied to becomes values, one for each member that is accessed, and
 * then what is read as a pointer looks like one, though it may be another member of a union. Where
 * the front end says what the fields of a copy are (`tbaa.struct`), LLVM hands that on to these
 * values, if it is of exactly as many bytes: so each word of a union, and of what else may be
 * anything, is made a field of its own. Where the front end says nothing, as at -O0 and with
 * -fno-strict-aliasing, the types of the variables tell where there are unions; the bytes around
 * these get a tag that says nothing, as what no field covers were padding. */
#include "request/unions.h"

#include "base/names.h"
#include "objects/graph.h"
#include "objects/path.h"
#include "request/layout.h"

#include <string.h>

enum { WORD = 8, MOST_FIELDS = 1024, MOST_GIVEN = 3 * MOST_FIELDS };

/* What is to be said of a copy: offset, size and tag, one after the other. */
typedef struct Fields {
  NbContext *context;
  uint64_t begin, end; /* the bytes that are copied, of the type that is looked at */
  NbList parts;        /* LLVMMetadataRef */
  uint64_t last;       /* where the last one ends */
  bool found;          /* a word that may be anything */
} Fields;

static LLVMMetadataRef number(const NbContext *context, uint64_t value) {
  LLVMTypeRef type = LLVMInt64TypeInContext(context->llvm);
  return LLVMValueAsMetadata(LLVMConstInt(type, value, false));
}

static LLVMMetadataRef text(const NbContext *context, const char *name) {
  return LLVMMDStringInContext2(context->llvm, name, strlen(name));
}

static LLVMMetadataRef type_below(const NbContext *context, const char *name,
                                  LLVMMetadataRef parent) {
  LLVMMetadataRef type[] = {text(context, name), parent, number(context, 0)};
  return LLVMMDNodeInContext2(context->llvm, type, 3);
}

/* A tag of types of our own, which may alias all others: those of other roots, and each other, for
 * one stands below the other. */
static LLVMMetadataRef own_tag(const NbContext *context, const char *name) {
  LLVMMetadataRef root[] = {text(context, NB_TBAA_ROOT)};
  LLVMMetadataRef scalar =
      type_below(context, NB_TBAA_UNION, LLVMMDNodeInContext2(context->llvm, root, 1));
  if (strcmp(name, NB_TBAA_UNION) != 0)
    scalar = type_below(context, name, scalar);
  LLVMMetadataRef tag[] = {scalar, scalar, number(context, 0)};
  return LLVMMDNodeInContext2(context->llvm, tag, 3);
}

static void add_field(Fields *fields, uint64_t offset, uint64_t size, LLVMMetadataRef tag) {
  nb_list_push(&fields->parts, number(fields->context, offset));
  nb_list_push(&fields->parts, number(fields->context, size));
  nb_list_push(&fields->parts, tag);
}

static void add_words(Fields *fields, uint64_t offset, uint64_t size, LLVMMetadataRef tag) {
  for (; size > WORD; offset += WORD, size -= WORD)
    add_field(fields, offset, WORD, tag);
  add_field(fields, offset, size, tag);
  fields->found = true;
}

/* --- By the types of variables. --------------------------------------------------------------- */

static void add_gap(Fields *fields, uint64_t end) {
  if (fields->last < end)
    add_field(fields, fields->last - fields->begin, end - fields->last,
              own_tag(fields->context, NB_TBAA_BYTES));
  fields->last = end;
}

static void add_union(Fields *fields, uint64_t begin, uint64_t end) {
  if (begin < fields->begin || end > fields->end)
    return;
  add_gap(fields, begin);
  add_words(fields, begin - fields->begin, end - begin, own_tag(fields->context, NB_TBAA_UNION));
  fields->last = end;
}

static void look_into(Fields *fields, LLVMTypeRef type, uint64_t offset);

static void look_into_members(Fields *fields, LLVMTypeRef type, uint64_t offset) {
  LLVMTargetDataRef layout = fields->context->layout;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    look_into(fields, LLVMStructGetTypeAtIndex(type, i),
              offset + LLVMOffsetOfElement(layout, type, i));
}

static void look_into(Fields *fields, LLVMTypeRef type, uint64_t offset) {
  LLVMTargetDataRef layout = fields->context->layout;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  uint64_t end = offset + LLVMABISizeOfType(layout, type);
  if (end <= fields->begin || offset >= fields->end || fields->parts.count > MOST_GIVEN)
    return;
  if (nb_is_declared_union(type))
    add_union(fields, offset, end);
  else if (kind == LLVMStructTypeKind)
    look_into_members(fields, type, offset);
  for (uint64_t i = 0; kind == LLVMArrayTypeKind && i < LLVMGetArrayLength2(type); i++) {
    LLVMTypeRef element = LLVMGetElementType(type);
    if (nb_layout_is_scalar(element) || fields->parts.count > MOST_GIVEN)
      return;
    look_into(fields, element, offset + i * LLVMABISizeOfType(layout, element));
  }
}

/* What the address is declared to lead to, and how far into it. */
static LLVMTypeRef declared_at(const NbContext *context, LLVMValueRef pointer, uint64_t *offset) {
  LLVMTypeRef type = nb_path_struct(context, pointer, offset);
  NbPath path = nb_path_of(context, pointer);
  bool variable = LLVMIsAAllocaInst(path.root) || LLVMIsAGlobalVariable(path.root);
  if (type || !variable || path.failed || path.count || path.offset < 0)
    return type;
  *offset = (uint64_t)path.offset;
  return LLVMIsAAllocaInst(path.root) ? LLVMGetAllocatedType(path.root)
                                      : LLVMGlobalGetValueType(path.root);
}

static void look_at_ends(Fields *fields, LLVMValueRef copy, uint64_t bytes) {
  for (unsigned i = 0; i < 2 && !fields->found; i++) {
    uint64_t offset = 0;
    LLVMTypeRef type = declared_at(fields->context, LLVMGetOperand(copy, i), &offset);
    if (!type || !LLVMTypeIsSized(type))
      continue;
    fields->begin = fields->last = offset;
    fields->end = offset + bytes;
    look_into(fields, type, 0);
  }
  if (fields->found)
    add_gap(fields, fields->end);
}

/* --- Members of other structs. ---------------------------------------------------------------- */

/* Bytes in an array are room for whatever is moved. */
static bool is_integer(const NbLeaf *leaf) {
  return LLVMGetTypeKind(leaf->type) == LLVMIntegerTypeKind &&
         !(leaf->element && nb_is_byte(leaf->type));
}

/* Of a struct that the front end copies without a word, as constructors of C++ are, its integers
 * are said to be such. One of integers alone is room for whatever is moved. */
static void tell_integers(Fields *fields, LLVMValueRef copy, uint64_t bytes) {
  LLVMTypeRef type = nb_layout_copied(fields->context, copy);
  bool told = type && nb_layout_has_no_union(type);
  const NbLeaves *leaves = told ? nb_leaves_of(fields->context, type) : NULL;
  if (!leaves || leaves->overflow || !nb_leaves_have_float(leaves))
    return;
  fields->begin = fields->last = 0;
  for (unsigned i = 0; i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    uint64_t end = leaf->offset + LLVMStoreSizeOfType(fields->context->layout, leaf->type);
    if (!is_integer(leaf) || end > bytes)
      continue;
    add_gap(fields, leaf->offset);
    add_field(fields, leaf->offset, end - leaf->offset, own_tag(fields->context, NB_TBAA_INTEGER));
    fields->last = end;
    fields->found = true;
  }
  add_gap(fields, bytes);
}

/* --- By what the front end says. -------------------------------------------------------------- */

static bool is_number(LLVMValueRef value) { return value && LLVMIsAConstantInt(value); }

static void split_given(Fields *fields, LLVMValueRef given) {
  unsigned count = LLVMGetMDNodeNumOperands(given);
  if (count > MOST_GIVEN || count % 3)
    return;
  LLVMValueRef *items = NB_NEW_ARRAY(fields->context->arena, LLVMValueRef, count);
  LLVMGetMDNodeOperands(given, items);
  for (unsigned i = 0; i < count; i += 3) {
    if (!is_number(items[i]) || !is_number(items[i + 1]) || !items[i + 2]) {
      fields->found = false;
      return;
    }
    uint64_t offset = LLVMConstIntGetZExtValue(items[i]);
    uint64_t size = LLVMConstIntGetZExtValue(items[i + 1]);
    LLVMMetadataRef tag = LLVMValueAsMetadata(items[i + 2]);
    bool words = size > WORD && offset % WORD == 0 && !nb_tbaa_tag_name(items[i + 2]) &&
                 size / WORD + fields->parts.count / 3 < MOST_FIELDS;
    if (words)
      add_words(fields, offset, size, tag);
    else
      add_field(fields, offset, size, tag);
  }
}

/* --- Copies. ---------------------------------------------------------------------------------- */

static void note_copy(NbContext *context, LLVMValueRef copy, bool kept) {
  LLVMValueRef size = LLVMGetOperand(copy, 2);
  unsigned kind =
      LLVMGetMDKindIDInContext(context->llvm, "tbaa.struct", (unsigned)strlen("tbaa.struct"));
  LLVMValueRef given = LLVMGetMetadata(copy, kind);
  Fields fields = {.context = context, .parts = nb_list(context->arena)};
  if (!LLVMIsAConstantInt(size))
    return;
  if (given && LLVMIsAMDNode(given))
    split_given(&fields, given);
  else
    look_at_ends(&fields, copy, LLVMConstIntGetZExtValue(size));
  if (!fields.found && !given && kept)
    tell_integers(&fields, copy, LLVMConstIntGetZExtValue(size));
  if (!fields.found)
    return;
  LLVMMetadataRef *parts = (LLVMMetadataRef *)fields.parts.items;
  LLVMMetadataRef node = LLVMMDNodeInContext2(context->llvm, parts, fields.parts.count);
  LLVMSetMetadata(copy, kind, LLVMMetadataAsValue(context->llvm, node));
}

/* Does the front end say (TBAA) what is accessed? */
static bool says_types(const NbContext *context) {
  unsigned kind = LLVMGetMDKindIDInContext(context->llvm, "tbaa", 4);
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
      if (LLVMGetMetadata(at, kind))
        return nb_option_on(context->options, "strict-aliasing", true);
  return false;
}

void nb_unions_note(NbContext *context) {
  bool kept = nb_types_are_kept(context) || says_types(context);
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
      if (LLVMIsAMemCpyInst(at) || LLVMIsAMemMoveInst(at))
        note_copy(context, at, kept);
}
