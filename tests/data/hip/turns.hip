// SPDX-License-Identifier: GPL-3.0-or-later
// Loops within loops whose threads turn unequally often, with an exchange inside: all ways lead to it again, but those that
// come there together are in the same turn of every loop.
#include "check.h"

#include <algorithm>
#include <string_view>

constexpr int waveSize = 64;
constexpr int outerTurns = 5, innerTurns = 4; // at most

__global__ void nested(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = 0;
    for (int i = 0; i < in[t] % outerTurns; ++i) {
        for (int j = 0; j < t % innerTurns; ++j) {
            value = value * 3 + static_cast<int>(__popcll(__ballot(1)));
        }
    }
    out[t] = value;
}

// Each reads its own lane: whoever else is there, i and j are its own.
__global__ void ownTurns(const int* in, int* out) {
    __shared__ int shared[1024];
    const int t = threadIdx.x, n = blockDim.x;
    shared[t] = in[t];
    __syncthreads();
    int value = 0;
    for (int i = 0; i < shared[n - 1 - t] % outerTurns; ++i) {
        for (int j = 0; j < shared[t] % innerTurns; ++j) {
            value += __shfl(i * 10 + j, t % waveSize);
        }
    }
    out[t] = value;
}

// A list of work for each turn, until it is empty.
__global__ void lists(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = 0;
    for (int turn = 0; turn <= t % 4; ++turn) {
        for (int work = (in[t] + turn) & 15; work != 0; work &= work - 1) {
            value += __shfl(work & -work, t % waveSize) * (turn + 1);
        }
    }
    out[t] = value;
}

// Some go by the exchange in a turn, and others have no such turn.
__global__ void passes(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = 0;
    for (int turn = 0; turn < t % 8; ++turn) {
        if (((in[t] >> (turn & 3)) & 1) != 0) {
            value = value * 3 + static_cast<int>(__popcll(__ballot(1))) + turn;
        }
    }
    out[t] = value;
}

using Values = std::vector<int>;

// `isThere(t)`: in this turn. Each of them gets what the wave's number of them makes of its value.
template<class IsThere, class Made> void vote(Values& values, const IsThere& isThere, const Made& made) {
    Values count(values.size() / waveSize + 1);
    for (std::size_t t = 0; t < values.size(); ++t) {
        count[t / waveSize] += isThere(static_cast<int>(t)) ? 1 : 0;
    }
    for (std::size_t t = 0; t < values.size(); ++t) {
        values[t] = isThere(static_cast<int>(t)) ? made(values[t], count[t / waveSize]) : values[t];
    }
}

Values nestedOnHost(const Values& in, int n) {
    Values values(n);
    for (int i = 0; i < outerTurns; ++i) {
        for (int j = 0; j < innerTurns; ++j) {
            vote(
                values, [&](int t) { return i < in[t] % outerTurns && j < t % innerTurns; },
                [](int value, int count) { return value * 3 + count; });
        }
    }
    return values;
}

Values ownTurnsOnHost(const Values& in, int n) {
    Values values(n);
    for (int t = 0; t < n; ++t) {
        for (int i = 0; i < in[n - 1 - t] % outerTurns; ++i) {
            for (int j = 0; j < in[t] % innerTurns; ++j) {
                values[t] += i * 10 + j;
            }
        }
    }
    return values;
}

Values listsOnHost(const Values& in, int n) {
    Values values(n);
    for (int t = 0; t < n; ++t) {
        for (int turn = 0; turn <= t % 4; ++turn) {
            values[t] += ((in[t] + turn) & 15) * (turn + 1);
        }
    }
    return values;
}

Values passesOnHost(const Values& in, int n) {
    Values values(n);
    for (int turn = 0; turn < 8; ++turn) {
        vote(
            values, [&](int t) { return turn < t % 8 && ((in[t] >> (turn & 3)) & 1) != 0; },
            [&](int value, int count) { return value * 3 + count + turn; });
    }
    return values;
}

int main() {
    Values numbers(1024);
    for (int i = 0; i < 1024; ++i) {
        numbers[i] = (i * 7919 + 5) % 97;
    }
    const Device<int> in(numbers);
    const char* order = std::getenv("HIPCPU_ORDER");
    const bool onFibres = order != nullptr && std::string_view(order) == "reversed"; // they mix turns of a vote
    const auto holds = [](const char* name, const Device<int>& out, const Values& expected) {
        const Values got = out.read();
        expect(name, std::equal(expected.begin(), expected.end(), got.begin()));
    };
    for (const int block : {64, 256, 100, 37, 1024}) {
        const Device<int> out(1024);
        ownTurns<<<1, block>>>(in.get(), out.get());
        holds("own turns of two loops", out, ownTurnsOnHost(numbers, block));
        lists<<<1, block>>>(in.get(), out.get());
        holds("a list of work in every turn", out, listsOnHost(numbers, block));
        if (!onFibres) {
            nested<<<1, block>>>(in.get(), out.get());
            holds("turns of two loops that meet", out, nestedOnHost(numbers, block));
            passes<<<1, block>>>(in.get(), out.get());
            holds("turns that some pass by", out, passesOnHost(numbers, block));
        }
    }
    return verdict();
}
