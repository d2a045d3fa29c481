// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/oracle/program.h"

#include "core/judge/oracle/protocol.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <sys/mman.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gks::oracle {
namespace {

using ReferenceFunction = void (*)(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin,
                                   std::int64_t end, double* expected);

// Threads that stay: to start them for every request would cost more than a slice at a single position.
class Team {
public:
    using Work = std::function<void(std::size_t)>;

    // work(0) ... work(count - 1), each thread taking `grain` of them at a time; returns when all are done.
    void run(std::size_t count, std::size_t grain, const Work& work) {
        m_count = count;
        m_grain = std::max<std::size_t>(1, grain);
        m_work = &work;
        m_next = 0;
        if (count > m_grain && startThreads()) {
            std::unique_lock lock(m_mutex);
            m_busy = m_started;
            ++m_round;
            lock.unlock();
            m_changed.notify_all();
            drain();
            lock.lock();
            m_done.wait(lock, [this] { return m_busy == 0; });
        } else {
            drain();
        }
    }

private:
    // As many as there are processors beside this one; fewer where the system gives no more.
    bool startThreads() {
        try {
            for (; m_started + 1 < std::max(1U, std::thread::hardware_concurrency()); ++m_started) {
                std::thread([this, seen = m_round] { serve(seen); }).detach();
            }
        } catch (const std::system_error&) {
            return m_started > 0;
        }
        return m_started > 0;
    }

    void serve(std::uint64_t seen) {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [&] { return m_round != seen; });
            seen = m_round;
            lock.unlock();
            drain();
            lock.lock();
            if (--m_busy == 0) {
                m_done.notify_one();
            }
        }
    }

    void drain() {
        for (std::size_t at = m_next.fetch_add(m_grain); at < m_count; at = m_next.fetch_add(m_grain)) {
            for (std::size_t i = at; i < std::min(m_count, at + m_grain); ++i) {
                (*m_work)(i);
            }
        }
    }

    std::mutex m_mutex; // guards m_round and m_busy
    std::condition_variable m_changed;
    std::condition_variable m_done;
    std::uint64_t m_round = 0;
    std::size_t m_busy = 0;
    std::size_t m_started = 0;
    std::size_t m_count = 0; // these are set while no thread works
    std::size_t m_grain = 1;
    const Work* m_work = nullptr;
    std::atomic<std::size_t> m_next = 0;
};

void fail(Reply& reply, Failure failure, const char* text) {
    reply.failure = failure;
    std::snprintf(reply.text.data(), reply.text.size(), "%s", text);
}

template<class T>
std::span<T> mapped(int descriptor, std::size_t count, int protection) {
    void* at = ::mmap(nullptr, count * sizeof(T), protection, MAP_SHARED, descriptor, 0);
    return at == MAP_FAILED ? std::span<T>() : std::span<T>(static_cast<T*>(at), count);
}

class Session {
public:
    explicit Session(const char* library) : m_library(library) {}

    bool open() {
        m_questions = mapped<const Slice>(questionDescriptor, sliceLimit, PROT_READ);
        m_answers = mapped<double>(answerDescriptor, valueLimit, PROT_READ | PROT_WRITE);
        return !m_questions.empty() && !m_answers.empty();
    }

    // `inputs` is a descriptor, or -1.
    void obey(const Request& request, int inputs, Reply& reply) {
        switch (request.verb) {
        case Verb::load:
            load(reply);
            break;
        case Verb::open:
            openCase(request, inputs, reply);
            break;
        case Verb::answer:
            answer(request, reply);
            break;
        case Verb::close:
            if (const auto found = m_cases.find(request.number); found != m_cases.end()) {
                ::munmap(found->second.memory, found->second.bytes);
                m_cases.erase(found);
            }
            break;
        default:
            fail(reply, Failure::protocol, "unknown request");
        }
    }

private:
    struct Case {
        void* memory = nullptr;
        std::size_t bytes = 0;
        std::array<std::int64_t, dimLimit> dims = {};
        std::vector<const void*> tensors;

        const std::byte* begin() const { return static_cast<const std::byte*>(memory); }
    };

    void load(Reply& reply) {
        void* handle = ::dlopen(m_library, RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            const char* text = ::dlerror();
            fail(reply, Failure::load, text != nullptr ? text : "unknown error of the dynamic loader");
            return;
        }
        m_reference = reinterpret_cast<ReferenceFunction>(::dlsym(handle, "reference"));
        m_magnitude = reinterpret_cast<ReferenceFunction>(::dlsym(handle, "magnitude"));
        m_newInputs = reinterpret_cast<void (*)()>(::dlsym(handle, "new_inputs"));
        if (m_reference == nullptr) {
            fail(reply, Failure::load, "it missing extern \"C\" void reference(...)");
        }
    }

    void openCase(const Request& request, int inputs, Reply& reply) {
        Case opened;
        opened.bytes = request.inputBytes;
        opened.dims = request.dims;
        opened.memory = request.tensorCount <= tensorLimit && inputs >= 0
                            ? ::mmap(nullptr, opened.bytes, PROT_READ, MAP_SHARED, inputs, 0)
                            : MAP_FAILED;
        if (opened.memory == MAP_FAILED) {
            fail(reply, Failure::memory, std::strerror(errno));
            return;
        }
        for (std::size_t i = 0; i < request.tensorCount; ++i) {
            const std::uint64_t offset = request.offsets[i];
            opened.tensors.push_back(offset < opened.bytes ? opened.begin() + offset : nullptr);
        }
        m_cases[request.number] = std::move(opened);
    }

    void answer(const Request& request, Reply& reply) {
        const auto found = m_cases.find(request.number);
        const ReferenceFunction function = request.magnitudes != 0 ? m_magnitude : m_reference;
        if (request.magnitudes != 0 && m_magnitude == nullptr) {
            fail(reply, Failure::load,
                 "it does not define extern \"C\" void magnitude(...), which the tolerance asks for");
            return;
        }
        if (function == nullptr || found == m_cases.end() || request.sliceCount > m_questions.size()) {
            fail(reply, Failure::protocol, "no such case");
            return;
        }
        const Case& asked = found->second;
        const auto slices = m_questions.first(request.sliceCount);
        for (const Slice& slice : slices) {
            const auto values = static_cast<std::uint64_t>(slice.end - slice.begin);
            if (slice.begin > slice.end || values > m_answers.size() || slice.at > m_answers.size() - values) {
                fail(reply, Failure::protocol, "more than can be answered");
                return;
            }
            reply.answered += values;
        }
        std::array<const void*, tensorLimit> tensors = {};
        for (std::size_t i = 0; i < asked.tensors.size(); ++i) {
            const auto* const begin = static_cast<const std::byte*>(asked.tensors[i]);
            const auto left = begin == nullptr ? 0 : asked.bytes - static_cast<std::size_t>(begin - asked.begin());
            if (begin != nullptr && request.offsets[i] >= left) {
                fail(reply, Failure::protocol, "a tensor begins outside of the inputs");
                return;
            }
            tensors[i] = begin == nullptr ? nullptr : begin + request.offsets[i];
        }
        if (m_newInputs != nullptr) {
            m_newInputs(); // within one request they stay as they are
        }
        m_team.run(slices.size(), request.grain, [&](std::size_t i) {
            const Slice& slice = slices[i];
            function(tensors.data(), asked.dims.data(), static_cast<int>(request.output), slice.begin, slice.end,
                     m_answers.data() + slice.at);
        });
    }

    const char* m_library;
    ReferenceFunction m_reference = nullptr;
    ReferenceFunction m_magnitude = nullptr; // null: the pack's tolerance does not follow it
    void (*m_newInputs)() = nullptr;         // null: the reference keeps nothing between calls
    std::map<std::uint32_t, Case> m_cases;
    std::span<const Slice> m_questions;
    std::span<double> m_answers;
    Team m_team;
};

// The next request and the descriptor that came with it; false at the end.
bool receive(Request& request, int& descriptor) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    iovec piece = {&request, sizeof request};
    msghdr message = {};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t got = -1;
    do {
        got = ::recvmsg(channelDescriptor, &message, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    descriptor = -1;
    const cmsghdr* header = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    }
    return got == static_cast<ssize_t>(sizeof request);
}

} // namespace

int run(const char* library) {
    // What a reference prints is kept for as long as there is room for it, and nobody waits until there is.
    ::fcntl(STDERR_FILENO, F_SETFL, ::fcntl(STDERR_FILENO, F_GETFL) | O_NONBLOCK);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    Session session(library);
    if (!session.open()) {
        std::fputs("the shared memory cannot be mapped\n", stderr);
        return 3;
    }
    Request request;
    for (int inputs = -1; receive(request, inputs);) {
        Reply reply;
        reply.sequence = request.sequence;
        session.obey(request, inputs, reply);
        if (inputs >= 0) {
            ::close(inputs);
        }
        if (::send(channelDescriptor, &reply, sizeof reply, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof reply)) {
            break;
        }
    }
    std::fflush(stdout);
    ::_exit(0); // without the reference's destructors: nothing that it still wants to do matters
}

} // namespace gks::oracle
