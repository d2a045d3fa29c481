// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// Cross-lane operations: every lane deposits its value, waits for the active lanes of its wave, and picks what it
// needs.

namespace {

struct Deposits {
    DoubleWord active;
    const DoubleWord* slots;

    ALWAYS_INLINE bool has(Word lane) const { return active >> lane & 1; }
    ALWAYS_INLINE Word firstLane() const { return static_cast<Word>(__builtin_ctzll(active)); }
    // One bit per active lane whose deposit is not 0.
    ALWAYS_INLINE DoubleWord votes() const {
        DoubleWord result = 0;
        for (Word lane = 0; lane < waveSize; ++lane) {
            result |= DoubleWord{slots[lane] != 0} << lane;
        }
        return result & active;
    }
};

ALWAYS_INLINE Deposits deposit(DoubleWord value, void* site) {
    Deposits result{};
    result.active = hipcpu_wave_exchange(value, &result.slots, site);
    return result;
}

ALWAYS_INLINE Word myLane() {
    return hipcpu_this_thread()->lane;
}

template<class T>
ALWAYS_INLINE DoubleWord pack(T value) {
    if constexpr (sizeof(T) == 8) {
        return bitsAs<DoubleWord>(value);
    } else if constexpr (sizeof(T) == 4) {
        return bitsAs<Word>(value);
    } else {
        return bitsAs<std::uint16_t>(value);
    }
}

template<class T>
ALWAYS_INLINE T unpack(DoubleWord deposited) {
    if constexpr (sizeof(T) == 8) {
        return bitsAs<T>(deposited);
    } else if constexpr (sizeof(T) == 4) {
        return bitsAs<T>(static_cast<Word>(deposited));
    } else {
        return bitsAs<T>(static_cast<std::uint16_t>(deposited));
    }
}

constexpr Word noLane = ~Word{0};

// The lane that a DPP control reads from, for waves of 64; noLane where the pattern leaves its row or wave.
ALWAYS_INLINE Word dppSource(Word lane, Word control) {
    const Word row = lane & ~15u;
    const Word inRow = lane & 15u;
    const Word amount = control & 15u;
    if (control < 0x100) { // quad_perm
        return (lane & ~3u) + (control >> (2 * (lane & 3u)) & 3u);
    }
    switch (control >> 4) {
    case 0x10:
        return inRow + amount < 16 ? lane + amount : noLane; // row_shl
    case 0x11:
        return inRow >= amount ? lane - amount : noLane; // row_shr
    case 0x12:
        return row + ((inRow - amount) & 15u); // row_ror
    case 0x15:
        return row + amount; // row_newbcast
    default:
        break;
    }
    switch (control) {
    case 0x130:
        return lane < 63 ? lane + 1 : noLane; // wave_shl
    case 0x134:
        return (lane + 1) & 63u; // wave_rol
    case 0x138:
        return lane > 0 ? lane - 1 : noLane; // wave_shr
    case 0x13c:
        return (lane - 1) & 63u; // wave_ror
    case 0x140:
        return row + 15 - inRow; // row_mirror
    case 0x141:
        return (lane & ~7u) + 7 - (lane & 7u); // row_half_mirror
    case 0x142:
        return lane >= 16 ? row - 1 : noLane; // row_bcast15
    case 0x143:
        return lane >= 32 ? 31 : noLane; // row_bcast31
    default:
        hipcpu_fail("a DPP control that gfx942 does not have");
    }
}

template<class T>
ALWAYS_INLINE T dpp(T old, T value, Word control, Word rowMask, Word bankMask, bool boundControl, void* site) {
    const Deposits all = deposit(pack(value), site);
    const Word lane = myLane();
    if (!(rowMask >> (lane >> 4) & 1) || !(bankMask >> ((lane & 15u) >> 2) & 1)) {
        return old;
    }
    const Word source = dppSource(lane, control);
    if (source == noLane || !all.has(source)) {
        return boundControl ? unpack<T>(0) : old;
    }
    return unpack<T>(all.slots[source]);
}

ALWAYS_INLINE Word swizzleSource(Word lane, Word offset) {
    if (offset & 0x8000) { // quad permute
        return (lane & ~3u) + (offset >> (2 * (lane & 3u)) & 3u);
    }
    const Word andMask = offset & 31u;
    const Word orMask = offset >> 5 & 31u;
    const Word xorMask = offset >> 10 & 31u;
    return (lane & 32u) | ((((lane & 31u) & andMask) | orMask) ^ xorMask);
}

// Predicates of llvm.amdgcn.icmp and fcmp are those of LLVM's compare instructions.
template<class Unsigned, class Signed>
ALWAYS_INLINE bool compareIntegers(Unsigned a, Unsigned b, Word predicate) {
    const auto sa = static_cast<Signed>(a);
    const auto sb = static_cast<Signed>(b);
    switch (predicate) {
    case 32:
        return a == b;
    case 33:
        return a != b;
    case 34:
        return a > b;
    case 35:
        return a >= b;
    case 36:
        return a < b;
    case 37:
        return a <= b;
    case 38:
        return sa > sb;
    case 39:
        return sa >= sb;
    case 40:
        return sa < sb;
    default:
        return sa <= sb;
    }
}

template<class T>
ALWAYS_INLINE bool compareFloats(T a, T b, Word predicate) {
    const bool unordered = a != a || b != b;
    const bool holds = (predicate & 1 && a == b) || (predicate & 2 && a > b) || (predicate & 4 && a < b);
    return unordered ? (predicate & 8) != 0 : holds;
}

} // namespace

#define SITE __builtin_return_address(0)

LANE_FUNCTION Word hipcpu_amdgcn_ds_bpermute(Word address, Word value) {
    const Deposits all = deposit(value, SITE);
    const Word source = address >> 2 & 63u;
    return all.has(source) ? static_cast<Word>(all.slots[source]) : 0;
}

LANE_FUNCTION Word hipcpu_amdgcn_ds_permute(Word address, Word value) {
    const Deposits all = deposit(DoubleWord{address >> 2 & 63u} << 32 | value, SITE);
    const Word lane = myLane();
    Word result = 0;
    for (DoubleWord rest = all.active; rest; rest &= rest - 1) {
        const DoubleWord sent = all.slots[__builtin_ctzll(rest)];
        result = sent >> 32 == lane ? static_cast<Word>(sent) : result;
    }
    return result;
}

LANE_FUNCTION Word hipcpu_amdgcn_ds_swizzle(Word value, Word offset) {
    const Deposits all = deposit(value, SITE);
    const Word source = swizzleSource(myLane(), offset);
    return all.has(source) ? static_cast<Word>(all.slots[source]) : 0;
}

#define LANE_READS(SUFFIX, T)                                                                                          \
    LANE_FUNCTION T hipcpu_amdgcn_readfirstlane##SUFFIX(T value) {                                                     \
        const Deposits all = deposit(pack(value), SITE);                                                               \
        return unpack<T>(all.slots[all.firstLane()]);                                                                  \
    }                                                                                                                  \
    LANE_FUNCTION T hipcpu_amdgcn_readlane##SUFFIX(T value, Word lane) {                                               \
        const Deposits all = deposit(pack(value), SITE);                                                               \
        return unpack<T>(all.slots[lane & 63u]);                                                                       \
    }                                                                                                                  \
    DEVICE_FUNCTION T hipcpu_amdgcn_writelane##SUFFIX(T value, Word lane, T old) {                                     \
        return myLane() == (lane & 63u) ? value : old;                                                                 \
    }                                                                                                                  \
    LANE_FUNCTION T hipcpu_amdgcn_update_dpp##SUFFIX(T old, T value, Word control, Word rowMask, Word bankMask,        \
                                                     bool boundControl) {                                              \
        return dpp(old, value, control, rowMask, bankMask, boundControl, SITE);                                        \
    }                                                                                                                  \
    LANE_FUNCTION T hipcpu_amdgcn_mov_dpp##SUFFIX(T value, Word control, Word rowMask, Word bankMask,                  \
                                                  bool boundControl) {                                                 \
        return dpp(unpack<T>(0), value, control, rowMask, bankMask, boundControl, SITE);                               \
    }
LANE_READS(, Word)
LANE_READS(_i32, Word)
LANE_READS(_i64, DoubleWord)
LANE_READS(_i16, std::uint16_t)
LANE_READS(_f32, float)
LANE_READS(_f64, double)
LANE_READS(_f16, Half)

LANE_FUNCTION DoubleWord hipcpu_amdgcn_ballot_i64(bool vote) {
    return deposit(vote, SITE).votes();
}
LANE_FUNCTION Word hipcpu_amdgcn_ballot_i32(bool vote) {
    return static_cast<Word>(deposit(vote, SITE).votes());
}
DEVICE_FUNCTION bool hipcpu_amdgcn_inverse_ballot_i64(DoubleWord mask) {
    return mask >> myLane() & 1;
}
LANE_FUNCTION DoubleWord hipcpu_amdgcn_read_exec() {
    return deposit(1, SITE).active;
}

#define INTEGER_COMPARE(SUFFIX, UNSIGNED, SIGNED)                                                                      \
    LANE_FUNCTION DoubleWord hipcpu_amdgcn_icmp_i64_##SUFFIX(UNSIGNED a, UNSIGNED b, Word predicate) {                 \
        return deposit(compareIntegers<UNSIGNED, SIGNED>(a, b, predicate), SITE).votes();                              \
    }
INTEGER_COMPARE(i16, std::uint16_t, std::int16_t)
INTEGER_COMPARE(i32, Word, std::int32_t)
INTEGER_COMPARE(i64, DoubleWord, std::int64_t)
LANE_FUNCTION DoubleWord hipcpu_amdgcn_icmp_i64_i1(bool a, bool b, Word predicate) {
    return deposit(predicate == 33 ? a != b : a == b, SITE).votes();
}

#define FLOAT_COMPARE(SUFFIX, T)                                                                                       \
    LANE_FUNCTION DoubleWord hipcpu_amdgcn_fcmp_i64_##SUFFIX(T a, T b, Word predicate) {                               \
        return deposit(compareFloats(a, b, predicate), SITE).votes();                                                  \
    }
FLOAT_COMPARE(f16, Half)
FLOAT_COMPARE(f32, float)
FLOAT_COMPARE(f64, double)

// On the device an order of instructions; here the lanes, which do not run in lockstep, meet.
LANE_FUNCTION void hipcpu_amdgcn_wave_barrier() {
    deposit(0, SITE);
}

LANE_FUNCTION bool __ockl_wfany_i32(int vote) {
    return deposit(vote != 0, SITE).votes() != 0;
}
LANE_FUNCTION bool __ockl_wfall_i32(int vote) {
    const Deposits all = deposit(vote != 0, SITE);
    return all.votes() == all.active;
}
LANE_FUNCTION bool __ockl_wfsame_i32(int vote) {
    const Deposits all = deposit(vote != 0, SITE);
    const DoubleWord votes = all.votes();
    return votes == 0 || votes == all.active;
}
LANE_FUNCTION Word __ockl_activelane_u32() {
    const DoubleWord below = (DoubleWord{1} << myLane()) - 1;
    return static_cast<Word>(__builtin_popcountll(deposit(0, SITE).active & below));
}
LANE_FUNCTION int __ockl_readuplane_i32(int value, int distance) {
    const Deposits all = deposit(static_cast<Word>(value), SITE);
    const Word source = (myLane() + static_cast<Word>(distance)) & 63u;
    return static_cast<int>(all.slots[source]);
}

#define WAVE_REDUCTION(NAME, T, KEEP)                                                                                  \
    LANE_FUNCTION T NAME(T value, Word) {                                                                              \
        const Deposits all = deposit(pack(value), SITE);                                                               \
        T result = unpack<T>(all.slots[all.firstLane()]);                                                              \
        for (DoubleWord rest = all.active; rest; rest &= rest - 1) {                                                   \
            const T other = unpack<T>(all.slots[__builtin_ctzll(rest)]);                                               \
            result = other KEEP result ? other : result;                                                               \
        }                                                                                                              \
        return result;                                                                                                 \
    }
WAVE_REDUCTION(hipcpu_amdgcn_wave_reduce_umin_i32, Word, <)
WAVE_REDUCTION(hipcpu_amdgcn_wave_reduce_umax_i32, Word, >)

// A counter in LDS moves by the number of active lanes; all get what it was before.
namespace {
ALWAYS_INLINE Word movedCounter(Word* counter, bool up) {
    const DoubleWord active = hipcpu_amdgcn_read_exec();
    const auto lanes = static_cast<Word>(__builtin_popcountll(active));
    Word before = 0;
    if (myLane() == static_cast<Word>(__builtin_ctzll(active))) {
        before = __atomic_fetch_add(counter, up ? lanes : 0 - lanes, __ATOMIC_RELAXED);
    }
    return hipcpu_amdgcn_readfirstlane_i32(before);
}
} // namespace
DEVICE_FUNCTION __attribute__((convergent)) Word hipcpu_amdgcn_ds_append_p3(Word* counter, bool) {
    return movedCounter(counter, true);
}
DEVICE_FUNCTION __attribute__((convergent)) Word hipcpu_amdgcn_ds_consume_p3(Word* counter, bool) {
    return movedCounter(counter, false);
}
