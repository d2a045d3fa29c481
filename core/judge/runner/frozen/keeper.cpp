// SPDX-License-Identifier: GPL-3.0-or-later
// Device code of the cpu target is native code. Its process could say "done" and go on, so it stands still except
// within a call, and a call ends when it stands still.
//
// Only a parent learns when a process has stopped, all its threads, and behind the wall the evaluator is nobody's
// parent: a guard and bubblewrap lie between. So the process in the wall that the evaluator talks to is this one. It
// holds no device code and maps no tensor; its child does. The child cannot reach it: its system calls are those of
// allowOnlyWork(), and the channel to the evaluator was closed before anything of the candidate was loaded.
//   SIGCONT, one byte to the child, one byte back, SIGSTOP, waitid(): the clock runs over all of that.
#include "core/judge/runner/frozen/keeper.h"

#include "core/judge/runner/frozen/device_process.h"
#include "core/judge/runner/frozen/protocol.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gks::frozen {
namespace {

constexpr std::uint64_t openingLimitBytes = std::uint64_t{16} << 20;

bool writeAll(int descriptor, const void* from, std::size_t bytes) {
    const auto* at = static_cast<const char*>(from);
    while (bytes > 0) {
        const ssize_t put = ::write(descriptor, at, bytes);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        at += std::max<ssize_t>(put, 0);
        bytes -= static_cast<std::size_t>(std::max<ssize_t>(put, 0));
    }
    return true;
}

// Shared with the child, which fills it.
hipcpu::ReadNotes* sharedNotes() {
    void* const memory =
        ::mmap(nullptr, sizeof(hipcpu::ReadNotes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : new (memory) hipcpu::ReadNotes;
}

bool readAll(int descriptor, void* into, std::size_t bytes) {
    auto* to = static_cast<char*>(into);
    while (bytes > 0) {
        const ssize_t got = ::read(descriptor, to, bytes);
        if (got > 0) {
            to += got;
            bytes -= static_cast<std::size_t>(got);
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

std::int64_t nowNs() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void closeEnd(int& descriptor) {
    if (descriptor >= 0) {
        ::close(std::exchange(descriptor, -1));
    }
}

void say(Reply& reply, const std::string& text) {
    text.copy(reply.text.data(), reply.text.size() - 1);
}

class Keeper {
public:
    ~Keeper() { end(); }

    void open(const std::string& text, Reply& reply) {
        end();
        const auto opening = openingFromText(text);
        if (!opening) {
            refuse(reply, opening.error().message());
            return;
        }
        std::array<int, 2> go = {-1, -1};
        std::array<int, 2> done = {-1, -1};
        const pid_t self = ::getpid();
        if (m_notes == nullptr || ::pipe(go.data()) != 0 || ::pipe(done.data()) != 0 || (m_child = ::fork()) < 0) {
            refuse(reply, std::string("no process for the device code: ") + std::strerror(errno));
            return;
        }
        if (m_child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (const int descriptor : {channelDescriptor, go[1], done[0]}) {
                ::close(descriptor);
            }
            if (::getppid() == self) {
                liveAsDevice(*opening, go[0], done[1], *m_notes);
            }
            ::_exit(1);
        }
        ::close(go[0]);
        ::close(done[1]);
        m_go = go[1];
        m_done = done[0];
        char said = failed;
        if (!readAll(m_done, &said, 1)) {
            tellEnd(reply);
        } else if (said == ready) {
            freeze(reply);
        } else {
            std::string why(reply.text.size(), '\0');
            const ssize_t got = ::read(m_done, why.data(), why.size());
            refuse(reply, why.substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0))));
            end();
        }
    }

    void call(Which which, Reply& reply) {
        if (m_child <= 0) {
            refuse(reply, "there is no process with device code");
            return;
        }
        m_notes->count = 0;
        if (::write(m_go, &which, 1) != 1) {
            tellEnd(reply);
            return;
        }
        const std::int64_t begin = nowNs();
        signal(SIGCONT);
        char said = 0;
        if (readAll(m_done, &said, 1)) {
            freeze(reply);
        } else {
            tellEnd(reply);
        }
        reply.nanoseconds = nowNs() - begin;
    }

    // What the child has noted in a call, which stands still now or is gone.
    std::vector<hipcpu::ReadNote> reads() const {
        const std::uint32_t count = std::min(m_notes == nullptr ? 0U : m_notes->count.load(), hipcpu::ReadNotes::limit);
        return count == 0 ? std::vector<hipcpu::ReadNote>()
                          : std::vector<hipcpu::ReadNote>(m_notes->notes.begin(), m_notes->notes.begin() + count);
    }

private:
    static void refuse(Reply& reply, const std::string& text) {
        reply.outcome = Outcome::refused;
        say(reply, text);
    }

    // To one thread: stopping, going on and ending concern them all. (The wall lets no other call send a signal.)
    void signal(int number) const { ::syscall(SYS_tgkill, m_child, m_child, number); }

    void freeze(Reply& reply) {
        signal(SIGSTOP);
        tellEnd(reply);
    }

    // Until the child has stopped or has ended.
    void tellEnd(Reply& reply) {
        siginfo_t info = {};
        while (::waitid(P_PID, static_cast<id_t>(m_child), &info, WSTOPPED | WEXITED) != 0) {
            if (errno != EINTR) {
                info.si_code = CLD_EXITED;
                break;
            }
        }
        if (info.si_code == CLD_STOPPED) {
            return;
        }
        reply.outcome = Outcome::ended;
        (info.si_code == CLD_EXITED ? reply.status : reply.signal) = info.si_status;
        m_child = -1;
        end();
    }

    // SIGKILL is not for this side of the wall to send. The child has no handler of SIGTERM and cannot get one any
    // more.
    void end() {
        closeEnd(m_go);
        closeEnd(m_done);
        if (m_child > 0) {
            signal(SIGTERM);
            signal(SIGCONT);
            while (::waitpid(m_child, nullptr, 0) < 0 && errno == EINTR) {
            }
        }
        m_child = -1;
    }

    hipcpu::ReadNotes* const m_notes = sharedNotes();
    pid_t m_child = -1;
    int m_go = -1;
    int m_done = -1;
};

} // namespace

int keep() {
    ::signal(SIGPIPE, SIG_IGN);
    Keeper keeper;
    Command command;
    while (readAll(channelDescriptor, &command, sizeof command) && command.verb != Verb::quit) {
        Reply reply;
        reply.sequence = command.sequence;
        std::string text(std::min(command.textBytes, openingLimitBytes), '\0');
        if (!readAll(channelDescriptor, text.data(), text.size())) {
            break;
        }
        std::vector<hipcpu::ReadNote> reads;
        if (command.verb == Verb::open) {
            keeper.open(text, reply);
        } else {
            keeper.call(command.which, reply);
            reads = keeper.reads();
        }
        reply.readCount = static_cast<std::uint32_t>(reads.size());
        if (!writeAll(channelDescriptor, &reply, sizeof reply) ||
            !writeAll(channelDescriptor, reads.data(), reads.size() * sizeof(hipcpu::ReadNote))) {
            break;
        }
    }
    return 0;
}

} // namespace gks::frozen
