// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/llm/model_catalogue.h"

#include <QRegularExpression>
#include <QTest>

using namespace gks;

class LlmModelCatalogue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatComesWithTheProgram();
    void namesAreFound_data();
    void namesAreFound();
    void roomForThinking_data();
    void roomForThinking();
    void ownFileOverridesAndExtends();
    void badFiles_data();
    void badFiles();
};

void LlmModelCatalogue::init() {
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
    qputenv("GKS_CONFIG", "/nonexistent");
}

void LlmModelCatalogue::whatComesWithTheProgram() {
    const auto catalogue = ModelCatalogue::load();
    QVERIFY2(catalogue.has_value(), catalogue ? "" : catalogue.error().message().c_str());
    const QRegularExpression date(QStringLiteral("^20[0-9]{2}-[01][0-9]-[0-3][0-9]$"));
    for (const auto& [name, facts] : catalogue->models()) {
        QVERIFY2(!facts.isPriced || (facts.inputUsd > 0 && facts.outputUsd >= facts.inputUsd), name.c_str());
        QVERIFY2(facts.contextTokens == 0 || facts.contextTokens >= 100000, name.c_str());
        QVERIFY2(facts.outputTokens == 0 || (facts.outputTokens >= 16384 && facts.outputTokens <= 256000),
                 name.c_str());
        QVERIFY2(date.match(QString::fromStdString(facts.seen)).hasMatch(), name.c_str());
        QVERIFY2(!facts.source.empty(), name.c_str());
    }
    const ModelFacts* known = catalogue->facts("gpt-4.1");
    QVERIFY(known != nullptr);
    QCOMPARE(known->contextTokens, std::int64_t{1047576});
    QVERIFY(known->structured == true && known->reasoning == false);
    QVERIFY(!catalogue->facts("claude-opus-5-5")->structured.has_value()); // was not confirmed
}

void LlmModelCatalogue::namesAreFound_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("usd"); // of a million tokens each way, negative: not known
    const auto row = [](const char* model, double usd) { QTest::newRow(model) << QString::fromUtf8(model) << usd; };
    row("gpt-4o", 12.5);
    row("openai/gpt-4o-2024-08-06", 12.5);
    row("gpt-4o-mini", 0.75);
    row("gpt-4o-mini-2024-07-18", 0.75);
    row("claude-haiku-4-5-20251001", 6);
    row("anthropic/claude-opus-5-5", 24);
    row("claude-opus-5", 30);
    row("claude-opus-5-9", -1); // another model, not a dated one
    row("gemini-2.5-pro-001", 11.25);
    row("gpt-4", -1);
    row("o3", 10);
    row("", -1);
}

void LlmModelCatalogue::namesAreFound() {
    QFETCH(QString, model);
    QFETCH(double, usd);
    const auto price = ModelCatalogue::load().value().usd(model.toStdString(), 1000000, 1000000);
    QCOMPARE(price.value_or(-1), usd);
}

void LlmModelCatalogue::roomForThinking_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("longest"); // reply
    QTest::addColumn<int>("reply");   // that is asked for
    QTest::addColumn<int>("thinking");
    const auto row = [](const char* model, int longest, int reply, int thinking) {
        QTest::addRow("%s, %d", model, longest) << QString::fromUtf8(model) << longest << reply << thinking;
    };
    row("unheard-of", 16384, 16384, 32768); // generous where nothing is known
    row("gpt-4.1", 16384, 16384, 0);        // does not think
    row("gpt-4o", 50000, 16384, 0);         // puts out no more
    row("gpt-5", 16384, 16384, 65536);
    row("claude-opus-4-1", 16384, 16384, 15616); // 32000 together
    row("claude-opus-4-1", 32000, 32000, 0);
    row("gemini-2.5-pro", 16384, 16384, 32768);
}

void LlmModelCatalogue::roomForThinking() {
    QFETCH(QString, model);
    QFETCH(int, longest);
    QFETCH(int, reply);
    QFETCH(int, thinking);
    const auto catalogue = ModelCatalogue::load().value();
    ChatRequest request;
    request.maxOutputTokens = longest;
    prepare(request, catalogue.facts(model.toStdString()));
    QCOMPARE(request.maxOutputTokens, reply);
    QVERIFY(request.reasoningTokens == thinking);
}

void LlmModelCatalogue::ownFileOverridesAndExtends() {
    const auto folder = TemporaryDirectory::create("gks-models").value();
    QVERIFY(writeFileAtomically(folder.path() / "models.toml",
                                "[[model]]\nname = \"gpt-4o\"\ninput = 1\noutput = 2\n"
                                "[[model]]\nname = \"mine\"\ninput = 0\noutput = 0.5\ncontext = 8192\n"
                                "structured = false\nreasoning = true\nseen = 2026-01-31\nsource = \"its bill\"\n"
                                "[[model]]\nname = \"unpriced\"\ncontext = 4096\n")
                .has_value());
    qputenv("GKS_CONFIG", folder.path().c_str());
    const auto catalogue = ModelCatalogue::load().value();
    QCOMPARE(catalogue.usd("gpt-4o", 1000000, 1000000).value_or(-1), 3.0);
    QCOMPARE(catalogue.facts("gpt-4o")->contextTokens, std::int64_t{0}); // nothing of the old entry is left
    const ModelFacts* mine = catalogue.facts("mine");
    QVERIFY(mine != nullptr && mine->contextTokens == 8192 && mine->structured == false && mine->reasoning == true);
    QCOMPARE(mine->seen, std::string("2026-01-31"));
    QCOMPARE(mine->source, std::string("its bill"));
    QCOMPARE(catalogue.usd("mine", 1000000, 1000000).value_or(-1), 0.5);
    QVERIFY(catalogue.facts("unpriced") != nullptr && catalogue.facts("unpriced")->contextTokens == 4096);
    QVERIFY(!catalogue.usd("unpriced", 1000000, 1000000).has_value()); // not 0 dollars
    QVERIFY(catalogue.facts("gpt-4o-mini") != nullptr);
}

void LlmModelCatalogue::badFiles_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* tag, const char* text, const char* what) {
        QTest::newRow(tag) << QByteArray(text) << QString::fromUtf8(what);
    };
    const QByteArray good = "[[model]]\nname = \"m\"\ninput = 1\noutput = 2\n";
    row("not TOML", "[[model", "not valid TOML");
    row("no models", "x = 1\n", "no [[model]] found");
    row("numbers for models", "model = [1, 2]\n", "a model is a table");
    row("no price", "[[model]]\nname = \"m\"\ninput = 1\n", "a model needs a name");
    row("negative", "[[model]]\nname = \"m\"\ninput = 1\noutput = -2\n", "a model needs a name");
    row("NaN", "[[model]]\nname = \"m\"\ninput = nan\noutput = 2\n", "a model needs a name");
    row("context of text", (good + "context = \"big\"\n").constData(), "context is a whole number");
    row("negative context", (good + "context = -1\n").constData(), "context is a whole number");
    row("no date", (good + "seen = \"lately\"\n").constData(), "seen is a date");
    row("unknown key", (good + "contxt = 1\n").constData(), "unknown key 'contxt'");
    row("source of numbers", (good + "source = 5\n").constData(), "source is a text");
    row("output limit of text", (good + "output_limit = \"big\"\n").constData(), "output_limit is a whole number");
    row("no output", (good + "output_limit = 0\n").constData(), "output_limit is a whole number");
    row("negative thinking", (good + "reasoning_tokens = -1\n").constData(), "reasoning_tokens is a whole number");
    row("unknown field", (good + "output_field = \"max\"\n").constData(), "output_field is max_tokens or");
    row("unknown thinking", (good + "thinking = \"hard\"\n").constData(), "thinking is budget, adaptive or level");
    row("price of text", "[[model]]\nname = \"m\"\ninput = \"1\"\noutput = \"2\"\n", "a model needs a name");
    row("switch of text", (good + "reasoning = \"yes\"\n").constData(), "reasoning is true or false");
}

void LlmModelCatalogue::badFiles() {
    QFETCH(QByteArray, text);
    QFETCH(QString, what);
    const auto folder = TemporaryDirectory::create("gks-models").value();
    const auto file = folder.path() / "models.toml";
    QVERIFY(writeFileAtomically(file, text.toStdString()).has_value());
    ModelCatalogue catalogue;
    const auto read = catalogue.read(file);
    QVERIFY(!read);
    QVERIFY2(QString::fromStdString(read.error().what).startsWith(what), read.error().message().c_str());
    QVERIFY(read.error().where.starts_with(file.string()));
}

QTEST_APPLESS_MAIN(LlmModelCatalogue)
#include "llm_model_catalogue.moc"
