// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is only moved, and may be anything. */
#ifndef NABLA_OBJECTS_WORDS_H
#define NABLA_OBJECTS_WORDS_H

#include "objects/graph.h"

enum { NB_MOST_MOVED = 64 };

/* Values that are joined by moves. */
typedef struct NbMoved {
  LLVMValueRef items[NB_MOST_MOVED];
  unsigned count;
  unsigned loads, stores;
  bool lenient; /* they may be compared, and their bits changed */
  bool failed;  /* something else is done with one of them, or they are too many */
} NbMoved;

NbMoved nb_moved_with(LLVMValueRef value);
/* Is the pointer or the integer only loaded and stored, or null, so that it may be the bits of
 * something else? */
bool nb_value_is_moved(LLVMValueRef value);
/* Is the integer or the pointer loaded and stored, and on the way no more than compared or changed
 * in its bits? Programs that call numbers by other types do that. */
bool nb_value_passes(LLVMValueRef value);
/* Does the load or store only move a number, of which no type says that it is one? */
bool nb_access_moves_word(LLVMValueRef access);
/* Is such a number stored as it was loaded, or a part of it, whatever else is done with it? */
bool nb_access_shares_word(LLVMValueRef load);
/* Is what is loaded stored, if at all, where it came from, there alone, and as what may be a number
 * of another origin instead? So optimisers keep variables that loops change in registers, and types
 * promise nothing of these accesses. */
bool nb_access_is_variable(LLVMValueRef load);
/* Is a number, of which no type says that it is one, loaded to be returned, or handed to functions
 * with a body, and for nothing else but moves? */
bool nb_access_passes_word(LLVMValueRef load);
/* Is it such a load of a number as long as a pointer, or the store of one that is given by a caller
 * or a callee? */
bool nb_access_hands_word(LLVMValueRef access);
/* Is it such a load or store of a double, which only moves or hands on what may be the bits of
 * other numbers, whatever types say? */
bool nb_access_moves_double(LLVMValueRef access);
/* Does the value put vectors together or take them apart, so that bits go to other places? */
bool nb_value_takes_apart(LLVMValueRef value);
/* Has such a number room for a pointer, so that the graph follows it as one? */
bool nb_word_is_followed(LLVMTypeRef type);
/* Is the integer a number by what it is, or read as what a type promises to be one, or kept in
 * local variables, down to `depth` of them, in which there is nothing else? */
bool nb_value_is_kept_number(LLVMValueRef value, unsigned depth);
/* Notes, for a store of such a number, that pointers may go with it. */
void nb_graph_move_word(NbObjects *objects, LLVMValueRef store);
/* An integer that was loaded as what is declared to be one, and is stored where pointers are
 * loaded, is an address, of whatever. */
void nb_graph_forget_word(NbObjects *objects, LLVMValueRef store);

#endif
