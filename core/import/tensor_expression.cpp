// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/tensor_expression.h"

#include "core/import/tensor_translator.h"

namespace gks {
namespace {

using Kind = PythonExpression::Kind;
using NodeKind = TensorNode::Kind;

Result<std::vector<Worth>> returnedWorths(TensorTranslator& translator, const PythonFunction& function,
                                          const std::vector<NamedTensor>& inputs) {
    std::vector<std::string> names;
    std::ranges::transform(inputs, std::back_inserter(names), &NamedTensor::name);
    if (function.parameters != names) {
        return translator.refuse(function.place, fmt::format("has the parameters ({}), the inputs are ({})",
                                                             join(function.parameters, ", "), join(names, ", ")));
    }
    GKS_TRY_ASSIGN(const Worth returned, translator.run(function));
    std::vector<Worth> values = {returned};
    if (const auto* const list = std::get_if<std::shared_ptr<Worths>>(&returned)) {
        values = **list;
    }
    return values;
}

void collectInputs(const TensorPtr& node, std::set<const TensorNode*>& seen, std::set<std::size_t>& read) {
    if (!seen.insert(node.get()).second) {
        return;
    }
    if (node->kind == NodeKind::input) {
        read.insert(node->input);
    }
    for (const TensorPtr& from : node->from) {
        collectInputs(from, seen, read);
    }
}

// What a name stands for without ways to number its elements: those are views of it.
const TensorNode* viewed(const TensorNode* node) {
    while (node->kind == NodeKind::permute || node->kind == NodeKind::insert || node->kind == NodeKind::remove) {
        node = node->from.front().get();
    }
    return node;
}

} // namespace

bool TensorTranslator::shows(const Worth& worth, const TensorNode* node) {
    if (const auto* const list = std::get_if<std::shared_ptr<Worths>>(&worth)) {
        return std::ranges::any_of(**list, [&](const Worth& part) { return shows(part, node); });
    }
    const auto* const tensor = std::get_if<TensorPtr>(&worth);
    return tensor != nullptr && viewed(tensor->get()) == node;
}

// One of Python, which no other name sees change: computed of nothing that a tensor has.
bool TensorTranslator::isNumber(const TensorNode* node, std::set<const TensorNode*>& seen) const {
    return !seen.insert(node).second ||
           (node->kind != NodeKind::input && std::ranges::find(m_scalars, node, &TensorPtr::get) == m_scalars.end() &&
            std::ranges::all_of(node->from, [&](const TensorPtr& from) { return isNumber(from.get(), seen); }));
}

// An input, and whatever other names and views show, would change with it.
Result<void> TensorTranslator::mayChangeInPlace(const PythonStatement& statement) {
    const std::string& name = statement.targets.front();
    const auto found = m_names.find(name);
    const auto* const tensor = found == m_names.end() ? nullptr : std::get_if<TensorPtr>(&found->second);
    std::set<const TensorNode*> seen;
    if (tensor == nullptr || ((*tensor)->shape.empty() && isNumber(tensor->get(), seen))) {
        return {};
    }
    m_fills = bufferOf(*tensor);
    const TensorNode* const node = viewed(tensor->get());
    const bool isSeen =
        node->kind == NodeKind::input || node != tensor->get() || std::ranges::any_of(m_names, [&](const auto& other) {
            return other.first != name && shows(other.second, node);
        });
    return isSeen
               ? Result<void>(refuse(statement.place,
                                     fmt::format("changes {} in place, which is an input or has another name", name)))
               : Result<void>();
}

// Only a place for an output may be filled: other names and views of what is read would change with it.
Result<void> TensorTranslator::fitsInto(const PythonStatement& statement, const Worth& value) {
    const auto target = m_names.find(statement.targets.front());
    const auto* const node = std::get_if<TensorPtr>(&value);
    const auto* const there = target == m_names.end() ? nullptr : std::get_if<TensorPtr>(&target->second);
    if (there == nullptr || (*there)->kind != NodeKind::input || bufferOf(*there)) {
        return refuse(statement.place, fmt::format("fills {}, which is no input", statement.targets.front()));
    }
    m_filled.insert((*there)->input);
    m_fills = (*there)->input;
    const bool fits = node != nullptr &&
                      std::ranges::equal((*node)->shape, (*there)->shape,
                                         [&](const std::string& a, const std::string& b) { return sameExtent(a, b); });
    return fits ? Result<void>()
                : Result<void>(refuse(statement.place,
                                      fmt::format("fills {} with what has another shape", statement.targets.front())));
}

std::set<std::size_t> readInputs(const TensorProgram& program) {
    std::set<std::size_t> read;
    std::set<const TensorNode*> seen;
    for (const TensorPtr& output : program.outputs) {
        collectInputs(output, seen, read);
    }
    return read;
}

Result<TensorProgram> returnedTensors(const PythonFunction& function, const std::vector<NamedTensor>& inputs,
                                      const std::map<std::string, PythonExpression>& values,
                                      const std::map<std::string, std::int64_t>& extents, std::string_view where,
                                      const WindowExtent& windows) {
    TensorTranslator translator(inputs, extents, where);
    translator.countWindows(windows);
    translator.know(values);
    const PythonPlace& place = function.body.back().place;
    GKS_TRY_ASSIGN(const std::vector<Worth> returned, returnedWorths(translator, function, inputs));
    TensorProgram program;
    for (const Worth& worth : returned) {
        const auto* const node = std::get_if<TensorPtr>(&worth);
        if (node == nullptr) {
            return translator.refuse(place, "returns what is no tensor");
        }
        GKS_TRY_ASSIGN(TensorPtr tensor, translator.whole(*node, place));
        program.outputs.push_back(std::move(tensor));
        program.buffers.push_back(translator.bufferOf(*node));
    }
    GKS_TRY(translator.readsNothingFilled(program, place));
    return program;
}

Result<TensorProgram> tensorProgram(const PythonFunction& function, const std::vector<NamedTensor>& inputs,
                                    const std::vector<NamedTensor>& outputs,
                                    const std::map<std::string, std::int64_t>& extents, std::string_view where) {
    TensorTranslator translator(inputs, extents, where);
    const PythonStatement& last = function.body.back();
    GKS_TRY_ASSIGN(const std::vector<Worth> values, returnedWorths(translator, function, inputs));
    if (values.size() != outputs.size()) {
        return translator.refuse(last.place,
                                 fmt::format("returns {} values, there are {} outputs", values.size(), outputs.size()));
    }
    TensorProgram program;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        std::size_t at = i;
        if (last.value.kind == Kind::dictionary) {
            const auto found = std::ranges::find(last.value.keys, outputs[i].name);
            if (found == last.value.keys.end()) {
                return translator.refuse(last.place, fmt::format("returns no {}", outputs[i].name));
            }
            at = static_cast<std::size_t>(found - last.value.keys.begin());
        }
        const auto* const node = std::get_if<TensorPtr>(&values[at]);
        const bool fits = node != nullptr && std::ranges::equal((*node)->shape, outputs[i].shape,
                                                                [&](const std::string& a, const std::string& b) {
                                                                    return translator.sameExtent(a, b);
                                                                });
        if (!fits) {
            return translator.refuse(last.place,
                                     fmt::format("returns {} with the extents [{}], not [{}]", outputs[i].name,
                                                 node == nullptr ? "" : join((*node)->shape, ", "),
                                                 join(outputs[i].shape, ", ")));
        }
        GKS_TRY_ASSIGN(TensorPtr output, translator.whole(*node, last.place));
        program.outputs.push_back(std::move(output));
    }
    GKS_TRY(translator.readsNothingFilled(program, last.place));
    return program;
}

} // namespace gks
