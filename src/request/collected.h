// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Parts of collect and serve: small things about calls and functions that both need. */
#ifndef NABLA_REQUEST_COLLECTED_H
#define NABLA_REQUEST_COLLECTED_H

#include "request/vocabulary.h"

/* `function` and every function with a body that its code may reach by name, also through the
 * initialisers of globals, in a fixed order. */
NbList nb_reach(NbArena *arena, LLVMValueRef function);
/* All that is to be differentiated: what these calls of entry points lead to. */
NbList nb_request_reach(const NbContext *context, const NbList *requests);
/* Every direct call (or invoke) in the module's functions whose callee passes `wanted`, in order.
 */
NbList nb_calls_of(NbContext *context, bool (*wanted)(NbArena *arena, LLVMValueRef callee));

/* Is it the declaration of a collected call? */
bool nb_is_request(LLVMValueRef callee);

/* The index of the operand that is the function: behind the memory of an sret result. */
unsigned nb_call_function_index(LLVMValueRef call);
/* The type that the attribute `kind` of operand `index` speaks of; NULL where it has none. */
LLVMTypeRef nb_call_operand_pointee(LLVMValueRef call, unsigned index, const char *kind);
/* The operand as a parameter of type `to`: C converts it to the one that it was promoted from, or
 * declared with. NULL where it does not. */
LLVMValueRef nb_call_converted(LLVMBuilderRef builder, LLVMValueRef call, unsigned operand,
                               LLVMTypeRef to);
/* What the function says of how its arguments are passed a call of it must say too. */
void nb_call_take_attributes(NbArena *arena, LLVMValueRef call, LLVMValueRef function);
/* The function behind casts, aliases, and variables that are set only once; NULL where it is not
 * one known function. */
LLVMValueRef nb_resolve_function(const NbContext *context, LLVMValueRef value);

/* What a load reads from a variable that is set only once; NULL where that is not known. */
LLVMValueRef nb_loaded_value(const NbContext *context, LLVMValueRef load);

/* Is it an intrinsic that touches no memory, such as a mark of where a variable's life starts? */
bool nb_is_idle(const NbContext *context, LLVMValueRef instruction);
/* The external declaration `name` of type `type`, made where it does not exist. */
LLVMValueRef nb_declare(NbContext *context, const char *name, LLVMTypeRef type);
/* Replaces the call, which dies, by `value` (NULL: by poison); an invoke goes on to its normal
 * destination. */
void nb_call_replace(LLVMValueRef call, LLVMValueRef value);
/* Takes away a call that was refused; its refusals stay at its place in the code, where an unused
 * instruction holds the debug location until they are reported. */
void nb_call_retire(NbContext *context, LLVMValueRef call);

/* Calls to functions that have a row of the user's and a body, or are known to the optimiser
 * without one, are held back from that, and put back. Both return true where something changed. */
bool nb_held_back(NbContext *context);
bool nb_held_put_back(NbContext *context);
/* Puts back only the calls of functions with a derivative of the user's, whose own body says what
 * memory they touch. */
void nb_held_put_back_custom(NbContext *context);

/* Inlines the calls of functions that were held back, where LLVM would have. */
void nb_held_inline(NbContext *context);

/* Lends functions with a derivative of the user's and no body one for the analyses, and takes it
 * back. */
void nb_bodies_lend(NbContext *context);
void nb_bodies_take_back(NbContext *context);

/* Takes from functions and constants that the linker may replace what is known of them here, and
 * gives it back. */
void nb_interposable_hide(NbContext *context);
void nb_interposable_put_back(NbContext *context);

/* Makes static variables that nobody writes constants, and gives them; makes them variables again.
 */
NbList nb_unwritten_fix(NbContext *context);
void nb_unwritten_put_back(const NbList *fixed);

/* Where the requests wait for the link step, what is said about a function is found there by its
 * name: it is kept until then, and a local one gets a name that is unique in the program. */
void nb_make_findable(NbContext *context, LLVMValueRef function);
/* A function or global that nothing may use now, and must not vanish; and the reverse: false where
 * it was not kept. */
void nb_keep(NbContext *context, LLVMValueRef function);
bool nb_unkeep(NbContext *context, LLVMValueRef function);
/* Is the variable the list of these? */
bool nb_is_keep_list(const NbContext *context, LLVMValueRef global);
/* The head of a row about the function, and the row of one without derivative. */
const char *nb_row_signature(NbContext *context, LLVMValueRef function);
const char *nb_row_of_inactive(NbContext *context, LLVMValueRef function);

/* Is any entry point left that would be refused so? */
bool nb_leftovers_found(NbContext *context);
/* Refuses the entry points that are left: calls refused at the start of the pipeline, names that
 * are not served, misspelt ones. Returns true where something changed. */
bool nb_leftovers_refuse(NbContext *context);

/* Offers the derivatives of functions with the attribute "enzyme_export_derivative" to other files
 * (request/exports.c). Returns true where there were any. */
bool nb_exports_ask(NbContext *context);
/* Notes what the module registers, for the time when requests are served. */
bool nb_registrations_note(NbContext *context);
/* Takes what was noted into the context: rules, derivatives of the user's, shadows of globals.
 * Refuses what cannot be served, at the function that it is about, or at `where`. */
void nb_registrations_take(NbContext *context, LLVMValueRef where);
/* At ThinLTO's compile step, of a file that asks for no derivative: warns of registrations that no
 * file which does can see. */
void nb_registrations_warn(NbContext *context);
/* At ThinLTO's compile step: a function with derivatives of the user's takes these along where it
 * is brought into other files. */
void nb_registrations_carry(NbContext *context);
/* At ThinLTO's link step, of a file whose requests wait: bodies that other files register something
 * about are hidden, as those of the file's own have been. Returns true where there are any. */
bool nb_registrations_hold(NbContext *context);
/* At the link step: what was kept for this may go. */
void nb_registrations_release(NbContext *context);
/* What only metadata names may go. */
void nb_registrations_let_go(NbContext *context);

#endif
