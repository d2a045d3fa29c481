// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that part before they come to shuffles and ballots, and meet again: each kernel against a model of waves on the host, in which
// the lanes of an exchange are those that are on the same way in the same turn.
#include "check.h"

#include <algorithm>
#include <functional>
#include <string_view>

constexpr int waveSize = 64;

// The first wave finishes alone, and everybody waits for it.
__global__ void reduces(const int* in, int* out) {
    __shared__ int shared[16];
    __shared__ int total;
    const int t = threadIdx.x, lane = t % waveSize, n = blockDim.x;
    int value = in[t] * (t + 1);
    for (int distance = 32; distance > 0; distance /= 2) {
        value += __shfl_down(value, distance);
    }
    if (lane == 0) {
        shared[t / waveSize] = value;
    }
    __syncthreads();
    if (t < waveSize) {
        value = t < (n + waveSize - 1) / waveSize ? shared[t] : 0;
        for (int distance = 8; distance > 0; distance /= 2) {
            value += __shfl_xor(value, distance);
        }
        if (t == 0) {
            total = value;
        }
    }
    __syncthreads();
    out[t] = total + t;
}

// Each thread leaves the loop when it likes. The turn is the same for all in the loop, and another one for each behind it.
__global__ void leaves(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = t, turn = 0;
    for (; turn < in[t] % 8; ++turn) {
        value += __shfl_xor(value, 1) * (turn + 1);
        if (value & 64) {
            value ^= 3;
        }
    }
    out[t] = value * 8 + turn + __shfl_down(value, 1);
}

// Two values change places from turn to turn, and some threads go by the exchange.
__global__ void skips(const int* in, int* out) {
    const int t = threadIdx.x;
    int a = t, b = in[t];
    for (int turn = 0; turn < 4 + t % 3; ++turn) {
        if ((in[t] + turn) % 3 != 0) {
            b += __shfl_xor(a, 2) + turn;
        }
        __builtin_amdgcn_wave_barrier();
        const int old = a;
        a = b;
        b = old;
    }
    out[t] = a * 3 + b;
}

// Nothing in a turn has all of its threads but its end. Fibres would let lanes of different turns exchange.
__global__ void turns(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = t;
    for (int turn = 0; turn < in[t] % 8; ++turn) {
        if ((in[t] + turn) % 2 == 0) {
            continue;
        }
        value += __popcll(__ballot(1)) * (turn + 1);
    }
    out[t] = value;
    __syncthreads();
    out[t] += __shfl_xor(value, 1);
}

// Two ways through a turn, and each may lead out of the loop: only its end is common to all that stay.
__global__ void breaks(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = t, turn = 0;
    for (;; ++turn) {
        value += __popcll(__ballot(1));
        if ((in[t] + turn) % 2 != 0) {
            if (turn > in[t] % 5) {
                break;
            }
            value += 3 * __popcll(__ballot(1));
            continue;
        }
        value += 5 * __popcll(__ballot(1));
        if (turn > in[t] % 7) {
            break;
        }
    }
    value = value * 8 + turn;
    __syncthreads();
    out[t] = value + __shfl_xor(value, 1);
}

// Ways within ways, some of which end; those that are left wait for each other.
__global__ void endsWithin(const int* in, int* out) {
    __shared__ int shared[1024];
    const int t = threadIdx.x, n = blockDim.x;
    int value = in[t];
    shared[t] = value;
    if (t & 1) {
        value += __shfl_xor(value, 2);
        if (value % 5 == 0) {
            out[t] = -value;
            return;
        }
        if (t & 2) {
            value += __popcll(__ballot(value & 1));
        } else {
            value -= 5;
        }
        value ^= __shfl_xor(value, 4);
    } else if (t < 48) {
        value += __any(value > 90) ? 100 : 200;
    }
    __syncthreads();
    value += shared[(t + 1) % n];
    out[t] = value + __shfl_xor(value, 32);
}

// A value of all is made before they part, another one by those of each way.
__global__ void shares(const int* in, int* out, int n) {
    const int t = threadIdx.x;
    int value = 0, own = n;
    for (int turn = 0; turn < n; ++turn) {
        const int ofAll = in[turn] * 3;
        if (t / waveSize == turn % 2) {
            own = in[turn + 1] + turn;
            value += __shfl_up(t, 1) + own;
        }
        value += ofAll;
        __syncthreads();
    }
    out[t] = value * 16 + own;
}

// Lanes of the host's model, by what a card does when one that is read is not active: it gives nothing.
using Values = std::vector<int>;
using Active = std::function<bool(int)>;

int read(const Values& values, const Active& active, int from) {
    return from >= 0 && from < static_cast<int>(values.size()) && active(from) ? values[from] : 0;
}

Values leavesOnHost(const Values& in, int n) {
    Values value(n), out(n);
    for (int t = 0; t < n; ++t) {
        value[t] = t;
    }
    for (int turn = 0; turn < 8; ++turn) {
        const Values before = value;
        const Active stays = [&](int t) { return turn < in[t] % 8; };
        for (int t = 0; t < n; ++t) {
            if (stays(t)) {
                value[t] += read(before, stays, t ^ 1) * (turn + 1);
                value[t] ^= value[t] & 64 ? 3 : 0;
            }
        }
    }
    for (int t = 0; t < n; ++t) {
        const bool isLast = t % waveSize == waveSize - 1; // it gets its own
        out[t] = value[t] * 8 + in[t] % 8 + read(value, [](int) { return true; }, isLast ? t : t + 1);
    }
    return out;
}

Values skipsOnHost(const Values& in, int n) {
    Values a(n), b(in.begin(), in.begin() + n), out(n);
    for (int t = 0; t < n; ++t) {
        a[t] = t;
    }
    for (int turn = 0; turn < 6; ++turn) {
        const Active stays = [&](int t) { return turn < 4 + t % 3; };
        const Active exchanges = [&](int t) { return stays(t) && (in[t] + turn) % 3 != 0; };
        const Values before = a;
        for (int t = 0; t < n; ++t) {
            b[t] += exchanges(t) ? read(before, exchanges, t ^ 2) + turn : 0;
            if (stays(t)) {
                std::swap(a[t], b[t]);
            }
        }
    }
    for (int t = 0; t < n; ++t) {
        out[t] = a[t] * 3 + b[t];
    }
    return out;
}

Values turnsOnHost(const Values& in, int n) {
    Values value(n), out(n);
    for (int t = 0; t < n; ++t) {
        value[t] = t;
    }
    for (int turn = 0; turn < 8; ++turn) {
        const Active votes = [&](int t) { return turn < in[t] % 8 && (in[t] + turn) % 2 != 0; };
        Values count(n / waveSize + 1);
        for (int t = 0; t < n; ++t) {
            count[t / waveSize] += votes(t) ? 1 : 0;
        }
        for (int t = 0; t < n; ++t) {
            value[t] += votes(t) ? count[t / waveSize] * (turn + 1) : 0;
        }
    }
    for (int t = 0; t < n; ++t) {
        out[t] = value[t] + read(value, [](int) { return true; }, t ^ 1);
    }
    return out;
}

Values breaksOnHost(const Values& in, int n) {
    Values value(n), left(n, -1), out(n);
    for (int t = 0; t < n; ++t) {
        value[t] = t;
    }
    const auto vote = [&](const Active& votes, int factor) {
        Values count(n / waveSize + 1);
        for (int t = 0; t < n; ++t) {
            count[t / waveSize] += votes(t) ? 1 : 0;
        }
        for (int t = 0; t < n; ++t) {
            value[t] += votes(t) ? factor * count[t / waveSize] : 0;
        }
    };
    for (int turn = 0; turn < 12; ++turn) {
        const Active stays = [&](int t) { return left[t] < 0; };
        const Active odd = [&](int t) { return stays(t) && (in[t] + turn) % 2 != 0; };
        const Active even = [&](int t) { return stays(t) && (in[t] + turn) % 2 == 0; };
        const auto leave = [&](const Active& these, int rest) {
            for (int t = 0; t < n; ++t) {
                left[t] = these(t) && turn > in[t] % rest ? turn : left[t];
            }
        };
        vote(stays, 1);
        leave(odd, 5);
        vote(odd, 3);
        vote(even, 5);
        leave(even, 7);
    }
    for (int t = 0; t < n; ++t) {
        value[t] = value[t] * 8 + left[t];
    }
    for (int t = 0; t < n; ++t) {
        out[t] = value[t] + read(value, [](int) { return true; }, t ^ 1);
    }
    return out;
}

Values endsWithinOnHost(const Values& in, int n) {
    Values value(in.begin(), in.begin() + n), out(n);
    const Active odd = [](int t) { return t % 2 == 1; };
    const Active first = [](int t) { return t % 2 == 0 && t < 48; };
    const Values begun = value;
    std::vector<bool> ended(n);
    std::vector<int> votes(n / waveSize + 1), large(n / waveSize + 1);
    for (int t = 0; t < n; ++t) {
        value[t] += odd(t) ? read(begun, odd, t ^ 2) : 0;
        ended[t] = odd(t) && value[t] % 5 == 0;
        votes[t / waveSize] += odd(t) && !ended[t] && (t & 2) && (value[t] & 1) ? 1 : 0;
        large[t / waveSize] += first(t) && value[t] > 90 ? 1 : 0;
    }
    const Active left = [&](int t) { return odd(t) && !ended[t]; };
    for (int t = 0; t < n; ++t) {
        value[t] += left(t) ? (t & 2 ? votes[t / waveSize] : -5) : 0;
        value[t] += first(t) ? (large[t / waveSize] != 0 ? 100 : 200) : 0;
    }
    const Values voted = value;
    for (int t = 0; t < n; ++t) {
        value[t] = left(t) ? voted[t] ^ read(voted, left, t ^ 4) : value[t];
    }
    for (int t = 0; t < n; ++t) {
        value[t] += ended[t] ? 0 : in[(t + 1) % n];
    }
    for (int t = 0; t < n; ++t) {
        out[t] = ended[t] ? -value[t] : value[t] + read(value, [&](int lane) { return !ended[lane]; }, t ^ 32);
    }
    return out;
}

Values sharesOnHost(const Values& in, int threads, int n) {
    Values value(threads), own(threads, n), out(threads);
    for (int turn = 0; turn < n; ++turn) {
        for (int t = 0; t < threads; ++t) {
            if (t / waveSize == turn % 2) {
                own[t] = in[turn + 1] + turn;
                value[t] += (t % waveSize == 0 ? t : t - 1) + own[t];
            }
            value[t] += in[turn] * 3;
        }
    }
    for (int t = 0; t < threads; ++t) {
        out[t] = value[t] * 16 + own[t];
    }
    return out;
}

int main() {
    Values numbers(1024);
    for (int i = 0; i < 1024; ++i) {
        numbers[i] = (i * 7919 + 5) % 97;
    }
    const Device<int> in(numbers);
    const char* order = std::getenv("HIPCPU_ORDER");
    const bool onFibres = order != nullptr && std::string_view(order) == "reversed";
    const auto holds = [](const char* name, const Device<int>& out, const Values& expected) {
        const Values got = out.read();
        expect(name, std::equal(expected.begin(), expected.end(), got.begin()));
    };
    for (const int block : {64, 256, 100, 37, 1024}) {
        const Device<int> out(1024);
        reduces<<<1, block>>>(in.get(), out.get());
        Values totals(block, 0);
        for (int t = 0; t < block; ++t) {
            totals[0] += numbers[t] * (t + 1);
        }
        for (int t = block; t-- > 0;) {
            totals[t] = totals[0] + t;
        }
        holds("a sum that the first wave finishes", out, totals);
        leaves<<<1, block>>>(in.get(), out.get());
        holds("a loop that threads leave", out, leavesOnHost(numbers, block));
        skips<<<1, block>>>(in.get(), out.get());
        holds("exchanges that some threads skip", out, skipsOnHost(numbers, block));
        if (!onFibres) {
            turns<<<1, block>>>(in.get(), out.get());
            holds("turns of which nobody has all threads", out, turnsOnHost(numbers, block));
            breaks<<<1, block>>>(in.get(), out.get());
            holds("turns that end on two ways", out, breaksOnHost(numbers, block));
        }
        endsWithin<<<1, block>>>(in.get(), out.get());
        holds("ways on which threads end", out, endsWithinOnHost(numbers, block));
        shares<<<1, block>>>(in.get(), out.get(), 5);
        holds("values of all and of each way", out, sharesOnHost(numbers, block, 5));
    }
    return verdict();
}
