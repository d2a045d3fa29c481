// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/seams.h"

#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/engine/job_folder.h"
#include "core/judge/evaluator_client.h"
#include "core/remote/remote_way.h"

#include <map>

namespace gks {
namespace {

namespace fs = std::filesystem;

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

// An evaluator on another machine. It may not have the pack: its files go along.
class RemoteService final : public EvaluationService {
public:
    RemoteService(LaneSpec lane, const std::string& owner) : m_lane(std::move(lane)) {
        EvaluatorClient::Options options;
        options.way = wayTo(m_lane, owner, [this](const std::string& text) { tell(text); });
        m_client.emplace(std::move(options));
    }
    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink& sink,
                     const std::stop_token& stop) override {
        EvaluationRequest there = request;
        if (auto pack = filesOf(request.problem)) {
            there.pack = std::move(*pack);
        } else {
            return infrastructureVerdict(request, pack.error().message(), pack.error().next);
        }
        there.problem = m_name;
        there.device = m_lane.deviceThere();
        m_sink = &sink;
        Verdict verdict = m_client->evaluate(there, sink, stop);
        m_sink = nullptr;
        return verdict;
    }

private:
    Result<std::vector<PackFile>> filesOf(const std::string& problem) {
        GKS_TRY_ASSIGN(const ProblemPack pack, loadProblemPack(problem));
        m_name = pack.name;
        return readPackFiles(pack.folder);
    }
    void tell(const std::string& text) const {
        if (m_sink != nullptr && *m_sink) {
            (*m_sink)(ProgressEvent{-1, text});
        }
    }

    LaneSpec m_lane;
    std::string m_name; // of the pack
    const EvaluationSink* m_sink = nullptr;
    std::optional<EvaluatorClient> m_client;
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

EngineSeams realSeams(const fs::path& campaign) {
    EngineSeams seams;
    constexpr std::size_t ownerDigits = 12;
    const std::string owner = sha256Hex(machineName() + fs::weakly_canonical(campaign).string()).substr(0, ownerDigits);
    auto folders = std::make_shared<std::map<std::filesystem::path, std::weak_ptr<JobFolder>>>();
    seams.evaluationService = [folders, owner](const LaneSpec& lane) -> Result<std::unique_ptr<EvaluationService>> {
        if (!lane.folder.empty()) {
            std::shared_ptr<JobFolder> folder = (*folders)[lane.folder].lock();
            if (!folder) {
                GKS_TRY_ASSIGN(folder, JobFolder::open({lane.folder, lane.label(), lane.capacity}));
                (*folders)[lane.folder] = folder;
            }
            return std::make_unique<FolderService>(std::move(folder));
        }
        if (lane.isElsewhere()) {
            return std::make_unique<RemoteService>(lane, owner);
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
    return open(campaign, std::move(options), realSeams(campaign));
}

} // namespace gks
