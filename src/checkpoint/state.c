// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the snapshots of a checkpointed loop hold: all memory that a step changes and that is there
 * before and after it, and what it reads and may change behind the loop, before the reverse.
 *
 * All is seen in a copy of the loop with every call inlined. Of a global the whole is kept. Behind
 * a parameter, scalar evolution tells which bytes are touched while all steps run. Only bytes that
 * are sure to be there may be copied, so each access that counts runs in each iteration of the
 * loops around it, but for conditions that are known before the first step: then the program itself
 * comes to both ends of what is kept. An access that
 * need not run counts as another one of the same bytes does. Where that cannot be seen, the whole
 * object is kept, where the caller shows how large it is, or the user gives the region.
 *
 * Steps run again, so that they may do nothing else: no output, no allocation that leaves, no
 * change of pointers (the shadows of which no snapshot holds). */
#include "checkpoint/checkpoint.h"
#include "emit/emit.h"
#include "objects/graph.h"
#include "plan/extent.h"
#include "prepare/reports.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Code that no pass has seen computes indices in narrow integers. */
#define SHOW_INDICES                                                                               \
  "instcombine<no-verify-fixpoint>,loop-mssa(licm),loop(indvars),instsimplify,early-cse<memssa>,"  \
  "adce,loop-simplify,lcssa"
#define SHOW_WITHOUT_REPORTS                                                                       \
  "simplifycfg<hoist-common-insts;sink-common-insts>,loop-mssa(loop-rotate)," SHOW_INDICES

enum { ROUNDS = 32, MAX_GUARDS = 16, MAX_TWINS = 4096 };

typedef struct Guard {
  LLVMValueRef condition;
  bool holds;
} Guard;

/* An access behind a parameter, as far as it can be measured. */
typedef struct Access {
  NbSpan *address;
  uint64_t bytes;
  NbSpan *length; /* of a transfer: as many bytes more; NULL */
  unsigned guard_count;
  Guard guards[MAX_GUARDS]; /* all must hold */
} Access;

typedef struct Area {
  unsigned parameter;
  bool measured; /* are all accesses known? */
  bool written;
  LLVMValueRef where;
  NbList accesses;
  LLVMValueRef bytes; /* else of the object that it leads into, and */
  int64_t offset;     /* how far behind the start of this */
} Area;

typedef struct Search {
  NbContext *context;
  const NbRequest *request;
  const NbCheckpoint *loop;
  NbWork *work;
  NbObjects *objects;
  const NbWorkLoop *steps;  /* the loop over the steps */
  LLVMValueRef before;      /* the end of the block before it */
  NbMap *globals, *written; /* globals */
  NbList areas;
  unsigned budget; /* of accesses that are compared */
  bool ok;
} Search;

static bool refuse(Search *search, LLVMValueRef where, const char *reason) {
  search->ok = false;
  if (!LLVMInstructionGetDebugLoc(where))
    where = nb_checkpoint_call(search->context, search->loop);
  return nb_refuse(search->context, NB_ERROR_CHECKPOINT, where, "%s", reason);
}

/* --- The copy ----------------------------------------------------------------------------------
 */

static NbList calls_with_bodies(const Search *search) {
  NbList calls = nb_list(search->context->arena);
  for (LLVMValueRef at = nb_instruction_first(search->work->function); at;
       at = nb_instruction_next(at)) {
    LLVMValueRef callee = nb_is_call(at) ? nb_callee(at) : NULL;
    if (callee && LLVMCountBasicBlocks(callee) && !nb_rule_of_call(search->context, at, NULL))
      nb_list_push(&calls, at);
  }
  return calls;
}

/* Optimisers freeze what they test earlier than the program does, and a frozen value is not known
 * to be the parameter any more. */
static void promise_values(const Search *search, bool promised) {
  static const char kind[] = "noundef";
  unsigned id = LLVMGetEnumAttributeKindForName(kind, sizeof kind - 1);
  LLVMValueRef function = search->work->function;
  for (unsigned i = 1; i <= LLVMCountParams(function); i++)
    if (promised)
      LLVMAddAttributeAtIndex(function, i, LLVMCreateEnumAttribute(search->context->llvm, id, 0));
    else
      LLVMRemoveEnumAttributeAtIndex(function, i, id);
}

/* What sanitizers report is left out: steps that run again may say so again. */
static void show_indices(const Search *search) {
  bool dropped = nb_reports_drop(search->work, NULL);
  if (dropped)
    nb_indices_widen(search->work->function);
  nb_analyses_forget(search->context->analyses, search->work->function);
  promise_values(search, true);
  char *message =
      nb_passes_run(search->context->analyses, search->context->module, search->work->function,
                    dropped ? SHOW_WITHOUT_REPORTS : SHOW_INDICES);
  promise_values(search, false);
  LLVMDisposeMessage(message);
  nb_prepare_flow(search->work);
}

static bool open_steps(Search *search) {
  search->work = nb_prepare(search->context, search->request);
  if (!search->work)
    return false;
  bool inlined = true;
  for (unsigned i = 0; i < ROUNDS && inlined; i++) {
    NbList calls = calls_with_bodies(search);
    search->work->inlined = 0;
    if (!nb_prepare_inline(search->work, &calls, &inlined))
      return false;
  }
  show_indices(search);
  search->objects = nb_objects_of(search->context, search->work->function);
  for (unsigned i = 0; i < search->work->loop_count; i++) {
    const NbWorkLoop *loop = &search->work->loops[i];
    if (loop->depth > 1)
      continue;
    if (search->steps)
      return refuse(search, nb_checkpoint_call(search->context, search->loop),
                    "the loop over the steps cannot be found");
    search->steps = loop;
  }
  if (!search->steps)
    return refuse(search, nb_checkpoint_call(search->context, search->loop),
                  "the loop over the steps cannot be found");
  search->before = LLVMGetBasicBlockTerminator(search->steps->preheader);
  return true;
}

/* --- Which accesses are sure --------------------------------------------------------------------
 */

static bool is_known_before(const Search *search, LLVMValueRef value) {
  return !LLVMIsAInstruction(value) ||
         (!nb_work_loop_contains(search->steps, nb_work_block_of(search->work, value)->loop) &&
          nb_dominates(search->context->analyses, value, search->before));
}

/* Adds what the block `above` decides on the way to `below`. */
static bool add_guard(const Search *search, Access *access, LLVMBasicBlockRef above,
                      LLVMBasicBlockRef below) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
  if (LLVMGetNumSuccessors(branch) == 1)
    return true;
  if (LLVMGetInstructionOpcode(branch) != LLVMBr || access->guard_count == MAX_GUARDS ||
      !is_known_before(search, LLVMGetCondition(branch)))
    return false;
  for (unsigned side = 0; side < 2; side++)
    if (nb_edge_dominates(search->context->analyses, above, LLVMGetSuccessor(branch, side),
                          below)) {
      access->guards[access->guard_count++] = (Guard){LLVMGetCondition(branch), side == 0};
      return true;
    }
  return false;
}

/* Is the loop left from one block alone? */
static bool has_one_way_out(const Search *search, const NbWorkLoop *loop) {
  LLVMBasicBlockRef exiting[2] = {NULL, NULL};
  NbLoop *natural = nb_loop_of(search->context->analyses, loop->header);
  return nb_loop_exiting_blocks(natural, exiting, 2) == 1;
}

/* The outermost loop within `loop` that `above` is in and `below` is not; NULL. */
static const NbWorkLoop *loop_left(const Search *search, const NbWorkLoop *loop,
                                   LLVMBasicBlockRef above, LLVMBasicBlockRef below) {
  LLVMValueRef inside = LLVMGetFirstInstruction(below);
  const NbWorkLoop *around = nb_work_block_of(search->work, inside)->loop, *left = NULL;
  const NbWorkLoop *at = nb_work_block_of(search->work, LLVMGetFirstInstruction(above))->loop;
  for (; at && at != loop; at = at->parent)
    if (!nb_work_loop_contains(at, around))
      left = at;
  return left;
}

/* Does `block` run in each iteration of the loop, if the guards hold? What stands right behind an
 * inner loop runs when that one does. */
static bool always_runs(const Search *search, Access *access, const NbWorkLoop *loop,
                        LLVMBasicBlockRef block) {
  NbAnalyses *analyses = search->context->analyses;
  while (!nb_block_dominates(analyses, block, loop->latch)) {
    LLVMBasicBlockRef above = nb_block_idom(analyses, block);
    if (!above || !nb_block_dominates(analyses, loop->header, above))
      return false;
    const NbWorkLoop *inner = loop_left(search, loop, above, block);
    if (inner ? !has_one_way_out(search, inner) : !add_guard(search, access, above, block))
      return false;
    block = inner ? inner->preheader : above;
  }
  return true;
}

/* Is the loop left from its latch alone, so that all its iterations are complete? */
static bool is_left_at_latch(const Search *search, const NbWorkLoop *loop) {
  LLVMBasicBlockRef exiting[2] = {NULL, NULL};
  NbLoop *natural = nb_loop_of(search->context->analyses, loop->header);
  return nb_loop_exiting_blocks(natural, exiting, 2) == 1 && exiting[0] == loop->latch;
}

/* Does the program come to both ends of the span? */
static bool is_exact(const NbSpan *span) {
  for (unsigned i = 0; i < span->count; i++)
    if (span->rounds[i]->count)
      return false;
  return true;
}

static NbSpan *span_of(const Search *search, LLVMValueRef inst, LLVMValueRef value,
                       LLVMValueRef base) {
  NbSpan *span = nb_span_of(search->work, value, base, LLVMGetInstructionParent(inst), NULL);
  bool known = span && is_exact(span) && nb_span_is_safe(search->work, span, search->before);
  return known ? span : NULL;
}

static bool is_sure(const Search *search, Access *access, LLVMValueRef inst) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
  const NbWorkLoop *loop = nb_work_block_of(search->work, inst)->loop;
  if (!loop)
    return nb_block_dominates(search->context->analyses, block, search->steps->preheader) ||
           nb_block_postdominates(search->context->analyses, block, search->steps->header);
  for (; loop; loop = loop->parent) {
    if (!is_left_at_latch(search, loop) || !always_runs(search, access, loop, block))
      return false;
    block = loop->preheader;
  }
  return true;
}

/* The bytes that a load or store touches; 0: it is neither. */
static uint64_t bytes_of(const Search *search, LLVMValueRef inst) {
  if (LLVMIsALoadInst(inst))
    return nb_store_size(search->context, LLVMTypeOf(inst));
  if (LLVMIsAStoreInst(inst))
    return nb_store_size(search->context, LLVMTypeOf(LLVMGetOperand(inst, 0)));
  return 0;
}

/* Is the address the same in all iterations of the loops around `inst` that are not around `other`?
 */
static bool is_same_for_both(const Search *search, NbScev *address, LLVMValueRef inst,
                             LLVMValueRef other) {
  NbAnalyses *analyses = search->context->analyses;
  const NbWorkLoop *loop = nb_work_block_of(search->work, inst)->loop;
  const NbWorkLoop *outer = nb_work_block_of(search->work, other)->loop;
  for (; loop && loop != outer; loop = loop->parent)
    if (!nb_scev_is_invariant(analyses, address, nb_loop_of(analyses, loop->header)))
      return false;
  return loop == outer;
}

/* Does another access, which is sure, touch the same bytes in each iteration, or before? */
static bool has_sure_twin(Search *search, Access *access, LLVMValueRef inst) {
  NbAnalyses *analyses = search->context->analyses;
  LLVMValueRef pointer = LLVMGetOperand(inst, LLVMIsAStoreInst(inst) != NULL);
  NbScev *address = nb_scev_of(analyses, search->work->function, pointer);
  for (LLVMValueRef at = nb_instruction_first(search->work->function); at && search->budget;
       at = nb_instruction_next(at)) {
    uint64_t bytes = bytes_of(search, at);
    if (at == inst || !bytes || bytes < access->bytes)
      continue;
    search->budget--;
    access->guard_count = 0;
    LLVMValueRef other = LLVMGetOperand(at, LLVMIsAStoreInst(at) != NULL);
    if (nb_scev_of(analyses, search->work->function, other) == address &&
        is_same_for_both(search, address, inst, at) && is_sure(search, access, at))
      return true;
  }
  return false;
}

/* --- What is kept ------------------------------------------------------------------------------
 */

static Area *area_of(Search *search, unsigned parameter, LLVMValueRef where) {
  for (unsigned i = 0; i < search->areas.count; i++) {
    Area *area = search->areas.items[i];
    if (area->parameter == parameter)
      return area;
  }
  Area *area = NB_NEW(search->context->arena, Area);
  *area = (Area){parameter, true, false, where, nb_list(search->context->arena), NULL, 0};
  nb_list_push(&search->areas, area);
  return area;
}

/* An access of `bytes` bytes (NB_UNKNOWN_SIZE: any number), or `length`, behind a parameter. */
static Area *add_access(Search *search, LLVMValueRef inst, LLVMValueRef pointer, uint64_t bytes,
                        LLVMValueRef length) {
  LLVMValueRef parameter = nb_memory_underlying(pointer);
  Area *area = area_of(search, nb_parameter_index(parameter), inst);
  Access *access = NB_NEW(search->context->arena, Access);
  access->bytes = bytes;
  access->address = span_of(search, inst, pointer, parameter);
  access->length = length ? span_of(search, inst, length, NULL) : NULL;
  bool known = bytes != NB_UNKNOWN_SIZE && access->address && (access->length || !length) &&
               (is_sure(search, access, inst) ||
                (bytes_of(search, inst) && has_sure_twin(search, access, inst)));
  if (!known && area->measured)
    area->where = inst;
  area->measured = area->measured && known;
  nb_list_push(&area->accesses, access);
  return area;
}

static bool add_global(Search *search, LLVMValueRef inst, LLVMValueRef global) {
  if (LLVMIsGlobalConstant(global))
    return true;
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  bool sized = LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMIsOpaqueStruct(type);
  if (!sized || LLVMABISizeOfType(search->context->layout, type) == 0)
    return refuse(search, inst,
                  nb_arena_print(search->context->arena,
                                 "a step uses the global '%s', whose size is not known here",
                                 nb_shown_name(search->context, global)));
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != 0)
    return refuse(search, inst, "a step uses a global in another address space");
  nb_map_set(search->globals, global, global);
  return true;
}

/* Is the memory made by the step, and gone behind it? */
static bool is_own(const Search *search, LLVMValueRef pointer) {
  return !nb_class_is_external(nb_objects_class(search->objects, pointer));
}

static void note_write(Search *search, LLVMValueRef inst, LLVMValueRef pointer, uint64_t bytes,
                       LLVMValueRef length) {
  if (is_own(search, pointer))
    return;
  LLVMValueRef object = nb_memory_underlying(pointer);
  if (nb_class_holds_pointers(nb_objects_class(search->objects, pointer)))
    refuse(search, inst,
           "a step changes memory in which there are pointers: what these lead to before the step "
           "would have to be found again");
  else if (LLVMIsAGlobalVariable(object))
    nb_map_set(search->written, object, (void *)(uintptr_t)add_global(search, inst, object));
  else if (LLVMIsAArgument(object))
    add_access(search, inst, pointer, bytes, length)->written = true;
  else
    refuse(search, inst,
           "a step changes memory behind a pointer that is neither an argument of its own nor the "
           "address of a global variable, so a state cannot be kept");
}

/* --- What is read ------------------------------------------------------------------------------
 */

typedef enum Fate { FATE_UNTOUCHED, FATE_CHANGED, FATE_UNKNOWN } Fate;

/* What may become of memory between the loop and its reverse. */
static Fate fate_of(const Search *search, NbClass *class) {
  const NbRequest *request = search->request;
  uint64_t parameters = nb_class_parameters(class);
  Fate fate = parameters && !(parameters >> 62) ? FATE_UNTOUCHED : FATE_UNKNOWN;
  for (unsigned i = 0; i < request->count && i < 62 && fate != FATE_UNKNOWN; i++) {
    if (!(parameters >> i & 1) || (request->overwritten && !request->overwritten[i]))
      continue;
    fate = nb_request_lasts(request, i) ? FATE_CHANGED : FATE_UNKNOWN;
  }
  return fate;
}

/* The state must be there again, where it was, when a step runs again. */
static void note_use(Search *search, LLVMValueRef inst, LLVMValueRef pointer, uint64_t bytes,
                     LLVMValueRef length) {
  LLVMValueRef object = nb_memory_underlying(pointer);
  if (is_own(search, pointer))
    return;
  if (LLVMIsAGlobalVariable(object)) {
    add_global(search, inst, object);
    return;
  }
  NbClass *class = nb_objects_class(search->objects, pointer);
  Fate fate = fate_of(search, class);
  if (fate == FATE_UNKNOWN)
    refuse(search, inst,
           "a step uses memory that may be gone before the gradient of the loop is computed, or of "
           "which it is not known whose it is");
  else if (fate == FATE_CHANGED && !LLVMIsAArgument(object))
    refuse(search, inst,
           "a step uses memory that may be changed behind the loop, and that is not behind an "
           "argument of its own");
  else if (fate == FATE_CHANGED)
    add_access(search, inst, pointer, bytes, length);
}

/* --- Instructions ------------------------------------------------------------------------------
 */

static bool note_effects(Search *search, LLVMValueRef call, const NbRule *rule) {
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    if (effect->parameter == NB_NO_PARAMETER)
      return refuse(search, call, "a step calls a function that may touch any memory");
    LLVMValueRef pointer = LLVMGetOperand(call, effect->parameter);
    note_use(search, call, pointer, NB_UNKNOWN_SIZE, NULL);
    if (effect->writes && !is_own(search, pointer))
      return refuse(search, call,
                    "a step calls a function that changes memory of which it is not "
                    "known how much");
  }
  return true;
}

static bool note_heap(Search *search, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef memory = rule->kind == NB_RULE_FREE ? LLVMGetOperand(call, rule->operands[0]) : call;
  bool resized =
      rule->kind == NB_RULE_RESIZE && !is_own(search, LLVMGetOperand(call, rule->operands[0]));
  if (!is_own(search, memory) || resized || nb_objects_escapes(search->objects, memory))
    return refuse(search, call,
                  "a step allocates or frees memory that is there behind it or was "
                  "before, and it would do so again and again");
  return true;
}

static void note_row(Search *search, LLVMValueRef call, const NbRule *rule) {
  bool heap =
      rule->kind == NB_RULE_ALLOCATE || rule->kind == NB_RULE_FREE || rule->kind == NB_RULE_RESIZE;
  if (heap)
    note_heap(search, call, rule);
  else if (strncmp(rule->name, "__nabla_cublas_", strlen("__nabla_cublas_")) == 0)
    refuse(search, call, "a step calls cuBLAS, and of the memory of a device no copy is kept");
  else if (rule->once && !rule->noreturn)
    refuse(search, call,
           nb_arena_print(search->context->arena,
                          "a step calls '%s', which acts on the world, and steps run again",
                          rule->name));
  else
    note_effects(search, call, rule);
}

static void note_call(Search *search, LLVMValueRef inst) {
  NbCall call = nb_call_of(search->context, inst);
  bool transfers = call.kind == NB_CALL_COPY || call.kind == NB_CALL_FILL;
  if (transfers && call.rule && call.rule->device) {
    refuse(search, inst, "a step writes memory that may be a device's, of which no copy is kept");
  } else if (transfers) {
    if (call.from)
      note_use(search, inst, call.from, 0, call.bytes);
    note_use(search, inst, call.to, 0, call.bytes);
    note_write(search, inst, call.to, 0, call.bytes);
  } else if (call.kind == NB_CALL_ROW) {
    note_row(search, inst, call.rule);
  } else if (call.kind != NB_CALL_HARMLESS &&
             (nb_memory_may_read_any(inst) || nb_memory_may_write_any(inst))) {
    refuse(search, inst,
           "what a step does in this call cannot be seen (a recursive function, a function that is "
           "only declared here or has a derivative of its own)");
  }
}

static void note_access(Search *search, LLVMValueRef inst, bool store) {
  LLVMValueRef pointer = LLVMGetOperand(inst, store);
  if (!nb_access_is_plain(inst)) {
    refuse(search, inst, "a step has a volatile or atomic access, and steps run again");
    return;
  }
  LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(inst, 0)) : LLVMTypeOf(inst);
  uint64_t bytes = nb_store_size(search->context, type);
  note_use(search, inst, pointer, bytes, NULL);
  if (store)
    note_write(search, inst, pointer, bytes, NULL);
}

static void note(Search *search, LLVMValueRef inst) {
  if (LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst))
    note_access(search, inst, LLVMIsAStoreInst(inst) != NULL);
  else if (nb_is_call(inst))
    note_call(search, inst);
  else if (nb_memory_may_read_any(inst) || nb_memory_may_write_any(inst))
    refuse(search, inst, "a step does what cannot be done again");
}

/* --- The function that measures ----------------------------------------------------------------
 */

typedef struct Bounds {
  LLVMValueRef low, high; /* distances in bytes from the parameter */
} Bounds;

static LLVMValueRef word(const Search *search, uint64_t value) {
  return LLVMConstInt(LLVMInt64TypeInContext(search->context->llvm), value, true);
}

static Bounds bounds_of(const Search *search, LLVMBuilderRef builder, const Access *access) {
  NbHull hull = nb_span_write(search->work, builder, access->address, search->before);
  LLVMValueRef bytes = word(search, access->bytes);
  LLVMValueRef least = word(search, (uint64_t)INT64_MIN), most = word(search, INT64_MAX);
  if (access->length)
    bytes = nb_span_write(search->work, builder, access->length, search->before).greatest;
  Bounds bounds = {hull.least, LLVMBuildAdd(builder, hull.greatest, bytes, "")};
  for (unsigned i = 0; i < access->guard_count; i++) {
    const Guard *guard = &access->guards[i];
    LLVMValueRef low = guard->holds ? bounds.low : most,
                 other_low = guard->holds ? most : bounds.low;
    LLVMValueRef high = guard->holds ? bounds.high : least;
    LLVMValueRef other_high = guard->holds ? least : bounds.high;
    bounds.low = LLVMBuildSelect(builder, guard->condition, low, other_low, "");
    bounds.high = LLVMBuildSelect(builder, guard->condition, high, other_high, "");
  }
  return bounds;
}

static Bounds bounds_of_all(const Search *search, LLVMBuilderRef builder, const Area *area) {
  Bounds all = bounds_of(search, builder, area->accesses.items[0]);
  for (unsigned i = 1; i < area->accesses.count; i++) {
    Bounds more = bounds_of(search, builder, area->accesses.items[i]);
    LLVMValueRef lower = LLVMBuildICmp(builder, LLVMIntSLT, more.low, all.low, "");
    all.low = LLVMBuildSelect(builder, lower, more.low, all.low, "");
    LLVMValueRef higher = LLVMBuildICmp(builder, LLVMIntSGT, more.high, all.high, "");
    all.high = LLVMBuildSelect(builder, higher, more.high, all.high, "");
  }
  return all;
}

/* All of what it leads into. */
static Bounds bounds_of_object(const Search *search, LLVMBuilderRef builder, const Area *area) {
  LLVMValueRef low = word(search, (uint64_t)-area->offset);
  return (Bounds){low, LLVMBuildAdd(builder, low, area->bytes, "")};
}

/* Returns how far it goes behind the parameter; NB_UNKNOWN_SIZE where the run tells. */
static uint64_t write_region(const Search *search, LLVMBuilderRef builder, const Area *area,
                             unsigned index) {
  Bounds bounds = area->measured ? bounds_of_all(search, builder, area)
                                 : bounds_of_object(search, builder, area);
  LLVMTypeRef type = nb_checkpoint_region_type(search->context);
  LLVMTypeRef byte = LLVMInt8TypeInContext(search->context->llvm);
  LLVMValueRef out = LLVMGetParam(search->work->function, nb_emit_tape_index(search->request));
  LLVMValueRef number = word(search, index);
  LLVMValueRef region = LLVMBuildGEP2(builder, type, out, &number, 1, "region");
  LLVMValueRef any = LLVMBuildICmp(builder, LLVMIntSGT, bounds.high, bounds.low, "any");
  LLVMValueRef low = LLVMBuildSelect(builder, any, bounds.low, word(search, 0), "");
  LLVMValueRef bytes = LLVMBuildSub(builder, bounds.high, bounds.low, "");
  bytes = LLVMBuildSelect(builder, any, bytes, word(search, 0), "");
  LLVMValueRef parameter = LLVMGetParam(search->work->function, area->parameter);
  LLVMValueRef start = LLVMBuildGEP2(builder, byte, parameter, &low, 1, "");
  LLVMBuildStore(builder, start, LLVMBuildStructGEP2(builder, type, region, 0, ""));
  LLVMBuildStore(builder, bytes, LLVMBuildStructGEP2(builder, type, region, 1, ""));
  bool known = LLVMIsAConstantInt(bounds.high) && LLVMConstIntGetSExtValue(bounds.high) >= 0;
  return known ? LLVMConstIntGetZExtValue(bounds.high) : NB_UNKNOWN_SIZE;
}

/* Before the first step, the copy returns. */
static void stop_before_steps(const Search *search) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(search->context->llvm);
  LLVMPositionBuilderBefore(builder, search->before);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(search->steps->header), next; LLVMIsAPHINode(phi);
       phi = next) {
    next = LLVMGetNextInstruction(phi);
    nb_phi_remove(phi, search->steps->preheader);
  }
  LLVMInstructionEraseFromParent(search->before);
  nb_analyses_forget(search->context->analyses, search->work->function);
  char *message = nb_passes_run(search->context->analyses, search->context->module,
                                search->work->function, "simplifycfg,early-cse,adce");
  if (message)
    nb_refuse(search->context, NB_ERROR_BUILD, nb_checkpoint_call(search->context, search->loop),
              "the passes failed: %s", message);
  LLVMDisposeMessage(message);
}

static bool changes_memory(const Search *search, LLVMValueRef inst) {
  bool computes = nb_is_call(inst) && nb_call_is_silent(search->context, inst);
  return !computes && nb_memory_may_write_any(inst);
}

static bool is_before_steps(const Search *search, LLVMValueRef inst) {
  return nb_block_dominates(search->context->analyses, LLVMGetInstructionParent(inst),
                            search->steps->preheader);
}

/* --- The state ---------------------------------------------------------------------------------
 */

static void add_given(const Search *search, NbState *state) {
  for (unsigned i = 0; i < search->loop->regions; i++) {
    unsigned pointer = nb_checkpoint_region(search->loop, i);
    state->regions[state->count++] =
        (NbStateRegion){NULL, pointer, pointer + 1, NB_UNKNOWN_SIZE, true};
  }
}

static void add_globals(const Search *search, NbState *state) {
  for (unsigned i = 0; i < nb_map_count(search->globals); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(search->globals, i);
    bool written = nb_map_has(search->written, global);
    state->regions[state->count++] = (NbStateRegion){global, 0, 0, NB_UNKNOWN_SIZE, written};
  }
}

static bool add_area(Search *search, NbState *state, LLVMBuilderRef builder, Area *area) {
  bool given = search->loop->regions != 0;
  if (!area->measured && !given)
    area->bytes = nb_checkpoint_bytes_behind(search->context, search->loop, area->parameter,
                                             search->work->function, &area->offset);
  if (area->measured || area->bytes) {
    uint64_t extent = write_region(search, builder, area, state->count);
    state->regions[state->count++] =
        (NbStateRegion){NULL, area->parameter, NB_STATE_MEASURED, extent, area->written};
    state->measure = search->work->function;
    state->out = nb_emit_tape_index(search->request);
    return true;
  }
  if (given) {
    state->unknown[state->unknown_count++] = area->parameter;
    return true;
  }
  const char *how = search->loop->marked ? "write the step as a function, and " : "";
  return refuse(search, area->where,
                nb_arena_print(search->context->arena,
                               "how much of the memory behind an argument belongs to the state is "
                               "not known before the steps run: %sgive it by "
                               "enzyme_checkpoint_region, the pointer and its bytes behind the "
                               "data of the scheme",
                               how));
}

static NbState *make_state(Search *search) {
  NbContext *context = search->context;
  NbState *state = NB_NEW(context->arena, NbState);
  unsigned most = search->loop->regions + nb_map_count(search->globals) + search->areas.count;
  state->regions = NB_NEW_ARRAY(context->arena, NbStateRegion, most + 1);
  state->unknown = NB_NEW_ARRAY(context->arena, unsigned, most + 1);
  add_given(search, state);
  add_globals(search, state);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, search->before);
  for (unsigned i = 0; search->ok && i < search->areas.count; i++)
    add_area(search, state, builder, search->areas.items[i]);
  LLVMDisposeBuilder(builder);
  if (search->ok && state->measure)
    stop_before_steps(search);
  return search->ok ? state : NULL;
}

/* The same of a forward derivative, between whose steps nothing else runs. */
static NbRequest in_reverse(NbContext *context, const NbRequest *request) {
  NbRequest reverse = *request;
  NbRole *roles = NB_NEW_ARRAY(context->arena, NbRole, request->count + 1);
  reverse.mode = NB_MODE_REVERSE;
  reverse.overwritten = NB_NEW_ARRAY(context->arena, bool, request->count + 1);
  reverse.top = true;
  reverse.roles = roles;
  for (unsigned i = 0; i < request->count; i++) {
    bool pointer = nb_type_has_pointer(LLVMTypeOf(LLVMGetParam(request->function, i)));
    roles[i] = request->roles[i] == NB_ROLE_DUP && !pointer ? NB_ROLE_OUT : request->roles[i];
  }
  return reverse;
}

NbState *nb_checkpoint_state(NbContext *context, const NbRequest *request) {
  NbRequest reverse = in_reverse(context, request);
  if (request->mode == NB_MODE_FORWARD)
    request = &reverse;
  Search search = {.context = context,
                   .request = request,
                   .loop = nb_checkpoint_of(context, request->function),
                   .globals = nb_map_new(context->arena),
                   .written = nb_map_new(context->arena),
                   .areas = nb_list(context->arena),
                   .budget = MAX_TWINS,
                   .ok = true};
  if (!open_steps(&search))
    return NULL;
  for (LLVMValueRef at = nb_instruction_first(search.work->function); at && search.ok;
       at = nb_instruction_next(at)) {
    if (is_before_steps(&search, at) && changes_memory(&search, at))
      refuse(&search, at, "something is written before the first step");
    else
      note(&search, at);
  }
  return search.ok ? make_state(&search) : NULL;
}
