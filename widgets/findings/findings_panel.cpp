// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/findings_panel.h"

#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QStackedWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace gks {

FindingsPanel::FindingsPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("findingsPanel"));
    m_empty->setText(tr("What the campaign has learnt"), tr("Lessons appear here with the evaluations that taught them."));
    m_text->setObjectName(QStringLiteral("findingsText"));
    m_text->setAccessibleName(tr("Findings"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_text);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

void FindingsPanel::refresh() {
    const auto& findings = bridge().population()->findings;
    m_stack->setCurrentIndex(findings.empty() ? 0 : 1);
    const Palette& palette = Theme::instance().palette();
    QString html;
    for (const Finding& finding : findings) {
        QStringList evaluations;
        for (const std::int64_t id : finding.evaluations) {
            evaluations << QStringLiteral("#%1").arg(id);
        }
        html += QStringLiteral("<p>%1<br><span style='color:%2'>%3, %4%5</span></p>")
                    .arg(QString::fromStdString(finding.text).toHtmlEscaped(), palette.quietText.name(), authorText(finding.author),
                         dateText(finding.at),
                         evaluations.isEmpty() ? QString() : tr(", evaluations %1").arg(evaluations.join(QStringLiteral(", "))));
    }
    m_text->setHtml(html);
}

} // namespace gks
