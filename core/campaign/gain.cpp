// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/gain.h"

#include "core/base/text.h"

namespace gks {

std::string gainsText(const Experiment& experiment) {
    std::vector<std::string> parts = {experiment.predicted ? "predicted " + gainRangeText(*experiment.predicted)
                                                           : "no prediction"};
    if (experiment.measuredGain) {
        parts.push_back("measured " + formatRatio(*experiment.measuredGain));
    }
    if (experiment.tunedGain) {
        parts.push_back(formatRatio(*experiment.tunedGain) + " tuned vs tuned");
    }
    return join(parts, ", ");
}

} // namespace gks
