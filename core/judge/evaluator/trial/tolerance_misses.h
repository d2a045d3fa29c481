// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/data.h"

#include <cstddef>
#include <string>

namespace gks {

// What an anchor does not meet of the pack's tolerance: noted, and not held against its times. For a kernel there is no
// such place, and the first miss ends its evaluation.
class ToleranceMisses {
public:
    void add(const Comparison& comparison) {
        ++m_checks;
        m_all += comparison;
    }
    bool isEmpty() const { return m_checks == 0; }
    // "outside the tolerance: 0.031 where 0.02 is allowed; 17 of 8192 elements, in 3 checks". No shape: it stands in
    // prompts, and some are held out.
    std::string text() const;

private:
    std::size_t m_checks = 0;
    Comparison m_all; // of these checks
};

} // namespace gks
