// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window does not answer, beside what it may take: while a campaign opens, while it runs for real with one
// page after the other in front, while a page is drawn for the first time, and when the theme is switched. Beside the
// time on the clock stands that of the window's own thread: other programs make the first longer.
//     window_turns [FILE.gks]     (a campaign that is looked at and not run; without it a small one of its own is run)
#include "app/cli/output.h"
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "core/base/files.h"
#include "core/base/quantity.h"
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "tests/support/turn_watch.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/theme.h"

#include <QFileInfo>
#include <QThreadPool>
#include <QTimer>

using namespace gks;

namespace {

constexpr int openingMs = 120'000;
constexpr int runMs = 600'000;
constexpr int pageMs = 300;

class Figures {
public:
    explicit Figures(TurnWatch& watch) : m_watch(watch) {
        m_table.add({"while", "longest turn", "goal", "", "what", "processor", "what of it"});
        watch.forget();
    }
    void take(const QString& what) {
        const TurnWatch::Turn longest = m_watch.longest();
        const TurnWatch::Turn busiest = m_watch.busiest();
        m_table.add({what.toStdString(), formatSignificant(longest.milliseconds) + " ms",
                     formatSignificant(TurnWatch::limitMs) + " ms",
                     longest.milliseconds > TurnWatch::limitMs ? "falls short" : "", longest.what.toStdString(),
                     formatSignificant(busiest.processorMs) + " ms", busiest.what.toStdString()});
        m_watch.forget();
    }
    std::string text() const { return m_table.text(); }

private:
    TurnWatch& m_watch;
    cli::Table m_table;
};

bool look(MainWindow& window, Figures& figures) {
    CampaignView& view = *window.currentView();
    for (const QString& page : view.panelIds()) {
        QMetaObject::invokeMethod(&view, [&view, page] { view.showPanel(page); }, Qt::QueuedConnection);
        TurnWatch::waitFor([] { return false; }, pageMs);
        if (!TurnWatch::waitFor([&] { return view.isSettled(); }, openingMs)) {
            return false;
        }
        figures.take(QStringLiteral("page ") + page);
    }
    return true;
}

// From page to page until it is over.
bool run(CampaignView& view) {
    EngineBridge& bridge = view.bridge();
    bridge.send(command::Start{});
    const QStringList pages = view.panelIds();
    qsizetype page = 0;
    QTimer turn;
    turn.setObjectName(QStringLiteral("next page"));
    QObject::connect(&turn, &QTimer::timeout, &view, [&] { view.showPanel(pages[page++ % pages.size()]); });
    turn.start(pageMs);
    return TurnWatch::waitFor([&] { return bridge.state() == EngineState::running; }, openingMs) &&
           TurnWatch::waitFor([&] { return bridge.state() != EngineState::running; }, runMs);
}

Result<std::string> measure(TurnWatch& watch, const QString& asked) {
    const TemporaryDirectory folder = TemporaryDirectory::create("turns").value();
    const std::string own = (folder.path() / "turns.gks").string();
    if (asked.isEmpty()) {
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        settings.measureSeconds = 0.2;
        settings.budgets.evaluations = 3;
        GKS_TRY(CampaignStore::create(own, settings));
    }
    const QString file = asked.isEmpty() ? QString::fromStdString(own) : QFileInfo(asked).absoluteFilePath();
    Figures figures(watch);
    {
        MainWindow window(realWindowSeams());
        window.resize(1600, 1000);
        window.show();
        TurnWatch::waitFor([] { return false; }, pageMs);
        figures.take(QStringLiteral("the window opens"));
        window.openCampaign(file);
        if (!TurnWatch::waitFor([&] { return window.currentView() && window.currentView()->isSettled(); }, openingMs)) {
            return infrastructureError("does not open", file.toStdString());
        }
        figures.take(QStringLiteral("a campaign opens"));
        if (!look(window, figures)) {
            return infrastructureError("does not come to rest", file.toStdString());
        }
        for (const char* theme : {"theme", "theme back"}) {
            QMetaObject::invokeMethod(
                &window,
                [] {
                    Theme::instance().setChoice(Theme::instance().isDark() ? Theme::Choice::light
                                                                           : Theme::Choice::dark);
                },
                Qt::QueuedConnection);
            TurnWatch::waitFor([] { return false; }, pageMs);
            TurnWatch::waitFor([&] { return window.currentView()->isSettled(); }, openingMs);
            figures.take(QLatin1String(theme));
        }
        if (asked.isEmpty()) {
            if (!run(*window.currentView())) {
                return infrastructureError("does not run to its end", file.toStdString());
            }
            figures.take(QStringLiteral("it runs"));
        }
    }
    QThreadPool::globalInstance()->waitForDone();
    return figures.text();
}

} // namespace

int main(int argc, char** argv) {
    TurnWatch application(argc, argv);
    const GuiTest pinned;
    const auto text = measure(application, QCoreApplication::arguments().value(1));
    if (!text) {
        cli::note("window_turns: {}\n", text.error().message());
        return 3;
    }
    cli::say("{}\n", *text);
    return 0;
}
