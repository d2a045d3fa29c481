// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupts.h"

#include "app/cli/command.h"
#include "app/cli/output.h"

#include <array>
#include <chrono>
#include <ctime>
#include <future>
#include <poll.h>
#include <unistd.h>

namespace gks::cli {
namespace {

using Clock = std::chrono::steady_clock;

// From the signal to the end, two seconds are promised. A cancelled evaluation takes 1.4 of them at most.
constexpr std::chrono::milliseconds patience(1600);
constexpr std::chrono::milliseconds lastActTime(350);
constexpr timespec slice = {0, 20'000'000};

// A pipe that nobody reads must not hold up the end.
void sayIfHeard(std::string_view text) {
    pollfd where = {STDERR_FILENO, POLLOUT, 0};
    if (::poll(&where, 1, 0) == 1 && (where.revents & POLLOUT) != 0) {
        note("{}", text);
    }
}

} // namespace

Interrupts::Interrupts(LastAct lastAct, std::string_view said) : m_lastAct(std::move(lastAct)), m_said(said) {
    sigemptyset(&m_signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction known = {};
        if (::sigaction(signal, nullptr, &known) == 0 && known.sa_handler != SIG_IGN) {
            sigaddset(&m_signals, signal);
        }
    }
    ::pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_thread = std::jthread([this](const std::stop_token& end) { watch(end); });
}

Interrupts::~Interrupts() {
    m_thread.request_stop();
    m_thread.join();
    ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void Interrupts::watch(const std::stop_token& end) {
    while (!end.stop_requested() && ::sigtimedwait(&m_signals, nullptr, &slice) < 0) {
    }
    if (end.stop_requested()) {
        return;
    }
    const auto deadline = Clock::now() + patience;
    m_interrupted.request_stop();
    sayIfHeard(m_said + "\n");
    ::pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr);
    while (!end.stop_requested()) {
        if (Clock::now() > deadline) {
            endNow(end);
            return;
        }
        ::nanosleep(&slice, nullptr);
    }
}

// Returns when the program has come to its end meanwhile.
void Interrupts::endNow(const std::stop_token& end) const {
    std::future<std::string> act;
    std::string said;
    if (m_lastAct.act) {
        act = std::async(std::launch::async, m_lastAct.act);
        said = act.wait_for(lastActTime) == std::future_status::ready ? act.get() : m_lastAct.unfinished;
    }
    if (end.stop_requested()) {
        return;
    }
    sayIfHeard("ended without waiting any longer\n");
    if (!said.empty()) {
        sayIfHeard(said + "\n");
    }
    ::_exit(infrastructureFailed);
}

} // namespace gks::cli
