// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QTabBar;

namespace gks {

// Parts of a dock behind one another, since under one another they would squeeze each other. A part that hides itself
// is not offered; one that shows itself comes to the front; where there is only one, no tab is seen.
class OfferedPages final : public QWidget {
    Q_OBJECT

public:
    explicit OfferedPages(const QString& accessible, QWidget* parent = nullptr);
    void addPart(QWidget* part, const QString& title);
    QTabBar* tabs() const { return m_tabs; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Part {
        QWidget* widget = nullptr;
        QWidget* page = nullptr; // shown and hidden here, the widget by itself
        bool isOffered = false;
    };
    void arrange();

    QTabBar* m_tabs;
    std::vector<Part> m_parts; // as the tabs
};

} // namespace gks
