// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/monkey/monkey.h"

#include "app/workbench/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialog>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QGraphicsView>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollBar>
#include <QTest>
#include <QTextEdit>
#include <QTimer>
#include <QUrl>
#include <array>

namespace gks {

namespace {

constexpr int manyRows = 200;
constexpr int slowMs = 50;
constexpr std::array schemes = {"http", "https", "file", "mailto"};

// What would end the run, leave the machine, or keep a secret for good.
bool isForbidden(const QString& name) {
    static const QStringList names = {
        QStringLiteral("window.quit"),
        QStringLiteral("campaign.close"),
        QStringLiteral("modelTest"),
        QStringLiteral("modelKey"),
        QStringLiteral("runStop"),
        QStringLiteral("runTakeOver"),
        QStringLiteral("qt_keysequenceedit_lineedit"), // or it makes conflicts, which are then warned of
    };
    for (const QString& forbidden : names) {
        if (name == forbidden || name.startsWith(forbidden + QLatin1Char('.'))) {
            return true;
        }
    }
    return name == QLatin1String("close"); // of a tab
}

bool isUsable(const QWidget* widget) {
    const bool isKnown =
        qobject_cast<const QAbstractButton*>(widget) != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
        qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
        qobject_cast<const QAbstractScrollArea*>(widget) != nullptr;
    return isKnown && widget->isVisible() && widget->isEnabled() && !widget->visibleRegion().isEmpty() &&
           !isForbidden(widget->objectName()) && !widget->inherits("CloseButton");
}

QList<QWidget*> usableWidgets(const QWidget* root) {
    QList<QWidget*> usable;
    for (QWidget* widget : root->findChildren<QWidget*>()) {
        if (isUsable(widget)) {
            usable.append(widget);
        }
    }
    return usable;
}

QString nameOf(const QObject* object) {
    const QString name = object->objectName();
    return QLatin1String(object->metaObject()->className()) + QLatin1Char(' ') +
           (name.isEmpty() ? QStringLiteral("without a name") : name);
}

} // namespace

Monkey::Monkey(MainWindow& window, quint32 seed, std::function<void(const QString&)> log)
    : m_window(window), m_random(seed), m_log(std::move(log)) {
    for (const char* scheme : schemes) {
        QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "openNothing");
    }
}

Monkey::~Monkey() {
    for (const char* scheme : schemes) {
        QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
    }
}

void Monkey::openNothing(const QUrl& link) {
    m_log(QStringLiteral("asked for ") + link.toString());
}

void Monkey::start(std::function<bool()> enough) {
    m_enough = std::move(enough);
    QTimer::singleShot(0, this, &Monkey::tick);
}

// The next tick is ordered first: an action may open a dialog, whose loop ticks on.
void Monkey::tick() {
    m_ending = m_ending || m_enough();
    if (m_ending && m_depth == 0 && QApplication::activeModalWidget() == nullptr &&
        QApplication::activePopupWidget() == nullptr) {
        Q_EMIT finished();
        return;
    }
    QTimer::singleShot(1, this, &Monkey::tick);
    ++m_depth;
    if (m_ending) {
        closeWhatIsOpen();
    } else if (!closeFileDialog()) {
        const int now = ++m_actions;
        QElapsedTimer timer;
        timer.start();
        act();
        if (now == m_actions && timer.elapsed() > slowMs) { // no dialog ticked meanwhile
            m_log(QStringLiteral("    took %1 ms").arg(timer.elapsed()));
        }
    }
    --m_depth;
}

void Monkey::closeWhatIsOpen() {
    if (QWidget* popup = QApplication::activePopupWidget()) {
        popup->close();
    } else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
        dialog->reject();
    }
}

bool Monkey::closeFileDialog() {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog != nullptr) {
        m_log(QStringLiteral("close the file dialog"));
        dialog->reject();
    }
    return dialog != nullptr;
}

QWidget* Monkey::room() {
    if (QWidget* popup = QApplication::activePopupWidget()) {
        return popup;
    }
    if (QWidget* modal = QApplication::activeModalWidget()) {
        return modal;
    }
    QList<QWidget*> open = {&m_window, &m_window, &m_window, &m_window};
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (widget != &m_window && widget->isVisible() && widget->isWindow() &&
            (widget->windowType() == Qt::Dialog || widget->windowType() == Qt::Window)) {
            open.append(widget);
        }
    }
    return oneOf(open);
}

void Monkey::act() {
    QWidget* where = room();
    if (auto* menu = qobject_cast<QMenu*>(where)) {
        press(below(3) == 0 || menu->actions().isEmpty() ? nullptr : oneOf(menu->actions()));
        if (QApplication::activePopupWidget() == menu) {
            menu->close();
        }
        return;
    }
    auto* dialog = qobject_cast<QDialog*>(where);
    if (dialog != nullptr && below(12) == 0) { // or it would be there for long
        m_log(QStringLiteral("reject ") + nameOf(dialog));
        dialog->reject();
        return;
    }
    const int lot = below(100);
    if (lot < 30 && where == &m_window) {
        trigger();
    } else if (lot < 80) {
        if (const QList<QWidget*> usable = usableWidgets(where); !usable.isEmpty()) {
            useWidget(oneOf(usable));
        }
    } else if (lot < 97) {
        QWidget* focus = QApplication::focusWidget();
        pressKey(focus != nullptr && where->isAncestorOf(focus) ? focus : where);
    } else {
        resize();
    }
}

void Monkey::press(QAction* action) {
    if (action != nullptr && action->isEnabled() && !action->isSeparator() && !isForbidden(action->objectName())) {
        m_log(QStringLiteral("trigger ") + nameOf(action));
        action->trigger();
    }
}

void Monkey::trigger() {
    press(oneOf(m_window.allActions()));
}

void Monkey::resize() {
    static const std::array sizes = {QSize(1280, 800), QSize(1600, 1000), QSize(1920, 1080), QSize(900, 600)};
    const QSize size = sizes[static_cast<std::size_t>(below(static_cast<int>(sizes.size())))];
    m_log(QStringLiteral("resize to %1 x %2").arg(size.width()).arg(size.height()));
    m_window.resize(size);
}

void Monkey::useWidget(QWidget* widget) {
    m_log(QStringLiteral("use ") + nameOf(widget));
    if (auto* button = qobject_cast<QAbstractButton*>(widget)) {
        QTest::mouseClick(button, Qt::LeftButton);
    } else if (auto* choice = qobject_cast<QComboBox*>(widget)) {
        choice->setFocus();
        QTest::keyClick(choice, below(2) == 0 ? Qt::Key_Down : Qt::Key_Up);
    } else if (qobject_cast<QAbstractItemView*>(widget) != nullptr) {
        useItems(widget);
    } else if (qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QLineEdit*>(widget) != nullptr ||
               (qobject_cast<QGraphicsView*>(widget) == nullptr && below(2) == 0)) {
        type(widget);
    } else {
        QWidget* inside = qobject_cast<QAbstractScrollArea*>(widget)->viewport();
        const QPoint at(below(std::max(1, inside->width())), below(std::max(1, inside->height())));
        QTest::mouseClick(inside, Qt::LeftButton, below(4) == 0 ? Qt::ControlModifier : Qt::NoModifier, at);
    }
}

void Monkey::useItems(QWidget* widget) {
    auto* items = qobject_cast<QAbstractItemView*>(widget);
    const QAbstractItemModel* model = items->model();
    if (model == nullptr || model->rowCount() == 0) {
        return;
    }
    QModelIndex index = model->index(below(std::min(model->rowCount(), manyRows)), 0);
    if (model->rowCount(index) > 0 && below(2) == 0) {
        index = model->index(below(std::min(model->rowCount(index), manyRows)), 0, index);
    }
    items->scrollTo(index);
    const QPoint at = items->visualRect(index).center();
    const QPointer<QWidget> inside(items->viewport()); // a click may close what it is in
    QTest::mouseClick(inside, Qt::LeftButton, below(5) == 0 ? Qt::ControlModifier : Qt::NoModifier, at);
    if (inside && below(4) == 0) {
        QTest::mouseDClick(inside, Qt::LeftButton, Qt::NoModifier, at);
    }
}

void Monkey::pressKey(QWidget* widget) {
    static const QList<int> keys = {
        Qt::Key_Tab,   Qt::Key_Backtab, Qt::Key_Up,     Qt::Key_Down, Qt::Key_Left,      Qt::Key_Right,
        Qt::Key_Home,  Qt::Key_End,     Qt::Key_PageUp, Qt::Key_F3,   Qt::Key_PageDown,  Qt::Key_Return,
        Qt::Key_Space, Qt::Key_Escape,  Qt::Key_Delete, Qt::Key_P,    Qt::Key_Backspace, Qt::Key_R,
        Qt::Key_B,     Qt::Key_E,       Qt::Key_C,      Qt::Key_M,
    };
    const auto key = static_cast<Qt::Key>(oneOf(keys));
    static const QList<Qt::KeyboardModifier> held = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier,
                                                     Qt::ControlModifier, Qt::ShiftModifier};
    const Qt::KeyboardModifier modifier = oneOf(held);
    m_log(
        QStringLiteral("press %1 in %2").arg(QKeySequence(QKeyCombination(modifier, key)).toString(), nameOf(widget)));
    QTest::keyClick(widget, key, modifier);
}

void Monkey::type(QWidget* widget) {
    static const QStringList texts = {
        QStringLiteral("tile"),  QStringLiteral("12"),       QStringLiteral("0"), QStringLiteral("-3.5"),
        QStringLiteral("<b>&"),  QStringLiteral("1.05"),     QStringLiteral("{"), QStringLiteral("a word and another"),
        QStringLiteral("00007"), QStringLiteral("99999999"),
    };
    const QString text = oneOf(texts);
    const QPointer<QWidget> there(widget);
    widget->setFocus();
    if (below(3) == 0) {
        QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    }
    if (there) {
        QTest::keyClicks(widget, text);
    }
    if (there && below(2) == 0) {
        QTest::keyClick(widget, Qt::Key_Return, below(3) == 0 ? Qt::ControlModifier : Qt::NoModifier);
    }
}

} // namespace gks
