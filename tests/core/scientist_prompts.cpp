// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json_schema.h"
#include "core/campaign/gain.h"
#include "core/campaign/limits.h"
#include "core/scientist/digest.h"
#include "core/scientist/prompt.h"
#include "core/scientist/reply.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace gks;

class ScientistPrompts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void templatesUseExactlyWhatTheirStageOffers_data();
    void templatesUseExactlyWhatTheirStageOffers();
    void valuesAreNotTemplates();
    void emptyValueClosesItsSection();
    void badTemplates_data();
    void badTemplates();
    void editedPromptsTakeThePlaceOfTheFiles();
    void namesAreNotPaths();

    void schemasAcceptAndRefuse_data();
    void schemasAcceptAndRefuse();

    void schemasAskForWhatACampaignTakes();
    void schemasHaveTheOrderOfThought();

    void objectIsFound_data();
    void objectIsFound();
    void whatIsWrongWithTheObjectIsSaid_data();
    void whatIsWrongWithTheObjectIsSaid();
    void codeBesideTheObjectIsTheSource();
    void analysisCodeThenFacts();
    void editsComeInBlocks();
    void yaml_data();
    void yaml();
    void everyPieceIsRead();
};

void ScientistPrompts::initTestCase() {
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
}

void ScientistPrompts::templatesUseExactlyWhatTheirStageOffers_data() {
    QTest::addColumn<QStringList>("offered");
    const auto row = [](const char* name, const char* offered) {
        QTest::newRow(name) << QString::fromUtf8(offered).split(QLatin1Char(' '));
    };
    row("selector", "champions hint measured mission population shapeTable shapes stagnation target");
    row("designer",
        "avenues basisAnalysis basisFacts basisId basisSource calibration champions findings harness header hint kinds "
        "knowledge measured mission otherAnalysis otherId otherSource rationale rules shapeTable stagnation target "
        "tried "
        "twoParents "
        "written");
    row("writer",
        "attackedShapes basisAnalysis basisFacts basisId basisSource description disproof findings harness header hint "
        "isChange isDispatch isMerge isRewrite knowledge limit measured otherAnalysis otherId otherSource "
        "referenceImplementation rubric rules shapeTable target task");
    row("repair",
        "attackedShapes attempt basisId basisSource description disproof draftSource earlier harness header hint "
        "isDispatch isMerge isProbe isRewrite knowledge limit otherId otherSource output reason rubric rules "
        "shapeTable target task verdict");
    row("probe", "contract description disproof example header hint knowledge measured rubric rules target");
    row("checker", "change claims description rubric");
    row("digest", "document mission shown title");
    row("correction", "problem");
}

void ScientistPrompts::templatesUseExactlyWhatTheirStageOffers() {
    QFETCH(QStringList, offered);
    const std::string name = QTest::currentDataTag();
    const auto text = readFile(std::string(GKS_SOURCE_DIR "/prompts/") + name + ".md");
    QVERIFY(text.has_value());
    const auto names = promptPlaceholders(*text, name);
    QVERIFY2(names.has_value(), names ? "" : names.error().message().c_str());
    QStringList used;
    PromptValues values;
    for (const std::string& one : *names) {
        used.append(QString::fromStdString(one));
        values[one] = "value of " + one;
    }
    used.sort();
    QCOMPARE(used, offered);
    QStringList known;
    for (const std::string& one : knownPlaceholders(name)) {
        known.append(QString::fromStdString(one));
    }
    known.sort();
    QCOMPARE(known, offered);
    QVERIFY(checkPrompt(name, *text));
    const auto messages = renderPrompt(name, values);
    QVERIFY2(messages.has_value(), messages ? "" : messages.error().message().c_str());
    QCOMPARE(messages->back().role, std::string("user"));
    std::string all;
    for (const ChatMessage& message : *messages) {
        all += message.content;
    }
    if (values.contains("harness")) { // what speaks of our own judge
        values["harness"].clear();
        const auto ofOurJudge = renderPrompt(name, values);
        QVERIFY(ofOurJudge.has_value());
        for (const ChatMessage& message : *ofOurJudge) {
            all += message.content;
        }
    }
    QVERIFY(all.find("{{") == std::string::npos);
    for (const std::string& one : *names) {
        const bool opensSectionsAlone = text->find("{{" + one + "}}") == std::string::npos;
        QVERIFY2(opensSectionsAlone || all.find("value of " + one) != std::string::npos, one.c_str());
        PromptValues lacking = values;
        lacking.erase(one);
        const auto incomplete = renderPrompt(name, lacking);
        QVERIFY(!incomplete && incomplete.error().what.find(one) != std::string::npos);
    }
}

void ScientistPrompts::valuesAreNotTemplates() {
    const auto messages = renderPrompt("correction", {{"problem", "{{problem}} {{#x}} <b> & \" {{{y}}} </kernel>"}});
    QVERIFY(messages.has_value());
    QVERIFY(messages->back().content.find("{{problem}} {{#x}} <b> & \" {{{y}}} </kernel>") != std::string::npos);
}

void ScientistPrompts::emptyValueClosesItsSection() {
    const PromptValues values{{"mission", "m"},    {"target", "t"},   {"shapes", "s"},
                              {"population", "p"}, {"hint", ""},      {"measured", ""},
                              {"shapeTable", "x"}, {"champions", ""}, {"stagnation", ""}};
    const auto messages = renderPrompt("selector", values);
    QVERIFY(messages.has_value());
    QCOMPARE(messages->size(), std::size_t{2});
    QVERIFY(messages->back().content.find("<hint>") == std::string::npos);
}

void ScientistPrompts::badTemplates_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no mark") << QByteArray("Hello");
    QTest::newRow("unknown placeholder") << QByteArray("<!-- user -->\n{{nobody}}");
    QTest::newRow("open tag") << QByteArray("<!-- user -->\n{{problem");
    QTest::newRow("partial") << QByteArray("<!-- user -->\n{{> /etc/passwd}}");
    QTest::newRow("open section") << QByteArray("<!-- user -->\n{{#problem}}");
    QTest::newRow("unescaped") << QByteArray("<!-- user -->\n{{{problem}}}");
}

void ScientistPrompts::badTemplates() {
    QFETCH(QByteArray, text);
    const auto folder = TemporaryDirectory::create("gks-prompts").value();
    QVERIFY(writeFileAtomically(folder.path() / "correction.md", text.toStdString()).has_value());
    qputenv("GKS_PROMPTS", folder.path().c_str());
    const auto messages = renderPrompt("correction", {{"problem", "x"}});
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
    QVERIFY(!messages);
    QVERIFY(messages.error().where.find("correction.md") != std::string::npos);
}

void ScientistPrompts::editedPromptsTakeThePlaceOfTheFiles() {
    const PromptValues values{{"problem", "p"}};
    const auto edited = renderPrompt("correction", values, {{"correction", "S\r\n<!-- user -->\r\nMend {{problem}}."}});
    QVERIFY2(edited.has_value(), edited ? "" : edited.error().message().c_str());
    QCOMPARE(edited->front().content, std::string("S"));
    QCOMPARE(edited->back().content, std::string("Mend p."));
    const auto other = renderPrompt("correction", values, {{"designer", "nonsense"}});
    QVERIFY(other.has_value() && other->back().content.find("cannot be used") != std::string::npos);
    const auto unknown =
        renderPrompt("correction", values, {{"correction", "S\n<!-- user -->\n{{problem}}\n{{nobody}}"}});
    QVERIFY(!unknown && unknown.error().what.find("{{nobody}}") != std::string::npos);
    QCOMPARE(unknown.error().where, std::string("edited prompt correction, line 4"));
    QVERIFY(unknown.error().next.find("problem") != std::string::npos);
    const auto lacking = renderPrompt("correction", values, {{"correction", "<!-- user -->\nMend it."}});
    QVERIFY(!lacking && lacking.error().what.find("missing placeholder {{problem}}") != std::string::npos);
    const auto empty = renderPrompt("correction", values, {{"correction", "{{problem}}\n<!-- user -->"}});
    QVERIFY(!empty && empty.error().what.find("no text after") != std::string::npos);
    const auto huge =
        renderPrompt("correction", values, {{"correction", "<!-- user -->\n{{problem}}" + std::string(100000, 'x')}});
    QVERIFY(!huge && huge.error().what.find("too long") != std::string::npos);
}

void ScientistPrompts::namesAreNotPaths() {
    for (const char* name : {"", "../README", "/etc/passwd", "schema/writer", "designer.md"}) {
        QVERIFY2(!defaultPrompt(name), name);
    }
    for (const std::string& name : promptNames()) {
        const auto text = defaultPrompt(name);
        QVERIFY2(text.has_value(), name.c_str());
        const auto used = promptPlaceholders(*text, name).value();
        for (const std::string& required : requiredPlaceholders(name)) {
            QVERIFY2(std::find(used.begin(), used.end(), required) != used.end(), required.c_str());
        }
        QVERIFY(!requiredPlaceholders(name).empty());
    }
}

void ScientistPrompts::schemasAcceptAndRefuse_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("complaint"); // empty: fits
    const auto row = [](const char* tag, const char* schema, const QByteArray& json, const char* complaint) {
        QTest::newRow(tag) << QByteArray(schema) << json << QByteArray(complaint);
    };
    row("selection", "selector", R"({"basis_code":"00001","basis_reference":"","rationale":"r"})", "");
    row("selection without a field", "selector", R"({"basis_code":"00001","rationale":"r"})", "basis_reference");
    row("selection with a path", "selector", R"({"basis_code":"../../etc","basis_reference":"","rationale":"r"})",
        "basis_code");
    const auto experiment = [](const QByteArray& gain, const QByteArray& innovation) {
        return R"({"avenue":"1","limit":"l","shapes":"s","kind":"rewrite","description":"d","rubric":"r","disproof":"p","gain":)" +
               gain + R"(,"innovation":)" + innovation + R"(,"uses":[]})";
    };
    const QByteArray good = experiment("[0.9,2]", "5");
    const QByteArray four = good + "," + good + "," + good + "," + good;
    const QByteArray head =
        R"({"lessons":[],"diagnosis":[{"shapes":"all","limit":"memory","evidence":"71 % of the bytes/s","headroom":1.4}],)"
        R"("avenues":["1","2","3","4","5"],"experiments":[)";
    row("design", "designer", head + four + "," + good + "]}", "");
    row("four experiments", "designer", head + four + "]}", "experiments");
    row("gain of one number", "designer", head + four + "," + experiment("[1]", "5") + "]}", "gain");
    row("gain in percent of the time", "designer", head + four + "," + experiment("[-5,20]", "5") + "]}", "gain");
    row("innovation too large", "designer", head + four + "," + experiment("[1,2]", "500") + "]}", "innovation");
    row("text for a number", "designer", head + four + "," + experiment(R"(["1","2"])", "5") + "]}", "gain");
    row("no diagnosis", "designer",
        R"({"lessons":[],"avenues":["1","2","3","4","5"],"experiments":[)" + four + "," + good + "]}", "diagnosis");
    row("a lesson from nothing", "designer",
        QByteArray(head).replace(R"("lessons":[])", R"("lessons":[{"text":"t","from":[],"gain":[]}])") + four + "," +
            good + "]}",
        "from");
    row("a lesson from a path", "designer",
        QByteArray(head).replace(R"("lessons":[])", R"("lessons":[{"text":"t","from":["../1"],"gain":[]}])") + four +
            "," + good + "]}",
        "from");
    row("draft", "writer", R"({"title":"t","report":[{"item":"i","used":true,"note":"n"}],"source":"s","edits":[]})",
        "");
    row("edits", "writer", R"({"title":"t","report":[],"source":"","edits":[{"search":"a","replace":""}]})", "");
    row("edit without a search", "writer",
        R"({"title":"t","report":[],"source":"","edits":[{"search":"","replace":"a"}]})", "edits");
    row("check", "checker", R"({"items":[{"number":1,"verdict":"done","evidence":"e"}]})", "");
    row("no item checked", "checker", R"({"items":[]})", "items");
    row("check of another kind", "checker", R"({"items":[{"number":1,"verdict":"maybe","evidence":"e"}]})", "verdict");
    row("draft with more", "writer", R"({"title":"t","report":[],"source":"s","edits":[],"path":"/etc"})", "path");
    row("not an object", "writer", "[]", "type");
}

void ScientistPrompts::schemasAcceptAndRefuse() {
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, complaint);
    const auto loaded = loadSchema(schema.toStdString());
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().message().c_str());
    const auto result = validate(parseJson(json.toStdString(), "test").value(), **loaded);
    QCOMPARE(result.has_value(), complaint.isEmpty());
    QVERIFY2(result || result.error().what.find(complaint.toStdString()) != std::string::npos,
             result ? "" : result.error().what.c_str());
}

// A reply that its schema allows is not refused by the rules behind it. A character has at most four bytes.
void ScientistPrompts::schemasAskForWhatACampaignTakes() {
    const Json experiment = (*loadSchema("designer").value())["properties"]["experiments"]["items"]["properties"];
    const auto characters = [&](const char* field) { return experiment[field]["maxLength"].get<std::size_t>(); };
    QVERIFY(4 * characters("description") <= limits::experimentDescriptionBytes);
    QCOMPARE(4 * characters("rubric"), limits::experimentRubricBytes);
    const Json& gain = experiment["gain"]["items"];
    QCOMPARE(gain["minimum"].get<double>(), limits::predictedGain.low);
    QCOMPARE(gain["maximum"].get<double>(), limits::predictedGain.high);
    QCOMPARE(experiment["innovation"]["maximum"].get<int>(), limits::innovation);
    const Json digest = (*loadSchema("digest").value())["properties"]["digest"];
    QCOMPARE(digest["maxLength"].get<std::size_t>(), digestTextLimitBytes);
    QVERIFY(digestTextLimitBytes <= limits::digestBytes);
}

// Providers hand the schema on as it is, and models fill its fields in: first what the others follow from.
void ScientistPrompts::schemasHaveTheOrderOfThought() {
    const auto before = [](const char* schema, const char* first, const char* second) {
        const std::string text = (*loadSchema(schema).value())["properties"].dump();
        return text.find(fmt::format("\"{}\"", first)) < text.find(fmt::format("\"{}\"", second));
    };
    QVERIFY(before("designer", "lessons", "diagnosis") && before("designer", "diagnosis", "avenues") &&
            before("designer", "avenues", "experiments"));
    const std::string experiments = (*loadSchema("designer").value())["properties"]["experiments"].dump();
    QVERIFY(experiments.find("\"rubric\"") < experiments.find("\"gain\"")); // a lesson may name one too
    QVERIFY(before("selector", "rationale", "basis_code"));
    QVERIFY(before("writer", "source", "report") && before("writer", "report", "title"));
    QVERIFY(before("checker", "evidence", "verdict"));
}

void ScientistPrompts::objectIsFound_data() {
    QTest::addColumn<QByteArray>("reply");
    QTest::newRow("plain") << QByteArray(R"( {"a": "1", "b": ["x", "y"]} )");
    QTest::newRow("fenced") << QByteArray("Sure!\n```json\n{\"a\": \"1\",\n \"b\": [\"x\", \"y\"]}\n```\nGood luck.");
    QTest::newRow("fence without a language") << QByteArray("```\n{\"a\":\"1\",\"b\":[\"x\",\"y\"]}\n```");
    QTest::newRow("open fence") << QByteArray("```json\n{\"a\":\"1\",\"b\":[\"x\",\"y\"]}\n");
    QTest::newRow("text round it") << QByteArray("I choose {\"a\":\"1\",\"b\":[\"x\",\"y\"]} because.");
    QTest::newRow("yaml fence") << QByteArray("```yaml\na: '1'\nb:\n  - x\n  - y\n```");
    QTest::newRow("yaml") << QByteArray("a: \"1\"\nb: [\"x\", \"y\"]\n");
}

void ScientistPrompts::objectIsFound() {
    QFETCH(QByteArray, reply);
    const auto object = objectInReply(reply.toStdString());
    QVERIFY2(object.has_value(), object ? "" : object.error().message().c_str());
    QCOMPARE(object->dump(), std::string(R"({"a":"1","b":["x","y"]})"));
}

// In words of who writes it, and at the lines that they see.
void ScientistPrompts::whatIsWrongWithTheObjectIsSaid_data() {
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<QString>("says");
    QTest::newRow("no object") << QByteArray("[1]") << QStringLiteral("no JSON object was found in it: there is no {");
    QTest::newRow("too short") << QByteArray("\n\nHere:\n{\"a\": 1,\n")
                               << QStringLiteral("no JSON object was found in it (invalid JSON (line 5, column 1: the "
                                                 "text ends here; expected a text in quotes))");
    QTest::newRow("a comma") << QByteArray("{\"a\": 1,}")
                             << QStringLiteral("no JSON object was found in it (invalid JSON (line 1, column 9: "
                                               "unexpected '}'; expected a text in quotes))");
    QTest::newRow("no quotes") << QByteArray("{\"a\": nul}")
                               << QStringLiteral("no JSON object was found in it (invalid JSON (line 1, column 10: "
                                                 "this is no text in quotes, number, true, "
                                                 "false or null))");
    QTest::newRow("open quote") << QByteArray("{\"a; expected \n: 1}")
                                << QStringLiteral("no JSON object was found in it (invalid JSON (line 2, column 0: "
                                                  "invalid string: control character U+000A (LF) "
                                                  "must be escaped to \\u000A or \\n; expected a text in quotes))");
}

void ScientistPrompts::whatIsWrongWithTheObjectIsSaid() {
    QFETCH(QByteArray, reply);
    QFETCH(QString, says);
    const auto object = objectInReply(reply.toStdString());
    QVERIFY(!object);
    QCOMPARE(QString::fromStdString(object.error().what), says);
}

void ScientistPrompts::codeBesideTheObjectIsTheSource() {
    const auto object = objectInReply("title: t\nreport: []\n\n```cpp\n#include \"problem.h\"\nint a = {1};\n```\n");
    QVERIFY2(object.has_value(), object ? "" : object.error().message().c_str());
    QCOMPARE(object->at("title").get<std::string>(), std::string("t"));
    QCOMPARE(object->at("source").get<std::string>(), std::string("#include \"problem.h\"\nint a = {1};\n"));
    const auto edits = objectInReply("{\"edits\":[{\"search\":\"a\",\"replace\":\"b\"}]}\n```cpp\nint a;\n```");
    QVERIFY(edits && !edits->contains("source"));
    QVERIFY(!objectInReply("I am sorry, I cannot do that."));
    QVERIFY(!objectInReply(""));
}

// A snippet of the analysis is not the kernel, and braces of code are no object.
void ScientistPrompts::analysisCodeThenFacts() {
    const auto object =
        objectInReply("The tile is {16, 4}.\n```cpp\nint tile = 16;\n```\nSo:\n```hip\n#include \"problem.h\"\n"
                      "__global__ void k() {}\nextern \"C\" hipError_t solve();\n```\n"
                      "```json\n{\"report\": [], \"title\": \"t {x}\"}\n```\n");
    QVERIFY2(object.has_value(), object ? "" : object.error().message().c_str());
    QCOMPARE(object->at("title").get<std::string>(), std::string("t {x}"));
    const std::string source = object->at("source").get<std::string>();
    QVERIFY2(source.starts_with("#include") && source.ends_with("solve();\n"), source.c_str());
    QVERIFY(!object->contains("edits"));
}

void ScientistPrompts::editsComeInBlocks() {
    const std::string two =
        "Two places.\n```edit\n<<<<<<< SEARCH\n    a = 1;\n=======\n    a = 2;\n    b = 3;\n>>>>>>> REPLACE\n```\n"
        "```edit\n<<<<<<< SEARCH\nold\n=======\n>>>>>>> REPLACE\n```\n{\"report\": [], \"title\": \"t\"}";
    const auto object = objectInReply(two);
    QVERIFY2(object.has_value(), object ? "" : object.error().message().c_str());
    QVERIFY(!object->contains("source"));
    QCOMPARE(
        object->at("edits").dump(),
        std::string(
            R"([{"replace":"    a = 2;\n    b = 3;\n","search":"    a = 1;\n"},{"replace":"","search":"old\n"}])"));
    // One that was not ended changes nothing.
    const auto open =
        objectInReply("```edit\n<<<<<<< SEARCH\nold\n=======\nnew\n```\n```json\n{\"title\": \"t\"}\n```");
    QVERIFY(open && !open->contains("edits") && !open->contains("source"));
}

void ScientistPrompts::yaml_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("list of mappings")
        << QByteArray("experiments:\n- description: use LDS, 16 x 16\n  performance: [2, 15]\n  innovation: 40\n  "
                      "rubric: |\n    first\n      second\n\n"
                      "    third\n- description: >\n    folded: text\n  performance:\n    - -1.5\n    - 3\n")
        << QByteArray(
               R"({"experiments":[{"description":"use LDS, 16 x 16","innovation":40,"performance":[2,15],"rubric":"first\n  second\n\nthird\n"},)"
               R"({"description":"folded: text\n","performance":[-1.5,3]}]})");
    QTest::newRow("codes stay text") << QByteArray("basis_code: 00003\nused: true\nempty:\nnote: a\n  b\n")
                                     << QByteArray(R"({"basis_code":"00003","empty":"","note":"a b","used":true})");
    QTest::newRow("items without text") << QByteArray("a:\n-\n- x\n-\n  - y\n")
                                        << QByteArray(R"({"a":["","x",["y"]]})");
    QTest::newRow("comments") << QByteArray("---\n# hello\na: 1\n") << QByteArray(R"({"a":1})");
}

void ScientistPrompts::yaml() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, json);
    const auto parsed = parseYamlLike(text.toStdString());
    QVERIFY2(parsed.has_value(), parsed ? "" : parsed.error().message().c_str());
    QCOMPARE(QByteArray::fromStdString(parsed->dump()), json);
}

// Whatever piece of a reply there is: it ends, a whole block is found, and no broken byte gets on.
void ScientistPrompts::everyPieceIsRead() {
    const auto isUtf8 = [](const Json& json) {
        using enum Json::error_handler_t;
        return json.dump(-1, ' ', false, ignore) == json.dump(-1, ' ', false, replace);
    };
    const std::string text = "a: |\n  x\n- - - b: [1, {\"c\": 2}]\n```json\n{\"a\": {\"b\": [1, 2]}}\n```\n  d:\n    - "
                             "e: f\xff\n      g\xc3\n";
    const std::size_t blockBegin = text.find("```json");
    const std::size_t blockEnd = text.rfind("```") + 3;
    for (std::size_t from = 0; from < text.size(); ++from) {
        for (std::size_t length = 0; from + length <= text.size(); ++length) {
            const auto object = objectInReply(text.substr(from, length));
            const bool whole = from <= blockBegin && from + length >= blockEnd;
            QVERIFY(!whole || (object && object->dump() == R"({"a":{"b":[1,2]}})"));
            QVERIFY(!object || isUtf8(*object));
        }
    }
    std::string deep;
    for (int i = 0; i < 5000; ++i) {
        deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
    }
    QVERIFY(!objectInReply(deep));
    QVERIFY(!parseYamlLike(std::string(5000, '-') + " x\n").value_or(Json()).is_object());
}

QTEST_APPLESS_MAIN(ScientistPrompts)
#include "scientist_prompts.moc"
