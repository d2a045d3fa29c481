// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/shared_list.h"
#include "core/rating/speed_scale.h"

#include <cstdint>

namespace gks {

// Speed / speed of the baseline, by the campaign's scale, of each kernel that was measured and that a chain of
// comparisons connects with it. Apart from the kernels: every comparison moves all speeds a little, and no kernel.
class KernelSpeeds {
public:
    const SpeedRatio* of(std::int64_t kernel) const; // null: none
    void set(std::int64_t kernel, const SpeedRatio& speed);
    bool operator==(const KernelSpeeds&) const = default;

private:
    struct OfKernel {
        std::int64_t kernel = 0;
        SpeedRatio speed = {};
        bool operator==(const OfKernel&) const = default;
    };
    std::size_t placeOf(std::int64_t kernel) const; // of the first that is not before it

    SharedList<OfKernel> m_all; // by kernel
};

} // namespace gks
