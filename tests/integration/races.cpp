// SPDX-License-Identifier: GPL-3.0-or-later
// Races in compiled kernels: what the build tells of their accesses, and what the detector makes of it. Every kernel is
// launched with four blocks of four waves.
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/hipcpu/options/split_files.h"
#include "core/hipcpu/runtime/access_watch.h"
#include "core/hipcpu/runtime/replay.h"
#include "core/hipcpu/runtime/settings.h"

#include <QTest>
#include <array>
#include <optional>

using namespace gks;

namespace {

constexpr const char* source = R"(#include <hip/hip_runtime.h>
#define KERNEL extern "C" __global__ void
__device__ int counter, lock, shown, ticket;
__device__ float whole;
static __device__ int twice(int n) { return n < 2 ? n : twice(n - 1) + twice(n - 2); }
struct Wide { float v[4]; };

KERNEL each_its_own(float* p) { p[blockIdx.x * 256 + threadIdx.x] += 1; }
KERNEL adds_plainly(float* p) { if (threadIdx.x == 0) *p += float(blockIdx.x + 1); }
KERNEL adds_to_a_variable(float* p) { if (threadIdx.x == 0) whole += p[blockIdx.x] + 1; }
KERNEL adds_with_atomics(float* p) { atomicAdd(p, float(blockIdx.x + 1)); }
KERNEL writes_the_same(float* p) { *p = 3; }
KERNEL writes_its_own(float* p) { if (threadIdx.x == 0) *p = float(blockIdx.x) + 1; }
KERNEL copies_wide(float* p) { reinterpret_cast<Wide*>(p)[threadIdx.x % 2] = Wide{{float(blockIdx.x) + 1, 1, 2, 3}}; }
KERNEL reads_its_neighbour(float* p) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float after = p[i + 1];
    __syncthreads();
    p[i] = after + 1;
}
KERNEL last_block_finishes(float* p) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        p[blockIdx.x + 1] = float(blockIdx.x) + 1;
        __threadfence();
        last = atomicAdd(&counter, 1) == int(gridDim.x) - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        p[0] = p[1] + p[2] + p[3] + p[4];
        counter = 0;
    }
}
KERNEL last_block_counts_plainly(float* p) {
    if (threadIdx.x == 0) {
        p[blockIdx.x + 1] = float(blockIdx.x) + 1;
        if (++counter == int(gridDim.x)) { p[0] = p[1] + p[2] + p[3] + p[4]; counter = 0; }
    }
}
KERNEL takes_a_lock(float* p) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        __threadfence();
        *p += float(blockIdx.x + 1);
        __threadfence();
        *static_cast<volatile int*>(&lock) = 0;
    }
}
// What the block before has left is there, or nothing is: two may find the same.
KERNEL shows_by_a_flag(float* p) {
    if (threadIdx.x == 0) {
        const int before = *static_cast<volatile int*>(&shown);
        p[0] = (before > 0 ? p[0] : 0.0F) + 1;
        __threadfence();
        *static_cast<volatile int*>(&shown) = before + 1;
    }
}
// Each adds to what the one before it has shown; an atomic gives out the turns.
template<class Wait, class Show>
static __device__ void chain(float* p, Wait wait, Show show) {
    if (threadIdx.x != 0) return;
    const int me = atomicAdd(&ticket, 1);
    float sum = 1;
    if (me > 0) { wait(me - 1); sum += p[me - 1]; }
    p[me] = sum;
    show(me);
}
static __device__ int plain[4096];
// By the blocks' own order, in which a card begins them.
KERNEL chain_of_blocks(float* p) {
    if (threadIdx.x != 0) return;
    float sum = 1;
    if (blockIdx.x > 0) {
        while (__hip_atomic_load(&plain[blockIdx.x - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
        sum += p[blockIdx.x - 1];
    }
    p[blockIdx.x] = sum;
    __hip_atomic_store(&plain[blockIdx.x], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
static __device__ volatile int waving[4096];
static __device__ unsigned long long wide[4096];
KERNEL chain_of_volatiles(float* p) {
    chain(p, [](int i) { while (waving[i] == 0) {} __threadfence(); }, [](int i) { __threadfence(); waving[i] = 1; });
}
KERNEL chain_of_atomics(float* p) {
    chain(p, [](int i) { while (__hip_atomic_load(&plain[i], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {} },
          [](int i) { __hip_atomic_store(&plain[i], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT); });
}
KERNEL chain_of_plain_flags(float* p) {
    chain(p, [](int i) { while (static_cast<volatile int*>(plain)[i] == 0) {} __threadfence(); },
          [](int i) { __threadfence(); plain[i] = 1; });
}
KERNEL chain_of_upper_halves(float* p) {
    chain(p, [](int i) { while (reinterpret_cast<volatile unsigned*>(wide)[2 * i + 1] == 0) {} __threadfence(); },
          [](int i) { __threadfence(); atomicExch(&wide[i], 1ULL << 32); });
}
KERNEL chain_of_nontemporals(float* p) {
    chain(p, [](int i) { while (__builtin_nontemporal_load(&plain[i]) == 0) { __builtin_amdgcn_s_sleep(1); __threadfence(); } },
          [](int i) { __threadfence(); __builtin_nontemporal_store(1, &plain[i]); });
}
KERNEL takes_turns(float* p) {
    if (threadIdx.x != 0) return;
    const int me = atomicAdd(&ticket, 1);
    volatile int* const turn = &shown;
    int now = *turn;
    while (now != me) { now = *turn; }
    *p += 1;
    __threadfence();
    *turn = now + 1;
}
KERNEL waves_leave_parts(float* p) {
    __shared__ bool last;
    if (threadIdx.x % 64 == 0) p[1 + blockIdx.x * 4 + threadIdx.x / 64] = 1;
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(&counter, 1) == int(gridDim.x) - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        for (int i = 0; i < int(gridDim.x) * 4; ++i) p[0] += p[1 + i];
        counter = 0;
    }
}
KERNEL adds_volatiles(float* p) {
    volatile float* const y = p;
    if (threadIdx.x % 64 == 0) *y = *y + 1;
}
KERNEL adds_in_two_atomics(float* p) {
    if (threadIdx.x != 0) return;
    const float sum = __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_store(p, sum + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
KERNEL adds_by_exchange(float* p) { if (threadIdx.x == 0) atomicExch(p, *p + 1); }
KERNEL adds_by_compare_and_swap(float* p) {
    auto* const bits = reinterpret_cast<unsigned*>(p);
    for (unsigned old = *bits, seen = ~old; old != seen;) {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_uint(__uint_as_float(seen) + 1));
    }
}
KERNEL largest_with_a_look(float* p) {
    auto* const best = reinterpret_cast<int*>(p);
    const int mine = int(threadIdx.x);
    if (*best < mine) atomicMax(best, mine);
}
KERNEL first_zeroes(float* p) {
    if (threadIdx.x != 0) return;
    if (atomicAdd(&counter, 1) == 0) *p = 5;
    atomicAdd(p, 1.0F);
}
KERNEL last_number_reads(float* p) {
    if (threadIdx.x != 0) return;
    atomicAdd(p, 1.0F);
    if (blockIdx.x == gridDim.x - 1) p[1] = *p;
}
KERNEL clears_all(float* p) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) __builtin_memset(p, 0, 64);
    p[blockIdx.x + 1] = 1;
}
KERNEL bins_without_a_barrier(float* p) {
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[(threadIdx.x * 7) % 256], 1);
    p[blockIdx.x * 256 + threadIdx.x] = float(bins[threadIdx.x]);
}
KERNEL turns_in_lds(float* p) {
    __shared__ float s[256];
    s[threadIdx.x] = p[blockIdx.x * 256 + threadIdx.x] + float(threadIdx.x + 1);
    __syncthreads();
    p[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
KERNEL turns_without_a_barrier(float* p) {
    __shared__ float s[256];
    s[threadIdx.x] = p[blockIdx.x * 256 + threadIdx.x] + float(threadIdx.x + 1);
    p[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
KERNEL turns_in_a_wave(float* p) {
    __shared__ float s[256];
    const int turned = threadIdx.x / 64 * 64 + 63 - threadIdx.x % 64;
    s[threadIdx.x] = p[blockIdx.x * 256 + threadIdx.x] + float(threadIdx.x + 1);
    __builtin_amdgcn_wave_barrier();
    p[blockIdx.x * 256 + threadIdx.x] = s[turned];
}
// The second tile is loaded before all have read the first.
KERNEL reuses_a_tile(float* p) {
    extern __shared__ float tile[];
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        tile[threadIdx.x] = p[blockIdx.x * 256 + threadIdx.x] + float(round + 1);
        __syncthreads();
        sum += tile[255 - threadIdx.x];
    }
    p[blockIdx.x * 256 + threadIdx.x] = sum;
}
KERNEL counts_in_lds(float* p) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x % 4], 1);
    __syncthreads();
    if (threadIdx.x < 4) p[blockIdx.x * 256 + threadIdx.x] = float(bins[threadIdx.x]);
}
KERNEL reduces_by_shuffles(float* p) {
    __shared__ float s[4];
    float sum = p[blockIdx.x * 256 + threadIdx.x] + 1;
    for (int d = 32; d > 0; d /= 2) sum += __shfl_down(sum, d, 64);
    if (threadIdx.x % 64 == 0) s[threadIdx.x / 64] = sum;
    __syncthreads();
    if (threadIdx.x == 0) p[blockIdx.x * 256] = s[0] + s[1] + s[2] + s[3] + float(twice(3));
}
)";

constexpr std::size_t elements = 4096;

} // namespace

class Races : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        hipcpu::Settings::use({1, hipcpu::ThreadOrder::reversed, true, false});
        m_workers = new hipcpu::WorkerPool(1);
        m_folder.emplace(*TemporaryDirectory::create("races"));
        const auto file = m_folder->path() / "kernels.hip";
        QVERIFY(writeFileAtomically(file, source).has_value());
        Command command;
        command.arguments = {siblingProgram("kernel-scientist-hipcc").string(),
                             "-shared",
                             "--split",
                             m_folder->path().string(),
                             file.string(),
                             "-o",
                             (m_folder->path() / "module.so").string()};
        const auto built = runProcess(command);
        QVERIFY2(built && built->ok(), built ? built->error.c_str() : built.error().message().c_str());
        std::string error;
        m_module = hipcpu::LoadedDeviceModule::load((m_folder->path() / hipcpu::checkedModuleFile).c_str(), error);
        QVERIFY2(m_module != nullptr, error.c_str());
    }

    void areFound_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* kernel, const char* expected) { QTest::newRow(kernel) << kernel << expected; };
        row("each_its_own", "");
        row("adds_plainly", "block 3 writes, block 2 reads");
        row("adds_to_a_variable", "block 3 writes, block 2 reads");
        row("adds_with_atomics", "");
        row("writes_the_same", "");
        row("writes_its_own", "block 3 writes, block 2 writes");
        row("copies_wide", "block 3 writes, block 2 writes");
        row("reads_its_neighbour", "block 3 writes, block 2 reads");
        row("last_block_finishes", "");
        row("last_block_counts_plainly", "block 3 writes, block 2 reads");
        row("takes_a_lock", "");
        row("shows_by_a_flag", "lost update: block 3 writes, block 2 writes");
        row("chain_of_volatiles", "");
        row("chain_of_atomics", "");
        row("chain_of_plain_flags", "");
        row("chain_of_upper_halves", "");
        row("chain_of_nontemporals", "");
        row("chain_of_blocks", "");
        row("takes_turns", "");
        row("waves_leave_parts", "block 1 writes, block 0 reads");
        row("adds_volatiles", "lost update: wave 3 writes, wave 2 writes");
        row("adds_in_two_atomics", "lost update: block 3 writes, block 2 writes");
        row("adds_by_exchange", "block 3 writes, block 2 reads");
        row("adds_by_compare_and_swap", "");
        row("largest_with_a_look", "");
        row("first_zeroes", "block 3 writes, block 2 writes");
        row("last_number_reads", "block 3 reads, block 2 writes");
        row("clears_all", "block 1 writes, block 0 writes");
        row("bins_without_a_barrier", "wave 1 writes, wave 3 reads"); // the lanes of a wave meet in between
        row("turns_in_lds", "");
        row("turns_without_a_barrier", "wave 0 writes, wave 3 reads");
        row("turns_in_a_wave", "");
        row("reuses_a_tile", "wave 0 reads, wave 3 writes");
        row("counts_in_lds", "");
        row("reduces_by_shuffles", "");
    }
    void areFound() {
        QFETCH(QString, kernel);
        QFETCH(QString, expected);
        hipcpu::RaceDetector races;
        run(kernel, 4, *m_workers, races);
        QCOMPARE(QString::fromStdString(text(races)), expected);
        QVERIFY(races.accesses() > 0);
        QVERIFY(races.isComplete());
    }

    // What a plan does beside its launches is told where something does not wait for it.
    void fillsCopiesAndWritesRaceWithLaunches_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<bool>("isOrdered");
        for (const bool isOrdered : {false, true}) {
            for (int which = 0; which < 3; ++which) {
                QTest::addRow("%s%s", std::array{"fill", "copy", "write"}[static_cast<std::size_t>(which)],
                              isOrdered ? " before" : "")
                    << which << isOrdered;
            }
        }
    }
    void fillsCopiesAndWritesRaceWithLaunches() {
        QFETCH(int, which);
        QFETCH(bool, isOrdered);
        std::vector<float> memory(elements);
        const std::vector<float> twos(elements, 2);
        const auto to = reinterpret_cast<std::uint64_t>(memory.data());
        hipcpu::Replay replay(*m_module);
        if (which == 0) {
            replay.fill(to, 0x3f80, 2, 2 * elements);
        } else if (which == 1) {
            replay.copy(to, 0, reinterpret_cast<std::uint64_t>(twos.data()), 0, elements * sizeof(float), 1);
        } else {
            replay.write(to, {1, 2, 3, 4});
        }
        hipcpu::RaceDetector races;
        if (!isOrdered) {
            races.setUnordered({{1}, {0}});
        }
        replay.setNumber(1);
        replayed(replay, "each_its_own", 4, memory, *m_workers, races);
        QCOMPARE(races.race().has_value(), !isOrdered);
        QCOMPARE(races.race() ? races.race()->first.operation : 0U, 0U);
        QCOMPARE(races.race() ? races.race()->second.operation : 1U, 1U);
    }

    // Blocks that wait for each other on two threads: what is told and what is done are one.
    void honestChainsAreCleanOnTwoThreads_data() {
        QTest::addColumn<QString>("kernel");
        for (const char* const kernel :
             {"chain_of_volatiles", "chain_of_atomics", "chain_of_plain_flags", "chain_of_upper_halves",
              "chain_of_blocks", "takes_turns", "takes_a_lock", "last_block_finishes"}) {
            QTest::newRow(kernel) << kernel;
        }
    }
    void honestChainsAreCleanOnTwoThreads() {
        QFETCH(QString, kernel);
        static hipcpu::WorkerPool& two = *new hipcpu::WorkerPool(2); // its thread never ends
        two.waitUntilStarted();
        for (int round = 0; round < 5; ++round) {
            hipcpu::RaceDetector races;
            run(kernel, 128, two, races);
            QCOMPARE(QString::fromStdString(text(races)), QString());
            QVERIFY(races.isComplete());
        }
    }

private:
    void run(const QString& kernel, unsigned blocks, hipcpu::WorkerPool& workers, hipcpu::RaceDetector& races) {
        std::vector<float> memory(elements);
        hipcpu::Replay replay(*m_module);
        replayed(replay, kernel, blocks, memory, workers, races);
    }

    // What the replay holds, and the kernel behind it.
    void replayed(hipcpu::Replay& replay, const QString& kernel, unsigned blocks, std::vector<float>& memory,
                  hipcpu::WorkerPool& workers, hipcpu::RaceDetector& races) {
        const float* const address = memory.data();
        hipcpu::Replay::Bytes argument(sizeof address);
        std::memcpy(argument.data(), &address, sizeof address);
        const std::string refused = replay.launch(kernel.toStdString(), {blocks, 1, 1}, {256, 1, 1}, 1024, {argument});
        QVERIFY2(refused.empty(), refused.c_str());
        races.watch(memory.data(), memory.size() * sizeof(float));
        for (const auto& range : m_module->writable()) {
            races.watch(range.data(), range.size());
        }
        hipcpu::watchRaces(&races);
        replay.run(workers, &races);
        hipcpu::watchRaces(nullptr);
        m_module->restoreVariables();
    }
    static std::string text(const hipcpu::RaceDetector& races) {
        if (!races.race()) {
            return {};
        }
        const hipcpu::Race& race = *races.race();
        const bool inBlock = race.first.block == race.second.block;
        const auto side = [&](const hipcpu::Race::Side& one) {
            return (inBlock ? "wave " + std::to_string(one.wave) : "block " + std::to_string(one.block)) +
                   (one.writes ? " writes" : " reads");
        };
        return (race.isLostUpdate ? "lost update: " : "") + side(race.first) + ", " + side(race.second);
    }

    std::optional<TemporaryDirectory> m_folder;
    std::unique_ptr<hipcpu::LoadedDeviceModule> m_module;
    hipcpu::WorkerPool* m_workers = nullptr; // its spare thread never ends
};

QTEST_APPLESS_MAIN(Races)
#include "races.moc"
