// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/module_facts_reader.h"

#include "core/base/files.h"
#include "core/judge/plan/facts_json.h"

namespace gks {
namespace {

constexpr std::size_t readCodeLimitBytes = std::size_t{256} << 20;

} // namespace

Result<ModuleFacts> readModuleFacts(const Target& target, const BuildPlan& build, const DeviceAnswers& device) {
    if (target.kind == TargetKind::cpu) {
        GKS_TRY_ASSIGN(const std::string text, readFile(build.moduleFacts, moduleFactsLimitBytes));
        return moduleFactsFromText(text, "facts of the module");
    }
    GKS_TRY_ASSIGN(const std::string bytes, readFile(build.deviceModule, readCodeLimitBytes));
    return target.kind == TargetKind::nvidia ? factsOfCubin(bytes, device) : factsOfAmdCode(bytes);
}

} // namespace gks
