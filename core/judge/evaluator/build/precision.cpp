// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/precision.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/target/multiply_type.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t kernelNameLimitBytes = 80;

} // namespace

std::vector<std::string> precisionFindings(const StaticReport& report, const ProblemPack& pack) {
    std::vector<std::string> findings;
    const auto allowed = pack.multiplyType();
    if (!allowed) {
        return findings;
    }
    const std::string_view allowedName = arithmeticName(*allowed);
    for (const KernelResources& kernel : report.kernels) {
        for (const auto& [type, count] : kernel.multiplies) {
            const int bits = significandBits(type);
            if (bits > 0 && bits < significandBits(allowedName)) {
                findings.push_back(fmt::format("{} multiplies in {} ({}), the problem asks for {} at least",
                                               abbreviated(kernel.name, kernelNameLimitBytes), type,
                                               counted(count, "instruction"), allowedName));
            }
        }
    }
    return findings;
}

} // namespace gks
