// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/stage_strip.h"

#include "widgets/common/icons.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <array>

namespace gks {

namespace {

struct Stop {
    Activity activity;
    const char* id;
    const char* label;
};
constexpr std::array stops = {
    Stop{Activity::selecting, "select", QT_TRANSLATE_NOOP("StageStrip", "Selector")},
    Stop{Activity::designing, "design", QT_TRANSLATE_NOOP("StageStrip", "Designer")},
    Stop{Activity::writing, "write", QT_TRANSLATE_NOOP("StageStrip", "Writer")},
    Stop{Activity::building, "build", QT_TRANSLATE_NOOP("StageStrip", "Build")},
    Stop{Activity::verifying, "verify", QT_TRANSLATE_NOOP("StageStrip", "Verify")},
    Stop{Activity::measuring, "measure", QT_TRANSLATE_NOOP("StageStrip", "Measure")},
};
constexpr int padding = 8;
constexpr int arrowWidth = 14;

QString label(const Stop& stop) {
    return QCoreApplication::translate("StageStrip", stop.label);
}

constexpr int leastGap = 6; // around a label, where there is little room

// Room for the sign of a failure is kept, so that nothing moves when one comes.
int wholeGap(const QFontMetrics& metrics) {
    return 2 * padding + metrics.height();
}

int widthWith(const QFontMetrics& metrics, int gap) {
    int width = arrowWidth * (static_cast<int>(stops.size()) - 1);
    for (const Stop& stop : stops) {
        width += metrics.horizontalAdvance(label(stop)) + gap;
    }
    return width;
}

// Of a strip so wide: what its labels share.
int gapAt(const QFontMetrics& metrics, int width) {
    const int shared = (width - widthWith(metrics, 0)) / static_cast<int>(stops.size());
    return std::clamp(shared, leastGap, wholeGap(metrics));
}

} // namespace

StageStrip::StageStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stageStrip"));
    setActive({});
    for (const Stop& stop : stops) {
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("stageError.") % QLatin1String(stop.id));
        button->setText(label(stop));
        button->setIcon(icon(Icon::warning));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFocusPolicy(Qt::TabFocus);
        button->setProperty("error", true);
        button->hide();
        connect(button, &QToolButton::clicked, this, [this, stage = stop.activity] { Q_EMIT errorActivated(stage); });
        m_errors[stop.activity] = button;
    }
    placeErrors();
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
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
    setAccessibleName(names.isEmpty() ? tr("Idle") : tr("Running: %1").arg(names.join(QStringLiteral(", "))));
    update();
}

void StageStrip::setErrors(const std::map<Activity, QString>& errors) {
    for (const auto& [stage, button] : m_errors) {
        const auto found = errors.find(stage);
        button->setVisible(found != errors.end());
        button->setToolTip(found == errors.end() ? QString() : found->second);
        button->setAccessibleName(button->text() % QStringLiteral(": ") % button->toolTip());
    }
    update();
}

void StageStrip::placeErrors() {
    const int gap = gapAt(fontMetrics(), width());
    const bool isWhole = gap == wholeGap(fontMetrics());
    int x = 0;
    for (const Stop& stop : stops) {
        const int width = fontMetrics().horizontalAdvance(label(stop)) + gap;
        QToolButton* button = m_errors.at(stop.activity);
        button->setToolButtonStyle(isWhole ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonTextOnly);
        button->setGeometry(x, 0, width, sizeHint().height());
        x += width + arrowWidth;
    }
}

void StageStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange && !m_errors.empty()) {
        placeErrors();
    }
    QWidget::changeEvent(event);
}

QSize StageStrip::sizeHint() const {
    return {widthWith(fontMetrics(), wholeGap(fontMetrics())), fontMetrics().height() + 2 * spacing1};
}

QSize StageStrip::minimumSizeHint() const {
    return {widthWith(fontMetrics(), leastGap), sizeHint().height()};
}

void StageStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeErrors();
}

void StageStrip::paintEvent(QPaintEvent*) {
    const Palette& colors = Theme::instance().palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int gap = gapAt(fontMetrics(), width());
    int x = 0;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        const bool active = m_active.contains(stops[i].activity);
        const int width = fontMetrics().horizontalAdvance(label(stops[i])) + gap;
        const QRect box(x, 0, width, height());
        if (active) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(tinted(colors.panel, colors.accent, 0.22));
            painter.drawRoundedRect(box, radius, radius);
        }
        if (m_errors.at(stops[i].activity)->isHidden()) {
            painter.setPen(active ? colors.text : colors.quietText);
            painter.drawText(box, Qt::AlignCenter, label(stops[i]));
        }
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
