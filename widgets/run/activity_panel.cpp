// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/activity_panel.h"

#include "core/engine/call_lane.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/run/lane_row.h"
#include "widgets/run/sample_strip.h"
#include "widgets/run/stage_errors.h"
#include "widgets/run/stage_strip.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>
#include <set>
#include <utility>

namespace gks {

namespace {

// Models and compilers can talk without end; the conversation page and the evaluation keep what is worth keeping.
constexpr std::size_t textLimitBytes = 256 * 1024;
constexpr int blockLimit = 4000;

QString whatOpens(StageError::Opens opens) {
    switch (opens) {
    case StageError::Opens::compilerOutput:
        return gks::ActivityPanel::tr("Click to open the compiler output.");
    case StageError::Opens::facts:
        return gks::ActivityPanel::tr("Click to open the verdict.");
    case StageError::Opens::conversation:
        return gks::ActivityPanel::tr("Click to open the conversation.");
    case StageError::Opens::advice:
        return gks::ActivityPanel::tr("Click to open the warnings.");
    }
    return {};
}

bool passes(const QString& filter, const std::string& source) {
    if (filter.isEmpty()) {
        return true;
    }
    if (SpokenLines::isModel(source)) {
        return filter == QLatin1String("model");
    }
    // The judge speaks of its processes and of races under their own names.
    return filter == toText(source == "compiler" || source == "runner" ? source : "judge");
}

// "[writer 14] " for experiment 14: several may write at the same time.
QString headOf(const TextArrived& text) {
    const QString experiment =
        text.experiment ? QString(QLatin1Char(' ') % QString::number(*text.experiment)) : QString();
    return QStringLiteral("[") % toText(text.source) % experiment % QStringLiteral("] ");
}

// Nobody's text begins where the names of the sources do, or it could say that it comes from another one: of compilers
// and runners every line has the name, models write on behind a space.
QString markedLines(const TextArrived& text, bool isNewLine) {
    const QString mark = SpokenLines::isModel(text.source) ? QStringLiteral("  ") : headOf(text);
    QString shown;
    const QStringList lines = toText(text.text).split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        shown += i > 0 ? QStringLiteral("\n") : QString();
        if (!lines[i].isEmpty()) {
            shown += (i > 0 || isNewLine ? mark : QString()) % lines[i];
        }
    }
    return shown;
}

} // namespace

ActivityPanel::ActivityPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stages(new StageStrip)
    , m_errors(new StageErrors(*context.bridge, this))
    , m_newestError(new ElidedLabel)
    , m_laneColumn(new QVBoxLayout)
    , m_samples(new SampleStrip)
    , m_text(new QPlainTextEdit)
    , m_filter(new QComboBox)
    , m_title(new QWidget) {
    setObjectName(QStringLiteral("activityPanel"));
    m_text->setObjectName(QStringLiteral("activityText"));
    m_text->setAccessibleName(tr("Output of model, compiler and judge"));
    m_text->setReadOnly(true);
    m_text->setMaximumBlockCount(blockLimit);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setPlaceholderText(tr("Output of the model, the compiler and the judge appears here."));
    m_text->setProperty("flat", true);
    m_newestError->setObjectName(QStringLiteral("activityError"));
    m_newestError->setProperty("error", true);
    m_filter->setObjectName(QStringLiteral("activityFilter"));
    m_filter->setAccessibleName(tr("Filter output by source"));
    m_filter->addItem(tr("All output"), QString());
    m_filter->addItem(tr("Model"), QStringLiteral("model"));
    m_filter->addItem(tr("Compiler"), QStringLiteral("compiler"));
    m_filter->addItem(tr("Judge"), QStringLiteral("judge"));
    m_filter->addItem(tr("Runner"), QStringLiteral("runner"));

    auto* titleRow = new QHBoxLayout(m_title);
    titleRow->setContentsMargins(0, 0, 0, 0);
    titleRow->setSpacing(spacing2);
    titleRow->addWidget(m_stages);
    titleRow->addWidget(m_newestError, 1);
    titleRow->addWidget(m_filter);

    // Lanes stand above the text, so that the samples have the whole height.
    auto* talk = new QWidget;
    auto* talkColumn = new QVBoxLayout(talk);
    talkColumn->setContentsMargins(0, 0, 0, 0);
    talkColumn->setSpacing(0);
    m_laneColumn->setContentsMargins(spacing3, 2, spacing2, 2);
    m_laneColumn->setSpacing(0);
    talkColumn->addLayout(m_laneColumn);
    talkColumn->addWidget(m_text, 1);
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->addWidget(m_samples);
    split->addWidget(talk);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(split);

    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        for (const auto& [lane, row] : m_lanes) {
            row->updateElapsed();
        }
    });
    connect(m_filter, &QComboBox::activated, this, [this] {
        m_text->clear();
        m_lastSpeaker.reset();
        const auto pieces = std::exchange(m_pieces, {});
        m_pieceBytes = 0;
        for (const TextArrived& text : pieces) {
            appendText(text);
        }
    });
    connect(m_errors, &StageErrors::changed, this, &ActivityPanel::showErrors);
    connect(m_stages, &StageStrip::errorActivated, this, &ActivityPanel::openError);
    showErrors();
    connect(context.bridge, &EngineBridge::activityChanged, this, &ActivityPanel::scheduleRefresh);
    connect(context.bridge, &EngineBridge::stateChanged, this, &ActivityPanel::scheduleRefresh);
    connect(context.bridge, &EngineBridge::populationChanged, this, [this] {
        // Rarely: only when a lane left or came back.
        if (bridge().population()->settings.lanesOut != m_lanesOut) {
            m_lanesOut = bridge().population()->settings.lanesOut;
            scheduleRefresh();
        }
    });
    connect(context.bridge, &EngineBridge::samplesArrived, m_samples, &SampleStrip::add);
    connect(context.bridge, &EngineBridge::samplesArrived, this, &ActivityPanel::haveContent);
    connect(context.bridge, &EngineBridge::textArrived, this, &ActivityPanel::hear);
}

QWidget* ActivityPanel::titleWidget() {
    return m_title;
}

void ActivityPanel::refresh() {
    if (bridge().problem()) {
        m_samples->setDims(bridge().problem()->dims);
    }
    updateLanes();
    if (!m_lanes.empty() || bridge().state() == EngineState::running) {
        haveContent();
    }
}

void ActivityPanel::haveContent() {
    if (!std::exchange(m_hasContent, true)) {
        Q_EMIT contentChanged();
    }
}

LaneRow* ActivityPanel::rowOf(const std::string& lane) {
    LaneRow*& row = m_lanes[lane];
    if (row == nullptr) {
        row = new LaneRow(toText(lane));
        m_laneColumn->addWidget(row);
        connect(row, &LaneRow::cancelRequested, this, [this] { bridge().send(command::CancelCurrent{}); });
        connect(row, &LaneRow::restoreRequested, this, [this, lane] { bridge().send(command::RestoreLane{lane}); });
    }
    return row;
}

void ActivityPanel::updateLanes() {
    std::set<Activity> active;
    const bool mayCancel = bridge().state() == EngineState::running && !bridge().readOnly();
    bool busy = false;
    std::set<std::optional<ExperimentId>> written;
    for (const auto& [lane, activity] : bridge().lanes()) {
        rowOf(lane)->show(activity, mayCancel);
        if (activity.activity != Activity::idle) {
            active.insert(activity.activity);
            busy = true;
            if (isCallLane(lane)) {
                written.insert(activity.experiment);
            }
        }
    }
    for (const TextArrived& text : m_lines.leave(written)) {
        appendText(text);
    }
    for (const auto& [lane, row] : m_lanes) {
        if (!bridge().lanes().contains(lane)) { // out of service when the campaign was opened, and nothing since
            ActivityChanged idle;
            idle.lane = lane;
            row->show(idle, mayCancel);
        }
    }
    for (const auto& [lane, outage] : bridge().population()->settings.lanesOut) {
        rowOf(lane)->showOutage(outage, !bridge().readOnly());
    }
    m_stages->setActive(active);
    busy ? m_tick.start() : m_tick.stop();
}

void ActivityPanel::showErrors() {
    std::map<Activity, QString> tips;
    for (const auto& [stage, error] : m_errors->all()) {
        tips[stage] = error.text % QLatin1Char('\n') % whatOpens(error.opens);
    }
    m_stages->setErrors(tips);
    m_newestError->setText(m_errors->all().empty() ? QString() : m_errors->newest().text);
}

void ActivityPanel::openError(Activity stage) {
    const auto found = m_errors->all().find(stage);
    if (found == m_errors->all().end()) {
        return;
    }
    const StageError error = found->second;
    m_errors->dismiss(stage); // looked at
    if (error.opens == StageError::Opens::advice) {
        actions().action("view.warnings")->trigger();
    } else if (error.opens == StageError::Opens::conversation && !error.kernel) {
        selection().setExperiment({}); // the page follows what was chosen last, also when it was chosen before
        selection().setExperiment(error.experiment);
        selection().requestPage(QStringLiteral("conversation"));
    } else if (error.kernel) {
        selection().select(*error.kernel);
        selection().requestPage(error.opens == StageError::Opens::conversation ? QStringLiteral("conversation")
                                                                               : QStringLiteral("kernel"));
    }
}

void ActivityPanel::hear(const TextArrived& text) {
    if (const auto ready = m_lines.add(text)) {
        appendText(*ready);
    }
}

void ActivityPanel::appendText(const TextArrived& text) {
    haveContent();
    m_pieces.push_back(text);
    m_pieceBytes += text.text.size();
    while (m_pieceBytes > textLimitBytes && m_pieces.size() > 1) {
        m_pieceBytes -= m_pieces.front().text.size();
        m_pieces.erase(m_pieces.begin());
    }
    if (!passes(m_filter->currentData().toString(), text.source)) {
        return;
    }
    QScrollBar* bar = m_text->verticalScrollBar();
    const bool follow = bar->value() == bar->maximum();
    QTextCursor cursor(m_text->document());
    cursor.movePosition(QTextCursor::End);
    const bool inLine = cursor.positionInBlock() > 0;
    if (m_lastSpeaker != SpokenLines::speakerOf(text)) {
        cursor.insertText((inLine ? QStringLiteral("\n") : QString()) % headOf(text));
        m_lastSpeaker = SpokenLines::speakerOf(text);
        cursor.insertText(markedLines(text, false));
    } else {
        cursor.insertText(markedLines(text, !inLine));
    }
    if (follow) {
        bar->setValue(bar->maximum());
    }
}

} // namespace gks
