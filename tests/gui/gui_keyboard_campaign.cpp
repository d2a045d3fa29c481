// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>

using namespace gks;

namespace {

constexpr int evaluationMs = 240'000; // compiles and measures for real, perhaps on a busy machine
constexpr int tabStops = 120;         // more than any part of the window has

} // namespace

// A whole campaign without a mouse: keys go where the focus is, nothing is clicked, and no widget is told anything.
// What the window says is looked at after every step, so that none of it goes stale.
class KeyboardCampaignTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanup() { GuiTest::failOnWarnings(); }
    void fromNewToTheReport();

private:
    QWidget* focus() const { return QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : m_window; }
    void press(Qt::Key key, Qt::KeyboardModifiers held = Qt::NoModifier) { QTest::keyClick(focus(), key, held); }
    void type(const QString& text) { QTest::keyClicks(focus(), text); }
    // With the Tab key alone.
    bool tabTo(const char* name) {
        m_way.clear();
        for (int i = 0; i < tabStops && focus()->objectName() != QLatin1String(name); ++i) {
            press(Qt::Key_Tab);
            m_way.append(focus()->objectName());
        }
        return focus()->objectName() == QLatin1String(name);
    }
    // In the command palette.
    void command(const QString& words) {
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QTest::qWaitFor([this] { return focus()->objectName() == QLatin1String("commandSearch"); }));
        type(words);
        press(Qt::Key_Return);
        comeBack();
    }
    // A dialog runs a loop of its own: what is done in it has to be ordered before.
    void inDialog(const char* kind, const std::function<void()>& work) {
        auto* look = new QTimer(m_window);
        look->setInterval(20);
        connect(look, &QTimer::timeout, this, [look, kind, work] {
            const QWidget* dialog = QApplication::activeModalWidget();
            if (dialog != nullptr && dialog->inherits(kind) && dialog->isActiveWindow() &&
                QApplication::focusWidget() != nullptr) {
                look->deleteLater();
                look->stop();
                work();
            }
        });
        look->start();
    }
    // After a dialog; where a desktop does it, nobody presses anything for it.
    void comeBack() {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window));
    }
    void create();
    void firstEvaluation();
    void measuredOnceMore();
    void bannedAfterItWasPinned();
    void stopped();
    void reported();

    EngineBridge& bridge() const { return m_window->currentView()->bridge(); }
    const Kernel& first() const { return bridge().population()->kernels.front(); }
    template<class W>
    QString shown(const char* name) const {
        const auto* widget = m_window->findChild<W*>(QLatin1String(name));
        if constexpr (std::is_same_v<W, QTextBrowser>) {
            return widget->toPlainText();
        } else {
            return widget->text();
        }
    }

    std::unique_ptr<GuiTest> m_gui;
    QTemporaryDir m_folder;
    MainWindow* m_window = nullptr;
    QStringList m_way; // of the Tab key
};

void KeyboardCampaignTest::fromNewToTheReport() {
    WindowSeams seams = realWindowSeams();
    seams.choices = [this, choices = seams.choices] {
        CampaignChoices all = choices();
        all.folder = m_folder.path();
        return all;
    };
    MainWindow window(std::move(seams));
    m_window = &window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    for (void (KeyboardCampaignTest::*step)() :
         {&KeyboardCampaignTest::create, &KeyboardCampaignTest::firstEvaluation,
          &KeyboardCampaignTest::measuredOnceMore, &KeyboardCampaignTest::bannedAfterItWasPinned,
          &KeyboardCampaignTest::stopped, &KeyboardCampaignTest::reported}) {
        (this->*step)();
        if (QTest::currentTestFailed()) {
            return;
        }
    }
    press(Qt::Key_W, Qt::ControlModifier);
    QTRY_VERIFY(window.currentView() == nullptr);
    QThreadPool::globalInstance()->waitForDone();
    const auto store = CampaignStore::open(m_folder.filePath(QStringLiteral("sum-reduction.gks")).toStdString(),
                                           CampaignStore::Access::read);
    QVERIFY2(store.has_value(), store ? "" : store.error().message().c_str());
    QVERIFY((*store)->population().value()->kernels.front().banned);
}

void KeyboardCampaignTest::create() {
    bool found = false;
    inDialog("gks::NewCampaignDialog", [this, &found] {
        if (tabTo("newProblems")) {
            auto* problems = qobject_cast<QListWidget*>(focus());
            press(Qt::Key_Home);
            for (int i = 0; i < problems->count(); ++i) {
                found = problems->currentItem()->text().startsWith(QLatin1String("Sum of an array"));
                if (found) {
                    break;
                }
                press(Qt::Key_Down);
            }
        }
        found = found && tabTo("newEvaluations");
        press(Qt::Key_A, Qt::ControlModifier);
        type(QStringLiteral("1"));
        press(found ? Qt::Key_Return : Qt::Key_Escape);
    });
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY2_WITH_TIMEOUT(found, qPrintable(m_way.join(QLatin1Char(' '))), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->currentView() != nullptr, 20'000);
    QCOMPARE(bridge().population()->settings.budgets.evaluations, std::int64_t{1});
    comeBack();
}

void KeyboardCampaignTest::firstEvaluation() {
    QTRY_COMPARE(focus()->objectName(), QStringLiteral("lineageOutline")); // keys begin there
    press(Qt::Key_F5);
    QTRY_COMPARE(bridge().state(), EngineState::running);
    QTRY_VERIFY(shown<QLabel>("runState").startsWith(stateText(EngineState::running)));
    QTRY_VERIFY_WITH_TIMEOUT(first().verdict.has_value(), evaluationMs);
    QTRY_VERIFY_WITH_TIMEOUT(bridge().state() != EngineState::running, evaluationMs);
    QVERIFY2(first().geomeanUs > 0, first().reason.c_str());
    press(Qt::Key_K, Qt::ControlModifier); // search
    QTRY_COMPARE(focus()->objectName(), QStringLiteral("lineageSearch"));
    type(QStringLiteral("00001"));
    QTRY_COMPARE(shown<QLabel>("lineageFound"), QStringLiteral("1 kernel"));
    press(Qt::Key_Return);
    QCOMPARE(m_window->currentView()->selection().primary(), std::optional<KernelId>(1));
    press(Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY(m_window->findChild<QTextBrowser*>(QStringLiteral("kernelFacts"))->isVisible());
    QTRY_VERIFY(m_window->currentView()->isSettled());
}

// The page of a kernel shows its newest evaluation as soon as there is one.
void KeyboardCampaignTest::measuredOnceMore() {
    const QString before = shown<QTextBrowser>("kernelFacts");
    QVERIFY2(tabTo("budgetEvaluations"), qPrintable(m_way.join(QLatin1Char(' '))));
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("2"));
    press(Qt::Key_Return);
    QTRY_COMPARE(bridge().population()->settings.budgets.evaluations, std::int64_t{2});
    command(QStringLiteral("evaluate again")); // at once: the campaign stands
    QTRY_VERIFY_WITH_TIMEOUT(first().evaluations == 2, evaluationMs);
    QTRY_VERIFY_WITH_TIMEOUT(bridge().state() != EngineState::running, evaluationMs);
    QTRY_VERIFY(m_window->currentView()->isSettled());
    QVERIFY(shown<QTextBrowser>("kernelFacts") != before);
    const QString time = geomeanText(first(), TargetKind::cpu);
    QVERIFY2(shown<QLabel>("kernelOutcome").contains(time), qPrintable(shown<QLabel>("kernelOutcome")));
}

// What is banned is not the next parent, and the card says so at once.
void KeyboardCampaignTest::bannedAfterItWasPinned() {
    QVERIFY2(tabTo("lineageOutline"), qPrintable(m_way.join(QLatin1Char(' '))));
    press(Qt::Key_P);
    QTRY_VERIFY(shown<QLabel>("nextParent").startsWith(QStringLiteral("00001")));
    press(Qt::Key_B);
    QTRY_VERIFY(first().banned);
    QTRY_VERIFY(!shown<QLabel>("nextParent").contains(QStringLiteral("00001")));
    QTRY_VERIFY(!shown<QLabel>("nextParentWhy").contains(QStringLiteral("pinned")));
}

// Neither the state nor the lanes are said to work when nothing does.
void KeyboardCampaignTest::stopped() {
    QVERIFY2(tabTo("budgetEvaluations"), qPrintable(m_way.join(QLatin1Char(' '))));
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("9"));
    press(Qt::Key_Return);
    QTRY_COMPARE(bridge().population()->settings.budgets.evaluations, std::int64_t{9});
    press(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(shown<QLabel>("statusLanes").contains(QStringLiteral("00002")), evaluationMs);
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bridge().state(), EngineState::idle, evaluationMs);
    QTRY_COMPARE(shown<QLabel>("runState"), stateText(EngineState::idle));
    QTRY_VERIFY2(!shown<QLabel>("statusLanes").contains(QStringLiteral("00002")),
                 qPrintable(shown<QLabel>("statusLanes")));
}

void KeyboardCampaignTest::reported() {
    inDialog("QFileDialog", [this] { press(Qt::Key_Return); }); // the folder that it suggests
    command(QStringLiteral("export report"));
    QWidget* box = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((box = m_window->findChild<QWidget*>(QStringLiteral("evidenceExported"))) != nullptr,
                             60'000);
    QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("sum-reduction-report/report.html"))));
    QTRY_VERIFY(box->isVisible());
    QTest::keyClick(box, Qt::Key_Escape);
    comeBack();
}

QTEST_MAIN(KeyboardCampaignTest)
#include "gui_keyboard_campaign.moc"
