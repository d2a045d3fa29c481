// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/dock_title.h"

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

#include <QDockWidget>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace gks {

DockTitle::DockTitle(QDockWidget* dock, QWidget* beside) : QWidget(dock) {
    auto* label = new QLabel(dock->windowTitle().toUpper());
    label->setProperty("heading", true);
    QFont font = label->font();
    font.setPixelSize(QFontInfo(font).pixelSize() - 1);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.5);
    label->setFont(font);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing3, 3, spacing1, 3);
    row->setSpacing(spacing2);
    row->addWidget(label);
    if (beside != nullptr) {
        row->addWidget(beside, 1);
    } else {
        row->addStretch(1);
    }
    const auto button = [&](Icon which, const QString& name, const QString& what) {
        auto* tool = new QToolButton;
        tool->setIcon(icon(which));
        tool->setIconSize(QSize(12, 12));
        tool->setObjectName(dock->objectName() % QLatin1Char('.') % name);
        tool->setAccessibleName(what);
        tool->setToolTip(what);
        tool->setFocusPolicy(Qt::NoFocus);
        row->addWidget(tool, 0, Qt::AlignVCenter);
        return tool;
    };
    auto* undock = button(Icon::undock, QStringLiteral("float"), tr("Float or dock %1").arg(dock->windowTitle()));
    auto* close = button(Icon::close, QStringLiteral("close"), tr("Close %1").arg(dock->windowTitle()));
    connect(undock, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    setMinimumHeight(30);
}

void DockTitle::paintEvent(QPaintEvent*) {
    const Palette& colors = Theme::instance().palette();
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), colors.line);
}

} // namespace gks
