// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_newest.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "core/base/error_place.h"
#include "core/base/terminal_text.h"
#include "core/report/headline.h"
#include "core/report/samples_check.h"

namespace gks::cli {

int showNewest(const CampaignStore& store, int count) {
    const auto all = store.kernelCount();
    const auto ids = store.newestKernels(count);
    if (!all || !ids) {
        return failed(all ? ids.error() : all.error());
    }
    if (const auto agree = within(store.file().string(), store.checkSummaries(ids->empty() ? 0 : ids->front()));
        !agree) {
        return failed(agree.error());
    }
    const auto few = store.kernelsAlone(*ids);
    if (!few) {
        return failed(few.error());
    }
    const auto best = store.bestAlone();
    if (!best) {
        return failed(best.error());
    }
    std::vector<Evaluation> evaluations;
    if ((*best)->best) {
        auto found = within(store.file().string(), provenEvaluations(store, *(*best)->best));
        if (!found) {
            return failed(found.error());
        }
        evaluations = std::move(*found);
    }
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : (*few)->kernels) {
        kernels.push_back(&kernel);
    }
    say("{} on {}\n\nThe newest {} of {} kernels and probes; --all lists every one, --search WORDS finds any.\n{}\n{}"
        "Spend: {}\n",
        terminalLine((*few)->problemTitle), name((*few)->settings.target), ids->size(), *all,
        kernelTable(**few, kernels), headlineText(**best, evaluations), spendSentence((*few)->spend));
    return done;
}

} // namespace gks::cli
