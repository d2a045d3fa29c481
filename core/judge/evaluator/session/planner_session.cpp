// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/planner_session.h"

#include "core/base/files.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/last_words.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/plan/strict_fields.h"
#include "core/judge/planner/protocol.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds plannerPollInterval(50);
constexpr std::chrono::seconds plannerEndPatience(5); // from the end of the channel to the end of the process
constexpr std::size_t plannerOpenFilesLimit = 64;
constexpr std::size_t plannerFileLimitBytes = std::size_t{1} << 20;
constexpr std::size_t plannerMemoryBytes = std::size_t{4} << 30; // address space, beside what is reserved
constexpr std::size_t saidTextBytes = 300;
constexpr std::string_view workspaceName = "workspace";
constexpr std::size_t functionNameLimit = 100;
constexpr std::size_t captureLibraryLimitBytes = std::size_t{64} << 20;

std::filesystem::path captureLibrary(DeviceCode code) {
    return hipcpuFolder() / (code == DeviceCode::nvidia ? "libcuda_capture.so" : "libhip_capture.so");
}

// A text of the planner's. It shares its process with host code, so nobody is shown it as it stands.
std::string textOf(const Json& json, const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_string()
               ? abbreviated(sanitizedUtf8(found->get_ref<const std::string&>()), saidTextBytes)
               : std::string();
}

Refusal foreignAnswer() {
    return {VerdictKind::cheatingSuspected, "something else than the planner wrote to the judge's channel"};
}

// Whether these are words of our own: a whole text of the capture library, which stands there with its end. Host code
// can choose among them, and say nothing else.
bool isOurs(DeviceCode code, std::string_view words) {
    const auto textOfLibrary = [](DeviceCode of) {
        return readFile(captureLibrary(of), captureLibraryLimitBytes).value_or(std::string());
    };
    static const std::string ofHip = textOfLibrary(DeviceCode::cpu);
    static const std::string ofCuda = textOfLibrary(DeviceCode::nvidia);
    const std::string& library = code == DeviceCode::nvidia ? ofCuda : ofHip;
    return !words.empty() && library.find(std::string(words) + '\0') != std::string::npos;
}

// A name that host code asked for by itself is no sentence.
bool isIdentifier(std::string_view text) {
    const auto belongs = [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; };
    return !text.empty() && text.size() <= functionNameLimit && std::all_of(text.begin(), text.end(), belongs);
}

struct CallAnswer {
    std::int32_t status = 0;
    std::string error;
    double solveUs = 0;
    std::uint64_t waits = 0;
    LaunchPlan plan;
};

Result<CallAnswer> readCall(const Json& json, const std::string& where) {
    CallAnswer call;
    StrictFields fields(json, where);
    fields.number("status", call.status);
    fields.text("error", call.error, saidTextBytes);
    fields.number("solve_us", call.solveUs);
    fields.number("waits", call.waits);
    const Json* const plan = fields.object("plan");
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(call.plan, planFromJson(*plan, "launch plan"));
    return call;
}

Result<void> checkSize(const LaunchPlan& plan) {
    const std::size_t bytes = toJson(plan).dump().size();
    return bytes <= planTextLimitBytes
               ? Result<void>()
               : kernelError(fmt::format("too large ({} bytes, limit {})", bytes, planTextLimitBytes), "launch plan",
                             "Launch fewer kernels, or with fewer arguments");
}

// `setup` is of what the session has planned before.
Result<PlannedCall> plannedCall(std::vector<CallAnswer> calls, LaunchPlan setup, const ModuleFacts& facts,
                                const SetAddresses& addresses) {
    for (CallAnswer& call : calls) {
        clearPadding(call.plan, facts);
    }
    GKS_TRY_ASSIGN(SplitPlan split, splitSetup(calls.front().plan, calls.back().plan));
    GKS_TRY(checkPlan(split.plan, facts, addresses));
    std::ranges::move(split.setup.operations, std::back_inserter(setup.operations));
    GKS_TRY(checkSetup(setup, facts, addresses));
    GKS_TRY(checkSize(split.plan));
    return PlannedCall{std::move(setup), std::move(split.plan), calls.front().solveUs, calls.back().solveUs,
                       calls.back().waits};
}

} // namespace

SandboxPolicy plannerPolicy(const PlannerSession::Setup& setup) {
    SandboxPolicy policy;
    policy.readable = {captureLibrary(setup.facts.code), setup.hostModule};
    policy.allowNone = setup.allowNoSandbox;
    policy.limits.openFiles = plannerOpenFilesLimit;
    policy.limits.fileSizeBytes = plannerFileLimitBytes;
    policy.limits.addressSpaceBytes = plannerMemoryBytes + setup.reserveBytes;
    return policy;
}

std::vector<std::uint8_t> problemBytes(std::span<const std::int64_t> shape, const SetAddresses& addresses) {
    constexpr std::size_t pointerBytes = sizeof(std::uint64_t);
    constexpr std::size_t dimBytes = sizeof(std::int32_t);
    const std::size_t size = pointerBytes * addresses.tensors.size() + dimBytes * shape.size();
    std::vector<std::uint8_t> bytes((size + pointerBytes - 1) / pointerBytes * pointerBytes);
    std::uint8_t* at = bytes.data();
    for (const TensorAddress& tensor : addresses.tensors) {
        std::memcpy(at, &tensor.address, pointerBytes);
        at += pointerBytes;
    }
    for (const std::int64_t extent : shape) {
        const auto dim = static_cast<std::int32_t>(extent);
        std::memcpy(at, &dim, dimBytes);
        at += dimBytes;
    }
    return bytes;
}

PlannerSession::PlannerSession(Setup setup)
    : m_setup(std::move(setup)), m_places(m_setup.hostModule, m_setup.sandbox, m_setup.allowNoSandbox) {}

PlannerSession::~PlannerSession() {
    if (m_channel >= 0) {
        ::close(m_channel);
    }
    if (m_child) {
        m_child->kill();
    }
}

Judged<std::unique_ptr<PlannerSession>> PlannerSession::start(Setup setup) {
    auto session = std::unique_ptr<PlannerSession>(new PlannerSession(std::move(setup)));
    GKS_TRY(session->launch());
    GKS_TRY(session->ask(
        {{"verb", "begin"}, {"facts", toJson(session->m_setup.facts)}, {"device", toJson(session->m_setup.device)}}));
    session->m_isReady = true;
    GKS_TRY(session->ask({{"verb", "load"}}));
    return session;
}

Judged<void> PlannerSession::launch() {
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return refuse(VerdictKind::infrastructureFailed,
                      fmt::format("cannot create a channel to the planner: {}", systemMessage(errno)));
    }
    m_channel = ends[0];
    Command command;
    command.arguments = {siblingProgram("kernel-scientist-planner").string(),
                         captureLibrary(m_setup.facts.code).string(), m_setup.hostModule.string()};
    command.descriptors = {{planner::channelDescriptor, ends[1]}};
    auto started = sandboxed(std::move(command), plannerPolicy(m_setup), m_setup.sandbox).and_then(ChildProcess::start);
    ::close(ends[1]);
    if (!started) {
        return refuse(started.error());
    }
    m_child.emplace(std::move(*started));
    m_child->closeInput();
    return {};
}

Judged<void> PlannerSession::send(const std::string& text) {
    std::string message(planner::lengthBytes, '\0');
    const auto length = static_cast<std::uint32_t>(text.size());
    std::memcpy(message.data(), &length, planner::lengthBytes);
    message += text;
    const auto deadline = Clock::now() + m_setup.timeLimit;
    for (std::size_t sent = 0; sent < message.size();) {
        const ssize_t got =
            ::send(m_channel, message.data() + sent, message.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (got > 0) {
            sent += static_cast<std::size_t>(got);
            continue;
        }
        pollfd watched = {m_channel, POLLOUT, 0};
        const bool mayWait = errno == EAGAIN || errno == EINTR;
        if (!mayWait || Clock::now() > deadline) {
            return tl::unexpected(ended());
        }
        ::poll(&watched, 1, static_cast<int>(plannerPollInterval.count()));
    }
    return {};
}

Judged<void> PlannerSession::receive(char* into, std::size_t bytes, Clock::time_point deadline) {
    while (bytes > 0) {
        pollfd watched = {m_channel, POLLIN, 0};
        if (::poll(&watched, 1, static_cast<int>(plannerPollInterval.count())) > 0) {
            const ssize_t got = ::recv(m_channel, into, bytes, MSG_DONTWAIT);
            if (got > 0) {
                into += got;
                bytes -= static_cast<std::size_t>(got);
                continue;
            }
            if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
                return tl::unexpected(ended());
            }
        }
        // When the launcher has been killed somebody may still hold the channel, and nobody will write to it.
        if (m_child->wait(std::chrono::milliseconds(0)) && ::poll(&watched, 1, 0) <= 0) {
            return tl::unexpected(ended());
        }
        if (m_setup.stop.stop_requested()) {
            return refuse(VerdictKind::infrastructureFailed, "cancelled");
        }
        if (Clock::now() > deadline) {
            return refuse(
                m_isReady ? VerdictKind::timedOut : VerdictKind::infrastructureFailed,
                fmt::format("{} within {} s",
                            m_isReady ? "the host code of the kernel did not come back" : "the planner did not start",
                            m_setup.timeLimit.count()));
        }
    }
    return {};
}

// The channel has ended: how, with the last words of the process.
Refusal PlannerSession::ended() {
    const bool isGone = m_child->wait(plannerEndPatience, m_setup.stop).has_value();
    const ExitState wall = m_child->kill();
    if (m_setup.stop.stop_requested()) {
        return {VerdictKind::infrastructureFailed, "cancelled"};
    }
    const std::string said = sanitizedUtf8(readNow(m_child->errorDescriptor()));
    if (!m_isReady && wallFailed(wall, said)) { // afterwards the words are those of host code
        return {VerdictKind::infrastructureFailed, "the sandbox failed: " + lastLine(said),
                "See kernel-scientist-cli doctor"};
    }
    if (!isGone) {
        return {m_isReady ? VerdictKind::crashed : VerdictKind::infrastructureFailed,
                "the planner's process closed the judge's channel and went on"};
    }
    const ExitState exit = programExit(wall, m_setup.sandbox);
    if (exit.signal == SIGKILL) {
        Refusal refusal = {VerdictKind::infrastructureFailed, fmt::format("the planner {}", killedFromOutside)};
        refusal.isKilled = true;
        refusal.ifAtFault = m_isReady ? VerdictKind::crashed : refusal.kind;
        return refusal;
    }
    const std::string last = lastLine(said);
    if (!m_isReady) {
        return {VerdictKind::infrastructureFailed,
                fmt::format("the planner ended with {}{}", exit.text(), last.empty() ? "" : ": " + last),
                "Build or install the whole project"};
    }
    static constexpr std::string_view missing = "undefined symbol: ";
    if (const std::size_t name = last.find(missing); name != std::string::npos) {
        return {VerdictKind::buildFailed, fmt::format("the host code calls {}, which nobody provides",
                                                      quotation(last.substr(name + missing.size())))};
    }
    return {VerdictKind::crashed, fmt::format("the host code of the kernel ended its process: {}{}", exit.text(),
                                              last.empty() ? "" : ", and its last words are " + quotation(last))};
}

std::string PlannerSession::at(const Json& json, const char* key) const {
    const std::string text = textOf(json, key);
    const std::uint64_t place = std::strtoull(text.c_str(), nullptr, 16);
    if (place == 0) {
        return {};
    }
    const std::string line = m_places.lineOf(place); // a file's name is what the source says it is
    const std::string shown = quotation(line);
    return (shown == "\"" + line + "\"" ? line : shown) + ": ";
}

bool PlannerSession::isAsked(const std::string& name) const {
    return name == workspaceName || std::ranges::find(m_tensors, name) != m_tensors.end();
}

// What is no answer to the request but the end of the process.
Judged<Json> PlannerSession::judged(Json answer) const {
    if (!answer.is_object() || answer.size() != 1) {
        return tl::unexpected(foreignAnswer());
    }
    const std::string& key = answer.begin().key();
    const Json& value = *answer.begin();
    if (key == "refused") {
        const std::string function = textOf(value, "function");
        const std::string what = textOf(value, "what");
        const std::string next = textOf(value, "next");
        return (isIdentifier(function) || isOurs(m_setup.facts.code, function)) && isOurs(m_setup.facts.code, what) &&
                       isOurs(m_setup.facts.code, next)
                   ? refuse(VerdictKind::buildFailed, fmt::format("{}{} {}", at(value, "place"), function, what), next)
                   : tl::unexpected(foreignAnswer());
    }
    if (key == "failed") {
        return refuse(VerdictKind::buildFailed,
                      "the host code cannot be loaded: " + quotation(textOf(answer, "failed")));
    }
    if (key == "collision") {
        const std::string name = textOf(answer, "collision");
        if (!isAsked(name)) {
            return tl::unexpected(foreignAnswer());
        }
        // Only host code could have put it there, or said so: the judge chooses addresses that the system leaves free.
        return refuse(VerdictKind::crashed,
                      fmt::format("memory of the host code's process lies where {} should be", name));
    }
    if (key == "fault") {
        const std::string touched = textOf(value, "touched");
        const auto signal = value.is_object() ? value.value("signal", Json()) : Json();
        if (!touched.empty() && !isAsked(touched)) {
            return tl::unexpected(foreignAnswer());
        }
        const std::uint64_t address = std::strtoull(textOf(value, "address").c_str(), nullptr, 16);
        return touched.empty()
                   ? refuse(VerdictKind::crashed,
                            fmt::format("{}the host code of the kernel crashed: signal {} at address {:#x}",
                                        at(value, "place"), signal.is_number_integer() ? signal.get<int>() : 0,
                                        address))
                   : refuse(VerdictKind::crashed,
                            fmt::format("{}host code touches {}, whose memory is the device's", at(value, "place"),
                                        touched == workspaceName ? "the workspace" : "the tensor " + touched),
                            "Compute in a kernel");
    }
    return answer;
}

Judged<Json> PlannerSession::converse(const Json& request) {
    GKS_TRY(send(request.dump()));
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(m_setup.timeLimit);
    std::array<char, planner::lengthBytes> head{};
    GKS_TRY(receive(head.data(), head.size(), deadline));
    std::uint32_t length = 0;
    std::memcpy(&length, head.data(), planner::lengthBytes);
    if (length > planner::answerLimitBytes) {
        return refuse(VerdictKind::buildFailed,
                      fmt::format("the launch plan is too large ({} bytes, limit {})", length, planTextLimitBytes),
                      "Launch fewer kernels, or with fewer arguments");
    }
    std::string text(length, '\0');
    GKS_TRY(receive(text.data(), text.size(), deadline));
    auto answer = parseJson(text, "planner");
    if (!answer) {
        return tl::unexpected(foreignAnswer());
    }
    return judged(std::move(*answer));
}

Judged<Json> PlannerSession::ask(const Json& request) {
    if (m_broken) {
        return tl::unexpected(*m_broken);
    }
    auto answer = converse(request);
    if (!answer) {
        m_broken = answer.error();
        m_child->kill();
    }
    return answer;
}

Judged<std::uint64_t> PlannerSession::workspaceBytes(std::span<const std::uint8_t> problem) {
    GKS_TRY_ASSIGN(const Json answer, ask({{"verb", "workspace"}, {"problem", hexText(problem)}}));
    std::uint64_t bytes = 0;
    StrictFields fields(answer, "planner");
    fields.number("workspace_bytes", bytes);
    if (!fields.finish()) {
        return tl::unexpected(foreignAnswer());
    }
    return bytes;
}

Judged<PlannedCall> PlannerSession::plan(std::span<const std::uint8_t> problem, const SetAddresses& addresses) {
    m_tensors.clear();
    for (const TensorAddress& tensor : addresses.tensors) {
        m_tensors.push_back(tensor.name);
    }
    GKS_TRY_ASSIGN(const Json answer,
                   ask({{"verb", "plan"}, {"problem", hexText(problem)}, {"addresses", toJson(addresses)}}));
    StrictFields fields(answer, "planner");
    const Json* const list = fields.list("calls", planner::calls);
    if (!fields.finish() || list->size() != planner::calls) {
        return tl::unexpected(foreignAnswer());
    }
    std::vector<CallAnswer> calls;
    if (const auto read = readEach(list, "planner", "call", calls, readCall); !read) {
        return refuse(read.error());
    }
    for (const CallAnswer& call : calls) {
        if (call.status != 0) {
            return isOurs(m_setup.facts.code, call.error)
                       ? refuse(VerdictKind::wrong, "solve() returned an error: " + call.error)
                       : tl::unexpected(foreignAnswer());
        }
    }
    auto planned = plannedCall(std::move(calls), m_setupSoFar, m_setup.facts, addresses);
    if (!planned) {
        return refuse(planned.error());
    }
    m_setupSoFar = planned->setup;
    return std::move(*planned);
}

} // namespace gks
