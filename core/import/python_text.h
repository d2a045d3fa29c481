// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// As much Python as a reference of a few lines is written in: imports, one function, assignments, return. It is parsed
// and never run. Everything else is refused with line and column.
namespace gks {

struct PythonPlace {
    int line = 1;
    int column = 1;
    std::string text() const; // "3:5"
};

struct PythonExpression {
    enum class Kind {
        name,
        number,
        text,
        none,
        ellipsis,
        attribute,
        call,
        subscript,
        slice,
        unary,
        binary,
        tuple,
        dictionary
    };
    Kind kind = Kind::none;
    PythonPlace place = {};
    std::string word = {}; // name, attribute, operator, text
    double number = 0;
    bool isWhole = false; // of a number
    // Operands; of a call the function, then its arguments; of a dictionary its values.
    std::vector<PythonExpression> parts = {};
    std::vector<std::string> keys = {}; // of a dictionary; of a call its keywords, whose values follow
    std::vector<PythonExpression> keywords = {};
};

struct PythonStatement {
    enum class Kind {
        assign, // to targets; several: a tuple is taken apart
        fill,   // target[...] = value: the elements of something that is there
        effect, // a value that nothing is done with: seed(1)
        give,   // what is returned
    };
    std::vector<std::string> targets;
    PythonExpression value;
    PythonPlace place;
    Kind kind = Kind::assign;
    bool isInPlace = false;  // target += value: what the target stands for changes
    bool takesApart = false; // into the targets, also into one
};

struct PythonFunction {
    std::vector<std::string> parameters;
    std::vector<PythonStatement> body; // ends with what is returned
    PythonPlace place = {};
};

// Functions of a file, and the values that stand beside them (NAME = value).
struct PythonModule {
    std::map<std::string, PythonFunction> functions;
    std::map<std::string, PythonExpression> values;
};

// The function of this name; `where` is the file that the text is from.
Result<PythonFunction> parsePythonFunction(std::string_view source, std::string_view function, std::string_view where);
// These functions of a file; what else it defines is passed over. Refused where one of them is missing.
Result<PythonModule> parsePythonModule(std::string_view source, const std::set<std::string>& functions,
                                       std::string_view where);
// One expression on a line.
Result<PythonExpression> parsePythonExpression(std::string_view source, std::string_view where);

inline constexpr std::size_t pythonLimitBytes = std::size_t{64} << 10;

} // namespace gks
