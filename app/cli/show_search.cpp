// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_search.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

constexpr int shownHits = 200;

} // namespace

int showSearch(const CampaignStore& store, const std::string& words, bool asJson) {
    const bool hasWord =
        std::ranges::any_of(words, [](unsigned char c) { return c == '_' || c >= 128 || std::isalnum(c); });
    if (!hasWord) { // that no kernel has it would be true of anything
        return failed(Error{ErrorKind::usage, "no word to look for", "--search", "Name words of a kernel"});
    }
    auto found = store.searchKernels(words, shownHits + 1);
    if (!found) {
        return failed(found.error());
    }
    const bool areMore = found->size() > static_cast<std::size_t>(shownHits);
    found->resize(std::min(found->size(), static_cast<std::size_t>(shownHits)));
    const auto population = store.kernelsAlone(*found);
    if (!population) {
        return failed(population.error());
    }
    std::vector<const Kernel*> kernels;
    for (const KernelId id : *found) {
        const Kernel* kernel = (*population)->kernel(id);
        if (kernel != nullptr) { // an index of another file's kernels
            kernels.push_back(kernel);
        }
    }
    if (asJson) {
        OrderedJson rows = OrderedJson::array();
        for (const Kernel* kernel : kernels) {
            rows.push_back(kernelJson(**population, *kernel));
        }
        OrderedJson json = {{"words", words}, {"kernels", std::move(rows)}, {"more", areMore}};
        json.update(judgeJson((*population)->settings));
        printJson(json);
        return done;
    }
    say("{}", kernels.empty() ? "No kernel has all of these words.\n" : kernelTable(**population, kernels));
    say("{}", judgeLine((*population)->settings));
    if (areMore) {
        say("And more: these are the first {}. Further words narrow it down\n", shownHits);
    }
    return done;
}

} // namespace gks::cli
