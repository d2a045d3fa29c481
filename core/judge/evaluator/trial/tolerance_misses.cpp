// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/tolerance_misses.h"

#include "core/base/counted.h"
#include "core/base/quantity.h"

#include <fmt/format.h>

namespace gks {

std::string ToleranceMisses::text() const {
    return fmt::format("outside the tolerance: {} where {} is allowed; {} of {} elements, in {}",
                       formatSignificant(m_all.worstError), formatSignificant(m_all.worstAllowed), m_all.mismatches,
                       m_all.checked, counted(m_checks, "check"));
}

} // namespace gks
