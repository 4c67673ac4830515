// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One call of a derivative while it is checked. */
#ifndef NABLA_RUNTIME_CHECK_SESSION_H
#define NABLA_RUNTIME_CHECK_SESSION_H

#include "check_memory.h"

#include <setjmp.h>

/* A scalar of the function's memory with its shadow. J is the derivative of all written cells by
 * all cells that are read first. */
struct __nabla_check_cell {
  char *primal, *shadow;
  const char *seed; /* of the result: its adjoint; NULL: the shadow is what it begins with */
  const char *name; /* of a float argument, or "the result"; NULL: found in memory */
  uint32_t bytes;
  bool read;     /* before it is written: an input */
  bool written;  /* an output */
  bool unneeded; /* its primal's memory is not to be touched */
  bool argument; /* a float argument or the result: not in memory of the user's */
  double value;  /* unneeded: what was written last */
  double entry;  /* the primal at entry */
  double weight; /* the shadow at entry; of the result: its adjoint */
  double direction;
  double aside;           /* from entry to the point where a run is made */
  double output, tangent; /* after a run at entry's values: the primal, and J times direction */
};

struct __nabla_check_session {
  struct __nabla_check_site *site;
  char *frame;
  const char *stack; /* what lies below is the run's own */
  bool discovering, finished, overflow, resized;
  jmp_buf leave;
  const struct __nabla_check_place *born; /* the first value of the run that was no number */
  struct __nabla_check_words words;
  struct __nabla_check_blocks own;    /* allocated by the run */
  struct __nabla_check_blocks moved;  /* shadows that were written without saying as what */
  struct __nabla_check_copies copies; /* where these come from */
  struct __nabla_check_blocks opened; /* pages made writable */
  struct __nabla_check_cell *cells;
  size_t count, capacity;
  size_t *index; /* a hash table by shadow: the cell's number plus one */
  size_t index_size;
  double reach; /* the longest direction of an input, relative to its size */
  char *shared; /* a shadow that belongs to two primals; NULL */
  char *itself; /* memory that is its own shadow, and must not be; NULL */
};

/* Runs the observed derivative. False where the function did not return. To be followed by
 * __nabla_check_restore. */
__NABLA_CHECKED bool __nabla_check_run(struct __nabla_check_session *session);
/* Memory is as it was at entry again; what the run allocated is freed. */
__NABLA_CHECKED void __nabla_check_restore(struct __nabla_check_session *session);

__NABLA_CHECKED double __nabla_check_get(const char *memory, uint32_t bytes);
/* Writes a scalar that __nabla_check_restore takes back. */
__NABLA_CHECKED void __nabla_check_put(struct __nabla_check_session *session, char *memory,
                                       double value, uint32_t bytes);
/* The primal of a cell now. */
__NABLA_CHECKED double __nabla_check_now(const struct __nabla_check_cell *cell);
/* The tangents are the directions; the inputs are `step` directions away from the point. */
__NABLA_CHECKED void __nabla_check_place_inputs(struct __nabla_check_session *session, double step);
/* The run at the point itself, which gives outputs and J times direction; memory is restored. */
__NABLA_CHECKED bool __nabla_check_run_base(struct __nabla_check_session *session);
/* A name of the cell for a person, in `text`: "x[3]". */
__NABLA_CHECKED void __nabla_check_name(const struct __nabla_check_session *session,
                                        const struct __nabla_check_cell *cell, char *text,
                                        size_t size);

/* Compares the tangents of all outputs with differences. */
__NABLA_CHECKED void __nabla_check_differences(struct __nabla_check_session *session);

#endif
