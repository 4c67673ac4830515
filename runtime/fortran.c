// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What flang's runtime library does for models of its functions. */
#include <stdint.h>

/* A vector; models/fortran.h has the same for arrays of all kinds. */
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

/* The program's own descriptor stays out of it: nothing would be known of it behind the call. */
static Vector vector_of(void *elements, int64_t bytes, int64_t count, int type) {
  int64_t size = bytes / count;
  return (Vector){.base = elements,
                  .size = size,
                  .version = VERSION,
                  .rank = 1,
                  .type = (int8_t)type,
                  .lower = 1,
                  .extent = count,
                  .stride = size};
}

void __nabla_initial(char *elements, int64_t bytes, int64_t count, const char *type,
                     const char *file, int line);
void _FortranAInitialize(const Vector *array, const char *file, int line);

void __nabla_initial(char *elements, int64_t bytes, int64_t count, const char *type,
                     const char *file, int line) {
  if (count <= 0)
    return;
  Vector vector = vector_of(elements, bytes, count, TYPE_DERIVED);
  vector.extra = HAS_ADDENDUM;
  vector.described = type;
  _FortranAInitialize(&vector, file, line);
}

void __nabla_random(void *elements, int64_t bytes, int64_t count, int type, const char *file,
                    int line);
void _FortranARandomNumber(const Vector *array, const char *file, int line);

void __nabla_random(void *elements, int64_t bytes, int64_t count, int type, const char *file,
                    int line) {
  if (count <= 0)
    return;
  Vector vector = vector_of(elements, bytes, count, type);
  _FortranARandomNumber(&vector, file, line);
}
