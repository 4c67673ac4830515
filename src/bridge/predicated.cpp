// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* LLVM's vector-predicated intrinsics as the operations that they stand for. A lane that the mask
 * lacks, or that lies behind the length, is poison in what they return: so operations that do
 * nothing else than compute take all lanes. What reaches memory, may trap or adds lanes up does it
 * for those that are there. */
#include "bridge/internal.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

/* One such call while it is replaced. */
struct Predicated {
  VPIntrinsic &call;
  IRBuilder<> builder;
  ElementCount lanes;

  explicit Predicated(VPIntrinsic &call)
      : call(call), builder(&call), lanes(call.getStaticVectorLength()) {
    if (isa<FPMathOperator>(call))
      builder.setFastMathFlags(call.getFastMathFlags());
  }

  Value *operand(unsigned index) { return call.getArgOperand(index); }
  Type *scalar_of(Value *value) { return value->getType()->getScalarType(); }
  Value *splat(Value *value) { return builder.CreateVectorSplat(lanes, value); }
  Value *splat_one(Value *like) { return ConstantInt::get(like->getType(), 1); }

  Value *numbers_of_lanes(Type *type);
  Value *before_length();
  Value *there();
  Align alignment(Type *vector);
  Value *strided_places(Value *base, Value *stride);
  Value *neutral(Value *start);
  Value *reduced();
  Value *folded(Intrinsic::ID reduction, Value *start, Value *vector);
  Value *operation(unsigned opcode);
  Value *intrinsic(Intrinsic::ID id);
  Value *access();
  Value *value();
};

/* 0, 1, 2, ... */
Value *Predicated::numbers_of_lanes(Type *type) {
  SmallVector<Constant *, 16> numbers;
  for (unsigned i = 0; i < lanes.getFixedValue(); i++)
    numbers.push_back(ConstantInt::get(type, i));
  return ConstantVector::get(numbers);
}

/* Null: all lanes are. */
Value *Predicated::before_length() {
  Value *length = call.getVectorLengthParam();
  const auto *known = dyn_cast_or_null<ConstantInt>(length);
  if (!length || (known && known->getZExtValue() >= lanes.getFixedValue()))
    return nullptr;
  return builder.CreateICmpULT(numbers_of_lanes(length->getType()), splat(length));
}

Value *Predicated::there() {
  Value *mask = call.getMaskParam(), *before = before_length();
  if (!mask)
    mask = splat(builder.getTrue());
  return before ? builder.CreateAnd(mask, before) : mask;
}

Align Predicated::alignment(Type *vector) {
  const DataLayout &layout = call.getModule()->getDataLayout();
  return call.getPointerAlignment().value_or(layout.getABITypeAlign(vector->getScalarType()));
}

/* Where each lane lies, at multiples of the stride in bytes. */
Value *Predicated::strided_places(Value *base, Value *stride) {
  Value *numbers = numbers_of_lanes(stride->getType());
  return builder.CreateGEP(builder.getInt8Ty(), base, builder.CreateMul(numbers, splat(stride)));
}

/* What changes no sum, product, or choice between it and the start. */
Value *Predicated::neutral(Value *start) {
  Type *type = start->getType();
  switch (call.getIntrinsicID()) {
  case Intrinsic::vp_reduce_fadd:
    return ConstantFP::getNegativeZero(type);
  case Intrinsic::vp_reduce_fmul:
    return ConstantFP::get(type, 1.0);
  case Intrinsic::vp_reduce_add:
  case Intrinsic::vp_reduce_xor:
    return ConstantInt::get(type, 0);
  case Intrinsic::vp_reduce_mul:
    return ConstantInt::get(type, 1);
  default:
    return start;
  }
}

/* Lanes that are not there are neutral, and the start is one lane more. */
Value *Predicated::folded(Intrinsic::ID reduction, Value *start, Value *vector) {
  if (reduction == Intrinsic::vector_reduce_fadd)
    return builder.CreateFAddReduce(start, vector);
  if (reduction == Intrinsic::vector_reduce_fmul)
    return builder.CreateFMulReduce(start, vector);
  SmallVector<int, 17> mask;
  const int count = static_cast<int>(lanes.getFixedValue());
  for (int i = 0; i < count; i++)
    mask.push_back(i);
  mask.push_back(count);
  Value *wider = builder.CreateShuffleVector(vector, splat(start), mask);
  return builder.CreateIntrinsic(start->getType(), reduction, {wider},
                                 isa<FPMathOperator>(call) ? &call : nullptr);
}

Value *Predicated::reduced() {
  auto &reduction = cast<VPReductionIntrinsic>(call);
  Value *start = operand(reduction.getStartParamPos());
  Value *vector = operand(reduction.getVectorParamPos());
  const auto id = VPIntrinsic::getFunctionalIntrinsicIDForVP(call.getIntrinsicID());
  if (!id)
    return nullptr;
  return folded(*id, start, builder.CreateSelect(there(), vector, splat(neutral(start))));
}

/* No lane divides by what is not there. */
Value *Predicated::operation(unsigned opcode) {
  if (Instruction::isCast(opcode))
    return builder.CreateCast(static_cast<Instruction::CastOps>(opcode), operand(0),
                              call.getType());
  if (opcode == Instruction::FNeg)
    return builder.CreateFNeg(operand(0));
  if (auto *compared = dyn_cast<VPCmpIntrinsic>(&call))
    return builder.CreateCmp(compared->getPredicate(), operand(0), operand(1));
  if (!Instruction::isBinaryOp(opcode))
    return nullptr;
  Value *second = operand(1);
  if (Instruction::isIntDivRem(opcode))
    second = builder.CreateSelect(there(), second, splat_one(second));
  return builder.CreateBinOp(static_cast<Instruction::BinaryOps>(opcode), operand(0), second);
}

Value *Predicated::intrinsic(Intrinsic::ID id) {
  SmallVector<Value *, 4> arguments;
  for (unsigned i = 0; i < call.arg_size(); i++)
    if (operand(i) != call.getMaskParam() && operand(i) != call.getVectorLengthParam())
      arguments.push_back(operand(i));
  return builder.CreateIntrinsic(call.getType(), id, arguments,
                                 isa<FPMathOperator>(call) ? &call : nullptr);
}

/* Of memory; null: it is no access. */
Value *Predicated::access() {
  Type *type = call.getType();
  switch (call.getIntrinsicID()) {
  case Intrinsic::vp_load:
    return builder.CreateMaskedLoad(type, operand(0), alignment(type), there());
  case Intrinsic::vp_store:
    return builder.CreateMaskedStore(operand(0), operand(1), alignment(operand(0)->getType()),
                                     there());
  case Intrinsic::vp_gather:
    return builder.CreateMaskedGather(type, operand(0), alignment(type), there());
  case Intrinsic::vp_scatter:
    return builder.CreateMaskedScatter(operand(0), operand(1), alignment(operand(0)->getType()),
                                       there());
  case Intrinsic::experimental_vp_strided_load:
    return builder.CreateMaskedGather(type, strided_places(operand(0), operand(1)), alignment(type),
                                      there());
  case Intrinsic::experimental_vp_strided_store:
    return builder.CreateMaskedScatter(operand(0), strided_places(operand(1), operand(2)),
                                       alignment(operand(0)->getType()), there());
  default:
    return nullptr;
  }
}

/* Null where there is no such operation. */
Value *Predicated::value() {
  if (Value *accessed = access())
    return accessed;
  const Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::vp_select)
    return builder.CreateSelect(operand(0), operand(1), operand(2));
  if (id == Intrinsic::vp_merge) {
    Value *before = before_length();
    Value *first = before ? builder.CreateAnd(operand(0), before) : operand(0);
    return builder.CreateSelect(first, operand(1), operand(2));
  }
  if (VPReductionIntrinsic::isVPReduction(id))
    return reduced();
  if (const auto opcode = call.getFunctionalOpcode())
    return operation(*opcode);
  if (const auto plain = call.getFunctionalIntrinsicID())
    return intrinsic(*plain);
  return nullptr;
}

} // namespace

void nb_spell_predicated(LLVMValueRef function) {
  SmallVector<VPIntrinsic *, 8> calls;
  for (BasicBlock &block : nabla::function_of(function))
    for (Instruction &instruction : block)
      if (auto *call = dyn_cast<VPIntrinsic>(&instruction))
        if (!call->getStaticVectorLength().isScalable())
          calls.push_back(call);
  for (VPIntrinsic *call : calls) {
    Value *value = Predicated(*call).value();
    if (!value)
      continue;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}
