// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/target/disassembly.h"
#include "core/target/kernel_name.h"
#include "core/target/resource_notes.h"
#include "core/target/target.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t reportedKernelsLimit = 1024;
constexpr std::size_t classLimit = 64;
constexpr int countLimit = 1 << 30;

struct NoteField {
    const char* key;
    int KernelResources::* member;
};
constexpr std::array noteFields = {NoteField{".vgpr_count", &KernelResources::vgprs},
                                   NoteField{".sgpr_count", &KernelResources::sgprs},
                                   NoteField{".agpr_count", &KernelResources::agprs},
                                   NoteField{".vgpr_spill_count", &KernelResources::vgprSpills},
                                   NoteField{".sgpr_spill_count", &KernelResources::sgprSpills},
                                   NoteField{".private_segment_fixed_size", &KernelResources::scratchBytes},
                                   NoteField{".group_segment_fixed_size", &KernelResources::ldsBytes},
                                   NoteField{".max_flat_workgroup_size", &KernelResources::maxWorkgroupSize}};

constexpr std::array jsonFields = {NoteField{"vgprs", &KernelResources::vgprs},
                                   NoteField{"sgprs", &KernelResources::sgprs},
                                   NoteField{"agprs", &KernelResources::agprs},
                                   NoteField{"vgpr_spills", &KernelResources::vgprSpills},
                                   NoteField{"sgpr_spills", &KernelResources::sgprSpills},
                                   NoteField{"scratch_bytes", &KernelResources::scratchBytes},
                                   NoteField{"lds_bytes", &KernelResources::ldsBytes},
                                   NoteField{"max_workgroup_size", &KernelResources::maxWorkgroupSize},
                                   NoteField{"occupancy_waves_per_simd", &KernelResources::occupancyWavesPerSimd},
                                   NoteField{"code_bytes", &KernelResources::codeBytes}};

Result<int> count(std::string_view text, const char* key) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > countLimit) {
        return infrastructureError(fmt::format("{} is not a count: {}", key, abbreviated(sanitizedUtf8(text), 60)),
                                   "resource notes");
    }
    return value;
}

Result<KernelResources> resourcesOf(const KernelNotes& notes) {
    KernelResources kernel;
    for (const NoteField& field : noteFields) {
        if (const auto at = notes.find(field.key); at != notes.end()) {
            GKS_TRY_ASSIGN(kernel.*field.member, count(at->second, field.key));
        }
    }
    // The metadata's first number is the whole of the unified file.
    kernel.vgprs -= std::min(kernel.vgprs, kernel.agprs);
    return kernel;
}

Result<int> countFromJson(const Json& value, const std::string& key) {
    if (!value.is_number_integer() || value < 0 || value > countLimit) {
        return usageError(fmt::format("\"{}\" is not a count", key), "static report");
    }
    return value.get<int>();
}

Result<KernelResources> kernelFromJson(const Json& json) {
    KernelResources kernel;
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string()) {
        return usageError("a kernel without a name", "static report");
    }
    kernel.name = boundedName(json["name"].get_ref<const std::string&>());
    for (const NoteField& field : jsonFields) {
        if (const auto at = json.find(field.key); at != json.end()) {
            GKS_TRY_ASSIGN(kernel.*field.member, countFromJson(*at, field.key));
        }
    }
    for (const auto& [key, counts] :
         {std::pair("instructions", &kernel.instructions), std::pair("multiplies", &kernel.multiplies)}) {
        const auto mix = json.find(key);
        if (mix != json.end() && mix->is_object() && mix->size() <= classLimit) {
            for (const auto& [className, value] : mix->items()) {
                GKS_TRY_ASSIGN((*counts)[className], countFromJson(value, className));
            }
        }
    }
    return kernel;
}

} // namespace

Result<StaticReport> readStaticReport(const std::string& architecture, std::string_view notesText,
                                      std::string_view disassembly) {
    GKS_TRY_ASSIGN(const auto notes, readResourceNotes(notesText));
    GKS_TRY_ASSIGN(const auto functions, readDisassembly(disassembly));
    StaticReport report;
    report.architecture = architecture;
    for (const KernelNotes& entry : notes) {
        const auto symbol = entry.find(".name");
        if (symbol == entry.end()) {
            return infrastructureError("a kernel without a name", "resource notes");
        }
        GKS_TRY_ASSIGN(KernelResources kernel, resourcesOf(entry));
        kernel.name = kernelName(symbol->second);
        kernel.occupancyWavesPerSimd =
            occupancyWavesPerSimd(architecture, kernel.vgprs, kernel.agprs, kernel.ldsBytes, kernel.maxWorkgroupSize);
        const auto code = functions.find(symbol->second);
        if (code == functions.end() && !functions.empty()) { // instructions nobody has seen are not none
            return infrastructureError("there is no code of the kernel " + kernel.name, "disassembly");
        }
        if (code != functions.end()) {
            kernel.instructions = code->second.instructions;
            kernel.multiplies = code->second.multiplies;
            kernel.codeBytes = code->second.codeBytes;
        }
        report.kernels.push_back(std::move(kernel));
    }
    return report;
}

OrderedJson toJson(const StaticReport& report) {
    OrderedJson json = {{"architecture", report.architecture}, {"code_object_bytes", report.codeObjectBytes}};
    json["kernels"] = OrderedJson::array();
    for (const KernelResources& kernel : report.kernels) {
        OrderedJson entry = {{"name", kernel.name}};
        for (const NoteField& field : jsonFields) {
            entry[field.key] = kernel.*field.member;
        }
        entry["instructions"] = kernel.instructions;
        entry["multiplies"] = kernel.multiplies;
        json["kernels"].push_back(std::move(entry));
    }
    return json;
}

Result<StaticReport> staticReportFromJson(const Json& json) {
    if (!json.is_object() || !json.contains("kernels") || !json["kernels"].is_array() ||
        json["kernels"].size() > reportedKernelsLimit) {
        return usageError("not a static report", "static report");
    }
    StaticReport report;
    if (const auto at = json.find("architecture"); at != json.end() && at->is_string()) {
        report.architecture = at->get<std::string>();
    }
    if (const auto at = json.find("code_object_bytes"); at != json.end() && at->is_number_unsigned()) {
        report.codeObjectBytes = at->get<std::size_t>();
    }
    for (const Json& entry : json["kernels"]) {
        GKS_TRY_ASSIGN(KernelResources kernel, kernelFromJson(entry));
        report.kernels.push_back(std::move(kernel));
    }
    return report;
}

} // namespace gks
