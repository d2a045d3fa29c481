// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/asked_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {

std::string waitingText(const Population& population) {
    std::string text;
    for (const AskedComparison& asked : population.settings.askedComparisons) {
        text += fmt::format("Waits to be measured side by side: {}\n", askedText(asked));
    }
    return text;
}

OrderedJson waitingJson(const Population& population) {
    OrderedJson json = OrderedJson::array();
    for (const AskedComparison& asked : population.settings.askedComparisons) {
        json.push_back({{"kernel", kernelLabel(asked.kernel)},
                        {"other", kernelLabel(asked.other)},
                        {"all_shapes", asked.allShapes}});
    }
    return json;
}

std::string resultsText(const std::vector<AskedResult>& results) {
    std::string text;
    for (const AskedResult& result : results) {
        text += fmt::format("As asked: {}\n", askedResultText(result));
    }
    return text;
}

OrderedJson resultsJson(const std::vector<AskedResult>& results) {
    OrderedJson json = OrderedJson::array();
    for (const AskedResult& result : results) {
        const ComparisonFact& fact = result.fact;
        json.push_back({{"other", kernelLabel(result.asked.other)},
                        {"all_shapes", result.asked.allShapes},
                        {"ratio", fact.ratio},
                        {"ci95", {fact.ci95.low, fact.ci95.high}},
                        {"ci99", {fact.ci99.low, fact.ci99.high}},
                        {"verdict", name(fact.verdict)},
                        {"evaluation", result.evaluation}});
    }
    return json;
}

} // namespace gks::cli
