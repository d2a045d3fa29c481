// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/evidence_export.h"

#include "core/report/bundle.h"
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
Result<WrittenBundle> write(const QString& file, std::optional<KernelId> kernel, const QString& folder) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file.toStdString(), CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const Evidence evidence, readEvidence(*store, kernel));
    return writeBundle(evidence, folder.toStdString());
}

} // namespace

EvidenceExport::EvidenceExport(EngineBridge* bridge, QWidget* home)
    : QObject(home), m_bridge(bridge), m_home(home), m_askFolder([](QWidget* parent, const QString& suggestion) {
        return QFileDialog::getSaveFileName(parent, tr("Export to a new folder"), suggestion);
    }) {
    connect(this, &EvidenceExport::finished, this, &EvidenceExport::tell);
}

void EvidenceExport::start(std::optional<KernelId> kernel) {
    const QString file = m_bridge->file();
    const QFileInfo info(file);
    const QString name = info.completeBaseName() % QStringLiteral("-") %
                         (kernel ? idText(*kernel) % QStringLiteral("-evidence") : QStringLiteral("report"));
    const QString folder = m_askFolder(m_home, info.absolutePath() % QStringLiteral("/") % name);
    if (folder.isEmpty()) {
        return;
    }
    QThreadPool::globalInstance()->start([guard = QPointer<EvidenceExport>(this), file, kernel, folder] {
        const auto written = write(file, kernel, folder);
        const bool ok = written.has_value();
        const QString text =
            !ok ? toText(written.error().message())
            : written->root.empty()
                ? tr("Report: %1/report.html\nNo evidence bundle: judged by the user's harness").arg(folder)
                : tr("Report: %1/report.html\nRoot hash: %2").arg(folder, toText(written->root));
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, ok, text] {
                if (guard) {
                    Q_EMIT guard->finished(ok, text);
                }
            },
            Qt::QueuedConnection);
    });
}

void EvidenceExport::tell(bool written, const QString& text) {
    showOutcome(m_home, QStringLiteral("evidenceExported"), written,
                written ? tr("Evidence exported") : tr("Export failed"), text);
}

} // namespace gks
