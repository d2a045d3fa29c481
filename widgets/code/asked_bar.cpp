// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/asked_bar.h"

#include "core/campaign/rules.h"
#include "widgets/common/actions.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

AskedBar::AskedBar(const PanelContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_result(new MessageLabel(this))
    , m_allShapes(new QCheckBox(tr("A&ll shapes"), this))
    , m_waiting(new QToolButton(this))
    , m_leftParts(new QWidget(this))
    , m_row(new QHBoxLayout)
    , m_column(new QVBoxLayout(this)) {
    m_result->setObjectName(QStringLiteral("compareAsked"));
    m_allShapes->setObjectName(QStringLiteral("compareAllShapes"));
    m_allShapes->setAccessibleName(tr("Measure on all benchmark shapes"));
    m_allShapes->setToolTip(tr("Every benchmark shape, whatever the campaign measures"));
    m_allShapes->setChecked(true);
    m_waiting->setObjectName(QStringLiteral("compareWaiting"));
    m_waiting->setAccessibleName(tr("What waits to be measured side by side"));
    m_waiting->setToolTip(tr("What waits to be measured side by side; choose one to take it back"));
    m_waiting->setPopupMode(QToolButton::InstantPopup);
    m_waiting->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_waiting->setMenu(new QMenu(m_waiting));
    m_measure = context.actions->add(this,
                                     {.id = "compare.measure",
                                      .text = tr("&Measure side by side"),
                                      .menu = tr("&Kernel"),
                                      .shortcut = QKeySequence(Qt::CTRL | Qt::Key_M),
                                      .icon = Icon::compare},
                                     [this] { measure(); });
    m_row->setSpacing(spacing2);
    m_row->addStretch(1);
    m_row->addWidget(m_allShapes);
    m_row->addWidget(toolButton(m_measure, tr("Measure side by side")));
    m_row->addWidget(m_waiting);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(spacing1);
    m_column->addWidget(m_result); // of several numbers: a row of its own
    m_column->addWidget(m_leftParts);
    m_column->addLayout(m_row);
    auto* left = new QHBoxLayout(m_leftParts);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(spacing2);
    left->addStretch(1);
    connect(m_allShapes, &QCheckBox::toggled, this, &AskedBar::refresh);
    refresh();
}

void AskedBar::putAtLeft(const std::vector<QWidget*>& parts) {
    auto* left = static_cast<QHBoxLayout*>(m_leftParts->layout());
    int at = 0;
    for (QWidget* part : parts) {
        left->insertWidget(at++, part);
    }
    placeLeft();
}

int AskedBar::buttonsWidth() const {
    int width = 0;
    for (int i = 0; i < m_row->count(); ++i) {
        const QWidget* part = m_row->itemAt(i)->widget();
        if (part != nullptr && part != m_leftParts && !part->isHidden()) {
            width += part->sizeHint().width() + spacing2;
        }
    }
    return width;
}

QSize AskedBar::minimumSizeHint() const {
    return {std::max(buttonsWidth(), m_leftParts->minimumSizeHint().width()), QWidget::minimumSizeHint().height()};
}

void AskedBar::placeLeft() {
    const bool isBeside = m_leftParts->minimumSizeHint().width() + buttonsWidth() + spacing2 <= width();
    if (isBeside == m_isLeftBeside) {
        return;
    }
    m_isLeftBeside = isBeside;
    if (isBeside) {
        m_column->removeWidget(m_leftParts);
        m_row->insertWidget(0, m_leftParts);
    } else {
        m_row->removeWidget(m_leftParts);
        m_column->insertWidget(1, m_leftParts);
    }
}

void AskedBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeLeft();
}

bool AskedBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) { // the numbers are longer now
        placeLeft();
    }
    return QWidget::event(event);
}

// From a menu while another page is in front, the pair may be that of an earlier selection: it is shown first.
void AskedBar::measure() {
    if (!isVisible()) {
        m_context.selection->requestPage(QStringLiteral("compare"));
        return;
    }
    const AskedComparison one = asked();
    m_context.bridge->send(command::MeasureSideBySide{one.kernel, one.other, one.allShapes});
}

AskedComparison AskedBar::asked() const {
    return {m_right, m_left, m_allShapes->isChecked()};
}

void AskedBar::setPair(KernelId left, KernelId right) {
    if (m_left != left || m_right != right) {
        m_left = left;
        m_right = right;
        m_ofLeft.clear();
        m_ofRight.clear();
    }
    refresh();
}

void AskedBar::setResults(KernelId kernel, const std::vector<Evaluation>& evaluations) {
    const KernelId other = kernel == m_left ? m_right : m_left;
    std::vector<AskedResult> results = askedResults(evaluations);
    std::erase_if(results, [&](const AskedResult& result) { return result.asked.other != other; });
    (kernel == m_left ? m_ofLeft : m_ofRight) = std::move(results);
    refresh();
}

void AskedBar::refresh() {
    const Population& population = *m_context.bridge->population();
    const AskedComparison one = asked();
    const auto allowed = checkCommand(command::MeasureSideBySide{one.kernel, one.other, one.allShapes}, population);
    m_measure->setEnabled(allowed.has_value() && !m_context.bridge->readOnly());
    m_measure->setToolTip(allowed ? tr("%1 beside %2, as soon as a lane is free; at once while the campaign stands")
                                        .arg(idText(m_right), idText(m_left))
                                  : toText(allowed.error().message()));
    QStringList lines;
    for (const auto* results : {&m_ofRight, &m_ofLeft}) {
        for (const AskedResult& result : *results) {
            lines.append(idText(result.asked.kernel) % QStringLiteral(": ") % askedResultOf(result));
        }
    }
    if (isWaiting(population.settings, one)) {
        lines.prepend(tr("waits to be measured side by side"));
    }
    m_result->setText(lines.join(QStringLiteral("; ")));
    m_result->setVisible(!lines.isEmpty());
    m_result->setToolTip(lines.join(QLatin1Char('\n')));
    showWaiting(population.settings);
}

void AskedBar::showWaiting(const CampaignSettings& settings) {
    m_waiting->setVisible(!settings.askedComparisons.empty());
    m_waiting->setText(tr("%1 waiting").arg(settings.askedComparisons.size()));
    QMenu* menu = m_waiting->menu();
    menu->clear();
    for (const AskedComparison& waiting : settings.askedComparisons) {
        menu->addAction(tr("Take back %1").arg(askedOf(waiting)), this, [this, waiting] {
            m_context.bridge->send(command::UnaskComparison{waiting.kernel, waiting.other, waiting.allShapes});
        });
    }
}

} // namespace gks
