// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/campaign/schema.h"
#include "core/campaign/text_frames.h"
#include "core/rating/shape_scales.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <filesystem>
#include <fmt/format.h>

using namespace gks;
using namespace gks::test;

namespace {

namespace fs = std::filesystem;

// Texts that resemble each other, each with something of its own.
std::string oneOfMany(int number) {
    std::string text;
    for (int i = 0; i < 200; ++i) {
        text += fmt::format("line {} of a text that all of them have\n", i * 7919 % 1000);
    }
    return text + fmt::format("and number {}\n", number);
}

struct Frames {
    Frames() : database(Database::open(":memory:", Database::Access::create).value()) {
        static_cast<void>(migrate(database, campaignMigrations()));
    }
    std::int64_t dictionaries() const { return *database.integer("SELECT count(*) FROM dictionary").value(); }

    Database database;
    TextFrames frames;
};

// Everything that a campaign's readers are told.
struct Told {
    PopulationPtr population;
    std::vector<std::string> verdicts;
    std::vector<std::string> sources;
    std::vector<Exchange> exchanges;
    std::vector<std::string> speeds; // by shape
};

Told toldBy(const CampaignStore& store) {
    Told told;
    told.population = store.population().value();
    for (const Kernel& kernel : told.population->kernels) {
        const auto evaluations = store.evaluations(kernel.id).value();
        for (const Evaluation& evaluation : evaluations) {
            told.verdicts.push_back(evaluation.purpose + toJson(evaluation.verdict).dump());
        }
        const auto newest = store.newestVerdict(kernel.id).value();
        told.verdicts.push_back(newest ? toJson(*newest).dump() : "none");
        told.sources.push_back(store.source(kernel.id).value());
        for (const auto& [shape, scale] : told.population->shapeScales->shapes()) {
            const auto speed = scale.speed(kernel.id);
            told.speeds.push_back(speed ? speedText(*speed) : "none");
        }
    }
    told.exchanges = store.exchanges().value();
    return told;
}

} // namespace

// Long texts of a campaign file as frames, and what is read of them when.
class CampaignFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatResemblesIsSmall();
    void anotherKindOfTextGetsAnotherDictionary();
    void whatWasRolledBackHarmsNothing();
    void damageIsSaid();
    void aFileSaysTheSameAfterTheStep_data();
    void aFileSaysTheSameAfterTheStep();
    void textsAreReadWhenLookedAt();
    void aTextThatCannotBeReadIsAnError();
    void everyKernelHasASketch();
    void whatQuotesAKernelIsSmall();
    void aSourceLeadsToNoOther();
};

void CampaignFrames::whatResemblesIsSmall() {
    Frames of;
    std::vector<std::string> packed;
    for (int i = 0; i < 20; ++i) {
        packed.push_back(of.frames.pack(of.database, "verdict", oneOfMany(i)).value());
    }
    QCOMPARE(of.dictionaries(), 1);
    const TextFrames others; // of another program
    for (int i = 0; i < 20; ++i) {
        QVERIFY2(packed[static_cast<std::size_t>(i)].size() < 200,
                 fmt::format("{}: {}", i, packed[static_cast<std::size_t>(i)].size()).c_str());
        QCOMPARE(others.unpack(of.database, packed[static_cast<std::size_t>(i)], "x").value(), oneOfMany(i));
    }
    const std::string shortOne = of.frames.pack(of.database, "verdict", "no").value();
    QCOMPARE(others.unpack(of.database, shortOne, "x").value(), std::string("no"));
    QCOMPARE(of.frames.pack(of.database, "verdict", "")
                 .and_then([&](const std::string& frame) { return others.unpack(of.database, frame, "x"); })
                 .value(),
             std::string());
}

// One that was old when its campaign moved on to other texts is not kept for good.
void CampaignFrames::anotherKindOfTextGetsAnotherDictionary() {
    Frames of;
    QVERIFY(of.frames.pack(of.database, "prompt", oneOfMany(1)));
    const std::string later = randomText(20'000);
    QVERIFY(of.frames.pack(of.database, "prompt", later + "1"));
    QCOMPARE(of.dictionaries(), 1); // one alone says nothing of what is to come
    QVERIFY(of.frames.pack(of.database, "prompt", later + "2"));
    QCOMPARE(of.dictionaries(), 2);
    QVERIFY(of.frames.pack(of.database, "prompt", later + "3").value().size() < 200);
    QVERIFY(of.frames.pack(of.database, "another kind", later)); // its own, the third
    QCOMPARE(of.dictionaries(), 3);
}

void CampaignFrames::whatWasRolledBackHarmsNothing() {
    Frames of;
    {
        const auto undone = Transaction::begin(of.database).value();
        QVERIFY(of.frames.pack(of.database, "verdict", oneOfMany(1)));
    }
    QCOMPARE(of.dictionaries(), 0);
    const std::string frame = of.frames.pack(of.database, "verdict", oneOfMany(2)).value();
    QCOMPARE(of.dictionaries(), 1);
    QCOMPARE(TextFrames().unpack(of.database, frame, "x").value(), oneOfMany(2));
}

void CampaignFrames::damageIsSaid() {
    Frames of;
    const std::string first = of.frames.pack(of.database, "verdict", oneOfMany(1)).value();
    const std::string frame = of.frames.pack(of.database, "verdict", oneOfMany(2)).value();
    QVERIFY(!TextFrames().unpack(of.database, frame.substr(0, frame.size() - 2), "x"));
    QVERIFY(!TextFrames().unpack(of.database, "no frame", "x"));
    QVERIFY(of.database.run("UPDATE dictionary SET text = (SELECT text FROM dictionary) || 'x'"));
    QVERIFY(!TextFrames().unpack(of.database, frame, "x"));
    QVERIFY(of.database.run("DELETE FROM dictionary"));
    const auto missing = TextFrames().unpack(of.database, frame, "evaluation.verdict");
    QVERIFY(!missing && missing.error().where == "evaluation.verdict");
}

void CampaignFrames::aFileSaysTheSameAfterTheStep_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"fp8-gemm-cpu", "row-softmax-h200", "attention-forward-h200"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

// The shipped campaigns are of schema 9: read as they are, and again when they were opened for writing.
void CampaignFrames::aFileSaysTheSameAfterTheStep() {
    QFETCH(const QString, name);
    const auto folder = TemporaryDirectory::create("step").value();
    const fs::path file = folder.path() / "older.gks";
    fs::copy_file(fs::path(GKS_SOURCE_DIR) / "resources/samples" / (name.toStdString() + ".gks"), file);
    const auto older = CampaignStore::open(file, CampaignStore::Access::read).value();
    const Told before = toldBy(*older);
    QVERIFY(CampaignStore::open(file, CampaignStore::Access::write));
    const auto newer = CampaignStore::open(file, CampaignStore::Access::read).value();
    const Told after = toldBy(*newer);
    auto kernels = after.population->kernels;
    for (std::size_t at = 0; at < kernels.size(); ++at) { // what the step adds
        QVERIFY(kernels[at].sketch == sketchOf(sourceShingles(kernels[at].source.read().value())));
        kernels.edit(at).sketch.reset();
    }
    QVERIFY(before.population->kernels == kernels); // with their texts
    auto probes = after.population->probes;
    for (std::size_t at = 0; at < probes.size(); ++at) {
        QVERIFY(probes[at].sketch.has_value());
        probes.edit(at).sketch.reset();
    }
    QVERIFY(before.population->probes == probes);
    QVERIFY(before.population->experiments == after.population->experiments);
    QVERIFY(before.population->comparisons == after.population->comparisons);
    QVERIFY(!after.verdicts.empty() && !after.speeds.empty());
    QCOMPARE(after.verdicts, before.verdicts);
    QCOMPARE(after.sources, before.sources);
    QCOMPARE(after.speeds, before.speeds);
    QVERIFY(after.exchanges == before.exchanges);
}

void CampaignFrames::textsAreReadWhenLookedAt() {
    Campaign campaign;
    Kernel kernel = sampleKernel(1, "int late;");
    kernel.report = "what it did";
    kernel.rubric = std::vector<RubricItem>{{"item", true, "note", false, "evidence"}};
    const KernelId id = campaign.store->addKernel(kernel).value();
    const PopulationPtr population = campaign.store->population().value();
    const Kernel& read = *population->kernel(id);
    QCOMPARE(read.source.read().value(), std::string("int late;"));
    QVERIFY(read.report == kernel.report && read.rubric == kernel.rubric);
    QVERIFY(population->kernel(1)->report == "" && population->kernel(1)->rubric.orNothing().empty());
    campaign.store.reset(); // whoever still shows the population can read on, and holds nothing open
    QVERIFY(!fs::exists(campaign.file.string() + "-wal"));
    QCOMPARE(read.source.read().value(), std::string("int late;"));
    QVERIFY(!fs::exists(campaign.file.string() + "-wal"));
}

void CampaignFrames::aTextThatCannotBeReadIsAnError() {
    {
        Campaign changed;
        changed.store.reset();
        {
            auto database = Database::open(changed.file.string(), Database::Access::readWrite).value();
            QVERIFY(database.run("UPDATE source SET text = 'int evil;'"));
            QVERIFY(database.run("DELETE FROM verdict"));
        }
        changed.reopen();
        const PopulationPtr read = changed.store->population().value();
        QVERIFY(!read->kernel(1)->source.read() && !changed.store->source(1));
    }
    Campaign campaign;
    const PopulationPtr population = campaign.store->population().value();
    campaign.store.reset();
    fs::remove(campaign.file);
    QVERIFY(!population->kernel(1)->source.read());
    QVERIFY(population->kernel(1)->source.orNothing().empty());
}

void CampaignFrames::everyKernelHasASketch() {
    Campaign campaign;
    const std::string source = "int f(int first) { return first + 1; }";
    const KernelId id = campaign.store->addKernel(sampleKernel(1, source)).value();
    QVERIFY(campaign.store->population().value()->kernel(id)->sketch == sketchOf(sourceShingles(source)));
    campaign.store.reset();
    {
        auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
        QVERIFY(database.run("UPDATE kernel SET sketch = x'0102' WHERE id = ?", {id}));
    }
    campaign.reopen();
    QVERIFY(!campaign.store->population().value()->kernel(id)->sketch); // whoever wrote the file
}

// A prompt that shows its parent, and a reply that is its parent with a change.
void CampaignFrames::whatQuotesAKernelIsSmall() {
    Campaign campaign;
    const std::string parent = "// " + randomText(3000) + "\n";
    const std::string child = parent + "int changed;\n";
    const KernelId id = campaign.store->addKernel(sampleKernel(1, parent)).value();
    const ExperimentId experiment = campaign.store->addExperiments({sampleExperiment(id, "change it")}).value().front();
    Exchange exchange;
    exchange.stage = "writer";
    exchange.experiment = experiment;
    const auto add = [&](const std::string& prompt, const std::string& reply) {
        exchange.prompt = prompt;
        exchange.reply = reply;
        QVERIFY(campaign.store->addExchange(exchange));
    };
    add(oneOfMany(1), oneOfMany(2)); // these become the dictionaries
    add(oneOfMany(3) + parent, child);
    campaign.reopen();
    const auto read = campaign.store->exchanges().value();
    QCOMPARE(read.size(), std::size_t{2});
    QCOMPARE(read[1].prompt, oneOfMany(3) + parent);
    QCOMPARE(read[1].reply, child);
    campaign.store.reset();
    auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
    const auto bytes = database.integer("SELECT length(prompt) + length(reply) FROM exchange WHERE id = 2").value();
    QVERIFY2(*bytes < 400, std::to_string(*bytes).c_str());
    QVERIFY(database.run("UPDATE source SET text = 'int another;'"));
    QVERIFY(database.run("UPDATE kernel SET source = 'no hash' WHERE id = ?", {id}));
    campaign.reopen();
    const auto damaged = campaign.store->exchanges();
    QVERIFY(!damaged && damaged.error().what.find("quotes") != std::string::npos);
    add(oneOfMany(4) + parent, child); // longer, and readable
}

// Whoever wrote the file: no source is read to read a source.
void CampaignFrames::aSourceLeadsToNoOther() {
    Frames of;
    const std::string text = randomText(3000);
    const std::string sha256 = sha256Hex(text);
    const std::string frame = of.frames.pack(of.database, "source", text).value();
    QVERIFY(of.database.run("INSERT INTO source (sha256, text) VALUES (?, ?)", {sha256, Blob{frame}}));
    QVERIFY(of.frames.pack(of.database, "reply", oneOfMany(1)));
    const std::string quoting = of.frames.pack(of.database, "reply", text + "x", {sha256}).value();
    QCOMPARE(TextFrames().unpack(of.database, quoting, "x").value(), text + "x");
    QVERIFY(of.database.run("UPDATE source SET text = ?", {Blob{quoting}}));
    QVERIFY(!TextFrames().unpack(of.database, quoting, "x"));
}

QTEST_APPLESS_MAIN(CampaignFrames)
#include "campaign_frames.moc"
