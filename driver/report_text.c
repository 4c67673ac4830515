/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The report as text: the derivatives first, then the sources, each line with what is said of it
 * below it. Signs that would act on a terminal, or are not seen, are shown as clang shows them. */

/* open_memstream is POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "report.h"

#include "base/text.h"

#include <limits.h>
#include <stdlib.h>

/* The letters in front of a line, in this order. */
static const char letters[NOTE_KINDS] = {
    [NOTE_DERIVATIVE] = 'D', [NOTE_LOOP] = 'L',   [NOTE_ACTIVE] = 'A', [NOTE_CALL] = 'C',
    [NOTE_COMPUTE] = 'R',    [NOTE_RELOAD] = 'M', [NOTE_KEPT] = 'K',   [NOTE_REQUEST] = 'Q',
    [NOTE_WARNING] = 'W',    [NOTE_ERROR] = 'E',
};

static void write_derivative(const Report *report, const Derivative *derivative, FILE *out) {
  fprintf(out, "#%s %s, %s%s\n", derivative->number, derivative->name, derivative->mode,
          report_is_refused(derivative) ? ": REFUSED" : "");
  fprintf(out, "   %s\n", derivative->roles);
  if (!derivative->statements.count || report_is_refused(derivative))
    return;
  unsigned active = derivative->counts[NOTE_ACTIVE], again = derivative->counts[NOTE_COMPUTE];
  fprintf(out, "   active: %u statement%s\n", active, active == 1 ? "" : "s");
  if (derivative->mode[0] != 'r')
    return;
  fprintf(out, "   kept: %s\n", report_total(report, &derivative->kept));
  fprintf(out, "   recomputed: %u value%s; reloaded: %u\n", again, again == 1 ? "" : "s",
          derivative->counts[NOTE_RELOAD]);
}

static void write_program(const Derivative *derivative, FILE *out) {
  if (!derivative->statements.count)
    return;
  fprintf(out, "\nThe linear program of #%s %s, %s\n", derivative->number, derivative->name,
          derivative->mode);
  for (unsigned i = 0; i < derivative->statements.count; i++) {
    const Statement *statement = derivative->statements.items[i];
    fprintf(out, "%6u %-8s %s\n", statement->line, statement->kind, statement->text);
    for (unsigned j = 0; j < statement->operands.count; j++) {
      const Operand *operand = statement->operands.items[j];
      if (*operand->place)
        fprintf(out, "                 %s %s: %s\n", operand->role, operand->text, operand->place);
    }
  }
}

static void write_functions(const Derivative *derivative, FILE *out) {
  for (unsigned i = 0; i < derivative->written.count; i++) {
    const Written *written = derivative->written.items[i];
    fprintf(out, "\n#%s %s, %s, as C\n%s", derivative->number, derivative->name, derivative->mode,
            written->text);
  }
}

static void write_note(const Note *note, FILE *out) {
  fprintf(out, "                  %s", report_kind(note->kind));
  if (note->derivative)
    fprintf(out, " #%s", note->derivative->number);
  fprintf(out, ": %s\n", note->text);
}

/* number 0: it is none of a source. */
static void write_line(const Line *line, unsigned number, FILE *out) {
  char marks[NOTE_KINDS + 1] = "          ";
  for (unsigned i = 0; i < line->notes.count; i++) {
    const Note *note = line->notes.items[i];
    marks[note->kind] = letters[note->kind];
  }
  if (number)
    fprintf(out, "%6u %s %s\n", number, marks, line->text);
  else
    fprintf(out, "       %s %s\n", marks, line->text);
  for (unsigned i = 0; i < line->notes.count; i++)
    write_note(line->notes.items[i], out);
}

static void write_source(const Report *report, const Source *source, FILE *out) {
  bool shown = true;
  fprintf(out, "\n%s%s\n", source->path, report_origin(report, source));
  for (unsigned i = 0; i < source->lines.count; i++) {
    bool before = shown;
    shown = report_shows(source, i);
    if (shown)
      write_line(source->lines.items[i], i + 1, out);
    else if (before)
      fputs("   ...\n", out);
  }
}

/* What the compiler knows no line for. */
static void write_unplaced(const Derivative *derivative, FILE *out) {
  if (!derivative->unplaced.notes.count)
    return;
  fprintf(out, "\n#%s %s\n", derivative->number, derivative->name);
  write_line(&derivative->unplaced, 0, out);
}

static void write_all(const Report *report, FILE *out) {
  fprintf(out, "%s\n\n", report->command);
  for (unsigned i = 0; i < report->messages.count; i++) {
    const Note *note = report->messages.items[i];
    fprintf(out, "%s:%u: %s: %s\n", note->file, note->line, report_kind(note->kind), note->text);
  }
  for (unsigned i = 0; i < report->derivatives.count; i++)
    write_derivative(report, report->derivatives.items[i], out);
  if (!report->derivatives.count)
    fputs("No derivative was made.\n", out);
  fputs("\nD derivative  L loop  A active  C call  R recomputed  M reloaded from memory  K kept\n"
        "Q a derivative is asked for  W warning  E error\n"
        "Nothing is atomic: the sweeps of one thread add to shadows as they are.\n",
        out);
  for (unsigned i = 0; i < report->sources.count; i++)
    write_source(report, report->sources.items[i], out);
  for (unsigned i = 0; i < report->derivatives.count; i++)
    write_unplaced(report->derivatives.items[i], out);
  for (unsigned i = 0; i < report->derivatives.count; i++)
    write_functions(report->derivatives.items[i], out);
  for (unsigned i = 0; i < report->derivatives.count; i++)
    write_program(report->derivatives.items[i], out);
}

/* --- Signs ----------------------------------------------------------------------------------- */

/* The character of so many bytes; one alone is as in Latin-1. */
static unsigned letter_at(const char *text, size_t length) {
  enum { MORE = 6, MORE_MASK = 0x3f, LEAD_MASK = 0x7f };
  unsigned letter = (unsigned char)text[0];
  letter &= length > 1 ? LEAD_MASK >> length : UCHAR_MAX;
  for (size_t i = 1; i < length; i++)
    letter = letter << MORE | ((unsigned char)text[i] & MORE_MASK);
  return letter;
}

/* Does it control a terminal, or turn the direction of what stands around it? */
static bool acts(unsigned letter) {
  enum { DELETE = 0x7f, NO_BREAK = 0xa0, TURN = 0x202a, OVERRIDE = 0x202e };
  enum { ISOLATE = 0x2066, POP = 0x2069 };
  bool plain = letter == '\t' || letter == '\n';
  return (letter < ' ' && !plain) || (letter >= DELETE && letter < NO_BREAK) ||
         (letter >= TURN && letter <= OVERRIDE) || (letter >= ISOLATE && letter <= POP);
}

static void write_seen(const char *text, FILE *out) {
  while (*text) {
    size_t wide = nb_text_wide(text), length = wide ? wide : 1;
    unsigned letter = letter_at(text, length);
    if (acts(letter))
      fprintf(out, "<U+%04X>", letter);
    else
      fwrite(text, 1, length, out);
    text += length;
  }
}

bool report_write_text(const Report *report, FILE *out) {
  char *text = NULL;
  size_t size = 0;
  FILE *all = open_memstream(&text, &size);
  if (all)
    write_all(report, all);
  bool written = all && fclose(all) == 0;
  if (written)
    write_seen(text, out);
  free(text);
  return written && !ferror(out);
}
