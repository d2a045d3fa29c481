// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QObject>
#include <QString>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace gks {

// Keys of model services in the desktop's keyring, under the name of the environment variable that would hold them
// otherwise. In this process they live in memory alone: never in a file, never in a log.
class Keyring final : public QObject {
    Q_OBJECT

public:
    // What keeps the keys; called on the GUI thread, answers there. Replaced by tests.
    struct Backend {
        using Read = std::function<void(const std::optional<QString>& key, const QString& error)>;
        using Written = std::function<void(const QString& error)>;
        std::function<void(const QString& name, Read done)> read;
        std::function<void(const QString& name, const QString& key, Written done)> write; // an empty key removes it
    };
    static Backend desktop(); // empty functions when it was built without one

    explicit Keyring(Backend backend, QObject* parent = nullptr);
    static Keyring& instance(); // the desktop's; lives on the GUI thread

    bool isAvailable() const { return static_cast<bool>(m_backend.read); }
    // GUI thread.
    void load(const QString& name);
    void store(const QString& name, const QString& key);
    bool holds(const QString& name) const;    // as far as it was loaded
    QString error(const QString& name) const; // why it could not be read or written, "" when all went well

    // Any thread. Off the GUI thread it waits for the keyring, which may ask the person to unlock it.
    std::optional<std::string> find(const std::string& name);

Q_SIGNALS:
    void changed(const QString& name);

private:
    void keep(const QString& name, const std::optional<QString>& key, const QString& error);

    Backend m_backend;
    mutable std::mutex m_mutex;
    std::condition_variable m_loaded;
    std::map<std::string, std::string> m_keys;
    std::map<std::string, QString> m_errors;
    std::set<std::string> m_known; // names that were asked for
};

// The key of a model from the desktop's keyring; for scientists, which ask on threads of their own.
std::optional<std::string> keyInKeyring(const ModelChoice& choice);

} // namespace gks
