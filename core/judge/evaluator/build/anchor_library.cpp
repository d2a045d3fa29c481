// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/anchor_library.h"

#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/evaluator/build/kernel_build.h"
#include "core/target/anchor_build.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t anchorLogLimitBytes = 65536;
constexpr std::size_t anchorReasonLimitBytes = 2000;

Judged<std::string> compiledAnchor(const AnchorBuild& build, const AnchorSpec& anchor, const fs::path& folder,
                                   const AnchorLibrary::Options& options) {
    const KernelBuild::Limits limits;
    SandboxPolicy policy = limits.policy();
    policy.readable = build.step.readable;
    policy.writable = build.step.writable;
    policy.environment = build.step.environment;
    policy.allowNone = options.allowNoSandbox;
    Command command;
    command.arguments = build.step.arguments;
    RunOptions running;
    running.timeout = limits.wallTime;
    running.stop = options.stop;
    running.outputLimitBytes = anchorLogLimitBytes;
    const auto run = sandboxed(std::move(command), policy, options.sandbox).and_then([&](const Command& wall) {
        return runProcess(wall, running);
    });
    if (!run) {
        return refuse(run.error());
    }
    if (wasKilled(*run)) {
        return refuse(killedError("the compiler of the anchor", anchor.path.string(), "Try again"));
    }
    const std::string said = replaceAll(sanitizedUtf8(run->error + run->output), folder.string() + "/", "");
    if (wallFailed(run->exit, options.sandbox)) {
        return refuse(VerdictKind::infrastructureFailed, "the sandbox failed: " + quotation(said),
                      "Run kernel-scientist-cli doctor");
    }
    if (!run->ok()) {
        const std::string how = run->timedOut
                                    ? fmt::format("the compiler had not ended after {} s", limits.wallTime.count())
                                    : programExit(run->exit, options.sandbox).text();
        return refuse(VerdictKind::buildFailed,
                      fmt::format("the anchor {} does not compile ({}): {}", anchor.name, how,
                                  quotation(said, anchorReasonLimitBytes)),
                      fmt::format("Fix {} of the problem pack", anchor.source));
    }
    auto content = readFile(build.output, limits.fileBytes);
    return content ? Judged<std::string>(std::move(*content)) : refuse(content.error());
}

Judged<fs::path> kept(const std::string& content, const fs::path& library) {
    const auto written =
        makeDirectories(library.parent_path()).and_then([&] { return writeFileAtomically(library, content); });
    return written ? Judged<fs::path>(library) : refuse(written.error());
}

} // namespace

Judged<AnchorSpec> anchorOf(const ProblemPack& pack, const std::string& name, TargetKind target) {
    std::vector<std::string> there;
    for (const AnchorSpec& anchor : pack.anchors) {
        if (anchor.name == name && anchor.target == gks::name(target)) {
            return anchor;
        }
        there.push_back(fmt::format("{} ({})", anchor.name, anchor.target));
    }
    return refuse(VerdictKind::infrastructureFailed,
                  fmt::format("{} has no anchor {} for {}", pack.name, quotation(name), gks::name(target)),
                  there.empty() ? "It names no library to be measured against" : "It has " + join(there, ", "));
}

Judged<AnchorLibrary> AnchorLibrary::build(const ProblemPack& pack, const AnchorSpec& anchor, const Target& target,
                                           const Options& options) {
    const auto source = readFile(anchor.path);
    const auto folder = TemporaryDirectory::create("gks-anchor");
    if (!source || !folder) {
        return refuse(source ? folder.error() : source.error());
    }
    BuildRequest request;
    request.target = target;
    request.source = *source;
    request.header = generateProblemHeader(pack);
    request.folder = folder->path();
    const auto plan = planAnchorBuild(request, anchor);
    if (!plan) {
        return refuse(plan.error());
    }
    AnchorLibrary library;
    std::error_code ignored;
    library.file = fs::absolute(cacheFolder(), ignored) / "anchors" / (plan->key + ".so");
    library.readable = plan->readable;
    library.sourceSha256 = sha256Hex(*source);
    library.facts = {plan->toolchain, plan->key, fs::exists(library.file, ignored), {}};
    if (!library.facts.cached) {
        GKS_TRY_ASSIGN(const std::string content, compiledAnchor(*plan, anchor, folder->path(), options));
        GKS_TRY(kept(content, library.file)); // another process may be making the same library
    }
    return library;
}

} // namespace gks
