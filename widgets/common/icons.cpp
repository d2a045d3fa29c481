// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"

#include "widgets/common/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>
#include <array>

namespace gks {

namespace {

constexpr std::array names = {
    "run",      "pause",    "step",         "stop",     "cancel",    "tree",    "table", "search",
    "fit",      "collapse", "expand",       "pin",      "reference", "ban",     "again", "edit",
    "compare",  "copy",     "conversation", "evidence", "back",      "forward", "plus",  "open",
    "settings", "close",    "undock",       "warning",  "check",     "theme",   "help",
};
static_assert(names.size() == static_cast<std::size_t>(lastIcon) + 1);

// Colours the drawing when it is painted, so that icons follow a theme that is switched while they are shown.
class ThemedIconEngine final : public QIconEngine {
public:
    explicit ThemedIconEngine(QByteArray svg) : m_svg(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const Palette& palette = Theme::instance().palette();
        QColor color = mode == QIcon::Disabled ? tinted(palette.panel, palette.quietText, 0.5) : palette.text;
        if (mode == QIcon::Normal) {
            color = tinted(palette.text, palette.quietText, 0.35);
        }
        QByteArray colored = m_svg;
        colored.replace("currentColor", color.name().toLatin1());
        QSvgRenderer(colored).render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        if (size.isEmpty()) { // a button without room
            return {};
        }
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_svg); }

private:
    QByteArray m_svg;
};

} // namespace

QString iconFile(Icon which) {
    return QStringLiteral(":/icons/") % QLatin1String(names[static_cast<std::size_t>(which)]) % QStringLiteral(".svg");
}

QIcon icon(Icon which) {
    Theme::instance(); // has the resources registered
    QFile file(iconFile(which));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return QIcon(new ThemedIconEngine(file.readAll()));
}

} // namespace gks
