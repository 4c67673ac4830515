// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a program that verifies its own derivatives calls (docs/check.md).
 *
 * The engine writes, for each call of a derivative, one site, and an observed forward derivative of
 * the same function. That one computes primal and tangents as the other does, and tells what it
 * does: which scalars of memory have which shadows, what is overwritten, what is allocated and
 * freed, where a value that is no number is born. So nothing about the extent of memory is guessed.
 * The functions below stand in the order of a call; all of them are weak, so that the files of a
 * program share one table. Where a derivative is of several directions, each is checked as one. */
#ifndef NABLA_RUNTIME_CHECK_H
#define NABLA_RUNTIME_CHECK_H

#include <stdint.h>

#define __NABLA_CHECKED __attribute__((weak))

/* A place in the user's source; `file` is NULL where it is not known. */
struct __nabla_check_place {
  const char *file;
  uint32_t line;
};

/* A scalar of `bytes` bytes in a site's frame: a float argument, or (`result`) one of the result's.
 * Offsets are into the frame. */
struct __nabla_check_scalar {
  const char *name;
  uint32_t primal, shadow, bytes, result;
  uint32_t seed; /* of the result: its adjoint */
};

/* A pointer argument and its shadow in a site's frame. */
struct __nabla_check_pointer {
  const char *name;
  uint32_t primal, shadow;
  uint32_t guarded; /* may it be its own shadow, which says that its memory has none? */
};

/* What the user asked for. */
enum __nabla_check_mode { __NABLA_CHECK_FORWARD, __NABLA_CHECK_REVERSE };
/* And which part of it: the halves of split mode are calls of their own. From the third on they
 * come later than the primal. */
enum __nabla_check_part {
  __NABLA_CHECK_WHOLE,
  __NABLA_CHECK_AUGMENTED,
  __NABLA_CHECK_RECORDED, /* the same for forward mode */
  __NABLA_CHECK_REVERSED,
  __NABLA_CHECK_REVERSED_AGAIN, /* the tape is kept for another */
  __NABLA_CHECK_REPLAYED,
  __NABLA_CHECK_REPLAYED_AGAIN
};

/* What it computes in: the run tells of numbers in single precision whether they have tangents, or
 * does not tell. */
enum __nabla_check_precision {
  __NABLA_CHECK_DOUBLE,
  __NABLA_CHECK_SINGLE,
  __NABLA_CHECK_SINGLE_UNSEEN
};

struct __nabla_check_row;

/* A call of a derivative in the source. */
struct __nabla_check_site {
  const char *function;
  struct __nabla_check_place place;
  const char *reason; /* why it cannot be checked; NULL: it can */
  /* The observed forward derivatives by direction: each reads arguments and tangents from a frame,
   * and writes result and tangent there. NULL where the part comes later. */
  void (*const *observe)(char *frame);
  /* The same by the bodies of functions that have derivatives of their own, which the others call:
   * these tell what such functions access. NULL: as those do. */
  void (*const *discover)(char *frame);
  const struct __nabla_check_scalar *scalars;
  const struct __nabla_check_pointer *pointers;
  struct __nabla_check_row *row; /* the runtime's */
  uint32_t scalar_count, pointer_count;
  uint32_t lanes;       /* directions, each with a frame of its own */
  uint32_t frame_bytes; /* of one frame */
  uint32_t given_bytes; /* of the arguments, with which it begins */
  uint32_t part;        /* of enum __nabla_check_part */
  uint32_t mode;        /* of enum __nabla_check_mode */
  uint32_t precision;   /* of enum __nabla_check_precision */
  uint32_t shared;      /* may shadows overlap? (-nabla-shadows-may-overlap) */
};

struct __nabla_check_session;

/* Before the user's derivative runs. `frames` hold its arguments, shadows and seeds. All memory is
 * as it was when it returns. NULL where this call is not checked. */
__NABLA_CHECKED struct __nabla_check_session *__nabla_check_begin(struct __nabla_check_site *site,
                                                                  char *frames);
/* After it: `frames` have the adjoints of float arguments and the tangents of the result. */
__NABLA_CHECKED void __nabla_check_end(struct __nabla_check_session *session, char *frames);
/* In place of the end, after the augmented forward: what was checked waits for the other half with
 * the same arguments, and the same tape. That is known by its address, or, where it lies in the
 * user's memory and may be moved, by what is in its `bytes` bytes; 0: by its address. */
__NABLA_CHECKED void __nabla_check_wait(struct __nabla_check_session *session, char *frames,
                                        const char *tape, uint64_t bytes);
/* In place of the beginning, before the other half. */
__NABLA_CHECKED struct __nabla_check_session *__nabla_check_resume(struct __nabla_check_site *site,
                                                                   char *frames, const char *tape,
                                                                   uint64_t bytes);

/* --- What an observed derivative tells. ------------------------------------------------------ */

enum __nabla_check_access {
  __NABLA_CHECK_READ = 1,
  __NABLA_CHECK_WRITE = 2,
  __NABLA_CHECK_UNNEEDED = 4, /* the primal's memory is not to be touched */
  __NABLA_CHECK_SENTINEL = 8  /* it may be its own shadow, which says that it has no derivative */
};

/* A scalar of `bytes` bytes is read or written; `value` is what is written. */
__NABLA_CHECKED void __nabla_check_cell(char *primal, char *shadow, double value, uint32_t bytes,
                                        uint32_t access);
/* The same of those at offset first, first + period, ... within `extent` bytes; a period of 0 means
 * at most one. What is written comes from `from`, or is zero where that is NULL. */
__NABLA_CHECKED void __nabla_check_cells(char *primal, char *shadow, char *from, uint64_t extent,
                                         uint64_t first, uint64_t period, uint32_t bytes,
                                         uint32_t access);
/* Bytes of unknown types are moved to this shadow, from `from`, the shadow of `primal`; NULL: from
 * where nothing is known of. `access` may have the two last bits. */
__NABLA_CHECKED void __nabla_check_moved(char *shadow, uint64_t extent, char *primal, char *from,
                                         uint32_t access);
/* A tangent, or the coefficient of one, is computed at `place`. */
__NABLA_CHECKED void __nabla_check_born(double value, const struct __nabla_check_place *place);
/* A tangent in single precision is computed or read. What has none is the same in all runs that are
 * compared, however it was rounded. */
__NABLA_CHECKED void __nabla_check_single(double tangent);
/* These bytes are about to be overwritten. */
__NABLA_CHECKED void __nabla_check_log(char *memory, uint64_t bytes);
/* `bytes` bytes have been allocated, which `release` (NULL: nothing that could be called) frees. */
__NABLA_CHECKED void __nabla_check_allocated(char *memory, uint64_t bytes,
                                             void (*release)(void *memory));
/* What is to be freed in place of `memory`: NULL where the run did not allocate it itself. */
__NABLA_CHECKED char *__nabla_check_freed(char *memory);
/* The same of what is to be resized. The run ends where memory that was there before would move. */
__NABLA_CHECKED char *__nabla_check_resized(char *memory);
/* In place of a call that does not return. */
__NABLA_CHECKED _Noreturn void __nabla_check_leave(void);

#endif
