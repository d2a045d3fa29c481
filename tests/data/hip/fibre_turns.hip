// SPDX-License-Identifier: GPL-3.0-or-later
// Loops in which the lanes of a wave part and come to exchanges: at the end of each turn all that stay in the loop are
// together again, as on a card. Each kernel sleeps once, so that its threads are fibres in either order.
#include "check.h"

#include <functional>

constexpr unsigned lanes = 64;

struct Sides { // an exchange in either side of a branch
    template<class Count>
    static __device__ unsigned sum(unsigned lane, Count count) {
        unsigned result = 0;
        for (unsigned i = 0; i < (lane & 7); ++i) {
            if (((lane + i) & 4) != 0) {
                result += count();
            } else {
                result += 100 * count();
            }
        }
        return result;
    }
};
struct OneSide {
    template<class Count>
    static __device__ unsigned sum(unsigned lane, Count count) {
        unsigned result = 0;
        for (unsigned i = 0; i < (lane & 7); ++i) {
            if (((lane + i) & 4) != 0) {
                result += count();
            }
        }
        return result;
    }
};
struct AnotherTurn { // the way on of one side leads past the rest of the turn
    template<class Count>
    static __device__ unsigned sum(unsigned lane, Count count) {
        unsigned result = 0;
        for (unsigned i = 0; i < (lane & 7);) {
            ++i;
            if (((lane + i) & 4) != 0) {
                result += count();
                continue;
            }
            result += 100 * count();
        }
        return result;
    }
};
struct LoopWithin {
    template<class Count>
    static __device__ unsigned sum(unsigned lane, Count count) {
        unsigned result = 0;
        for (unsigned i = 0; i < (lane & 7); ++i) {
            for (unsigned j = 0; j < ((lane * 3 + i) & 3); ++j) {
                result += count();
            }
            if (((lane + i) & 2) != 0) {
                result += 100 * count();
            }
        }
        return result;
    }
};

template<class Loop>
__global__ void ballots(unsigned* out) {
    __builtin_amdgcn_s_sleep(1);
    out[threadIdx.x] = Loop::sum(threadIdx.x, [] { return static_cast<unsigned>(__popcll(__ballot(1))); });
}

using Members = std::function<bool(unsigned lane)>;
unsigned count(const Members& isIn) {
    unsigned result = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        result += isIn(lane) ? 1 : 0;
    }
    return result;
}

// Of each turn: who is in the loop, and of those who takes which way.
using Wanted = std::vector<unsigned>;
Wanted turns(unsigned first, const std::function<void(unsigned turn, const Members& isInLoop, Wanted& sums)>& add) {
    Wanted sums(lanes);
    for (unsigned turn = first; turn < first + 7; ++turn) {
        add(turn, [&](unsigned lane) { return turn - first < (lane & 7); }, sums);
    }
    return sums;
}
void addTo(Wanted& sums, unsigned factor, const Members& isIn) {
    const unsigned number = count(isIn);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        sums[lane] += isIn(lane) ? factor * number : 0;
    }
}
Members andAlso(const Members& one, const Members& other) {
    return [=](unsigned lane) { return one(lane) && other(lane); };
}
Members hasBit(unsigned turn, unsigned bit, bool isSet = true) {
    return [=](unsigned lane) { return (((lane + turn) & bit) != 0) == isSet; };
}

template<class Loop>
void expectSums(const char* name, const Wanted& wanted) {
    const Device<unsigned> out(lanes);
    ballots<Loop><<<1, lanes>>>(out.get());
    expect(name, out.read() == wanted);
}

// All threads wait for what the first one of them does, or the last one.
__global__ void pollOne(unsigned* counter, unsigned adds) {
    if (threadIdx.x == adds) {
        __hip_atomic_fetch_add(counter, 1U, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    }
    while (__hip_atomic_load(counter, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < gridDim.x) {
    }
}

int main() {
    const auto sides = [](unsigned turn, const Members& isInLoop, Wanted& sums) {
        addTo(sums, 1, andAlso(isInLoop, hasBit(turn, 4)));
        addTo(sums, 100, andAlso(isInLoop, hasBit(turn, 4, false)));
    };
    expectSums<Sides>("ballots in both sides of a branch", turns(0, sides));
    expectSums<OneSide>("a ballot in one side", turns(0, [](unsigned turn, const Members& isInLoop, Wanted& sums) {
                            addTo(sums, 1, andAlso(isInLoop, hasBit(turn, 4)));
                        }));
    expectSums<AnotherTurn>("a side that begins another turn", turns(1, sides));
    expectSums<LoopWithin>("a loop within", turns(0, [](unsigned turn, const Members& isInLoop, Wanted& sums) {
                               for (unsigned inner = 0; inner < 3; ++inner) {
                                   addTo(sums, 1, andAlso(isInLoop, [=](unsigned lane) {
                                             return inner < ((lane * 3 + turn) & 3);
                                         }));
                               }
                               addTo(sums, 100, andAlso(isInLoop, hasBit(turn, 2)));
                           }));
    const Device<unsigned> counter(1);
    pollOne<<<4, 256>>>(counter.get(), 0);
    expect("threads wait for the first one", counter.read()[0] == 4);
    return verdict();
}
