// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The schedules of checkpointed loops under the name that existing code includes. */
#include "nabla/checkpoint.h"
