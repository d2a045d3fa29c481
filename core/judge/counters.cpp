// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/counters.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/json_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace gks {
namespace {

constexpr const char* whereCounters = "counters";
constexpr std::size_t launchesLimit = 512;
constexpr std::size_t factsLimit = 32;
constexpr std::size_t nameLimitBytes = 400;
constexpr std::size_t rowsLimit = 100000;
constexpr std::size_t shownStalls = 2;

// One line of comma-separated values; a quoted field may hold commas, and quotes twice.
std::vector<std::string> fieldsOf(std::string_view line) {
    std::vector<std::string> fields(1);
    bool isQuoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (c == '"' && isQuoted && at + 1 < line.size() && line[at + 1] == '"') {
            fields.back() += line[++at];
        } else if (c == '"') {
            isQuoted = !isQuoted;
        } else if (c == ',' && !isQuoted) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

// "1,980,000" as well; nothing where there is no number.
std::optional<double> numberOf(std::string text) {
    std::erase(text, ',');
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' || !std::isfinite(value) ? std::nullopt : std::optional(value);
}

std::string nameOf(std::string_view text) {
    return abbreviated(sanitizedUtf8(text), nameLimitBytes);
}

struct Table {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> rows;
    std::optional<std::size_t> column(std::string_view name) const {
        const auto found = std::find(names.begin(), names.end(), name);
        return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
    }
};

// Rows that are shorter or longer than the first say nothing.
Result<Table> tableOf(std::string_view text, const std::string& tool) {
    Table table;
    std::string said;
    for (const std::string_view line : lines(text)) {
        if (line.starts_with("==")) {
            said += line.find("ERROR") != std::string_view::npos ? std::string(line) + " " : "";
            continue;
        }
        auto fields = fieldsOf(trimmed(line));
        if (table.names.empty()) {
            table.names = fields.size() > 1 ? std::move(fields) : std::vector<std::string>();
        } else if (fields.size() == table.names.size() && table.rows.size() < rowsLimit) {
            table.rows.push_back(std::move(fields));
        }
    }
    if (table.names.empty()) {
        const bool isForbidden = said.find("ERR_NVGPUCTRPERM") != std::string::npos;
        return infrastructureError(said.empty() ? tool + " wrote no table" : nameOf(trimmed(said)), whereCounters,
                                   isForbidden ? "Load the driver with NVreg_RestrictProfilingToAdminUsers=0" : "");
    }
    return table;
}

std::string stallName(std::string_view metric) {
    constexpr std::string_view begin = "smsp__average_warps_issue_stalled_";
    constexpr std::string_view end = "_per_issue_active.ratio";
    return metric.starts_with(begin) && metric.ends_with(end)
               ? replaceAll(std::string(metric.substr(begin.size(), metric.size() - begin.size() - end.size())), "_",
                            " ")
               : std::string();
}

class Facts {
public:
    explicit Facts(const std::map<std::string, double>& values) : m_values(values) {}
    std::optional<double> value(const std::string& counter) const {
        const auto found = m_values.find(counter);
        return found == m_values.end() ? std::nullopt : std::optional(found->second);
    }
    void add(std::string name, std::optional<double> value, const char* unit) {
        if (value && std::isfinite(*value)) {
            facts.push_back({std::move(name), *value, unit});
        }
    }
    std::vector<CounterFact> facts;

private:
    const std::map<std::string, double>& m_values;
};

std::vector<CounterFact> nvidiaFacts(const RawCounters& raw) {
    Facts facts(raw.values);
    const auto time = facts.value("gpu__time_duration.sum");
    facts.add("time under the profiler", time ? std::optional(*time / 1000) : std::nullopt, "us");
    for (const auto& [name, counter, unit] : std::initializer_list<std::tuple<const char*, const char*, const char*>>{
             {"multiprocessors busy", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"},
             {"matrix cores busy", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "%"},
             {"memory bandwidth used", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%"},
             {"read from memory", "dram__bytes_read.sum", "B"},
             {"written to memory", "dram__bytes_write.sum", "B"},
             {"L2 hits", "lts__t_sector_hit_rate.pct", "%"},
             {"shared memory bank conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", ""},
             {"occupancy achieved", "sm__warps_active.avg.pct_of_peak_sustained_active", "%"}}) {
        facts.add(name, facts.value(counter), unit);
    }
    std::vector<CounterFact> stalls;
    for (const auto& [counter, value] : raw.values) {
        if (std::string name = stallName(counter); !name.empty() && value > 0) {
            stalls.push_back({"stall: " + name, value, "warps"});
        }
    }
    std::stable_sort(stalls.begin(), stalls.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    stalls.resize(std::min(stalls.size(), shownStalls));
    facts.facts.insert(facts.facts.end(), stalls.begin(), stalls.end());
    return facts.facts;
}

// A quotient of counters, where both are there and the second is not zero.
std::optional<double> quotient(std::optional<double> above, std::optional<double> below, double factor) {
    return above && below && *below > 0 ? std::optional(factor * *above / *below) : std::nullopt;
}

std::vector<CounterFact> amdFacts(const RawCounters& raw, int computeUnits) {
    Facts facts(raw.values);
    const auto active = facts.value("GRBM_GUI_ACTIVE");
    const auto units = computeUnits > 0 && active ? std::optional(*active * computeUnits) : std::nullopt;
    facts.add("vector units busy", quotient(facts.value("SQ_ACTIVE_INST_VALU"), units, 100), "%");
    facts.add("matrix cores busy", quotient(facts.value("SQ_VALU_MFMA_BUSY_CYCLES"), units, 100.0 / 4), "%");
    constexpr double shortRequest = 32;
    constexpr double request = 64;
    constexpr double longRequest = 128;
    const auto reads = facts.value("TCC_EA0_RDREQ_sum");
    const auto shortReads = facts.value("TCC_EA0_RDREQ_32B_sum");
    const auto longReads = facts.value("TCC_BUBBLE_sum");
    if (reads && shortReads && longReads) {
        facts.add("read from memory",
                  longRequest * *longReads + request * (*reads - *longReads - *shortReads) + shortRequest * *shortReads,
                  "B");
    }
    const auto writes = facts.value("TCC_EA0_WRREQ_sum");
    const auto wholeWrites = facts.value("TCC_EA0_WRREQ_64B_sum");
    if (writes && wholeWrites) {
        facts.add("written to memory", request * *wholeWrites + shortRequest * (*writes - *wholeWrites), "B");
    }
    const auto hits = facts.value("TCC_HIT_sum");
    const auto misses = facts.value("TCC_MISS_sum");
    facts.add("L2 hits", hits && misses ? quotient(hits, *hits + *misses, 100) : std::nullopt, "%");
    const auto conflicts = facts.value("SQ_LDS_BANK_CONFLICT");
    const auto lds = facts.value("SQ_LDS_IDX_ACTIVE");
    facts.add("LDS cycles lost to bank conflicts", quotient(conflicts, lds, 100), "%");
    facts.add("waves on a compute unit", quotient(facts.value("SQ_LEVEL_WAVES"), units, 1), "waves");
    return facts.facts;
}

} // namespace

Result<std::vector<RawCounters>> ncuTable(std::string_view text) {
    GKS_TRY_ASSIGN(const Table table, tableOf(text, "ncu"));
    const auto kernel = table.column("Kernel Name");
    if (!kernel) {
        return infrastructureError("the table of ncu has no column \"Kernel Name\"", whereCounters);
    }
    std::vector<RawCounters> launches;
    for (const auto& row : table.rows) {
        if (row[*kernel].empty()) {
            continue; // the units
        }
        RawCounters& launch = launches.emplace_back();
        launch.kernel = nameOf(row[*kernel]);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (const auto value = table.names[i].find("__") != std::string::npos ? numberOf(row[i]) : std::nullopt) {
                launch.values[table.names[i]] = *value;
            }
        }
    }
    return launches;
}

Result<std::vector<RawCounters>> rocprofTable(std::string_view text) {
    GKS_TRY_ASSIGN(const Table table, tableOf(text, "rocprofv3"));
    const auto dispatch = table.column("Dispatch_Id");
    const auto kernel = table.column("Kernel_Name");
    const auto counter = table.column("Counter_Name");
    const auto value = table.column("Counter_Value");
    if (!dispatch || !kernel || !counter || !value) {
        return infrastructureError("the table of rocprofv3 lacks Dispatch_Id, Kernel_Name, Counter_Name or "
                                   "Counter_Value",
                                   whereCounters);
    }
    std::map<double, RawCounters> byDispatch; // in the order of the launches
    for (const auto& row : table.rows) {
        const auto number = numberOf(row[*dispatch]);
        const auto counted = numberOf(row[*value]);
        if (!number || !counted || row[*kernel].starts_with("__amd_rocclr_")) {
            continue;
        }
        RawCounters& launch = byDispatch[*number];
        launch.kernel = nameOf(row[*kernel]);
        launch.values[nameOf(row[*counter])] += *counted;
    }
    std::vector<RawCounters> launches;
    for (auto& [number, launch] : byDispatch) {
        launches.push_back(std::move(launch));
    }
    return launches;
}

std::vector<std::vector<std::string>> counterPasses(TargetKind target) {
    switch (target) {
    case TargetKind::cpu:
        break;
    case TargetKind::nvidia: { // ncu replays the launch as often as it needs
        std::vector<std::string> all = {"gpu__time_duration.sum",
                                        "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                                        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
                                        "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                                        "dram__bytes_read.sum",
                                        "dram__bytes_write.sum",
                                        "lts__t_sector_hit_rate.pct",
                                        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
                                        "sm__warps_active.avg.pct_of_peak_sustained_active"};
        for (const char* stall : {"barrier", "branch_resolve", "dispatch_stall", "drain", "imc_miss", "lg_throttle",
                                  "long_scoreboard", "math_pipe_throttle", "membar", "mio_throttle", "no_instruction",
                                  "short_scoreboard", "sleeping", "tex_throttle", "wait", "gmma"}) {
            all.push_back(fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", stall));
        }
        return {all};
    }
    case TargetKind::amd: // few counters of a block in one run: SQ 8, TCC 4, GRBM 2
        return {{"GRBM_GUI_ACTIVE", "SQ_ACTIVE_INST_VALU", "SQ_VALU_MFMA_BUSY_CYCLES", "SQ_LDS_BANK_CONFLICT",
                 "SQ_LDS_IDX_ACTIVE", "TCC_HIT_sum", "TCC_MISS_sum"},
                {"GRBM_GUI_ACTIVE", "SQ_LEVEL_WAVES", "TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum", "TCC_BUBBLE_sum"},
                {"TCC_EA0_WRREQ_sum", "TCC_EA0_WRREQ_64B_sum"}};
    }
    return {};
}

std::vector<CounterFact> counterFacts(TargetKind target, const RawCounters& raw, int computeUnits) {
    return target == TargetKind::amd ? amdFacts(raw, computeUnits) : nvidiaFacts(raw);
}

std::string counterText(const std::vector<CounterFact>& facts) {
    std::vector<std::string> parts;
    for (const CounterFact& fact : facts) {
        std::string value = fact.unit == "B"    ? formatBytes(static_cast<std::uint64_t>(std::max(0.0, fact.value)))
                            : fact.unit == "us" ? formatMicroseconds(fact.value)
                                                : formatSignificant(fact.value, 3);
        if (fact.unit != "B" && fact.unit != "us" && !fact.unit.empty()) {
            value += " " + fact.unit;
        }
        parts.push_back(fact.name + " " + value);
    }
    return join(parts, ", ");
}

OrderedJson toJson(const CounterReport& report) {
    OrderedJson json = {{"tool", report.tool}};
    if (!report.why.empty()) {
        json["why"] = report.why;
    }
    json["launches"] = OrderedJson::array();
    for (const LaunchCounters& launch : report.launches) {
        OrderedJson facts = OrderedJson::array();
        for (const CounterFact& fact : launch.facts) {
            facts.push_back({{"name", fact.name}, {"value", fact.value}, {"unit", fact.unit}});
        }
        json["launches"].push_back({{"shape", launch.shape}, {"kernel", launch.kernel}, {"facts", std::move(facts)}});
    }
    return json;
}

Result<CounterReport> counterReportFromJson(const Json& json) {
    CounterReport report;
    FieldReader fields(json, whereCounters);
    fields.read("tool", report.tool);
    fields.read("why", report.why);
    const Json* launches = fields.array("launches");
    GKS_TRY(fields.finish());
    for (const Json& one : launches != nullptr ? *launches : Json::array()) {
        LaunchCounters& launch = report.launches.emplace_back();
        FieldReader inner(one, "counters of a launch");
        inner.read("shape", launch.shape);
        inner.read("kernel", launch.kernel);
        const Json* facts = inner.array("facts");
        GKS_TRY(inner.finish());
        for (const Json& fact : facts != nullptr ? *facts : Json::array()) {
            CounterFact& read = launch.facts.emplace_back();
            FieldReader each(fact, "counter");
            each.read("name", read.name);
            each.read("value", read.value);
            each.read("unit", read.unit);
            GKS_TRY(each.finish());
        }
        if (launch.facts.size() > factsLimit || report.launches.size() > launchesLimit) {
            return infrastructureError("more counters than any profile has", whereCounters);
        }
    }
    return report;
}

} // namespace gks
