// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a wave make each step together, and waves that nothing orders come in any order: what the threads of a
// region read before any of them writes may be told of all before the loops. Where all that they tell are plain
// accesses in rows, writes are told as well: before the loops of where, and behind them of what (see
// hipcpu_writes_of_block()).
#include "core/hipcpu/retarget/told_ranges.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/lane_strips.h"
#include "core/hipcpu/retarget/thread_guards.h"
#include "core/hipcpu/retarget/thread_loop.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

constexpr const char* accessOfThread = "hipcpu_access_of";
constexpr const char* privateOfThread = "hipcpu_private_of";
constexpr const char* readsOfStrip = "hipcpu_reads_of";
constexpr const char* readsOfBlock = "hipcpu_reads_of_block";
constexpr const char* writesOfStrip = "hipcpu_writes_of";
constexpr const char* writesOfBlock = "hipcpu_writes_of_block";
constexpr const char* rowsDone = "hipcpu_rows_done";
constexpr std::uint64_t mostValueBytes = 16;
namespace told {
enum Operand : unsigned { address, bytes, kind, value, site, object, thread };
} // namespace told

class Strips {
public:
    explicit Strips(ThreadGrowth& threads) : m(threads) {}

    bool tellAtOnce() {
        llvm::SmallVector<llvm::CallInst*, 16> told = toldByAll();
        const bool isWhole =
            told.size() == tells() && llvm::all_of(told, [&](llvm::CallInst* call) { return isInRows(*call); });
        const bool hasWrites =
            isWhole && llvm::any_of(told, [](const llvm::CallInst* call) { return !isOf(*call, AccessKind::read); });
        llvm::DenseMap<std::pair<llvm::Value*, llvm::Value*>, llvm::CallInst*> known;
        for (llvm::CallInst* call : told) {
            if (!isOf(*call, AccessKind::read)) {
                if (!isWhole) {
                    break;
                }
                leaveValue(*call, tell(*call));
            } else if (!isInRows(*call)) {
                continue;
            } else if (llvm::CallInst*& once =
                           known[{call->getArgOperand(told::address), call->getArgOperand(told::bytes)}];
                       once == nullptr) {
                once = tell(*call);
            }
            call->eraseFromParent();
        }
        if (hasWrites) {
            tellDone();
        }
        return isTelling(m);
    }
    static bool isTelling(const ThreadGrowth& threads) {
        return llvm::any_of(threads.blocks(),
                            [](const llvm::BasicBlock* block) { return llvm::any_of(*block, isTell); });
    }
    // A read, or a write of a value that was put down for this.
    static bool isPlain(const llvm::Instruction& instruction) {
        if (!isCallOf(instruction, accessOfThread)) {
            return false;
        }
        const auto& call = llvm::cast<llvm::CallInst>(instruction);
        const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(told::bytes));
        return bytes != nullptr &&
               (isOf(call, AccessKind::read) ||
                (isOf(call, AccessKind::write) && putDown(call) != nullptr && bytes->getZExtValue() <= mostValueBytes));
    }

private:
    // What a thread tells of its own memory is told in its own turn, whatever comes of the rest.
    static bool isOfItsOwn(const llvm::Instruction& instruction) { return isCallOf(instruction, privateOfThread); }
    static bool isTell(const llvm::Instruction& instruction) {
        const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        return call != nullptr && call->getCalledFunction() != nullptr &&
               call->getCalledFunction()->getName().starts_with("hipcpu_");
    }
    std::size_t tells() const {
        std::size_t count = 0;
        for (const llvm::BasicBlock* block : m.blocks()) {
            count += static_cast<std::size_t>(
                llvm::count_if(*block, [](const llvm::Instruction& one) { return isTell(one) && !isOfItsOwn(one); }));
        }
        return count;
    }
    static bool isOf(const llvm::CallInst& call, AccessKind kind) {
        const auto* said = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(told::kind));
        return said != nullptr && said->getZExtValue() == static_cast<std::uint64_t>(kind);
    }
    // The store of the value that a write tells, which nobody else reads.
    static llvm::StoreInst* putDown(const llvm::CallInst& write) {
        for (const llvm::Instruction* before = write.getPrevNode(); before != nullptr; before = before->getPrevNode()) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(before);
            if (store != nullptr && store->getPointerOperand() == write.getArgOperand(told::value)) {
                const auto* bytes = llvm::cast<llvm::ConstantInt>(write.getArgOperand(told::bytes));
                const auto size = write.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
                return store->hasMetadata(mark::toldValue) && !store->hasMetadata(mark::toldFirst) &&
                               size == bytes->getZExtValue()
                           ? const_cast<llvm::StoreInst*>(store)
                           : nullptr;
            }
            if (store == nullptr && before->mayWriteToMemory()) {
                return nullptr;
            }
        }
        return nullptr;
    }
    bool isInRows(llvm::CallInst& call) {
        return m.growthOf(*call.getArgOperand(told::address)) != ThreadGrowth::unknown &&
               m.growthOf(*call.getArgOperand(told::object)) == ThreadGrowth::none;
    }

    // In the blocks that every thread comes to, before anything else is told.
    llvm::SmallVector<llvm::CallInst*, 16> toldByAll() const {
        llvm::SmallVector<llvm::CallInst*, 16> plain;
        const llvm::BasicBlock* const head = m.loops().lane->getParent();
        for (llvm::BasicBlock* block = m.loops().lane->getParent(); block != nullptr;) {
            for (llvm::Instruction& instruction : *block) {
                if (isPlain(instruction)) {
                    plain.push_back(llvm::cast<llvm::CallInst>(&instruction));
                } else if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction) &&
                           !isOfItsOwn(instruction) && instruction.mayHaveSideEffects()) {
                    return plain;
                }
            }
            llvm::BasicBlock* const next = block->getSingleSuccessor();
            block = next != nullptr && next != head && next->getSinglePredecessor() == block ? next : nullptr;
        }
        return plain;
    }

    llvm::CallInst* tell(llvm::CallInst& access) {
        llvm::Value& address = *access.getArgOperand(told::address);
        llvm::SmallVector<llvm::Value*, 10> operands = {m.at(address, ThreadGrowth::origin)};
        const bool isOfBlock = m.loops().isOfBlock();
        const bool isRead = isOf(access, AccessKind::read);
        llvm::IRBuilder<> builder(m.before());
        const auto number = [&](llvm::Value* pointer) { return builder.CreatePtrToInt(pointer, builder.getInt64Ty()); };
        for (const ThreadGrowth::Axis& axis : ThreadGrowth::axes) {
            if (isOfBlock || axis.growth == ThreadGrowth::byLane) {
                llvm::Value* const there = m.at(address, axis.next);
                builder.SetInsertPoint(m.before());
                operands.push_back(builder.CreateSub(number(there), number(operands[0])));
            }
        }
        operands.append({access.getArgOperand(told::bytes), access.getArgOperand(told::site),
                         m.at(*access.getArgOperand(told::object), ThreadGrowth::origin)});
        builder.SetInsertPoint(m.before());
        if (!isOfBlock) {
            llvm::Value* const thread = m.at(*access.getArgOperand(told::thread), ThreadGrowth::origin);
            builder.SetInsertPoint(m.before());
            llvm::Value* const first = m.loops().firstLane;
            operands.push_back(first != nullptr ? builder.CreateAdd(thread, first) : thread);
            operands.push_back(first != nullptr ? m.loops().lanes : builder.getInt32(laneStrip));
            if (first != nullptr) {
                operands[0] =
                    builder.CreateGEP(builder.getInt8Ty(), operands[0],
                                      builder.CreateMul(operands[1], builder.CreateZExt(first, builder.getInt64Ty())));
            }
        }
        const char* const name =
            isRead ? (isOfBlock ? readsOfBlock : readsOfStrip) : (isOfBlock ? writesOfBlock : writesOfStrip);
        return call(builder, name, isRead ? builder.getVoidTy() : builder.getPtrTy(), operands);
    }
    static llvm::CallInst* call(llvm::IRBuilder<>& builder, const char* name, llvm::Type* result,
                                llvm::ArrayRef<llvm::Value*> operands) {
        llvm::SmallVector<llvm::Type*, 10> types;
        for (const llvm::Value* operand : operands) {
            types.push_back(operand->getType());
        }
        auto callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            name, llvm::FunctionType::get(result, types, false));
        llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
        return builder.CreateCall(callee, operands);
    }

    // Of each thread, at its place in the list of `values`.
    void leaveValue(llvm::CallInst& write, llvm::Value* values) {
        llvm::StoreInst* const value = putDown(write);
        llvm::IRBuilder<> builder(&write);
        llvm::Value* number = m.loops().lane;
        if (m.loops().isOfBlock()) {
            llvm::Value* const row = builder.CreateAdd(builder.CreateMul(m.loops().z, m.size()[1]), m.loops().y);
            number = builder.CreateAdd(builder.CreateAdd(builder.CreateMul(row, m.size()[0]), m.loops().x), number);
        } else if (m.loops().firstLane != nullptr) {
            number = builder.CreateSub(number, m.loops().firstLane);
        }
        llvm::Value* const offset =
            builder.CreateMul(builder.CreateZExt(number, builder.getInt64Ty()), write.getArgOperand(told::bytes));
        llvm::StoreInst* const left = builder.CreateAlignedStore(
            value->getValueOperand(), builder.CreateGEP(builder.getInt8Ty(), values, offset), llvm::Align(1));
        left->setMetadata(llvm::LLVMContext::MD_access_group, value->getMetadata(llvm::LLVMContext::MD_access_group));
        value->eraseFromParent();
    }

    void tellDone() {
        llvm::BasicBlock& after = m.after();
        llvm::IRBuilder<> builder(&after, after.getFirstInsertionPt());
        call(builder, rowsDone, builder.getVoidTy(), {});
    }

    ThreadGrowth& m;
};

// Whether anything is still told by single lanes.
bool tellAtOnce(const ThreadLoops& loops, const BlockSize& size) {
    ThreadGrowth threads(loops, size);
    return Strips(threads).tellAtOnce();
}

} // namespace

void tellRows(const ThreadLoops& loops, const BlockSize& size, llvm::Value* isReversed) {
    const auto addressOf = [](llvm::Instruction& instruction) -> llvm::Value* {
        return Strips::isPlain(instruction) ? llvm::cast<llvm::CallInst>(instruction).getArgOperand(told::address)
                                            : nullptr;
    };
    const auto orderLanes = [&](const ThreadLoops& of) {
        llvm::IRBuilder<> builder(ThreadGrowth(of, size).before());
        llvm::Value* ends = builder.getInt32(laneStrip - 1);
        if (of.firstLane != nullptr) {
            ends =
                builder.CreateAdd(builder.CreateShl(of.firstLane, 1), builder.CreateSub(of.lanes, builder.getInt32(1)));
        }
        orderTurns(*of.lane, isReversed, ends);
    };
    const auto strip = [](const ThreadLoops& of) { return ThreadLoops{nullptr, nullptr, nullptr, of.lane}; };
    if (const auto rows = loopsOfRows(loops, size, addressOf)) {
        const bool isLeft = tellAtOnce(*rows, size);
        if (isLeft && rows->isOfBlock()) {
            tellRows(strip(*rows), size, isReversed);
        } else if (isLeft) {
            orderLanes(*rows);
        }
    }
    if (loops.isOfBlock()) {
        tellRows(strip(loops), size, isReversed);
    } else if (Strips::isTelling(ThreadGrowth(loops, size))) {
        orderLanes(loops);
    }
}

} // namespace gks::hipcpu
