// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/last_words.h"
#include "core/judge/evaluator/session/planner_session.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/plan/strict_fields.h"
#include "core/judge/planner/protocol.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

// What the planner says, and what of it is believed: its process runs the candidate's host code.
namespace gks {
namespace {

constexpr std::size_t saidTextBytes = 300;
constexpr std::string_view workspaceName = "workspace";
constexpr std::size_t functionNameLimit = 100;
constexpr std::uint64_t nullPageBytes = 65536; // an address beyond is of this one process and says nothing
constexpr std::size_t captureLibraryLimitBytes = std::size_t{64} << 20;

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
Judged<Json> PlannerSession::judged(const std::string& text) const {
    auto parsed = parseJson(text, "planner");
    if (!parsed || !parsed->is_object() || parsed->size() != 1) {
        return tl::unexpected(foreignAnswer());
    }
    Json& answer = *parsed;
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
                            fmt::format("{}the host code of the kernel crashed: signal {}{}", at(value, "place"),
                                        signal.is_number_integer() ? signal.get<int>() : 0,
                                        address < nullPageBytes ? fmt::format(" at address {:#x}", address)
                                                                : std::string()))
                   : refuse(VerdictKind::crashed,
                            fmt::format("{}host code touches {}, whose memory is the device's", at(value, "place"),
                                        touched == workspaceName ? "the workspace" : "the tensor " + touched),
                            "Compute in a kernel");
    }
    return std::move(answer);
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
