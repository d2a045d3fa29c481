// SPDX-License-Identifier: GPL-3.0-or-later
// What a hostile process has left on its standard error, as people read it.
#include "core/judge/evaluator/session/last_words.h"

#include <QTest>

using namespace gks;

class JudgeLastWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aQuotationIsOneShortLine_data() {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("file not found") << QByteArray("\"file not found\"");
        QTest::newRow("control characters") << QByteArray("a\nb\x1b[31mc\x7f") << QByteArray("\"a b [31mc \"");
        QTest::newRow("quotation marks") << QByteArray("say \"done\" now") << QByteArray("\"say 'done' now\"");
        QTest::newRow("no UTF-8") << QByteArray("\xff!") << QByteArray("\"\xef\xbf\xbd!\"");
        QTest::newRow("long") << QByteArray(1000, 'x') << "\"" + QByteArray(297, 'x') + "\xe2\x80\xa6\"";
    }
    void aQuotationIsOneShortLine() {
        QFETCH(QByteArray, said);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(quotation(said.toStdString())), shown);
    }

    void theLastLineThatSaysSomething() {
        QCOMPARE(lastLine("first\n  last \n\n \n"), std::string("last"));
        QCOMPARE(lastLine("\n"), std::string());
    }
};

QTEST_APPLESS_MAIN(JudgeLastWords)
#include "judge_last_words.moc"
