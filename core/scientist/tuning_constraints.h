// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/tunables.h"

#include <memory>

namespace gks {

// The conditions of a kernel, ready to be asked about one point after the other: arithmetic over the tunables that are
// whole numbers, with % and the comparisons and functions of muParser. Copies share their state: one thread at a time.
class TuningConstraints {
public:
    TuningConstraints() = default;
    // A condition that cannot be read, names something else than a numeric tunable or is too long is refused with its
    // line.
    static Result<TuningConstraints> compile(const std::vector<Tunable>& tunables,
                                             const std::vector<TuningCondition>& conditions);

    // Values in the order of the tunables; those of identifiers are not looked at.
    bool allow(const std::vector<double>& values) const;
    bool empty() const { return m_state == nullptr; }

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace gks
