// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives, their linear programs and calls, as records. d(v) stands for the tangent of v, and
 * for the shadow of memory. */
#include "base/records.h"
#include "explain/explain.h"
#include "objects/graph.h"
#include "plan/reasons.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Writer {
  const NbContext *context;
  const NbLinear *linear;
  const NbPlan *plan; /* NULL: there is no reverse sweep */
  const char *number; /* of the derivative */
} Writer;

/* --- Derivatives ----------------------------------------------------------------------------- */

static const char *roles_text(const NbContext *context, const NbRequest *request) {
  const char *text = "";
  for (unsigned i = 0; i < request->count; i++) {
    const char *name = nb_parameter_name(context, request->function, i);
    text = nb_arena_print(context->arena, "%s%s%s: %s", text, i ? ", " : "", name,
                          nb_role_name(request->roles[i]));
  }
  const char *result = nb_role_name(request->result);
  return nb_arena_print(context->arena, "%s%sresult: %s", text, request->count ? ", " : "", result);
}

static const char *mode_name(const NbRequest *request) {
  if (request->mode == NB_MODE_REVERSE)
    return request->beside ? "reverse, where memory lies apart" : "reverse";
  return request->errors ? "forward, of rounding errors" : "forward";
}

static const char *number_of(const NbContext *context, const NbDerivative *derivative) {
  uint64_t number = context->recorded + 1;
  for (const NbDerivative *other = context->all; other && other != derivative; other = other->next)
    number++;
  return nb_record_number(context, number);
}

void nb_explain_begin(const NbContext *context, const NbDerivative *derivative) {
  if (!nb_recording(context))
    return;
  const NbRequest *request = &derivative->request;
  const char *fields[] = {number_of(context, derivative),
                          mode_name(request),
                          nb_shown_name(context, request->function),
                          roles_text(context, request),
                          nb_record_number(context, request->width),
                          nb_user_name(context, request->function)};
  nb_record_at(context, "derivative", request->function, fields, 6);
}

void nb_explain_end(const NbContext *context, const NbDerivative *derivative) {
  if (!nb_recording(context))
    return;
  const char *fields[] = {number_of(context, derivative), derivative->failed ? "refused" : "made"};
  nb_record(context, "end", fields, 2);
}

void nb_explain_withdraw(const NbContext *context, const NbDerivative *first) {
  for (; nb_recording(context) && first; first = first->next) {
    const char *fields[] = {number_of(context, first)};
    if (first->failed)
      nb_record(context, "withdrawn", fields, 1);
  }
}

void nb_explain_request(const NbContext *context, LLVMValueRef call, LLVMValueRef function,
                        const char *entry) {
  if (!nb_recording(context))
    return;
  const char *fields[] = {entry, nb_shown_name(context, function)};
  nb_record_at(context, "request", call, fields, 2);
}

/* --- Statements ------------------------------------------------------------------------------ */

static const char *show(const Writer *writer, LLVMValueRef value) {
  return nb_explain_value(writer->linear, value);
}

static const char *memory(const Writer *writer, LLVMValueRef pointer, bool whole) {
  return nb_explain_memory(writer->linear, pointer, whole);
}

static bool is_one(LLVMValueRef value) {
  LLVMBool lost;
  return LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &lost) == 1;
}

/* What is merged or added up: another value of the variable that the result is has the line from
 * which it comes. */
static const char *show_source(const Writer *writer, const NbStatement *statement,
                               LLVMValueRef value) {
  const char *text = show(writer, value);
  bool same = statement->result && value != statement->result &&
              strcmp(text, show(writer, statement->result)) == 0;
  LLVMValueRef place = same ? nb_reason_place(writer->linear->work, value) : NULL;
  LLVMMetadataRef at =
      place && LLVMIsAInstruction(place) ? LLVMInstructionGetDebugLoc(place) : NULL;
  unsigned line = at ? LLVMDILocationGetLine(at) : 0;
  return line ? nb_arena_print(writer->context->arena, "%s(line %u)", text, line) : text;
}

/* `coefficient * d(source)`, and between two of them a plus sign. */
static const char *terms(const Writer *writer, const NbStatement *statement, const char *between) {
  NbArena *arena = writer->context->arena;
  const char *text = "";
  for (unsigned i = 0; i < statement->count; i++) {
    const NbSource *source = &statement->sources[i];
    if (!source->value)
      continue;
    const char *factor = "";
    if (source->coefficient && !is_one(source->coefficient))
      factor = nb_arena_print(arena, "(%s) * ", show(writer, source->coefficient));
    text = nb_arena_print(arena, "%s%s%sd(%s)", text, *text ? between : "", factor,
                          show_source(writer, statement, source->value));
  }
  return *text ? text : "0";
}

static const char *assign(const Writer *writer, const NbStatement *statement, const char *value) {
  return nb_arena_print(writer->context->arena, "d(%s) = %s", show(writer, statement->result),
                        value);
}

static const char *text_of_memory(const Writer *writer, const NbStatement *statement) {
  NbArena *arena = writer->context->arena;
  LLVMValueRef address = statement->addresses ? statement->addresses[0] : statement->address;
  bool whole = statement->kind == NB_STATEMENT_FILL || statement->kind == NB_STATEMENT_COPY;
  const char *place = memory(writer, address, whole);
  switch (statement->kind) {
  case NB_STATEMENT_LOAD:
    return assign(writer, statement, nb_arena_print(arena, "memory d(%s)", place));
  case NB_STATEMENT_STORE:
    return nb_arena_print(arena, "memory d(%s) = %s", place, terms(writer, statement, ""));
  case NB_STATEMENT_ADD:
    return nb_arena_print(arena, "memory d(%s) += %s", place, terms(writer, statement, ""));
  case NB_STATEMENT_FILL:
    return nb_arena_print(arena, "memory d(%s), %s bytes = 0", place,
                          show(writer, statement->extent));
  case NB_STATEMENT_COPY:
    return nb_arena_print(arena, "memory d(%s) = d(%s), %s bytes", place,
                          memory(writer, statement->address_from, true),
                          show(writer, statement->extent));
  case NB_STATEMENT_ALLOCATE:
    return nb_arena_print(arena, "fresh memory for %s", show(writer, statement->address));
  default:
    return nb_arena_print(arena, "the memory of %s ends", show(writer, statement->address));
  }
}

static const char *text_of(const Writer *writer, const NbStatement *statement) {
  NbArena *arena = writer->context->arena;
  switch (statement->kind) {
  case NB_STATEMENT_SUM:
    return assign(writer, statement, terms(writer, statement, " + "));
  case NB_STATEMENT_CHOOSE:
    return assign(writer, statement,
                  nb_arena_print(arena, "%s ? %s", show(writer, statement->decision),
                                 terms(writer, statement, " : ")));
  case NB_STATEMENT_PHI:
    return assign(writer, statement, terms(writer, statement, " or "));
  case NB_STATEMENT_SHUFFLE:
    return assign(writer, statement, "parts of its operands' tangents");
  case NB_STATEMENT_CALL:
    return nb_arena_print(arena, "derivative of %s",
                          nb_shown_name(writer->context, statement->callee->request.function));
  default:
    return text_of_memory(writer, statement);
  }
}

static const char *place_of(const Writer *writer, LLVMValueRef value) {
  static const char *const names[] = {
      [NB_PLACE_NONE] = "none",     [NB_PLACE_FREE] = "there",    [NB_PLACE_RECOMPUTE] = "compute",
      [NB_PLACE_STORED] = "stored", [NB_PLACE_MEMORY] = "memory",
  };
  if (!writer->plan)
    return "";
  NbPlace place = nb_plan_place(writer->plan, value);
  bool read = place == NB_PLACE_RECOMPUTE && LLVMIsALoadInst(value);
  return read ? "reload" : names[place];
}

static void write_operand(void *user, const NbStatement *statement, NbOperandClass operand,
                          LLVMValueRef value) {
  static const char *const classes[] = {
      [NB_OPERAND_COEFFICIENT] = "coefficient", [NB_OPERAND_ADDRESS] = "address",
      [NB_OPERAND_EXTENT] = "extent",           [NB_OPERAND_DECISION] = "decision",
      [NB_OPERAND_ARGUMENT] = "argument",
  };
  const Writer *writer = user;
  if (!LLVMIsAInstruction(value))
    return;
  (void)statement;
  const char *fields[] = {writer->number, classes[operand], place_of(writer, value),
                          show(writer, value)};
  nb_record(writer->context, "operand", fields, 4);
}

static void write_statement(Writer *writer, const NbStatement *statement, const NbWorkLoop *loop) {
  const char *fields[] = {writer->number,
                          loop ? nb_record_number(writer->context, loop->index) : "",
                          nb_statement_name(statement->kind), text_of(writer, statement)};
  LLVMValueRef place = nb_reason_place(writer->linear->work, statement->origin);
  nb_record_at(writer->context, "statement", place, fields, 4);
  nb_statement_operands(statement, write_operand, writer);
}

/* --- Calls ----------------------------------------------------------------------------------- */

static const NbStatement *find_statement(const NbLinearBlock *block, LLVMValueRef call) {
  for (const NbStatement *statement = block->first; statement; statement = statement->next)
    if (statement->origin == call)
      return statement;
  return NULL;
}

static const char *how_of_callee(const Writer *writer, const NbStatement *statement) {
  const NbDerivative *callee = statement->callee;
  const char *number = number_of(writer->context, callee);
  if (writer->plan && statement->at_once)
    return nb_arena_print(writer->context->arena,
                          "forward and reverse in the second sweep (derivative %s), with nothing "
                          "kept in between",
                          number);
  if (!writer->plan)
    return nb_arena_print(writer->context->arena, "in forward mode (derivative %s)", number);
  uint64_t bytes = callee->tape ? LLVMABISizeOfType(writer->context->layout, callee->tape) : 0;
  return nb_arena_print(writer->context->arena,
                        "forward in the first sweep, reverse in the second (derivative %s), with "
                        "%s bytes of tape of its own for each call",
                        number, nb_record_number(writer->context, bytes));
}

/* What was folded into other statements has none of its own. */
static const char *how_of(const Writer *writer, LLVMValueRef call, const NbStatement *statement) {
  if (statement && statement->callee)
    return how_of_callee(writer, statement);
  bool active =
      nb_type_has_float(LLVMTypeOf(call)) && nb_activity_value(writer->linear->activity, call);
  return statement || active ? "its derivative is a rule" : "no derivative passes through it";
}

static void write_call(const Writer *writer, LLVMValueRef call, const char *how) {
  LLVMValueRef callee = nb_callee(call);
  const char *name = callee ? nb_shown_name(writer->context, callee) : "a function pointer";
  const char *fields[] = {writer->number, name, how};
  nb_record_at(writer->context, "call", nb_reason_place(writer->linear->work, call), fields, 3);
}

/* The primal's calls, and not those that linearisation wrote. */
static void write_calls(const Writer *writer, const NbWorkBlock *block) {
  const NbLinearBlock *program = &writer->linear->blocks[block->index];
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block->block); inst;
       inst = LLVMGetNextInstruction(inst)) {
    const NbStatement *statement = nb_is_call(inst) ? find_statement(program, inst) : NULL;
    bool known = nb_is_call(inst) && (statement || nb_map_has(writer->linear->following, inst));
    bool intrinsic = known && nb_callee(inst) && LLVMGetIntrinsicID(nb_callee(inst));
    if (known && !intrinsic && !nb_explain_is_own_call(inst))
      write_call(writer, inst, how_of(writer, inst, statement));
  }
}

/* --- The program ----------------------------------------------------------------------------- */

static void write_program(Writer *writer) {
  const NbWork *work = writer->linear->work;
  for (unsigned i = 0; i < work->block_count; i++) {
    const NbStatement *statement = writer->linear->blocks[i].first;
    for (; statement; statement = statement->next)
      write_statement(writer, statement, work->blocks[i].loop);
    write_calls(writer, &work->blocks[i]);
  }
}

void nb_explain_linear(const NbDerivative *derivative, const NbLinear *linear) {
  const NbContext *context = linear->work->context;
  if (!nb_recording(context))
    return;
  Writer writer = {context, linear, NULL, number_of(context, derivative)};
  write_program(&writer);
}

void nb_explain_plan(const NbDerivative *derivative, const NbPlan *plan) {
  const NbContext *context = plan->linear->work->context;
  if (!nb_recording(context))
    return;
  Writer writer = {context, plan->linear, plan, number_of(context, derivative)};
  nb_explain_kept(writer.number, plan);
  write_program(&writer);
}
