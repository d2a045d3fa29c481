// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mcp/server.h"

#include "core/base/process.h"

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <list>
#include <mutex>
#include <thread>

namespace gks::mcp {
namespace {

// Until somebody says a line or the end is asked for, which wakes the reader.
constexpr std::chrono::hours untilTheNextLine(1);

std::string lineOf(const OrderedJson& reply) {
    return reply.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
}

class Calls {
public:
    explicit Calls(const Streams& streams) : m_streams(streams) {}
    ~Calls() {
        for (InFlight& one : m_calls) {
            one.thread.request_stop();
        }
        m_calls.clear(); // joins
    }

    void say(const OrderedJson& reply) {
        const std::string line = lineOf(reply);
        const std::lock_guard lock(m_mutex);
        m_streams.output(line);
    }
    void start(Call call) {
        forgetFinished();
        for (const InFlight& one : m_calls) {
            if (one.id == call.id) {
                say(replyOf(ProtocolError{invalidRequest, "a request with this id is being answered", call.id}));
                return;
            }
        }
        if (m_calls.size() == mostCalls) {
            say(Session::reply(call, infrastructureError(fmt::format("{} calls are being answered", mostCalls),
                                                         call.tool->name, "Wait for one of them, then call again")));
            return;
        }
        InFlight& one = m_calls.emplace_back();
        one.id = call.id;
        one.thread = std::jthread([this, &one, call = std::move(call)](const std::stop_token& stop) {
            const auto text = outcomeOf(call, stop);
            if (!stop.stop_requested()) {
                say(Session::reply(call, text));
            }
            one.isOver = true;
        });
    }
    void cancel(const Json& id) {
        for (InFlight& one : m_calls) {
            if (one.id == id) {
                one.thread.request_stop();
            }
        }
    }

private:
    struct InFlight {
        Json id;
        std::atomic<bool> isOver = false;
        std::jthread thread; // last: joins first
    };

    static Result<std::string> outcomeOf(const Call& call, const std::stop_token& stop) {
        try {
            return call.tool->run(call.arguments, {call.client, stop});
        } catch (const std::exception& error) { // a fault of ours ends one call, not all of them
            return infrastructureError(fmt::format("the tool failed ({})", error.what()), call.tool->name,
                                       "Try other arguments, and report this");
        }
    }
    void forgetFinished() {
        m_calls.remove_if([](const InFlight& one) { return one.isOver.load(); });
    }

    const Streams& m_streams;
    std::mutex m_mutex; // of the output
    std::list<InFlight> m_calls;
};

} // namespace

void serve(Session& session, const Streams& streams, const std::stop_token& stop) {
    Calls calls(streams);
    LineReader reader(streams.input, lineLimitBytes);
    std::string line;
    while (!stop.stop_requested()) {
        const LineReader::Status status = reader.next(line, untilTheNextLine, stop);
        if (status == LineReader::Status::tooLong) {
            calls.say(Session::tooLong());
        } else if (status == LineReader::Status::line) {
            Step step = session.take(line);
            if (const auto* reply = std::get_if<OrderedJson>(&step)) {
                calls.say(*reply);
            } else if (auto* call = std::get_if<Call>(&step)) {
                calls.start(std::move(*call));
            } else if (const auto* cancelled = std::get_if<Cancellation>(&step)) {
                calls.cancel(cancelled->id);
            }
        } else if (status != LineReader::Status::timeout) {
            return;
        }
    }
}

} // namespace gks::mcp
