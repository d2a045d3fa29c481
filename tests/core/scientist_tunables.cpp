// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/scientist.h"

#include <QTest>

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

QTEST_APPLESS_MAIN(ScientistTunables)
#include "scientist_tunables.moc"
