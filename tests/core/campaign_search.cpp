// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <algorithm>
#include <filesystem>

using namespace gks;
using namespace gks::test;

// Kernels are found by the words of their number, title, author and source.
class CampaignSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kernelsAreFoundByTheirWords();
    void kernelsOfAnOlderFileAreIndexed();
};

void CampaignSearch::kernelsAreFoundByTheirWords() {
    Campaign campaign;
    const KernelId id = campaign.store->addKernel(sampleKernel(1, "float4 my_tile[8]; // OR x")).value();
    const auto found = [&](const char* words) { return campaign.store->searchKernels(words, 10).value(); };
    const std::vector<KernelId> it = {id};
    QCOMPARE(found("my_tile"), it);
    QCOMPARE(found("float4 MY_TI"), it);    // the last word may be a beginning
    QVERIFY(found("my_ti float4").empty()); // the others may not
    QVERIFY(found("tile x").empty());       // '_' is part of a word
    QCOMPARE(found("00003"), it);
    QCOMPARE(found("x OR"), it); // a word, no operator
    QVERIFY(found("\" * ( NEAR").empty());
    QVERIFY(found("\"*()-").empty());
    const KernelId longer = campaign.store->addKernel(sampleKernel(1, "float4 my_tiles[8];")).value();
    QCOMPARE(found("my_tile"), (std::vector<KernelId>{id, longer})); // the whole word first
    QCOMPARE(campaign.store->searchKernels("my_tile", 1).value(), it);
    QCOMPARE(found("my_tiles"), std::vector<KernelId>{longer});
    Kernel named = sampleKernel(1, "int n;");
    named.title = "my_tile of four";
    const KernelId title = campaign.store->addKernel(named).value();
    const KernelId newest = campaign.store->addKernel(sampleKernel(1, "float my_tile;")).value();
    QCOMPARE(found("my_tile"), (std::vector<KernelId>{title, newest, id, longer})); // a title before sources
    campaign.reopen();
    QCOMPARE(found("float4 my_tile"), (std::vector<KernelId>{id, longer}));
}

// Read as it is, it is looked through; opened for writing, it gets an index that finds the same.
void CampaignSearch::kernelsOfAnOlderFileAreIndexed() {
    const auto folder = TemporaryDirectory::create("older").value();
    const std::filesystem::path file = folder.path() / "older.gks";
    std::filesystem::copy_file(std::filesystem::path(GKS_SOURCE_DIR) / "resources/samples/row-softmax-h200.gks", file);
    const auto found = [&](CampaignStore::Access access, int limit) {
        auto ids = CampaignStore::open(file, access).value()->searchKernels("00001 __glob", limit).value();
        std::ranges::sort(ids);
        return ids;
    };
    const std::vector<KernelId> scanned = found(CampaignStore::Access::read, 100);
    QVERIFY(scanned == std::vector<KernelId>{1});
    QCOMPARE(found(CampaignStore::Access::write, 100), scanned);
    QCOMPARE(found(CampaignStore::Access::read, 100), scanned);
    QCOMPARE(CampaignStore::open(file, CampaignStore::Access::read).value()->searchKernels("h", 3).value().size(),
             std::size_t{3});
}

QTEST_APPLESS_MAIN(CampaignSearch)
#include "campaign_search.moc"
