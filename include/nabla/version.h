/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The version of nabla, after SemVer 2.0. The build reads it from here. */
#ifndef NABLA_VERSION_H
#define NABLA_VERSION_H

#define NABLA_VERSION_MAJOR 0
#define NABLA_VERSION_MINOR 1
#define NABLA_VERSION_PATCH 0

/* One number that orders versions: NABLA_VERSION >= 1002003 means 1.2.3 or later. */
#define NABLA_VERSION                                                                              \
  (NABLA_VERSION_MAJOR * 1000000 + NABLA_VERSION_MINOR * 1000 + NABLA_VERSION_PATCH)

/* What code asks for that adapts to the version of the tool whose vocabulary this is. */
#ifndef ENZYME_VERSION_MAJOR
#define ENZYME_VERSION_MAJOR 0
#define ENZYME_VERSION_MINOR 0
#define ENZYME_VERSION_PATCH 200
#endif

#define NABLA_VERSION_STRING "0.1.0"

#endif
