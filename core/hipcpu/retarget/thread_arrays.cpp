// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/thread_arrays.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {
namespace {

llvm::BitVector cutsBefore(const Regions& regions, const Crossing& crossing) {
    llvm::BitVector cuts(static_cast<unsigned>(regions.cuts.size()));
    for (unsigned i = 0; i < cuts.size(); ++i) {
        cuts[i] = llvm::any_of(regions.cuts[i].regions,
                               [&](unsigned region) { return llvm::is_contained(crossing.regions, region); });
    }
    return cuts;
}

} // namespace

ThreadArrays::ThreadArrays(const Regions& regions) {
    llvm::EquivalenceClasses<const llvm::Instruction*> together;
    llvm::DenseMap<const llvm::Instruction*, llvm::BitVector> cuts; // of each class, by its leader
    for (const auto& [value, crossing] : regions.crossings) {
        if (crossing.kind == Crossing::Kind::ofThread) {
            cuts[together.getOrInsertLeaderValue(value)] = cutsBefore(regions, crossing);
        }
    }
    for (const auto& [value, crossing] : regions.crossings) {
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
        if (phi == nullptr || crossing.kind != Crossing::Kind::ofThread) {
            continue;
        }
        for (const llvm::Value* from : phi->incoming_values()) {
            const auto known = together.findLeader(llvm::dyn_cast<llvm::Instruction>(from));
            const llvm::Instruction* own = together.getLeaderValue(value);
            if (known == together.member_end() || *known == own || cuts[*known].anyCommon(cuts[own])) {
                continue;
            }
            llvm::BitVector all = cuts[*known];
            all |= cuts[own];
            cuts[*together.unionSets(*known, own)] = std::move(all);
        }
    }
    llvm::DenseMap<const llvm::Instruction*, unsigned> ofLeader;
    for (const auto& [value, crossing] : regions.crossings) {
        if (crossing.kind != Crossing::Kind::ofThread) {
            continue;
        }
        const auto [array, isNew] =
            ofLeader.try_emplace(together.getLeaderValue(value), static_cast<unsigned>(m_types.size()));
        if (isNew) {
            llvm::Type* type = value->getType();
            m_types.push_back(type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type);
        }
        m_arrays[value] = array->second;
    }
}

} // namespace gks::hipcpu
