// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/tensor_nodes.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gks {
namespace {

constexpr std::size_t nodeLimit = 2000;
constexpr std::size_t axisLimit = 8;
constexpr std::size_t tableLimit = 64;

using Numbers = TensorNode::Numbers;

bool comesFrom(const TensorNode& node, Numbers numbers) {
    return std::ranges::any_of(node.from, [&](const TensorPtr& one) { return one->numbers == numbers; });
}

// What the numbers of a result are. Nothing: they would be computed in the type of a tensor of whole numbers.
std::optional<Numbers> numbersOf(const TensorNode& node) {
    if (node.from.empty() || comesFrom(node, Numbers::real) || node.word == "/") {
        return node.from.empty() ? node.numbers : Numbers::real;
    }
    static const std::set<std::string_view> keep = {"relu", "max", "min", "sum"}; // none is too large for its type
    static const std::set<std::string_view> compute = {"neg", "abs", "square"};
    const bool isOfTensor = comesFrom(node, Numbers::wholeOfTensor);
    const bool isUnary = node.kind == TensorNode::Kind::unary;
    if (isUnary && !keep.contains(node.word) && !compute.contains(node.word)) {
        return Numbers::real;
    }
    const bool isComputed = (isUnary || node.kind == TensorNode::Kind::binary) && !keep.contains(node.word);
    return isOfTensor && isComputed ? std::nullopt
                                    : std::optional(isOfTensor ? Numbers::wholeOfTensor : Numbers::whole);
}

} // namespace

tl::unexpected<Error> TensorNodes::refuse(const PythonPlace& place, std::string what) const {
    return usageError(std::move(what), fmt::format("{}, reference {}", m_where, place.text()),
                      "Write the problem pack by hand, change the reference, or keep its harness with a command pack");
}

bool TensorNodes::sameExtent(const std::string& a, const std::string& b) const {
    const auto left = m_extents.find(a);
    const auto right = m_extents.find(b);
    return a == b || (left != m_extents.end() && right != m_extents.end() && left->second == right->second);
}

Result<TensorPtr> TensorNodes::made(TensorNode node, const PythonPlace& place) {
    if (++m_nodes > nodeLimit || node.shape.size() > axisLimit) {
        return refuse(place, "is too large");
    }
    const auto numbers = numbersOf(node);
    if (!numbers) {
        return refuse(place, "computes with whole numbers, which wrap round in the type of their tensor: convert them "
                             "first, as x.float() does");
    }
    node.numbers = *numbers;
    return std::make_shared<const TensorNode>(std::move(node));
}

TensorPtr TensorNodes::real(const TensorPtr& of) {
    if (of->numbers == Numbers::real) {
        return of;
    }
    TensorNode node = *of;
    node.numbers = Numbers::real;
    return std::make_shared<const TensorNode>(std::move(node));
}

TensorPtr TensorNodes::numberNode(double value, bool isWhole) {
    TensorNode node;
    node.number = value;
    node.numbers = isWhole ? Numbers::whole : Numbers::real;
    return std::make_shared<const TensorNode>(std::move(node));
}

Result<TensorPtr> TensorNodes::unary(std::string word, TensorPtr of, const PythonPlace& place) {
    TensorNode node{.kind = TensorNode::Kind::unary, .shape = of->shape, .from = {of}, .word = std::move(word)};
    return made(std::move(node), place);
}

Result<TensorPtr> TensorNodes::binary(std::string word, const TensorPtr& left, const TensorPtr& right,
                                      const PythonPlace& place) {
    TensorNode node{.kind = TensorNode::Kind::binary, .shape = {}, .from = {left, right}, .word = std::move(word)};
    const std::size_t axes = std::max(left->shape.size(), right->shape.size());
    for (std::size_t fromLast = axes; fromLast > 0; --fromLast) {
        const auto extent = [&](const TensorPtr& of) {
            return fromLast <= of->shape.size() ? of->shape[of->shape.size() - fromLast] : "1";
        };
        const std::string a = extent(left);
        const std::string b = extent(right);
        if (a != "1" && b != "1" && !sameExtent(a, b)) {
            return refuse(place, fmt::format("combines an axis of {} with one of {}", a, b));
        }
        node.shape.push_back(a == "1" ? b : a);
    }
    return made(std::move(node), place);
}

Result<TensorPtr> TensorNodes::reduced(const std::string& word, const TensorPtr& of, std::size_t axis, bool keep,
                                       const PythonPlace& place) {
    TensorNode node{.kind = TensorNode::Kind::reduce,
                    .shape = of->shape,
                    .from = {of},
                    .word = word == "mean" ? "sum" : word,
                    .axes = {axis}};
    const std::string extent = node.shape[axis];
    node.shape.erase(node.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    GKS_TRY_ASSIGN(TensorPtr value, made(std::move(node), place));
    if (word == "mean") {
        GKS_TRY_ASSIGN(value, binary("/", value, extentNode(extent), place));
    }
    return keep ? inserted(value, axis, place) : Result<TensorPtr>(value);
}

Result<TensorPtr> TensorNodes::scanned(const TensorPtr& of, std::size_t axis, const PythonPlace& place) {
    return made({.kind = TensorNode::Kind::scan, .shape = of->shape, .from = {of}, .axes = {axis}}, place);
}

TensorPtr TensorNodes::extentNode(const std::string& extent) const {
    if (extent == "1") {
        return numberNode(1, true);
    }
    TensorNode node{.kind = TensorNode::Kind::extent, .shape = {}, .word = extent};
    node.numbers = Numbers::whole;
    return std::make_shared<const TensorNode>(std::move(node));
}

Result<TensorPtr> TensorNodes::inserted(const TensorPtr& of, std::size_t axis, const PythonPlace& place) {
    TensorNode node{.kind = TensorNode::Kind::insert, .shape = of->shape, .from = {of}, .axes = {axis}};
    node.shape.insert(node.shape.begin() + static_cast<std::ptrdiff_t>(axis), "1");
    return made(std::move(node), place);
}

Result<TensorPtr> TensorNodes::permuted(const TensorPtr& of, std::vector<std::size_t> axes, const PythonPlace& place) {
    TensorNode node{.kind = TensorNode::Kind::permute, .shape = {}, .from = {of}, .axes = std::move(axes)};
    for (const std::size_t axis : node.axes) {
        node.shape.push_back(of->shape[axis]);
    }
    return made(std::move(node), place);
}

Result<TensorPtr> TensorNodes::table(std::vector<double> values, const PythonPlace& place) {
    const auto isAsLong = [&](const auto& extent) { return static_cast<std::size_t>(extent.second) == values.size(); };
    const auto dim = std::ranges::find_if(m_extents, isAsLong);
    if (values.empty() || values.size() > tableLimit || (dim == m_extents.end() && values.size() != 1)) {
        return refuse(place, fmt::format("has {} numbers in a row, and no axis is always as long", values.size()));
    }
    TensorNode node{.kind = TensorNode::Kind::table, .shape = {values.size() == 1 ? "1" : dim->first}};
    node.values = std::move(values);
    return made(std::move(node), place);
}

Result<TensorPtr> TensorNodes::windowed(const TensorPtr& of, std::size_t axis, const std::string& size,
                                        std::string count, const PythonPlace& place) {
    TensorNode node{.kind = TensorNode::Kind::window, .shape = of->shape, .from = {of}, .axes = {axis}};
    node.shape[axis] = std::move(count);
    node.shape.push_back(size);
    return made(std::move(node), place);
}

Result<TensorPtr> TensorNodes::swapped(const TensorPtr& of, std::size_t a, std::size_t b, const PythonPlace& place) {
    std::vector<std::size_t> axes(of->shape.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        axes[i] = i == a ? b : i == b ? a : i;
    }
    return permuted(of, std::move(axes), place);
}

Result<TensorPtr> TensorNodes::product(const TensorPtr& left, const TensorPtr& right, const PythonPlace& place) {
    if (left->shape.empty() || right->shape.empty() || left->shape.size() > 4 || right->shape.size() > 4) {
        return refuse(place, "multiplies matrices that are none");
    }
    TensorPtr a = left;
    TensorPtr b = right;
    const bool isRow = a->shape.size() == 1;
    const bool isColumn = b->shape.size() == 1;
    if (isRow) {
        GKS_TRY_ASSIGN(a, inserted(a, 0, place));
    }
    if (isColumn) {
        GKS_TRY_ASSIGN(b, inserted(b, 1, place));
    }
    GKS_TRY_ASSIGN(b, swapped(b, b->shape.size() - 1, b->shape.size() - 2, place)); // n, k
    GKS_TRY_ASSIGN(a, inserted(a, a->shape.size() - 1, place));                     // m, 1, k
    GKS_TRY_ASSIGN(b, inserted(b, b->shape.size() - 2, place));                     // 1, n, k
    GKS_TRY_ASSIGN(const TensorPtr terms, binary("*", a, b, place));
    GKS_TRY_ASSIGN(TensorPtr value, reduced("sum", terms, terms->shape.size() - 1, false, place));
    if (isColumn) {
        GKS_TRY_ASSIGN(value, removed(value, value->shape.size() - 1, place));
    }
    return isRow ? removed(value, value->shape.size() - (isColumn ? 1 : 2), place) : Result<TensorPtr>(value);
}

Result<TensorPtr> TensorNodes::removed(const TensorPtr& of, std::size_t axis, const PythonPlace& place) {
    if (of->shape[axis] != "1") {
        return refuse(place, fmt::format("takes away an axis of {}", of->shape[axis]));
    }
    TensorNode node{.kind = TensorNode::Kind::remove, .shape = of->shape, .from = {of}, .axes = {axis}};
    node.shape.erase(node.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return made(std::move(node), place);
}

Result<TensorPtr> TensorNodes::softmax(const std::string& word, const TensorPtr& of, std::size_t axis, bool keep,
                                       const PythonPlace& place) {
    GKS_TRY_ASSIGN(const TensorPtr largest, reduced("max", of, axis, true, place));
    GKS_TRY_ASSIGN(const TensorPtr shifted, binary("-", of, largest, place));
    GKS_TRY_ASSIGN(const TensorPtr weights, unary("exp", shifted, place));
    GKS_TRY_ASSIGN(const TensorPtr sum, reduced("sum", weights, axis, true, place));
    if (word == "softmax") {
        return binary("/", weights, sum, place);
    }
    GKS_TRY_ASSIGN(const TensorPtr logarithm, unary("log", sum, place));
    if (word == "log_softmax") {
        return binary("-", shifted, logarithm, place);
    }
    GKS_TRY_ASSIGN(const TensorPtr value, binary("+", largest, logarithm, place));
    return keep ? Result<TensorPtr>(value) : removed(value, axis, place);
}

} // namespace gks
