// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/workload_lines.h"

#include "core/base/json.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t workloadTextLimitBytes = std::size_t{1} << 20;
constexpr std::size_t workloadLimit = 1000;

class WorkloadReader {
public:
    explicit WorkloadReader(std::string_view where) : m_where(where) {}

    Result<Workloads> read(std::string_view text) {
        for (const std::string_view row : lines(text)) {
            ++m_line;
            if (trimmed(row).empty()) {
                continue;
            }
            if (m_found.axes.size() == workloadLimit) {
                return refuse(fmt::format("has more than {} workloads", workloadLimit));
            }
            GKS_TRY_ASSIGN(const Json json, parseJson(row, place()));
            // A Trace of FlashInfer-Bench has the same one level further in.
            const bool isTrace = json.is_object() && json.contains("workload");
            GKS_TRY(readOne(isTrace ? json["workload"] : json));
        }
        if (m_found.axes.empty()) {
            return refuse("has no workload");
        }
        if (!m_allStateTolerance) {
            m_found.tolerance.reset();
        }
        return m_found;
    }

private:
    std::string place() const { return fmt::format("{}:{}", m_where, m_line); }
    tl::unexpected<Error> refuse(std::string what) const {
        return usageError(std::move(what), place(), "Leave workload.jsonl out: shapes are guessed then");
    }

    Result<void> readOne(const Json& json) {
        if (!json.is_object() || !json.contains("axes") || !json["axes"].is_object()) {
            return refuse("has no object \"axes\"");
        }
        AxisValues values;
        for (const auto& [name, value] : json["axes"].items()) {
            if (!value.is_number_integer() || value.get<std::int64_t>() < 1 ||
                value.get<std::int64_t>() > importedExtentLimit) {
                return refuse(fmt::format("has the axis {} whose value is no extent", abbreviated(name, 40)));
            }
            values[name] = value.get<std::int64_t>();
        }
        m_found.axes.push_back(std::move(values));
        if (json.contains("inputs")) {
            GKS_TRY(readInputs(json["inputs"]));
        }
        readTolerance(json);
        return {};
    }

    Result<void> readInputs(const Json& inputs) {
        static const std::map<std::string_view, InputSource> sources = {{"random", InputSource::random},
                                                                        {"scalar", InputSource::scalar},
                                                                        {"safetensors", InputSource::file},
                                                                        {"custom", InputSource::custom}};
        if (!inputs.is_object()) {
            return refuse("has \"inputs\" that are no object");
        }
        for (const auto& [name, input] : inputs.items()) {
            const std::string type = input.is_object() && input.contains("type") && input["type"].is_string()
                                         ? input["type"].get<std::string>()
                                         : std::string();
            const auto source = sources.find(type);
            if (source == sources.end()) {
                return refuse(fmt::format("has the input {} of the unknown type \"{}\"", abbreviated(name, 40),
                                          abbreviated(type, 40)));
            }
            m_found.sources[name] = std::max(m_found.sources[name], source->second);
            if (source->second == InputSource::scalar) {
                GKS_TRY(readScalar(name, input));
            }
        }
        return {};
    }

    Result<void> readScalar(const std::string& name, const Json& input) {
        const auto value = input.find("value");
        if (value == input.end() || !(value->is_number() || value->is_boolean())) {
            return refuse(fmt::format("has the scalar {} without a number", abbreviated(name, 40)));
        }
        const double number = value->is_boolean() ? (value->get<bool>() ? 1 : 0) : value->get<double>();
        const auto [known, isNew] = m_found.scalars.try_emplace(name, number);
        if (!isNew && known->second != number) {
            known->second.reset();
        }
        return {};
    }

    // "tolerance", which was called "correctness" once.
    void readTolerance(const Json& json) {
        const char* const key = json.contains("tolerance") ? "tolerance" : "correctness";
        const Json stated = json.contains(key) ? json[key] : Json();
        const auto number = [&](const char* name) {
            const bool is = stated.is_object() && stated.contains(name) && stated[name].is_number();
            const double value = is ? stated[name].get<double>() : -1;
            return value >= 0 && value <= 1e6 ? std::optional(value) : std::nullopt;
        };
        const auto relative = number("max_rtol");
        const auto absolute = number("max_atol");
        if (!relative || !absolute) {
            m_allStateTolerance = false;
            return;
        }
        const double ratio = number("required_matched_ratio").value_or(1);
        if (ratio < 1) {
            m_found.leastMatchedRatio = std::min(m_found.leastMatchedRatio.value_or(1), ratio);
        }
        Tolerance& least = m_found.tolerance ? *m_found.tolerance : m_found.tolerance.emplace(Tolerance{1e6, 1e6});
        least.relative = std::min(least.relative, *relative);
        least.absolute = std::min(least.absolute, *absolute);
    }

    std::string_view m_where;
    std::size_t m_line = 0;
    bool m_allStateTolerance = true;
    Workloads m_found;
};

} // namespace

Result<Workloads> readWorkloads(std::string_view text, std::string_view where) {
    if (text.size() > workloadTextLimitBytes) {
        return usageError(fmt::format("is longer than {} KiB", workloadTextLimitBytes >> 10), std::string(where));
    }
    return WorkloadReader(where).read(text);
}

} // namespace gks
