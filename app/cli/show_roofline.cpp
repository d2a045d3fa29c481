// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_roofline.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/quantity.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/bottleneck.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

std::string rooflineText(const RooflineTable& table) {
    std::string text = terminalLine(table.peaksText()) + "\n";
    if (table.rows.empty()) {
        return text;
    }
    Table lines;
    lines.add({"Shape", "Work", "FLOP/B", "Floor", fmt::format("Time of {}", kernelLabel(table.kernel)), "Floor / time",
               "Limit", "Counters"});
    for (const RooflineRow& row : table.rows) {
        const RooflinePoint* point = row.selected();
        const double floor = row.work.floorUs();
        lines.add({row.label,
                   fmt::format("{}, {}", formatFlop(row.work.flops),
                               formatBytes(static_cast<std::uint64_t>(std::max(0.0, row.work.bytes)))),
                   formatSignificant(row.work.intensity()), floor > 0 ? formatMicroseconds(floor) : "-",
                   point != nullptr ? formatMicroseconds(point->medianUs, point->ci95Us) : "-",
                   point != nullptr ? floorShareText(*point) : "-",
                   point != nullptr ? boundText(*point) : "not measured",
                   terminalLine(bottleneckCounters(row.counters))});
    }
    text += lines.text();
    std::vector<std::string> leftOut;
    for (const KernelId id : table.leftOut) {
        leftOut.push_back(kernelLabel(id));
    }
    return text +
           (leftOut.empty() ? std::string() : fmt::format("Measured on another device: {}\n", join(leftOut, ", ")));
}

OrderedJson positiveOrNull(double value) {
    return value > 0 ? OrderedJson(value) : OrderedJson();
}

OrderedJson rooflinePointJson(const RooflinePoint& point) {
    OrderedJson roles = OrderedJson::array();
    for (const RooflineRole role : point.roles) {
        roles.push_back(name(role));
    }
    return {{"roles", std::move(roles)},
            {"kernel", point.kernel ? OrderedJson(kernelLabel(*point.kernel)) : OrderedJson()},
            {"title", point.title},
            {"median_us", point.medianUs},
            {"ci95_us", point.ci95Us.high > 0 ? OrderedJson({point.ci95Us.low, point.ci95Us.high}) : OrderedJson()},
            {"uncertain", isUncertain(point.medianUs, point.ci95Us)},
            {"times_floor", positiveOrNull(point.share.timesFloor)},
            {"share_of_flop", positiveOrNull(point.share.ofFlops)},
            {"share_of_bytes", positiveOrNull(point.share.ofBytes)},
            {"bound", name(point.share.bound)}};
}

OrderedJson rooflineJson(const RooflineTable& table) {
    OrderedJson flops = OrderedJson::object();
    for (const auto& [type, rate] : table.peaks.flopsPerSecond) {
        flops[table.arithmetic.nameOf(type)] = rate;
    }
    for (const auto& [type, rate] : table.arithmetic.plainFlopsPerSecond) {
        flops[std::string(name(type))] = rate;
    }
    OrderedJson rows = OrderedJson::array();
    for (const RooflineRow& row : table.rows) {
        OrderedJson points = OrderedJson::array();
        for (const RooflinePoint& point : row.points) {
            points.push_back(rooflinePointJson(point));
        }
        rows.push_back({{"shape", row.label},
                        {"flops", row.work.flops},
                        {"bytes", row.work.bytes},
                        {"floor_us", positiveOrNull(row.work.floorUs())},
                        {"points", std::move(points)},
                        {"counters", bottleneckCounters(row.counters)}});
    }
    OrderedJson leftOut = OrderedJson::array();
    for (const KernelId id : table.leftOut) {
        leftOut.push_back(kernelLabel(id));
    }
    return {{"kernel", kernelLabel(table.kernel)},
            {"device", table.device.name},
            {"peaks",
             {{"source", name(table.source)},
              {"bytes_per_second", positiveOrNull(table.peaks.bytesPerSecond)},
              {"flops_per_second", std::move(flops)},
              {"text", table.peaksText()}}},
            {"rows", std::move(rows)},
            {"other_device", std::move(leftOut)}};
}

} // namespace

int showRoofline(const CampaignStore& store, const Population& population, KernelId kernel, bool asJson) {
    const auto pack = loadProblemPack(population.settings.problem);
    if (!pack) {
        return failed(pack.error());
    }
    std::optional<Error> trouble;
    const RooflineTable table = rooflineTable(*pack, population, kernel, [&](KernelId id) {
        auto verdict = store.newestVerdict(id);
        if (!verdict) {
            trouble = verdict.error();
        }
        return verdict ? std::move(*verdict) : std::nullopt;
    });
    if (trouble) {
        return failed(*trouble);
    }
    if (asJson) {
        printJson(rooflineJson(table));
    } else {
        say("{}", rooflineText(table));
    }
    return done;
}

} // namespace gks::cli
