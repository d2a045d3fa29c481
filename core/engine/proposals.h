// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/run.h"
#include "core/scientist/scientist.h"

#include <optional>
#include <utility>

namespace gks {

// What a selection and a design lead to. A round is over when nothing of it is still to be decided, written or judged;
// what was not picked by then is set aside, and a person may still approve it. A proposal that comes again, from
// another parent or in a later round, is the earlier one taken up again: the list shows an idea once.
class Proposals {
public:
    Proposals(Run& run, Outlet& outlet) : m_run(run), m_outlet(outlet) {}

    void selected(const Result<Selection>& selection);
    void designed(const Result<Design>& design);
    void setLeftOnesAside(); // of rounds that are over

    // Made, and not designed for yet.
    const std::optional<Selection>& selection() const { return m_selection; }
    Selection takeSelection() { return *std::exchange(m_selection, std::nullopt); }
    void dropSelection() { m_selection.reset(); }

private:
    bool keepLessons(const std::vector<Lesson>& lessons);
    const Experiment* sameProposal(const Experiment& fresh) const;
    bool takeUpAgain(const Experiment& earlier, Experiment fresh, std::int64_t position);

    Run& m_run;
    Outlet& m_outlet;
    std::optional<Selection> m_selection;
};

} // namespace gks
