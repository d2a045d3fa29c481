// SPDX-License-Identifier: GPL-3.0-or-later
// What a campaign file says twice: a row that says something else than its verdict, a verdict of another source and a
// number that is none are named, whoever wrote the file.
#include "core/campaign/database.h"
#include "core/campaign/file_check.h"
#include "tests/support/campaign_samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace gks;
using namespace gks::test;

class CampaignRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void honestFilesAgree();
    void aVerdictIsOfItsSource_data();
    void aVerdictIsOfItsSource();
    void aVerdictOfAnotherSourceIsNotStored();
    void rowsSayWhatVerdictsSay_data();
    void rowsSayWhatVerdictsSay();
    void rowsOfEarlierVersionsAreCheckedToo();
    void damageSaysWhere_data();
    void damageSaysWhere();
    void oneDamageHidesNoOther();
    void samplesGoAlong();
    void aListIsOfItsEvaluations();
    void numbersAreMeasurements_data();
    void numbersAreMeasurements();
    void whatIsNoRatioIsNotCompared_data();
    void whatIsNoRatioIsNotCompared();
    void aPredictionThatIsNoneIsNotThere();
    void sumsAreOfTheirParts();
};

namespace {

struct Judged {
    Judged() {
        if (!campaign.store->addEvaluation(sampleEvaluation(1, 100)) ||
            !campaign.store->addEvaluation(sampleEvaluation(2, 50, 1))) {
            qFatal("no sample");
        }
    }
    void change(const char* sql) {
        campaign.store.reset();
        auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
        if (const auto changed = database.execute(sql); !changed) {
            qFatal("%s", changed.error().message().c_str());
        }
        campaign.store = CampaignStore::open(campaign.file, CampaignStore::Access::read).value();
    }
    std::string message(KernelId kernel) const {
        const auto read = campaign.store->evaluations(kernel);
        return read ? std::string() : read.error().message();
    }

    std::string inFile(const std::string& message) const { return campaign.file.string() + ", " + message; }

    Campaign campaign;
};

} // namespace

void CampaignRows::honestFilesAgree() {
    Judged judged;
    Evaluation confirmation = sampleEvaluation(2, 51, 1);
    confirmation.purpose = confirmationPurpose;
    QVERIFY(judged.campaign.store->addEvaluation(confirmation));
    Evaluation failed = sampleEvaluation(1, 100);
    failed.verdict = failedVerdict(VerdictKind::infrastructureFailed, "the device is gone");
    QVERIFY(judged.campaign.store->addEvaluation(failed));
    Exchange exchange;
    exchange.tokensIn = 10;
    exchange.tokensOut = 5;
    exchange.usd = 0.1;
    QVERIFY(judged.campaign.store->addExchange(exchange));
    const auto population = judged.campaign.store->population();
    QVERIFY2(population, population ? "" : population.error().message().c_str());
    const std::vector<Error> found = checkFile(*judged.campaign.store);
    QVERIFY2(found.empty(), found.empty() ? "" : found.front().message().c_str());
    QCOMPARE(judged.campaign.store->newestVerdict(2).value()->kernelSha256,
             (*population)->kernel(2)->sourceSha256); // nobody said so in the sample
}

void CampaignRows::aVerdictIsOfItsSource_data() {
    QTest::addColumn<QString>("sql");
    QTest::newRow("frames change places")
        << "UPDATE verdict SET evaluation = -evaluation; UPDATE verdict SET evaluation = 3 + evaluation";
    QTest::newRow("evaluations change places") << "UPDATE evaluation SET kernel = 3 - kernel";
    QTest::newRow("another source for the kernel")
        << "UPDATE kernel SET source = (SELECT source FROM kernel WHERE id = 1) WHERE id = 2";
}

void CampaignRows::aVerdictIsOfItsSource() {
    QFETCH(QString, sql);
    Judged judged;
    judged.change(("PRAGMA foreign_keys = OFF; " + sql).toStdString().c_str());
    const std::string message = judged.message(2);
    QVERIFY2(message.starts_with("kernel 00002, evaluation ") &&
                 message.find("its verdict is of another source") != std::string::npos,
             message.c_str());
    QVERIFY(!judged.campaign.store->newestVerdict(2));
    const auto found = checkFile(*judged.campaign.store);
    QVERIFY(!found.empty());
}

void CampaignRows::aVerdictOfAnotherSourceIsNotStored() {
    Judged judged;
    Evaluation evaluation = sampleEvaluation(2, 50, 1);
    evaluation.verdict.kernelSha256 = std::string(64, '0');
    const auto stored = judged.campaign.store->addEvaluation(evaluation);
    QVERIFY(!stored);
    QVERIFY2(stored.error().message().find("00002") != std::string::npos, stored.error().message().c_str());
    QCOMPARE(judged.campaign.store->evaluations(2)->size(), std::size_t{1});
    evaluation.verdict.kernelSha256.clear();
    evaluation.verdict.comparison->baselineSha256 = std::string(64, '0');
    const auto compared = judged.campaign.store->addEvaluation(evaluation);
    QVERIFY(!compared);
    QVERIFY2(compared.error().message().find("00001") != std::string::npos, compared.error().message().c_str());
}

void CampaignRows::rowsSayWhatVerdictsSay_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* sql, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(sql) << QString::fromLatin1(expected);
    };
    row("kind", "UPDATE evaluation SET kind = 'tie' WHERE id = 2", "differ: verdict");
    row("device", "UPDATE evaluation SET device = 'H200' WHERE id = 2", "differ: device");
    row("time", "UPDATE evaluation SET geomean_us = 49 WHERE id = 2", "differ: time");
    row("ratio", "UPDATE evaluation SET ratio = 2.01 WHERE id = 2", "differ: ratio");
    row("interval of the ratio", "UPDATE evaluation SET ratio_low = 1.99 WHERE id = 2", "differ: ratio");
    row("no ratio", "UPDATE evaluation SET ratio = NULL WHERE id = 2", "differ: ratio");
    row("times of shapes", "UPDATE evaluation SET shape_times = (SELECT shape_times FROM evaluation WHERE id = 1)",
        "differ: times of shapes");
    row("no times of shapes", "UPDATE evaluation SET shape_times = x''", "differ: times of shapes");
    row("kernel's verdict", "UPDATE kernel SET verdict = 'tie' WHERE id = 2", "none of its verdicts");
    row("kernel's time", "UPDATE kernel SET geomean_us = 50.1 WHERE id = 2", "none of its verdicts");
    row("kernel's interval", "UPDATE kernel SET geomean_low_us = 10 WHERE id = 2", "none of its verdicts");
    row("kernel's medians", "UPDATE kernel SET shape_medians_us = '[1.0,2.0]' WHERE id = 2", "none of its verdicts");
    row("kernel's ratio", "UPDATE kernel SET versus_ratio = 2.01 WHERE id = 2", "none of its verdicts");
    row("kernel's word of its step", "UPDATE kernel SET versus_verdict = 'tie' WHERE id = 2", "none of its verdicts");
    row("kernel's deciding interval", "UPDATE kernel SET versus_low99 = 1.5, versus_high99 = 3 WHERE id = 2",
        "none of its verdicts");
    row("kernel without its verdict",
        "UPDATE kernel SET verdict = NULL, versus_verdict = NULL, versus_ratio = NULL WHERE id = 2",
        "none of its verdicts");
    row("compared with another kernel", "UPDATE evaluation SET baseline = 2 WHERE id = 2",
        "compares with another source than that of the kernel it names");
    row("kernel's reason", "UPDATE kernel SET reason = 'as fast as light' WHERE id = 2", "none of its verdicts");
}

void CampaignRows::rowsSayWhatVerdictsSay() {
    QFETCH(QString, sql);
    QFETCH(QString, expected);
    Judged judged;
    judged.change(sql.toStdString().c_str());
    const std::string message = judged.message(2);
    QVERIFY2(message.starts_with("kernel 00002") && message.find(expected.toStdString()) != std::string::npos,
             message.c_str());
    const auto found = checkFile(*judged.campaign.store);
    QCOMPARE(std::ranges::count(found, judged.inFile(message), &Error::message), 1);
}

// A sample that the program brings along, of schema 7.
void CampaignRows::rowsOfEarlierVersionsAreCheckedToo() {
    const QTemporaryDir folder;
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "old.gks";
    std::filesystem::copy_file(std::filesystem::path(GKS_SOURCE_DIR) / "resources/samples/row-softmax-h200.gks", file);
    QVERIFY(checkFile(*CampaignStore::open(file, CampaignStore::Access::read).value()).empty());
    {
        auto database = Database::open(file.string(), Database::Access::readWrite).value();
        QVERIFY(
            database.execute("UPDATE kernel SET geomean_us = 1, geomean_low_us = 1, geomean_high_us = 1 WHERE id = 2"));
    }
    const auto found = checkFile(*CampaignStore::open(file, CampaignStore::Access::read).value());
    const std::string expected = file.string() +
                                 ", kernel 00002: the campaign file is damaged (its row says what none of "
                                 "its verdicts does)";
    QVERIFY(std::ranges::any_of(found, [&](const Error& one) { return one.message().starts_with(expected); }));
}

void CampaignRows::damageSaysWhere_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* sql, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(sql) << QString::fromLatin1(expected);
    };
    row("parents in a circle",
        "UPDATE kernel SET parents = '[2]' WHERE id = 1; UPDATE kernel SET parents = '[1]' WHERE "
        "id = 2",
        "kernel 00001: the campaign file is damaged (its parent 00002 is no earlier kernel)");
    row("its own parent", "UPDATE kernel SET parents = '[2]' WHERE id = 2",
        "kernel 00002: the campaign file is damaged (its parent 00002 is no earlier kernel)");
    row("no such parent", "UPDATE kernel SET parents = '[0]' WHERE id = 2", "(its parent 00000 is no earlier kernel)");
    row("another parent's source",
        "UPDATE kernel SET parents = '[1]' WHERE id = 2; "
        "UPDATE kernel SET source = (SELECT source FROM kernel WHERE id = 2) WHERE id = 1",
        "kernel 00002: the campaign file is damaged (it was compared with another source than that of its parent "
        "00001)");
    row("parents that are none", "UPDATE kernel SET parents = 'x' WHERE id = 2",
        "kernel 00002, kernel.parents:1: the campaign file is damaged (invalid JSON");
    row("state that is none", "UPDATE kernel SET state = 'asleep' WHERE id = 2", "kernel 00002");
    row("settings that are no JSON", "UPDATE campaign SET settings = '{'",
        "campaign.settings:1: the campaign file is damaged (invalid JSON");
    row("settings of another kind", "UPDATE campaign SET settings = '{\"problem\": 7}'", "campaign.settings: ");
    row("settings that lack something", "UPDATE campaign SET settings = '{}'", "campaign.settings");
    row("no settings", "DELETE FROM campaign", "campaign: the campaign file is damaged (it has no campaign row)");
    row("no verdict", "DELETE FROM verdict WHERE evaluation = 2",
        "kernel 00002, evaluation 2: the campaign file is damaged (its verdict is missing)");
    row("no evaluation", "DELETE FROM evaluation WHERE id = 2",
        "samples: the campaign file is damaged (what it names in table evaluation is missing)");
    row("no source", "DELETE FROM source WHERE sha256 = (SELECT source FROM kernel WHERE id = 2)",
        "kernel 00002: the campaign file is damaged (its source is missing)");
    row("report that is none", "INSERT INTO account VALUES (2, x'00', x'00')",
        "kernel 00002, kernel.report: the campaign file is damaged (not a zstd frame)");
    row("samples that are none", "UPDATE samples SET us = x'00' WHERE evaluation = 2",
        "kernel 00002, evaluation 2, samples: the campaign file is damaged (not a zstd frame)");
    row("another best", "UPDATE best SET kernel = 1, speedup = 1, low95 = 1, high95 = 1, low99 = 1, high99 = 1",
        "best: the campaign file is damaged (it names another best kernel");
    row("another speed of the best", "UPDATE best SET speedup = 9, low95 = 8, high95 = 10, low99 = 7, high99 = 11",
        "best: the campaign file is damaged (it names another best kernel or speed");
}

void CampaignRows::damageSaysWhere() {
    QFETCH(QString, sql);
    QFETCH(QString, expected);
    Judged judged;
    QVERIFY(judged.campaign.store->population()); // so that the best has its row
    QVERIFY(checkFile(*judged.campaign.store).empty());
    judged.change(("PRAGMA foreign_keys = OFF; " + sql).toStdString().c_str());
    const auto found = checkFile(*judged.campaign.store);
    QStringList told;
    for (const Error& one : found) {
        told << QString::fromStdString(one.message());
        QVERIFY2(one.where.starts_with(judged.campaign.file.string()) && !one.next.empty(), qPrintable(told.back()));
    }
    const auto says = [&](const QString& one) { return one.contains(expected); };
    QVERIFY2(std::ranges::any_of(told, says), qPrintable(told.join(QLatin1Char('\n'))));
}

// A campaign whose population cannot be read has kernels all the same, and each is looked at.
void CampaignRows::oneDamageHidesNoOther() {
    Judged judged;
    judged.change("UPDATE campaign SET settings = 'x'; UPDATE evaluation SET device = 'H200'");
    QCOMPARE(checkFile(*judged.campaign.store).size(), std::size_t{3});
}

void CampaignRows::samplesGoAlong() {
    Judged judged;
    std::vector<std::size_t> samples;
    const auto found = checkFile(*judged.campaign.store, [&](const Evaluation& evaluation) {
        samples.push_back(evaluation.verdict.measurements.front().sampleUs.size());
        return evaluation.id == 2 ? std::optional(Error{ErrorKind::infrastructure, "no", "kernel 00002", "next"})
                                  : std::nullopt;
    });
    QCOMPARE(samples, (std::vector<std::size_t>{3, 3}));
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().where, judged.campaign.file.string() + ", kernel 00002");
}

void CampaignRows::aListIsOfItsEvaluations() {
    Judged judged;
    QVERIFY(judged.campaign.store->checkSummaries(0));
    judged.change("UPDATE kernel SET versus_ratio = 2.01 WHERE id = 2");
    const auto agree = judged.campaign.store->checkSummaries(0);
    QVERIFY(!agree && agree.error().where == "kernel 00002");
    QVERIFY(judged.campaign.store->checkSummaries(3)); // of later ones
    judged.change("UPDATE kernel SET versus_ratio = 2, geomean_us = 49.9 WHERE id = 2");
    QVERIFY(!judged.campaign.store->checkSummaries(2));
}

void CampaignRows::numbersAreMeasurements_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* sql, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(sql) << QString::fromLatin1(expected);
    };
    row("infinite time", "UPDATE kernel SET geomean_us = 9e999 WHERE id = 2", "kernel 00002: ");
    row("negative time", "UPDATE kernel SET geomean_us = -1, geomean_low_us = -2 WHERE id = 2", "kernel 00002: ");
    row("time beside its interval", "UPDATE kernel SET geomean_us = 60 WHERE id = 2", "kernel 00002: ");
    row("infinite interval", "UPDATE kernel SET geomean_high_us = 9e999 WHERE id = 2", "kernel 00002: ");
    row("negative median", "UPDATE kernel SET shape_medians_us = '[-1.0,2.0]' WHERE id = 2", "kernel 00002: ");
    row("ratio of nothing", "UPDATE kernel SET versus_ratio = 0 WHERE id = 2", "kernel 00002: ");
    row("ratio beside its interval", "UPDATE kernel SET versus_ratio = 3 WHERE id = 2", "kernel 00002: ");
    row("draft below nothing", "UPDATE kernel SET draft_usd = -1 WHERE id = 2", "kernel 00002: ");
    row("spent below nothing", "UPDATE campaign SET usd = -1", "the campaign: ");
    row("infinite hours", "UPDATE campaign SET wall_seconds = 9e999", "the campaign: ");
}

void CampaignRows::numbersAreMeasurements() {
    QFETCH(QString, sql);
    QFETCH(QString, expected);
    Judged judged;
    judged.change(sql.toStdString().c_str());
    const auto read = judged.campaign.store->population();
    QVERIFY(!read);
    QVERIFY2(read.error().message().starts_with(judged.inFile(expected.toStdString())), read.error().message().c_str());
}

void CampaignRows::whatIsNoRatioIsNotCompared_data() {
    QTest::addColumn<QString>("sql");
    QTest::newRow("beside its interval") << "UPDATE evaluation SET ratio = 3 WHERE id = 2";
    QTest::newRow("infinite") << "UPDATE evaluation SET ratio = 9e999, ratio_high = 9e999 WHERE id = 2";
    QTest::newRow("negative") << "UPDATE evaluation SET ratio = -2, ratio_low = -3 WHERE id = 2";
    QTest::newRow("no time of a shape")
        << "UPDATE evaluation SET shape_times = x'000000000000F03F' || x'000000000000F0FF' || zeroblob(40)";
}

// The others still are; who looks at the kernel is told.
void CampaignRows::whatIsNoRatioIsNotCompared() {
    QFETCH(QString, sql);
    Judged judged;
    const auto before = judged.campaign.store->population().value();
    QVERIFY(before->speed(*before->kernel(2))->ratio > 1);
    judged.change(sql.toStdString().c_str());
    const auto read = judged.campaign.store->population();
    QVERIFY2(read, read ? "" : read.error().message().c_str());
    QVERIFY((*read)->speed(*(*read)->kernel(2)) == nullptr);
    QVERIFY2(judged.message(2).starts_with("kernel 00002, evaluation 2: "), judged.message(2).c_str());
}

// What a model promised is no measurement, and older files hold promises of any kind.
void CampaignRows::aPredictionThatIsNoneIsNotThere() {
    Judged judged;
    QVERIFY(judged.campaign.store->addExperiments({sampleExperiment(1, "try")}));
    QVERIFY(judged.campaign.store->population().value()->experiments[0].predicted);
    judged.change("UPDATE experiment SET predicted_high = 9e999");
    const auto read = judged.campaign.store->population();
    QVERIFY(read);
    QVERIFY(!(*read)->experiments[0].predicted);
}

void CampaignRows::sumsAreOfTheirParts() {
    Judged judged;
    judged.change("UPDATE campaign SET tokens = 7, usd = 2, evaluations = 9");
    const auto found = checkFile(*judged.campaign.store);
    QCOMPARE(found.size(), std::size_t{3});
    QVERIFY(found[2].what.find("evaluations") != std::string::npos);
    QVERIFY(found[0].what.find("tokens") != std::string::npos && found[1].what.find("money") != std::string::npos);
}

QTEST_APPLESS_MAIN(CampaignRows)
#include "campaign_rows.moc"
