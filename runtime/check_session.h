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
  bool read;       /* before it is written: an input */
  bool written;    /* an output */
  bool unneeded;   /* its primal's memory is not to be touched */
  bool argument;   /* a float argument or the result: not in memory of the user's */
  double value;    /* unneeded: what was written last */
  double entry;    /* the primal at entry */
  double weight;   /* the shadow at entry; of the result: its adjoint */
  double gradient; /* of an input, in reverse mode, when it is known */
  double direction;
  double aside;           /* from entry to the point where a run is made */
  double output, tangent; /* after a run at entry's values: the primal, and J times direction */
  /* Of memory that the function allocates and leaves: where it is in which allocations. */
  size_t primal_order, shadow_order, offset;
};

struct __nabla_check_session {
  struct __nabla_check_site *site;
  struct __nabla_check_session *next; /* of the same call, in the next direction */
  uint32_t lane;                      /* the number of this direction */
  char *frame;
  const char *stack; /* what lies below is the run's own */
  bool discovering, finished, overflow, resized;
  bool freed;  /* memory that was there before */
  bool leaves; /* numbers that are not followed in memory that it allocates and does not free */
  jmp_buf leave;
  bool single;                            /* has a number in single precision a tangent? */
  const struct __nabla_check_place *born; /* the first value of the run that was no number */
  struct __nabla_check_words words;
  struct __nabla_check_blocks own;    /* allocated by the run */
  size_t allocated, usual_allocated;  /* how many blocks in this run, and in the first */
  struct __nabla_check_block carried; /* what is being resized */
  struct __nabla_check_blocks moved;  /* shadows that were written without saying as what */
  struct __nabla_check_copies copies; /* where these come from */
  struct __nabla_check_blocks opened; /* pages made writable */
  struct __nabla_check_cell *cells;
  size_t count, capacity;
  struct __nabla_check_cell *left; /* outputs in memory that the function allocates and leaves;
                                      after each run their primals and shadows are where it has
                                      them, or NULL */
  size_t left_count;
  size_t *index; /* a hash table by shadow: the cell's number plus one */
  size_t index_size;
  double reach; /* the longest direction of an input, relative to its size */
  char *shared; /* a shadow that belongs to two primals; NULL */
  char *itself; /* memory that is its own shadow, and must not be; NULL */
  /* Between the halves of split mode; all but the columns are of the first direction: */
  char *kept;      /* the frames as they were */
  uint64_t tape;   /* by which the tape is known */
  double *columns; /* RECORDED: those of J by input, each with all outputs; NULL */
  struct __nabla_check_session *waiting; /* of another call */
};

/* The call that this thread checks; NULL. */
extern _Thread_local struct __nabla_check_session *__nabla_check_current;

/* Runs the observed derivative. False where the function did not return. To be followed by
 * __nabla_check_restore. */
__NABLA_CHECKED bool __nabla_check_run(struct __nabla_check_session *session);
/* Memory is as it was at entry again; what the run allocated is freed. */
__NABLA_CHECKED void __nabla_check_restore(struct __nabla_check_session *session);

__NABLA_CHECKED double __nabla_check_get(const char *memory, uint32_t bytes);
/* Writes a scalar that __nabla_check_restore takes back. */
__NABLA_CHECKED void __nabla_check_put(struct __nabla_check_session *session, char *memory,
                                       double value, uint32_t bytes);
/* The outputs are among these, from 0 to the number of all: what is left, and the cells. */
__NABLA_CHECKED size_t __nabla_check_all(const struct __nabla_check_session *session);
__NABLA_CHECKED struct __nabla_check_cell *
__nabla_check_nth(const struct __nabla_check_session *session, size_t number);
/* The primal of a cell now; not a number where it is nowhere. */
__NABLA_CHECKED double __nabla_check_now(const struct __nabla_check_cell *cell);
/* The tangents are the directions; the inputs are `step` directions away from the point. */
__NABLA_CHECKED void __nabla_check_place_inputs(struct __nabla_check_session *session, double step);
/* The run at the point itself, which gives outputs and J times direction; memory is restored. */
__NABLA_CHECKED bool __nabla_check_run_base(struct __nabla_check_session *session);
/* A name of the cell for a person, in `text`: "x[3]". */
__NABLA_CHECKED void __nabla_check_name(const struct __nabla_check_session *session,
                                        const struct __nabla_check_cell *cell, char *text,
                                        size_t size);

/* A number is written, perhaps into memory that the run has allocated. */
__NABLA_CHECKED void __nabla_check_left_write(struct __nabla_check_session *session,
                                              const struct __nabla_check_cell *cell);
__NABLA_CHECKED void __nabla_check_left_forget(struct __nabla_check_block *block);
/* A block is being resized: the next one that is allocated takes its place. */
__NABLA_CHECKED void __nabla_check_left_carry(struct __nabla_check_session *session,
                                              const struct __nabla_check_block *block);
__NABLA_CHECKED void __nabla_check_left_arrive(struct __nabla_check_session *session,
                                               struct __nabla_check_block *block);
/* At the end of the first run: which numbers are left. */
__NABLA_CHECKED void __nabla_check_left_find(struct __nabla_check_session *session);
/* At the end of any other: where they are. */
__NABLA_CHECKED void __nabla_check_left_locate(struct __nabla_check_session *session);

/* The cell with this shadow; NULL where there is none. */
__NABLA_CHECKED struct __nabla_check_cell *
__nabla_check_find_cell(const struct __nabla_check_session *session, const char *shadow);
__NABLA_CHECKED struct __nabla_check_cell *
__nabla_check_add_cell(struct __nabla_check_session *session, struct __nabla_check_cell cell);
/* The cells in the order of their primals; the caller frees the list. */
__NABLA_CHECKED struct __nabla_check_cell **
__nabla_check_by_primal(const struct __nabla_check_session *session);

/* Are the shadows memory of their own? `primals`: all cells in the order of their primals. Says
 * what is wrong with them. */
__NABLA_CHECKED bool __nabla_check_shadows_are_sound(const struct __nabla_check_session *session,
                                                     struct __nabla_check_cell *const *primals);
/* The same of those of two directions, from `session` on. */
__NABLA_CHECKED bool __nabla_check_lanes_are_sound(const struct __nabla_check_session *session);
/* In reverse mode, shadows of what is only read begin as zeros, or go on from a former call, where
 * all are checked; in both, what the derivative begins with is a number. */
__NABLA_CHECKED void __nabla_check_look_at_seeds(const struct __nabla_check_session *session);

/* The size by which an input moves: its own, or, near zero, a part of what is usual. */
__NABLA_CHECKED double __nabla_check_size(const struct __nabla_check_cell *cell, double usual);
/* The directions in which inputs move: the program's own in forward mode; where they are not known,
 * and in reverse mode, one at random, of the inputs' size, or 1 where there is only one. */
__NABLA_CHECKED void __nabla_check_choose_directions(struct __nabla_check_session *session,
                                                     struct __nabla_check_cell *const *primals);
/* In reverse mode, when the gradient is known: a direction along which all of its parts count
 * alike, as far as rounding lets them. False where there is none. */
__NABLA_CHECKED bool __nabla_check_choose_balanced(struct __nabla_check_session *session,
                                                   struct __nabla_check_cell *const *primals);

/* In reverse mode: notes the gradient that the program's derivative has added to the shadows. */
__NABLA_CHECKED void __nabla_check_note_gradient(struct __nabla_check_session *session);
/* Compares it with the tangents along the directions; `where` says of which parts. False where they
 * differ, or are no numbers, which has been told. */
__NABLA_CHECKED bool __nabla_check_compare_products(const struct __nabla_check_session *session,
                                                    const char *where);
/* In forward mode: compares the program's tangents with those that were checked. */
__NABLA_CHECKED void __nabla_check_compare_tangents(const struct __nabla_check_session *session);
/* Compares the tangents of all outputs with differences. */
__NABLA_CHECKED void __nabla_check_differences(struct __nabla_check_session *session);

#endif
