// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/scientist/novelty.h"

#include <QTest>
#include <algorithm>

using namespace gks;

namespace {

std::string kernelFile(const char* name) {
    return readFile(std::string(GKS_SOURCE_DIR "/tests/data/llm/fp8-gemm/") + name + ".hip").value();
}

Kernel writtenKernel(KernelId id, std::string source, Author author = Author::model,
                     std::vector<KernelId> parents = {}) {
    Kernel kernel;
    kernel.id = id;
    kernel.source = std::move(source);
    kernel.author = author;
    kernel.parents = std::move(parents);
    return kernel;
}

std::optional<NearDuplicate> nearestOf(const Population& population, KernelId kernel) {
    const auto found = Novelty().nearestEarlier(population, {kernel});
    return found.empty() ? std::nullopt : std::optional(found.at(kernel));
}

// Sources that say when they are read.
struct CountedSources final : LateReader<std::string> {
    Result<std::string> read(std::int64_t id) const override {
        reads.push_back(id);
        return sources.at(static_cast<std::size_t>(id) - 1);
    }
    std::vector<std::string> sources;
    mutable std::vector<std::int64_t> reads;
};

} // namespace

class ScientistNovelty : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formattingAndNamesDoNotCount();
    void realKernelsAreTold();
    void nearestFirstAndExceptions();
    void thoseBeforeAreLookedAt();
    void sketchesSayWhichSourcesAreRead();
    void aForgedSketchSaysNothing();
    void sketchesAreTheSameInEveryBuild();
    void differencesAreCountedInLines();
    void smallAndEmptySources();
};

void ScientistNovelty::formattingAndNamesDoNotCount() {
    const std::string source = kernelFile("register_tile");
    std::string same = "// mine\n" + replaceAll(source, "partial", "parts");
    QCOMPARE(similarity(source, same), 1.0);
    QCOMPARE(similarity(source, replaceAll(same, "    ", "\t")), 1.0);
}

void ScientistNovelty::realKernelsAreTold() {
    // The broken one lacks one declaration of the other.
    const double broken = similarity(kernelFile("split_k"), kernelFile("split_k_broken"));
    QVERIFY2(broken > 0.9 && broken < 1, std::to_string(broken).c_str());
    for (const char* other : {"register_tile", "row_of_eight", "lds_2x2", "lds_only_a"}) {
        const double share = similarity(kernelFile("split_k"), kernelFile(other));
        QVERIFY2(share < 0.6, (other + std::to_string(share)).c_str());
    }
}

void ScientistNovelty::nearestFirstAndExceptions() {
    Population population;
    for (const char* name : {"split_k_broken", "lds_2x2", "split_k"}) {
        population.kernels.push_back(
            writtenKernel(static_cast<KernelId>(population.kernels.size()) + 1, kernelFile(name)));
    }
    Novelty novelty;
    const auto found = novelty.nearDuplicates(kernelFile("split_k"), population);
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(noveltyText(found[0]), std::string("100 % similar to 00003"));
    QCOMPARE(found[1].kernel, KernelId{1});
    QVERIFY(noveltyText(found[1]).starts_with("9"));
    QCOMPARE(novelty.nearDuplicates(kernelFile("split_k"), population, {3}).front().kernel, KernelId{1});
    QVERIFY(novelty.nearDuplicates(kernelFile("split_k"), population, {1, 3}).empty());
}

void ScientistNovelty::thoseBeforeAreLookedAt() {
    Population population;
    population.kernels = {writtenKernel(1, kernelFile("split_k_broken"), Author::seed),
                          writtenKernel(2, kernelFile("lds_2x2")),
                          writtenKernel(3, kernelFile("split_k")),
                          writtenKernel(4, kernelFile("split_k"), Author::model, {1, 3}), // near its parents alone
                          writtenKernel(5, kernelFile("split_k"), Author::tuner),
                          writtenKernel(6, kernelFile("split_k"), Author::person, {2})};
    QVERIFY(!nearestOf(population, 1) && !nearestOf(population, 2));
    QCOMPARE(nearestOf(population, 3)->kernel, KernelId{1});
    QVERIFY(!nearestOf(population, 4) && !nearestOf(population, 5));
    QCOMPARE(nearestOf(population, 6)->kernel, KernelId{3});
    const auto nearest = Novelty().nearestEarlier(population, {1, 2, 3, 4, 5, 6, 7});
    QCOMPARE(nearest.size(), std::size_t{2});
    QCOMPARE(nearest.at(6).kernel, KernelId{3});
}

// A population of 100,000 is compared by what it holds in memory; of the file only what may be nearly the same is read.
void ScientistNovelty::sketchesSayWhichSourcesAreRead() {
    const auto counted = std::make_shared<CountedSources>();
    Population population;
    for (const char* name : {"split_k_broken", "lds_2x2", "row_of_eight", "split_k"}) {
        counted->sources.push_back(kernelFile(name));
        Kernel kernel = writtenKernel(static_cast<KernelId>(counted->sources.size()), "");
        kernel.source = Late<std::string>(counted, kernel.id);
        kernel.sketch = sketchOf(sourceShingles(counted->sources.back()));
        population.kernels.push_back(kernel);
    }
    QCOMPARE(nearestOf(population, 4)->kernel, KernelId{1});
    std::sort(counted->reads.begin(), counted->reads.end());
    QCOMPARE(counted->reads, (std::vector<std::int64_t>{1, 4}));
    // Kernels without a sketch get one, once.
    population.kernels.editEach([](Kernel& kernel) { kernel.sketch.reset(); });
    Novelty novelty;
    QVERIFY(novelty.nearestEarlier(population, {3}).empty());
    counted->reads.clear();
    QCOMPARE(novelty.nearestEarlier(population, {4}).at(4).kernel, KernelId{1});
    QCOMPARE(counted->reads.size(), std::size_t{2});
}

void ScientistNovelty::aForgedSketchSaysNothing() {
    Population population;
    population.kernels = {writtenKernel(1, kernelFile("split_k_broken")), writtenKernel(2, kernelFile("lds_2x2")),
                          writtenKernel(3, kernelFile("split_k"))};
    const SourceSketch own = sketchOf(sourceShingles(kernelFile("split_k")));
    population.kernels.edit(1).sketch = own;
    QCOMPARE(nearestOf(population, 3)->kernel, KernelId{1}); // and not 2
    population.kernels.edit(0).sketch = SourceSketch();
    QVERIFY(!nearestOf(population, 3)); // not found, and nothing else instead
}

// They are part of the file format.
void ScientistNovelty::sketchesAreTheSameInEveryBuild() {
    const std::string packed = packedSketch(sketchOf(sourceShingles("int f(int x) { return x + 1; } // one more\n")));
    QCOMPARE(packed.size(), std::size_t{64});
    const std::string hash = sha256Hex(packed);
    QVERIFY2(hash == "f8d37b6c8044832f1bbd63c708a27271544e92ccbf24e0b3981633af0aa0cb5a", hash.c_str());
    QCOMPARE(packedSketch(*unpackedSketch(packed)), packed);
    QVERIFY(!unpackedSketch(packed.substr(1)) && !unpackedSketch(packed + "x") && !unpackedSketch(""));
}

void ScientistNovelty::differencesAreCountedInLines() {
    Kernel earlier;
    earlier.id = 12;
    earlier.source = "int a;\nint b;\nint c;\n";
    Kernel later = earlier;
    later.id = 13;
    const NearDuplicate near{12, 0.9899};
    later.source = "int a;\n    int b;\nint c;\n";
    QCOMPARE(differenceText(later, earlier, near),
             std::string("near-duplicate of 00012, only whitespace changed (98 % similar)"));
    later.source = "int a;\nint d;\nint c;\n";
    QCOMPARE(differenceText(later, earlier, near),
             std::string("near-duplicate of 00012, 1 line changed (98 % similar)"));
    later.source = "int a;\nint b;\nint c;\nint d;\nint e;\n";
    QCOMPARE(differenceText(later, earlier, near),
             std::string("near-duplicate of 00012, 2 lines changed (98 % similar)"));
}

void ScientistNovelty::smallAndEmptySources() {
    QCOMPARE(similarity("", ""), 1.0);
    QCOMPARE(similarity("a", "a"), 1.0);
    QCOMPARE(similarity("a", "b"), 0.0);
    QCOMPARE(similarity("", "a"), 0.0);
    QCOMPARE(similarity("a b c d e", "e d c b a"), 0.0);
}

QTEST_APPLESS_MAIN(ScientistNovelty)
#include "scientist_novelty.moc"
