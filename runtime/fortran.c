// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What flang's runtime library does for models of its functions. */
#include <stdint.h>

/* A vector of a derived type; models/fortran.h has the same for arrays of all kinds. */
typedef struct Vector {
  char *base;
  int64_t size;
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute, extra;
  int64_t lower, extent, stride;
  const char *described;
  int64_t length;
} Vector;

enum { VERSION = 20240719, TYPE_DERIVED = 42, HAS_ADDENDUM = 1 };

void __nabla_initial(char *elements, int64_t bytes, int64_t count, const char *type,
                     const char *file, int line);
void _FortranAInitialize(const Vector *array, const char *file, int line);

/* The program's own descriptor stays out of it: nothing would be known of it behind the call. */
void __nabla_initial(char *elements, int64_t bytes, int64_t count, const char *type,
                     const char *file, int line) {
  if (count <= 0)
    return;
  int64_t size = bytes / count;
  Vector vector = {.base = elements,
                   .size = size,
                   .version = VERSION,
                   .rank = 1,
                   .type = TYPE_DERIVED,
                   .extra = HAS_ADDENDUM,
                   .lower = 1,
                   .extent = count,
                   .stride = size,
                   .described = type};
  _FortranAInitialize(&vector, file, line);
}

void __nabla_random(void *elements, int64_t bytes, int64_t count, int type, const char *file,
                    int line);
void _FortranARandomNumber(const Vector *array, const char *file, int line);

void __nabla_random(void *elements, int64_t bytes, int64_t count, int type, const char *file,
                    int line) {
  if (count <= 0)
    return;
  int64_t size = bytes / count;
  Vector vector = {.base = elements,
                   .size = size,
                   .version = VERSION,
                   .rank = 1,
                   .type = (int8_t)type,
                   .lower = 1,
                   .extent = count,
                   .stride = size};
  _FortranARandomNumber(&vector, file, line);
}
