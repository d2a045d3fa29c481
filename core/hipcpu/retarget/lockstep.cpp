// SPDX-License-Identifier: GPL-3.0-or-later
// Which accesses to LDS have happened since the lanes last met is carried along the control flow. Where one comes that
// may depend on them (a load after a store, a store after a load, in another place or not of the same value) the lanes
// meet in front of it; in front of the loop that it is in, or of the branch, when what it depends on lies outside. A
// thread's own place (see own_place.h) depends on no other lane, one that lanes share by the same pointer does; but a
// flag that a loop waits for is that of all lanes: each has to see it, and to be done with what it stands for, before
// one of them sets it anew. Code that has its barriers gets no such meeting, since nothing is open where these accesses
// come. In a kernel that sleeps, the lanes also meet in front of the branch in which one of them sets a flag, not
// within it, where the others, asleep behind it, would never come; and behind it and behind a loop asleep, where the
// sides of the branch join as on the card. Cost: one walk over a kernel for each meeting that is added.
#include "core/hipcpu/retarget/lockstep.h"

#include "core/hipcpu/retarget/device_calls.h"
#include "core/hipcpu/retarget/fences.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/lds_accesses.h"
#include "core/hipcpu/retarget/locks.h"
#include "core/hipcpu/retarget/meeting_places.h"
#include "core/hipcpu/retarget/own_place.h"
#include "core/hipcpu/retarget/publications.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <optional>

namespace gks::hipcpu {
namespace {

constexpr unsigned mostMeetings = 64; // of a function; beyond that it is left as it is

// Meets first, then writes LDS.
bool copiesToLds(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName().ends_with("_load_lds");
}

// Computed in the loop or not, the value is the same in each of its turns.
bool isSameInEachTurn(const llvm::Value& value, const llvm::Loop& loop) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || !loop.contains(instruction)) {
        return true;
    }
    return !llvm::isa<llvm::PHINode>(instruction) && !instruction->mayReadOrWriteMemory() &&
           llvm::all_of(instruction->operands(),
                        [&](const llvm::Value* operand) { return isSameInEachTurn(*operand, loop); });
}

// Whether the load is repeated at the same place, in a loop that the store lies behind.
bool waitsBefore(const llvm::Instruction& load, const llvm::Instruction& store, const llvm::LoopInfo& loops) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&load);
    for (const llvm::Loop* loop = loops.getLoopFor(load.getParent()); pointer != nullptr && loop != nullptr;
         loop = loop->getParentLoop()) {
        if (!loop->contains(&store) && isSameInEachTurn(*pointer, *loop)) {
            return true;
        }
    }
    return false;
}

class LdsSteps {
public:
    explicit LdsSteps(llvm::Function& function)
        : m_function(function)
        , m_dominators(function)
        , m_loops(m_dominators)
        , m_places(function, m_loops)
        , m_locks(takesLock(function, m_loops)) {
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
            auto found = accessesOf(instruction);
            if (copiesToLds(instruction)) {
                found.push_back({LdsKind::store, nullptr, nullptr});
            }
            if (!found.empty()) {
                m_accesses[&instruction] = std::move(found);
            }
            m_sleeps = m_sleeps || isSleep(instruction);
        }
    }

    bool hasAccesses() const { return !m_accesses.empty() || m_sleeps; }

    // The first place where the lanes have to meet; nullptr: none.
    llvm::Instruction* nextMeeting() {
        findOpen();
        const llvm::LoopInfo& loops = m_loops;
        const llvm::PostDominatorTree joins(m_function);
        for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&m_function)) {
            Open open = m_atBegin.lookup(block);
            for (llvm::Instruction& instruction : *block) {
                if (setsFlag(instruction, loops)) {
                    llvm::BasicBlock* branch = flagBranch(instruction, loops);
                    llvm::Instruction* place = branch != nullptr ? branch->getTerminator() : &instruction;
                    if (!followsMeeting(*place)) {
                        return place;
                    }
                    if (llvm::Instruction* join = missingJoin(branch, joins)) {
                        return join;
                    }
                }
                if (const llvm::Loop* loop = isSleep(instruction) ? loops.getLoopFor(block) : nullptr) {
                    llvm::BasicBlock* branch = branchTo(*loop->getHeader(), m_dominators, joins);
                    if (llvm::Instruction* join = missingJoin(branch, joins)) {
                        return join;
                    }
                }
                if (const auto earlier = dependence(instruction, open)) {
                    const bool staysInBranches = m_sleeps || m_locks;
                    return placeInFrontOf(instruction, *earlier, {m_dominators, loops, joins}, staysInBranches);
                }
                step(instruction, open);
            }
        }
        return nullptr;
    }

private:
    // The branch behind which nothing but flags are set; nullptr: the lanes meet in front of the flag itself.
    llvm::BasicBlock* flagBranch(const llvm::Instruction& flag, const llvm::LoopInfo& loops) const {
        const llvm::BasicBlock* block = flag.getParent();
        llvm::BasicBlock* branch = const_cast<llvm::BasicBlock*>(block->getSinglePredecessor());
        if (!m_sleeps || branch == nullptr || branch->getSingleSuccessor() != nullptr ||
            loops.getLoopFor(branch) != loops.getLoopFor(block)) {
            return nullptr;
        }
        for (const llvm::Instruction& one : *block) {
            if (&one == &flag) {
                return branch;
            }
            if (isMeeting(one) || isSleep(one) || (m_accesses.count(&one) != 0 && !setsFlag(one, loops))) {
                return nullptr;
            }
        }
        return nullptr;
    }

    // Where the sides of the branch come together and do not meet yet.
    static llvm::Instruction* missingJoin(llvm::BasicBlock* branch, const llvm::PostDominatorTree& joins) {
        const auto* node = branch != nullptr ? joins.getNode(branch) : nullptr;
        node = node != nullptr ? node->getIDom() : nullptr;
        if (node == nullptr || node->getBlock() == nullptr) {
            return nullptr;
        }
        llvm::Instruction* first = &*node->getBlock()->getFirstInsertionPt();
        return isMeeting(*first) ? nullptr : first;
    }

    void step(const llvm::Instruction& instruction, Open& open) const {
        if (isMeeting(instruction)) {
            open.clear();
        }
        if (m_accesses.count(&instruction) != 0) {
            open.insert(&instruction);
        }
    }

    void findOpen() {
        m_atBegin.clear();
        bool changed = true;
        while (changed) {
            changed = false;
            for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&m_function)) {
                Open open = m_atBegin.lookup(block);
                for (const llvm::Instruction& instruction : *block) {
                    step(instruction, open);
                }
                for (llvm::BasicBlock* next : llvm::successors(block)) {
                    Open& there = m_atBegin[next];
                    const std::size_t before = there.size();
                    there.insert(open.begin(), open.end());
                    changed = changed || there.size() != before;
                }
            }
        }
    }

    // In the same place, which is not each thread's own. Waves that wait for each other do so by flags, see below.
    bool dependsInPlace(const LdsAccess& later, const LdsAccess& earlier) {
        if (m_sleeps || m_locks) {
            return false;
        }
        const std::uint64_t bytes = std::max(later.bytes, earlier.bytes);
        const auto [known, isNew] = m_own.try_emplace({later.pointer, bytes}, false);
        if (isNew) {
            known->second = bytes != 0 && m_places.isOwn(*later.pointer, bytes);
        }
        // Of stores that follow each other the last one stays.
        return !known->second && (later.kind != LdsKind::store || earlier.kind != LdsKind::store ||
                                  (later.value != earlier.value && m_places.isShared(*later.pointer, bytes)));
    }

    bool depends(const LdsAccess& later, const LdsAccess& earlier) {
        if (later.pointer != nullptr && later.pointer == earlier.pointer) {
            const bool areStores = later.kind == LdsKind::store && earlier.kind == LdsKind::store;
            return (later.kind != earlier.kind || areStores) && dependsInPlace(later, earlier);
        }
        // Stores in different places come in no order, and updates in any.
        return later.kind != earlier.kind &&
               (later.variable == earlier.variable || later.variable == nullptr || earlier.variable == nullptr);
    }

    // What an access depends on, of those that are open; nothing for none.
    std::optional<Open> dependence(const llvm::Instruction& instruction, const Open& open) {
        const auto mine = m_accesses.find(&instruction);
        if (mine == m_accesses.end() || isMeeting(instruction)) {
            return std::nullopt;
        }
        Open found;
        for (const llvm::Instruction* earlier : open) {
            for (const LdsAccess& later : mine->second) {
                if (llvm::any_of(m_accesses.find(earlier)->second,
                                 [&](const LdsAccess& one) { return depends(later, one); })) {
                    found.insert(earlier);
                }
            }
        }
        return found.empty() ? std::nullopt : std::optional(found);
    }

    // Where waves wait for each other by a place in LDS, which is stored or counted up.
    bool setsFlag(const llvm::Instruction& instruction, const llvm::LoopInfo& loops) const {
        const auto mine = m_accesses.find(&instruction);
        const bool isCounted = llvm::isa<llvm::AtomicRMWInst>(instruction) && m_sleeps && !m_locks;
        if (mine == m_accesses.end() || (mine->second[0].kind != LdsKind::store && !isCounted) ||
            mine->second[0].pointer == nullptr) {
            return false;
        }
        return llvm::any_of(m_accesses, [&](const auto& other) {
            const LdsAccess& one = other.second[0];
            const LdsAccess& set = mine->second[0];
            const bool isSameRow = m_sleeps && one.variable != nullptr && one.variable == set.variable;
            return one.kind == LdsKind::load && (one.pointer == set.pointer || isSameRow) &&
                   waitsBefore(*other.first, instruction, loops);
        });
    }

    llvm::Function& m_function;
    llvm::DominatorTree m_dominators; // meetings are calls: they leave the control flow as it is
    llvm::LoopInfo m_loops;
    OwnPlaces m_places;
    llvm::DenseMap<std::pair<const llvm::Value*, std::uint64_t>, bool> m_own;
    bool m_sleeps = false, m_locks;
    llvm::DenseMap<const llvm::Instruction*, llvm::SmallVector<LdsAccess, 2>> m_accesses;
    llvm::DenseMap<const llvm::BasicBlock*, Open> m_atBegin;
};

} // namespace

bool isSleep(const llvm::Instruction& instruction) {
    return isCallOf(instruction, "hipcpu_amdgcn_s_sleep") || isCallOf(instruction, "hipcpu_yield");
}

void prepareWavesInStep(llvm::Module& flat) {
    llvm::FunctionCallee callee =
        flat.getOrInsertFunction(waveMeeting, llvm::FunctionType::get(llvm::Type::getVoidTy(flat.getContext()), false));
    llvm::appendToCompilerUsed(flat, {llvm::cast<llvm::GlobalValue>(callee.getCallee())});
}

void keepWavesInStep(llvm::Module& flat) {
    llvm::Function* meeting = flat.getFunction(waveMeeting);
    for (llvm::Function& function : flat) {
        if (meeting == nullptr || function.isDeclaration() || isLaneFunction(function)) {
            continue;
        }
        const auto meet = [&](auto nextPlace) {
            llvm::Instruction* place = nextPlace();
            for (unsigned i = 0; place != nullptr && i < mostMeetings; ++i) {
                llvm::CallInst::Create(meeting, "", place->getIterator());
                place = nextPlace();
            }
        };
        LdsSteps steps(function);
        if (steps.hasAccesses()) {
            meet([&] { return steps.nextMeeting(); });
        }
        meet([&] { return nextPublication(function); });
        forgetWaits(function);
    }
    if (llvm::GlobalVariable* list = flat.getGlobalVariable("llvm.compiler.used")) {
        list->eraseFromParent();
    }
    if (meeting != nullptr && meeting->use_empty()) {
        meeting->eraseFromParent();
    }
}

} // namespace gks::hipcpu
