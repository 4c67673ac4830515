// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Moving a function's body, which keeps the identity of its blocks and instructions. */
#include "bridge/body.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

extern "C" void nb_body_move_blocks(LLVMValueRef target, LLVMValueRef source) {
  auto *To = unwrap<Function>(target);
  auto *From = unwrap<Function>(source);
  To->splice(To->end(), From);
  if (From->hasPersonalityFn())
    To->setPersonalityFn(From->getPersonalityFn());
}

extern "C" void nb_body_move(LLVMValueRef target, LLVMValueRef source) {
  auto *To = unwrap<Function>(target);
  auto *From = unwrap<Function>(source);
  nb_body_move_blocks(target, source);
  for (Argument &Parameter : From->args()) {
    Argument *Moved = To->getArg(Parameter.getArgNo());
    Moved->takeName(&Parameter);
    Parameter.replaceAllUsesWith(Moved);
  }
}

extern "C" bool nb_body_is_interposable(LLVMValueRef global) {
  return unwrap<GlobalValue>(global)->isInterposable();
}

extern "C" void nb_body_delete(LLVMValueRef function) {
  auto *F = unwrap<Function>(function);
  GlobalValue::LinkageTypes Linkage = F->getLinkage();
  F->deleteBody();
  F->setLinkage(Linkage);
  new UnreachableInst(F->getContext(), BasicBlock::Create(F->getContext(), "refused", F));
}

extern "C" LLVMValueRef nb_body_said(LLVMValueRef declaration) {
  auto *F = unwrap<Function>(declaration);
  Function *Said =
      Function::Create(F->getFunctionType(), GlobalValue::ExternalLinkage, F->getName());
  Said->copyAttributesFrom(F);
  return wrap(Said);
}

extern "C" void nb_body_forget(LLVMValueRef function, LLVMValueRef said) {
  auto *F = unwrap<Function>(function);
  auto *Said = said ? unwrap<Function>(said) : nullptr;
  F->deleteBody();
  F->setDSOLocal(false);
  F->setAttributes({});
  if (Said && F->getFunctionType() == Said->getFunctionType())
    F->copyAttributesFrom(Said);
  delete Said;
}
