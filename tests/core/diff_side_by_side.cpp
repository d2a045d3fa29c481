// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/diff/side_by_side.h"
#include "core/diff/unified_text.h"
#include "core/diff/word_diff.h"

#include <QTest>
#include <random>

using namespace gks;

namespace {

// "kind left|right" for each row, with changed words in brackets.
std::string printed(const SideBySide& diff) {
    const auto side = [](const std::vector<std::string>& all, std::optional<int> line,
                         const std::vector<ByteSpan>& words) {
        if (!line) {
            return std::string("~");
        }
        std::string text = all[static_cast<std::size_t>(*line)];
        for (auto word = words.rbegin(); word != words.rend(); ++word) {
            text.insert(static_cast<std::size_t>(word->end), "]");
            text.insert(static_cast<std::size_t>(word->begin), "[");
        }
        return text;
    };
    std::string out;
    for (const DiffRow& row : diff.rows) {
        out += " !-+"[static_cast<int>(row.kind)];
        out +=
            side(diff.left, row.leftLine, row.leftWords) + "|" + side(diff.right, row.rightLine, row.rightWords) + "\n";
    }
    return out;
}

} // namespace

class DiffSideBySide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalSourcesHaveNoChange();
    void changedWordsAreMarked();
    void similarLinesArePairedAcrossInsertions();
    void emptySides();
    void missingFinalNewlineIsNoChange();
    void whitespaceCanBeIgnored();
    void wordsNeverCutACharacter();
    void everyLineAppearsOnceInOrder();
    void longLineIsChangedWhole();
    void asUnifiedText_data();
    void asUnifiedText();
    void distantChangesAreHunksOfTheirOwn();
};

void DiffSideBySide::equalSourcesHaveNoChange() {
    const SideBySide diff = compareSources("a\nb\n", "a\nb\n");
    QCOMPARE(printed(diff), std::string(" a|a\n b|b\n"));
    QVERIFY(diff.changes.empty());
}

void DiffSideBySide::changedWordsAreMarked() {
    const SideBySide diff = compareSources("x\n  float s[64];\ny\n", "x\n  float s[64 + 4];\ny\n");
    QCOMPARE(printed(diff), std::string(" x|x\n!  float s[64];|  float s[64[ + 4]];\n y|y\n"));
    QCOMPARE(diff.changes.size(), std::size_t{1});
    QCOMPARE(diff.changedLines, 1);
}

void DiffSideBySide::similarLinesArePairedAcrossInsertions() {
    const SideBySide diff = compareSources("int tile = 16;\nstore(c, acc);\n",
                                           "int tile = 32;\n#pragma unroll\nfor (;;) {\nstore(c, acc * s);\n");
    QCOMPARE(printed(diff), std::string("!int tile = [16];|int tile = [32];\n+~|#pragma unroll\n+~|for (;;) "
                                        "{\n!store(c, acc);|store(c, acc[ * s]);\n"));
}

void DiffSideBySide::emptySides() {
    QCOMPARE(printed(compareSources("", "a\n")), std::string("+~|a\n"));
    QCOMPARE(printed(compareSources("a\n", "")), std::string("-a|~\n"));
    QVERIFY(compareSources("", "").rows.empty());
}

void DiffSideBySide::missingFinalNewlineIsNoChange() {
    QVERIFY(compareSources("a\nb", "a\r\nb\n").changes.empty());
}

void DiffSideBySide::whitespaceCanBeIgnored() {
    QCOMPARE(compareSources("a  b\n", "a b\n").changes.size(), std::size_t{1});
    QVERIFY(compareSources("a  b\n", "a b\n", {.ignoreWhitespace = true}).changes.empty());
}

void DiffSideBySide::wordsNeverCutACharacter() {
    const std::string left = "// \xc3\xbc";  // u umlaut
    const std::string right = "// \xc3\xb6"; // o umlaut: the same first byte
    const WordDiff words = diffWords(left, right);
    QVERIFY((words.left == std::vector<ByteSpan>{{3, 5}}));
    QVERIFY((words.right == std::vector<ByteSpan>{{3, 5}}));
}

void DiffSideBySide::everyLineAppearsOnceInOrder() {
    std::mt19937 random(7);
    const auto source = [&] {
        std::string text;
        for (auto i = random() % 40; i > 0; --i) {
            text += "line " + std::to_string(random() % 12) + " of " + std::to_string(random() % 3) + "\n";
        }
        return text;
    };
    for (int round = 0; round < 300; ++round) {
        const SideBySide diff = compareSources(source(), source());
        int left = 0;
        int right = 0;
        for (const DiffRow& row : diff.rows) {
            QVERIFY(row.leftLine || row.rightLine);
            if (row.leftLine) {
                QCOMPARE(*row.leftLine, left++);
            }
            if (row.rightLine) {
                QCOMPARE(*row.rightLine, right++);
            }
            const bool same = row.leftLine && row.rightLine &&
                              diff.left[static_cast<std::size_t>(*row.leftLine)] ==
                                  diff.right[static_cast<std::size_t>(*row.rightLine)];
            if (row.kind == RowKind::equal) {
                QVERIFY(same);
            }
        }
        QCOMPARE(static_cast<std::size_t>(left), diff.left.size());
        QCOMPARE(static_cast<std::size_t>(right), diff.right.size());
    }
}

void DiffSideBySide::longLineIsChangedWhole() {
    std::string line;
    for (int i = 0; i < 5000; ++i) {
        line += std::to_string(i) + ",";
    }
    const SideBySide diff = compareSources(line, line + "1");
    QCOMPARE(diff.rows.size(), std::size_t{2}); // not alike enough to be paired, shown as removed and added
    QCOMPARE(diff.changes.size(), std::size_t{1});
}

// Beside what GNU diff -u writes of the same files.
void DiffSideBySide::asUnifiedText_data() {
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("right");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* left, const char* right, const char* text) {
        QTest::newRow(name) << QString::fromLatin1(left) << QString::fromLatin1(right) << QString::fromLatin1(text);
    };
    row("the same", "a\n", "a\n", "");
    row("two lines changed", "a\nint x1;\nint y1;\nb\n", "a\nint x2;\nint y2;\nb\n",
        "--- L\n+++ R\n@@ -1,4 +1,4 @@\n a\n-int x1;\n-int y1;\n+int x2;\n+int y2;\n b\n");
    row("from nothing", "", "a\nb\n", "--- L\n+++ R\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    row("to nothing", "a\n", "", "--- L\n+++ R\n@@ -1,1 +0,0 @@\n-a\n");
}

void DiffSideBySide::asUnifiedText() {
    QFETCH(const QString, left);
    QFETCH(const QString, right);
    const SideBySide diff = compareSources(left.toStdString(), right.toStdString());
    QTEST(QString::fromStdString(unifiedText(diff, "L", "R")), "text");
}

void DiffSideBySide::distantChangesAreHunksOfTheirOwn() {
    std::string left;
    std::string right;
    for (int i = 1; i <= 20; ++i) {
        left += std::to_string(i) + "\n";
        right += (i == 2 || i == 19 ? "changed " : "") + std::to_string(i) + "\n";
    }
    const std::string text = unifiedText(compareSources(left, right), "L", "R");
    QVERIFY2(text.find("@@ -1,5 +1,5 @@\n 1\n-2\n+changed 2\n 3\n 4\n 5\n@@ -16,5 +16,5 @@\n 16\n") !=
                 std::string::npos,
             text.c_str());
    QCOMPARE(unifiedText(compareSources(left, right), "L", "R", 10).find("@@ -1,20 +1,20 @@"), std::size_t{12});
}

QTEST_APPLESS_MAIN(DiffSideBySide)
#include "diff_side_by_side.moc"
