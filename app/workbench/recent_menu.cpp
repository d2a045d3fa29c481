// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/recent_menu.h"

#include "core/base/address.h"
#include "widgets/common/settings.h"

#include <QFileInfo>

namespace gks {
namespace {

constexpr int shownCharacters = 60;

// The end says more: name and folder. An ampersand is a letter of the name, not a mnemonic.
QString recentText(int number, const QString& file) {
    const QString shown =
        file.size() <= shownCharacters ? file : QString(QStringLiteral("...") % file.right(shownCharacters));
    const QString key = number < 10 ? QString(QLatin1Char('&') % QString::number(number)) : QString::number(number);
    return key % QStringLiteral("  ") % QString(shown).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace

RecentMenu::RecentMenu(QWidget* parent) : QMenu(tr("Open &recent"), parent) {
    setObjectName(QStringLiteral("recentMenu"));
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &RecentMenu::fill);
    fill();
}

void RecentMenu::fill() {
    clear();
    const QStringList files = Settings::instance().value(settings::recentCampaigns);
    int number = 0;
    for (const QString& file : files) {
        QAction* action = addAction(recentText(++number, file));
        action->setData(file);
        action->setToolTip(file);
        connect(action, &QAction::triggered, this, [this, file] { Q_EMIT fileRequested(file); });
    }
    if (files.isEmpty()) {
        addAction(tr("No campaign was opened yet"))->setEnabled(false);
        return;
    }
    addSeparator();
    connect(addAction(tr("&Clear this list")), &QAction::triggered, this, [this] {
        Settings::instance().set(settings::recentCampaigns, {});
        fill();
        Q_EMIT cleared();
    });
    look();
}

void RecentMenu::look() {
    m_missing.start(
        [files = Settings::instance().value(settings::recentCampaigns)](const std::stop_token& stop) {
            QStringList missing;
            for (const QString& file : files) {
                if (!stop.stop_requested() && !isRemoteAddress(file.toStdString()) && !QFileInfo::exists(file)) {
                    missing.append(file);
                }
            }
            return missing;
        },
        [this](const QStringList& missing) {
            for (QAction* action : actions()) {
                if (missing.contains(action->data().toString())) {
                    action->setEnabled(false);
                    action->setToolTip(tr("%1 is not there any more").arg(action->data().toString()));
                }
            }
        });
}

} // namespace gks
