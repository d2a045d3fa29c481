// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPalette>
#include <QPointer>
#include <QString>
#include <QTimer>

class QApplication;
class QWidget;

namespace gks {

// Gives every widget another style sheet and palette without keeping the window waiting. QApplication::setStyleSheet()
// polishes the widgets in the order of a hash and tells each one at once, so that half of the parts are measured in the
// old style, again and again: 430 ms for 1200 widgets. Here what is in view has its new style at once, first all of it
// polished and then all told, and what is hidden in the next turns of the event loop. The look is the same.
class Restyle final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void apply(QApplication& application, const QPalette& palette, const QString& sheet);

private:
    void goOn();

    // Of what was hidden, parents first.
    QList<QPointer<QWidget>> m_toPolish;
    QList<QPointer<QWidget>> m_toTell; // once all are polished: they measure one another
    QTimer m_turn;
    // Has a sheet of its own: with the last style that has one Qt forgets which palettes came from sheets. Never shown;
    // the application outlives it or takes it along.
    QPointer<QWidget> m_keeper;
};

} // namespace gks
