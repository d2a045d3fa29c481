// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/database.h"
#include "core/campaign/schema.h"
#include "tests/support/campaign_samples.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

namespace {

const Steering because = {0, Author::person, "test", "", 0};

std::int64_t addGuide(CampaignStore& store) {
    const Document guide = {.title = "guide", .kind = "text", .sha256 = "abc", .sizeBytes = 60};
    return store
        .addDocument(guide,
                     {{.heading = "LDS", .text = "Padding rows avoids bank conflicts."},
                      {.heading = "Registers", .text = "Spills go to scratch; v_mfma_f32 needs AGPRs."}},
                     because)
        .value();
}

} // namespace

class CampaignLessons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findingRoundTrip();
    void rubricAndModelsRoundTrip();
    void passagesAreFoundByTheirWords();
    void wordsOfASearchAreData_data();
    void wordsOfASearchAreData();
    void whatIsNotEnabledIsNotFound();
    void aDocumentIsKeptOnce();
    void aFileOfTheFirstSchemaIsReadOn();
};

void CampaignLessons::findingRoundTrip() {
    Campaign campaign;
    Finding finding = {.subject = "pad LDS",
                       .text = "Padding helps.",
                       .gain = Interval{1.25, 1.5},
                       .evaluations = {1, 2},
                       .author = Author::model};
    finding.id = campaign.store->addFinding(finding).value();
    finding.state = FindingState::contradicted;
    finding.contradicting = {7};
    finding.text = "Padding may help.";
    QVERIFY(campaign.store->updateFinding(finding, because));
    campaign.reopen();
    const auto population = campaign.store->population().value();
    const Finding& read = *population->finding(finding.id);
    QCOMPARE(read.subject, finding.subject);
    QCOMPARE(read.text, finding.text);
    QVERIFY(read.gain && read.gain->low == 1.25 && read.gain->high == 1.5);
    QVERIFY(read.evaluations == finding.evaluations && read.contradicting == finding.contradicting);
    QVERIFY(read.state == FindingState::contradicted && !read.editedByPerson);
    QVERIFY(read.at > 0 && read.changedAt > 0);
    finding.id = 99;
    QVERIFY(!campaign.store->updateFinding(finding));
}

void CampaignLessons::rubricAndModelsRoundTrip() {
    Campaign campaign;
    Experiment experiment = sampleExperiment(1, "pad");
    experiment.model = "designer-model";
    experiment.id = campaign.store->addExperiments({experiment}).value()[0];
    Kernel kernel = sampleKernel(1, "int padded;");
    kernel.rubric = std::vector<RubricItem>{{"pad by 16 B", true, "rows", true, "line 4"},
                                            {"unroll", false, "no room", std::nullopt, ""}};
    kernel.model = "writer-model";
    const KernelId id = campaign.store->addKernel(kernel).value();
    experiment.tunedGain = 1.25;
    QVERIFY(campaign.store->updateExperiment(experiment));
    campaign.reopen();
    const auto population = campaign.store->population().value();
    QVERIFY(population->kernel(id)->rubric == kernel.rubric);
    QCOMPARE(population->kernel(id)->model, kernel.model);
    QCOMPARE(population->experiment(experiment.id)->model, experiment.model);
    QVERIFY(population->experiment(experiment.id)->tunedGain == 1.25);
}

void CampaignLessons::passagesAreFoundByTheirWords() {
    Campaign campaign;
    const auto id = addGuide(*campaign.store);
    campaign.reopen();
    QCOMPARE(campaign.store->passages(id).value().size(), 2u);
    QCOMPARE(campaign.store->population().value()->documents.at(0).passages, 2);
    const auto found = campaign.store->searchPassages("how do bank conflicts arise", 5).value();
    QCOMPARE(found.size(), 1u);
    QCOMPARE(found[0].heading, std::string("LDS"));
    QCOMPARE(campaign.store->searchPassages("v_mfma_f32", 5).value().at(0).number, 2);
    QVERIFY(campaign.store->searchPassages("nothing of the sort", 5).value().empty());
}

void CampaignLessons::wordsOfASearchAreData_data() {
    QTest::addColumn<QString>("words");
    QTest::newRow("operators") << "NOT AND OR NEAR(";
    QTest::newRow("quotes") << "\"padding\" \" OR 1";
    QTest::newRow("columns") << "heading:LDS ^padding -rows";
    QTest::newRow("empty") << " ;--";
}

void CampaignLessons::wordsOfASearchAreData() {
    QFETCH(QString, words);
    Campaign campaign;
    addGuide(*campaign.store);
    QVERIFY(campaign.store->searchPassages(words.toStdString(), 5));
}

void CampaignLessons::whatIsNotEnabledIsNotFound() {
    Campaign campaign;
    Document guide = {.title = "renamed", .digest = "Pad rows.", .enabled = false};
    guide.id = addGuide(*campaign.store);
    QVERIFY(campaign.store->updateDocument(guide, because));
    QVERIFY(campaign.store->searchPassages("padding", 5).value().empty());
    QCOMPARE(campaign.store->population().value()->documents.at(0).digest, guide.digest);
    QVERIFY(campaign.store->removeDocument(guide.id, because));
    QVERIFY(campaign.store->population().value()->documents.empty());
    QVERIFY(campaign.store->passages(guide.id).value().empty());
    QVERIFY(!campaign.store->removeDocument(guide.id, because));
}

void CampaignLessons::aDocumentIsKeptOnce() {
    Campaign campaign;
    QCOMPARE(addGuide(*campaign.store), addGuide(*campaign.store));
    QCOMPARE(campaign.store->population().value()->documents.size(), 1u);
}

void CampaignLessons::aFileOfTheFirstSchemaIsReadOn() {
    const auto folder = TemporaryDirectory::create("migrate").value();
    const auto file = folder.path() / "old.gks";
    {
        auto database = Database::open(file.string(), Database::Access::create).value();
        QVERIFY(migrate(database, campaignMigrations().first(1)));
        QVERIFY(database.execute("INSERT INTO campaign (one, written_by, problem_title, settings, created_at) VALUES "
                                 "(1, '0.1', 'Old', '{}', 1);"
                                 "INSERT INTO finding (text, evaluations, author, at) VALUES ('x', '[3]', 'model', 5);"
                                 "INSERT INTO source VALUES ('s', 'int old;');"
                                 "INSERT INTO kernel (parents, title, author, source, normalized_sha256, report, "
                                 "banned, held_back, created_at, state) VALUES ('[]', 'old', 'seed', 's', 'n', '', 0, "
                                 "0, 1, 'waiting');"));
    }
    const auto store = CampaignStore::open(file).value();
    const auto population = store->population().value();
    QCOMPARE(population->kernels[0].title, std::string("old"));
    QVERIFY(population->kernels[0].rubric.orNothing().empty());
    QVERIFY(population->findings.at(0).state == FindingState::standing);
    QVERIFY(addGuide(*store) > 0);
}

QTEST_APPLESS_MAIN(CampaignLessons)
#include "campaign_lessons.moc"
