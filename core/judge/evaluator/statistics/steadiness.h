// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Whether the machine was the same at the end of a measurement as at its beginning. Only what a kernel cannot bring
// about counts: a kernel that gets slower from call to call is slow, not disturbed.
namespace gks {

// Of one moment.
struct MachineReading {
    double seconds = 0;          // on a steady clock
    double othersCpuSeconds = 0; // processor time of everybody but the evaluator and what it started, since some
                                 // origin; with what a hypervisor gave to other machines
};
using ReadMachine = std::function<MachineReading()>;
// From /proc.
MachineReading readMachine();

// Processor load of others in the course of a measurement.
class LoadWatch {
public:
    explicit LoadWatch(ReadMachine read = readMachine) : m_read(std::move(read)) {}
    // Between calls, as often as one likes: a reading is taken a few times a second.
    void tick();
    void read(); // now
    // A sentence when others used much more or much less of the processors in the last third than in the first:
    // "other programs used 0.1 cores at the beginning and 1.9 at the end". `slower`: whether times went up; a load that
    // went the other way explains nothing.
    std::optional<std::string> explains(bool slower) const;
    // Used by others between the first and the last reading, in the mean; many when that is too short to be told.
    double othersCores() const;

private:
    ReadMachine m_read;
    std::vector<MachineReading> m_readings;
    double m_lastTick = 0;
};

// What bent a series of times: a sentence when its level shifted and `cause`, asked whether times went up, explains it.
using Cause = std::function<std::optional<std::string>(bool slower)>;
std::optional<std::string> disturbance(std::span<const double> us, const Cause& cause);

} // namespace gks
