// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Words of eight bytes in shadows, of memory that holds one thing after another: a block that is
 * used again, a union. What may lie there is known, but not what does.
 *
 * The bits of the shadow tell much. The shadow of a pointer is an address, which as a double is
 * denormal; that of an integer is zero. What is moved to where only zeros are is moved as bits,
 * whatever it is. Only of two shadows that are to be added must be known what they are. */
#ifndef NABLA_RUNTIME_WORDS_H
#define NABLA_RUNTIME_WORDS_H

#include <stdint.h>

/* What may lie in a word: a double, a pointer, a float in the lower half or in the upper one, or
 * something else. Bits of `may`. */
enum {
  __NABLA_MAY_DOUBLE = 1,
  __NABLA_MAY_POINTER = 2,
  __NABLA_MAY_LOWER = 4,
  __NABLA_MAY_UPPER = 8,
  __NABLA_MAY_OTHER = 16
};

/* As the functions of tape.h, of the words at first, first + period, ... that lie wholly within
 * `bytes`; behind words that lie side by side, a float may be left. What is no number stays where
 * it is. The program ends with a message, which begins with `place`, where two shadows are to be
 * added that may be doubles or pairs of floats. */
void __nabla_move_adjoint_word(char *to, char *from, uint64_t bytes, uint64_t first,
                               uint64_t period, uint32_t may, const char *place);
void __nabla_zero_word(char *to, uint64_t bytes, uint64_t first, uint64_t period, uint32_t may);
/* Before the reverse sweep: the pointers among the words are copied. What is none becomes zero, for
 * where others have the memory that is copied from, adjoints may be there already. */
void __nabla_copy_pointers_word(char *to, char *from, uint64_t bytes, uint64_t first,
                                uint64_t period, uint32_t may);

/* The same of what is differentiated in forward mode: both are linear, and do the same with
 * tangents. */
void __nabla_move_adjoint_word_forward(char *to, char *to_tangent, char *from, char *from_tangent,
                                       uint64_t bytes, uint64_t first, uint64_t period,
                                       uint32_t may, const char *place, const char *same_place);
void __nabla_zero_word_forward(char *to, char *to_tangent, uint64_t bytes, uint64_t first,
                               uint64_t period, uint32_t may);
void __nabla_copy_pointers_word_forward(char *to, char *to_tangent, char *from, char *from_tangent,
                                        uint64_t bytes, uint64_t first, uint64_t period,
                                        uint32_t may);

/* Ends the program with that message. */
_Noreturn void __nabla_mixed(const char *place);

#endif
