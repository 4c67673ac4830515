// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An enzyme_dupnoneed argument whose memory the function reads after all. A call that passes an
 * address has such memory, and means that it wants no values back: there the argument is
 * enzyme_dup. Where it passes none, the refusal stays. */
#include "request/serving.h"

static bool only_needed(const NbRefusal *refusal) {
  bool any = refusal != NULL;
  for (; any && refusal; refusal = refusal->next)
    any = refusal->id == NB_ERROR_NEEDED;
  return any;
}

static void remark(const NbServing *serving, unsigned index) {
  const char *text = nb_arena_print(
      serving->context->arena,
      "the memory of parameter %u of '%s' is used for more than storing results, so that "
      "enzyme_dupnoneed is enzyme_dup here",
      index + 1, nb_user_name(serving->context, serving->function));
  nb_report(serving->context->analyses, NB_SEVERITY_REMARK, serving->call, serving->call, "Needed",
            text);
}

/* False where an argument that has no memory may be the one that is read. */
static bool take_memory_for_needed(NbServing *serving) {
  NbRequest *request = &serving->request;
  NbRole *roles = NB_NEW_ARRAY(serving->context->arena, NbRole, request->count + 1);
  for (unsigned i = 0; i < request->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, i));
    bool unneeded = request->roles[i] == NB_ROLE_DUPNONEED &&
                    LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    roles[i] = unneeded ? NB_ROLE_DUP : request->roles[i];
    if (unneeded && i < serving->arguments.count && nb_leads_nowhere(serving->arguments.items[i]))
      return false;
  }
  for (unsigned i = 0; i < request->count; i++)
    if (roles[i] != request->roles[i])
      remark(serving, i);
  request->roles = roles;
  return true;
}

NbDerivative *nb_serving_derivative(NbServing *serving) {
  NbContext *context = serving->context;
  NbRefusal **refused = context->last_refusal ? context->last_refusal : &context->refusals;
  NbDerivative **made = context->last ? context->last : &context->all;
  NbDerivative *derivative = nb_derivative_of(context, &serving->request);
  if (derivative || !only_needed(*refused) || !take_memory_for_needed(serving))
    return derivative;
  *refused = NULL;
  context->last_refusal = refused == &context->refusals ? NULL : refused;
  for (NbDerivative *other = *made; other; other = other->next)
    if (other->failed)
      other->key = "";
  return nb_derivative_of(context, &serving->request);
}
