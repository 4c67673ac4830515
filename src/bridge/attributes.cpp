// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Attributes: which of them a derivative inherits. Both lists say what is KEPT, so that an
 * attribute that a later LLVM invents is dropped. Names that an LLVM does not know are never found
 * on it. */
#include "base/names.h"
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/IR/Attributes.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;
using namespace nabla;

/* Attributes of functions that follow from the target and the options of the compilation, or that
 * nabla has put there for all copies. */
static constexpr const char *target_attributes[] = {
    "target-cpu",
    "tune-cpu",
    "target-features",
    "min-legal-vector-width",
    "prefer-vector-width",
    "frame-pointer",
    "use-soft-float",
    "no-trapping-math",
    "denormal-fp-math",
    "denormal-fp-math-f32",
    "no-builtins",
    "no-jump-tables",
    "stack-protector-buffer-size",
    "stack-probe-size",
    "probe-stack",
    "no-stack-arg-probe",
    "patchable-function",
    "fentry-call",
    "minsize",
    "optsize",
    "nocf_check",
    "noimplicitfloat",
    "nonlazybind",
    "noprofile",
    "noredzone",
    "null_pointer_is_valid",
    "safestack",
    "sanitize_address",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_numerical_stability",
    "sanitize_thread",
    "sanitize_type",
    "shadowcallstack",
    "ssp",
    "sspreq",
    "sspstrong",
    "strictfp",
    "uwtable",
    "fn_ret_thunk_extern",
    NB_THROUGH_MARK,
};

/* Attributes of parameters and results that decide how they are passed. */
static constexpr const char *abi_attributes[] = {
    "byval",       "sret",  "byref",     "inalloca",   "preallocated",
    "elementtype", "inreg", "signext",   "zeroext",    "noext",
    "alignstack",  "nest",  "swiftself", "swifterror", "swiftasync",
};

static Attribute attribute_named(AttributeSet set, StringRef name) {
  const Attribute::AttrKind kind = Attribute::getAttrKindFromName(name);
  return kind == Attribute::None ? set.getAttribute(name) : set.getAttribute(kind);
}

void nb_attributes_copy_target(LLVMValueRef target, LLVMValueRef source) {
  const AttributeSet from = function_of(source).getAttributes().getFnAttrs();
  Function &to = function_of(target);
  for (const char *name : target_attributes) {
    const Attribute attribute = attribute_named(from, name);
    if (attribute.isValid())
      to.addFnAttr(attribute);
  }
  for (const Attribute attribute : from)
    if (attribute.isStringAttribute() && attribute.getKindAsString().starts_with("no-builtin-"))
      to.addFnAttr(attribute);
}

template <class Callee> static void make_pure(Callee &callee) {
  callee.setMemoryEffects(MemoryEffects::none());
  callee.addFnAttr(Attribute::NoUnwind);
  callee.addFnAttr(Attribute::WillReturn);
}

void nb_attributes_set_pure(LLVMValueRef call_or_function) {
  if (auto *call = call_of(call_or_function))
    make_pure(*call);
  else
    make_pure(function_of(call_or_function));
}

void nb_attributes_set_reading(LLVMValueRef call) {
  CallBase &reading = *call_of(call);
  reading.setMemoryEffects(reading.getMemoryEffects() & MemoryEffects::readOnly());
  reading.addFnAttr(Attribute::NoUnwind);
  reading.addFnAttr(Attribute::WillReturn);
}

void nb_attributes_set_watching(LLVMValueRef function) {
  Function &watching = function_of(function);
  watching.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  watching.addFnAttr(Attribute::NoUnwind);
  watching.addFnAttr(Attribute::WillReturn);
  for (unsigned i = 0; i < watching.arg_size(); i++)
    nabla::add_nocapture(watching, i);
}

/* Is nothing but read there, and the address kept nowhere? */
static bool is_only_read(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (isa<GetElementPtrInst>(user))
      return is_only_read(*user);
    if (const auto *copy = dyn_cast<MemTransferInst>(user))
      return &use == &copy->getRawSourceUse();
    if (const auto *load = dyn_cast<LoadInst>(user))
      return !load->isVolatile();
    const auto *call = dyn_cast<CallBase>(user);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !call->isArgOperand(&use) || call->getArgOperandNo(&use) >= callee->arg_size())
      return false;
    const unsigned index = call->getArgOperandNo(&use);
    return callee->hasParamAttribute(index, Attribute::ReadOnly) &&
           parameter_nocapture(*callee, index);
  });
}

void nb_attributes_note_reads(LLVMValueRef function) {
  Function &reading = function_of(function);
  for (const Argument &argument : reading.args()) {
    const unsigned index = argument.getArgNo();
    if (!argument.getType()->isPointerTy() || argument.hasPassPointeeByValueCopyAttr() ||
        argument.hasAttribute(Attribute::ReadNone) || !is_only_read(argument))
      continue;
    reading.removeParamAttr(index, Attribute::Writable);
    reading.addParamAttr(index, Attribute::ReadOnly);
    add_nocapture(reading, index);
  }
}

/* An alignment is part of the ABI only of what is passed in memory. */
static AttributeSet abi_part(LLVMContext &context, AttributeSet set) {
  AttrBuilder kept(context);
  for (const char *name : abi_attributes) {
    const Attribute attribute = attribute_named(set, name);
    if (attribute.isValid())
      kept.addAttribute(attribute);
  }
  const bool in_memory = set.hasAttribute(Attribute::ByVal) || set.hasAttribute(Attribute::ByRef);
  if (in_memory && set.hasAttribute(Attribute::Alignment))
    kept.addAttribute(set.getAttribute(Attribute::Alignment));
  return AttributeSet::get(context, kept);
}

/* Of a call, or of a function. */
template <class Called> static void strip_values(Called &called) {
  LLVMContext &context = called.getContext();
  const AttributeList all = called.getAttributes();
  SmallVector<AttributeSet, 8> parameters;
  for (unsigned i = 0; i < called.arg_size(); i++)
    parameters.push_back(abi_part(context, all.getParamAttrs(i)));
  const AttributeSet result = abi_part(context, all.getRetAttrs());
  called.setAttributes(AttributeList::get(context, all.getFnAttrs(), result, parameters));
}

void nb_attributes_strip_values(LLVMValueRef call_or_function) {
  if (CallBase *call = call_of(call_or_function))
    strip_values(*call);
  else
    strip_values(function_of(call_or_function));
}

static Type *pointee(const AttributeList &attributes, unsigned index, Attribute::AttrKind kind) {
  const Attribute attribute = attributes.getParamAttrs(index).getAttribute(kind);
  return attribute.isValid() ? attribute.getValueAsType() : nullptr;
}

LLVMTypeRef nb_parameter_pointee(LLVMValueRef call_or_function, unsigned index, const char *kind) {
  const Attribute::AttrKind attribute = Attribute::getAttrKindFromName(kind);
  if (!Attribute::isTypeAttrKind(attribute))
    return nullptr;
  auto *call = call_of(call_or_function);
  if (!call)
    return wrap(pointee(function_of(call_or_function).getAttributes(), index, attribute));
  if (Type *type = pointee(call->getAttributes(), index, attribute))
    return wrap(type);
  const Function *callee = call->getCalledFunction();
  return callee ? wrap(pointee(callee->getAttributes(), index, attribute)) : nullptr;
}

void nb_attributes_set_noalias(LLVMValueRef function, unsigned index) {
  Argument *parameter = function_of(function).getArg(index);
  if (parameter->getType()->isPointerTy())
    parameter->addAttr(Attribute::NoAlias);
}
