// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "app/workbench/page_bar.h"
#include "tests/support/gui_test.h"
#include "tests/support/one_text_campaign.h"
#include "tests/support/recording_bridge.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/message_label.h"
#include "widgets/common/panel.h"
#include "widgets/common/selection_context.h"
#include "widgets/settings/settings_dialog.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>

using namespace gks;

namespace {

constexpr QSize smallScreen(1280, 800);
constexpr QSize leastScreen(1024, 720);
const QRegularExpression anyDigit(QStringLiteral("[0-9]"));

WindowSeams seamsThatFail(const QString& why) {
    return {[](QWidget*) { return QStringLiteral("/campaigns/broken.gks"); },
            [](QWidget*) { return ClosingChoice::pause; }, [] { return CampaignChoices(); },
            [why](const QString&, CampaignStore::Access, QObject*,
                  const std::function<void(Result<EngineBridge*>)>& opened) {
                opened(usageError(why.toStdString(), why.toStdString(), why.toStdString()));
            },
            [] { return Result<QString>(QString()); }};
}

QString pathOf(const QWidget* widget) {
    QString path;
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget()) {
        const QString name = at->objectName();
        path.prepend(QLatin1Char('/') + (name.isEmpty() ? QString::fromLatin1(at->metaObject()->className()) : name));
    }
    return path;
}

// What asks for more than half of a small screen by itself, which no part of a window has a right to.
QStringList demanding(const QWidget& window) {
    QStringList found;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->minimumSizeHint().width() > smallScreen.width() / 2 && widget->layout() == nullptr) {
            found.append(pathOf(widget) + QStringLiteral(" %1").arg(widget->minimumSizeHint().width()));
        }
    }
    return found;
}

// Titles of kernels and names of files are words, whatever is in them.
bool isNumbers(const QLabel* label) {
    static const QStringList names = {
        QStringLiteral("compareLeftTime"), QStringLiteral("compareRightTime"), QStringLiteral("compareRatio"),
        QStringLiteral("compareChanges"),  QStringLiteral("spentEvaluations"), QStringLiteral("spentUsd"),
        QStringLiteral("spentClock"),      QStringLiteral("statusLanes"),      QStringLiteral("statusWarnings")};
    return names.contains(label->objectName()) || label->objectName().startsWith(QLatin1String("spendOf")) ||
           label->objectName().startsWith(QLatin1String("spendLeft"));
}

// The parts that ask for most, for a message.
QString widest(const QWidget& window) {
    QStringList parts;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if ((widget->isVisible() || qobject_cast<const Panel*>(widget) != nullptr) &&
            widget->minimumSizeHint().width() > 250) {
            parts.append(QStringLiteral("%1 %2")
                             .arg(widget->minimumSizeHint().width(), 5)
                             .arg(pathOf(widget).section(QLatin1Char('/'), -2)));
        }
    }
    parts.sort();
    std::ranges::reverse(parts);
    return parts.join(QLatin1Char('\n'));
}

} // namespace

// How the window behaves towards the screen: whatever is said in it, and however small the screen is.
class MannersTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void init() {
        m_notices.clear();
        WindowSeams seams = seamsThatFail(m_long);
        seams.notify = [this](QWidget*, const QString&, const QString& text) { m_notices.append(text); };
        m_window = std::make_unique<MainWindow>(std::move(seams));
        m_window->resize(smallScreen);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() {
        m_window.reset();
        GuiTest::failOnWarnings();
    }

    void noTextWidensTheWindow() {
        CampaignView* view = m_window->addCampaign(makeCampaignOfOneText(m_long.toStdString(), m_long.toStdString()));
        view->selection().select(12);
        view->setSandbox(m_long, m_long);
        for (const QString& panel : view->panelIds()) {
            view->showPanel(panel);
            QTRY_VERIFY(view->isSettled());
            fits(panel);
        }
    }

    void noErrorWidensTheStartPage() {
        m_window->openCampaign(QStringLiteral("/campaigns/broken.gks"));
        auto* error = m_window->findChild<QWidget*>(QStringLiteral("startError"));
        QTRY_VERIFY(error->isVisible());
        fits(QStringLiteral("start page"));
    }

    // Whoever wraps breaks words that are too long; whoever draws markup writes it itself.
    void onlyMessagesWrap() {
        CampaignView* view = addSample();
        for (const QLabel* label : view->findChildren<QLabel*>()) {
            QVERIFY2(!label->wordWrap() || qobject_cast<const MessageLabel*>(label) != nullptr ||
                         label->textFormat() == Qt::RichText,
                     qPrintable(pathOf(label)));
        }
    }

    void aMessageWrapsInItsPlace() {
        MessageLabel label(m_long);
        label.setLineLimit(3);
        const int line = label.fontMetrics().lineSpacing();
        QVERIFY(label.minimumSizeHint().width() < 200);
        QCOMPARE(label.heightForWidth(400), 3 * line);
        label.resize(400, label.heightForWidth(400));
        QVERIFY(label.isCut());
        QCOMPARE(label.text(), m_long);
        label.setText(QStringLiteral("one\ntwo"));
        QCOMPARE(label.heightForWidth(400), 2 * line);
        QVERIFY(!label.isCut());
        QCOMPARE(label.heightForWidth(1), 3 * line); // a letter a line, and never more than the limit
        const QStringList tip = foldedForTip(m_long).split(QLatin1Char('\n'));
        QVERIFY(tip.size() > 1 && tip.size() <= 40);
        for (const QString& folded : tip) {
            QVERIFY(folded.size() <= 100);
        }
        QCOMPARE(foldedForTip(QStringLiteral("a b\nc")), QStringLiteral("a b\nc"));
    }

    void everyPageIsInViewOnASmallScreen() {
        CampaignView* view = addSample();
        const auto* bar = view->findChild<PageBar*>();
        const auto buttons = bar->findChildren<QToolButton*>();
        auto* pages = view->findChild<QTabWidget*>(QStringLiteral("pages"));
        QCOMPARE(buttons.size(), pages->count());
        for (const QToolButton* button : buttons) {
            QVERIFY2(bar->rect().contains(button->geometry()), qPrintable(button->text()));
        }
        QTest::mouseClick(buttons.back(), Qt::LeftButton);
        QCOMPARE(pages->currentIndex(), pages->count() - 1);
        buttons.back()->setFocus();
        QTest::keyClick(buttons.back(), Qt::Key_Left); // from page to page
        QCOMPARE(pages->currentIndex(), pages->count() - 2);
        pages->setCurrentIndex(0);
        QVERIFY(buttons.front()->isChecked() && !buttons.back()->isChecked());
    }

    // A screen of 1280 pixels has room to spare, one of 2560 at 200 % shows all.
    void theWindowFitsHalfOfALargeScreen() {
        CampaignView* view = addSample();
        for (const QString& panel : view->panelIds()) {
            view->showPanel(panel);
            QTRY_VERIFY(view->isSettled());
            QVERIFY2(m_window->minimumSizeHint().width() <= leastScreen.width(),
                     qPrintable(QStringLiteral("%1: %2\n%3")
                                    .arg(panel)
                                    .arg(m_window->minimumSizeHint().width())
                                    .arg(widest(*m_window))));
        }
        m_window->resize(leastScreen);
        QTRY_COMPARE(m_window->size(), leastScreen);
    }

    // Words may be cut, with the whole in the tip; a number with its end cut off is another one.
    void noNumberIsCut() {
        CampaignView* view = addSample();
        for (const QString& panel : view->panelIds()) {
            view->showPanel(panel);
            QTRY_VERIFY(view->isSettled());
            for (const QLabel* label : view->findChildren<QLabel*>()) {
                const auto* elided = qobject_cast<const ElidedLabel*>(label);
                const QString shown = elided != nullptr ? elided->shownText() : label->text();
                const bool isCut =
                    elided != nullptr
                        ? shown != elided->text()
                        : !label->wordWrap() && label->textFormat() != Qt::RichText && !label->text().isEmpty() &&
                              label->contentsRect().width() < label->fontMetrics().horizontalAdvance(label->text());
                // What is left out of it: digits there are a number.
                const QString gone = elided != nullptr ? elided->text().mid(shown.size() - 1) : label->text();
                QVERIFY2(!label->isVisible() || !isCut || !isNumbers(label) || !gone.contains(anyDigit),
                         qPrintable(panel + QStringLiteral(": ") + pathOf(label) + QLatin1Char(' ') + label->text()));
            }
        }
    }

    void anIdleActivityLeavesItsRoomToThePages() {
        CampaignView* view = addSample();
        const auto* dock = view->findChild<QDockWidget*>(QStringLiteral("activity"));
        const int title = dock->titleBarWidget()->height();
        QTRY_VERIFY(dock->height() <= title + 2);
        view->bridge().post(TextArrived{"judge", "measuring\n", {}, {}});
        QTRY_VERIFY(dock->height() > 3 * title);
        m_window->resize(1920, 1080);
        QTRY_VERIFY(dock->height() > 3 * title);
    }

    void aRunThatEndsIsToldOfToWhoLooksElsewhere() {
        EngineBridge& engine = addSample()->bridge();
        const auto ends = [&engine](const char* why) {
            engine.post(StateChanged{EngineState::running, {}});
            engine.post(StateChanged{EngineState::idle, why});
            engine.flush();
        };
        ends("the budget of evaluations is spent");
        QCOMPARE(m_notices, QStringList{}); // is in view
        QWidget other;
        other.show();
        QApplication::setActiveWindow(&other);
        ends(""); // a person has stopped it
        QCOMPARE(m_notices, QStringList{});
        ends("the budget of evaluations is spent");
        QCOMPARE(m_notices, QStringList{QStringLiteral("sample: the budget of evaluations is spent")});
        Settings::instance().set(notifyRunEnd, false);
        ends("the budget of evaluations is spent");
        QCOMPARE(m_notices.size(), 1);
        Settings::instance().set(notifyRunEnd, true);
    }

    void aShortcutThatIsTakenIsNamed() {
        addSample();
        SettingsDialog settings(m_window->allActions(), m_window.get());
        settings.show();
        auto* step = settings.findChild<QKeySequenceEdit*>(QStringLiteral("shortcut.run.step"));
        const auto* conflicts = settings.findChild<QLabel*>(QStringLiteral("shortcutConflicts"));
        QVERIFY(!conflicts->isVisible());
        const auto change = [step](const QKeySequence& keys) {
            step->setKeySequence(keys);
            Q_EMIT step->editingFinished();
        };
        change(QKeySequence(Qt::Key_F5)); // of Run
        QVERIFY(conflicts->isVisible());
        QVERIFY2(conflicts->text().contains(QStringLiteral("run.start")), qPrintable(conflicts->text()));
        change(QKeySequence(Qt::Key_F10));
        QVERIFY(!conflicts->isVisible());
    }

    // From the command palette every action can be reached before its page was ever in view.
    void noActionNeedsItsPageToHaveBeenSeen() {
        CampaignView* view = addSample();
        for (QAction* action : view->actionCollection().actions()) {
            if (action->isEnabled() && !action->text().endsWith(QLatin1String("..."))) { // those ask for files
                action->trigger();
            }
        }
        QTRY_VERIFY(view->isSettled());
    }

private:
    void fits(const QString& where) {
        const QSize least = m_window->minimumSizeHint();
        const QString who = demanding(*m_window).join(QLatin1Char('\n'));
        QVERIFY2(
            least.width() <= smallScreen.width() && least.height() <= smallScreen.height(),
            qPrintable(QStringLiteral("%1: %2 x %3\n%4").arg(where).arg(least.width()).arg(least.height()).arg(who)));
        QCOMPARE(m_window->size(), smallScreen);
    }
    CampaignView* addSample() {
        CampaignView* view =
            m_window->addCampaign(std::make_unique<RecordingBridge>(QStringLiteral("/campaigns/sample.gks")));
        if (!QTest::qWaitFor([view] { return view->isSettled(); })) {
            qFatal("the campaign does not come to rest");
        }
        return view;
    }

    std::unique_ptr<GuiTest> m_gui;
    std::unique_ptr<MainWindow> m_window;
    QStringList m_notices;
    const QString m_long = QString(4000, QLatin1Char('W'));
};

QTEST_MAIN(MannersTest)
#include "gui_manners.moc"
