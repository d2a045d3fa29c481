// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/types.h"
#include "core/target/target.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// Where kernels are evaluated: a device of this machine, or a folder whose jobs another machine works off.
struct LaneSpec {
    TargetKind target = TargetKind::cpu;
    int device = 0;
    std::vector<std::string> command;  // of the evaluator; empty: the local sibling program
    std::filesystem::path folder = {}; // of jobs and results; empty: a device of this machine
    int capacity = 1;                  // jobs of a folder that are away at the same time
    bool ofCampaign = false;           // target: that of the campaign, see lanesOf()
    // "cpu:0", "folder:h200": the folder's own name alone, since labels are kept in the campaign file.
    std::string label() const;
};

inline constexpr int folderSlots = 8;
inline constexpr int folderSlotLimit = 256;

// Parts with commas or spaces between them: "cpu:0", "amd:0,amd:1", "local:0 folder:/media/stick/h200". local:N is
// device N of the campaign's own target, folder:N:DIR a folder with N jobs away at a time, folder:"DIR" one with a
// space in its name.
Result<std::vector<LaneSpec>> parseLanes(std::string_view text);
// Whether a word of a command line is meant as a lane.
bool looksLikeLane(std::string_view word);
// As they are for this campaign; where none are asked for, its own device.
std::vector<LaneSpec> lanesOf(const CampaignSettings& settings, std::vector<LaneSpec> asked);

} // namespace gks
