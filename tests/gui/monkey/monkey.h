// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRandomGenerator>
#include <QString>
#include <functional>

class QAction;
class QUrl;
class QWidget;

namespace gks {

class MainWindow;

// Uses the window as somebody who presses everything: one random thing that can be done now in every tick. The same
// seed does the same, as far as the window is in the same state. Dialogs are used as well; those that ask for files are
// closed.
class Monkey final : public QObject {
    Q_OBJECT

public:
    // `log` hears of every action before it is done.
    Monkey(MainWindow& window, quint32 seed, std::function<void(const QString&)> log);
    ~Monkey() override;

    void start(std::function<bool()> enough); // asked before every action
    int actions() const { return m_actions; }

public Q_SLOTS:
    void openNothing(const QUrl& link); // what a browser would be started for

Q_SIGNALS:
    void finished(); // in no dialog's loop

private:
    void tick();
    void act();
    bool closeFileDialog();
    void closeWhatIsOpen();
    void press(QAction* action);
    void trigger();
    void useWidget(QWidget* widget);
    void useItems(QWidget* widget);
    void pressKey(QWidget* widget);
    void type(QWidget* widget);
    void resize();
    QWidget* room(); // where it acts: a popup, a dialog, or the window
    int below(int limit) { return static_cast<int>(m_random.bounded(limit)); }
    template<class T>
    T oneOf(const QList<T>& all) {
        return all[below(static_cast<int>(all.size()))];
    }

    MainWindow& m_window;
    QRandomGenerator m_random;
    std::function<void(const QString&)> m_log;
    std::function<bool()> m_enough;
    int m_actions = 0;
    int m_depth = 0;
    bool m_ending = false;
};

} // namespace gks
