// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workbench/panel_list.h"

#include <QTimer>
#include <QWidget>
#include <map>
#include <memory>
#include <vector>

class QDockWidget;
class QMainWindow;
class QTabWidget;

namespace gks {

class UnsavedKeeper;
class PersonDialog;
class RunBar;
class StatusStrip;
class WatchBar;

// One campaign with its docks and pages; a tab of the window.
class CampaignView final : public QWidget {
    Q_OBJECT

public:
    explicit CampaignView(std::unique_ptr<EngineBridge> bridge, QWidget* parent = nullptr);
    ~CampaignView() override;

    EngineBridge& bridge() const { return *m_bridge; }
    SelectionContext& selection() const { return *m_selection; }
    ActionCollection& actionCollection() const { return *m_actions; }

    QString title() const;           // file name without extension, or the problem
    Panel* panel(const QString& id); // makes it when it is not there yet
    QStringList panelIds() const;
    void showPanel(const QString& id);                            // page or dock
    void editSource(const QString& title, const QString& source); // as a new kernel, made from the selected one
    // The title of the panel that has the focus, else of the page in front: its section in the manual.
    QString helpTopic() const;
    void resetLayout();
    UnsavedKeeper& unsavedText(); // of all panels: makes those that are not there yet
    void setBusy(bool busy);      // while the campaign is being taken over
    void setSandbox(const QString& text, const QString& reason);
    // Every panel is there, and those in view show the newest population and the answers they asked for.
    bool isSettled() const;

Q_SIGNALS:
    void settled();
    void completed();         // every panel is there, with its actions
    void takeOverRequested(); // of a campaign that is watched
    void campaignRequested(const QString& file);
    void demoRequested(); // of the sample campaign
    void newRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void shareWidth();
    void writeCode(qint64 parent, const QString& title);
    void exportKernel(qint64 kernel);
    void fitBottom(QDockWidget* dock, bool isNews);
    PanelContext context() const { return {m_bridge.get(), m_selection, m_actions}; }
    void addPanels();
    void addPageBar();
    Panel* makePanel(const PanelSpec& spec);
    void placePanel(const PanelSpec& spec);
    void makeNextPanel();
    void addDock(const QString& id, const QString& title, Qt::DockWidgetArea area,
                 Panel* panel); // null: it comes later, and has no title widget
    void addActions();
    void announceSettled();
    void restoreUnsaved();

    std::unique_ptr<EngineBridge> m_bridge;
    SelectionContext* m_selection;
    ActionCollection* m_actions;
    RunBar* m_runBar;
    QMainWindow* m_frame; // docks and pages
    QWidget* m_middle;    // the pages and their bar
    QTabWidget* m_pages;
    StatusStrip* m_status;
    PersonDialog* m_person = nullptr;   // shown while the engine waits for a person
    WatchBar* m_watch = nullptr;        // of a campaign that another process runs
    UnsavedKeeper* m_unsaved = nullptr; // once every panel is there
    std::map<QString, Panel*> m_panels;
    std::vector<QString> m_order;
    std::vector<QString> m_pageIds;  // in the order of the tabs
    std::vector<PanelSpec> m_toMake; // in this order
    QTimer m_nextPanel;
    std::map<QString, QDockWidget*> m_docks;
    std::map<const Panel*, QString> m_topics;
    QByteArray m_defaultState;
    bool m_ownLayout = false; // the person's, kept from last time
    bool m_shown = false;
};

} // namespace gks
