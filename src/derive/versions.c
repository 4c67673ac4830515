// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Two versions of a derivative, of which one relies on its parameters' memory lying apart. What the
 * user asks for tests once, before both sweeps (nb_combined_of). A callee that is given what its
 * caller cannot tell apart, as parts of one allocation, tests before its augmented forward and
 * leaves the decision to its reverse, in the tape; or, where neither version keeps anything and
 * only shadows are accessed then, the reverse asks. */
#include "derive/derive.h"

#include "emit/choice.h"
#include "emit/emit.h"
#include "objects/graph.h"
#include "tidy/tidy.h"

static LLVMValueRef make_combined(NbContext *context, const NbDerivative *derivative, bool primal) {
  LLVMTypeRef type = nb_type_combined(context, &derivative->request, primal);
  LLVMValueRef combined = nb_derive_declare(context, &derivative->request, "combined", type);
  nb_emit_combined(context, derivative, combined, primal);
  nb_derive_debug(&derivative->request, combined, "combined");
  nb_tidy_combined(context, derivative, combined);
  return combined;
}

static NbDerivative *make_apart(NbContext *context, const NbDerivative *derivative) {
  NbRequest wanted = derivative->request;
  wanted.apart = true;
  wanted.beside = true;
  return nb_derivative_of(context, &wanted);
}

/* The version for memory that lies apart, where it does, or else the other. */
static LLVMValueRef choose_combined(NbContext *context, const NbDerivative *derivative, bool primal,
                                    NbDerivative *apart, LLVMValueRef otherwise) {
  LLVMTypeRef type = LLVMGlobalGetValueType(otherwise);
  NbChoice choice = {.request = &derivative->request, .test = derivative->apart_test};
  choice.function = nb_derive_declare(context, &derivative->request, "choice", type);
  choice.versions[0] = otherwise;
  choice.versions[1] = nb_combined_of(context, apart, primal);
  nb_emit_choice(context, &choice);
  nb_derive_debug(&derivative->request, choice.function, "choice");
  nb_tidy_choice(context, choice.function);
  return choice.function;
}

static LLVMValueRef combine(NbContext *context, NbDerivative *derivative, bool primal) {
  NbDerivative *const *versions = derivative->versions;
  if (versions[0]) {
    LLVMValueRef otherwise = nb_combined_of(context, versions[0], primal);
    return choose_combined(context, derivative, primal, versions[1], otherwise);
  }
  LLVMValueRef combined = make_combined(context, derivative, primal);
  NbDerivative *apart = derivative->apart_test ? make_apart(context, derivative) : NULL;
  return apart ? choose_combined(context, derivative, primal, apart, combined) : combined;
}

LLVMValueRef nb_combined_of(NbContext *context, NbDerivative *derivative, bool primal) {
  LLVMValueRef *combined = &derivative->combined[primal];
  if (!*combined)
    *combined = combine(context, derivative, primal);
  return *combined;
}

/* --- Those of a callee -------------------------------------------------------------------------
 */

static bool reads_memory(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (nb_memory_may_read_any(at))
      return true;
  return false;
}

static bool is_used(LLVMValueRef function, unsigned parameter) {
  return LLVMGetFirstUse(LLVMGetParam(function, parameter)) != NULL;
}

/* The test that the reverse, where neither version keeps anything, may make with what it is given
 * anyway: it comes to no memory but that of shadows. NULL where it may not. */
static LLVMValueRef test_again(const NbDerivative *derivative) {
  const NbDerivative *one = derivative->versions[0], *other = derivative->versions[1];
  LLVMValueRef test = derivative->shadows_test;
  if (one->tape || other->tape || !test || reads_memory(test))
    return NULL;
  for (unsigned i = 0; i < nb_emit_tape_index(&derivative->request); i++) {
    bool used = is_used(one->reverse, i) || is_used(other->reverse, i);
    bool primal = i < derivative->request.count &&
                  LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(test, i))) == LLVMPointerTypeKind;
    if (used ? primal : is_used(test, i))
      return NULL;
  }
  return test;
}

/* Tapes of one type share their room. */
static NbVersionsTape lay_out(const NbContext *context, const NbDerivative *derivative) {
  NbVersionsTape tape = {NULL, {-1, -1}, 0};
  LLVMTypeRef types[3];
  unsigned count = 0;
  if (test_again(derivative))
    return tape;
  for (unsigned i = 0; i < 2; i++) {
    LLVMTypeRef type = derivative->versions[i]->tape;
    bool shared = i && type && type == derivative->versions[0]->tape;
    tape.fields[i] = shared ? tape.fields[0] : type ? (int)count : -1;
    if (type && !shared)
      types[count++] = type;
  }
  tape.decision = count;
  types[count++] = LLVMInt8TypeInContext(context->llvm);
  tape.type = LLVMStructTypeInContext(context->llvm, types, count, false);
  return tape;
}

typedef LLVMValueRef Part(const NbDerivative *derivative);

static LLVMValueRef augmented_of(const NbDerivative *derivative) { return derivative->augmented; }
static LLVMValueRef reverse_of(const NbDerivative *derivative) { return derivative->reverse; }
static LLVMValueRef again_of(const NbDerivative *derivative) { return derivative->reverse_again; }

static LLVMValueRef choose(NbContext *context, const NbDerivative *derivative, const char *name,
                           Part *part, const NbVersionsTape *tape) {
  LLVMValueRef versions[] = {part(derivative->versions[0]), part(derivative->versions[1])};
  LLVMTypeRef type = LLVMGlobalGetValueType(versions[0]);
  bool forward = part == augmented_of;
  NbChoice choice = {.request = &derivative->request,
                     .test = tape->type ? derivative->apart_test : test_again(derivative),
                     .function = nb_derive_declare(context, &derivative->request, name, type),
                     .versions = {versions[0], versions[1]},
                     .tape = tape};
  unsigned behind = nb_request_releases(&derivative->request) ? 2 : 1;
  choice.tape_index = forward ? nb_emit_tape_index(&derivative->request)
                              : LLVMCountParams(choice.function) - behind;
  if (tape->type)
    choice.decision = forward ? NB_DECISION_NOTED : NB_DECISION_READ;
  nb_emit_choice(context, &choice);
  nb_derive_debug(&derivative->request, choice.function, name);
  nb_tidy_chosen(context, choice.function, choice.test);
  return choice.function;
}

/* Its functions, as they are, become those of another. */
static NbDerivative *set_aside(NbContext *context, const NbDerivative *derivative) {
  NbDerivative *plain = NB_NEW(context->arena, NbDerivative);
  *plain = *derivative;
  plain->key = nb_arena_print(context->arena, "%s, wherever memory lies", derivative->key);
  plain->apart_test = NULL;
  plain->next = NULL;
  nb_derive_remember(context, plain);
  return plain;
}

void nb_versions_make(NbContext *context, NbDerivative *derivative) {
  NbDerivative *apart = make_apart(context, derivative);
  if (!apart)
    return;
  derivative->versions[0] = set_aside(context, derivative);
  derivative->versions[1] = apart;
  NbVersionsTape tape = lay_out(context, derivative);
  derivative->reverse = choose(context, derivative, "choice_reverse", reverse_of, &tape);
  if (derivative->reverse_again)
    derivative->reverse_again = choose(context, derivative, "choice_again", again_of, &tape);
  if (tape.type)
    derivative->augmented = choose(context, derivative, "choice_augmented", augmented_of, &tape);
  derivative->tape = tape.type;
  derivative->keeps_stacks |= apart->keeps_stacks;
  derivative->keeps_pointers |= apart->keeps_pointers;
}
