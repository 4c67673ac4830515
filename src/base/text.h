/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef NABLA_BASE_TEXT_H
#define NABLA_BASE_TEXT_H

#include <stddef.h>

/* How many bytes the character beyond ASCII has that begins here in UTF-8; 0 where there is none.
 * `text` ends with a zero. */
size_t nb_text_wide(const char *text);

#endif
