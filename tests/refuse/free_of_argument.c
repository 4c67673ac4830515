// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that calls itself frees nodes that may be the caller's or its own. */
#include <stdlib.h>
extern void __enzyme_autodiff(void *, ...);

typedef struct Node {
  double value;
  struct Node *next;
} Node;

typedef struct Stack {
  Node *top;
} Stack;

static double replaced(Stack *s, double x, int n) {
  Node *top = s->top, *own = malloc(sizeof *own);
  double y = top->value * x;
  *own = (Node){y, top->next};
  s->top = own;
  free(top); // error-near: may be of the caller ... [nabla: free]
  return n ? replaced(s, y * y, n - 1) + y : y; // error: [nabla: free]
}

void use(Stack *s, Stack *d) { __enzyme_autodiff((void *)replaced, s, d, 1.5, 4); }
