// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A struct that is copied as bytes to or from a local variable becomes values of whatever size its
 * accesses have when the variable does. That a value of eight bits, say, was a member of integer
 * type is then no longer to be seen, so it is noted before. All else remains a copy of bytes. */
#include "prepare/copies.h"

#include "base/names.h"
#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_MEMBERS = 32, MOST_PADDING = 7, SHORTEST_FLOAT = 4 };

/* A copy of `bytes` bytes while it is taken apart. */
typedef struct Copy {
  NbContext *context;
  LLVMBuilderRef builder;
  LLVMValueRef call, to, from;
  uint64_t bytes, done;
} Copy;

/* A member of a struct, or of one in it. */
typedef struct Member {
  uint64_t offset, end;
  LLVMTypeRef type;
} Member;

typedef struct Members {
  LLVMTargetDataRef layout;
  Member items[MOST_MEMBERS];
  unsigned count, integers;
  bool numbers, failed;
} Members;

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

static void add_member(Members *members, LLVMTypeRef type, uint64_t offset) {
  uint64_t end = offset + LLVMABISizeOfType(members->layout, type);
  if (members->count < MOST_MEMBERS)
    members->items[members->count++] = (Member){offset, end, type};
  else
    members->failed = true;
}

/* What lies in arrays and unions may be anything. */
static void add_members(Members *members, LLVMTypeRef type, uint64_t offset) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  LLVMTypeRef element = kind == LLVMArrayTypeKind ? LLVMGetElementType(type) : type;
  if (kind == LLVMStructTypeKind && nb_is_declared_struct(type)) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      add_members(members, LLVMStructGetTypeAtIndex(type, i),
                  offset + LLVMOffsetOfElement(members->layout, type, i));
    return;
  }
  members->numbers |= nb_is_float_kind(LLVMGetTypeKind(element));
  members->integers += is_integer(type);
  add_member(members, type, offset);
}

/* Is the variable only read and written here, member by member or as bytes? Others remain as they
 * are. */
static bool is_only_accessed(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer;
    bool accessed = (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) && !stored;
    bool further =
        LLVMIsAGetElementPtrInst(user) && nb_gep_is_constant(user) && is_only_accessed(user);
    if (!accessed && !further && !LLVMIsAMemIntrinsic(user))
      return false;
  }
  return true;
}

/* The declared type of a local struct; NULL where `pointer` is none, or is not taken apart. */
static LLVMTypeRef local_struct(LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMIsAAllocaInst(pointer) ? LLVMGetAllocatedType(pointer) : NULL;
  return type && nb_is_declared_struct(type) && is_only_accessed(pointer) ? type : NULL;
}

static LLVMValueRef address(const Copy *copy, LLVMValueRef base, uint64_t offset) {
  LLVMContextRef llvm = copy->context->llvm;
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(llvm), offset, false);
  return LLVMBuildInBoundsGEP2(copy->builder, LLVMInt8TypeInContext(llvm), base, &index, 1, "");
}

static void copy_bytes(Copy *copy, uint64_t end) {
  if (copy->done < end) {
    LLVMValueRef to = address(copy, copy->to, copy->done);
    LLVMValueRef from = address(copy, copy->from, copy->done);
    LLVMTypeRef word = LLVMInt64TypeInContext(copy->context->llvm);
    LLVMBuildMemCpy(copy->builder, to, 1, from, 1, LLVMConstInt(word, end - copy->done, false));
  }
  copy->done = end;
}

static void note(LLVMValueRef access) {
  nb_access_note(access, NB_INTEGER_FIELD);
  LLVMSetAlignment(access, 1);
}

static void copy_integer(Copy *copy, uint64_t offset, LLVMTypeRef type) {
  copy_bytes(copy, offset);
  LLVMValueRef from = address(copy, copy->from, offset);
  LLVMValueRef to = address(copy, copy->to, offset);
  LLVMValueRef value = LLVMBuildLoad2(copy->builder, type, from, "");
  note(value);
  note(LLVMBuildStore(copy->builder, value, to));
  copy->done = offset + LLVMStoreSizeOfType(copy->context->layout, type);
}

/* Padding is copied, too, apart from what is beside it: what is too short for a float as integers,
 * the rest as bytes, of which types/carriers.c knows what they are. */
static void copy_padding(Copy *copy, uint64_t offset, uint64_t end) {
  if (offset == end || end - offset > MOST_PADDING)
    return;
  copy_bytes(copy, offset);
  while (offset < end) {
    uint64_t size = SHORTEST_FLOAT;
    while (offset % size || offset + size > end)
      size /= 2;
    if (size == SHORTEST_FLOAT)
      copy_bytes(copy, offset + size);
    else
      copy_integer(copy, offset, LLVMIntTypeInContext(copy->context->llvm, (unsigned)size * 8));
    offset += size;
  }
}

static void spell(Copy *copy, const Members *members) {
  copy->builder = LLVMCreateBuilderInContext(copy->context->llvm);
  LLVMPositionBuilderBefore(copy->builder, copy->call);
  LLVMSetCurrentDebugLocation2(copy->builder, LLVMInstructionGetDebugLoc(copy->call));
  uint64_t end = 0;
  for (unsigned i = 0; i < members->count; i++) {
    const Member *member = &members->items[i];
    copy_padding(copy, end, member->offset);
    if (is_integer(member->type))
      copy_integer(copy, member->offset, member->type);
    end = member->end;
  }
  copy_padding(copy, end, copy->bytes);
  copy_bytes(copy, copy->bytes);
  LLVMDisposeBuilder(copy->builder);
  LLVMInstructionEraseFromParent(copy->call);
}

/* The type of the struct that is copied whole to or from a local variable; NULL for other calls. */
static LLVMTypeRef copied_struct(Copy *copy) {
  const char tag[] = "tbaa.struct";
  unsigned tells = LLVMGetMDKindIDInContext(copy->context->llvm, tag, sizeof tag - 1);
  LLVMValueRef bytes = LLVMGetOperand(copy->call, 2);
  bool known = LLVMIsAConstantInt(bytes) && LLVMIsNull(LLVMGetOperand(copy->call, 3));
  if (!known || LLVMGetMetadata(copy->call, tells))
    return NULL;
  copy->to = LLVMGetOperand(copy->call, 0);
  copy->from = LLVMGetOperand(copy->call, 1);
  copy->bytes = LLVMConstIntGetZExtValue(bytes);
  LLVMTypeRef type = local_struct(copy->to);
  type = type ? type : local_struct(copy->from);
  bool whole = type && LLVMABISizeOfType(copy->context->layout, type) == copy->bytes;
  return whole ? type : NULL;
}

void nb_prepare_spell_copies(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    Copy copy = {.context = context, .call = at};
    LLVMTypeRef type = LLVMIsAMemCpyInst(at) ? copied_struct(&copy) : NULL;
    Members members = {.layout = context->layout};
    if (type)
      add_members(&members, type, 0);
    if (members.numbers && members.integers && !members.failed)
      spell(&copy, &members);
  }
}
