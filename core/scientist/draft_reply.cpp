// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/draft_reply.h"

#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/rules.h"
#include "core/judge/probe.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/edits.h"
#include "core/scientist/report_check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

Result<std::string> sourceFrom(const Json& reply, std::string_view edited) {
    std::string source = unquoted(sanitizedUtf8(reply.at("source").get<std::string>()));
    const Json& rows = reply.at("edits");
    if (!trimmed(source).empty() && !rows.empty()) {
        return usageError("source and edits: send one and leave the other empty");
    }
    if (rows.empty()) {
        return source;
    }
    std::vector<Edit> edits;
    for (const Json& row : rows) {
        edits.push_back({unquoted(sanitizedUtf8(row.at("search").get<std::string>())),
                         unquoted(sanitizedUtf8(row.at("replace").get<std::string>()))});
    }
    return withEdits(edited, edits, limits::kernelSourceBytes);
}

Result<void> checkSource(const std::string& source, const DraftTask& task) {
    if (source.size() > limits::kernelSourceBytes) {
        return usageError(
            fmt::format("source: {} bytes; at most {} are allowed", source.size(), limits::kernelSourceBytes));
    }
    const bool isWhole = task.ofHarness ? !trimmed(source).empty() : source.find("solve") != std::string::npos;
    if (!isWhole || source.find('\0') != std::string::npos) {
        return usageError(task.ofHarness ? "source: must be the complete file"
                                         : "source: must be the complete file and define `solve`");
    }
    if (const Kernel* same = duplicateOf(source, task.population, task.isProbe)) {
        return usageError(fmt::format("source: same as {} {} except for comments, formatting and local names",
                                      task.isProbe ? "probe" : "kernel", kernelLabel(same->id)));
    }
    if (const auto variants = probeVariants(source); task.isProbe && !variants) {
        return usageError(
            fmt::format("source: {} ({}). {}", variants.error().what, variants.error().where, variants.error().next));
    }
    if (!task.failedSource.empty() && normalizedSource(source) == normalizedSource(task.failedSource)) {
        return usageError("source: the same as the one that failed");
    }
    return {};
}

} // namespace

Result<Draft> draftFromReply(const Json& reply, const DraftTask& task) {
    Draft draft;
    GKS_TRY_ASSIGN(draft.source, sourceFrom(reply, task.editedSource));
    GKS_TRY(checkSource(draft.source, task));
    draft.title = oneLine(reply.at("title").get<std::string>(), limits::kernelTitleCharacters);
    draft.rubric = rubricFromReport(reply.at("report"), task.rubric);
    return draft;
}

} // namespace gks
