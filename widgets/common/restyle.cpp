// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/restyle.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QStyle>
#include <QWidget>
#include <utility>

namespace gks {
namespace {

constexpr int restyleTurnMs = 8;

// Parents come before their children.
void addPolished(QWidget* widget, QWidgetList& found) {
    if (widget->testAttribute(Qt::WA_WState_Polished)) {
        found.append(widget);
    }
    for (QObject* child : widget->children()) {
        if (child->isWidgetType()) {
            addPolished(static_cast<QWidget*>(child), found);
        }
    }
}

// While it lives, a change of style passes over these widgets.
class PassedOver final {
public:
    explicit PassedOver(const QWidgetList& widgets) : m_widgets(widgets) {
        for (QWidget* widget : m_widgets) {
            widget->setAttribute(Qt::WA_WState_Polished, false);
            if (!widget->testAttribute(Qt::WA_SetStyle)) { // has one of its own
                m_flagged.append(widget);
                widget->setAttribute(Qt::WA_SetStyle);
            }
        }
    }
    ~PassedOver() {
        for (QWidget* widget : m_widgets) {
            widget->setAttribute(Qt::WA_WState_Polished);
        }
        for (QWidget* widget : m_flagged) {
            widget->setAttribute(Qt::WA_SetStyle, false);
        }
    }
    PassedOver(const PassedOver&) = delete;
    PassedOver& operator=(const PassedOver&) = delete;

private:
    const QWidgetList& m_widgets;
    QWidgetList m_flagged;
};

void tell(QWidget* widget) {
    QEvent changed(QEvent::StyleChange);
    QCoreApplication::sendEvent(widget, &changed);
    widget->update();
    widget->updateGeometry();
}

} // namespace

void Restyle::apply(QApplication& application, const QPalette& palette, const QString& sheet) {
    if (m_keeper == nullptr) {
        m_keeper = new QWidget;
        m_keeper->setStyleSheet(QStringLiteral("QWidget {}"));
    }
    QWidgetList widgets;
    for (QWidget* window : QApplication::topLevelWidgets()) {
        addPolished(window, widgets);
    }
    {
        const PassedOver passedOver(widgets);
        application.setStyleSheet({}); // or the new one would be given to all in the place of the old one
        QApplication::setPalette(palette);
        application.setStyleSheet(sheet);
    }
    m_toPolish.clear();
    m_toTell.clear();
    QWidgetList inView;
    for (QWidget* widget : std::as_const(widgets)) {
        if (widget->isVisible()) {
            inView.append(widget);
        } else {
            m_toPolish.append(widget);
        }
    }
    for (QWidget* widget : std::as_const(inView)) {
        widget->style()->polish(widget);
    }
    for (QWidget* widget : std::as_const(inView)) {
        tell(widget);
    }
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &Restyle::goOn, Qt::UniqueConnection);
    if (!m_toPolish.isEmpty()) {
        m_turn.start();
    }
}

void Restyle::goOn() {
    QElapsedTimer took;
    took.start();
    while (!m_toPolish.isEmpty() && took.elapsed() < restyleTurnMs) {
        const QPointer<QWidget> widget = m_toPolish.takeFirst();
        if (widget) {
            widget->style()->polish(widget);
            m_toTell.append(widget);
        }
    }
    while (m_toPolish.isEmpty() && !m_toTell.isEmpty() && took.elapsed() < restyleTurnMs) {
        if (const QPointer<QWidget> widget = m_toTell.takeFirst()) {
            tell(widget);
        }
    }
    if (m_toPolish.isEmpty() && m_toTell.isEmpty()) {
        m_turn.stop();
    }
}

} // namespace gks
