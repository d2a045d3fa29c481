// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/lane_spec.h"
#include "core/remote/remote_shell.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gks {

// One job of Slurm: what `squeue` says of it.
struct SlurmJob {
    std::string number;
    std::string state;  // "PENDING", "RUNNING"
    std::string reason; // "Resources", or the node it runs on
    std::string comment;
};

// By which a lane's job is known, also to a later program: "kernel-scientist 1a2b3c4d5e6f slurm:mi300:0".
std::string slurmComment(const std::string& owner, const std::string& lane);
// The script that holds one device of the cluster and runs `program` on it, until its input ends: as a job of srun, or
// as a step of a batch job.
std::string slurmScript(const SlurmSpec& spec, const std::string& comment, const std::string& program);
Result<std::vector<SlurmJob>> slurmJobs(const RemoteShell& shell, const std::string& comment,
                                        const std::stop_token& stop);
// Ends the jobs that an earlier program with this comment has left; returns how many.
Result<std::size_t> endSlurmJobs(const RemoteShell& shell, const std::string& comment, const std::stop_token& stop);

} // namespace gks
