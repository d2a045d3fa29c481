// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/scientist/search_space.h"

#include <QTest>
#include <filesystem>

using namespace gks;

class ScientistTunables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void finds_data();
    void finds();
    void changesOnlyTheValue();
    void keepsLineEndings();
    void nearestDefinitionIsMeant();
    void refusesWhatWasNotDeclared();
    void numberOfTunablesAndValuesIsBounded();
    void typesFollowFromValues_data();
    void typesFollowFromValues();
    void nearnessFollowsFromTheType();
    void structureIsWhatRemains();
    void conditionsRuleOutPoints();
    void badConditionsAreRefused_data();
    void badConditionsAreRefused();
    void conditionsOfTheSeedsAreMetByTheirOwnValues();
};

void ScientistTunables::finds_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("found"); // "name@line=current:values" ...
    const auto row = [](const char* tag, const char* source, const char* found) {
        QTest::newRow(tag) << QByteArray(source) << QByteArray(found);
    };
    row("same line", "#define TILE 16 // @tune TILE 8 16 32\n", "TILE@1=16:8,16,32");
    row("line before", "\n// @tune TILE 8 16 32\n#define TILE 16\n", "TILE@3=16:8,16,32");
    row("line after", "#define TILE 16\n// @tune TILE 8 16\n", "TILE@1=16:8,16");
    row("no blank", "#define A 1 //@tune A 1 2", "A@1=1:1,2");
    row("many blanks", "  #  define \t A   1   //   @tune   A   1 \t 2  ", "A@1=1:1,2");
    row("carriage returns", "#define A 1 // @tune A 1 2\r\n#define B 3 // @tune B 3 4\r\n", "A@1=1:1,2 B@2=3:3,4");
    row("commas", "#define A 1 // @tune A 1, 2,4", "A@1=1:1,2,4");
    row("suffixes", "#define A 1.5f // @tune A 1.5f 2u 0x10 -3", "A@1=1.5f:1.5f,2u,0x10,-3");
    row("brackets", "#define A (8) // @tune A (8) (16)", "A@1=(8):(8),(16)");
    row("words", "#define A true // @tune A true false", "A@1=true:true,false");
    row("value given twice", "#define A 1 // @tune A 1 2 1 2", "A@1=1:1,2");
    row("name declared twice", "#define A 1 // @tune A 1 2\n// @tune A 3 4\n", "A@1=1:1,2");
    row("current value not declared", "#define A 7 // @tune A 1 2", "A@1=7:1,2");
    row("no definition", "// @tune A 1 2\n", "");
    row("definition in a comment", "// #define A 1 // @tune A 1 2\n", "");
    row("no values", "#define A 1 // @tune A\n", "");
    row("other word", "#define A 1 // @tuned A 1 2\n", "");
    row("text before the tag", "#define A 1 // see @tune A 1 2\n", "");
    row("macro with arguments", "#define A(x) 1 // @tune A 1 2\n", "");
    row("prefix of another name", "#define AB 1 // @tune A 1 2\n", "");
    row("value that is code", "#define A 1;system() // @tune A 1 2\n", "");
    row("declared value that is code", "#define A 1 // @tune A 1 2;3 \"x\" 4\n", "A@1=1:1,4");
    row("empty", "", "");
}

void ScientistTunables::finds() {
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, found);
    std::string text;
    for (const Tunable& tunable : findTunables(source.toStdString())) {
        text += text.empty() ? "" : " ";
        text += tunable.name + "@" + std::to_string(tunable.line) + "=" + tunable.current + ":";
        for (std::size_t i = 0; i < tunable.values.size(); ++i) {
            text += (i > 0 ? "," : "") + tunable.values[i];
        }
    }
    QCOMPARE(QByteArray::fromStdString(text), found);
}

void ScientistTunables::changesOnlyTheValue() {
    const std::string source =
        "// TILE 16\n#define TILE 16 // @tune TILE 8 16 32\n#define N 4 // @tune N 4 16\nint a[TILE]; // 16\n";
    const auto changed = withTunables(source, {{"N", "16"}, {"TILE", "8"}});
    QVERIFY(changed.has_value());
    QCOMPARE(*changed,
             "// TILE 16\n#define TILE 8 // @tune TILE 8 16 32\n#define N 16 // @tune N 4 16\nint a[TILE]; // 16\n");
    QCOMPARE(withTunables(*changed, {{"N", "4"}, {"TILE", "16"}}).value_or(""), source);
}

void ScientistTunables::keepsLineEndings() {
    QCOMPARE(withTunables("#define A 1\r\n// @tune A 1 22\r\n", {{"A", "22"}}).value_or(""),
             "#define A 22\r\n// @tune A 1 22\r\n");
}

void ScientistTunables::nearestDefinitionIsMeant() {
    const std::string source = "#if X\n#define A 1\n#else\n#define A 2 // @tune A 2 3\n#endif\n";
    QCOMPARE(withTunables(source, {{"A", "3"}}).value_or(""),
             "#if X\n#define A 1\n#else\n#define A 3 // @tune A 2 3\n#endif\n");
}

void ScientistTunables::refusesWhatWasNotDeclared() {
    const std::string source = "#define A 7 // @tune A 1 2\n";
    QVERIFY(!withTunables(source, {{"B", "1"}}));
    QVERIFY(!withTunables(source, {{"A", "3"}}));
    QVERIFY(!withTunables(source, {{"A", "1\n#include \"/etc/passwd\""}}));
    QCOMPARE(withTunables(source, {{"A", "7"}}).value_or(""), source);
    QCOMPARE(withTunables(source, {}).value_or(""), source);
}

void ScientistTunables::numberOfTunablesAndValuesIsBounded() {
    std::string source;
    for (int i = 0; i < 100; ++i) {
        source += "#define A" + std::to_string(i) + " 0 // @tune A" + std::to_string(i);
        for (int value = 0; value < 200; ++value) {
            source += " " + std::to_string(value);
        }
        source += "\n";
    }
    const std::vector<Tunable> found = findTunables(source);
    QCOMPARE(found.size(), std::size_t{32});
    QCOMPARE(found.front().values.size(), std::size_t{64});
}

void ScientistTunables::typesFollowFromValues_data() {
    QTest::addColumn<QByteArray>("values");
    QTest::addColumn<int>("type");
    const auto row = [](const char* values, TunableType type) {
        QTest::newRow(values) << QByteArray(values) << static_cast<int>(type);
    };
    row("0 1", TunableType::boolean);
    row("16 32 64", TunableType::powerOfTwo);
    row("1 2", TunableType::powerOfTwo);
    row("0 8 16", TunableType::integer);
    row("3 5 7", TunableType::integer);
    row("-1 1", TunableType::integer);
    row("(8) 16u 32UL", TunableType::powerOfTwo);
    row("0.5 1", TunableType::identifier);
    row("fast slow", TunableType::identifier);
    row("99999999999999999999 1", TunableType::identifier);
}

void ScientistTunables::typesFollowFromValues() {
    QFETCH(QByteArray, values);
    QFETCH(int, type);
    const std::string source = "#define A 1 // @tune A " + values.toStdString() + "\n";
    QCOMPARE(static_cast<int>(findTunables(source).at(0).type), type);
}

void ScientistTunables::nearnessFollowsFromTheType() {
    const SearchSpace space = SearchSpace::of("#define A 1 // @tune A 16 256 32\n"
                                              "#define B 0 // @tune B 0 1 4\n"
                                              "#define C x // @tune C x y z\n")
                                  .value();
    QCOMPARE(space.axisDistance(0, 0, 2), 0.25); // 16 to 32, of the four doublings to 256
    QCOMPARE(space.axisDistance(0, 2, 1), 0.75);
    QCOMPARE(space.axisDistance(1, 0, 1), 0.25);
    QCOMPARE(space.axisDistance(1, 2, 1), 0.75);
    QCOMPARE(space.axisDistance(2, 0, 1), 1.0);
    QCOMPARE(space.axisDistance(2, 0, 2), 1.0);
    QCOMPARE(space.axisDistance(0, -1, 2), 1.0);
}

void ScientistTunables::structureIsWhatRemains() {
    const std::string source = "#define A 1 // @tune A 1 2\nint x = A;\n";
    QCOMPARE(structureOf(source), structureOf("#define A 2   // @tune A 1 2\n// a remark\nint x = A;\n"));
    QVERIFY(structureOf(source) != structureOf("#define A 1 // @tune A 1 2\nint x = A + 1;\n"));
}

void ScientistTunables::conditionsRuleOutPoints() {
    const SearchSpace space = SearchSpace::of("#define M 8 // @tune M 8 16 32 64\n"
                                              "#define U 1 // @tune U 1 2 3\n"
                                              "#define NAME a // @tune NAME a b\n"
                                              "// @tune-if M * U <= 64\n"
                                              "//@tune-if M % U == 0 && U != 16\n")
                                  .value();
    QCOMPARE(space.size(), std::uint64_t{24});
    int allowed = 0;
    for (std::uint64_t i = 0; i < space.size(); ++i) {
        const auto values = space.valuesOf(space.pointAt(i));
        const int m = std::stoi(values.at("M"));
        const int u = std::stoi(values.at("U"));
        QCOMPARE(space.allows(space.pointAt(i)), m * u <= 64 && m % u == 0);
        allowed += space.allows(space.pointAt(i)) ? 1 : 0;
    }
    QCOMPARE(space.allowedSize().value_or(0), static_cast<std::uint64_t>(allowed));
    QVERIFY(allowed > 0 && allowed < 24);
}

void ScientistTunables::badConditionsAreRefused_data() {
    QTest::addColumn<QByteArray>("condition");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char* tag, QByteArray condition, const char* reason) {
        QTest::newRow(tag) << std::move(condition) << QByteArray(reason);
    };
    row("syntax", "M * * 2", "");
    row("unknown name", "M * WIDTH <= 4", "WIDTH");
    row("identifier", "NAME == 1", "NAME");
    row("assignment", "M = 8", "=");
    row("assignment behind a comparison", "M <= (M = 8)", "=");
    row("two values", "M, M", "more than one");
    row("empty", " ", "empty");
    row("too long", QByteArray(600, '('), "longer");
    row("deep", QByteArray(499, '('), "");
}

void ScientistTunables::badConditionsAreRefused() {
    QFETCH(QByteArray, condition);
    QFETCH(QByteArray, reason);
    const std::string source =
        "#define M 8 // @tune M 8 16\n#define NAME a // @tune NAME a b\n// @tune-if " + condition.toStdString() + "\n";
    const auto space = SearchSpace::of(source);
    QVERIFY(!space);
    QCOMPARE(space.error().kind, ErrorKind::usage);
    QCOMPARE(space.error().where, "line 3");
    QVERIFY2(space.error().what.find(reason.toStdString()) != std::string::npos, space.error().what.c_str());
}

void ScientistTunables::conditionsOfTheSeedsAreMetByTheirOwnValues() {
    int conditions = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(GKS_SOURCE_DIR "/resources/problems")) {
        if (entry.path().extension() != ".hip") {
            continue;
        }
        const std::string source = readFile(entry.path()).value();
        const auto space = SearchSpace::of(source);
        QVERIFY2(space.has_value(), space ? "" : (entry.path().string() + space.error().message()).c_str());
        QVERIFY(space->allows(space->current()));
        conditions += static_cast<int>(findConditions(source).size());
    }
    QVERIFY(conditions >= 6);
}

QTEST_APPLESS_MAIN(ScientistTunables)
#include "scientist_tunables.moc"
