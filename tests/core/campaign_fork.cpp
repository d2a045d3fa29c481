// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/campaign/fork.h"
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <algorithm>
#include <optional>

using namespace gks;
using namespace gks::test;

namespace {

const Steering because = {0, Author::person, "test", "", 0};

} // namespace

// A campaign that begins at a kernel of another one.
class CampaignFork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void beginsAtTheKernel();
    void settingsWithoutWhatWasSpentOrWaits();
    void figuresOfProbesComeAlong();
    void whatWasLearntComesAlong();
    void kernelsThatNoCampaignBeginsWith_data();
    void kernelsThatNoCampaignBeginsWith();
    void nothingIsReplacedOrLeftBehind();

private:
    std::filesystem::path at(const char* name) const { return m_folder->path() / name; }
    std::optional<TemporaryDirectory> m_folder;
    std::unique_ptr<CampaignStore> m_store;
};

// Two seeds and four kernels: 3 faster, 4 wrong, 5 not judged, 6 a draft that a person has yet to read.
void CampaignFork::init() {
    m_store.reset();
    m_folder.emplace(TemporaryDirectory::create("gks-fork").value());
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.budgets.evaluations = 24;
    settings.hint = "mind the banks";
    settings.policies.stagnation = 4;
    ProblemPack pack = samplePack();
    m_store = CampaignStore::create(at("old.gks"), settings, pack).value();
    for (const char* source : {"int fast;", "int wrong;", "int waits;"}) {
        QVERIFY(m_store->addKernel(sampleKernel(1, source)));
    }
    Kernel draft = sampleKernel(1, "int draft;");
    draft.state = KernelState::proposed;
    QVERIFY(m_store->addKernel(draft));
    QVERIFY(m_store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(m_store->addEvaluation(sampleEvaluation(3, 50, 1)));
    Evaluation wrong = sampleEvaluation(4, 50);
    wrong.verdict = failedVerdict(VerdictKind::wrong, "no");
    QVERIFY(m_store->addEvaluation(wrong));
}

void CampaignFork::beginsAtTheKernel() {
    const auto fork = forkCampaign(*m_store, {3, {1, 3, 5}}, at("new.gks")).value();
    const PopulationPtr population = fork->population().value();
    QCOMPARE(population->kernels.size(), std::size_t{3}); // each once
    const PopulationPtr old = m_store->population().value();
    QCOMPARE(population->kernel(1)->source, std::string("int fast;"));
    QCOMPARE(population->kernel(1)->title, old->kernel(3)->title);
    QCOMPARE(population->kernel(2)->source, old->kernel(1)->source);
    QCOMPARE(population->kernel(3)->source, std::string("int waits;"));
    QVERIFY(population->baseline == KernelId{1});
    for (const Kernel& kernel : population->kernels) {
        QVERIFY(kernel.author == Author::seed && kernel.parents.empty() && !kernel.verdict);
    }
    QVERIFY(population->experiments.empty() && population->comparisons.empty());
    QCOMPARE(population->spend, Spend());
    const auto history = fork->steering().value();
    QVERIFY(std::any_of(history.begin(), history.end(), [](const Steering& line) {
        return line.action == "fork campaign" && line.detail == "forked from old at 00003";
    }));
    QVERIFY(m_store->steering().value().empty()); // the old one knows nothing of it
    QVERIFY(fork->identity().value() != m_store->identity().value());
}

void CampaignFork::settingsWithoutWhatWasSpentOrWaits() {
    CampaignSettings settings = m_store->settings().value();
    settings.pinnedParent = 3;
    settings.pinnedReference = 1;
    settings.askedComparisons = {{3, 1, true}};
    settings.lanesOut["cpu:0"] = {};
    QVERIFY(m_store->saveSettings(settings, because));
    const auto fork = forkCampaign(*m_store, {3}, at("new.gks")).value();
    CampaignSettings expected = settings;
    expected.budgets = {};
    expected.pinnedParent.reset();
    expected.pinnedReference.reset();
    expected.askedComparisons.clear();
    expected.lanesOut.clear();
    QCOMPARE(fork->settings().value(), expected);
    QCOMPARE(expected.hint, std::string("mind the banks"));
}

// Its number would be that of another kernel there, or of none.
void CampaignFork::figuresOfProbesComeAlong() {
    Kernel probe = sampleKernel(1, "int probe;");
    probe.parents = {};
    probe.probe = true;
    const KernelId id = m_store->addKernel(probe).value();
    Finding figures = {.subject = "barrier", .text = "12 ns each"};
    figures.probe = id;
    QVERIFY(m_store->addFinding(figures));
    const auto fork = forkCampaign(*m_store, {1}, at("new.gks"));
    QVERIFY2(fork.has_value(), fork ? "" : fork.error().message().c_str());
    const PopulationPtr population = (*fork)->population().value();
    QCOMPARE(population->findings.size(), std::size_t{1});
    QVERIFY(!population->findings[0].probe);
    const auto atProbe = forkCampaign(*m_store, {id}, at("none.gks"));
    QVERIFY(!atProbe && atProbe.error().what.find("is a probe") != std::string::npos);
}

void CampaignFork::whatWasLearntComesAlong() {
    Finding finding = {.subject = "pad LDS",
                       .text = "Padding helps on 00001.",
                       .gain = Interval{1.25, 1.5},
                       .evaluations = {1, 2},
                       .author = Author::engine};
    QVERIFY(m_store->addFinding(finding));
    finding.subject = "dismissed";
    finding.state = FindingState::dismissed;
    QVERIFY(m_store->addFinding(finding));
    finding = {.subject = "long", .text = std::string(limits::findingBytes, 'x')};
    QVERIFY(m_store->addFinding(finding));
    const Document guide = {
        .title = "guide", .kind = "text", .sha256 = "abc", .sizeBytes = 60, .digest = "short", .enabled = false};
    QVERIFY(m_store->addDocument(guide, {{.heading = "LDS", .text = "Padding."}}, because));
    const auto fork = forkCampaign(*m_store, {3}, at("new.gks")).value();
    const PopulationPtr population = fork->population().value();
    QCOMPARE(population->findings.size(), std::size_t{2});
    QCOMPARE(population->findings[0].text, std::string("In campaign old (its kernels' numbers; forked at 00003): "
                                                       "Padding helps on 00001."));
    QVERIFY(population->findings[0].evaluations.empty()); // those are of another file
    QVERIFY(population->findings[0].gain && population->findings[0].author == Author::engine);
    QVERIFY(population->findings[1].text.size() <= limits::findingBytes);
    QCOMPARE(population->documents.size(), std::size_t{1});
    QVERIFY(population->documents[0].digest == "short" && !population->documents[0].enabled);
    QCOMPARE(fork->passages(1).value().at(0).text, std::string("Padding."));
}

void CampaignFork::kernelsThatNoCampaignBeginsWith_data() {
    QTest::addColumn<KernelId>("kernel");
    QTest::addColumn<QString>("said");
    QTest::newRow("failed") << KernelId{4} << "kernel 00004 is wrong: no campaign begins with it";
    QTest::newRow("to be read first") << KernelId{6} << "kernel 00006 is proposed: no campaign begins with it";
    QTest::newRow("unknown") << KernelId{9} << "kernel 00009 not found";
}

void CampaignFork::kernelsThatNoCampaignBeginsWith() {
    QFETCH(KernelId, kernel);
    QFETCH(QString, said);
    for (const ForkPoint& point : {ForkPoint{kernel}, ForkPoint{3, {kernel}}}) {
        const auto fork = forkCampaign(*m_store, point, at("new.gks"));
        QVERIFY(!fork && fork.error().kind == ErrorKind::usage);
        QVERIFY2(fork.error().message().starts_with(said.toStdString()), fork.error().message().c_str());
        QVERIFY(!std::filesystem::exists(at("new.gks")));
    }
}

void CampaignFork::nothingIsReplacedOrLeftBehind() {
    QVERIFY(writeFileAtomically(at("new.gks"), "mine"));
    QVERIFY(!forkCampaign(*m_store, {3}, at("new.gks")));
    QCOMPARE(readFile(at("new.gks"), 100).value(), std::string("mine"));
    QVERIFY(!forkCampaign(*m_store, {3}, at("old.gks")));
    QCOMPARE(m_store->population().value()->kernels.size(), std::size_t{6});
}

QTEST_APPLESS_MAIN(CampaignFork)
#include "campaign_fork.moc"
