// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explain/amount.h"

#include "explain/explain.h"
#include "explain/names.h"
#include "plan/reasons.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Stand for factors that no formula tells. */
#define ITERATIONS "iterations("
#define GROUPS "groups("
#define BYTES "bytes("

/* Rows begin at multiples of so many bytes (runtime/tape.c). */
enum { ROW = 16 };

/* --- Names ----------------------------------------------------------------------------------- */

NbAmounts nb_amounts_new(const NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  NbAmounts amounts = {plan, nb_map_new(work->context->arena)};
  for (unsigned i = 0; i < LLVMCountParams(work->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(work->function, i);
    nb_map_set(amounts.names, parameter, (void *)nb_explain_value(plan->linear, parameter));
  }
  return amounts;
}

static bool is_taken(const NbAmounts *amounts, const char *name) {
  for (unsigned i = 0; i < nb_map_count(amounts->names); i++)
    if (strcmp(nb_map_get(amounts->names, nb_map_key(amounts->names, i)), name) == 0)
      return true;
  return false;
}

static LLVMMetadataRef location_of(LLVMValueRef value) {
  return LLVMIsAInstruction(value) ? LLVMInstructionGetDebugLoc(value) : NULL;
}

/* The outermost call that brought what is inlined at the location; NULL: none did. */
static LLVMMetadataRef call_around(LLVMMetadataRef at) {
  LLVMMetadataRef call = NULL;
  for (at = at ? LLVMDILocationGetInlinedAt(at) : NULL; at; at = LLVMDILocationGetInlinedAt(at))
    call = at;
  return call;
}

/* "line 3", of what is inlined with the place of the outermost call. */
static const char *place_of(NbArena *arena, LLVMValueRef value) {
  LLVMMetadataRef at = location_of(value), call = call_around(at);
  unsigned number = at ? LLVMDILocationGetLine(at) : 0;
  const char *line = number ? nb_arena_print(arena, "line %u", number) : "a line";
  return call ? nb_arena_print(arena, "%s called at %u:%u", line, LLVMDILocationGetLine(call),
                               LLVMDILocationGetColumn(call))
              : line;
}

/* The name of what `key` stands for, which nothing else of the function has: one that is taken, or
 * a name in a function that was inlined, gets its place, and a number if need be. */
static const char *unique(const NbAmounts *amounts, const void *key, LLVMValueRef at,
                          const char *name) {
  NbArena *arena = amounts->plan->linear->work->context->arena;
  const char *known = nb_map_get(amounts->names, key);
  if (known)
    return known;
  const char *own = name;
  size_t end = strlen(name);
  bool call = end && name[end - 1] == ')';
  if (!call && (call_around(location_of(at)) || is_taken(amounts, own)))
    own = nb_arena_print(arena, "%s(%s)", name, place_of(arena, at));
  const char *plain = own;
  for (unsigned i = 2; is_taken(amounts, own); i++)
    own = nb_arena_print(arena, "%s#%u", plain, i);
  nb_map_set(amounts->names, key, (void *)own);
  return own;
}

static bool is_only_read(LLVMValueRef parameter) {
  for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use))
    if (!LLVMIsALoadInst(LLVMGetUser(use)))
      return false;
  return true;
}

/* The parameter that is passed by its address, as Fortran's are, where the value is what the caller
 * gave it, so far as is known; NULL: it is something else. */
static const char *parameter_read(const NbAmounts *amounts, LLVMValueRef value) {
  LLVMValueRef from = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
  LLVMMetadataRef at = location_of(value);
  char *declared = from && LLVMIsAArgument(from) ? nb_variable_source_name(from) : NULL;
  if (!declared)
    return NULL;
  LLVMDisposeMessage(declared);
  bool given = is_only_read(from) || !at || !LLVMDILocationGetLine(at);
  return given ? nb_map_get(amounts->names, from) : NULL;
}

static const char *name_of(void *data, LLVMValueRef value) {
  const NbAmounts *amounts = data;
  value = explain_number(value);
  const char *parameter = parameter_read(amounts, value);
  if (parameter)
    return parameter;
  const char *text = nb_explain_value(amounts->plan->linear, value);
  return strstr(text, "...") ? NULL : unique(amounts, value, value, text);
}

/* --- Formulas -------------------------------------------------------------------------------- */

static const NbWorkLoop *outermost(const NbWorkLoop *loop) {
  while (loop->parent)
    loop = loop->parent;
  return loop;
}

/* An integer that is the same in each run of the loops around `loop` (NULL: none); NULL: it is not.
 */
static NbScev *known_at_entry(const NbWork *work, LLVMValueRef value, const NbWorkLoop *loop) {
  NbAnalyses *analyses = work->context->analyses;
  NbScev *scev = value ? nb_scev_of(analyses, work->function, value) : NULL;
  NbLoop *natural = loop ? nb_loop_of(analyses, outermost(loop)->header) : NULL;
  return scev && natural && !nb_scev_is_invariant(analyses, scev, natural) ? NULL : scev;
}

/* A formula in which nothing wraps around; NULL: a value in it has no name, or there is none. */
static const char *formula_of(const NbAmounts *amounts, NbScev *scev) {
  const NbWork *work = amounts->plan->linear->work;
  if (!scev)
    return NULL;
  NbScev *wide = nb_scev_estimate(work->context->analyses, work->function, scev);
  char *text = nb_scev_formula(scev, name_of, (void *)amounts);
  if (text && wide && !strstr(text, " % ")) {
    LLVMDisposeMessage(text);
    text = nb_scev_formula(wide, name_of, (void *)amounts);
  }
  if (!text)
    return NULL;
  const char *copy = nb_arena_copy(work->context->arena, text, strlen(text));
  LLVMDisposeMessage(text);
  return copy;
}

/* Does each run of the function, or of the loop around it, run the loop? */
static bool always_runs(const NbWork *work, const NbWorkLoop *loop) {
  NbAnalyses *analyses = work->context->analyses;
  const NbWorkLoop *around = loop->parent;
  return around ? nb_block_dominates(analyses, loop->header, around->latch)
                : nb_block_postdominates(analyses, loop->header,
                                         LLVMGetEntryBasicBlock(work->function));
}

static NbScev *trips_of(const NbWork *work, const NbWorkLoop *loop) {
  NbAnalyses *analyses = work->context->analyses;
  NbScev *trips = known_at_entry(work, loop->trips, loop);
  return trips ? nb_scev_plain_trips(analyses, trips, nb_loop_of(analyses, loop->header)) : NULL;
}

/* Trip counts mean something where the loop runs; a sum says so, or is none. */
const char *nb_amount_trips(const NbAmounts *amounts, const NbWorkLoop *loop) {
  const NbWork *work = amounts->plan->linear->work;
  NbScev *trips = trips_of(work, loop);
  const char *formula = formula_of(amounts, trips);
  int64_t low, high;
  if (!formula)
    return NULL;
  if (always_runs(work, loop))
    return formula;
  if (nb_scev_is_positive_unless_none(trips))
    return nb_arena_print(work->context->arena, "%s or 0", formula);
  NbScev *wide = nb_scev_estimate(work->context->analyses, work->function, trips);
  trips = wide && !strstr(formula, " % ") ? wide : trips;
  bool may_be_less =
      nb_scev_is_sum(trips) &&
      (!nb_scev_range(work->context->analyses, work->function, trips, &low, &high) || low < 0);
  return may_be_less ? nb_arena_print(work->context->arena, "max(0, %s)", formula) : formula;
}

/* Is there an operator but `*` outside of all parentheses, which a factor must not have? */
static bool is_loose(const char *formula) {
  int depth = 0;
  for (const char *at = formula; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (depth == 0 && *at == ' ' && strncmp(at, " * ", strlen(" * ")) != 0 &&
        !(at > formula && at[-1] == '*'))
      return true;
  }
  return *formula == '-';
}

static const char *as_factor(const NbAmounts *amounts, const char *formula) {
  NbArena *arena = amounts->plan->linear->work->context->arena;
  return is_loose(formula) ? nb_arena_print(arena, "(%s)", formula) : formula;
}

/* A trip count of the loop alone that may stand in a product; NULL: no formula tells. */
static const char *factor_of(const NbAmounts *amounts, const NbWorkLoop *loop) {
  const char *trips = nb_amount_trips(amounts, loop);
  return trips ? as_factor(amounts, trips) : NULL;
}

/* Takes the number with which the product begins, which is small, away; 1: it begins with none. */
static uint64_t take_number(const char **product) {
  char *end;
  uint64_t number = strtoull(*product, &end, 10);
  bool whole = end != *product && (!*end || strncmp(end, " * ", strlen(" * ")) == 0);
  if (!whole || !number || number > UINT32_MAX)
    return 1;
  *product = *end ? end + strlen(" * ") : end;
  return number;
}

/* The number that both have is one, and stands in front. */
static const char *times(const NbAmounts *amounts, const char *first, const char *second) {
  NbArena *arena = amounts->plan->linear->work->context->arena;
  const char *left = first, *right = second;
  uint64_t number = take_number(&left) * take_number(&right);
  if (number > UINT32_MAX)
    return nb_arena_print(arena, "%s * %s", first, second);
  const char *rest = *left && *right ? nb_arena_print(arena, "%s * %s", left, right)
                     : *left         ? left
                                     : right;
  if (number == 1 && !(*first && *second && !*rest))
    return *rest ? rest : *first ? first : second;
  return *rest ? nb_arena_print(arena, "%" PRIu64 " * %s", number, rest)
               : nb_arena_print(arena, "%" PRIu64, number);
}

/* What stands for all iterations of the loop, or all groups of them: `key` is it in the formulas.
 */
static const char *all_of(const NbAmounts *amounts, const void *key, const NbWorkLoop *loop,
                          const char *what) {
  NbArena *arena = amounts->plan->linear->work->context->arena;
  LLVMValueRef place = nb_reason_loop_place(loop);
  return unique(amounts, key, place, nb_arena_print(arena, "%s%s)", what, place_of(arena, place)));
}

const char *nb_amount_often(const NbAmounts *amounts, const NbWorkLoop *loop) {
  const char *text = "";
  for (; loop; loop = loop->parent) {
    const char *factor = factor_of(amounts, loop);
    if (!factor)
      return times(amounts, all_of(amounts, loop, loop, ITERATIONS), text);
    text = times(amounts, factor, text);
  }
  return text;
}

/* The iterations of the loop each time that `entry` begins; NULL: no formula tells. */
static const char *run_of(const NbAmounts *amounts, const NbWorkLoop *loop,
                          const NbWorkLoop *entry) {
  const char *text = "";
  for (; loop != entry->parent; loop = loop->parent) {
    const char *factor = factor_of(amounts, loop);
    if (!factor)
      return NULL;
    text = times(amounts, factor, text);
  }
  return text;
}

/* A product of numbers; 0 where it is none, or too large. */
static uint64_t number_of(const char *product) {
  uint64_t all = 1;
  for (const char *at = product; *at;) {
    char *end;
    uint64_t factor = strtoull(at, &end, 10);
    if (end == at || (*end && strncmp(end, " * ", strlen(" * ")) != 0) || factor == 0 ||
        all > UINT32_MAX || factor > UINT32_MAX)
      return 0;
    all *= factor;
    at = *end ? end + strlen(" * ") : end;
  }
  return all;
}

/* The groups of so many iterations; "": one, which is no factor. */
static const char *groups_of(const NbAmounts *amounts, const char *run) {
  NbArena *arena = amounts->plan->linear->work->context->arena;
  uint64_t number = number_of(run);
  if (number >= NB_TAPE_GROUP)
    return nb_arena_print(arena, "%" PRIu64, number / NB_TAPE_GROUP + 1);
  return number ? "" : nb_arena_print(arena, "(%s / %d + 1)", run, NB_TAPE_GROUP);
}

const char *nb_amount_groups(const NbAmounts *amounts, const NbWorkLoop *loop,
                             const NbWorkLoop *entry) {
  const char *run = run_of(amounts, loop, entry);
  if (!run)
    return all_of(amounts, loop->header, loop, GROUPS);
  return times(amounts, nb_amount_often(amounts, entry->parent), groups_of(amounts, run));
}

/* Rows of `unit` bytes, a divisor of ROW, times a number of them: so many, up to whole ROWs, are
 * missing for each. */
static NbSpare spare_of(const NbAmounts *amounts, const char *around, const char *run,
                        uint64_t size) {
  NbArena *arena = amounts->plan->linear->work->context->arena;
  uint64_t unit = size & -size, number = *run ? number_of(run) : 1;
  if (number)
    return (NbSpare){-(size * number) % ROW, around};
  uint64_t each = -(size / unit) % (ROW / unit);
  const char *product = each == 1 ? run : nb_arena_print(arena, "%" PRIu64 " * %s", each, run);
  const char *rest = nb_arena_print(arena, "(%s %% %" PRIu64 ")", product, ROW / unit);
  return (NbSpare){unit, times(amounts, around, rest)};
}

/* Where no formula tells how many rows there are, they are taken for a group, or for as many as
 * leave half of what may be free. */
NbSpare nb_amount_spare(const NbAmounts *amounts, const NbWorkLoop *loop, const NbWorkLoop *entry,
                        uint64_t size, bool grouped) {
  const char *around = nb_amount_often(amounts, entry->parent);
  const char *run = run_of(amounts, loop, entry);
  uint64_t unit = size & -size;
  if (!size || unit >= ROW)
    return (NbSpare){0, ""};
  if (!run)
    return (NbSpare){grouped ? -size % ROW : (ROW - unit) / 2, around};
  return spare_of(amounts, around, grouped ? groups_of(amounts, run) : run, size);
}

/* Of the two numbers that make up the bytes, the one that is known. */
static uint64_t size_of_place(const NbPlan *plan, LLVMValueRef origin) {
  if (LLVMIsAAllocaInst(origin))
    return LLVMABISizeOfType(plan->linear->work->context->layout, LLVMGetAllocatedType(origin));
  return LLVMConstIntGetZExtValue(LLVMGetOperand(origin, 1));
}

const char *nb_amount_of_copy(const NbAmounts *amounts, const NbStatement *copy) {
  const NbPlan *plan = amounts->plan;
  NbArena *arena = plan->linear->work->context->arena;
  const NbWorkLoop *loop = nb_work_block_of(plan->linear->work, copy->origin)->loop;
  const char *bytes = formula_of(
      amounts, known_at_entry(plan->linear->work, LLVMGetOperand(copy->origin, 0), loop));
  const char *around = nb_amount_often(amounts, loop);
  uint64_t size = size_of_place(plan, copy->origin);
  const char *own = bytes ? as_factor(amounts, bytes)
                          : unique(amounts, copy, copy->origin, BYTES "of the elements)");
  if (bytes && size > 1)
    own = nb_arena_print(arena, "%" PRIu64 " * %s", size, own);
  return *around ? nb_arena_print(arena, "%s * %s", around, own) : own;
}

const char *nb_amount_total(const NbAmounts *amounts, uint64_t size, const char *product) {
  NbArena *arena = amounts->plan->linear->work->context->arena;
  bool told = !strstr(product, ITERATIONS) && !strstr(product, BYTES);
  return told ? times(amounts, nb_arena_print(arena, "%" PRIu64, size), product) : NULL;
}
