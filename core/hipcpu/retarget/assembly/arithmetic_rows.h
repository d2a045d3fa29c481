// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/assembly/state.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <span>
#include <string_view>

// Vector instructions that compute one value of each lane from values of the same lane.
namespace gks::hipcpu::vectorArithmetic {

using Values = llvm::ArrayRef<llvm::Value*>;

struct ArithmeticRow {
    std::string_view name;
    // h, f, d: floats of 16, 32, 64 bits; s, i, l: integers of those; =: the destination's old value, in the type of
    // the first source.
    std::string_view sources;
    llvm::Value* (*make)(AssemblyState& state, Values v);
};

using B = llvm::Instruction;
using I = llvm::Intrinsic::IndependentIntrinsics;

template<I id>
llvm::Value* ofOneType(AssemblyState& state, Values v) {
    return state.call(id, {v[0]->getType()}, v);
}
template<llvm::Intrinsic::AMDGCNIntrinsics id>
llvm::Value* deviceCall(AssemblyState& state, Values v) {
    return state.call(id, {v[0]->getType()}, v);
}
template<llvm::Intrinsic::AMDGCNIntrinsics id>
llvm::Value* plainDeviceCall(AssemblyState& state, Values v) {
    return state.call(id, {}, v);
}
template<llvm::Instruction::BinaryOps operation>
llvm::Value* binary(AssemblyState& state, Values v) {
    return state.ir.CreateBinOp(operation, v[0], v[1]);
}
template<llvm::Instruction::BinaryOps operation>
llvm::Value* reversed(AssemblyState& state, Values v) {
    return state.ir.CreateBinOp(operation, v[1], v[0]);
}
// The amount of a shift counts modulo the width; it comes first.
template<llvm::Instruction::BinaryOps operation>
llvm::Value* shifted(AssemblyState& state, Values v) {
    llvm::Type* type = v[1]->getType();
    llvm::Value* amount = state.ir.CreateZExtOrTrunc(v[0], type);
    return state.ir.CreateBinOp(operation, v[1], state.ir.CreateAnd(amount, type->getIntegerBitWidth() - 1));
}
template<I least, I most>
llvm::Value* median(AssemblyState& state, Values v) {
    llvm::Type* type = v[0]->getType();
    llvm::Value* lower = state.call(least, {type}, {v[0], v[1]});
    llvm::Value* upper = state.call(most, {type}, {v[0], v[1]});
    return state.call(most, {type}, {lower, state.call(least, {type}, {upper, v[2]})});
}
template<I id>
llvm::Value* ofThree(AssemblyState& state, Values v) {
    llvm::Type* type = v[0]->getType();
    return state.call(id, {type}, {state.call(id, {type}, {v[0], v[1]}), v[2]});
}

std::span<const ArithmeticRow> conversions();   // from one type to another, and into the parts of a float
std::span<const ArithmeticRow> shortIntegers(); // of 16 and 8 bits, and what sums them up

} // namespace gks::hipcpu::vectorArithmetic
