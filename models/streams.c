// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Manipulators of libstdc++'s streams, such as std::endl and std::fixed: what `<<` and `>>` do with
 * a pointer to a function is to call it, with the stream or with the base that all streams share,
 * which is as far from there as the table of virtual functions says (Itanium ABI, 2.5.2). */
#include "model.h"

typedef void *Manipulator(void *stream);

enum { BASE_OFFSET = -3 };

static void *base_of(void *stream) {
  const ptrdiff_t *table = *(const ptrdiff_t *const *)stream;
  return (char *)stream + table[BASE_OFFSET];
}

/* std::ostream::operator<<(std::ostream &(*)(std::ostream &)), and that of std::istream. */
void *_ZNSolsEPFRSoS_E(void *stream, Manipulator *manipulator) { return manipulator(stream); }
void *_ZNSirsEPFRSiS_E(void *stream, Manipulator *manipulator) { return manipulator(stream); }

/* The same of functions of std::ios_base. */
void *_ZNSolsEPFRSt8ios_baseS0_E(void *stream, Manipulator *manipulator) {
  manipulator(base_of(stream));
  return stream;
}
void *_ZNSirsEPFRSt8ios_baseS0_E(void *stream, Manipulator *manipulator) {
  manipulator(base_of(stream));
  return stream;
}
