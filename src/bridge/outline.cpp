// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The body of a loop becomes a function of its own, one iteration a call.
 *
 * Local variables become values first, wide ones where they are indices, and the loop is rotated:
 * then it is left from its latch alone, if it can be, and all of its body runs in each iteration.
 * Variables that go up by the same
 * in each iteration are computed from the iteration's number; everything else that an iteration
 * hands to the next one, or leaves behind, goes through memory. What is left to pass is known
 * before the loop, and LLVM's CodeExtractor does the rest. */
#include "bridge/checks.h"
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace nabla;

namespace {

struct Outliner {
  Function &function;
  DominatorTree dominators{function};
  LoopInfo loops{dominators};
  AssumptionCache assumptions{function};
  TargetLibraryInfoImpl libraries{Triple(function.getParent()->getTargetTriple())};
  TargetLibraryInfo library{libraries, &function};
  ScalarEvolution evolution{function, library, assumptions, dominators, loops};

  Loop *loop = nullptr;
  BasicBlock *behind = nullptr;        /* where the loop is left to */
  SmallSetVector<BasicBlock *, 8> own; /* blocks outside of it that only it reaches */
  Value *count = nullptr;
  PHINode *number = nullptr;
  Instruction *here = nullptr; /* the number, as the body uses it */
  BasicBlock *next = nullptr;  /* on the way back to the header */
  const char *reason = nullptr;

  explicit Outliner(Function &subject) : function(subject) {}
  bool refuse(const char *why) {
    reason = why;
    return false;
  }
  bool ends(BasicBlock *block);
  bool find_exit();
  bool is_left_from_latch();
  bool take_operands(const CallBase &mark, LLVMValueRef *operands);
  void count_iterations();
  const SCEVAddRecExpr *recurrence(PHINode &phi);
  Value *closed_form(PHINode &phi);
  bool check_pointers();
  void replace_phis();
  void cut_iteration();
  void pass_through_memory();
  void take_addresses_inside(const SmallSetVector<BasicBlock *, 8> &body);
  CallInst *extract();
};

} // namespace

static bool is_dead_end(const BasicBlock *block) {
  return isa<UnreachableInst>(block->getTerminator());
}

/* Do all ways from here end in an unreachable place, and does only the loop come here? */
bool Outliner::ends(BasicBlock *block) {
  SmallSetVector<BasicBlock *, 8> reached;
  reached.insert(block);
  for (unsigned i = 0; i < reached.size(); i++) {
    BasicBlock *at = reached[i];
    if (!is_dead_end(at) && succ_empty(at))
      return false;
    for (BasicBlock *successor : successors(at)) {
      if (loop->contains(successor))
        return false;
      reached.insert(successor);
    }
  }
  for (BasicBlock *at : reached)
    for (BasicBlock *before : predecessors(at))
      if (!loop->contains(before) && !reached.contains(before))
        return false;
  own.insert(reached.begin(), reached.end());
  return true;
}

/* Where several ways out come together at once, they do so inside of the body. */
bool Outliner::find_exit() {
  SmallVector<BasicBlock *, 4> all;
  SmallVector<BasicBlock *, 4> left;
  loop->getUniqueExitBlocks(all);
  for (BasicBlock *block : all)
    if (!ends(block))
      left.push_back(block);
  if (left.empty())
    return refuse("it never ends");
  behind = left[0];
  if (left.size() == 1)
    return true;
  BasicBlock *meeting = left[0]->getSingleSuccessor();
  for (BasicBlock *block : left) {
    if (!meeting || block->getSingleSuccessor() != meeting)
      return refuse("it is left to several places (a return or goto in it)");
    own.insert(block);
  }
  behind = SplitBlockPredecessors(meeting, left, ".left", &dominators, &loops);
  return behind || refuse("it is left to several places (a return or goto in it)");
}

/* And from nowhere else? Then all of the body runs in each iteration. */
bool Outliner::is_left_from_latch() {
  SmallVector<BasicBlock *, 4> leaving;
  loop->getExitingBlocks(leaving);
  for (BasicBlock *block : leaving)
    for (BasicBlock *successor : successors(block))
      if (block != loop->getLoopLatch() && !loop->contains(successor) && !ends(successor))
        return false;
  return true;
}

/* What the mark is called with becomes known before the loop. */
bool Outliner::take_operands(const CallBase &mark, LLVMValueRef *operands) {
  bool changed = false;
  for (unsigned i = 0; i < mark.arg_size(); i++) {
    Value *operand = mark.getArgOperand(i);
    if (!loop->makeLoopInvariant(operand, changed))
      return refuse("what its mark says is computed in the loop: compute it before");
    operands[i] = wrap(operand);
  }
  return true;
}

/* The count stays unknown where the loop may be left from elsewhere than its latch. */
void Outliner::count_iterations() {
  BasicBlock *latch = loop->getLoopLatch();
  if (!is_left_from_latch())
    return;
  const SCEV *taken = evolution.getExitCount(loop, latch);
  Type *word = Type::getInt64Ty(function.getContext());
  if (isa<SCEVCouldNotCompute>(taken) || evolution.getTypeSizeInBits(taken->getType()) > 64)
    return;
  const SCEV *runs =
      evolution.getAddExpr(evolution.getNoopOrZeroExtend(taken, word), evolution.getOne(word));
  Instruction *place = loop->getLoopPreheader()->getTerminator();
  SCEVExpander expander = scev_expander(evolution, function);
  if (expander.isSafeToExpandAt(runs, place))
    count = expander.expandCodeFor(runs, word, place->getIterator());
}

/* start + number * step, both known before the loop; NULL where the phi is something else. */
const SCEVAddRecExpr *Outliner::recurrence(PHINode &phi) {
  Instruction *place = loop->getLoopPreheader()->getTerminator();
  if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy())
    return nullptr;
  const auto *form = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
  if (!form || form->getLoop() != loop || !form->isAffine())
    return nullptr;
  SCEVExpander expander = scev_expander(evolution, function);
  bool known = expander.isSafeToExpandAt(form->getStart(), place) &&
               expander.isSafeToExpandAt(form->getStepRecurrence(evolution), place);
  return known ? form : nullptr;
}

bool Outliner::check_pointers() {
  for (PHINode &phi : loop->getHeader()->phis())
    if (phi.getType()->isPointerTy() && !recurrence(phi))
      return refuse("it hands a pointer from one iteration to the next (buffers that change "
                    "places), so that the state is not where it was");
  return true;
}

/* Where scalar evolution can widen it, it does not. */
static bool may_wrap(ScalarEvolution &evolution, const SCEVAddRecExpr &form, Type *word) {
  Type *type = form.getType();
  if (!type->isIntegerTy() || type->getScalarSizeInBits() >= word->getScalarSizeInBits())
    return true;
  return !isa<SCEVAddRecExpr>(evolution.getSignExtendExpr(&form, word));
}

/* A narrow variable that does not wrap is computed in the number's width, so that it can still be
 * told how far its indices go. */
static Value *write_form(IRBuilder<> &builder, bool wraps, Value *first, Value *stride,
                         Value *here) {
  Type *type = first->getType();
  if (type->isPointerTy())
    return builder.CreatePtrAdd(
        first, builder.CreateMul(builder.CreateSExtOrTrunc(here, stride->getType()), stride));
  if (wraps)
    return builder.CreateAdd(first,
                             builder.CreateMul(builder.CreateSExtOrTrunc(here, type), stride));
  Value *way = builder.CreateNSWMul(here, builder.CreateSExt(stride, here->getType()));
  Value *wide = builder.CreateNSWAdd(builder.CreateSExt(first, here->getType()), way);
  return builder.CreateTrunc(wide, type, "", false, true);
}

Value *Outliner::closed_form(PHINode &phi) {
  const SCEVAddRecExpr *form = recurrence(phi);
  if (!form)
    return nullptr;
  const SCEV *step = form->getStepRecurrence(evolution);
  Instruction *place = loop->getLoopPreheader()->getTerminator();
  SCEVExpander expander = scev_expander(evolution, function);
  Value *first = expander.expandCodeFor(form->getStart(), phi.getType(), place->getIterator());
  Value *stride = expander.expandCodeFor(step, step->getType(), place->getIterator());
  IRBuilder<> builder(here->getNextNode());
  return write_form(builder, may_wrap(evolution, *form, here->getType()), first, stride, here);
}

void Outliner::replace_phis() {
  BasicBlock *header = loop->getHeader();
  Type *word = Type::getInt64Ty(function.getContext());
  SmallVector<PHINode *, 8> phis(make_pointer_range(header->phis()));
  SmallVector<Value *, 8> forms;
  number = PHINode::Create(word, 2, "number", header->begin());
  here = BinaryOperator::CreateAdd(number, ConstantInt::get(word, 0));
  here->insertBefore(*header, header->getFirstInsertionPt());
  for (PHINode *phi : phis)
    forms.push_back(closed_form(*phi));
  for (auto [phi, form] : zip(phis, forms)) {
    if (!form) {
      DemotePHIToStack(phi);
      continue;
    }
    phi->replaceAllUsesWith(form);
    phi->eraseFromParent();
  }
}

/* Between the header, which keeps nothing but the number, and the next iteration. The body uses the
 * number first: so that is its first argument. */
void Outliner::cut_iteration() {
  BasicBlock *header = loop->getHeader();
  BasicBlock *preheader = loop->getLoopPreheader();
  Type *word = number->getType();
  here->moveBefore(*header, header->getFirstNonPHIIt());
  SplitBlock(header, header->getFirstNonPHIIt(), &dominators, &loops);
  BasicBlock *latch = loop->getLoopLatch();
  number->addIncoming(ConstantInt::get(word, 0), preheader);
  number->addIncoming(number, latch);
  next = SplitEdge(latch, header, &dominators, &loops);
  IRBuilder<> builder(next->getTerminator());
  Value *more = builder.CreateAdd(number, ConstantInt::get(word, 1));
  number->setIncomingValueForBlock(next, more);
  if (!count)
    return;
  Instruction *branch = latch->getTerminator();
  IRBuilder<>(branch).CreateBr(next);
  branch->eraseFromParent();
  builder.CreateCondBr(builder.CreateICmpSLT(more, count), header, behind);
  next->getTerminator()->eraseFromParent();
}

static bool is_used_outside(const Instruction &inst, const SmallSetVector<BasicBlock *, 8> &body) {
  return any_of(inst.users(), [&](const User *user) {
    return !body.contains(const_cast<BasicBlock *>(cast<Instruction>(user)->getParent()));
  });
}

void Outliner::pass_through_memory() {
  SmallVector<PHINode *, 8> left(make_pointer_range(behind->phis()));
  for (PHINode *phi : left)
    DemotePHIToStack(phi);
  SmallSetVector<BasicBlock *, 8> body;
  body.insert(loop->block_begin(), loop->block_end());
  body.insert(own.begin(), own.end());
  SmallVector<Instruction *, 8> used;
  for (BasicBlock *block : body)
    for (Instruction &inst : *block)
      if (&inst != number && is_used_outside(inst, body))
        used.push_back(&inst);
  for (Instruction *inst : used)
    DemoteRegToStack(*inst);
}

/* Is the integer computed from an address, in a few steps? */
static bool is_of_address(const Value *value, unsigned depth) {
  const auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !depth || !inst->getType()->isIntegerTy())
    return false;
  if (isa<PtrToIntInst>(inst))
    return true;
  return (isa<BinaryOperator>(inst) || isa<CastInst>(inst)) &&
         any_of(inst->operands(), [&](const Use &use) { return is_of_address(use, depth - 1); });
}

static Value *copy_of(Value *value, const SmallSetVector<BasicBlock *, 8> &body, Instruction *place,
                      ValueToValueMapTy &copies) {
  enum { STEPS = 4 };
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || body.contains(inst->getParent()) || !is_of_address(inst, STEPS))
    return value;
  if (Value *known = copies.lookup(inst))
    return known;
  Instruction *copy = inst->clone();
  for (Use &use : copy->operands())
    use.set(copy_of(use, body, place, copies));
  copy->insertBefore(place->getIterator());
  copies[inst] = copy;
  return copy;
}

/* Integers that were computed from addresses before the loop are computed again in the body: of one
 * that is passed, it could not be told where it leads. */
void Outliner::take_addresses_inside(const SmallSetVector<BasicBlock *, 8> &body) {
  ValueToValueMapTy copies;
  Instruction *place = here->getNextNode();
  for (BasicBlock *block : body)
    for (Instruction &inst : *block)
      for (Use &use : inst.operands())
        use.set(copy_of(use, body, place, copies));
}

/* The extractor numbers the ways out as it meets them. */
static void answer_whether_to_go_on(CallInst *call, const BasicBlock *next) {
  auto *branch = cast<BranchInst>(call->getParent()->getTerminator());
  if (branch->getSuccessor(0) == next)
    return;
  for (BasicBlock &block : *call->getCalledFunction())
    if (auto *result = dyn_cast<ReturnInst>(block.getTerminator())) {
      IRBuilder<> builder(result);
      result->setOperand(0, builder.CreateNot(result->getReturnValue()));
    }
}

CallInst *Outliner::extract() {
  BasicBlock *header = loop->getHeader();
  BasicBlock *preheader = loop->getLoopPreheader();
  SmallSetVector<BasicBlock *, 8> body;
  body.insert(header->getSingleSuccessor());
  body.insert(loop->block_begin(), loop->block_end());
  body.insert(own.begin(), own.end());
  body.remove(header);
  body.remove(next);
  take_addresses_inside(body);
  CodeExtractor extractor(body.getArrayRef(), nullptr, false, nullptr, nullptr, &assumptions, false,
                          true, nullptr, "step");
  CodeExtractorAnalysisCache cache(function);
  Function *step = extractor.isEligible() ? extractor.extractCodeRegion(cache) : nullptr;
  if (!step) {
    refuse("its body cannot become a function (exceptions that are caught behind it)");
    return nullptr;
  }
  auto *call = cast<CallInst>(*step->user_begin());
  BasicBlock *place = call->getParent();
  if (!count)
    answer_whether_to_go_on(call, next);
  call->replaceAllUsesWith(PoisonValue::get(call->getType()));
  call->moveBefore(*preheader, preheader->getTerminator()->getIterator());
  call->setArgOperand(0, ConstantInt::get(number->getType(), 0));
  preheader->getTerminator()->replaceSuccessorWith(header, behind);
  DeleteDeadBlocks({header, place, next});
  return call;
}

static void run_passes(Function &function, const char *pipeline) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  FunctionPassManager passes;
  cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(function, functions);
}

/* Markers that are local variables have only their names. */
static void promote_variables(Function &function) {
  DominatorTree dominators(function);
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &inst : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&inst))
      if (isAllocaPromotable(variable) && !variable->getName().contains("enzyme_"))
        variables.push_back(variable);
  PromoteMemToReg(variables, dominators);
}

static void simplify(Outliner &outliner) {
  simplifyLoop(outliner.loop, &outliner.dominators, &outliner.loops, &outliner.evolution,
               &outliner.assumptions, nullptr, false);
}

/* Rotation copies the header: the mark waits at the other end of the loop. */
static void rotate(Function &function, Instruction &mark) {
  Outliner outliner(function);
  const DataLayout &layout = function.getParent()->getDataLayout();
  TargetTransformInfo costs(layout);
  const SimplifyQuery query(layout, &outliner.library, &outliner.dominators, &outliner.assumptions);
  Loop *loop = outliner.loop = outliner.loops.getLoopFor(mark.getParent());
  if (!loop)
    return;
  simplify(outliner);
  formLCSSARecursively(*loop, outliner.dominators, &outliner.loops, &outliner.evolution);
  if (BasicBlock *latch = loop->getLoopLatch())
    mark.moveBefore(*latch, latch->getTerminator()->getIterator());
  LoopRotation(loop, &outliner.loops, &costs, &outliner.assumptions, &outliner.dominators,
               &outliner.evolution, nullptr, query, true, UINT_MAX, true);
}

static void erase_marks(const Outliner &outliner, const Value *mark) {
  for (BasicBlock *block : outliner.loop->blocks())
    for (Instruction &inst : make_early_inc_range(*block)) {
      const auto *call = dyn_cast<CallBase>(&inst);
      if (call && call->getCalledOperand() == mark &&
          outliner.loops.getLoopFor(block) == outliner.loop)
        inst.eraseFromParent();
    }
}

unsigned nb_loops_around(LLVMValueRef instruction) {
  DominatorTree dominators(function_of(instruction));
  const LoopInfo loops(dominators);
  return loops.getLoopDepth(instruction_of(instruction).getParent());
}

static const char *outline(Function &function, LLVMValueRef mark, LLVMValueRef *call,
                           LLVMValueRef *count, LLVMValueRef *operands) {
  run_passes(function, "instsimplify,jump-threading,simplifycfg");
  rotate(function, instruction_of(mark));
  run_passes(function, "loop-simplify,lcssa,loop(indvars)");
  Outliner outliner(function);
  outliner.loop = outliner.loops.getLoopFor(instruction_of(mark).getParent());
  if (!outliner.loop)
    return "it stands in no loop";
  simplify(outliner);
  if (!outliner.loop->isLoopSimplifyForm())
    return "the loop has no one place where it begins";
  if (!outliner.find_exit() || !outliner.check_pointers())
    return outliner.reason;
  if (!count && !outliner.is_left_from_latch())
    return "it is left from its middle, so that a part of its body is no part of the last "
           "iteration";
  if (operands && !outliner.take_operands(*call_of(mark), operands))
    return outliner.reason;
  erase_marks(outliner, call_of(mark)->getCalledOperand());
  if (count)
    outliner.count_iterations();
  outliner.replace_phis();
  outliner.pass_through_memory();
  outliner.cut_iteration();
  CallInst *made = outliner.extract();
  *call = wrap(made);
  if (count)
    *count = outliner.count ? wrap(outliner.count) : nullptr;
  return outliner.reason;
}

const char *nb_loop_outline(LLVMValueRef mark, LLVMValueRef *call, LLVMValueRef *count,
                            LLVMValueRef *operands) {
  Function &function = function_of(mark);
  promote_variables(function);
  Checks checks(function);
  const char *reason = outline(function, mark, call, count, operands);
  checks.unfold();
  return reason;
}
