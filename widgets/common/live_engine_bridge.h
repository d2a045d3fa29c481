// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"

#include <QString>

namespace gks {

// Drives a real engine. It is opened on a worker thread, and closed on one, so the window never waits for either.
class LiveEngineBridge final : public EngineBridge {
    Q_OBJECT

public:
    using Opened = std::function<void(Result<LiveEngineBridge*>)>;
    // Calls back on the GUI thread unless `receiver` is gone; the bridge has no parent yet then.
    static void open(const QString& file, CampaignStore::Access access, QObject* receiver, Opened opened);
    ~LiveEngineBridge() override;

    QString file() const override;
    bool readOnly() const override;
    bool watches() const override { return m_watches; }
    std::string identity() const override;
    ScientistSinks sinks() const override;
    void send(const SteeringCommand& command) override;
    void trust(const std::vector<TrustQuestion>& questions) override;

Q_SIGNALS:
    void sent(const gks::SteeringCommand& command); // before the engine has it

private:
    struct Opening;
    struct Relay;
    LiveEngineBridge(std::shared_ptr<Engine> engine, std::shared_ptr<const ProblemPack> problem,
                     std::shared_ptr<Relay> relay, std::shared_ptr<PersonDesk> desk);

    std::shared_ptr<Engine> m_engine;
    std::shared_ptr<Relay> m_relay;
    bool m_watches = false;
};

} // namespace gks
