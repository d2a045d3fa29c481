// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/unsaved_keeper.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "widgets/common/unsaved_text.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace gks {

namespace {

namespace fs = std::filesystem;
constexpr int unsavedPauseMs = 300;
constexpr std::size_t unsavedLimitBytes = std::size_t{16} << 20; // a source has at most 1 MiB

QJsonObject objectIn(const fs::path& file) {
    const auto text = readFile(file, unsavedLimitBytes);
    return text ? QJsonDocument::fromJson(QByteArray::fromStdString(*text)).object() : QJsonObject();
}

QString fileOf(const QJsonObject& stored) {
    return stored.value(QLatin1String("file")).toString();
}

// Where the text of this campaign lies. That of a campaign that was moved here comes along.
fs::path storeOf(const std::string& identity, const QString& file) {
    const fs::path folder = stateFolder() / "unsaved";
    const std::string campaign = sha256Hex(identity).substr(0, 16);
    const fs::path own = folder / (campaign + "-" + sha256Hex(file.toStdString()).substr(0, 16) + ".json");
    std::error_code failed;
    if (fs::exists(own, failed)) {
        return own;
    }
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(campaign + "-") && name.ends_with(".json") &&
            !QFileInfo::exists(fileOf(objectIn(entry.path())))) {
            fs::rename(entry.path(), own, failed);
            break;
        }
    }
    return own;
}

Result<void> writeStore(const fs::path& file, const QByteArray& text) {
    std::error_code ignored;
    if (text.isEmpty()) {
        fs::remove(file, ignored);
        return {};
    }
    GKS_TRY(makeDirectories(file.parent_path()));
    fs::permissions(file.parent_path(), fs::perms::owner_all, ignored); // nobody else's business
    return writeFileAtomically(file, text.toStdString());
}

} // namespace

UnsavedKeeper::UnsavedKeeper(const std::string& identity, const QString& file, QObject* root)
    : QObject(root), m_file(file), m_forms(root->findChildren<UnsavedText*>()) {
    // The order in which widgets were put into docks and pages says nothing.
    std::sort(m_forms.begin(), m_forms.end(),
              [](const UnsavedText* a, const UnsavedText* b) { return a->key() < b->key(); });
    m_pool.setMaxThreadCount(1);
    m_pause.setSingleShot(true);
    m_pause.setInterval(unsavedPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &UnsavedKeeper::write);
    if (!identity.empty()) {
        m_store = storeOf(identity, file);
        restore();
    }
    for (const UnsavedText* form : std::as_const(m_forms)) {
        connect(form, &UnsavedText::changed, this, [this] {
            if (!m_pause.isActive()) { // not again and again: who types without a pause is kept too
                m_pause.start();
            }
        });
    }
}

UnsavedKeeper::~UnsavedKeeper() {
    write();
    m_pool.waitForDone();
}

void UnsavedKeeper::restore() {
    const QJsonObject stored = objectIn(m_store);
    m_stored = stored.isEmpty() ? QByteArray() : QJsonDocument(stored).toJson();
    const QJsonArray texts = stored.value(QLatin1String("unsaved")).toArray();
    for (const QJsonValue& value : texts) {
        const QJsonObject text = value.toObject();
        const QString key = text.value(QLatin1String("form")).toString();
        for (UnsavedText* form : std::as_const(m_forms)) {
            if (form->key() == key) {
                form->restore({key, text.value(QLatin1String("what")).toString(),
                               text.value(QLatin1String("content")).toObject()});
            }
        }
    }
}

QList<UnsavedText*> UnsavedKeeper::restored() const {
    QList<UnsavedText*> found;
    for (UnsavedText* form : m_forms) {
        if (form->wasRestored()) {
            found.append(form);
        }
    }
    return found;
}

void UnsavedKeeper::write() {
    m_pause.stop();
    if (m_store.empty()) {
        return;
    }
    QJsonArray texts;
    for (const UnsavedText* form : std::as_const(m_forms)) {
        for (const UnsavedText::Text& text : form->texts()) {
            texts.append(QJsonObject{{QStringLiteral("form"), text.key},
                                     {QStringLiteral("what"), text.what},
                                     {QStringLiteral("content"), text.content}});
        }
    }
    const QByteArray now =
        texts.isEmpty()
            ? QByteArray()
            : QJsonDocument(QJsonObject{{QStringLiteral("file"), m_file}, {QStringLiteral("unsaved"), texts}}).toJson();
    if (now != m_stored) {
        m_stored = now;
        m_pool.start([this, file = m_store, now] {
            const Result<void> written = writeStore(file, now);
            QMetaObject::invokeMethod(this, [this, written] { noteWritten(written); }, Qt::QueuedConnection);
        });
    }
}

void UnsavedKeeper::noteWritten(const Result<void>& written) {
    if (!written && !m_failed) {
        Q_EMIT notKept({ErrorKind::infrastructure,
                        tr("unsaved text is not kept: ").toStdString() + written.error().what, written.error().where,
                        tr("Save what you type before you close the window").toStdString()});
    }
    m_failed = !written;
}

QStringList UnsavedKeeper::texts() {
    QStringList found;
    for (UnsavedText* form : std::as_const(m_forms)) {
        form->leave();
        for (const UnsavedText::Text& text : form->texts()) {
            found.append(text.what);
        }
    }
    return found;
}

bool UnsavedKeeper::holdsKernel() const {
    return std::any_of(m_forms.begin(), m_forms.end(), [](const UnsavedText* form) { return form->isKernel(); });
}

void UnsavedKeeper::saveKernels() {
    for (UnsavedText* form : std::as_const(m_forms)) {
        form->saveAsKernel();
    }
}

void UnsavedKeeper::discard() {
    for (UnsavedText* form : std::as_const(m_forms)) {
        form->discard();
    }
}

} // namespace gks
