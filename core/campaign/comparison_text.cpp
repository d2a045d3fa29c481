// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/comparison_table.h"

#include "core/campaign/summary.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

std::string csvField(std::string_view text) {
    std::string field = "\"";
    for (const char c : text) {
        field += c == '"' ? "\"\"" : std::string(1, c);
    }
    return field + "\"";
}

std::string csvNumber(std::optional<double> value) {
    return value ? fmt::format("{}", *value) : std::string();
}

// ": 8,12", with the best, or the baseline beside the best.
std::string otherThan(const Population& population, const std::vector<KernelId>& kernels) {
    if (kernels.empty() || population.kernel(kernels.front()) == nullptr) {
        return {};
    }
    for (const std::optional<KernelId> other : {population.best, population.baseline}) {
        if (other && *other != kernels.front()) {
            return fmt::format(": {},{}", kernels.front(), *other);
        }
    }
    return {};
}

} // namespace

std::string_view name(ComparedGroup group) {
    constexpr std::array<std::string_view, 4> names = {"time", "code", "instructions", "launch plan"};
    return names[static_cast<std::size_t>(group)];
}

ComparedRecord comparedRecord(const Result<std::vector<Evaluation>>& evaluations,
                              const Result<std::shared_ptr<const RecordedPlans>>& plans) {
    ComparedRecord record;
    if (!evaluations) {
        record.trouble = "cannot be read: " + evaluations.error().message();
        return record;
    }
    const Evaluation* chosen = nullptr; // a run beside the loop speaks of the kernel only where there is no other
    for (const Evaluation& evaluation : *evaluations) {
        chosen = isOwnVerdict(evaluation) || chosen == nullptr ? &evaluation : chosen;
    }
    record.verdict = chosen != nullptr ? std::optional(chosen->verdict) : std::nullopt;
    record.plans = plans ? *plans : nullptr;
    record.planTrouble = plans ? std::string() : "cannot be read: " + plans.error().message();
    return record;
}

Result<void> checkCompared(const Population& population, const std::vector<KernelId>& kernels) {
    if (kernels.size() < leastCompared) {
        const std::string alone = kernels.empty() ? "" : kernelLabel(kernels.front());
        return usageError(alone.empty() ? "no kernel is named"
                                        : "only " + alone + " is named: nothing to compare it with",
                          "comparison",
                          fmt::format("Name {} to {} kernels with commas between them, first the one that the others "
                                      "are compared with{}",
                                      leastCompared, mostCompared, otherThan(population, kernels)));
    }
    if (kernels.size() > mostCompared) {
        return usageError(fmt::format("{} kernels are too many (limit {})", kernels.size(), mostCompared), "comparison",
                          "Leave some out");
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Kernel* kernel = population.kernel(kernels[i]);
        if (kernel == nullptr) {
            return usageError(fmt::format("kernel {} not found", kernelLabel(kernels[i])), "comparison",
                              fmt::format("There are {}", population.kernels.size()));
        }
        if (kernel->probe) {
            return usageError(
                fmt::format("{} is a probe: it measures the device, not the problem", kernelLabel(kernel->id)),
                "comparison", "Name kernels");
        }
        if (std::find(kernels.begin(), kernels.begin() + static_cast<std::ptrdiff_t>(i), kernels[i]) !=
            kernels.begin() + static_cast<std::ptrdiff_t>(i)) {
            return usageError(fmt::format("{} is named twice", kernelLabel(kernel->id)), "comparison",
                              "Name every kernel once");
        }
    }
    return {};
}

std::string comparedSpeedText(const ComparedSpeed& speed) {
    return (speed.runs == 0 ? "~ " : "") + speedText(speed.ratio);
}

std::string comparedText(const ComparedCell& cell) {
    std::string text = cell.missing.empty() ? cell.text : fmt::format("- ({})", cell.missing);
    if (cell.speed) {
        text += ", " + comparedSpeedText(*cell.speed);
    } else if (!cell.notCompared.empty() && cell.missing.empty()) {
        text += ", not compared";
    }
    return cell.delta.empty() ? text : fmt::format("{} ({})", text, cell.delta);
}

std::string comparisonCsv(const ComparisonTable& table) {
    std::string text = "group,name,kernel,title,unit,value,ci95_low,ci95_high,text,speed_over,speed,speed_ci95_low,"
                       "speed_ci95_high,paired_runs,missing\n";
    for (const ComparedRow& row : table.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const ComparedCell& cell = row.cells[i];
            const ComparedKernel& kernel = table.kernels[i];
            const auto end = [](const std::optional<Interval>& interval, double Interval::* part) {
                return csvNumber(interval ? std::optional((*interval).*part) : std::nullopt);
            };
            const auto ci95 = cell.speed ? std::optional(cell.speed->ratio.ci95) : std::nullopt;
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(name(row.group)),
                                csvField(row.name), kernelLabel(kernel.id), csvField(kernel.title), row.unit,
                                csvNumber(cell.value), end(cell.ci95, &Interval::low), end(cell.ci95, &Interval::high),
                                csvField(cell.text),
                                cell.speed ? kernelLabel(table.kernels[table.reference].id) : std::string(),
                                csvNumber(cell.speed ? std::optional(cell.speed->ratio.ratio) : std::nullopt),
                                end(ci95, &Interval::low), end(ci95, &Interval::high),
                                cell.speed ? std::to_string(cell.speed->runs) : std::string(),
                                csvField(cell.missing.empty() ? cell.notCompared : cell.missing));
        }
    }
    return text;
}

} // namespace gks
