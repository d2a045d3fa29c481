// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/target_trial.h"

#include "app/cli/evaluation.h"
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/judge/evaluator_client.h"

#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace gks::cli {
namespace {

constexpr const char* trialProblem = "sum-reduction"; // the one that is done fastest
constexpr const char* trialKernel = "problems/sum-reduction/seeds/naive.hip";
constexpr std::chrono::seconds longestTrial(60);
constexpr double measureSeconds = 0.05;

// Requests a stop when the time is over.
class Deadline {
public:
    explicit Deadline(std::chrono::seconds time)
        : m_thread([this, time](const std::stop_token& end) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any over;
            if (!over.wait_for(lock, end, time, [&] { return end.stop_requested(); })) {
                m_source.request_stop();
            }
        }) {}
    std::stop_token token() const { return m_source.get_token(); }
    bool isOver() const { return m_source.stop_requested(); }

private:
    std::stop_source m_source;
    std::jthread m_thread; // ends before the source
};

} // namespace

std::string_view name(TargetTrial::Result result) {
    return result == TargetTrial::Result::ran ? "ran" : result == TargetTrial::Result::built ? "built" : "failed";
}

OrderedJson toJson(const TargetTrial& trial) {
    return {{"result", name(trial.result)}, {"detail", trial.detail}, {"seconds", trial.seconds}};
}

TargetTrial tryTarget(TargetKind kind, const DeviceList& devices) {
    TargetTrial trial;
    auto source = readKernel((resourceFolder() / trialKernel).string());
    if (!source) {
        trial.detail = source.error().message();
        return trial;
    }
    EvaluationRequest request;
    request.id = "trial";
    request.problem = trialProblem;
    request.source = std::move(*source);
    request.target = kind;
    request.buildOnly = devices.devices.empty();
    request.measureSeconds = measureSeconds;
    request.timeoutSeconds = static_cast<double>(longestTrial.count()) / 2;
    Deadline deadline(longestTrial);
    const Verdict verdict = EvaluatorClient().evaluate(request, {}, deadline.token());
    trial.seconds = verdict.totalSeconds;
    if (deadline.isOver()) {
        trial.detail = fmt::format("not done within {} s", longestTrial.count());
    } else if (!isAccepted(verdict.kind)) {
        trial.detail = verdictText(verdict.kind, verdict.reason);
    } else {
        trial.result = request.buildOnly ? TargetTrial::Result::built : TargetTrial::Result::ran;
        trial.detail =
            fmt::format("{}; {}", request.buildOnly ? devices.reason : verdict.reason, verdict.build.toolchain);
    }
    return trial;
}

} // namespace gks::cli
