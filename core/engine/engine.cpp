// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/engine/loop.h"
#include "core/engine/viewer_port.h"

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

    // The same for who waits for an answer.
    template<class T, class Ask>
    void ask(Ask asked, std::function<void(const Result<T>&)> answer) {
        outlet.commandSent();
        loop->post([asked = std::move(asked), answer = std::move(answer)](Loop& receiver) {
            receiver.commandSeen();
            answer(receiver.mayWrite()
                       ? asked(receiver)
                       : infrastructureError("the campaign is read-only", {}, "Copy it to a writable folder"));
        });
    }
    void propose(AgentKernel kernel, std::function<void(const Result<KernelId>&)> answer) {
        ask<KernelId>([kernel = std::move(kernel)](Loop& receiver) { return receiver.propose(kernel); },
                      std::move(answer));
    }
    void send(SteeringCommand command, std::function<void(const Result<void>&)> answer) {
        ask<void>([command = std::move(command)](Loop& receiver) { return receiver.tryOut(command); },
                  std::move(answer));
    }

    std::filesystem::path file;
    std::string identity;
    std::string trustedAs; // trustIdentity()
    bool readOnly;
    Outlet outlet;
    mutable History history;
    std::unique_ptr<Loop> loop;
    std::jthread thread;
    std::shared_ptr<ViewerPort> viewers; // none where the file can only be read
};

Engine::Engine(std::unique_ptr<State> state) : m_state(std::move(state)) {}

Engine::~Engine() {
    m_state->outlet.close();
    m_state->loop->post([](Loop& loop) { loop.end(); });
    m_state->thread.join();
    if (m_state->viewers) { // they hear how it ended
        m_state->viewers->close();
    }
    m_state->loop
        .reset(); // after the join: a sender may still be inside its mailbox when the loop has read the last message
}

Result<std::unique_ptr<Engine>> Engine::open(const std::filesystem::path& campaign, EngineOptions options,
                                             EngineSeams seams) {
    GKS_TRY_ASSIGN(auto store, CampaignStore::open(campaign, options.access));
    GKS_TRY_ASSIGN(std::string identity, store->identity());
    GKS_TRY_ASSIGN(std::string trustedAs, trustIdentity(*store));
    std::shared_ptr<ViewerPort> viewers;
    if (!store->readOnly()) {
        viewers = std::make_shared<ViewerPort>();
        announceRunPlace(store->file(), options.place);
        announceRunState(store->file(), EngineState::idle);
        options.sink = [file = store->file(), sink = options.sink, viewers](const EngineEvent& event) {
            if (const auto* changed = std::get_if<StateChanged>(&event)) {
                announceRunState(file, changed->state);
            }
            viewers->tell(event);
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
    state->viewers = std::move(viewers);
    if (const auto socket = state->viewers ? ownRunSocket(state->file) : std::nullopt) {
        // Without a place for it nobody can watch, and the run goes on.
        static_cast<void>(state->viewers->listen(
            *socket, {[raw = state.get()](SteeringCommand command, ViewerPort::Answer answer) {
                          raw->send(std::move(command), [answer = std::move(answer)](const Result<void>& done) {
                              answer(done ? Result<KernelId>(0) : tl::unexpected(done.error()));
                          });
                      },
                      [raw = state.get()](AgentKernel kernel, ViewerPort::Answer answer) {
                          raw->propose(std::move(kernel), std::move(answer));
                      }}));
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

bool Engine::isWatched() const {
    return m_state->viewers && m_state->viewers->hasViewers();
}

void Engine::send(SteeringCommand command) {
    m_state->change([command = std::move(command)](Loop& loop) { loop.carryOut(command); });
}
void Engine::send(SteeringCommand command, std::function<void(const Result<void>&)> answer) {
    m_state->send(std::move(command), std::move(answer));
}
void Engine::look() {
    m_state->outlet.commandSent(); // until then it is not quiet
    m_state->loop->post([](Loop& loop) { loop.commandSeen(); });
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
