// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/seams.h"

#include "core/engine/job_folder.h"
#include "core/judge/evaluator_client.h"

#include <map>

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

class FolderService final : public EvaluationService {
public:
    explicit FolderService(std::shared_ptr<JobFolder> folder) : m_folder(std::move(folder)) {}
    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink&, const std::stop_token& stop) override {
        JobFolder::Outcome outcome = m_folder->evaluate(request, stop);
        m_job = std::move(outcome.job);
        return std::move(outcome.verdict);
    }
    void kept() override { m_folder->kept(std::exchange(m_job, {})); }
    void speakTo(EngineSink sink) override { m_folder->speakTo(std::move(sink)); }
    bool isAway() const override { return true; }

private:
    std::shared_ptr<JobFolder> m_folder;
    std::string m_job; // whose verdict was handed out last
};

} // namespace

EngineSeams realSeams() {
    EngineSeams seams;
    auto folders = std::make_shared<std::map<std::filesystem::path, std::weak_ptr<JobFolder>>>();
    seams.evaluationService = [folders](const LaneSpec& lane) -> Result<std::unique_ptr<EvaluationService>> {
        if (!lane.folder.empty()) {
            std::shared_ptr<JobFolder> folder = (*folders)[lane.folder].lock();
            if (!folder) {
                GKS_TRY_ASSIGN(folder, JobFolder::open({lane.folder, lane.label(), lane.capacity}));
                (*folders)[lane.folder] = folder;
            }
            return std::make_unique<FolderService>(std::move(folder));
        }
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
