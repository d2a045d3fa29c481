// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/campaign_fork.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/outcome_box.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <QWidget>

namespace gks {

namespace {

// A connection of its own; the engine may go on writing beside it.
Result<void> fork(const QString& file, const ForkPoint& at, const QString& target) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file.toStdString(), CampaignStore::Access::read));
    GKS_TRY(forkCampaign(*store, at, target.toStdString()));
    return {};
}

} // namespace

CampaignFork::CampaignFork(EngineBridge* bridge, QWidget* home)
    : QObject(home), m_bridge(bridge), m_home(home), m_askFile([](QWidget* parent, const QString& suggestion) {
        // What is there is never replaced, so nobody is asked whether it may be.
        return QFileDialog::getSaveFileName(parent, tr("Fork into a new campaign"), suggestion, tr("Campaigns (*.gks)"),
                                            nullptr, QFileDialog::DontConfirmOverwrite);
    }) {
    connect(this, &CampaignFork::failed, this, [this](const QString& why) {
        showOutcome(m_home, QStringLiteral("forkFailed"), false, tr("Not forked"), why);
    });
}

void CampaignFork::start(const ForkPoint& at) {
    const QString file = m_bridge->file();
    const QFileInfo info(file);
    QString target = m_askFile(m_home, info.absolutePath() % QLatin1Char('/') % info.completeBaseName() %
                                           QStringLiteral("-from-") % idText(at.kernel) % QStringLiteral(".gks"));
    if (target.isEmpty()) {
        return;
    }
    if (QFileInfo(target).suffix().isEmpty()) {
        target += QStringLiteral(".gks");
    }
    QThreadPool::globalInstance()->start([guard = QPointer<CampaignFork>(this), file, at, target] {
        const auto made = fork(file, at, target);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, ok = made.has_value(), text = made ? target : toText(made.error().message())] {
                if (guard && ok) {
                    Q_EMIT guard->forked(text);
                } else if (guard) {
                    Q_EMIT guard->failed(text);
                }
            },
            Qt::QueuedConnection);
    });
}

} // namespace gks
