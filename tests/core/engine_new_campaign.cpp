// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/campaign/templates.h"
#include "core/engine/demo.h"
#include "core/engine/new_campaign.h"
#include "core/problem/problem.h"

#include <QTest>
#include <set>

using namespace gks;

// What a campaign is made of: seeds of the pack, one's own kernels, a baseline, a template.
class EngineNewCampaign : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("GKS_CONFIG", (m_folder.path() / "config").c_str()); }
    void ownKernelsAreSeedsBehindThoseOfThePack();
    void anyOfThemIsTheBaseline();
    void ownKernelsAlone();
    void refusals_data();
    void refusals();
    void templatesAreWholeAndHaveNames();
    void theSampleIsCopiedOnce();
    void theDemoIsOfItsTemplate();

private:
    std::filesystem::path write(const std::string& name, std::string_view content) {
        const std::filesystem::path file = m_folder.path() / name;
        if (!writeFileAtomically(file, content)) {
            qFatal("cannot write");
        }
        return file;
    }
    NewCampaign wanted(const std::string& name) {
        NewCampaign made;
        made.file = m_folder.path() / (name + ".gks");
        made.settings.problem = "row-softmax";
        return made;
    }
    static PopulationPtr population(const NewCampaign& made) {
        const auto store = makeCampaign(made);
        return store ? (*store)->population().value_or(nullptr) : nullptr;
    }
    TemporaryDirectory m_folder = TemporaryDirectory::create("gks-new").value();
};

void EngineNewCampaign::ownKernelsAreSeedsBehindThoseOfThePack() {
    NewCampaign made = wanted("behind");
    made.kernels = {write("one.hip", "// Mine, unrolled\nint one;\n"), write("two.hip", "int two;\n")};
    const PopulationPtr all = population(made);
    QVERIFY(all != nullptr);
    QCOMPARE(all->kernels.size(), std::size_t{4});
    QVERIFY(all->baseline == KernelId{1});
    QCOMPARE(all->kernel(3)->title, std::string("Mine, unrolled"));
    QCOMPARE(all->kernel(4)->title, std::string("two")); // no comment says what it is
    QVERIFY(all->kernel(4)->author == Author::seed && all->kernel(4)->state == KernelState::waiting);
}

void EngineNewCampaign::anyOfThemIsTheBaseline() {
    NewCampaign made = wanted("baseline");
    made.kernels = {write("mine.hip", "// Mine\nint mine;\n")};
    made.baseline = made.kernels.front().string();
    const PopulationPtr own = population(made);
    QVERIFY(own != nullptr && own->baseline == KernelId{1});
    QCOMPARE(own->kernel(1)->title, std::string("Mine"));
    QCOMPARE(own->kernels.size(), std::size_t{3});
    made.file = m_folder.path() / "tunable.gks";
    made.baseline = "tunable";
    const PopulationPtr tunable = population(made);
    QVERIFY(tunable != nullptr);
    QCOMPARE(tunable->kernel(1)->title, loadProblemPack("row-softmax")->seeds[1].title);
}

void EngineNewCampaign::ownKernelsAlone() {
    NewCampaign made = wanted("alone");
    made.packSeeds = false;
    made.kernels = {write("only.hip", "int only;\n")};
    const PopulationPtr all = population(made);
    QVERIFY(all != nullptr);
    QCOMPARE(all->kernels.size(), std::size_t{1});
}

void EngineNewCampaign::refusals_data() {
    QTest::addColumn<QString>("content"); // of the one own kernel; empty: there is none
    QTest::addColumn<QString>("baseline");
    QTest::addColumn<QString>("said");
    QTest::newRow("nothing") << "" << "" << "a campaign begins with at least one kernel";
    QTest::newRow("empty") << " \n" << "" << "the source is empty";
    QTest::newRow("binary") << QString(QChar(0)) << "" << "the source is no text";
    QTest::newRow("baseline") << "int x;" << "nosuch" << "no seed is called nosuch";
    QTest::newRow("long") << QString(2 << 20, QLatin1Char('x')) << "" << "limit";
}

// And no file is left.
void EngineNewCampaign::refusals() {
    QFETCH(QString, content);
    QFETCH(QString, baseline);
    QFETCH(QString, said);
    NewCampaign made = wanted("refused");
    made.packSeeds = false;
    made.baseline = baseline.toStdString();
    if (!content.isEmpty()) {
        made.kernels = {write("bad.hip", content.toStdString())};
    }
    const auto store = makeCampaign(made);
    QVERIFY(!store);
    QVERIFY2(store.error().message().find(said.toStdString()) != std::string::npos, store.error().message().c_str());
    QVERIFY(!std::filesystem::exists(made.file));
    made.packSeeds = true;
    made.baseline.clear();
    made.kernels = {write("again.hip", "/* again */ " + loadProblemPack("row-softmax")->seeds[0].source)};
    const auto twice = makeCampaign(made);
    QVERIFY(!twice);
    QVERIFY2(twice.error().message().find("the same kernel as naive") != std::string::npos,
             twice.error().message().c_str());
}

void EngineNewCampaign::templatesAreWholeAndHaveNames() {
    std::set<std::string_view> names;
    for (const CampaignTemplate& one : campaignTemplates()) {
        QVERIFY(names.insert(one.name).second);
        QVERIFY(!one.title.empty() && !one.about.empty());
        QCOMPARE(one.settings.problem.empty(), one.name != demoTemplateName);
        QVERIFY(one.settings.models.empty()); // which model is the person's to say
    }
    QVERIFY(campaignTemplate("steer")->settings.policies.checkCode);
    const auto unknown = campaignTemplate("nosuch");
    QVERIFY(!unknown && unknown.error().next.find("llm-loop") != std::string::npos);
}

void EngineNewCampaign::theSampleIsCopiedOnce() {
    qputenv("GKS_DATA", (m_folder.path() / "data").c_str());
    const auto sample = sampleCampaign();
    QVERIFY2(sample.has_value(), sample ? "" : sample.error().message().c_str());
    QVERIFY(isSampleCampaign(*sample));
    QVERIFY(!isSampleCampaign(m_folder.path() / "fp8-gemm-h200.gks"));
    const auto made = std::filesystem::last_write_time(*sample);
    QVERIFY(sampleCampaign().has_value());
    QVERIFY(std::filesystem::last_write_time(*sample) == made);
    const auto store = CampaignStore::open(*sample, CampaignStore::Access::read);
    QVERIFY(store.has_value());
    QVERIFY((*store)->settings()->target == TargetKind::nvidia);
    QVERIFY(writeFileAtomically(*sample, "half"));
    QVERIFY(sampleCampaign().has_value()); // mended
    QVERIFY(std::filesystem::file_size(*sample) > 1'000'000);
    qunsetenv("GKS_DATA");
}

void EngineNewCampaign::theDemoIsOfItsTemplate() {
    qputenv("GKS_DATA", (m_folder.path() / "data").c_str());
    const auto file = demoCampaign();
    QVERIFY2(file.has_value(), file ? "" : file.error().message().c_str());
    const auto settings = CampaignStore::open(*file, CampaignStore::Access::read).value()->settings();
    QVERIFY(settings && *settings == campaignTemplate(demoTemplateName)->settings);
    QCOMPARE(settings->problem, std::string("fp8-gemm"));
    QVERIFY(settings->target == TargetKind::cpu && settings->scientist == ScientistKind::tuner);
    qunsetenv("GKS_DATA");
}

QTEST_APPLESS_MAIN(EngineNewCampaign)
#include "engine_new_campaign.moc"
