// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/engine/engine.h"
#include "core/scientist/conversation.h"
#include "tests/support/mock_llm.h"

#include <QTest>
#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

using namespace gks;

// A whole campaign by a model behind each of the three interfaces: hand-written replies from aimock, the real compiler,
// sandbox and judge. On the way a draft that copies a seed is refused, one that does not compile is mended, and a
// report is doubted.
class CampaignByModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyProvider_data();
    void everyProvider();

private:
    std::optional<TemporaryDirectory> m_cache; // what one provider's campaign built, the next one has
};

namespace {

constexpr int seedCount = 4;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

template<class Items, class Wanted>
int count(const Items& items, const Wanted& wanted) {
    return static_cast<int>(std::count_if(items.begin(), items.end(), wanted));
}

} // namespace

void CampaignByModel::initTestCase() {
    m_cache = TemporaryDirectory::create("campaign-cache").value();
    qputenv("GKS_CACHE", m_cache->path().c_str());
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
    qputenv("GKS_CONFIG", (m_cache->path() / "config").c_str());
}

void CampaignByModel::everyProvider_data() {
    QTest::addColumn<QByteArray>("interface");
    for (const char* provider : {"openai", "anthropic", "gemini"}) {
        QTest::newRow(provider) << QByteArray(provider == std::string_view("gemini") ? "beta" : "");
    }
}

void CampaignByModel::everyProvider() {
    QFETCH(QByteArray, interface);
    std::string reason;
    if (MockLlm::find(reason).empty()) {
        QSKIP(reason.c_str());
    }
    auto mock = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/campaign.json", {"--chunk-size", "60"});
    QVERIFY2(mock.has_value(), mock ? "" : mock.error().message().c_str());
    const auto folder = TemporaryDirectory::create("campaign-by-model").value();
    CampaignSettings settings;
    settings.problem = "fp8-gemm";
    settings.scientist = ScientistKind::model;
    settings.measureSeconds = 0.1;
    settings.budgets.evaluations = seedCount + 3; // three drafts: the one that does not build costs none
    settings.models["default"] = {
        QTest::currentDataTag(), (*mock)->url() + interface.toStdString(), "test-model", "", 0.7, 16384};
    QVERIFY(CampaignStore::create(folder.path() / "c.gks", settings));

    std::mutex mutex;
    std::vector<std::string> warnings;
    EngineOptions options;
    options.trusted = {TrustKind::server};
    options.lanes = {LaneSpec{TargetKind::cpu, 0, {std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-evaluator"}}};
    options.sink = [&](const EngineEvent& event) {
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            const std::lock_guard lock(mutex);
            warnings.push_back(warning->error.message());
        }
    };
    const auto engine = Engine::open(folder.path() / "c.gks", options).value();
    engine->send(command::Start{});
    QVERIFY(engine->waitUntilQuiet(900));
    const std::lock_guard lock(mutex);
    QVERIFY2(warnings.empty(), warnings.empty() ? "" : warnings.front().c_str());

    const PopulationPtr population = engine->population();
    QCOMPARE(population->kernels.size(), std::size_t{seedCount + 4});
    QCOMPARE(population->spend.evaluations, std::int64_t{seedCount + 3});
    const auto& kernels = population->kernels;
    QCOMPARE(count(kernels, [](const Kernel& k) { return k.verdict == VerdictKind::buildFailed; }), 1);
    QCOMPARE(count(kernels,
                   [](const Kernel& k) { return k.author == Author::model && k.verdict && isAccepted(*k.verdict); }),
             3);
    for (const Kernel& kernel : kernels) {
        if (kernel.author == Author::model) {
            QVERIFY(kernel.model == "test-model" && !kernel.rubric.orNothing().empty());
        }
    }
    // Every experiment that was picked came to a kernel; who proposed it is known.
    QCOMPARE(count(population->experiments, [](const Experiment& e) { return e.state == ExperimentState::done; }), 3);
    QVERIFY(population->experiments.front().model == "test-model");

    const auto exchanges = engine->exchanges({}, {}).value();
    const auto of = [&](const char* stage) {
        return count(exchanges, [&](const Exchange& e) { return e.stage == stage; });
    };
    QCOMPARE(of("repair"), 1);
    QCOMPARE(of("writer"), 4); // one of them again
    QCOMPARE(of("checker"), 4);
    const auto refused =
        std::find_if(exchanges.begin(), exchanges.end(), [](const Exchange& e) { return !e.error.empty(); });
    QVERIFY(refused != exchanges.end());
    QVERIFY2(contains(refused->error, "same as kernel 00001 except for comments, formatting and local names"),
             refused->error.c_str());
    QCOMPARE(count(exchanges, [](const Exchange& e) { return !e.error.empty(); }), 1);
    const auto repair =
        std::find_if(exchanges.begin(), exchanges.end(), [](const Exchange& e) { return e.stage == "repair"; });
    QVERIFY2(contains(repair->prompt, "kernel.hip:19:71: error: use of undeclared identifier 'scale_cols'") &&
                 !contains(repair->prompt, "error generated"),
             repair->prompt.c_str());
    for (const Exchange& exchange : exchanges) {
        QVERIFY(exchange.tokensIn > 0 && exchange.tokensOut > 0 && exchange.firstTokenSeconds > 0 &&
                exchange.attempts == 1);
        // Whoever writes code or designs it has the knowledge of the device.
        QCOMPARE(!exchange.inclusions.empty(), exchange.stage != "selector" && exchange.stage != "checker");
    }
    // The server's own journal agrees: it was asked what the campaign shows, and nothing else. Calls overlap: the
    // order is not the same.
    const auto journal = parseJson((*mock)->journal(), "journal");
    QVERIFY(journal && journal->size() == exchanges.size());
    std::vector<std::string> sent;
    for (const Json& call : *journal) {
        sent.push_back(call.at("body").dump());
    }
    for (const Exchange& exchange : exchanges) {
        const auto messages = messagesOf(exchange.prompt);
        const auto same = std::find_if(sent.begin(), sent.end(), [&](const std::string& body) {
            return std::all_of(messages.begin(), messages.end(), [&](const ChatMessage& message) {
                const std::string quoted = Json(message.content).dump();
                return contains(body, quoted.substr(1, quoted.size() - 2));
            });
        });
        QVERIFY2(same != sent.end(), exchange.prompt.substr(0, 400).c_str());
        sent.erase(same);
    }
    // What was claimed and not done is marked, and stays with the kernel.
    const auto doubted = std::find_if(kernels.begin(), kernels.end(), [](const Kernel& k) {
        const auto rubric = k.rubric.orNothing();
        return std::ranges::any_of(rubric, [](const RubricItem& i) { return i.confirmed == false; });
    });
    QVERIFY(doubted != kernels.end() && contains(doubted->report.orNothing(), "[doubted: No added line does it.]"));
    qInfo("%s: best %s, %.2f times the baseline; %zu exchanges", QTest::currentDataTag(),
          kernelLabel(*population->best).c_str(), population->speed(*population->kernel(*population->best))->ratio,
          exchanges.size());
}

QTEST_APPLESS_MAIN(CampaignByModel)
#include "campaign_by_model.moc"
