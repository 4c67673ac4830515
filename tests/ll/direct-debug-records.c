// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What debuggers are told right behind a call through a pointer, whose other functions end the
// program. RUN: %clang -O0 -g -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>
typedef struct Object Object;
typedef struct {
  void (*square)(Object *);
} Kind;
struct Object {
  const Kind *kind;
  double number;
};
double __enzyme_autodiff(void *, ...);
static void square(Object *object) { object->number *= object->number; }
static void cube(Object *object) { object->number *= object->number * object->number; }
static const Kind kinds[] = {{square}, {cube}};
static Object *make(const Kind *kind, double number) {
  Object *object = malloc(sizeof *object);
  object->kind = kind;
  object->number = number;
  return object;
}
static double power(double x, int which) {
  Object *object = make(which ? &kinds[0] : &kinds[1], x);
  object->kind->square(object);
  double number = object->number;
  free(object);
  return number;
}
// CHECK: @slope(
double slope(double x, int which) { return __enzyme_autodiff((void *)power, x, which); }
