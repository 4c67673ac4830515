// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The branches of a function that sanitizers report behind, as calls for a while. */
#ifndef NABLA_BRIDGE_CHECKS_H
#define NABLA_BRIDGE_CHECKS_H

#include "bridge/internal.h"

#include "llvm/ADT/SetVector.h"

namespace nabla {

struct FoldedCheck {
  llvm::Function *function;        /* that stands for it */
  llvm::CallInst *handler;         /* in no block, without arguments */
  llvm::MDNode *watched, *weights; /* of the branch */
  bool inverted;                   /* did the branch report where its condition is true? */
  bool ends;                       /* does the program end with the report? */
};

class Checks {
public:
  /* Folds those of the function. */
  explicit Checks(llvm::Function &function);
  /* All calls become branches again, wherever they are by now. */
  void unfold();

private:
  llvm::SmallVector<FoldedCheck, 8> folded;
  llvm::SmallSetVector<llvm::BasicBlock *, 8> emptied;
  void fold_branch(llvm::BranchInst *branch, unsigned side);
};

} // namespace nabla

#endif
