// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops to a fixed point under the name that existing code includes. */
#include "nabla/fixed_point.h"
