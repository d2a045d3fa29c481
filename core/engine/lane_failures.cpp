// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lane_failures.h"

namespace gks {
namespace {

constexpr int laneFailureLimit = 2;           // in a row, on one lane: the lane is at fault
constexpr std::size_t kernelFailureLimit = 2; // lanes that failed one kernel: the person is asked

} // namespace

LaneFailures::Consequence LaneFailures::failed(const std::string& lane, KernelId kernel, bool deviceTrouble) {
    if (++m_inRow[lane] >= laneFailureLimit || deviceTrouble) {
        m_inRow.erase(lane);
        m_failedOn.erase(kernel);
        return Consequence::laneOut;
    }
    std::set<std::string>& lanes = m_failedOn[kernel];
    lanes.insert(lane);
    if (lanes.size() < kernelFailureLimit) {
        return Consequence::tryAgain;
    }
    m_failedOn.erase(kernel);
    return Consequence::askPerson;
}

void LaneFailures::succeeded(const std::string& lane, KernelId kernel) {
    m_inRow.erase(lane);
    m_failedOn.erase(kernel);
}

bool LaneFailures::failedOn(KernelId kernel, const std::string& lane) const {
    const auto found = m_failedOn.find(kernel);
    return found != m_failedOn.end() && found->second.contains(lane);
}

} // namespace gks
