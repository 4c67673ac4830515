// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where variables are declared: with their first value where that is in reach of all uses, else at
 * the beginning of the innermost body that has them all. */
#include "source/writer.h"

/* What the statement is a part of now. */
static Stmt *home_of(Stmt *stmt) {
  while (stmt->moved)
    stmt = stmt->moved;
  return stmt;
}

static Stmt *owner_of(const Stmt *stmt) { return stmt->in ? stmt->in->owner : NULL; }

static bool is_within(const Body *body, Stmt *stmt) {
  for (; stmt; stmt = owner_of(stmt))
    if (stmt->in == body)
      return true;
  return false;
}

/* Is it gone, with an empty `if`, say? */
static bool is_written(Stmt *stmt) { return stmt->in != NULL; }

static bool holds_all(const Body *body, const Variable *variable) {
  for (unsigned i = 0; i < variable->uses.count; i++) {
    Stmt *stmt = home_of(variable->uses.items[i]);
    if (is_written(stmt) && !is_within(body, stmt))
      return false;
  }
  return true;
}

/* The statement of the body that has `stmt` in it. */
static Stmt *part_of(const Body *body, Stmt *stmt) {
  while (stmt->in != body)
    stmt = owner_of(stmt);
  return stmt;
}

static Stmt *first_use(const Variable *variable) {
  for (unsigned i = 0; i < variable->uses.count; i++)
    if (is_written(home_of(variable->uses.items[i])))
      return variable->uses.items[i];
  return NULL;
}

static bool comes_before(const Stmt *stmt, const Stmt *other) {
  for (; stmt; stmt = stmt->next)
    if (stmt == other)
      return true;
  return false;
}

/* The first statement of the body in which the variable stands. */
static Stmt *first_in(const Body *body, const Variable *variable) {
  Stmt *first = NULL;
  for (unsigned i = 0; i < variable->uses.count; i++) {
    Stmt *home = home_of(variable->uses.items[i]);
    Stmt *part = is_written(home) ? part_of(body, home) : NULL;
    if (part && (!first || comes_before(part, first)))
      first = part;
  }
  return first;
}

static bool reads_itself(const Variable *variable, const Stmt *stmt) {
  unsigned uses = 0;
  for (unsigned i = 0; i < variable->uses.count; i++)
    uses += variable->uses.items[i] == stmt;
  return uses > 1;
}

static bool is_only_in_loop(const Variable *variable, const Stmt *loop) {
  for (unsigned i = 0; i < variable->uses.count; i++) {
    Stmt *stmt = home_of(variable->uses.items[i]);
    while (stmt && stmt != loop)
      stmt = owner_of(stmt);
    if (!stmt && is_written(home_of(variable->uses.items[i])))
      return false;
  }
  return true;
}

static void declare_before(Function *f, Variable *variable, Stmt *first) {
  Stmt *declaration = NB_NEW(f->arena, Stmt);
  declaration->kind = STMT_DECLARE;
  declaration->variable = variable;
  source_insert(declaration, first);
}

/* Between the cases of a switch nothing can stand. */
static bool is_fit(const Body *body, const Variable *variable) {
  return body->owner->kind != STMT_SWITCH && holds_all(body, variable);
}

static void place(Function *f, Variable *variable) {
  Stmt *use = first_use(variable);
  if (!use)
    return;
  if (variable->declaration) {
    declare_before(f, variable, f->body.first);
    return;
  }
  Body *body = home_of(use)->in;
  while (body->owner && !is_fit(body, variable))
    body = body->owner->in;
  Stmt *first = first_in(body, variable);
  bool own =
      first->kind == STMT_ASSIGN && first->variable == variable && !reads_itself(variable, first);
  bool in_for = first->kind == STMT_LOOP && first->init && first->init->variable == variable &&
                is_only_in_loop(variable, first);
  if (own)
    first->declares = true;
  else if (in_for)
    first->init->declares = true;
  else
    declare_before(f, variable, first);
}

static bool is_first_of(const Function *f, unsigned index, const Variable *variable) {
  for (unsigned i = 0; i < index; i++)
    if (nb_map_get(f->variables, nb_map_key(f->variables, i)) == variable)
      return false;
  return true;
}

/* A copy that phis need is declared where it is made. */
static void place_copies(Body *body, const NbMap *known) {
  for (Stmt *stmt = body->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_ASSIGN && !nb_map_has(known, stmt->variable))
      stmt->declares = true;
    place_copies(&stmt->body, known);
    place_copies(&stmt->otherwise, known);
  }
}

void source_place_declarations(Function *f) {
  NbMap *known = nb_map_new(f->arena);
  for (unsigned i = 0; i < nb_map_count(f->variables); i++) {
    Variable *variable = nb_map_get(f->variables, nb_map_key(f->variables, i));
    nb_map_set(known, variable, f);
    if (!variable->is_parameter && is_first_of(f, i, variable))
      place(f, variable);
  }
  place_copies(&f->body, known);
}
