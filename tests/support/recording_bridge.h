// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"

namespace gks {

using Commands = std::vector<SteeringCommand>;
namespace command {
char* toString(const Commands& commands); // for QCOMPARE: as the history would say it
}

// A campaign as if an engine ran it: commands are kept, and the state follows start, pause and stop.
class RecordingBridge final : public EngineBridge {
    Q_OBJECT

public:
    explicit RecordingBridge(const QString& file);
    explicit RecordingBridge(PopulationPtr population); // that one instead of the sample

    const Commands& commands() const { return m_commands; }
    Commands takeCommands() { return std::exchange(m_commands, {}); }
    static Commands lastCommands(); // of the bridge that was destroyed last

    ~RecordingBridge() override;
    QString file() const override { return m_file; }
    bool readOnly() const override { return m_readOnly; }
    void setReadOnly() { m_readOnly = true; } // before anybody has asked
    void send(const SteeringCommand& command) override;
    void trust(const std::vector<TrustQuestion>& questions) override {
        m_trusted += static_cast<int>(questions.size());
    }
    int trusted() const { return m_trusted; } // how many questions were answered with yes

private:
    QString m_file;
    Commands m_commands;
    int m_trusted = 0;
    bool m_readOnly = false;
};

} // namespace gks
