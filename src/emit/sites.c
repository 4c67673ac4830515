// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/sites.h"

#include "emit/alias.h"
#include "emit/path.h"

enum { MOST_SITES = NB_MOST_SITES };

typedef uint64_t Set; /* of sites or of directions */

typedef struct NbSites {
  unsigned direction[MOST_SITES]; /* by site */
  LLVMValueRef loads[MOST_SITES];
  NbMap *joins;   /* block -> itself: where ways meet that numbers choose (path.h) */
  NbMap *by_site; /* value -> Set, the sites that its tangent comes from */
  unsigned count; /* of directions */
  NbMap *sets;    /* value -> Set, the directions of its tangent */
  Set memory;     /* those of all that is stored */
} NbSites;

static Set bit(unsigned index) { return (Set)1 << index; }

static bool is_number(LLVMValueRef value) { return nb_type_has_float(LLVMTypeOf(value)); }

/* --- Which loads a tangent comes through ------------------------------------------------------ */

static Set set_of(const NbMap *sets, LLVMValueRef value) {
  const Set *set = value ? nb_map_get(sets, value) : NULL;
  return set ? *set : 0;
}

static Set of_sources(const NbMap *sets, const NbStatement *statement) {
  Set all = 0;
  for (unsigned i = 0; i < statement->count; i++)
    all |= set_of(sets, statement->sources[i].value);
  return all;
}

static bool can_be_parted(const NbStatement *statement) {
  switch (statement->kind) {
  case NB_STATEMENT_SUM:
  case NB_STATEMENT_PHI:
    return !statement->member && nb_type_is_real(LLVMTypeOf(statement->result));
  case NB_STATEMENT_CHOOSE:
    return nb_type_is_real(LLVMTypeOf(statement->result)) &&
           LLVMGetTypeKind(LLVMTypeOf(statement->decision)) == LLVMIntegerTypeKind;
  case NB_STATEMENT_LOAD:
    return nb_type_is_real(statement->type) && (statement->site || statement->interleaved);
  case NB_STATEMENT_STORE:
  case NB_STATEMENT_ADD:
    return nb_type_is_real(statement->type) && statement->interleaved;
  case NB_STATEMENT_FILL:
    return !statement->part && !statement->device;
  case NB_STATEMENT_COPY:
    return !statement->device;
  case NB_STATEMENT_ALLOCATE:
  case NB_STATEMENT_RELEASE:
    return true;
  default:
    return false;
  }
}

/* Calls `visit` for all statements; false where it returned false. */
static bool each(const NbLinear *linear, bool (*visit)(const NbStatement *statement, void *user),
                 void *user) {
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      if (!visit(statement, user))
        return false;
  return true;
}

static bool check(const NbStatement *statement, void *user) {
  (void)user;
  return can_be_parted(statement);
}

/* While sets grow. */
typedef struct Growth {
  const NbLinear *linear;
  NbMap *sets;
  Set *memory;
  const unsigned *direction; /* of each site; NULL: a set is one of sites */
  bool changed;
} Growth;

static void grow(Growth *growth, Set *set, Set more) {
  growth->changed |= (more & ~*set) != 0;
  *set |= more;
}

static bool follow(const NbStatement *statement, void *user) {
  Growth *growth = user;
  Set more = of_sources(growth->sets, statement);
  if (statement->kind == NB_STATEMENT_STORE || statement->kind == NB_STATEMENT_ADD)
    grow(growth, growth->memory, more);
  if (!statement->result)
    return true;
  unsigned site = statement->site - 1;
  if (statement->kind == NB_STATEMENT_LOAD)
    more =
        statement->site ? bit(growth->direction ? growth->direction[site] : site) : *growth->memory;
  Set *set = nb_map_get(growth->sets, statement->result);
  if (!set) {
    set = NB_NEW(growth->linear->work->context->arena, Set);
    *set = 0;
    nb_map_set(growth->sets, statement->result, set);
  }
  grow(growth, set, more);
  return true;
}

/* Returns what memory has. */
static Set find_sets(const NbLinear *linear, NbMap *sets, const unsigned *direction) {
  Set memory = 0;
  Growth growth = {linear, sets, &memory, direction, true};
  while (growth.changed) {
    growth.changed = false;
    each(linear, follow, &growth);
  }
  return memory;
}

/* --- Directions ------------------------------------------------------------------------------- */

typedef struct Meeting {
  const NbMap *sets;
  Set met[MOST_SITES]; /* by site: those that come together with it */
  bool stays;          /* what is stored comes together with what is stored elsewhere */
} Meeting;

static void meet(Meeting *meeting, Set all) {
  for (unsigned site = 0; site < MOST_SITES; site++)
    if (all & bit(site))
      meeting->met[site] |= all;
}

static bool note_meeting(const NbStatement *statement, void *user) {
  Meeting *meeting = user;
  bool loads = statement->kind == NB_STATEMENT_LOAD && !statement->site;
  meeting->stays |=
      loads || statement->kind == NB_STATEMENT_ADD || statement->kind == NB_STATEMENT_COPY;
  meet(meeting, statement->kind == NB_STATEMENT_LOAD ? 0 : of_sources(meeting->sets, statement));
  return true;
}

/* The first direction that none of the sites before has that it meets. */
static unsigned first_free(const NbSites *sites, const Meeting *meeting, unsigned site) {
  Set taken = 0;
  for (unsigned before = 0; before < site; before++)
    if (meeting->met[site] & bit(before))
      taken |= bit(sites->direction[before]);
  unsigned direction = 0;
  while (taken & bit(direction))
    direction++;
  return direction;
}

static void choose(const NbLinear *linear, NbSites *sites) {
  NbMap *sets = nb_map_new(linear->work->context->arena);
  Set memory = find_sets(linear, sets, NULL);
  sites->by_site = sets;
  Meeting meeting = {.sets = sets};
  each(linear, note_meeting, &meeting);
  if (meeting.stays)
    meet(&meeting, memory);
  for (unsigned site = 0; site < linear->site_count; site++) {
    sites->direction[site] = first_free(sites, &meeting, site);
    if (sites->direction[site] >= sites->count)
      sites->count = sites->direction[site] + 1;
  }
}

/* Numbers among the arguments would have tangents in all directions. */
static bool takes_numbers(const NbLinear *linear) {
  const NbRequest *request = linear->work->request;
  for (unsigned i = 0; i < request->count; i++)
    if (nb_role_has_shadow(request->roles[i]) && is_number(linear->parameters[i]))
      return true;
  return false;
}

static bool note_load(const NbStatement *statement, void *user) {
  NbSites *sites = user;
  if (statement->site)
    sites->loads[statement->site - 1] = statement->origin;
  return true;
}

/* A number that comes from a load on one way may not come from it on the other, but the column is
 * that of the load: it must be known where the ways meet. */
static bool knows_loads(const NbStatement *statement, void *user) {
  const NbLinear *linear = user;
  const NbSites *sites = linear->sites;
  Set set = nb_sites_meet(linear, statement) ? set_of(sites->by_site, statement->result) : 0;
  for (unsigned site = 0; site < linear->site_count; site++)
    if (set & bit(site) &&
        !nb_dominates(linear->work->context->analyses, sites->loads[site], statement->origin))
      return false;
  return true;
}

bool nb_sites_assign(NbLinear *linear) {
  NbArena *arena = linear->work->context->arena;
  NbMap *joins = nb_map_new(arena);
  if (takes_numbers(linear) || linear->site_count > MOST_SITES || !each(linear, check, NULL) ||
      !nb_path_is_one(linear, joins))
    return false;
  linear->sites = NB_NEW(arena, NbSites);
  *linear->sites = (NbSites){.count = 1, .joins = joins};
  choose(linear, linear->sites);
  each(linear, note_load, linear->sites);
  return linear->sites->count <= linear->width && each(linear, knows_loads, linear);
}

bool nb_sites_meet(const NbLinear *linear, const NbStatement *statement) {
  return statement->kind == NB_STATEMENT_PHI &&
         nb_map_has(linear->sites->joins, LLVMGetInstructionParent(statement->origin));
}

unsigned nb_sites_loads(const NbLinear *linear, LLVMValueRef value, unsigned direction,
                        LLVMValueRef *loads) {
  unsigned count = 0;
  Set set = set_of(linear->sites->by_site, value);
  for (unsigned site = 0; site < linear->site_count; site++)
    if (set & bit(site) && linear->sites->direction[site] == direction)
      loads[count++] = linear->sites->loads[site];
  return count;
}

void nb_sites_spread(NbLinear *linear) {
  linear->sites->sets = nb_map_new(linear->work->context->arena);
  linear->sites->memory = find_sets(linear, linear->sites->sets, linear->sites->direction);
}

uint64_t nb_sites_of(const NbLinear *linear, LLVMValueRef value) {
  return set_of(linear->sites->sets, value);
}

uint64_t nb_sites_in_memory(const NbLinear *linear) { return linear->sites->memory; }

unsigned nb_sites_direction(const NbLinear *linear, const NbStatement *load) {
  return linear->sites->direction[load->site - 1];
}

static LLVMValueRef list_of_numbers(const NbLinear *linear) {
  unsigned i = 0;
  while (!linear->work->request->inputs[i])
    i++;
  return linear->shadow_parameters[i];
}

/* Which number of its memory is accessed. */
static LLVMValueRef number_of(const NbLinear *linear, LLVMBuilderRef builder,
                              const NbStatement *access) {
  LLVMTypeRef word = LLVMInt64TypeInContext(linear->work->context->llvm);
  uint64_t size = LLVMABISizeOfType(linear->work->context->layout, access->type) * linear->width;
  LLVMValueRef from = LLVMBuildPtrToInt(builder, access->listed, word, "");
  LLVMValueRef to = LLVMBuildPtrToInt(builder, access->addresses[0], word, "");
  LLVMValueRef bytes = LLVMBuildSub(builder, to, from, "");
  return LLVMBuildExactSDiv(builder, bytes, LLVMConstInt(word, size, false), "");
}

LLVMValueRef nb_sites_entry(const NbLinear *linear, LLVMBuilderRef builder,
                            const NbStatement *access, unsigned direction) {
  LLVMContextRef llvm = linear->work->context->llvm;
  LLVMTypeRef word = LLVMInt64TypeInContext(llvm), entry = LLVMInt32TypeInContext(llvm);
  LLVMValueRef number = number_of(linear, builder, access);
  LLVMValueRef index =
      LLVMBuildMul(builder, number, LLVMConstInt(word, linear->sites->count, false), "");
  index = LLVMBuildAdd(builder, index, LLVMConstInt(word, direction, false), "");
  LLVMValueRef place = LLVMBuildGEP2(builder, entry, access->listed, &index, 1, "");
  LLVMValueRef which = LLVMBuildLoad2(builder, entry, place, "entry");
  nb_alias_shadow(linear, which);
  which = LLVMBuildSExt(builder, which, word, "");
  return LLVMBuildGEP2(builder, access->type, list_of_numbers(linear), &which, 1, "");
}

unsigned nb_sites_directions(const NbLinear *linear) {
  return linear->sites ? linear->sites->count : 0;
}
