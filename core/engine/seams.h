// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/problem/problem.h"
#include "core/scientist/scientist.h"

#include <chrono>
#include <thread>

// What the engine takes from other rooms, so that its scheduling can be tested without a compiler, a device or a model.
namespace gks {

// Evaluates kernels of one lane; used by that lane's thread alone.
class EvaluationService {
public:
    virtual ~EvaluationService() = default;
    // As EvaluatorClient::evaluate.
    virtual Verdict evaluate(const EvaluationRequest& request, const EvaluationSink& sink,
                             const std::stop_token& stop) = 0;
    // The verdict of the newest evaluation is in the campaign file. Called by the loop while the lane is free.
    virtual void kept() {}
    // Where to say what is no event of an evaluation. Before the first evaluation.
    virtual void speakTo(EngineSink) {}
    // Another machine works off what it is given: it tells itself what all lanes of its label do, and a build for its
    // report alone would save nothing.
    virtual bool isAway() const { return false; }
    // What it was given last has not begun: its machine is being come to. On any thread.
    virtual bool isWaiting() const { return false; }
};

struct EngineSeams {
    // Of one slot of a lane; those of one folder share it.
    std::function<Result<std::unique_ptr<EvaluationService>>(const LaneSpec&)> evaluationService;
    std::function<Result<std::unique_ptr<Scientist>>(const CampaignSettings&, ScientistSinks)> scientist;
    std::function<Result<ProblemPack>(const std::string&)> problem;
    std::chrono::milliseconds publishInterval{50}; // changes of the population that lie closer are one event
    // For so long another program's lock on the campaign is waited for, rather than that what was measured or paid is
    // held in memory alone. Nothing new is begun meanwhile.
    std::chrono::milliseconds lockPatience{600'000};
    unsigned processors = std::thread::hardware_concurrency(); // that lanes and benches share
};
// `campaign`: whose jobs are whose in a batch system.
EngineSeams realSeams(const std::filesystem::path& campaign = {});

} // namespace gks
