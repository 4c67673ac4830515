// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Questions about memory. A reload in the reverse sweep sees what the LAST iteration left, so every
 * query here is across iterations: LLVM's default answers hold within one iteration only. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nabla;

static void collect_scopes(Function &function, LoopInfo &loops,
                           SmallPtrSetImpl<const MDNode *> &scopes) {
  for (Instruction &instruction : instructions(function)) {
    auto *declaration = dyn_cast<NoAliasScopeDeclInst>(&instruction);
    if (!declaration || !loops.getLoopFor(instruction.getParent()))
      continue;
    for (const MDOperand &scope : declaration->getScopeList()->operands())
      scopes.insert(cast<MDNode>(scope));
  }
}

AliasQueries::AliasQueries(Function &function, AAResults &alias, LoopInfo &loops)
    : function(&function), results(alias) {
  results.enableCrossIterationMode();
  collect_scopes(function, loops, scopes_of_iterations);
}

static AliasQueries &queries(NbAnalyses *analyses, Function &function) {
  if (!analyses->alias || analyses->alias->function != &function)
    analyses->alias.emplace(function, analyses->get<AAManager>(function),
                            analyses->get<LoopAnalysis>(function));
  return *analyses->alias;
}

static MDNode *lasting_scopes(const AliasQueries &queries, MDNode *list) {
  if (!list)
    return nullptr;
  const bool ends = any_of(list->operands(), [&](const MDOperand &scope) {
    return queries.scopes_of_iterations.contains(cast<MDNode>(scope));
  });
  return ends ? nullptr : list;
}

static std::optional<MemoryLocation> location_read(const AliasQueries &queries,
                                                   const Instruction &access) {
  std::optional<MemoryLocation> location;
  if (auto *transfer = dyn_cast<AnyMemTransferInst>(&access))
    location = MemoryLocation::getForSource(transfer);
  else
    location = MemoryLocation::getOrNone(&access);
  if (!location)
    return location;
  location->AATags.Scope = lasting_scopes(queries, location->AATags.Scope);
  location->AATags.NoAlias = lasting_scopes(queries, location->AATags.NoAlias);
  return location;
}

static MemoryLocation bytes_at(LLVMValueRef pointer, uint64_t size) {
  const bool unknown = size == NB_UNKNOWN_SIZE;
  return MemoryLocation(unwrap(pointer), unknown ? LocationSize::beforeOrAfterPointer()
                                                 : LocationSize::precise(size));
}

/* The phis and selects that decide what `pointer` points to, and the objects that it may be. */
struct Origins {
  SmallPtrSet<const BasicBlock *, 4> blocks_of_phis;
  SmallVector<const Value *, 4> objects;
};

static Origins origins_of(const Value *pointer) {
  constexpr unsigned any_depth = 0;
  Origins origins;
  SmallPtrSet<const Value *, 8> seen;
  SmallVector<const Value *, 8> waiting{pointer};
  while (!waiting.empty()) {
    const Value *value = getUnderlyingObject(waiting.pop_back_val(), any_depth);
    if (!seen.insert(value).second)
      continue;
    if (auto *phi = dyn_cast<PHINode>(value)) {
      origins.blocks_of_phis.insert(phi->getParent());
      append_range(waiting, phi->incoming_values());
    } else if (auto *select = dyn_cast<SelectInst>(value)) {
      waiting.push_back(select->getTrueValue());
      waiting.push_back(select->getFalseValue());
    } else {
      origins.objects.push_back(value);
    }
  }
  return origins;
}

/* Where both pointers come from phis of one block, an LLVM that compares these edge by edge takes u
 * and v apart that loops swap: what counts is then whether they may be the same object. */
static bool may_meet_through_phis(AliasQueries &queries, const Value *pointer, const Value *other) {
  if (!compares_phis_by_edge)
    return false;
  const Origins origins = origins_of(pointer);
  const Origins others = origins_of(other);
  const bool meet = any_of(origins.blocks_of_phis, [&](const BasicBlock *block) {
    return others.blocks_of_phis.contains(block);
  });
  return meet && any_of(origins.objects, [&](const Value *object) {
           return any_of(others.objects, [&](const Value *against) {
             const MemoryLocation here = MemoryLocation::getBeforeOrAfter(object);
             const MemoryLocation there = MemoryLocation::getBeforeOrAfter(against);
             return queries.results.alias(here, there) != AliasResult::NoAlias;
           });
         });
}

/* The same for every pointer that the instruction is given. */
static bool may_meet_through_phis(AliasQueries &queries, const Instruction &writer,
                                  const Value *other) {
  return any_of(writer.operands(), [&](const Use &operand) {
    return operand->getType()->isPointerTy() &&
           may_meet_through_phis(queries, operand.get(), other);
  });
}

bool nb_memory_may_write_access(NbAnalyses *analyses, LLVMValueRef writer, LLVMValueRef access) {
  Instruction &store = instruction_of(writer);
  if (!store.mayWriteToMemory())
    return false;
  AliasQueries &alias = queries(analyses, *store.getFunction());
  if (const auto location = location_read(alias, instruction_of(access)))
    return isModSet(alias.results.getModRefInfo(&store, *location)) ||
           may_meet_through_phis(alias, store, location->Ptr);
  if (auto *call = call_of(access))
    return isModOrRefSet(alias.results.getModRefInfo(&store, call));
  return true;
}

bool nb_memory_may_write(NbAnalyses *analyses, LLVMValueRef writer, LLVMValueRef pointer,
                         uint64_t size) {
  Instruction &store = instruction_of(writer);
  if (!store.mayWriteToMemory())
    return false;
  AliasQueries &alias = queries(analyses, *store.getFunction());
  return isModSet(alias.results.getModRefInfo(&store, bytes_at(pointer, size))) ||
         may_meet_through_phis(alias, store, unwrap(pointer));
}

bool nb_memory_disjoint(NbAnalyses *analyses, LLVMValueRef function, LLVMValueRef pointer,
                        LLVMValueRef other) {
  AliasQueries &alias = queries(analyses, function_of(function));
  const MemoryLocation here = bytes_at(pointer, NB_UNKNOWN_SIZE);
  const MemoryLocation there = bytes_at(other, NB_UNKNOWN_SIZE);
  return alias.results.alias(here, there) == AliasResult::NoAlias &&
         !may_meet_through_phis(alias, unwrap(pointer), unwrap(other));
}

bool nb_memory_may_read_any(LLVMValueRef instruction) {
  return instruction_of(instruction).mayReadFromMemory();
}

bool nb_memory_may_write_any(LLVMValueRef instruction) {
  return instruction_of(instruction).mayWriteToMemory();
}

bool nb_memory_keeps_to_arguments(LLVMValueRef call) {
  const CallBase *base = call_of(call);
  return base && base->onlyAccessesArgMemory();
}

LLVMValueRef nb_memory_underlying(LLVMValueRef pointer) {
  constexpr unsigned any_depth = 0;
  return wrap(getUnderlyingObject(unwrap(pointer), any_depth));
}

bool nb_memory_nocapture(LLVMValueRef call_or_function, unsigned index) {
  if (auto *call = call_of(call_or_function))
    return call->doesNotCapture(index);
  return parameter_nocapture(function_of(call_or_function), index);
}
