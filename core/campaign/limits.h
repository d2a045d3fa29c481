// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <cstdint>

// How much a campaign takes: the forms of the window, the command line, the engine and the replies of models ask here.
namespace gks::limits {

inline constexpr std::size_t kernelSourceBytes = std::size_t{1} << 20;
inline constexpr std::size_t kernelTitleCharacters = 120;
inline constexpr std::size_t readTitleBytes = std::size_t{4} * 200; // from a file: more than any that is typed
inline constexpr std::size_t parents = 8;                           // of a kernel
inline constexpr std::size_t experimentDescriptionBytes =
    std::size_t{4} * 8000; // a model's: 4000 characters, in the reply's schema
inline constexpr std::size_t experimentRubricBytes = std::size_t{4} * 8000;
inline constexpr std::size_t askedAvenues = 3;                 // at a time: a design has five experiments
inline constexpr std::size_t hintBytes = std::size_t{8} << 10; // every prompt carries it
inline constexpr std::size_t remarkBytes = hintBytes;          // a person's, on a draft
inline constexpr std::size_t promptBytes = std::size_t{64} << 10;
inline constexpr std::size_t findingBytes = std::size_t{4} << 10; // may hold pseudocode
inline constexpr std::size_t findingSubjectCharacters = 200;
inline constexpr std::size_t documentTitleBytes = 200;
inline constexpr std::size_t digestBytes = std::size_t{16} << 10;

inline constexpr Interval predictedGain = {0.1, 1000}; // time before / time after, as in the reply's schema
inline constexpr int innovation = 100;

inline constexpr std::size_t weightedShapes = 1000;
inline constexpr double shapeWeight = 1000;

inline constexpr int tuningEvaluations = 10'000;
inline constexpr int knowledgeTokens = 1'000'000;
inline constexpr int modelCalls = 16;     // at the same time
inline constexpr int drafts = 8;          // of one experiment
inline constexpr std::size_t writers = 8; // beside the writer's own model
inline constexpr std::size_t askedComparisons = 100;
inline constexpr std::int64_t agentKernels = 8; // not judged yet, at a time
inline constexpr int stagnation = 10'000;       // experiments
inline constexpr int budget = 1'000'000;        // of evaluations, minutes and money
inline constexpr double tokenBudget = 1e12;
inline constexpr double deviceSecondsBudget = 60.0 * budget;
inline constexpr double goalUs = 1e9;
inline constexpr double measureSeconds = 24 * 3600; // as in the evaluator's protocol

inline constexpr double temperature = 2;
inline constexpr int leastOutputTokens = 256;
inline constexpr int mostOutputTokens = 1'000'000;

} // namespace gks::limits
