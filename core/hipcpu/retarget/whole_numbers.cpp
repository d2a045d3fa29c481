// SPDX-License-Identifier: GPL-3.0-or-later
// C++ leaves open what these conversions give out of range, and a processor's own instructions give other values than a
// card's; kernels of images and of quantised numbers rest on the latter. A card has instructions for 32 bits, of halves
// for 16 too: of what is narrower the lower bits are taken.
#include "core/hipcpu/retarget/whole_numbers.h"

#include "core/hipcpu/retarget/odd_float.h"

#include <algorithm>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {

void saturateWholeNumbers(llvm::Module& module) {
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            const bool isSigned = llvm::isa<llvm::FPToSIInst>(instruction);
            const unsigned bits = instruction.getType()->getScalarSizeInBits();
            if ((!isSigned && !llvm::isa<llvm::FPToUIInst>(instruction)) || bits > 64) {
                continue;
            }
            llvm::IRBuilder<> builder(&instruction);
            llvm::Value* const from = instruction.getOperand(0);
            const unsigned least = from->getType()->getScalarType()->isHalfTy() ? 16 : 32;
            llvm::Type* const whole = withElement(instruction.getType(), builder.getIntNTy(std::max(bits, least)));
            llvm::Value* const value = builder.CreateIntrinsic(
                isSigned ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat, {whole, from->getType()}, {from});
            instruction.replaceAllUsesWith(builder.CreateTrunc(value, instruction.getType()));
            instruction.eraseFromParent();
        }
    }
}

} // namespace gks::hipcpu
