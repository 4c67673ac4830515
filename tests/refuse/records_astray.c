// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* Records of the caller's are moved at offsets that the run computes, and only an integer is read
 * of them: nothing says that a number lies beside it. */
extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern void *memcpy(void *, const void *, unsigned long);

typedef struct {
  double value;
  long key;
} Record;

typedef struct {
  double first;
  Record records[2];
} Given;

static long move(char *base, unsigned long a, unsigned long b) {
  Record *to = (Record *)(base + a), *from = (Record *)(base + b);
  *to = *from; // error: bytes of active memory ... [nabla: unknown-type]
  return to->key;
}

static double use(Given *given) {
  move((char *)given->records, 0, sizeof(Record));
  return given->first;
}

void gradient(Given *given, Given *shadow) {
  __enzyme_autodiff((void *)use, enzyme_dup, given, shadow);
}
