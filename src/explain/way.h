// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory as the types of the source have it: `b[i].pos[k]`. */
#ifndef NABLA_EXPLAIN_WAY_H
#define NABLA_EXPLAIN_WAY_H

#include "explain/sums.h"

/* How an index is written. */
typedef const char *ExplainIndex(void *data, const Sum *index);

/* What stands behind `*base`, a variable, where the number or pointer lies to which the address
 * leads; `whole`: or the largest struct or array that begins there. NULL: the types do not tell. */
const char *explain_way(const NbLinear *linear, LLVMValueRef pointer, bool whole,
                        ExplainIndex *write, void *data, LLVMValueRef *base);

#endif
