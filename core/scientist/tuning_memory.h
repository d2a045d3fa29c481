// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/tuning_run.h"

#include <filesystem>

namespace gks {

// What was measured of one structure on one device: a file in the cache, so that tuning again goes on. It can be
// deleted at any time.
class TuningMemory {
public:
    // The file's name comes from structure, problem (with the pack's content), target, shapes, device and toolchain:
    // when any of them changes, times are not comparable.
    TuningMemory(const EvaluationRequest& request, const Verdict& verdictOfGiven);

    // Empty when there is none or it cannot be read.
    std::vector<TunedPoint> load() const;
    Result<void> store(const std::vector<TunedPoint>& points) const;

private:
    std::filesystem::path m_file;
};

} // namespace gks
