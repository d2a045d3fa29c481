// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/actions.h"

#include "widgets/common/settings.h"

#include <QWidget>

namespace gks {

namespace {

constexpr char menuProperty[] = "gksMenu";
constexpr char defaultProperty[] = "gksDefaultShortcut";
constexpr char homeProperty[] = "gksHome";

void applyShortcut(QAction* action) {
    const QVariant own = Settings::instance().shortcut(action->objectName());
    action->setShortcut(own.isValid() ? QKeySequence(own.toString()) : ActionCollection::defaultShortcut(action));
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
    applyShortcut(action);
    const QString plain = QString(spec.text).remove(QLatin1Char('&'));
    const QString tip = spec.tip.isEmpty() ? plain : spec.tip;
    action->setToolTip(action->shortcut().isEmpty()
                           ? tip
                           : QString(tip % QStringLiteral("  (") %
                                     action->shortcut().toString(QKeySequence::NativeText) % QLatin1Char(')')));
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

QString ActionCollection::menuOf(const QAction* action) {
    return action->property(menuProperty).toString();
}

QKeySequence ActionCollection::defaultShortcut(const QAction* action) {
    return action->property(defaultProperty).value<QKeySequence>();
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
