// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace gks {

// Every action by name: type a few letters, Enter runs it.
class CommandPalette final : public QDialog {
    Q_OBJECT

public:
    explicit CommandPalette(const QList<QAction*>& actions, QWidget* parent = nullptr);

    int visibleCount() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void runCurrent();

    QLineEdit* m_search;
    QListWidget* m_list;
    QList<QAction*> m_actions;
};

} // namespace gks
