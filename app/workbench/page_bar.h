// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QTabWidget;
class QToolButton;

namespace gks {

// The tabs of a tab widget in as many rows as they need, so that every page is in view on a small screen too. One stop
// of the Tab key; the arrow keys go from page to page.
class PageBar final : public QWidget {
    Q_OBJECT

public:
    explicit PageBar(QTabWidget* pages, QWidget* parent = nullptr); // of the pages that it has now

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    bool event(QEvent* event) override;

private:
    int layOut(int width, bool move) const; // the height that it takes
    void showCurrent(int page);

    std::vector<QToolButton*> m_buttons;
};

} // namespace gks
