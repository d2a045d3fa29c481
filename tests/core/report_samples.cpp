// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/locations.h"
#include "core/campaign/store.h"
#include "core/llm/chat.h"
#include "core/report/bundle.h"
#include "core/report/replay.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <filesystem>

using namespace gks;
using namespace gks::test;

// The campaigns that come with the program can be opened, ask nobody for anything, and their evidence agrees with
// itself under today's rules.
class ReportSamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agree_data();
    void agree();
};

void ReportSamples::agree_data() {
    QTest::addColumn<QString>("file");
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "samples")) {
        QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
        ++count;
    }
    QCOMPARE(count, 4); // none would be no test
}

void ReportSamples::agree() {
    QFETCH(QString, file);
    const auto folder = TemporaryDirectory::create("report-samples").value();
    const auto copy = folder.path() / "copy.gks"; // opening one may bring it to today's form
    std::filesystem::copy_file(file.toStdString(), copy);
    const auto store = CampaignStore::open(copy).value();
    const PopulationPtr population = store->population().value();
    QVERIFY(population->best.has_value());
    for (const auto& [slot, choice] : population->settings.models) {
        QCOMPARE(choice.provider, std::string(manualProviderName));
    }
    const std::vector<Exchange> exchanges = store->exchanges().value();
    for (const Exchange& exchange : exchanges) {
        QVERIFY2(!exchange.error.starts_with('/'), exchange.error.c_str());
    }
    const auto written = writeBundle(readEvidence(*store, {}).value(), folder.path() / "bundle");
    QVERIFY2(written.has_value(), written ? "" : written.error().message().c_str());
    const BundleCheck check = checkBundle(readBundle(written->folder).value());
    QCOMPARE(QString::fromStdString(claimLines(check.claims)), QString());
    QVERIFY(check.subject && check.verdicts[*check.subject].evaluation.verdict.kind == VerdictKind::faster);
}

QTEST_APPLESS_MAIN(ReportSamples)
#include "report_samples.moc"
