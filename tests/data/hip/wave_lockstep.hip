// SPDX-License-Identifier: GPL-3.0-or-later
// Code that has no barrier because the lanes of a wave make each step together. The host makes the steps one after the
// other for all lanes.
#include "check.h"

#include <algorithm>
#include <cstdint>

constexpr int Lanes = 64;

// The classic end of a reduction, in its last wave.
template<class T>
__global__ void reduce(const T* in, T* out, int n) {
    __shared__ T partial[256];
    const int t = threadIdx.x;
    T sum = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
        sum += in[i];
    }
    partial[t] = sum;
    __syncthreads();
    if (t < 128) {
        partial[t] += partial[t + 128];
    }
    __syncthreads();
    if (t < Lanes) {
        volatile T* p = partial;
        p[t] += p[t + 64];
        p[t] += p[t + 32];
        p[t] += p[t + 16];
        p[t] += p[t + 8];
        p[t] += p[t + 4];
        p[t] += p[t + 2];
        p[t] += p[t + 1];
    }
    if (t == 0) {
        out[blockIdx.x] = partial[0];
    }
}

// Each wave turns its own tile round, without a barrier; and waits of the assembler's kind where others have none.
__global__ void turn(const int* in, int* out, bool waits) {
    __shared__ int tiles[4][Lanes][9];
    const int lane = threadIdx.x % Lanes, wave = threadIdx.x / Lanes;
    for (int i = 0; i < 8; ++i) {
        tiles[wave][lane][i] = in[(wave * Lanes + lane) * 8 + i];
    }
    if (waits) {
        asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
    }
    for (int i = 0; i < 8; ++i) {
        out[(wave * 8 + i) * Lanes + lane] = tiles[wave][lane / 8 + i * 8][lane % 8];
    }
}

// All read before any writes, over and over.
__global__ void shift(const int* in, int* out, int steps) {
    __shared__ int ring[Lanes];
    const int lane = threadIdx.x;
    ring[lane] = in[lane];
    for (int i = 0; i < steps; ++i) {
        const int next = ring[(lane + 1) % Lanes];
        ring[lane] = next * 3 + i;
    }
    out[lane] = ring[lane];
}

// A list that its lanes fill, each behind those before it, and a count that all see.
__global__ void histogram(const int* in, int* out) {
    __shared__ int bins[16];
    const int lane = threadIdx.x;
    if (lane < 16) {
        bins[lane] = 100 * lane;
    }
    atomicAdd(&bins[in[lane]], 1);
    out[lane] = bins[lane % 16];
}

// Waves that fill rooms of LDS and waves that empty them, with a flag for each room: all lanes of a wave see a flag
// before one of them sets it anew. The rooms are used by turns.
__global__ void filledAndEmptied(const int* in, int* out, int tiles) {
    constexpr int Rooms = 3;
    __shared__ int room[Rooms][Lanes];
    __shared__ int flags[Rooms];
    if (threadIdx.x < Rooms) {
        flags[threadIdx.x] = 0;
    }
    __syncthreads();
    const int lane = threadIdx.x % Lanes;
    const bool isFilling = threadIdx.x < Lanes;
    int awaited = isFilling ? 0 : 1, at = 0, sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        if (at == Rooms) {
            at = 0;
            awaited += 2;
        }
        while (__hip_atomic_load(&flags[at], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) != awaited) {
            asm volatile("s_sleep 0");
        }
        if (isFilling) {
            room[at][lane] = in[tile * Lanes + lane];
        } else {
            sum = sum * 3 + room[at][(lane + tile) % Lanes];
        }
        asm volatile("s_waitcnt lgkmcnt(0)");
        __hip_atomic_store(&flags[at], awaited + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
        ++at;
    }
    if (!isFilling) {
        out[lane] = sum;
    }
}

__device__ int seen(int* flag) {
    return __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP);
}

__device__ void set(int* flag, int value) {
    __hip_atomic_store(flag, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
}

// One wave hands the other a tile; the first lane says so, the others wait behind it already.
__global__ void handshake(int* out) {
    __shared__ int tile[Lanes];
    __shared__ volatile int full, done;
    const int wave = threadIdx.x / Lanes, lane = threadIdx.x % Lanes;
    if (threadIdx.x == 0) {
        full = done = 0;
    }
    __syncthreads();
    if (wave == 0) {
        tile[lane] = lane;
        if (lane == 0) {
            full = 1;
        }
        while (done == 0) {
            __builtin_amdgcn_s_sleep(1);
        }
        out[Lanes + lane] = done;
    } else {
        while (full == 0) {
            __builtin_amdgcn_s_sleep(1);
        }
        out[lane] = tile[Lanes - 1 - lane];
        if (lane == 0) {
            done = 1;
        }
    }
}

// Tile after tile through one room, with counts; one lane waits for its wave or all do.
template<bool OneWaits>
__global__ void countedTiles(const int* in, int* out, int tiles) {
    __shared__ int room[Lanes];
    __shared__ int full, done;
    const int wave = threadIdx.x / Lanes, lane = threadIdx.x % Lanes;
    if (threadIdx.x == 0) {
        full = done = 0;
    }
    __syncthreads();
    int* const awaited = wave == 0 ? &done : &full;
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        if (!OneWaits || lane == 0) {
            while (seen(awaited) < tile + wave) {
                __builtin_amdgcn_s_sleep(1);
            }
        }
        if (OneWaits) {
            __builtin_amdgcn_wave_barrier();
        }
        if (wave == 0) {
            room[lane] = in[tile * Lanes + lane];
        } else {
            sum += (tile + 1) * room[Lanes - 1 - lane];
        }
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        if (OneWaits) {
            __builtin_amdgcn_wave_barrier();
        }
        if (lane == 0) {
            set(wave == 0 ? &full : &done, tile + 1);
        }
    }
    if (wave == 1) {
        out[lane] = sum;
    }
}

// Two rooms, each with a flag for full and one for empty, which the first lane of a wave sets.
__global__ void twoFlags(const int* in, int* out, int tiles) {
    __shared__ int room[2][Lanes];
    __shared__ int full[2], empty[2];
    const int wave = threadIdx.x / Lanes, lane = threadIdx.x % Lanes;
    if (threadIdx.x < 2) {
        full[threadIdx.x] = 0;
        empty[threadIdx.x] = 1;
    }
    __syncthreads();
    if (wave == 0) {
        for (int tile = 0; tile < tiles; ++tile) {
            const int at = tile & 1;
            while (seen(&empty[at]) == 0) {
                __builtin_amdgcn_s_sleep(1);
            }
            room[at][lane] = in[tile * Lanes + lane];
            __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
            if (lane == 0) {
                set(&empty[at], 0);
                set(&full[at], 1);
            }
        }
    } else {
        int sum = 0;
        for (int tile = 0; tile < tiles; ++tile) {
            const int at = tile & 1;
            while (seen(&full[at]) == 0) {
                __builtin_amdgcn_s_sleep(1);
            }
            sum += (tile + 1) * room[at][Lanes - 1 - lane];
            __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
            if (lane == 0) {
                set(&full[at], 0);
                set(&empty[at], 1);
            }
        }
        out[lane] = sum;
    }
}

// One place for all lanes: zeroed by one, counted by some, read by all. And one that any of them raises.
__global__ void sharedPlaces(const int* in, int* out, bool waits) {
    __shared__ int count;
    __shared__ volatile int raised;
    const int lane = threadIdx.x;
    if (lane == 0) {
        count = 0;
    }
    if (waits) {
        __syncthreads();
    }
    if (in[lane] > 0) {
        atomicAdd(&count, 1);
    }
    out[lane] = count;
    raised = 0;
    if (in[lane] == in[5]) {
        raised = 1;
    }
    out[Lanes + lane] = raised;
}

// Four lanes to a place: one of them stays, and all see which. And lanes of one column in a block of rows.
__global__ void leaders(int* out) {
    __shared__ volatile int places[Lanes];
    const int column = threadIdx.x, lane = threadIdx.y * blockDim.x + column;
    places[lane >> 2] = lane;
    out[lane] = places[lane >> 2];
    places[column] = lane;
    out[Lanes + lane] = places[column];
}

// Lanes count with tags of their own, until each has seen its count in the place that its value chooses.
__global__ void taggedCounts(const int* in, int* out, int n) {
    __shared__ volatile unsigned bins[16];
    const unsigned lane = threadIdx.x;
    if (lane < 16) {
        bins[lane] = 0;
    }
    for (int i = lane; i < n; i += Lanes) {
        const int bin = in[i];
        unsigned count;
        do {
            count = lane << 26 | ((bins[bin] & 0x03ffffffu) + 1);
            bins[bin] = count;
        } while (bins[bin] != count);
    }
    if (lane < 16) {
        out[lane] = bins[lane] & 0x03ffffffu;
    }
}

// The first lane of each wave has a lock, by turns, and meets nobody while it does.
__global__ void locked(int* out) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0) {
        lock = sum = 0;
    }
    __syncthreads();
    if (threadIdx.x % Lanes == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        sum = sum + 1 + static_cast<int>(threadIdx.x);
        atomicExch(&lock, 0);
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}

// The first lane marks one place after the other, until it comes to one that is marked; all have read how it went before
// it marks the next one. A mark is no lock: nobody gives it back.
__global__ void marks(int* marked, int* out, int prime) {
    __shared__ int before;
    int place = 1, sum = 0;
    if (threadIdx.x == 0) {
        before = atomicExch(&marked[place], 1);
    }
    __syncthreads();
    for (; before == 0; place = place * 3 % prime) {
        sum += place * static_cast<int>(threadIdx.x + 1);
        if (threadIdx.x == 0) {
            before = atomicExch(&marked[place * 3 % prime], 1);
        }
        __syncthreads();
        if (before != 0) {
            sum += 1000;
        }
    }
    out[threadIdx.x] = sum;
}

// Counts that the first lane of a wave raises by an update, and of which its first lane tells the others.
__global__ void countedUp(const int* in, int* out, int tiles) {
    __shared__ int room[Lanes];
    __shared__ int full, done;
    const int wave = threadIdx.x / Lanes, lane = threadIdx.x % Lanes;
    if (threadIdx.x == 0) {
        full = done = 0;
    }
    __syncthreads();
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        if (wave == 0) {
            while (seen(&done) < tile) {
                __builtin_amdgcn_s_sleep(1);
            }
            room[lane] = in[tile * Lanes + lane];
            __threadfence_block();
            if (lane == 0) {
                __hip_atomic_fetch_add(&full, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
            }
        } else {
            int count;
            do {
                count = __builtin_amdgcn_readfirstlane(seen(&full));
                if (count <= tile) {
                    __builtin_amdgcn_s_sleep(4);
                }
            } while (count <= tile);
            sum += (tile + 1) * room[Lanes - 1 - lane];
            __threadfence_block();
            if (lane == 0) {
                __hip_atomic_fetch_add(&done, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
            }
        }
    }
    if (wave == 1) {
        out[lane] = sum;
    }
}

// The last turn of the sum is one lane's alone, in the scan it never reads: what it stores between comes in time.
__global__ void sumThenScan(const int* in, int* sums, int* before) {
    __shared__ int sum[64], scan[64];
    const int lane = threadIdx.x % 16, first = threadIdx.x - lane;
    volatile int *const mySum = sum + first, *const myScan = scan + first;
    int mine = in[threadIdx.x];
    mySum[lane] = mine;
#pragma unroll
    for (int i = 8; i > 0; i >>= 1) {
        if (lane < i) {
            mine = mySum[lane] + mySum[lane + i];
            mySum[lane] = mine;
        }
    }
    int upToMe = in[threadIdx.x];
    myScan[lane] = upToMe;
    for (int i = 1; i < 16; i *= 2) {
        if (lane >= i) {
            upToMe += myScan[lane - i];
            myScan[lane] = upToMe;
        }
    }
    sums[threadIdx.x] = mine;
    before[threadIdx.x] = lane != 0 ? myScan[lane - 1] : 0;
}

int main() {
    const int n = 100'000;
    std::vector<int> values(n);
    std::vector<float> floats(n);
    long total = 0;
    for (int i = 0; i < n; ++i) {
        values[i] = static_cast<int>(i * 7919ll % 10007) - 5000;
        floats[i] = static_cast<float>(values[i] % 64) * 0.25f;
        total += values[i];
    }
    double floatTotal = 0;
    for (const float x : floats) {
        floatTotal += x;
    }
    const Device<int> dv(values);
    const Device<float> df(floats);
    Device<int> sums(8);
    Device<float> floatSums(8);
    reduce<<<8, 256>>>(dv.get(), sums.get(), n);
    reduce<<<8, 256>>>(df.get(), floatSums.get(), n);
    long found = 0;
    double floatFound = 0;
    const auto s = sums.read();
    const auto f = floatSums.read();
    for (int i = 0; i < 8; ++i) {
        found += s[i];
        floatFound += f[i];
    }
    expect("reduction in the last wave", found == total);
    expect("reduction of floats", near(floatFound, floatTotal, 1e-6));

    for (const bool waits : {false, true}) {
        Device<int> turned(4 * Lanes * 8);
        turn<<<1, 4 * Lanes>>>(dv.get(), turned.get(), waits);
        const auto r = turned.read();
        bool right = true;
        for (int wave = 0; wave < 4; ++wave) {
            for (int k = 0; k < Lanes * 8; ++k) {
                right = right && r[wave * Lanes * 8 + k] == values[wave * Lanes * 8 + k];
            }
        }
        expect(waits ? "tile of a wave, with waits" : "tile of a wave", right);
    }

    Device<int> shifted(Lanes);
    shift<<<1, Lanes>>>(dv.get(), shifted.get(), 21);
    std::vector<std::uint32_t> ring(values.begin(), values.begin() + Lanes);
    for (std::uint32_t i = 0; i < 21; ++i) {
        std::vector<std::uint32_t> next(Lanes);
        for (int lane = 0; lane < Lanes; ++lane) {
            next[lane] = ring[(lane + 1) % Lanes] * 3 + i;
        }
        ring = next;
    }
    bool right = true;
    const auto r = shifted.read();
    for (int lane = 0; lane < Lanes; ++lane) {
        right = right && static_cast<std::uint32_t>(r[lane]) == ring[lane];
    }
    expect("a ring that turns", right);

    std::vector<int> bins(Lanes), expected(16);
    for (int i = 0; i < 16; ++i) {
        expected[i] = 100 * i;
    }
    for (int i = 0; i < Lanes; ++i) {
        bins[i] = i * i % 16;
        ++expected[bins[i]];
    }
    const Device<int> db(bins);
    Device<int> counted(Lanes);
    histogram<<<1, Lanes>>>(db.get(), counted.get());
    right = true;
    const auto c = counted.read();
    for (int lane = 0; lane < Lanes; ++lane) {
        right = right && c[lane] == expected[lane % 16];
    }
    expect("counts that all see", right);
    const auto positive = std::count_if(bins.begin(), bins.end(), [](int x) { return x > 0; });
    for (const bool waits : {false, true}) {
        Device<int> places(2 * Lanes);
        sharedPlaces<<<1, Lanes>>>(db.get(), places.get(), waits);
        const auto p = places.read();
        expect(waits ? "a count that all see, behind a barrier" : "a count that one lane zeroes",
               std::count(p.begin(), p.begin() + Lanes, positive) == Lanes);
        expect("what any lane raises", std::count(p.begin() + Lanes, p.end(), 1) == Lanes);
    }
    Device<int> led(2 * Lanes);
    leaders<<<1, dim3(16, 4)>>>(led.get());
    const auto l = led.read();
    bool areLed = true, areColumns = true;
    for (int lane = 0; lane < Lanes; ++lane) {
        areLed = areLed && l[lane] == l[lane | 3] && l[lane] / 4 == lane / 4;
        areColumns = areColumns && l[Lanes + lane] == l[Lanes + lane % 16] && l[Lanes + lane] % 16 == lane % 16;
    }
    expect("a place for four lanes", areLed);
    expect("a place for a column", areColumns);
    Device<int> tagged(16);
    taggedCounts<<<1, Lanes>>>(db.get(), tagged.get(), Lanes);
    const auto tags = tagged.read();
    right = true;
    for (int i = 0; i < 16; ++i) {
        right = right && tags[i] == expected[i] - 100 * i;
    }
    expect("counts with tags", right);
    Device<int> sum(4 * Lanes);
    locked<<<1, 4 * Lanes>>>(sum.get());
    expect("a lock of waves", sum.read() == std::vector<int>(4 * Lanes, 4 + Lanes * (0 + 1 + 2 + 3)));

    constexpr int prime = 31; // which 3 generates
    const Device<int> marked(prime);
    Device<int> walked(Lanes);
    marks<<<1, Lanes>>>(marked.get(), walked.get(), prime);
    const auto w = walked.read();
    right = true;
    for (int lane = 0; lane < Lanes; ++lane) {
        right = right && w[lane] == (lane + 1) * prime * (prime - 1) / 2 + 1000;
    }
    expect("places that one lane marks", right);

    constexpr int tiles = 11;
    std::vector<int> stock(tiles * Lanes);
    for (int i = 0; i < tiles * Lanes; ++i) {
        stock[i] = i * 31 % 97;
    }
    const Device<int> ds(stock);
    Device<int> emptied(Lanes);
    filledAndEmptied<<<1, 2 * Lanes>>>(ds.get(), emptied.get(), tiles);
    right = true;
    const auto e = emptied.read();
    for (int lane = 0; lane < Lanes; ++lane) {
        int sum = 0;
        for (int tile = 0; tile < tiles; ++tile) {
            sum = sum * 3 + stock[tile * Lanes + (lane + tile) % Lanes];
        }
        right = right && e[lane] == sum;
    }
    expect("rooms that waves fill and empty", right);

    Device<int> shaken(2 * Lanes);
    handshake<<<1, 2 * Lanes>>>(shaken.get());
    right = true;
    const auto handed = shaken.read();
    for (int lane = 0; lane < Lanes; ++lane) {
        right = right && handed[lane] == Lanes - 1 - lane && handed[Lanes + lane] == 1;
    }
    expect("a handshake of waves", right);

    const auto expectTiles = [&](const char* what, auto kernel) {
        Device<int> sums(Lanes);
        kernel<<<1, 2 * Lanes>>>(ds.get(), sums.get(), tiles);
        const auto got = sums.read();
        bool same = true;
        for (int lane = 0; lane < Lanes; ++lane) {
            int sum = 0;
            for (int tile = 0; tile < tiles; ++tile) {
                sum += (tile + 1) * stock[tile * Lanes + Lanes - 1 - lane];
            }
            same = same && got[lane] == sum;
        }
        expect(what, same);
    };
    expectTiles("tiles counted by flags", countedTiles<false>);
    expectTiles("tiles that one lane waits for", countedTiles<true>);
    expectTiles("a ring with two flags for a room", twoFlags);
    expectTiles("tiles counted up by updates", countedUp);
    {
        std::vector<int> host(64), sum(64), scan(64);
        for (int i = 0; i < 64; ++i) {
            host[i] = i * i % 37;
            scan[i] = i % 16 != 0 ? scan[i - 1] + host[i - 1] : 0;
        }
        Device<int> in(host), sums(64), before(64);
        sumThenScan<<<1, 64>>>(in.get(), sums.get(), before.get());
        sum = sums.read();
        bool isRight = before.read() == scan;
        for (int i = 0; i < 64; i += 16) {
            isRight = isRight && sum[i] == scan[i + 15] + host[i + 15];
        }
        expect("a sum, then a scan, of 16 lanes", isRight);
    }
    return verdict();
}
