// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What may be a link in a shadow is cleared with the number that it may be as well. A tape that is
 * read more than once would have to find it there again. */
#include "../../runtime/words.h"
#include "linear/build.h"

static bool may_lead_on(const NbPiece *piece) {
  return piece && (piece->may & __NABLA_MAY_POINTER);
}

static bool moves_link(const NbLinear *linear, const NbStatement *statement) {
  bool found = false;
  if (statement->kind == NB_STATEMENT_STORE)
    for (unsigned i = 0; i < statement->count; i++)
      found |= may_lead_on(nb_map_get(linear->words, statement->sources[i].value));
  if (statement->kind == NB_STATEMENT_COPY)
    for (unsigned i = 0; i < statement->layout.count; i++)
      found |= statement->layout.pieces[i].kind == NB_KIND_WORD &&
               may_lead_on(&statement->layout.pieces[i]);
  return found;
}

bool nb_again_check(const NbLinear *linear) {
  bool ok = true;
  if (!linear->work->context->reads_again || linear->work->request->mode == NB_MODE_FORWARD)
    return true;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      if (moves_link(linear, statement))
        ok = nb_refuse(linear->work->context, NB_ERROR_ENTRY_UNSUPPORTED, statement->origin,
                       "a word that may be a number or a pointer is moved here, and a tape is read "
                       "more than once (enzyme_nofree): what leads to shadows is gone after the "
                       "first time");
  return ok;
}
