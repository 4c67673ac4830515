// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Statements as a person would write them: early exits, `while`, `do` and `for`. */
#include "source/writer.h"

#include <string.h>

/* --- Jumps ----------------------------------------------------------------------------------- */

static bool is_jump(const Stmt *stmt) {
  if (!stmt)
    return false;
  bool ends = stmt->kind == STMT_TEXT && strcmp(stmt->text, "__builtin_unreachable();") == 0;
  return ends || stmt->kind == STMT_GOTO || stmt->kind == STMT_BREAK ||
         stmt->kind == STMT_CONTINUE || stmt->kind == STMT_RETURN;
}

static void move_behind(Body *from, Stmt *place) {
  Stmt *next = place->next;
  while (from->first) {
    Stmt *stmt = from->first;
    source_remove(stmt);
    if (next)
      source_insert(stmt, next);
    else
      source_append(place->in, stmt);
  }
}

static void swap_ways(Stmt *stmt) {
  Stmt *next = NULL;
  Body held = {NULL, NULL, stmt};
  while ((next = stmt->body.first)) {
    source_remove(next);
    source_append(&held, next);
  }
  while ((next = stmt->otherwise.first)) {
    source_remove(next);
    source_append(&stmt->body, next);
  }
  while ((next = held.first)) {
    source_remove(next);
    source_append(&stmt->otherwise, next);
  }
  const char *text = stmt->text;
  stmt->text = stmt->negated;
  stmt->negated = text;
}

/* Of `if (c) { ...; break; } else { rest }` the rest need not be nested. */
static void tidy_if(Stmt *stmt) {
  bool yes = is_jump(stmt->body.last), no = is_jump(stmt->otherwise.last);
  bool shorter = yes && no && stmt->otherwise.first == stmt->otherwise.last &&
                 stmt->body.first != stmt->body.last;
  if (!stmt->body.first || (no && !yes) || shorter)
    swap_ways(stmt);
  if (is_jump(stmt->body.last) && stmt->otherwise.first)
    move_behind(&stmt->otherwise, stmt);
}

/* --- Loops ----------------------------------------------------------------------------------- */

static bool continues(const Body *body) {
  for (const Stmt *stmt = body->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_CONTINUE)
      return true;
    if (stmt->kind != STMT_LOOP && (continues(&stmt->body) || continues(&stmt->otherwise)))
      return true;
  }
  return false;
}

static unsigned breaks(const Body *body) {
  unsigned count = 0;
  for (const Stmt *stmt = body->first; stmt; stmt = stmt->next) {
    count += stmt->kind == STMT_BREAK;
    if (stmt->kind != STMT_LOOP)
      count += breaks(&stmt->body) + breaks(&stmt->otherwise);
  }
  return count;
}

/* Does it leave the loop, with assignments before that which may come behind the only way out? */
static bool only_breaks(const Stmt *stmt, const Body *loop) {
  if (!stmt || stmt->kind != STMT_IF || stmt->otherwise.first || !stmt->body.last ||
      stmt->body.last->kind != STMT_BREAK)
    return false;
  for (const Stmt *at = stmt->body.first; at != stmt->body.last; at = at->next)
    if (at->kind != STMT_ASSIGN)
      return false;
  return stmt->body.first == stmt->body.last || breaks(loop) == 1;
}

static void take_condition(Stmt *loop, Stmt *test, LoopKind kind) {
  loop->loop = kind;
  loop->text = test->negated;
  loop->negated = test->text;
  source_remove(test);
  test->moved = loop;
  source_remove(test->body.last);
  move_behind(&test->body, loop);
}

static bool mentions(const Variable *variable, const Stmt *stmt) {
  for (unsigned i = 0; i < variable->uses.count; i++) {
    const Stmt *use = variable->uses.items[i];
    while (use->moved)
      use = use->moved;
    if (use == stmt)
      return true;
  }
  return false;
}

static void move_into(Stmt *stmt, Stmt *loop) {
  source_remove(stmt);
  stmt->moved = loop;
}

/* Where the variable is set before the loop, among other assignments that do not read it. */
static Stmt *begin_of(const Variable *variable, const Stmt *loop) {
  Stmt *stmt = loop->before;
  while (stmt && stmt->kind == STMT_ASSIGN && stmt->variable != variable) {
    if (mentions(variable, stmt))
      return NULL;
    stmt = stmt->before;
  }
  return stmt && stmt->kind == STMT_ASSIGN ? stmt : NULL;
}

/* What the first value is made of must not be set between it and the loop. */
static bool is_set_between(const Stmt *init, const Stmt *loop) {
  for (const Stmt *stmt = init->next; stmt != loop; stmt = stmt->next)
    if (mentions(stmt->variable, init))
      return true;
  return false;
}

/* A variable that is set before the loop, tested by it and changed by its last statement. */
static void make_for(Stmt *loop) {
  Stmt *step = loop->body.last;
  bool stepped = step && step->kind == STMT_ASSIGN && mentions(step->variable, loop);
  Stmt *init = stepped ? begin_of(step->variable, loop) : NULL;
  bool safe = loop->loop == LOOP_WHILE || (loop->loop == LOOP_DO && loop->runs_once);
  if (!init || is_set_between(init, loop) || !safe || continues(&loop->body))
    return;
  move_into(step, loop);
  move_into(init, loop);
  loop->step = step;
  loop->init = init;
  loop->loop = LOOP_FOR;
}

static void tidy_loop(const Function *f, Stmt *loop) {
  Body *body = &loop->body;
  if (nb_map_has(f->gotos, loop->target) || loop->loop != LOOP_ENDLESS)
    return;
  if (only_breaks(body->first, body))
    take_condition(loop, body->first, LOOP_WHILE);
  else if (only_breaks(body->last, body) && !continues(body))
    take_condition(loop, body->last, LOOP_DO);
  if (loop->loop != LOOP_ENDLESS)
    make_for(loop);
}

/* --- All of it ------------------------------------------------------------------------------- */

static void tidy_body(const Function *f, Body *body);

static void tidy_statement(const Function *f, Stmt *stmt) {
  tidy_body(f, &stmt->body);
  tidy_body(f, &stmt->otherwise);
  if (stmt->kind == STMT_IF)
    tidy_if(stmt);
  if (stmt->kind == STMT_LOOP)
    tidy_loop(f, stmt);
}

static bool is_empty(const Stmt *stmt) {
  return stmt->kind == STMT_IF && !stmt->body.first && !stmt->otherwise.first;
}

static void tidy_body(const Function *f, Body *body) {
  for (Stmt *stmt = body->first, *next; stmt; stmt = next) {
    next = stmt->next;
    bool unused = stmt->kind == STMT_LABEL && !nb_map_has(f->gotos, stmt->target);
    if (unused)
      source_remove(stmt);
  }
  for (Stmt *stmt = body->first, *next; stmt; stmt = next) {
    tidy_statement(f, stmt);
    next = stmt->next;
    if (is_empty(stmt)) {
      Stmt *owner = body->owner;
      source_remove(stmt);
      stmt->moved = owner;
    }
  }
}

void source_tidy(Function *f) {
  f->body.owner = NULL;
  tidy_body(f, &f->body);
}
