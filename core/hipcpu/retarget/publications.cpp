// SPDX-License-Identifier: GPL-3.0-or-later
// A wave's lanes make each step together, in memory that other blocks see as well. Two habits rest on that without a
// barrier of the block. All lanes store, a fence or a wait for the stores follows, and one lane alone says so, by an
// atomic; here it would say so before the others have stored. And one lane alone waits by an atomic, a fence follows,
// and all lanes read; here they would have read before. The lanes meet in front of the branch behind which the one says
// so, and behind the one in which it has waited. Before a wait they meet, too, where one of the block may have to say
// first what others wait for meanwhile. What all lanes do for themselves needs no meeting, and without a fence
// or an order of its own an atomic says nothing of other places.
#include "core/hipcpu/retarget/publications.h"

#include "core/hipcpu/retarget/access_roles.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/lds_accesses.h"
#include "core/hipcpu/retarget/meeting_places.h"
#include "core/hipcpu/retarget/waiting_loops.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/AtomicOrdering.h>

namespace gks::hipcpu {
namespace {

// Of an access of memory that other threads may see; null: of none.
const llvm::Value* sharedAddress(const llvm::Instruction& instruction) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        pointer = update->getPointerOperand();
    } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        pointer = exchange->getPointerOperand();
    } else if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        pointer = memory->getRawDest();
    }
    const llvm::Value* const object = pointer != nullptr ? llvm::getUnderlyingObject(pointer, 0) : nullptr;
    const bool isShared = pointer != nullptr && accessesOf(instruction).empty() &&
                          !llvm::isa<llvm::AllocaInst>(object) && !isOfLaunch(object);
    return isShared ? pointer : nullptr;
}

bool isOneStep(const llvm::Instruction& instruction) {
    return instruction.isAtomic() || instruction.isVolatile() ||
           instruction.hasMetadata(llvm::LLVMContext::MD_nontemporal);
}

// Null where it has none.
std::optional<llvm::AtomicOrdering> orderOf(const llvm::Instruction& instruction) {
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        return update->getOrdering();
    }
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        return exchange->getSuccessOrdering();
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        return store->getOrdering();
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load != nullptr ? std::optional(load->getOrdering()) : std::nullopt;
}

bool stores(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::StoreInst, llvm::MemIntrinsic>(instruction);
}

bool looks(const llvm::Instruction& instruction) {
    return isOneStep(instruction) && !stores(instruction) && !instruction.use_empty();
}

bool says(const llvm::Instruction& instruction) {
    return isOneStep(instruction) && !llvm::isa<llvm::LoadInst, llvm::MemIntrinsic>(instruction);
}

// In front of a loop that waits for others.
bool beginsToWait(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* isFirst =
        isCallOf(instruction, letOthersRunName) ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)) : nullptr;
    return isFirst != nullptr && isFirst->isOne();
}

// Whether the index of a thread is one number.
bool comparesThread(const llvm::Value& condition) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    const auto isIndex = [](const llvm::Value* value) {
        while (llvm::isa<llvm::CastInst>(value)) {
            value = llvm::cast<llvm::CastInst>(value)->getOperand(0);
        }
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
        return load != nullptr && isOfLaunch(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
    };
    return compare != nullptr && compare->isEquality() &&
           (isIndex(compare->getOperand(0)) || isIndex(compare->getOperand(1)));
}

// What was stored, looked at and said since the last meeting, and what of it a fence follows.
struct Since {
    Open all;
    Open fenced;
};

class Publications {
public:
    explicit Publications(llvm::Function& function)
        : m_function(function), m_dominators(function), m_loops(m_dominators), m_joins(function) {}

    llvm::Instruction* nextMeeting() {
        findSince();
        for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&m_function)) {
            Since since = m_atBegin.lookup(block);
            for (llvm::Instruction& instruction : *block) {
                if (beginsToWait(instruction) && hasSpoken(instruction, since) && !followsMeeting(instruction)) {
                    return &instruction;
                }
                if (sharedAddress(instruction) != nullptr) {
                    for (const Open& earlier : {said(instruction, since), lookedFor(instruction, since)}) {
                        if (llvm::Instruction* place = placeFor(instruction, earlier)) {
                            return place;
                        }
                    }
                }
                step(instruction, since);
            }
        }
        return nullptr;
    }

private:
    // Whether a lane, of this wave or of another one of the block, may say something that this wait depends on.
    bool hasSpoken(const llvm::Instruction& wait, const Since& since) const {
        return llvm::any_of(since.all, [&](const llvm::Instruction* one) {
            return says(*one) && !(m_dominators.dominates(one, &wait) && isOfOneThread(*wait.getParent()));
        });
    }

    bool isOfOneThread(const llvm::BasicBlock& block) const {
        const llvm::BasicBlock* const before = branchTo(const_cast<llvm::BasicBlock&>(block), m_dominators, m_joins);
        const auto* branch = before != nullptr ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
        return branch != nullptr && branch->isConditional() && comparesThread(*branch->getCondition());
    }

    // Null where nothing has to be done.
    llvm::Instruction* placeFor(llvm::Instruction& access, const Open& earlier) const {
        if (earlier.empty()) {
            return nullptr;
        }
        llvm::Instruction* const place = placeInFrontOf(access, earlier, {m_dominators, m_loops, m_joins}, false);
        const bool isForAll =
            place == &access && llvm::none_of(earlier, [](const llvm::Instruction* one) { return looks(*one); });
        return isForAll || followsMeeting(*place) ? nullptr : place;
    }

    // The stores that it says are done.
    static Open said(const llvm::Instruction& instruction, const Since& since) {
        Open result;
        if (says(instruction)) {
            const bool orders = llvm::isReleaseOrStronger(*orderOf(instruction));
            for (const llvm::Instruction* one : orders ? since.all : since.fenced) {
                if (stores(*one)) {
                    result.insert(one);
                }
            }
        }
        return result;
    }

    // What another lane may have waited for in front of it.
    Open lookedFor(const llvm::Instruction& instruction, const Since& since) const {
        Open result;
        for (const llvm::Instruction* one : since.all) {
            const bool isOrdered =
                looks(*one) && (since.fenced.contains(one) || llvm::isAcquireOrStronger(*orderOf(*one)));
            const llvm::Loop* const loop = m_loops.getLoopFor(one->getParent());
            const bool looksOnceMore = looks(instruction) && loop != nullptr && loop->contains(&instruction);
            if (isOrdered && !looksOnceMore && !m_dominators.dominates(one, &instruction)) {
                result.insert(one);
            }
        }
        return result;
    }

    static void step(const llvm::Instruction& instruction, Since& since) {
        if (isMeeting(instruction)) {
            since = {};
        } else if (llvm::isa<llvm::FenceInst>(instruction)) {
            since.fenced.insert(since.all.begin(), since.all.end());
        } else if ((stores(instruction) || looks(instruction) || says(instruction)) &&
                   sharedAddress(instruction) != nullptr) {
            since.all.insert(&instruction);
        }
    }

    void findSince() {
        m_atBegin.clear();
        for (bool changed = true; changed;) {
            changed = false;
            for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&m_function)) {
                Since since = m_atBegin.lookup(block);
                for (const llvm::Instruction& instruction : *block) {
                    step(instruction, since);
                }
                for (llvm::BasicBlock* next : llvm::successors(block)) {
                    Since& there = m_atBegin[next];
                    const std::size_t before = there.all.size() + there.fenced.size();
                    there.all.insert(since.all.begin(), since.all.end());
                    there.fenced.insert(since.fenced.begin(), since.fenced.end());
                    changed = changed || there.all.size() + there.fenced.size() != before;
                }
            }
        }
    }

    llvm::Function& m_function;
    llvm::DominatorTree m_dominators;
    llvm::LoopInfo m_loops;
    llvm::PostDominatorTree m_joins;
    llvm::DenseMap<const llvm::BasicBlock*, Since> m_atBegin;
};

} // namespace

llvm::Instruction* nextPublication(llvm::Function& function) {
    const bool hasSteps = llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& one) {
        return isOneStep(one) && sharedAddress(one) != nullptr;
    });
    return hasSteps ? Publications(function).nextMeeting() : nullptr;
}

} // namespace gks::hipcpu
