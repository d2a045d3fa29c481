// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/campaign_copy.h"

#include "core/campaign/store.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/outcome_box.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QProgressDialog>
#include <QThreadPool>
#include <QWidget>
#include <atomic>

namespace gks {

namespace {

// A connection of its own; the engine may go on writing beside it.
Result<void> copy(const QString& file, const QString& target, bool replace, const std::function<bool(double)>& step) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file.toStdString(), CampaignStore::Access::read));
    return store->copyTo(target.toStdString(), replace, step);
}

} // namespace

CampaignCopy::CampaignCopy(EngineBridge* bridge, QWidget* home)
    : QObject(home), m_bridge(bridge), m_home(home), m_askFile([](QWidget* parent, const QString& suggestion) {
        return QFileDialog::getSaveFileName(parent, tr("Save a copy"), suggestion, tr("Campaigns (*.gks)"));
    }) {
    connect(this, &CampaignCopy::finished, this, [this](bool written, const QString& text) {
        showOutcome(m_home, QStringLiteral("copySaved"), written, written ? tr("Copy saved") : tr("Not copied"), text);
    });
}

void CampaignCopy::start() {
    const QString file = m_bridge->file();
    const QFileInfo info(file);
    QString target = m_askFile(m_home, info.absolutePath() % QLatin1Char('/') % info.completeBaseName() %
                                           QStringLiteral("-copy.gks"));
    if (target.isEmpty()) {
        return;
    }
    const bool replace = QFileInfo::exists(target); // the person said so
    if (!replace && QFileInfo(target).suffix().isEmpty()) {
        target += QStringLiteral(".gks");
    }
    auto* progress = new QProgressDialog(tr("Saving a copy of %1").arg(info.fileName()), tr("Cancel"), 0, 100, m_home);
    progress->setObjectName(QStringLiteral("copyProgress"));
    progress->setAccessibleName(tr("Progress of the copy"));
    progress->setAttribute(Qt::WA_DeleteOnClose);
    progress->setAutoReset(false);
    const auto wanted = std::make_shared<std::atomic<bool>>(true);
    connect(progress, &QProgressDialog::canceled, this, [wanted] { *wanted = false; });
    QThreadPool::globalInstance()->start([guard = QPointer<CampaignCopy>(this),
                                          bar = QPointer<QProgressDialog>(progress), wanted, file, target, replace] {
        const auto inWindow = [](auto&& call) {
            QMetaObject::invokeMethod(QCoreApplication::instance(), std::forward<decltype(call)>(call),
                                      Qt::QueuedConnection);
        };
        const auto copied = copy(file, target, replace, [&](double fraction) {
            inWindow([bar, percent = static_cast<int>(fraction * 100)] {
                if (bar) {
                    bar->setValue(percent);
                }
            });
            return wanted->load();
        });
        const bool cancelled = !copied && copied.error().kind == ErrorKind::cancelled;
        inWindow([guard, bar, cancelled, ok = copied.has_value(),
                  text = copied ? target : toText(copied.error().message())] {
            delete bar;
            if (guard && !cancelled) {
                Q_EMIT guard->finished(ok, text);
            }
        });
    });
}

} // namespace gks
