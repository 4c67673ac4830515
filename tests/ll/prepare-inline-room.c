// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that hand out memory are inlined, but not recursive ones, which would only grow: the
// derivative, and that of the derivative, are made in seconds.
// RUN: timeout 100 %clang -O2 -c %s -o %t
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

struct Tree {
  double value;
  struct Tree *left, *right;
};

static struct Tree *insert(struct Tree *tree, double value) {
  if (!tree) {
    tree = malloc(sizeof *tree);
    *tree = (struct Tree){value, NULL, NULL};
  } else if (value < tree->value) {
    tree->left = insert(tree->left, value);
  } else {
    tree->right = insert(tree->right, value);
  }
  return tree;
}

static double sum(const struct Tree *tree, double scale) {
  if (!tree)
    return scale;
  return tree->value * sum(tree->left, scale * 0.5) + sum(tree->right, tree->value * scale);
}

double tree_sum(double *x, int n) {
  struct Tree *tree = NULL;
  for (int i = 0; i < 7; i++)
    tree = insert(tree, x[i % n] * (i + 1));
  return sum(tree, x[0]);
}

void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)tree_sum, enzyme_dup, x, dx, enzyme_const, n);
}

void curvature(double *x, double *h, double *dx, double *w, int n) {
  __enzyme_autodiff((void *)gradient, enzyme_dup, x, h, enzyme_dup, dx, w, enzyme_const, n);
}
