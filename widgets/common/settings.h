// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>
#include <memory>

namespace gks {

template<class T>
struct Setting {
    const char* name;
    T defaultValue;
};

// Everything that the workbench remembers: one line per key, with its default.
namespace settings {
inline const Setting<QString> theme{"appearance/theme", QStringLiteral("system")};
inline const Setting<QByteArray> windowGeometry{"window/geometry", {}};
inline const Setting<QByteArray> dockState{"window/docks", {}};
inline const Setting<QStringList> recentCampaigns{"window/recent", {}};
inline const Setting<QStringList> openCampaigns{"window/open", {}}; // the one in front last
inline const Setting<bool> startedBefore{"window/startedBefore", false};
inline const Setting<bool> hintsDismissed{"window/hintsDismissed", false};
inline const Setting<bool> lineageAsTable{"lineage/table", false};
inline const Setting<bool> lineageDownward{"lineage/downward", false};
inline const Setting<bool> lineageFollowsBest{"lineage/followsBest", false};
inline const Setting<bool> compileWhileTyping{"code/compileWhileTyping", true};
inline const Setting<QString> shortcuts{"keys/", {}}; // followed by the action's id
} // namespace settings

class Settings final : public QObject {
    Q_OBJECT

public:
    // The user's file under the configuration folder, or the temporary one of a test.
    static Settings& instance();
    explicit Settings(const QString& file);

    template<class T>
    T value(const Setting<T>& key) const {
        return m_store.value(QLatin1String(key.name), QVariant::fromValue(key.defaultValue)).template value<T>();
    }
    template<class T>
    void set(const Setting<T>& key, const T& value) {
        store(QLatin1String(key.name), QVariant::fromValue(value));
    }
    // The shortcut that the user gave an action; nullopt-like empty QVariant when it keeps its default.
    QVariant shortcut(const QString& actionId) const;
    void setShortcut(const QString& actionId, const QString& keys);
    void clearShortcut(const QString& actionId);

    void addRecentCampaign(const QString& file);

    // Where this person has the kernels of a campaign evaluated, in the words of --lanes; empty: on its own device.
    QString lanes(const QString& file) const;
    void setLanes(const QString& file, const QString& lanes);

Q_SIGNALS:
    void changed(const QString& name);

private:
    friend class TemporarySettings;
    void store(const QString& name, const QVariant& value);
    static std::unique_ptr<Settings>& slot();

    QSettings m_store;
};

// While it lives, Settings::instance() is an empty file of its own; for tests and screenshots.
class TemporarySettings final {
public:
    TemporarySettings();
    ~TemporarySettings();
    TemporarySettings(const TemporarySettings&) = delete;
    TemporarySettings& operator=(const TemporarySettings&) = delete;

private:
    QString m_folder;
    std::unique_ptr<Settings> m_before;
};

} // namespace gks
