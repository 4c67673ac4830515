// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which values and which memory can carry a derivative: varied (depends on an active input) and
 * useful (reaches an active output). Inactive is proved, never assumed. */
#ifndef NABLA_ACTIVITY_H
#define NABLA_ACTIVITY_H

#include "objects/objects.h"
#include "request/request.h"
#include "types/types.h"

typedef struct NbActivity NbActivity;

/* `function` is the working copy: parameters as the primal's (shadows are not added yet); `request`
 * gives their roles. NULL where the function is refused: it was recorded. Refused here:
 * - a class that is active while a pointer with role CONST (or an inactive global without shadow)
 *   reaches it: mixed activity;
 * - integers that carry the bits of an active float and reach a float, memory or a call
 *   (comparisons and branches end a derivative);
 * - active values of formats other than float and double; active volatile or atomic accesses;
 * - calls with active operands to functions without body or row; indirect calls with such. */
NbActivity *nb_activity_of(NbContext *context, const NbRequest *request, LLVMValueRef function,
                           NbObjects *objects, NbTypes *types);
/* The calls in `function` that are better inlined first: what is integers to their callees, as far
 * as they can see, is the bits of floats to the function. */
NbList nb_activity_bit_calls(NbContext *context, const NbRequest *request, LLVMValueRef function);
/* Integers that only the run can tell from parts of numbers with a derivative are checked when it
 * reads them; true where code for that was added. The function's analyses are then to be made
 * again.
 */
bool nb_activity_check_integers(NbContext *context, const NbRequest *request,
                                LLVMValueRef function);
/* Is it a load of an integer, a cast to one, or a choice of one, that is checked when the program
 * runs? */
bool nb_activity_is_checked(const NbActivity *activity, LLVMValueRef value);
/* Does the value (with a float leaf) have a tangent that matters? Constants: false. */
bool nb_activity_value(NbActivity *activity, LLVMValueRef value);
/* Does the memory behind `pointer` have a shadow (its class, or one reachable from it, is active)?
 * Then the pointer value itself needs a shadow pointer. */
bool nb_activity_pointer(NbActivity *activity, LLVMValueRef pointer);
/* Is the very class behind `pointer` active: can floats in it have tangents? */
bool nb_activity_memory(NbActivity *activity, LLVMValueRef pointer);
/* May the shadow of a pointer to the class behind `pointer` (for `deep`: or of a pointer reachable
 * from there) be that pointer itself, which says that its memory has no shadow? */
bool nb_activity_mixed(NbActivity *activity, LLVMValueRef pointer, bool deep);
/* May the bits of varied floats be in the `size` bytes at `pointer`, as integers were stored there?
 */
bool nb_activity_carries(const NbActivity *activity, LLVMValueRef pointer, uint64_t size);
/* The same of those of the bytes that are integers by the layout, or nothing. */
bool nb_activity_carries_between(const NbActivity *activity, LLVMValueRef pointer, uint64_t size,
                                 const NbLayout *layout);
/* Is memory accessed through the pointer whenever `point` is executed? */
bool nb_activity_is_accessed(const NbActivity *activity, LLVMValueRef pointer, LLVMValueRef point);
/* May the pointer that is an operand of `user` be the bits of a varied float? */
bool nb_activity_puns(const NbActivity *activity, LLVMValueRef user, unsigned operand);
/* Is the float that is loaded, with a derivative, only moved, where pointers lie, too, so that the
 * run has to tell that it is none? */
bool nb_activity_moves_either(const NbActivity *activity, LLVMValueRef load);
/* Is the double that is loaded, with an adjoint, moved to where floats lie at other times, from
 * where they do, so that the run has to tell what its adjoint is? Then what it may be
 * (runtime/words.h), and as keys of `choices` what it is chosen for on its way, with it; 0 else. */
uint32_t nb_activity_moves_floats(const NbActivity *activity, LLVMValueRef load, NbMap *choices);
/* Has the global, which may change, a shadow here? */
bool nb_activity_global(const NbActivity *activity, LLVMValueRef global);
/* Is it a constant from which no pointer leads to memory that may change, within `depth` steps?
 * Then it needs no shadow: it is its own. */
enum { NB_CONSTANT_DEPTH = 4 };
bool nb_constant_is_plain(LLVMValueRef global, unsigned depth);
/* Those that have, for requests of callees. */
const NbList *nb_activity_globals(const NbActivity *activity);
/* Does the call to a function with a body take or give anything active? */
bool nb_activity_call(NbActivity *activity, LLVMValueRef call);
/* May the function with a body that is called write to active memory? */
bool nb_activity_writes(NbActivity *activity, LLVMValueRef call);
/* Does the callee take the memory behind its parameter to have a shadow? Also where null is passed.
 */
bool nb_activity_parameter(NbActivity *activity, LLVMValueRef call, unsigned index);
/* May the memory that `pointer` points to, allocated here, be found after the user's call? */
bool nb_activity_lasts(NbActivity *activity, LLVMValueRef pointer);
/* Does other memory go back to it, which was allocated with it? */
bool nb_activity_takes_back(NbActivity *activity, LLVMValueRef pointer);
/* Is memory of its kind both allocated and freed, here, in callees or in callers, and there before
 * or after the user's call, perhaps? */
bool nb_activity_releases(NbActivity *activity, LLVMValueRef pointer);
/* Are the derivatives of the callee given (the user's, a model's), or does it run the steps of a
 * checkpointed loop by itself? They use the primal's memory, and nothing more can be told to them.
 */
bool nb_activity_is_given(const NbContext *context, LLVMValueRef callee);
/* Is it allocated in such callees? */
bool nb_activity_allocates_outside(NbActivity *activity, LLVMValueRef pointer);
/* May such a callee free memory with a shadow that exists before the user's call or after it, of
 * which some is allocated within? */
bool nb_activity_frees_outside(NbActivity *activity, LLVMValueRef call);
/* Does the caller say that the memory, of its own, holds pointers at one time and numbers at
 * another? */
bool nb_activity_reuses(const NbActivity *activity, LLVMValueRef pointer);
/* Or may memory that is there before or after the call do so, at the `size` bytes? */
bool nb_activity_overlays(const NbActivity *activity, LLVMValueRef pointer, uint64_t size);
/* The regions of the callee's memory, for the request of a call to a function with a body; NULL
 * where it is as in a user's call. Returns their number. */
unsigned nb_activity_regions(NbActivity *activity, LLVMValueRef call, NbRegion **regions);
void nb_activity_print(NbActivity *activity);

#endif
