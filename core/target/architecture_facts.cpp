// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/architecture_facts.h"

#include "core/base/files.h"
#include "core/base/locations.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <toml++/toml.h>

namespace gks {
namespace {

ArchitectureFacts readArchitectureFacts(const std::string& architecture) {
    if (architecture.find('/') != std::string::npos) {
        return {};
    }
    const auto content =
        readFile(resourceFolder() / "devices" / fmt::format("{}.toml", architecture), std::size_t{1} << 20);
    if (!content) {
        return {};
    }
    try {
        const toml::table root = toml::parse(*content);
        const auto value = [&](const char* key) {
            return static_cast<int>(
                std::clamp<std::int64_t>(root["occupancy"][key].value_or<std::int64_t>(0), 0, 1 << 20));
        };
        return {value("simds_per_compute_unit"), value("max_waves_per_simd"),   value("wave_size"),
                value("registers_per_lane"),     value("register_granularity"), value("lds_bytes_per_compute_unit"),
                value("lds_granularity_bytes")};
    } catch (const toml::parse_error&) {
        return {};
    }
}

} // namespace

bool ArchitectureFacts::tellOccupancy() const {
    return simdsPerCu > 0 && wavesPerSimd > 0 && waveSize > 0 && vgprs > 0 && vgprGranule > 0 && ldsBytes > 0 &&
           ldsGranule > 0;
}

ArchitectureFacts architectureFacts(const std::string& architecture) {
    static std::mutex mutex;
    static std::map<std::string, ArchitectureFacts> known;
    const std::lock_guard lock(mutex);
    const auto at = known.find(architecture);
    return at != known.end() ? at->second
                             : known.emplace(architecture, readArchitectureFacts(architecture)).first->second;
}

} // namespace gks
