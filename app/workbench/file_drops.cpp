// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/file_drops.h"

#include "core/base/files.h"
#include "core/campaign/limits.h"
#include "core/campaign/source_check.h"
#include "core/problem/harness.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <QWidget>
#include <algorithm>

namespace gks {
namespace {

constexpr qsizetype dropLimit = 16;

bool isPack(const QString& folder) {
    return QFileInfo(folder + QStringLiteral("/problem.toml")).isFile() || isHarness(folder.toStdString());
}

// The rest is for whom it is dropped on: documents go to the page Knowledge.
bool isOurs(const QString& path) {
    const QFileInfo info(path);
    return info.suffix() == QLatin1String("gks") || info.suffix() == QLatin1String("hip") || info.isDir();
}

} // namespace

DroppedFile lookAtDrop(const QString& path) {
    using Kind = DroppedFile::Kind;
    const QFileInfo info(path);
    if (info.isDir()) {
        const QString inBundle = path + QStringLiteral("/problem"); // as bundles have it
        const QString pack = isPack(path) ? path : isPack(inBundle) ? inBundle : QString();
        return pack.isEmpty() ? DroppedFile{Kind::unknown,
                                            path,
                                            {},
                                            FileDrops::tr("neither problem.toml nor harness.toml lies in this folder")}
                              : DroppedFile{Kind::pack, pack, {}, {}};
    }
    if (info.suffix() == QLatin1String("gks")) {
        return {Kind::campaign, path, {}, {}};
    }
    if (info.suffix() != QLatin1String("hip")) {
        return {Kind::unknown, path, {}, FileDrops::tr("this is no campaign, kernel or problem pack")};
    }
    const auto source = readFile(path.toStdString(), limits::kernelSourceBytes);
    const auto good = source.and_then([](const std::string& text) { return checkKernelSource(text); });
    return {Kind::kernel, path, good ? toText(*source) : QString(), good ? QString() : toText(good.error().message())};
}

FileDrops::FileDrops(QWidget* window) : QObject(window), m_window(window) {
    window->setAcceptDrops(true);
    QCoreApplication::instance()->installEventFilter(this);
}

QStringList FileDrops::pathsOf(const QMimeData* data) {
    QStringList paths;
    const QList<QUrl> urls = data->urls();
    for (const QUrl& url : urls) {
        if (url.isLocalFile() && paths.size() < dropLimit) {
            paths.append(url.toLocalFile());
        }
    }
    return paths;
}

bool FileDrops::eventFilter(QObject* watched, QEvent* event) {
    const bool isDrop = event->type() == QEvent::Drop;
    if (!isDrop && event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove) {
        return false;
    }
    const auto* widget = qobject_cast<const QWidget*>(watched);
    auto* drop = static_cast<QDropEvent*>(event); // enter and move are made from it
    const QStringList paths = pathsOf(drop->mimeData());
    if (widget == nullptr || widget->window() != m_window || std::none_of(paths.begin(), paths.end(), isOurs)) {
        return false;
    }
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    if (isDrop) {
        m_work.start(
            [paths](const std::stop_token&) {
                std::vector<DroppedFile> files;
                for (const QString& path : paths) {
                    files.push_back(lookAtDrop(path));
                }
                return files;
            },
            [this](const std::vector<DroppedFile>& files) { Q_EMIT dropped(files); });
    }
    return true;
}

} // namespace gks
