// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace gks::test {

// A real sshd on loopback for this user, with keys of its own, and a program in the place of ssh (GKS_SSH) that knows
// it by any of the names node0 to node9. Nobody's ~/.ssh is touched.
class SshServer {
public:
    // Null where no sshd is installed.
    static std::unique_ptr<SshServer> start();
    ~SshServer();

    // What the other side has as its cache folder.
    std::filesystem::path cache() const { return m_folder.path() / "cache"; }
    void knowItsKey(bool isKnown); // in the client's known_hosts; at first it is
    void cut();                    // kills all sessions, as a network that is gone does after a while
    void stop();                   // nobody listens any more
    void listen();                 // again

private:
    explicit SshServer(TemporaryDirectory folder) : m_folder(std::move(folder)) {}
    void prepare();

    TemporaryDirectory m_folder;
    int m_port = 0;
    std::jthread m_keeper; // a child dies with the thread that started it
    std::optional<ChildProcess> m_server;
};

} // namespace gks::test
