// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/campaign/file_lock.h"
#include "core/campaign/store.h"
#include "core/engine/engine.h"
#include "core/problem/problem.h"
#include "tests/support/mcp_client.h"

#include <QTest>
#include <optional>

using namespace gks;
using namespace gks::test;

namespace {

std::string seedSource() {
    return loadProblemPack("row-softmax").value().seeds.front().source;
}

} // namespace

// What agents build, measure and propose, with the judge of this machine.
class McpJudge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void triedWithoutACampaign();
    void whatDoesNotBuildSaysWhy();
    void inspectedAndLeftInTheMiddle();
    void proposedToACampaignThatNobodyHasOpen();
    void proposedToACampaignThatIsOpen();
};

void McpJudge::triedWithoutACampaign() {
    McpClient client;
    const Json begun = client.json(
        "evaluate",
        {{"problem", "row-softmax"}, {"source", seedSource()}, {"baseline_source", seedSource() + "\n// the same\n"}});
    const Json done = Json::parse(client.result(begun["handle"].get<std::string>()));
    const auto verdict = done["verdict"].get<std::string>();
    QVERIFY2(verdict == "tie" || verdict == "undecided" || verdict == "faster" || verdict == "slower",
             done.dump().c_str());
    QVERIFY(done["geomean_us"].get<double>() > 0 && !done["measurements"].empty() && done["target"] == "cpu");
    QVERIFY(done["checks"]["passed"] == done["checks"]["of"] && done["comparison"]["ratio"].get<double>() > 0);
}

void McpJudge::whatDoesNotBuildSaysWhy() {
    McpClient client;
    const Json begun =
        client.json("evaluate", {{"problem", "row-softmax"}, {"source", "#include \"problem.h\"\nint x = nothing;\n"}});
    const Json done = Json::parse(client.result(begun["handle"].get<std::string>()));
    QVERIFY(done["verdict"] == Json("build-failed"));
    const auto failure = done["failure"].get<std::string>();
    QVERIFY2(failure.find("nothing") != std::string::npos && failure.find("/work") == std::string::npos,
             failure.c_str());
}

void McpJudge::inspectedAndLeftInTheMiddle() {
    McpClient client;
    std::string text = client.call("inspect", {{"problem", "row-softmax"}, {"source", seedSource()}});
    const Json said = Json::parse(text);
    if (said.contains("handle")) { // a busy machine
        text = client.result(said["handle"].get<std::string>());
    }
    const Json report = Json::parse(text);
    QVERIFY2(report["architecture"] == "gfx942" && !report["kernels"].empty(), text.c_str());
    client.json("evaluate", {{"problem", "row-softmax"}, {"source", seedSource()}});
    client.closeInput();
    const auto exit = client.process().wait(std::chrono::seconds(60)); // it does not wait for the evaluation
    QVERIFY(exit && exit->ok());
}

namespace {

std::string smallCampaign(const TemporaryDirectory& folder) {
    const std::string file = (folder.path() / "campaign.gks").string();
    CampaignSettings settings;
    settings.problem = "row-softmax";
    settings.measureSeconds = 0.3;
    auto pack = loadProblemPack(settings.problem).value();
    if (!keepSeeds(pack, {pack.seeds.front().name}) || !CampaignStore::create(file, settings, pack)) {
        qFatal("no campaign");
    }
    return file;
}

} // namespace

void McpJudge::proposedToACampaignThatNobodyHasOpen() {
    const auto folder = TemporaryDirectory::create("gks-mcp-judge").value();
    const std::string file = smallCampaign(folder);
    McpClient client({file});
    const Json begun = client.json(
        "propose",
        {{"basis", "00001"}, {"title", "the same and a number"}, {"source", seedSource() + "\nstatic int number;\n"}});
    QVERIFY(begun["kernel"] == Json("00002"));
    QVERIFY(begun["by"] == Json("agent:test-agent"));
    const Json done = Json::parse(client.result(begun["handle"].get<std::string>()));
    QVERIFY2(done["result"]["checks"]["passed"].get<int>() > 0, done.dump().c_str());
    QTRY_VERIFY_WITH_TIMEOUT(!FileLock::isHeld(file), 30'000); // the person may open it
    const auto population = CampaignStore::open(file, CampaignStore::Access::read).value()->population().value();
    QCOMPARE(population->kernel(2)->writer, std::string("agent:test-agent"));
    QVERIFY(population->kernel(2)->verdict && population->kernel(1)->verdict);
    QCOMPARE(population->spend.evaluations, std::int64_t{2});
}

void McpJudge::proposedToACampaignThatIsOpen() {
    const auto folder = TemporaryDirectory::create("gks-mcp-judge").value();
    const std::string file = smallCampaign(folder);
    EngineOptions options; // as the window has it
    options.measuresWhenAsked = true;
    options.place = RunPlace::window;
    options.sink = [](const EngineEvent&) {};
    const auto engine = Engine::open(file, std::move(options)).value();
    McpClient client({file});
    const auto by = client.json("budget")["opened_by"].get<std::string>();
    QVERIFY2(by.starts_with("window"), by.c_str());
    const Json begun = client.json(
        "propose",
        {{"basis", "1"}, {"title", "the same and a number"}, {"source", seedSource() + "\nstatic int number;\n"}});
    const Json done = Json::parse(client.result(begun["handle"].get<std::string>()));
    QVERIFY2(done["result"].contains("verdict"), done.dump().c_str());
    QVERIFY(engine->waitUntilQuiet(60));
    QVERIFY(engine->population()->kernel(2)->verdict.has_value());
    QVERIFY(isOfAgent(*engine->population()->kernel(2)));
}

QTEST_APPLESS_MAIN(McpJudge)
#include "mcp_judge.moc"
