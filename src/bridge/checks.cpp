// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What sanitizers check becomes a call for a while, so that it divides no block: `check(right,
 * ...)` in place of a branch and of the block behind it, which calls a handler with `...` and comes
 * back, or ends the program. What the handler is told is computed before the call. */
#include "bridge/checks.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace nabla;

/* --- Overflow -----------------------------------------------------------------------------------
 */

/* Calls that the condition tests for overflow where it is `value`: then there was none. */
static void find_watched(Value *condition, bool value, SmallPtrSetImpl<WithOverflowInst *> &found) {
  using namespace PatternMatch;
  Value *first = nullptr, *second = nullptr;
  WithOverflowInst *watched = nullptr;
  if (match(condition, m_Not(m_Value(first)))) {
    find_watched(first, !value, found);
  } else if (match(condition, m_Freeze(m_Value(first)))) {
    find_watched(first, value, found);
  } else if (match(condition, m_ExtractValue<1>(m_WithOverflowInst(watched)))) {
    if (!value && watched->isSigned())
      found.insert(watched);
  } else if (value ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
                   : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
    find_watched(first, value, found);
    find_watched(second, value, found);
  }
}

/* Does all that comes to one block come to the other, without a choice? */
static bool leads_to(const BasicBlock *from, const BasicBlock *to) {
  enum { BLOCKS = 16 };
  for (unsigned i = 0; from && from != to && i < BLOCKS; i++)
    from = from->getSingleSuccessor();
  return from == to;
}

void nb_overflow_exclude(LLVMBasicBlockRef block, LLVMValueRef condition, bool value) {
  SmallPtrSet<WithOverflowInst *, 4> found;
  find_watched(unwrap(condition), value, found);
  for (WithOverflowInst *watched : found) {
    if (!leads_to(watched->getParent(), unwrap(block)))
      continue;
    IRBuilder<> builder(watched);
    Value *plain =
        builder.CreateBinOp(watched->getBinaryOp(), watched->getLHS(), watched->getRHS());
    if (auto *inst = dyn_cast<Instruction>(plain))
      inst->setHasNoSignedWrap();
    for (User *user : make_early_inc_range(watched->users()))
      if (auto *part = dyn_cast<ExtractValueInst>(user); part && part->getIndices()[0] == 0)
        part->replaceAllUsesWith(plain);
  }
}

/* The number that the sign extension extends, in the width that it makes of it, where that is no
 * less than what computed it says; NULL. */
static Value *wide(Instruction *extension, SmallVectorImpl<Instruction *> &more) {
  auto *narrow = dyn_cast<Instruction>(extension->getOperand(0));
  Type *type = extension->getType();
  if (auto *cut = dyn_cast_or_null<TruncInst>(narrow))
    return cut->hasNoSignedWrap() && cut->getSrcTy() == type ? cut->getOperand(0) : nullptr;
  auto *sum = dyn_cast_or_null<OverflowingBinaryOperator>(narrow);
  if (!sum || !sum->hasNoSignedWrap() || sum->getOpcode() == Instruction::Shl)
    return nullptr;
  IRBuilder<> builder(extension);
  Value *parts[2];
  for (unsigned i = 0; i < 2; i++) {
    parts[i] = builder.CreateSExt(sum->getOperand(i), type);
    if (auto *part = dyn_cast<SExtInst>(parts[i]))
      more.push_back(part);
  }
  Value *result = builder.CreateBinOp(static_cast<Instruction::BinaryOps>(sum->getOpcode()),
                                      parts[0], parts[1]);
  if (auto *inst = dyn_cast<Instruction>(result))
    inst->setHasNoSignedWrap();
  return result;
}

static bool is_sign_extension(const Instruction &inst) {
  return isa<SExtInst>(inst) || (isa<ZExtInst>(inst) && inst.hasNonNeg());
}

void nb_indices_widen(LLVMValueRef function) {
  enum { MOST = 4096 };
  SmallVector<Instruction *, 16> extensions;
  for (BasicBlock &block : function_of(function))
    for (Instruction &inst : block)
      if (is_sign_extension(inst))
        extensions.push_back(&inst);
  for (unsigned i = 0; i < extensions.size() && i < MOST; i++)
    if (Value *value = wide(extensions[i], extensions))
      extensions[i]->replaceAllUsesWith(value);
}

/* --- Branches -----------------------------------------------------------------------------------
 */

/* The last call of a block that computes what it is called with, and does no more; NULL. */
static CallInst *handler_in(BasicBlock &block) {
  Instruction *before = block.getTerminator()->getPrevNode();
  auto *handler = dyn_cast_or_null<CallInst>(before);
  if (!handler || !handler->getCalledFunction() || !handler->getType()->isVoidTy() ||
      handler->hasOperandBundles())
    return nullptr;
  for (Instruction &inst : block)
    if (&inst != handler && &inst != block.getTerminator() &&
        (!isSafeToSpeculativelyExecute(&inst) || isa<PHINode>(inst) || inst.mayReadFromMemory()))
      return nullptr;
  return handler;
}

/* Does the block come back to where the branch goes on, with nothing, or never? */
static bool leads_back(const BasicBlock &block, const BasicBlock &on) {
  if (isa<UnreachableInst>(block.getTerminator()))
    return true;
  return block.getSingleSuccessor() == &on && on.phis().empty();
}

/* The side of a sanitizer's branch that reports; false where there is none. */
static bool find_report(const BranchInst &branch, unsigned &side) {
  if (!branch.isConditional() || !branch.hasMetadata(LLVMContext::MD_nosanitize))
    return false;
  for (side = 0; side < 2; side++) {
    BasicBlock *block = branch.getSuccessor(side), *on = branch.getSuccessor(1 - side);
    if (block != on && leads_back(*block, *on) && handler_in(*block))
      return true;
  }
  return false;
}

/* Copies what the block computes to the branch; the handler's arguments there. */
static SmallVector<Value *, 4> compute_arguments(const BranchInst &branch, BasicBlock &block,
                                                 const CallInst &handler) {
  ValueToValueMapTy copies;
  for (Instruction &inst : block) {
    if (&inst == &handler)
      break;
    Instruction *copy = inst.clone();
    for (Use &use : copy->operands())
      if (Value *known = copies.lookup(use))
        use.set(known);
    copy->insertBefore(const_cast<BranchInst &>(branch).getIterator());
    copies[&inst] = copy;
  }
  SmallVector<Value *, 4> arguments;
  for (const Use &use : handler.args()) {
    Value *known = copies.lookup(use);
    arguments.push_back(known ? known : use.get());
  }
  return arguments;
}

void Checks::fold_branch(BranchInst *branch, unsigned side) {
  BasicBlock *block = branch->getSuccessor(side), *on = branch->getSuccessor(1 - side);
  CallInst *handler = handler_in(*block);
  SmallVector<Value *, 4> arguments = compute_arguments(*branch, *block, *handler);
  IRBuilder<> builder(branch);
  Value *condition = branch->getCondition();
  arguments.insert(arguments.begin(), side ? condition : builder.CreateNot(condition));
  SmallVector<Type *, 4> types;
  for (const Value *argument : arguments)
    types.push_back(argument->getType());
  auto *type = FunctionType::get(builder.getVoidTy(), types, false);
  Function *check =
      Function::Create(type, GlobalValue::ExternalLinkage, "nabla.check", branch->getModule());
  check->setDoesNotThrow();
  builder.CreateCall(check, arguments)->setDebugLoc(handler->getDebugLoc());
  auto *kept = cast<CallInst>(handler->clone());
  for (Use &use : kept->args())
    use.set(PoisonValue::get(use->getType()));
  folded.push_back({check, kept, branch->getMetadata(LLVMContext::MD_nosanitize),
                    branch->getMetadata(LLVMContext::MD_prof), side == 0,
                    isa<UnreachableInst>(block->getTerminator())});
  block->removePredecessor(branch->getParent(), true);
  builder.CreateBr(on);
  branch->eraseFromParent();
  emptied.insert(block);
}

Checks::Checks(Function &function) {
  for (BasicBlock *block : to_vector(make_pointer_range(function))) {
    auto *branch = dyn_cast_or_null<BranchInst>(block->getTerminator());
    unsigned side = 0;
    if (branch && find_report(*branch, side))
      fold_branch(branch, side);
  }
  for (BasicBlock *block : emptied)
    if (pred_empty(block))
      DeleteDeadBlock(block);
}

static void unfold_call(const FoldedCheck &check, CallInst *call) {
  BasicBlock *head = call->getParent();
  BasicBlock *tail = head->splitBasicBlock(call);
  BasicBlock *block = BasicBlock::Create(call->getContext(), "", head->getParent(), tail);
  head->getTerminator()->eraseFromParent();
  BranchInst *branch = IRBuilder<>(head).CreateCondBr(call->getArgOperand(0), tail, block);
  branch->setMetadata(LLVMContext::MD_nosanitize, check.watched);
  branch->setMetadata(LLVMContext::MD_prof, check.weights);
  if (check.inverted)
    branch->swapProfMetadata();
  branch->setDebugLoc(call->getDebugLoc());
  auto *handler = cast<CallInst>(check.handler->clone());
  for (unsigned i = 0; i < handler->arg_size(); i++)
    handler->setArgOperand(i, call->getArgOperand(i + 1));
  handler->insertInto(block, block->end());
  handler->setDebugLoc(call->getDebugLoc());
  IRBuilder<> builder(block);
  Instruction *end = check.ends ? static_cast<Instruction *>(builder.CreateUnreachable())
                                : static_cast<Instruction *>(builder.CreateBr(tail));
  end->setDebugLoc(call->getDebugLoc());
  call->eraseFromParent();
}

void Checks::unfold() {
  for (const FoldedCheck &check : folded) {
    for (User *user : make_early_inc_range(check.function->users())) {
      auto *call = cast<CallInst>(user);
      if (match(call->getArgOperand(0), PatternMatch::m_One()))
        call->eraseFromParent();
      else
        unfold_call(check, call);
    }
    check.handler->deleteValue();
    check.function->eraseFromParent();
  }
  folded.clear();
}
