// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/commands.h"
#include "core/campaign/database.h"
#include "core/campaign/rules.h"
#include "core/campaign/schema.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <cmath>

using namespace gks;
using namespace gks::test;

// What a round thought is kept, and gains are kept as ratios.
class CampaignRounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundsAreKept();
    void experimentsKeepTheirKind();
    void avenuesAreAskedForAndTakenUp();
    void aRoundIsStoredWholeOrNotAtAll();
    void percentsOfOlderFilesBecomeRatios_data();
    void percentsOfOlderFilesBecomeRatios();
};

namespace {

const Round thought = {.id = 3,
                       .parent = 2,
                       .reference = 1,
                       .rationale = "why",
                       .diagnosis = {{"all", "memory", "71 %", 1.4}, {"small", "launches", "3 us", 9}},
                       .model = "m",
                       .createdAt = 7};
const std::vector<Avenue> avenues = {{1, 3, "Use LDS."}, {2, 3, "Split K.", true}, {3, 3, "Fewer launches."}};

bool near(const std::optional<double>& a, double b) {
    return a && std::abs(*a - b) < 1e-9 * b;
}

} // namespace

void CampaignRounds::roundsAreKept() {
    Campaign campaign;
    QVERIFY(campaign.store->addRound(thought, avenues));
    QVERIFY(campaign.store->population().value()->rounds == std::vector<Round>{thought}); // without opening it again
    campaign.reopen();
    const auto population = campaign.store->population().value();
    QVERIFY(*population->round(3) == thought);
    QVERIFY(population->avenues == avenues);
    QCOMPARE(population->newestRound(), 3);
}

void CampaignRounds::experimentsKeepTheirKind() {
    Campaign campaign;
    QVERIFY(campaign.store->addRound(thought, avenues));
    Experiment experiment = sampleExperiment(2, "join them");
    experiment.reference = 1;
    experiment.kind = ExperimentKind::merge;
    experiment.limit = "memory";
    experiment.shapes = "all";
    experiment.disproof = "bytes/s do not rise";
    experiment.avenue = 2;
    experiment.id = campaign.store->addExperiments({experiment}).value()[0];
    experiment.kind = ExperimentKind::dispatch;
    experiment.avenue = 3;
    experiment.predicted.reset();
    experiment.measuredGain = 1.25;
    QVERIFY(campaign.store->updateExperiment(experiment));
    campaign.reopen();
    Experiment read = *campaign.store->population().value()->experiment(experiment.id);
    experiment.position = read.position;
    experiment.createdAt = read.createdAt;
    QVERIFY(read == experiment);
}

void CampaignRounds::avenuesAreAskedForAndTakenUp() {
    Campaign campaign;
    QVERIFY(campaign.store->addRound(thought, avenues));
    const PopulationPtr before = campaign.store->population().value();
    QCOMPARE(askedAvenues(*before).size(), 1u);
    const Steering line = historyLine(command::AskForAvenue{3}, *before);
    QCOMPARE(line.action + " | " + line.detail, std::string("ask for avenue | 3: Fewer launches."));
    QCOMPARE(historyLine(command::AskForAvenue{2, false}, *before).action, std::string("drop avenue"));
    Avenue third = avenues[2];
    third.asked = true;
    QVERIFY(campaign.store->updateAvenue(third, line));
    Experiment experiment = sampleExperiment(2, "split");
    experiment.avenue = 2;
    QVERIFY(campaign.store->addExperiments({experiment}));
    const auto population = campaign.store->population().value();
    QCOMPARE(population->takenUpBy(2)->description, std::string("split"));
    QVERIFY(population->takenUpBy(1) == nullptr);
    QCOMPARE(unusedAvenues(*population).size(), 2u);
    QCOMPARE(askedAvenues(*population).front()->id, AvenueId{3}); // the one that was taken up is not asked for any more
    third.id = 99;
    QVERIFY(!campaign.store->updateAvenue(third, line));
}

void CampaignRounds::aRoundIsStoredWholeOrNotAtAll() {
    Campaign campaign;
    QVERIFY(campaign.store->addRound(thought, avenues));
    Round next = thought;
    next.id = 4;
    QVERIFY(!campaign.store->addRound(next, {{4, 4, "new"}, {2, 4, "an id that is taken"}}));
    campaign.reopen();
    QCOMPARE(campaign.store->population().value()->rounds.size(), 1u);
    QCOMPARE(campaign.store->population().value()->avenues.size(), 3u);
}

void CampaignRounds::percentsOfOlderFilesBecomeRatios_data() {
    QTest::addColumn<bool>("reading");
    QTest::newRow("only read") << true;
    QTest::newRow("taken over") << false;
}

// 20 % of the time saved is 1.25x; a range from 0 to 0 was no prediction.
void CampaignRounds::percentsOfOlderFilesBecomeRatios() {
    QFETCH(bool, reading);
    const auto folder = TemporaryDirectory::create("migrate").value();
    const auto file = folder.path() / "old.gks";
    {
        auto database = Database::open(file.string(), Database::Access::create).value();
        QVERIFY(migrate(database, campaignMigrations().first(roundsVersion - 1)));
        QVERIFY(database.execute(
            "INSERT INTO campaign (one, written_by, problem_title, settings, created_at) VALUES (1, '0.1', 'Old', "
            "'{}', "
            "1);"
            "INSERT INTO source VALUES ('s', 'int old;');"
            "INSERT INTO kernel (parents, title, author, source, normalized_sha256, report, banned, held_back, "
            "created_at, state) VALUES ('[]', 'old', 'seed', 's', 'n', '', 0, 0, 1, 'waiting');"
            "INSERT INTO experiment (round, position, parent, description, rubric, predicted_low_percent, "
            "predicted_high_percent, innovation, pick, state, author, edited_by_person, tunables, "
            "measured_gain_percent, tuned_gain_percent, failure, created_at) VALUES "
            "(1, 1, 1, 'd', 'r', -25, 20, 5, '', 'done', 'model', 0, '{}', 50, 100, '', 1),"
            "(1, 2, 1, 'e', 'r', 0, 0, 5, '', 'approved', 'person', 0, '{}', NULL, NULL, '', 1);"
            "INSERT INTO finding (text, evaluations, author, at, gain_low_percent, gain_high_percent) VALUES "
            "('f', '[]', 'engine', 1, -25, 20), ('g', '[]', 'engine', 1, NULL, NULL);"));
    }
    const auto store =
        CampaignStore::open(file, reading ? CampaignStore::Access::read : CampaignStore::Access::write).value();
    const auto read = store->population();
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    const Experiment& first = *(*read)->experiment(1);
    QVERIFY(near(first.predicted->low, 0.8) && near(first.predicted->high, 1.25));
    QVERIFY(near(first.measuredGain, 2) && near(first.tunedGain, 1000)); // no kernel takes no time
    QVERIFY(first.kind == ExperimentKind::change && first.limit.empty() && !first.avenue);
    const Experiment& second = *(*read)->experiment(2);
    QVERIFY(!second.predicted && !second.measuredGain && !second.tunedGain);
    const std::vector<Finding>& findings = (*read)->findings;
    QVERIFY(near(findings.at(0).gain->low, 0.8) && near(findings.at(0).gain->high, 1.25) && !findings.at(1).gain);
    QVERIFY((*read)->rounds.empty() && (*read)->avenues.empty());
    const auto database = Database::open(file.string(), Database::Access::read).value();
    QCOMPARE(database.integer("PRAGMA user_version").value().value(),
             reading ? roundsVersion - 1 : newestVersion(campaignMigrations()));
    const auto percents =
        database.integer("SELECT (SELECT count(*) FROM pragma_table_info('experiment') WHERE name LIKE '%percent%') + "
                         "(SELECT count(*) FROM pragma_table_info('finding') WHERE name LIKE '%percent%')");
    QCOMPARE(percents.value().value(), reading ? 6 : 0);
}

QTEST_APPLESS_MAIN(CampaignRounds)
#include "campaign_rounds.moc"
