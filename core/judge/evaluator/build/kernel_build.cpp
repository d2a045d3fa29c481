// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/kernel_build.h"

#include "core/base/disk_room.h"
#include "core/base/foreign_text.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/hipcpu/options/missing_header.h"
#include "core/judge/evaluator/build/symbol_names.h"
#include "core/target/diagnostics.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t compilerOpenFiles = 256;
constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::chrono::seconds signOfLife(60);
constexpr std::size_t logLimitBytes = 65536;
constexpr std::size_t printedLimitBytes = std::size_t{64} << 20; // a disassembly

// The compiler prints what a source tells it to (`#error`, `#line`), so its words are never the judge's.
std::string compilerSays(std::string_view line) {
    return "the compiler says " + quotation(line);
}

// Whether the compiler came to an end of its own: then it prints the kernel's text, and no word of it tells of a limit.
bool hasDiagnosed(std::string_view printed) {
    const std::string_view said = trimmed(printed);
    const std::string_view last = said.substr(said.rfind('\n') + 1);
    static constexpr std::array<std::string_view, 4> counts = {" error generated", " errors generated",
                                                               " error detected in the compilation",
                                                               " errors detected in the compilation"};
    return last.starts_with("error: ") || std::any_of(counts.begin(), counts.end(), [&](std::string_view count) {
               return last.find(count) != std::string_view::npos;
           });
}

} // namespace

SandboxPolicy KernelBuild::Limits::policy() const {
    SandboxPolicy policy;
    policy.limits = {memoryBytes, static_cast<std::size_t>(time.count()), fileBytes, compilerOpenFiles};
    policy.mayStartProcesses = true;
    return policy;
}

KernelBuild::KernelBuild(TemporaryDirectory folder, Options options, EvaluationSink sink)
    : m_folder(std::move(folder)), m_options(std::move(options)), m_sink(std::move(sink)) {}

Judged<std::unique_ptr<KernelBuild>> KernelBuild::start(const ProblemPack& pack, const std::string& source,
                                                        const Options& options, const EvaluationSink& sink,
                                                        const std::stop_token& stop) {
    auto folder = TemporaryDirectory::create("gks-build");
    if (!folder) {
        return refuse(folder.error());
    }
    auto build = std::unique_ptr<KernelBuild>(new KernelBuild(std::move(*folder), options, sink));
    BuildRequest request;
    request.target = options.target;
    request.source = source;
    request.header = generateProblemHeader(pack);
    request.folder = build->m_folder.path();
    request.staticReport = options.staticReport;
    request.module = options.module;
    request.compilerOptions = options.compilerOptions;
    request.language = pack.language;
    auto plan = planBuild(request);
    if (!plan) {
        return refuse(plan.error());
    }
    build->m_plan = std::move(*plan);
    if (options.module) {
        build->m_cached = BuildCache(cacheFolder() / "builds").restore(build->m_plan, build->m_log);
    }
    if (!build->m_cached) {
        build->runSteps();
    }
    build->m_onStop.emplace(stop, [source = build->m_abandon]() mutable { source.request_stop(); });
    return build;
}

KernelBuild::~KernelBuild() {
    m_abandon.request_stop();
}

void KernelBuild::runSteps() {
    const std::size_t count = m_plan.steps.size();
    m_refusals.resize(count);
    std::vector<std::promise<bool>> promises(count);
    for (auto& promise : promises) {
        m_done.push_back(promise.get_future().share());
    }
    for (std::size_t i = 0; i < count; ++i) {
        m_threads.emplace_back([this, i, promise = std::move(promises[i]), stop = m_abandon.get_token()]() mutable {
            promise.set_value(runStep(i, stop));
        });
    }
}

bool KernelBuild::runStep(std::size_t index, const std::stop_token& stop) {
    const BuildStep& step = m_plan.steps[index];
    if (step.after >= 0 && static_cast<std::size_t>(step.after) < m_done.size() &&
        !m_done[static_cast<std::size_t>(step.after)].get()) {
        return false;
    }
    const Limits& limits = m_options.limits;
    SandboxPolicy policy = limits.policy();
    policy.readable = step.readable;
    policy.writable = step.writable;
    policy.environment = step.environment;
    policy.allowNone = m_options.allowNoSandbox;
    Command command;
    command.arguments = step.arguments;
    RunOptions options;
    options.timeout = limits.wallTime;
    options.stop = stop;
    options.outputLimitBytes = step.outputFile ? printedLimitBytes : logLimitBytes;
    std::optional<WorkClock::Span> working;
    if (m_options.clock) {
        working.emplace(*m_options.clock, WorkClock::Worker::compiler);
    }
    auto run = sandboxed(std::move(command), policy, m_options.sandbox).and_then([&](const Command& wall) {
        return runProcess(wall, options);
    });
    working.reset();
    if (run && run->ok() && step.outputFile && !run->outputTruncated) {
        if (const auto written = writeFileAtomically(*step.outputFile, run->output); !written) {
            run = tl::unexpected(written.error());
        }
    }
    if (run) {
        const std::string printed = step.outputFile ? run->error : run->output + run->error;
        appendLog(ownWords(step, sanitizedUtf8(printed), m_folder.path()));
    }
    auto refusal = judge(step, run);
    const bool ok = !refusal;
    const std::scoped_lock lock(m_mutex);
    m_refusals[index] = std::move(refusal);
    return ok;
}

std::optional<Refusal> KernelBuild::judge(const BuildStep& step, const Result<CompletedProcess>& run) const {
    if (!run) {
        return refuse(run.error()).value();
    }
    if (run->ok()) {
        return std::nullopt;
    }
    if (run->cancelled) {
        return Refusal{VerdictKind::infrastructureFailed, cancelledReason};
    }
    const ExitState exit = programExit(run->exit, m_options.sandbox);
    const std::string ended =
        exit.text() + "\n" + (hasDiagnosed(run->error) ? std::string() : run->error + run->output);
    const auto says = [&](std::initializer_list<std::string_view> words) {
        return std::any_of(words.begin(), words.end(),
                           [&](std::string_view word) { return ended.find(word) != std::string::npos; });
    };
    // Who does not end at the limit is killed a little later.
    const bool hasUsedUp = run->exit.cpuSeconds >= static_cast<double>(m_options.limits.time.count());
    if (says({"CPU time limit exceeded"}) || (hasUsedUp && (run->timedOut || wasKilled(*run)))) {
        return Refusal{VerdictKind::buildFailed, fmt::format("{}: the compiler took more than {} s of processor time",
                                                             step.name, m_options.limits.time.count())};
    }
    if (run->timedOut) {
        Refusal refusal = {VerdictKind::infrastructureFailed,
                           fmt::format("{}: the compiler had not ended after {} s and had little of the processor",
                                       step.name, m_options.limits.wallTime.count()),
                           starvedNext};
        refusal.isStarved = true;
        return refusal;
    }
    if (wasKilled(*run)) {
        Refusal refusal = {VerdictKind::infrastructureFailed,
                           fmt::format("{}: the compiler {}", step.name, killedFromOutside)};
        refusal.isKilled = true;
        refusal.ifAtFault = VerdictKind::buildFailed;
        return refusal;
    }
    if (wallFailed(run->exit, m_options.sandbox)) {
        return Refusal{VerdictKind::infrastructureFailed,
                       "the sandbox failed: " + quotation(firstErrorLine(run->error)),
                       "Run kernel-scientist-cli doctor"};
    }
    if (isDiskFull(m_folder.path())) {
        return Refusal{VerdictKind::infrastructureFailed, "the disk with the temporary folder is full",
                       "Make room and try again"};
    }
    const std::string printed = run->error + run->output;
    const std::string said = ownWords(step, sanitizedUtf8(printed), m_folder.path());
    const std::string_view error = firstErrorLine(said);
    if (says({"File size limit", "File too large"})) {
        return Refusal{VerdictKind::buildFailed, fmt::format("{}: the compiler wrote a file of more than {} MiB",
                                                             step.name, m_options.limits.fileBytes / mebibyte)};
    }
    if (says({"out of memory", "bad_alloc", "Cannot allocate memory"})) {
        return Refusal{VerdictKind::buildFailed, fmt::format("{}: the compiler needed more than {} MiB of memory",
                                                             step.name, m_options.limits.memoryBytes / mebibyte)};
    }
    return Refusal{VerdictKind::buildFailed,
                   error.empty() ? fmt::format("{}: {}", step.name, exit.text()) : compilerSays(error),
                   hipcpu::adviceOnMissingHeader(error)};
}

void KernelBuild::appendLog(const std::string& text) {
    if (text.empty()) {
        return;
    }
    {
        const std::scoped_lock lock(m_mutex);
        m_log = abbreviated(m_log + text, logLimitBytes);
    }
    if (m_sink) {
        m_sink(LogEvent{"compiler", abbreviated(text, logLimitBytes)});
    }
}

// Whoever asked gives up an evaluator that says nothing (evaluator_client.cpp), and a busy machine takes long.
bool KernelBuild::waitFor(const std::shared_future<bool>& done) const {
    while (done.wait_for(signOfLife) == std::future_status::timeout) {
        if (m_sink) {
            m_sink(StageEvent{Stage::building});
        }
    }
    return done.get();
}

Judged<void> KernelBuild::waitForModule() {
    for (std::size_t i = 0; i < m_done.size(); ++i) {
        if (m_plan.steps[i].required && !waitFor(m_done[i])) {
            const std::scoped_lock lock(m_mutex);
            return tl::unexpected(m_refusals[i].value_or(Refusal{VerdictKind::buildFailed, "an earlier step failed"}));
        }
    }
    for (const fs::path& module : m_plan.modules()) {
        std::error_code code;
        if (!fs::exists(module, code)) {
            return refuse(VerdictKind::infrastructureFailed, "the compiler reported success but wrote no module");
        }
    }
    return {};
}

std::string KernelBuild::whyNoReport() const {
    if (!m_unreadable.empty()) {
        return m_unreadable;
    }
    const std::scoped_lock lock(m_mutex);
    const auto first = std::find_if(m_refusals.begin(), m_refusals.end(), [](const auto& one) { return !!one; });
    if (first != m_refusals.end()) {
        return (*first)->reason;
    }
    const std::string_view error = m_cached && !m_plan.notesText.empty() ? firstErrorLine(m_log) : std::string_view();
    return error.empty() ? std::string() : compilerSays(error); // a cached build ran no step
}

Judged<std::optional<StaticReport>> KernelBuild::waitForReport() {
    for (const auto& done : m_done) {
        waitFor(done);
    }
    for (const auto& refusal : m_refusals) { // a build without its report must not be kept for ever
        if (refusal && (refusal->mayGoWell())) {
            return tl::unexpected(*refusal);
        }
    }
    if (m_options.module && !m_cached && !std::exchange(m_stored, true)) {
        BuildCache(cacheFolder() / "builds").store(m_plan, facts().log);
    }
    const auto notes = readFile(m_plan.notesText);
    const auto disassembly = readFile(m_plan.disassembly);
    if (!notes || !disassembly) {
        if (m_options.module || m_refusals.empty()) {
            return std::nullopt;
        }
        const auto first =
            std::find_if(m_refusals.begin(), m_refusals.end(), [](const auto& refusal) { return refusal.has_value(); });
        return first == m_refusals.end() ? refuse(VerdictKind::infrastructureFailed, "no static report could be made")
                                         : tl::unexpected(**first);
    }
    // A kernel for another vendor's card has its report for the default architecture.
    const std::string& own = m_options.target.architecture;
    auto report = readFile(m_plan.codeObject).and_then(checkSymbolNames).and_then([&] {
        return readStaticReport(own.starts_with("gfx") ? own : "gfx942", *notes, *disassembly);
    });
    if (!report) {
        m_unreadable = report.error().message();
        return m_options.module ? Judged<std::optional<StaticReport>>(std::nullopt) : refuse(report.error());
    }
    std::error_code code;
    const auto bytes = fs::file_size(m_plan.codeObject, code);
    report->codeObjectBytes = code ? 0 : static_cast<std::size_t>(bytes);
    return std::optional(std::move(*report));
}

BuildFacts KernelBuild::facts() const {
    const std::scoped_lock lock(m_mutex);
    return {m_plan.toolchain, m_plan.key, m_cached, m_log};
}

} // namespace gks
