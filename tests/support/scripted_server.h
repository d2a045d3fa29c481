// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gks {

// A server on the loopback for what no well-behaved server does: it answers the n-th connection by calling the n-th
// script (the last one for all that follow) with the whole request, then closes.
class ScriptedServer {
public:
    class Connection {
    public:
        Connection(int descriptor, std::string text) : m_descriptor(descriptor), request(std::move(text)) {}
        bool send(std::string_view bytes) const;
        // Until the other side has gone away.
        void waitForHangUp() const;
        // The same for a moment at most; false when it is still there.
        bool hangsUpWithin(int milliseconds) const;
        // Closes with a reset, also while the other side sends.
        void reset() const;

    private:
        int m_descriptor;

    public:
        const std::string request; // head and body
    };
    using Script = std::function<void(const Connection&)>;

    enum class Reads { wholeRequest, oneByte }; // before the script is called; one byte: the rest waits in the socket
    // On `port`, or any that is free.
    explicit ScriptedServer(std::vector<Script> scripts, Reads reads = Reads::wholeRequest, int port = 0);
    ~ScriptedServer();

    std::string url() const; // http://127.0.0.1:PORT/v1
    std::vector<std::string> requests() const;
    // A script that sends this status with a body, and these header lines.
    static Script answer(int status, std::string body, std::string headers = {});

private:
    void serve(const std::stop_token& stop);

    std::vector<Script> m_scripts;
    Reads m_reads;
    int m_port = 0;
    int m_listener = -1; // after the port, which it finds
    mutable std::mutex m_mutex;
    std::vector<std::string> m_requests;
    std::jthread m_thread; // last: ends before the rest goes
};

// A port where nothing listens.
int freePort();

} // namespace gks
