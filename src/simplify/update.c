// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* `t(l) = *p'; ...; *p' = t(l) + rest` is `*p' += rest`: what a program adds to memory is added to
 * the shadow. Its transpose reads the adjoint and leaves it where it is; that of the load and the
 * store would take it out and put it back.
 *
 * The load moves down to the store: nothing between the two writes what it reads. That other loads
 * stand between is no matter: their transposes add to shadows, and so did that of this one. */
#include "simplify/steps.h"

enum { MAX_BETWEEN = 256, MAX_CHAIN = 16 };

typedef struct Update {
  NbLinear *linear;
  NbMap *defined_by; /* value -> the one LOAD or SUM that defines it */
  NbMap *uses;       /* value -> number of times that its tangent is read */
} Update;

static void count_use(Update *update, LLVMValueRef value) {
  if (value)
    nb_map_set(update->uses, value, (void *)((uintptr_t)nb_map_get(update->uses, value) + 1));
}

static void note_statement(Update *update, NbStatement *statement) {
  bool sum = statement->kind == NB_STATEMENT_SUM && !statement->member && !statement->speculated;
  if (sum || statement->kind == NB_STATEMENT_LOAD)
    nb_map_set(update->defined_by, statement->result, statement);
  for (unsigned i = 0; i < statement->count; i++)
    count_use(update, statement->sources[i].value);
}

static void note_all(Update *update) {
  const NbWork *work = update->linear->work;
  for (unsigned i = 0; i < work->block_count; i++)
    for (NbStatement *statement = update->linear->blocks[i].first; statement;
         statement = statement->next)
      note_statement(update, statement);
  if (work->return_inst && work->request->result != NB_ROLE_CONST)
    count_use(update, LLVMGetOperand(work->return_inst, 0));
}

static bool may_write(const Update *update, const NbStatement *statement, const NbStatement *load) {
  switch (statement->kind) {
  case NB_STATEMENT_STORE:
  case NB_STATEMENT_ADD:
  case NB_STATEMENT_FILL:
  case NB_STATEMENT_COPY:
  case NB_STATEMENT_CALL: {
    const NbContext *context = update->linear->work->context;
    return nb_memory_may_write(context->analyses, statement->origin,
                               LLVMGetOperand(load->origin, 0), nb_store_size(context, load->type));
  }
  case NB_STATEMENT_ALLOCATE:
  case NB_STATEMENT_RELEASE:
    return true;
  default:
    return false;
  }
}

static bool is_undisturbed(const Update *update, const NbStatement *load,
                           const NbStatement *store) {
  const NbStatement *between = load->next;
  for (unsigned i = 0; between && between != store && i < MAX_BETWEEN; i++) {
    if (may_write(update, between, load))
      return false;
    between = between->next;
  }
  return between == store;
}

static bool is_of(const Update *update, const NbStatement *load, const NbStatement *store) {
  return load->addresses[0] == store->addresses[0] && load->type == store->type &&
         is_undisturbed(update, load, store);
}

/* The definition of a source that is only added. */
static NbStatement *added(const Update *update, const NbSource *source, LLVMTypeRef type) {
  bool plain = source->value && nb_simplify_is_one(source->coefficient) &&
               (uintptr_t)nb_map_get(update->uses, source->value) == 1 &&
               LLVMTypeOf(source->value) == type;
  return plain ? nb_map_get(update->defined_by, source->value) : NULL;
}

static void drop_source(NbStatement *statement, unsigned index) {
  statement->count--;
  for (unsigned i = index; i < statement->count; i++)
    statement->sources[i] = statement->sources[i + 1];
}

/* Finds the load among the terms of `statement`, or of the sums among them, and drops it there. */
static NbStatement *take_load(const Update *update, NbStatement *statement,
                              const NbStatement *store, unsigned depth) {
  for (unsigned i = 0; i < statement->count; i++) {
    NbStatement *term = added(update, &statement->sources[i], store->type);
    bool load = term && term->kind == NB_STATEMENT_LOAD;
    if (load && !term->either && is_of(update, term, store)) {
      drop_source(statement, i);
      return term;
    }
    NbStatement *found =
        term && !load && depth > 0 ? take_load(update, term, store, depth - 1) : NULL;
    if (found)
      return found;
  }
  return NULL;
}

static void update_in_place(Update *update, NbStatement *store) {
  if (!LLVMIsAStoreInst(store->origin))
    return;
  NbStatement *load = take_load(update, store, store, MAX_CHAIN);
  if (!load)
    return;
  store->kind = NB_STATEMENT_ADD;
  if (store->count == 0)
    nb_simplify_remove(update->linear, store);
  nb_simplify_remove(update->linear, load);
  nb_map_set(update->linear->active, load->result, NULL);
}

void nb_simplify_update(NbLinear *linear) {
  NbArena *arena = linear->work->context->arena;
  Update update = {linear, nb_map_new(arena), nb_map_new(arena)};
  note_all(&update);
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (NbStatement *statement = linear->blocks[i].first; statement; statement = statement->next)
      if (statement->kind == NB_STATEMENT_STORE)
        update_in_place(&update, statement);
}
