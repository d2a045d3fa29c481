// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/command_json.h"

#include <QTest>
#include <nlohmann/json.hpp>
#include <set>

using namespace gks;

namespace {

// Of each kind one with everything in it that it can hold.
std::vector<SteeringCommand> fullCommands() {
    ModelChoice model;
    model.provider = "anthropic";
    model.model = "m \xe2\x82\xac";
    model.temperature = 0.1;
    model.limits.silenceSeconds = 99'999'999; // out of its range: who refuses it is the engine
    Policies policies;
    policies.selector = SelectorPolicy::best;
    policies.pick = PickPolicy::all;
    policies.drafts = 99;
    policies.counters = false;
    const Document document = {.title = "ISA", .kind = "pdf", .sha256 = "ab", .sizeBytes = 5, .passages = 1};
    return {command::Start{},
            command::Pause{},
            command::Step{},
            command::Stop{},
            command::CancelCurrent{},
            command::PinParent{3, 4},
            command::SetBanned{3, false, command::PinParent{1, {}}},
            command::EvaluateAgain{3},
            command::MeasureSideBySide{1, 2, false},
            command::UnaskComparison{1, 2, false},
            command::RestoreLane{"cpu:0"},
            command::AddKernel{1, "title", "line\n\"quoted\"\t\x01"},
            command::ApproveCode{5},
            command::RejectCode{5, "why"},
            command::SendBackCode{5, "how"},
            command::ReopenCode{5},
            command::EditCode{5, "source"},
            command::ApproveExperiment{6},
            command::RejectExperiment{6},
            command::EditExperiment{6, "d", "r", Interval{1.1, 1.2}, 7, "w"},
            command::RestoreExperiment{6, ExperimentState::notPicked, "d", "r", Interval{0.5, 2}, 7, "w", true},
            command::AddExperiment{1, 2, ExperimentKind::merge, "d", "r", Interval{1, 2}, 3, {{"UNROLL", "4"}}, "w"},
            command::ReorderExperiments{{3, 1, 2}},
            command::AskForAvenue{2, false},
            command::SetMode{Mode::step},
            command::SetBudgets{{1, 2.5, 0.1, 4, 5.5, 6.5, 7}},
            command::SetScientist{ScientistKind::model, {{"designer", model}}},
            command::SetHint{"hint", "writer"},
            command::SetShapeWeights{{{{{"m", 64}, {"n", 128}}, 5000}}},
            command::SetPolicies{policies},
            command::SetPrompt{"designer", "text"},
            command::AddFinding{"subject", "text"},
            command::EditFinding{9, "s", "t", FindingState::dismissed},
            command::AddDocument{document, {{0, 1, "heading", "text"}}},
            command::EditDocument{1, "t", "d", false},
            command::RemoveDocument{1}};
}

Result<SteeringCommand> throughText(const SteeringCommand& command) {
    return parseJson(commandJson(command).dump(), "test").and_then(commandFromJson);
}

std::string refusalOf(const char* text) {
    const auto command = commandFromJson(parseJson(text, "test").value());
    return command ? "" : command.error().message();
}

template<std::size_t... index>
std::vector<SteeringCommand> emptyCommands(std::index_sequence<index...> /*all*/) {
    return {std::variant_alternative_t<index, SteeringCommand>()...};
}

} // namespace

// Commands of the person between programs: nothing of one is lost on the way, and what is none is refused.
class CampaignCommandJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCommandComesBack();
    void nonsenseIsRefused();
};

void CampaignCommandJson::everyCommandComesBack() {
    constexpr std::size_t kinds = std::variant_size_v<SteeringCommand>;
    std::vector<SteeringCommand> all = fullCommands();
    std::set<std::size_t> seen;
    std::set<std::string_view> names;
    for (const SteeringCommand& command : all) {
        seen.insert(command.index());
        names.insert(commandName(command));
    }
    QVERIFY(seen.size() == kinds && names.size() == kinds);
    const auto empty = emptyCommands(std::make_index_sequence<kinds>());
    all.insert(all.end(), empty.begin(), empty.end());
    for (const SteeringCommand& command : all) {
        const auto back = throughText(command);
        QVERIFY2(
            back && *back == command,
            (back ? commandJson(*back).dump() : back.error().message() + " " + commandJson(command).dump()).c_str());
    }
}

void CampaignCommandJson::nonsenseIsRefused() {
    QCOMPARE(refusalOf("[1]"), std::string("steering: is no command"));
    QCOMPARE(refusalOf(R"({"name": 7})"), std::string("steering: is no command"));
    QCOMPARE(refusalOf(R"({"name": "format-disk"})"), std::string("steering: there is no command \"format-disk\""));
    QCOMPARE(refusalOf(R"({"name": "evaluate-again"})"), std::string("steering: kernel is missing"));
    QCOMPARE(refusalOf(R"({"name": "evaluate-again", "kernel": "3"})"),
             std::string("steering: kernel is no whole number of this size"));
    QCOMPARE(refusalOf(R"({"name": "evaluate-again", "kernel": 99999999999999999999})"),
             std::string("steering: kernel is no whole number of this size"));
    QCOMPARE(refusalOf(R"({"name": "start", "at": "once"})"), std::string("steering: nobody knows the field \"at\""));
    QVERIFY(refusalOf(R"({"name": "set-mode", "mode": "fast"})").find("fast") != std::string::npos);
    QVERIFY(!refusalOf(R"({"name": "set-budgets", "budgets": {"usd": "much"}})").empty());
    QVERIFY(!refusalOf(R"({"name": "set-budgets", "budgets": []})").empty());
    QVERIFY(!refusalOf(R"({"name": "set-budgets", "budgets": {"evaluations_": 1}})").empty());
    QVERIFY(!refusalOf(R"({"name": "set-policies", "policies": {}})").empty());
    QVERIFY(!refusalOf(R"({"name": "set-shape-weights", "weights": [{"shape": 3}]})").empty());
    QVERIFY(!refusalOf(R"({"name": "edit-experiment", "experiment": 1, "predicted": [1]})").empty());
}

QTEST_APPLESS_MAIN(CampaignCommandJson)
#include "campaign_command_json.moc"
