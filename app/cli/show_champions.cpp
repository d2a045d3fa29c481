// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_champions.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"
#include "core/campaign/champions.h"
#include "core/campaign/ranking.h"
#include "core/problem/shape_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

std::string ratioCell(const std::optional<SpeedRatio>& ratio) {
    return ratio ? speedText(*ratio) : "not compared";
}

std::string titleOf(const Population& population, KernelId id) {
    const Kernel* kernel = population.kernel(id);
    return kernel != nullptr ? kernel->title : std::string();
}

// Of champions that a best is beside.
std::string dispatchText(const Champions& champions, const CampaignSettings& settings, KernelId best) {
    if (champions.wonBy(best).size() == champions.shapes.size()) {
        return "It is the champion of every shape: a dispatch would bring nothing\n";
    }
    return fmt::format("A dispatch of all champions would be {} of {}, {} over {} of {} shapes: an "
                       "estimate, which leans upwards, as the champions were chosen by the same ratios\n",
                       speedText(*champions.dispatch), kernelLabel(best), meanName(settings), champions.dispatched,
                       champions.shapes.size());
}

OrderedJson ratioJson(const std::optional<SpeedRatio>& ratio) {
    return ratio ? OrderedJson({{"ratio", ratio->ratio},
                                {"ci95", {ratio->ci95.low, ratio->ci95.high}},
                                {"ci99", {ratio->ci99.low, ratio->ci99.high}}})
                 : OrderedJson();
}

std::string championsText(const Population& population, const Champions& champions) {
    if (champions.shapes.empty()) {
        return "No paired run has compared kernels on a shape yet.\n";
    }
    const std::string best = population.best ? kernelLabel(*population.best) : std::string();
    Table table;
    const ShapeWeights& weights = population.settings.shapeWeights;
    std::vector<std::string> head = {"Shape"};
    if (!weights.empty()) {
        head.emplace_back("Weight");
    }
    head.insert(head.end(), {"Champion", "Title", "Speedup"});
    if (champions.dispatch) {
        head.insert(head.end(), {fmt::format("Speedup of {}", best), fmt::format("Over {}", best)});
    }
    table.add(std::move(head));
    std::size_t open = 0;
    for (const ShapeChampion& one : champions.shapes) {
        open += one.isDecided() ? 0 : 1;
        std::vector<std::string> row = {namedShapeText(one.shape)};
        if (!weights.empty()) {
            row.push_back(formatSignificant(weightOf(weights, one.shape)));
        }
        row.insert(row.end(), {championText(one), oneLine(titleOf(population, one.kernel)), speedText(one.speed)});
        if (champions.dispatch) {
            const bool isBest = one.kernel == population.best;
            row.insert(row.end(), {ratioCell(one.best), isBest ? std::string("the best") : ratioCell(one.overBest)});
        }
        table.add(std::move(row));
    }
    std::string text = table.text() + "\n";
    if (population.best) {
        text += fmt::format("Best over all shapes by the {}: {} {}, the champion of {} of {}\n",
                            meanName(population.settings), best, oneLine(titleOf(population, *population.best)),
                            champions.wonBy(*population.best).size(), champions.shapes.size());
    }
    if (open > 0) {
        text += fmt::format("Not decided on {} of {} shapes: the 99 % interval of two kernels' ratio holds 1\n", open,
                            champions.shapes.size());
    }
    return text + (champions.dispatch ? dispatchText(champions, population.settings, *population.best) : std::string());
}

OrderedJson championsJson(const Population& population, const Champions& champions) {
    OrderedJson shapes = OrderedJson::array();
    for (const ShapeChampion& one : champions.shapes) {
        OrderedJson rivals = OrderedJson::array();
        for (const KernelId rival : one.rivals) {
            rivals.push_back(kernelLabel(rival));
        }
        shapes.push_back({{"shape", one.shape},
                          {"weight", weightOf(population.settings.shapeWeights, one.shape)},
                          {"champion", kernelLabel(one.kernel)},
                          {"title", titleOf(population, one.kernel)},
                          {"decided", one.isDecided()},
                          {"rivals", std::move(rivals)},
                          {"speedup", ratioJson(one.speed)},
                          {"speedup_of_best", ratioJson(one.best)},
                          {"over_best", ratioJson(one.overBest)}});
    }
    OrderedJson dispatch = ratioJson(champions.dispatch);
    if (champions.dispatch) {
        dispatch["shapes"] = champions.dispatched;
    }
    return {{"baseline", population.baseline ? OrderedJson(kernelLabel(*population.baseline)) : OrderedJson()},
            {"best", population.best ? OrderedJson(kernelLabel(*population.best)) : OrderedJson()},
            {"shapes", std::move(shapes)},
            {"dispatch_estimate", std::move(dispatch)}};
}

} // namespace

int showChampions(const Population& population, bool asJson) {
    const Champions champions = championsOf(population);
    if (asJson) {
        OrderedJson json = championsJson(population, champions);
        json.update(judgeJson(population.settings));
        printJson(json);
    } else {
        say("{}{}", championsText(population, champions), judgeLine(population.settings));
    }
    return done;
}

} // namespace gks::cli
