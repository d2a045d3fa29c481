// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/normalized_source.h"

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
    const QByteArray loop = "__global__ void k(const float* a, float* b, int n) {\n  float sum = 0;\n"
                            "  for (int i = 0; i < n; ++i) { sum += a[i]; }\n  *b = sum;\n}";
    QTest::newRow("parameters, variables and loops")
        << loop
        << QByteArray("__global__ void k(const float* in, float* out, int count) {\n  float total = 0;\n"
                      "  for (int j = 0; j < count; ++j) { total += in[j]; }\n  *out = total;\n}");
    QTest::newRow("types of the problem")
        << QByteArray("void f() { fp8_t x = load(); const size_t row = x; g(row, x); }")
        << QByteArray("void f() { fp8_t value = load(); const size_t r = value; g(r, value); }");
    QTest::newRow("names that two functions share") << QByteArray("void f(int a) { g(a); } void h(int a) { g(a); }")
                                                    << QByteArray("void f(int b) { g(b); } void h(int b) { g(b); }");
    QTest::newRow("continued comment") << QByteArray("// a \\\n b\nint c;") << QByteArray("int c;");
    QTest::newRow("continued comment, other line endings")
        << QByteArray("// a \\\r\n b\r\nint c;") << QByteArray("int c;");
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
    // Each of these could mean something else.
    const auto row = [](const char* tag, const char* a, const char* b) {
        QTest::newRow(tag) << QByteArray(a) << QByteArray(b);
    };
    row("order of variables", "void f(int a, int b) { g(a, b); }", "void f(int a, int b) { g(b, a); }");
    row("two variables for one", "void f() { int a = 1; int b = a; g(a); }",
        "void f() { int a = 1; int b = a; g(b); }");
    row("members of the same name", "void f(P& p) { int m = p.m; int n = p.n; g(m, n); }",
        "void f(P& p) { int n = p.n; int m = p.m; g(n, m); g(m, n); }");
    row("crossed members", "void f(P& p) { int m = p.m; int n = p.n; g(m, n); }",
        "void f(P& p) { int n = p.m; int m = p.n; g(n, m); }");
    row("names from elsewhere", "void f() { int x = warpSize; g(x); }", "void f() { int x = gridSize; g(x); }");
    row("a local name that hides another's", "void f() { int warpSize = 1; g(warpSize); } void h() { g(warpSize); }",
        "void f() { int other = 1; g(other); } void h() { g(other); }");
    row("functions", "float one(float x) { return x; }", "float two(float x) { return x; }");
    row("called functions", "void f() { float x = sin(1); g(x); }", "void f() { float x = cos(1); g(x); }");
    row("a name in a macro", "#define A x\nvoid f() { int x = 1; g(A); }",
        "#define A x\nvoid f() { int y = 1; g(A); }");
    row("joined tokens", "#define J(a) a##_1\nvoid f() { int x = 1; int x_1 = 2; g(J(x)); }",
        "#define J(a) a##_1\nvoid f() { int y = 1; int x_1 = 2; g(J(y)); }");
    row("template parameters", "template<int N> void f() { g(N); }", "template<int M> void f() { g(M); }");
    row("external names", "extern int a; void f() { g(a); }", "extern int b; void f() { g(b); }");
    row("products are no declarations", "void f() { g(A * b); h(A * b); }", "void f() { g(A * c); h(A * c); }");
    row("literals", "void f() { int x = 1; g(\"x\", x); }", "void f() { int y = 1; g(\"y\", y); }");
    row("types", "void f() { float a = 1; g(a); }", "void f() { double a = 1; g(a); }");
    row("brackets that do not match", "void f() { int a = 1; g(a) ]", "void f() { int b = 1; g(b) ]");
    QTest::newRow("end of a directive") << QByteArray("#define A 1\nint b;") << QByteArray("#define A 1 int b;");
}

void CampaignNormalizedSource::otherKernel() {
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QVERIFY(normalizedSource(a.toStdString()) != normalizedSource(b.toStdString()));
}

void CampaignNormalizedSource::everyPrefixEnds() {
    for (const char* hostile : {"(int a", "int a;", "template<", "x*", "{int a", "int a,", "(int a)"}) {
        std::string text;
        while (text.size() < 200000) {
            text += hostile;
        }
        QVERIFY(normalizedSource(text).size() <= 3 * text.size());
        for (const char close : {')', '}'}) { // and with brackets that match
            QVERIFY(!normalizedSource(text + std::string(text.size() / 6, close)).empty());
        }
    }
    const std::string source = "#define A \\\n 1 /* c */ // d\nR\"x(a)x\" \"b\\\"\" 'c' 1'000 a+ +b\nvoid f(int x, "
                               "float* y) { for (int i = 0; i < x; ++i) y[i] = x; }\n";
    for (std::size_t length = 0; length <= source.size(); ++length) {
        QVERIFY(normalizedSource(source.substr(0, length)).size() <= 3 * length + 1);
    }
}

QTEST_APPLESS_MAIN(CampaignNormalizedSource)
#include "campaign_normalized_source.moc"
