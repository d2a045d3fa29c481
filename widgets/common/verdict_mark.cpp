// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/verdict_mark.h"

#include "core/campaign/rules.h"
#include "widgets/common/drawn_icon_engine.h"
#include "widgets/common/theme.h"

#include <QPainter>
#include <algorithm>

namespace gks {

namespace {

// Shapes on the unit square, so that one table serves nodes, icons and charts.
QPolygonF unitShape(VerdictMark mark) {
    switch (mark) {
    case VerdictMark::faster:
        return QPolygonF({{0.5, 0.12}, {0.94, 0.86}, {0.06, 0.86}});
    case VerdictMark::slower:
        return QPolygonF({{0.06, 0.14}, {0.94, 0.14}, {0.5, 0.88}});
    case VerdictMark::buildFailed:
        return QPolygonF({{0.14, 0.14}, {0.86, 0.14}, {0.86, 0.86}, {0.14, 0.86}});
    case VerdictMark::crashed:
        return QPolygonF({{0.60, 0.02}, {0.18, 0.56}, {0.45, 0.56}, {0.38, 0.98}, {0.82, 0.40}, {0.54, 0.40}});
    case VerdictMark::suspect:
        return QPolygonF({{0.16, 0.04}, {0.90, 0.26}, {0.28, 0.54}, {0.28, 0.98}, {0.16, 0.98}});
    case VerdictMark::notJudged:
        return QPolygonF({{0.5, 0.06}, {0.94, 0.5}, {0.5, 0.94}, {0.06, 0.5}});
    default:
        return {};
    }
}

class MarkIconEngine final : public DrawnIconEngine {
public:
    explicit MarkIconEngine(VerdictMark mark) : m_mark(mark) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
        const double inset = std::min(rect.width(), rect.height()) * 0.14;
        paintMark(*painter, QRectF(rect).adjusted(inset, inset, -inset, -inset), m_mark,
                  colorOf(m_mark, Theme::instance().palette()), 0.7);
    }
    QIconEngine* clone() const override { return new MarkIconEngine(m_mark); }

private:
    VerdictMark m_mark;
};

} // namespace

VerdictMark markOf(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::correct:
        return VerdictMark::correct;
    case VerdictKind::faster:
        return VerdictMark::faster;
    case VerdictKind::slower:
        return VerdictMark::slower;
    case VerdictKind::tie:
        return VerdictMark::tie;
    case VerdictKind::undecided:
        return VerdictMark::undecided;
    case VerdictKind::wrong:
        return VerdictMark::wrong;
    case VerdictKind::buildFailed:
        return VerdictMark::buildFailed;
    case VerdictKind::crashed:
    case VerdictKind::timedOut:
        return VerdictMark::crashed;
    case VerdictKind::cheatingSuspected:
        return VerdictMark::suspect;
    case VerdictKind::infrastructureFailed:
        break;
    }
    return VerdictMark::notJudged;
}

VerdictMark markOf(const Kernel& kernel) {
    if (kernel.state == KernelState::evaluating || kernel.state == KernelState::screening) {
        return VerdictMark::running;
    }
    return kernel.verdict ? markOf(*kernel.verdict) : VerdictMark::waiting;
}

bool isDim(const Kernel& kernel) {
    return (kernel.state == KernelState::evaluated && !isAccepted(kernel)) || kernel.banned;
}

QColor colorOf(VerdictMark mark, const Palette& palette) {
    switch (mark) {
    case VerdictMark::faster:
        return palette.faster;
    case VerdictMark::slower:
        return palette.slower;
    case VerdictMark::wrong:
    case VerdictMark::buildFailed:
    case VerdictMark::crashed:
        return palette.wrong;
    case VerdictMark::suspect:
        return palette.suspect;
    case VerdictMark::running:
        return palette.accent;
    case VerdictMark::tie:
    case VerdictMark::undecided:
    case VerdictMark::correct:
        return palette.tie;
    case VerdictMark::notJudged:
    case VerdictMark::waiting:
        break;
    }
    return palette.quietText;
}

void paintMark(QPainter& painter, const QRectF& rect, VerdictMark mark, const QColor& color, double fraction) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(rect.width(), rect.height());
    const QRectF square(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side);
    const QPen stroke(color, std::max(1.2, side * 0.16), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    const double half = stroke.widthF() / 2;
    const QRectF inner = square.adjusted(half, half, -half, -half);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (mark) {
    case VerdictMark::tie:
        painter.drawEllipse(square.adjusted(side * 0.08, side * 0.08, -side * 0.08, -side * 0.08));
        break;
    case VerdictMark::waiting:
        painter.drawEllipse(square.center(), side * 0.2, side * 0.2);
        break;
    case VerdictMark::wrong:
        painter.setPen(QPen(color, std::max(1.6, side * 0.2), Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(inner.topLeft(), inner.bottomRight());
        painter.drawLine(inner.topRight(), inner.bottomLeft());
        break;
    case VerdictMark::undecided: // neither a circle nor a ring: a disc that is half empty
        painter.drawChord(inner, 90 * 16, 180 * 16);
        [[fallthrough]];
    case VerdictMark::correct:
        painter.setPen(stroke);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(inner);
        break;
    case VerdictMark::running: {
        painter.setBrush(Qt::NoBrush);
        QColor faint = color;
        faint.setAlphaF(0.3F);
        painter.setPen(QPen(faint, stroke.widthF()));
        painter.drawEllipse(inner);
        painter.setPen(stroke);
        const double turn = fraction < 0 ? 0.25 : std::clamp(fraction, 0.02, 1.0);
        painter.drawArc(inner, 90 * 16, -static_cast<int>(turn * 360 * 16));
        break;
    }
    default: {
        QPolygonF shape = unitShape(mark);
        for (QPointF& point : shape) {
            point = square.topLeft() + point * side;
        }
        if (mark == VerdictMark::notJudged) {
            painter.setPen(stroke);
            painter.setBrush(Qt::NoBrush);
        }
        painter.drawPolygon(shape);
        break;
    }
    }
    painter.restore();
}

QIcon markIcon(VerdictMark mark) {
    return QIcon(new MarkIconEngine(mark));
}

} // namespace gks
