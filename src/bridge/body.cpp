// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Moving a function's body, which keeps the identity of its blocks and instructions. */
#include "bridge/body.h"

#include "base/names.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static bool lists_functions(const GlobalValue &Global) {
  return !isa<GlobalVariable>(Global) || Global.getName().starts_with("llvm.") ||
         Global.getName().contains("__enzyme_");
}

/* The function that a request is for, which the call names. */
static bool is_requested(const CallBase &Call, const Use &Place) {
  const Function *Callee = Call.getCalledFunction();
  const unsigned First = Call.paramHasAttr(0, Attribute::StructRet) ? 1 : 0;
  return Callee && Callee->getName().starts_with(NB_REQUEST_PREFIX) &&
         Place.getOperandNo() == First;
}

/* Constants are one for all that is equal: one of them is changed for all of its users. */
static bool may_be_hidden_in(const Use &Place) {
  const User *User = Place.getUser();
  if (const auto *Global = dyn_cast<GlobalValue>(User))
    return !lists_functions(*Global);
  if (const auto *Call = dyn_cast<CallBase>(User))
    return !is_requested(*Call, Place);
  if (isa<Instruction>(User))
    return true;
  return (isa<ConstantExpr>(User) || isa<ConstantAggregate>(User)) &&
         all_of(User->uses(), may_be_hidden_in);
}

static bool hide(Value &Body, Value *Held) {
  bool Used = any_of(Body.uses(), may_be_hidden_in);
  for (User *Place : Body.users())
    if (auto *Alias = dyn_cast<GlobalAlias>(Place))
      Used |= !Alias->isInterposable() && hide(*Alias, Held);
  if (Held)
    Body.replaceUsesWithIf(Held, [](Use &Place) { return may_be_hidden_in(Place); });
  return Used;
}

extern "C" bool nb_body_hide(LLVMValueRef function, LLVMValueRef held) {
  return hide(*unwrap(function), unwrap(held));
}

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

extern "C" LLVMValueRef nb_body_forget(LLVMValueRef function, LLVMValueRef said) {
  auto *F = unwrap<Function>(function);
  auto *Said = said ? unwrap<Function>(said) : nullptr;
  F->deleteBody();
  F->setDSOLocal(false);
  F->setAttributes({});
  if (!Said)
    return function;
  if (F->getFunctionType() == Said->getFunctionType()) {
    F->copyAttributesFrom(Said);
    delete Said;
    return function;
  }
  F->getParent()->getFunctionList().push_back(Said);
  Said->takeName(F);
  F->replaceAllUsesWith(Said);
  F->eraseFromParent();
  return said;
}
