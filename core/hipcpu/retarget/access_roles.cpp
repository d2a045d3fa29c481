// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/access_roles.h"

#include "core/hipcpu/retarget/lds.h"
#include "core/hipcpu/retarget/same_address.h"

#include <algorithm>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

namespace gks::hipcpu {
namespace {

constexpr unsigned deepestAddress = 8;
constexpr std::size_t mostSteps = 256; // of a computation

bool isCallOf(const llvm::Value* value, std::initializer_list<llvm::StringRef> names) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
    const llvm::Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
    return callee != nullptr && llvm::is_contained(names, callee->getName());
}

bool isReadOfLaunch(const llvm::Instruction& instruction) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load != nullptr && isOfLaunch(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
}

const llvm::Value* addressOf(const llvm::Instruction& read) {
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&read)) {
        return update->getPointerOperand();
    }
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&read)) {
        return exchange->getPointerOperand();
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&read);
    return load != nullptr ? load->getPointerOperand() : nullptr;
}

// Whether it is the same in every round.
bool isFixedIn(const llvm::Loop& loop, const llvm::Value* value, unsigned depth = deepestAddress) {
    if (loop.isLoopInvariant(value)) {
        return true;
    }
    const auto* const instruction = llvm::cast<llvm::Instruction>(value);
    return depth > 0 && !llvm::isa<llvm::PHINode>(instruction) &&
           (!instruction->mayReadOrWriteMemory() || isReadOfLaunch(*instruction)) &&
           std::all_of(instruction->op_begin(), instruction->op_end(),
                       [&](const llvm::Use& operand) { return isFixedIn(loop, operand.get(), depth - 1); });
}

} // namespace

bool isOfLaunch(const llvm::Value* object) {
    if (isCallOf(object, {"hipcpu_this_thread", "hipcpu_dispatch_packet", "hipcpu_implicit_arguments",
                          "hipcpu_buffer_resource"})) {
        return true;
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(object);
    const llvm::Value* const from = load != nullptr ? llvm::getUnderlyingObject(load->getPointerOperand(), 0) : nullptr;
    if (const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(from)) {
        return argument->getArgNo() == 0 && argument->getParent()->getName().starts_with("hipcpu_thread.");
    }
    return from != nullptr && isCallOf(from, {"hipcpu_this_thread"});
}

bool isPastCaches(const llvm::LoadInst& load) {
    return !load.isSimple() || load.hasMetadata(llvm::LLVMContext::MD_nontemporal);
}

AccessRoles::AccessRoles(llvm::Function& function) : m_dominators(function), m_loops(m_dominators) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
            m_writes.push_back({store, store->getPointerOperand(), store->getValueOperand()});
        } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            const bool isExchange = update->getOperation() == llvm::AtomicRMWInst::Xchg;
            m_writes.push_back({update, update->getPointerOperand(), isExchange ? update->getValOperand() : nullptr});
        } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            m_writes.push_back({exchange, exchange->getPointerOperand(), nullptr});
        } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
            if (isPastCaches(*load) && isWait(*load, *load->getPointerOperand())) {
                m_waits.push_back(load);
            }
        }
        m_mayReadFlags = m_mayReadFlags || mayReadFlag(instruction);
    }
}

// By values alone, not by what was branched on.
bool AccessRoles::dependsOn(const llvm::Value& value, const llvm::Instruction& read) const {
    llvm::SmallPtrSet<const llvm::Value*, 16> known;
    std::vector<const llvm::Value*> open = {&value};
    while (!open.empty() && known.size() < mostSteps) {
        const llvm::Value* const next = open.back();
        open.pop_back();
        if (next == &read) {
            return true;
        }
        const auto* instruction = llvm::dyn_cast<llvm::Instruction>(next);
        if (instruction == nullptr || !known.insert(next).second || instruction->mayReadOrWriteMemory()) {
            continue;
        }
        for (const llvm::Use& operand : instruction->operands()) {
            open.push_back(operand.get());
        }
    }
    return false;
}

bool AccessRoles::comesBack(const llvm::LoadInst& load) const {
    const auto isBehindWait = [&](const llvm::Instruction& write) {
        return std::any_of(m_waits.begin(), m_waits.end(), [&](const llvm::LoadInst* wait) {
            return isSameAddress(wait->getPointerOperand(), load.getPointerOperand()) &&
                   !m_loops.getLoopFor(wait->getParent())->contains(&write);
        });
    };
    return std::any_of(m_writes.begin(), m_writes.end(), [&](const Write& write) {
        return write.value != nullptr && isSameAddress(write.pointer, load.getPointerOperand()) &&
               dependsOn(*write.value, load) && !isBehindWait(*write.instruction);
    });
}

bool AccessRoles::isGuess(const llvm::LoadInst& load) const {
    const bool isChanged = std::any_of(m_writes.begin(), m_writes.end(), [&](const Write& write) {
        return !llvm::isa<llvm::StoreInst>(write.instruction) &&
               isSameAddress(write.pointer, load.getPointerOperand()) &&
               llvm::isPotentiallyReachable(&load, write.instruction, nullptr, &m_dominators, &m_loops);
    });
    return isChanged && !comesBack(load);
}

// Also before the loop, where a compiler has put its first round.
bool AccessRoles::isAwaited(const llvm::LoadInst& load) const {
    return std::any_of(m_waits.begin(), m_waits.end(), [&](const llvm::LoadInst* wait) {
        return isSameAddress(wait->getPointerOperand(), load.getPointerOperand());
    });
}

bool AccessRoles::mayReadFlag(const llvm::Instruction& instruction) const {
    const llvm::Value* const pointer = addressOf(instruction);
    if (pointer == nullptr || isInLds(pointer) || llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0))) {
        return false;
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load != nullptr ? !load->isSimple() || (isPastCaches(*load) && isWait(*load, *pointer))
                           : isWait(instruction, *pointer);
}

bool AccessRoles::isWait(const llvm::Instruction& read, const llvm::Value& pointer) const {
    const llvm::Loop* const loop = m_loops.getLoopFor(read.getParent());
    if (loop == nullptr || !isFixedIn(*loop, &pointer)) {
        return false;
    }
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    return std::any_of(exiting.begin(), exiting.end(),
                       [&](const llvm::BasicBlock* block) { return dependsOn(*block->getTerminator(), read); });
}

} // namespace gks::hipcpu
