// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Dominance and loops, and who keeps the analyses. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace nabla;

NbAnalyses::NbAnalyses(Module &module, ModuleAnalysisManager &modules)
    : modules(modules),
      functions(modules.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager()) {}

void nb_analyses_forget(NbAnalyses *analyses, LLVMValueRef function) {
  Function &changed = function_of(function);
  if (analyses->alias && analyses->alias->function == &changed)
    analyses->alias.reset();
  analyses->functions.clear(changed, changed.getName());
}

static DominatorTree &dominators(NbAnalyses *analyses, const BasicBlock *block) {
  return analyses->get<DominatorTreeAnalysis>(*const_cast<Function *>(block->getParent()));
}

bool nb_dominates(NbAnalyses *analyses, LLVMValueRef definition, LLVMValueRef use) {
  const Instruction &user = instruction_of(use);
  return dominators(analyses, user.getParent()).dominates(unwrap(definition), &user);
}

bool nb_block_dominates(NbAnalyses *analyses, LLVMBasicBlockRef above, LLVMBasicBlockRef below) {
  return dominators(analyses, unwrap(above)).dominates(unwrap(above), unwrap(below));
}

bool nb_edge_dominates(NbAnalyses *analyses, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                       LLVMBasicBlockRef block) {
  const BasicBlockEdge edge(unwrap(from), unwrap(to));
  return dominators(analyses, unwrap(from)).dominates(edge, unwrap(block));
}

LLVMBasicBlockRef nb_block_idom(NbAnalyses *analyses, LLVMBasicBlockRef block) {
  const auto *node = dominators(analyses, unwrap(block)).getNode(unwrap(block));
  if (!node || !node->getIDom())
    return nullptr;
  return wrap(node->getIDom()->getBlock());
}

bool nb_block_postdominates(NbAnalyses *analyses, LLVMBasicBlockRef below,
                            LLVMBasicBlockRef above) {
  auto &tree = analyses->get<PostDominatorTreeAnalysis>(*unwrap(below)->getParent());
  return tree.dominates(unwrap(below), unwrap(above));
}

NbLoop *nb_loop_of(NbAnalyses *analyses, LLVMBasicBlockRef block) {
  auto &loops = analyses->get<LoopAnalysis>(*unwrap(block)->getParent());
  return handle_of(loops.getLoopFor(unwrap(block)));
}

NbLoop *nb_loop_parent(NbLoop *loop) { return handle_of(loop_of(loop)->getParentLoop()); }

unsigned nb_loop_depth(NbLoop *loop) { return loop_of(loop)->getLoopDepth(); }

LLVMBasicBlockRef nb_loop_header(NbLoop *loop) { return wrap(loop_of(loop)->getHeader()); }

LLVMBasicBlockRef nb_loop_latch(NbLoop *loop) { return wrap(loop_of(loop)->getLoopLatch()); }

LLVMBasicBlockRef nb_loop_guard(NbLoop *loop) {
  auto *branch = loop_of(loop)->getLoopGuardBranch();
  return branch ? wrap(branch->getParent()) : nullptr;
}

LLVMBasicBlockRef nb_loop_preheader(NbLoop *loop) {
  return wrap(loop_of(loop)->getLoopPreheader());
}

bool nb_loop_contains(NbLoop *loop, LLVMBasicBlockRef block) {
  return loop_of(loop)->contains(unwrap(block));
}

void nb_loop_forbid_vectors(NbLoop *loop) {
  addStringMetadataToLoop(loop_of(loop), "llvm.loop.vectorize.enable", 0);
}

void nb_loops_keep_rolled(LLVMValueRef function, bool (*one)(LLVMValueRef),
                          bool (*also)(LLVMValueRef), bool (*more)(LLVMValueRef)) {
  Function &body = *unwrap<Function>(function);
  DominatorTree tree(body);
  LoopInfo loops(tree);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    bool first = false, second = false, others = false;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block) {
        const bool inside = loops.getLoopFor(block) == loop;
        first |= inside && one(wrap(&instruction));
        second |= inside && also(wrap(&instruction));
        others |= inside && more(wrap(&instruction));
      }
    if (!first || (!second && others))
      continue;
    addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
  }
}

bool nb_loop_unroll(NbAnalyses *analyses, LLVMBasicBlockRef header, unsigned most) {
  Function &function = *unwrap(header)->getParent();
  auto &loops = analyses->get<LoopAnalysis>(function);
  auto &scev = analyses->get<ScalarEvolutionAnalysis>(function);
  Loop *loop = loops.getLoopFor(unwrap(header));
  const unsigned trips = loop ? scev.getSmallConstantTripCount(loop) : 0;
  if (!trips || trips > most || !loop->isLoopSimplifyForm())
    return false;
  UnrollLoopOptions options = {};
  options.Count = trips;
  options.Force = true;
  OptimizationRemarkEmitter remarks(&function);
  const LoopUnrollResult result =
      UnrollLoop(loop, options, &loops, &scev, &analyses->get<DominatorTreeAnalysis>(function),
                 &analyses->get<AssumptionAnalysis>(function),
                 &analyses->get<TargetIRAnalysis>(function), &remarks, true);
  return result == LoopUnrollResult::FullyUnrolled;
}

bool nb_vectoriser_mixes_widths(void) { return vectoriser_mixes_widths; }

static unsigned list_blocks(ArrayRef<BasicBlock *> blocks, LLVMBasicBlockRef *out,
                            unsigned capacity) {
  for (unsigned i = 0; i < blocks.size() && i < capacity; i++)
    out[i] = wrap(blocks[i]);
  return blocks.size();
}

unsigned nb_loop_exiting_blocks(NbLoop *loop, LLVMBasicBlockRef *out, unsigned capacity) {
  SmallVector<BasicBlock *, 8> blocks;
  loop_of(loop)->getExitingBlocks(blocks);
  return list_blocks(blocks, out, capacity);
}

unsigned nb_loop_exit_blocks(NbLoop *loop, LLVMBasicBlockRef *out, unsigned capacity) {
  SmallVector<BasicBlock *, 8> blocks;
  loop_of(loop)->getUniqueExitBlocks(blocks);
  return list_blocks(blocks, out, capacity);
}

unsigned nb_loops(NbAnalyses *analyses, LLVMValueRef function, NbLoop **out, unsigned capacity) {
  const auto loops = analyses->get<LoopAnalysis>(function_of(function)).getLoopsInPreorder();
  for (unsigned i = 0; i < loops.size() && i < capacity; i++)
    out[i] = handle_of(loops[i]);
  return loops.size();
}

bool nb_loops_reducible(LLVMValueRef function) {
  Function &body = function_of(function);
  const DominatorTree dominators(body);
  const LoopInfo loops(dominators);
  ReversePostOrderTraversal<const Function *> order(&body);
  return !containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

LLVMValueRef nb_phi_to_memory(LLVMValueRef phi) {
  return wrap(DemotePHIToStack(unwrap<PHINode>(phi)));
}

unsigned nb_functions_bottom_up(LLVMModuleRef module, LLVMValueRef *out, unsigned capacity) {
  CallGraph graph(*unwrap(module));
  unsigned count = 0;
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    for (const CallGraphNode *node : *component) {
      Function *function = node->getFunction();
      if (!function || function->isDeclaration())
        continue;
      if (count < capacity)
        out[count] = wrap(function);
      count++;
    }
  return count;
}
