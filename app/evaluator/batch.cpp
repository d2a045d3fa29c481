// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluator/batch.h"

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "core/judge/folder_batch.h"

#include <cstdio>
#include <fmt/format.h>

namespace gks {
namespace {

using namespace cli;

Result<BatchOptions> batchOptions(const Arguments& arguments) {
    if (arguments.rest().size() != 1) {
        return usageError("--batch takes two folders: jobs and results");
    }
    BatchOptions options;
    options.in = arguments.positional();
    options.out = arguments.rest().front();
    if (arguments.has("--minutes")) {
        GKS_TRY_ASSIGN(options.minutes, arguments.number("--minutes", 0, 0.01));
    }
    if (arguments.has("--device")) {
        GKS_TRY_ASSIGN(options.device, arguments.wholeNumber("--device", 0, 0));
    }
    if (arguments.has("--target")) {
        GKS_TRY_ASSIGN(options.target, targetFromName(arguments.value("--target")));
    }
    if (arguments.has("--trust") && arguments.value("--trust") != "pack") {
        return usageError(fmt::format("--trust is pack, not \"{}\"", arguments.value("--trust")));
    }
    options.trustPacks = arguments.has("--trust");
    options.allowNoSandbox = arguments.has("--allow-no-sandbox");
    return options;
}

int conclusion(const BatchSummary& summary, const Interrupts& interrupts) {
    note("{} evaluated, {} refused{}\n", summary.evaluated, summary.refused,
         summary.untrusted > 0 ? fmt::format(", {} left: run with --trust pack", summary.untrusted) : "");
    if (summary.end) {
        return failed(*summary.end);
    }
    return summary.untrusted > 0 && !interrupts.came() ? wrongUsage : done;
}

int runBatch(const Arguments& arguments) {
    const auto options = batchOptions(arguments);
    if (!options) {
        return failed(options.error());
    }
    const Interrupts interrupts; // before the evaluator's threads
    const auto tell = [](const std::string& line) {
        say("{}\n", line);
        std::fflush(stdout); // a job may take minutes, and whoever reads along need not wait for the next
    };
    const auto summary = workOffJobs(*options, tell, interrupts.token());
    return summary ? conclusion(*summary, interrupts) : failed(summary.error());
}

const cli::Command batchCommand = {
    "--batch",
    "IN",
    "Works off the jobs of a folder lane: reads them from IN, writes results to OUT",
    {{"--minutes", "N", "go on looking for jobs for N minutes, and begin none afterwards (default: until none is left)",
      false},
     {"--device", "N", "device for every job (default: what the job says)", false},
     {"--target", "cpu|amd|nvidia", "leave jobs for other targets alone", false},
     {"--trust", "pack", "run problem packs that come with jobs and are not built in", false},
     {"--allow-no-sandbox", "", "run without a sandbox if none works; noted in every verdict", false}},
    runBatch,
    "OUT"};

} // namespace

int runBatchProgram(int argumentCount, char** arguments) {
    return runProgram({&batchCommand}, argumentCount, arguments);
}

} // namespace gks
