// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Invokes as calls, and calls as invokes. */
#include "bridge/unwind.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

extern "C" bool nb_call_may_throw(LLVMValueRef instruction) {
  return unwrap<Instruction>(instruction)->mayThrow();
}

extern "C" LLVMValueRef nb_call_like_invoke(LLVMValueRef invoke) {
  auto *old = unwrap<InvokeInst>(invoke);
  CallInst *call = createCallMatchingInvoke(old);
  call->takeName(old);
  call->insertBefore(old->getIterator());
  return wrap(call);
}

extern "C" void nb_call_becomes_invoke(LLVMValueRef call, LLVMBasicBlockRef pad) {
  changeToInvokeAndSplitBasicBlock(unwrap<CallInst>(call), unwrap(pad));
}
