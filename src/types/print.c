// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The printer of types: one line for each class, facts as "offset+period*k kind". */
#include "types/facts.h"

#include <stdio.h>

static const char *float_name(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
    return "half";
  case LLVMBFloatTypeKind:
    return "bfloat";
  case LLVMFloatTypeKind:
    return "float";
  case LLVMX86_FP80TypeKind:
    return "x86_fp80";
  default:
    return "double";
  }
}

static const char *kind_name(const NbFact *fact) {
  switch (fact->kind) {
  case NB_KIND_INTEGER:
    return "integer";
  case NB_KIND_POINTER:
    return "pointer";
  case NB_KIND_FLOAT:
    return float_name(fact->type);
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
  const NbOffsets *place = &fact->place;
  fprintf(stderr, "%s %lld", first ? "" : ",", (long long)place->base);
  if (place->count > 1)
    fprintf(stderr, "+%llux%llu", (unsigned long long)place->inner,
            (unsigned long long)place->count);
  if (place->period)
    fprintf(stderr, "+%lluk", (unsigned long long)place->period);
  fprintf(stderr, " %s", kind_name(fact));
  if (fact->kind == NB_KIND_INTEGER)
    fprintf(stderr, "%llu", (unsigned long long)fact->size * 8);
  fprintf(stderr, "%s%s", place->loose ? " loose" : "",
          fact->beyond    ? " beyond"
          : fact->further ? " further"
                          : "");
  return false;
}

static void print_class(NbTypes *types, NbArena *arena, NbClass *class) {
  NbFacts *facts = nb_facts_of(types, class);
  bool first = true;
  fprintf(stderr, "  class %u %s:", nb_class_number(class), nb_class_describe(arena, class));
  for (unsigned i = 0; i < facts->count; i++)
    first = print_fact(&facts->items[i], first) && first;
  fprintf(stderr, "%s%s", facts->untyped ? " untyped" : "", facts->full ? " full" : "");
  nb_class_print_targets(class);
  fputc('\n', stderr);
}

typedef struct Printer {
  NbTypes *types;
  NbArena *arena;
  NbMap *done;
} Printer;

static bool print_reachable(void *user, NbClass *class) {
  Printer *printer = user;
  bool empty = !nb_facts_of(printer->types, class)->count && !nb_class_member_count(class);
  if (nb_map_has(printer->done, class) || (class->flags & NB_CLASS_FUNCTION))
    return false;
  nb_map_set(printer->done, class, class);
  if (!empty)
    print_class(printer->types, printer->arena, class);
  return false;
}

void nb_types_print(NbTypes *types) {
  NbObjects *objects = types->objects;
  NbArena *arena = nb_arena_new();
  Printer printer = {types, arena, nb_map_new(arena)};
  for (unsigned i = 0; i < objects->functions.count; i++)
    fprintf(stderr, "types of @%s\n", nb_name(objects->functions.items[i]));
  for (unsigned i = 0; i < nb_map_count(objects->values); i++)
    nb_class_walk(nb_map_get(objects->values, nb_map_key(objects->values, i)), print_reachable,
                  &printer);
  nb_arena_free(arena);
}
