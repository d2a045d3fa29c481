// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/undo.h"

#include <QTest>

using namespace gks;

namespace {

// A campaign and its history, without a file: what a command changes is done by hand.
struct Told {
    Population population;
    std::vector<Steering> history;

    Told() {
        population.kernels.resize(2);
        population.kernels[0].id = 1;
        population.kernels[1].id = 2;
        for (const ExperimentState state : {ExperimentState::proposed, ExperimentState::approved}) {
            Experiment experiment;
            experiment.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
            experiment.parent = 1;
            experiment.position = experiment.id;
            experiment.state = state;
            experiment.description = "wider loads";
            experiment.predicted = Interval{1.1, 1.2};
            population.experiments.push_back(experiment);
        }
    }
    void tell(const SteeringCommand& command) {
        history.push_back(historyLine(command, population));
        history.back().id = static_cast<std::int64_t>(history.size());
    }
    UndoChoice choice(std::int64_t id) const { return undoChoices(history, population)[id]; }
};

using Commands = std::vector<SteeringCommand>;

} // namespace

class CampaignUndo final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLineStaysOneLine();
    void aBanIsTakenBackOnce();
    void theTopmostComesFirst();
    void textAndPredictionComeBack();
    void aRejectedProposalIsAProposalAgain();
    void whatHasBegunStays();
    void ordersAndSettingsComeBack();
    void strangeHistoriesAreHarmless();
};

void CampaignUndo::theLineStaysOneLine() {
    Told told;
    told.tell(command::SetBanned{1, true});
    QCOMPARE(headline(told.history[0]), std::string("00001"));
    QVERIFY(told.history[0].detail != "00001"); // what stood before is behind it
    told.tell(command::EvaluateAgain{1});
    QCOMPARE(told.history[1].detail, std::string("00001"));
    QVERIFY(told.choice(2).state == UndoState::none);
}

void CampaignUndo::aBanIsTakenBackOnce() {
    Told told;
    told.tell(command::SetBanned{1, true});
    told.population.kernels[0].banned = true;
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", {command::SetBanned{1, false}}}));
    QCOMPARE(undoCommands(told.history, told.population, 0).value(), (Commands{command::SetBanned{1, false}}));
    told.tell(command::SetBanned{1, false});
    told.population.kernels[0].banned = false;
    QVERIFY(told.choice(1).state == UndoState::takenBack && told.choice(2).state == UndoState::takenBack);
    QCOMPARE(newestOpen(undoChoices(told.history, told.population)), 0);
    QVERIFY(undoCommands(told.history, told.population, 1).error().what.find("taken back already") !=
            std::string::npos);
    QVERIFY(undoCommands(told.history, told.population, 7).error().what.find("no decision 7") != std::string::npos);
}

void CampaignUndo::theTopmostComesFirst() {
    Told told;
    told.tell(command::PinParent{1, {}});
    told.population.settings.pinnedParent = 1;
    told.tell(command::PinParent{2, 1});
    told.population.settings.pinnedParent = 2;
    told.population.settings.pinnedReference = 1;
    QVERIFY(told.choice(1).state == UndoState::replaced);
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", {command::PinParent{1, {}}}}));
    told.tell(command::PinParent{1, {}});
    told.population.settings.pinnedParent = 1;
    told.population.settings.pinnedReference.reset();
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", {command::PinParent{}}}));
    QVERIFY(told.choice(2).state == UndoState::takenBack && told.choice(3).state == UndoState::takenBack);
}

void CampaignUndo::textAndPredictionComeBack() {
    Told told;
    told.tell(command::EditExperiment{.experiment = 1, .description = "other", .predicted = Interval{1.3, 1.4}});
    told.population.experiments[0].description = "other";
    told.population.experiments[0].predicted = Interval{1.3, 1.4};
    const command::EditExperiment back{.experiment = 1, .description = "wider loads", .predicted = Interval{1.1, 1.2}};
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", {back}}));
}

void CampaignUndo::aRejectedProposalIsAProposalAgain() {
    Told told;
    told.tell(command::RejectExperiment{1});
    told.tell(command::RejectExperiment{2});
    told.population.experiments[0].state = ExperimentState::rejected;
    told.population.experiments[1].state = ExperimentState::rejected;
    const command::EditExperiment again{.experiment = 1, .description = "wider loads"};
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", {again}}));
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", {command::ApproveExperiment{2}}}));
    told.population.kernels[0].banned = true;
    QVERIFY(told.choice(1).state == UndoState::over && told.choice(1).why.find("banned") != std::string::npos);
}

void CampaignUndo::whatHasBegunStays() {
    Told told;
    told.tell(command::ApproveExperiment{1});
    told.population.experiments[0].state = ExperimentState::approved;
    QCOMPARE(told.choice(1).commands.size(), std::size_t{2}); // rejected, then taken up again
    told.population.experiments[0].state = ExperimentState::writing;
    QVERIFY(told.choice(1).state == UndoState::over && told.choice(1).commands.empty());
}

void CampaignUndo::ordersAndSettingsComeBack() {
    Told told;
    told.tell(command::ReorderExperiments{{2, 1}});
    told.population.experiments[1].position = 0;
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", {command::ReorderExperiments{{1, 2}}}}));
    told.tell(command::SetHint{"mind the banks", "writer"});
    told.population.settings.hints["writer"] = "mind the banks";
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", {command::SetHint{"", "writer"}}}));
    const Policies before = told.population.settings.policies;
    Policies policies = before;
    policies.drafts = 3;
    told.tell(command::SetPolicies{policies});
    told.population.settings.policies = policies;
    QVERIFY(told.choice(3) == (UndoChoice{UndoState::open, "", {command::SetPolicies{before}}}));
    QCOMPARE(newestOpen(undoChoices(told.history, told.population)), 3);
}

void CampaignUndo::strangeHistoriesAreHarmless() {
    for (const char* kept :
         {"", "{", "[]", "{\"subject\": 1, \"before\": 2}", "{\"subject\": \"ban 1\", \"before\": 2}",
          "{\"subject\": \"experiment 1\", \"before\": {\"state\": 1}}",
          "{\"subject\": \"policies\", \"before\": {\"policies\": 3}}", "{\"subject\": \"unheard of\", \"before\": {}}",
          "{\"subject\": \"order\", \"before\": 1}"}) {
        Told told;
        told.population.kernels[0].banned = true;
        told.history = {{1, Author::person, "ban", std::string("00001\n") + kept, 0}};
        QVERIFY2(told.choice(1).state != UndoState::open, kept);
    }
}

QTEST_APPLESS_MAIN(CampaignUndo)
#include "campaign_undo.moc"
