// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/judge/evaluator/trial/planned_kernel.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_json.h"
#include "tests/support/cli_run.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

// `plan` as people and scripts use it.
class PlanCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTableForPeople();
    void jsonForScripts();
    void aCallOfTwoLinesNamesItsFunction();
    void theAddressesOfAnEvaluation();
    void refusedByNameAndLine();
    void wrongUsage_data();
    void wrongUsage();

private:
    const std::string m_source = GKS_SOURCE_DIR;
    const std::string m_seed = m_source + "/resources/problems/sum-reduction/seeds/naive.hip";
};

void PlanCommand::aTableForPeople() {
    const auto shown = runCli({"plan", m_seed, "--problem", "sum-reduction", "--shape", "2"});
    QVERIFY2(shown.ok(), shown.error.c_str());
    const auto has = [&](std::string_view text) { return shown.output.find(text) != std::string::npos; };
    QVERIFY2(has("  1  0       fill       y, 4 B with 0x0"), shown.output.c_str());
    QVERIFY2(has("  2  0       launch     sum_naive(Problem)  64    256    0 B  {x, y, n=1048576}  kernel.hip:20"),
             shown.output.c_str());
    QVERIFY2(has("Operations: 2 on 1 stream. Workspace: 0 B. Waits of the host: 0."), shown.output.c_str());
}

void PlanCommand::jsonForScripts() {
    const Json json = cliJson({"plan", m_seed, "--problem", "sum-reduction"});
    const auto plan = planFromJson(json.at("plan"), "plan");
    QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
    QCOMPARE(plan->operations.size(), std::size_t{2});
    QVERIFY(planFromJson(json.at("setup"), "setup").value().operations.empty());
    QCOMPARE(json.at("lines").size(), std::size_t{2});
    QVERIFY(json.at("solve_us").get<double>() > 0);
}

// The compiler makes one call of the two launches, which stands in no line.
void PlanCommand::aCallOfTwoLinesNamesItsFunction() {
    const auto folder = TemporaryDirectory::create("gks-plan").value();
    const auto kernel = folder.path() / "two.hip";
    QVERIFY(writeFileAtomically(kernel, R"(#include "problem.h"
__global__ void first(Problem p) { *p.y = p.x[0]; }
__global__ void second(Problem p) { *p.y = p.x[1]; }
extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    if ((reinterpret_cast<unsigned long long>(p.x) & 0xfffff) == 0) {
        first<<<1, 1, 0, stream>>>(p);
    } else {
        second<<<1, 1, 0, stream>>>(p);
    }
    return hipGetLastError();
}
)"));
    const auto shown = runCli({"plan", kernel.string(), "--problem", "sum-reduction"});
    QVERIFY2(shown.ok(), shown.error.c_str());
    QVERIFY2(shown.output.find("  in solve\n") != std::string::npos, shown.output.c_str());
    QVERIFY2(shown.output.find("0x") == std::string::npos, shown.output.c_str());
}

// solve() sees where its tensors lie, so that a plan for other places may be another plan.
void PlanCommand::theAddressesOfAnEvaluation() {
    const Json json = cliJson({"plan", m_seed, "--problem", "sum-reduction", "--shape", "2"});
    const ProblemPack pack = loadProblemPack("sum-reduction").value();
    const CaseLayout layout = layoutOf(pack, pack.shapesOf(ShapeSet::cpu)[1]).value();
    const SetAddresses shown = setAddressesFromJson(json.at("addresses"), "addresses").value();
    QVERIFY2(shown == addressesOn(pack, TargetKind::cpu, layout, 0), json.at("addresses").dump().c_str());
}

void PlanCommand::refusedByNameAndLine() {
    const auto refused = runCli({"plan", m_source + "/tests/cheats/honest/own_buffer.hip", "--problem",
                                 m_source + "/tests/data/kernels/affine"});
    QCOMPARE(refused.exit.status, std::optional<int>(1));
    QCOMPARE(refused.output, "");
    QVERIFY2(refused.error.find(
                 "build-failed: rows=16 cols=1000: kernel.hip:27: hipMalloc allocates memory of the device. Use the "
                 "workspace: workspace_bytes() says how much of it\n") != std::string::npos,
             refused.error.c_str());
}

void PlanCommand::wrongUsage_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("too many") << "99" << "--shape: sum-reduction has ";
    QTest::newRow("none") << "0" << "--shape";
    QTest::newRow("a word") << "large" << "--shape";
}

void PlanCommand::wrongUsage() {
    QFETCH(const QString, shape);
    QFETCH(const QString, sentence);
    const auto refused = runCli({"plan", m_seed, "--problem", "sum-reduction", "--shape", shape.toStdString()});
    QCOMPARE(refused.exit.status, std::optional<int>(2));
    QVERIFY2(refused.error.find(sentence.toStdString()) != std::string::npos, refused.error.c_str());
}

QTEST_APPLESS_MAIN(PlanCommand)
#include "plan_command.moc"
