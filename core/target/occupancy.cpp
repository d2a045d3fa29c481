// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/target/target.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <toml++/toml.h>

// How many waves can be resident on one SIMD, the way the compiler itself counts it: each wave takes its registers from
// one file, in granules; each workgroup takes its LDS from the compute unit, whose SIMDs share the waves. Whether whole
// workgroups fit beside each other by registers is left out: the metadata knows the largest workgroup that is allowed,
// not the one that will be launched.
namespace gks {
namespace {

struct OccupancyFacts {
    int simdsPerCu = 0;
    int wavesPerSimd = 0;
    int waveSize = 0;
    int vgprs = 0;
    int vgprGranule = 0;
    int ldsBytes = 0;
    int ldsGranule = 0;
};
// Accumulation registers begin behind the others, rounded up to this.
constexpr int agprOffsetGranule = 4;

std::optional<OccupancyFacts> readFacts(const std::string& architecture) {
    if (architecture.find('/') != std::string::npos) {
        return std::nullopt;
    }
    const auto content =
        readFile(resourceFolder() / "devices" / fmt::format("{}.toml", architecture), std::size_t{1} << 20);
    if (!content) {
        return std::nullopt;
    }
    try {
        const toml::table root = toml::parse(*content);
        const auto value = [&](const char* key) {
            return static_cast<int>(
                std::clamp<std::int64_t>(root["occupancy"][key].value_or<std::int64_t>(0), 0, 1 << 20));
        };
        const OccupancyFacts facts = {
            value("simds_per_compute_unit"), value("max_waves_per_simd"),   value("wave_size"),
            value("registers_per_lane"),     value("register_granularity"), value("lds_bytes_per_compute_unit"),
            value("lds_granularity_bytes")};
        const bool complete = facts.simdsPerCu > 0 && facts.wavesPerSimd > 0 && facts.waveSize > 0 && facts.vgprs > 0 &&
                              facts.vgprGranule > 0 && facts.ldsBytes > 0 && facts.ldsGranule > 0;
        return complete ? std::optional(facts) : std::nullopt;
    } catch (const toml::parse_error&) {
        return std::nullopt;
    }
}

std::optional<OccupancyFacts> occupancyFactsOf(const std::string& architecture) {
    static std::mutex mutex;
    static std::map<std::string, std::optional<OccupancyFacts>> known;
    const std::lock_guard lock(mutex);
    const auto at = known.find(architecture);
    return at != known.end() ? at->second : known.emplace(architecture, readFacts(architecture)).first->second;
}

int dividedUp(int value, int by) {
    return (value + by - 1) / by;
}
int roundedUp(int value, int to) {
    return dividedUp(value, to) * to;
}

} // namespace

int occupancyWavesPerSimd(const std::string& architecture, int vgprs, int agprs, int ldsBytes, int workgroupSize) {
    const auto facts = occupancyFactsOf(architecture);
    if (!facts) {
        return 0;
    }
    const int limit = facts->vgprs;
    vgprs = std::clamp(vgprs, 0, limit);
    agprs = std::clamp(agprs, 0, limit);
    const int registers = agprs > 0 ? roundedUp(vgprs, agprOffsetGranule) + agprs : vgprs;
    const int byRegisters = limit / std::max(facts->vgprGranule, roundedUp(registers, facts->vgprGranule));
    int byLds = facts->wavesPerSimd;
    if (ldsBytes > facts->ldsBytes) {
        return 0;
    }
    if (ldsBytes > 0) {
        const int workgroups = facts->ldsBytes / roundedUp(ldsBytes, facts->ldsGranule);
        const int waves = workgroups * dividedUp(std::clamp(workgroupSize, 1, 1024), facts->waveSize);
        byLds = dividedUp(waves, facts->simdsPerCu);
    }
    return std::min({facts->wavesPerSimd, byRegisters, byLds});
}

} // namespace gks
