// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"
#include "tests/support/engine_fakes.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

// What a person gave to read reaches the scientist through the engine.
class EngineDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void passagesAreInTheBriefing();
};

namespace {

// Asks its briefing when it is to select, and ends the run.
class Asker final : public Scientist {
public:
    Asker(std::vector<Passage>& found, std::string& architecture) : m_found(found), m_architecture(architecture) {}
    ScientistKind kind() const override { return ScientistKind::model; }
    Author author() const override { return Author::model; }
    Result<Selection> select(const Briefing& briefing, const std::stop_token& /*stop*/) override {
        m_found = briefing.searchPassages("swizzle OR nothing", 5);
        m_architecture = briefing.device().architecture;
        return kernelError("enough");
    }
    Result<Design> design(const Briefing& /*briefing*/, const Selection& /*selection*/,
                          const std::stop_token& /*stop*/) override {
        return kernelError("not asked for");
    }
    Result<Draft> write(const Briefing& /*briefing*/, const Experiment& /*experiment*/,
                        const std::stop_token& /*stop*/) override {
        return kernelError("not asked for");
    }
    Result<Draft> repair(const Briefing& /*briefing*/, const Experiment& /*experiment*/, const Draft& /*draft*/,
                         const Failure& /*failure*/, int /*attempt*/, const std::stop_token& /*stop*/) override {
        return kernelError("not asked for");
    }

private:
    std::vector<Passage>& m_found;
    std::string& m_architecture;
};

} // namespace

void EngineDocuments::passagesAreInTheBriefing() {
    Campaign campaign;
    campaign.store.reset();
    FakeWorld world;
    EngineSeams seams = world.seams(ScientistKind::model);
    std::vector<Passage> found;
    std::string architecture = "never asked";
    seams.scientist = [&](const CampaignSettings& /*settings*/,
                          ScientistSinks /*sinks*/) -> Result<std::unique_ptr<Scientist>> {
        return std::make_unique<Asker>(found, architecture);
    };
    EngineOptions options;
    options.lanes = {{TargetKind::cpu, 0, {}}};
    const auto engine = Engine::open(campaign.file, options, seams).value();
    Document guide;
    guide.title = "Guide";
    guide.kind = "text";
    guide.sha256 = "1";
    engine->send(command::AddDocument{guide, {{0, 1, "LDS", "Swizzle the columns."}, {0, 2, "Other", "Unrelated."}}});
    engine->send(command::Start{});
    QVERIFY(engine->waitUntilQuiet(20));
    QCOMPARE(engine->population()->documents.size(), std::size_t{1});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().text, std::string("Swizzle the columns."));
    QVERIFY(architecture != "never asked");
}

QTEST_APPLESS_MAIN(EngineDocuments)
#include "engine_documents.moc"
