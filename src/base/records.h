// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What -nabla-explain=FILE writes, for `nabla explain` and any other reader: a record a line, its
 * kind first, then its fields, each behind a tab. In a field, a backslash stands before another
 * (\\), t (a tab), n and r. What each kind holds stands in docs/explain.md. */
#ifndef NABLA_BASE_RECORDS_H
#define NABLA_BASE_RECORDS_H

#include "base/context.h"

/* Opens the file that the option names, and writes behind what is there: each process and each
 * module of one compilation adds its own, and numbers its derivatives on. Until it is closed,
 * others that do the same at the same time wait. False where it cannot be written. */
bool nb_records_open(NbContext *context);
void nb_records_close(NbContext *context);
/* Is there a file? */
bool nb_recording(const NbContext *context);
void nb_record(const NbContext *context, const char *kind, const char *const *fields,
               unsigned count);
/* The same for something at `where` (an instruction or a function): file, line and column stand
 * before the fields; "", 0 and 0 where they are not known. */
void nb_record_at(const NbContext *context, const char *kind, LLVMValueRef where,
                  const char *const *fields, unsigned count);
/* A message to the user, at a place outside of libraries where there is one. */
void nb_record_message(const NbContext *context, LLVMValueRef where, const char *const *fields,
                       unsigned count);
/* A number as a field. */
const char *nb_record_number(const NbContext *context, uint64_t number);

#endif
