// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/database.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <filesystem>
#include <limits>

using namespace gks;
using namespace gks::test;

namespace {

// A campaign whose second kernel is twice as fast as its baseline, and a third one that is slower.
struct Compared : Campaign {
    Compared() {
        third = store->addKernel(sampleKernel(1, "int third;")).value();
        static_cast<void>(store->addEvaluation(sampleEvaluation(1, 100)).value());
        static_cast<void>(store->addEvaluation(sampleEvaluation(2, 50, KernelId{1})).value());
        static_cast<void>(store->addEvaluation(sampleEvaluation(third, 110, KernelId{1})).value());
    }
    // Read by another program.
    PopulationPtr alone() const {
        return CampaignStore::open(file, CampaignStore::Access::read).value()->bestAlone().value();
    }
    void change(const char* sql) {
        store.reset();
        auto database = Database::open(file.string(), Database::Access::readWrite).value();
        QVERIFY(database.execute(sql));
    }
    KernelId third = 0;
};

} // namespace

// The best kernel without the rest of the population.
class CampaignBest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aloneItIsWhatThePopulationSays();
    void aNewerEvaluationMakesItUnknown();
    void otherWeightsMakeItUnknown();
    void aForgedRowIsNotTaken_data();
    void aForgedRowIsNotTaken();
    void anOlderFileIsReadWhole();
    void fewKernelsAreReadAlone();
    void numbersMayHaveHoles();
};

void CampaignBest::aloneItIsWhatThePopulationSays() {
    Compared campaign;
    const PopulationPtr whole = campaign.store->population().value();
    campaign.store.reset(); // whoever writes puts it down at the end, if not before
    const PopulationPtr alone = campaign.alone();
    QCOMPARE(alone->kernels.size(), std::size_t{2});
    QCOMPARE(alone->best, std::optional<KernelId>(2));
    QCOMPARE(alone->baseline, whole->baseline);
    QVERIFY(*alone->kernel(2) == *whole->kernel(2)); // with its speeds
    QVERIFY(alone->settings == whole->settings);
}

void CampaignBest::aNewerEvaluationMakesItUnknown() {
    Compared campaign;
    QVERIFY(campaign.store->population());
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(campaign.third, 10, KernelId{1})));
    const PopulationPtr alone = campaign.alone();
    QCOMPARE(alone->best, std::optional<KernelId>(campaign.third));
    QCOMPARE(alone->kernels.size(), std::size_t{3}); // the whole of it
    QVERIFY(campaign.store->population());
    QVERIFY(campaign.store->addSteering({0, Author::person, "hint", "x", 0})); // takes it along
    QCOMPARE(campaign.alone()->kernels.size(), std::size_t{2});
    QCOMPARE(campaign.alone()->best, std::optional<KernelId>(campaign.third));
}

void CampaignBest::otherWeightsMakeItUnknown() {
    Compared campaign;
    CampaignSettings settings = campaign.store->population().value()->settings;
    settings.hint = "another";
    QVERIFY(campaign.store->saveSettings(settings, {0, Author::person, "settings", "x", 0}));
    QCOMPARE(campaign.alone()->kernels.size(), std::size_t{3});
    QVERIFY(campaign.store->population());
    campaign.store.reset();
    QCOMPARE(campaign.alone()->kernels.size(), std::size_t{2});
}

void CampaignBest::aForgedRowIsNotTaken_data() {
    QTest::addColumn<QString>("change");
    for (const char* change :
         {"kernel = 4711", "kernel = 1, baseline = 2, speedup = -1", "speedup = 1e308 * 10", "low95 = 3", "low99 = 0",
          "high95 = 1.5", "baseline = 4711", "evaluation = 0", "kernel = NULL", "baseline = NULL"}) {
        QTest::newRow(change) << QString::fromLatin1(change);
    }
}

void CampaignBest::aForgedRowIsNotTaken() {
    QFETCH(const QString, change);
    Compared campaign;
    QVERIFY(campaign.store->population());
    campaign.change(("UPDATE best SET " + change.toStdString()).c_str());
    const PopulationPtr alone = campaign.alone();
    QCOMPARE(alone->kernels.size(), std::size_t{3});
    QCOMPARE(alone->best, std::optional<KernelId>(2));
}

// Whoever wrote the file: the newest are those that are there, and nobody counts up to them.
void CampaignBest::numbersMayHaveHoles() {
    Compared campaign;
    campaign.change("PRAGMA foreign_keys = OFF; UPDATE kernel SET id = 9223372036854775807 WHERE id = 3");
    const auto store = CampaignStore::open(campaign.file, CampaignStore::Access::read).value();
    constexpr KernelId last = std::numeric_limits<KernelId>::max();
    QCOMPARE(store->newestKernels(2).value(), (std::vector<KernelId>{2, last}));
    QCOMPARE(store->kernelIds().value(), (std::vector<KernelId>{1, 2, last}));
    QCOMPARE(store->kernelCount().value(), std::int64_t{3});
}

void CampaignBest::anOlderFileIsReadWhole() {
    const auto folder = TemporaryDirectory::create("older").value();
    const std::filesystem::path file = folder.path() / "older.gks";
    std::filesystem::copy_file(std::filesystem::path(GKS_SOURCE_DIR) / "resources/samples/row-softmax-h200.gks", file);
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    const PopulationPtr whole = store->population().value();
    QVERIFY(store->bestAlone().value() == whole);
    QVERIFY(whole->best.has_value());
}

void CampaignBest::fewKernelsAreReadAlone() {
    Compared campaign;
    const PopulationPtr alone = campaign.store->kernelsAlone({campaign.third, 1, 4711}).value();
    QCOMPARE(alone->kernels.size(), std::size_t{2});
    const PopulationPtr whole = campaign.store->population().value();
    const Kernel& third = *whole->kernel(campaign.third);
    QVERIFY(*alone->kernel(campaign.third) == third);
    QVERIFY(whole->speed(third) != nullptr && alone->speed(third) == nullptr);
}

QTEST_APPLESS_MAIN(CampaignBest)
#include "campaign_best.moc"
