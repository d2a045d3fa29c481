// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/recorded_plans.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/plan/strict_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace gks {
namespace {

constexpr std::uint64_t recordedPlansVersion = 1;
constexpr std::size_t recordedShapeDims = 64;
constexpr std::size_t sha256TextBytes = 64;
// What surrounds the plans: facts of their kernels, and device code as digits.
constexpr std::size_t recordedTextLimitBytes =
    2 * recordedPlansLimitBytes + 2 * moduleFactsLimitBytes + 4 * deviceCodeLimitBytes;

Json toJson(const ShapePlan& one) {
    return {{"shape", one.shape},
            {"timed", one.isTimed},
            {"first_solve_us", one.firstSolveUs},
            {"solve_us", one.solveUs},
            {"addresses", toJson(one.addresses)},
            {"setup", toJson(one.setup)},
            {"plan", toJson(one.plan)}};
}

Json toJson(const KernelPlans& plans, CodeBytes code) {
    Json shapes = Json::array();
    for (const ShapePlan& one : plans.shapes) {
        shapes.push_back(toJson(one));
    }
    Json json = {{"device_code_sha256", plans.deviceCodeSha256},
                 {"device_code_bytes", plans.deviceCodeBytes},
                 {"facts", toJson(plans.facts)},
                 {"left_out", plans.leftOut},
                 {"shapes", std::move(shapes)}};
    if (code == CodeBytes::included && !plans.deviceCode.empty()) {
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(plans.deviceCode.data());
        json["device_code"] = hexText(std::span(bytes, plans.deviceCode.size()));
    }
    return json;
}

Result<LaunchPlan> planAt(StrictFields& fields, const char* key, const std::string& where) {
    const Json* const json = fields.object(key);
    return json != nullptr ? planFromJson(*json, where) : Result<LaunchPlan>(LaunchPlan());
}

Result<ShapePlan> readShape(const Json& json, const std::string& where) {
    ShapePlan one;
    StrictFields fields(json, where);
    fields.flag("timed", one.isTimed);
    fields.number("first_solve_us", one.firstSolveUs);
    fields.number("solve_us", one.solveUs);
    const Json* const shape = fields.object("shape");
    const Json* const addresses = fields.object("addresses");
    auto setup = planAt(fields, "setup", where + ", setup");
    auto plan = planAt(fields, "plan", where);
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(one.setup, std::move(setup));
    GKS_TRY_ASSIGN(one.plan, std::move(plan));
    GKS_TRY_ASSIGN(one.addresses, setAddressesFromJson(*addresses, where));
    if (shape->size() > recordedShapeDims) {
        return usageError("a shape with too many dims", where);
    }
    for (const auto& [dim, extent] : shape->items()) {
        if (!extent.is_number_integer()) {
            return usageError("an extent that is no whole number", where);
        }
        one.shape[dim] = extent.get<std::int64_t>();
    }
    return one;
}

void readDeviceCode(StrictFields& fields, const Json& json, KernelPlans& plans) {
    if (json.is_object() && json.contains("device_code")) {
        PlanBytes bytes;
        fields.bytes("device_code", bytes, deviceCodeLimitBytes);
        plans.deviceCode.assign(bytes.begin(), bytes.end());
    }
}

// What was recorded had passed these checks, so what does not is no record.
Result<void> checkShape(const ShapePlan& one, const ModuleFacts& facts) {
    GKS_TRY(checkSetup(one.setup, facts, one.addresses));
    return checkPlan(one.plan, facts, one.addresses);
}

Result<KernelPlans> readKernel(const Json& json, const std::string& where) {
    KernelPlans plans;
    StrictFields fields(json, where);
    std::uint64_t leftOut = 0;
    fields.text("device_code_sha256", plans.deviceCodeSha256, sha256TextBytes);
    fields.number("left_out", leftOut, recordedShapesLimit);
    const Json* const facts = fields.object("facts");
    const Json* const shapes = fields.list("shapes", recordedShapesLimit);
    readDeviceCode(fields, json, plans);
    if (json.is_object() && json.contains("device_code_bytes")) {
        fields.number("device_code_bytes", plans.deviceCodeBytes);
    }
    GKS_TRY(fields.finish());
    plans.leftOut = static_cast<std::int64_t>(leftOut);
    GKS_TRY_ASSIGN(plans.facts, moduleFactsFromJson(*facts, where));
    GKS_TRY(readEach(shapes, where, "shape", plans.shapes, readShape));
    for (std::size_t i = 0; i < plans.shapes.size(); ++i) {
        GKS_TRY(checkShape(plans.shapes[i], plans.facts).map_error([&](Error error) {
            error.where = fmt::format("{}, shape {}, {}", where, i + 1, error.where);
            return error;
        }));
    }
    if (!plans.deviceCode.empty() && sha256Hex(plans.deviceCode) != plans.deviceCodeSha256) {
        return usageError("the device code is not that of its hash", where);
    }
    if (plans.deviceCodeBytes > 0 && !plans.deviceCode.empty() && plans.deviceCode.size() != plans.deviceCodeBytes) {
        return usageError("the device code has another size than is recorded", where);
    }
    return plans;
}

// Only what a plan names: a module may hold thousands of kernels.
void keepNamedFacts(KernelPlans& plans) {
    std::set<std::string, std::less<>> named;
    for (const ShapePlan& one : plans.shapes) {
        for (const LaunchPlan* const plan : {&one.setup, &one.plan}) {
            for (const PlanOperation& operation : plan->operations) {
                if (const auto* launch = std::get_if<KernelLaunch>(&operation.action)) {
                    named.insert(launch->kernel);
                } else if (const auto* copy = std::get_if<SymbolCopy>(&operation.action)) {
                    named.insert(copy->symbol);
                } else if (const auto* write = std::get_if<SymbolWrite>(&operation.action)) {
                    named.insert(write->symbol);
                }
            }
        }
        for (const VariableAddress& variable : one.addresses.variables) {
            named.insert(variable.symbol);
        }
    }
    const auto isUnnamed = [&](const auto& fact) { return !named.contains(fact.symbol); };
    std::erase_if(plans.facts.kernels, isUnnamed);
    std::erase_if(plans.facts.variables, isUnnamed);
}

} // namespace

std::vector<const ShapePlan*> KernelPlans::timed() const {
    std::vector<const ShapePlan*> found;
    for (const ShapePlan& one : shapes) {
        if (one.isTimed) {
            found.push_back(&one);
        }
    }
    return found;
}

const ShapePlan* KernelPlans::timed(const std::map<std::string, std::int64_t>& shape) const {
    const auto found = std::find_if(shapes.begin(), shapes.end(),
                                    [&](const ShapePlan& one) { return one.isTimed && one.shape == shape; });
    return found == shapes.end() ? nullptr : &*found;
}

std::size_t makeCompact(KernelPlans& plans, std::size_t limitBytes) {
    std::stable_partition(plans.shapes.begin(), plans.shapes.end(), [](const ShapePlan& one) { return one.isTimed; });
    std::size_t bytes = 0;
    std::vector<ShapePlan> kept;
    for (ShapePlan& one : plans.shapes) {
        const std::size_t own = toJson(one).dump().size();
        if (kept.size() < recordedShapesLimit && bytes + own <= limitBytes) {
            bytes += own;
            kept.push_back(std::move(one));
        } else if (plans.leftOut < static_cast<std::int64_t>(recordedShapesLimit)) {
            ++plans.leftOut;
        }
    }
    plans.shapes = std::move(kept);
    keepNamedFacts(plans);
    return bytes;
}

Json toJson(const RecordedPlans& plans, CodeBytes code) {
    Json json = {{"version", recordedPlansVersion}, {"kernel", toJson(plans.kernel, code)}};
    if (plans.baseline) {
        json["baseline"] = toJson(*plans.baseline, code);
    }
    return json;
}

Result<RecordedPlans> recordedPlansFromJson(const Json& json, const std::string& where) {
    RecordedPlans plans;
    StrictFields fields(json, where);
    fields.version(recordedPlansVersion);
    const bool hasBaseline = json.is_object() && json.contains("baseline");
    const Json* const kernel = fields.object("kernel");
    const Json* const baseline = hasBaseline ? fields.object("baseline") : nullptr;
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(plans.kernel, readKernel(*kernel, where));
    if (baseline != nullptr) {
        GKS_TRY_ASSIGN(plans.baseline, readKernel(*baseline, where + ", baseline"));
    }
    return plans;
}

Result<RecordedPlans> recordedPlansFromText(std::string_view text, const std::string& where) {
    GKS_TRY_ASSIGN(const Json json, parseHostileJson(text, recordedTextLimitBytes, where));
    return recordedPlansFromJson(json, where);
}

} // namespace gks
