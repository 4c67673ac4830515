/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Which derivatives a person means by the name of a function: its symbol, its name with parameters,
 * or its name alone, with or without what stands in front of it (namespaces, modules) and with or
 * without the arguments of templates. */

/* strncasecmp is POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "report.h"

#include <string.h>
#include <strings.h>

/* The end of the name in a declaration: where its parameters begin. */
static size_t name_length(const char *declaration) {
  const char *closing = strrchr(declaration, ')');
  unsigned depth = 0;
  for (const char *at = closing; at && at > declaration; at--) {
    depth += *at == ')';
    depth -= *at == '(';
    if (!depth)
      return (size_t)(at - declaration);
  }
  return strlen(declaration);
}

/* Without the template's arguments behind it. */
static size_t plain_length(const char *declaration, size_t length) {
  unsigned depth = 0;
  for (size_t at = length; at-- > 0 && declaration[length - 1] == '>';) {
    depth += declaration[at] == '>';
    depth -= declaration[at] == '<';
    if (!depth)
      return at;
  }
  return length;
}

/* Fortran has no letters of two sizes. Its symbols begin with _Q or end with an underscore that the
 * name has not. */
bool report_is_fortran(const Derivative *derivative) {
  size_t length = strlen(derivative->name);
  const char *symbol = derivative->symbol;
  bool inside = strncmp(symbol, "_Q", 2) == 0;
  bool outside = strlen(symbol) == length + 1 && strncmp(symbol, derivative->name, length) == 0;
  return inside || outside;
}

/* Does what is shown end with the name, and is there nothing or the end of another word before it?
 */
static bool ends_with_name(const Derivative *derivative, size_t length, const char *name) {
  size_t own = strlen(name);
  if (!own || own > length)
    return false;
  const char *start = derivative->name + length - own;
  bool same = report_is_fortran(derivative) ? strncasecmp(start, name, own) == 0
                                            : strncmp(start, name, own) == 0;
  return same && (own == length || strchr(" :", start[-1]));
}

static bool is_of(const Derivative *derivative, const char *name) {
  const char *shown = derivative->name;
  size_t length = name_length(shown);
  return strcmp(derivative->symbol, name) == 0 || ends_with_name(derivative, strlen(shown), name) ||
         ends_with_name(derivative, length, name) ||
         ends_with_name(derivative, plain_length(shown, length), name);
}

static bool is_of_any(const Derivative *derivative, const NbList *names) {
  for (unsigned i = 0; i < names->count; i++)
    if (is_of(derivative, names->items[i]))
      return true;
  return false;
}

static const char *unknown(const Report *report, const NbList *names) {
  for (unsigned i = 0; i < names->count; i++) {
    bool known = false;
    for (unsigned j = 0; j < report->derivatives.count && !known; j++)
      known = is_of(report->derivatives.items[j], names->items[i]);
    if (!known)
      return names->items[i];
  }
  return NULL;
}

/* Is a derivative asked for that is left? */
static bool asks_for_any(const Report *report, const Note *note) {
  for (unsigned i = 0; i < report->derivatives.count; i++)
    if (strcmp(((const Derivative *)report->derivatives.items[i])->name, note->asked) == 0)
      return true;
  return false;
}

static void keep_notes(const Report *report, Line *line, const NbList *names) {
  unsigned kept = 0;
  for (unsigned i = 0; i < line->notes.count; i++) {
    const Note *note = line->notes.items[i];
    bool own = !note->derivative || is_of_any(note->derivative, names);
    if (own && (!note->asked || asks_for_any(report, note)))
      line->notes.items[kept++] = line->notes.items[i];
  }
  line->notes.count = kept;
}

const char *report_choose(Report *report, const NbList *names) {
  const char *none = unknown(report, names);
  if (none || !names->count)
    return none;
  unsigned kept = 0;
  for (unsigned i = 0; i < report->derivatives.count; i++)
    if (is_of_any(report->derivatives.items[i], names))
      report->derivatives.items[kept++] = report->derivatives.items[i];
  report->derivatives.count = kept;
  for (unsigned i = 0; i < report->sources.count; i++) {
    const Source *source = report->sources.items[i];
    for (unsigned j = 0; j < source->lines.count; j++)
      keep_notes(report, source->lines.items[j], names);
  }
  return NULL;
}
