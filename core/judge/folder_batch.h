// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator_client.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

struct BatchOptions {
    std::filesystem::path in;  // jobs; only read
    std::filesystem::path out; // results
    std::optional<double> minutes =
        {};                         // goes on looking for jobs, and begins none afterwards; unset: until none is left
    std::optional<int> device = {}; // for every job; unset: what the job says
    std::optional<TargetKind> target = {}; // jobs for others are left alone
    bool trustPacks = false;               // problem packs that are not the ones built in here
    bool allowNoSandbox = false;           // of this machine: what the job says does not count
    EvaluatorClient::Options evaluator = {};
    std::chrono::milliseconds settle{2000}; // a job that does not fit its name may still be on its way
};

struct BatchSummary {
    int evaluated = 0;
    int refused = 0;          // jobs whose result says why they could not be evaluated
    int untrusted = 0;        // left alone: they bring a problem pack that nobody here has answered for
    std::optional<Error> end; // the machine is at fault, so that the rest was not begun
};

// Works off jobs, one after the other, and says one line for each. A job that has its result is never begun again; one
// that was being worked off when the program ended is. Several programs may share the folders: the job's file is locked
// meanwhile. Fails when a folder cannot be read or a result cannot be written.
Result<BatchSummary> workOffJobs(const BatchOptions& options, const std::function<void(const std::string&)>& say,
                                 const std::stop_token& stop);

// Where the machine that keeps the campaign puts results that it has looked at, below the folder that they were put
// into.
inline constexpr const char* takenFolder = "taken";
inline constexpr const char* lateFolder = "late";
inline constexpr const char* refusedFolder = "refused";

} // namespace gks
