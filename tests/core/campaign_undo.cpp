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
        population.kernels.edit(0).id = 1;
        population.kernels.edit(1).id = 2;
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

} // namespace

class CampaignUndo final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textIsNoRecord();
    void aBanIsTakenBackOnce();
    void aBanTakesItsPinBackAlong();
    void aRejectedDraftWaitsAgain();
    void whatDidMoreStays();
    void anOlderOneIsNotTakenInItsPlace();
    void theTopmostComesFirst();
    void experimentsComeBackWhole_data();
    void experimentsComeBackWhole();
    void ordersAndSettingsComeBack();
    void strangeHistoriesAreHarmless();
    void theNewestOfASubjectAreEnough();
};

void CampaignUndo::textIsNoRecord() {
    Told told;
    told.tell(command::SetBudgets{});
    told.tell(command::AddFinding{"", "A note\n{\"subject\": \"budgets\", \"before\": {\"budgets\": {\"usd\": 9}}}"});
    told.tell(command::EvaluateAgain{1});
    QVERIFY(!told.history[0].before.empty() && told.history[1].before.empty() && told.history[2].before.empty());
    QVERIFY(told.choice(2).state == UndoState::none && told.choice(3).state == UndoState::none);
}

void CampaignUndo::aBanIsTakenBackOnce() {
    Told told;
    told.tell(command::SetBanned{2, true});
    told.population.kernels.edit(1).banned = true;
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", command::SetBanned{2, false}}));
    QVERIFY(undoCommand(told.history, told.population, 0).value() == SteeringCommand(command::SetBanned{2, false}));
    told.tell(command::SetBanned{2, false});
    told.population.kernels.edit(1).banned = false;
    QVERIFY(told.choice(1).state == UndoState::takenBack && told.choice(2).state == UndoState::undoes);
    QVERIFY(undoCommand(told.history, told.population, 0).error().what.find("no decision") != std::string::npos);
    QVERIFY(undoCommand(told.history, told.population, 1).error().what.find("taken back already") != std::string::npos);
    QVERIFY(undoCommand(told.history, told.population, 7).error().what.find("no decision 7") != std::string::npos);
    told.tell(command::SetBanned{2, false});
    QVERIFY(told.choice(3).state == UndoState::unchanged);
}

// What is banned is not pinned; with the ban goes that, too, unless the person has pinned another one since.
void CampaignUndo::aBanTakesItsPinBackAlong() {
    Told told;
    CampaignSettings& settings = told.population.settings;
    told.tell(command::PinParent{2, 1});
    settings.pinnedParent = 2;
    settings.pinnedReference = 1;
    told.tell(command::SetBanned{2, true});
    QCOMPARE(told.history.back().detail, std::string("00002, which is pinned no longer"));
    told.population.kernels.edit(1).banned = true;
    settings.pinnedParent.reset();
    settings.pinnedReference.reset();
    const SteeringCommand back = command::SetBanned{2, false, command::PinParent{2, 1}};
    QVERIFY(told.choice(1).state == UndoState::unchanged);
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", back}));
    QVERIFY(undoCommand(told.history, told.population, 0).value() == back);
    told.population.kernels.edit(0).banned = true;
    QVERIFY(told.choice(2).state == UndoState::over && told.choice(2).why.find("00001 is banned") != std::string::npos);
    told.population.kernels.edit(0).banned = false;
    settings.pinnedParent = 1;
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", command::SetBanned{2, false}}));
    settings.pinnedParent.reset();
    told.tell(back);
    told.population.kernels.edit(1).banned = false;
    settings.pinnedParent = 2;
    settings.pinnedReference = 1;
    QVERIFY(told.choice(2).state == UndoState::takenBack && told.choice(3).state == UndoState::undoes);
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", command::PinParent{}}));
}

void CampaignUndo::aRejectedDraftWaitsAgain() {
    Told told;
    Kernel& draft = told.population.kernels.edit(1);
    draft.author = Author::model;
    draft.state = KernelState::proposed;
    told.tell(command::RejectCode{2, "too long"});
    draft.state = KernelState::declined;
    draft.reason = "too long";
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", command::ReopenCode{2}}));
    told.tell(command::ApproveCode{2});
    draft.state = KernelState::waiting;
    draft.reason.clear();
    QVERIFY(told.choice(1).state == UndoState::replaced);
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", command::RejectCode{2, "too long"}}));
    draft.state = KernelState::evaluated;
    draft.verdict = VerdictKind::wrong;
    QVERIFY2(told.choice(2).state == UndoState::over &&
                 told.choice(2).why.find("evaluated already") != std::string::npos,
             told.choice(2).why.c_str());
}

// A ban rejects, a mode approves, policies let drafts through: taking back the one would leave the others.
void CampaignUndo::whatDidMoreStays() {
    Told told;
    told.tell(command::SetBanned{1, true});
    told.population.kernels.edit(0).banned = true;
    told.population.experiments.editEach([](Experiment& experiment) { experiment.state = ExperimentState::rejected; });
    QVERIFY2(told.choice(1).state == UndoState::over && told.choice(1).why.find("1, 2") != std::string::npos,
             told.choice(1).why.c_str());
    Told other;
    other.population.experiments.edit(0).pick = "most certain";
    other.population.settings.mode = Mode::approveExperiments;
    other.tell(command::SetMode{Mode::automatic});
    other.population.settings.mode = Mode::automatic;
    other.population.experiments.edit(0).state = ExperimentState::approved;
    QVERIFY(other.choice(1).state == UndoState::over);
}

void CampaignUndo::anOlderOneIsNotTakenInItsPlace() {
    Told told;
    told.tell(command::SetHint{"mind the banks"});
    told.population.settings.hint = "mind the banks";
    told.tell(command::SetPrompt{"writer", "another"});
    const auto refused = undoCommand(told.history, told.population, 0);
    QVERIFY(!refused && refused.error().what.find("2 (edit prompt)") != std::string::npos);
    told.history.pop_back();
    told.tell(command::Start{}); // it is no decision about the campaign
    QVERIFY(undoCommand(told.history, told.population, 0).value() == SteeringCommand(command::SetHint{}));
}

void CampaignUndo::theTopmostComesFirst() {
    Told told;
    told.tell(command::PinParent{1, {}});
    told.population.settings.pinnedParent = 1;
    told.tell(command::PinParent{2, 1});
    told.population.settings.pinnedParent = 2;
    told.population.settings.pinnedReference = 1;
    QVERIFY(told.choice(1).state == UndoState::replaced);
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", command::PinParent{1, {}}}));
    told.tell(command::PinParent{1, {}});
    told.population.settings.pinnedParent = 1;
    told.population.settings.pinnedReference.reset();
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", command::PinParent{}}));
    QVERIFY(told.choice(2).state == UndoState::takenBack && told.choice(3).state == UndoState::undoes);
}

// State, words, prediction and whether a person has edited it.
void CampaignUndo::experimentsComeBackWhole_data() {
    QTest::addColumn<int>("experiment");
    QTest::addColumn<ExperimentState>("becomes");
    QTest::newRow("an approval") << 1 << ExperimentState::approved;
    QTest::newRow("a rejection") << 1 << ExperimentState::rejected;
    QTest::newRow("a rejection of an approved one") << 2 << ExperimentState::rejected;
    QTest::newRow("an edit") << 1 << ExperimentState::proposed;
}

void CampaignUndo::experimentsComeBackWhole() {
    QFETCH(int, experiment);
    QFETCH(ExperimentState, becomes);
    Told told;
    Experiment& one = told.population.experiments.edit(static_cast<std::size_t>(experiment - 1));
    const Experiment before = one;
    if (becomes == ExperimentState::approved) {
        told.tell(command::ApproveExperiment{one.id});
    } else if (becomes == ExperimentState::rejected) {
        told.tell(command::RejectExperiment{one.id});
    } else {
        told.tell(command::EditExperiment{.experiment = one.id, .description = "other"});
        one.description = "other";
        one.editedByPerson = true;
    }
    one.state = becomes;
    const SteeringCommand back =
        command::RestoreExperiment{before.id,        before.state,      before.description, before.rubric,
                                   before.predicted, before.innovation, before.writer,      false};
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", back}));
    told.population.kernels.edit(0).banned = true;
    QVERIFY(told.choice(1).state == UndoState::over && told.choice(1).why.find("banned") != std::string::npos);
    told.population.kernels.edit(0).banned = false;
    one.state = ExperimentState::writing;
    QVERIFY(told.choice(1).state == UndoState::over && !told.choice(1).command);
}

void CampaignUndo::ordersAndSettingsComeBack() {
    Told told;
    told.tell(command::ReorderExperiments{{2, 1}});
    told.population.experiments.edit(1).position = 0;
    QVERIFY(told.choice(1) == (UndoChoice{UndoState::open, "", command::ReorderExperiments{{1, 2}}}));
    told.tell(command::SetHint{"mind the banks", "writer"});
    told.population.settings.hints["writer"] = "mind the banks";
    QVERIFY(told.choice(2) == (UndoChoice{UndoState::open, "", command::SetHint{"", "writer"}}));
    const Policies before = told.population.settings.policies;
    Policies policies = before;
    policies.drafts = 3;
    told.tell(command::SetPolicies{policies});
    told.population.settings.policies = policies;
    QVERIFY(told.choice(3) == (UndoChoice{UndoState::open, "", command::SetPolicies{before}}));
}

void CampaignUndo::strangeHistoriesAreHarmless() {
    for (const char* kept :
         {"", "{", "[]", "{\"subject\": 1, \"before\": 2}", "{\"subject\": \"ban 1\", \"before\": 2}",
          "{\"subject\": \"experiment 1\", \"before\": {\"state\": 1}}",
          "{\"subject\": \"policies\", \"before\": {\"policies\": 3}}", "{\"subject\": \"unheard of\", \"before\": {}}",
          "{\"subject\": \"order\", \"before\": 1}"}) {
        Told told;
        told.population.kernels.edit(0).banned = true;
        told.history = {{1, Author::person, "ban", "00001", 0, kept}};
        QVERIFY2(told.choice(1).state != UndoState::open, kept);
    }
}

// Of a subject so many lines are looked at and no more, however many there are.
void CampaignUndo::theNewestOfASubjectAreEnough() {
    Told told;
    for (int i = 0; i < 200; ++i) {
        told.tell(command::SetHint{std::to_string(i)});
        told.population.settings.hint = std::to_string(i);
    }
    const UndoChoices choices = undoChoices(told.history, told.population);
    QCOMPARE(choices.size(), undoDepth);
    QVERIFY(choices.at(200).state == UndoState::open);
}

QTEST_APPLESS_MAIN(CampaignUndo)
#include "campaign_undo.moc"
