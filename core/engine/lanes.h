// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/lane_failures.h"
#include "core/engine/outlet.h"
#include "core/engine/seams.h"
#include "core/engine/worker.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gks {

// The devices that evaluate, one thread for each, and what is in flight on them. Used on the loop's thread alone.
class Lanes {
public:
    struct Job {
        EvaluationRequest request;
        Evaluation evaluation;   // without a verdict
        bool looksFirst = false; // at its static report: what cannot run well is not run
    };
    // On the lane's thread, which has nothing else to do afterwards.
    using Done = std::function<void(std::size_t lane, Evaluation evaluation, bool cancelled)>;

    using MakeService = std::function<Result<std::unique_ptr<EvaluationService>>(const LaneSpec&)>;
    Lanes(MakeService makeService, Outlet& outlet, Done done);

    Result<void> open(const std::vector<LaneSpec>& specs); // a lane for each slot; those of one spec have one label
    void join();  // cancels what is in flight; all that it brought back has been handed over
    void close(); // after join(): ends the evaluators

    const LaneSpec& spec(std::size_t lane) const { return m_lanes[lane]->spec; }
    std::set<std::string> labels() const;
    std::vector<std::size_t> inService(const CampaignSettings& settings) const;
    std::vector<std::size_t> free(const CampaignSettings& settings) const; // of those in service
    std::size_t busy() const;
    std::size_t busyHere() const; // of those that take this machine's processors

    void start(std::size_t lane, Job job);
    void release(std::size_t lane); // its evaluation has been taken in
    // Its machine cannot be reached: it gets nothing for a while, each time for longer. Returns for how long.
    std::chrono::seconds rest(std::size_t lane);
    std::optional<std::chrono::steady_clock::time_point> nextRested() const; // when the first that rests is free again
    void reached(std::size_t lane);                                          // whatever the verdict says
    void kept(std::size_t lane);                                             // and its verdict is in the campaign file
    void cancel();                                                           // everything in flight
    bool isAway(std::size_t lane) const { return m_lanes[lane]->service->isAway(); }
    void cancelWaiting(); // what has not begun, on machines that are being come to
    void cancelAway();    // it may be days until a job is back, and the next run takes its result

    LaneFailures& failures() { return m_failures; }
    // The infrastructure failed this kernel here, and there is a lane where that is not known yet.
    bool belongsElsewhere(KernelId kernel, std::size_t lane, const CampaignSettings& settings) const;

private:
    struct Lane {
        LaneSpec spec;
        std::unique_ptr<EvaluationService> service; // used by the worker
        bool busy = false;
        int failuresToReach = 0; // in a row
        std::chrono::steady_clock::time_point restsUntil = {};
        std::unique_ptr<Worker> worker; // last: joined before the service goes
    };
    void work(std::size_t lane, EvaluationService& service, Job& job, const std::stop_token& stop) const;

    MakeService m_makeService;
    Outlet& m_outlet;
    Done m_done;
    LaneFailures m_failures;
    std::vector<std::unique_ptr<Lane>> m_lanes;
};

} // namespace gks
