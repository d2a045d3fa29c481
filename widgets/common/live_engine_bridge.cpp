// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/live_engine_bridge.h"

#include "core/base/address.h"
#include "core/campaign/campaign_pack.h"
#include "core/engine/remote_run.h"
#include "widgets/common/keyring.h"
#include "widgets/common/settings.h"

#include <QCoreApplication>
#include <QPointer>
#include <chrono>
#include <condition_variable>

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
    std::string newestWarning;
    std::condition_variable tried; // to link
    bool hasTried = false;
    std::optional<Error> trouble; // of the link, as it is now
    std::optional<Error> noRun;   // of the machine at its other end
    bool isMirrored = false;      // by this link
    std::weak_ptr<Engine> reader; // of the file, once it is open

    void post(const EngineEvent& event) {
        const std::lock_guard lock(mutex);
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            newestWarning = warning->error.message();
        }
        if (bridge != nullptr) {
            bridge->post(event);
        } else if (!finished) {
            early.push_back(event);
        }
    }
    // Of the run: its population lies in the file.
    void hear(const EngineEvent& event) {
        if (std::holds_alternative<PopulationChanged>(event)) {
            look();
        } else {
            post(event);
        }
    }
    // What was said by a warning already is not said again.
    void refuse(const Error& error) {
        {
            const std::lock_guard lock(mutex);
            if (newestWarning == error.message()) {
                return;
            }
        }
        post(WarningRaised{error, "steering", {}, {}});
    }
    void setTrouble(const std::optional<Error>& why) {
        const std::lock_guard lock(mutex);
        trouble = why;
        hasTried = true;
        tell();
    }
    void setNoRun(const std::optional<Error>& why) {
        const std::lock_guard lock(mutex);
        noRun = why;
        tell();
    }
    void setMirrored() {
        const std::lock_guard lock(mutex);
        isMirrored = true;
        tell();
    }
    void look() {
        std::shared_ptr<Engine> there;
        {
            const std::lock_guard lock(mutex);
            there = reader.lock();
        }
        if (there) {
            there->look();
        }
    }
    void setReader(const std::shared_ptr<Engine>& engine) {
        const std::lock_guard lock(mutex);
        reader = engine;
    }
    bool maySteer() {
        const std::lock_guard lock(mutex);
        return !noRun;
    }
    void tell() { // with the lock
        tried.notify_all();
        if (bridge != nullptr) {
            auto* const receiver = static_cast<LiveEngineBridge*>(bridge);
            QMetaObject::invokeMethod(receiver, [receiver] { receiver->takeTrouble(); }, Qt::QueuedConnection);
        }
    }
    void waitUntilTried() {
        std::unique_lock lock(mutex);
        tried.wait(lock, [this] { return hasTried; });
    }
    // Until there is a mirror, or nothing to be mirrored; where an earlier one lies, only until somebody has tried. ssh
    // may take its time, and the end of the program does not wait for it.
    void waitUntilMirrored(bool isThere) {
        constexpr std::chrono::milliseconds endInterval(100);
        std::unique_lock lock(mutex);
        const auto isKnown = [&] { return isMirrored || trouble || (isThere && hasTried); };
        while (!QCoreApplication::closingDown() && !tried.wait_for(lock, endInterval, isKnown)) {
        }
    }
    std::optional<Error> currentTrouble() {
        const std::lock_guard lock(mutex);
        return trouble ? trouble : noRun;
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
    std::shared_ptr<Engine> opened; // the engine, once it is
    std::unique_ptr<WatchedRun> watched;
    QString address = {}; // of another machine
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

LiveEngineBridge::LiveEngineBridge(Opening& opening)
    : EngineBridge(opening.opened->population(), opening.problem)
    , m_engine(std::move(opening.opened))
    , m_relay(opening.relay)
    , m_address(opening.address)
    , m_trouble(m_relay->currentTrouble())
    , m_watched(std::move(opening.watched)) {
    setDesk(opening.desk);
    m_relay->attach(this);
    setQueries(std::make_shared<EngineQueries>(m_engine));
}

// The first try is waited for: what may be decided is known when the campaign is shown.
std::unique_ptr<WatchedRun> LiveEngineBridge::watch(const std::shared_ptr<Engine>& engine,
                                                    const std::shared_ptr<Relay>& relay) {
    relay->setReader(engine);
    auto watched = std::make_unique<WatchedRun>(
        localRun(engine->file()), localRests, [relay](const EngineEvent& event) { relay->hear(event); },
        [relay](const std::optional<Error>& why) { relay->setTrouble(why); });
    relay->waitUntilTried();
    return watched;
}

void LiveEngineBridge::open(const QString& file, CampaignStore::Access access, QObject* receiver, Opened opened) {
    if (isRemoteAddress(file.toStdString())) {
        openRemote(file, receiver, std::move(opened));
        return;
    }
    Keyring::instance(); // made here, on the GUI thread: the engine's asks it later
    const std::string lanes = Settings::instance().lanes(file).toStdString();
    QThreadPool::globalInstance()->start([file, lanes, access, guard = QPointer<QObject>(receiver),
                                          opened = std::move(opened)] {
        auto relay = std::make_shared<Relay>();
        auto desk = std::make_shared<PersonDesk>();
        EngineOptions options;
        options.access = access;
        options.sink = [relay](const EngineEvent& event) { relay->post(event); };
        options.askPerson = [desk](const std::string& stage, const ChatRequest& request, const std::stop_token& stop) {
            return desk->ask(stage, request, stop);
        };
        options.findKey = keyInKeyring;
        options.place = RunPlace::window;
        options.measuresWhenAsked = true;
        auto opening = std::make_shared<Opening>(Opening{openWithLanes(file, lanes, options), {}, relay, desk, {}, {}});
        if (opening->engine) {
            opening->opened = std::shared_ptr<Engine>(std::move(*opening->engine));
            if (access == CampaignStore::Access::read) {
                opening->watched = watch(opening->opened, relay);
            }
        }
        finish(opening, guard, opened);
    });
}

// On a worker thread.
void LiveEngineBridge::finish(const std::shared_ptr<Opening>& opening, const QPointer<QObject>& guard,
                              const Opened& opened) {
    if (opening->opened) {
        // A missing pack is shown on the problem page; it does not keep the person from reading the campaign.
        if (auto pack = packOfCampaign(opening->opened->population()->settings)) {
            opening->problem = std::make_shared<const ProblemPack>(std::move(*pack));
        }
    }
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [opening, guard, opened] {
            if (!guard) {
                return;
            }
            if (!opening->opened) {
                opened(tl::unexpected(opening->engine.error()));
                return;
            }
            opened(new LiveEngineBridge(*opening));
        },
        Qt::QueuedConnection);
}

void LiveEngineBridge::openRemote(const QString& address, QObject* receiver, Opened opened) {
    QThreadPool::globalInstance()->start([address, guard = QPointer<QObject>(receiver), opened = std::move(opened)] {
        const auto relay = std::make_shared<Relay>();
        auto opening = std::make_shared<Opening>(
            Opening{infrastructureError(""), {}, relay, std::make_shared<PersonDesk>(), {}, {}, address});
        const auto open = [&]() -> Result<std::unique_ptr<Engine>> {
            GKS_TRY_ASSIGN(const RemoteCampaign campaign, remoteCampaignFrom(address.toStdString()));
            GKS_TRY_ASSIGN(auto made, Mirror::open(campaign.text(), campaign.name()));
            const std::shared_ptr<Mirror> mirror = std::move(made);
            const bool wasThere = mirror->isThere();
            RemoteSinks sinks;
            sinks.mirrored = [relay] {
                relay->setMirrored();
                relay->look();
            };
            sinks.run = [relay](const std::optional<Error>& noRun) { relay->setNoRun(noRun); };
            opening->watched = std::make_unique<WatchedRun>(
                remoteRun(campaign, mirror, std::move(sinks)), remoteRests,
                [relay](const EngineEvent& event) { relay->hear(event); },
                [relay](const std::optional<Error>& why) { relay->setTrouble(why); });
            relay->waitUntilMirrored(wasThere);
            if (!mirror->isThere()) {
                return tl::unexpected(relay->currentTrouble().value_or(Error{}));
            }
            EngineOptions options;
            options.access = CampaignStore::Access::read;
            options.sink = [relay](const EngineEvent& event) { relay->post(event); };
            return Engine::open(mirror->file(), std::move(options));
        };
        opening->engine = open();
        if (opening->engine) {
            opening->opened = std::shared_ptr<Engine>(std::move(*opening->engine));
            relay->setReader(opening->opened);
            opening->opened->look(); // what came meanwhile
        }
        finish(opening, guard, opened);
    });
}

LiveEngineBridge::~LiveEngineBridge() {
    m_relay->attach(nullptr);
    m_watched.reset();
    finishQuestions();
    setQueries({});
    // ~Engine kills work in flight and joins its threads; the window need not wait for that.
    QThreadPool::globalInstance()->start([engine = std::move(m_engine)]() mutable { engine.reset(); });
}

QString LiveEngineBridge::file() const {
    return QString::fromStdString(m_engine->file().string());
}
bool LiveEngineBridge::readOnly() const {
    return m_engine->readOnly() && !(m_watched && m_watched->isLinked() && m_relay->maySteer());
}
QString LiveEngineBridge::address() const {
    return m_address.isEmpty() ? file() : m_address;
}
std::string LiveEngineBridge::identity() const {
    return m_engine->identity();
}
ScientistSinks LiveEngineBridge::sinks() const {
    ScientistSinks sinks = EngineBridge::sinks();
    sinks.findKey = keyInKeyring;
    sinks.mayAsk = m_engine->mayAsk();
    if (m_watched) { // what the call costs could not be written down
        sinks.mayAsk = [where = m_engine->file().string()](const ModelChoice&) -> Result<void> {
            return usageError("the campaign is open in another program", where, "Ask there, or take it over first");
        };
    }
    sinks.exchange = [engine = m_engine](Exchange exchange) { engine->addExchange(std::move(exchange)); };
    return sinks;
}
void LiveEngineBridge::send(const SteeringCommand& command) {
    Q_EMIT sent(command);
    if (!m_watched) {
        m_engine->send(command);
        return;
    }
    m_watched->send(command, [relay = m_relay](const Result<KernelId>& done) {
        if (!done) {
            relay->refuse(done.error());
        }
    });
}
void LiveEngineBridge::takeTrouble() {
    m_trouble = m_relay->currentTrouble();
    Q_EMIT populationChanged(); // what may be decided has changed with it
    Q_EMIT stateChanged();
}
void LiveEngineBridge::trust(const std::vector<TrustQuestion>& questions) {
    if (const auto trusted = m_engine->trust(questions); !trusted) {
        post(WarningRaised{trusted.error(), "trust", {}, {}});
    }
}

} // namespace gks
