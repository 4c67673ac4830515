// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Training a recurrent network on a sequence of vectors. */
#ifndef EXAMPLES_LSTM_H
#define EXAMPLES_LSTM_H

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters: the layers' weights and biases, then from `edges_at` on the network's edges. */
typedef struct {
  int layers, steps, width;
  int edges_at, size;
  double *parameters; /* size; the gradient has the same layout */
  double *start;      /* 2 * layers * width: the state before the first step */
  double *sequence;   /* steps * width */
} Lstm;

typedef struct Input Input;

/* The problem in a file, or one of the given sizes made from a fixed seed; owned by the caller. */
Lstm lstm_new(const Input *input);
void lstm_free(Lstm *lstm);

double lstm_value(const Lstm *lstm);

/* Writes the gradient: `size` numbers, by reverse mode. */
void lstm_gradient(const Lstm *lstm, double *gradient);

/* Writes the LANES derivatives in the given directions, by dual numbers. */
void lstm_reference(const Lstm *lstm, const double *directions, double *derivatives);

#ifdef __cplusplus
}
#endif
#endif
