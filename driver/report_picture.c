/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The linear program from top to bottom, loops as boxes around their statements; beside each
 * statement a square for each value that it needs, in the colour of the way that this takes to the
 * reverse sweep; at the right the tape, and wires from what is kept to the statements. */
#include "report.h"

#include "base/text.h"

#include <string.h>

enum {
  ROW = 22,
  TOP = 34,
  LEFT = 12,
  INDENT = 16,
  LINE_WIDTH = 44,
  KIND_WIDTH = 64,
  TEXT_END = 700,
  SQUARE = 10,
  SQUARES_MAX = 8,
  TAPE_LEFT = 850,
  TAPE_WIDTH = 300,
  WIDTH = TAPE_LEFT + TAPE_WIDTH + LEFT,
  LETTER = 29, /* quarters of a pixel */
  QUARTERS = 4,
  DEPTH_MAX = 8
};

typedef struct {
  const Report *report;
  const Derivative *derivative;
  FILE *out;
} Picture;

/* --- Text ------------------------------------------------------------------------------------ */

/* How many bytes the first letters have, at most so many of them. */
static size_t bytes_of_letters(const char *text, size_t letters) {
  const char *at = text;
  for (; *at && letters; letters--) {
    size_t wide = nb_text_wide(at);
    at += wide ? wide : 1;
  }
  return (size_t)(at - text);
}

/* The first letters that fit; the whole stands in the tooltip. */
static void write_text(const Picture *picture, int x, int y, int room, const char *kind,
                       const char *text) {
  int letters = QUARTERS * room / LETTER;
  size_t most = letters > 1 ? (size_t)letters : 1;
  bool cut = text[bytes_of_letters(text, most)] != '\0';
  fprintf(picture->out, "<text x=\"%d\" y=\"%d\"%s>", x, y, kind);
  if (cut) {
    fputs("<title>", picture->out);
    report_write_escaped(text, picture->out);
    fputs("</title>", picture->out);
    text = nb_arena_copy(picture->report->arena, text, bytes_of_letters(text, most - 1));
  }
  report_write_escaped(text, picture->out);
  fputs(cut ? "&#8230;</text>\n" : "</text>\n", picture->out);
}

/* --- Loops ----------------------------------------------------------------------------------- */

static const Loop *loop_of(const Derivative *derivative, const char *index) {
  for (unsigned i = 0; *index && i < derivative->loops.count; i++) {
    const Loop *loop = derivative->loops.items[i];
    if (strcmp(loop->index, index) == 0)
      return loop;
  }
  return NULL;
}

static int depth_of(const Derivative *derivative, const char *index) {
  int depth = 0;
  const Loop *loop = loop_of(derivative, index);
  while (loop && depth < DEPTH_MAX) {
    depth++;
    loop = loop_of(derivative, loop->parent);
  }
  return depth;
}

/* Does the statement stand in the loop, or in one within it? */
static bool is_in(const Derivative *derivative, const Statement *statement, const Loop *loop) {
  const Loop *at = loop_of(derivative, statement->loop);
  for (int depth = 0; at && at != loop && depth < DEPTH_MAX; depth++)
    at = loop_of(derivative, at->parent);
  return at == loop;
}

static int row_top(unsigned row) { return TOP + (int)row * ROW; }

/* A box for the rows from `first` up to `end`. */
static void write_box(const Picture *picture, const Loop *loop, unsigned first, unsigned end) {
  int depth = depth_of(picture->derivative, loop->index);
  int x = LEFT + LINE_WIDTH + (depth - 1) * INDENT - 4;
  int right = TEXT_END + 110 - (depth - 1) * 6;
  const char *trips = *loop->trips ? loop->trips : "?";
  NbArena *arena = picture->report->arena;
  fprintf(picture->out,
          "<rect class=\"loop\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"><title>", x,
          row_top(first) + 1, right - x, (int)(end - first) * ROW - 2);
  report_write_escaped(
      nb_arena_print(arena, "the loop in line %u: %s iterations", loop->line, trips), picture->out);
  fputs("</title></rect>\n", picture->out);
}

/* Statements of a loop may stand in several groups. */
static void write_loops(const Picture *picture) {
  const Derivative *derivative = picture->derivative;
  unsigned count = derivative->statements.count;
  for (unsigned i = 0; i < derivative->loops.count; i++) {
    const Loop *loop = derivative->loops.items[i];
    for (unsigned row = 0; row < count; row++) {
      unsigned first = row;
      while (row < count && is_in(derivative, derivative->statements.items[row], loop))
        row++;
      if (row > first)
        write_box(picture, loop, first, row);
    }
  }
}

/* --- The tape -------------------------------------------------------------------------------- */

static int cell_top(unsigned cell) { return TOP + (int)cell * (2 * ROW); }

static void write_cell(const Picture *picture, const Kept *kept, unsigned cell) {
  int y = cell_top(cell);
  fprintf(picture->out,
          "<rect class=\"tape\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
          TAPE_LEFT, y + 2, TAPE_WIDTH, 2 * ROW - 6);
  write_text(picture, TAPE_LEFT + 10, y + 18, TAPE_WIDTH - 20, "", kept->what);
  write_text(picture, TAPE_LEFT + 10, y + 33, TAPE_WIDTH + 20, " class=\"small\"",
             report_amount(picture->report, kept));
}

/* From the statement's square to the cell of what it names. */
static void write_wire(const Picture *picture, const Operand *operand, int x, int y) {
  const NbList *kept = &picture->derivative->kept;
  for (unsigned i = 0; i < kept->count; i++) {
    if (strcmp(((const Kept *)kept->items[i])->what, operand->text) != 0)
      continue;
    int to = cell_top(i) + ROW - 1;
    fprintf(picture->out, "<path class=\"wire\" d=\"M%d %dC%d %d %d %d %d %d\"/>\n", x, y, x + 70,
            y, TAPE_LEFT - 70, to, TAPE_LEFT, to);
    return;
  }
}

/* --- Statements ------------------------------------------------------------------------------ */

static void write_square(const Picture *picture, const Operand *operand, int x, int y) {
  fprintf(picture->out,
          "<rect class=\"p-%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"><title>",
          operand->place, x, y, SQUARE, SQUARE);
  report_write_escaped(nb_arena_print(picture->report->arena, "%s %s: %s", operand->role,
                                      operand->text, operand->place),
                       picture->out);
  fputs("</title></rect>\n", picture->out);
}

static void write_operands(const Picture *picture, const Statement *statement, int y) {
  int x = TEXT_END + 8;
  for (unsigned i = 0; i < statement->operands.count && i < SQUARES_MAX; i++) {
    const Operand *operand = statement->operands.items[i];
    if (!*operand->place)
      continue;
    if (strcmp(operand->place, "stored") == 0)
      write_wire(picture, operand, x + SQUARE, y + ROW / 2);
    write_square(picture, operand, x, y + (ROW - SQUARE) / 2);
    x += SQUARE + 3;
  }
}

static void write_statement(const Picture *picture, const Statement *statement, unsigned row) {
  int y = row_top(row);
  int depth = depth_of(picture->derivative, statement->loop);
  int x = LEFT + LINE_WIDTH + depth * INDENT;
  NbArena *arena = picture->report->arena;
  const char *line = statement->line ? nb_arena_print(arena, "%u", statement->line) : "";
  write_text(picture, LEFT, y + 15, LINE_WIDTH, " class=\"small\"", line);
  write_text(picture, x + 2, y + 15, KIND_WIDTH, " class=\"small\"", statement->kind);
  write_text(picture, x + KIND_WIDTH, y + 15, TEXT_END - x - KIND_WIDTH, "", statement->text);
  write_operands(picture, statement, y);
}

void report_write_picture(const Report *report, const Derivative *derivative, FILE *out) {
  Picture picture = {report, derivative, out};
  unsigned cells = 2 * derivative->kept.count;
  unsigned rows = derivative->statements.count > cells ? derivative->statements.count : cells;
  int width = derivative->kept.count ? WIDTH : TAPE_LEFT;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\" role=\"img\">\n",
          width, row_top(rows) + 12, width, row_top(rows) + 12);
  write_text(&picture, LEFT, 18, LINE_WIDTH, " class=\"small\"", "line");
  write_text(&picture, LEFT + LINE_WIDTH, 18, TEXT_END, " class=\"small\"",
             "the linear program, as the primal runs; the reverse sweep goes upwards");
  write_text(&picture, TEXT_END + 8, 18, TAPE_LEFT - TEXT_END, " class=\"small\"", "needs");
  if (derivative->kept.count)
    write_text(&picture, TAPE_LEFT, 18, TAPE_WIDTH, " class=\"small\"", "the tape");
  write_loops(&picture);
  for (unsigned i = 0; i < derivative->kept.count; i++)
    write_cell(&picture, derivative->kept.items[i], i);
  for (unsigned i = 0; i < derivative->statements.count; i++)
    write_statement(&picture, derivative->statements.items[i], i);
  fputs("</svg>\n", out);
}
