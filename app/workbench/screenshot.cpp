// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/screenshot.h"

#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "app/workbench/running_list.h"
#include "core/base/files.h"

#include <QBuffer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
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

Result<void> checkPicture(const QString& file) {
    static const QByteArray signature("\x89PNG\r\n\x1a\n");
    if (const QFileInfo folder(QFileInfo(file).absolutePath()); !folder.isDir()) {
        return usageError("the folder of the picture does not exist", folder.filePath().toStdString(), "Make it first");
    }
    GKS_TRY(checkReplaceable(file.toStdString()));
    QFile there(file);
    if (!there.exists()) {
        return {};
    }
    const bool isRead = there.open(QIODevice::ReadOnly);
    if (!isRead || (there.size() > 0 && there.read(signature.size()) != signature)) {
        return usageError(isRead ? "is no picture, and would be replaced by one"
                                 : "cannot be read, and would be replaced by a picture",
                          file.toStdString(), "Choose another name");
    }
    return {};
}

Result<void> takeScreenshot(MainWindow& window, const QString& panel, bool isWhole, QSize size, const QString& file) {
    CampaignView* view = window.currentView();
    QWidget* subject = &window;
    if (!panel.isEmpty()) {
        Panel* wanted = view == nullptr ? nullptr : view->panel(panel);
        if (wanted == nullptr) {
            return usageError("unknown panel \"" + panel.toStdString() + "\"", "--panel",
                              view == nullptr
                                  ? "Add a campaign file."
                                  : "Panels: " + view->panelIds().join(QStringLiteral(", ")).toStdString() + ".");
        }
        view->showPanel(panel);
        subject = isWhole ? subject : wanted;
    }
    window.resize(size);
    window.show();
    if (view == nullptr) {
        waitForRuns(window);
    }
    if (view != nullptr && !waitUntilSettled(*view)) {
        return infrastructureError("the window was not ready within 30 s", "screenshot");
    }
    if (subject != &window) {
        subject->setParent(nullptr);
        subject->resize(size);
        subject->show();
        if (!waitUntilSettled(*view)) {
            return infrastructureError("the panel was not ready within 30 s", "screenshot");
        }
    }
    QByteArray picture;
    QBuffer buffer(&picture);
    subject->grab().save(&buffer, "PNG");
    if (subject != &window) {
        subject->setParent(view); // which asks its forms for unsaved text when it ends
    }
    return writeFileAtomically(file.toStdString(), picture.toStdString());
}

} // namespace gks
