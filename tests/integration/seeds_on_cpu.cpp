// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/evaluator/trial/reference.h"

#include <QTest>
#include <cmath>
#include <fmt/format.h>

using namespace gks;

// Every seed of every built-in pack, compiled for the cpu target and run on the pack's cpu shapes; all outputs are
// compared with the reference, for every distribution. The seeds are what campaigns start from and what people read
// first: a wrong one is worse than none. The median times of five calls are printed; they are information, not an
// assertion. GKS_SEED_COMPILER names another compiler of the same usage: COMPILER SOURCE -o PROGRAM [options].
class SeedsOnCpu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedIsRightOnEveryShape_data();
    void seedIsRightOnEveryShape();
};

namespace {

std::string compiler() {
    const char* other = std::getenv("GKS_SEED_COMPILER");
    return other != nullptr ? other : siblingProgram("kernel-scientist-hipcc").string();
}

Result<void> build(const ProblemPack& pack, const SeedKernel& seed, const std::filesystem::path& folder) {
    GKS_TRY(writeFileAtomically(folder / "problem.h", generateProblemHeader(pack)));
    Command command;
    command.arguments = {compiler(),
                         std::string(GKS_SOURCE_DIR) + "/tests/integration/seed_driver.hip",
                         "-o",
                         (folder / "program").string(),
                         "-I" + folder.string(),
                         "-DGKS_SEED=\"" + seed.path.string() + "\""};
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(command));
    return run.ok() ? Result<void>() : kernelError(run.exit.text() + "\n" + run.error + run.output, seed.path.string());
}

// Runs the program on one shape and compares; returns the median time of a call.
Result<double> runShape(const ProblemPack& pack, const Reference& reference, const Shape& shape,
                        Distribution distribution, const std::filesystem::path& folder) {
    Seed seed{};
    seed.fill(7);
    std::vector<std::vector<std::byte>> tensors(pack.tensors.size());
    std::string call;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        GKS_TRY_ASSIGN(const std::int64_t elements, pack.elementCount(pack.tensors[i], shape));
        const std::size_t size = static_cast<std::size_t>(elements) * sizeBytes(pack.tensors[i].type);
        const bool input = pack.tensors[i].role == TensorRole::input;
        call += fmt::format("{} {}\n", input ? "input" : "output", size);
        if (input) {
            tensors[i].resize(size);
            GKS_TRY(fillTensor(pack, i, shape, seed, distribution, Fp8Encoding::fnuz, tensors[i]));
            GKS_TRY(writeFileAtomically(folder / fmt::format("{}.bin", i),
                                        {reinterpret_cast<const char*>(tensors[i].data()), size}));
        }
    }
    for (const std::int64_t dim : shape) {
        call += fmt::format("dim {}\n", dim);
    }
    GKS_TRY(writeFileAtomically(folder / "call.txt", call));
    Command command;
    command.arguments = {(folder / "program").string(), folder.string(),
                         distribution == Distribution::asDeclared ? "5" : "1"};
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(command));
    if (!run.ok()) {
        return kernelError(run.exit.text() + "\n" + run.error, pack.shapeLabel(shape));
    }
    GKS_TRY_ASSIGN(const auto outputs, reference.prepare(shape, {tensors.begin(), tensors.end()}, Fp8Encoding::fnuz));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::output) {
            GKS_TRY_ASSIGN(const std::int64_t elements, pack.elementCount(pack.tensors[i], shape));
            GKS_TRY_ASSIGN(const std::vector<double> expected, outputs->range(i, 0, elements));
            GKS_TRY_ASSIGN(const std::string got, readFile(folder / fmt::format("{}.bin", i)));
            const Comparison comparison = compare(expected, std::as_bytes(std::span(got)), pack.tensors[i].type,
                                                  Fp8Encoding::fnuz, pack.tolerance);
            if (!comparison.ok()) {
                return kernelError(fmt::format("{}: {}", name(distribution), comparison.text()),
                                   pack.shapeLabel(shape));
            }
        }
    }
    return std::stod(run.output);
}

} // namespace

void SeedsOnCpu::seedIsRightOnEveryShape_data() {
    QTest::addColumn<QString>("problem");
    QTest::addColumn<int>("seed");
    const auto packs = builtinProblems();
    QVERIFY2(packs.has_value(), packs ? "" : packs.error().message().c_str());
    for (const ProblemPack& pack : *packs) {
        for (std::size_t i = 0; i < pack.seeds.size(); ++i) {
            QTest::newRow((pack.name + "/" + pack.seeds[i].name).c_str())
                << QString::fromStdString(pack.name) << int(i);
        }
    }
}

void SeedsOnCpu::seedIsRightOnEveryShape() {
    QFETCH(QString, problem);
    QFETCH(int, seed);
    const auto pack = loadProblemPack(problem.toStdString());
    QVERIFY(pack.has_value());
    const auto folder = TemporaryDirectory::create("gks-seed");
    QVERIFY(folder.has_value());
    const auto built = build(*pack, pack->seeds[std::size_t(seed)], folder->path());
    QVERIFY2(built.has_value(), built ? "" : built.error().message().c_str());
    const auto reference = Reference::load(*pack, {availableSandbox().level});
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().message().c_str());
    std::string times;
    double logarithms = 0;
    for (const Shape& shape : pack->shapesOf(ShapeSet::cpu)) {
        for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange,
                                                Distribution::structuredZeros, Distribution::extremeScales}) {
            const auto us = runShape(*pack, **reference, shape, distribution, folder->path());
            QVERIFY2(us.has_value(), us ? "" : us.error().message().c_str());
            if (distribution == Distribution::asDeclared) {
                times += fmt::format("  {} {:.0f} us", pack->shapeLabel(shape), *us);
                logarithms += std::log(*us);
            }
        }
    }
    const double geomean = std::exp(logarithms / double(pack->shapesOf(ShapeSet::cpu).size()));
    qInfo("geomean %.0f us:%s", geomean, times.c_str());
}

QTEST_APPLESS_MAIN(SeedsOnCpu)
#include "seeds_on_cpu.moc"
