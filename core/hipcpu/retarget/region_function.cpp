// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/region_function.h"

#include "core/hipcpu/retarget/block_values.h"
#include "core/hipcpu/retarget/exchange_values.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/next_cuts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace gks::hipcpu {
namespace {

template<class T>
unsigned indexIn(const std::vector<T*>& list, const llvm::Instruction* value) {
    return static_cast<unsigned>(std::find(list.begin(), list.end(), value) - list.begin());
}

// What a branch or a switch goes by.
llvm::Value* conditionOf(llvm::Instruction* terminator) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(terminator);
    return branch != nullptr ? branch->getCondition() : llvm::cast<llvm::SwitchInst>(terminator)->getCondition();
}

// Makes one region's function.
class RegionMaker {
public:
    RegionMaker(llvm::Function& item, const Regions& regions, const RegionFunctions& functions, unsigned index)
        : m_item(item)
        , m_regions(regions)
        , m_functions(functions)
        , m_index(index)
        , m_region(regions.regions[index])
        , m_cut(regions.cuts[m_region.cut])
        , m_blockValues(regions, index) {
        m_inside.insert(m_region.blocks.begin(), m_region.blocks.end());
    }

    RegionFunctions::Made make() {
        findGifts();
        declare();
        cloneBlocks();
        takeValues();
        remap();
        endAtCut();
        connect();
        serveExchanges(*m_function, m_regions);
        close();
        m_made.isIndependent = isIndependent();
        m_made.isIdle = m_results->getNumElements() == 0 &&
                        llvm::none_of(llvm::instructions(*m_function), [](const llvm::Instruction& instruction) {
                            return instruction.mayHaveSideEffects();
                        });
        return m_made;
    }

private:
    bool isNeededBy(unsigned region, const Crossing& crossing) const {
        return llvm::is_contained(crossing.regions, region);
    }
    bool isDefinedHere(const llvm::Instruction& value) const { return m_inside.contains(value.getParent()); }
    // Made in this region and needed behind its cut.
    bool isGiven(const llvm::Instruction& value, const Crossing& crossing) const {
        return crossing.kind != Crossing::Kind::madeAgain && isDefinedHere(value) &&
               llvm::any_of(m_cut.regions, [&](unsigned region) { return isNeededBy(region, crossing); });
    }

    void findGifts() {
        for (const auto& [value, crossing] : m_regions.crossings) {
            if (isGiven(*value, crossing) && crossing.kind == Crossing::Kind::uniform) {
                (m_blockValues.canMake(*value, *m_cut.block) ? m_made.blockGives : m_made.gives)
                    .push_back(indexIn(m_functions.uniform(), value));
            }
        }
        if (m_cut.kind == Cut::Kind::decision) {
            llvm::Value* what = decision();
            m_made.decides = !m_blockValues.canMake(*what, *m_cut.block);
            m_made.blockDecision = m_made.decides ? nullptr : what;
        }
    }

    llvm::Value* decision() const { return conditionOf(m_cut.block->getTerminator()); }

    void declare() {
        llvm::LLVMContext& context = m_item.getContext();
        llvm::SmallVector<llvm::Type*, 16> parameters(m_item.getFunctionType()->params());
        llvm::Type* number = llvm::Type::getInt32Ty(context);
        llvm::Type* pointer = llvm::PointerType::getUnqual(context);
        parameters.append({number, pointer, pointer, number, pointer, pointer});
        for (const llvm::Instruction* value : m_functions.uniform()) {
            parameters.push_back(value->getType());
        }
        parameters.append(m_functions.arrays().types().size(), pointer);
        llvm::SmallVector<llvm::Type*, 8> results;
        for (const unsigned given : m_made.gives) {
            results.push_back(m_functions.uniform()[given]->getType());
        }
        if (m_made.decides) {
            results.push_back(decision()->getType());
        }
        m_results = llvm::StructType::get(context, results);
        m_function = llvm::Function::Create(llvm::FunctionType::get(m_results, parameters, false),
                                            llvm::GlobalValue::InternalLinkage,
                                            m_item.getName() + ".region" + llvm::Twine(m_index), m_item.getParent());
        m_function->setDoesNotThrow();
        m_function->addFnAttr(llvm::Attribute::NoInline); // where it is to be inlined that is done at once
        for (unsigned i = 0; i < item::parameters; ++i) {
            m_function->addParamAttrs(i, llvm::AttrBuilder(context, m_item.getAttributes().getParamAttrs(i)));
            m_values[m_item.getArg(i)] = m_function->getArg(i);
        }
        m_entry = llvm::BasicBlock::Create(context, "", m_function);
        m_made.function = m_function;
    }

    void cloneBlocks() {
        for (llvm::BasicBlock* block : m_region.blocks) {
            m_values[block] = llvm::CloneBasicBlock(block, m_values, "", m_function);
            // Ways into the block from other regions.
            for (llvm::PHINode& phi : cloneOf(block)->phis()) {
                for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
                    if (!m_inside.contains(phi.getIncomingBlock(i))) {
                        phi.removeIncomingValue(i, false);
                    }
                }
            }
        }
    }

    llvm::BasicBlock* cloneOf(llvm::BasicBlock* block) { return llvm::cast<llvm::BasicBlock>(m_values[block]); }

    llvm::Value* threadIndex(llvm::IRBuilder<>& builder) {
        return builder.CreateZExt(m_function->getArg(item::linear), builder.getInt64Ty());
    }

    llvm::Value* place(llvm::IRBuilder<>& builder, unsigned array) {
        llvm::Value* base =
            m_function->getArg(region::parameters + static_cast<unsigned>(m_functions.uniform().size()) + array);
        return builder.CreateInBoundsGEP(m_functions.arrays().types()[array], base, threadIndex(builder));
    }

    // The value as it is when the region begins.
    llvm::Value* atBegin(llvm::Value* value, llvm::IRBuilder<>& builder) {
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        if (instruction == nullptr) {
            const auto known = m_values.find(value);
            return known == m_values.end() ? value : static_cast<llvm::Value*>(known->second);
        }
        llvm::Value*& made = m_atBegin[instruction];
        if (made != nullptr) {
            return made;
        }
        const auto crossing = m_regions.crossings.find(instruction);
        const bool stored = crossing != m_regions.crossings.end() && crossing->second.kind != Crossing::Kind::madeAgain;
        llvm::Value* result = nullptr;
        if (stored && crossing->second.kind == Crossing::Kind::uniform) {
            result = m_function->getArg(region::parameters + indexIn(m_functions.uniform(), instruction));
        } else if (stored) {
            const unsigned array = m_functions.arrays().of(*instruction);
            llvm::Type* type = m_functions.arrays().types()[array];
            result = builder.CreateLoad(type, place(builder, array));
            if (type != instruction->getType()) {
                result = builder.CreateTrunc(result, instruction->getType());
            }
        } else {
            llvm::Instruction* again = instruction->clone();
            for (llvm::Use& operand : again->operands()) {
                operand.set(atBegin(operand.get(), builder));
            }
            builder.Insert(again);
            result = again;
        }
        return m_atBegin[instruction] = result; // not through `made`: the map may have grown
    }

    void takeValues() {
        llvm::IRBuilder<> builder(m_entry);
        for (const auto& [value, crossing] : m_regions.crossings) {
            if (!isNeededBy(m_index, crossing)) {
                continue;
            }
            llvm::Value* begin = atBegin(value, builder);
            if (isDefinedHere(*value)) {
                m_joined.emplace_back(value, begin);
            } else {
                m_values[value] = begin;
            }
        }
        builder.CreateBr(cloneOf(m_region.entry));
    }

    void remap() {
        for (llvm::BasicBlock* block : m_region.blocks) {
            for (llvm::Instruction& instruction : *cloneOf(block)) {
                llvm::RemapInstruction(&instruction, m_values,
                                       llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
            }
        }
    }

    // Values that the region gets and makes anew.
    void connect() {
        for (const auto& [value, begin] : m_joined) {
            auto* here = llvm::cast<llvm::Instruction>(static_cast<llvm::Value*>(m_values[value]));
            auto& updater = *(m_updaters[value] = std::make_unique<llvm::SSAUpdater>());
            updater.Initialize(here->getType(), here->getName());
            updater.AddAvailableValue(m_entry, begin);
            updater.AddAvailableValue(here->getParent(), here);
            llvm::SmallVector<llvm::Use*, 8> uses;
            for (llvm::Use& use : here->uses()) {
                const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
                if (user->getParent() != here->getParent() || llvm::isa<llvm::PHINode>(user)) {
                    uses.push_back(&use);
                }
            }
            for (llvm::Use* use : uses) {
                updater.RewriteUse(*use);
            }
        }
    }

    llvm::Value* atEnd(llvm::Instruction* value, llvm::BasicBlock* end) {
        const auto updater = m_updaters.find(value);
        return updater == m_updaters.end() ? static_cast<llvm::Value*>(m_values[value])
                                           : updater->second->GetValueAtEndOfBlock(end);
    }

    void setGoing(llvm::Value* value, llvm::IRBuilder<>& builder) {
        builder.CreateStore(value, builder.CreateInBoundsGEP(builder.getInt8Ty(), m_function->getArg(region::going),
                                                             threadIndex(builder)));
    }
    // That the thread waits for.
    llvm::Value* nextRegion(llvm::Instruction& terminator, llvm::IRBuilder<>& builder) {
        const auto number = [&](unsigned successor) {
            return builder.getInt8(static_cast<std::uint8_t>(region::waitsFor(m_cut.regions[successor])));
        };
        if (m_cut.kind != Cut::Kind::parting) {
            return number(0);
        }
        llvm::Value* condition = conditionOf(&terminator);
        auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator);
        if (choice == nullptr) {
            return builder.CreateSelect(condition, number(0), number(1));
        }
        llvm::Value* result = number(0);
        for (const auto& entry : choice->cases()) {
            result = builder.CreateSelect(builder.CreateICmpEQ(condition, entry.getCaseValue()),
                                          number(entry.getSuccessorIndex()), result);
        }
        return result;
    }

    // Before values are connected, which follows the ways between blocks.
    void endAtCut() {
        for (llvm::BasicBlock* block : m_region.blocks) {
            llvm::Instruction* terminator = cloneOf(block)->getTerminator();
            const bool isCut = block == m_cut.block;
            if (!isCut && !llvm::isa<llvm::ReturnInst>(terminator)) {
                continue;
            }
            if (isCut && synchronisationOf(*block) != nullptr) {
                m_call = llvm::cast<llvm::CallInst>(terminator->getPrevNode());
            }
            llvm::IRBuilder<> builder(terminator);
            if (!isCut && (m_cut.block != nullptr || m_region.isParted)) { // the others go on
                setGoing(builder.getInt8(0), builder);
            } else if (isCut && m_cut.isParted) {
                setGoing(nextRegion(*terminator, builder), builder);
            }
            llvm::Value* results = llvm::PoisonValue::get(m_results);
            if (isCut && m_made.decides) {
                results = builder.CreateInsertValue(results, conditionOf(terminator), m_results->getNumElements() - 1);
            }
            llvm::ReturnInst* end = builder.CreateRet(results);
            m_end = isCut ? end : m_end;
            terminator->eraseFromParent();
        }
    }

    // Since the region began.
    bool liesIn(unsigned array, const llvm::Value* last) const {
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(last);
        for (; phi != nullptr && phi->getNumIncomingValues() == 1; phi = llvm::dyn_cast<llvm::PHINode>(last)) {
            last = phi->getIncomingValue(0);
        }
        const auto begin = llvm::find_if(m_atBegin, [&](const auto& known) { return known.second == last; });
        const auto crossing =
            begin == m_atBegin.end() ? m_regions.crossings.end() : m_regions.crossings.find(begin->first);
        return crossing != m_regions.crossings.end() && crossing->second.kind == Crossing::Kind::ofThread &&
               m_functions.arrays().of(*begin->first) == array;
    }

    // At the cut: what the thread leaves for its wave, for itself and for the block.
    void close() {
        if (m_end == nullptr) {
            return;
        }
        llvm::BasicBlock* end = m_end->getParent();
        llvm::IRBuilder<> builder(m_end);
        if (m_call != nullptr) {
            if (m_cut.kind == Cut::Kind::exchange || m_cut.kind == Cut::Kind::vote) {
                builder.CreateStore(m_call->getArgOperand(0),
                                    builder.CreateInBoundsGEP(builder.getInt64Ty(),
                                                              m_function->getArg(region::nextDeposits),
                                                              threadIndex(builder)));
            }
            m_call->eraseFromParent();
        }
        llvm::Value* results = m_end->getReturnValue();
        unsigned position = 0;
        for (const auto& [value, crossing] : m_regions.crossings) {
            if (!isGiven(*value, crossing)) {
                continue;
            }
            llvm::Value* last = atEnd(value, end);
            if (crossing.kind == Crossing::Kind::uniform) {
                if (position < m_made.gives.size() && m_functions.uniform()[m_made.gives[position]] == value) {
                    results = builder.CreateInsertValue(results, last, position++);
                }
                continue;
            }
            const unsigned array = m_functions.arrays().of(*value);
            llvm::Type* type = m_functions.arrays().types()[array];
            if (!liesIn(array, last)) {
                builder.CreateStore(type == last->getType() ? last : builder.CreateZExt(last, type),
                                    place(builder, array));
            }
        }
        m_end->setOperand(0, results);
    }

    bool isIndependent() const {
        return llvm::none_of(llvm::instructions(*m_function), [](const llvm::Instruction& instruction) {
            return instruction.isAtomic() || instruction.isVolatile();
        });
    }

    llvm::Function& m_item;
    const Regions& m_regions;
    const RegionFunctions& m_functions;
    unsigned m_index;
    const Region& m_region;
    const Cut& m_cut;
    BlockValues m_blockValues;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> m_inside;
    RegionFunctions::Made m_made;
    llvm::StructType* m_results = nullptr;
    llvm::Function* m_function = nullptr;
    llvm::BasicBlock* m_entry = nullptr;
    llvm::ReturnInst* m_end = nullptr; // where the cut was
    llvm::CallInst* m_call = nullptr;  // that waits there
    llvm::ValueToValueMapTy m_values;
    llvm::DenseMap<llvm::Instruction*, llvm::Value*> m_atBegin;
    std::vector<std::pair<llvm::Instruction*, llvm::Value*>> m_joined;
    llvm::DenseMap<llvm::Instruction*, std::unique_ptr<llvm::SSAUpdater>> m_updaters;
};

} // namespace

RegionFunctions::RegionFunctions(llvm::Function& item, const Regions& regions)
    : m_item(item), m_regions(regions), m_arrays(regions) {
    for (const auto& [value, crossing] : regions.crossings) {
        if (crossing.kind == Crossing::Kind::uniform) {
            m_uniform.push_back(value);
        }
    }
}

RegionFunctions::Made RegionFunctions::make(unsigned region) const {
    return RegionMaker(m_item, m_regions, *this, region).make();
}

} // namespace gks::hipcpu
