// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QWidget>

class QFrame;
class QLabel;
class QListWidget;

namespace gks {

class RunningList;

// Stands in the window while no campaign is open: new, open, what runs, recent ones, and why the
// last one could not be opened.
class StartPage final : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);
    void showError(const QString& file, const Error& error);
    void clearError();
    void setBusy(const QString& text); // empty: no longer
    void updateRecent();
    RunningList& running() const { return *m_running; }

Q_SIGNALS:
    void newRequested();
    void openRequested();
    void demoRequested();
    void sampleRequested();
    void fileRequested(const QString& file);

private:
    QWidget* buildError();
    QWidget* buildHints();

    QFrame* m_error;
    QLabel* m_errorWhat;
    QLabel* m_errorNext;
    QLabel* m_busy;
    QLabel* m_recentTitle;
    RunningList* m_running;
    QListWidget* m_recent;
};

} // namespace gks
