// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/tensor_expression.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// Makes the nodes of one program: which axes the result of an operation has, and how many nodes a program may have.
// Errors name the place in the reference.
class TensorNodes {
public:
    // `extents`: of dims that are constant. `where` is the file that the reference is from.
    TensorNodes(const std::map<std::string, std::int64_t>& extents, std::string_view where)
        : m_extents(extents), m_where(where) {}

    tl::unexpected<Error> refuse(const PythonPlace& place, std::string what) const;
    bool sameExtent(const std::string& a, const std::string& b) const;

    static TensorPtr numberNode(double value, bool isWhole);
    // The same elements as numbers of floating point.
    static TensorPtr real(const TensorPtr& of);
    TensorPtr extentNode(const std::string& extent) const;
    Result<TensorPtr> unary(std::string word, TensorPtr of, const PythonPlace& place);
    // Axes are matched from the last one.
    Result<TensorPtr> binary(std::string word, const TensorPtr& left, const TensorPtr& right, const PythonPlace& place);
    // "sum", "mean", "max", "min"; `keep`: the axis stays, with the extent 1.
    Result<TensorPtr> reduced(const std::string& word, const TensorPtr& of, std::size_t axis, bool keep,
                              const PythonPlace& place);
    // Sums along the axis up to and with each element.
    Result<TensorPtr> scanned(const TensorPtr& of, std::size_t axis, const PythonPlace& place);
    Result<TensorPtr> inserted(const TensorPtr& of, std::size_t axis, const PythonPlace& place);
    Result<TensorPtr> permuted(const TensorPtr& of, std::vector<std::size_t> axes, const PythonPlace& place);
    Result<TensorPtr> swapped(const TensorPtr& of, std::size_t a, std::size_t b, const PythonPlace& place);
    // A constant of one axis; a dim that is always as long is there.
    Result<TensorPtr> table(std::vector<double> values, const PythonPlace& place);
    Result<TensorPtr> windowed(const TensorPtr& of, std::size_t axis, const std::string& size, std::string count,
                               const PythonPlace& place);
    Result<TensorPtr> removed(const TensorPtr& of, std::size_t axis, const PythonPlace& place);
    // [..., m, k] @ [..., k, n]
    Result<TensorPtr> product(const TensorPtr& left, const TensorPtr& right, const PythonPlace& place);
    // "softmax", "log_softmax", "logsumexp"
    Result<TensorPtr> softmax(const std::string& word, const TensorPtr& of, std::size_t axis, bool keep,
                              const PythonPlace& place);

private:
    // Refuses what is computed of whole numbers of a tensor.
    Result<TensorPtr> made(TensorNode node, const PythonPlace& place);

    const std::map<std::string, std::int64_t>& m_extents;
    std::string_view m_where;
    std::size_t m_nodes = 0;
};

} // namespace gks
