// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/expression.h"
#include "core/scientist/tuning_constraints.h"
#include "tests/fuzz/fuzz.h"

// One expression of a stranger, as a condition of a kernel and as an extent of a problem.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(gks::fuzz::text(data, size));
    const std::vector<gks::Tunable> tunables = {
        {"M", {"1", "2"}, "1", 1, gks::TunableType::powerOfTwo},
        {"N", {"0", "1"}, "0", 2, gks::TunableType::boolean},
        {"KIND", {"row", "column"}, "row", 3, gks::TunableType::identifier},
    };
    const auto conditions = gks::TuningConstraints::compile(tunables, {{text, 7}});
    if (conditions) {
        std::vector<double> values = {2, 0, 0};
        const bool first = conditions->allow(values);
        (void)conditions->allow({1, 1, 0});
        gks::fuzz::require(conditions->allow(values) == first, "a condition has no memory");
    } else {
        gks::fuzz::require(conditions.error().where == "line 7", "a refused condition has its line");
    }
    const gks::NamedValues dims = {{"m", 64}, {"n", 3}};
    const auto value = gks::evaluateExpression(text, dims);
    const auto extent = gks::evaluateExtent(text, dims);
    gks::fuzz::require(!extent || (value && *extent >= 1 && static_cast<double>(*extent) == *value),
                       "an extent is the value, whole and positive");
    return 0;
}
