// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/keyring.h"

#include <QCoreApplication>
#include <QThread>
#include <chrono>

#ifdef GKS_KEYRING
#include <qt6keychain/keychain.h>
#endif

namespace gks {

namespace {

constexpr std::chrono::seconds patience{20}; // the person may have to type the password of the keyring

#ifdef GKS_KEYRING
const QString& service() {
    static const QString name = QStringLiteral("io.github.gpu_kernel_scientist");
    return name;
}

template<class Job>
Job* jobFor(const QString& name) {
    auto* job = new Job(service());
    job->setAutoDelete(true);
    job->setInsecureFallback(false); // a plain file is no keyring
    job->setKey(name);
    return job;
}
#endif

} // namespace

Keyring::Backend Keyring::desktop() {
    Backend backend;
#ifdef GKS_KEYRING
    backend.read = [](const QString& name, Backend::Read done) {
        auto* job = jobFor<QKeychain::ReadPasswordJob>(name);
        QObject::connect(job, &QKeychain::Job::finished, job, [job, done = std::move(done)] {
            const bool found = job->error() == QKeychain::NoError;
            const bool none = job->error() == QKeychain::EntryNotFound;
            done(found ? std::optional(job->textData()) : std::nullopt, found || none ? QString() : job->errorString());
        });
        job->start();
    };
    backend.write = [](const QString& name, const QString& key, Backend::Written done) {
        const auto start = [done = std::move(done)](QKeychain::Job* job) {
            QObject::connect(job, &QKeychain::Job::finished, job, [job, done] {
                const bool gone = job->error() == QKeychain::EntryNotFound;
                done(job->error() == QKeychain::NoError || gone ? QString() : job->errorString());
            });
            job->start();
        };
        if (key.isEmpty()) {
            start(jobFor<QKeychain::DeletePasswordJob>(name));
        } else {
            auto* job = jobFor<QKeychain::WritePasswordJob>(name);
            job->setTextData(key);
            start(job);
        }
    };
#endif
    return backend;
}

Keyring::Keyring(Backend backend, QObject* parent) : QObject(parent), m_backend(std::move(backend)) {}

Keyring& Keyring::instance() {
    static auto* keyring = [] {
        auto* made = new Keyring(desktop());
        made->moveToThread(QCoreApplication::instance()->thread());
        return made;
    }();
    return *keyring;
}

void Keyring::keep(const QString& name, const std::optional<QString>& key, const QString& error) {
    {
        const std::lock_guard lock(m_mutex);
        const std::string id = name.toStdString();
        m_known.insert(id);
        m_errors[id] = error;
        if (key && !key->isEmpty()) {
            m_keys[id] = key->toStdString();
        } else {
            m_keys.erase(id);
        }
    }
    m_loaded.notify_all();
    Q_EMIT changed(name);
}

void Keyring::load(const QString& name) {
    if (m_backend.read && !name.isEmpty()) {
        m_backend.read(
            name, [this, name](const std::optional<QString>& key, const QString& error) { keep(name, key, error); });
    }
}

void Keyring::store(const QString& name, const QString& key) {
    if (m_backend.write && !name.isEmpty()) {
        m_backend.write(name, key, [this, name, key](const QString& error) {
            error.isEmpty() ? keep(name, key, {}) : keep(name, std::nullopt, error);
        });
    }
}

bool Keyring::holds(const QString& name) const {
    const std::lock_guard lock(m_mutex);
    return m_keys.contains(name.toStdString());
}

QString Keyring::error(const QString& name) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_errors.find(name.toStdString());
    return found == m_errors.end() ? QString() : found->second;
}

std::optional<std::string> Keyring::find(const std::string& name) {
    std::unique_lock lock(m_mutex);
    if (!m_known.contains(name) && isAvailable() && !name.empty() && QThread::currentThread() != thread()) {
        QMetaObject::invokeMethod(this, [this, name] { load(QString::fromStdString(name)); }, Qt::QueuedConnection);
        m_loaded.wait_for(lock, patience, [&] { return m_known.contains(name); });
    }
    const auto found = m_keys.find(name);
    return found == m_keys.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> keyInKeyring(const ModelChoice& choice) {
    return Keyring::instance().find(choice.keyVariable);
}

} // namespace gks
