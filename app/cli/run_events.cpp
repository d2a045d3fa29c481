// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_events.h"

#include "app/cli/population_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace gks::cli {
namespace {

constexpr std::size_t progressLimit = 10'000; // lines that nobody has read

OrderedJson experimentOrNull(const std::optional<ExperimentId>& id) {
    return id ? OrderedJson(*id) : OrderedJson();
}

struct ToJson {
    OrderedJson operator()(const StateChanged& event) const {
        return {{"event", "state"}, {"state", name(event.state)}, {"reason", event.reason}};
    }
    OrderedJson operator()(const PopulationChanged&) const { return nullptr; }
    OrderedJson operator()(const ActivityChanged& event) const {
        OrderedJson json = {{"event", "activity"},
                            {"lane", event.lane},
                            {"activity", name(event.activity)},
                            {"kernel", labelOrNull(event.kernel)},
                            {"experiment", experimentOrNull(event.experiment)}};
        if (event.fraction >= 0) {
            json["fraction"] = event.fraction;
        }
        json["detail"] = event.detail;
        json["since_ms"] = event.since;
        return json;
    }
    OrderedJson operator()(const SamplesArrived& event) const {
        return {{"event", "samples"},
                {"kernel", kernelLabel(event.kernel)},
                {"shape", event.shape},
                {"us", event.us},
                {"baseline", event.ofBaseline}};
    }
    OrderedJson operator()(const TextArrived& event) const {
        return {{"event", "text"},
                {"source", event.source},
                {"kernel", labelOrNull(event.kernel)},
                {"experiment", experimentOrNull(event.experiment)},
                {"text", event.text}};
    }
    OrderedJson operator()(const NextParentChanged& event) const {
        return {{"event", "next-parent"},
                {"parent", labelOrNull(event.parent)},
                {"reference", labelOrNull(event.reference)},
                {"rationale", event.rationale},
                {"pinned", event.pinned}};
    }
    OrderedJson operator()(const WarningRaised& event) const {
        return {{"event", "warning"},
                {"what", event.error.what},
                {"where", event.error.where},
                {"next", event.error.next},
                {"kernel", labelOrNull(event.kernel)},
                {"experiment", experimentOrNull(event.experiment)}};
    }
    OrderedJson operator()(const TrustAsked& event) const {
        return {{"event", "trust"}, {"questions", event.questions.size()}, {"start_refused", event.startRefused}};
    }
};

} // namespace

OrderedJson eventJson(const EngineEvent& event) {
    return std::visit(ToJson{}, event);
}

std::string eventLine(const OrderedJson& json) {
    return json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
}

void EventQueue::push(const EngineEvent& event) {
    const OrderedJson json = eventJson(event);
    if (json.is_null()) {
        return;
    }
    const auto* activity = std::get_if<ActivityChanged>(&event);
    const bool isProgress =
        std::holds_alternative<SamplesArrived>(event) || (activity != nullptr && activity->fraction >= 0);
    const std::lock_guard lock(m_mutex);
    if (!isProgress || m_lines.size() < progressLimit) {
        m_lines.push_back(eventLine(json));
    }
}

std::vector<std::string> EventQueue::take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_lines, {});
}

} // namespace gks::cli
