// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "core/problem/problem.h"

namespace gks {

Result<std::unique_ptr<CampaignStore>> CampaignStore::create(const std::filesystem::path& file,
                                                             const CampaignSettings& settings) {
    GKS_TRY_ASSIGN(const ProblemPack pack, loadCampaignProblem(settings.problem));
    return create(file, settings, pack);
}

} // namespace gks
