// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/settings.h"

#include "core/base/locations.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QUrl>

namespace gks {

namespace {

constexpr int recentLimit = 10;

QString lanesKey(const QString& file) {
    const QFileInfo info(file);
    const QString path = info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
    return QStringLiteral("lanes/") % QString::fromLatin1(QUrl::toPercentEncoding(path));
}

} // namespace

std::unique_ptr<Settings>& Settings::slot() {
    static std::unique_ptr<Settings> current;
    return current;
}

Settings& Settings::instance() {
    if (!slot()) {
        slot() = std::make_unique<Settings>(QString::fromStdString((configFolder() / "workbench.ini").string()));
    }
    return *slot();
}

Settings::Settings(const QString& file) : m_store(file, QSettings::IniFormat) {}

QVariant Settings::shortcut(const QString& actionId) const {
    return m_store.value(QLatin1String(settings::shortcuts.name) + actionId);
}

void Settings::setShortcut(const QString& actionId, const QString& keys) {
    store(QLatin1String(settings::shortcuts.name) + actionId, keys);
}

void Settings::clearShortcut(const QString& actionId) {
    m_store.remove(QLatin1String(settings::shortcuts.name) + actionId);
    Q_EMIT changed(QLatin1String(settings::shortcuts.name) + actionId);
}

void Settings::addRecentCampaign(const QString& file) {
    QStringList files = value(settings::recentCampaigns);
    files.removeAll(file);
    files.prepend(file);
    set(settings::recentCampaigns, QStringList(files.mid(0, recentLimit)));
}

void Settings::store(const QString& name, const QVariant& value) {
    if (m_store.value(name) == value) {
        return;
    }
    m_store.setValue(name, value);
    Q_EMIT changed(name);
}

QString Settings::lanes(const QString& file) const {
    return m_store.value(lanesKey(file)).toString();
}

void Settings::setLanes(const QString& file, const QString& lanes) {
    if (lanes.isEmpty()) {
        m_store.remove(lanesKey(file));
    } else {
        store(lanesKey(file), lanes);
    }
}

TemporarySettings::TemporarySettings() : m_before(std::move(Settings::slot())) {
    QTemporaryDir folder;
    folder.setAutoRemove(false);
    m_folder = folder.path();
    Settings::slot() = std::make_unique<Settings>(folder.filePath(QStringLiteral("workbench.ini")));
}

TemporarySettings::~TemporarySettings() {
    Settings::slot() = std::move(m_before);
    QDir(m_folder).removeRecursively();
}

} // namespace gks
