// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/plan_words.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QCoreApplication>
#include <QStringList>

namespace gks {
namespace {

struct PlanWords {
    Q_DECLARE_TR_FUNCTIONS(PlanWords)
};

} // namespace

QString planSummaryOf(const PlanCounts& counts) {
    const auto counted = [](std::size_t count, const QString& one, const QString& more) {
        return count == 1 ? one : more.arg(count);
    };
    QStringList parts = {counted(counts.launches, PlanWords::tr("1 launch"), PlanWords::tr("%1 launches"))};
    if (counts.fills > 0) {
        parts << counted(counts.fills, PlanWords::tr("1 fill"), PlanWords::tr("%1 fills"));
    }
    if (counts.copies > 0) {
        parts << counted(counts.copies, PlanWords::tr("1 copy"), PlanWords::tr("%1 copies"));
    }
    if (counts.writes > 0) {
        parts << counted(counts.writes, PlanWords::tr("1 write"), PlanWords::tr("%1 writes"));
    }
    const QString what = parts.join(QStringLiteral(", "));
    const QString text = counts.streams == 1 ? PlanWords::tr("%1 on 1 stream").arg(what)
                                             : PlanWords::tr("%1 on %2 streams").arg(what).arg(counts.streams);
    return counts.workspaceBytes == 0
               ? text
               : PlanWords::tr("%1, workspace %2").arg(text, toText(formatBytes(counts.workspaceBytes)));
}

QString solveTimeOf(const ShapePlan& shape) {
    return PlanWords::tr("solve() took %1, the first time %2")
        .arg(toText(formatMicroseconds(shape.solveUs)), toText(formatMicroseconds(shape.firstSolveUs)));
}

QString planChangesOf(const PlanTable& table) {
    return table.added + table.removed + table.changed == 0 ? PlanWords::tr("no difference")
                                                            : PlanWords::tr("%1 added, %2 removed, %3 changed")
                                                                  .arg(table.added)
                                                                  .arg(table.removed)
                                                                  .arg(table.changed);
}

QString operationOf(const PlanTableRow& row) {
    const QString shown = word(row.shown().operation);
    const bool differs = row.now && row.before && row.now->operation != row.before->operation;
    return differs ? QString(word(row.before->operation) % QStringLiteral(" -> ") % shown) : shown;
}

} // namespace gks
