// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/words.h"

#include "core/campaign/model_stages.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <map>
#include <set>
#include <utility>

namespace gks {

namespace {

// Only what stands here is translated, so that a title or a name that happens to be such a word stays as it is.
const std::set<std::string_view> knownWords = {
    // whose clock a time is of
    QT_TRANSLATE_NOOP("words", "the user's harness"),
    // the shape of a problem that has none
    QT_TRANSLATE_NOOP("words", "whole run"),
    // kinds of experiments
    QT_TRANSLATE_NOOP("words", "change"),
    QT_TRANSLATE_NOOP("words", "rewrite"),
    QT_TRANSLATE_NOOP("words", "merge"),
    QT_TRANSLATE_NOOP("words", "dispatch"),
    QT_TRANSLATE_NOOP("words", "probe"),
    // which shapes are measured
    QT_TRANSLATE_NOOP("words", "quick"),
    QT_TRANSLATE_NOOP("words", "test"),
    QT_TRANSLATE_NOOP("words", "benchmark"),
    QT_TRANSLATE_NOOP("words", "all"),
    // what a compiler says
    QT_TRANSLATE_NOOP("words", "error"),
    QT_TRANSLATE_NOOP("words", "warning"),
    QT_TRANSLATE_NOOP("words", "note"),
    // what instructions cost
    QT_TRANSLATE_NOOP("words", "arithmetic"),
    QT_TRANSLATE_NOOP("words", "matrix"),
    QT_TRANSLATE_NOOP("words", "global memory"),
    QT_TRANSLATE_NOOP("words", "scalar memory"),
    QT_TRANSLATE_NOOP("words", "wait"),
    QT_TRANSLATE_NOOP("words", "barrier"),
    QT_TRANSLATE_NOOP("words", "branch"),
    // rows and groups of a comparison
    QT_TRANSLATE_NOOP("words", "time"),
    QT_TRANSLATE_NOOP("words", "instructions"),
    QT_TRANSLATE_NOOP("words", "launch plan"),
    QT_TRANSLATE_NOOP("words", "geometric mean"),
    QT_TRANSLATE_NOOP("words", "weighted geometric mean"),
    QT_TRANSLATE_NOOP("words", "static report"),
    QT_TRANSLATE_NOOP("words", "registers"),
    QT_TRANSLATE_NOOP("words", "spills"),
    QT_TRANSLATE_NOOP("words", "stack"),
    QT_TRANSLATE_NOOP("words", "static shared memory"),
    QT_TRANSLATE_NOOP("words", "barriers"),
    QT_TRANSLATE_NOOP("words", "scratch"),
    QT_TRANSLATE_NOOP("words", "occupancy"),
    QT_TRANSLATE_NOOP("words", "code"),
    QT_TRANSLATE_NOOP("words", "not evaluated yet"),
    QT_TRANSLATE_NOOP("words", "not measured on this shape"),
    QT_TRANSLATE_NOOP("words", "no plan for this shape"),
    QT_TRANSLATE_NOOP("words", "without a launch plan"),
    QT_TRANSLATE_NOOP("words", "CPU timings."),
    QT_TRANSLATE_NOOP("words", "Judged by the user's harness."),
    // operations of a launch plan
    QT_TRANSLATE_NOOP("words", "launch"),
    QT_TRANSLATE_NOOP("words", "fill"),
    QT_TRANSLATE_NOOP("words", "copy"),
    QT_TRANSLATE_NOOP("words", "write"),
    QT_TRANSLATE_NOOP("words", "copy-symbol"),
    QT_TRANSLATE_NOOP("words", "write-symbol"),
    QT_TRANSLATE_NOOP("words", "record"),
    // whose words a message of a prompt is, and what a prompt holds
    QT_TRANSLATE_NOOP("words", "system"),
    QT_TRANSLATE_NOOP("words", "user"),
    QT_TRANSLATE_NOOP("words", "assistant"),
    QT_TRANSLATE_NOOP("words", "finding"),
    QT_TRANSLATE_NOOP("words", "section"),
    QT_TRANSLATE_NOOP("words", "digest"),
    QT_TRANSLATE_NOOP("words", "passage"),
    // providers and effort
    QT_TRANSLATE_NOOP("words", "OpenAI-compatible (OpenAI, vLLM, Ollama, ...)"),
    QT_TRANSLATE_NOOP("words", "Command: a program on this machine answers"),
    QT_TRANSLATE_NOOP("words", "Folder: requests and replies are files"),
    QT_TRANSLATE_NOOP("words", "Manual (copy the prompt, paste the reply)"),
    QT_TRANSLATE_NOOP("words", "Recording"),
    QT_TRANSLATE_NOOP("words", "low"),
    QT_TRANSLATE_NOOP("words", "medium"),
    QT_TRANSLATE_NOOP("words", "high"),
    QT_TRANSLATE_NOOP("words", "you"),
    // what was verified, when, and by which clock it was timed
    QT_TRANSLATE_NOOP("words", "held-out"),
    QT_TRANSLATE_NOOP("words", "held-out, drawn"),
    QT_TRANSLATE_NOOP("words", "before measuring"),
    QT_TRANSLATE_NOOP("words", "timed call"),
    QT_TRANSLATE_NOOP("words", "every timed call"),
    QT_TRANSLATE_NOOP("words", "as declared"),
    QT_TRANSLATE_NOOP("words", "wide range"),
    QT_TRANSLATE_NOOP("words", "structured zeros"),
    QT_TRANSLATE_NOOP("words", "extreme scales"),
    QT_TRANSLATE_NOOP("words", "device events"),
    QT_TRANSLATE_NOOP("words", "host"),
    // why an experiment was picked
    QT_TRANSLATE_NOOP("words", "most innovative"),
    QT_TRANSLATE_NOOP("words", "highest potential"),
    QT_TRANSLATE_NOOP("words", "most certain"),
    QT_TRANSLATE_NOOP("words", "highest expected"),
    // templates of campaigns
    QT_TRANSLATE_NOOP("words", "Tuner only"),
    QT_TRANSLATE_NOOP("words", "LLM loop"),
    QT_TRANSLATE_NOOP("words", "Steer everything"),
    QT_TRANSLATE_NOOP("words", "Own kernels"),
    // actions of the history
    QT_TRANSLATE_NOOP("words", "start"),
    QT_TRANSLATE_NOOP("words", "pause"),
    QT_TRANSLATE_NOOP("words", "step"),
    QT_TRANSLATE_NOOP("words", "stop"),
    QT_TRANSLATE_NOOP("words", "cancel current"),
    QT_TRANSLATE_NOOP("words", "pin parent"),
    QT_TRANSLATE_NOOP("words", "unpin parent"),
    QT_TRANSLATE_NOOP("words", "select parent"),
    QT_TRANSLATE_NOOP("words", "ban"),
    QT_TRANSLATE_NOOP("words", "unban"),
    QT_TRANSLATE_NOOP("words", "evaluate again"),
    QT_TRANSLATE_NOOP("words", "measure side by side"),
    QT_TRANSLATE_NOOP("words", "take back side by side"),
    QT_TRANSLATE_NOOP("words", "side by side"),
    QT_TRANSLATE_NOOP("words", "re-enable device"),
    QT_TRANSLATE_NOOP("words", "disable device"),
    QT_TRANSLATE_NOOP("words", "add kernel"),
    QT_TRANSLATE_NOOP("words", "approve code"),
    QT_TRANSLATE_NOOP("words", "reject code"),
    QT_TRANSLATE_NOOP("words", "reopen code"),
    QT_TRANSLATE_NOOP("words", "send code back"),
    QT_TRANSLATE_NOOP("words", "edit code"),
    QT_TRANSLATE_NOOP("words", "approve experiment"),
    QT_TRANSLATE_NOOP("words", "reject experiment"),
    QT_TRANSLATE_NOOP("words", "edit experiment"),
    QT_TRANSLATE_NOOP("words", "restore experiment"),
    QT_TRANSLATE_NOOP("words", "add experiment"),
    QT_TRANSLATE_NOOP("words", "reorder experiments"),
    QT_TRANSLATE_NOOP("words", "retire experiment"),
    QT_TRANSLATE_NOOP("words", "set experiment aside"), // of campaigns of earlier versions
    QT_TRANSLATE_NOOP("words", "set mode"),
    QT_TRANSLATE_NOOP("words", "set budgets"),
    QT_TRANSLATE_NOOP("words", "set scientist"),
    QT_TRANSLATE_NOOP("words", "set hint"),
    QT_TRANSLATE_NOOP("words", "set shape weights"),
    QT_TRANSLATE_NOOP("words", "set policies"),
    QT_TRANSLATE_NOOP("words", "edit prompt"),
    QT_TRANSLATE_NOOP("words", "reset prompt"),
    QT_TRANSLATE_NOOP("words", "add finding"),
    QT_TRANSLATE_NOOP("words", "edit finding"),
    QT_TRANSLATE_NOOP("words", "dismiss finding"),
    QT_TRANSLATE_NOOP("words", "restore finding"),
    QT_TRANSLATE_NOOP("words", "add document"),
    QT_TRANSLATE_NOOP("words", "edit document"),
    QT_TRANSLATE_NOOP("words", "digest document"),
    QT_TRANSLATE_NOOP("words", "enable document"),
    QT_TRANSLATE_NOOP("words", "disable document"),
    QT_TRANSLATE_NOOP("words", "remove document"),
    QT_TRANSLATE_NOOP("words", "fork campaign"),
    QT_TRANSLATE_NOOP("words", "open the notebook"),
    QT_TRANSLATE_NOOP("words", "tune new kernel"),
    QT_TRANSLATE_NOOP("words", "compare tuned kernels"),
    QT_TRANSLATE_NOOP("words", "free writer"),
    QT_TRANSLATE_NOOP("words", "near-duplicate"),
    QT_TRANSLATE_NOOP("words", "drop draft"),
};

// Stored under names that the window does not use.
const std::map<std::string_view, const char*> shownOtherwise = {
    {"ask for avenue", QT_TRANSLATE_NOOP("words", "request approach")},
    {"asked for", QT_TRANSLATE_NOOP("words", "requested")}, // why an experiment was picked
    {"novelty", QT_TRANSLATE_NOOP("words", "near-duplicate")},
    {"drop avenue", QT_TRANSLATE_NOOP("words", "withdraw approach")},
};

struct Stages {
    Q_DECLARE_TR_FUNCTIONS(Stages)
};

} // namespace

QString word(std::string_view id) {
    if (const auto shown = shownOtherwise.find(id); shown != shownOtherwise.end()) {
        return QCoreApplication::translate("words", shown->second);
    }
    const auto known = knownWords.find(id);
    return known == knownWords.end() ? toText(std::string(id)) : QCoreApplication::translate("words", known->data());
}

QString capitalized(const QString& text) {
    return text.isEmpty() ? text : QString(text.front().toUpper() + text.mid(1));
}

QString stageText(std::string_view stage) {
    if (stage == defaultModel) {
        return Stages::tr("Default");
    }
    if (stage.starts_with(writerSlotPrefix)) {
        return Stages::tr("Writer %1").arg(toText(std::string(stage.substr(writerSlotPrefix.size()))));
    }
    const auto known = modelStageFromName(stage);
    if (!known) {
        return toText(std::string(stage));
    }
    switch (*known) {
    case ModelStage::selector:
        return Stages::tr("Selector");
    case ModelStage::designer:
        return Stages::tr("Designer");
    case ModelStage::writer:
        return Stages::tr("Writer");
    case ModelStage::repair:
        return Stages::tr("Repair");
    case ModelStage::checker:
        return Stages::tr("Checker");
    case ModelStage::digest:
        return Stages::tr("Digest");
    }
    return {};
}

} // namespace gks
