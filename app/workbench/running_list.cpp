// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/running_list.h"

#include "widgets/common/elided_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

namespace gks {

namespace {

constexpr int runsLookMs = 1000;

// A tab of this window is in view already; one that was just closed is about to end.
bool isListed(const RunningCampaign& run) {
    return !isOwnRun(run) || run.place == RunPlace::background;
}

// What a row shows beside the text that is renewed with every look.
auto rowOf(const RunningCampaign& run) {
    return std::tie(run.file, run.process, run.here, run.host);
}

QString detailOf(const RunningCampaign& run) {
    const QString dot = QStringLiteral(" \u00b7 ");
    return toText(stateText(run)) % dot % toText(sinceText(run)) % dot % toText(placeText(run.place)) % dot %
           toText(processText(run));
}

} // namespace

RunningList::RunningList(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(tr("Running"))), m_rows(new QVBoxLayout) {
    setObjectName(QStringLiteral("runningCampaigns"));
    m_title->setProperty("heading", true);
    m_title->hide(); // this widget itself stays in view, to look
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(spacing2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing2);
    column->addWidget(m_title);
    column->addLayout(m_rows);
    m_tick.setInterval(runsLookMs);
    connect(&m_tick, &QTimer::timeout, this, &RunningList::look);
}

void RunningList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    look();
    m_tick.start();
}

void RunningList::hideEvent(QHideEvent* event) {
    m_tick.stop();
    m_work.cancel();
    QWidget::hideEvent(event);
}

void RunningList::look() {
    if (isVisible() && !m_work.isBusy()) {
        m_work.start([](const std::stop_token&) { return runningCampaigns(); },
                     [this](const std::vector<RunningCampaign>& runs) { fill(runs); });
    }
}

void RunningList::fill(const std::vector<RunningCampaign>& runs) {
    std::vector<RunningCampaign> listed;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(listed), isListed);
    if (!std::ranges::equal(listed, m_shown, {}, rowOf, rowOf)) {
        clear();
        for (const RunningCampaign& run : listed) {
            addRow(run);
        }
        m_title->setVisible(!listed.empty());
    }
    for (std::size_t i = 0; i < listed.size(); ++i) {
        m_details[i]->setText(detailOf(listed[i]));
    }
    m_shown = std::move(listed);
    Q_EMIT looked();
}

void RunningList::clear() {
    m_details.clear();
    while (QLayoutItem* row = m_rows->takeAt(0)) {
        row->widget()->deleteLater();
        row->widget()->hide();
        delete row;
    }
}

void RunningList::addRow(const RunningCampaign& run) {
    const QFileInfo info(toText(run.file.string()));
    const QString file = info.filePath();
    const QString campaign = info.completeBaseName();
    auto* row = new QWidget;
    auto* name = new ElidedLabel;
    name->setText(campaign);
    name->setObjectName(QStringLiteral("runName.") % campaign);
    name->setToolTip(info.path());
    auto* detail = new ElidedLabel;
    detail->setObjectName(QStringLiteral("runDetail.") % campaign);
    detail->setProperty("quiet", true);
    m_details.push_back(detail);
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(spacing2);
    grid->setVerticalSpacing(0);
    grid->addWidget(name, 0, 0);
    grid->addWidget(detail, 1, 0);
    grid->setColumnStretch(0, 1);
    int column = 0;
    const auto button = [&](const QString& text, const QString& accessible, const char* kind, auto signal,
                            const QString& tip) {
        auto* made = new QPushButton(text);
        made->setObjectName(QLatin1String(kind) % QLatin1Char('.') % campaign);
        made->setAccessibleName(accessible);
        made->setToolTip(tip);
        grid->addWidget(made, 0, ++column, 2, 1);
        connect(made, &QPushButton::clicked, this, [this, signal, file] { Q_EMIT(this->*signal)(file); });
    };
    if (isOwnRun(run)) {
        button(tr("Open"), tr("Open %1").arg(campaign), "runOpen", &RunningList::openRequested,
               tr("Back into a tab of this window"));
    } else {
        button(tr("Watch"), tr("Watch %1").arg(campaign), "runWatch", &RunningList::watchRequested,
               tr("Follow the run and steer it from here"));
        if (run.here) {
            button(tr("Take over"), tr("Take over %1").arg(campaign), "runTakeOver", &RunningList::takeOverRequested,
                   tr("Stop the run and open the campaign here"));
        }
    }
    if (run.here) {
        button(tr("Stop"), tr("Stop %1").arg(campaign), "runStop", &RunningList::stopRequested,
               tr("End the run. Everything finished is kept"));
    }
    m_rows->addWidget(row);
}

void RunningList::setBusy(bool busy) {
    setEnabled(!busy);
    look();
}

} // namespace gks
