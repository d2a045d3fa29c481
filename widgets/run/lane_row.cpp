// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/lane_row.h"

#include "core/base/quantity.h"
#include "core/campaign/limits.h"
#include "core/engine/call_lane.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/icons.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>

namespace gks {

LaneRow::LaneRow(const QString& lane, QWidget* parent)
    : QWidget(parent), m_what(new ElidedLabel), m_elapsed(new QLabel), m_progress(new QProgressBar) {
    auto* name = new QLabel(lane);
    name->setProperty("quiet", true);
    const int usual = name->fontMetrics().horizontalAdvance(toText(callLane(limits::modelCalls)));
    name->setFixedWidth(std::clamp(name->fontMetrics().horizontalAdvance(lane), usual, 2 * usual) + spacing2);
    name->setTextFormat(Qt::PlainText); // the name of a folder
    name->setToolTip(lane.toHtmlEscaped());
    m_elapsed->setProperty("quiet", true);
    m_elapsed->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_elapsed->setFixedWidth(m_elapsed->fontMetrics().horizontalAdvance(QStringLiteral("00 min 00 s")));
    m_progress->setFixedSize(120, 12);
    m_progress->setAccessibleName(tr("Progress of %1").arg(lane));
    m_progress->setTextVisible(false);
    auto* cancel = new QToolButton;
    cancel->setIcon(icon(Icon::cancel));
    cancel->setObjectName(QStringLiteral("cancel.") % lane);
    cancel->setAccessibleName(tr("Cancel work on %1").arg(lane));
    cancel->setToolTip(tr("Cancel all current work and pause; kernels and experiments stay queued"));
    m_cancel = cancel;
    auto* restore = new QToolButton;
    restore->setText(tr("Re-enable"));
    restore->setObjectName(QStringLiteral("restore.") % lane);
    restore->setAccessibleName(tr("Re-enable device %1").arg(lane));
    restore->hide();
    m_restore = restore;
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing2);
    row->addWidget(name);
    row->addWidget(m_what, 1);
    row->addWidget(m_elapsed);
    row->addWidget(m_progress);
    row->addWidget(cancel);
    row->addWidget(restore);
    connect(restore, &QToolButton::clicked, this, &LaneRow::restoreRequested);
    connect(cancel, &QToolButton::clicked, this, &LaneRow::cancelRequested);
}

void LaneRow::show(const ActivityChanged& activity, bool mayCancel) {
    m_activity = activity;
    const bool busy = activity.activity != Activity::idle;
    QStringList parts = {activityText(activity.activity)};
    if (activity.kernel) {
        parts.prepend(idText(*activity.kernel));
    }
    if (!activity.detail.empty()) {
        parts.append(toText(activity.detail));
    }
    if (activity.activity == Activity::away) { // "3 jobs away" says it
        parts.removeFirst();
    }
    m_what->setText(parts.join(QStringLiteral("  ")));
    m_what->setEnabled(busy);
    // Held open when the amount is unknown or nothing runs, so that the rows stay aligned.
    m_progress->setRange(0, 1000);
    m_progress->setValue(activity.fraction < 0 ? 0 : static_cast<int>(activity.fraction * 1000));
    m_progress->setToolTip(activity.fraction < 0 ? QString() : toText(formatShare(activity.fraction)));
    m_progress->setVisible(busy && activity.fraction >= 0);
    m_restore->hide();
    m_cancel->setVisible(busy);
    m_cancel->setEnabled(mayCancel);
    updateElapsed();
}

void LaneRow::showOutage(const LaneOutage& outage, bool mayRestore) {
    m_activity = {};
    const QString text = tr("Disabled: %1").arg(toText(outage.reason));
    m_what->setText(text);
    m_what->setToolTip(outage.next.empty() ? text : QString(text % QStringLiteral("\n") % toText(outage.next)));
    m_what->setEnabled(true);
    m_progress->hide();
    m_cancel->hide();
    m_restore->show();
    m_restore->setEnabled(mayRestore);
    updateElapsed();
}

void LaneRow::updateElapsed() {
    const bool busy = m_activity.activity != Activity::idle && m_activity.since > 0;
    m_elapsed->setText(busy ? toText(formatSeconds(static_cast<double>((now() - m_activity.since) / 1000)))
                            : QString());
}

} // namespace gks
