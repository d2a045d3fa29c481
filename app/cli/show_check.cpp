// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_check.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/terminal_text.h"
#include "core/campaign/file_check.h"
#include "core/report/samples_check.h"

#include <nlohmann/json.hpp>

namespace gks::cli {

int showCheck(const CampaignStore& store, bool asJson) {
    const std::vector<Error> troubles = checkFile(store, contradictsItsSamples);
    const auto read = store.population();
    const Population population = read ? **read : Population();
    if (asJson) {
        OrderedJson json = OrderedJson::array();
        for (const Error& one : troubles) {
            json.push_back({{"where", one.where}, {"what", one.what}, {"next", one.next}});
        }
        printJson({{"kernels", population.kernels.size()}, {"differences", std::move(json)}});
    } else if (troubles.empty()) {
        say("{} kernels and {} probes: every row says what its verdict says, every verdict is of its source and what "
            "its samples give\n",
            population.kernels.size(), population.probes.size());
    } else {
        for (const Error& one : troubles) {
            say("{}\n", terminalLine(one.message()));
        }
    }
    return troubles.empty() ? done : infrastructureFailed;
}

} // namespace gks::cli
