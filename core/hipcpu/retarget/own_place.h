// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <optional>

namespace llvm {
class Function;
class Instruction;
class LoadInst;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace gks::hipcpu {

// What lanes of a wave share of memory, in a thread function (see kernel.h) into which everything is inlined.
class OwnPlaces {
public:
    OwnPlaces(const llvm::Function& thread, const llvm::LoopInfo& loops);

    // Each lane of a wave has the bytes there for itself, in every turn of a loop alike: its address is known to differ
    // from those of the others by at least so much. Of a block in rows one length of these is enough that it holds for.
    bool isOwn(const llvm::Value& pointer, std::uint64_t bytes);
    // Known to be no such place.
    bool isShared(const llvm::Value& pointer, std::uint64_t bytes);

private:
    static constexpr unsigned lanes = 64;
    // What the lanes of a wave have: these numbers (of a known kind), and unless it is exact something that is the same
    // for all besides, and some times `modulus`, which each lane may have others of (0: none).
    struct Lanes {
        std::array<std::int64_t, lanes> values = {};
        bool isExact = false;
        std::uint64_t modulus = 0;

        bool isSame() const; // for all lanes
    };
    struct Shape {
        unsigned x = lanes, y = 1;
    };

    static Lanes unknown();
    std::optional<Lanes> ofShape(const llvm::Value& pointer, Shape shape);
    template<class Holds>
    bool anyShape(Holds holds) const;
    Lanes valueOf(const llvm::Value& value);
    Lanes computed(const llvm::Value& value);
    Lanes arithmetic(const llvm::Instruction& instruction);
    Lanes address(const llvm::Value& pointer);
    Lanes loaded(const llvm::LoadInst& load);
    Lanes counted(const llvm::PHINode& counter);

    const llvm::LoopInfo& m_loops;
    bool m_hasRows = false, m_hasPlanes = false;
    Shape m_shape;
    unsigned m_steps = 0;
    llvm::DenseMap<const llvm::Value*, Lanes> m_assumed; // counters of loops that are being looked at
};

} // namespace gks::hipcpu
