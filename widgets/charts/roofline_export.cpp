// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart_export.h"
#include "widgets/charts/roofline_plot.h"
#include "widgets/common/terms.h"

namespace gks {
namespace {

// Of a mark.
double rateOf(const RooflineRow& row, double us) {
    return us > 0 ? row.work.flops / us * 1e6 : 0;
}

} // namespace

QStringList RooflinePlot::roofNames() const {
    QStringList names;
    for (const Roof& roof : roofs()) {
        names << roof.types;
    }
    return names;
}

QString RooflinePlot::csv() const {
    QString text = QStringLiteral("shape,kernel,roles,title,work (FLOP),work (B),intensity (FLOP/B),rate (FLOP/s),"
                                  "median (us),ci95 low (us),ci95 high (us),floor (us),times the floor,bound by\n");
    const auto number = [](double value) { return value > 0 ? QString::number(value, 'g', 12) : QString(); };
    for (const RooflineRow& row : m_table.rows) {
        for (const RooflinePoint& point : row.points) {
            QStringList roles;
            for (const RooflineRole role : point.roles) {
                roles << toText(name(role));
            }
            const QStringList cells = {csvQuoted(toText(row.label)),
                                       point.kernel ? idText(*point.kernel) : QString(),
                                       csvQuoted(roles.join(QLatin1Char(' '))),
                                       csvQuoted(toText(point.title)),
                                       number(row.work.flops),
                                       number(row.work.bytes),
                                       number(row.work.intensity()),
                                       number(rateOf(row, point.medianUs)),
                                       number(point.medianUs),
                                       number(point.ci95Us.low),
                                       number(point.ci95Us.high),
                                       number(row.work.floorUs()),
                                       number(point.share.timesFloor),
                                       toText(name(point.share.bound))};
            text += cells.join(QLatin1Char(',')) % QLatin1Char('\n');
        }
    }
    return text;
}

} // namespace gks
