// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/tuning_constraints.h"

#include "core/base/text.h"
#include "core/problem/expression.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <muParser.h>

namespace gks {
namespace {

constexpr std::size_t conditionLimit = 32;

double remainder(double a, double b) {
    return std::fmod(a, b);
}
double roundUp(double value) {
    return std::ceil(value);
}
double roundDown(double value) {
    return std::floor(value);
}

tl::unexpected<Error> refused(const TuningCondition& condition, std::string_view reason) {
    return usageError(fmt::format("condition \"{}\": {}", abbreviated(condition.expression, 80), reason),
                      fmt::format("line {}", condition.line),
                      "Use for example `// @tune-if A * B <= 1024` with whole-number tunables");
}

// muParser reads `A = 5` as an assignment; nobody who writes a condition means that.
bool assigns(std::string_view expression) {
    for (std::size_t i = 0; i < expression.size(); ++i) {
        if (expression[i] != '=') {
            continue;
        }
        if (i + 1 < expression.size() && expression[i + 1] == '=') {
            ++i;
        } else if (i == 0 || std::string_view("<>!").find(expression[i - 1]) == std::string_view::npos) {
            return true;
        }
    }
    return false;
}

} // namespace

struct TuningConstraints::State {
    std::vector<double> values; // the parsers point into it
    std::vector<mu::Parser> parsers;
};

Result<TuningConstraints> TuningConstraints::compile(const std::vector<Tunable>& tunables,
                                                     const std::vector<TuningCondition>& conditions) {
    TuningConstraints constraints;
    if (conditions.empty()) {
        return constraints;
    }
    if (conditions.size() > conditionLimit) {
        return refused(conditions[conditionLimit], fmt::format("more than {} conditions", conditionLimit));
    }
    constraints.m_state = std::make_shared<State>();
    State& state = *constraints.m_state;
    state.values.assign(tunables.size(), 1);
    for (const TuningCondition& condition : conditions) {
        if (condition.expression.empty() || condition.expression.size() > expressionLimitBytes) {
            return refused(condition, condition.expression.empty()
                                          ? std::string("is empty")
                                          : fmt::format("is longer than {} characters", expressionLimitBytes));
        }
        if (assigns(condition.expression)) {
            return refused(condition, "use == instead of =");
        }
        try {
            mu::Parser parser;
            parser.DefineFun("ceil", roundUp);
            parser.DefineFun("floor", roundDown);
            parser.DefineOprt("%", remainder, mu::prMUL_DIV);
            for (std::size_t i = 0; i < tunables.size(); ++i) {
                if (tunables[i].type != TunableType::identifier) {
                    parser.DefineVar(tunables[i].name, &state.values[i]);
                }
            }
            parser.SetExpr(condition.expression);
            parser.Eval();
            if (parser.GetNumResults() != 1) {
                return refused(condition, "has more than one value");
            }
            state.parsers.push_back(std::move(parser));
        } catch (const mu::Parser::exception_type& error) {
            return refused(condition, error.GetMsg());
        }
    }
    return constraints;
}

bool TuningConstraints::allow(const std::vector<double>& values) const {
    if (!m_state) {
        return true;
    }
    std::copy(values.begin(), values.end(), m_state->values.begin());
    return std::all_of(m_state->parsers.begin(), m_state->parsers.end(), [](const mu::Parser& parser) {
        try {
            return parser.Eval() != 0;
        } catch (const mu::Parser::exception_type&) {
            return false; // a division that this point makes impossible
        }
    });
}

} // namespace gks
