// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ssh_server.h"

#include "tests/support/completed.h"
#include "tests/support/process_table.h"

#include <QElapsedTimer>
#include <arpa/inet.h>
#include <csignal>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gks::test {
namespace {

namespace fs = std::filesystem;
constexpr const char* sshd = "/usr/sbin/sshd"; // it wants its full name
constexpr int listenPatienceMs = 20'000;

sockaddr_in loopback(int port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int freePort() {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(probe, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        qFatal("no free port");
    }
    ::close(probe);
    return ntohs(address.sin_port);
}

bool isListening(int port) {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const bool isThere = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(probe);
    return isThere;
}

void mustWrite(const fs::path& path, const std::string& text) {
    if (!writeFileAtomically(path, text)) {
        qFatal("cannot write %s", path.c_str());
    }
}

} // namespace

std::unique_ptr<SshServer> SshServer::start() {
    if (!fs::exists(sshd) || !findProgram("ssh")) {
        return nullptr;
    }
    auto server = std::unique_ptr<SshServer>(new SshServer(TemporaryDirectory::create("gks-sshd").value()));
    server->prepare();
    server->listen();
    return server;
}

void SshServer::prepare() {
    const fs::path& folder = m_folder.path();
    m_port = freePort();
    for (const char* key : {"host", "user"}) {
        completed({.arguments = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", (folder / key).string()}});
    }
    fs::copy_file(folder / "user.pub", folder / "authorized");
    fs::create_directory(cache());
    if (::geteuid() == 0) {
        fs::create_directories("/run/sshd"); // where it puts its unprivileged half
    }
    mustWrite(
        folder / "sshd_config",
        fmt::format("Port {}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\n"
                    "StrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\nMaxStartups 100\n"
                    "SetEnv XDG_CACHE_HOME={}\n",
                    m_port, (folder / "host").string(), (folder / "authorized").string(), cache().string()));
    mustWrite(folder / "ssh_config",
              fmt::format("Host node*\n  HostName 127.0.0.1\n  Port {}\n  IdentityFile {}\n  IdentitiesOnly yes\n"
                          "  UserKnownHostsFile {}\n  HostKeyAlias lanes\n",
                          m_port, (folder / "user").string(), (folder / "known").string()));
    mustWrite(folder / "ssh", fmt::format("#!/bin/sh\nexec ssh -F {} \"$@\"\n", (folder / "ssh_config").string()));
    fs::permissions(folder / "ssh", fs::perms::owner_all);
    ::setenv("GKS_SSH", (folder / "ssh").c_str(), 1);
    knowItsKey(true);
}

void SshServer::knowItsKey(bool isKnown) {
    const fs::path& folder = m_folder.path();
    mustWrite(folder / "known", isKnown ? "lanes " + readFile(folder / "host.pub").value() : std::string());
}

void SshServer::listen() {
    m_keeper = std::jthread([this](const std::stop_token& stop) {
        m_server.emplace(
            ChildProcess::start({.arguments = {sshd, "-D", "-q", "-f", (m_folder.path() / "sshd_config").string()}})
                .value());
        while (!stop.stop_requested()) {
            m_server->wait(std::chrono::milliseconds(100), stop);
        }
    });
    QElapsedTimer timer;
    timer.start();
    while (!isListening(m_port)) {
        if (timer.elapsed() > listenPatienceMs) {
            qFatal("sshd does not listen");
        }
        ::usleep(10'000);
    }
}

void SshServer::cut() {
    for (const int session : descendants(m_server->pid(), "sshd:")) { // as sessions call themselves
        ::kill(session, SIGKILL);
    }
}

void SshServer::stop() {
    cut();
    m_keeper = {};
    m_server.reset();
}

SshServer::~SshServer() {
    stop();
    ::unsetenv("GKS_SSH");
}

} // namespace gks::test
