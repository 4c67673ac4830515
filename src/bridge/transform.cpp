// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Transformations that LLVM-C lacks: passes, cloning, inlining, splitting, linking, constants. */
#include "base/names.h"
#include "bridge/internal.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace nabla;

static char *message_of(Error error) {
  return LLVMCreateMessage(toString(std::move(error)).c_str());
}

static Error run_on_function(NbAnalyses *analyses, Function &function, const char *pipeline) {
  FunctionPassManager passes;
  if (Error error = analyses->parser->parsePassPipeline(passes, pipeline))
    return error;
  const PreservedAnalyses kept = passes.run(function, analyses->functions);
  analyses->functions.invalidate(function, kept);
  return Error::success();
}

/* Invalidating a module drops the proxy that ties the function analyses to it: fetched anew, or the
 * host would never again clear them. */
static Error run_on_module(NbAnalyses *analyses, Module &module, const char *pipeline) {
  ModulePassManager passes;
  if (Error error = analyses->parser->parsePassPipeline(passes, pipeline))
    return error;
  const PreservedAnalyses kept = passes.run(module, analyses->modules);
  analyses->modules.invalidate(module, kept);
  analyses->modules.getResult<FunctionAnalysisManagerModuleProxy>(module);
  return Error::success();
}

char *nb_passes_run(NbAnalyses *analyses, LLVMModuleRef module, LLVMValueRef function,
                    const char *pipeline) {
  analyses->alias.reset();
  if (!analyses->parser)
    analyses->parser.emplace();
  const TracedName traced(function ? &function_of(function) : nullptr);
  Error error = function ? run_on_function(analyses, function_of(function), pipeline)
                         : run_on_module(analyses, *unwrap(module), pipeline);
  return error ? message_of(std::move(error)) : nullptr;
}

static void keep_only_debug_metadata(Function &function) {
  DISubprogram *subprogram = function.getSubprogram();
  function.clearMetadata();
  function.setSubprogram(subprogram);
}

/* Groups of accesses that mean something to nabla stay what they are. */
static void keep_groups(Module &module, ValueToValueMapTy &map) {
  for (const char *name : {NB_TYPED_ACCESSES, NB_INTEGER_FIELDS, NB_CHARACTERS}) {
    NamedMDNode *groups = module.getNamedMetadata(name);
    if (!groups)
      continue;
    for (MDNode *group : groups->operands())
      map.MD()[group].reset(group);
  }
}

/* LLVM clones a body together with everything that is said about the function: what the target had
 * waits in a function outside of any module meanwhile. */
LLVMValueRef nb_build_stack_save(LLVMBuilderRef builder) {
  return wrap(unwrap(builder)->CreateStackSave());
}

LLVMValueRef nb_build_barrier(LLVMBuilderRef builder, LLVMValueRef pointer) {
  return wrap(unwrap(builder)->CreateStripInvariantGroup(unwrap(pointer)));
}

void nb_build_stack_restore(LLVMBuilderRef builder, LLVMValueRef saved) {
  unwrap(builder)->CreateStackRestore(unwrap(saved));
}

void nb_clone_body(LLVMValueRef target, LLVMValueRef source, const LLVMValueRef *parameters) {
  Function &from = function_of(source);
  Function &to = function_of(target);
  Function *said = Function::Create(to.getFunctionType(), GlobalValue::ExternalLinkage);
  said->copyAttributesFrom(&to);
  ValueToValueMapTy map;
  for (Argument &argument : from.args())
    map[&argument] = unwrap(parameters[argument.getArgNo()]);
  keep_groups(*from.getParent(), map);
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(&to, &from, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  to.copyAttributesFrom(said);
  to.setPersonalityFn(from.hasPersonalityFn() ? from.getPersonalityFn() : nullptr);
  keep_only_debug_metadata(to);
  delete said;
}

const char *nb_inline_call(NbAnalyses *analyses, LLVMValueRef call) {
  InlineFunctionInfo info;
  nb_analyses_forget(analyses, wrap(unwrap<CallBase>(call)->getFunction()));
  const InlineResult result = InlineFunction(*unwrap<CallBase>(call), info);
  return result.isSuccess() ? nullptr : result.getFailureReason();
}

bool nb_inline_pays(NbAnalyses *analyses, LLVMValueRef call) {
  CallBase &site = *unwrap<CallBase>(call);
  Function *callee = site.getCalledFunction();
  if (!callee || callee == site.getFunction())
    return false;
  const auto assumptions = [analyses](Function &function) -> AssumptionCache & {
    return analyses->get<AssumptionAnalysis>(function);
  };
  const auto library = [analyses](Function &function) -> const TargetLibraryInfo & {
    return analyses->get<TargetLibraryAnalysis>(function);
  };
  auto &target = analyses->get<TargetIRAnalysis>(*callee);
  return bool(getInlineCost(site, getInlineParams(), target, assumptions, library));
}

LLVMValueRef nb_simplify(NbAnalyses *analyses, LLVMValueRef instruction) {
  Instruction &complex = instruction_of(instruction);
  Function &function = *complex.getFunction();
  const auto &library = analyses->get<TargetLibraryAnalysis>(function);
  const SimplifyQuery query(function.getParent()->getDataLayout(), &library, nullptr, nullptr,
                            &complex);
  return wrap(simplifyInstruction(&complex, query));
}

char *nb_function_verify(LLVMValueRef function) {
  std::string text;
  raw_string_ostream stream(text);
  const bool broken = verifyFunction(function_of(function), &stream);
  return broken ? LLVMCreateMessage(text.c_str()) : nullptr;
}

LLVMBasicBlockRef nb_split_block(LLVMValueRef before, const char *name) {
  Instruction &first = instruction_of(before);
  DominatorTree *none = nullptr;
  return wrap(SplitBlock(first.getParent(), first.getIterator(), none, nullptr, nullptr, name));
}

void nb_phi_set_block(LLVMValueRef phi, unsigned index, LLVMBasicBlockRef block) {
  unwrap<PHINode>(phi)->setIncomingBlock(index, unwrap(block));
}

void nb_phis_redirect(LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  unwrap(block)->replacePhiUsesWith(unwrap(from), unwrap(to));
}

void nb_struct_rename(LLVMTypeRef type, const char *name) {
  cast<StructType>(unwrap(type))->setName(name);
}

void nb_phi_remove(LLVMValueRef phi, LLVMBasicBlockRef block) {
  constexpr bool delete_when_empty = false;
  unwrap<PHINode>(phi)->removeIncomingValue(unwrap(block), delete_when_empty);
}

void nb_branch_settle(LLVMBasicBlockRef wrapped, LLVMBasicBlockRef only) {
  constexpr bool keep_phis = true;
  BasicBlock *block = unwrap(wrapped);
  Instruction *terminator = block->getTerminator();
  bool kept = false;
  for (BasicBlock *successor : successors(block)) {
    bool keep = successor == unwrap(only) && !kept;
    kept = kept || keep;
    if (!keep)
      successor->removePredecessor(block, keep_phis);
  }
  IRBuilder<>(terminator).CreateBr(unwrap(only));
  terminator->eraseFromParent();
}

static bool is_exhaustive(const SwitchInst &choice) {
  const BasicBlock &others = *choice.getDefaultDest();
  return choice.getNumCases() > 1 && isa<UnreachableInst>(*others.getFirstNonPHIOrDbg());
}

bool nb_switches_close(LLVMValueRef function) {
  bool changed = false;
  for (BasicBlock &block : *cast<Function>(unwrap(function))) {
    auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
    if (!choice || !is_exhaustive(*choice))
      continue;
    const auto last = std::prev(choice->case_end());
    choice->getDefaultDest()->removePredecessor(&block);
    choice->setDefaultDest(last->getCaseSuccessor());
    choice->removeCase(last);
    choice->setMetadata(LLVMContext::MD_prof, nullptr);
    changed = true;
  }
  return changed && EliminateUnreachableBlocks(*cast<Function>(unwrap(function)));
}

/* The linked module takes the target, data layout and flags of the one that it comes into. */
static void adapt(Module &module, const Module &host) {
  module.setTargetTriple(host.getTargetTriple());
  module.setDataLayout(host.getDataLayout());
  for (const char *name : {"llvm.module.flags", "llvm.ident", "llvm.errno.tbaa"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      module.eraseNamedMetadata(node);
}

/* What is weak may be replaced by the user's own, now or by the linker; without it, an unused copy
 * may go. The rest is private to the module. */
static void make_internal(Module &module, const StringSet<> &linked) {
  for (GlobalValue &value : module.global_values())
    if (linked.contains(value.getName()) && value.hasWeakAnyLinkage())
      value.setLinkage(GlobalValue::LinkOnceAnyLinkage);
  internalizeModule(module, [&linked](const GlobalValue &value) {
    return !value.hasName() || !linked.contains(value.getName()) || value.hasLinkOnceAnyLinkage();
  });
}

/* The bodies are read late: those that are not needed, never. */
char *nb_link_needed(LLVMModuleRef module, const char *bitcode, size_t bytes, bool internal) {
  Module &host = *unwrap(module);
  const MemoryBufferRef buffer(StringRef(bitcode, bytes), "nabla bitcode");
  Expected<std::unique_ptr<Module>> parsed = getLazyBitcodeModule(buffer, host.getContext());
  if (!parsed)
    return message_of(parsed.takeError());
  adapt(**parsed, host);
  const bool failed =
      internal
          ? Linker::linkModules(host, std::move(*parsed), Linker::LinkOnlyNeeded, make_internal)
          : Linker::linkModules(host, std::move(*parsed), Linker::LinkOnlyNeeded);
  return failed ? LLVMCreateMessage("the bitcode cannot be linked into the module") : nullptr;
}

bool nb_constant_bits(LLVMValueRef constant, uint64_t *bits) {
  const auto *number = dyn_cast<ConstantFP>(unwrap(constant));
  if (!number || number->getType()->isVectorTy())
    return false;
  const unsigned width = number->getType()->getPrimitiveSizeInBits();
  if (width > 64)
    return false;
  LLVMTypeRef integer = wrap(Type::getIntNTy(number->getContext(), width));
  *bits = LLVMConstIntGetZExtValue(LLVMConstBitCast(constant, integer));
  return true;
}

bool nb_value_is_metadata_string(LLVMValueRef value, const char **text, size_t *length) {
  const auto *wrapped = dyn_cast<MetadataAsValue>(unwrap(value));
  const auto *string = wrapped ? dyn_cast<MDString>(wrapped->getMetadata()) : nullptr;
  if (!string)
    return false;
  *text = string->getString().data();
  *length = string->getString().size();
  return true;
}
