// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp_campaign.h"

#include "core/campaign/file_lock.h"
#include "core/engine/run_link.h"

#include <chrono>
#include <fmt/format.h>
#include <future>

namespace gks::cli {
namespace {

constexpr std::chrono::seconds linkPatience(8);
constexpr std::chrono::seconds answerPatience(20);       // the engine is at it
constexpr std::chrono::milliseconds kernelInterval(400); // between two looks at a file that another program writes
constexpr double quietSliceSeconds = 0.2;

} // namespace

McpCampaign::McpCampaign(std::string file)
    : m_file(std::move(file)), m_janitor([this](const std::stop_token& stop) { leaveWhenQuiet(stop); }) {}

McpCampaign::~McpCampaign() {
    m_janitor.request_stop();
    m_janitor.join();
}

Result<std::unique_ptr<CampaignStore>> McpCampaign::read() const {
    return CampaignStore::open(m_file, CampaignStore::Access::read);
}

Result<KernelId> McpCampaign::propose(const AgentKernel& kernel, const std::stop_token& stop) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_engine || !FileLock::isHeld(m_file)) {
            return proposeHere(kernel);
        }
    }
    GKS_TRY_ASSIGN(const auto link, RunLink::to(m_file, {}, linkPatience, stop));
    return link->ask(kernel, answerPatience, stop);
}

Result<KernelId> McpCampaign::proposeHere(const AgentKernel& kernel) {
    if (!m_engine) {
        EngineOptions options;
        options.measuresWhenAsked = true; // and nothing else is started
        options.sink = [](const EngineEvent&) {};
        GKS_TRY_ASSIGN(m_engine, Engine::open(m_file, std::move(options)));
        m_opened.notify_all();
    }
    std::promise<Result<KernelId>> answer;
    auto came = answer.get_future();
    m_engine->propose(kernel, [&answer](const Result<KernelId>& said) { answer.set_value(said); });
    return came.get();
}

// The person may open the campaign as soon as nothing of ours is in flight.
void McpCampaign::leaveWhenQuiet(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_opened.wait(lock, stop, [this] { return m_engine != nullptr; })) {
        while (!stop.stop_requested() && !m_engine->waitUntilQuiet(0)) {
            lock.unlock(); // nobody else lets the engine go
            static_cast<void>(m_engine->waitUntilQuiet(quietSliceSeconds));
            lock.lock();
        }
        m_engine.reset();
    }
}

Result<Kernel> McpCampaign::waitFor(KernelId id, double seconds, const std::stop_token& stop) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    GKS_TRY_ASSIGN(const auto store, read());
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any ended;
    for (;;) {
        GKS_TRY_ASSIGN(const PopulationPtr population, store->kernelsAlone({id}));
        const Kernel* kernel = population->kernel(id);
        if (kernel == nullptr) {
            return usageError(fmt::format("there is no kernel {}", kernelLabel(id)), "wait", "population lists them");
        }
        const bool isOver = kernel->state == KernelState::evaluated || kernel->state == KernelState::declined;
        if (isOver || stop.stop_requested() || std::chrono::steady_clock::now() >= deadline) {
            return *kernel;
        }
        ended.wait_for(lock, stop, kernelInterval, [] { return false; });
    }
}

} // namespace gks::cli
