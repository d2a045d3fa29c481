// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/block_function.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/block_state.h"
#include "core/hipcpu/retarget/block_values.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/kernel.h"
#include "core/hipcpu/retarget/lane_strips.h"
#include "core/hipcpu/retarget/thread_loop.h"
#include "core/hipcpu/retarget/told_ranges.h"

#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <optional>

namespace gks::hipcpu {
namespace {

// Makes a block function of a kernel's region functions.
class BlockFunctionMaker {
public:
    BlockFunctionMaker(const std::string& name, llvm::Module& module, const Regions& regions,
                       const RegionFunctions& functions, const std::vector<RegionCode>& code,
                       std::uint64_t privateBytes, const BlockForm& form)
        : m_module(module)
        , m_regions(regions)
        , m_functions(functions)
        , m_code(code)
        , m_privateBytes(privateBytes)
        , m_inStrips(form.inStrips)
        , m_tells(form.tells)
        , m_builder(module.getContext()) {
        llvm::Type* pointer = m_builder.getPtrTy();
        m_function = llvm::Function::Create(llvm::FunctionType::get(m_builder.getVoidTy(), {pointer, pointer}, false),
                                            llvm::GlobalValue::InternalLinkage, name, &module);
        m_function->setDoesNotThrow();
        m_builder.SetInsertPoint(newBlock(""));
        m_state.emplace(m_builder, regions, functions, privateBytes);
    }

    llvm::Function* make() {
        for (std::size_t i = 0; i < m_regions.regions.size(); ++i) {
            m_begins.push_back(newBlock("region"));
        }
        m_builder.CreateBr(m_begins[0]);
        for (unsigned i = 0; i < m_regions.regions.size(); ++i) {
            m_builder.SetInsertPoint(m_begins[i]);
            const Region& region = m_regions.regions[i];
            const Cut& cut = m_regions.cuts[region.cut];
            if (region.isParted) {
                meet(i);
            }
            llvm::Value* decision = runRegion(i);
            if (region.isParted || cut.isParted) {
                m_builder.CreateBr(turns());
                continue;
            }
            if (region.mayEnd) {
                endWithTheLastThread();
            }
            goOn(cut, decision);
        }
        if (isInlined()) {
            for (llvm::CallInst* call : m_calls) {
                llvm::InlineFunctionInfo info;
                llvm::InlineFunction(*call, info);
            }
        }
        useLaneStrips(*m_function, m_strips);
        llvm::WeakTrackingVH size[3] = {m_state->size[0], m_state->size[1], m_state->size[2]};
        loadArgumentsOnce(*m_function, m_function->getArg(0), m_function->getArg(1));
        if (m_tells) {
            for (const ThreadLoops& loops : m_loops) {
                tellRows(loops, {size[0], size[1], size[2]}, m_state->isReversed);
            }
        }
        return m_function;
    }

private:
    bool isInlined() const { return m_inStrips || m_regions.regions.size() == 1; }
    llvm::BasicBlock* newBlock(const char* name) {
        return llvm::BasicBlock::Create(m_builder.getContext(), name, m_function);
    }
    llvm::ConstantInt* number(std::uint64_t value) { return m_builder.getInt32(static_cast<std::uint32_t>(value)); }

    llvm::Value* goingOf(llvm::Value* thread, const RegionCode& code) {
        llvm::Value* place = m_builder.CreateInBoundsGEP(m_builder.getInt8Ty(), m_state->going,
                                                         m_builder.CreateZExt(thread, m_builder.getInt64Ty()));
        llvm::LoadInst* going = m_builder.CreateLoad(m_builder.getInt8Ty(), place);
        going->setMetadata(llvm::LLVMContext::MD_access_group, code.accesses);
        going->setMetadata(mark::goingByte, llvm::MDNode::get(m_builder.getContext(), {}));
        return going;
    }

    // Whether a thread takes part in a region; null when all do.
    llvm::Value* takesPart(unsigned region, llvm::Value* thread) {
        if (m_regions.regions[region].isParted) {
            return m_builder.CreateICmpEQ(goingOf(thread, m_code[region]),
                                          m_builder.getInt8(static_cast<std::uint8_t>(region::waitsFor(region))));
        }
        return region != 0 && m_regions.mayEndEarly ? m_builder.CreateIsNotNull(goingOf(thread, m_code[region]))
                                                    : nullptr;
    }

    // The call for one thread; what it gives is kept.
    void callFor(unsigned region, llvm::ArrayRef<llvm::Value*> index, llvm::ArrayRef<llvm::Value*> shared,
                 llvm::AllocaInst* decision) {
        const RegionCode& code = m_code[region];
        llvm::BasicBlock* after = nullptr;
        if (llvm::Value* takes = takesPart(region, index.back())) {
            llvm::BasicBlock* goes = newBlock("goes");
            after = newBlock("");
            m_builder.CreateCondBr(takes, goes, after);
            m_builder.SetInsertPoint(goes);
        }
        llvm::SmallVector<llvm::Value*, 32> operands = {m_function->getArg(0), m_function->getArg(1), m_state->lds};
        operands.append(index.begin(), index.end());
        operands.append({m_state->storage, m_state->threads});
        operands.append(shared.begin(), shared.end());
        llvm::CallInst* call = m_builder.CreateCall(code.made.function, operands);
        m_calls.push_back(call);
        const bool gives = !code.made.gives.empty() || decision != nullptr;
        llvm::BasicBlock* ended = nullptr;
        if (m_regions.regions[region].mayEnd && gives) { // a thread that has just ended has nothing to say
            llvm::BasicBlock* still = newBlock("still");
            ended = newBlock("");
            m_builder.CreateCondBr(m_builder.CreateIsNotNull(goingOf(index.back(), code)), still, ended);
            m_builder.SetInsertPoint(still);
        }
        unsigned position = 0;
        for (const unsigned given : code.made.gives) {
            m_builder.CreateStore(m_builder.CreateExtractValue(call, position++), m_state->uniform[given]);
        }
        if (decision != nullptr) {
            m_builder.CreateStore(m_builder.CreateExtractValue(call, position), decision);
        }
        if (ended != nullptr) {
            m_builder.CreateBr(ended);
            m_builder.SetInsertPoint(ended);
        }
        if (after != nullptr) {
            m_builder.CreateBr(after);
            m_builder.SetInsertPoint(after);
        }
    }

    // Where it goes on behind a strip of which no thread waits for a region: often most of the block does not.
    llvm::BasicBlock* skipStrip(unsigned region, llvm::Value* first) {
        auto* bytes = llvm::FixedVectorType::get(m_builder.getInt8Ty(), laneStrip);
        llvm::Value* place = m_builder.CreateInBoundsGEP(m_builder.getInt8Ty(), m_state->going,
                                                         m_builder.CreateZExt(first, m_builder.getInt64Ty()));
        llvm::Value* waits = m_builder.CreateICmpEQ(m_builder.CreateAlignedLoad(bytes, place, llvm::Align(laneStrip)),
                                                    llvm::ConstantInt::get(bytes, region::waitsFor(region)));
        llvm::BasicBlock* some = newBlock("some");
        llvm::BasicBlock* none = newBlock("");
        m_builder.CreateCondBr(m_builder.CreateOrReduce(waits), some, none);
        m_builder.SetInsertPoint(some);
        return none;
    }

    void loopOverThreads(unsigned region, llvm::ArrayRef<llvm::Value*> shared, llvm::AllocaInst* decision) {
        llvm::MDNode* accesses = m_code[region].accesses;
        llvm::Value* order = m_tells ? m_state->isReversed : nullptr;
        const Loop z = openLoop(m_builder, "z");
        llvm::Value* zIndex = inOrder(m_builder, order, z.index, m_state->size[2], 1);
        const Loop y = openLoop(m_builder, "y");
        llvm::Value* yIndex = inOrder(m_builder, order, y.index, m_state->size[1], 1);
        llvm::Value* row = m_builder.CreateMul(
            m_builder.CreateAdd(m_builder.CreateMul(zIndex, m_state->size[1], "", true, true), yIndex, "", true, true),
            m_state->size[0], "row", true, true);
        const Loop x = openLoop(m_builder, "x");
        const bool areRows = !m_inStrips && isInlined(); // whose lanes get their order in tellRows()
        llvm::Value* xIndex =
            inOrder(m_builder, areRows ? nullptr : order, x.index, m_state->size[0], m_inStrips ? laneStrip : 1);
        llvm::Value* linear = m_builder.CreateAdd(row, xIndex, "t", true, true);
        if (m_inStrips) {
            llvm::BasicBlock* none = m_regions.regions[region].isParted ? skipStrip(region, linear) : nullptr;
            const Loop lane = openLoop(m_builder, "lane");
            llvm::BasicBlock* block = m_builder.GetInsertBlock();
            auto* ownX = llvm::BinaryOperator::CreateDisjointOr(xIndex, lane.index, "x", block);
            auto* own = llvm::BinaryOperator::CreateDisjointOr(linear, lane.index, "t", block);
            m_strips.push_back({ownX, own});
            m_loops.push_back(none != nullptr ? ThreadLoops{nullptr, nullptr, nullptr, lane.index}
                                              : ThreadLoops{z.index, y.index, x.index, lane.index});
            callFor(region, {ownX, yIndex, zIndex, own}, shared, decision);
            describeLoop(*closeLoop(m_builder, lane, number(1), m_builder.getInt32(laneStrip)), accesses);
            if (none != nullptr) {
                m_builder.CreateBr(none);
                m_builder.SetInsertPoint(none);
            }
            describeLoop(*closeLoop(m_builder, x, m_builder.getInt32(laneStrip), m_state->size[0]), nullptr);
        } else {
            if (areRows) {
                m_loops.push_back({z.index, y.index, nullptr, x.index, nullptr, nullptr, true});
            }
            callFor(region, {xIndex, yIndex, zIndex, linear}, shared, decision);
            describeLoop(*closeLoop(m_builder, x, number(1), m_state->size[0]), accesses);
        }
        describeLoop(*closeLoop(m_builder, y, number(1), m_state->size[1]), nullptr);
        describeLoop(*closeLoop(m_builder, z, number(1), m_state->size[2]), nullptr);
    }

    // Returns what the region's decision depends on.
    llvm::Value* runRegion(unsigned index) {
        const RegionCode& code = m_code[index];
        llvm::SmallVector<llvm::Value*, 32> shared;
        for (llvm::AllocaInst* deposits : m_state->deposits) {
            shared.push_back(m_builder.CreateLoad(m_builder.getPtrTy(), deposits));
        }
        shared.append({m_builder.CreateLoad(m_builder.getInt32Ty(), m_state->outcome), m_state->going, m_state->lanes});
        llvm::SmallVector<llvm::Value*, 16> uniform;
        for (llvm::AllocaInst* value : m_state->uniform) {
            uniform.push_back(m_builder.CreateLoad(value->getAllocatedType(), value));
        }
        shared.append(uniform.begin(), uniform.end());
        shared.append(m_state->ofThread.begin(), m_state->ofThread.end());
        // Before the threads change anything.
        const Cut& cut = m_regions.cuts[m_regions.regions[index].cut];
        BlockValues values(m_regions, index);
        const auto atBegin = [&](llvm::Value& value) -> llvm::Value* {
            if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) {
                return argument->getArgNo() == item::lds ? m_state->lds : m_function->getArg(argument->getArgNo());
            }
            const auto& known = m_functions.uniform();
            return uniform[static_cast<std::size_t>(std::find(known.begin(), known.end(), &value) - known.begin())];
        };
        llvm::SmallVector<std::pair<llvm::Value*, llvm::AllocaInst*>, 8> made;
        for (const unsigned given : code.made.blockGives) {
            made.emplace_back(values.make(*m_functions.uniform()[given], *cut.block, m_builder, atBegin),
                              m_state->uniform[given]);
        }
        llvm::Value* decision = nullptr;
        if (code.made.blockDecision != nullptr) {
            decision = values.make(*code.made.blockDecision, *cut.block, m_builder, atBegin);
        }
        llvm::AllocaInst* decided = nullptr;
        if (code.made.decides) {
            auto* results = llvm::cast<llvm::StructType>(code.made.function->getReturnType());
            llvm::IRBuilder<> early(&m_function->getEntryBlock(), m_function->getEntryBlock().begin());
            decided = early.CreateAlloca(results->elements().back());
        }
        if (!code.made.isIdle) {
            loopOverThreads(index, shared, decided);
        }
        for (const auto& [value, place] : made) {
            m_builder.CreateStore(value, place);
        }
        return decided == nullptr ? decision : m_builder.CreateLoad(decided->getAllocatedType(), decided);
    }

    llvm::CallInst* callRuntime(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> operands) {
        llvm::SmallVector<llvm::Type*, 12> types;
        for (const llvm::Value* operand : operands) {
            types.push_back(operand->getType());
        }
        auto callee = m_module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
        llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
        return m_builder.CreateCall(callee, operands);
    }

    // As the runtime has it: null when no thread can have ended.
    llvm::Value* goingOrNull() {
        return m_regions.mayEndEarly ? m_state->going : llvm::ConstantPointerNull::get(m_builder.getPtrTy());
    }

    // Nobody makes decisions otherwise.
    void endWithTheLastThread() {
        llvm::Value* any = callRuntime("hipcpu_any_going", m_builder.getInt32Ty(), {m_state->going, m_state->threads});
        llvm::BasicBlock* none = newBlock("none");
        llvm::BasicBlock* some = newBlock("");
        m_builder.CreateCondBr(m_builder.CreateIsNull(any), none, some);
        m_builder.SetInsertPoint(none);
        m_builder.CreateRetVoid();
        m_builder.SetInsertPoint(some);
    }

    // Where threads go on that are apart: the region that has its turn runs those that wait for it.
    llvm::BasicBlock* turns() {
        if (m_turns != nullptr) {
            return m_turns;
        }
        const llvm::IRBuilderBase::InsertPointGuard guard(m_builder);
        m_turns = newBlock("turns");
        llvm::BasicBlock* none = newBlock("none");
        m_builder.SetInsertPoint(none);
        m_builder.CreateRetVoid();
        m_builder.SetInsertPoint(m_turns);
        llvm::Value* next =
            callRuntime("hipcpu_next_region", m_builder.getInt32Ty(), {m_state->going, m_state->threads});
        llvm::SwitchInst* choice = m_builder.CreateSwitch(next, none);
        for (const Cut& cut : m_regions.cuts) {
            for (const unsigned region : cut.regions) {
                if (cut.isParted) {
                    choice->addCase(number(region::waitsFor(region)), m_begins[region]);
                }
            }
        }
        return m_turns;
    }

    // Those that wait for a region behind an exchange do it among themselves.
    void meet(unsigned region) {
        if (llvm::none_of(m_regions.cuts, [&](const Cut& cut) {
                return cut.kind == Cut::Kind::exchange && llvm::is_contained(cut.regions, region);
            })) {
            return;
        }
        llvm::Value* read = m_builder.CreateLoad(m_builder.getPtrTy(), m_state->deposits[0]);
        llvm::Value* left = m_builder.CreateLoad(m_builder.getPtrTy(), m_state->deposits[1]);
        callRuntime("hipcpu_meet", m_builder.getVoidTy(),
                    {m_state->going, m_state->threads, number(region::waitsFor(region)), left, read, m_state->lanes});
    }

    // The next deposits are written where these are read.
    void exchangeDeposits() {
        llvm::Value* read = m_builder.CreateLoad(m_builder.getPtrTy(), m_state->deposits[0]);
        m_builder.CreateStore(m_builder.CreateLoad(m_builder.getPtrTy(), m_state->deposits[1]), m_state->deposits[0]);
        m_builder.CreateStore(read, m_state->deposits[1]);
    }

    void tellBarrier(const Cut& cut) {
        if (m_tells) {
            callRuntime("hipcpu_barrier_of_block", m_builder.getVoidTy(), {cut.constants.back()});
        }
    }

    void goOn(const Cut& cut, llvm::Value* decision) {
        switch (cut.kind) {
        case Cut::Kind::end:
            m_builder.CreateRetVoid();
            return;
        case Cut::Kind::barrier:
            tellBarrier(cut);
            break;
        case Cut::Kind::parting: // see turns
        case Cut::Kind::join:
            break;
        case Cut::Kind::exchange:
            exchangeDeposits();
            if (m_regions.keepsGoing()) {
                callRuntime("hipcpu_lanes_of_block", m_builder.getVoidTy(),
                            {m_state->going, m_state->threads, m_state->lanes});
            }
            break;
        case Cut::Kind::vote:
            tellBarrier(cut);
            exchangeDeposits();
            m_builder.CreateStore(callRuntime("hipcpu_reduce_block", m_builder.getInt32Ty(),
                                              {m_builder.CreateLoad(m_builder.getPtrTy(), m_state->deposits[0]),
                                               goingOrNull(), m_state->threads, cut.constants[0]}),
                                  m_state->outcome);
            break;
        case Cut::Kind::matrix: {
            llvm::SmallVector<llvm::Value*, 12> operands = {m_state->storage, number(m_privateBytes), goingOrNull(),
                                                            m_state->threads};
            operands.append(cut.constants.begin(), cut.constants.end());
            callRuntime("hipcpu_mfma_block", m_builder.getVoidTy(), operands);
            break;
        }
        case Cut::Kind::decision:
            if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(cut.block->getTerminator())) {
                auto* copy = m_builder.CreateSwitch(decision, m_begins[cut.regions[0]], choice->getNumCases());
                for (const auto& entry : choice->cases()) {
                    copy->addCase(const_cast<llvm::ConstantInt*>(entry.getCaseValue()),
                                  m_begins[cut.regions[entry.getSuccessorIndex()]]);
                }
            } else {
                m_builder.CreateCondBr(decision, m_begins[cut.regions[0]], m_begins[cut.regions[1]]);
            }
            return;
        }
        m_builder.CreateBr(m_begins[cut.regions[0]]);
    }

    llvm::Module& m_module;
    const Regions& m_regions;
    const RegionFunctions& m_functions;
    const std::vector<RegionCode>& m_code;
    std::uint64_t m_privateBytes;
    bool m_inStrips;
    bool m_tells; // its accesses
    llvm::IRBuilder<> m_builder;
    llvm::Function* m_function = nullptr;
    std::optional<BlockState> m_state;
    std::vector<llvm::BasicBlock*> m_begins;
    llvm::BasicBlock* m_turns = nullptr;
    std::vector<llvm::CallInst*> m_calls;
    std::vector<LaneStrip> m_strips;
    std::vector<ThreadLoops> m_loops; // of strips, or of rows
};

} // namespace

llvm::Function* blockFunctionOf(const std::string& name, llvm::Module& module, const Regions& regions,
                                const RegionFunctions& functions, const std::vector<RegionCode>& code,
                                std::uint64_t privateBytes, const BlockForm& form) {
    return BlockFunctionMaker(name, module, regions, functions, code, privateBytes, form).make();
}

} // namespace gks::hipcpu
