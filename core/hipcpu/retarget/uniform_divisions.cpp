// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/uniform_divisions.h"

#include "core/hipcpu/retarget/uniformity.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <string>

namespace gks::hipcpu {
namespace {

bool isDivision(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem:
        return instruction.getType()->isIntegerTy() && !llvm::isa<llvm::Constant>(instruction.getOperand(1));
    default:
        return false;
    }
}

bool isSigned(const llvm::Instruction& division) {
    return division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
}

// Of any two numbers: where the processor would refuse, the divisor is 1.
llvm::Function* functionOf(const llvm::Instruction& division) {
    llvm::Module& module = *const_cast<llvm::Module*>(division.getModule());
    llvm::Type* type = division.getType();
    const std::string name =
        std::string("hipcpu.") + division.getOpcodeName() + std::to_string(type->getIntegerBitWidth());
    if (llvm::Function* known = module.getFunction(name)) {
        return known;
    }
    auto* function = llvm::Function::Create(llvm::FunctionType::get(type, {type, type}, false),
                                            llvm::GlobalValue::InternalLinkage, name, module);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::Speculatable);
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    llvm::IRBuilder<> ir(llvm::BasicBlock::Create(module.getContext(), "", function));
    llvm::Value* dividend = ir.CreateFreeze(function->getArg(0));
    llvm::Value* divisor = ir.CreateFreeze(function->getArg(1));
    llvm::Value* isRefused = ir.CreateIsNull(divisor);
    if (isSigned(division)) {
        auto* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
        llvm::Value* isLeast = ir.CreateICmpEQ(dividend, least);
        llvm::Value* turns = ir.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
        isRefused = ir.CreateOr(isRefused, ir.CreateAnd(turns, isLeast));
    }
    divisor = ir.CreateSelect(isRefused, llvm::ConstantInt::get(type, 1), divisor);
    const auto operation = static_cast<llvm::Instruction::BinaryOps>(division.getOpcode());
    ir.CreateRet(ir.CreateBinOp(operation, dividend, divisor));
    return function;
}

} // namespace

void divideOutOfLine(llvm::Function& item) {
    llvm::SmallVector<llvm::Instruction*, 8> divisions;
    {
        const Uniformity uniformity(item);
        for (llvm::Instruction& one : llvm::instructions(item)) {
            if (isDivision(one) && one.getParent() != &item.getEntryBlock() &&
                uniformity.isUniform(*one.getOperand(0)) && uniformity.isUniform(*one.getOperand(1))) {
                divisions.push_back(&one);
            }
        }
    }
    for (llvm::Instruction* division : divisions) {
        llvm::IRBuilder<> ir(division);
        division->replaceAllUsesWith(
            ir.CreateCall(functionOf(*division), {division->getOperand(0), division->getOperand(1)}));
        division->eraseFromParent();
    }
}

} // namespace gks::hipcpu
