// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* -nabla-print=objects: the classes of memory, and which pointers lead from one to another. */
#include "objects/graph.h"
#include "objects/place.h"

#include <stdio.h>

void nb_class_print_targets(const NbClass *class) {
  const char *before = " ->";
  for (unsigned i = 0; i < class->field_count; i++) {
    const NbField *field = &class->fields[i];
    NbClass *target = nb_class_find(field->target);
    if (!(target->flags & NB_CLASS_POINTED))
      continue;
    fprintf(stderr, "%s class %u", before, nb_class_number(target));
    if (class->field_count > 1)
      fprintf(stderr, " at %lld", (long long)field->place.base);
    if (class->field_count > 1 && nb_place_step(&field->place))
      fprintf(stderr, "+%lluk", (unsigned long long)nb_place_step(&field->place));
    before = ",";
  }
}

typedef struct Printer {
  NbArena *arena;
  NbMap *done;
} Printer;

static bool print_class(void *user, NbClass *class) {
  Printer *printer = user;
  if (nb_map_has(printer->done, class))
    return false;
  nb_map_set(printer->done, class, class);
  fprintf(stderr, "  class %u %s", nb_class_number(class),
          nb_class_describe(printer->arena, class));
  nb_class_print_targets(class);
  fputc('\n', stderr);
  return false;
}

void nb_objects_print(const NbObjects *objects) {
  NbArena *arena = nb_arena_new();
  Printer printer = {arena, nb_map_new(arena)};
  for (unsigned i = 0; i < objects->functions.count; i++)
    fprintf(stderr, "objects of @%s\n", nb_name(objects->functions.items[i]));
  for (unsigned i = 0; i < nb_map_count(objects->values); i++)
    nb_class_walk(nb_map_get(objects->values, nb_map_key(objects->values, i)), print_class,
                  &printer);
  nb_arena_free(arena);
}
