// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The names of the models of the BLAS and of their parts (model.h). */
#ifndef NABLA_MODELS_NAMES_H
#define NABLA_MODELS_NAMES_H

/* Bodies that the analyses read, and calls that must stay what they are, are not inlined. */
#define MODEL_FUNCTION __attribute__((noinline))

/* --- Names ------------------------------------------------------------------------------------ */

#define JOIN(letter, name, interface, part) __nabla_model_##letter##name##_##interface##part
#define NAME(letter, name, interface, part) JOIN(letter, name, interface, part)
#define MODEL(name) NAME(LETTER, name, INTERFACE, )
#define LIBRARY(name) NAME(LETTER, name, INTERFACE, _real)
#define FORWARD(name) NAME(LETTER, name, INTERFACE, _forward)
#define AUGMENTED(name) NAME(LETTER, name, INTERFACE, _augmented)
#define REVERSE(name) NAME(LETTER, name, INTERFACE, _reverse)
#define REAL_MODEL(name) NAME(REAL_LETTER, name, INTERFACE, )
#define JOIN_OWN(letter, name, interface) letter##_##interface##_##name
#define OWN_NAME(letter, name, interface) JOIN_OWN(letter, name, interface)
#define HELPER(name) OWN_NAME(LETTER, name, INTERFACE)
#define TYPE(name) OWN_NAME(LETTER, name, INTERFACE)

#define VALUE_NAME(letter) value_of_##letter
#define VALUE_NAME_OF(letter) VALUE_NAME(letter)
#define VALUE_OF(x) VALUE_NAME_OF(REAL_LETTER)(x)

/* What is made of __enzyme_ignore_derivatives (src/request/sites.c). */
__attribute__((const)) double value_of_d(double x) __asm__("__nabla_ignored.double");
__attribute__((const)) float value_of_s(float x) __asm__("__nabla_ignored.float");

#endif
