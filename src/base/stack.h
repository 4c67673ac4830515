// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_BASE_STACK_H
#define NABLA_BASE_STACK_H

/* Calls the function on a stack of its own, in the same thread, so large that recursion as deep as
 * the calls of any program does not come to its end: address space, of which only what is touched
 * becomes memory. On the stack that there is, where the system has no room. */
void nb_on_large_stack(void (*function)(void *), void *argument);

#endif
