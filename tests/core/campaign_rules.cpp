// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/rules.h"
#include "core/campaign/store.h"
#include "core/campaign/summary.h"

#include <QTest>
#include <cmath>
#include <tuple>

using namespace gks;

namespace {

Population campaign() {
    Population population;
    for (KernelId id = 1; id <= 4; ++id) {
        Kernel kernel;
        kernel.id = id;
        population.kernels.push_back(kernel);
    }
    population.kernels.edit(1).state = KernelState::evaluated;
    population.kernels.edit(1).verdict = VerdictKind::correct;
    population.kernels.edit(1).normalizedSha256 = sha256Hex(normalizedSource("int same;"));
    population.kernels.edit(2).state = KernelState::evaluated;
    population.kernels.edit(2).verdict = VerdictKind::wrong;
    population.kernels.edit(3).banned = true;
    for (const KernelState state : {KernelState::proposed, KernelState::declined}) { // 5 and 6
        Kernel draft;
        draft.id = static_cast<KernelId>(population.kernels.size()) + 1;
        draft.state = state;
        population.kernels.push_back(draft);
    }
    using enum ExperimentState;
    ExperimentId id = 0;
    for (const ExperimentState state : {proposed, notPicked, approved, rejected, writing, evaluating, done, failed}) {
        Experiment experiment;
        experiment.id = ++id;
        experiment.parent = 1;
        experiment.state = state;
        experiment.description = "x";
        population.experiments.push_back(experiment);
    }
    Experiment orphan;
    orphan.id = ++id;
    orphan.parent = 4;
    population.experiments.push_back(orphan);
    population.findings.push_back({.id = 1, .text = "x"});
    population.documents.push_back({.id = 1, .title = "x"});
    population.settings.lanesOut["cpu:0"] = {};
    population.settings.askedComparisons = {{2, 1, false}};
    population.rounds.push_back({.id = 1, .parent = 1});
    for (AvenueId avenue = 1; avenue <= 6; ++avenue) { // the first is taken up, the next three are asked for
        population.avenues.push_back({avenue, 1, "x", avenue > 1 && avenue < 5});
    }
    population.experiments.edit(0).avenue = 1;
    return population;
}

template<class T>
void change(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        value = !value;
    } else if constexpr (std::is_arithmetic_v<T>) {
        value += 1;
    } else if constexpr (std::is_enum_v<T>) {
        value = static_cast<T>(static_cast<int>(value) + 1);
    } else if constexpr (requires { value.orNothing(); }) {
        auto text = value.orNothing();
        change(text);
        value = std::move(text);
    } else if constexpr (requires { value["x"]; }) {
        static_cast<void>(value["x"]);
    } else if constexpr (requires { value.emplace(); }) {
        if (value) {
            value.reset();
        } else {
            value.emplace();
        }
    } else if constexpr (requires { value.emplace_back(); }) {
        value.emplace_back();
    } else if constexpr (requires { value += "x"; }) {
        value += "x";
    } else {
        value.low += 1;
    }
}

// How many of the fields, changed alone, make no difference. A field that is added to the type must be named here.
template<class T, class Fields>
int unseenChanges(const Fields& fieldsOf) {
    T probe;
    return std::apply(
        [&](auto&... field) {
            const auto isUnseen = [&](auto& one) {
                const T before = probe;
                const auto value = one;
                change(one);
                const bool unseen = probe == before;
                one = value;
                return unseen ? 1 : 0;
            };
            return (isUnseen(field) + ...);
        },
        fieldsOf(probe));
}

} // namespace

// What may become of kernels and experiments, and what a person may ask for.
class CampaignRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsAreRefused_data();
    void commandsAreRefused();
    void commandsAreAllowed();
    void textsHaveTheirLimits();
    void transitionsOfAPersonArePossible();
    void undecidedIsMeasuredAndNoWin();
    void everyFieldMakesADifference();
    void modelsStandInForEachOther();
    void furtherWriters();
    void hintsOfStages();
    void settingsOfANewCampaign();
};

// It is right and has a time: a parent like any other, and may be measured again.
void CampaignRules::undecidedIsMeasuredAndNoWin() {
    Population population = campaign();
    Kernel& kernel = population.kernels.edit(1);
    kernel.verdict = VerdictKind::undecided;
    kernel.geomeanUs = 10;
    QVERIFY(isAccepted(kernel) && isMeasured(kernel) && mayBeParent(kernel) && isMeasuredParent(kernel));
    QVERIFY(!isRepairable(VerdictKind::undecided));
    QVERIFY(checkCommand(command::EvaluateAgain{2}, population));
    QVERIFY(checkCommand(command::PinParent{2}, population));
    ComparisonFact fact = {1.1, {0.9, 1.4}, VerdictKind::undecided, "", 0.5, {0.8, 1.5}, 1};
    QVERIFY(!measuredGain(fact));
    fact.verdict = VerdictKind::tie;
    QVERIFY(measuredGain(fact).has_value());
}

void CampaignRules::commandsAreRefused_data() {
    QTest::addColumn<SteeringCommand>("command");
    QTest::addColumn<QString>("said");
    const auto row = [](const SteeringCommand& command, const char* said) { QTest::newRow(said) << command << said; };
    row(command::PinParent{9}, "kernel 00009 not found");
    row(command::PinParent{4}, "kernel 00004 is banned");
    row(command::PinParent{3}, "kernel 00003 has not passed the judge (wrong)");
    row(command::PinParent{2, 2}, "kernel 00002 is the parent already");
    row(command::SetBanned{8, true}, "kernel 00008 not found");
    row(command::SetBanned{4, true}, "kernel 00004 is banned already");
    row(command::SetBanned{1, false}, "kernel 00001 is not banned");
    row(command::MeasureSideBySide{2, 9}, "kernel 00009 not found");
    row(command::MeasureSideBySide{2, 2}, "a kernel is not measured beside itself");
    row(command::MeasureSideBySide{2, 3}, "kernel 00003 has not passed the judge");
    row(command::UnaskComparison{2, 1}, "00002 and 00001, all shapes do not wait to be measured side by side");
    row(command::UnaskComparison{1, 2, false}, "00001 and 00002 do not wait");
    row(command::RestoreLane{"cpu:1"}, "device cpu:1 is not disabled");
    row(command::AddKernel{1, "", " \n"}, "the source is empty");
    row(command::AddKernel{1, "", "int same; // as before"},
        "same as kernel 00002 except for comments, formatting and local names");
    row(command::EvaluateAgain{6}, "kernel 00006 is already declined. Approve its code");
    row(command::PinParent{6}, "kernel 00006 has not passed the judge (declined)");
    row(command::ApproveCode{7}, "kernel 00007 not found");
    row(command::ApproveCode{2}, "the code of kernel 00002 does not wait for you: it is evaluated");
    row(command::ReopenCode{2}, "the code of kernel 00002 is evaluated already");
    row(command::SetBanned{4, false, command::PinParent{3}}, "kernel 00003 has not passed the judge (wrong)");
    row(command::RejectCode{6, ""}, "the code of kernel 00006 does not wait for you: it is declined");
    row(command::RejectCode{5, std::string(limits::remarkBytes + 1, 'x')}, "the remark is too long");
    row(command::SendBackCode{5, " "}, "the remark is empty");
    row(command::EditCode{1, "int y;"}, "the code of kernel 00001 does not wait for you: it is waiting");
    row(command::EditCode{5, ""}, "the source is empty");
    row(command::EditCode{5, "int same;"}, "same as kernel 00002");
    row(command::ApproveExperiment{3}, "experiment 3 is approved already");
    row(command::ApproveExperiment{6}, "experiment 6 is evaluating already");
    row(command::ApproveExperiment{9}, "the parent 00004 of experiment 9 is banned");
    row(command::ApproveExperiment{77}, "experiment 77 does not exist");
    row(command::RejectExperiment{4}, "experiment 4 is rejected already");
    row(command::EditExperiment{.experiment = 5, .description = "y"}, "experiment 5 can no longer be edited");
    row(command::EditExperiment{.experiment = 1}, "nothing of experiment 1 is changed");
    row(command::EditExperiment{.experiment = 2, .description = " "}, "the description is empty");
    row(command::EditExperiment{.experiment = 2, .predicted = Interval{1.2, 1.1}}, "from 1.20x to 1.10x");
    row(command::EditExperiment{.experiment = 2, .innovation = 101}, "an innovation of 101");
    row(command::AddExperiment{.parent = 4, .description = "y"}, "kernel 00004 is banned as a parent");
    row(command::AddExperiment{.parent = 1, .description = "y", .predicted = Interval{0.05, 1.05}},
        "a gain of 0.0500x to 1.05x is predicted");
    row(command::AddExperiment{.parent = 1, .reference = 1, .description = "y"}, "kernel 00001 is the parent already");
    row(command::AddExperiment{.parent = 1, .kind = ExperimentKind::merge, .description = "y"},
        "a merge is made from two kernels, and one is named");
    row(command::AddExperiment{.parent = 1, .reference = 3, .kind = ExperimentKind::dispatch, .description = "y"},
        "kernel 00003 has not passed the judge");
    row(command::AskForAvenue{77}, "there is no avenue 77");
    row(command::AskForAvenue{1}, "experiment 1 has taken up avenue 1");
    row(command::AskForAvenue{2}, "avenue 2 is asked for already");
    row(command::AskForAvenue{5}, "3 avenues are asked for already");
    row(command::AskForAvenue{5, false}, "avenue 5 is not asked for");
    row(command::ReorderExperiments{{1, 70}}, "experiment 70 does not exist");
    row(command::SetBudgets{{.minutes = -1}}, "budget of minutes: -1 is out of range");
    row(command::SetBudgets{{.evaluations = 2'000'000'000}}, "budget of evaluations: 2000000000 is out of range");
    row(command::SetBudgets{{.minutes = 1e12}}, "budget of minutes: 1000000000000 is out of range. It is 0 to 1000000");
    row(command::SetBudgets{{.usd = std::nan("")}}, "budget of USD: nan is out of range");
    row(command::SetBudgets{{.tokens = -5}}, "budget of tokens: -5 is out of range");
    row(command::SetBudgets{{.goalUs = -1}}, "goal of the best, us: -1 is out of range");
    row(command::SetBudgets{{.gpuSeconds = 1e9}}, "budget of device seconds: 1000000000 is out of range");
    const auto writer = [](const auto& change) {
        ModelChoice choice;
        change(choice);
        return command::SetScientist{ScientistKind::model, {{"writer", choice}}};
    };
    row(writer([](ModelChoice& choice) { choice.temperature = 50; }), "temperature: 50 is out of range. It is 0 to 2");
    row(writer([](ModelChoice& choice) { choice.maxOutputTokens = 2'000'000'000; }),
        "output tokens: 2000000000 is out of range");
    row(writer([](ModelChoice& choice) { choice.limits.connectSeconds = 601; }),
        "longest wait for a connection to the server: 601 is out of range");
    const auto local = [&](const char* provider, const char* address) {
        return writer([&](ModelChoice& choice) {
            choice.provider = provider;
            choice.baseUrl = address;
        });
    };
    row(local("command", "a | b"), "command: no shell reads the command");
    row(local("command", ""), "command: missing command");
    row(local("folder", "answers"), "folder: \"answers\" is not the full path of a folder");
    row(command::SetScientist{ScientistKind::model, {}}, "no model is configured");
    row(command::SetScientist{ScientistKind::tuner, {{"painter", {}}}}, "unknown stage 'painter'");
    row(command::SetPolicies{{.tuningEvaluations = -1}}, "-1 tuning evaluations");
    row(command::SetPolicies{{.stagnation = -1}}, "-1 experiments without a new best");
    row(command::SetPrompt{"nosuch", "<!-- user -->\n{{population}}"}, "unknown prompt 'nosuch'");
    row(command::SetPrompt{"../writer", {}}, "unknown prompt '../writer'");
    row(command::SetPrompt{"designer", "garbage"}, "missing line `<!-- user -->`");
    row(command::SetPrompt{"designer", "<!-- user -->\nx"}, "missing placeholder {{basisSource}}");
    row(command::SetPrompt{"designer", "<!-- user -->\n{{basisSource}}{{nobody}}"},
        "line 2: unknown placeholder {{nobody}}");
    row(command::SetPrompt{"designer", "<!-- user -->\n{{#basisSource}}"}, "not a valid template");
    row(command::SetPrompt{"selector", "{{population}}\n<!-- user -->\n "}, "no text after the line");
    row(command::EditFinding{.finding = 2, .text = "y"}, "finding 2 not found");
    row(command::EditFinding{.finding = 1, .state = FindingState::standing}, "finding 1 is not dismissed");
    row(command::EditDocument{.document = 1, .enabled = true}, "document 1 is enabled already");
    row(command::EditDocument{.document = 1, .title = " "}, "the title is empty");
    row(command::RemoveDocument{2}, "document 2 not found");
}

void CampaignRules::commandsAreRefused() {
    QFETCH(SteeringCommand, command);
    QFETCH(QString, said);
    const auto allowed = checkCommand(command, campaign());
    QVERIFY(!allowed);
    QVERIFY(allowed.error().kind == ErrorKind::usage);
    QVERIFY2(allowed.error().message().find(said.toStdString()) != std::string::npos,
             allowed.error().message().c_str());
}

void CampaignRules::commandsAreAllowed() {
    const Population population = campaign();
    for (const SteeringCommand& command : std::initializer_list<SteeringCommand>{
             command::Start{},
             command::PinParent{},
             command::PinParent{1},
             command::PinParent{2, 3},
             command::SetBanned{4, false},
             command::EvaluateAgain{1},
             command::EvaluateAgain{3},
             command::UnaskComparison{2, 1, false},
             command::RestoreLane{"cpu:0"},
             command::AddKernel{3, "", "int x;"},
             command::PinParent{5},
             command::ApproveCode{5},
             command::ApproveCode{6},
             command::RejectCode{5, ""},
             command::ReopenCode{6},
             command::SetBanned{4, false, command::PinParent{1, 4}},
             command::SendBackCode{5, "y"},
             command::EditCode{5, "int y;"},
             command::ApproveExperiment{1},
             command::ApproveExperiment{2},
             command::ApproveExperiment{4},
             command::RejectExperiment{9},
             command::EditExperiment{.experiment = 3, .predicted = Interval{0.5, 1.05}},
             command::AddExperiment{.parent = 1, .description = "y"},
             command::AddExperiment{.parent = 1, .reference = 2, .kind = ExperimentKind::merge, .description = "y"},
             command::AskForAvenue{4, false},
             command::ReorderExperiments{{8, 1}},
             command::SetBudgets{},
             command::SetScientist{ScientistKind::model, {{"default", {}}, {"digest", {}}}},
             command::SetPolicies{},
             command::SetPrompt{"writer", {}},
             command::SetPrompt{"selector", "<!-- user -->\n{{population}}"},
             command::AddFinding{"", "y"},
             command::EditFinding{.finding = 1, .state = FindingState::dismissed},
             command::EditDocument{.document = 1, .enabled = false}}) {
        const auto allowed = checkCommand(command, population);
        QVERIFY2(allowed, allowed ? "" : allowed.error().message().c_str());
    }
}

void CampaignRules::textsHaveTheirLimits() {
    const Population population = campaign();
    const auto text = [](std::size_t size) { return std::string(size, 'x'); };
    const auto holds = [&](std::size_t limit, const auto& commandWith) {
        return checkCommand(commandWith(text(limit)), population).has_value() &&
               !checkCommand(commandWith(text(limit + 1)), population).has_value();
    };
    using C = SteeringCommand;
    QVERIFY(holds(limits::kernelSourceBytes, [](auto x) { return C(command::AddKernel{1, "", x}); }));
    QVERIFY(holds(limits::hintBytes, [](auto x) { return C(command::SetHint{x}); }));
    const std::string prompt = "<!-- user -->\n{{population}}";
    QVERIFY(holds(limits::promptBytes - prompt.size(),
                  [&](const auto& x) { return C(command::SetPrompt{"selector", prompt + x}); }));
    QVERIFY(holds(limits::findingBytes, [](auto x) { return C(command::AddFinding{"", x}); }));
    QVERIFY(holds(limits::findingBytes, [](auto x) { return C(command::EditFinding{.finding = 1, .text = x}); }));
    QVERIFY(holds(limits::digestBytes, [](auto x) { return C(command::EditDocument{.document = 1, .digest = x}); }));
    QVERIFY(holds(limits::experimentRubricBytes,
                  [](auto x) { return C(command::EditExperiment{.experiment = 1, .rubric = x}); }));
    QVERIFY(holds(limits::experimentDescriptionBytes,
                  [](auto x) { return C(command::AddExperiment{.parent = 1, .description = x}); }));
}

// Whatever a person may decide leads to a state that the store takes.
void CampaignRules::transitionsOfAPersonArePossible() {
    for (const Experiment& experiment : campaign().experiments) {
        QVERIFY(!mayBeApproved(experiment) || mayBecome(experiment.state, ExperimentState::approved));
        QVERIFY(!mayBeRejected(experiment) || mayBecome(experiment.state, ExperimentState::rejected));
        QVERIFY(!mayBeEdited(experiment) || mayBecome(experiment.state, ExperimentState::rejected)); // no code yet
        QVERIFY(!isOver(experiment) || !mayBecome(experiment.state, ExperimentState::proposed));
    }
    QVERIFY(!mayBecome(ExperimentState::writing, ExperimentState::rejected));
    QVERIFY(!mayBecome(ExperimentState::rejected, ExperimentState::writing));
    for (const Kernel& kernel : campaign().kernels) {
        QVERIFY(!mayBeApproved(kernel) || mayBecome(kernel.state, KernelState::waiting));
        QVERIFY(!mayBeDeclined(kernel) || mayBecome(kernel.state, KernelState::declined));
    }
    QVERIFY(!mayBecome(KernelState::proposed, KernelState::evaluating));
    QVERIFY(mayBecome(KernelState::waiting, KernelState::proposed)); // the person looks at it after all
    QVERIFY(!mayBecome(KernelState::evaluated, KernelState::proposed));
    QVERIFY(!mayBecome(KernelState::evaluated, KernelState::evaluating));
    QVERIFY(!mayBecome(FindingState::dismissed, FindingState::contradicted));
    QVERIFY(mayBecome(FindingState::dismissed, FindingState::standing));
    QVERIFY(mayBecome(KernelState::evaluated, KernelState::waiting));
}

void CampaignRules::everyFieldMakesADifference() {
    const int kernels = unseenChanges<Kernel>([](Kernel& kernel) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa] = kernel;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa);
    });
    QCOMPARE(kernels, 0);
    const int experiments = unseenChanges<Experiment>([](Experiment& experiment) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa] = experiment;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa);
    });
    QCOMPARE(experiments, 0);
    const int rounds = unseenChanges<Round>([](Round& round) {
        auto& [a, b, c, d, e, f, g] = round;
        return std::tie(a, b, c, d, e, f, g);
    });
    QCOMPARE(rounds, 0);
    const int avenues = unseenChanges<Avenue>([](Avenue& avenue) {
        auto& [a, b, c, d] = avenue;
        return std::tie(a, b, c, d);
    });
    QCOMPARE(avenues, 0);
    const int findings = unseenChanges<Finding>([](Finding& finding) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = finding;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
    });
    QCOMPARE(findings, 0);
    const int documents = unseenChanges<Document>([](Document& document) {
        auto& [a, b, c, d, e, f, g, h, i] = document;
        return std::tie(a, b, c, d, e, f, g, h, i);
    });
    QCOMPARE(documents, 0);
}

void CampaignRules::modelsStandInForEachOther() {
    std::map<std::string, ModelChoice> models;
    QVERIFY(modelOf(models, ModelStage::writer) == nullptr);
    models["default"].model = "d";
    models["selector"].model = "s";
    models["writer"].model = "w";
    QCOMPARE(modelOf(models, ModelStage::repair)->model, std::string("w"));
    QCOMPARE(modelOf(models, ModelStage::checker)->model, std::string("s"));
    QCOMPARE(modelOf(models, ModelStage::designer)->model, std::string("d"));
    for (const ModelStage stage : modelStages) {
        QVERIFY(modelStageFromName(name(stage)) == stage);
        QVERIFY(checkModelSlot(name(stage)));
    }
    QCOMPARE(modelStageNames(), std::string("selector|designer|writer|repair|checker|digest"));
    QVERIFY(!checkModelSlot("painter") && !modelStageFromName("default"));
}

void CampaignRules::furtherWriters() {
    std::map<std::string, ModelChoice> models;
    models["default"].model = "d";
    models["repair"].model = "r";
    for (const char* slot : {"writer/deep", "writer/2-wide", "writer/own", "writer/UP", "writer/", "writer/../x",
                             "writer/abcdefghijklmnopqrstuvwxyz", "writer/a b", "painter/deep"}) {
        models[slot].model = slot;
    }
    QCOMPARE(writersOf(models), (std::vector<std::string>{"2-wide", "deep"}));
    QVERIFY(checkModelSlot("writer/deep") && !checkModelSlot("writer/own") && !checkModelSlot("writer/../x"));
    QVERIFY(hasWriter(models, "") && hasWriter(models, "deep") && !hasWriter(models, "own") &&
            !hasWriter(models, "../x"));
    QCOMPARE(writerModelOf(models, ModelStage::writer, "deep")->model, std::string("writer/deep"));
    QCOMPARE(writerModelOf(models, ModelStage::writer, "gone")->model, std::string("d"));
    QCOMPARE(writerModelOf(models, ModelStage::repair, "deep")->model, std::string("r"));
    models.erase("repair");
    QCOMPARE(writerModelOf(models, ModelStage::repair, "deep")->model, std::string("writer/deep"));
    for (int i = 0; i < 100; ++i) {
        models["writer/w" + std::to_string(i)] = {};
    }
    QCOMPARE(writersOf(models).size(), limits::writers); // of a file that was written elsewhere
    Population population = campaign();
    std::map<std::string, ModelChoice> few;
    few["default"] = {};
    for (std::size_t i = 0; i < limits::writers; ++i) {
        few[writerSlot(std::to_string(i))] = {};
    }
    QVERIFY(checkCommand(command::SetScientist{ScientistKind::model, few}, population));
    few["writer/more"] = {};
    QVERIFY(!checkCommand(command::SetScientist{ScientistKind::model, few}, population));
    few = {{"default", {}}, {"writer/own", {}}};
    QVERIFY(!checkCommand(command::SetScientist{ScientistKind::model, few}, population));
    population.settings.models = {{"default", {}}, {"writer/deep", {}}, {"writer/../x", {}}};
    const auto proposes = [&](const char* writer) {
        return checkCommand(command::AddExperiment{.parent = 1, .description = "d", .writer = writer}, population)
            .has_value();
    };
    QVERIFY(proposes("") && proposes("own") && proposes("deep") && !proposes("wide") && !proposes("../x"));
}

void CampaignRules::hintsOfStages() {
    const Population population = campaign();
    const auto refusal = [&](const char* stage) {
        const auto checked = checkCommand(command::SetHint{"h", stage}, population);
        return checked ? std::string() : checked.error().what;
    };
    for (const char* stage : {"", "selector", "designer", "writer", "repair"}) {
        QCOMPARE(refusal(stage), std::string());
    }
    QCOMPARE(refusal("checker"), std::string("no hint is shown to the checker"));
    QCOMPARE(refusal("digest"), std::string("no hint is shown to the digest"));
    QVERIFY(!refusal("writer/deep").empty() && !refusal("default").empty());
}

void CampaignRules::settingsOfANewCampaign() {
    CampaignSettings settings;
    settings.models["default"] = {};
    QVERIFY(checkSettings(settings));
    settings.budgets.minutes = 1e12;
    QVERIFY(!checkSettings(settings));
    const auto folder = TemporaryDirectory::create("gks-settings").value();
    QVERIFY(!CampaignStore::create(folder.path() / "c.gks", settings)); // whoever asks
    settings.budgets = {};
    settings.models["default"].reasoningEffort = "much";
    QVERIFY(!checkSettings(settings));
    settings.models["default"] = {};
    settings.models["default"].maxOutputTokens = 1;
    QVERIFY(!checkSettings(settings));
    settings.models["default"] = {};
    settings.models["default"].baseUrl = "http://127.0.0.1:8080/v1";
    QVERIFY(checkSettings(settings));
    for (const char* address :
         {"http://u:p@host/v1", "https://host/v1?key=sk-abc", "https://host/v1#sk", "http://a\nb/v1"}) {
        settings.models["default"].baseUrl = address;
        QVERIFY2(!checkSettings(settings), address);
    }
    settings.models["default"] = {};
    settings.models["default"].model = "two\nlines";
    QVERIFY(!checkSettings(settings));
    settings.models["default"] = {};
    for (const char* variable : {"PATH=x", "sk_abcdef", "1KEY"}) {
        settings.models["default"].keyVariable = variable;
        QVERIFY2(!checkSettings(settings), variable);
    }
    settings.models["default"] = {};
    settings.measureSeconds = 1e300;
    QVERIFY(!checkSettings(settings));
    settings.measureSeconds = 3;
    settings.models["default"].maxOutputTokens = 1;
    // What a file has already does not stand in the way of another change.
    Population population = campaign();
    population.settings = settings;
    auto models = settings.models;
    models["writer"] = {};
    QVERIFY(checkCommand(command::SetScientist{ScientistKind::model, models}, population));
}

QTEST_APPLESS_MAIN(CampaignRules)
#include "campaign_rules.moc"
