// SPDX-License-Identifier: GPL-3.0-or-later
// What solve() of a seed asks for, executed from its device module alone, writes the same bytes as the whole program on
// the cpu target's runtime, for every built-in pack and seed. The fastest of nine calls of both
// are printed; they are information, not an assertion.
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/hipcpu/options/split_files.h"
#include "core/hipcpu/runtime/replay.h"
#include "core/problem/data.h"
#include "core/problem/problem.h"
#include "tests/support/completed.h"
#include "tests/support/solve_recorder.h"
#include "tests/support/split_build.h"

#include <QTest>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

using namespace gks;

namespace {

namespace fs = std::filesystem;

constexpr int timedCalls = 9;
constexpr std::size_t workspaceBytes = std::size_t{64} << 20;

struct Tensor {
    bool isOutput = false;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
};

std::byte* mapped(std::size_t bytes) {
    return static_cast<std::byte*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

} // namespace

class ReplayOfSeeds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTheSameBytes_data() {
        QTest::addColumn<QString>("problem");
        QTest::addColumn<int>("seed");
        const auto packs = builtinProblems();
        QVERIFY(packs.has_value());
        for (const ProblemPack& pack : *packs) {
            for (std::size_t i = 0; i < pack.seeds.size(); ++i) {
                QTest::newRow((pack.name + "/" + pack.seeds[i].name).c_str())
                    << QString::fromStdString(pack.name) << int(i);
            }
        }
    }
    void writesTheSameBytes() {
        QFETCH(QString, problem);
        QFETCH(int, seed);
        const auto pack = loadProblemPack(problem.toStdString());
        QVERIFY(pack.has_value());
        const auto folder = TemporaryDirectory::create("gks-replay");
        QVERIFY(folder.has_value());
        build(*pack, pack->seeds[std::size_t(seed)], folder->path());
        std::string error;
        const auto module =
            hipcpu::LoadedDeviceModule::load((folder->path() / hipcpu::deviceModuleFile).c_str(), error);
        QVERIFY2(module != nullptr, error.c_str());
        std::string times;
        for (const Shape& shape : pack->shapesOf(ShapeSet::cpu)) {
            std::vector<Tensor> tensors = prepared(*pack, shape, folder->path());
            const double programUs = runProgram(folder->path());
            hipcpu::Replay replay(*module);
            const std::string refused =
                test::recordSolve(folder->path() / hipcpu::hostModuleFile, folder->path() / hipcpu::moduleFactsFile,
                                  problemBytes(tensors, shape), mapped(workspaceBytes), replay);
            QVERIFY2(refused.empty(), refused.c_str());
            times += fmt::format("\n    {}: program {:.1f} us, replay {:.1f} us", pack->shapeLabel(shape), programUs,
                                 fastestUs(replay));
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                const auto expected = readFile(folder->path() / fmt::format("{}.bin", i));
                const Tensor& tensor = tensors[i];
                QVERIFY2(expected && expected->size() == tensor.bytes &&
                             std::memcmp(expected->data(), tensor.data, tensor.bytes) == 0,
                         fmt::format("{}, {}", pack->shapeLabel(shape), pack->tensors[i].name).c_str());
                ::munmap(tensor.data, tensor.bytes);
            }
        }
        qInfo("%s", times.c_str());
    }

private:
    static void build(const ProblemPack& pack, const SeedKernel& seed, const fs::path& folder) {
        QVERIFY(writeFileAtomically(folder / "problem.h", generateProblemHeader(pack)).has_value());
        const std::string compiler = siblingProgram("kernel-scientist-hipcc").string();
        const CompletedProcess program =
            test::completed({.arguments = {compiler, std::string(GKS_SOURCE_DIR) + "/tests/integration/seed_driver.hip",
                                           "-o", (folder / "program").string(), "-I" + folder.string(),
                                           "-DGKS_SEED=\"" + seed.path.string() + "\""}});
        QVERIFY2(program.ok(), program.error.c_str());
        const CompletedProcess halves = test::splitBuild(seed.path, folder);
        QVERIFY2(halves.ok(), halves.error.c_str());
    }

    // Inputs drawn and outputs without any number, in memory and as the program reads them.
    static std::vector<Tensor> prepared(const ProblemPack& pack, const Shape& shape, const fs::path& folder) {
        Seed seed{};
        seed.fill(11);
        std::vector<Tensor> tensors;
        std::string call;
        for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
            Tensor tensor;
            tensor.bytes =
                static_cast<std::size_t>(*pack.elementCount(pack.tensors[i], shape)) * sizeBytes(pack.tensors[i].type);
            tensor.data = mapped(tensor.bytes);
            tensor.isOutput = pack.tensors[i].role == TensorRole::output;
            call += fmt::format("{} {}\n", tensor.isOutput ? "output" : "input", tensor.bytes);
            if (tensor.isOutput) {
                std::memset(tensor.data, 0xff, tensor.bytes);
            } else {
                std::vector<std::byte> values(tensor.bytes);
                if (!fillTensor(pack, i, shape, seed, Distribution::asDeclared, Fp8Encoding::fnuz, values) ||
                    !writeFileAtomically(folder / fmt::format("{}.bin", i),
                                         {reinterpret_cast<const char*>(values.data()), values.size()})) {
                    qFatal("no inputs");
                }
                std::memcpy(tensor.data, values.data(), values.size());
            }
            tensors.push_back(tensor);
        }
        for (const std::int64_t dim : shape) {
            call += fmt::format("dim {}\n", dim);
        }
        if (!writeFileAtomically(folder / "call.txt", call)) {
            qFatal("no inputs");
        }
        return tensors;
    }

    // One worker, so that sums of blocks come in one order.
    static double runProgram(const fs::path& folder) {
        qputenv("HIPCPU_THREADS", "1");
        const CompletedProcess run = test::completed(
            {.arguments = {(folder / "program").string(), folder.string(), std::to_string(timedCalls)}});
        if (!run.ok()) {
            qFatal("%s", run.error.c_str());
        }
        return std::stod(run.output.substr(run.output.find(' ')));
    }

    static std::vector<std::byte> problemBytes(const std::vector<Tensor>& tensors, const Shape& shape) {
        std::vector<std::byte> bytes(512);
        std::byte* at = bytes.data();
        for (const Tensor& tensor : tensors) {
            std::memcpy(at, &tensor.data, sizeof tensor.data);
            at += sizeof tensor.data;
        }
        for (const std::int64_t dim : shape) {
            const auto value = static_cast<std::int32_t>(dim);
            std::memcpy(at, &value, sizeof value);
            at += sizeof value;
        }
        return bytes;
    }

    static double fastestUs(hipcpu::Replay& replay) {
        static hipcpu::WorkerPool workers(1);
        std::vector<double> us;
        for (int i = 0; i < timedCalls; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            replay.run(workers);
            us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
        }
        return *std::min_element(us.begin(), us.end());
    }
};

QTEST_APPLESS_MAIN(ReplayOfSeeds)
#include "replay_of_seeds.moc"
