/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Reading the records: what each says goes to its line of the source and to its derivative. */

/* getline and strncasecmp are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "report.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELDS_MAX = 12, BYTE = 8 };

/* A time is all that is kept: what it is of is a number of bytes. */
#define IN_ALL "in all"

/* One record: its kind and its fields; those that are not there are "". */
typedef struct {
  const char *fields[FIELDS_MAX];
} Record;

/* Where every record with a place has it. */
enum { FIELD_FILE = 1, FIELD_LINE = 2, FIELD_FIRST = 4 };

static unsigned number_in(const char *text) { return (unsigned)strtoul(text, NULL, 10); }

static bool is_said(const Line *line, const Note *note) {
  for (unsigned i = 0; i < line->notes.count; i++) {
    const Note *other = line->notes.items[i];
    if (other->kind == note->kind && other->derivative == note->derivative &&
        strcmp(other->text, note->text) == 0)
      return true;
  }
  return false;
}

static Note *note_at(Report *report, const Record *record, NoteKind kind, Derivative *derivative,
                     const char *text) {
  Note *note = NB_NEW(report->arena, Note);
  *note = (Note){
      kind, text, derivative, record->fields[FIELD_FILE], number_in(record->fields[FIELD_LINE]),
      NULL, NULL};
  Line *line = derivative ? &derivative->unplaced : NULL;
  if (*note->file && note->line)
    line = report_line(report, note->file, note->line);
  if (line && (kind == NOTE_KEPT || !is_said(line, note)))
    nb_list_push(&line->notes, note);
  if (derivative)
    derivative->counts[kind]++;
  return note;
}

/* --- Amounts --------------------------------------------------------------------------------- */

/* Takes the number with which the product begins, which is small, away; 1: it begins with none. */
static unsigned long long take_number(const char **product) {
  char *end;
  unsigned long long number = strtoull(*product, &end, 10);
  bool whole = end != *product && (!*end || strncmp(end, " * ", strlen(" * ")) == 0);
  if (!whole || number > UINT32_MAX)
    return 1;
  *product = *end ? end + strlen(" * ") : end;
  return number;
}

/* How much `often` times so many bits are, in bytes. */
static const char *times(const Report *report, unsigned long long bits, const char *often) {
  bits *= bits <= UINT32_MAX ? take_number(&often) : 1;
  unsigned long long bytes = bits / BYTE;
  if (!*often)
    return nb_arena_print(report->arena, "%llu", (bits + BYTE - 1) / BYTE);
  if (BYTE % bits == 0)
    return nb_arena_print(report->arena, bits == BYTE ? "%s" : "%s / %llu", often, BYTE / bits);
  if (bits % BYTE)
    return nb_arena_print(report->arena, "%llu * %s / %d", bits, often, BYTE);
  return nb_arena_print(report->arena, "%llu * %s", bytes, often);
}

const char *report_bytes(const Report *report, unsigned long long bits) {
  unsigned long long bytes = (bits + BYTE - 1) / BYTE;
  return nb_arena_print(report->arena, bytes == 1 ? "%llu byte" : "%llu bytes", bytes);
}

/* Bits where they are no whole bytes. */
static const char *each_time(const Report *report, unsigned long long bits) {
  if (bits % BYTE == 0)
    return report_bytes(report, bits);
  return bits == 1 ? "a bit" : nb_arena_print(report->arena, "%llu bits", bits);
}

const char *report_amount(const Report *report, const Kept *kept) {
  if (!kept->bits)
    return "nothing more, for it stands where other ways through the loop keep something else";
  if (!*kept->often)
    return report_bytes(report, kept->bits);
  const char *total = times(report, kept->bits, kept->often);
  if (strcmp(kept->each, IN_ALL) == 0)
    return nb_arena_print(report->arena, "%s bytes", total);
  return nb_arena_print(report->arena, "%s %s, %s%s in total", each_time(report, kept->bits),
                        *kept->each ? kept->each : "each time", total,
                        kept->bits % BYTE ? " bytes" : "");
}

/* What an iteration keeps, or where it is not all that, the sum of all. */
const char *report_short_total(const Report *report, const NbList *list) {
  unsigned long long bits = 0;
  bool alike = true;
  for (unsigned i = 0; i < list->count; i++) {
    const Kept *kept = list->items[i], *first = list->items[0];
    alike = alike && *kept->often && !*kept->each && strcmp(kept->often, first->often) == 0;
    bits += kept->bits;
  }
  const char *total = report_total(report, list);
  return !alike || strlen(total) <= TOTAL_SHORT
             ? total
             : nb_arena_print(report->arena, "%s each time", each_time(report, bits));
}

static bool is_of_call(const Kept *kept) {
  static const char prefix[] = "the tape of ";
  return strncmp(kept->what, prefix, sizeof prefix - 1) == 0;
}

/* Adds the bits, where they are kept as often as `often`, a product without a number, says. */
static bool add_bits(const Kept *kept, const char *often, unsigned long long *bits) {
  const char *own = kept->often;
  unsigned long long number = take_number(&own);
  bool same = strcmp(own, often) == 0;
  *bits += same ? kept->bits * number : 0;
  return same;
}

/* What is kept equally often is added up. */
const char *report_total(const Report *report, const NbList *list) {
  const char *text = "", *more = "";
  for (unsigned i = 0; i < list->count; i++) {
    const Kept *kept = list->items[i];
    const char *often = kept->often;
    unsigned long long bits = 0;
    bool first = true;
    more = is_of_call(kept) ? ", and what the calls keep" : more;
    take_number(&often);
    for (unsigned j = 0; j < list->count; j++)
      first = !(add_bits(list->items[j], often, &bits) && j < i) && first;
    if (first && bits)
      text = nb_arena_print(report->arena, "%s%s%s", text, *text ? " + " : "",
                            times(report, bits, often));
  }
  const char *unit = strcmp(text, "1") == 0 ? "byte" : "bytes";
  return *text ? nb_arena_print(report->arena, "%s %s%s", text, unit, more) : "nothing";
}

/* --- The records ----------------------------------------------------------------------------- */

/* The number belongs to the last derivative that was given it: modules follow each other. */
static Derivative *derivative_of(const Report *report, const char *number) {
  for (unsigned i = report->derivatives.count; i-- > 0;) {
    Derivative *derivative = report->derivatives.items[i];
    if (strcmp(derivative->number, number) == 0)
      return derivative;
  }
  return NULL;
}

static void add_derivative(Report *report, const Record *record) {
  const char *const *fields = record->fields + FIELD_FIRST;
  Derivative *derivative = NB_NEW(report->arena, Derivative);
  *derivative = (Derivative){.number = fields[0],
                             .mode = fields[1],
                             .name = fields[2],
                             .roles = fields[3],
                             .state = "",
                             .symbol = fields[5],
                             .file = record->fields[FIELD_FILE],
                             .line = number_in(record->fields[FIELD_LINE]),
                             .kept = nb_list(report->arena),
                             .statements = nb_list(report->arena),
                             .loops = nb_list(report->arena),
                             .written = nb_list(report->arena),
                             .unplaced = {"without a line", nb_list(report->arena)}};
  nb_list_push(&report->derivatives, derivative);
  const char *text = nb_arena_print(report->arena, "%s, %s: %s", fields[2], fields[1], fields[3]);
  note_at(report, record, NOTE_DERIVATIVE, derivative, text);
}

static void add_loop(Report *report, const Record *record, Derivative *derivative) {
  const char *const *fields = record->fields + FIELD_FIRST;
  Loop *loop = NB_NEW(report->arena, Loop);
  *loop = (Loop){fields[1], fields[2], fields[3], number_in(record->fields[FIELD_LINE])};
  nb_list_push(&derivative->loops, loop);
  const char *text = "a loop whose trip count changes, is known when it ends, or has no formula";
  if (*loop->trips)
    text = nb_arena_print(report->arena, "a loop of %s iterations", loop->trips);
  note_at(report, record, NOTE_LOOP, derivative, text);
}

static void add_kept(Report *report, const Record *record, Derivative *derivative) {
  const char *const *fields = record->fields + FIELD_FIRST;
  Kept *kept = NB_NEW(report->arena, Kept);
  *kept = (Kept){strtoull(fields[1], NULL, 10), fields[2], fields[3], fields[4], fields[5]};
  nb_list_push(&derivative->kept, kept);
  const char *text = nb_arena_print(report->arena, "%s: %s; %s", kept->what,
                                    report_amount(report, kept), kept->why);
  note_at(report, record, NOTE_KEPT, derivative, text)->kept = kept;
}

static void add_again(Report *report, const Record *record, Derivative *derivative) {
  bool reload = strcmp(record->fields[FIELD_FIRST + 1], "reload") == 0;
  note_at(report, record, reload ? NOTE_RELOAD : NOTE_COMPUTE, derivative,
          record->fields[FIELD_FIRST + 2]);
}

static void add_statement(Report *report, const Record *record, Derivative *derivative) {
  const char *const *fields = record->fields + FIELD_FIRST;
  Statement *statement = NB_NEW(report->arena, Statement);
  *statement = (Statement){fields[1], fields[2], fields[3], number_in(record->fields[FIELD_LINE]),
                           nb_list(report->arena)};
  nb_list_push(&derivative->statements, statement);
  note_at(report, record, NOTE_ACTIVE, derivative, statement->text);
}

static void add_call(Report *report, const Record *record, Derivative *derivative) {
  const char *const *fields = record->fields + FIELD_FIRST;
  const char *text = nb_arena_print(report->arena, "%s: %s", fields[1], fields[2]);
  note_at(report, record, NOTE_CALL, derivative, text);
}

static void add_operand(const Report *report, const Record *record) {
  const Derivative *derivative = derivative_of(report, record->fields[1]);
  if (!derivative || !derivative->statements.count)
    return;
  Statement *last = derivative->statements.items[derivative->statements.count - 1];
  Operand *operand = NB_NEW(report->arena, Operand);
  *operand = (Operand){record->fields[2], record->fields[3], record->fields[4]};
  nb_list_push(&last->operands, operand);
}

static void add_written(const Report *report, const Record *record) {
  Derivative *derivative = derivative_of(report, record->fields[1]);
  if (!derivative)
    return;
  Written *written = NB_NEW(report->arena, Written);
  *written = (Written){record->fields[2], record->fields[3]};
  nb_list_push(&derivative->written, written);
}

static void add_message(Report *report, const Record *record) {
  bool error = strcmp(record->fields[FIELD_FIRST], "error") == 0;
  Note *note = note_at(report, record, error ? NOTE_ERROR : NOTE_WARNING, NULL,
                       record->fields[FIELD_FIRST + 1]);
  nb_list_push(&report->messages, note);
}

static void add_request(Report *report, const Record *record) {
  const char *const *fields = record->fields + FIELD_FIRST;
  const char *text =
      nb_arena_print(report->arena, "%s asks for a derivative of %s", fields[0], fields[1]);
  note_at(report, record, NOTE_REQUEST, NULL, text)->asked = fields[1];
}

static void end_derivative(const Report *report, const Record *record) {
  Derivative *derivative = derivative_of(report, record->fields[1]);
  if (derivative)
    derivative->state = record->fields[2];
}

bool report_is_refused(const Derivative *derivative) {
  return strcmp(derivative->state, "refused") == 0;
}

typedef struct {
  const char *kind;
  void (*add)(Report *report, const Record *record, Derivative *derivative);
} PlacedKind;

static void add_record(Report *report, const Record *record) {
  static const PlacedKind placed[] = {{"loop", add_loop},
                                      {"kept", add_kept},
                                      {"again", add_again},
                                      {"statement", add_statement},
                                      {"call", add_call}};
  const char *kind = record->fields[0];
  if (strcmp(kind, "request") == 0)
    add_request(report, record);
  if (strcmp(kind, "derivative") == 0)
    add_derivative(report, record);
  if (strcmp(kind, "operand") == 0)
    add_operand(report, record);
  if (strcmp(kind, "source") == 0)
    add_written(report, record);
  if (strcmp(kind, "message") == 0)
    add_message(report, record);
  if (strcmp(kind, "end") == 0)
    end_derivative(report, record);
  for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
    bool same = strcmp(kind, placed[i].kind) == 0;
    Derivative *derivative = same ? derivative_of(report, record->fields[FIELD_FIRST]) : NULL;
    if (derivative)
      placed[i].add(report, record, derivative);
  }
}

/* The field up to its end, with what stands behind backslashes put back. */
static const char *take_field(const Report *report, const char *text, size_t length) {
  static const char letters[] = "tnr", meant[] = "\t\n\r";
  char *field = nb_arena_copy(report->arena, text, length);
  char *to = field;
  for (const char *from = field; *from; from++) {
    const char *letter = *from == '\\' && from[1] ? strchr(letters, from[1]) : NULL;
    if (*from == '\\' && from[1])
      from++;
    *to++ = letter ? meant[letter - letters] : *from;
  }
  *to = '\0';
  return field;
}

/* A file of this folder has one name, with and without "./". */
static const char *plain_path(const Report *report, const char *path) {
  char *plain = nb_arena_copy(report->arena, path, strlen(path));
  for (char *dot = strstr(plain, "/./"); dot; dot = strstr(plain, "/./"))
    memmove(dot, dot + 2, strlen(dot + 2) + 1);
  return plain;
}

static Record parse(const Report *report, const char *text) {
  Record record;
  for (unsigned i = 0; i < FIELDS_MAX; i++) {
    size_t length = strcspn(text, "\t\n");
    record.fields[i] = take_field(report, text, length);
    text += length;
    text += *text == '\t';
  }
  record.fields[FIELD_FILE] = plain_path(report, record.fields[FIELD_FILE]);
  return record;
}

/* Does it begin a derivative in whose place another one was made? What else is said of such is of
 * none that is known. */
static bool is_withdrawn(const NbList *all, const Record *record) {
  for (unsigned i = 0; strcmp(record->fields[0], "derivative") == 0 && i < all->count; i++) {
    const Record *other = all->items[i];
    if (strcmp(other->fields[0], "withdrawn") == 0 &&
        strcmp(other->fields[1], record->fields[FIELD_FIRST]) == 0)
      return true;
  }
  return false;
}

bool report_read(Report *report, const char *records) {
  FILE *in = fopen(records, "r");
  char *text = NULL;
  size_t size = 0;
  if (!in)
    return false;
  NbList all = nb_list(report->arena);
  while (getline(&text, &size, in) > 0) {
    Record *record = NB_NEW(report->arena, Record);
    *record = parse(report, text);
    nb_list_push(&all, record);
  }
  for (unsigned i = 0; i < all.count; i++)
    if (!is_withdrawn(&all, all.items[i]))
      add_record(report, all.items[i]);
  free(text);
  fclose(in);
  return true;
}

/* --- What the writers share ------------------------------------------------------------------ */

static bool is_word(const char *text, const char *word) {
  size_t length = strlen(word);
  return strncasecmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]) &&
         text[length] != '_';
}

/* Does the line end a function of Fortran, or of a language with brackets? */
static bool ends_function(const char *line, bool fortran) {
  static const char *const kinds[] = {"function", "subroutine", "procedure"};
  if (!fortran)
    return line[0] == '}';
  line += strspn(line, " \t");
  if (strncasecmp(line, "end", strlen("end")) != 0)
    return false;
  line += strlen("end");
  line += strspn(line, " \t");
  bool ends = !*line || *line == '!';
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    ends = ends || is_word(line, kinds[i]);
  return ends;
}

/* Does a function in brackets that begins in the line end in it? */
static bool is_whole_function(const char *line) {
  int depth = 0;
  for (const char *at = line; *at; at++)
    depth += (*at == '{') - (*at == '}');
  return depth == 0 && strchr(line, '{');
}

static unsigned end_of_function(const Source *source, unsigned first, bool fortran) {
  const Line *line = source->lines.items[first];
  if (!fortran && is_whole_function(line->text))
    return first + 1;
  unsigned end = first;
  while (end < source->lines.count &&
         !ends_function(((const Line *)source->lines.items[end++])->text, fortran))
    continue;
  return end;
}

const Source *report_function(const Report *report, const Derivative *derivative, unsigned *first,
                              unsigned *end) {
  for (unsigned i = 0; i < report->sources.count; i++) {
    const Source *source = report->sources.items[i];
    bool own = source->found && derivative->line && strcmp(source->path, derivative->file) == 0;
    if (!own || derivative->line > source->lines.count)
      continue;
    *first = derivative->line - 1;
    *end = end_of_function(source, *first, report_is_fortran(derivative));
    return source;
  }
  return NULL;
}

const char *report_kind(NoteKind kind) {
  static const char *const names[] = {
      [NOTE_DERIVATIVE] = "derivative",
      [NOTE_LOOP] = "loop",
      [NOTE_ACTIVE] = "active",
      [NOTE_CALL] = "call",
      [NOTE_COMPUTE] = "recomputed",
      [NOTE_RELOAD] = "reloaded",
      [NOTE_KEPT] = "kept",
      [NOTE_REQUEST] = "request",
      [NOTE_WARNING] = "warning",
      [NOTE_ERROR] = "error",
  };
  return names[kind];
}
