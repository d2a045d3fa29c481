// SPDX-License-Identifier: GPL-3.0-or-later
// What a hostile process has left on its standard error.
#include "core/judge/evaluator/session/last_words.h"

#include <QTest>

using namespace gks;

class JudgeLastWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastLineThatSaysSomething() {
        QCOMPARE(lastLine("first\n  last \n\n \n"), std::string_view("last"));
        QCOMPARE(lastLine("\n"), std::string_view());
    }
};

QTEST_APPLESS_MAIN(JudgeLastWords)
#include "judge_last_words.moc"
