// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/types.h"
#include "core/target/target.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// What a lane asks Slurm for; empty: Slurm's own choice.
struct SlurmSpec {
    std::string partition;
    std::string account;
    std::string time; // as --time takes it, "02:00:00"
    bool takesGpu = true;
};

// Where kernels are evaluated: a device of this machine or of another one, or a folder whose jobs another machine works
// off.
struct LaneSpec {
    TargetKind target = TargetKind::cpu;
    int device = 0;                      // of Slurm: which of the lanes that ask for the same
    std::vector<std::string> command;    // of the evaluator; empty: the local sibling program
    std::filesystem::path folder = {};   // of jobs and results; empty: a device of this machine
    int capacity = 1;                    // jobs of a folder that are away at the same time
    bool ofCampaign = false;             // target: that of the campaign, see lanesOf()
    std::string host = {};               // of ssh; empty: this machine
    std::optional<SlurmSpec> slurm = {}; // whose machine is `host`'s cluster

    bool isElsewhere() const { return !host.empty() || slurm.has_value(); } // its evaluator is come to by a way
    bool isHere() const { return folder.empty() && !isElsewhere(); }
    int deviceThere() const { return slurm ? 0 : device; } // Slurm shows a job its own device alone
    // "cpu:0", "ssh:node1:0", "slurm:mi300:0", "folder:h200": the folder's own name alone, and no user's, since labels
    // are kept in the campaign file.
    std::string label() const;
};

inline constexpr int folderSlots = 8;
inline constexpr int folderSlotLimit = 256;

// Parts with commas or spaces between them: "cpu:0", "amd:0,amd:1", "local:0 folder:/media/stick/h200". local:N is
// device N of the campaign's own target, folder:N:DIR a folder with N jobs away at a time, folder:"DIR" one with a
// space in its name. ssh:HOST:gpu0-7 are eight lanes, devices 0 to 7 of another machine;
// slurm:host=HOST,partition=P,account=A,time=T,gpus=N are N lanes, each a job with one device (tasks=N: without), of
// the cluster that HOST, or without it this machine, submits to.
Result<std::vector<LaneSpec>> parseLanes(std::string_view text);
// Whether a word of a command line is meant as a lane.
bool looksLikeLane(std::string_view word);
// As they are for this campaign; where none are asked for, its own device.
std::vector<LaneSpec> lanesOf(const CampaignSettings& settings, std::vector<LaneSpec> asked);
// Whether the campaign's problem can be judged there: the harness of a command pack, and what it reads, are here.
Result<void> checkLanes(const std::vector<LaneSpec>& lanes, const CampaignSettings& settings);

} // namespace gks
