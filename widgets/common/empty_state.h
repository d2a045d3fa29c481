// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace gks {

// Stands where nothing is yet: what will be here, and how to get it (with a button when one click does it).
class EmptyState final : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);
    void setText(const QString& what, const QString& how);
    void setButton(const QString& text); // empty hides it

Q_SIGNALS:
    void buttonClicked();

private:
    QLabel* m_what;
    QLabel* m_how;
    QPushButton* m_button;
};

} // namespace gks
