// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/exchange_values.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/region_function.h"

#include <bit>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {

void serveExchanges(llvm::Function& function, const Regions& regions) {
    for (llvm::BasicBlock& block : function) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
            const bool lanes = isCallOf(instruction, item::lanes);
            if (isCallOf(instruction, item::outcome)) {
                instruction.replaceAllUsesWith(function.getArg(region::outcome));
                instruction.eraseFromParent();
                continue;
            }
            if (!lanes && !isCallOf(instruction, item::slots)) {
                continue;
            }
            llvm::IRBuilder<> builder(&instruction);
            llvm::Value* first = builder.CreateAnd(function.getArg(item::linear), builder.getInt32(~(waveSize - 1)));
            llvm::Value* result = nullptr;
            if (lanes && regions.keepsGoing()) {
                llvm::Value* wave = builder.CreateLShr(first, builder.getInt32(std::countr_zero(waveSize)));
                result =
                    builder.CreateLoad(builder.getInt64Ty(),
                                       builder.CreateInBoundsGEP(builder.getInt64Ty(), function.getArg(region::lanes),
                                                                 builder.CreateZExt(wave, builder.getInt64Ty())));
            } else if (lanes) {
                llvm::Value* count = builder.CreateSub(function.getArg(region::threads), first);
                llvm::Value* missing = builder.CreateSub(
                    builder.getInt32(waveSize),
                    builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, builder.getInt32(waveSize)));
                result = builder.CreateLShr(builder.getInt64(~std::uint64_t{0}),
                                            builder.CreateZExt(missing, builder.getInt64Ty()));
            } else {
                result = builder.CreateInBoundsGEP(builder.getInt64Ty(), function.getArg(region::deposits),
                                                   builder.CreateZExt(first, builder.getInt64Ty()));
            }
            instruction.replaceAllUsesWith(result);
            instruction.eraseFromParent();
        }
    }
}

} // namespace gks::hipcpu
