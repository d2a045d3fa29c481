// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/block_state.h"

#include "core/hipcpu/abi.h"

#include <algorithm>
#include <bit>

namespace gks::hipcpu {
namespace {

constexpr std::uint64_t arrayAlignment = 64;

// Of the block's context, the second argument.
llvm::Value* field(llvm::IRBuilder<>& builder, llvm::Type* type, std::size_t offset, const char* name) {
    llvm::Value* context = builder.GetInsertBlock()->getParent()->getArg(1);
    llvm::LoadInst* load =
        builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context, offset), name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
    return load;
}

llvm::Value* array(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* count) {
    llvm::AllocaInst* result = builder.CreateAlloca(type, count);
    result->setAlignment(std::max(llvm::Align(arrayAlignment), result->getAlign()));
    return result;
}

} // namespace

BlockState::BlockState(llvm::IRBuilder<>& builder, const Regions& regions, const RegionFunctions& functions,
                       std::uint64_t privateBytes) {
    lds = field(builder, builder.getPtrTy(), offsetof(BlockContext, lds), "lds");
    for (unsigned d = 0; d < 3; ++d) {
        size[d] = field(builder, builder.getInt32Ty(), offsetof(BlockContext, blockSize) + 4 * d, "size");
    }
    threads = builder.CreateMul(builder.CreateMul(size[0], size[1], "", true, true), size[2], "threads", true, true);
    isReversed = builder.CreateIsNotNull(
        field(builder, builder.getInt32Ty(), offsetof(BlockContext, isReversed), "reversed"), "reversed");
    llvm::Value* none = llvm::PoisonValue::get(builder.getPtrTy());
    storage = none;
    if (privateBytes != 0) {
        llvm::Value* bytes = builder.getInt32(static_cast<std::uint32_t>(privateBytes));
        storage = array(builder, builder.getInt8Ty(), builder.CreateMul(threads, bytes, "", true, true));
    }
    const bool exchanges = llvm::any_of(
        regions.cuts, [](const Cut& cut) { return cut.kind == Cut::Kind::exchange || cut.kind == Cut::Kind::vote; });
    llvm::Value* waves = builder.CreateLShr(builder.CreateAdd(threads, builder.getInt32(waveSize - 1)),
                                            builder.getInt32(std::countr_zero(waveSize)), "waves");
    for (llvm::AllocaInst*& place : deposits) {
        place = builder.CreateAlloca(builder.getPtrTy());
        builder.CreateStore(
            exchanges ? array(builder, builder.getInt64Ty(), builder.CreateMul(waves, builder.getInt32(waveSize)))
                      : none,
            place);
    }
    outcome = builder.CreateAlloca(builder.getInt32Ty());
    going = none;
    lanes = none;
    if (regions.keepsGoing()) {
        going = array(builder, builder.getInt8Ty(), threads);
        builder.CreateMemSet(going, builder.getInt8(1), threads, llvm::Align(arrayAlignment));
        lanes = array(builder, builder.getInt64Ty(), waves);
    }
    for (const llvm::Instruction* value : functions.uniform()) {
        uniform.push_back(builder.CreateAlloca(value->getType()));
    }
    for (llvm::Type* type : functions.arrays().types()) {
        ofThread.push_back(array(builder, type, threads));
    }
}

} // namespace gks::hipcpu
