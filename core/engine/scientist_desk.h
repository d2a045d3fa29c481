// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/outlet.h"
#include "core/engine/scheduler.h"
#include "core/engine/seams.h"
#include "core/engine/worker.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gks {

// The calls of the scientist that are in flight. Each has a seat with a thread and a scientist of its own, so that
// nothing of one conversation is shared with another; what all calls to one service share, its rate, is behind
// RateGate. Used on the loop's thread alone.
class ScientistDesk {
public:
    using Continuation = std::function<void()>; // what becomes of a reply, on the loop's thread
    using Post = std::function<void(Continuation)>;
    using Work = std::function<Continuation(Scientist&, const std::stop_token&)>; // on the seat's thread
    using MakeScientist = std::function<Result<std::unique_ptr<Scientist>>(const CampaignSettings&, ScientistSinks)>;
    struct Links {
        MakeScientist make;
        ScientistSinks sinks = {};              // those that are the same for all calls
        std::function<void(Exchange)> exchange; // on the seat's thread
        Post post;
    };

    ScientistDesk(Links links, Outlet& outlet);

    // For the next start(); fails when the scientist cannot be made: a key that is missing.
    Result<void> makeReady(const CampaignSettings& settings);
    void start(const ScientistCall& call, Work work);
    std::vector<ScientistCall> inFlight() const;
    void cancel();
    void cancelPlanning(); // a selection or design that a command has made obsolete
    void cancelWaiting();  // whose server has not taken the request: it may be hours, and nothing is lost
    void renew();          // scientists are made anew for the calls to come; those at work finish
    void join();           // cancels; all that was brought back has been handed over

    const CallPrice& dearest() const { return m_dearest; } // of the calls that ended
    const DraftCost& newest() const { return m_newest; }   // what the call has cost whose reply is being handled
    double seconds(CallTask task) const;                   // that the newest call of this kind took; 0: none ended

private:
    // What the sinks of a seat tell of the call that it has; written by the seat's thread before its scientist works.
    struct Doing {
        std::string lane;
        Activity activity = Activity::idle;
        std::optional<ExperimentId> experiment;
        CallPrice price;
        std::atomic<bool> waitsForServer = false; // that has not accepted its request; the loop looks at it
    };
    struct Seat {
        std::shared_ptr<Doing> doing = std::make_shared<Doing>();
        std::shared_ptr<Scientist> scientist; // null: to be made
        std::optional<ScientistCall> call;
        std::unique_ptr<Worker> worker = std::make_unique<Worker>();
    };
    Seat& freeSeat();
    ScientistSinks sinksOf(const std::shared_ptr<Doing>& doing) const;
    void ended(Seat& seat, const CallPrice& price, double seconds);

    Links m_links;
    Outlet& m_outlet;
    CallPrice m_dearest;
    DraftCost m_newest;
    std::array<double, callTaskCount> m_seconds = {};
    std::vector<std::unique_ptr<Seat>> m_seats;
};

} // namespace gks
