// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/limits.h"
#include "tests/support/gui_test.h"
#include "tests/support/held_compiler.h"
#include "tests/support/process_table.h"
#include "widgets/code/live_numbers.h"
#include "widgets/common/settings.h"

#include <QCoreApplication>
#include <QTest>
#include <algorithm>
#include <memory>

using namespace gks;

namespace {

using Sources = std::vector<std::string>;
using State = LiveCompile::State;

// With an editor of one string; the compiler outlives it.
struct Typist {
    HeldCompiler held;
    std::string text = "one";
    LiveCompile live{[this] { return text; }};

    Typist() {
        live.setCompiler(held.lister());
        live.setPause(std::chrono::milliseconds(0));
    }
    void type(const std::string& next) {
        text = next;
        live.touch();
    }
};

} // namespace

class LiveCompileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void newerTextStopsTheOlder();
    void aPauseIsWaitedFor();
    void nothingRunsUnseen();
    void theSettingTurnsItOff();
    void hugeTextIsNotCompiled();
    void withoutACompilerItSaysSoOnce();
    void whatIsTypedAndTakenBackIsKnown();
    void theParentIsCompiledOnce();
    void numbersStandAgainstTheParent();
    void theCompilerItself();
    void theCompilerIsStoppedByTyping();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void LiveCompileTest::newerTextStopsTheOlder() {
    Typist typist;
    typist.held.hold();
    typist.live.setActive(true);
    QTRY_COMPARE(typist.held.sources().size(), std::size_t{1});
    QCOMPARE(typist.live.state(), State::compiling);
    typist.type("two");
    QTRY_COMPARE(typist.held.sources(), Sources({"one", "two"}));
    QCOMPARE(typist.held.stopped(), 1);
    QVERIFY(typist.live.latest() == nullptr);
    typist.held.release();
    QTRY_COMPARE(typist.live.state(), State::done);
    QCOMPARE(typist.live.latest()->source, std::string("two"));
    QCOMPARE(typist.held.most(), 1);
}

void LiveCompileTest::aPauseIsWaitedFor() {
    Typist typist;
    typist.live.setPause(std::chrono::hours(1));
    typist.live.setActive(true);
    QTRY_COMPARE(typist.live.state(), State::done);
    typist.type("two");
    QCOMPARE(typist.live.state(), State::waiting);
    QCOMPARE(typist.held.sources().size(), std::size_t{1});
    typist.live.setPause(std::chrono::milliseconds(0)); // the hour is over
    QTRY_COMPARE(typist.live.state(), State::done);
    QCOMPARE(typist.held.sources(), Sources({"one", "two"}));
}

void LiveCompileTest::nothingRunsUnseen() {
    Typist typist;
    typist.type("two"); // nobody looks
    QCOMPARE(typist.live.state(), State::off);
    QVERIFY(!typist.live.isBusy());
    typist.held.hold();
    typist.live.setActive(true);
    QTRY_COMPARE(typist.held.sources().size(), std::size_t{1});
    typist.live.setActive(false);
    QCOMPARE(typist.live.state(), State::off);
    QTRY_COMPARE(typist.held.stopped(), 1);
    QTRY_VERIFY(!typist.live.isBusy());
    typist.held.release();
    typist.live.setActive(true); // what was stopped is compiled now
    QTRY_COMPARE(typist.live.state(), State::done);
    QCOMPARE(typist.held.sources(), Sources({"two", "two"}));
}

void LiveCompileTest::theSettingTurnsItOff() {
    Settings::instance().set(settings::compileWhileTyping, false);
    Typist typist;
    typist.live.setActive(true);
    QCOMPARE(typist.live.state(), State::off);
    Settings::instance().set(settings::compileWhileTyping, true);
    QTRY_COMPARE(typist.live.state(), State::done);
    QCOMPARE(typist.held.sources(), Sources({"one"}));
}

void LiveCompileTest::hugeTextIsNotCompiled() {
    Typist typist;
    typist.text = std::string(limits::kernelSourceBytes + 1, 'x');
    typist.live.setActive(true);
    QTRY_COMPARE(typist.live.state(), State::done);
    QVERIFY(typist.held.sources().empty());
    QVERIFY(!typist.live.latest()->listing);
    typist.type("small");
    QTRY_COMPARE(typist.held.sources(), Sources({"small"}));
}

void LiveCompileTest::withoutACompilerItSaysSoOnce() {
    Typist typist;
    typist.held.answer(infrastructureError("clang 19 is not installed", "toolchain", "Install clang-19"));
    typist.live.setParentText("parent");
    typist.live.setActive(true);
    QTRY_VERIFY(typist.live.parents() != nullptr);
    QCOMPARE(typist.live.state(), State::done);
    QCOMPARE(typist.live.latest()->listing.error().next, std::string("Install clang-19"));
    QTRY_VERIFY(!typist.live.isBusy());
    QCOMPARE(typist.held.sources(), Sources({"one", "parent"}));
}

void LiveCompileTest::whatIsTypedAndTakenBackIsKnown() {
    Typist typist;
    typist.live.setActive(true);
    QTRY_COMPARE(typist.live.state(), State::done);
    typist.live.touch();
    QTRY_COMPARE(typist.live.state(), State::done);
    QCOMPARE(typist.held.sources(), Sources({"one"}));
    typist.live.setConditions({nullptr, "gfx90a", {}}); // the text is the same, the code is not
    QTRY_COMPARE(typist.held.sources(), Sources({"one", "one"}));
    QTRY_COMPARE(typist.live.state(), State::done);
}

void LiveCompileTest::theParentIsCompiledOnce() {
    Typist typist;
    typist.live.setActive(true);
    QTRY_COMPARE(typist.live.state(), State::done);
    typist.held.hold();
    typist.live.setParentText("parent");
    QTRY_COMPARE(typist.held.sources(), Sources({"one", "parent"}));
    typist.type("two"); // goes first
    QTRY_COMPARE(typist.held.sources(), Sources({"one", "parent", "two"}));
    typist.held.release();
    QTRY_VERIFY(typist.live.parents() != nullptr);
    typist.type("three");
    QTRY_COMPARE(typist.live.state(), State::done);
    QTRY_VERIFY(!typist.live.isBusy());
    QCOMPARE(typist.held.sources(), Sources({"one", "parent", "two", "parent", "three"}));
    QCOMPARE(typist.held.most(), 1);
}

void LiveCompileTest::numbersStandAgainstTheParent() {
    const StaticReport now{"gfx942", {functionWith("void gemm<64>(Problem)", 96, 5), functionWith("<b>", 40, 8)}, 1};
    const StaticReport before{"gfx942", {functionWith("other()", 8, 8), functionWith("void gemm<32>(int)", 88, 5)}, 1};
    const QString html = liveNumbersHtml(now, &before, "gemm");
    QVERIFY2(html.startsWith(QStringLiteral("gfx942: ")), qPrintable(html)); // whatever the campaign runs on
    QVERIFY2(html.contains(QStringLiteral("<b>\u25B8 gemm</b>")), qPrintable(html));
    QVERIFY2(html.contains(QStringLiteral("VGPR&nbsp;96&nbsp;(+8)")), qPrintable(html));
    QVERIFY2(html.contains(QStringLiteral("5&nbsp;waves/&#8288;SIMD,&nbsp;80&nbsp;VGPRs&nbsp;give&nbsp;6")),
             qPrintable(html));
    QVERIFY2(html.contains(QStringLiteral("VGPR&nbsp;40 ")), qPrintable(html)); // it has no counterpart
    QCOMPARE(html.count(QStringLiteral("<b>")), 1);                             // and writes no HTML
    StaticReport many = now;
    many.kernels.assign(20, functionWith("f()", 8, 8));
    many.kernels.push_back(functionWith("last()", 8, 8));
    const QString cut = liveNumbersHtml(many, nullptr, "last");
    QVERIFY2(cut.contains(QStringLiteral("15 more functions")) && cut.contains(QStringLiteral("\u25B8 last")),
             qPrintable(cut));
}

// clang, in the sandbox.
void LiveCompileTest::theCompilerItself() {
    std::string text = "#include <hip/hip_runtime.h>\n"
                       "#line 90 \"other.hip\"\n"
                       "// \u00e4\u20ac\n"
                       "__global__ void f(float* x) { /* \u20ac */ x[0] = nothing; }\n";
    LiveCompile live([&text] { return text; });
    live.setActive(true);
    QTRY_COMPARE_WITH_TIMEOUT(live.state(), State::done, 60'000);
    QVERIFY2(live.latest()->listing, live.latest()->listing ? "" : live.latest()->listing.error().message().c_str());
    const std::vector<Diagnostic>& found = live.latest()->listing->diagnostics;
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].line, 4);
    QCOMPARE(text.substr(text.find("__global__")).substr(static_cast<std::size_t>(found[0].column) - 1, 7),
             std::string("nothing"));
    text.replace(text.find("nothing"), 7, "1.0F");
    live.setParentText(text);
    live.touch();
    QTRY_VERIFY_WITH_TIMEOUT(live.compiled() != nullptr, 60'000);
    QCOMPARE(live.compiled()->listing->report->kernels.size(), std::size_t{1});
    QCOMPARE(live.compiled()->listing->report->kernels[0].name, std::string("f(float*)"));
    QVERIFY(live.parents() != nullptr); // the same text
}

void LiveCompileTest::theCompilerIsStoppedByTyping() {
    std::string text = "template<int D, long P> struct Tree {\n"
                       "    static constexpr int value = Tree<D - 1, 2 * P>::value + Tree<D - 1, 2 * P + 1>::value;\n"
                       "};\n"
                       "template<long P> struct Tree<0, P> { static constexpr int value = 1; };\n"
                       "int total = Tree<60, 0>::value;\n";
    LiveCompile live([&text] { return text; });
    live.setActive(true);
    const auto compilers = [] {
        const auto all = test::processesWith("kernel.hip");
        std::vector<int> ours;
        for (const int pid : test::descendants(static_cast<int>(QCoreApplication::applicationPid()), "")) {
            const bool isOne =
                std::any_of(all.begin(), all.end(), [pid](const test::Process& one) { return one.pid == pid; });
            ours.insert(ours.end(), isOne ? 1 : 0, pid);
        }
        return ours;
    };
    std::vector<int> running;
    QTRY_VERIFY_WITH_TIMEOUT(!(running = compilers()).empty(), 30'000);
    text = "__global__ void f() {}\n";
    live.touch();
    QTRY_COMPARE_WITH_TIMEOUT(live.state(), State::done, 60'000);
    QCOMPARE(live.latest()->source, text);
    for (const int pid : running) {
        QVERIFY(test::isGone(pid));
    }
}

QTEST_MAIN(LiveCompileTest)
#include "live_compile_test.moc"
