// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* fileno and flock are not C's. */
#define _DEFAULT_SOURCE

#include "base/records.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

/* Of each line's kind `same` letters are as wanted; more than it has: it is another kind. */
static uint64_t count_derivatives(const char *path) {
  static const char kind[] = "derivative\t";
  FILE *in = fopen(path, "r");
  uint64_t count = 0;
  size_t same = 0;
  for (int letter; in && (letter = fgetc(in)) != EOF;) {
    if (letter == '\n')
      same = 0;
    else if (same < sizeof kind)
      same = letter == kind[same] ? same + 1 : sizeof kind;
    if (same == sizeof kind - 1) {
      count++;
      same = sizeof kind;
    }
  }
  if (in)
    fclose(in);
  return count;
}

bool nb_records_open(NbContext *context) {
  const char *path = nb_option_text(context->options, "explain");
  if (!path || !*path)
    return true;
  context->records = fopen(path, "a");
  if (!context->records)
    return false;
  flock(fileno(context->records), LOCK_EX);
  context->recorded = count_derivatives(path);
  return true;
}

void nb_records_close(NbContext *context) {
  if (context->records)
    fclose(context->records);
  context->records = NULL;
}

bool nb_recording(const NbContext *context) { return context->records != NULL; }

static void write_field(FILE *out, const char *text) {
  static const char special[] = "\\\t\n\r", letters[] = "\\tnr";
  for (; *text; text++) {
    const char *found = strchr(special, *text);
    if (found)
      fputc('\\', out);
    fputc(found ? letters[found - special] : *text, out);
  }
}

static void write_fields(FILE *out, const char *const *fields, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    fputc('\t', out);
    write_field(out, fields[i] ? fields[i] : "");
  }
}

void nb_record(const NbContext *context, const char *kind, const char *const *fields,
               unsigned count) {
  if (!nb_recording(context))
    return;
  fputs(kind, context->records);
  write_fields(context->records, fields, count);
  fputc('\n', context->records);
}

static bool has_place(LLVMValueRef where) {
  if (!where)
    return false;
  bool may = LLVMIsAInstruction(where) || LLVMIsAFunction(where) || LLVMIsAGlobalVariable(where);
  return may && LLVMGetDebugLocLine(where);
}

/* What has no line, such as a phi, is shown where it is used. */
static LLVMValueRef placed(LLVMValueRef where) {
  if (!where || has_place(where) || !LLVMIsAInstruction(where))
    return where;
  for (LLVMUseRef use = LLVMGetFirstUse(where); use; use = LLVMGetNextUse(use))
    if (has_place(LLVMGetUser(use)))
      return LLVMGetUser(use);
  return where;
}

/* The whole path, from whatever folder it is read. */
static const char *path_of(const NbContext *context, LLVMValueRef where) {
  unsigned length, folder_length;
  const char *file = LLVMGetDebugLocFilename(where, &length);
  const char *folder = LLVMGetDebugLocDirectory(where, &folder_length);
  if (!file || !length)
    return "";
  bool whole = file[0] == '/' || !folder || !folder_length;
  return whole ? nb_arena_copy(context->arena, file, length)
               : nb_arena_print(context->arena, "%.*s/%.*s", (int)folder_length, folder,
                                (int)length, file);
}

static void write_placed(const NbContext *context, const char *kind, const char *const *place,
                         const char *const *fields, unsigned count) {
  fputs(kind, context->records);
  write_fields(context->records, place, 3);
  write_fields(context->records, fields, count);
  fputc('\n', context->records);
}

void nb_record_at(const NbContext *context, const char *kind, LLVMValueRef where,
                  const char *const *fields, unsigned count) {
  if (!nb_recording(context))
    return;
  where = placed(where);
  bool known = has_place(where);
  unsigned column = known && LLVMIsAInstruction(where) ? LLVMGetDebugLocColumn(where) : 0;
  const char *place[] = {known ? path_of(context, where) : "",
                         nb_record_number(context, known ? LLVMGetDebugLocLine(where) : 0),
                         nb_record_number(context, column)};
  write_placed(context, kind, place, fields, count);
}

void nb_record_message(const NbContext *context, LLVMValueRef where, const char *const *fields,
                       unsigned count) {
  unsigned line, column;
  char *path = where && nb_recording(context) ? nb_place_for_user(where, &line, &column) : NULL;
  if (!path) {
    nb_record_at(context, "message", where, fields, count);
    return;
  }
  const char *place[] = {path, nb_record_number(context, line), nb_record_number(context, column)};
  write_placed(context, "message", place, fields, count);
  LLVMDisposeMessage(path);
}

const char *nb_record_number(const NbContext *context, uint64_t number) {
  return nb_arena_print(context->arena, "%" PRIu64, number);
}
