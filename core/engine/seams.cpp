// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/seams.h"

#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/engine/carried_verdict.h"
#include "core/engine/job_folder.h"
#include "core/judge/evaluator_client.h"
#include "core/remote/remote_way.h"

#include <atomic>
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
        const auto pack = loadProblemPack(request.problem);
        auto files = pack ? readPackFiles(pack->folder) : Result<std::vector<PackFile>>(tl::unexpected(pack.error()));
        if (!files) {
            return infrastructureVerdict(request, files.error().message(), files.error().next);
        }
        EvaluationRequest there = request;
        there.pack = std::move(*files);
        there.problem = pack->name;
        there.device = m_lane.deviceThere();
        m_sink = &sink;
        m_isWaiting = true;
        Verdict verdict = m_client->evaluate(
            there,
            [&](const EvaluationEvent& event) {
                m_isWaiting = false; // it has begun
                if (!std::holds_alternative<VerdictEvent>(event)) {
                    sink(event);
                }
            },
            stop);
        m_isWaiting = false;
        m_sink = nullptr;
        verdict = believed(std::move(verdict), request, *pack);
        sink(VerdictEvent{verdict});
        return verdict;
    }
    bool isWaiting() const override { return m_isWaiting; }

private:
    // Another machine is believed as a carried result is: what it says has to follow from its evidence.
    static Verdict believed(Verdict verdict, const EvaluationRequest& request, const ProblemPack& pack) {
        const bool isJudgement = !request.staticOnly && !request.buildOnly && !request.screen;
        if (verdict.kind == VerdictKind::infrastructureFailed || !isJudgement) {
            return verdict;
        }
        auto checked = checkedVerdict(std::move(verdict), request, pack);
        if (checked) {
            return std::move(*checked);
        }
        Verdict refused = infrastructureVerdict(request, "its answer is not counted: " + checked.error().what,
                                                "Look at that machine and at its evaluator");
        refused.deviceTrouble = DeviceTrouble::lost;
        return refused;
    }
    void tell(const std::string& text) const {
        if (m_sink != nullptr && *m_sink) {
            (*m_sink)(ProgressEvent{-1, text});
        }
    }

    LaneSpec m_lane;
    const EvaluationSink* m_sink = nullptr;
    std::atomic<bool> m_isWaiting = false;
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
    seams.problem = [](const std::string& nameOrFolder) { return loadCampaignProblem(nameOrFolder); };
    return seams;
}

Result<std::unique_ptr<Engine>> Engine::open(const std::filesystem::path& campaign, EngineOptions options) {
    return open(campaign, std::move(options), realSeams(campaign));
}

} // namespace gks
