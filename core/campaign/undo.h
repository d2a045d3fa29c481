// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <map>
#include <string>
#include <vector>

// A decision of a person can be taken back while nothing has come of it. What stood there before is kept beside the
// line of the history (Steering::before); from that and from the campaign as it is now one command is made that brings
// it back, whole or not at all, under the same rules as every other one. A decision that changed more than one thing is
// not taken back by half: it says what else it did.
namespace gks {

// For Steering::before; empty: the command is of a kind that cannot be taken back.
std::string undoRecord(const SteeringCommand& command, const Population& before, std::int64_t made);

enum class UndoState {
    none,      // not of a person, or of a kind that cannot be taken back, or older than what is looked at
    open,      // it can be taken back
    takenBack, // the campaign is as before it
    undoes,    // it took back an earlier one
    unchanged, // nothing of it stands: it changed nothing, or something else has brought back what was there
    replaced,  // a later decision about the same stands: that one comes first
    over,      // something has come of it
};
std::string_view name(UndoState state);

struct UndoChoice {
    UndoState state = UndoState::none;
    std::string why = {};                        // it cannot be taken back
    std::optional<SteeringCommand> command = {}; // when it is open
    bool operator==(const UndoChoice&) const = default;
};

// By id of the line; of the newest undoLimit lines, and of each subject the newest undoDepth.
inline constexpr std::size_t undoLimit = 2000;
inline constexpr std::size_t undoDepth = 64;
using UndoChoices = std::map<std::int64_t, UndoChoice>;
UndoChoices undoChoices(const std::vector<Steering>& history, const Population& population);

// The command that takes one back. 0: the person's last decision, of those that changed something; when that one cannot
// be taken back an older one is not taken in its place.
Result<SteeringCommand> undoCommand(const std::vector<Steering>& history, const Population& population,
                                    std::int64_t id);

// What a row of the history says of it: "can be taken back", or why not; empty where there is nothing to say.
std::string undoText(const UndoChoice& choice);

} // namespace gks
