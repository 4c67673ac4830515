/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef NABLA_BASE_TEXT_H
#define NABLA_BASE_TEXT_H

#include <stddef.h>

/* How many bytes the character beyond ASCII has that begins here in UTF-8; 0 where there is none.
 * `text` ends with a zero. */
size_t nb_text_wide(const char *text);

/* How many bytes of the name of a value are a name that it was given; the optimiser's additions,
 * each behind a full stop, follow. 0 where they say that it is another value, such as a distance.
 */
size_t nb_text_given(const char *name, char mark);

#endif
