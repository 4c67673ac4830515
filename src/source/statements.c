// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Statements: the instructions of a block that are in no expression, and what phis are assigned. */
#include "source/writer.h"

#include <inttypes.h>
#include <string.h>

/* --- Lists ----------------------------------------------------------------------------------- */

void source_append(Body *body, Stmt *stmt) {
  stmt->in = body;
  stmt->next = NULL;
  stmt->before = body->last;
  if (body->last)
    body->last->next = stmt;
  else
    body->first = stmt;
  body->last = stmt;
}

void source_remove(Stmt *stmt) {
  Body *body = stmt->in;
  if (stmt->before)
    stmt->before->next = stmt->next;
  else
    body->first = stmt->next;
  if (stmt->next)
    stmt->next->before = stmt->before;
  else
    body->last = stmt->before;
  stmt->next = stmt->before = NULL;
  stmt->in = NULL;
}

void source_insert(Stmt *stmt, Stmt *before) {
  stmt->in = before->in;
  stmt->next = before;
  stmt->before = before->before;
  if (before->before)
    before->before->next = stmt;
  else
    before->in->first = stmt;
  before->before = stmt;
}

static Stmt *new_statement(Function *f, StmtKind kind) {
  Stmt *stmt = NB_NEW(f->arena, Stmt);
  stmt->kind = kind;
  stmt->text = "";
  stmt->body.owner = stmt->otherwise.owner = stmt;
  f->at = stmt;
  return stmt;
}

Stmt *source_statement(Function *f, Body *body, StmtKind kind) {
  Stmt *stmt = new_statement(f, kind);
  source_append(body, stmt);
  return stmt;
}

/* --- Instructions ---------------------------------------------------------------------------- */

static void assign(Function *f, Body *body, LLVMValueRef value) {
  Stmt *stmt = source_statement(f, body, STMT_ASSIGN);
  stmt->variable = source_variable(f, value);
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  stmt->text = source_compute(f, value, LEVEL_CHOICE);
  if (pointer && LLVMIsASelectInst(value) && stmt->variable->pointee)
    stmt->text = nb_arena_print(f->arena, "(%s)(%s)",
                                source_pointer(f->writer, stmt->variable->pointee), stmt->text);
  source_refer(f, stmt->variable);
}

/* A struct with one member changed. */
static void insert(Function *f, Body *body, LLVMValueRef insert) {
  LLVMValueRef aggregate = LLVMGetOperand(insert, 0), value = LLVMGetOperand(insert, 1);
  LLVMTypeRef type = LLVMTypeOf(aggregate);
  if (LLVMGetNumIndices(insert) != 1 || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMArrayTypeKind) {
    source_refuse(f, "a member of a member is changed");
    return;
  }
  Stmt *stmt;
  if (nb_map_get(f->variables, aggregate) != source_variable(f, insert)) {
    stmt = source_statement(f, body, STMT_ASSIGN);
    stmt->variable = source_variable(f, insert);
    stmt->text = LLVMIsUndef(aggregate)
                     ? nb_arena_print(f->arena, "(%s){0}", source_type(f->writer, type))
                     : source_value(f, aggregate, LEVEL_CHOICE);
    source_refer(f, stmt->variable);
  }
  stmt = source_statement(f, body, STMT_TEXT);
  const char *name = source_refer(f, source_variable(f, insert));
  const char *member = source_member(f->writer, type, LLVMGetIndices(insert)[0]);
  stmt->text =
      nb_arena_print(f->arena, "%s.%s = %s;", name, member, source_value(f, value, LEVEL_CHOICE));
}

static void insert_lane(Function *f, Body *body, LLVMValueRef insert) {
  Stmt *stmt = source_statement(f, body, STMT_ASSIGN);
  LLVMValueRef vector = LLVMGetOperand(insert, 0);
  stmt->variable = source_variable(f, insert);
  stmt->text = source_value(f, vector, LEVEL_CHOICE);
  if (LLVMIsUndef(vector))
    stmt->text = nb_arena_print(f->arena, "(%s){0}", source_type(f->writer, LLVMTypeOf(vector)));
  source_refer(f, stmt->variable);
  stmt = source_statement(f, body, STMT_TEXT);
  const char *name = source_refer(f, source_variable(f, insert));
  const char *index = source_value(f, LLVMGetOperand(insert, 2), LEVEL_ANY);
  LLVMValueRef value = LLVMGetOperand(insert, 1);
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  stmt->text = nb_arena_print(f->arena, "%s[%s] = %s%s;", name, index, pointer ? "(long)" : "",
                              source_value(f, value, pointer ? LEVEL_UNARY : LEVEL_CHOICE));
}

/* `x += y` where the value is of the same memory. */
static const char *updated(Function *f, const char *memory, const char *value) {
  size_t length = strlen(memory);
  bool same = strncmp(value, memory, length) == 0 && value[length] == ' ' &&
              strchr("+-*/", value[length + 1]) && value[length + 2] == ' ';
  const char *rest = same ? value + length + 3 : "";
  bool one_term = same && !strpbrk(rest, " ");
  if (!one_term && !(same && strchr("+", value[length + 1]) && !strpbrk(rest, "+-<>?&|^")))
    return nb_arena_print(f->arena, "%s = %s;", memory, value);
  return nb_arena_print(f->arena, "%s %c= %s;", memory, value[length + 1], rest);
}

static void store(Function *f, Body *body, LLVMValueRef store) {
  if (LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic) {
    source_refuse(f, "memory is written atomically");
    return;
  }
  LLVMValueRef value = LLVMGetOperand(store, 0);
  Stmt *stmt = source_statement(f, body, STMT_TEXT);
  const char *memory = source_memory(f, LLVMGetOperand(store, 1), LLVMTypeOf(value),
                                     LLVMGetAlignment(store), LLVMGetVolatile(store), LEVEL_UNARY);
  stmt->text = updated(f, memory, source_value(f, value, LEVEL_CHOICE));
}

static bool is_static(LLVMValueRef alloca) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(alloca);
  return LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) &&
         block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

static void declare_static(Function *f, LLVMValueRef alloca) {
  Variable *variable = source_variable(f, alloca);
  uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0));
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  variable->type = count == 1 ? type : LLVMArrayType2(type, count);
  const char *text = source_declare(f->writer, variable->type, variable->name);
  unsigned usual = LLVMABIAlignmentOfType(f->writer->context->layout, type);
  if (LLVMGetAlignment(alloca) > usual)
    text = nb_arena_print(f->arena, "_Alignas(%u) %s", LLVMGetAlignment(alloca), text);
  variable->declaration = text;
}

static void allocate(Function *f, Body *body, LLVMValueRef alloca) {
  if (is_static(alloca))
    return;
  Stmt *stmt = source_statement(f, body, STMT_ASSIGN);
  stmt->variable = source_variable(f, alloca);
  uint64_t size = LLVMABISizeOfType(f->writer->context->layout, LLVMGetAllocatedType(alloca));
  const char *count = source_value(f, LLVMGetOperand(alloca, 0), LEVEL_UNARY);
  stmt->text =
      nb_arena_print(f->arena, "__builtin_alloca_with_align((unsigned long)%s * %" PRIu64 ", %u)",
                     count, size, 8 * LLVMGetAlignment(alloca));
  source_refer(f, stmt->variable);
}

static void shuffle(Function *f, Body *body, LLVMValueRef instruction) {
  Stmt *stmt = source_statement(f, body, STMT_ASSIGN);
  stmt->variable = source_variable(f, instruction);
  const char *first = source_value(f, LLVMGetOperand(instruction, 0), LEVEL_CHOICE);
  const char *text = nb_arena_print(f->arena, "__builtin_shufflevector(%s, %s", first,
                                    source_value(f, LLVMGetOperand(instruction, 1), LEVEL_CHOICE));
  for (unsigned i = 0; i < LLVMGetNumMaskElements(instruction); i++)
    text = nb_arena_print(f->arena, "%s, %d", text, LLVMGetMaskValue(instruction, i));
  stmt->text = nb_arena_print(f->arena, "%s)", text);
  source_refer(f, stmt->variable);
}

static bool is_forgotten(LLVMValueRef instruction) {
  bool kept = LLVMIsACallInst(instruction) || LLVMIsAStoreInst(instruction) ||
              (LLVMIsALoadInst(instruction) && LLVMGetVolatile(instruction));
  return !LLVMGetFirstUse(instruction) && !kept;
}

static void call(Function *f, Body *body, LLVMValueRef call) {
  if (LLVMGetFirstUse(call)) {
    assign(f, body, call);
    return;
  }
  Stmt *stmt = source_statement(f, body, STMT_TEXT);
  stmt->text = nb_arena_print(f->arena, "%s;", source_call(f, call, LEVEL_ANY));
}

static bool is_writable(LLVMValueRef at) {
  bool good = source_is_value(LLVMTypeOf(at));
  for (int i = 0; good && i < LLVMGetNumOperands(at); i++) {
    LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(operand));
    bool other = kind == LLVMLabelTypeKind || kind == LLVMMetadataTypeKind;
    good = other || source_is_value(LLVMTypeOf(operand));
  }
  return good;
}

void source_invoke(Function *f, LLVMValueRef invoke, Body *body) {
  if (!is_writable(invoke))
    source_refuse(f, "a value has a type that C has not");
  call(f, body, invoke);
  f->at->text = nb_arena_print(f->arena, "%s /* or throws */", f->at->text);
}

static void instruction(Function *f, Body *body, LLVMValueRef at) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  switch (opcode) {
  case LLVMInsertValue:
    insert(f, body, at);
    break;
  case LLVMInsertElement:
    insert_lane(f, body, at);
    break;
  case LLVMShuffleVector:
    shuffle(f, body, at);
    break;
  case LLVMStore:
    store(f, body, at);
    break;
  case LLVMAlloca:
    allocate(f, body, at);
    break;
  case LLVMCall:
    call(f, body, at);
    break;
  case LLVMFence:
  case LLVMAtomicCmpXchg:
  case LLVMAtomicRMW:
  case LLVMVAArg:
    source_refuse(f, "memory is accessed atomically");
    break;
  default:
    assign(f, body, at);
  }
}

void source_statements(Function *f, LLVMBasicBlockRef block, Body *body) {
  LLVMValueRef last = NULL;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block);
       at && at != LLVMGetBasicBlockTerminator(block); at = LLVMGetNextInstruction(at)) {
    if (!source_is_silent(at) && !is_writable(at))
      source_refuse(f, "a value has a type that C has not");
    if (nb_map_get(f->late, at))
      last = at;
    bool skipped = LLVMIsAPHINode(at) || source_is_folded(f, at) || source_is_silent(at) ||
                   is_forgotten(at) || nb_map_get(f->late, at);
    if (!skipped)
      instruction(f, body, at);
  }
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); last && at;
       at = LLVMGetNextInstruction(at))
    if (nb_map_get(f->late, at))
      instruction(f, body, at);
}

/* --- Phis ------------------------------------------------------------------------------------ */

static bool reads(const Stmt *stmt, const Variable *variable) {
  for (unsigned i = 0; i < variable->uses.count; i++)
    if (variable->uses.items[i] == stmt)
      return true;
  return false;
}

/* What the phis get, all at once. */
static NbList assignments(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  NbList list = nb_list(f->arena);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef value = nb_phi_incoming(phi, from);
    Variable *variable = source_variable(f, phi);
    bool same = value == phi || nb_map_get(f->variables, value) == variable;
    if (!LLVMGetFirstUse(phi) || same)
      continue;
    if (!source_is_value(LLVMTypeOf(phi)))
      source_refuse(f, "a value has a type that C has not");
    Stmt *stmt = new_statement(f, STMT_ASSIGN);
    stmt->variable = variable;
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind;
    stmt->text = pointer ? source_address(f, value, variable->pointee, LEVEL_CHOICE)
                         : source_value(f, value, LEVEL_CHOICE);
    nb_list_push(&list, stmt);
  }
  return list;
}

static bool is_read_by_others(const NbList *list, const Stmt *stmt) {
  for (unsigned i = 0; i < list->count; i++)
    if (list->items[i] && list->items[i] != stmt && reads(list->items[i], stmt->variable))
      return true;
  return false;
}

/* A copy is made first of what others would overwrite. */
static Stmt *through_copy(Function *f, Body *body, Stmt *stmt) {
  Variable *copy = NB_NEW(f->arena, Variable);
  *copy = *stmt->variable;
  copy->uses = nb_list(f->arena);
  copy->declaration = NULL;
  const char *wanted = nb_arena_print(f->arena, "next_%s", copy->name);
  copy->name = source_unique(f->arena, &f->names, &f->writer->names, wanted);
  Variable *variable = stmt->variable;
  stmt->variable = copy;
  f->at = stmt;
  source_refer(f, copy);
  source_append(body, stmt);
  Stmt *last = new_statement(f, STMT_ASSIGN);
  last->variable = variable;
  last->text = source_refer(f, copy);
  source_refer(f, variable);
  return last;
}

void source_edge(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to, Body *body) {
  NbList list = assignments(f, from, to);
  NbList after = nb_list(f->arena);
  for (unsigned left = list.count; left;) {
    Stmt *next = NULL, *any = NULL;
    unsigned place = 0;
    for (unsigned i = 0; i < list.count && !next; i++) {
      Stmt *stmt = list.items[i];
      if (stmt && !is_read_by_others(&list, stmt)) {
        next = stmt;
        place = i;
      } else if (stmt && !any) {
        any = stmt;
        place = i;
      }
    }
    list.items[place] = NULL;
    left--;
    if (!next) {
      nb_list_push(&after, through_copy(f, body, any));
      continue;
    }
    f->at = next;
    source_refer(f, next->variable);
    source_append(body, next);
  }
  for (unsigned i = 0; i < after.count; i++)
    source_append(body, after.items[i]);
}

/* --- The ends of a function ------------------------------------------------------------------ */

void source_return(Function *f, LLVMValueRef instruction, Body *body) {
  Stmt *stmt = source_statement(f, body, STMT_RETURN);
  bool sret = LLVMCountParams(f->function) && nb_parameter_pointee(f->function, 0, "sret");
  if (sret)
    stmt->text = source_address(f, LLVMGetParam(f->function, 0), NULL, LEVEL_ANY);
  else if (LLVMGetNumOperands(instruction))
    stmt->text = source_value(f, LLVMGetOperand(instruction, 0), LEVEL_ANY);
}

void source_parameters(Function *f) {
  for (unsigned i = 0; i < LLVMCountParams(f->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(f->function, i);
    Variable *variable = source_variable(f, parameter);
    LLVMTypeRef copied = nb_parameter_pointee(f->function, i, "byval");
    variable->is_parameter = true;
    if (!source_is_value(variable->type))
      source_refuse(f, "a parameter has a type that C has not");
    if (!copied)
      continue;
    variable->type = copied;
    variable->declaration = variable->name;
  }
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->function)); at;
       at = LLVMGetNextInstruction(at))
    if (LLVMIsAAllocaInst(at) && is_static(at))
      declare_static(f, at);
}
