// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;

namespace gks {

// One line: the dock's title, what its panel puts beside it, and buttons to float and to close.
class DockTitle final : public QWidget {
    Q_OBJECT

public:
    DockTitle(QDockWidget* dock, QWidget* beside);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace gks
