// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"

#include "widgets/common/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFont>
#include <QGraphicsView>
#include <QHeaderView>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QTextEdit>

namespace gks {

namespace {

QtMessageHandler previousHandler = nullptr;
QStringList& warnings() {
    static QStringList list;
    return list;
}

// Things that the offscreen platform always says.
bool isExpected(const QString& message) {
    return message.contains(QLatin1String("This plugin does not support")) ||
           message.contains(QLatin1String("XDG_RUNTIME_DIR"));
}

void remember(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (type != QtDebugMsg && type != QtInfoMsg && !isExpected(message)) {
        warnings().append(message);
    }
    if (previousHandler != nullptr) {
        previousHandler(type, context, message);
    }
}

bool isInteractive(const QWidget* widget) {
    if (qobject_cast<const QScrollBar*>(widget) != nullptr || qobject_cast<const QHeaderView*>(widget) != nullptr) {
        return false;
    }
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
           qobject_cast<const QGraphicsView*>(widget) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(widget) != nullptr ||
           qobject_cast<const QTextEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(widget) != nullptr || qobject_cast<const QTabBar*>(widget) != nullptr;
}

// Parts that a Qt widget makes for itself answer through their owner.
bool belongsToAnother(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    return widget->objectName().startsWith(QLatin1String("qt_")) ||
           (parent != nullptr &&
            (qobject_cast<const QComboBox*>(parent) != nullptr ||
             qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
             qobject_cast<const QLineEdit*>(parent) != nullptr || qobject_cast<const QTabBar*>(parent) != nullptr ||
             qobject_cast<const QHeaderView*>(parent) != nullptr || parent->inherits("QComboBoxPrivateContainer") ||
             parent->inherits("QTableView") || parent->inherits("QToolBar") || parent->inherits("QMenuBar")));
}

} // namespace

GuiTest::GuiTest() {
    QLocale::setDefault(QLocale::c());
    QApplication::setCursorFlashTime(0);
    QApplication::setEffectEnabled(Qt::UI_AnimateMenu, false);
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPointSize(9); // 12 pixels at 96 dpi
    QApplication::setFont(font);
    Theme::instance().install(*qApp);
    Theme::instance().setChoice(Theme::Choice::dark);
    previousHandler = qInstallMessageHandler(remember);
}

GuiTest::~GuiTest() {
    qInstallMessageHandler(previousHandler);
}

QStringList GuiTest::takeWarnings() {
    return std::exchange(warnings(), {});
}

void GuiTest::failOnWarnings() {
    const QStringList found = takeWarnings();
    if (!found.isEmpty()) {
        QTest::qFail(qPrintable(QStringLiteral("unexpected warnings: ") + found.join(QStringLiteral(" | "))), __FILE__,
                     __LINE__);
    }
}

QAction* GuiTest::actionIn(const QList<QAction*>& actions, const char* id) {
    for (QAction* action : actions) {
        if (action->objectName() == QLatin1String(id)) {
            return action;
        }
    }
    qFatal("no action %s", id);
}

QStringList GuiTest::unnamedWidgets(const QWidget* root) {
    QStringList unnamed;
    for (const QWidget* widget : root->findChildren<QWidget*>()) {
        if (!isInteractive(widget) || belongsToAnother(widget)) {
            continue;
        }
        if (widget->objectName().isEmpty() || widget->accessibleName().isEmpty()) {
            QString path = QLatin1String(widget->metaObject()->className()) % QStringLiteral(" '") %
                           widget->objectName() % QStringLiteral("'");
            for (const QWidget* up = widget->parentWidget(); up != nullptr; up = up->parentWidget()) {
                path.prepend((up->objectName().isEmpty() ? QString::fromLatin1(up->metaObject()->className())
                                                         : up->objectName()) %
                             QLatin1Char('/'));
            }
            unnamed.append(path);
        }
    }
    return unnamed;
}

} // namespace gks
