// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arrays of structs of mixed members that grow, by copies of as many bytes as elements take. */
#include "cases.h"

/* --- A few elements: facts about these alone, and about every second one where loops are unrolled.
 * --- */

enum { FEW = 6 };

typedef struct {
  int number;
  char name[3];
  real weight;
  real at[3];
} Named;

typedef struct {
  Named *items;
  int count, room;
} Names;

static Named *add_named(Names *names) {
  if (names->count == names->room) {
    int room = names->room + names->room / 2 + 1;
    Named *more = (Named *)calloc((size_t)room, sizeof *more);
    if (names->items)
      memcpy(more, names->items, (size_t)names->count * sizeof *more);
    free(names->items);
    names->items = more;
    names->room = room;
  }
  return &names->items[names->count++];
}

SUM(few_named, 6, 0.3, 0.7, 1.1, 1.9, 0.4, 0.8) {
  Names names = {NULL, 0, 0};
  for (int i = 0; i < FEW; i++) {
    Named *one = add_named(&names);
    one->number = i * n;
    for (int k = 0; k < 3; k++) {
      one->name[k] = (char)(i + k);
      one->at[k] = x[i] * (k + 1);
    }
    one->weight = x[i] * x[0];
  }
  real sum = 0;
  for (int i = 0; i < names.count; i++) {
    const Named *one = &names.items[i];
    sum += sin(one->name[i % 3] * one->weight * one->at[i % 3]) + one->number * one->at[1];
  }
  free(names.items);
  return sum;
}

typedef struct {
  long number;
  unsigned kind;
  real at[4];
} Kind;

SUM(few_thrice, 6, 0.3, 0.7, 1.1, 1.9, 0.4, 0.8) {
  Kind *kinds = NULL;
  int count = 0, room = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < FEW; i++) {
      if (count == room) {
        int larger = room ? 2 * room : 4;
        Kind *more = (Kind *)calloc((size_t)larger, sizeof *more);
        if (kinds)
          memcpy(more, kinds, (size_t)count * sizeof *more);
        free(kinds);
        kinds = more;
        room = larger;
      }
      kinds[count].number = i * n;
      kinds[count].kind = (unsigned)(i + round);
      kinds[count].at[0] = x[i];
      kinds[count].at[1] = 1.5;
      kinds[count].at[2] = 3 * x[i];
      kinds[count].at[3] = x[(i + 1) % FEW];
      count++;
    }
  }
  real sum = 0;
  for (int i = 0; i < count; i++)
    sum += kinds[i].at[0] * kinds[i].at[3] * (real)kinds[i].kind +
           kinds[i].at[2] * (real)kinds[i].number;
  free(kinds);
  return sum;
}

/* --- The first element is written apart, where the optimiser peels a loop. --- */

typedef struct {
  real at[3];
  int number;
} Place;

typedef struct {
  Place *items;
  int count, room;
} Places;

static void add_place(Places *places, Place place) {
  if (places->count == places->room) {
    places->room = places->room ? 2 * places->room : 2;
    Place *more = (Place *)malloc((size_t)places->room * sizeof *more);
    if (places->count)
      memcpy(more, places->items, (size_t)places->count * sizeof *more);
    free(places->items);
    places->items = more;
  }
  places->items[places->count++] = place;
}

SUM(first_apart, 5, 0.3, 0.7, 1.1, 1.9, 0.4) {
  Places places = {NULL, 0, 0};
  for (int i = 0; i < n; i++) {
    Place place = {{x[i], x[i] * x[i], 2 * x[i]}, i};
    add_place(&places, place);
  }
  real sum = 0;
  for (int i = 0; i < places.count; i++) {
    const Place *place = &places.items[i];
    sum += place->at[0] * place->at[1] * place->number + sin(place->at[2]);
  }
  free(places.items);
  return sum;
}

/* --- The elements of a local array move to memory of their own. --- */

SUM(kept_places, 6, 0.3, 0.7, 1.1, 1.9, 0.4, 0.8) {
  Named found[8];
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0.35)
      continue;
    Named *one = &found[count++];
    one->number = i;
    one->weight = x[i] * x[0];
    for (int k = 0; k < 3; k++) {
      one->name[k] = (char)(i + k);
      one->at[k] = x[i] * (k + 1);
    }
  }
  Named *kept = (Named *)malloc((size_t)(count + 1) * sizeof *kept);
  memcpy(kept, found, (size_t)count * sizeof *kept);
  real sum = 0;
  for (int i = 0; i < count; i++)
    sum +=
        kept[i].weight * kept[i].at[i % 3] * kept[i].name[i % 3] + kept[i].number * kept[i].at[2];
  free(kept);
  return sum;
}

/* --- By helpers that see no more than bytes, and in the loop itself. --- */

typedef struct {
  int start;
  real at[4];
  char mark;
  real weight;
} Track;

static NOINLINE void *resized(void *old, size_t bytes) {
  void *now = realloc(old, bytes);
  if (!now)
    abort();
  return now;
}

static NOINLINE void set_track(Track *track, int n, const real *x, int i) {
  track->start = i;
  for (int k = 0; k < 4; k++)
    track->at[k] = x[(i + k) % n] * x[i % n];
  track->mark = 't';
  track->weight = x[i % n];
}

static NOINLINE real along(const Track *tracks, int count) {
  real sum = 0;
  for (int i = 0; i < count; i++)
    sum += tracks[i].at[tracks[i].start % 4] * tracks[count - 1 - i].weight;
  return sum;
}

SUM(tracks_grown_by_a_helper, 4, 0.5, 0.25, 1.5, 2.0) {
  Track *tracks = NULL;
  for (int i = 0; i < 2 * n; i++) {
    tracks = (Track *)resized(tracks, (size_t)(i + 1) * sizeof *tracks);
    set_track(&tracks[i], n, x, i);
  }
  real sum = along(tracks, 2 * n);
  free(tracks);
  return sum;
}

SUM(tracks_doubled_in_the_loop, 4, 0.5, 0.25, 1.5, 2.0) {
  int room = 1;
  Track *tracks = (Track *)malloc(sizeof *tracks);
  for (int i = 0; i < 2 * n; i++) {
    if (i == room) {
      Track *more = (Track *)malloc(2 * (size_t)room * sizeof *more);
      memcpy(more, tracks, (size_t)room * sizeof *more);
      free(tracks);
      tracks = more;
      room *= 2;
    }
    set_track(&tracks[i], n, x, i);
  }
  real sum = along(tracks, 2 * n);
  free(tracks);
  return sum;
}

SUM(tracks_inserted_in_order, 4, 0.5, 0.25, 1.5, 2.0) {
  Track *tracks = NULL;
  for (int count = 0; count < 2 * n; count++) {
    int at = 0;
    tracks = (Track *)realloc(tracks, (size_t)(count + 1) * sizeof *tracks);
    while (at < count && tracks[at].weight < x[count % n])
      at++;
    memmove(tracks + at + 1, tracks + at, (size_t)(count - at) * sizeof *tracks);
    set_track(&tracks[at], n, x, count);
  }
  real sum = along(tracks, 2 * n);
  free(tracks);
  return sum;
}

/* --- Of pointers to anything: what moves on in the array by memmove is told of no place anew. ---
 */

typedef struct {
  void **at;
  int count, room;
} Bag;

static NOINLINE void keep(Bag *bag, void *item) {
  if (bag->count == bag->room) {
    bag->room = bag->room * 2 + 2;
    bag->at = (void **)realloc(bag->at, (size_t)bag->room * sizeof *bag->at);
  }
  bag->at[bag->count++] = item;
}

static NOINLINE void drop(Bag *bag, int i) {
  free(bag->at[i]);
  memmove(bag->at + i, bag->at + i + 1, (size_t)(bag->count - i - 1) * sizeof *bag->at);
  bag->count--;
}

static NOINLINE void sort_bag(Bag *bag, int (*order)(const void *, const void *)) {
  for (int i = 1; i < bag->count; i++)
    for (int k = i; k > 0 && order(bag->at[k - 1], bag->at[k]) > 0; k--) {
      void *item = bag->at[k];
      bag->at[k] = bag->at[k - 1];
      bag->at[k - 1] = item;
    }
}

typedef struct {
  real first, second;
  int number;
} Pair;

static int by_number(const void *a, const void *b) {
  return ((const Pair *)a)->number - ((const Pair *)b)->number;
}

SUM(bag_of_pointers, 3, 0.3, 0.7, 1.1) {
  Bag bag = {NULL, 0, 0};
  for (int i = 0; i < FEW; i++) {
    Pair *pair = (Pair *)malloc(sizeof *pair);
    pair->first = x[i % 3] * i;
    pair->second = x[(i + 1) % 3];
    pair->number = (i * 5) % FEW;
    keep(&bag, pair);
  }
  sort_bag(&bag, by_number);
  drop(&bag, 2);
  real sum = 0;
  for (int i = 0; i < bag.count; i++) {
    const Pair *pair = (const Pair *)bag.at[i];
    sum = sum * x[n - 1] + pair->first * pair->second;
  }
  while (bag.count)
    drop(&bag, bag.count - 1);
  free(bag.at);
  return sum;
}

/* --- Cells that grow, in an array whose elements lead to each other. ------------------------- */

typedef struct {
  real at[3];
  int id;
} Particle;

typedef struct Cell {
  Particle *particles;
  int count, room;
  struct Cell *beside[2];
} Cell;

enum { CELLS = 3 };

static void put(Cell *cell, const Particle *particle) {
  if (cell->count == cell->room) {
    cell->room = 2 * cell->room + 1;
    cell->particles = (Particle *)realloc(cell->particles, (size_t)cell->room * sizeof *particle);
  }
  cell->particles[cell->count++] = *particle;
}

SUM(cells_beside_each_other, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  Cell *cells = (Cell *)calloc(CELLS, sizeof *cells);
  real r = 0;
  for (int i = 0; i < CELLS; i++) {
    cells[i].beside[0] = &cells[(i + 1) % CELLS];
    cells[i].beside[1] = &cells[(i + 2) % CELLS];
  }
  for (int i = 0; i < n; i++) {
    Particle particle = {{0}, i};
    for (int k = 0; k < 3; k++)
      particle.at[k] = x[i] * (k + 1);
    put(&cells[i % CELLS], &particle);
  }
  for (int c = 0; c < CELLS; c++)
    for (int b = 0; b < 2; b++)
      for (int i = 0; i < cells[c].count; i++)
        for (int k = 0; k < cells[c].beside[b]->count; k++)
          r += cells[c].particles[i].at[0] * cells[c].beside[b]->particles[k].at[1] * (i + 1);
  for (int c = 0; c < CELLS; c++)
    free(cells[c].particles);
  free(cells);
  return r;
}

/* --- A struct that ends with its numbers, and is resized by what it says of itself. --- */

typedef struct {
  int count;
  float scale;
  real numbers[];
} Flexible;

static Flexible *append(Flexible *all, real number) {
  all = (Flexible *)realloc(all, sizeof *all + (size_t)(all->count + 1) * sizeof number);
  all->numbers[all->count++] = number;
  return all;
}

SUM(resized_by_its_count, 6, 0.3, 0.7, 1.1, 1.9, 0.4, 0.8) {
  Flexible *all = (Flexible *)malloc(sizeof *all);
  all->count = 0;
  all->scale = 2;
  for (int i = 0; i < n; i++)
    all = append(all, x[i] * x[i] * (double)all->scale);
  size_t bytes = sizeof *all + (size_t)all->count * sizeof(real);
  Flexible *other = (Flexible *)malloc(bytes);
  memcpy(other, all, bytes);
  real sum = 0;
  for (int i = 0; i < other->count; i++)
    sum += other->numbers[i] * all->numbers[all->count - 1 - i];
  free(all);
  free(other);
  return sum;
}
