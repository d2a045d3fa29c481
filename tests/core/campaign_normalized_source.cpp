// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"

#include <QTest>

using gks::normalizedSource;

class CampaignNormalizedSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameKernel_data();
    void sameKernel();
    void otherKernel_data();
    void otherKernel();
    void everyPrefixEnds();
};

void CampaignNormalizedSource::sameKernel_data() {
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::newRow("comments") << QByteArray("int a; // one\n/* two */ int b;") << QByteArray("int a;\nint b;");
    QTest::newRow("indentation") << QByteArray("void f() {\n    g( 1,2 );\n}\n")
                                 << QByteArray("void f()\n{ g(1, 2); }");
    QTest::newRow("line endings") << QByteArray("#define A 1\r\nint a;\r\n") << QByteArray("#define A 1\nint a;\n");
    QTest::newRow("blank lines") << QByteArray("int a;\n\n\n#define A  1\n\nint b;")
                                 << QByteArray("int a;\n#define A 1\nint b;");
    QTest::newRow("comment after a directive")
        << QByteArray("#define A 1 // @tune A 1 2\nint b;") << QByteArray("#define A 1\nint b;");
    QTest::newRow("continued line") << QByteArray("#define A(x) \\\n  (x)\n") << QByteArray("#define A(x) (x)\n");
    QTest::newRow("continued comment") << QByteArray("// a \\\n b\nint c;") << QByteArray("int c;");
}

void CampaignNormalizedSource::sameKernel() {
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QCOMPARE(normalizedSource(a.toStdString()), normalizedSource(b.toStdString()));
}

void CampaignNormalizedSource::otherKernel_data() {
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::newRow("value") << QByteArray("#define A 1\n") << QByteArray("#define A 2\n");
    QTest::newRow("words") << QByteArray("int a") << QByteArray("inta");
    QTest::newRow("operators") << QByteArray("a + +b") << QByteArray("a++b");
    QTest::newRow("blank in a literal") << QByteArray("\"a b\"") << QByteArray("\"ab\"");
    QTest::newRow("comment in a literal") << QByteArray("\"//a\"") << QByteArray("\"//b\"");
    QTest::newRow("raw literal") << QByteArray("R\"x(/* a */)x\"") << QByteArray("R\"x(/* b */)x\"");
    QTest::newRow("macro with arguments") << QByteArray("#define f(x)\n") << QByteArray("#define f (x)\n");
    QTest::newRow("end of a directive") << QByteArray("#define A 1\nint b;") << QByteArray("#define A 1 int b;");
}

void CampaignNormalizedSource::otherKernel() {
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QVERIFY(normalizedSource(a.toStdString()) != normalizedSource(b.toStdString()));
}

void CampaignNormalizedSource::everyPrefixEnds() {
    const std::string source = "#define A \\\n 1 /* c */ // d\nR\"x(a)x\" \"b\\\"\" 'c' 1'000 a+ +b\n";
    for (std::size_t length = 0; length <= source.size(); ++length) {
        QVERIFY(normalizedSource(source.substr(0, length)).size() <= length + 1);
    }
}

QTEST_APPLESS_MAIN(CampaignNormalizedSource)
#include "campaign_normalized_source.moc"
