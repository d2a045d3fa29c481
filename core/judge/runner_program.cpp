// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner_program.h"

#include "core/judge/device_library.h"
#include "core/judge/runner_protocol.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gks::runner {
namespace {

constexpr std::size_t cacheLineBytes = 64;
constexpr std::size_t withheldBytes = std::size_t{64} << 10;
constexpr std::size_t withheldStep = 256; // keeps every element whole
constexpr int notANumberByte = 0xff;

// A piece of an input that is put in its place by the call itself.
struct Withheld {
    std::byte* real;
    const std::byte* staging;
    std::size_t bytes;
};

struct Segment {
    std::byte* data = nullptr;
    std::size_t sizeBytes = 0;

    bool map(int descriptor, int protection) {
        struct stat info = {};
        if (::fstat(descriptor, &info) != 0 || info.st_size <= 0) {
            return false;
        }
        sizeBytes = static_cast<std::size_t>(info.st_size);
        void* at = ::mmap(nullptr, sizeBytes, protection, MAP_SHARED, descriptor, 0);
        data = at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
        return data != nullptr;
    }
};

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
        : m_library(library), m_candidate(std::move(candidate)) {}

    bool open(std::string& error) {
        if (!m_inputs.map(inputDescriptor, PROT_READ) || !m_outputs.map(outputDescriptor, PROT_READ | PROT_WRITE)) {
            error = "the shared memory cannot be mapped";
            return false;
        }
        DeviceLibrary::Status status = m_library.createStream(m_stream);
        status = status != 0 ? status : m_library.createEvent(m_start);
        status = status != 0 ? status : m_library.createEvent(m_stop);
        if (status != 0) {
            error = m_library.errorText(status);
        }
        m_library.forbidPersistingCache();
        return status == 0;
    }

    void obey(const Command& command, Reply& reply) {
        switch (command.verb) {
        case Verb::load:
            load(reply);
            break;
        case Verb::shape:
            setShape(command, reply);
            break;
        case Verb::prepare:
            prepare(command, reply);
            break;
        case Verb::call:
            call(command, reply);
            break;
        case Verb::download:
            download(reply);
            break;
        case Verb::snapshot:
            snapshot(reply);
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

    static void fail(Reply& reply, Failure failure, const std::string& text) {
        reply.failure = failure;
        text.copy(reply.text.data(), reply.text.size() - 1);
    }

    bool check(Reply& reply, DeviceLibrary::Status status, const char* what) {
        if (status != 0 && reply.failure == Failure::none) {
            reply.status = status;
            fail(reply, Failure::runtime, std::string(what) + ": " + m_library.errorText(status));
        }
        return reply.failure == Failure::none;
    }

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

    // struct Problem of the generated header: one pointer per tensor, then one int per dim.
    void packProblem() {
        std::byte* at = m_problem.data();
        m_problem.fill(std::byte{0});
        for (std::size_t i = 0; i < m_shape.tensorCount; ++i) {
            const void* data = m_buffers[i] + guardBytes;
            std::memcpy(at, &data, sizeof data);
            at += sizeof data;
        }
        std::memcpy(at, m_shape.dims.data(), m_shape.dimCount * sizeof m_shape.dims[0]);
    }

    void releaseShape() {
        m_withheld.clear();
        for (std::byte*& buffer : m_buffers) {
            if (buffer != nullptr) {
                m_library.release(std::exchange(buffer, nullptr));
            }
        }
        if (m_workspace != nullptr) {
            m_library.release(std::exchange(m_workspace, nullptr));
        }
        m_workspaceSize = 0;
    }

    bool allocate(Reply& reply, std::byte*& into, std::size_t sizeBytes) {
        void* address = nullptr;
        const bool ok = check(reply, m_library.allocate(address, sizeBytes), "allocation");
        into = static_cast<std::byte*>(address);
        return ok;
    }

    void setShape(const Command& command, Reply& reply) {
        releaseShape();
        m_shape = command;
        if (command.tensorCount > tensorLimit || command.dimCount > dimLimit) {
            fail(reply, Failure::protocol, "too many tensors");
            return;
        }
        for (std::size_t i = 0; i < command.tensorCount; ++i) {
            const Place& place = command.places[i];
            const std::size_t whole = place.dataBytes + 2 * guardBytes;
            if (place.offset + whole > std::min(m_inputs.sizeBytes, m_outputs.sizeBytes)) {
                fail(reply, Failure::protocol, "a tensor lies outside the shared memory");
                return;
            }
            if (!allocate(reply, m_buffers[i], whole)) {
                return;
            }
        }
        packProblem();
        const std::size_t wanted = m_workspaceBytes != nullptr ? m_workspaceBytes(m_problem.data()) : 0;
        reply.workspaceBytes = wanted;
        if (wanted > command.workspaceLimitBytes) {
            fail(reply, Failure::workspace, "workspace_bytes() asked for " + std::to_string(wanted) + " bytes");
            return;
        }
        m_workspaceSize = wanted;
        if (wanted > 0) {
            allocate(reply, m_workspace, wanted + 2 * guardBytes);
        }
    }

    void prepare(const Command& command, Reply& reply) {
        for (std::size_t i = 0; i < m_shape.tensorCount; ++i) {
            const Place& place = m_shape.places[i];
            const std::size_t whole = place.dataBytes + 2 * guardBytes;
            if (!check(reply,
                       m_library.copy(m_buffers[i], m_inputs.data + place.offset, whole,
                                      DeviceLibrary::Direction::toDevice),
                       "copy to the device")) {
                return;
            }
        }
        if (m_workspaceSize > 0) {
            const std::byte* band = m_inputs.data + m_shape.places[0].offset;
            std::byte* const end = m_workspace + guardBytes + m_workspaceSize;
            check(reply, m_library.copy(m_workspace, band, guardBytes, DeviceLibrary::Direction::toDevice),
                  "copy to the device");
            check(reply, m_library.fill(m_workspace + guardBytes, static_cast<int>(command.spoilByte), m_workspaceSize),
                  "fill");
            check(reply, m_library.copy(end, band, guardBytes, DeviceLibrary::Direction::toDevice),
                  "copy to the device");
        }
        if (command.flushOnDevice != 0) {
            withhold(command, reply);
        } else if (command.flushBytes > 0) {
            sweepByHost(command.flushBytes);
        }
        check(reply, m_library.synchronize(), "synchronise");
    }

    // The copies above ran on this thread, so the sweep evicts what they left in this core's caches; what another core
    // still holds was invalidated when the buffers were written.
    void sweepByHost(std::size_t bytes) {
        if (m_hostSweptBytes < bytes) {
            m_hostSweptBytes = bytes;
            m_hostSweep = std::make_unique<std::uint64_t[]>(bytes / sizeof(std::uint64_t));
        }
        constexpr std::size_t step = cacheLineBytes / sizeof(std::uint64_t);
        volatile std::uint64_t* const words = m_hostSweep.get();
        for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); i += step) {
            words[i] = words[i] + 1;
        }
    }

    // A piece of every input, at a place that nobody knows beforehand, is taken out again and comes back only in the
    // stream of the call, right before the start event: work that begins earlier, in another stream, computes with
    // values that are not numbers.
    void withhold(const Command& command, Reply& reply) {
        m_withheld.clear();
        for (std::size_t i = 0; i < m_shape.tensorCount; ++i) {
            const Place& place = m_shape.places[i];
            const std::size_t bytes = std::min<std::size_t>(place.dataBytes, withheldBytes);
            if (place.isOutput != 0 || bytes == 0) {
                continue;
            }
            const std::size_t pieces = (place.dataBytes - bytes) / withheldStep + 1;
            const std::size_t begin = command.sequence / (i + 1) % pieces * withheldStep;
            std::byte* const real = m_buffers[i] + guardBytes + begin;
            if ((m_staging[i] == nullptr && !allocate(reply, m_staging[i], withheldBytes)) ||
                !check(reply,
                       m_library.copy(m_staging[i], m_inputs.data + place.offset + guardBytes + begin, bytes,
                                      DeviceLibrary::Direction::toDevice),
                       "copy to the device")) {
                return;
            }
            check(reply, m_library.fill(real, notANumberByte, bytes), "fill");
            m_withheld.push_back({real, m_staging[i], bytes});
        }
    }

    // In the stream of the call and without waiting, so that the device goes from the flush straight to the kernel:
    // neither a pause nor the time that the host takes to submit it is in the measured time.
    void flushInStream(const Command& command, Reply& reply) {
        if (m_deviceSweptBytes < command.flushBytes) {
            m_deviceSweptBytes = command.flushBytes;
            allocate(reply, m_deviceSweep, m_deviceSweptBytes);
        }
        if (m_deviceSweep != nullptr) {
            check(reply,
                  m_library.fill(m_deviceSweep, static_cast<int>(command.spoilByte), command.flushBytes, m_stream),
                  "cache flush");
        }
        for (const Withheld& piece : m_withheld) {
            check(reply, m_library.copyOnDevice(piece.real, piece.staging, piece.bytes, m_stream), "copy of inputs");
        }
    }

    void call(const Command& command, Reply& reply) {
        packProblem();
        m_library.takeLastError();
        if (command.flushOnDevice != 0) {
            flushInStream(command, reply);
        }
        const double processorBeforeUs = m_library.processorUs();
        check(reply, m_library.record(m_start, m_stream), "event");
        const double hostCodeBeforeUs = m_library.hostCodeUs();
        const DeviceLibrary::Status returned =
            m_solve != nullptr ? m_solve(m_problem.data(), workspace(), m_stream) : 0;
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
        check(reply, recorded, "event");
        float milliseconds = 0;
        check(reply, m_library.elapsed(milliseconds, m_start, m_stop), "event");
        reply.eventUs = static_cast<double>(milliseconds) * 1000;
    }

    void* workspace() const { return m_workspace != nullptr ? m_workspace + guardBytes : nullptr; }

    void readBack(Reply& reply, std::uint64_t offset, const std::byte* from, std::size_t sizeBytes) {
        if (offset > m_outputs.sizeBytes || sizeBytes > m_outputs.sizeBytes - offset) {
            fail(reply, Failure::protocol, "read-back outside the shared memory");
            return;
        }
        check(reply, m_library.copy(m_outputs.data + offset, from, sizeBytes, DeviceLibrary::Direction::fromDevice),
              "copy from the device");
    }

    void download(Reply& reply) {
        for (std::size_t i = 0; i < m_shape.tensorCount && reply.failure == Failure::none; ++i) {
            if (const Place& place = m_shape.places[i]; place.isOutput != 0) {
                readBack(reply, place.offset + guardBytes, m_buffers[i] + guardBytes, place.dataBytes);
            }
        }
    }

    void snapshot(Reply& reply) {
        for (std::size_t i = 0; i < m_shape.tensorCount && reply.failure == Failure::none; ++i) {
            const Place& place = m_shape.places[i];
            readBack(reply, place.offset, m_buffers[i], place.dataBytes + 2 * guardBytes);
        }
        if (m_workspaceSize > 0) {
            readBack(reply, m_shape.workspaceOffset, m_workspace, guardBytes);
            readBack(reply, m_shape.workspaceOffset + guardBytes, m_workspace + guardBytes + m_workspaceSize,
                     guardBytes);
        }
    }

    const DeviceLibrary& m_library;
    std::string m_candidate;
    Segment m_inputs;
    Segment m_outputs;
    DeviceLibrary::Stream m_stream = nullptr;
    DeviceLibrary::Event m_start = nullptr;
    DeviceLibrary::Event m_stop = nullptr;
    Solve m_solve = nullptr;
    WorkspaceBytes m_workspaceBytes = nullptr;
    Command m_shape;
    std::array<std::byte*, tensorLimit> m_buffers = {};
    std::byte* m_workspace = nullptr;
    std::size_t m_workspaceSize = 0;
    std::byte* m_deviceSweep = nullptr;
    std::size_t m_deviceSweptBytes = 0;
    std::unique_ptr<std::uint64_t[]> m_hostSweep;
    std::size_t m_hostSweptBytes = 0;
    std::array<std::byte*, tensorLimit> m_staging = {};
    std::vector<Withheld> m_withheld;
    alignas(16) std::array<std::byte, tensorLimit * sizeof(void*) + dimLimit * sizeof(std::int32_t)> m_problem = {};
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
                       ", \"clock_hz\": " + std::to_string(properties.clockHz) + "}";
        }
    }
    std::printf("{\"devices\": [%s], \"error\": %s}\n", devices.c_str(), jsonText(error).c_str());
    return 0;
}

} // namespace gks::runner
