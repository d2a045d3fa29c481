// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

namespace gks {

class ActionCollection;
class EngineBridge;
class SelectionContext;

struct PanelContext {
    EngineBridge* bridge = nullptr;
    SelectionContext* selection = nullptr;
    ActionCollection* actions = nullptr;
};

// Base of everything that stands in a dock or on a page. A panel follows bridge and selection and calls no other panel.
// refresh() is called once per turn of the event loop however many things have changed, and not while the panel is
// hidden.
class Panel : public QWidget {
    Q_OBJECT

public:
    explicit Panel(const PanelContext& context, QWidget* parent = nullptr);

    // Shown in the title bar of the dock beside the title (a search field, a count); null for none. Owned by the
    // panel's dock.
    virtual QWidget* titleWidget() { return nullptr; }
    // False while the title bar says all there is: the dock below the pages then takes no more room than that.
    virtual bool hasContent() const { return true; }
    // Nothing is waiting to be shown: screenshots are taken only then.
    bool isSettled() const { return (!m_stale || !isVisible()) && isFilled(); }
    void scheduleRefresh();

Q_SIGNALS:
    void settled();
    void contentChanged(); // hasContent() has

protected:
    EngineBridge& bridge() const { return *m_context.bridge; }
    SelectionContext& selection() const { return *m_context.selection; }
    ActionCollection& actions() const { return *m_context.actions; }

    virtual void refresh() = 0;
    // False while an answer or a computation on another thread is awaited; emit settled() when it has come.
    virtual bool isFilled() const { return true; }
    void showEvent(QShowEvent* event) override;

private:
    PanelContext m_context;
    QTimer m_turn;
    bool m_stale = true;
};

} // namespace gks
