// SPDX-License-Identifier: GPL-3.0-or-later
// Races in compiled kernels: what the build tells of their accesses, and what the detector makes of it. Every kernel is
// launched with four blocks of four waves.
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/hipcpu/options/split_files.h"
#include "core/hipcpu/runtime/race_watch.h"
#include "core/hipcpu/runtime/replay.h"
#include "core/hipcpu/runtime/settings.h"

#include <QTest>
#include <array>
#include <optional>

using namespace gks;

namespace {

constexpr const char* source = R"(#include <hip/hip_runtime.h>
#define KERNEL extern "C" __global__ void
__device__ int counter, lock, shown;
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
// What the block before has left is there, or nothing is.
KERNEL shows_by_a_flag(float* p) {
    if (threadIdx.x == 0) {
        const int before = *static_cast<volatile int*>(&shown);
        p[0] = (before > 0 ? p[0] : 0.0F) + 1;
        __threadfence();
        *static_cast<volatile int*>(&shown) = before + 1;
    }
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
        row("shows_by_a_flag", "");
        row("turns_in_lds", "");
        row("turns_without_a_barrier", "wave 2 reads, wave 1 writes");
        row("turns_in_a_wave", "");
        row("reuses_a_tile", "wave 0 writes, wave 3 reads"); // the last to arrive goes on first
        row("counts_in_lds", "");
        row("reduces_by_shuffles", "");
    }
    void areFound() {
        QFETCH(QString, kernel);
        QFETCH(QString, expected);
        std::vector<float> memory(elements);
        hipcpu::Replay replay(*m_module);
        const float* const address = memory.data();
        hipcpu::Replay::Bytes argument(sizeof address);
        std::memcpy(argument.data(), &address, sizeof address);
        const std::string refused = replay.launch(kernel.toStdString(), {4, 1, 1}, {256, 1, 1}, 1024, {argument});
        QVERIFY2(refused.empty(), refused.c_str());
        hipcpu::RaceDetector races;
        races.watch(memory.data(), memory.size() * sizeof(float));
        for (const auto& range : m_module->writable()) {
            races.watch(range.data(), range.size());
        }
        hipcpu::watchRaces(&races);
        replay.run(m_workers, &races);
        hipcpu::watchRaces(nullptr);
        m_module->restoreVariables();
        QCOMPARE(QString::fromStdString(text(races)), expected);
        QVERIFY(races.accesses() > 0);
        QVERIFY(races.isComplete());
    }

private:
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
        return side(race.first) + ", " + side(race.second);
    }

    std::optional<TemporaryDirectory> m_folder;
    std::unique_ptr<hipcpu::LoadedDeviceModule> m_module;
    hipcpu::WorkerPool m_workers{1};
};

QTEST_APPLESS_MAIN(Races)
#include "races.moc"
