// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/live_engine_bridge.h"

#include "widgets/common/keyring.h"
#include "widgets/common/settings.h"

#include <QCoreApplication>
#include <QPointer>

namespace gks {

namespace {

class EngineQueries final : public CampaignQueries {
public:
    explicit EngineQueries(std::shared_ptr<const Engine> engine) : m_engine(std::move(engine)) {}

    Result<std::vector<Evaluation>> evaluations(KernelId kernel) const override {
        return m_engine->evaluations(kernel);
    }
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId> kernel,
                                            std::optional<ExperimentId> experiment) const override {
        return m_engine->exchanges(kernel, experiment);
    }
    Result<std::shared_ptr<const RecordedPlans>> newestPlans(KernelId kernel) const override {
        return m_engine->newestPlans(kernel);
    }
    Result<std::vector<EvaluationOwner>> evaluationOwners() const override { return m_engine->evaluationOwners(); }
    Result<std::vector<Passage>> passages(std::int64_t document) const override { return m_engine->passages(document); }
    Result<std::string> source(KernelId kernel) const override { return m_engine->source(kernel); }
    Result<std::vector<KernelId>> searchKernels(const std::string& words, int limit) const override {
        return m_engine->searchKernels(words, limit);
    }
    Result<std::vector<Steering>> steering() const override { return m_engine->steering(); }
    Result<std::vector<Passage>> searchPassages(const std::string& words, int limit) const override {
        return m_engine->searchPassages(words, limit);
    }

private:
    std::shared_ptr<const Engine> m_engine;
};

} // namespace

// Between the engine, which may speak while it is still being opened, and the bridge, which is made afterwards.
struct LiveEngineBridge::Relay {
    std::mutex mutex;
    EngineBridge* bridge = nullptr;
    std::vector<EngineEvent> early;
    bool finished = false;

    void post(const EngineEvent& event) {
        const std::lock_guard lock(mutex);
        if (bridge != nullptr) {
            bridge->post(event);
        } else if (!finished) {
            early.push_back(event);
        }
    }
    // Null: nobody listens any more, while the engine still winds down.
    void attach(EngineBridge* to) {
        const std::lock_guard lock(mutex);
        bridge = to;
        for (EngineEvent& event : early) {
            if (bridge != nullptr) {
                bridge->post(std::move(event));
            }
        }
        early.clear();
        finished = bridge == nullptr;
    }
};

// What comes back from the worker thread.
struct LiveEngineBridge::Opening {
    Result<std::unique_ptr<Engine>> engine;
    std::shared_ptr<const ProblemPack> problem;
    std::shared_ptr<Relay> relay;
    std::shared_ptr<PersonDesk> desk;
};

namespace {

// A folder that is not there keeps nobody from the campaign: it is opened on its own device, and says why.
Result<std::unique_ptr<Engine>> openWithLanes(const QString& file, const std::string& lanes,
                                              const EngineOptions& options) {
    auto parsed = lanes.empty() ? Result<std::vector<LaneSpec>>() : parseLanes(lanes);
    EngineOptions asked = options;
    if (parsed) {
        asked.lanes = std::move(*parsed);
        auto engine = Engine::open(file.toStdString(), asked);
        if (engine || asked.lanes.empty()) {
            return engine;
        }
        parsed = tl::unexpected(engine.error());
    }
    auto engine = Engine::open(file.toStdString(), options);
    if (engine) {
        options.sink(WarningRaised{parsed.error(), "lane", {}, {}});
    }
    return engine;
}

} // namespace

LiveEngineBridge::LiveEngineBridge(std::shared_ptr<Engine> engine, std::shared_ptr<const ProblemPack> problem,
                                   std::shared_ptr<Relay> relay, std::shared_ptr<PersonDesk> desk)
    : EngineBridge(engine->population(), std::move(problem)), m_engine(std::move(engine)), m_relay(std::move(relay)) {
    setDesk(std::move(desk));
    m_relay->attach(this);
    setQueries(std::make_shared<EngineQueries>(m_engine));
}

void LiveEngineBridge::open(const QString& file, CampaignStore::Access access, QObject* receiver, Opened opened) {
    Keyring::instance(); // made here, on the GUI thread: the engine's asks it later
    const std::string lanes = Settings::instance().lanes(file).toStdString();
    QThreadPool::globalInstance()->start(
        [file, lanes, access, guard = QPointer<QObject>(receiver), opened = std::move(opened)] {
            auto relay = std::make_shared<Relay>();
            auto desk = std::make_shared<PersonDesk>();
            EngineOptions options;
            options.access = access;
            options.sink = [relay](const EngineEvent& event) { relay->post(event); };
            options.askPerson = [desk](const std::string& stage, const ChatRequest& request,
                                       const std::stop_token& stop) { return desk->ask(stage, request, stop); };
            options.findKey = keyInKeyring;
            options.place = RunPlace::window;
            options.measuresWhenAsked = true;
            auto opening = std::make_shared<Opening>(Opening{openWithLanes(file, lanes, options), {}, relay, desk});
            if (opening->engine) {
                // A missing pack is shown on the problem page; it does not keep the person from reading the campaign.
                if (auto pack = loadProblemPack((*opening->engine)->population()->settings.problem)) {
                    opening->problem = std::make_shared<const ProblemPack>(std::move(*pack));
                }
            }
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [opening, access, guard, opened] {
                    if (!guard) {
                        return;
                    }
                    if (!opening->engine) {
                        opened(tl::unexpected(opening->engine.error()));
                        return;
                    }
                    auto* bridge = new LiveEngineBridge(std::shared_ptr<Engine>(std::move(*opening->engine)),
                                                        opening->problem, opening->relay, opening->desk);
                    bridge->m_watches = access == CampaignStore::Access::read;
                    opened(bridge);
                },
                Qt::QueuedConnection);
        });
}

LiveEngineBridge::~LiveEngineBridge() {
    m_relay->attach(nullptr);
    finishQuestions();
    setQueries({});
    // ~Engine kills work in flight and joins its threads; the window need not wait for that.
    QThreadPool::globalInstance()->start([engine = std::move(m_engine)]() mutable { engine.reset(); });
}

QString LiveEngineBridge::file() const {
    return QString::fromStdString(m_engine->file().string());
}
bool LiveEngineBridge::readOnly() const {
    return m_engine->readOnly();
}
std::string LiveEngineBridge::identity() const {
    return m_engine->identity();
}
ScientistSinks LiveEngineBridge::sinks() const {
    ScientistSinks sinks = EngineBridge::sinks();
    sinks.findKey = keyInKeyring;
    sinks.mayAsk = m_engine->mayAsk();
    sinks.exchange = [engine = m_engine](Exchange exchange) { engine->addExchange(std::move(exchange)); };
    return sinks;
}
void LiveEngineBridge::send(const SteeringCommand& command) {
    Q_EMIT sent(command);
    m_engine->send(command);
}
void LiveEngineBridge::trust(const std::vector<TrustQuestion>& questions) {
    if (const auto trusted = m_engine->trust(questions); !trusted) {
        post(WarningRaised{trusted.error(), "trust", {}, {}});
    }
}

} // namespace gks
