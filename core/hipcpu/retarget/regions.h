// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class Constant;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gks::hipcpu {

struct PrivateStorage;

// How an item function is cut into regions that all threads of a block go through one after the other: from one cut to
// the next, as in Karrenberg and Hack, "Improving performance of OpenCL on CPUs" (2012), and Jaaskelainen and others,
// "pocl: a performance-portable OpenCL implementation" (2015), but with cuts at decisions too in the place of the
// structure of loops.
struct Cut {
    enum class Kind {
        barrier,
        exchange, // threads leave a value for the others of their wave
        vote,     // likewise, and the block's outcome is made of all of them
        matrix,   // a wave multiplies matrices
        decision, // all go the same way; the block decides, not a thread
        parting,  // each thread goes its own way
        join,     // those that have parted meet, or turn in a loop; or what several cuts lead to begins
        end,
    };
    Kind kind = Kind::end;
    llvm::BasicBlock* block = nullptr;           // that ends with it; none of `end`
    llvm::SmallVector<unsigned, 2> regions = {}; // that come next, in the order of the block's successors
    // barrier: its AccessSite where it is told; vote: the BlockReduction and its AccessSite or null; matrix: what, then
    // the places of a, b, c and the index (~0: none) in the private storage, then cbsz, abid and blgp.
    llvm::SmallVector<llvm::Constant*, 8> constants = {};
    bool isParted = false; // only some threads come here together; each waits for the region that is its next
};

struct Region {
    llvm::BasicBlock* entry = nullptr; // of one predecessor
    std::vector<llvm::BasicBlock*> blocks;
    unsigned cut = 0;      // that all ways through it lead to, but those on which a thread ends
    bool mayEnd = false;   // a thread there, while others go on
    bool isParted = false; // others may wait for other regions meanwhile
};

// Values that are needed on the other side of a cut. What can be made again from the thread's index and other such
// values is, since a vectoriser then sees how the threads' values are related.
struct Crossing {
    enum class Kind { uniform, ofThread, madeAgain };
    Kind kind = Kind::ofThread;
    llvm::SmallVector<unsigned, 4> regions = {}; // where it is needed when the region begins
};

struct Regions {
    std::vector<Cut> cuts;       // the last is `end`
    std::vector<Region> regions; // the first begins where the function does; of those that wait the first has its turn
    llvm::MapVector<llvm::Instruction*, Crossing> crossings;
    bool mayEndEarly = false;                       // threads, while others go on
    bool mayPart = false;                           // threads, before they come to cuts of their waves
    llvm::DenseSet<const llvm::BasicBlock*> parted; // that only some threads may be in together
    bool keepsGoing() const { return mayEndEarly || mayPart; }
};

// The function's blocks are split at its cuts. Nothing when threads may part before a cut of the whole block: only
// fibres can serve that.
std::optional<Regions> regionsOf(llvm::Function& item, const PrivateStorage& storage);

} // namespace gks::hipcpu
