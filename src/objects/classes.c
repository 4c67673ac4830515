// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Union-find of classes, and the questions that the other stages ask about one. */
#include "objects/graph.h"

NbClass *nb_class_new(NbObjects *objects) {
  NbClass *class = NB_NEW(objects->arena, NbClass);
  class->parent = class;
  class->number = objects->count++;
  class->members = nb_list(objects->arena);
  class->functions = nb_list(objects->arena);
  return class;
}

NbClass *nb_class_find(NbClass *class) {
  while (class->parent != class) {
    class->parent = class->parent->parent;
    class = class->parent;
  }
  return class;
}

/* Makes `b` part of `a`; both represent. Their pointees are left to the caller. */
static void join(NbClass *a, NbClass *b) {
  b->parent = a;
  if (a->rank == b->rank)
    a->rank++;
  a->flags |= b->flags;
  a->parameters |= b->parameters;
  if (b->number < a->number)
    a->number = b->number;
  for (unsigned i = 0; i < b->members.count; i++)
    nb_list_push(&a->members, b->members.items[i]);
  for (unsigned i = 0; i < b->functions.count; i++)
    nb_list_push(&a->functions, b->functions.items[i]);
}

NbClass *nb_class_unify(NbClass *a, NbClass *b) {
  NbClass *first = a;
  a = nb_class_find(a);
  b = nb_class_find(b);
  while (a != b) {
    NbClass *winner = a->rank >= b->rank ? a : b;
    NbClass *loser = winner == a ? b : a;
    NbClass *target = winner->pointee;
    NbClass *other = loser->pointee;
    join(winner, loser);
    winner->pointee = target ? target : other;
    if (!target || !other)
      break;
    a = nb_class_find(target);
    b = nb_class_find(other);
  }
  return nb_class_find(first);
}

NbClass *nb_class_target(NbObjects *objects, NbClass *class) {
  class = nb_class_find(class);
  if (!class->pointee)
    class->pointee = nb_class_new(objects);
  return nb_class_find(class->pointee);
}

NbClass *nb_class_pointee(NbClass *class) {
  class = nb_class_find(class);
  if (!class->pointee)
    return NULL;
  NbClass *pointee = nb_class_find(class->pointee);
  return pointee->flags & NB_CLASS_POINTED ? pointee : NULL;
}

bool nb_class_is_external(NbClass *class) {
  return (nb_class_find(class)->flags & NB_CLASS_EXTERNAL) != 0;
}

uint64_t nb_class_parameters(NbClass *class) { return nb_class_find(class)->parameters; }

unsigned nb_class_number(NbClass *class) { return nb_class_find(class)->number; }

static const char *member_kind(LLVMValueRef member) {
  if (LLVMIsAArgument(member))
    return "param";
  if (LLVMIsAGlobalVariable(member))
    return "global";
  return LLVMIsAAllocaInst(member) ? "local" : "call";
}

char *nb_class_describe(NbArena *arena, NbClass *class) {
  class = nb_class_find(class);
  const char *text = "{";
  for (unsigned i = 0; i < class->members.count; i++) {
    LLVMValueRef member = class->members.items[i];
    LLVMValueRef named = nb_is_call(member) ? nb_callee(member) : member;
    text = nb_arena_print(arena, "%s%s%s %s", text, i ? ", " : "", member_kind(member),
                          named ? nb_name(named) : "?");
  }
  return nb_arena_print(arena, "%s%s}", text, class->flags & NB_CLASS_UNKNOWN ? " unknown" : "");
}
