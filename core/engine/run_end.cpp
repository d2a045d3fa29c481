// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run_end.h"

#include "core/base/quantity.h"
#include "core/campaign/ranking.h"

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
    return baseline != nullptr && best.speedupCi99.low > 0 &&
           baseline->geomeanUs / best.speedupCi99.low <= population.settings.budgets.goalUs;
}

// Experiments that ended and were drafted after the best.
std::int64_t endedSince(const Population& population, const Kernel& best) {
    return std::count_if(population.experiments.begin(), population.experiments.end(), [&](const Experiment& one) {
        const bool ended = one.state == ExperimentState::done || one.state == ExperimentState::failed;
        return ended && (one.kernel ? *one.kernel > best.id : one.id > best.experiment.value_or(0));
    });
}

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
    if (budgets.fruitless > 0 && endedSince(population, *best) >= budgets.fruitless) {
        return budgets.fruitless == 1 ? "an experiment brought no new best"
                                      : fmt::format("{} experiments in a row brought no new best", budgets.fruitless);
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> reasonToEnd(const Population& population, double wallSeconds) {
    const Budgets& budgets = population.settings.budgets;
    const Spend& spend = population.spend;
    if (budgets.evaluations > 0 && spend.evaluations >= budgets.evaluations) {
        return fmt::format("budget of {} evaluations reached", budgets.evaluations);
    }
    if (isTimeOver(population, wallSeconds)) {
        return fmt::format("budget of {} minutes reached", formatSignificant(budgets.minutes));
    }
    if (budgets.usd > 0 && spend.usd >= budgets.usd) {
        return fmt::format("budget of {} reached", formatUsd(budgets.usd));
    }
    if (budgets.tokens > 0 && spend.tokens >= budgets.tokens) {
        return fmt::format("budget of {} tokens reached", budgets.tokens);
    }
    if (budgets.gpuSeconds > 0 && spend.gpuSeconds >= budgets.gpuSeconds) {
        return fmt::format("budget of {} of device time reached", formatSeconds(budgets.gpuSeconds));
    }
    return reasonOfBest(population);
}

} // namespace gks
