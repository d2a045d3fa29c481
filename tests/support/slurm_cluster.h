// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace gks::test {

// A real Slurm of two nodes, gks1 and gks2, on this machine: controller and daemons of this user, in a folder of their
// own, without munge and without accounting. SLURM_CONF leads to it. Partition "gpu", one GPU a node that is none.
class SlurmCluster {
public:
    // Null where Slurm is not installed or does not come up; `why` says it then.
    static std::unique_ptr<SlurmCluster> start(std::string& why);
    ~SlurmCluster();

    std::filesystem::path cache() const { return m_folder.path() / "cache"; }
    void restartController();
    std::string output(const std::vector<std::string>& command) const; // squeue, sinfo, sbatch, scancel

private:
    explicit SlurmCluster(TemporaryDirectory folder) : m_folder(std::move(folder)) {}
    void prepare() const;
    void startController();
    void startNode(const std::string& node);

    TemporaryDirectory m_folder;
    std::map<std::string, std::unique_ptr<ChildProcess>> m_daemons;
};

} // namespace gks::test
