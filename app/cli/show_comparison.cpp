// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_comparison.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/comparison_table.h"
#include "core/diff/unified_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

Result<std::vector<KernelId>> comparedKernels(const Population& population, const std::string& list) {
    std::vector<KernelId> kernels;
    for (const std::string& word : split(list, ',')) {
        GKS_TRY_ASSIGN(const KernelId id, kernelFromText(std::string(trimmed(word)), population, "--compare"));
        kernels.push_back(id);
    }
    GKS_TRY(checkCompared(population, kernels));
    return kernels;
}

std::string groupHeading(const ComparisonTable& table, ComparedGroup group) {
    return group == ComparedGroup::time
               ? fmt::format("Time, and speed / speed of {}", kernelLabel(table.kernels[table.reference].id))
           : group == ComparedGroup::code         ? std::string("Code")
           : group == ComparedGroup::instructions ? std::string("Instructions")
                                                  : std::string("Launch plan");
}

std::string comparisonText(const ComparisonTable& table) {
    Table lines;
    std::vector<std::string> head = {""};
    std::vector<std::string> titles = {"Title"};
    std::vector<std::string> verdicts = {"Verdict"};
    for (const ComparedKernel& kernel : table.kernels) {
        head.push_back(fmt::format("{}{}{}", kernelLabel(kernel.id), kernel.isBaseline ? " (baseline)" : "",
                                   kernel.isBest ? " (best)" : ""));
        titles.push_back(oneLine(kernel.title));
        verdicts.push_back(kernel.verdict);
    }
    lines.add(std::move(head));
    lines.add(std::move(titles));
    lines.add(std::move(verdicts));
    std::optional<ComparedGroup> group;
    for (const ComparedRow& row : table.rows) {
        if (group != row.group) {
            group = row.group;
            lines.add({groupHeading(table, row.group)});
        }
        std::vector<std::string> cells = {"  " + oneLine(row.name)};
        for (const ComparedCell& cell : row.cells) {
            cells.push_back(oneLine(comparedText(cell)));
        }
        lines.add(std::move(cells));
    }
    std::string text = lines.text();
    for (const std::string& note : table.notes) {
        text += terminalLine(note) + "\n";
    }
    return text;
}

OrderedJson intervalOrNull(const std::optional<Interval>& interval) {
    return interval ? OrderedJson({interval->low, interval->high}) : OrderedJson();
}

OrderedJson cellJson(const ComparedCell& cell) {
    OrderedJson json = {{"text", cell.text},
                        {"value", cell.value ? OrderedJson(*cell.value) : OrderedJson()},
                        {"ci95", intervalOrNull(cell.ci95)},
                        {"missing", cell.missing}};
    if (cell.speed) {
        const SpeedRatio& ratio = cell.speed->ratio;
        json["speed"] = {{"ratio", ratio.ratio},
                         {"ci95", intervalOrNull(ratio.ci95)},
                         {"ci99", intervalOrNull(ratio.ci99)},
                         {"decided", isDecided(ratio)},
                         {"paired_runs", cell.speed->runs}};
    } else if (!cell.notCompared.empty()) {
        json["speed"] = nullptr;
        json["not_compared"] = cell.notCompared;
    }
    if (!cell.delta.empty()) {
        json["delta"] = cell.delta;
    }
    for (const ComparedLaunch& launch : cell.launches) {
        json["launches"].push_back({{"kernel", launch.kernel},
                                    {"grid", launch.grid},
                                    {"block", launch.block},
                                    {"dynamic_lds_bytes", launch.dynamicLdsBytes}});
    }
    return json;
}

int showUnified(const CampaignStore& store, const std::vector<KernelId>& kernels) {
    if (kernels.size() != 2) {
        return failed(Error{ErrorKind::usage, fmt::format("{} kernels have no unified text", kernels.size()),
                            "--unified", "Name two"});
    }
    const auto left = store.source(kernels[0]);
    const auto right = store.source(kernels[1]);
    if (!left || !right) {
        return failed(left ? right.error() : left.error());
    }
    saySource(unifiedText(compareSources(*left, *right), kernelLabel(kernels[0]), kernelLabel(kernels[1])));
    return done;
}

} // namespace

OrderedJson comparisonJson(const ComparisonTable& table) {
    OrderedJson kernels = OrderedJson::array();
    for (const ComparedKernel& kernel : table.kernels) {
        kernels.push_back({{"id", kernelLabel(kernel.id)},
                           {"title", kernel.title},
                           {"verdict", kernel.verdict},
                           {"device", kernel.device},
                           {"baseline", kernel.isBaseline},
                           {"best", kernel.isBest}});
    }
    OrderedJson rows = OrderedJson::array();
    for (const ComparedRow& row : table.rows) {
        OrderedJson cells = OrderedJson::object();
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            cells[kernelLabel(table.kernels[i].id)] = cellJson(row.cells[i]);
        }
        rows.push_back({{"group", name(row.group)},
                        {"name", row.name},
                        {"unit", row.unit},
                        {"shape", row.shape.empty() ? OrderedJson() : OrderedJson(row.shape)},
                        {"kernels", std::move(cells)}});
    }
    return {{"reference", kernelLabel(table.kernels[table.reference].id)},
            {"kernels", std::move(kernels)},
            {"rows", std::move(rows)},
            {"notes", table.notes}};
}

Result<ComparisonTable> comparisonOf(const CampaignStore& store, const Population& population,
                                     const std::vector<KernelId>& kernels) {
    GKS_TRY(checkCompared(population, kernels));
    const auto pack = packOfCampaign(population.settings); // without it shapes are spelt by name
    return comparisonTable(
        population, kernels, kernels.front(),
        [&](KernelId id) { return comparedRecord(store.evaluations(id), store.newestPlans(id)); },
        pack ? &*pack : nullptr);
}

int showComparison(const CampaignStore& store, const Population& population, const Arguments& arguments) {
    const auto kernels = comparedKernels(population, arguments.value("--compare"));
    if (!kernels) {
        return failed(kernels.error());
    }
    if (arguments.has("--unified")) {
        return showUnified(store, *kernels);
    }
    const auto table = comparisonOf(store, population, *kernels);
    if (!table) {
        return failed(table.error());
    }
    if (arguments.has("--json")) {
        OrderedJson json = comparisonJson(*table);
        json.update(judgeJson(population.settings));
        printJson(json);
    } else {
        say("{}", comparisonText(*table));
    }
    return done;
}

} // namespace gks::cli
