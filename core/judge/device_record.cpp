// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/device_record.h"

#include <charconv>
#include <limits>

namespace gks {
namespace {

constexpr const char* architectureKey = "architecture";
constexpr const char* computeUnitsKey = "compute_units";
constexpr const char* waveSizeKey = "wave_size";
constexpr const char* clockKey = "clock_hz";
constexpr const char* ldsKey = "lds_bytes_per_block";
constexpr const char* memoryKey = "device_memory_bytes";
constexpr const char* memoryRateKey = "memory_bytes_per_second";
constexpr const char* threadsKey = "timed_threads"; // as in environment.cpp

template<class T>
void keep(Verdict& verdict, const char* key, T value) {
    if (value > 0) {
        verdict.environment[key] = std::to_string(static_cast<std::int64_t>(value));
    }
}

template<class T>
T kept(const Verdict& verdict, const char* key) {
    const auto at = verdict.environment.find(key);
    std::int64_t value = 0;
    if (at != verdict.environment.end()) {
        const char* const end = at->second.data() + at->second.size();
        const auto [stopped, error] = std::from_chars(at->second.data(), end, value);
        const bool fits = value > 0 && (!std::is_same_v<T, int> || value <= std::numeric_limits<int>::max());
        value = error == std::errc() && stopped == end && fits ? value : 0;
    }
    return static_cast<T>(value);
}

} // namespace

void recordDevice(const Device& device, Verdict& verdict) {
    verdict.device = device.name;
    verdict.environment[architectureKey] = device.architecture;
    keep(verdict, computeUnitsKey, device.facts.computeUnits);
    keep(verdict, waveSizeKey, device.facts.waveSize);
    keep(verdict, clockKey, device.facts.clockHz);
    keep(verdict, ldsKey, device.facts.ldsBytesPerBlock);
    keep(verdict, memoryKey, device.facts.memoryBytes);
    if (device.target != TargetKind::cpu) { // of that one the peaks are limits, no rates
        keep(verdict, memoryRateKey, device.peaks.bytesPerSecond);
    }
}

Device recordedDevice(const Verdict& verdict) {
    Device device;
    device.target = targetFromName(verdict.target).value_or(TargetKind::cpu);
    device.name = verdict.device;
    if (const auto at = verdict.environment.find(architectureKey); at != verdict.environment.end()) {
        device.architecture = at->second;
    }
    device.facts = {kept<int>(verdict, computeUnitsKey), kept<int>(verdict, waveSizeKey),
                    kept<double>(verdict, clockKey), kept<std::int64_t>(verdict, ldsKey),
                    kept<std::int64_t>(verdict, memoryKey)};
    if (device.target == TargetKind::cpu) {
        device.facts.thread.threads = kept<int>(verdict, threadsKey);
    } else if (!device.architecture.empty()) {
        const DeviceRates rates = {kept<double>(verdict, memoryRateKey), static_cast<double>(device.facts.computeUnits),
                                   device.facts.clockHz, device.name};
        device.peaks = devicePeaks(device.architecture, rates).value_or(DevicePeaks{});
    }
    return device;
}

} // namespace gks
