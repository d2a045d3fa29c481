// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a wave make each step together, and waves that nothing orders come in any order: what the threads of a
// region read before any of them writes may be told of all before the loops. Where all that they tell are plain
// accesses in rows, writes are told as well: before the loops of where, and behind them of what (see
// hipcpu_writes_of_block()). So are accesses that some threads alone make, by what they read: each thread notes whether
// it does (see hipcpu_some_of_block()).
#include "core/hipcpu/retarget/told_ranges.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/lane_strips.h"
#include "core/hipcpu/retarget/thread_guards.h"
#include "core/hipcpu/retarget/thread_loop.h"
#include "core/hipcpu/retarget/turn_blocks.h"

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
constexpr const char* someOfStrip = "hipcpu_some_of";
constexpr const char* someOfBlock = "hipcpu_some_of_block";
constexpr const char* areInsideOfStrip = "hipcpu_are_inside";
constexpr const char* areInsideOfBlock = "hipcpu_are_inside_of_block";
constexpr const char* rowsDone = "hipcpu_rows_done";
constexpr std::uint64_t mostValueBytes = 16;
namespace told {
enum Operand : unsigned { address, bytes, kind, value, site, object, thread };
} // namespace told

class Strips {
public:
    explicit Strips(ThreadGrowth& threads) : m(threads) {}

    // `mayBeOfSome`: what some threads alone would touch lies inside. Whether anything is left.
    bool tellAtOnce(bool mayBeOfSome) {
        llvm::SmallVector<llvm::CallInst*, 16> told = toldByAll();
        bool isWhole =
            told.size() == tells() && llvm::all_of(told, [&](llvm::CallInst* call) { return isInRows(*call); });
        if (!isWhole && mayBeOfSome) {
            told = toldOnce();
            isWhole = true;
        }
        const TurnBlocks turn(*m.loops().lane);
        bool areBegun = false;
        llvm::DenseMap<std::pair<llvm::Value*, llvm::Value*>, llvm::CallInst*> known;
        for (llvm::CallInst* call : told) {
            const bool isRead = isOf(*call, AccessKind::read);
            const auto place = std::pair(call->getArgOperand(told::address), call->getArgOperand(told::bytes));
            if (!isRead && !isWhole) {
                break;
            }
            if (isRead && (known.contains(place) || !isInRows(*call))) {
                if (!known.contains(place)) {
                    continue;
                }
            } else if (!turn.isOfAll(*call->getParent())) {
                leaveFlag(*call, tell(*call, m.loops(), isOfBlock() ? someOfBlock : someOfStrip));
                areBegun = true;
            } else if (isRead) {
                known[place] = tell(*call, m.loops(), isOfBlock() ? readsOfBlock : readsOfStrip);
            } else {
                leaveValue(*call, tell(*call, m.loops(), isOfBlock() ? writesOfBlock : writesOfStrip));
                areBegun = true;
            }
            call->eraseFromParent();
        }
        if (areBegun) {
            tellDone();
        }
        return isTelling(m);
    }
    // Whether nothing is told but of rows, by each thread once at most, and by some alone.
    bool mayBeOfSome() { return toldOnce().size() == tells() && toldByAll().size() != tells(); }
    llvm::Value* isInside(llvm::CallInst& access, const ThreadLoops& loops) {
        return tell(access, loops, isOfBlock() ? areInsideOfBlock : areInsideOfStrip);
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

    // Those that a thread makes at most once, in order, at addresses in rows.
    llvm::SmallVector<llvm::CallInst*, 16> toldOnce() {
        llvm::SmallVector<llvm::CallInst*, 16> plain;
        const TurnBlocks turn(*m.loops().lane);
        for (llvm::BasicBlock* block : turn.all()) {
            const bool isOnce = turn.isOnce(*block);
            for (llvm::Instruction& instruction : *block) {
                if (isOnce && isPlain(instruction) && isInRows(llvm::cast<llvm::CallInst>(instruction))) {
                    plain.push_back(llvm::cast<llvm::CallInst>(&instruction));
                }
            }
        }
        return plain;
    }

    bool isOfBlock() const { return m.loops().isOfBlock(); }

    // `loops`: those of `m`, with the lanes that take part.
    llvm::CallInst* tell(llvm::CallInst& access, const ThreadLoops& loops, llvm::StringRef name) {
        llvm::Value& address = *access.getArgOperand(told::address);
        llvm::SmallVector<llvm::Value*, 10> operands = {m.at(address, ThreadGrowth::origin)};
        llvm::IRBuilder<> builder(m.before());
        const auto number = [&](llvm::Value* pointer) { return builder.CreatePtrToInt(pointer, builder.getInt64Ty()); };
        for (const ThreadGrowth::Axis& axis : ThreadGrowth::axes) {
            if (isOfBlock() || axis.growth == ThreadGrowth::byLane) {
                llvm::Value* const there = m.at(address, axis.next);
                builder.SetInsertPoint(m.before());
                operands.push_back(builder.CreateSub(number(there), number(operands[0])));
            }
        }
        operands.append({access.getArgOperand(told::bytes), access.getArgOperand(told::site),
                         m.at(*access.getArgOperand(told::object), ThreadGrowth::origin)});
        builder.SetInsertPoint(m.before());
        if (!isOfBlock()) {
            llvm::Value* const thread = m.at(*access.getArgOperand(told::thread), ThreadGrowth::origin);
            builder.SetInsertPoint(m.before());
            llvm::Value* const first = loops.firstLane;
            operands.push_back(first != nullptr ? builder.CreateAdd(thread, first) : thread);
            operands.push_back(first != nullptr ? loops.lanes : m.lanes());
            if (first != nullptr) {
                operands[0] =
                    builder.CreateGEP(builder.getInt8Ty(), operands[0],
                                      builder.CreateMul(operands[1], builder.CreateZExt(first, builder.getInt64Ty())));
            }
        }
        const bool isOfSome = name == someOfStrip || name == someOfBlock;
        if (isOfSome) {
            operands.push_back(access.getArgOperand(told::kind));
        }
        const bool isRead = name == readsOfStrip || name == readsOfBlock;
        const bool isQuestion = name == areInsideOfStrip || name == areInsideOfBlock;
        return call(builder, name,
                    isQuestion ? builder.getInt1Ty()
                    : isRead   ? builder.getVoidTy()
                               : builder.getPtrTy(),
                    operands);
    }
    static llvm::CallInst* call(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::Type* result,
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

    // Of the thread, in the order in which they are told.
    llvm::Value* numberAt(llvm::IRBuilder<>& builder) const {
        llvm::Value* number = m.loops().lane;
        if (isOfBlock()) {
            llvm::Value* const row = builder.CreateAdd(builder.CreateMul(m.loops().z, m.size()[1]), m.loops().y);
            number = builder.CreateAdd(builder.CreateMul(row, m.size()[0]), number);
            number = m.loops().x != nullptr ? builder.CreateAdd(number, m.loops().x) : number;
        } else if (m.loops().firstLane != nullptr) {
            number = builder.CreateSub(number, m.loops().firstLane);
        }
        return builder.CreateZExt(number, builder.getInt64Ty());
    }
    static void leave(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* list, llvm::Value* offset,
                      const llvm::Instruction& access) {
        llvm::StoreInst* const left =
            builder.CreateAlignedStore(value, builder.CreateGEP(builder.getInt8Ty(), list, offset), llvm::Align(1));
        left->setMetadata(llvm::LLVMContext::MD_access_group, access.getMetadata(llvm::LLVMContext::MD_access_group));
    }

    // Of each thread, at its place in the list of `values`.
    void leaveValue(llvm::CallInst& write, llvm::Value* values) {
        llvm::StoreInst* const value = putDown(write);
        llvm::IRBuilder<> builder(&write);
        leave(builder, value->getValueOperand(), values,
              builder.CreateMul(numberAt(builder), write.getArgOperand(told::bytes)), *value);
        value->eraseFromParent();
    }
    // Likewise that it makes the access, and of a write the value behind these.
    void leaveFlag(llvm::CallInst& access, llvm::CallInst* flags) {
        llvm::IRBuilder<> builder(&access);
        leave(builder, builder.getInt8(1), flags, numberAt(builder), access);
        if (!isOf(access, AccessKind::read)) {
            builder.SetInsertPoint(flags->getNextNode());
            leaveValue(access, builder.CreateConstGEP1_64(builder.getInt8Ty(), flags, maxThreadsPerBlock));
        }
    }

    void tellDone() {
        llvm::BasicBlock& after = m.after();
        llvm::IRBuilder<> builder(&after, after.getFirstInsertionPt());
        call(builder, rowsDone, builder.getVoidTy(), {});
    }

    ThreadGrowth& m;
};

// What is asked of loops for these.
class PlainAccesses : public RowAccesses {
public:
    llvm::Value* addressOf(llvm::Instruction& instruction) const override {
        return Strips::isPlain(instruction) ? llvm::cast<llvm::CallInst>(instruction).getArgOperand(told::address)
                                            : nullptr;
    }
    bool mayBeOfSome(ThreadGrowth& threads) const override { return Strips(threads).mayBeOfSome(); }
    llvm::Value* isInside(ThreadGrowth& threads, const ThreadLoops& loops,
                          llvm::Instruction& instruction) const override {
        return Strips(threads).isInside(llvm::cast<llvm::CallInst>(instruction), loops);
    }
};

} // namespace

void tellRows(const ThreadLoops& loops, const BlockSize& size, llvm::Value* isReversed) {
    const auto orderLanes = [&](const ThreadLoops& of) {
        const ThreadGrowth threads(of, size);
        llvm::IRBuilder<> builder(threads.before());
        llvm::Value* ends = builder.CreateSub(threads.lanes(), builder.getInt32(1));
        if (of.firstLane != nullptr) {
            ends =
                builder.CreateAdd(builder.CreateShl(of.firstLane, 1), builder.CreateSub(of.lanes, builder.getInt32(1)));
        }
        orderTurns(*of.lane, isReversed, ends);
    };
    if (const auto rows = loopsOfRows(loops, size, PlainAccesses())) {
        ThreadGrowth threads(rows->loops, size);
        const bool isLeft = Strips(threads).tellAtOnce(rows->mayBeOfSome);
        if (isLeft && rows->loops.isOfBlock()) {
            tellRows(rows->loops.ofStrip(), size, isReversed);
        } else if (isLeft) {
            orderLanes(rows->loops);
        }
    }
    if (loops.isOfBlock()) {
        tellRows(loops.ofStrip(), size, isReversed);
    } else if (Strips::isTelling(ThreadGrowth(loops, size))) {
        orderLanes(loops);
    }
}

} // namespace gks::hipcpu
