// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What LLVM-C lacks, as a C header that reads as if LLVM-C had always had it.
 *
 * The bridge holds no knowledge about derivatives. Handles are opaque and borrowed: analyses
 * belong to LLVM's managers, and loop and SCEV handles die when the function changes
 * (nb_analyses_forget). No function takes ownership unless it says so. */
#ifndef NABLA_BRIDGE_H
#define NABLA_BRIDGE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct NbAnalyses NbAnalyses;
typedef struct NbOptions NbOptions;
typedef struct NbLoop NbLoop;
typedef struct NbScev NbScev;
typedef struct NbDebugStruct NbDebugStruct;

#define NB_UNKNOWN_SIZE UINT64_MAX

/* --- What the engine provides: called by the passes that the bridge registers. ------------- */

/* Where in a pipeline a pass runs. */
typedef enum {
  NB_PHASE_COMPILE,          /* an ordinary compilation, or `opt -passes=nabla` */
  NB_PHASE_BEFORE_LINK,      /* the compile step of -flto: another pass sees the whole program */
  NB_PHASE_BEFORE_THIN_LINK, /* that of ThinLTO: another pass may see more of the program */
  NB_PHASE_THIN_ALONE,       /* that of ThinLTO at -O0: its link step runs no pass of a plugin */
  NB_PHASE_BESIDE_BITCODE,   /* the machine code of -ffat-lto-objects, after its bitcode */
  NB_PHASE_LINK              /* full link-time optimisation */
} NbPhase;

/* Named metadata of a module that waits for the link step of ThinLTO. */
#define NB_MARK_OF_THIN "nabla.thin"

/* Before nb_engine_collect: must functions that are always inlined be so now, for it to see what
 * they ask for? */
bool nb_engine_wants_inlining(LLVMModuleRef module, const NbOptions *options);
/* Start of the pipeline, and again before nb_engine_derive at the link step, for modules that were
 * compiled without the plugin. Returns true where it changed the module. */
bool nb_engine_collect(LLVMModuleRef module, const NbOptions *options, NbPhase phase);
/* When local variables have become values and types are still the front end's: notes what they say.
 * Returns true where it changed the module. */
bool nb_engine_note(LLVMModuleRef module, const NbOptions *options, NbPhase phase);
/* After simplification, before vectorisation. Returns true where it changed the module. */
bool nb_engine_derive(LLVMModuleRef module, const NbOptions *options, NbAnalyses *analyses,
                      NbPhase phase);
/* After vectorisation, at the end of the pipeline; `linked`: a link step that optimises comes.
 * Returns true where it changed the module. */
bool nb_engine_finish(LLVMModuleRef module, bool linked);

/* --- Diagnostics: the one door to the user. ------------------------------------------------ */

typedef enum {
  NB_SEVERITY_ERROR,
  NB_SEVERITY_WARNING,
  NB_SEVERITY_NOTE,         /* a remark that no filter hides */
  NB_SEVERITY_REMARK,       /* -Rpass=nabla */
  NB_SEVERITY_REMARK_MISSED /* -Rpass-missed=nabla */
} NbSeverity;

/* "move.h:204", where the value's place is in a header of the system or a compiler; NULL where it
 * is not. For LLVMDisposeMessage. */
char *nb_place_in_library(LLVMValueRef where);
/* The path of the innermost place outside of such headers that the value was inlined to; NULL where
 * there is none. For LLVMDisposeMessage. */
char *nb_place_for_user(LLVMValueRef where, unsigned *line, unsigned *column);
/* The place of `call`, or of what called nabla's own header where that is inlined, becomes the
 * place of `request`. */
void nb_place_request(LLVMValueRef request, LLVMValueRef call);
/* Reports `message` at the debug location of `where`, an instruction, a function or a global
 * variable; where there is none, at the function or variable itself. Hosts that print a function
 * print `named`; for a variable, both are the variable. NULL: what is
 * reported has no place in the program, and `named` is any function of it. `analyses` may be NULL:
 * remarks then go nowhere. `name` is a remark's identifier in CamelCase ("Tape"), unused for errors
 * and warnings. */
void nb_report(NbAnalyses *analyses, NbSeverity severity, LLVMValueRef where, LLVMValueRef named,
               const char *name, const char *message);
/* Does anybody hear remarks? Where not, they need not be written. */
bool nb_report_is_heard(LLVMContextRef context);
/* True where errors are collected by the host (clang, lld), false where the first one ends the
 * process (opt). */
bool nb_report_host_collects_errors(LLVMContextRef context);

/* --- Options (options.def): `-mllvm -nabla-x=...` or NABLA_X in the environment. ------------ */

/* What the process was told so far, as a copy of its own. The command line wins over the
 * environment (upper case, '-' as '_'). */
NbOptions *nb_options_new(void);
void nb_options_free(NbOptions *options);
/* As if -nabla-<name>=<value> were given next, and where it is the first, in place of the
 * environment's. False where no option has that name. */
bool nb_options_set(NbOptions *options, const char *name, const char *value);
/* Does the front end say that the file is one without TBAA, in which numbers are accessed as what
 * they are alone? Where integers and pointers are not taken out of bytes by themselves, nothing
 * moves what has any type in words, either. */
typedef enum NbTypesKnown { NB_TYPES_UNKNOWN, NB_TYPES_OF_NUMBERS, NB_TYPES_OF_ALL } NbTypesKnown;
NbTypesKnown nb_options_types_known(const NbOptions *options);

/* The text of -nabla-<name>: the values of repeated options joined by ';'. NULL where it is not
 * set; "" for a flag without a value (-nabla-shadows-may-overlap). The result lives until the next
 * change of the options. */
const char *nb_option_text(const NbOptions *options, const char *name);
/* Of an option that is on or off ("0", "false", "no", "off"). */
bool nb_option_on(const NbOptions *options, const char *name, bool otherwise);
/* Such an option that is said to be neither; NULL: none. */
const char *nb_option_unclear(const NbOptions *options);
/* The options of the command line on which nothing depends, by index; NULL: no more. `*reason`
 * says why. */
const char *nb_option_unused(const NbOptions *options, unsigned index, const char **reason);

/* --- Runs outside of LLVM's own programs. --------------------------------------------------- */

/* What nabla or LLVM says; texts live until the handler returns. No text is NULL. */
typedef struct NbDiagnosis {
  NbSeverity severity;
  const char *message;
  const char *function;  /* "" where it is about none */
  const char *file;      /* "" where the place is not known */
  unsigned line, column; /* from 1; 0: not known */
} NbDiagnosis;
typedef void (*NbHandler)(const NbDiagnosis *diagnosis, void *data);

/* Runs a textual pipeline in which nabla's passes have their places ("nabla", "default<O2>"), for
 * `machine` or, where that is NULL, any. `handler` hears what is said meanwhile. False where an
 * error was. */
bool nb_run(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes,
            const NbOptions *options, NbHandler handler, void *data);

/* --- Analyses. All take a function with a body, or an instruction in one. ------------------- */

/* Forgets every analysis of `function`: call after each change, before the next question, and
 * before the function is deleted. */
void nb_analyses_forget(NbAnalyses *analyses, LLVMValueRef function);

/* True where instruction `writer` may write the memory that `access` (a load, a store, a memory
 * transfer's SOURCE side, or a call argument pointer given in nb_memory_may_write) accesses, in
 * this or ANY other iteration of the loops around them (cross-iteration alias queries). Uses the
 * alias metadata (TBAA) of `access`. */
bool nb_memory_may_write_access(NbAnalyses *analyses, LLVMValueRef writer, LLVMValueRef access);
/* The same for the `size` bytes at `pointer` (NB_UNKNOWN_SIZE: anywhere in its object). */
bool nb_memory_may_write(NbAnalyses *analyses, LLVMValueRef writer, LLVMValueRef pointer,
                         uint64_t size);
/* True where the two pointers, of any size around them, cannot touch the same memory, in any
 * iteration. */
bool nb_memory_disjoint(NbAnalyses *analyses, LLVMValueRef function, LLVMValueRef pointer,
                        LLVMValueRef other);
/* May the instruction read or write any memory at all? For calls: by attributes and bodies. */
bool nb_memory_may_read_any(LLVMValueRef instruction);
bool nb_memory_may_write_any(LLVMValueRef instruction);
/* Does the call read and write no other memory than what its arguments lead to? */
bool nb_memory_keeps_to_arguments(LLVMValueRef call);
/* The object that `pointer` was computed from by constant and variable offsets (no phi). */
LLVMValueRef nb_memory_underlying(LLVMValueRef pointer);
/* True where the call argument `index` (or function parameter) is not captured. */
bool nb_memory_nocapture(LLVMValueRef call_or_function, unsigned index);

/* A new scope of accesses, of which LLVM is told that those outside touch no memory that those
 * inside do. An access may be in neither; then nothing is said. */
LLVMMetadataRef nb_alias_scope_new(LLVMContextRef context, const char *name);
/* A group of accesses, `llvm.access.group`, like no other. */
LLVMMetadataRef nb_access_group_new(LLVMContextRef context);
/* Puts the access into the group, beside those that it is in. */
void nb_access_group_join(LLVMValueRef access, LLVMMetadataRef group);
bool nb_access_group_has(LLVMValueRef access, LLVMMetadataRef group);
/* Puts the access into the groups that both others are in, and no more. */
void nb_access_groups_of_both(LLVMValueRef access, LLVMValueRef one, LLVMValueRef other);
void nb_alias_inside(LLVMValueRef access, LLVMMetadataRef scope);
void nb_alias_outside(LLVMValueRef access, LLVMMetadataRef scope);

/* Dominance: of instructions (or arguments, constants: true) over instructions; of blocks. */
bool nb_dominates(NbAnalyses *analyses, LLVMValueRef definition, LLVMValueRef use);
bool nb_block_dominates(NbAnalyses *analyses, LLVMBasicBlockRef above, LLVMBasicBlockRef below);
/* Does the edge from -> to dominate `block`? */
bool nb_edge_dominates(NbAnalyses *analyses, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                       LLVMBasicBlockRef block);
/* NULL for the entry block and for unreachable blocks. */
LLVMBasicBlockRef nb_block_idom(NbAnalyses *analyses, LLVMBasicBlockRef block);
bool nb_block_postdominates(NbAnalyses *analyses, LLVMBasicBlockRef below, LLVMBasicBlockRef above);

/* Loops. `which` lists fill `out` up to `capacity` and return the true number. */
NbLoop *nb_loop_of(NbAnalyses *analyses, LLVMBasicBlockRef block);
NbLoop *nb_loop_parent(NbLoop *loop);
unsigned nb_loop_depth(NbLoop *loop);
LLVMBasicBlockRef nb_loop_header(NbLoop *loop);
LLVMBasicBlockRef nb_loop_latch(NbLoop *loop);
LLVMBasicBlockRef nb_loop_preheader(NbLoop *loop);
/* Where it is tested whether the loop is entered, before it; NULL where that is not done. */
LLVMBasicBlockRef nb_loop_guard(NbLoop *loop);
bool nb_loop_contains(NbLoop *loop, LLVMBasicBlockRef block);
unsigned nb_loop_exiting_blocks(NbLoop *loop, LLVMBasicBlockRef *out, unsigned capacity);
unsigned nb_loop_exit_blocks(NbLoop *loop, LLVMBasicBlockRef *out, unsigned capacity);
/* In how many loops does the instruction stand? Computed anew. */
unsigned nb_loops_around(LLVMValueRef instruction);
/* Makes a function of the body of the innermost loop around `mark`, a call, which goes. Where the
 * loop stood, `*call` calls the function for iteration 0, its first argument; the others are the
 * same for each iteration. `*count`: how many there are, one at least; NULL: the function returns
 * whether to go on. With `count` NULL it always does, and all of the body runs in each iteration.
 * `operands` (may be NULL): receives those of the mark, as known before the loop. Returns why it
 * cannot be done, and then leaves `mark` there; NULL: it is done. Nothing that is known of the
 * function holds any more. */
const char *nb_loop_outline(LLVMValueRef mark, LLVMValueRef *call, LLVMValueRef *count,
                            LLVMValueRef *operands);
/* Writes the iterations of the loop with this header one behind the other, where they are known to
 * be `most` at most; the loop is in canonical form and no value of it is used behind it. */
bool nb_loop_unroll(NbAnalyses *analyses, LLVMBasicBlockRef header, unsigned most);
/* Tells the passes to come not to vectorise the loop. */
void nb_loop_forbid_vectors(NbLoop *loop);
/* Tells them so, and not to unroll them, of loops in which, but for those inside, some instruction
 * passes the test `one`, and some passes `also`, or none passes `more`. Computed anew. */
void nb_loops_keep_rolled(LLVMValueRef function, bool (*one)(LLVMValueRef),
                          bool (*also)(LLVMValueRef), bool (*more)(LLVMValueRef));
/* Does LLVM's vectoriser take it that what is known of a wide index holds for a narrow one? */
bool nb_vectoriser_mixes_widths(void);
/* Every loop of the function, outer before inner, in a fixed order. */
unsigned nb_loops(NbAnalyses *analyses, LLVMValueRef function, NbLoop **out, unsigned capacity);
/* False where some cycle of the control flow is no natural loop. */
bool nb_loops_reducible(LLVMValueRef function);
/* The phi becomes a variable, which is returned: stored to at the end of each block that leads to
 * the phi's, loaded there. NULL: nothing used it, and it is gone. */
LLVMValueRef nb_phi_to_memory(LLVMValueRef phi);

/* Scalar evolution. */
NbScev *nb_scev_of(NbAnalyses *analyses, LLVMValueRef function, LLVMValueRef value);
/* The exact number of back edges taken, NULL where it cannot be computed or the loop has more than
 * one exiting block. */
NbScev *nb_scev_backedges(NbAnalyses *analyses, NbLoop *loop);
/* Is `scev` an affine recurrence {start,+,step} of exactly `loop`, with both invariant in it? */
bool nb_scev_is_affine(NbAnalyses *analyses, NbScev *scev, NbLoop *loop);
/* The step of such a recurrence; of pointers, in bytes. */
NbScev *nb_scev_step(NbAnalyses *analyses, NbScev *scev, NbLoop *loop);
/* The value of such a recurrence in the first iteration. */
NbScev *nb_scev_start(NbScev *scev);
/* What an affine one is in the loop's last iteration, which must be known (nb_scev_backedges). */
NbScev *nb_scev_last(NbAnalyses *analyses, NbScev *scev, NbLoop *loop);
/* Does the phi of the loop's header grow from iteration to iteration by the values of an affine
 * recurrence? Then `first` is what is added in the first, and `change` by how much that changes
 * from one to the next; of pointers, in bytes. */
bool nb_scev_triangle(NbAnalyses *analyses, LLVMValueRef phi, NbLoop *loop, NbScev **first,
                      NbScev **change);
/* The difference of two values of one type; NULL where it cannot be computed. Equal values that
 * scalar evolution knows to be equal are one handle. */
NbScev *nb_scev_minus(NbAnalyses *analyses, LLVMValueRef function, NbScev *left, NbScev *right);
/* The integer that `scev` is where nothing in it wraps around: good for guesses, whatever is
 * unknown of that. NULL for pointers and integers of more than 64 bits. */
NbScev *nb_scev_estimate(NbAnalyses *analyses, LLVMValueRef function, NbScev *scev);
/* How many bytes the pointer is behind `*base` where nothing wraps around; NULL where that cannot
 * be computed. */
NbScev *nb_scev_offset(NbAnalyses *analyses, LLVMValueRef function, LLVMValueRef pointer,
                       LLVMValueRef *base);
/* Sum and product of two integers of one type. */
NbScev *nb_scev_plus(NbAnalyses *analyses, LLVMValueRef function, NbScev *left, NbScev *right);
NbScev *nb_scev_times(NbAnalyses *analyses, LLVMValueRef function, NbScev *left, NbScev *right);
/* Is it a constant of at most 64 bits? */
bool nb_scev_is_constant(NbScev *scev, int64_t *value);
/* The bounds of an integer of at most 64 bits, seen as signed, as far as loops and arithmetic tell.
 */
bool nb_scev_range(NbAnalyses *analyses, LLVMValueRef function, NbScev *scev, int64_t *low,
                   int64_t *high);
/* The bits of the affine recurrence of `loop` that `scev` is, widened; 0: it is none. */
unsigned nb_scev_widened_from(NbAnalyses *analyses, NbScev *scev, NbLoop *loop);
/* `scev` as a formula, in which values have the names that `name` gives: a string to be released by
 * LLVMDisposeMessage; NULL where a value has none, or no formula says it. */
typedef const char *NbNamer(void *data, LLVMValueRef value);
char *nb_scev_formula(NbScev *scev, NbNamer *name, void *data);
/* A loop's trip count without the bound that it is given where the loop runs at least so often: as
 * `x` of `x + 1 - min(1, x)` where the loop is entered for no less, else as `max(1, x)`. */
NbScev *nb_scev_plain_trips(NbAnalyses *analyses, NbScev *trips, NbLoop *loop);
bool nb_scev_is_sum(NbScev *scev);
/* Is it a trip count that is positive, whatever its values are, and so no trip count where the loop
 * does not run? */
bool nb_scev_is_positive_unless_none(NbScev *scev);
/* Which of the 64 lowest bits that the instruction computes are known to be zero. */
uint64_t nb_zero_bits(LLVMValueRef integer);
bool nb_scev_is_invariant(NbAnalyses *analyses, NbScev *scev, NbLoop *loop);
bool nb_scev_safe_to_expand(NbAnalyses *analyses, NbScev *scev, LLVMValueRef before);
/* Writes code for `scev`, as an integer or pointer of type `type`, before the instruction. */
LLVMValueRef nb_scev_expand(NbAnalyses *analyses, NbScev *scev, LLVMTypeRef type,
                            LLVMValueRef before);

/* LLVM's canonical name of a library function ("sin"), NULL where it is none, is local, has a wrong
 * type or must not be taken for a builtin. Lives as long as the function does. */
const char *nb_library_name(NbAnalyses *analyses, LLVMValueRef call_or_function);
/* Is it the intrinsic a * b + c that may round once or twice? */
bool nb_call_multiplies_and_adds(LLVMValueRef call);

/* The number of the metadata kind `name`, where the context knows one: asking adds none. */
bool nb_metadata_kind(LLVMContextRef context, const char *name, unsigned *kind);

/* The name of a local variable in its source, where debug information tells it, as a string to be
 * released by LLVMDisposeMessage; NULL where nothing does. */
char *nb_variable_source_name(LLVMValueRef variable);
/* The same for any value that a variable of the source is at some point; `*certain`: wherever it is
 * used, so far as is known. */
char *nb_value_source_name(LLVMValueRef value, bool *certain);
/* "y[2]" of what is a part of a variable, likewise. */
char *nb_value_part_name(LLVMValueRef value, bool *certain);
/* What the symbol of a function or variable is in its language, or the symbol itself; to be
 * released likewise. */
char *nb_readable_name(LLVMValueRef global, const char *symbol);
/* Likewise the name alone of a function or variable: without types, parameters and the arguments of
 * templates, in its innermost scope that has a name. */
char *nb_plain_name(LLVMValueRef global, const char *symbol);

/* --- Time. ----------------------------------------------------------------------------------- */

bool nb_trace_is_written(void);
/* A span of the host's -ftime-trace begins, "nabla STAGE", with a function's name beside it; spans
 * nest. Nothing where no trace is written. */
void nb_trace_begin(const char *stage, const char *name);
void nb_trace_end(void);

/* --- Transformations. ----------------------------------------------------------------------- */

/* Runs a textual pipeline on one function ("sroa,instcombine") or on the module (function NULL),
 * with the host's analysis managers; forgets what it changed. Returns NULL, else a message to be
 * released by LLVMDisposeMessage. */
char *nb_passes_run(NbAnalyses *analyses, LLVMModuleRef module, LLVMValueRef function,
                    const char *pipeline);

/* Vector-predicated intrinsics (`llvm.vp.*`) on vectors of fixed length become what they stand for:
 * plain operations of all lanes, and accesses under masks. */
void nb_spell_predicated(LLVMValueRef function);

/* Where the stack ends, and that it ends there again: for variables whose size the run tells. */
LLVMValueRef nb_build_stack_save(LLVMBuilderRef builder);
void nb_build_stack_restore(LLVMBuilderRef builder, LLVMValueRef saved);
/* The pointer itself, by a call that LLVM adds no constants of indices through. */
LLVMValueRef nb_build_barrier(LLVMBuilderRef builder, LLVMValueRef pointer);

/* Copies the body of `source` into the empty function `target` of the same module; parameter i of
 * `source` becomes `parameters[i]`, any value. Attributes of the function are not copied; its debug
 * information and personality are. */
void nb_clone_body(LLVMValueRef target, LLVMValueRef source, const LLVMValueRef *parameters);
/* Gives a function that is made of `primal` debug information of its own, where the primal has
 * some: its name is the primal's and the suffix ("reverse"), its lines are the primal's. */
void nb_debug_adopt(LLVMValueRef derivative, LLVMValueRef primal, const char *suffix);
/* Then, tells that parameter `index` of it is the primal's parameter `of`, under the name that this
 * has in the source, with the prefix. */
void nb_debug_parameter(LLVMValueRef derivative, unsigned index, LLVMValueRef primal, unsigned of,
                        const char *prefix);
/* Before that: tells that `copy` is `value`, under the name that this has in the source. */
void nb_debug_tell_as(LLVMValueRef copy, LLVMValueRef value);
/* Copies function attributes that hold for any code compiled for the same target and options
 * (target-cpu, target-features, frame-pointer, ssp, uwtable, denormal modes, ...), never memory
 * effects, willreturn, optnone, noinline or value attributes. */
void nb_attributes_copy_target(LLVMValueRef target, LLVMValueRef source);
/* Memory effects of a declaration or call: none at all, with nounwind and willreturn. */
void nb_attributes_set_pure(LLVMValueRef call_or_function);
/* Of a call: it writes nothing that is there afterwards, and returns. */
void nb_attributes_set_reading(LLVMValueRef call);
/* Says of a parameter, where it is a pointer, what C's restrict does. */
void nb_attributes_set_noalias(LLVMValueRef function, unsigned index);
/* Of a declaration that must stay where it is called, and touches and keeps nothing that it is
 * given. */
void nb_attributes_set_watching(LLVMValueRef function);
/* Says of the parameters of a function with a body which it only reads, as the optimiser would. */
void nb_attributes_note_reads(LLVMValueRef function);
/* Drops from a call or function every attribute of its arguments and result but those that decide
 * how they are passed (byval, sret, signext, ...). What is said about it as a whole stays. */
void nb_attributes_strip_values(LLVMValueRef call_or_function);

/* The functions with a body that can be reached from outside of the module, callees before their
 * callers but within cycles. Returns how many; fills at most `capacity`. */
unsigned nb_functions_bottom_up(LLVMModuleRef module, LLVMValueRef *out, unsigned capacity);
/* Inlines the call, which dies; what is known of its function is forgotten. NULL, else the reason
 * why not (a constant text). */
const char *nb_inline_call(NbAnalyses *analyses, LLVMValueRef call);
/* Would LLVM's inliner take the call, by its costs and by what is said of both functions? Not where
 * a function calls itself. */
bool nb_inline_pays(NbAnalyses *analyses, LLVMValueRef call);
/* A simpler value that equals `instruction`, NULL where there is none. */
LLVMValueRef nb_simplify(NbAnalyses *analyses, LLVMValueRef instruction);
/* What LLVM's verifier says of the function, to be released by LLVMDisposeMessage; NULL: it is well
 * formed. */
char *nb_function_verify(LLVMValueRef function);
/* Splits before the instruction; the returned block starts with it. */
LLVMBasicBlockRef nb_split_block(LLVMValueRef before, const char *name);
void nb_phi_set_block(LLVMValueRef phi, unsigned index, LLVMBasicBlockRef block);
/* Gives a named struct another name. */
void nb_struct_rename(LLVMTypeRef type, const char *name);
/* What the block's phis said of coming from `from` they say of coming from `to`. */
void nb_phis_redirect(LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void nb_phi_remove(LLVMValueRef phi, LLVMBasicBlockRef block);
/* The block's branch or switch leads to `only`, one of its successors, and to no other. */
void nb_branch_settle(LLVMBasicBlockRef block, LLVMBasicBlockRef only);
/* Switches whose cases are all that there are go to the last without a case: what cannot be reached
 * is no way out of a loop. True where the function changed. */
bool nb_switches_close(LLVMValueRef function);
/* The condition, of the branch at the block's end, is `value` whenever it is asked for: signed
 * arithmetic that leads there, and that it watches for overflow, becomes plain, and does not. */
void nb_overflow_exclude(LLVMBasicBlockRef block, LLVMValueRef condition, bool value);
/* Integers that do not overflow are computed in the width that they are sign extended to. */
void nb_indices_widen(LLVMValueRef function);

/* Parses bitcode from memory and links into `module` what it already declares; `internal`: made
 * internal, but for what is weak there, which may be replaced when the program is linked.
 * NULL, else a message to be released by LLVMDisposeMessage. */
char *nb_link_needed(LLVMModuleRef module, const char *bitcode, size_t bytes, bool internal);

/* --- What C asks for. ------------------------------------------------------------------------ */

/* What debug information, all of which is searched, knows of a struct; NULL: nothing. */
NbDebugStruct *nb_debug_struct(LLVMModuleRef module, LLVMTypeRef type);
/* The name of a member of the struct where that tells it, to be released by LLVMDisposeMessage;
 * NULL where nothing does. */
char *nb_debug_member(LLVMModuleRef module, NbDebugStruct *known, LLVMTypeRef type, unsigned index);
/* The way to what begins so many bytes behind the start of a struct, ".a.b", likewise; `*array`
 * tells that it is an array's first element. */
char *nb_debug_part(NbDebugStruct *known, int64_t bytes, bool *array);
/* The same of the variable that stands at an address, or to which its value leads ("->a.b"). */
char *nb_debug_part_behind(LLVMValueRef pointer, int64_t bytes, bool *array);
/* A distance: what is constant of it, and how many terms it has beside that. `take` takes a number
 * of elements of so many bytes away from it, and tells how many these are. */
typedef struct NbDebugBytes {
  int64_t constant;
  unsigned terms;
  bool whole; /* the way ends where none of either is left, at a struct or an array, too */
  const char *(*take)(struct NbDebugBytes *bytes, int64_t size);
} NbDebugBytes;
/* The way to what lies so far behind the struct or array to which the variable leads that the
 * pointer is, or that stands there: "[i].a[k + 1]"; likewise. */
char *nb_debug_element(LLVMValueRef pointer, NbDebugBytes *bytes);
/* The bytes of the number to which the variable leads that the pointer is; 0: unknown, or none. */
int64_t nb_debug_element_size(LLVMValueRef pointer);
/* How many dimensions the array of Fortran has that stands at the address, and the bytes of an
 * element; 0: none does. */
unsigned nb_debug_rank(LLVMValueRef pointer, int64_t *size);
/* The least index of a dimension of it, counted from 0, and how many there are; -1: the run tells.
 */
int64_t nb_debug_bound(LLVMValueRef pointer, unsigned dimension, int64_t *lower);
/* Is the value how many there are? */
bool nb_debug_is_extent(LLVMValueRef pointer, unsigned dimension, LLVMValueRef value);
/* What stands behind names that are the source's: no language has it in names. */
#define NB_OF_SOURCE '-'
/* Values are called after the variable of the source that they are, and NB_OF_SOURCE. Names are
 * kept from now on. */
void nb_names_from_source(LLVMModuleRef module);
/* By how many bytes a constant address lies behind its first operand; false where it is another
 * expression. */
bool nb_constant_offset(LLVMModuleRef module, LLVMValueRef constant, int64_t *offset);
/* The constant for which a switch goes to its successor, which is not the default's. */
LLVMValueRef nb_switch_case(LLVMValueRef instruction, unsigned successor);
/* Would the test at the loop's end, whether to go on, hold before the first iteration too, of the
 * values that change there as they are then? */
bool nb_loop_runs_once(NbAnalyses *analyses, NbLoop *loop);

/* Bits of a ConstantFP of at most 64 bits; false for others. */
bool nb_constant_bits(LLVMValueRef constant, uint64_t *bits);
/* The text of a metadata string that is an operand of a call; false for every other value. */
bool nb_value_is_metadata_string(LLVMValueRef value, const char **text, size_t *length);
/* The type that the attribute `kind` ("byval", "sret", "byref", "elementtype") of a parameter
 * speaks of; NULL where there is none. */
LLVMTypeRef nb_parameter_pointee(LLVMValueRef call_or_function, unsigned index, const char *kind);

#ifdef __cplusplus
}
#endif
#endif
