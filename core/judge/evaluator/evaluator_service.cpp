// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/evaluator_service.h"

#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/judge/carried_packs.h"
#include "core/judge/evaluator/evaluation.h"

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::size_t requestLimitBytes = std::size_t{16} << 20;
constexpr std::size_t queueLimit = 1024;
constexpr std::chrono::milliseconds idle = std::chrono::hours(24);
constexpr std::chrono::milliseconds beforeRefill(20);
constexpr std::chrono::seconds idleRunners(30);

// Writes whole lines; events come from several threads.
class EventWriter {
public:
    explicit EventWriter(int descriptor) : m_descriptor(descriptor) {}

    void write(const std::string& id, const EvaluationEvent& event) {
        const std::string line = toJson(id, event).dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
        const std::scoped_lock lock(m_mutex);
        for (std::size_t at = 0; at < line.size();) {
            const ssize_t put = ::write(m_descriptor, line.data() + at, line.size() - at);
            if (put > 0) {
                at += static_cast<std::size_t>(put);
            } else if (errno != EINTR) {
                return; // nobody listens any more; the input ends as well
            }
        }
    }

private:
    int m_descriptor;
    std::mutex m_mutex;
};

// Who sends a pack along has answered for it.
Result<void> unpack(EvaluationRequest& request, CarriedPacks& packs) {
    if (!request.pack.empty()) {
        GKS_TRY_ASSIGN(const auto problem, packs.problemFor(request.problem, request.pack, true));
        request.problem = *problem;
        request.pack.clear();
    }
    return {};
}

// Evaluates one request after the other on a thread of its own, so that a cancel is read at once.
class Worker {
public:
    explicit Worker(int output) : m_writer(output), m_thread([this](const std::stop_token& stop) { work(stop); }) {}
    ~Worker() {
        m_thread.request_stop();
        const std::scoped_lock lock(m_mutex);
        m_current.request_stop();
    }

    void submit(EvaluationRequest request) {
        const std::scoped_lock lock(m_mutex);
        if (m_queue.size() >= queueLimit) {
            refuse(request.id, "too many evaluations are waiting");
            return;
        }
        m_queue.push_back(std::move(request));
        m_changed.notify_one();
    }

    void cancel(const std::string& id) {
        const std::scoped_lock lock(m_mutex);
        if (m_currentId == id) {
            m_current.request_stop();
        } else if (std::erase_if(m_queue, [&](const EvaluationRequest& request) { return request.id == id; }) > 0) {
            refuse(id, cancelledReason);
        }
    }

    void greet(const std::string& id, TargetKind target) {
        const DeviceList found = listDevices(target);
        HelloEvent hello;
        hello.version = programVersion();
        hello.rules = currentRules;
        hello.machine = machineName();
        hello.reason = found.reason;
        for (const Device& device : found.devices) {
            hello.devices.push_back({device.index, device.name, device.architecture});
        }
        m_writer.write(id, hello);
    }

    void answer() { m_writer.write({}, LogEvent{"process", {}}); }

    void refuse(const std::string& id, const std::string& reason) {
        Verdict verdict;
        verdict.kind = VerdictKind::infrastructureFailed;
        verdict.reason = reason;
        m_writer.write(id, VerdictEvent{verdict});
    }

private:
    void work(const std::stop_token& stop) {
        RunnerPool runners;                         // its processes end with this thread
        std::shared_ptr<const Reference> reference; // likewise
        std::unique_ptr<PreparedCases> cases;       // of the next evaluation
        CarriedPacks packs;
        const auto prepare = [&] {
            runners.refill();
            if (cases && reference && !cases->hasBegun()) {
                cases->begin(reference);
            }
        };
        const auto retire = [&] {
            runners.retireIdle();
            cases.reset();
        };
        while (auto request = next(stop, runners, prepare, retire)) {
            const auto sink = [&](const EvaluationEvent& event) { m_writer.write(request->id, event); };
            sink(StageEvent{Stage::queued});
            if (const auto unpacked = unpack(*request, packs); !unpacked) {
                refuse(request->id, unpacked.error().message());
                continue;
            }
            const Verdict verdict = evaluate(*request, runners, reference, cases, sink, m_current.get_token());
            sink(VerdictEvent{verdict});
        }
    }

    std::optional<EvaluationRequest> next(const std::stop_token& stop, const RunnerPool& runners,
                                          const std::function<void()>& prepare, const std::function<void()>& retire) {
        std::unique_lock lock(m_mutex);
        m_currentId.clear();
        const auto isAsked = [this] { return !m_queue.empty(); };
        // Who asks at once has a compiler to wait for, and who quits needs no processes.
        if (!m_changed.wait_for(lock, stop, beforeRefill, isAsked) && !stop.stop_requested()) {
            lock.unlock();
            prepare();
            lock.lock();
        }
        if (runners.hasIdle() && !m_changed.wait_for(lock, stop, idleRunners, isAsked)) {
            retire(); // they hold memory of the device, and of the host
        }
        if (!m_changed.wait(lock, stop, isAsked)) {
            return std::nullopt;
        }
        EvaluationRequest request = std::move(m_queue.front());
        m_queue.pop_front();
        m_currentId = request.id;
        m_current = std::stop_source();
        if (stop.stop_requested()) {
            m_current.request_stop();
        }
        return request;
    }

    EventWriter m_writer;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<EvaluationRequest> m_queue;
    std::string m_currentId;
    std::stop_source m_current;
    std::jthread m_thread; // last: ends before what it uses
};

std::string textField(const Json& json, const char* key) {
    const auto at = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// False when it asks to quit.
bool obey(const std::string& line, Worker& worker) {
    const auto json = parseJson(line, "request");
    if (!json) {
        worker.refuse({}, json.error().message());
        return true;
    }
    const std::string kind = textField(*json, "request");
    const std::string id = textField(*json, "id");
    if (kind == "quit") {
        return false;
    }
    if (kind == "cancel") {
        worker.cancel(id);
        return true;
    }
    if (kind == "alive") {
        worker.answer();
        return true;
    }
    if (kind == "hello") {
        const auto target = targetFromName(textField(*json, "target"));
        target ? worker.greet(id, *target) : worker.refuse(id, target.error().message());
        return true;
    }
    if (kind != "evaluate") {
        worker.refuse(id, "request: \"hello\", \"evaluate\", \"cancel\", \"alive\" or \"quit\" was expected");
        return true;
    }
    if (auto request = requestFromJson(*json)) {
        worker.submit(std::move(*request));
    } else {
        worker.refuse(id, request.error().message());
    }
    return true;
}

} // namespace

void endSoon() {
    constexpr itimerval timeToClearAway = {{0, 0}, {1, 600'000}};
    ::setitimer(ITIMER_REAL, &timeToClearAway, nullptr);
}

int serveEvaluations(int input, int output, std::optional<std::chrono::seconds> patience) {
    Worker worker(output);
    LineReader reader(input, requestLimitBytes);
    std::string line;
    for (;;) {
        switch (reader.next(line, patience ? std::chrono::milliseconds(*patience) : idle)) {
        case LineReader::Status::line:
            if (!obey(line, worker)) {
                return 0;
            }
            break;
        case LineReader::Status::timeout:
            if (patience) {
                endSoon();
                return 0;
            }
            break;
        case LineReader::Status::end:
            if (patience) {
                endSoon();
            }
            return 0;
        case LineReader::Status::tooLong:
        case LineReader::Status::failed:
            return 2;
        }
    }
}

} // namespace gks
