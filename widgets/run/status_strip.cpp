// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/status_strip.h"

#include "core/campaign/model_stages.h"
#include "core/engine/call_lane.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

namespace {

QString modelText(const CampaignSettings& settings) {
    if (settings.scientist == ScientistKind::tuner) {
        return QCoreApplication::translate("StatusStrip", "Model: none (tuner)");
    }
    const auto found = settings.models.find(std::string(defaultModel));
    const auto any = found != settings.models.end() ? found : settings.models.begin();
    const QString name = any == settings.models.end() ? QCoreApplication::translate("StatusStrip", "not selected")
                                                      : word(any->second.label());
    return QCoreApplication::translate("StatusStrip", "Model: %1").arg(name);
}

QLabel* statusLabel(const QString& name) {
    auto* label = new ElidedLabel;
    label->setObjectName(name);
    label->setProperty("quiet", true);
    label->setSizePolicy(QSizePolicy::Maximum,
                         QSizePolicy::Preferred); // as wide as the text, cut when there is no room
    return label;
}

} // namespace

StatusStrip::StatusStrip(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_judge(new QLabel(capitalized(judgedByHarnessText())))
    , m_lanes(statusLabel(QStringLiteral("statusLanes")))
    , m_sandbox(statusLabel(QStringLiteral("statusSandbox")))
    , m_model(statusLabel(QStringLiteral("statusModel")))
    , m_headline(statusLabel(QStringLiteral("statusHeadline")))
    , m_file(statusLabel(QStringLiteral("statusFile")))
    , m_warnings(new QToolButton) {
    setObjectName(QStringLiteral("statusStrip"));
    m_warnings->setObjectName(QStringLiteral("statusWarnings"));
    m_warnings->setIcon(icon(Icon::warning));
    m_warnings->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_warnings->setFocusPolicy(Qt::TabFocus);
    connect(m_warnings, &QToolButton::clicked, this, &StatusStrip::showWarnings);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing3, 2, spacing2, 2);
    row->setSpacing(spacing4 + spacing2);
    m_judge->setObjectName(QStringLiteral("statusJudge"));
    for (QWidget* part : std::initializer_list<QWidget*>{m_judge, m_lanes, m_sandbox, m_model}) {
        row->addWidget(part);
    }
    m_headline->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // what the others leave
    row->addWidget(m_headline, 1);
    row->addWidget(m_file);
    row->addWidget(m_warnings);
    context.actions->add(this,
                         {"view.warnings", tr("Show &warnings"), tr("&View"),
                          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W), Icon::warning},
                         [this] { showWarnings(); });
    connect(context.bridge, &EngineBridge::activityChanged, this, &StatusStrip::scheduleRefresh);
    connect(context.bridge, &EngineBridge::warningRaised, this, &StatusStrip::updateWarnings);
    updateWarnings();
}

void StatusStrip::setSandbox(const QString& text, const QString& reason) {
    m_sandbox->setText(tr("Sandbox: %1").arg(text));
    m_sandbox->setToolTip(reason);
}

void StatusStrip::refresh() {
    // Whose verdicts and times the window is full of is to be read on every page, in any width.
    m_judge->setVisible(bridge().population()->settings.judgedByHarness);
    QStringList lanes;
    for (const auto& [lane, activity] : bridge().lanes()) {
        if (!isCallLane(lane)) {
            lanes.append(toText(lane) % QLatin1Char(' ') %
                         (activity.kernel && activity.activity != Activity::idle
                              ? QString(activityText(activity.activity) % QLatin1Char(' ') % idText(*activity.kernel))
                              : activityText(activity.activity)));
        }
    }
    m_lanes->setText(lanes.isEmpty() ? tr("Devices: not started")
                                     : tr("Devices: %1").arg(lanes.join(QStringLiteral("  "))));
    m_model->setText(modelText(bridge().population()->settings));
    m_file->setText(QFileInfo(bridge().file()).fileName());
    m_file->setToolTip(bridge().file());
    askHeadline();
    showHeadline();
}

// Whether the best is confirmed stands in its evaluations, which are read when it is another or was measured again.
void StatusStrip::askHeadline() {
    const Population& population = *bridge().population();
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    const QString state = best == nullptr ? QString() : QStringLiteral("%1 %2").arg(best->id).arg(best->evaluations);
    if (state == m_asked) {
        return;
    }
    m_asked = state;
    m_ofBest.clear();
    if (best == nullptr) {
        return;
    }
    m_answerAwaited = true;
    bridge().askEvaluations(this, best->id, [this, state](const Result<std::vector<Evaluation>>& answer) {
        m_answerAwaited = false;
        if (state == m_asked) {
            m_ofBest = answer.value_or(std::vector<Evaluation>());
            for (Evaluation& evaluation : m_ofBest) {
                evaluation.verdict.measurements.clear();
            }
            showHeadline();
        }
        Q_EMIT settled();
    });
}

void StatusStrip::showHeadline() {
    const HeadlineRatio headline = headlineRatio(*bridge().population(), m_ofBest);
    const QString statement = headlineOf(headline, *bridge().population());
    m_headline->setText(headline.best ? tr("best %1: %2").arg(idText(*headline.best), statement) : statement);
    // Words behind the ratio and names beside it are cut before it is: "best 00012: 538x [537, 540] confirmed".
    const QString text = m_headline->text();
    const qsizetype closed = text.indexOf(QLatin1Char(']'));
    const qsizetype behind = closed < 0 ? -1 : text.indexOf(QLatin1Char(','), closed);
    m_headline->setMinimumWidth(
        behind < 0 ? 0 : m_headline->fontMetrics().horizontalAdvance(text.left(behind) + QStringLiteral("\u2026")) + 1);
    m_headline->setToolTip(m_headline->text() % QLatin1Char('\n') %
                           tr("Confirmed: measured once more beside the baseline after it had become the best, at the "
                              "end of a run"));
}

void StatusStrip::updateWarnings() {
    const std::size_t count = bridge().warnings().size();
    m_warnings->setText(count == 0 ? tr("No warnings") : count == 1 ? tr("1 warning") : tr("%1 warnings").arg(count));
    m_warnings->setAccessibleName(m_warnings->text());
    m_warnings->setEnabled(count > 0);
}

void StatusStrip::showWarnings() {
    if (bridge().warnings().empty()) {
        return;
    }
    auto* popup = new QFrame(window(), Qt::Popup);
    popup->setAttribute(Qt::WA_DeleteOnClose);
    popup->setObjectName(QStringLiteral("warningPopup"));
    popup->setFrameShape(QFrame::StyledPanel);
    auto* list = new QListWidget;
    list->setObjectName(QStringLiteral("warningList"));
    list->setAccessibleName(tr("Warnings"));
    list->setWordWrap(true);
    list->setFrameShape(QFrame::NoFrame);
    const auto& warnings = bridge().warnings();
    for (auto at = warnings.rbegin(); at != warnings.rend(); ++at) {
        const QString kernel = at->kernel ? QString(idText(*at->kernel) % QStringLiteral("  ")) : QString();
        auto* item = new QListWidgetItem(icon(Icon::warning), kernel % toText(at->error.message()), list);
        item->setData(Qt::UserRole, QVariant::fromValue<qlonglong>(at->kernel.value_or(0)));
    }
    connect(list, &QListWidget::itemActivated, popup, [this, popup](const QListWidgetItem* item) {
        if (const KernelId kernel = item->data(Qt::UserRole).toLongLong(); kernel != 0) {
            selection().select(kernel);
        }
        popup->close();
    });
    auto* column = new QVBoxLayout(popup);
    column->setContentsMargins(spacing1, spacing1, spacing1, spacing1);
    column->addWidget(list);
    popup->resize(460, std::min(320, 60 + 34 * list->count()));
    popup->move(m_warnings->mapToGlobal(QPoint(m_warnings->width() - popup->width(), -popup->height() - 2)));
    popup->show();
    list->setFocus();
}

} // namespace gks
