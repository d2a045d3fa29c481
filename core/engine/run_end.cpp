// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run_end.h"

#include "core/base/quantity.h"
#include "core/campaign/ranking.h"
#include "core/campaign/stagnation.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {

bool isTimeOver(const Population& population, double wallSeconds) {
    const double minutes = population.settings.budgets.minutes;
    return minutes > 0 && wallSeconds >= minutes * 60;
}

namespace {

// The interval that decides lies below the goal: a lucky measurement ends no run.
bool isGoalReached(const Population& population, const Kernel& best) {
    const Kernel* baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    const SpeedRatio* speed = population.speed(best);
    return baseline != nullptr && speed != nullptr && speed->ci99.low > 0 &&
           baseline->geomeanUs / speed->ci99.low <= population.settings.budgets.goalUs;
}

// What the last measurements take, and what is in flight when they are due. There is nothing to be confirmed before
// something is better than the baseline.
double reservedSeconds(const Population& population, double budgetSeconds, double evaluationSeconds) {
    constexpr double mostOfBudget = 0.25;
    const bool isOpen = population.best && population.best != population.baseline;
    return isOpen ? std::min((rankingLimit + 2) * evaluationSeconds, mostOfBudget * budgetSeconds) : 0;
}

std::string keptText(double spentSeconds, double budgetSeconds) {
    const double kept = budgetSeconds - spentSeconds;
    return kept > 0 ? fmt::format(", {} of it kept to confirm the best", formatSeconds(kept)) : "";
}

} // namespace

std::optional<std::string> reasonOfBest(const Population& population) {
    const Budgets& budgets = population.settings.budgets;
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (best == nullptr) {
        return std::nullopt;
    }
    if (budgets.goalUs > 0 && isGoalReached(population, *best)) {
        return fmt::format("goal of {} reached: {}", formatMicroseconds(budgets.goalUs),
                           formatMicroseconds(scaledUs(population, *best)));
    }
    const auto ended = static_cast<std::int64_t>(endedSinceBest(population).size());
    if (budgets.fruitless > 0 && ended >= budgets.fruitless) {
        return budgets.fruitless == 1 ? "an experiment brought no new best"
                                      : fmt::format("{} experiments in a row brought no new best", budgets.fruitless);
    }
    return std::nullopt;
}

std::optional<std::string> spentBudget(const Population& population, const RunTimes& times) {
    const Budgets& budgets = population.settings.budgets;
    const Spend& spend = population.spend;
    const double deviceSeconds =
        spend.evaluations > 0 ? spend.gpuSeconds / static_cast<double>(spend.evaluations) : 0; // of an evaluation
    if (budgets.evaluations > 0 && spend.evaluations >= budgets.evaluations) {
        return fmt::format("evaluation budget reached ({})", budgets.evaluations);
    }
    const double wallBudget = budgets.minutes * 60;
    const double wallReserve =
        reservedSeconds(population, wallBudget, std::max(times.evaluationSeconds, deviceSeconds));
    if (isTimeOver(population, times.wallSeconds + wallReserve)) {
        return fmt::format("wall-time budget reached ({} min){}", formatSignificant(budgets.minutes),
                           keptText(times.wallSeconds, wallBudget));
    }
    if (budgets.usd > 0 && spend.usd >= budgets.usd) {
        return fmt::format("cost budget reached ({})", formatUsd(budgets.usd));
    }
    if (budgets.tokens > 0 && spend.tokens >= budgets.tokens) {
        return fmt::format("token budget reached ({})", budgets.tokens);
    }
    const double deviceReserve = reservedSeconds(population, budgets.gpuSeconds, deviceSeconds);
    if (budgets.gpuSeconds > 0 && spend.gpuSeconds + deviceReserve >= budgets.gpuSeconds) {
        return fmt::format("device-time budget reached ({}){}", formatSeconds(budgets.gpuSeconds),
                           keptText(spend.gpuSeconds, budgets.gpuSeconds));
    }
    return std::nullopt;
}

} // namespace gks
