// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/runner_program.h"

#include "core/judge/runner/runner_buffers.h"

#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <new>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace gks::runner {
namespace {

// The table of the library's functions, in a page that nobody can write to any more: a candidate that finds it must not
// be able to put a synchronise that does not wait there. Null when the system has no page.
const DeviceLibrary* sealed(const DeviceLibrary& library) {
    static_assert(std::is_trivially_copyable_v<DeviceLibrary> && sizeof(DeviceLibrary) <= 4096);
    void* page = ::mmap(nullptr, sizeof library, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return nullptr;
    }
    const auto* copy = new (page) DeviceLibrary(library);
    return ::mprotect(page, sizeof library, PROT_READ) == 0 ? copy : nullptr;
}

bool readAll(int descriptor, void* into, std::size_t sizeBytes) {
    auto* at = static_cast<char*>(into);
    while (sizeBytes > 0) {
        const ssize_t got = ::read(descriptor, at, sizeBytes);
        if (got > 0) {
            at += got;
            sizeBytes -= static_cast<std::size_t>(got);
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

// Everything between the first and the last command.
class Session {
public:
    Session(const DeviceLibrary& library, std::string candidate)
        : m_library(library), m_candidate(std::move(candidate)), m_buffers(library) {}

    bool open(std::string& error) {
        DeviceLibrary::Status status = m_library.createStream(m_stream);
        status = status != 0 ? status : m_library.createEvent(m_start);
        status = status != 0 ? status : m_library.createEvent(m_stop);
        if (status != 0) {
            error = m_library.errorText(status);
            return false;
        }
        m_library.forbidPersistingCache();
        if (!m_buffers.open(m_stream)) {
            error = "the shared memory cannot be mapped";
            return false;
        }
        return true;
    }

    void obey(const Command& command, Reply& reply) {
        switch (command.verb) {
        case Verb::pin:
            m_buffers.pinSegments();
            break;
        case Verb::load:
            load(reply);
            break;
        case Verb::shape:
            setShape(command, reply);
            break;
        case Verb::values:
            m_buffers.bringValues(reply);
            break;
        case Verb::prepare:
            m_buffers.prepare(command, reply);
            break;
        case Verb::call:
            call(command, reply);
            break;
        case Verb::download:
            m_buffers.download(reply);
            break;
        case Verb::snapshot:
            m_buffers.snapshot(reply);
            break;
        case Verb::quit:
            break;
        default:
            fail(reply, Failure::protocol, "unknown command");
        }
    }

private:
    using Solve = int (*)(const void* problem, void* workspace, void* stream);
    using WorkspaceBytes = std::size_t (*)(const void* problem);

    void load(Reply& reply) {
        void* handle = ::dlopen(m_candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            const char* text = ::dlerror();
            fail(reply, Failure::load, text != nullptr ? text : "cannot be loaded");
            return;
        }
        m_solve = reinterpret_cast<Solve>(::dlsym(handle, "solve"));
        m_workspaceBytes = reinterpret_cast<WorkspaceBytes>(::dlsym(handle, "workspace_bytes"));
        if (m_solve == nullptr) {
            fail(reply, Failure::load,
                 "there is no function extern \"C\" hipError_t solve(const Problem&, void*, hipStream_t)");
        }
    }

    void setShape(const Command& command, Reply& reply) {
        m_buffers.setShape(command, reply);
        if (reply.failure != Failure::none) {
            return;
        }
        const std::size_t wanted = m_workspaceBytes != nullptr ? m_workspaceBytes(m_buffers.problem()) : 0;
        reply.workspaceBytes = wanted;
        if (wanted > command.workspaceLimitBytes) {
            fail(reply, Failure::workspace, "workspace_bytes() asked for " + std::to_string(wanted) + " bytes");
            return;
        }
        m_buffers.allocateWorkspace(wanted, reply);
    }

    void call(const Command& command, Reply& reply) {
        const void* const problem = m_buffers.problem();
        m_library.takeLastError();
        if (command.flushOnDevice != 0) {
            m_buffers.flushInStream(command, reply);
        }
        const double processorBeforeUs = m_library.processorUs();
        check(m_library, reply, m_library.record(m_start, m_stream), "event");
        const double hostCodeBeforeUs = m_library.hostCodeUs();
        const DeviceLibrary::Status returned =
            m_solve != nullptr ? m_solve(problem, m_buffers.workspace(), m_stream) : 0;
        reply.hostCodeUs = m_library.hostCodeUs() - hostCodeBeforeUs;
        const DeviceLibrary::Status recorded = m_library.record(m_stop, m_stream);
        const DeviceLibrary::Status synchronised = m_library.synchronize();
        reply.processorUs = m_library.processorUs() - processorBeforeUs;
        const DeviceLibrary::Status last = m_library.takeLastError();
        if (returned != 0 || synchronised != 0 || last != 0) {
            const bool fault = synchronised != 0 && returned == 0;
            reply.status = returned != 0 ? returned : synchronised != 0 ? synchronised : last;
            fail(reply, fault ? Failure::deviceFault : Failure::kernelError, m_library.errorText(reply.status));
            return;
        }
        check(m_library, reply, recorded, "event");
        float milliseconds = 0;
        check(m_library, reply, m_library.elapsed(milliseconds, m_start, m_stop), "event");
        reply.eventUs = static_cast<double>(milliseconds) * 1000;
        m_library.takeReadReports(reply.reads.data(), reply.reads.size());
    }

    const DeviceLibrary& m_library;
    std::string m_candidate;
    DeviceLibrary::Stream m_stream = nullptr;
    DeviceLibrary::Event m_start = nullptr;
    DeviceLibrary::Event m_stop = nullptr;
    Solve m_solve = nullptr;
    WorkspaceBytes m_workspaceBytes = nullptr;
    Buffers m_buffers;
};

std::string jsonText(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return quoted + "\"";
}

} // namespace

int run(const Arguments& arguments) {
    // Line by line, so that the last words of a kernel that crashes are not lost in a buffer.
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    std::string error;
    const auto library = DeviceLibrary::load(arguments.runtime, error);
    if (!library) {
        std::fprintf(stderr, "%s\n", error.c_str());
        return 3;
    }
    if (const int status = library->setDevice(arguments.device); status != 0) {
        std::fprintf(stderr, "device %d: %s\n", arguments.device, library->errorText(status).c_str());
        return 3;
    }
    const DeviceLibrary* const functions = sealed(*library);
    if (functions == nullptr) {
        std::fputs("no memory for the table of the runtime's functions\n", stderr);
        return 3;
    }
    Session session(*functions, arguments.candidate);
    if (!session.open(error)) {
        std::fprintf(stderr, "%s\n", error.c_str());
        return 3;
    }
    Command command;
    while (readAll(commandDescriptor, &command, sizeof command) && command.verb != Verb::quit) {
        Reply reply;
        reply.sequence = command.sequence;
        session.obey(command, reply);
        std::fflush(stdout);
        if (::write(replyDescriptor, &reply, sizeof reply) != static_cast<ssize_t>(sizeof reply)) {
            return 3;
        }
    }
    std::fflush(stdout);
    ::_exit(0); // without the candidate's destructors: nothing that it still wants to do matters
}

int listDevices(const std::string& runtime) {
    std::string error;
    std::string devices;
    if (const auto library = DeviceLibrary::load(runtime, error)) {
        int count = 0;
        if (const int status = library->getDeviceCount(count); status != 0) {
            error = library->errorText(status);
            count = 0;
        }
        for (int i = 0; i < count; ++i) {
            const DeviceLibrary::Properties properties = library->properties(i);
            devices += (i == 0 ? "" : ", ") + ("{\"index\": " + std::to_string(i)) +
                       ", \"name\": " + jsonText(properties.name) +
                       ", \"architecture\": " + jsonText(properties.architecture) +
                       ", \"bus_id\": " + jsonText(properties.busId) +
                       ", \"memory_bytes_per_second\": " + std::to_string(properties.memoryBytesPerSecond) +
                       ", \"compute_units\": " + std::to_string(properties.computeUnits) +
                       ", \"clock_hz\": " + std::to_string(properties.clockHz) +
                       ", \"units\": " + std::to_string(properties.facts.units) +
                       ", \"wave_size\": " + std::to_string(properties.facts.waveSize) +
                       ", \"clock_limit_hz\": " + std::to_string(properties.facts.clockHz) +
                       ", \"lds_bytes\": " + std::to_string(properties.facts.ldsBytes) +
                       ", \"memory_bytes\": " + std::to_string(properties.facts.memoryBytes) + "}";
        }
    }
    std::printf("{\"devices\": [%s], \"error\": %s}\n", devices.c_str(), jsonText(error).c_str());
    return 0;
}

} // namespace gks::runner
