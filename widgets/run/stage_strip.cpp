// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/stage_strip.h"

#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <array>

namespace gks {

namespace {

struct Stop {
    Activity activity;
    const char* label;
};
constexpr std::array stops = {
    Stop{Activity::selecting, QT_TRANSLATE_NOOP("StageStrip", "select")},
    Stop{Activity::designing, QT_TRANSLATE_NOOP("StageStrip", "design")},
    Stop{Activity::writing, QT_TRANSLATE_NOOP("StageStrip", "write")},
    Stop{Activity::building, QT_TRANSLATE_NOOP("StageStrip", "build")},
    Stop{Activity::verifying, QT_TRANSLATE_NOOP("StageStrip", "verify")},
    Stop{Activity::measuring, QT_TRANSLATE_NOOP("StageStrip", "measure")},
};
constexpr int padding = 8;
constexpr int arrowWidth = 14;

QString label(const Stop& stop) {
    return QCoreApplication::translate("StageStrip", stop.label);
}

} // namespace

StageStrip::StageStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stageStrip"));
    setActive({});
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StageStrip::setActive(const std::set<Activity>& active) {
    m_active = active;
    // A repair is a second writing.
    if (m_active.contains(Activity::repairing)) {
        m_active.insert(Activity::writing);
    }
    QStringList names;
    for (const Stop& stop : stops) {
        if (m_active.contains(stop.activity)) {
            names.append(activityText(stop.activity));
        }
    }
    setAccessibleName(names.isEmpty() ? tr("Nothing is running") : tr("Now: %1").arg(names.join(QStringLiteral(", "))));
    update();
}

QSize StageStrip::sizeHint() const {
    int width = 0;
    for (const Stop& stop : stops) {
        width += fontMetrics().horizontalAdvance(label(stop)) + 2 * padding + arrowWidth;
    }
    return {width - arrowWidth, fontMetrics().height() + 2 * spacing1};
}

void StageStrip::paintEvent(QPaintEvent*) {
    const Palette& colors = Theme::instance().palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int x = 0;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        const bool active = m_active.contains(stops[i].activity);
        const int width = fontMetrics().horizontalAdvance(label(stops[i])) + 2 * padding;
        const QRect box(x, 0, width, height());
        if (active) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(tinted(colors.panel, colors.accent, 0.22));
            painter.drawRoundedRect(box, radius, radius);
        }
        painter.setPen(active ? colors.text : colors.quietText);
        painter.drawText(box, Qt::AlignCenter, label(stops[i]));
        x += width;
        if (i + 1 < stops.size()) {
            painter.setPen(colors.quietText);
            const QPointF tip(x + arrowWidth / 2.0 + 2, height() / 2.0);
            painter.drawLine(tip, tip - QPointF(4, 4));
            painter.drawLine(tip, tip - QPointF(4, -4));
            x += arrowWidth;
        }
    }
}

} // namespace gks
