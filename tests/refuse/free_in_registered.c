// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function with derivatives of the user's frees nodes that may be the caller's or were allocated
 * within. */
#include <stdlib.h>
extern void __enzyme_autodiff(void *, ...);

typedef struct Node {
  double value;
  struct Node *next;
} Node;

typedef struct Stack {
  Node *top;
} Stack;

void drop(Stack *s) {
  Node *top = s->top;
  s->top = top->next;
  free(top);
}

void *drop_augmented(Stack *s, Stack *d);
void drop_reverse(Stack *s, Stack *d, void *tape);
void *__enzyme_register_gradient_drop[] = {drop, drop_augmented, drop_reverse};

static double dropped(Stack *s, double x) {
  Node *own = malloc(sizeof *own);
  *own = (Node){s->top->value * x, s->top};
  s->top = own;
  double y = s->top->value * x;
  drop(s); // error: may be of the caller ... [nabla: free]
  return y;
}

void use(Stack *s, Stack *d) { __enzyme_autodiff((void *)dropped, s, d, 1.5); }
