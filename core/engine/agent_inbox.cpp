// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/agent_inbox.h"

#include "core/base/files.h"
#include "core/base/folder_watch.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/campaign/inode_locks.h"
#include "core/campaign/limits.h"

#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>

// NAME.kernel is left, renamed to NAME.taken by who takes it, and answered by NAME.answer; each is written whole. What
// nobody took for a minute is of a program that was killed.
namespace gks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds inboxInterval(250);
constexpr std::chrono::seconds inboxLife(60);
// What a taken kernel is waited for beyond the patience: the engine is at it.
constexpr std::chrono::seconds answerPatience(20);
// In JSON a character takes six bytes at most.
constexpr std::size_t inboxFileBytes = 6 * limits::kernelSourceBytes + 65536;

Result<fs::path> inboxFolder(const fs::path& campaign) {
    const auto identity = identityOf(campaign);
    if (!identity) {
        return infrastructureError("is not there", campaign.string());
    }
    return stateFolder() / "agents" / fmt::format("{:x}-{:x}", identity->device, identity->inode);
}

// True when the time passed, false when the end came first.
bool pause(const std::stop_token& stop, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any ended;
    return !ended.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
}

std::string textOfKernel(const AgentKernel& kernel) {
    return OrderedJson{
        {"agent", kernel.agent}, {"basis", kernel.basis}, {"title", kernel.title}, {"source", kernel.source}}
        .dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
}

Result<AgentKernel> kernelIn(const fs::path& file) {
    GKS_TRY_ASSIGN(const std::string text, readCarriedFile(file, inboxFileBytes));
    GKS_TRY_ASSIGN(const Json json, parseJson(text, "an agent's kernel"));
    try {
        return AgentKernel{json.at("agent").get<std::string>(), json.at("basis").get<KernelId>(),
                           json.at("title").get<std::string>(), json.at("source").get<std::string>()};
    } catch (const Json::exception&) {
        return usageError("is no kernel of an agent's", "an agent's kernel");
    }
}

std::string textOfAnswer(const Result<KernelId>& answer) {
    const OrderedJson json = answer ? OrderedJson{{"kernel", *answer}}
                                    : OrderedJson{{"what", answer.error().what},
                                                  {"where", answer.error().where},
                                                  {"next", answer.error().next}};
    return json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
}

Result<KernelId> answerIn(const fs::path& file) {
    GKS_TRY_ASSIGN(const std::string text, readCarriedFile(file, inboxFileBytes));
    GKS_TRY_ASSIGN(const Json json, parseJson(text, "the answer"));
    try {
        if (json.contains("kernel")) {
            return json.at("kernel").get<KernelId>();
        }
        return usageError(json.at("what").get<std::string>(), json.at("where").get<std::string>(),
                          json.at("next").get<std::string>());
    } catch (const Json::exception&) {
        return infrastructureError("the answer cannot be read", "propose", "Look whether the kernel is there");
    }
}

bool isStale(const fs::path& file) {
    std::error_code failed;
    const auto written = fs::last_write_time(file, failed);
    return !failed && fs::file_time_type::clock::now() - written > inboxLife;
}

void lookInto(const fs::path& folder, const AgentInbox::Take& take) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        found.push_back(at->path());
    }
    for (const fs::path& file : found) {
        std::error_code ignored;
        if (isStale(file)) {
            fs::remove(file, ignored);
            continue;
        }
        if (file.extension() != ".kernel") {
            continue;
        }
        const fs::path taken = fs::path(file).replace_extension(".taken");
        fs::rename(file, taken, failed);
        if (failed) { // taken back meanwhile
            continue;
        }
        auto answer = [taken](const Result<KernelId>& came) {
            static_cast<void>(writeFileAtomically(fs::path(taken).replace_extension(".answer"), textOfAnswer(came)));
            std::error_code unimportant;
            fs::remove(taken, unimportant);
        };
        auto kernel = kernelIn(taken);
        kernel ? take(std::move(*kernel), std::move(answer)) : answer(tl::unexpected(kernel.error()));
    }
}

} // namespace

AgentInbox::AgentInbox(const fs::path& campaign, Take take) {
    const auto folder = inboxFolder(campaign);
    if (folder) {
        m_thread = std::jthread([folder = *folder, take = std::move(take)](const std::stop_token& stop) {
            do {
                lookInto(folder, take);
            } while (pause(stop, inboxInterval));
        });
    }
}

AgentInbox::~AgentInbox() = default;

Result<KernelId> leaveKernel(const fs::path& campaign, const AgentKernel& kernel, std::chrono::milliseconds patience,
                             const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const fs::path folder, inboxFolder(campaign));
    GKS_TRY(makeDirectories(folder));
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, ignored);
    const std::string random = hexText(randomSeed()).substr(0, 24);
    const fs::path left = folder / (random + ".kernel");
    const fs::path answer = fs::path(left).replace_extension(".answer");
    GKS_TRY(writeFileAtomically(left, textOfKernel(kernel)));
    auto deadline = Clock::now() + patience;
    for (bool isTaken = false;;) {
        if (fs::exists(answer, ignored)) {
            auto came = answerIn(answer);
            fs::remove(answer, ignored);
            return came;
        }
        const bool isOver = !pause(stop, inboxInterval / 5) || Clock::now() > deadline;
        if (isOver && !isTaken && fs::remove(left, ignored)) {
            return stop.stop_requested()
                       ? Result<KernelId>(cancelledError("propose"))
                       : infrastructureError("the program that has the campaign open does not take kernels", "propose",
                                             "Ask the person to close the campaign there");
        }
        if (isOver && (isTaken || stop.stop_requested())) {
            return infrastructureError("no answer came in time", "propose",
                                       "Call population and look whether the kernel is there");
        }
        if (isOver) {
            isTaken = true;
            deadline = Clock::now() + answerPatience;
        }
    }
}

} // namespace gks
