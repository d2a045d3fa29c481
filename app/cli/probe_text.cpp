// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/probe_text.h"

#include "app/cli/output.h"
#include "core/base/quantity.h"
#include "core/campaign/finding_use.h"
#include "core/campaign/rules.h"
#include "core/scientist/probe_findings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {

std::string probeTable(const std::vector<ProbeFigure>& figures) {
    Table table;
    table.add({"  Variant", "Time of a call", "Samples", "Less", "Rate with its 95 % interval"});
    for (const ProbeFigure& figure : figures) {
        table.add({"  " + figure.variant.name, formatMicroseconds(figure.medianUs, figure.ci95Us),
                   std::to_string(figure.samples), figure.variant.less.value_or("-"), ratesText(figure)});
    }
    return table.text();
}

std::vector<ProbeFigure> figuresOf(const Kernel& probe, const std::optional<Verdict>& verdict) {
    return verdict ? probeFigures(probe.source.orNothing(), *verdict).value_or(std::vector<ProbeFigure>())
                   : std::vector<ProbeFigure>();
}

std::string probeFactsText(const Population& population, const Kernel& probe) {
    const Finding* figures = findingOfProbe(population, probe.id);
    return fmt::format(
        "{} {}\nA probe: it measures the machine, and is no kernel of the problem\nAuthor: {}\n{}Verdict: {}\n{}",
        kernelLabel(probe.id), oneLine(probe.title), name(probe.author),
        probe.experiment ? fmt::format("Experiment: {}\n", *probe.experiment) : std::string(),
        passedJudge(probe) ? std::string(name(*probe.verdict)) // a mean over its variants says nothing
        : probe.verdict    ? verdictText(*probe.verdict, oneLine(probe.reason))
                           : std::string(name(probe.state)),
        figures != nullptr ? fmt::format("Finding: {}\n", findingLabel(figures->id)) : std::string());
}

std::string probesText(const Population& population) {
    if (population.probes.empty()) {
        return {};
    }
    Table table;
    table.add({"  Probe", "Title", "Author", "Verdict", "Experiment", "Figures"});
    for (const Kernel& probe : population.probes) {
        const Finding* figures = findingOfProbe(population, probe.id);
        table.add({"  " + kernelLabel(probe.id), oneLine(probe.title), std::string(name(probe.author)),
                   std::string(probe.verdict ? name(*probe.verdict) : name(probe.state)),
                   probe.experiment ? std::to_string(*probe.experiment) : "-",
                   figures != nullptr ? findingLabel(figures->id) : "-"});
    }
    return "Probes of the machine; their figures: show FILE --kernel ID, or findings FILE\n" + table.text() + "\n";
}

OrderedJson probesJson(const Population& population) {
    OrderedJson probes = OrderedJson::array();
    for (const Kernel& probe : population.probes) {
        const Finding* figures = findingOfProbe(population, probe.id);
        probes.push_back({{"id", kernelLabel(probe.id)},
                          {"title", probe.title},
                          {"author", name(probe.author)},
                          {"state", name(probe.state)},
                          {"verdict", probe.verdict ? OrderedJson(name(*probe.verdict)) : OrderedJson()},
                          {"reason", probe.reason},
                          {"experiment", probe.experiment ? OrderedJson(*probe.experiment) : OrderedJson()},
                          {"finding", figures != nullptr ? OrderedJson(figures->id) : OrderedJson()}});
    }
    return probes;
}

} // namespace gks::cli
