// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/campaign/database.h"
#include "core/campaign/rules.h"
#include "core/campaign/store.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

// new, run and show as scripts use them: exit status, what is on stdout, the JSON form.
class EngineCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exitStatus_data();
    void exitStatus();
    void showPrintsTheCampaign();
    void showNamesTheChampions();
    void showWithoutPairedShapes();
    void showNamesNearDuplicates();
    void showComparesKernels();
    void theHeadlineIsConfirmedOrSaysNot();
    void showStatesNoForgedRatio_data();
    void showStatesNoForgedRatio();
    void showWorksBesideAWriter();
    void aKernelOfOnesOwnIsEvaluatedAtOnce();
    void interruptEndsTheRun();
};

namespace {

// Two seeds, a faster kernel and its confirmation.
void fill(Campaign& campaign) {
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addExperiments({sampleExperiment(1, "wider loads")}));
    Kernel kernel = sampleKernel(1, "int fast;\n");
    kernel.experiment = 1;
    QVERIFY(campaign.store->addKernel(kernel));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(3, 50, 1)));
    Evaluation confirmation = sampleEvaluation(3, 51, 1);
    confirmation.purpose = confirmationPurpose;
    QVERIFY(campaign.store->addEvaluation(confirmation));
}

// Speed over the baseline on each shape by the shortest way: the ratio of a kernel's first paired run times the speed
// of what it ran beside. Of the accepted kernels alone.
using Chains = std::map<Json, std::map<std::string, double>>;

Chains chainsOf(const CampaignStore& store, const Population& population) {
    std::map<std::int64_t, Evaluation> byTime;
    for (const Kernel& kernel : population.kernels) {
        std::vector<Evaluation> evaluations = store.evaluations(kernel.id).value();
        for (Evaluation& evaluation : evaluations) {
            byTime.emplace(evaluation.id, std::move(evaluation));
        }
    }
    Chains chains;
    for (const auto& [id, evaluation] : byTime) {
        if (!evaluation.baseline || !isAccepted(evaluation.verdict.kind)) {
            continue;
        }
        for (const MeasurementFact& fact : evaluation.verdict.measurements) {
            auto& speeds = chains[Json(fact.shape)];
            speeds.emplace(kernelLabel(*population.baseline), 1);
            const auto other = speeds.find(kernelLabel(*evaluation.baseline));
            if (other != speeds.end()) {
                speeds.emplace(kernelLabel(evaluation.kernel), fact.ratio.value() * other->second);
            }
        }
    }
    for (const Kernel& kernel : population.kernels) {
        for (auto& [shape, speeds] : chains) {
            if (!isAccepted(kernel)) {
                speeds.erase(kernelLabel(kernel.id));
            }
        }
    }
    return chains;
}

bool isWithin(double value, double wanted, double share) {
    return std::abs(std::log(value / wanted)) <= share;
}

} // namespace

void EngineCommands::exitStatus_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, int status, const char* says) {
        QTest::newRow(name) << arguments << status << QString::fromLatin1(says);
    };
    const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    row("new-without-problem", words("new FOLDER/a.gks"), 2, "--problem");
    row("new-unknown-problem", words("new FOLDER/a.gks --problem knitting"), 2, "knitting");
    row("new-model-without-name", words("new FOLDER/a.gks --problem sum-reduction --scientist model"), 2, "--model");
    row("new-too-much", words("new FOLDER/a.gks --problem sum-reduction --minutes 1e12"), 2, "budget of minutes");
    row("new-too-many-drafts", words("new FOLDER/a.gks --problem sum-reduction --model m --drafts 9"), 2,
        "drafts of an experiment");
    row("new-too-warm", words("new FOLDER/a.gks --problem sum-reduction --model m --temperature 50"), 2, "temperature");
    row("new-too-long", words("new FOLDER/a.gks --problem sum-reduction --model m --max-output-tokens 2000000000"), 2,
        "output tokens");
    row("run-too-much", words("run FOLDER/sample.gks --evaluations 2000000000"), 2, "budget of evaluations");
    row("new-no-kernel-named", words("new FOLDER/a.gks --problem sum-reduction --kernels "), 2,
        "--kernels: \"\" holds an empty name. Name files of kernels");
    row("new-kernel-left-out", words("new FOLDER/a.gks --problem sum-reduction --kernels a.hip,,b.hip"), 2,
        "--kernels: \"a.hip,,b.hip\" holds an empty name");
    row("new-no-seed-named", words("new FOLDER/a.gks --problem sum-reduction --seeds naive,"), 2, "--seeds: ");
    row("report-no-kernel", words("report FOLDER/sample.gks --out FOLDER/out --kernel "), 2,
        "--kernel: kernel \"\" not found");
    row("show-no-kernel-named", words("show FOLDER/sample.gks --kernel 1,2"), 2, "--kernel: kernel \"1,2\" not found");
    row("check", words("show FOLDER/sample.gks --check"), 0, "2 kernels and 0 probes: every row says what its verdict");
    row("new-exists", words("new FOLDER/sample.gks --problem sum-reduction"), 2, "already exists");
    row("new-no-folder", words("new FOLDER/no/such/a.gks --problem sum-reduction"), 3, "cannot create");
    row("new", words("new FOLDER/a.gks --problem sum-reduction --mode step --model m --key-variable K"), 0,
        "scientist: model");
    row("run-missing", words("run FOLDER/none.gks"), 2, "file not found");
    row("run-bad-lanes", words("run FOLDER/sample.gks --lanes moon:0"), 2, "moon");
    row("run-no-evaluations", words("run FOLDER/sample.gks --evaluations 0"), 2, "--evaluations");
    row("run-locked", words("run FOLDER/sample.gks --evaluations 1"), 3, "in use by process");
    row("show-missing", words("show FOLDER/none.gks"), 2, "file not found");
    row("show-no-kernel", words("show FOLDER/sample.gks --kernel 00099"), 2, "kernel \"00099\" not found");
    row("compare-no-kernel", words("show FOLDER/sample.gks --compare 1,99"), 2, "kernel \"99\" not found");
    row("compare-no-number", words("show FOLDER/sample.gks --compare 1,fast"), 2, "kernel \"fast\" not found");
    row("compare-one", words("show FOLDER/sample.gks --compare 1"), 2, "only 00001 is named");
    row("compare-twice", words("show FOLDER/sample.gks --compare 1,00001"), 2, "00001 is named twice");
    row("compare-many", words("show FOLDER/sample.gks --compare 1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1"), 2,
        "17 kernels are too many (limit 16)");
    row("unified-of-what", words("show FOLDER/sample.gks --unified"), 2, "--compare");
    row("show", words("show FOLDER/sample.gks"), 0, "Sample");
}

void EngineCommands::exitStatus() {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, says);
    Campaign campaign;
    if (!says.contains(QLatin1String("in use"))) {
        campaign.store.reset();
    }
    std::vector<std::string> words;
    for (QString& argument : arguments) {
        words.push_back(
            argument.replace(QLatin1String("FOLDER"), QString::fromStdString(campaign.folder.path().string()))
                .toStdString());
    }
    const auto completed = runCli(words);
    QCOMPARE(completed.exit.status.value_or(-1), status);
    const std::string& where = status == 0 ? completed.output : completed.error;
    QVERIFY2(where.find(says.toStdString()) != std::string::npos, where.c_str());
}

void EngineCommands::showPrintsTheCampaign() {
    Campaign campaign;
    fill(campaign);
    campaign.store.reset();
    const std::string file = campaign.file.string();
    const auto text = runCli({"show", file}).output;
    QVERIFY2(text.find("* 00003") != std::string::npos && text.find(" cpu") != std::string::npos, text.c_str());
    QVERIFY2(text.find("Speed: 1.96x [1.92, 2.00] confirmed, faster than baseline 00001 ") != std::string::npos,
             text.c_str());
    QVERIFY2(text.find(", CPU timings\n") != std::string::npos, text.c_str());
    const Json json = cliJson({"show", file});
    for (const char* key : {"problem", "target", "state", "kernels", "best", "experiments", "spend"}) {
        QVERIFY2(json.contains(key), key);
    }
    QCOMPARE(json["best"].get<std::string>(), std::string("00003"));
    QCOMPARE(json["kernels"].size(), 3u);
    for (const char* key : {"id", "parents", "reference", "title", "author", "verdict", "geomean_us", "ci95_us"}) {
        QVERIFY2(json["kernels"][2].contains(key), key);
    }
    QCOMPARE(json["kernels"][2]["parents"][0].get<std::string>(), std::string("00001"));
    QVERIFY(json["kernels"][1]["geomean_us"].is_null()); // not measured is not zero
    QCOMPARE(json["spend"]["evaluations"].get<int>(), 2);
    QCOMPARE(runCli({"show", file, "--kernel", "00003"}).output, std::string("int fast;\n"));
    QVERIFY(runCli({"show", file, "--experiments"}).output.find("wider loads") != std::string::npos);
    const auto experiment = runCli({"show", file, "--experiment", "1"});
    for (const char* part : {"Experiment: 1, done, by", "Parent: 00001", "Kernel: 00003", "\n\nwider loads\n\n"}) {
        QVERIFY2(experiment.output.find(part) != std::string::npos, experiment.output.c_str());
    }
    QCOMPARE(cliJson({"show", file, "--experiment", "1"}).at("rubric").get<std::string>(),
             sampleExperiment(1, "").rubric);
    QCOMPARE(runCli({"show", file, "--experiment", "7"}).exit.status.value(), 2);
}

// Against ratios that are multiplied by hand from the verdicts of a real campaign. The scale uses all runs, a chain the
// first ones, and where two ways lead to a kernel they differ by a few per cent.
void EngineCommands::showNamesTheChampions() {
    constexpr double waysDiffer = 0.04;
    const std::string file = GKS_SOURCE_DIR "/resources/samples/fp8-gemm-h200.gks";
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    const auto population = store->population().value();
    const Chains chains = chainsOf(*store, *population);
    const Json json = cliJson({"show", file, "--shapes"});
    const std::string table = runCli({"show", file, "--shapes"}).output;
    const auto best = json.at("best").get<std::string>();
    QCOMPARE(best, kernelLabel(population->best.value()));
    QCOMPARE(json.at("shapes").size(), chains.size());
    double logDispatch = 0;
    for (const Json& row : json.at("shapes")) {
        const auto& speeds = chains.at(row.at("shape"));
        const auto champion = row.at("champion").get<std::string>();
        const double speed = speeds.at(champion);
        QVERIFY2(isWithin(row["speedup"]["ratio"].get<double>(), speed, waysDiffer), row.dump().c_str());
        QVERIFY2(isWithin(row["speedup_of_best"]["ratio"].get<double>(), speeds.at(best), waysDiffer),
                 row.dump().c_str());
        for (const auto& [kernel, other] : speeds) {
            QVERIFY2(other < speed * (1 + waysDiffer), (kernel + " beats " + row.dump()).c_str());
        }
        QCOMPARE(row["decided"].get<bool>(), row["rivals"].empty());
        logDispatch += std::log(speed / speeds.at(best)) / static_cast<double>(chains.size());
        const std::string cell = champion + (row["decided"].get<bool>()  ? "  "
                                             : row["rivals"].size() == 1 ? " or "
                                                                         : ", ");
        QVERIFY2(table.find(cell) != std::string::npos, table.c_str());
    }
    const Json& dispatch = json.at("dispatch_estimate");
    QCOMPARE(dispatch.at("shapes").get<std::size_t>(), chains.size());
    QVERIFY2(isWithin(dispatch.at("ratio").get<double>(), std::exp(logDispatch), waysDiffer / 2),
             dispatch.dump().c_str());
    QVERIFY(dispatch["ci95"][0] < dispatch["ratio"] && dispatch["ratio"] < dispatch["ci95"][1]);
    QVERIFY2(table.starts_with("Shape ") && table.find("A dispatch of all champions would be ") != std::string::npos &&
                 table.find(": an estimate") != std::string::npos,
             table.c_str());
}

void EngineCommands::showWithoutPairedShapes() {
    Campaign campaign;
    fill(campaign);
    campaign.store.reset();
    const std::string file = campaign.file.string();
    QCOMPARE(runCli({"show", file, "--shapes"}).output,
             std::string("No paired run has compared kernels on a shape yet.\n"));
    const Json json = cliJson({"show", file, "--shapes"});
    QVERIFY(json.at("shapes").empty() && json.at("dispatch_estimate").is_null());
    QCOMPARE(runCli({"show", file, "--shapes", "--rounds"}).exit.status.value(), 2);
}

void EngineCommands::showComparesKernels() {
    Campaign campaign;
    fill(campaign);
    campaign.store.reset();
    const std::string file = campaign.file.string();
    const std::string text = runCli({"show", file, "--compare", "1,3,2"}).output;
    for (const char* part : {"00001 (baseline)", "00003 (best)", "Time, and speed / speed of 00001", "50.0 us",
                             "1.98x [1.93, 2.03]", "- (not evaluated yet)", "CPU timings."}) {
        QVERIFY2(text.find(part) != std::string::npos, (std::string(part) + " is not in\n" + text).c_str());
    }
    const Json json = cliJson({"show", file, "--compare", "00001,3,2"});
    QCOMPARE(json["reference"].get<std::string>(), std::string("00001"));
    const Json& mean = json["rows"][0]["kernels"];
    QCOMPARE(json["rows"][0]["unit"].get<std::string>(), std::string("us"));
    QCOMPARE(mean["00003"]["value"].get<double>(), 50.0);
    QCOMPARE(mean["00003"]["speed"]["paired_runs"].get<int>(), 2);
    QVERIFY(mean["00002"]["value"].is_null() && mean["00002"]["speed"].is_null());
    QCOMPARE(mean["00002"]["missing"].get<std::string>(), std::string("not evaluated yet"));
    QVERIFY(!mean["00001"].contains("speed"));
    const std::string unified = runCli({"show", file, "--compare", "1,3", "--unified"}).output;
    QVERIFY2(unified.starts_with("--- 00001\n+++ 00003\n@@ ") && unified.find("\n+int fast;\n") != std::string::npos,
             unified.c_str());
    QCOMPARE(runCli({"show", file, "--compare", "1,2,3", "--unified"}).exit.status.value_or(-1), 2);
}

// No run's end measured it yet: the same campaign without the confirmation.
void EngineCommands::theHeadlineIsConfirmedOrSaysNot() {
    Campaign campaign;
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int fast;\n")));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(3, 50, 1)));
    const std::string file = campaign.file.string();
    campaign.store.reset();
    const std::string before = runCli({"show", file}).output;
    QVERIFY2(before.find("2.00x [1.96, 2.04] not confirmed, by all paired runs over baseline 00001 ") !=
                     std::string::npos &&
                 before.find(", CPU timings\n") != std::string::npos,
             before.c_str());
    QCOMPARE(cliJson({"show", file})["headline"]["confirmed"].get<bool>(), false);
    campaign.reopen();
    Evaluation confirmation = sampleEvaluation(3, 51, 1);
    confirmation.purpose = confirmationPurpose;
    QVERIFY(campaign.store->addEvaluation(confirmation));
    campaign.store.reset();
    const Json headline = cliJson({"show", file})["headline"];
    QCOMPARE(headline["confirmed"].get<bool>(), true);
    QCOMPARE(headline["baseline"].get<std::string>(), std::string("00001"));
}

void EngineCommands::showNamesNearDuplicates() {
    Campaign campaign;
    std::string source;
    for (int line = 0; line < 60; ++line) {
        source += "float f" + std::to_string(line) + "(float x) { return x * " + std::to_string(line) + "; }\n";
    }
    for (const char* number : {"x * 30;", "x * 3000;"}) {
        Kernel kernel = sampleKernel(1, replaceAll(source, "x * 30;", number));
        kernel.author = Author::model;
        QVERIFY(campaign.store->addKernel(kernel));
    }
    campaign.store.reset();
    const std::string file = campaign.file.string();
    const Json later = cliJson({"show", file, "--kernel", "00004"});
    QCOMPARE(later["near_duplicate"]["of"].get<std::string>(), std::string("00003"));
    QVERIFY(later["near_duplicate"]["similarity"].get<double>() > 0.9);
    const auto shown = runCli({"show", file, "--kernel", "00004"});
    QVERIFY2(shown.error.find("Novelty: near-duplicate of 00003, 1 line changed") != std::string::npos,
             shown.error.c_str());
    QVERIFY(cliJson({"show", file, "--kernel", "00003"})["near_duplicate"].is_null());
}

void EngineCommands::showStatesNoForgedRatio_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("says");
    QTest::newRow("of a listed kernel") << "UPDATE kernel SET versus_ratio = versus_ratio * 1.0001 WHERE id = 5"
                                        << "kernel 00005: ";
    QTest::newRow("of what the best is compared with")
        << "UPDATE evaluation SET ratio = ratio * 1.0001 WHERE id = (SELECT min(id) FROM evaluation WHERE kernel = "
           "17); "
           "UPDATE kernel SET versus_ratio = (SELECT ratio FROM evaluation WHERE kernel = 17) WHERE id = 17"
        << "kernel 00017, evaluation ";
}

// Nothing but the database was touched; the best is 38, and 17 is its parent.
void EngineCommands::showStatesNoForgedRatio() {
    QFETCH(QString, sql);
    QFETCH(QString, says);
    const auto folder = TemporaryDirectory::create("forged").value();
    const auto file = folder.path() / "forged.gks";
    std::filesystem::copy_file(GKS_SOURCE_DIR "/resources/samples/attention-forward-h200.gks", file);
    QVERIFY(CampaignStore::open(file).has_value()); // the sample is of an earlier schema, without the columns
    QVERIFY(runCli({"show", file.string()}).ok());
    QVERIFY(Database::open(file.string(), Database::Access::readWrite).value().execute(sql.toStdString()));
    const auto shown = runCli({"show", file.string()});
    QCOMPARE(shown.exit.status.value_or(-1), 3);
    QVERIFY2(shown.error.find(file.string() + ", " + says.toStdString()) != std::string::npos &&
                 shown.error.find("--check") != std::string::npos,
             shown.error.c_str());
    QVERIFY(shown.output.empty());
}

void EngineCommands::showWorksBesideAWriter() {
    Campaign campaign;
    const Json open = cliJson({"show", campaign.file.string()});
    QCOMPARE(open["state"].get<std::string>(), std::string("running"));
    campaign.store.reset();
    const Json closed = cliJson({"show", campaign.file.string()});
    QCOMPARE(closed["state"].get<std::string>(), std::string("idle"));
}

// With its parent, which has no verdict yet, and without the second seed.
void EngineCommands::aKernelOfOnesOwnIsEvaluatedAtOnce() {
    const auto folder = TemporaryDirectory::create("gks-now").value();
    const std::string file = (folder.path() / "campaign.gks").string();
    const std::string mine = (folder.path() / "mine.hip").string();
    QVERIFY(runCli({"new", file, "--problem", "sum-reduction", "--measure-seconds", "0.1"}).ok());
    QVERIFY(writeFileAtomically(mine, "int nothing;\n"));
    QVERIFY(runCli({"steer", file, "kernel", "1", mine}).ok());
    const auto now = runCli({"steer", file, "again", "3", "--now"});
    QVERIFY2(now.exit.status.value_or(-1) == 1, now.error.c_str()); // as evaluate ends
    QVERIFY2(now.error.find("budget") == std::string::npos, now.error.c_str());
    QVERIFY2(now.output.find("00003: build-failed") != std::string::npos, now.output.c_str());
    const auto population = CampaignStore::open(file, CampaignStore::Access::read).value()->population().value();
    QVERIFY(population->kernel(1)->verdict == VerdictKind::correct);
    QVERIFY(population->kernel(2)->state == KernelState::waiting);
    QCOMPARE(population->spend.evaluations, 2);
    QVERIFY(runCli({"steer", file, "budget", "evaluations", "2"}).ok());
    const auto beyond = runCli({"steer", file, "again", "2", "--now"}); // asked by hand, so told and done
    QVERIFY2(beyond.ok(), beyond.error.c_str());
    QVERIFY2(beyond.error.find("The budget is spent: evaluation budget reached (2)") != std::string::npos,
             beyond.error.c_str());
}

void EngineCommands::interruptEndsTheRun() {
    const auto folder = TemporaryDirectory::create("interrupt").value();
    const std::string file = (folder.path() / "a.gks").string();
    QCOMPARE(runCli({"new", file, "--problem", "sum-reduction"}).exit.status.value(), 0);
    Command command;
    command.arguments = {std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-cli", "run", file};
    auto run = ChildProcess::start(command).value();
    const auto steered = [&](std::string_view action) {
        const auto store = CampaignStore::open(file, CampaignStore::Access::read);
        const auto steering = store ? (*store)->steering() : std::vector<Steering>();
        return steering &&
               std::any_of(steering->begin(), steering->end(), [&](const Steering& s) { return s.action == action; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(steered("start"), 60'000);
    ::kill(run.pid(), SIGINT); // does not wait for the evaluation
    const auto exit = run.wait(std::chrono::seconds(60));
    QVERIFY(exit.has_value());
    QCOMPARE(exit->status.value_or(-1), 0);
    QVERIFY(steered("stop"));
    QVERIFY(CampaignStore::open(file)); // nothing holds it any more
}

QTEST_GUILESS_MAIN(EngineCommands)
#include "engine_commands.moc"
