// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/runner_program.h"

#include "core/base/soon_readable.h"
#include "core/judge/runner/anchor.h"
#include "core/judge/runner/opening.h"
#include "core/judge/runner/plan_executor.h"
#include "core/judge/runner/runner_buffers.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

// Trusted code with the vendor's driver. Of a candidate it has device code and plans, both as data; it loads no host
// code. It stays up over many candidates. A process that is started with an anchor, a library of the problem pack, sees
// no candidate.
namespace gks::runner {
namespace {

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
    Session(const Driver& driver, std::string anchorLibrary)
        : m_driver(driver), m_buffers(driver), m_anchorLibrary(std::move(anchorLibrary)) {}

    bool open(std::string& error) {
        if (m_driver.reachesHostMemory()) {
            error = "device code reaches all memory of its process here, so nothing that the process says would count; "
                    "on NVIDIA's cards load nvidia_uvm with uvm_disable_hmm=1, on AMD's leave XNACK off";
            return false;
        }
        Driver::Status status = m_driver.createStream(m_stream, false, 0);
        status = status != 0 ? status : m_driver.createEvent(m_start, true);
        status = status != 0 ? status : m_driver.createEvent(m_stop, true);
        if (status != 0) {
            error = m_driver.errorText(status);
            return false;
        }
        m_driver.forbidPersistingCache();
        return m_buffers.open(m_stream, error);
    }

    void obey(const Command& command, const std::string& text, Reply& reply) {
        switch (command.verb) {
        case Verb::pin:
            m_buffers.pinSegments();
            break;
        case Verb::load:
            load(text, reply);
            break;
        case Verb::workspace:
            if (isOfAnchor(reply, text)) {
                reply.workspaceBytes = m_anchor->workspaceBytes();
            }
            break;
        case Verb::shape:
            m_anchorLibrary.empty() ? setShape(command, text, reply) : setShapeOfAnchor(command, text, reply);
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
        case Verb::probe:
            m_buffers.probe(command, reply);
            break;
        case Verb::snapshot:
            m_buffers.snapshot(reply);
            break;
        case Verb::unload:
            unload();
            break;
        case Verb::quit:
            break;
        default:
            fail(reply, Failure::protocol, "unknown command");
        }
    }

private:
    bool isOfAnchor(Reply& reply, const std::string& problem) {
        if (!m_anchor || !m_anchor->setProblem(problem)) {
            fail(reply, Failure::protocol, "there is no anchor, or no problem for it");
        }
        return reply.failure == Failure::none;
    }

    void loadAnchor(const std::string& code, Reply& reply) {
        std::string error;
        if (!code.empty() || m_anchor) {
            fail(reply, Failure::protocol, "a process with an anchor takes nothing else");
        } else if (m_anchor = Anchor::load(m_anchorLibrary, error); !m_anchor) {
            fail(reply, Failure::load, error);
        } else {
            const std::string version = m_anchor->version();
            version.copy(reply.text.data(), reply.text.size() - 1);
        }
    }

    void setShapeOfAnchor(const Command& command, const std::string& problem, Reply& reply) {
        if (isOfAnchor(reply, problem)) {
            m_buffers.setShape(command, reply);
            m_workspace = command.workspaceBytes > 0 ? command.workspaceAddress : 0;
            m_hasShape = reply.failure == Failure::none;
        }
    }

    Driver::Status issue() const {
        if (m_anchor && m_hasShape) {
            return m_anchor->solve(m_workspace, m_stream);
        }
        return m_plan ? m_plan->issue() : 0;
    }

    void unload() {
        m_plan.reset();
        m_hasShape = false;
        m_buffers.release();
        if (m_module != nullptr) {
            m_driver.unloadModule(std::exchange(m_module, nullptr));
        }
    }

    void load(const std::string& code, Reply& reply) {
        unload();
        if (!m_anchorLibrary.empty()) {
            loadAnchor(code, reply);
            return;
        }
        if (const Driver::Status status = m_driver.loadModule(m_module, code.data()); status != 0) {
            m_module = nullptr;
            reply.status = status;
            fail(reply, Failure::load, "the driver does not take the device code: " + m_driver.errorText(status));
        }
    }

    void setShape(const Command& command, const std::string& text, Reply& reply) {
        m_plan.reset();
        const auto opening = openingFromText(text);
        if (!opening) {
            fail(reply, Failure::protocol, opening.error().message());
            return;
        }
        m_buffers.setShape(command, reply);
        if (reply.failure != Failure::none) {
            return;
        }
        std::string error;
        PlanExecutor setup(m_driver, m_module, m_stream);
        auto plan = std::make_unique<PlanExecutor>(m_driver, m_module, m_stream);
        if (!setup.set(opening->setup, error) || !plan->set(opening->plan, error)) {
            fail(reply, Failure::load, error);
            return;
        }
        if (finish(reply, setup.issue())) {
            m_buffers.keepVariables(m_module, opening->variables, reply);
        }
        m_plan = std::move(plan);
    }

    void call(const Command& command, Reply& reply) {
        m_buffers.flushInStream(command, reply);
        check(m_driver, reply, m_driver.record(m_start, m_stream), "event");
        const Driver::Status issued = issue();
        check(m_driver, reply, m_driver.record(m_stop, m_stream), "event");
        float milliseconds = 0;
        if (finish(reply, issued) && check(m_driver, reply, m_driver.elapsed(milliseconds, m_start, m_stop), "event")) {
            reply.eventUs = static_cast<double>(milliseconds) * 1000;
        }
    }

    // Waits for what was queued. What goes wrong there is the device code's doing, what was not queued the plan's.
    bool finish(Reply& reply, Driver::Status issued) {
        const Driver::Status ended = m_driver.synchronise();
        if (issued != 0 || ended != 0) {
            reply.status = ended != 0 ? ended : issued;
            fail(reply, ended != 0 ? Failure::deviceFault : Failure::kernelError, m_driver.errorText(reply.status));
        }
        return reply.failure == Failure::none;
    }

    const Driver& m_driver;
    Driver::Stream m_stream = nullptr;
    Driver::Event m_start = nullptr;
    Driver::Event m_stop = nullptr;
    Driver::Module m_module = nullptr;
    Buffers m_buffers;
    std::unique_ptr<PlanExecutor> m_plan;
    std::string m_anchorLibrary; // empty: this process serves candidates
    std::optional<Anchor> m_anchor;
    bool m_hasShape = false; // of the anchor
    Driver::Address m_workspace = 0;
};

std::optional<Driver> openDriver(const std::string& path, std::string& error) {
    auto driver = Driver::load(path, error);
    if (driver) {
        if (const Driver::Status status = driver->initialise(); status != 0) {
            error = driver->errorText(status);
            return std::nullopt;
        }
    }
    return driver;
}

} // namespace

int run(const std::string& path, int device, const std::string& anchorLibrary) {
    std::string error;
    auto driver = openDriver(path, error);
    if (driver) {
        if (const Driver::Status status = driver->use(device); status != 0) {
            error = "device " + std::to_string(device) + ": " + driver->errorText(status);
        }
    }
    std::optional<Session> session;
    if (error.empty()) {
        session.emplace(*driver, anchorLibrary);
        session->open(error);
    }
    if (!error.empty()) {
        std::fprintf(stderr, "%s\n", error.c_str());
        return 3;
    }
    Command command;
    std::string text;
    while (readAll(commandDescriptor, &command, sizeof command) && command.verb != Verb::quit) {
        Reply reply;
        reply.sequence = command.sequence;
        text.resize(std::min<std::size_t>(command.textBytes, textBehindLimitBytes));
        if (!readAll(commandDescriptor, text.data(), text.size())) {
            return 3;
        }
        session->obey(command, text, reply);
        if (::write(replyDescriptor, &reply, sizeof reply) != static_cast<ssize_t>(sizeof reply)) {
            return 3;
        }
        isSoonReadable(commandDescriptor); // mostly it is
    }
    ::_exit(0); // the driver ends what is left faster than its own teardown does
}

int listDevices(const std::string& path) {
    std::string error;
    nlohmann::json devices = nlohmann::json::array();
    if (const auto driver = openDriver(path, error)) {
        int count = 0;
        if (const int status = driver->countDevices(count); status != 0) {
            error = driver->errorText(status);
            count = 0;
        }
        for (int i = 0; i < count; ++i) {
            const Driver::Properties properties = driver->properties(i);
            nlohmann::json attributes = nlohmann::json::object();
            for (const auto& [number, value] : properties.attributes) {
                attributes[std::to_string(number)] = value;
            }
            devices.push_back({{"index", i},
                               {"name", properties.name},
                               {"architecture", properties.architecture},
                               {"bus_id", properties.busId},
                               {"memory_bytes_per_second", properties.memoryBytesPerSecond},
                               {"units", properties.facts.units},
                               {"wave_size", properties.facts.waveSize},
                               {"clock_limit_hz", properties.facts.clockHz},
                               {"lds_bytes", properties.facts.ldsBytes},
                               {"memory_bytes", properties.facts.memoryBytes},
                               {"driver_version", properties.driverVersion},
                               {"attributes", std::move(attributes)}});
        }
    }
    const nlohmann::json answer = {{"devices", std::move(devices)}, {"error", error}};
    std::printf("%s\n", answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    return 0;
}

} // namespace gks::runner
