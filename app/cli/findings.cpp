// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/findings_json.h"

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/text.h"
#include "core/campaign/finding_use.h"
#include "core/campaign/gain.h"
#include "core/campaign/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

using Owners = std::map<std::int64_t, KernelId>; // kernels by evaluation

OrderedJson labels(const std::vector<std::int64_t>& evaluations, const Owners& owners) {
    OrderedJson found = OrderedJson::array();
    for (const std::int64_t evaluation : evaluations) {
        const auto owner = owners.find(evaluation);
        found.push_back({{"evaluation", evaluation},
                         {"kernel", owner == owners.end() ? OrderedJson() : OrderedJson(kernelLabel(owner->second))}});
    }
    return found;
}

std::string kernels(const std::vector<std::int64_t>& evaluations, const Owners& owners) {
    std::vector<std::string> found;
    for (const std::int64_t evaluation : evaluations) {
        if (const auto owner = owners.find(evaluation); owner != owners.end()) {
            found.push_back(kernelLabel(owner->second));
        }
    }
    return found.empty() ? "-" : join(found, " ");
}

OrderedJson toJson(const Population& population, const Finding& finding, const Owners& owners) {
    const FindingUse use = useOf(population, finding.id);
    return {{"id", finding.id},
            {"subject", finding.subject},
            {"text", finding.text},
            {"gain", finding.gain ? OrderedJson({finding.gain->low, finding.gain->high}) : OrderedJson()},
            {"state", name(finding.state)},
            {"author", name(finding.author)},
            {"probe", finding.probe ? OrderedJson(kernelLabel(*finding.probe)) : OrderedJson()},
            {"used_by", use.experiments},
            {"gained", use.gained},
            {"edited_by_person", finding.editedByPerson},
            {"evaluations", labels(finding.evaluations, owners)},
            {"contradicting", labels(finding.contradicting, owners)}};
}

void print(const Population& population, const Finding& finding, const Owners& owners) {
    const std::string gain = finding.gain ? ", " + gainRangeText(*finding.gain) : std::string();
    const std::string against =
        finding.contradicting.empty() ? std::string() : "; contradicted by " + kernels(finding.contradicting, owners);
    const std::string use = useText(useOf(population, finding.id));
    say("{}  {} ({}{}{})\n    Based on {}{}{}\n    {}\n\n", finding.id, oneLine(finding.subject), name(finding.state),
        gain, finding.editedByPerson ? ", edited by you" : "", kernels(finding.evaluations, owners), against,
        use.empty() ? "" : "; " + use, replaceAll(finding.text, "\n", "\n    "));
}

Result<Owners> ownersIn(const CampaignStore& store) {
    GKS_TRY_ASSIGN(const auto evaluationOwners, store.evaluationOwners());
    Owners owners;
    for (const EvaluationOwner& owner : evaluationOwners) {
        owners[owner.evaluation] = owner.kernel;
    }
    return owners;
}

Result<void> list(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr population, store->population());
    if (arguments.has("--json")) {
        GKS_TRY_ASSIGN(OrderedJson findings, findingsJson(*store, *population));
        printJson({{"findings", std::move(findings)}});
        return {};
    }
    GKS_TRY_ASSIGN(const Owners owners, ownersIn(*store));
    for (const bool ofProbes : {false, true}) {
        const auto belongs = [&](const Finding& finding) { return finding.probe.has_value() == ofProbes; };
        if (ofProbes && std::ranges::any_of(population->findings, belongs)) {
            say("Measured on this machine, by probes:\n\n");
        }
        for (const Finding& finding : population->findings) {
            if (belongs(finding)) {
                print(*population, finding, owners);
            }
        }
    }
    if (population->findings.empty()) {
        say("No findings yet. Each experiment verdict adds one.\n");
    }
    return {};
}

int runFindings(const Arguments& arguments) {
    const auto listed = list(arguments);
    return listed ? done : failed(listed.error());
}

} // namespace

Result<OrderedJson> findingsJson(const CampaignStore& store, const Population& population) {
    GKS_TRY_ASSIGN(const Owners owners, ownersIn(store));
    OrderedJson json = OrderedJson::array();
    for (const Finding& finding : population.findings) {
        json.push_back(toJson(population, finding, owners));
    }
    return json;
}

const Command findingsCommand = {"findings",
                                 "FILE.gks",
                                 "List the findings of a campaign and the kernels they rest on",
                                 {{"--json", "", "print JSON", false}},
                                 runFindings};

} // namespace gks::cli
