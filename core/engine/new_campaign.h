// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"
#include "core/problem/problem.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gks {

inline constexpr std::size_t ownSeedLimit = 64;

// All that a new campaign is made of; window and command line make it from this.
struct NewCampaign {
    std::filesystem::path file;
    CampaignSettings settings;                       // problem: a name, or the folder of a pack
    std::vector<std::string> seeds = {};             // of the pack, by name; empty: all of them
    bool packSeeds = true;                           // false: none of them, own kernels alone
    std::vector<std::filesystem::path> kernels = {}; // one's own, behind them
    std::string baseline = {};                       // a seed by name, or an own kernel's path; empty: the first of all
};

// As a campaign names its problem: by name where the pack came with the program, else by its whole path.
std::string problemReference(const ProblemPack& pack);

// Everything is read and checked before the file is made. What the campaign names is the person's own answer to the
// questions of trust.
Result<std::unique_ptr<CampaignStore>> makeCampaign(const NewCampaign& wanted);

} // namespace gks
