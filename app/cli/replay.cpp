// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/replay.h"
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/output.h"
#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/engine/trust.h"
#include "core/report/bundle.h"
#include "core/report/headline.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

struct Replayed {
    std::string pack; // "built-in fp8-gemm"
    Claims claims;
    std::optional<Verdict> again; // empty when nothing was run
};

Claim notTested(const EvidenceItem& recorded, std::string found, std::string why) {
    const Verdict& verdict = recorded.evaluation.verdict;
    return {verdictPath(recorded), "measured again", std::string(name(verdict.kind)),
            std::move(found),      std::move(why),   Outcome::notTested};
}

// The device that is asked for, otherwise the first of the recorded name.
Result<int> chooseDevice(const DeviceList& devices, const Verdict& recorded, const Arguments& arguments) {
    const auto found = std::find_if(devices.devices.begin(), devices.devices.end(),
                                    [&](const Device& device) { return device.name == recorded.device; });
    const int otherwise = found != devices.devices.end() ? found->index : 0;
    return arguments.wholeNumber("--device", otherwise, 0);
}

// The bundle's own pack says what is right, and its reference is compiled and run: asked about once for each bundle.
Result<void> askedForPack(const std::string& folder, const std::string& root, const Arguments& arguments) {
    GKS_TRY_ASSIGN(const ProblemPack pack, loadProblemPack(folder));
    GKS_TRY_ASSIGN(auto question, packQuestion(pack));
    if (!question) {
        return {};
    }
    question->folder = arguments.positional() + "/problem";
    const TrustAnswers answers;
    const std::string identity = "bundle " + root;
    GKS_TRY_ASSIGN(const auto trusted, trustKindsFromText(arguments.value("--trust")));
    if (std::find(trusted.begin(), trusted.end(), TrustKind::pack) != trusted.end()) {
        return answers.trust(identity, {*question});
    }
    GKS_TRY_ASSIGN(const auto open, answers.open(identity, {*question}));
    return open.empty() ? Result<void>() : tl::unexpected(notTrusted(open, arguments.positional()));
}

// The recorded kernel on this machine, if its target is here.
Result<Replayed> runAgain(const Bundle& bundle, const BundleCheck& check, const Arguments& arguments) {
    const EvidenceItem& recorded = check.verdicts[*check.subject];
    const Verdict& verdict = recorded.evaluation.verdict;
    Replayed replayed;
    const auto builtin = builtinPackOf(bundle);
    replayed.pack = builtin ? "built-in " + *builtin
                            : "from the bundle (trusted by you): shapes, tolerance and reference are its own";
    if (verdict.kind == VerdictKind::infrastructureFailed) {
        replayed.claims.push_back(
            notTested(recorded, "nothing to measure", "the recorded evaluation failed for infrastructure reasons"));
        return replayed;
    }
    GKS_TRY_ASSIGN(const TemporaryDirectory place, TemporaryDirectory::create("gks-replay"));
    GKS_TRY_ASSIGN(EvaluationRequest request, requestAgain(bundle, recorded, place.path()));
    if (!builtin) {
        GKS_TRY(askedForPack(request.problem, check.root, arguments));
    }
    GKS_TRY_ASSIGN(request.measureSeconds, arguments.number("--measure-seconds", request.measureSeconds, 0.01));
    request.allowNoSandbox = arguments.has("--allow-no-sandbox");
    const DeviceList devices = listDevices(request.target);
    GKS_TRY_ASSIGN(request.device, chooseDevice(devices, verdict, arguments));
    if (devices.devices.empty()) {
        replayed.claims.push_back(notTested(recorded, fmt::format("no device of the target {}", name(request.target)),
                                            "the claim was not tested here: " + devices.reason));
        return replayed;
    }
    replayed.again = evaluateInForeground(request);
    replayed.claims = compareAgain(verdict, *replayed.again, verdictPath(recorded));
    return replayed;
}

// What the whole comes to. Only a new evaluation makes it agree.
struct Conclusion {
    std::string_view outcome; // as in the JSON
    std::string sentence;
    int status = done;
};

Conclusion concludeFrom(const BundleCheck& check, const Claims& claims, bool ran) {
    switch (worst(claims)) {
    case Outcome::differs:
        return {"differs", "The bundle is not consistent.", kernelFailed};
    case Outcome::notTested:
        return {"not tested", "It agrees with itself, but its claim was not tested here.", infrastructureFailed};
    case Outcome::noted:
    case Outcome::agrees:
        break;
    }
    if (!check.subject) {
        return {"consistent", "It agrees with itself. It makes no claim about a kernel.", done};
    }
    return ran ? Conclusion{"agrees", "The bundle is consistent.", done}
               : Conclusion{"consistent", "It agrees with itself. Nothing was run, so its claim was not tested.", done};
}

OrderedJson toJson(const BundleCheck& check, const Claims& claims, const std::optional<Replayed>& replayed,
                   const Conclusion& conclusion) {
    OrderedJson json = {{"outcome", conclusion.outcome},   {"agrees", conclusion.outcome == "agrees"},
                        {"sentence", conclusion.sentence}, {"root", check.root},
                        {"claims", OrderedJson::array()},  {"verdicts", OrderedJson::array()}};
    for (const Claim& claim : claims) {
        json["claims"].push_back({{"file", claim.where},
                                  {"what", claim.what},
                                  {"claimed", claim.claimed},
                                  {"found", claim.found},
                                  {"outcome", name(claim.outcome)},
                                  {"why", claim.why}});
    }
    for (const EvidenceItem& recorded : check.verdicts) {
        json["verdicts"].push_back({{"path", verdictPath(recorded)},
                                    {"kernel", kernelLabel(recorded.evaluation.kernel)},
                                    {"verdict", name(recorded.evaluation.verdict.kind)},
                                    {"kernel_sha256", recorded.evaluation.verdict.kernelSha256}});
    }
    json["again"] = OrderedJson();
    if (replayed) {
        json["again"] = {{"pack", replayed->pack},
                         {"verdict", replayed->again ? gks::toJson(*replayed->again) : OrderedJson()}};
    }
    return json;
}

// Everything about the verdict of the claim and about the bundle; of the other verdicts what does not agree.
void print(const BundleCheck& check, const Claims& claims, const std::optional<Replayed>& replayed,
           const Conclusion& conclusion) {
    const std::string path = check.subject ? verdictPath(check.verdicts[*check.subject]) : "";
    const std::string subject = path.substr(0, path.rfind('/') + 1); // its folder
    say("Root hash: {}\n", check.root);
    if (check.subject) {
        say("Claim: {}\n", terminalLine(claimOf(check.verdicts[*check.subject])));
    }
    if (replayed) {
        say("Problem pack: {}\n", replayed->pack);
    }
    Table table;
    table.add({"File", "What", "Claimed", "Found", "Outcome", "Why"});
    std::size_t silent = 0;
    for (const Claim& claim : claims) {
        const bool ofOther =
            claim.where.starts_with("verdicts/") && (subject.empty() || !claim.where.starts_with(subject));
        if (ofOther && claim.outcome == Outcome::agrees) {
            ++silent;
            continue;
        }
        table.add({oneLine(claim.where), oneLine(claim.what), oneLine(claim.claimed), oneLine(claim.found),
                   std::string(name(claim.outcome)), terminalLine(replaceAll(claim.why, "\n", " "))});
    }
    say("\n{}\n", table.text());
    if (silent > 0) {
        say("{} more claims of other verdicts agree with their samples; they were not measured again.\n", silent);
    }
    say("{}\n", conclusion.sentence);
}

int runReplay(const Arguments& arguments) {
    const auto root = arguments.has("--root") ? std::optional(arguments.value("--root")) : std::nullopt;
    const auto bundle = readBundle(arguments.positional(), root);
    if (!bundle) {
        return failed(bundle.error());
    }
    const BundleCheck check = checkBundle(*bundle);
    Claims claims = check.claims;
    std::optional<Replayed> replayed;
    // What does not agree with itself is not run.
    if (!arguments.has("--no-run") && worst(claims) != Outcome::differs && check.subject) {
        auto again = runAgain(*bundle, check, arguments);
        if (!again) {
            return failed(again.error());
        }
        replayed = std::move(*again);
        claims.insert(claims.end(), replayed->claims.begin(), replayed->claims.end());
    }
    const Conclusion conclusion = concludeFrom(check, claims, replayed.has_value());
    if (arguments.has("--json")) {
        printJson(toJson(check, claims, replayed, conclusion));
    } else {
        print(check, claims, replayed, conclusion);
    }
    return conclusion.status;
}

} // namespace

const Command replayCommand = {
    "replay",
    "BUNDLE",
    "Verify an evidence bundle: hashes, pages, statistics, and the kernel of its claim measured again",
    {{"--no-run", "", "check the bundle against itself only; do not run the kernel", false},
     {"--root", "HASH", "published root hash to compare with", false},
     {"--measure-seconds", "S", "budget of the new measurement (default: as recorded, at least as evaluate's)", false},
     {"--trust", "pack", "run the bundle's own problem pack, which says what is right; read it first", false},
     {"--device", "N", "device of the recorded target (default: the first of the recorded name)", false},
     {"--allow-no-sandbox", "", "run without a sandbox if none works; only for kernels you trust", false},
     {"--json", "", "print JSON", false}},
    runReplay};

} // namespace gks::cli
