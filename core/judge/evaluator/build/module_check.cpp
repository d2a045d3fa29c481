// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/module_check.h"

#include "core/base/files.h"
#include "core/judge/evaluator/build/module_symbols.h"

#include <algorithm>

namespace gks {
namespace {

constexpr std::size_t moduleLimitBytes = std::size_t{256} << 20;

} // namespace

Judged<void> checkHostModule(const std::filesystem::path& module) {
    const auto bytes = readFile(module, moduleLimitBytes);
    if (!bytes) {
        return refuse(bytes.error());
    }
    const auto symbols = readModuleSymbols(*bytes);
    if (!symbols) {
        return refuse(symbols.error());
    }
    if (std::find(symbols->exported.begin(), symbols->exported.end(), "solve") == symbols->exported.end()) {
        return refuse(VerdictKind::buildFailed,
                      "missing function extern \"C\" hipError_t solve(const Problem&, void*, hipStream_t)",
                      "Define solve() as problem.h declares it");
    }
    return {};
}

} // namespace gks
