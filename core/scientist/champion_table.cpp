// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/champion_table.h"

#include "core/base/text.h"
#include "core/campaign/champions.h"
#include "core/judge/measured_shapes.h"
#include "core/scientist/briefing_text.h"

#include <fmt/format.h>

namespace gks {
namespace {

struct Contender {
    const Kernel* kernel = nullptr;
    const char* role = "";
};

std::vector<Contender> contendersOf(const Population& population, const Kernel* parent, const Kernel* reference) {
    std::vector<Contender> contenders;
    if (parent != nullptr) {
        contenders.push_back({parent, "parent"});
    } else if (population.best) {
        contenders.push_back({population.kernel(*population.best), "best"});
    }
    if (reference != nullptr) {
        contenders.push_back({reference, "reference"});
    }
    return contenders;
}

std::string shareCell(const SpeedScale* scale, KernelId kernel, KernelId champion) {
    if (kernel == champion) {
        return "champion";
    }
    const auto ratio = scale != nullptr ? scale->ratio(kernel, champion) : std::nullopt;
    return ratio ? speedText(*ratio) : "not compared";
}

// Each champion by its title, once: what its number stands for.
std::string titlesText(const Population& population, const Champions& champions) {
    std::vector<std::string> titles;
    for (const Kernel& kernel : population.kernels) {
        if (!champions.wonBy(kernel.id).empty()) {
            titles.push_back(fmt::format("{} \"{}\"", kernelLabel(kernel.id), labelText(kernel.title)));
        }
    }
    return join(titles, ", ");
}

} // namespace

std::string championTableText(const Briefing& briefing, const Kernel* parent, const Kernel* reference) {
    const Population& population = *briefing.population;
    const Champions champions = championsOf(population);
    if (briefing.problem == nullptr || champions.shapes.empty()) {
        return {};
    }
    const ProblemPack& pack = *briefing.problem;
    const std::vector<Contender> contenders = contendersOf(population, parent, reference);
    std::string head = "shape | champion | speed over the baseline";
    for (const Contender& one : contenders) {
        head += fmt::format(" | {} ({}) of it", kernelLabel(one.kernel->id), one.role);
    }
    std::vector<std::string> rows;
    for (const Shape& shape : measuredShapes(pack, population.settings.target, population.settings.shapes)) {
        const auto extents = pack.namedShape(shape);
        const ShapeChampion* champion = champions.of(extents);
        if (champion == nullptr) {
            continue;
        }
        std::string row =
            fmt::format("{} | {} | {}", pack.shapeLabel(shape), championText(*champion), speedText(champion->speed));
        for (const Contender& one : contenders) {
            row += " | " + shareCell(population.shapeScales->of(extents), one.kernel->id, champion->kernel);
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty()) {
        return {};
    }
    rows.insert(rows.begin(), std::move(head));
    rows.push_back("Champions: " + titlesText(population, champions));
    if (champions.dispatch) {
        rows.push_back(fmt::format("A dispatch of all champions would be {} of the best, {}, over {} shapes: an "
                                   "estimate, without the cost of picking, that leans upwards.",
                                   speedText(*champions.dispatch), kernelLabel(*population.best),
                                   champions.dispatched));
    }
    return join(rows, "\n");
}

} // namespace gks
