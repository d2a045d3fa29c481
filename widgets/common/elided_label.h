// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace gks {

// One line of plain text that takes the room there is: what does not fit is cut with an ellipsis and stands in the tool
// tip. text() stays whole. With the policy Maximum it is no wider than its text.
class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    QString shownText() const; // as it is painted
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace gks
