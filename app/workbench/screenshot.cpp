// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/screenshot.h"

#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "app/workbench/running_list.h"

#include <QEventLoop>
#include <QPixmap>
#include <QTimer>

namespace gks {

namespace {

constexpr int patienceMs = 30'000;

void takeTurn() {
    QEventLoop turn;
    QTimer::singleShot(0, &turn, &QEventLoop::quit);
    turn.exec();
}

// A panel may ask further questions when it is refreshed, so one more turn must find everything settled still.
bool waitUntilSettled(CampaignView& view) {
    for (int calmTurns = 0; calmTurns < 2;) {
        if (!view.isSettled()) {
            QEventLoop loop;
            QTimer patience;
            patience.setSingleShot(true);
            QObject::connect(&patience, &QTimer::timeout, &loop, [&loop] { loop.exit(1); });
            QObject::connect(&view, &CampaignView::settled, &loop, &QEventLoop::quit);
            patience.start(patienceMs);
            if (loop.exec() != 0) {
                return false;
            }
            calmTurns = 0;
        }
        takeTurn();
        ++calmTurns;
    }
    return true;
}

// The start page reads what runs on another thread.
void waitForRuns(const MainWindow& window) {
    QEventLoop loop;
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    QObject::connect(window.findChild<RunningList*>(), &RunningList::looked, &loop, &QEventLoop::quit);
    loop.exec();
    takeTurn(); // a layout shows new rows in its next one
}

} // namespace

Result<void> takeScreenshot(MainWindow& window, const QString& panel, QSize size, const QString& file) {
    CampaignView* view = window.currentView();
    QWidget* subject = &window;
    if (!panel.isEmpty()) {
        Panel* wanted = view == nullptr ? nullptr : view->panel(panel);
        if (wanted == nullptr) {
            return usageError("there is no panel \"" + panel.toStdString() + "\"", "--panel",
                              view == nullptr
                                  ? "Give a campaign file."
                                  : "Panels: " + view->panelIds().join(QStringLiteral(", ")).toStdString() + ".");
        }
        view->showPanel(panel);
        subject = wanted;
    }
    window.resize(size);
    window.show();
    if (view == nullptr) {
        waitForRuns(window);
    }
    if (view != nullptr && !waitUntilSettled(*view)) {
        return infrastructureError("the window did not come to rest within 30 s", "screenshot");
    }
    if (subject != &window) {
        subject->setParent(nullptr);
        subject->resize(size);
        subject->show();
        if (!waitUntilSettled(*view)) {
            return infrastructureError("the panel did not come to rest within 30 s", "screenshot");
        }
    }
    const bool saved = subject->grab().save(file, "PNG");
    if (subject != &window) {
        delete subject;
    }
    if (!saved) {
        return infrastructureError("cannot write the picture", file.toStdString(),
                                   "Check that the folder exists and is writable.");
    }
    return {};
}

} // namespace gks
