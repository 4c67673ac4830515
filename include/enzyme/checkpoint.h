// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Checkpointed loops under the name that existing code includes. */
#include "nabla/checkpoint.h"
