// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/campaign/store.h"
#include "core/problem/problem.h"

// A small campaign without a compiler or a device, and values to fill it with.
namespace gks::test {

ProblemPack samplePack(); // two seeds
Kernel sampleKernel(KernelId parent, std::string source);
Experiment sampleExperiment(KernelId parent, std::string description);
// Two shapes; with a baseline the ratio is against 100 us.
Evaluation sampleEvaluation(KernelId kernel, double geomeanUs, std::optional<KernelId> baseline = {});
Verdict failedVerdict(VerdictKind kind, std::string reason);
std::string randomText(std::size_t size); // does not compress

struct Campaign {
    // In `place`, or a temporary folder of its own.
    explicit Campaign(const std::filesystem::path& place = {});
    void reopen();

    TemporaryDirectory folder;
    std::filesystem::path file;
    CampaignSettings settings;
    std::unique_ptr<CampaignStore> store;
};

} // namespace gks::test
