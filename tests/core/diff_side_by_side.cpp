// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/diff/side_by_side.h"
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

QTEST_APPLESS_MAIN(DiffSideBySide)
#include "diff_side_by_side.moc"
