// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/module_facts.h"

#include "core/base/json.h"
#include "core/hipcpu/abi.h"

#include <nlohmann/json.hpp>

namespace gks::hipcpu {
namespace {

constexpr int factsVersion = 2;

OrderedJson toJson(const KernelSummary& kernel) {
    OrderedJson sizes = OrderedJson::array();
    OrderedJson padding = OrderedJson::array();
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
        sizes.push_back(kernel.arguments[i].sizeBytes);
        for (const PaddingSummary& hole : kernel.arguments[i].padding) {
            padding.push_back({i, hole.offset, hole.sizeBytes});
        }
    }
    return {{"symbol", kernel.name},
            {"argument_bytes", std::move(sizes)},
            {"padding", std::move(padding)},
            {"greatest_block", kernel.maxThreadsPerBlock},
            {"static_lds_bytes", kernel.staticLdsBytes},
            {"most_dynamic_lds_bytes", kernel.ldsLimitBytes - kernel.staticLdsBytes},
            {"registers", 0}}; // of a thread: no number here
}

} // namespace

std::string moduleFactsText(const std::vector<KernelSummary>& kernels, const std::vector<VariableSummary>& variables) {
    OrderedJson facts = {{"version", factsVersion},
                         {"device_code", "cpu"},
                         {"kernels", OrderedJson::array()},
                         {"variables", OrderedJson::array()}};
    for (const KernelSummary& kernel : kernels) {
        facts["kernels"].push_back(toJson(kernel));
    }
    for (const VariableSummary& variable : variables) {
        facts["variables"].push_back(
            {{"symbol", variable.name}, {"bytes", variable.sizeBytes}, {"constant", variable.isConstant}});
    }
    return facts.dump(1) + "\n";
}

} // namespace gks::hipcpu
