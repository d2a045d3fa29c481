// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/problem_axes.h"
#include "core/problem/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a function generate_input of a GPU MODE problem draws, as far as it is tensors of random numbers whose extents
// come from its parameters.
namespace gks {

struct DrawnTensor {
    std::string name;                 // that it has in the function
    std::vector<std::string> extents; // names of axes, or "1"
    ElementType type = ElementType::f32;
    Fill fill = Fill::normal;
    double scale = 1; // as of TensorSpec
    double offset = 0;
    std::optional<Error> unknown; // why nobody here can draw it; a buffer for the output needs no values
    PythonPlace place;
    std::size_t stream = 0; // of DrawSeeds
    std::size_t draw = 0;   // which one its values come from: those of one draw hang together
};

struct TaskInputs {
    std::vector<ProblemAxis> axes; // parameters that are extents, then numbers and expressions; without names of ours
    std::vector<DrawnTensor> tensors; // in the order in which they are returned
    bool isTuple = true;              // false: one tensor by itself
    std::vector<std::string> notes;   // what is not quite as it is there
};

Result<TaskInputs> taskInputs(const PythonFunction& function, const std::map<std::string, PythonExpression>& values,
                              std::string_view where);

} // namespace gks
