// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of which the user says that they have no derivative. That is believed of numbers; but
 * pointers that they store lead, in the shadow, nowhere. */
#include "activity/flow.h"

#include "request/registrations.h"

static bool is_varied(const NbActivity *activity, NbClass *class) {
  return (nb_activity_class_bits(activity, class) & NB_VARIED) != 0;
}

/* Has the memory a shadow, or would it have one if it were known what leads to it? */
static bool has_shadow(const NbActivity *activity, NbClass *class) {
  return nb_activity_class_shadowed(activity, class) || is_varied(activity, class);
}

static bool is_of_numbers(const NbActivity *activity, NbClass *class) {
  const NbFacts *facts = nb_facts_of(activity->types, class);
  for (unsigned i = 0; i < facts->count; i++)
    if (facts->items[i].kind == NB_KIND_FLOAT)
      return true;
  return false;
}

/* Memory of which it is known that numbers lie there. What nothing says of may hold anything. */
static bool has_numbers(const NbActivity *activity, NbClass *class) {
  return has_shadow(activity, class) && is_of_numbers(activity, class);
}

/* Does the function store pointers where some to such memory lie, or store or return such? */
static bool loses_pointers(const NbActivity *activity, LLVMValueRef call, LLVMValueRef body) {
  NbList replaced = nb_graph_replaced_by(activity->objects, call, body);
  for (unsigned i = 0; i < replaced.count; i += 2) {
    NbClass *class = replaced.items[i], *seen = replaced.items[i + 1];
    if (nb_activity_reaches(activity, class, has_numbers) ||
        (nb_activity_reaches(activity, class, has_shadow) &&
         nb_activity_reaches(activity, seen, is_of_numbers)))
      return true;
  }
  return false;
}

bool nb_activity_check_untold(const NbActivity *activity, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  const NbCustom *custom = callee ? nb_custom_of(activity->context, callee) : NULL;
  for (unsigned i = 0; custom && custom->untold && i < LLVMGetNumArgOperands(call); i++) {
    NbClass *class = nb_value_class_known(activity->objects, LLVMGetOperand(call, i));
    if (class && nb_class_holds_pointers(class) && nb_activity_reaches(activity, class, is_varied))
      return nb_refuse(activity->context, NB_ERROR_REGISTERED_APART, call,
                       "'%s' and its registered derivatives are only declared here, and its "
                       "argument %u leads to further memory: nothing tells what they do there",
                       nb_shown_name(activity->context, callee), i + 1);
  }
  return true;
}

bool nb_activity_check_told(const NbActivity *activity, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(activity->context, call, NULL);
  LLVMValueRef body = nb_graph_told_body(activity->context, call, rule);
  return !body || !loses_pointers(activity, call, body) ||
         nb_refuse(activity->context, NB_ERROR_INACTIVE_POINTER, call,
                   "'%s', which is declared to have no derivative, stores or returns a pointer to "
                   "memory with a derivative, or stores one in its place, and the shadow would not "
                   "follow",
                   nb_shown_name(activity->context, body));
}
