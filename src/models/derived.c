// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What flang's library does with a value of a derived type it reads from a description of the type:
 * a constant, which says of each component where it lies, of which type it is, and whether it is
 * allocated. A model that read this while the program runs would copy bytes of which nobody knows
 * what they are. So for each type that the module describes two functions are written here, one
 * that assigns a value and one that ends it, which name the components one after the other; what is
 * to be done with a component stands in models/fortran_derived.c, and is inlined. What a model
 * calls compares the description that it is given with those of the module: most often that is
 * known where the model is inlined, and one of them is left.
 *
 * A component that is allocatable and of a derived type may hold a value of a type that extends it,
 * too: what it is given tells which. A type that has final procedures or assignments of its own, or
 * that is described elsewhere, is for models/fortran_derived.c to refuse when the program runs. */
#include "models/derived.h"

#include "objects/graph.h"

#include <string.h>

#define TYPE_NAME "_QM__fortran_type_infoTderivedtype"
#define WRITTEN "nabla.derived."
#define HELPERS "__nabla_derived_"
#define INLINED "alwaysinline"
#define SIMPLIFY "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg"

/* The members of descriptions, as flang 22 has them. */
enum {
  SIZE_OF_VALUE = 2,
  COMPONENTS = 6,
  PROCEDURES = 7,
  HAS_PARENT = 10,
  NOTHING_FINAL = 13,
  NOTHING_DEFINED = 14,
  TYPE_MEMBERS = 16
};
enum {
  GENRE = 1,
  CATEGORY = 2,
  KIND = 3,
  RANK = 4,
  OFFSET = 6,
  LENGTH = 7,
  DESCRIBED_BY = 8,
  BOUNDS = 10,
  COMPONENT_MEMBERS = 12
};
enum { BASE = 0, DIMENSIONS = 7 };
enum { DATA = 1, POINTER = 2, ALLOCATABLE = 3 };
enum { MOST_INLINED = 64 };
enum { INTEGER, UNSIGNED, REAL, COMPLEX, TEXT, LOGICAL, DERIVED };

typedef enum Deed { ASSIGN, DESTROY, DEED_COUNT } Deed;

static const char *const deed_names[DEED_COUNT] = {"assign", "destroy"};
static const char *const others[DEED_COUNT] = {HELPERS "elsewhere", HELPERS "end_elsewhere"};

typedef struct Writer {
  NbContext *context;
  LLVMBuilderRef builder;
  NbList types;                 /* the descriptions */
  NbMap *of_type[DEED_COUNT];   /* description to the function for values of just that type */
  NbMap *within[DEED_COUNT];    /* to that for values of it and of what extends it */
  LLVMValueRef any[DEED_COUNT]; /* for all types: what models call */
} Writer;

/* --- Reading descriptions ---------------------------------------------------------------------
 */

static LLVMValueRef member(LLVMValueRef constant, unsigned index) {
  return LLVMGetAggregateElement(constant, index);
}

static uint64_t number(LLVMValueRef constant, unsigned index) {
  LLVMValueRef value = member(constant, index);
  return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

static LLVMValueRef initial_of(LLVMValueRef global) {
  bool known = global && LLVMIsAGlobalVariable(global) && LLVMIsGlobalConstant(global);
  return known ? LLVMGetInitializer(global) : NULL;
}

static bool is_description(LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  return name && strcmp(name, TYPE_NAME) == 0 && initial_of(global) &&
         LLVMCountStructElementTypes(type) == TYPE_MEMBERS;
}

/* How many elements the array has that a descriptor of one dimension in a description describes. */
static unsigned extent_of(LLVMValueRef descriptor) {
  LLVMValueRef dimensions = member(descriptor, DIMENSIONS);
  LLVMValueRef first = dimensions ? member(dimensions, 0) : NULL;
  return first ? (unsigned)number(first, 1) : 0;
}

static LLVMValueRef list_of(LLVMValueRef type, unsigned index, unsigned *count) {
  LLVMValueRef descriptor = member(initial_of(type), index);
  LLVMValueRef list = descriptor ? initial_of(member(descriptor, BASE)) : NULL;
  *count = list ? extent_of(descriptor) : 0;
  return list;
}

/* The description of the component's derived type; NULL for others, and for any type. */
static LLVMValueRef described_by(LLVMValueRef component) {
  LLVMValueRef descriptor = member(component, DESCRIBED_BY);
  LLVMValueRef type = descriptor ? member(descriptor, BASE) : NULL;
  return type && LLVMIsAGlobalVariable(type) ? type : NULL;
}

static LLVMValueRef parent_of(LLVMValueRef type) {
  unsigned count;
  LLVMValueRef list = list_of(type, COMPONENTS, &count);
  return number(initial_of(type), HAS_PARENT) && count ? described_by(member(list, 0)) : NULL;
}

static bool is_within(LLVMValueRef type, LLVMValueRef ancestor) {
  while (type && type != ancestor && initial_of(type))
    type = parent_of(type);
  return type == ancestor;
}

static uint64_t value_of(LLVMValueRef value) { return number(value, 2); }

/* How many elements a component has that is part of the value. */
static uint64_t count_of(LLVMValueRef component) {
  uint64_t count = 1, rank = number(component, RANK);
  LLVMValueRef bounds = initial_of(member(member(component, BOUNDS), BASE));
  for (unsigned i = 0; i < rank; i++) {
    LLVMValueRef dimension = bounds ? member(bounds, i) : NULL;
    int64_t lower = dimension ? (int64_t)value_of(member(dimension, 0)) : 1;
    int64_t upper = dimension ? (int64_t)value_of(member(dimension, 1)) : 0;
    count *= upper < lower ? 0 : (uint64_t)(upper - lower + 1);
  }
  return count;
}

/* How the elements of a component that is not of a derived type are moved: the type of ISO_C as
 * descriptors have it (0: bytes), how many are one element, and the bytes of one. */
typedef struct Unit {
  unsigned type, numbers;
  uint64_t size;
} Unit;

static Unit unit_of(LLVMValueRef component) {
  enum { TYPE_REAL4 = 27, TYPE_REAL8, TYPE_REAL10, LONG = 16 };
  uint64_t kind = number(component, KIND), category = number(component, CATEGORY);
  Unit unit = {0, 1, kind};
  if (category == REAL || category == COMPLEX) {
    unit.numbers = category == COMPLEX ? 2 : 1;
    unit.type = kind == 4 ? TYPE_REAL4 : kind == 8 ? TYPE_REAL8 : kind == 10 ? TYPE_REAL10 : 0;
    unit.size = kind == 10 ? LONG : kind;
  } else if (category == TEXT) {
    unit.size = kind * value_of(member(component, LENGTH));
  }
  return unit;
}

/* --- Which types lead to which ----------------------------------------------------------------
 */

static bool leads_to(const Writer *writer, LLVMValueRef type, LLVMValueRef sought, NbMap *seen);

static bool component_leads_to(const Writer *writer, LLVMValueRef component, LLVMValueRef sought,
                               NbMap *seen) {
  LLVMValueRef type = described_by(component);
  uint64_t genre = number(component, GENRE);
  if (genre == POINTER || number(component, CATEGORY) != DERIVED)
    return false;
  if (genre == DATA)
    return type && leads_to(writer, type, sought, seen);
  for (unsigned i = 0; i < writer->types.count; i++)
    if ((!type || is_within(writer->types.items[i], type)) &&
        leads_to(writer, writer->types.items[i], sought, seen))
      return true;
  return false;
}

/* May a value of the type hold one of the type `sought`, or be one? */
static bool leads_to(const Writer *writer, LLVMValueRef type, LLVMValueRef sought, NbMap *seen) {
  unsigned count;
  if (type == sought)
    return true;
  if (nb_map_has(seen, type) || !initial_of(type))
    return false;
  nb_map_set(seen, type, type);
  LLVMValueRef list = list_of(type, COMPONENTS, &count);
  for (unsigned i = 0; i < count; i++)
    if (component_leads_to(writer, member(list, i), sought, seen))
      return true;
  return false;
}

static bool holds_itself(const Writer *writer, LLVMValueRef type) {
  unsigned count;
  NbMap *seen = nb_map_new(writer->context->arena);
  LLVMValueRef list = list_of(type, COMPONENTS, &count);
  for (unsigned i = 0; i < count; i++)
    if (component_leads_to(writer, member(list, i), type, seen))
      return true;
  return false;
}

/* --- Writing ----------------------------------------------------------------------------------
 */

static LLVMTypeRef type_of_deed(const Writer *writer, Deed deed) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(writer->context->llvm, 0);
  LLVMTypeRef types[] = {pointer, pointer, pointer};
  unsigned count = deed == ASSIGN ? 3 : 2;
  return LLVMFunctionType(LLVMVoidTypeInContext(writer->context->llvm), types, count, false);
}

static LLVMValueRef declare(const Writer *writer, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(writer->context->module, name);
  return function ? function : LLVMAddFunction(writer->context->module, name, type);
}

/* Calls what models/fortran_derived.c does with a component. */
static void call_helper(const Writer *writer, const char *name, LLVMValueRef *arguments,
                        unsigned count) {
  NbContext *context = writer->context;
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), types, count, false);
  LLVMBuildCall2(writer->builder, type, declare(writer, name, type), arguments, count, "");
}

static LLVMValueRef whole(const Writer *writer, uint64_t value) {
  return LLVMConstInt(LLVMInt64TypeInContext(writer->context->llvm), value, false);
}

static LLVMValueRef small(const Writer *writer, uint64_t value) {
  return LLVMConstInt(LLVMInt32TypeInContext(writer->context->llvm), value, false);
}

/* The component of the function's parameter. */
static LLVMValueRef place_in(const Writer *writer, LLVMValueRef value, uint64_t offset) {
  LLVMValueRef index = whole(writer, offset);
  return LLVMBuildGEP2(writer->builder, LLVMInt8TypeInContext(writer->context->llvm), value, &index,
                       1, "");
}

/* The function for values of what is described, or of any type, and of what extends it. */
static LLVMValueRef within(const Writer *writer, Deed deed, LLVMValueRef type) {
  LLVMValueRef function = type ? nb_map_get(writer->within[deed], type) : writer->any[deed];
  return function ? function : declare(writer, others[deed], type_of_deed(writer, deed));
}

static LLVMValueRef exactly(const Writer *writer, Deed deed, LLVMValueRef type) {
  LLVMValueRef function = nb_map_get(writer->of_type[deed], type);
  return function ? function : declare(writer, others[deed], type_of_deed(writer, deed));
}

static void write_nested(const Writer *writer, Deed deed, LLVMValueRef component,
                         LLVMValueRef *places) {
  LLVMValueRef type = described_by(component);
  unsigned values = deed == ASSIGN ? 2 : 1;
  LLVMValueRef arguments[6] = {places[0], places[1]};
  if (number(component, GENRE) == ALLOCATABLE) {
    arguments[values] = small(writer, number(component, RANK));
    arguments[values + 1] = within(writer, deed, type);
    arguments[values + 2] = within(writer, DESTROY, type);
    call_helper(writer, deed == ASSIGN ? HELPERS "nested" : HELPERS "end_nested", arguments,
                values + (deed == ASSIGN ? 3 : 2));
    return;
  }
  arguments[values] = whole(writer, count_of(component));
  arguments[values + 1] =
      whole(writer, initial_of(type) ? number(initial_of(type), SIZE_OF_VALUE) : 0);
  arguments[values + 2] = exactly(writer, deed, type);
  arguments[values + 3] = type;
  call_helper(writer, deed == ASSIGN ? HELPERS "copies" : HELPERS "end", arguments, values + 4);
}

static void assign_values(const Writer *writer, LLVMValueRef component, LLVMValueRef *places) {
  Unit unit = unit_of(component);
  if (number(component, GENRE) == ALLOCATABLE) {
    LLVMValueRef arguments[] = {places[0],
                                places[1],
                                small(writer, number(component, RANK)),
                                small(writer, unit.type),
                                whole(writer, unit.numbers),
                                whole(writer, unit.size)};
    call_helper(writer, HELPERS "allocatable", arguments, 6);
    return;
  }
  LLVMValueRef arguments[] = {places[0], places[1],
                              whole(writer, count_of(component) * unit.numbers),
                              small(writer, unit.type), whole(writer, unit.size)};
  call_helper(writer, HELPERS "values", arguments, 5);
}

static void write_component(const Writer *writer, Deed deed, LLVMValueRef component,
                            LLVMValueRef function) {
  uint64_t genre = number(component, GENRE), offset = number(component, OFFSET);
  bool derived = number(component, CATEGORY) == DERIVED;
  LLVMValueRef places[2] = {place_in(writer, LLVMGetParam(function, 0), offset)};
  if (deed == ASSIGN)
    places[1] = place_in(writer, LLVMGetParam(function, 1), offset);
  if (genre == POINTER && deed == ASSIGN) {
    LLVMValueRef arguments[] = {places[0], places[1], small(writer, number(component, RANK)),
                                small(writer, derived)};
    call_helper(writer, HELPERS "pointer", arguments, 4);
  } else if (derived && genre != POINTER) {
    write_nested(writer, deed, component, places);
  } else if (deed == ASSIGN) {
    assign_values(writer, component, places);
  } else if (genre == ALLOCATABLE) {
    call_helper(writer, HELPERS "end_allocated", places, 1);
  }
}

/* A pointer to a procedure is assigned as it is. */
static void write_procedure(const Writer *writer, LLVMValueRef procedure, LLVMValueRef function) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(writer->context->llvm, 0);
  uint64_t offset = number(procedure, 1);
  LLVMValueRef to = place_in(writer, LLVMGetParam(function, 0), offset);
  LLVMValueRef from = place_in(writer, LLVMGetParam(function, 1), offset);
  LLVMBuildStore(writer->builder, LLVMBuildLoad2(writer->builder, pointer, from, ""), to);
}

/* Is each component of a kind that is known here? */
static bool is_followed(LLVMValueRef type) {
  unsigned count;
  LLVMValueRef initial = initial_of(type), list = list_of(type, COMPONENTS, &count);
  bool followed = number(initial, NOTHING_FINAL) && number(initial, NOTHING_DEFINED);
  for (unsigned i = 0; i < count && followed; i++) {
    LLVMValueRef component = member(list, i);
    uint64_t genre = number(component, GENRE), category = number(component, CATEGORY);
    bool part = genre == DATA && category == DERIVED;
    followed = LLVMCountStructElementTypes(LLVMTypeOf(component)) == COMPONENT_MEMBERS &&
               genre >= DATA && genre <= ALLOCATABLE && category <= DERIVED &&
               (!part || described_by(component));
  }
  return followed;
}

static void write_of_type(const Writer *writer, Deed deed, LLVMValueRef type) {
  unsigned count = 0;
  LLVMValueRef function = nb_map_get(writer->of_type[deed], type);
  LLVMPositionBuilderAtEnd(writer->builder,
                           LLVMAppendBasicBlockInContext(writer->context->llvm, function, ""));
  bool followed = is_followed(type);
  LLVMValueRef list = followed ? list_of(type, COMPONENTS, &count) : NULL;
  for (unsigned i = 0; i < count; i++)
    write_component(writer, deed, member(list, i), function);
  list = followed && deed == ASSIGN ? list_of(type, PROCEDURES, &count) : NULL;
  for (unsigned i = 0; list && i < count; i++)
    write_procedure(writer, member(list, i), function);
  if (!followed) {
    LLVMValueRef arguments[3];
    LLVMGetParams(function, arguments);
    call_helper(writer, others[deed], arguments, LLVMCountParams(function));
  }
  LLVMBuildRetVoid(writer->builder);
}

/* Calls the function of the type that the last argument describes, if it is that of `type` or
 * extends it; `type` NULL: of any. */
static void write_choice(const Writer *writer, Deed deed, LLVMValueRef function,
                         LLVMValueRef type) {
  LLVMContextRef llvm = writer->context->llvm;
  LLVMTypeRef signature = type_of_deed(writer, deed);
  LLVMValueRef arguments[3];
  LLVMGetParams(function, arguments);
  unsigned count = LLVMCountParams(function);
  LLVMPositionBuilderAtEnd(writer->builder, LLVMAppendBasicBlockInContext(llvm, function, ""));
  for (unsigned i = 0; i < writer->types.count; i++) {
    LLVMValueRef one = writer->types.items[i];
    if (type && !is_within(one, type))
      continue;
    LLVMBasicBlockRef same = LLVMAppendBasicBlockInContext(llvm, function, "");
    LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(llvm, function, "");
    LLVMBuildCondBr(writer->builder,
                    LLVMBuildICmp(writer->builder, LLVMIntEQ, arguments[count - 1], one, ""), same,
                    next);
    LLVMPositionBuilderAtEnd(writer->builder, same);
    arguments[count - 1] = one;
    LLVMBuildCall2(writer->builder, signature, exactly(writer, deed, one), arguments, count, "");
    arguments[count - 1] = LLVMGetParam(function, count - 1);
    LLVMBuildRetVoid(writer->builder);
    LLVMPositionBuilderAtEnd(writer->builder, next);
  }
  call_helper(writer, others[deed], arguments, count);
  LLVMBuildRetVoid(writer->builder);
}

static LLVMValueRef add(const Writer *writer, Deed deed, LLVMValueRef type, const char *kind) {
  NbContext *context = writer->context;
  const char *name =
      nb_arena_print(context->arena, WRITTEN "%s%s.%s", deed_names[deed], kind, nb_name(type));
  LLVMValueRef function = LLVMAddFunction(context->module, name, type_of_deed(writer, deed));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  return function;
}

static void write_all(Writer *writer) {
  for (Deed deed = ASSIGN; deed < DEED_COUNT; deed++) {
    const char *name = nb_arena_print(writer->context->arena, HELPERS "%s", deed_names[deed]);
    writer->any[deed] = declare(writer, name, type_of_deed(writer, deed));
    writer->of_type[deed] = nb_map_new(writer->context->arena);
    writer->within[deed] = nb_map_new(writer->context->arena);
    for (unsigned i = 0; i < writer->types.count; i++) {
      LLVMValueRef type = writer->types.items[i];
      nb_map_set(writer->of_type[deed], type, add(writer, deed, type, ""));
      nb_map_set(writer->within[deed], type, add(writer, deed, type, "_within"));
    }
  }
  for (Deed deed = ASSIGN; deed < DEED_COUNT; deed++) {
    for (unsigned i = 0; i < writer->types.count; i++) {
      LLVMValueRef type = writer->types.items[i];
      write_of_type(writer, deed, type);
      write_choice(writer, deed, within(writer, deed, type), type);
    }
    write_choice(writer, deed, writer->any[deed], NULL);
  }
}

/* --- Inlining ---------------------------------------------------------------------------------
 */

static bool is_helper(LLVMValueRef function) {
  return strncmp(nb_name(function), HELPERS, strlen(HELPERS)) == 0;
}

static bool is_written(LLVMValueRef function) {
  return strncmp(nb_name(function), WRITTEN, strlen(WRITTEN)) == 0;
}

static void mark_inlined(LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName(INLINED, strlen(INLINED));
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(llvm, kind, 0));
}

/* Those of values that hold none of their own type are inlined where they are small. */
static void mark_small(const Writer *writer) {
  for (unsigned i = 0; i < writer->types.count; i++) {
    LLVMValueRef type = writer->types.items[i];
    if (holds_itself(writer, type))
      continue;
    for (Deed deed = ASSIGN; deed < DEED_COUNT; deed++) {
      LLVMValueRef functions[] = {exactly(writer, deed, type), within(writer, deed, type)};
      for (unsigned at = 0; at < 2; at++)
        if (nb_instruction_count(functions[at]) <= MOST_INLINED)
          mark_inlined(functions[at]);
    }
  }
}

static void inline_calls(NbContext *context, LLVMValueRef function) {
  NbList calls = nb_list(context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    if (LLVMIsACallInst(LLVMGetUser(use)) && LLVMGetCalledValue(LLVMGetUser(use)) == function)
      nb_list_push(&calls, LLVMGetUser(use));
  for (unsigned i = 0; i < calls.count; i++)
    nb_inline_call(context->analyses, calls.items[i]);
}

static NbList bodies(const NbContext *context, bool (*belongs)(LLVMValueRef function)) {
  NbList found = nb_list(context->arena);
  for (LLVMValueRef at = LLVMGetFirstFunction(context->module); at; at = LLVMGetNextFunction(at))
    if (!LLVMIsDeclaration(at) && belongs(at))
      nb_list_push(&found, at);
  return found;
}

/* What only named a function by its address names it in a call once the rest is inlined. */
static void inline_helpers(const Writer *writer) {
  NbContext *context = writer->context;
  NbList helpers = bodies(context, is_helper), written = bodies(context, is_written);
  for (unsigned i = 0; i < helpers.count; i++) {
    LLVMSetLinkage(helpers.items[i], LLVMInternalLinkage);
    if (helpers.items[i] != writer->any[ASSIGN] && helpers.items[i] != writer->any[DESTROY])
      inline_calls(context, helpers.items[i]);
  }
  for (unsigned i = 0; i < written.count; i++)
    LLVMDisposeMessage(
        nb_passes_run(context->analyses, context->module, written.items[i], SIMPLIFY));
}

bool nb_derived_write(NbContext *context, bool (*link)(NbContext *context)) {
  Writer writer = {.context = context, .types = nb_list(context->arena)};
  bool wanted = false;
  for (Deed deed = ASSIGN; deed < DEED_COUNT; deed++)
    wanted |= LLVMGetNamedFunction(context->module, nb_arena_print(context->arena, HELPERS "%s",
                                                                   deed_names[deed])) != NULL;
  if (!wanted)
    return true;
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global))
    if (is_description(global))
      nb_list_push(&writer.types, global);
  writer.builder = LLVMCreateBuilderInContext(context->llvm);
  write_all(&writer);
  LLVMDisposeBuilder(writer.builder);
  if (!link(context))
    return false;
  inline_helpers(&writer);
  mark_small(&writer);
  return true;
}

/* The function for the type, which is known, that a call of one for all types is given. */
static LLVMValueRef settled(const NbContext *context, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  unsigned count = callee && is_helper(callee) ? LLVMGetNumArgOperands(call) : 0;
  LLVMValueRef type = count ? LLVMGetOperand(call, count - 1) : NULL;
  for (Deed deed = ASSIGN; type && LLVMIsAGlobalVariable(type) && deed < DEED_COUNT; deed++) {
    const char *any = nb_arena_print(context->arena, HELPERS "%s", deed_names[deed]);
    const char *own =
        nb_arena_print(context->arena, WRITTEN "%s.%s", deed_names[deed], nb_name(type));
    if (strcmp(nb_name(callee), any) == 0)
      return LLVMGetNamedFunction(context->module, own);
  }
  return NULL;
}

bool nb_derived_settle(NbContext *context, LLVMValueRef function) {
  NbList small = nb_list(context->arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!LLVMIsACallInst(at) || !nb_callee(at))
      continue;
    LLVMValueRef own = settled(context, at);
    if (own)
      LLVMSetOperand(at, (unsigned)LLVMGetNumOperands(at) - 1, own);
    if (is_written(nb_callee(at)) && nb_has_attribute(nb_callee(at), INLINED))
      nb_list_push(&small, at);
  }
  for (unsigned i = 0; i < small.count; i++)
    nb_inline_call(context->analyses, small.items[i]);
  return small.count != 0;
}

void nb_derived_release(const NbContext *context) {
  for (bool changed = true; changed;) {
    changed = false;
    LLVMValueRef function = LLVMGetFirstFunction(context->module);
    while (function) {
      LLVMValueRef next = LLVMGetNextFunction(function);
      if ((is_written(function) || is_helper(function)) && !LLVMGetFirstUse(function)) {
        LLVMDeleteFunction(function);
        changed = true;
      }
      function = next;
    }
  }
}
