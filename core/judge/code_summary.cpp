// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/code_summary.h"

#include "core/base/quantity.h"
#include "core/target/ptxas_report.h"

#include <algorithm>

namespace gks {
namespace {

template<class Function>
int largestOf(const std::vector<Function>& functions, int Function::* part) {
    int most = 0;
    for (const Function& function : functions) {
        most = std::max(most, function.*part);
    }
    return most;
}

CodeSummary summaryOf(const std::vector<PtxasKernel>& functions) {
    int spills = 0;
    for (const PtxasKernel& function : functions) {
        spills += function.spillBytes;
    }
    return {"ptxas",
            {{"registers", largestOf(functions, &PtxasKernel::registers)},
             {"spills", spills, CodeUnit::bytes, true},
             {"stack", largestOf(functions, &PtxasKernel::stackBytes), CodeUnit::bytes, true},
             {"static shared memory", largestOf(functions, &PtxasKernel::sharedBytes), CodeUnit::bytes},
             {"barriers", largestOf(functions, &PtxasKernel::barriers)}}};
}

} // namespace

std::string codeFactText(const CodeFact& fact) {
    return fact.unit == CodeUnit::bytes ? formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, fact.value)))
                                        : std::to_string(fact.value);
}

CodeSummary codeSummary(const StaticReport& report) {
    CodeSummary summary;
    summary.reader = report.architecture;
    int spills = 0;
    std::int64_t code = 0;
    int waves = 0;
    for (const KernelResources& function : report.kernels) {
        spills += function.vgprSpills + function.sgprSpills;
        code += function.codeBytes;
        waves = &function == &report.kernels.front() ? function.occupancyWavesPerSimd
                                                     : std::min(waves, function.occupancyWavesPerSimd);
        for (const auto& [kind, count] : function.instructions) {
            summary.instructions[kind] += count;
        }
    }
    const std::vector<KernelResources>& functions = report.kernels;
    const auto mfma = summary.instructions.find("mfma");
    summary.facts = {{"VGPR", largestOf(functions, &KernelResources::vgprs)},
                     {"AGPR", largestOf(functions, &KernelResources::agprs), CodeUnit::count, true},
                     {"SGPR", largestOf(functions, &KernelResources::sgprs)},
                     {"spills", spills, CodeUnit::count, true},
                     {"scratch", largestOf(functions, &KernelResources::scratchBytes), CodeUnit::bytes, true},
                     {"LDS", largestOf(functions, &KernelResources::ldsBytes), CodeUnit::bytes},
                     {"occupancy", waves},
                     {"mfma", mfma == summary.instructions.end() ? 0 : mfma->second, CodeUnit::count, true},
                     {"code", code, CodeUnit::bytes}};
    return summary;
}

std::optional<CodeSummary> codeSummary(const Verdict& verdict) {
    if (verdict.staticReport) {
        return codeSummary(*verdict.staticReport);
    }
    const std::vector<PtxasKernel> functions = readPtxasReport(verdict.build.log);
    return functions.empty() ? std::nullopt : std::optional(summaryOf(functions));
}

} // namespace gks
