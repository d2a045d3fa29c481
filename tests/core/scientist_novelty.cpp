// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/scientist/novelty.h"

#include <QTest>

using namespace gks;

namespace {

std::string kernelFile(const char* name) {
    return readFile(std::string(GKS_SOURCE_DIR "/tests/data/llm/fp8-gemm/") + name + ".hip").value();
}

} // namespace

class ScientistNovelty : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formattingAndNamesDoNotCount();
    void realKernelsAreTold();
    void nearestFirstAndExceptions();
    void theIndexGrowsWithThePopulation();
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
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.source = kernelFile(name);
        population.kernels.push_back(kernel);
    }
    const auto found = nearDuplicates(kernelFile("split_k"), population);
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(noveltyText(found[0]), std::string("100 % similar to 00003"));
    QCOMPARE(found[1].kernel, KernelId{1});
    QVERIFY(noveltyText(found[1]).starts_with("9"));
    QCOMPARE(nearDuplicates(kernelFile("split_k"), population, {3}).front().kernel, KernelId{1});
    QVERIFY(nearDuplicates(kernelFile("split_k"), population, {1, 3}).empty());
}

void ScientistNovelty::theIndexGrowsWithThePopulation() {
    Population population;
    const auto add = [&](const char* name, Author author, std::vector<KernelId> parents = {}) {
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.source = kernelFile(name);
        kernel.author = author;
        kernel.parents = std::move(parents);
        population.kernels.push_back(kernel);
    };
    NoveltyIndex index;
    add("split_k_broken", Author::seed);
    add("lds_2x2", Author::model);
    index.update(population);
    QVERIFY(!index.of(1) && !index.of(2));
    add("split_k", Author::model);
    add("split_k", Author::model, {1, 3}); // steps from kernels are near them
    add("split_k", Author::tuner);
    add("split_k", Author::person, {2});
    index.update(population);
    QCOMPARE(index.of(3)->kernel, KernelId{1});
    QVERIFY(!index.of(4) && !index.of(5));
    QCOMPARE(index.of(6)->kernel, KernelId{3});
    const auto nearest = nearestEarlier(population, 100);
    for (const Kernel& kernel : population.kernels) {
        QCOMPARE(index.of(kernel.id).has_value(), nearest.contains(kernel.id));
    }
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
