// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* By the first byte, for each length: its fixed bits, and the least character that is so long. */
typedef struct Shape {
  unsigned char mask, lead;
  uint32_t least;
} Shape;

static const Shape shapes[] = {{0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

size_t nb_text_wide(const char *text) {
  enum { LAST = 0x10ffff, FIRST_HALF = 0xd800, LAST_HALF = 0xdfff, SIX_BITS = 0x3f };
  const unsigned char *at = (const unsigned char *)text;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if ((at[0] & shapes[i].mask) != shapes[i].lead)
      continue;
    uint32_t letter = at[0] & (unsigned char)~shapes[i].mask;
    for (size_t j = 1; j <= i + 1; j++) {
      if ((at[j] & 0xc0) != 0x80)
        return 0;
      letter = letter << 6 | (at[j] & SIX_BITS);
    }
    bool half = letter >= FIRST_HALF && letter <= LAST_HALF;
    return letter >= shapes[i].least && letter <= LAST && !half ? i + 2 : 0;
  }
  return 0;
}

/* Of a copy, a phi or a part of the variable, without the numbers behind. */
static bool is_of_same(const char *word, size_t length) {
  static const char *const same[] = {"",     "addr",  "lcssa", "pre",  "ph",       "us",
                                     "fr",   "sroa",  "i",     "be",   "peel",     "promoted",
                                     "init", "split", "unr",   "lver", "copyload", "loopexit"};
  while (length && word[length - 1] >= '0' && word[length - 1] <= '9')
    length--;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (strlen(same[i]) == length && strncmp(word, same[i], length) == 0)
      return true;
  return false;
}

size_t nb_text_given(const char *name, char mark) {
  const char ends[] = {'.', mark, 0};
  size_t given = strcspn(name, ends);
  for (const char *at = strchr(name + given, '.'); at;) {
    size_t length = strcspn(++at, ".");
    if (!is_of_same(at, length))
      return 0;
    at = at[length] ? at + length : NULL;
  }
  return given;
}
