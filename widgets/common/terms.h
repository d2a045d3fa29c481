// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QString>

// The words that the workbench shows for the values of core, and the numbers of core/base/quantity as Qt text.
namespace gks {

inline QString toText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString verdictText(VerdictKind kind);    // "faster", "build failed"
QString authorText(Author author);        // "seed", "you", "model", "tuner"
QString authorText(const Kernel& kernel); // likewise, or "agent claude-code"
QString modeText(Mode mode);              // "Automatic", "Approve", "Step"
QString stateText(EngineState state);
QString activityText(Activity activity); // "measuring"
QString targetText(TargetKind target);
QString experimentStateText(ExperimentState state);
// Of one whose drafts are in line (stateInLine): as those say it.
QString experimentStateText(ExperimentState state, std::optional<KernelState> inLine);
QString gainRangeOf(const Interval& ratio);         // "1.05x to 1.18x"
QString readOnlyReason();                           // why nothing can be decided
QString predictionOf(const Experiment& experiment); // "predicted 1.05x to 1.18x"
QString gainsOf(const Experiment& experiment);      // "predicted 1.05x to 1.18x, measured 1.1x"

QString idText(KernelId id);                   // "00012"
QString kernelStateText(const Kernel& kernel); // its verdict, or what it waits for
QString standingText(const Kernel& kernel);    // the same, and whether it is banned
// "1.31x", "not compared", "" when not measured.
QString speedupText(const Population& population, const Kernel& kernel);
// Against its parent: "1.31x [1.29, 1.33]", "tie", or "undecided 1.02x [0.9712, 1.071] at 99 %".
QString versusParentText(const Kernel& kernel);
QString geomeanText(const Kernel& kernel, TargetKind target); // "314 us ±0.3 % cpu"
// "m=64 n=128 k=256", in the order of `dims`; dims that are not named there come last.
QString shapeText(const std::map<std::string, std::int64_t>& shape, const std::vector<std::string>& dims = {});
QString dateText(Timestamp at);
QString costText(const Exchange& exchange); // "$0.34", "cost unknown"
QString costText(const Spend& spend);       // the same, or "at least $0.34"
QString countText(std::int64_t count);      // "114,688"
// Markdown whose headings are no larger than the text around them: notes are read beside other things.
QString calmMarkdown(const std::string& markdown);

} // namespace gks
