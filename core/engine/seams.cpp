// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/seams.h"

#include "core/judge/evaluator_client.h"

namespace gks {
namespace {

class EvaluatorService final : public EvaluationService {
public:
    explicit EvaluatorService(EvaluatorClient::Options options) : m_client(std::move(options)) {}
    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink& sink,
                     const std::stop_token& stop) override {
        return m_client.evaluate(request, sink, stop);
    }

private:
    EvaluatorClient m_client;
};

} // namespace

EngineSeams realSeams() {
    EngineSeams seams;
    seams.evaluationService = [](const LaneSpec& lane) {
        EvaluatorClient::Options options;
        options.command = lane.command;
        return std::make_unique<EvaluatorService>(std::move(options));
    };
    seams.scientist = [](const CampaignSettings& settings, ScientistSinks sinks) -> Result<std::unique_ptr<Scientist>> {
        if (settings.scientist == ScientistKind::tuner) {
            return makeTuner(std::move(sinks));
        }
        return makeModelScientist(settings, std::move(sinks));
    };
    seams.problem = [](const std::string& nameOrFolder) { return loadProblemPack(nameOrFolder); };
    return seams;
}

Result<std::unique_ptr<Engine>> Engine::open(const std::filesystem::path& campaign, EngineOptions options) {
    return open(campaign, std::move(options), realSeams());
}

} // namespace gks
