// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"
#include "tests/support/scripted_server.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

// `run` while a model says nothing: what it waits for is seen, and what was sent is not sent again before somebody
// asks.
class RunWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void silentModelIsShownAndAskedOnce();
};

void RunWaits::silentModelIsShownAndAskedOnce() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) { connection.waitForHangUp(); }});
    const auto folder = TemporaryDirectory::create("gks-run-waits").value();
    const std::string file = (folder.path() / "campaign.gks").string();
    qputenv("GKS_CONFIG", (folder.path() / "config").c_str());
    CampaignSettings settings;
    settings.problem = "row-softmax";
    settings.scientist = ScientistKind::model;
    settings.policies.selector = SelectorPolicy::best; // the Designer is the first that is asked
    settings.models["default"] = {"openai", server.url(), "silent-model", "", 0.7, 1000};
    settings.models["default"].limits.silenceSeconds = 5;
    QVERIFY(CampaignStore::create(file, settings));
    {
        const auto store = CampaignStore::open(file, CampaignStore::Access::write).value();
        const auto seeds = store->population().value()->kernels;
        for (const Kernel& seed : seeds) {
            QVERIFY(store->addEvaluation(sampleEvaluation(seed.id, 100.0 * static_cast<double>(seed.id))));
        }
    }
    const CompletedProcess first = runCli({"run", file, "--trust", "server"});
    QCOMPARE(first.exit.status.value_or(-1), 3);
    for (const char* part : {"designer: no text yet, ", "no byte for 5.00 s",
                             "it was accepted, so it is not sent again", "tokens in and 0 out, $0.00 (estimated)"}) {
        QVERIFY2(first.error.find(part) != std::string::npos, (part + ("\n" + first.error)).c_str());
    }
    QCOMPARE(server.requests().size(), std::size_t{1});
    const Json exchange = cliJson({"conversation", file}).at("exchanges").at(0);
    QVERIFY(exchange.at("tokens_estimated").get<bool>() && exchange.at("tokens_in").get<int>() > 1000);
    QVERIFY(runCli({"conversation", file}).output.find("  ~") != std::string::npos);
    QCOMPARE(runCli({"run", file}).exit.status.value_or(-1), 3); // the person's word
    QCOMPARE(server.requests().size(), std::size_t{2});
}

QTEST_APPLESS_MAIN(RunWaits)
#include "run_waits.moc"
