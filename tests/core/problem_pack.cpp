// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/problem/device_arithmetic.h"
#include "core/problem/expression.h"
#include "core/problem/pack_files.h"
#include "core/problem/problem.h"

#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

using namespace gks;

namespace {

const std::filesystem::path packsFolder = std::string(GKS_SOURCE_DIR) + "/tests/data/packs";

} // namespace

class ProblemPackTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void badPackIsRefused_data();
    void badPackIsRefused();
    void goodPackIsRead();
    void aPackMayHaveNoSeeds();
    void builtinPacksAreGood();
    void anchorsAreRead();
    void anchorsDoNotLeadOut();
    void unknownNameSaysWhatThereIs();
    void expressions_data();
    void expressions();
    void extentsAreWholeAndPositive();
    void nothingIsLeftOfTheLastExpression();
    void floorIsTheLargerOfBothBounds();
    void devicePeaksAreRead();
    void peaksSayWhatComputesThem();
};

void ProblemPackTest::badPackIsRefused_data() {
    QTest::addColumn<QString>("folder");
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(packsFolder)) {
        if (entry.path().filename() != "good") {
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
            ++count;
        }
    }
    QVERIFY(count > 40);
}

// The first line of each problem.toml says what the refusal must say: "# expect LINE: reason" or "# expect FILE:
// reason".
void ProblemPackTest::badPackIsRefused() {
    QFETCH(QString, folder);
    const std::string path = folder.toStdString();
    const auto manifest = readFile(path + "/problem.toml");
    QVERIFY(manifest.has_value());
    const std::string first(lines(*manifest).front());
    const std::string prefix = "# expect ";
    QVERIFY(first.starts_with(prefix));
    const std::size_t colon = first.find(": ");
    QVERIFY(colon != std::string::npos);
    const std::string place = first.substr(prefix.size(), colon - prefix.size());
    const std::string reason = first.substr(colon + 2);

    const auto pack = loadProblemPack(path);
    QVERIFY2(!pack, "the pack was accepted");
    const Error& error = pack.error();
    const bool isLine = place.find_first_not_of("0123456789") == std::string::npos;
    const std::string where = isLine ? path + "/problem.toml:" + place : place;
    QVERIFY2(isLine ? error.where == where : error.message().find(where) != std::string::npos,
             fmt::format("expected at {}: {}", where, error.message()).c_str());
    QVERIFY2(error.what.find(reason) != std::string::npos ||
                 error.message().find(place + ": " + reason) != std::string::npos,
             fmt::format("expected \"{}\": {}", reason, error.message()).c_str());
    QCOMPARE(error.kind, ErrorKind::usage);
}

void ProblemPackTest::goodPackIsRead() {
    const auto pack = loadProblemPack((packsFolder / "good").string());
    QVERIFY2(pack.has_value(), pack ? "" : pack.error().message().c_str());
    QCOMPARE(pack->name, std::string("scale"));
    QCOMPARE(pack->shapesOf(ShapeSet::test).size(), std::size_t{2});
    QCOMPARE(pack->shapeLabel({5, 16}), std::string("rows=5 cols=16"));
    QCOMPARE(*pack->elementCount(pack->tensors[0], {5, 16}), 20);
    QCOMPARE(*pack->bytes({5, 16}), 160.0);
    QCOMPARE(pack->tolerance.relative, 1e-3);
    QCOMPARE(pack->language, std::string("c++17"));
    QCOMPARE(pack->seeds.front().title, std::string("Naive: one thread per element"));
    QVERIFY(pack->notes.starts_with("# Mission"));
}

void ProblemPackTest::aPackMayHaveNoSeeds() {
    const auto folder = TemporaryDirectory::create("gks-pack").value();
    for (const char* name : {"problem.toml", "reference.cpp", "notes.md"}) {
        std::filesystem::copy_file(packsFolder / "good" / name, folder.path() / name);
    }
    const auto pack = loadProblemPack(folder.path().string());
    QVERIFY2(pack.has_value(), pack ? "" : pack.error().message().c_str());
    QVERIFY(pack->seeds.empty());
}

void ProblemPackTest::builtinPacksAreGood() {
    const auto packs = builtinProblems();
    QVERIFY2(packs.has_value(), packs ? "" : packs.error().message().c_str());
    QVERIFY(std::is_sorted(packs->begin(), packs->end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
    for (const ProblemPack& pack : *packs) {
        QCOMPARE(pack.folder.filename().string(), pack.name);
        QCOMPARE(pack.seeds.front().name, std::string("naive"));
        QVERIFY2(std::any_of(pack.seeds.begin(), pack.seeds.end(),
                             [](const SeedKernel& seed) { return seed.source.find("// @tune ") != std::string::npos; }),
                 pack.name.c_str());
        QVERIFY(pack.notes.find("# Mission") != std::string::npos && pack.notes.find("# Task") != std::string::npos);
    }
    const auto gemm = loadProblemPack("fp8-gemm");
    QVERIFY(gemm.has_value());
    QCOMPARE(gemm->shapesOf(ShapeSet::benchmark).size(), std::size_t{18});
    QCOMPARE(gemm->shapesOf(ShapeSet::test).size(), std::size_t{11});
    QCOMPARE(*gemm->elementCount(gemm->tensors[3], {64, 576, 7168}), 5 * 56);
}

void ProblemPackTest::anchorsAreRead() {
    const auto pack = loadProblemPack("fp8-gemm");
    QVERIFY2(pack.has_value(), pack ? "" : pack.error().message().c_str());
    const auto found = std::find_if(pack->anchors.begin(), pack->anchors.end(),
                                    [](const AnchorSpec& anchor) { return anchor.name == "cublaslt"; });
    QVERIFY(found != pack->anchors.end());
    QCOMPARE(found->title, std::string("cuBLASLt"));
    QCOMPARE(found->target, std::string("nvidia"));
    QCOMPARE(found->path, pack->folder / "anchors/cublaslt.cpp");
    QCOMPARE(found->libraries, std::vector<std::string>{"cublasLt"});
    QVERIFY(!found->lacks.empty());
    QVERIFY(loadProblemPack((packsFolder / "good").string())->anchors.empty());
}

// What a link leads to would be compiled, so it has to be a file of the pack.
void ProblemPackTest::anchorsDoNotLeadOut() {
    namespace fs = std::filesystem;
    const TemporaryDirectory place = TemporaryDirectory::create("gks-pack").value();
    const fs::path pack = place.path() / "pack";
    fs::copy(packsFolder / "anchor-source-missing", pack, fs::copy_options::recursive);
    QVERIFY(makeDirectories(pack / "anchors") && writeFileAtomically(place.path() / "other.cpp", "int other;\n"));
    fs::create_symlink(place.path() / "other.cpp", pack / "anchors/blas.cpp");
    const auto refused = loadProblemPack(pack.string());
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.find("leads out of the problem pack") != std::string::npos,
             refused.error().message().c_str());
    fs::remove(pack / "anchors/blas.cpp");
    QVERIFY(writeFileAtomically(pack / "own.cpp", "int own;\n"));
    fs::create_symlink(pack / "own.cpp", pack / "anchors/blas.cpp");
    const auto kept = loadProblemPack(pack.string());
    QVERIFY2(kept && kept->anchors.size() == 1, kept ? "" : kept.error().message().c_str());
    // It belongs to the pack: another source is another pack.
    const std::string before = packContentSha256(pack).value();
    QVERIFY(writeFileAtomically(pack / "own.cpp", "int another;\n"));
    QVERIFY(packContentSha256(pack).value() != before);
}

void ProblemPackTest::unknownNameSaysWhatThereIs() {
    const auto pack = loadProblemPack("fp9-gemm");
    QVERIFY(!pack);
    QVERIFY(pack.error().message().find("fp8-gemm") != std::string::npos);
    QVERIFY(!loadProblemPack("/nonexistent/folder"));
    QVERIFY(!loadProblemPack(""));
}

void ProblemPackTest::expressions_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<double>("value");
    QTest::newRow("product") << "2*m*n*k" << 2.0 * 64 * 576 * 7168;
    QTest::newRow("ceil") << "ceil(n/128)" << 5.0;
    QTest::newRow("floor") << "floor(n/128)" << 4.0;
    QTest::newRow("min and max") << "min(m, n) + max(m, k)" << 64.0 + 7168;
    QTest::newRow("power") << "2^10" << 1024.0;
    QTest::newRow("brackets") << "(m + n) * (k - 1)" << 640.0 * 7167;
}

void ProblemPackTest::expressions() {
    QFETCH(QString, expression);
    const auto value = evaluateExpression(expression.toStdString(), {{"m", 64}, {"n", 576}, {"k", 7168}});
    QVERIFY(value.has_value());
    QTEST(*value, "value");
}

void ProblemPackTest::nothingIsLeftOfTheLastExpression() {
    QCOMPARE(*evaluateExpression("m*n", {{"m", 2}, {"n", 3}}), 6);
    QVERIFY(!evaluateExpression("m*n", {{"m", 2}}));
    QVERIFY(!evaluateExpression("m+", {{"m", 2}}));
    QCOMPARE(*evaluateExpression("ceil(m/4)", {{"m", 5}}), 2);
    QCOMPARE(*evaluateExpression("_e*0+m", {{"m", 7}}), 7);
}

void ProblemPackTest::extentsAreWholeAndPositive() {
    const NamedValues values = {{"m", 64}};
    QCOMPARE(*evaluateExtent("m/64", values), 1);
    for (const std::string wrong :
         {"m/128", "0*m", "-m", "m/0", "m=3", "m,m", "n", "", "m+", "2^60", "\"m\"", "system(m)"}) {
        QVERIFY2(!evaluateExtent(wrong, values), wrong.c_str());
    }
    QVERIFY(!evaluateExtent(std::string(100'000, '('), values));
    QVERIFY(!evaluateExtent(std::string(400, '(') + "m", values));
}

void ProblemPackTest::floorIsTheLargerOfBothBounds() {
    const auto pack = loadProblemPack("fp8-gemm");
    const auto peaks = devicePeaks("gfx942");
    QVERIFY(pack.has_value() && peaks.has_value());
    // Figures of the problem's own organisers.
    QVERIFY(std::abs(floorUs(*pack, {1024, 1536, 7168}, *peaks) - 8.63) < 0.02);
    QVERIFY(std::abs(floorUs(*pack, {6144, 4608, 7168}, *peaks) - 155.30) < 0.1);
    QCOMPARE(floorUs(*pack, {1024, 1536, 7168}, DevicePeaks{}), 0.0);
    // What a write-back cache may keep is not yet in memory when an honest kernel ends.
    DevicePeaks cached;
    cached.bytesPerSecond = 1e9;
    cached.cacheBytes = 1e9;
    QVERIFY(std::abs(floorUs(*pack, {64, 64, 128}, cached) - (2 * 64 * 128 + 4 * 65) / 1e3) < 1e-6);
    DevicePeaks slowMemory = *peaks;
    slowMemory.bytesPerSecond = 1e9;
    slowMemory.cacheBytes = 0;
    QVERIFY(std::abs(floorUs(*pack, {64, 64, 128}, slowMemory) - (2 * 64 * 128 + 4 * 65 + 2 * 64 * 64) / 1e3) < 1e-6);
}

void ProblemPackTest::devicePeaksAreRead() {
    QCOMPARE(devicePeaks("gfx942")->bytesPerSecond, 5.3e12);
    QCOMPARE(devicePeaks("gfx942")->flopsPerSecond.at(ElementType::fp8E4m3), 2614.9e12);
    QVERIFY(devicePeaks("sm_90")->bytesPerSecond > 0);
    // An H100 PCIe says 114 units at 1755 MHz and 2.04 TB/s: less of everything than the file has.
    const auto scaled = devicePeaks("sm_90", {2.04e12, 114, 1755e6});
    QCOMPARE(scaled->bytesPerSecond, 2.04e12);
    const double share = 114 * 1755e6 / (132 * 1980e6);
    QCOMPARE(scaled->flopsPerSecond.at(ElementType::bf16),
             devicePeaks("sm_90")->flopsPerSecond.at(ElementType::bf16) * share);
    // Cards of AMD are told apart by the names that they are sold under; units that one tells count first.
    const double fp8 = devicePeaks("gfx942")->flopsPerSecond.at(ElementType::fp8E4m3);
    const auto amd = [](double units, std::string_view name) { return devicePeaks("gfx942", {0, units, 0, name}); };
    QCOMPARE(amd(0, "AMD Instinct MI300A")->flopsPerSecond.at(ElementType::fp8E4m3), fp8 * 228 / 304);
    QCOMPARE(amd(0, "AMD Instinct MI308X VF")->flopsPerSecond.at(ElementType::fp8E4m3), fp8 * 80 / 304);
    QCOMPARE(amd(304, "AMD Instinct MI325X")->flopsPerSecond.at(ElementType::fp8E4m3), fp8);
    QCOMPARE(amd(304, "AMD Instinct MI325X")->bytesPerSecond, 6.0e12);
    QCOMPARE(amd(38, "AMD Instinct MI300X")->flopsPerSecond.at(ElementType::fp8E4m3), fp8 * 38 / 304);
    QCOMPARE(amd(304, "AMD Instinct MI300X")->bytesPerSecond, 5.3e12);
    QCOMPARE(devicePeaks("unheard-of")->bytesPerSecond, 0.0);
    QCOMPARE(devicePeaks("../devices/gfx942")->bytesPerSecond, 0.0);
}

void ProblemPackTest::peaksSayWhatComputesThem() {
    const DevicePeaks half = *devicePeaks("sm_90", {2.4e12, 66, 1980e6});
    const DeviceArithmetic arithmetic = deviceArithmetic("sm_90", half);
    QCOMPARE(arithmetic.nameOf(ElementType::f32), std::string("tf32"));
    QCOMPARE(arithmetic.nameOf(ElementType::bf16), std::string("bf16"));
    QCOMPARE(arithmetic.plainFlopsPerSecond.at(ElementType::f32), 66.9e12 / 2); // scaled as the others are
    QCOMPARE(deviceArithmetic("gfx942", *devicePeaks("gfx942")).nameOf(ElementType::f32), std::string("xf32"));
    QVERIFY(deviceArithmetic("unheard-of", {}) == DeviceArithmetic{});
    // Products of f32 may not be tf32, those of bf16 lose nothing.
    const auto softmax = loadProblemPack("row-softmax");
    const auto attention = loadProblemPack("attention-forward");
    QVERIFY(softmax && attention);
    QCOMPARE(reachablePeaks(*softmax, half, arithmetic).flopsPerSecond.at(ElementType::f32), 66.9e12 / 2);
    QVERIFY(reachablePeaks(*attention, half, arithmetic) == half);
}

QTEST_APPLESS_MAIN(ProblemPackTest)
#include "problem_pack.moc"
