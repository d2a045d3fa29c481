// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/engine/agent_inbox.h"
#include "core/engine/loop.h"

namespace gks {

std::string_view name(Activity activity) {
    switch (activity) {
    case Activity::idle:
        return "idle";
    case Activity::selecting:
        return "selecting";
    case Activity::designing:
        return "designing";
    case Activity::writing:
        return "writing";
    case Activity::repairing:
        return "repairing";
    case Activity::building:
        return "building";
    case Activity::verifying:
        return "verifying";
    case Activity::measuring:
        return "measuring";
    case Activity::away:
        return "away";
    }
    return "";
}

struct Engine::State {
    State(std::filesystem::path path, std::string isCalled, std::string isTrustedAs, bool isReadOnly, EngineSink sink)
        : file(std::move(path))
        , identity(std::move(isCalled))
        , trustedAs(std::move(isTrustedAs))
        , readOnly(isReadOnly)
        , outlet(std::move(sink))
        , history(file) {}

    // What changes the campaign is refused when the file cannot be written.
    template<class Change>
    void change(Change change) {
        outlet.commandSent();
        loop->post([change = std::move(change)](Loop& receiver) {
            receiver.commandSeen();
            if (receiver.mayWrite()) {
                change(receiver);
            }
        });
    }

    std::filesystem::path file;
    std::string identity;
    std::string trustedAs; // trustIdentity()
    bool readOnly;
    Outlet outlet;
    mutable History history;
    void propose(AgentKernel kernel, AgentInbox::Answer answer) {
        outlet.commandSent();
        loop->post([kernel = std::move(kernel), answer = std::move(answer)](Loop& receiver) {
            receiver.commandSeen();
            answer(receiver.mayWrite()
                       ? receiver.propose(kernel)
                       : infrastructureError("the campaign is read-only", {}, "Copy it to a writable folder"));
        });
    }

    std::unique_ptr<Loop> loop;
    std::jthread thread;
    std::unique_ptr<AgentInbox> inbox; // none where the file can only be read
};

Engine::Engine(std::unique_ptr<State> state) : m_state(std::move(state)) {}

Engine::~Engine() {
    m_state->inbox.reset();
    m_state->outlet.close();
    m_state->loop->post([](Loop& loop) { loop.end(); });
    m_state->thread.join();
    m_state->loop
        .reset(); // after the join: a sender may still be inside its mailbox when the loop has read the last message
}

Result<std::unique_ptr<Engine>> Engine::open(const std::filesystem::path& campaign, EngineOptions options,
                                             EngineSeams seams) {
    GKS_TRY_ASSIGN(auto store, CampaignStore::open(campaign, options.access));
    GKS_TRY_ASSIGN(std::string identity, store->identity());
    GKS_TRY_ASSIGN(std::string trustedAs, trustIdentity(*store));
    if (!store->readOnly()) {
        announceRunPlace(store->file(), options.place);
        announceRunState(store->file(), EngineState::idle);
        options.sink = [file = store->file(), sink = options.sink](const EngineEvent& event) {
            if (const auto* changed = std::get_if<StateChanged>(&event)) {
                announceRunState(file, changed->state);
            }
            if (sink) {
                sink(event);
            }
        };
    }
    auto state = std::make_unique<State>(store->file(), std::move(identity), std::move(trustedAs), store->readOnly(),
                                         options.sink);
    state->loop =
        std::make_unique<Loop>(std::move(store), std::move(options), std::move(seams), state->outlet, state->history);
    GKS_TRY(state->loop->prepare());
    state->thread = std::jthread([raw = state.get()] { raw->loop->run(); });
    if (!state->readOnly) {
        state->inbox = std::make_unique<AgentInbox>(state->file,
                                                    [raw = state.get()](AgentKernel kernel, AgentInbox::Answer answer) {
                                                        raw->propose(std::move(kernel), std::move(answer));
                                                    });
    }
    return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

Result<std::vector<TrustQuestion>> Engine::openQuestions() const {
    GKS_TRY_ASSIGN(auto questions, trustQuestions(population()->settings));
    return TrustAnswers().open(m_state->trustedAs, std::move(questions));
}
Result<void> Engine::trust(const std::vector<TrustQuestion>& questions) {
    return TrustAnswers().trust(m_state->trustedAs, questions);
}
MayAsk Engine::mayAsk() const {
    return trustedModels(m_state->trustedAs, m_state->file.string());
}

PopulationPtr Engine::population() const {
    return m_state->outlet.population();
}
EngineState Engine::state() const {
    return m_state->outlet.state();
}
const std::filesystem::path& Engine::file() const {
    return m_state->file;
}
const std::string& Engine::identity() const {
    return m_state->identity;
}
bool Engine::readOnly() const {
    return m_state->readOnly;
}

void Engine::send(SteeringCommand command) {
    m_state->change([command = std::move(command)](Loop& loop) { loop.carryOut(command); });
}
void Engine::propose(AgentKernel kernel, std::function<void(const Result<KernelId>&)> answer) {
    m_state->propose(std::move(kernel), std::move(answer));
}
void Engine::addExchange(Exchange exchange) {
    m_state->change([exchange = std::move(exchange)](Loop& loop) { loop.addExchange(exchange); });
}

bool Engine::waitUntilQuiet(std::optional<double> seconds) {
    return m_state->outlet.waitUntilQuiet(seconds);
}

Result<std::vector<Evaluation>> Engine::evaluations(KernelId kernel) const {
    return m_state->history.ask([&](const CampaignStore& store) { return store.evaluations(kernel); });
}
Result<std::shared_ptr<const RecordedPlans>> Engine::newestPlans(KernelId kernel) const {
    return m_state->history.ask([&](const CampaignStore& store) { return store.newestPlans(kernel); });
}
Result<std::vector<Exchange>> Engine::exchanges(std::optional<KernelId> kernel,
                                                std::optional<ExperimentId> experiment) const {
    return m_state->history.ask([&](const CampaignStore& store) { return store.exchanges(kernel, experiment); });
}
Result<std::vector<Steering>> Engine::steering() const {
    return m_state->history.ask([](const CampaignStore& store) { return store.steering(); });
}
Result<std::vector<EvaluationOwner>> Engine::evaluationOwners() const {
    return m_state->history.ask([](const CampaignStore& store) { return store.evaluationOwners(); });
}
Result<std::vector<Passage>> Engine::passages(std::int64_t document) const {
    return m_state->history.ask([&](const CampaignStore& store) { return store.passages(document); });
}
Result<std::string> Engine::source(KernelId kernel) const {
    return m_state->history.ask([&](const CampaignStore& store) { return store.source(kernel); });
}

Result<std::vector<KernelId>> Engine::searchKernels(const std::string& words, int limit) const {
    return m_state->history.ask([&](const CampaignStore& store) { return store.searchKernels(words, limit); });
}

Result<std::vector<Passage>> Engine::searchPassages(const std::string& words, int limit) const {
    return m_state->history.ask([&](const CampaignStore& store) { return store.searchPassages(words, limit); });
}

} // namespace gks
