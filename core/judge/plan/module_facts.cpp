// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/module_facts.h"

#include <algorithm>

namespace gks {

std::string_view name(DeviceCode code) {
    switch (code) {
    case DeviceCode::amd:
        return "amd";
    case DeviceCode::nvidia:
        return "nvidia";
    case DeviceCode::cpu:
        break;
    }
    return "cpu";
}

const KernelFacts* ModuleFacts::kernel(std::string_view symbol) const {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.symbol == symbol; });
    return found == kernels.end() ? nullptr : &*found;
}

const VariableFacts* ModuleFacts::variable(std::string_view symbol) const {
    const auto found =
        std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.symbol == symbol; });
    return found == variables.end() ? nullptr : &*found;
}

} // namespace gks
