// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"
#include "core/base/text.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

// copy and runs as scripts use them.
class CampaignCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void copiesBesideAWriter();
    void showsLibrariesBesideTheBest();
    void showsTheBestAlone();
    void showsWhatASearchFinds();
    void showsTheNewestAlone();
    void listsWhatIsOpen();
    void theEndSaysWhenAReaderKeepsTheLog();
    void stopEndsARun();

private:
    std::optional<TemporaryDirectory> m_state;
};

namespace {

void fails(const std::vector<std::string>& words, int status, const std::string& says) {
    const auto done = runCli(words);
    QCOMPARE(done.exit.status.value_or(-1), status);
    QVERIFY2(done.error.find(says) != std::string::npos, done.error.c_str());
}

} // namespace

void CampaignCommands::initTestCase() {
    m_state.emplace(TemporaryDirectory::create("state").value());
    qputenv("GKS_STATE", m_state->path().c_str());
}

void CampaignCommands::copiesBesideAWriter() {
    Campaign campaign;
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int a;")));
    const std::string copy = (campaign.folder.path() / "copy.gks").string();
    QCOMPARE(runCli({"copy", campaign.file.string(), copy}).output, copy + "\n");
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int b;")));
    QCOMPARE(cliJson({"show", copy})["kernels"].size(), 3u);
    fails({"copy", campaign.file.string(), copy}, 2, "already exists");
    QCOMPARE(runCli({"copy", "--replace", campaign.file.string(), copy}).exit.status.value_or(-1), 0);
    QCOMPARE(cliJson({"show", copy})["kernels"].size(), 4u);
    fails({"copy", campaign.file.string()}, 2, "one name");
    fails({"copy", copy, campaign.file.string(), "--replace"}, 3, "in use by process");
}

void CampaignCommands::showsLibrariesBesideTheBest() {
    Campaign campaign;
    QVERIFY(cliJson({"show", campaign.file.string()})["anchors"].empty());
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(2, 50, KernelId{1})));
    AnchorFigure anchor;
    anchor.name = "cublaslt";
    anchor.title = "cuBLASLt";
    anchor.lacks = "sums in fewer bits";
    QVERIFY(campaign.store->addAnchor(anchor, sampleEvaluation(1, 40, KernelId{1}).verdict));
    anchor.name = "cudnn";
    QVERIFY(campaign.store->addAnchor(
        anchor, failedVerdict(VerdictKind::infrastructureFailed, "libcudnn.so is not installed here")));
    const Json anchors = cliJson({"show", campaign.file.string()})["anchors"];
    QCOMPARE(anchors.size(), std::size_t{2});
    QCOMPARE(anchors[0]["name"].get<std::string>(), std::string("cublaslt"));
    QCOMPARE(anchors[0]["geomean_us"].get<double>(), 40.0);
    QVERIFY(std::abs(anchors[0]["best_ratio"].get<double>() - 0.8) < 0.01);
    QVERIFY(anchors[0]["best_ratio_ci95"][0].get<double>() < 0.8 &&
            anchors[0]["best_ratio_ci95"][1].get<double>() > 0.8);
    QVERIFY(anchors[1]["geomean_us"].is_null() && anchors[1]["best_ratio"].is_null());
    const std::string shown = runCli({"show", campaign.file.string()}).output;
    for (const char* part : {"The best against it", "0.800x [", "sums in fewer bits", "not measured",
                             "libcudnn.so is not installed here"}) {
        QVERIFY2(shown.find(part) != std::string::npos, shown.c_str());
    }
    const std::string kernel = runCli({"show", campaign.file.string(), "--kernel", "2"}).error;
    QVERIFY2(kernel.find("Against a library: 0.800x [") != std::string::npos, kernel.c_str());
}

// It says what the whole population says, of whatever the file knows.
void CampaignCommands::showsTheBestAlone() {
    Campaign campaign;
    const std::string file = campaign.file.string();
    const auto same = [&] {
        const Json alone = cliJson({"show", file, "--best"});
        const Json whole = cliJson({"show", file});
        const Json best = whole["best"].is_null() ? Json() : [&] {
            for (const Json& kernel : whole["kernels"]) {
                if (kernel["id"] == whole["best"]) {
                    return kernel;
                }
            }
            return Json();
        }();
        return alone["best"] == best && alone["headline"] == whole["headline"] &&
               alone.value("confirmation", Json()) == whole.value("confirmation", Json());
    };
    QVERIFY(cliJson({"show", file, "--best"})["best"].is_null() && same());
    QCOMPARE(runCli({"show", file, "--best"}).output, std::string("No kernel has passed yet.\n"));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(2, 50, KernelId{1})));
    QVERIFY(same()); // while it is written, and no row says who is the best
    campaign.reopen();
    QVERIFY(campaign.store->population());
    campaign.store.reset();
    QVERIFY(same());
    QCOMPARE(cliJson({"show", file, "--best"})["best"]["id"].get<std::string>(), std::string("00002"));
    const std::string text = runCli({"show", file, "--best"}).output;
    for (const char* part : {"Best: 00002 ", "2.00x [", "not confirmed", "Verdict: faster", "--kernel 00002"}) {
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    }
    fails({"show", file, "--best", "--kernel", "1"}, 2, "--best");
}

void CampaignCommands::showsWhatASearchFinds() {
    Campaign campaign;
    const std::string file = campaign.file.string();
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "float4 my_tile[8];")));
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "float4 other;")));
    const Json found = cliJson({"show", file, "--search", "float4 my_t"});
    QCOMPARE(found["kernels"].size(), std::size_t{1});
    QCOMPARE(found["kernels"][0]["id"].get<std::string>(), std::string("00003"));
    QVERIFY(!found["more"].get<bool>());
    QCOMPARE(cliJson({"show", file, "--search", "float4"})["kernels"].size(), std::size_t{2});
    const std::string text = runCli({"show", file, "--search", "float4"}).output;
    QVERIFY2(text.find("00003") != std::string::npos && text.find("00004") != std::string::npos, text.c_str());
    QVERIFY2(text.find("00001 ") == text.find("00001"), text.c_str());
    QCOMPARE(runCli({"show", file, "--search", "nowhere"}).output, std::string("No kernel has all of these words.\n"));
    fails({"show", file, "--search", ""}, 2, "no word to look for");
    fails({"show", file, "--search", "* ("}, 2, "no word to look for");
}

// As `show` does by itself in a campaign of thousands.
void CampaignCommands::showsTheNewestAlone() {
    Campaign campaign;
    const std::string file = campaign.file.string();
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(2, 50, KernelId{1})));
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "float other;")));
    const std::string text = runCli({"show", file, "--newest", "1"}).output;
    for (const char* part : {"The newest 1 of 3 ", "00003", "Best: 00002 ", "2.00x [", "Spend: "}) {
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    }
    QVERIFY2(text.find("\n  00001") == std::string::npos, text.c_str()); // as a row; it is a parent
    QVERIFY(runCli({"show", file, "--newest", "9"}).output.find("The newest 3 of 3 ") != std::string::npos);
    QVERIFY(runCli({"show", file}).output.find("The newest") == std::string::npos);
    fails({"show", file, "--newest", "0"}, 2, "--newest");
    fails({"show", file, "--newest", "1", "--best"}, 2, "--newest");
}

void CampaignCommands::listsWhatIsOpen() {
    QCOMPARE(runCli({"runs"}).output, std::string("No campaign is open.\n"));
    Campaign campaign;
    const Json runs = cliJson({"runs"});
    QCOMPARE(runs.size(), 1u);
    QCOMPARE(runs[0]["file"].get<std::string>(), std::filesystem::canonical(campaign.file).string());
    QCOMPARE(runs[0]["process"].get<int>(), static_cast<int>(QCoreApplication::applicationPid()));
    QCOMPARE(runs[0]["place"].get<std::string>(), std::string("headless"));
    QVERIFY(runCli({"runs"}).output.find("being changed") != std::string::npos);
    campaign.store.reset();
    QVERIFY(cliJson({"runs"}).empty());
    fails({"runs", "stop", campaign.file.string()}, 2, "no program runs this campaign");
    fails({"runs", "end", campaign.file.string()}, 2, "runs stop FILE.gks");
}

void CampaignCommands::theEndSaysWhenAReaderKeepsTheLog() {
    const auto folder = TemporaryDirectory::create("reader").value();
    const std::string file = (folder.path() / "a.gks").string();
    QVERIFY(runCli({"new", file, "--problem", "sum-reduction", "--scientist", "tuner"}).ok());
    auto reader = ChildProcess::start({{"sqlite3", file}}).value();
    QVERIFY(reader.write("BEGIN; SELECT count(*) FROM kernel;\n"));
    std::string line;
    LineReader lines(reader.outputDescriptor());
    QVERIFY(lines.next(line, std::chrono::seconds(20)) == LineReader::Status::line);
    const std::string words = "is not whole by itself";
    QVERIFY(runCli({"run", file, "--evaluations", "1"}).error.find(words) != std::string::npos);
    QVERIFY(reader.write("COMMIT;\n.quit\n"));
    QVERIFY(reader.wait(std::chrono::seconds(20)).has_value());
    // What happens, as it happens: nothing but objects, one a line.
    const auto told = runCli({"run", file, "--evaluations", "1", "--events"});
    QVERIFY(told.error.find(words) == std::string::npos);
    std::map<std::string, Json> last;
    std::string newest;
    for (const std::string_view one : gks::lines(told.output)) {
        const auto json = parseJson(one, "event");
        QVERIFY2(json, std::string(one).c_str());
        newest = json->at("event").get<std::string>();
        last[newest] = *json;
    }
    QVERIFY(!last["activity"]["lane"].get<std::string>().empty());
    QCOMPARE(last["kernel"]["state"].get<std::string>(), std::string("evaluated"));
    QCOMPARE(newest, std::string("end"));
    QVERIFY(!last["end"]["campaign"]["best"].get<std::string>().empty());
}

void CampaignCommands::stopEndsARun() {
    const auto folder = TemporaryDirectory::create("stop").value();
    const std::string file = (folder.path() / "a.gks").string();
    QCOMPARE(runCli({"new", file, "--problem", "sum-reduction"}).exit.status.value_or(-1), 0);
    Command command;
    command.arguments = {std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-cli", "run", file};
    auto run = ChildProcess::start(command).value();
    const auto state = [] {
        const Json runs = cliJson({"runs"});
        return runs.empty() ? std::string() : runs[0]["state"].get<std::string>();
    };
    QTRY_VERIFY_WITH_TIMEOUT(state() == "running", 60'000);
    const auto stopped = runCli({"runs", "stop", file});
    QVERIFY2(stopped.exit.status == 0, stopped.error.c_str());
    QVERIFY2(stopped.output.find("everything finished is stored") != std::string::npos, stopped.output.c_str());
    QVERIFY(run.wait(std::chrono::seconds(20)).has_value());
    QVERIFY(cliJson({"runs"}).empty());
    for (const char* suffix : {"-wal", "-shm"}) {
        QVERIFY(!std::filesystem::exists(file + suffix));
    }
}

QTEST_GUILESS_MAIN(CampaignCommands)
#include "campaign_commands.moc"
