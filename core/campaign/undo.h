// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <map>
#include <string>
#include <vector>

// A decision of a person can be taken back while nothing has come of it. What stood there before is kept behind the
// line of the history, as a second line of Steering::detail; commands that bring it back are made from that and from
// the campaign as it is now, and go through the same rules as every other one. So taking back is a decision too, and
// can be taken back.
namespace gks {

// The line that a person reads.
std::string headline(const Steering& line);

// `line` with what stood before the command behind it, where the command can be taken back.
std::string withBefore(std::string line, const SteeringCommand& command, const Population& before, std::int64_t made);

enum class UndoState {
    none,      // not of a person, or of a kind that cannot be taken back, or older than what was kept
    open,      // it can be taken back
    takenBack, // the campaign is as before it
    replaced,  // a later decision about the same stands: that one comes first
    over,      // something has come of it
};
std::string_view name(UndoState state);

struct UndoChoice {
    UndoState state = UndoState::none;
    std::string why = {};                       // it cannot be taken back
    std::vector<SteeringCommand> commands = {}; // in this order, when it is open
    bool operator==(const UndoChoice&) const = default;
};

// By id of the line; of the newest undoLimit lines.
inline constexpr std::size_t undoLimit = 2000;
using UndoChoices = std::map<std::int64_t, UndoChoice>;
UndoChoices undoChoices(const std::vector<Steering>& history, const Population& population);

// The newest decision that can be taken back; 0: there is none.
std::int64_t newestOpen(const UndoChoices& choices);
// The commands that take one back; 0: the newest.
Result<std::vector<SteeringCommand>> undoCommands(const std::vector<Steering>& history, const Population& population,
                                                  std::int64_t id);

} // namespace gks
