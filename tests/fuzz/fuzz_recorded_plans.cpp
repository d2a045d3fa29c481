// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_table.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

using gks::fuzz::require;

// Plans of a campaign file or a bundle, which may be anybody's: what is read has passed the judge's checks, and
// everything that shows or stores it can be done with it.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto plans = gks::recordedPlansFromText(gks::fuzz::text(data, size), "fuzz");
    require(plans.has_value() || !plans.error().what.empty(), "a refusal has its reason");
    if (!plans) {
        return 0;
    }
    const auto again = gks::recordedPlansFromText(gks::toJson(*plans, gks::CodeBytes::included).dump(), "again");
    require(again && *again == *plans, "plans that were read can be written and read again");
    const gks::KernelPlans* const baseline = plans->baseline ? &*plans->baseline : nullptr;
    for (const gks::ShapePlan& shape : plans->kernel.shapes) {
        require(!gks::planSummary(shape).empty() && !gks::solveTimeText(shape).empty(), "every plan has its words");
        const gks::PlanTable table = gks::planTable(plans->kernel, shape, baseline);
        const std::size_t most = shape.plan.operations.size() +
                                 (table.isCompared ? baseline->timed(shape.shape)->plan.operations.size() : 0);
        require(shape.plan.operations.size() <= table.plan.size() && table.plan.size() <= most, "a row an operation");
    }
    const std::size_t shapes = plans->kernel.shapes.size();
    const std::size_t bytes = gks::makeCompact(plans->kernel, size);
    require(bytes <= size && plans->kernel.shapes.size() <= shapes, "what has no room is left out");
    const auto compact = gks::recordedPlansFromText(gks::toJson(*plans, gks::CodeBytes::left).dump(), "compact");
    require(compact.has_value(), "and the rest can be read");
    return 0;
}
