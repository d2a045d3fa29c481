// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/end_signal.h"

#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace gks {

namespace {

std::array<int, 2> pipeEnds = {-1, -1};

// All that may be done inside a signal handler: wake the event loop.
extern "C" void wake(int) {
    const int error = errno;
    [[maybe_unused]] const ssize_t put = ::write(pipeEnds[1], "", 1);
    errno = error;
}

} // namespace

EndSignal::EndSignal(QObject* parent) : QObject(parent) {
    if (::pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return; // the process ends at once then, as without this
    }
    auto* reader = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(reader, &QSocketNotifier::activated, this, [this] {
        std::array<char, 16> bytes{};
        [[maybe_unused]] const ssize_t got = ::read(pipeEnds[0], bytes.data(), bytes.size());
        Q_EMIT asked();
    });
    struct sigaction action = {};
    action.sa_handler = wake;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGTERM, &action, nullptr);
}

EndSignal::~EndSignal() {
    std::signal(SIGTERM, SIG_DFL);
    for (int& end : pipeEnds) {
        ::close(std::exchange(end, -1));
    }
}

} // namespace gks
