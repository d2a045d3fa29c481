// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/campaign_pack.h"

#include "core/base/foreign_text.h"

#include <filesystem>
#include <fmt/format.h>

namespace gks {

Error ofOtherJudge(std::string_view what, std::string_view theirs, bool campaignIsOfHarness, std::string where) {
    constexpr const char* own = "our own judge";
    return {ErrorKind::usage,
            fmt::format("{} by {}, and here {} judges", what, theirs.empty() ? std::string(own) : quotation(theirs),
                        campaignIsOfHarness ? harnessLabel : own),
            std::move(where), "Put the pack back that the campaign was made with, or begin another campaign"};
}

Result<ProblemPack> packOfCampaign(const CampaignSettings& settings) {
    const std::filesystem::path folder = settings.problem;
    std::error_code ignored;
    if (settings.judgedByHarness && !isHarness(folder) && !std::filesystem::exists(folder / "problem.toml", ignored)) {
        return infrastructureError(
            fmt::format("the command pack {} is gone or has no {}", folder.string(), harnessFile), {},
            "Put it back, then run again");
    }
    GKS_TRY_ASSIGN(ProblemPack pack, loadCampaignProblem(settings.problem));
    if (pack.harness.has_value() != settings.judgedByHarness) {
        return tl::unexpected(ofOtherJudge("its verdicts are", pack.harness ? harnessLabel : "",
                                           settings.judgedByHarness, pack.folder.string()));
    }
    return pack;
}

} // namespace gks
