// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The printer of types: one line for each class, facts as "offset+period*k kind". */
#include "types/facts.h"

#include <stdio.h>

static const char *kind_name(const NbFact *fact) {
  switch (fact->kind) {
  case NB_KIND_INTEGER:
    return "integer";
  case NB_KIND_POINTER:
    return "pointer";
  case NB_KIND_FLOAT:
    return LLVMGetTypeKind(fact->type) == LLVMFloatTypeKind ? "float" : "double";
  case NB_KIND_CONFLICT:
    return "conflict";
  default:
    return "unknown";
  }
}

/* Returns false where it printed the fact: what is only declared is not shown. */
static bool print_fact(const NbFact *fact, bool first) {
  if (fact->declared)
    return true;
  const NbPlace *place = &fact->place;
  fprintf(stderr, "%s %lld", first ? "" : ",", (long long)place->base);
  if (place->count > 1)
    fprintf(stderr, "+%llux%llu", (unsigned long long)place->inner,
            (unsigned long long)place->count);
  if (place->period)
    fprintf(stderr, "+%lluk", (unsigned long long)place->period);
  fprintf(stderr, " %s", kind_name(fact));
  if (fact->kind == NB_KIND_INTEGER)
    fprintf(stderr, "%llu", (unsigned long long)fact->size * 8);
  return false;
}

static void print_class(NbTypes *types, NbArena *arena, NbClass *class) {
  NbFacts *facts = nb_facts_of(types, class);
  NbClass *pointee = nb_class_pointee(class);
  bool first = true;
  fprintf(stderr, "  class %u %s:", nb_class_number(class), nb_class_describe(arena, class));
  for (unsigned i = 0; i < facts->count; i++)
    first = print_fact(&facts->items[i], first) && first;
  fprintf(stderr, "%s%s", facts->untyped ? " untyped" : "", facts->full ? " full" : "");
  if (pointee)
    fprintf(stderr, " -> class %u", nb_class_number(pointee));
  fputc('\n', stderr);
}

static void print_reachable(NbTypes *types, NbArena *arena, NbMap *done, NbClass *class) {
  for (; class; class = nb_class_pointee(class)) {
    class = nb_class_find(class);
    bool empty = !nb_facts_of(types, class)->count && !class->members.count;
    if (nb_map_has(done, class) || (class->flags & NB_CLASS_FUNCTION))
      return;
    nb_map_set(done, class, class);
    if (!empty)
      print_class(types, arena, class);
  }
}

void nb_types_print(NbTypes *types) {
  NbObjects *objects = types->objects;
  NbArena *arena = nb_arena_new();
  NbMap *done = nb_map_new(arena);
  for (unsigned i = 0; i < objects->functions.count; i++)
    fprintf(stderr, "types of @%s\n", nb_name(objects->functions.items[i]));
  for (unsigned i = 0; i < nb_map_count(objects->values); i++)
    print_reachable(types, arena, done,
                    nb_map_get(objects->values, nb_map_key(objects->values, i)));
  nb_arena_free(arena);
}
