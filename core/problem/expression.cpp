// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/expression.h"

#include "core/base/text.h"

#include <cmath>
#include <fmt/format.h>
#include <muParser.h>

namespace gks {
namespace {

double roundUp(double value) {
    return std::ceil(value);
}
double roundDown(double value) {
    return std::floor(value);
}

// Beyond this doubles no longer tell neighbouring whole numbers apart.
constexpr double wholeNumberLimit = 9007199254740992.0;

// To make a parser takes several times as long as an expression, of which an evaluation has thousands. Each gets it
// without the values of the last one.
mu::Parser& emptyParser() {
    thread_local mu::Parser parser = [] {
        mu::Parser made;
        made.DefineFun("ceil", roundUp);
        made.DefineFun("floor", roundDown);
        return made;
    }();
    parser.ClearConst();
    parser.InitConst();
    return parser;
}

tl::unexpected<Error> refused(const std::string& expression, std::string_view reason) {
    return usageError(fmt::format("expression \"{}\": {}", abbreviated(expression, 80), reason));
}

} // namespace

Result<double> evaluateExpression(const std::string& expression, const NamedValues& values) {
    if (trimmed(expression).empty()) {
        return refused(expression, "is empty");
    }
    if (expression.size() > expressionLimitBytes) {
        return refused(expression, fmt::format("is longer than {} characters", expressionLimitBytes));
    }
    try {
        mu::Parser& parser = emptyParser();
        for (const auto& [name, value] : values) {
            parser.DefineConst(name, static_cast<double>(value)); // a constant: "m = 5" is an error, not an assignment
        }
        parser.SetExpr(expression);
        const double result = parser.Eval();
        if (parser.GetNumResults() != 1) {
            return refused(expression, "has more than one value");
        }
        if (!std::isfinite(result)) {
            return refused(expression, "is not a finite number");
        }
        return result;
    } catch (const mu::Parser::exception_type& error) {
        return refused(expression, error.GetMsg());
    }
}

Result<std::int64_t> evaluateExtent(const std::string& expression, const NamedValues& values) {
    GKS_TRY_ASSIGN(const double value, evaluateExpression(expression, values));
    if (value < 1 || value > wholeNumberLimit || value != std::floor(value)) {
        return refused(expression, fmt::format("is {}, not a positive whole number", value));
    }
    return static_cast<std::int64_t>(value);
}

} // namespace gks
