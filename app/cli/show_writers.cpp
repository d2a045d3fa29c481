// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_writers.h"

#include "app/cli/output.h"
#include "core/base/quantity.h"
#include "core/scientist/portfolio.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

OrderedJson toJson(const Brought& row) {
    return {{"experiments", row.experiments},
            {"drafts", row.drafts},
            {"accepted", row.accepted},
            {"best_gain", row.bestGain > 0 ? OrderedJson(row.bestGain) : OrderedJson()},
            {"log_gain", row.logGain},
            {"minutes", row.minutes},
            {"usd", row.isPriceKnown ? OrderedJson(row.usd) : OrderedJson()},
            {"cost", row.cost},
            {"share", row.share},
            {"gain_per_cost", row.rate},
            {"bound", std::isfinite(row.bound) ? OrderedJson(row.bound) : OrderedJson()}};
}

} // namespace

OrderedJson broughtJson(const Population& population) {
    OrderedJson writers = OrderedJson::array();
    for (const Brought& row : broughtByWriters(population)) {
        OrderedJson one = {{"writer", writerLabel(row.name)}, {"model", writerModelText(population, row.name)}};
        one.update(toJson(row));
        writers.push_back(std::move(one));
    }
    OrderedJson kinds = OrderedJson::array();
    for (const Brought& row : broughtByKinds(population)) {
        OrderedJson one = {{"kind", row.name}};
        one.update(toJson(row));
        kinds.push_back(std::move(one));
    }
    return {{"writers", std::move(writers)}, {"kinds", std::move(kinds)}};
}

std::string writersTable(const Population& population) {
    const std::vector<Brought> rows = broughtByWriters(population);
    if (std::none_of(rows.begin(), rows.end(), [](const Brought& row) { return row.drafts > 0; })) {
        return {};
    }
    Table table;
    table.add({"  Writer", "Model", "Experiments", "Drafts", "Accepted", "Best gain", "Best faster by", "Time", "Cost",
               "Share of drafts", "Per cost"});
    for (const Brought& row : rows) {
        table.add({"  " + oneLine(writerLabel(row.name)), oneLine(writerModelText(population, row.name)),
                   std::to_string(row.experiments), std::to_string(row.drafts), std::to_string(row.accepted),
                   row.bestGain > 0 ? formatRatio(row.bestGain) : "-", formatRatio(std::exp(row.logGain)),
                   formatSeconds(60 * row.minutes), formatCost(row.usd, row.isPriceKnown), formatShare(row.share),
                   ratePercent(row)});
    }
    return "\nWriters: what their drafts gained over a parent and made the fastest kernel faster by; per cost: for "
           "that of "
           "an ordinary draft\n" +
           table.text();
}

} // namespace gks::cli
