// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/block_values.h"

#include "core/hipcpu/retarget/item_function.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {
namespace {

constexpr unsigned deepestValue = 64;

} // namespace

BlockValues::BlockValues(const Regions& regions, unsigned region) : m_regions(regions), m_region(region) {
    const auto& blocks = regions.regions[region].blocks;
    m_inside.insert(blocks.begin(), blocks.end());
}

BlockValues::Incoming BlockValues::incomingOf(const llvm::Instruction& instruction) const {
    const auto& phi = llvm::cast<llvm::PHINode>(instruction);
    Incoming only;
    const llvm::BasicBlock* from = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        if (m_inside.contains(phi.getIncomingBlock(i))) {
            if (only.value != nullptr) {
                return {};
            }
            from = phi.getIncomingBlock(i);
            only.value = phi.getIncomingValue(i);
        }
    }
    const auto* value = llvm::dyn_cast_or_null<llvm::Instruction>(only.value);
    only.isAtBegin = value != nullptr && (!isHere(*value) || !leadsTo(*value->getParent(), *from));
    return only;
}

// Within the region.
bool BlockValues::leadsTo(const llvm::BasicBlock& first, const llvm::BasicBlock& second) const {
    const llvm::BasicBlock* cut = m_regions.cuts[m_regions.regions[m_region].cut].block;
    llvm::SetVector<const llvm::BasicBlock*> open;
    open.insert(&first);
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (open[i] == &second) {
            return true;
        }
        for (const llvm::BasicBlock* next : llvm::successors(open[i])) {
            if (open[i] != cut && m_inside.contains(next)) {
                open.insert(next);
            }
        }
    }
    return false;
}

bool BlockValues::isLiveAtBegin(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    const auto crossing = m_regions.crossings.find(const_cast<llvm::Instruction*>(instruction));
    return crossing != m_regions.crossings.end() && crossing->second.kind == Crossing::Kind::uniform &&
           llvm::is_contained(crossing->second.regions, m_region);
}

bool BlockValues::canMake(const llvm::Value& value, unsigned depth) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr) {
        const auto* argument = llvm::dyn_cast<llvm::Argument>(&value);
        return argument == nullptr || (!isOfTheThread(*argument) && argument->getArgNo() != item::storage);
    }
    const auto known = m_known.find(&value);
    if (known != m_known.end()) {
        return known->second;
    }
    m_known[&value] = false; // for values that depend on themselves
    bool result = false;
    if (!isHere(*instruction)) {
        result = isLiveAtBegin(value);
    } else if (llvm::isa<llvm::PHINode>(instruction)) {
        const Incoming incoming = incomingOf(*instruction);
        result = incoming.value != nullptr && depth < deepestValue &&
                 (incoming.isAtBegin ? isLiveAtBegin(*incoming.value) : canMake(*incoming.value, depth + 1));
    } else {
        result = depth < deepestValue && !llvm::isa<llvm::LoadInst, llvm::CallBase>(instruction) &&
                 llvm::isSafeToSpeculativelyExecute(instruction) &&
                 llvm::all_of(
                     instruction->operands(), [&](const llvm::Value* operand) { return canMake(*operand, depth + 1); });
    }
    return m_known[&value] = result;
}

llvm::Value* BlockValues::make(llvm::Value& value, llvm::IRBuilderBase& builder,
                               const std::function<llvm::Value*(llvm::Value&)>& atBegin) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || !isHere(*instruction)) {
        return llvm::isa<llvm::Constant>(value) ? &value : atBegin(value);
    }
    if (llvm::Value* made = m_made.lookup(&value)) {
        return made;
    }
    if (llvm::isa<llvm::PHINode>(instruction)) {
        const Incoming incoming = incomingOf(*instruction);
        llvm::Value* result = incoming.isAtBegin ? atBegin(*incoming.value) : make(*incoming.value, builder, atBegin);
        return m_made[&value] = result;
    }
    llvm::Instruction* copy = instruction->clone();
    for (llvm::Use& operand : copy->operands()) {
        operand.set(make(*operand.get(), builder, atBegin));
    }
    copy->dropUnknownNonDebugMetadata();
    builder.Insert(copy);
    return m_made[&value] = copy;
}

} // namespace gks::hipcpu
