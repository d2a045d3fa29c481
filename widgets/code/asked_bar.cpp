// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/asked_bar.h"

#include "core/campaign/rules.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

namespace gks {

AskedBar::AskedBar(const PanelContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_result(new ElidedLabel(this))
    , m_allShapes(new QCheckBox(tr("a&ll shapes"), this))
    , m_waiting(new QToolButton(this)) {
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
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing2);
    row->addWidget(m_result, 1);
    row->addWidget(m_allShapes);
    row->addWidget(toolButton(m_measure, tr("Measure side by side")));
    row->addWidget(m_waiting);
    connect(m_allShapes, &QCheckBox::toggled, this, &AskedBar::refresh);
    refresh();
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
            lines.append(idText(result.asked.kernel) % QStringLiteral(": ") % toText(askedResultText(result)));
        }
    }
    if (isWaiting(population.settings, one)) {
        lines.prepend(tr("waits to be measured side by side"));
    }
    m_result->setText(lines.join(QStringLiteral("; ")));
    m_result->setToolTip(lines.join(QLatin1Char('\n')));
    showWaiting(population.settings);
}

void AskedBar::showWaiting(const CampaignSettings& settings) {
    m_waiting->setVisible(!settings.askedComparisons.empty());
    m_waiting->setText(tr("%1 waiting").arg(settings.askedComparisons.size()));
    QMenu* menu = m_waiting->menu();
    menu->clear();
    for (const AskedComparison& waiting : settings.askedComparisons) {
        menu->addAction(tr("Take back %1").arg(toText(askedText(waiting))), this, [this, waiting] {
            m_context.bridge->send(command::UnaskComparison{waiting.kernel, waiting.other, waiting.allShapes});
        });
    }
}

} // namespace gks
