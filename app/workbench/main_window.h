// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workbench/campaign_opener.h"
#include "core/base/result.h"

#include <QMainWindow>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <vector>

class QStackedWidget;
class QTabWidget;

namespace gks {

class ActionCollection;
class CampaignView;
class EngineBridge;
class HelpWindow;
class HiddenRuns;
class RecentMenu;
class StartPage;
struct CampaignChoices;
struct DroppedFile;
struct TrustAsked;
struct TrustQuestion;

// What to do with a campaign that is running when its tab or the window is closed.
enum class ClosingChoice { keepRunning, pause, stopAfterCurrent, cancel };

// What to do with text that is half written when its tab or the window is closed. What is kept comes back when the
// campaign is opened again; `saveAsKernel` keeps what is no kernel.
enum class UnsavedChoice { saveAsKernel, keep, discard, stay };

// What the window asks for from outside; replaced by tests.
struct WindowSeams {
    std::function<QString(QWidget*)> askCampaignFile;
    std::function<ClosingChoice(QWidget*)> askClosing;
    std::function<CampaignChoices()> choices; // for a new campaign
    // Opens a campaign; calls back on the GUI thread.
    std::function<void(const QString& file, CampaignStore::Access access, QObject* receiver,
                       std::function<void(Result<EngineBridge*>)>)>
        open;
    // The file of a small campaign that runs on every machine; made when it is not there yet. Called beside the window,
    // as `sample` is.
    std::function<Result<QString>()> demo = {};
    // Whether what the file names is trusted; nothing here: it is not, and nobody is asked.
    std::function<bool(QWidget*, const QString& file, const std::vector<TrustQuestion>&)> askTrust = {};
    // `texts` says what is half written, in words; `kernel`: a source is among it that can become a kernel.
    std::function<UnsavedChoice(QWidget*, const QStringList& texts, bool kernel)> askUnsaved = {};
    // Another process runs the campaign; without `run` it is another user's. Without the seam it is an error.
    std::function<RunChoice(QWidget*, const QString& file, const std::optional<RunningCampaign>& run)> askAboutRun = {};
    // The file of a campaign of a real GPU, to be looked at.
    std::function<Result<QString>()> sample = {};
    // A run has ended while the person looks elsewhere; nothing here: nobody is told.
    std::function<void(QWidget*, const QString& title, const QString& text)> notify = {};
    // ssh://host/path/FILE.gks; empty: none.
    std::function<QString(QWidget*)> askAddress = {};
};
WindowSeams realWindowSeams();

// Campaigns as tabs, menus, and the start page while nothing is open.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(WindowSeams seams, QWidget* parent = nullptr);
    ~MainWindow() override;

    // Shows the tab that has it, or the one that goes on without a tab; otherwise opens it. `opened` gets it either
    // way.
    void openCampaign(const QString& file, std::function<void(CampaignView*)> opened = {});
    // Read-only, beside the process that runs it.
    void watchCampaign(const QString& file, std::function<void(CampaignView*)> opened = {});
    // Stops the process that runs it, then opens it for writing.
    void takeOver(const QString& file);
    CampaignView* addCampaign(std::unique_ptr<EngineBridge> bridge);
    CampaignView* currentView() const;
    QList<QAction*> allActions() const; // of the window and of the current campaign
    void restoreWindow();
    // What was open the last time; the very first time the sample campaign.
    void beginSession();
    void openSample(std::function<void(CampaignView*)> opened = {});
    void openDemo(); // and runs it
    // SIGTERM: stops the runs that were asked for (core/campaign/running.h), of open tabs and of those that go on in
    // the background; without a request everything is put away and the program ends.
    void endAsAsked();

Q_SIGNALS:
    void openFailed(const Error& error);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void addActions();
    void rebuildMenus();
    void updateTitle();
    void closeTab(int index);
    // Asks once about what is half written in any of them, then about each that runs. False: the person stays.
    bool closeViews(const std::vector<CampaignView*>& views);
    bool closeView(CampaignView* view, UnsavedChoice unsaved);
    void removeTab(CampaignView* view);
    void addTab(CampaignView* view);
    std::vector<CampaignView*> tabs() const;
    using Shown = std::function<void(CampaignView*)>;
    // A tab has it, or it is being opened and `opened` waits for that.
    bool showsAlready(const QString& file, const Shown& opened);
    // From now on it is being opened, until what this returns was called.
    CampaignOpener::Opened beginOpening(const QString& file, Shown opened);
    void stopRunOf(const QString& file);
    CampaignView* viewOf(const QString& file); // in front; null: neither a tab nor a hidden run has it
    void addOpened(const QString& file, std::unique_ptr<EngineBridge> bridge, const std::vector<Shown>& opened);
    void openFailedWith(const QString& file, const Error& error);
    void tellFailure(const QString& title, const QString& file, const Error& error);
    void connectOpener();
    void newCampaign() { newCampaignWith({}, {}); }
    void newCampaignWith(const QString& pack, const QStringList& kernels);
    void takeDropped(const std::vector<DroppedFile>& files);
    void rememberOpen();
    void showCommandPalette();
    void showManual(); // at the section of what is in front
    void learnSandbox();
    void askTrust(CampaignView* view, const TrustAsked& asked);

    WindowSeams m_seams;
    ActionCollection* m_actions;
    QStackedWidget* m_stack;
    QTabWidget* m_tabs;
    HiddenRuns* m_hidden;
    CampaignOpener* m_opener;
    StartPage* m_start;
    RecentMenu* m_recent;
    HelpWindow* m_help = nullptr;                    // made when it is first asked for
    std::map<QString, std::vector<Shown>> m_opening; // who waits for it, by file
    QString m_sandboxText;
    QString m_sandboxReason;
};

} // namespace gks
