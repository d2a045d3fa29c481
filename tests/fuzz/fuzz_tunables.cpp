// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/search_space.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

using gks::fuzz::require;

namespace {

// A source with one of its tunables set: nothing else moves.
void set(const std::string& source, const std::vector<gks::Tunable>& tunables, std::size_t which,
         const std::string& value) {
    const auto changed = gks::withTunables(source, {{tunables[which].name, value}});
    require(changed.has_value(), "a declared value is accepted");
    require(changed->size() == source.size() - tunables[which].current.size() + value.size(), "only the value changes");
    const auto again = gks::findTunables(*changed);
    require(again.size() == tunables.size(), "the same tunables are found again");
    for (std::size_t i = 0; i < again.size(); ++i) {
        require(again[i].name == tunables[i].name && again[i].values == tunables[i].values &&
                    again[i].line == tunables[i].line,
                "declarations stay as they are");
        require(again[i].current == (i == which ? value : tunables[i].current), "the value is set, no other one is");
    }
    require(gks::structureOf(*changed) == gks::structureOf(source), "a structure has no values");
}

void search(const gks::SearchSpace& space) {
    constexpr std::uint64_t walked = 64;
    for (std::uint64_t index = 0; index < std::min(space.size(), walked); ++index) {
        const gks::TuningPoint point = space.pointAt(index);
        require(space.pointOf(space.valuesOf(point)) == point || space.size() > walked, "a point is its values");
        const double distance = space.distance(point, space.current());
        require(distance >= 0 && distance <= 1, "distances are from 0 to 1");
        (void)space.allows(point);
    }
    if (space.size() <= walked) {
        require(space.allowedSize().value() <= space.size(), "no more points than there are");
        std::vector<gks::Proposal> proposals = gks::proposePoints(space, {}, space.current(), 4, 1);
        require(proposals.size() <= 4, "as many as asked for");
        for (const gks::Proposal& proposal : proposals) {
            require(space.allows(proposal.point), "conditions are met");
        }
    }
}

} // namespace

// `@tune` and `@tune-if` in the source of a model.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string source(gks::fuzz::text(data, size));
    const std::vector<gks::Tunable> tunables = gks::findTunables(source);
    constexpr std::size_t setTunables = 4;
    for (std::size_t i = 0; i < std::min(tunables.size(), setTunables); ++i) {
        require(!tunables[i].values.empty() && tunables[i].line > 0, "a tunable has values and a line");
        require(gks::withTunables(source, {{tunables[i].name, tunables[i].current}}).value_or("") == source,
                "what is set already changes nothing");
        set(source, tunables, i, tunables[i].values.back());
        require(!gks::withTunables(source, {{tunables[i].name, "no value\n"}}), "only declared values are taken");
    }
    const auto space = gks::SearchSpace::of(source);
    require(space || space.error().where.starts_with("line "), "a refused condition has its line");
    if (space) {
        search(*space);
    }
    return 0;
}
