// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/engine/engine.h"
#include "core/problem/problem.h"
#include "core/scientist/conversation.h"
#include "tests/support/cli_run.h"
#include "tests/support/scripted_server.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

// A campaign whose designer asks a question of the machine: hand-written replies in the place of a model, the real
// compiler, sandbox and judge. The figure that the probe measured stands in the next prompt.
namespace {

constexpr const char* probe = R"(// Cost of a round through shared memory
// probe: one_round
// probe: many_rounds ops=4000*64 less=one_round
#include "problem.h"

template<int ROUNDS>
__global__ void rounds(Problem p) {
    __shared__ float words[64];
    volatile float* own = &words[threadIdx.x];
    float value = p.x[threadIdx.x];
    for (int i = 0; i < ROUNDS; ++i) {
        *own = value;
        value = *own * 0.5f;
    }
    if (int(threadIdx.x) < p.variant) {
        p.y[threadIdx.x] = value == 12345.0f ? value : p.x[threadIdx.x];
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    if (p.variant == 1) {
        rounds<1><<<1, 64, 0, stream>>>(p);
    } else {
        rounds<4001><<<1, 64, 0, stream>>>(p);
    }
    return hipGetLastError();
}
)";

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Five experiments of which the second is a probe; a design that knows the figure rests on it.
std::string design(int round) {
    Json reply = {{"diagnosis", {{{"shapes", "all"}, {"limit", "memory"}, {"evidence", "e"}, {"headroom", 2}}}},
                  {"avenues", {"a", "b", "c", "d", "e"}},
                  {"experiments", Json::array()}};
    for (int i = 0; i < 5; ++i) {
        Json one = {
            {"avenue", ""},         {"limit", "memory"}, {"shapes", "all"},
            {"kind", "rewrite"},    {"rubric", "r"},     {"description", fmt::format("{} of round {}", i, round)},
            {"disproof", "slower"}, {"gain", {1, 2}},    {"innovation", 5}};
        if (round == 1 && i == 1) {
            one["kind"] = "probe";
            one["description"] = "What does a round through shared memory cost?";
            one.erase("gain");
        }
        if (round == 2 && i == 0) {
            one["uses"] = {"F1"};
        }
        reply["experiments"].push_back(one);
    }
    if (round == 2) {
        reply["lessons"] = {
            {{"text", "Shared memory is cheap here: keep partial sums there"}, {"from", {"F1", "00001"}}}};
    }
    return reply.dump();
}

std::string replyTo(const std::string& request, std::atomic<int>& designs) {
    if (contains(request, "You are the Experiment Designer")) {
        return design(++designs);
    }
    if (contains(request, "This time you write a probe")) {
        return fmt::format("It repeats one round.\n```hip\n{}```\n```json\n{}\n```\n", probe,
                           R"({"report": [], "title": "Cost of a round through shared memory"})");
    }
    return "nothing";
}

} // namespace

class ProbesInCampaigns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aQuestionIsAnsweredInTheNextPrompt();

private:
    std::optional<TemporaryDirectory> m_cache;
};

void ProbesInCampaigns::initTestCase() {
    m_cache = TemporaryDirectory::create("probes-cache").value();
    qputenv("GKS_CACHE", m_cache->path().c_str());
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
    qputenv("GKS_CONFIG", (m_cache->path() / "config").c_str());
}

void ProbesInCampaigns::aQuestionIsAnsweredInTheNextPrompt() {
    std::atomic<int> designs = 0;
    ScriptedServer server({[&](const ScriptedServer::Connection& connection) {
        const Json body = {
            {"choices",
             {{{"message", {{"content", replyTo(connection.request, designs)}}}, {"finish_reason", "stop"}}}},
            {"usage", {{"prompt_tokens", 1000}, {"completion_tokens", 500}}}};
        ScriptedServer::answer(200, body.dump())(connection);
    }});
    const auto folder = TemporaryDirectory::create("probes-in-campaigns").value();
    const auto file = folder.path() / "c.gks";
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.scientist = ScientistKind::model;
    settings.mode = Mode::approveExperiments;
    settings.measureSeconds = 0.1;
    settings.policies.checkReports = false;
    settings.models["default"] = {"openai", server.url(), "test-model", "", 0.7, 16384};
    ProblemPack pack = loadProblemPack(settings.problem).value();
    QVERIFY(keepSeeds(pack, {"naive"}));
    QVERIFY(CampaignStore::create(file, settings, pack));

    EngineOptions options;
    options.trusted = {TrustKind::server};
    options.lanes = {LaneSpec{TargetKind::cpu, 0, {std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-evaluator"}}};
    std::string figure;
    {
        const auto engine = Engine::open(file, options).value();
        engine->send(command::Start{});
        QVERIFY(engine->waitUntilQuiet(300)); // the proposals wait
        const auto& proposed = engine->population()->experiments;
        QCOMPARE(proposed.size(), 5u);
        QVERIFY(proposed[1].kind == ExperimentKind::probe && proposed[1].pick == "probe" && !proposed[1].predicted);
        for (const Experiment& experiment : SharedList<Experiment>(proposed)) {
            if (!experiment.pick.empty() && experiment.kind != ExperimentKind::probe) {
                engine->send(command::RejectExperiment{experiment.id});
            }
        }
        engine->send(command::ApproveExperiment{proposed[1].id});
        QVERIFY(engine->waitUntilQuiet(300)); // and those of the second round
        QCOMPARE(designs.load(), 2);

        const PopulationPtr population = engine->population();
        QCOMPARE(population->kernels.size(), 1u);
        QCOMPARE(population->probes.size(), 1u);
        QVERIFY2(population->probes.front().verdict == VerdictKind::correct, population->probes.front().reason.c_str());
        QCOMPARE(population->experiments[1].state, ExperimentState::done);
        const Finding& figures = population->findings.front();
        QVERIFY(figures.probe == population->probes.front().id);
        const std::size_t at = figures.text.find("- many_rounds: ");
        QVERIFY2(at != std::string::npos && contains(figures.text, " ns each ["), figures.text.c_str());
        figure = figures.text.substr(at);

        std::vector<std::string> prompts;
        const auto exchanges = engine->exchanges({}, {}).value();
        for (const Exchange& exchange : exchanges) {
            QVERIFY2(exchange.error.empty(), exchange.error.c_str());
            if (exchange.stage == "designer") {
                prompts.push_back(messagesOf(exchange.prompt).back().content);
            }
        }
        QCOMPARE(prompts.size(), 2u);
        QVERIFY(!contains(prompts[0], "<measured>"));
        QVERIFY2(contains(prompts[1], "<measured>\nF1: Cost of a round through shared memory (cpu"),
                 prompts[1].c_str());
        QVERIFY(contains(prompts[1], figure) && contains(prompts[1], "its figures: F1"));
        for (const Shape& shape : pack.shapesOf(ShapeSet::heldOut)) {
            QVERIFY(!contains(prompts[1], pack.shapeLabel(shape)));
        }
        QVERIFY(population->experiments[5].uses == std::vector<std::int64_t>{1});
        const Finding& lesson = population->findings.back();
        QVERIFY(lesson.author == Author::model && !lesson.probe && lesson.evaluations.size() == 2);
    }
    // The same for people and scripts.
    const Json shown = cliJson({"show", file.string()});
    QCOMPARE(shown.at("kernels").size(), 1u);
    QCOMPARE(shown.at("probes").at(0).at("finding").get<int>(), 1);
    const Json findings = cliJson({"findings", file.string()});
    QCOMPARE(findings.at("findings").at(0).at("used_by").get<int>(), 1);
    const auto text = runCli({"findings", file.string()}).output;
    QVERIFY2(contains(text, "Measured on this machine, by probes:") && contains(text, figure.substr(2, 40)),
             text.c_str());
    const Json page =
        cliJson({"show", file.string(), "--kernel", shown.at("probes").at(0).at("id").get<std::string>()});
    QCOMPARE(page.at("figures").at(1).at("variant").get<std::string>(), std::string("many_rounds"));
    qInfo("%s", figure.c_str());
}

QTEST_GUILESS_MAIN(ProbesInCampaigns)
#include "probes_in_campaigns.moc"
