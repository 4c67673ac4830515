// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* In the place of tests: the derivatives at the corners of every box and at random points, for
 * report.py, which knows the true ones. A line is the case and the box, the arguments, the
 * derivatives, what the row's text gives of the functions' results where nothing else is rounded
 * to their format, and the sum of the absolute values of its terms; all in hexadecimal. */
#ifndef NABLA_REPORT_H
#define NABLA_REPORT_H

#define NB_FORMULA(type) long double
#define NB_ABS(x) fabsl(x)
#include "ruletest.h"

/* How many random points a box has. */
#ifndef NB_REPORT
#define NB_REPORT 40
#endif

/* The corners are counted in bits: is argument i at its upper end? */
static inline void nb_report_point(const NbCase *c, const NbBox *box, unsigned corner,
                                   uint64_t *state, NbSample *s) {
  for (unsigned i = 0; i < c->reals; i++) {
    bool high = corner >> i & 1;
    double part = corner < 1u << c->reals ? high : nb_random(state);
    s->v[i] = box->low[i] + (box->high[i] - box->low[i]) * part;
    s->v[i] = c->narrow ? (double)(float)s->v[i] : s->v[i];
  }
  for (unsigned i = 0; i < c->ints; i++) {
    int width = box->high_k[i] - box->low_k[i] + 1;
    s->k[i] = box->low_k[i] + (int)(nb_random(state) * width);
  }
}

static inline void nb_report_box(const NbCase *c, const NbBox *box, unsigned index) {
  uint64_t state = 0x9e3779b97f4a7c15u;
  unsigned corners = c->reals < NB_SLOTS ? 1u << c->reals : 0;
  for (unsigned i = 0; i < corners + NB_REPORT; i++) {
    NbSample s = {0};
    double out[2 * NB_SLOTS] = {0}, exact[2 * NB_SLOTS] = {0};
    nb_report_point(c, box, i, &state, &s);
    if (c->adjoint)
      c->adjoint(s.v, out, s.k);
    else
      c->formula(s.v, out, s.k);
    c->formula(s.v, exact, s.k);
    printf("%s|%u|", c->name, index);
    for (unsigned k = 0; k < c->ints; k++)
      printf("%d ", s.k[k]);
    for (unsigned k = 0; k < c->reals; k++)
      printf("%s%a", k ? " " : "|", s.v[k]);
    for (unsigned k = 0; k < c->reals; k++)
      printf("%s%a", k ? " " : "|", out[k]);
    for (unsigned k = 0; k < c->reals; k++)
      printf("%s%a", k ? " " : "|", exact[k]);
    for (unsigned k = 0; k < c->reals; k++)
      printf("%s%a", k ? " " : "|", exact[NB_SLOTS + k]);
    puts("");
  }
}

static inline void nb_case_report(const NbCase *c, unsigned *passed, unsigned *failed) {
  (void)passed, (void)failed;
  for (unsigned i = 0; i < c->box_count; i++)
    nb_report_box(c, &c->boxes[i], i);
}

#define nb_case_run nb_case_report

#endif
