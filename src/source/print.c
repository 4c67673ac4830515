// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Statements as text. */
#include "source/writer.h"

#include <string.h>

typedef struct Printer {
  Function *f;
  char *text;
  size_t length, capacity;
} Printer;

static void add(Printer *printer, const char *text) {
  size_t length = strlen(text);
  if (printer->length + length >= printer->capacity) {
    printer->capacity = 2 * (printer->length + length) + 1024;
    char *larger = nb_arena_alloc(printer->f->arena, printer->capacity);
    memcpy(larger, printer->text, printer->length);
    printer->text = larger;
  }
  memcpy(printer->text + printer->length, text, length + 1);
  printer->length += length;
}

static void indent(Printer *printer, unsigned depth) {
  for (unsigned i = 0; i < depth; i++)
    add(printer, "  ");
}

static const char *label_of(const Function *f, LLVMBasicBlockRef block) {
  return nb_arena_print(f->arena, "block_%u", (unsigned)(uintptr_t)nb_map_get(f->numbers, block));
}

static const char *declaration(const Function *f, const Variable *variable) {
  if (variable->declaration)
    return variable->declaration;
  bool pointer = LLVMGetTypeKind(variable->type) == LLVMPointerTypeKind;
  const char *type = pointer ? source_pointer(f->writer, variable->pointee)
                             : source_type(f->writer, variable->type);
  bool close = type[strlen(type) - 1] == '*';
  return nb_arena_print(f->arena, close ? "%s%s" : "%s %s", type, variable->name);
}

/* `x = x + y` as `x += y` where y is one term; `x++`. */
static const char *changed(const Function *f, const Stmt *stmt) {
  const char *name = stmt->variable->name, *text = stmt->text;
  size_t length = strlen(name);
  bool same = strncmp(text, name, length) == 0 && text[length] == ' ' && text[length + 1] &&
              strchr("+-*/", text[length + 1]) && text[length + 2] == ' ';
  const char *rest = same ? text + length + 3 : "";
  if (!same || strpbrk(rest, text[length + 1] == '+' ? "+-<>?&|^ ," : " "))
    return nb_arena_print(f->arena, "%s = %s", name, text);
  bool one = strcmp(rest, "1") == 0 && strchr("+-", text[length + 1]);
  if (one)
    return nb_arena_print(f->arena, "%s%c%c", name, text[length + 1], text[length + 1]);
  return nb_arena_print(f->arena, "%s %c= %s", name, text[length + 1], rest);
}

static const char *assignment(const Function *f, const Stmt *stmt) {
  if (!stmt->declares)
    return changed(f, stmt);
  return nb_arena_print(f->arena, "%s = %s", declaration(f, stmt->variable), stmt->text);
}

static void print_body(Printer *printer, const Body *body, unsigned depth);

static void print_if(Printer *printer, const Stmt *stmt, unsigned depth) {
  add(printer, nb_arena_print(printer->f->arena, "if (%s) {\n", stmt->text));
  print_body(printer, &stmt->body, depth + 1);
  const Stmt *other = stmt->otherwise.first;
  indent(printer, depth);
  if (other && other == stmt->otherwise.last && other->kind == STMT_IF) {
    add(printer, "} else ");
    print_if(printer, other, depth);
    return;
  }
  if (other) {
    add(printer, "} else {\n");
    print_body(printer, &stmt->otherwise, depth + 1);
    indent(printer, depth);
  }
  add(printer, "}\n");
}

static const char *loop_head(const Function *f, const Stmt *stmt) {
  switch (stmt->loop) {
  case LOOP_WHILE:
    return nb_arena_print(f->arena, "while (%s) {\n", stmt->text);
  case LOOP_DO:
    return "do {\n";
  case LOOP_FOR:
    return nb_arena_print(f->arena, "for (%s; %s; %s) {\n", assignment(f, stmt->init), stmt->text,
                          assignment(f, stmt->step));
  default:
    return "for (;;) {\n";
  }
}

static void print_loop(Printer *printer, const Stmt *stmt, unsigned depth) {
  add(printer, loop_head(printer->f, stmt));
  print_body(printer, &stmt->body, depth + 1);
  indent(printer, depth);
  if (stmt->loop == LOOP_DO)
    add(printer, nb_arena_print(printer->f->arena, "} while (%s);\n", stmt->text));
  else
    add(printer, "}\n");
}

static void print_switch(Printer *printer, const Stmt *stmt, unsigned depth) {
  add(printer, nb_arena_print(printer->f->arena, "switch (%s) {\n", stmt->text));
  for (const Stmt *way = stmt->body.first; way; way = way->next) {
    indent(printer, depth);
    add(printer, nb_arena_print(printer->f->arena, "%s{\n", way->text));
    print_body(printer, &way->body, depth + 1);
    indent(printer, depth + 1);
    add(printer, "break;\n");
    indent(printer, depth);
    add(printer, "}\n");
  }
  indent(printer, depth);
  add(printer, "}\n");
}

static const char *simple(const Function *f, const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_ASSIGN:
    return nb_arena_print(f->arena, "%s;\n", assignment(f, stmt));
  case STMT_DECLARE:
    return nb_arena_print(f->arena, "%s;\n", declaration(f, stmt->variable));
  case STMT_GOTO:
    return nb_arena_print(f->arena, "goto %s;\n", label_of(f, stmt->target));
  case STMT_LABEL:
    return nb_arena_print(f->arena, "%s:;\n", label_of(f, stmt->target));
  case STMT_BREAK:
    return "break;\n";
  case STMT_CONTINUE:
    return "continue;\n";
  case STMT_RETURN:
    return nb_arena_print(f->arena, *stmt->text ? "return %s;\n" : "return;\n", stmt->text);
  default:
    return nb_arena_print(f->arena, "%s\n", stmt->text);
  }
}

static void print_body(Printer *printer, const Body *body, unsigned depth) {
  for (const Stmt *stmt = body->first; stmt; stmt = stmt->next) {
    indent(printer, depth);
    if (stmt->kind == STMT_IF)
      print_if(printer, stmt, depth);
    else if (stmt->kind == STMT_LOOP)
      print_loop(printer, stmt, depth);
    else if (stmt->kind == STMT_SWITCH)
      print_switch(printer, stmt, depth);
    else
      add(printer, simple(printer->f, stmt));
  }
}

/* A `return;` at the end says nothing. */
static void drop_last_return(Function *f) {
  Stmt *last = f->body.last;
  if (last && last->kind == STMT_RETURN && !*last->text)
    source_remove(last);
}

const char *source_print(Function *f) {
  Printer printer = {f, "", 0, 0};
  drop_last_return(f);
  print_body(&printer, &f->body, 1);
  return printer.text;
}
