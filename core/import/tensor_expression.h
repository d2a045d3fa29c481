// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/import/python_text.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What a reference in PyTorch computes, as an expression over the elements of its inputs: element by element, sums and
// extremes over an axis, and other ways to number the same elements. Types are left out: everything is a real number.
// Whole numbers of a tensor are not, once something is computed of them: PyTorch does it in their type, where they
// wrap.
namespace gks {

struct TensorNode;
using TensorPtr = std::shared_ptr<const TensorNode>;

struct TensorNode {
    enum class Kind {
        input,   // an element of tensor `input`
        number,  // `number`, without axes
        extent,  // the value of dim `word`, without axes
        unary,   // `word` of from[0]
        binary,  // from[0] `word` from[1]; axes are matched from the last one, those of extent 1 are repeated
        reduce,  // `word` (sum, max, min) over axis `axes[0]` of from[0], which is gone then
        scan,    // the sum of from[0] along axis `axes[0]` up to and with this element
        permute, // axis i is axis axes[i] of from[0]
        insert,  // from[0] with a further axis of extent 1 at axes[0]
        remove,  // from[0] without its axis axes[0], of extent 1
        table,   // one of `values`, by the index of its only axis
        window,  // axis axes[0] of from[0] at the sum of two: of that axis, which is as long as windows fit, and of the
                 // last one, which is as long as a window
    };
    enum class Numbers { real, whole, wholeOfTensor }; // whole: of Python, which does not wrap
    Kind kind = Kind::number;
    std::vector<std::string> shape; // of every axis: the name of a dim, or "1"
    std::vector<TensorPtr> from = {};
    std::string word = {};
    std::vector<std::size_t> axes = {};
    std::size_t input = 0; // among those that are no numbers
    double number = 0;
    std::vector<double> values = {};
    Numbers numbers = Numbers::real;
};

// How many windows of extent `size` there are in one of extent `of`: the name of a dim.
using WindowExtent = std::function<Result<std::string>(const std::string& of, const std::string& size)>;

struct NamedTensor {
    std::string name; // as the reference calls it
    std::vector<std::string> shape;
    bool isFloating = true;
    std::optional<double> number = {}; // a number that is always the same, and no tensor of the pack
};

struct TensorProgram {
    std::vector<TensorPtr> outputs;                       // in the order of the Definition
    std::vector<std::optional<std::size_t>> buffers = {}; // of each output the input that it fills
};

// What the function returns, one after the other, whatever shapes that are. `values`: what stands beside the function.
Result<TensorProgram> returnedTensors(const PythonFunction& function, const std::vector<NamedTensor>& inputs,
                                      const std::map<std::string, PythonExpression>& values,
                                      const std::map<std::string, std::int64_t>& extents, std::string_view where,
                                      const WindowExtent& windows);
// Which inputs a program reads.
std::set<std::size_t> readInputs(const TensorProgram& program);

// `extents`: of dims that are constant. `where` is the file that the reference is from.
Result<TensorProgram> tensorProgram(const PythonFunction& function, const std::vector<NamedTensor>& inputs,
                                    const std::vector<NamedTensor>& outputs,
                                    const std::map<std::string, std::int64_t>& extents, std::string_view where);

} // namespace gks
