// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/hidden_runs.h"
#include "app/workbench/main_window.h"
#include "core/campaign/running.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/unsaved_keeper.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QTabWidget>
#include <algorithm>

// How campaigns leave the window: by a person, who is asked first, or by SIGTERM, when nobody may be there to answer.
namespace gks {

bool MainWindow::closeViews(const std::vector<CampaignView*>& views) {
    QStringList texts;
    bool kernel = false;
    for (CampaignView* view : views) {
        const QStringList unsaved = view->unsavedText().texts();
        for (const QString& text : unsaved) {
            texts.append(m_tabs->count() > 1 ? tr("%1: %2").arg(view->title(), text) : text);
        }
        kernel = kernel || view->unsavedText().holdsKernel();
    }
    const std::vector<QPointer<CampaignView>> still(views.begin(), views.end()); // the dialogs may outlast them
    const UnsavedChoice choice =
        texts.isEmpty() || !m_seams.askUnsaved ? UnsavedChoice::keep : m_seams.askUnsaved(this, texts, kernel);
    return choice != UnsavedChoice::stay &&
           std::all_of(still.begin(), still.end(), [&](const auto& view) { return !view || closeView(view, choice); });
}

bool MainWindow::closeView(CampaignView* view, UnsavedChoice unsaved) {
    const bool runs =
        view->bridge().state() == EngineState::running && !view->bridge().readOnly() && !view->bridge().watches();
    const QPointer<CampaignView> still(view);
    const ClosingChoice choice = runs ? m_seams.askClosing(this) : ClosingChoice::pause;
    if (choice == ClosingChoice::cancel) {
        return false;
    }
    if (!still) {
        return true;
    }
    if (unsaved == UnsavedChoice::discard) {
        view->unsavedText().discard();
    } else if (unsaved == UnsavedChoice::saveAsKernel) {
        view->unsavedText().saveKernels();
    }
    if (runs && choice != ClosingChoice::pause) {
        if (choice == ClosingChoice::stopAfterCurrent) {
            view->bridge().send(command::Pause{});
        }
        m_tabs->removeTab(m_tabs->indexOf(view));
        m_hidden->add(view);
    } else {
        if (runs) {
            view->bridge().send(command::Stop{});
        }
        removeTab(view);
    }
    return true;
}

void MainWindow::removeTab(CampaignView* view) {
    m_tabs->removeTab(m_tabs->indexOf(view));
    delete view;
}

void MainWindow::endAsAsked() {
    const std::vector<std::filesystem::path> wanted = takeStopRequests();
    if (wanted.empty()) {
        for (CampaignView* view : tabs()) {
            delete view; // closes its engine, which the end of the program waits for; keeps what is half written
        }
        m_hidden->end();
        QCoreApplication::quit();
        return;
    }
    std::vector<CampaignView*> views = m_hidden->views();
    const std::vector<CampaignView*> inTabs = tabs();
    views.insert(views.end(), inTabs.begin(), inTabs.end());
    for (const CampaignView* view : views) {
        if (std::find(wanted.begin(), wanted.end(), view->bridge().file().toStdString()) != wanted.end()) {
            view->bridge().send(command::Stop{});
        }
    }
}

void MainWindow::closeTab(int index) {
    if (auto* view = qobject_cast<CampaignView*>(m_tabs->widget(index))) {
        closeViews({view});
        rememberOpen();
    }
    updateTitle();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    event->setAccepted(closeViews(tabs()));
    updateTitle();
}

} // namespace gks
