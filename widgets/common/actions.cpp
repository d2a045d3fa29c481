// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/actions.h"

#include "widgets/common/settings.h"

#include <QToolButton>
#include <QWidget>

namespace gks {

namespace {

constexpr char menuProperty[] = "gksMenu";
constexpr char defaultProperty[] = "gksDefaultShortcut";
constexpr char homeProperty[] = "gksHome";
constexpr char tipProperty[] = "gksTip";

// The keys stand in the tool tip too.
void applyShortcut(QAction* action) {
    const QVariant own = Settings::instance().shortcut(action->objectName());
    action->setShortcut(own.isValid() ? QKeySequence(own.toString()) : ActionCollection::defaultShortcut(action));
    const QString tip = action->property(tipProperty).toString();
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? tip : QString(tip % QStringLiteral("  (") % keys % QLatin1Char(')')));
}

} // namespace

QAction* ActionCollection::add(QWidget* home, const ActionSpec& spec, std::function<void()> triggered, bool inside) {
    auto* action = new QAction(spec.text, this);
    action->setObjectName(QLatin1String(spec.id));
    action->setProperty(menuProperty, spec.menu);
    action->setProperty(defaultProperty, QVariant::fromValue(spec.shortcut));
    action->setProperty(homeProperty, QVariant::fromValue<QObject*>(home));
    action->setShortcutContext(inside ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
    if (spec.icon) {
        action->setIcon(icon(*spec.icon));
    }
    action->setProperty(tipProperty, spec.tip.isEmpty() ? QString(spec.text).remove(QLatin1Char('&')) : spec.tip);
    applyShortcut(action);
    connect(&Settings::instance(), &Settings::changed, action, [action](const QString& name) {
        if (name == QLatin1String(settings::shortcuts.name) + action->objectName()) {
            applyShortcut(action);
        }
    });
    connect(action, &QAction::triggered, this, [run = std::move(triggered)] { run(); });
    home->addAction(action);
    m_actions.append(action);
    return action;
}

QAction* ActionCollection::action(const char* id) const {
    for (QAction* action : m_actions) {
        if (action->objectName() == QLatin1String(id)) {
            return action;
        }
    }
    return nullptr;
}

void ActionCollection::setTip(QAction* action, const QString& tip) {
    action->setProperty(tipProperty, tip);
    applyShortcut(action);
}

QString ActionCollection::menuOf(const QAction* action) {
    return action->property(menuProperty).toString();
}

QKeySequence ActionCollection::defaultShortcut(const QAction* action) {
    return action->property(defaultProperty).value<QKeySequence>();
}

QToolButton* toolButton(QAction* action, const QString& text, const char* name) {
    auto* button = new QToolButton;
    if (!text.isEmpty()) {
        action->setIconText(text); // set on the button it would be gone with the next change of the action
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    } else {
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    button->setDefaultAction(action);
    button->setObjectName(name != nullptr ? QString::fromLatin1(name)
                                          : QString(action->objectName() % QStringLiteral(".button")));
    button->setAccessibleName(action->text().remove(QLatin1Char('&')).remove(QStringLiteral("...")));
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QStringList shortcutConflicts(const QList<QAction*>& actions) {
    QStringList conflicts;
    for (qsizetype i = 0; i < actions.size(); ++i) {
        for (qsizetype j = i + 1; j < actions.size(); ++j) {
            const QAction* a = actions[i];
            const QAction* b = actions[j];
            const bool bothInside = a->shortcutContext() == Qt::WidgetWithChildrenShortcut &&
                                    b->shortcutContext() == Qt::WidgetWithChildrenShortcut;
            const bool apart = bothInside && a->property(homeProperty) != b->property(homeProperty);
            if (!a->shortcut().isEmpty() && a->shortcut() == b->shortcut() && !apart) {
                conflicts.append(a->shortcut().toString() % QStringLiteral(": ") % a->objectName() %
                                 QStringLiteral(", ") % b->objectName());
            }
        }
    }
    return conflicts;
}

} // namespace gks
