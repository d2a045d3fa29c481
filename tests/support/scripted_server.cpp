// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripted_server.h"

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gks {
namespace {

// To `port`, or to any that is free when it is 0; then says which.
int bindLoopback(int& port) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(descriptor, generic, length) != 0 || ::getsockname(descriptor, generic, &length) != 0 ||
        ::listen(descriptor, 8) != 0) {
        std::abort();
    }
    port = ntohs(address.sin_port);
    return descriptor;
}

// Head and body, as far as Content-Length promises.
std::string readRequest(int descriptor) {
    std::string request;
    std::array<char, 65536> buffer{};
    for (;;) {
        const std::size_t head = request.find("\r\n\r\n");
        if (head != std::string::npos) {
            const std::size_t field = request.find("Content-Length: ");
            const std::size_t body = field < head ? std::strtoull(request.c_str() + field + 16, nullptr, 10) : 0;
            if (request.size() >= head + 4 + body) {
                return request;
            }
        }
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count <= 0) {
            return request;
        }
        request.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

} // namespace

bool ScriptedServer::Connection::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t count = ::send(m_descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void ScriptedServer::Connection::waitForHangUp() const {
    std::array<char, 256> buffer{};
    while (::read(m_descriptor, buffer.data(), buffer.size()) > 0) {
    }
}

bool ScriptedServer::Connection::hangsUpWithin(int milliseconds) const {
    pollfd gone{m_descriptor, POLLRDHUP, 0};
    return ::poll(&gone, 1, milliseconds) > 0;
}

void ScriptedServer::Connection::reset() const {
    const linger atOnce{1, 0};
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
}

ScriptedServer::ScriptedServer(std::vector<Script> scripts, Reads reads, int port)
    : m_scripts(std::move(scripts))
    , m_reads(reads)
    , m_port(port)
    , m_listener(bindLoopback(m_port))
    , m_thread([this](const std::stop_token& stop) { serve(stop); }) {}

ScriptedServer::~ScriptedServer() {
    m_thread.request_stop();
    m_thread.join();
    ::close(m_listener);
}

void ScriptedServer::serve(const std::stop_token& stop) {
    for (std::size_t number = 0; !stop.stop_requested();) {
        pollfd waiting{m_listener, POLLIN, 0};
        if (::poll(&waiting, 1, 20) <= 0) {
            continue;
        }
        const int descriptor = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor < 0) {
            continue;
        }
        char first = 0;
        const bool all = m_reads == Reads::wholeRequest;
        const Connection connection(descriptor, all                                  ? readRequest(descriptor)
                                                : ::read(descriptor, &first, 1) == 1 ? std::string(1, first)
                                                                                     : std::string());
        {
            const std::lock_guard lock(m_mutex);
            m_requests.push_back(connection.request);
        }
        m_scripts[std::min(number++, m_scripts.size() - 1)](connection);
        ::close(descriptor);
    }
}

std::string ScriptedServer::url() const {
    return "http://127.0.0.1:" + std::to_string(m_port) + "/v1";
}

std::vector<std::string> ScriptedServer::requests() const {
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

ScriptedServer::Script ScriptedServer::answer(int status, std::string body, std::string headers) {
    return [status, body = std::move(body), headers = std::move(headers)](const Connection& connection) {
        connection.send("HTTP/1.1 " + std::to_string(status) +
                        " X\r\nContent-Type: application/json\r\nConnection: close\r\n" + headers +
                        "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    };
}

int freePort() {
    int port = 0;
    ::close(bindLoopback(port));
    return port;
}

} // namespace gks
