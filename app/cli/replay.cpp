// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/replay.h"
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/output.h"
#include "core/base/locations.h"
#include "core/base/terminal_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

struct Replayed {
    std::string pack;    // "built in: fp8-gemm"
    std::string skipped; // why nothing was run again; empty when it was
    std::optional<Verdict> again;
    Reproduction reproduction;
};

// The recorded kernel on this machine, if its target is here.
Result<Replayed> runAgain(const Bundle& bundle, const RecordedVerdict& recorded, const Arguments& arguments) {
    Replayed replayed;
    const auto builtin = builtinPackOf(bundle);
    replayed.pack = builtin ? "the built-in " + *builtin
                            : "of the bundle's own, trusted by you: shapes, tolerance and reference are what it says";
    if (recorded.verdict.kind == VerdictKind::infrastructureFailed) {
        replayed.skipped = "the recorded evaluation says nothing of the kernel: " + recorded.verdict.reason;
        return replayed;
    }
    GKS_TRY_ASSIGN(const TemporaryDirectory place, TemporaryDirectory::create("gks-replay"));
    GKS_TRY_ASSIGN(EvaluationRequest request,
                   requestAgain(bundle, recorded, place.path(), arguments.has("--trust-reference")));
    GKS_TRY_ASSIGN(request.device, arguments.wholeNumber("--device", 0, 0));
    request.allowNoSandbox = arguments.has("--allow-no-sandbox");
    const DeviceList devices = listDevices(request.target);
    if (devices.devices.empty()) {
        replayed.skipped = fmt::format("the target {} is not here: {}", name(request.target), devices.reason);
        return replayed;
    }
    const Verdict again = evaluateInForeground(request);
    if (again.kind == VerdictKind::infrastructureFailed) {
        return infrastructureError("the kernel could not be evaluated again: " + again.reason, {}, again.next);
    }
    replayed.reproduction = compareAgain(recorded.verdict, again);
    // Another version may write the header in other words; the kernel was judged with this one all the same.
    auto& list =
        bundle.manifest.program == programVersion() ? replayed.reproduction.differences : replayed.reproduction.notes;
    for (std::string& line : checkHeader(bundle, place.path())) {
        list.push_back(std::move(line));
    }
    replayed.again = again;
    return replayed;
}

OrderedJson toJson(const BundleCheck& check, const std::optional<Replayed>& replayed, bool agrees) {
    OrderedJson json = {{"agrees", agrees}, {"root", check.root}, {"verdicts", OrderedJson::array()}};
    for (const RecordedVerdict& recorded : check.verdicts) {
        json["verdicts"].push_back({{"path", recorded.path},
                                    {"kernel", recorded.kernel},
                                    {"verdict", name(recorded.verdict.kind)},
                                    {"kernel_sha256", recorded.verdict.kernelSha256}});
    }
    json["differences"] = check.differences;
    json["unchecked"] = check.unchecked;
    if (!replayed) {
        json["again"] = OrderedJson();
        return json;
    }
    json["again"] = {{"pack", replayed->pack},
                     {"skipped", replayed->skipped},
                     {"differences", replayed->reproduction.differences},
                     {"notes", replayed->reproduction.notes},
                     {"verdict", replayed->again ? gks::toJson(*replayed->again) : OrderedJson()}};
    return json;
}

void printList(const char* title, const std::vector<std::string>& items) {
    if (!items.empty()) {
        say("{}\n", title);
    }
    for (const std::string& item : items) {
        say("  {}\n", terminalLine(item));
    }
}

void print(const Bundle& bundle, const BundleCheck& check, const std::optional<Replayed>& replayed) {
    say("Root hash: {}\nFiles: {}\nVerdicts computed again from their samples: {}\n", check.root, bundle.files.size(),
        check.verdicts.size());
    if (check.subject) {
        const RecordedVerdict& recorded = check.verdicts[*check.subject];
        say("Claim: kernel {} {}\n", terminalLine(recorded.kernel), terminalLine(recorded.verdict.reason));
    }
    printList("Differences:", check.differences);
    printList("Not checked:", check.unchecked);
    if (replayed) {
        say("The pack is {}\n", terminalLine(replayed->pack));
        if (!replayed->skipped.empty()) {
            say("Not evaluated again: {}\n", terminalLine(replayed->skipped));
        }
        printList("Evaluated again, it differs:", replayed->reproduction.differences);
        printList("Evaluated again:", replayed->reproduction.notes);
    }
}

int run(const Arguments& arguments) {
    const auto root = arguments.has("--root") ? std::optional(arguments.value("--root")) : std::nullopt;
    const auto bundle = readBundle(arguments.positional(), root);
    if (!bundle) {
        return failed(bundle.error());
    }
    const BundleCheck check = checkBundle(*bundle);
    std::optional<Replayed> replayed;
    // What does not agree with itself is not run.
    if (!arguments.has("--no-run") && check.differences.empty() && check.subject) {
        auto again = runAgain(*bundle, check.verdicts[*check.subject], arguments);
        if (!again) {
            return failed(again.error());
        }
        replayed = std::move(*again);
    }
    const bool agrees = check.differences.empty() && (!replayed || replayed->reproduction.differences.empty());
    if (arguments.has("--json")) {
        printJson(toJson(check, replayed, agrees));
    } else {
        print(*bundle, check, replayed);
        say("{}\n", agrees ? "It agrees." : "It does not agree.");
    }
    return agrees ? done : kernelFailed;
}

} // namespace

const Command replayCommand = {
    "replay",
    "BUNDLE",
    "Checks an evidence bundle from nothing but itself: hashes, statistics, and the kernel evaluated again",
    {{"--no-run", "", "hashes and statistics only; runs nothing", false},
     {"--root", "HASH", "the root hash that was published, to compare with", false},
     {"--trust-reference", "",
      "run the bundle's own reference.cpp, which is not sandboxed; without this only those of built-in packs run",
      false},
     {"--device", "N", "which device of the recorded target (0)", false},
     {"--allow-no-sandbox", "", "run even where no sandbox works; only for kernels that you trust", false},
     {"--json", "", "as JSON", false}},
    run};

} // namespace gks::cli
