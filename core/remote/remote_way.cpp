// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_way.h"

#include "core/base/counted.h"
#include "core/remote/evaluator_there.h"
#include "core/remote/slurm.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::chrono::minutes greetingPatience(2);

std::string programIn(const std::string& folder) {
    return fmt::format("{} {}", shellQuoted(folder + "/bin/kernel-scientist-evaluator"), aliveOption);
}

} // namespace

EvaluatorClient::Way wayTo(const LaneSpec& lane, const std::string& owner, TellWay tell) {
    const RemoteShell shell(lane.host);
    EvaluatorClient::Way way;
    way.target = lane.target;
    if (!lane.slurm) {
        way.patience = greetingPatience;
    }
    way.explained = [shell](const std::string& end) { return shell.explained(end); };
    way.command = [=](const std::stop_token& stop) -> Result<std::vector<std::string>> {
        tell(lane.host.empty() ? "starting" : "connecting");
        GKS_TRY_ASSIGN(const std::string folder, evaluatorThere(shell, stop));
        if (!lane.slurm) {
            return shell.command("exec " + programIn(folder));
        }
        // A job of a controller that was killed would hold the device, and nobody hears it.
        const std::string comment = slurmComment(owner, lane.label());
        GKS_TRY_ASSIGN(const std::size_t ended, endSlurmJobs(shell, comment, stop));
        tell(ended == 0 ? "waiting for Slurm" : counted(ended, "earlier job") + " ended, waiting for Slurm");
        return shell.command(slurmScript(*lane.slurm, comment, programIn(folder)));
    };
    way.greeted = [tell = std::move(tell)](const HelloEvent& hello) {
        tell(hello.devices.empty() ? hello.machine : fmt::format("{}, {}", hello.machine, hello.devices.front().name));
    };
    return way;
}

} // namespace gks
