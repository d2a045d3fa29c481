// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_best.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"
#include "core/base/error_place.h"
#include "core/base/terminal_text.h"
#include "core/campaign/confirmation.h"
#include "core/report/headline.h"
#include "core/report/samples_check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {

int showBest(const CampaignStore& store, bool asJson) {
    const auto population = store.bestAlone();
    if (!population) {
        return failed(population.error());
    }
    const Population& all = **population;
    const Kernel* best = all.best ? all.kernel(*all.best) : nullptr;
    std::vector<Evaluation> evaluations;
    if (best != nullptr) {
        auto found = within(store.file().string(), provenEvaluations(store, best->id));
        if (!found) {
            return failed(found.error());
        }
        evaluations = std::move(*found);
    }
    if (asJson) {
        OrderedJson json = {{"problem", all.settings.problem},
                            {"target", name(all.settings.target)},
                            {"best", best != nullptr ? kernelJson(all, *best) : OrderedJson()}};
        json.update(headlineJson(all, evaluations));
        printJson(json);
        return done;
    }
    if (best == nullptr) {
        say("{}", bestText(all, {}));
        return done;
    }
    const std::string parent =
        best->parents.empty() ? std::string("the parent") : "its parent " + kernelLabel(best->parents.front());
    say("{}Verdict: {}\nAgainst {}: {}\nAuthor: {}\nSource: show {} --kernel {}\n", headlineText(all, evaluations),
        best->verdict ? verdictText(*best->verdict, terminalLine(reasonText(all, *best))) : std::string("-"), parent,
        versusParentText(*best), name(best->author), store.file().string(), kernelLabel(best->id));
    return done;
}

} // namespace gks::cli
