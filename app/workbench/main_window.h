// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <memory>
#include <vector>

class QStackedWidget;
class QTabWidget;

namespace gks {

class ActionCollection;
class CampaignView;
class EngineBridge;
class HelpWindow;
class StartPage;
struct CampaignChoices;
struct TrustAsked;
struct TrustQuestion;

// What to do with a campaign that is running when its tab or the window is closed.
enum class ClosingChoice { keepRunning, pause, stopAfterCurrent, cancel };

// What the window asks for from outside; replaced by tests.
struct WindowSeams {
    std::function<QString(QWidget*)> askCampaignFile;
    std::function<ClosingChoice(QWidget*)> askClosing;
    std::function<CampaignChoices()> choices; // for a new campaign
    // Opens a campaign; calls back on the GUI thread.
    std::function<void(const QString& file, QObject* receiver, std::function<void(Result<EngineBridge*>)>)> open;
    // The file of a small campaign that runs on every machine; made when it is not there yet.
    std::function<Result<QString>()> demo = {};
    // Whether what the file names is trusted; nothing here: it is not, and nobody is asked.
    std::function<bool(QWidget*, const QString& file, const std::vector<TrustQuestion>&)> askTrust = {};
};
WindowSeams realWindowSeams();

// Campaigns as tabs, menus, and the start page while nothing is open.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(WindowSeams seams, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openCampaign(const QString& file, std::function<void(CampaignView*)> opened = {});
    CampaignView* addCampaign(std::unique_ptr<EngineBridge> bridge);
    CampaignView* currentView() const;
    QList<QAction*> allActions() const; // of the window and of the current campaign
    void restoreWindow();
    // SIGTERM: stops the runs that were asked for (core/campaign/running.h), of open tabs and of those that go on in
    // the background; without a request everything is put away and the program ends.
    void endAsAsked();

Q_SIGNALS:
    void openFailed(const QString& message);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void addActions();
    void rebuildMenus();
    void updateTitle();
    void closeTab(int index);
    // True when the view may go now; false when the person wants to stay or it finishes hidden.
    bool mayClose(CampaignView* view);
    void finishHidden(CampaignView* view);
    void newCampaign();
    void openDemo();
    void showCommandPalette();
    void showManual(); // at the section of what is in front
    void learnSandbox();
    void askTrust(CampaignView* view, const TrustAsked& asked);

    WindowSeams m_seams;
    ActionCollection* m_actions;
    QStackedWidget* m_stack;
    QTabWidget* m_tabs;
    std::vector<QPointer<CampaignView>> m_hidden; // go on after they were closed
    StartPage* m_start;
    HelpWindow* m_help = nullptr; // made when it is first asked for
    QString m_sandboxText;
    QString m_sandboxReason;
};

} // namespace gks
