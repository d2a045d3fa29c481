// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/program.h"

#include "core/judge/planner/capture/interface.h"
#include "core/judge/planner/protocol.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <vector>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace gks::planner {
namespace {

using Json = nlohmann::json;

constexpr std::size_t rangeLimit = 128;
constexpr std::size_t alternateStackBytes = std::size_t{64} << 10;
constexpr std::size_t problemLimitBytes = 1024;
constexpr std::size_t pageBytes = 4096;
constexpr std::size_t clearedStackBytes = std::size_t{256} << 10;
constexpr std::size_t clockStackBytes = std::size_t{8} << 10; // more than reading a clock takes

bool writeAll(const char* at, std::size_t left) {
    while (left > 0) {
        const ssize_t written = ::write(channelDescriptor, at, left);
        if (written <= 0 && errno != EINTR) {
            return false;
        }
        at += std::max<ssize_t>(written, 0);
        left -= static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    return true;
}

bool readAll(char* at, std::size_t left) {
    while (left > 0) {
        const ssize_t got = ::read(channelDescriptor, at, left);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        at += std::max<ssize_t>(got, 0);
        left -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return true;
}

bool answer(const char* text, std::size_t bytes) {
    std::array<char, lengthBytes> length{};
    const auto value = static_cast<std::uint32_t>(bytes);
    std::memcpy(length.data(), &value, lengthBytes);
    return writeAll(length.data(), lengthBytes) && writeAll(text, bytes);
}

bool answer(const Json& json) {
    const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    return answer(text.data(), text.size());
}

[[noreturn]] void endWith(const Json& json) {
    answer(json);
    ::_exit(0); // without the candidate's destructors
}

std::string hexadecimal(std::uint64_t value) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
    return text.data();
}

void refused(const capture::Refusal& refusal) {
    endWith({{"refused",
              {{"function", refusal.function},
               {"what", refusal.what},
               {"next", refusal.next},
               {"place", hexadecimal(refusal.place)}}}});
}

// What the handler of signals needs, without an allocation.
struct Reserved {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    std::array<char, 64> name{};
};
std::array<Reserved, rangeLimit> reserved;
volatile std::size_t reservedCount = 0;
const void* moduleBase = nullptr;

std::uint64_t offsetInModule(void* address) {
    Dl_info info = {};
    return ::dladdr(address, &info) != 0 && info.dli_fbase == moduleBase
               ? static_cast<std::uint64_t>(static_cast<char*>(address) - static_cast<char*>(info.dli_fbase))
               : 0;
}

// The instruction itself where it lies in the module, or the innermost call that does; from the module's start.
std::uint64_t placeInModule(const ucontext_t& interrupted) {
    if (const std::uint64_t offset = offsetInModule(reinterpret_cast<void*>(interrupted.uc_mcontext.gregs[REG_RIP]))) {
        return offset;
    }
    std::array<void*, 64> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 0; i < count; ++i) {
        if (const std::uint64_t offset = offsetInModule(frames[static_cast<std::size_t>(i)])) {
            return offset - 1; // of the call, not of what comes after it
        }
    }
    return 0;
}

void onSignal(int signal, siginfo_t* info, void* interrupted) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    const char* touched = "";
    for (std::size_t i = 0; i < reservedCount; ++i) {
        if (address - reserved[i].begin < reserved[i].bytes) {
            touched = reserved[i].name.data();
        }
    }
    std::array<char, 512> text{};
    const int bytes = std::snprintf(
        text.data(), text.size(), R"({"fault":{"signal":%d,"address":"0x%llx","touched":"%s","place":"0x%llx"}})",
        signal, static_cast<unsigned long long>(address), touched,
        static_cast<unsigned long long>(placeInModule(*static_cast<const ucontext_t*>(interrupted))));
    if (bytes > 0 && static_cast<std::size_t>(bytes) < text.size()) {
        answer(text.data(), static_cast<std::size_t>(bytes));
    }
    ::_exit(0);
}

void watchSignals() {
    static std::array<char, alternateStackBytes> stack;
    const stack_t alternate = {stack.data(), 0, stack.size()};
    ::sigaltstack(&alternate, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
        ::sigaction(signal, &action, nullptr);
    }
    std::array<void*, 1> frame{};
    ::backtrace(frame.data(), 1); // loads what it needs now
}

std::uint64_t numberIn(const Json& json) {
    const auto text = json.get<std::string>();
    std::uint64_t value = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), value, 16); // "0x..."
    return value;
}

// Bytes between the fields of a structure are whatever lies on the stack: the same before every call.
template<std::size_t bytes>
__attribute__((noinline)) void clearStack() {
    std::array<char, bytes> below;
    ::explicit_bzero(below.data(), below.size());
}

class Session {
public:
    Session(const char* captureLibrary, const char* module) : m_captureLibrary(captureLibrary), m_module(module) {}

    Json obey(const Json& request) {
        const auto verb = request.at("verb").get<std::string>();
        if (verb == "begin") {
            begin(request);
            return {{"ready", true}};
        }
        if (verb == "load") {
            load();
            return {{"loaded", true}};
        }
        readProblem(request.at("problem").get<std::string>());
        if (verb == "workspace") {
            return {{"workspace_bytes", m_workspaceBytes != nullptr ? m_workspaceBytes(m_problem.data()) : 0}};
        }
        return plan(request);
    }

private:
    using Solve = int (*)(const void* problem, void* workspace, void* stream);
    using WorkspaceBytes = std::size_t (*)(const void* problem);

    void begin(const Json& request) {
        // For all to see: the module leaves the host interface open.
        void* const library = ::dlopen(m_captureLibrary, RTLD_NOW | RTLD_GLOBAL);
        m_capture =
            library != nullptr ? static_cast<const capture::Interface*>(::dlsym(library, "gksCapture")) : nullptr;
        if (m_capture == nullptr) {
            std::fprintf(stderr, "the capture library cannot be loaded: %s\n", ::dlerror());
            ::_exit(3);
        }
        const std::string facts = request.at("facts").dump();
        const std::string device = request.at("device").dump();
        if (!m_capture->begin({facts.c_str(), device.c_str(), refused})) {
            std::fputs("what is known of module and device cannot be read\n", stderr);
            ::_exit(3);
        }
        watchSignals();
    }

    void load() {
        // A function that nobody has is missed when it is called.
        void* const handle = ::dlopen(m_module, RTLD_LAZY | RTLD_LOCAL);
        if (handle == nullptr) {
            const char* const text = ::dlerror();
            endWith({{"failed", text != nullptr ? text : "cannot be loaded"}});
        }
        m_solve = reinterpret_cast<Solve>(::dlsym(handle, "solve"));
        m_workspaceBytes = reinterpret_cast<WorkspaceBytes>(::dlsym(handle, "workspace_bytes"));
        if (m_solve == nullptr) {
            endWith({{"failed", "missing function extern \"C\" hipError_t solve(const Problem&, void*, hipStream_t)"}});
        }
        Dl_info info = {};
        if (::dladdr(reinterpret_cast<void*>(m_solve), &info) != 0) {
            moduleBase = info.dli_fbase;
        }
    }

    void readProblem(const std::string& text) {
        m_problem.fill(0);
        for (std::size_t i = 0; 2 * i + 1 < text.size() && i < m_problem.size(); ++i) {
            std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, m_problem[i], 16);
        }
    }

    // Nothing of the host may come to lie at a buffer's address, and touching it there ends the process.
    void reserve(const std::string& name, std::uint64_t begin, std::uint64_t bytes) {
        if (bytes == 0 || reservedCount == reserved.size()) {
            return;
        }
        const std::uint64_t first = begin / pageBytes * pageBytes;
        const std::uint64_t size = (begin + bytes - first + pageBytes - 1) / pageBytes * pageBytes;
        void* const wanted = reinterpret_cast<void*>(first);
        void* const got =
            ::mmap(wanted, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got != wanted) {
            endWith({{"collision", name}});
        }
        m_mappings.emplace_back(got, size);
        Reserved& range = reserved[reservedCount];
        range = {begin, bytes, {}};
        name.copy(range.name.data(), range.name.size() - 1);
        reservedCount = reservedCount + 1;
    }

    void release() {
        reservedCount = 0;
        for (const auto& [at, bytes] : m_mappings) {
            ::munmap(at, bytes);
        }
        m_mappings.clear();
    }

    Json plan(const Json& request) {
        const Json& addresses = request.at("addresses");
        for (const Json& tensor : addresses.at("tensors")) {
            reserve(tensor.at("name").get<std::string>(), numberIn(tensor.at("address")),
                    tensor.at("bytes").get<std::uint64_t>());
        }
        const std::uint64_t workspace = numberIn(addresses.at("workspace"));
        reserve("workspace", workspace, addresses.at("workspace_bytes").get<std::uint64_t>());
        const std::string text = addresses.dump();
        Json result = {{"calls", Json::array()}};
        for (int i = 0; i < calls; ++i) {
            result["calls"].push_back(call(text, workspace));
        }
        release();
        return result;
    }

    Json call(const std::string& addresses, std::uint64_t workspace) {
        if (!m_capture->beginCall(addresses.c_str())) {
            std::fputs("the addresses cannot be read\n", stderr);
            ::_exit(3);
        }
        m_capture->takeLastError();
        auto problem = m_problem; // what one call does to it the next does not see
        clearStack<clearedStackBytes>();
        const auto start = std::chrono::steady_clock::now();
        clearStack<clockStackBytes>();
        const int returned = m_solve(problem.data(), reinterpret_cast<void*>(workspace), m_capture->stream);
        const std::chrono::duration<double, std::micro> us = std::chrono::steady_clock::now() - start;
        const int last = m_capture->takeLastError();
        const int status = returned != 0 ? returned : last;
        std::uint64_t waits = 0;
        const char* const plan = m_capture->endCall(&waits);
        return {{"status", status},
                {"error", m_capture->errorName(status)},
                {"solve_us", us.count()},
                {"waits", waits},
                {"plan", Json::parse(plan)}};
    }

    const char* m_captureLibrary;
    const char* m_module;
    const capture::Interface* m_capture = nullptr;
    Solve m_solve = nullptr;
    WorkspaceBytes m_workspaceBytes = nullptr;
    alignas(16) std::array<std::uint8_t, problemLimitBytes> m_problem{};
    std::vector<std::pair<void*, std::size_t>> m_mappings;
};

} // namespace

int run(const char* captureLibrary, const char* module) {
    // What a candidate prints is no answer; its last words on stderr are kept as far as there is room for them.
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(nowhere, STDOUT_FILENO);
    ::fcntl(STDERR_FILENO, F_SETFL, ::fcntl(STDERR_FILENO, F_GETFL) | O_NONBLOCK);
    Session session(captureLibrary, module);
    std::array<char, lengthBytes> head{};
    std::string text;
    while (readAll(head.data(), head.size())) {
        std::uint32_t length = 0;
        std::memcpy(&length, head.data(), lengthBytes);
        text.resize(std::min<std::size_t>(length, requestLimitBytes));
        if (!readAll(text.data(), text.size()) || !answer(session.obey(Json::parse(text)))) {
            break;
        }
    }
    ::_exit(0);
}

} // namespace gks::planner
