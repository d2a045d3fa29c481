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

// Of the arguments' array, an argument's storage, or the block: constant and readable everywhere.
bool isOfTheLaunch(const llvm::Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->isSimple() || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) {
        return false;
    }
    llvm::APInt offset(64, 0);
    const llvm::Value* base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset, true);
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base)) {
        return argument->getArgNo() == item::arguments || argument->getArgNo() == item::block;
    }
    const auto* storage = llvm::dyn_cast<llvm::LoadInst>(base);
    return storage != nullptr && storage->getType()->isPointerTy() && isOfTheLaunch(*storage) &&
           llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(storage->getPointerOperand())) &&
           llvm::cast<llvm::Argument>(llvm::getUnderlyingObject(storage->getPointerOperand()))->getArgNo() ==
               item::arguments;
}

// Null where there are several ways into the phi from within.
std::pair<llvm::Value*, llvm::BasicBlock*> onlyIncoming(const llvm::PHINode& phi,
                                                        const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& inside) {
    std::pair<llvm::Value*, llvm::BasicBlock*> only = {};
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        if (inside.contains(phi.getIncomingBlock(i))) {
            if (only.first != nullptr) {
                return {};
            }
            only = {phi.getIncomingValue(i), phi.getIncomingBlock(i)};
        }
    }
    return only;
}

} // namespace

BlockValues::BlockValues(const Regions& regions, unsigned region) : m_regions(regions), m_region(region) {
    const auto& blocks = regions.regions[region].blocks;
    m_inside.insert(blocks.begin(), blocks.end());
}

bool BlockValues::leadsTo(const llvm::BasicBlock& first, const llvm::BasicBlock& second,
                          const llvm::BasicBlock* around) const {
    const llvm::BasicBlock* cut = m_regions.cuts[m_regions.regions[m_region].cut].block;
    llvm::SetVector<const llvm::BasicBlock*> open;
    open.insert(&first);
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (open[i] == around) {
            continue;
        }
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

BlockValues::Version BlockValues::versionAt(const llvm::Instruction& value, const llvm::BasicBlock& at) const {
    const llvm::BasicBlock* from = value.getParent();
    if (!isHere(value) || !leadsTo(*from, at, nullptr)) {
        return Version::atBegin;
    }
    const bool passesBy = from != &at && leadsTo(*m_regions.regions[m_region].entry, at, from);
    return passesBy ? Version::either : Version::fromHere;
}

bool BlockValues::isLiveAtBegin(const llvm::Instruction& value) const {
    const auto crossing = m_regions.crossings.find(const_cast<llvm::Instruction*>(&value));
    return crossing != m_regions.crossings.end() && crossing->second.kind == Crossing::Kind::uniform &&
           llvm::is_contained(crossing->second.regions, m_region);
}

bool BlockValues::canMakeAt(const llvm::Value& value, const llvm::BasicBlock& at, unsigned depth) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr) {
        const auto* argument = llvm::dyn_cast<llvm::Argument>(&value);
        return argument == nullptr || (!isOfTheThread(*argument) && argument->getArgNo() != item::storage);
    }
    switch (versionAt(*instruction, at)) {
    case Version::atBegin:
        return isLiveAtBegin(*instruction);
    case Version::fromHere:
        return canMakeHere(*instruction, depth);
    case Version::either:
        break;
    }
    return false;
}

bool BlockValues::canMakeHere(const llvm::Instruction& value, unsigned depth) {
    const auto known = m_known.find(&value);
    if (known != m_known.end()) {
        return known->second;
    }
    m_known[&value] = false; // for values that depend on themselves
    bool result = false;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
        const auto [incoming, from] = onlyIncoming(*phi, m_inside);
        result = incoming != nullptr && depth < deepestValue && canMakeAt(*incoming, *from, depth + 1);
    } else {
        const bool isHarmless = isOfTheLaunch(value) || (!llvm::isa<llvm::LoadInst, llvm::CallBase>(value) &&
                                                         llvm::isSafeToSpeculativelyExecute(&value));
        result = depth < deepestValue && isHarmless &&
                 llvm::all_of(
                     value.operands(),
                     [&](const llvm::Value* operand) { return canMakeAt(*operand, *value.getParent(), depth + 1); });
    }
    return m_known[&value] = result;
}

llvm::Value* BlockValues::make(llvm::Value& value, const llvm::BasicBlock& at, llvm::IRBuilderBase& builder,
                               const std::function<llvm::Value*(llvm::Value&)>& atBegin) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || versionAt(*instruction, at) == Version::atBegin) {
        return llvm::isa<llvm::Constant>(value) ? &value : atBegin(value);
    }
    if (llvm::Value* made = m_made.lookup(&value)) {
        return made;
    }
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
        const auto [incoming, from] = onlyIncoming(*phi, m_inside);
        llvm::Value* result = make(*incoming, *from, builder, atBegin);
        return m_made[&value] = result;
    }
    llvm::Instruction* copy = instruction->clone();
    for (llvm::Use& operand : copy->operands()) {
        operand.set(make(*operand.get(), *instruction->getParent(), builder, atBegin));
    }
    copy->dropUnknownNonDebugMetadata();
    builder.Insert(copy);
    return m_made[&value] = copy;
}

} // namespace gks::hipcpu
