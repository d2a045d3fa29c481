// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/watched_run.h"
#include "widgets/common/engine_bridge.h"

#include <QString>

namespace gks {

// Drives a real engine, or with Access::read that of another process. It is opened on a worker thread, and closed on
// one, so the window never waits for either.
class LiveEngineBridge final : public EngineBridge {
    Q_OBJECT

public:
    using Opened = std::function<void(Result<LiveEngineBridge*>)>;
    // Calls back on the GUI thread unless `receiver` is gone; the bridge has no parent yet then.
    static void open(const QString& file, CampaignStore::Access access, QObject* receiver, Opened opened);
    ~LiveEngineBridge() override;

    QString file() const override;
    QString address() const override;
    bool readOnly() const override;
    bool watches() const override { return m_watched != nullptr; }
    std::optional<Error> linkTrouble() const override { return m_trouble; }
    std::string identity() const override;
    ScientistSinks sinks() const override;
    void send(const SteeringCommand& command) override;
    void trust(const std::vector<TrustQuestion>& questions) override;

Q_SIGNALS:
    void sent(const gks::SteeringCommand& command); // before the engine has it

private:
    struct Opening;
    struct Relay;
    static void openRemote(const QString& address, QObject* receiver, Opened opened);
    static void finish(const std::shared_ptr<Opening>& opening, const QPointer<QObject>& guard, const Opened& opened);
    static std::unique_ptr<WatchedRun> watch(const std::shared_ptr<Engine>& engine,
                                             const std::shared_ptr<Relay>& relay);
    void takeTrouble(); // what the watch says of its link
    explicit LiveEngineBridge(Opening& opening);

    std::shared_ptr<Engine> m_engine;
    std::shared_ptr<Relay> m_relay;
    QString m_address; // empty: it is a file of this machine
    std::optional<Error> m_trouble;
    std::unique_ptr<WatchedRun> m_watched; // null: the campaign is ours, or nobody else's
};

} // namespace gks
