// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What has been found: a row for each call in the source, and the table at exit. */
#ifndef NABLA_RUNTIME_CHECK_REPORT_H
#define NABLA_RUNTIME_CHECK_REPORT_H

#include "check_session.h"

enum { __NABLA_CHECK_TEXT = 160 };

/* What is compared. */
enum __nabla_check_kind {
  __NABLA_CHECK_DOT,         /* <w, J v> with <J^T w, v> */
  __NABLA_CHECK_DIFFERENCES, /* J v with differences */
  __NABLA_CHECK_SAME,        /* J v as the program computes it with J v as the check does */
  __NABLA_CHECK_KINDS
};

struct __nabla_check_row {
  struct __nabla_check_site *site;
  uint64_t calls, checked, faults, undecided;
  uint64_t beyond; /* calls that were left out for the usual limit, which the user did not set */
  uint64_t alone;  /* second halves whose augmented forward was not checked */
  double worst[__NABLA_CHECK_KINDS];  /* the greatest relative error seen of each kind */
  char unchecked[__NABLA_CHECK_TEXT]; /* why a call was not checked; "" */
  char note[__NABLA_CHECK_TEXT];
  struct __nabla_check_row *next;
};

/* What the environment says. */
struct __nabla_check_settings {
  uint64_t every, calls, cells;
  double tolerance[__NABLA_CHECK_KINDS];
  bool always, threads;
  bool limited; /* is `calls` the user's choice? */
  int status;
};

__NABLA_CHECKED const struct __nabla_check_settings *__nabla_check_settings_get(void);
/* The row of a site, made when it is first asked for; counts a call. True in `*wanted` where this
 * one is to be checked. */
__NABLA_CHECKED struct __nabla_check_row *__nabla_check_row_of(struct __nabla_check_site *site,
                                                               bool *wanted);
/* Around what is shared by threads. */
__NABLA_CHECKED void __nabla_check_lock(void);
__NABLA_CHECKED void __nabla_check_unlock(void);
/* How far two values may be apart, relative to their size. */
__NABLA_CHECKED double __nabla_check_tolerance(bool single, enum __nabla_check_kind kind);
/* A derivative has left this in a shadow: another that finds it there goes on from it. */
__NABLA_CHECKED void __nabla_check_left(const char *shadow, uint32_t bytes);
__NABLA_CHECKED bool __nabla_check_was_left(const char *shadow, uint32_t bytes);
/* An error that is within its bounds. */
__NABLA_CHECKED void __nabla_check_note_error(struct __nabla_check_row *row,
                                              enum __nabla_check_kind kind, double error);
/* Something is wrong: says so at once. */
__attribute__((format(printf, 2, 3))) __NABLA_CHECKED void
__nabla_check_fault(struct __nabla_check_row *row, const char *format, ...);
/* This call could not be checked, or a part of it could not. */
__attribute__((format(printf, 2, 3))) __NABLA_CHECKED void
__nabla_check_unchecked(struct __nabla_check_row *row, const char *format, ...);
/* Worth a word in the table, no fault. */
__attribute__((format(printf, 2, 3))) __NABLA_CHECKED void
__nabla_check_remark(struct __nabla_check_row *row, const char *format, ...);

#endif
