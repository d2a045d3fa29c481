// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/definition_import.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/import/pack_draft.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gks {
namespace {

constexpr std::size_t definitionTextLimitBytes = std::size_t{256} << 10;
constexpr std::size_t axisCountLimit = 8;    // as of a pack
constexpr std::size_t tensorCountLimit = 16; // likewise
constexpr std::int64_t extentLimit = 1 << 20;

class DefinitionReader {
public:
    DefinitionReader(const OrderedJson& json, std::string_view where, const std::optional<Workloads>& workloads)
        : m_json(json), m_where(where), m_workloads(workloads), m_packNames(where) {}

    Result<ImportedProblem> read(std::string_view text) {
        GKS_TRY_ASSIGN(m_draft.name, text_("name"));
        GKS_TRY(hasNoInputCode());
        GKS_TRY(readAxes());
        GKS_TRY(readTensors("inputs", TensorRole::input, m_inputs));
        GKS_TRY(readTensors("outputs", TensorRole::output, m_outputs));
        GKS_TRY(keepUsedAxes());
        GKS_TRY(checkConstraints());
        GKS_TRY_ASSIGN(m_draft.reference, text_("reference"));
        GKS_TRY_ASSIGN(const PythonFunction function, parsePythonFunction(m_draft.reference, "run", m_where));
        GKS_TRY_ASSIGN(m_draft.program, tensorProgram(function, m_inputs, m_outputs, m_constants, m_where));
        const auto description = m_json.find("description");
        if (description != m_json.end() && description->is_string()) {
            m_draft.title = description->get<std::string>();
        }
        m_draft.origin = "the Definition";
        m_draft.files["definition.json"] = std::string(text);
        takeWorkloads();
        return packFrom(std::move(m_draft), m_where);
    }

private:
    tl::unexpected<Error> refuse(std::string what) const {
        return usageError(std::move(what), std::string(m_where), "Import a Definition that this program can express");
    }
    Result<std::string> text_(const char* key) const {
        const auto at = m_json.find(key);
        if (at == m_json.end() || !at->is_string() || at->get<std::string>().empty()) {
            return refuse(fmt::format("has no text \"{}\"", key));
        }
        return at->get<std::string>();
    }

    // What a function makes of the inputs is a part of the problem, and we run none.
    Result<void> hasNoInputCode() const {
        const auto entry = m_json.find("custom_inputs_entrypoint");
        if (entry != m_json.end() && entry->is_string()) {
            return refuse(fmt::format("has \"custom_inputs_entrypoint\": its inputs are what the function {} makes, "
                                      "which cannot be translated",
                                      abbreviated(entry->get<std::string>(), 40)));
        }
        if (m_workloads) {
            for (const auto& [name, source] : m_workloads->sources) {
                if (source == InputSource::custom) {
                    return refuse(fmt::format("has a workload whose input {} is \"custom\", which cannot be translated",
                                              abbreviated(name, 40)));
                }
            }
        }
        return {};
    }

    Result<void> readAxes() {
        const auto axes = m_json.find("axes");
        if (axes == m_json.end() || !axes->is_object() || axes->empty() || axes->size() > 4 * axisCountLimit) {
            return refuse("has no object \"axes\", or too many of them");
        }
        for (auto at = axes->begin(); at != axes->end(); ++at) {
            const auto type = at->is_object() ? at->find("type") : at->end();
            if (!at->is_object() || type == at->end() || !type->is_string()) {
                return refuse(fmt::format("has an axis without a type: {}", abbreviated(at.key(), 40)));
            }
            ProblemAxis axis{.name = at.key(), .dim = {}};
            if (*type == "const") {
                const auto value = at->find("value");
                if (value == at->end() || !value->is_number_integer() || value->get<std::int64_t>() < 1 ||
                    value->get<std::int64_t>() > extentLimit) {
                    return refuse(fmt::format("has an axis whose value is no whole number up to {}: {}", extentLimit,
                                              abbreviated(at.key(), 40)));
                }
                axis.constant = value->get<std::int64_t>();
            } else if (*type == "expr") {
                GKS_TRY(readExpression(*at, axis));
            } else if (*type != "var") {
                return refuse(
                    fmt::format("has an axis that is neither const, var nor expr: {}", abbreviated(at.key(), 40)));
            }
            GKS_TRY_ASSIGN(axis.dim, m_packNames.own(at.key()));
            m_draft.axes.push_back(std::move(axis));
        }
        return evaluateConstants();
    }

    Result<void> readExpression(const OrderedJson& json, ProblemAxis& axis) {
        const auto text = json.find("expression");
        if (text == json.end() || !text->is_string()) {
            return refuse(fmt::format("has an axis without its \"expression\": {}", abbreviated(axis.name, 40)));
        }
        const std::string where = fmt::format("{}, axis {}", m_where, abbreviated(axis.name, 40));
        GKS_TRY_ASSIGN(axis.derived, parsePythonExpression(text->get<std::string>(), where));
        return {};
    }

    // Expressions over constants are constants; of others every name is an axis that has a value of its own.
    Result<void> evaluateConstants() {
        AxisValues constants;
        AxisValues ones;
        for (const ProblemAxis& axis : m_draft.axes) {
            if (axis.constant) {
                constants[axis.name] = *axis.constant;
            }
            if (!axis.derived) {
                ones[axis.name] = axis.constant.value_or(1);
            }
        }
        for (ProblemAxis& axis : m_draft.axes) {
            if (!axis.derived) {
                continue;
            }
            const std::string where = fmt::format("{}, axis {}", m_where, abbreviated(axis.name, 40));
            std::set<std::string> names;
            namesIn(*axis.derived, names);
            const bool isConstant =
                std::ranges::all_of(names, [&](const std::string& name) { return constants.contains(name); });
            for (const std::string& name : names) {
                if (!ones.contains(name)) {
                    return usageError(fmt::format("is computed from {}, which is no axis with a value of its own",
                                                  abbreviated(name, 40)),
                                      where, "Import a Definition that this program can express");
                }
            }
            if (isConstant) {
                GKS_TRY_ASSIGN(axis.constant, wholeValue(*axis.derived, constants, where));
                axis.derived.reset();
                if (*axis.constant < 1 || *axis.constant > extentLimit) {
                    return refuse(fmt::format("has an axis whose value is no whole number up to {}: {}", extentLimit,
                                              abbreviated(axis.name, 40)));
                }
            }
        }
        return {};
    }

    // A number in a shape is a constant axis of that name.
    Result<const ProblemAxis*> axisOf(const OrderedJson& extent, const std::string& tensor) {
        const std::string name = extent.is_string() ? extent.get<std::string>() : std::string();
        const auto found = std::ranges::find(m_draft.axes, name, &ProblemAxis::name);
        if (found != m_draft.axes.end()) {
            return &*found;
        }
        std::int64_t value = 0;
        const auto read = std::from_chars(name.data(), name.data() + name.size(), value);
        if (name.empty() || read.ptr != name.data() + name.size() || read.ec != std::errc() || value < 1 ||
            value > extentLimit || m_draft.axes.size() == 4 * axisCountLimit) {
            return refuse(fmt::format("has a shape of {} with an axis that it does not name", abbreviated(tensor, 40)));
        }
        ProblemAxis axis{.name = name, .dim = {}, .constant = value};
        GKS_TRY_ASSIGN(axis.dim, m_packNames.own("extent" + name));
        m_draft.axes.push_back(std::move(axis));
        return &m_draft.axes.back();
    }

    Result<void> readTensors(const char* key, TensorRole role, std::vector<NamedTensor>& named) {
        const auto tensors = m_json.find(key);
        if (tensors == m_json.end() || !tensors->is_object() || tensors->empty() ||
            tensors->size() > tensorCountLimit) {
            return refuse(fmt::format("has no object \"{}\", or too many in it", key));
        }
        for (auto at = tensors->begin(); at != tensors->end(); ++at) {
            GKS_TRY(readTensor(at.key(), *at, role, named));
        }
        return {};
    }

    Result<void> readTensor(const std::string& name, const OrderedJson& json, TensorRole role,
                            std::vector<NamedTensor>& named) {
        const auto dtype = json.is_object() ? json.find("dtype") : json.end();
        const auto shape = json.is_object() ? json.find("shape") : json.end();
        if (!json.is_object() || dtype == json.end() || !dtype->is_string() || shape == json.end() ||
            (!shape->is_array() && !shape->is_null())) {
            return refuse(fmt::format("has a tensor without \"dtype\" and \"shape\": {}", abbreviated(name, 40)));
        }
        const auto always = role == TensorRole::input ? constantOf(name) : std::nullopt;
        if (always && shape->is_null()) {
            named.push_back({name, {}, true, always});
            m_draft.notes.push_back(
                fmt::format("{} is {:g} in every workload, and here", abbreviated(name, 40), *always));
            return {};
        }
        const auto type = elementTypeFromTorch(dtype->get<std::string>());
        if (!type || (role == TensorRole::output && !isOutputType(*type))) {
            return refuse(fmt::format("has {} of the type {}, which cannot be translated", abbreviated(name, 40),
                                      abbreviated(dtype->get<std::string>(), 40)));
        }
        GKS_TRY(comesFromNoFile(name, *type, role));
        TensorSpec tensor;
        GKS_TRY_ASSIGN(tensor.name, m_packNames.own(name));
        tensor.type = *type;
        tensor.role = role;
        NamedTensor own = {name, {}, isFloatingType(*type)};
        for (const OrderedJson& extent : shape->is_array() ? *shape : OrderedJson::array()) {
            GKS_TRY_ASSIGN(const ProblemAxis* axis, axisOf(extent, name));
            m_used.insert(axis->name);
            own.shape.push_back(axis->constant == 1 ? "1" : axis->dim);
            tensor.extents.push_back(own.shape.back());
        }
        if (tensor.extents.empty()) { // a number
            tensor.extents = {"1"};
            own.shape = {};
            tensor.fill = Fill::uniform;
            m_draft.notes.push_back(fmt::format(
                "{} is a number in the Definition; here it is a tensor of one element between 0 and 1", tensor.name));
        }
        named.push_back(std::move(own));
        m_draft.tensors.push_back(std::move(tensor));
        return {};
    }

    std::optional<double> constantOf(const std::string& name) const {
        if (!m_workloads) {
            return std::nullopt;
        }
        const auto found = m_workloads->scalars.find(name);
        return found == m_workloads->scalars.end() ? std::nullopt : found->second;
    }

    Result<void> comesFromNoFile(const std::string& name, ElementType type, TensorRole role) {
        if (!m_workloads || role == TensorRole::output) {
            return {};
        }
        const auto source = m_workloads->sources.find(name);
        if (source == m_workloads->sources.end() || source->second != InputSource::file) {
            return {};
        }
        if (!isFloatingType(type)) {
            return refuse(fmt::format("has a workload whose input {} is a \"safetensors\" file of whole numbers, which "
                                      "cannot be drawn",
                                      abbreviated(name, 40)));
        }
        m_draft.notes.push_back(
            fmt::format("{} comes from a file in a workload; here its values are drawn", abbreviated(name, 40)));
        return {};
    }

    Result<void> keepUsedAxes() {
        for (const ProblemAxis& axis : m_draft.axes) {
            if (!m_used.contains(axis.name) || axis.constant == 1) {
                continue;
            }
            m_draft.dims.push_back(axis.name);
            if (axis.constant) {
                m_constants[axis.dim] = *axis.constant;
            }
        }
        return m_draft.dims.empty() || m_draft.dims.size() > axisCountLimit
                   ? Result<void>(refuse(fmt::format("has no axis, or more than {}", axisCountLimit)))
                   : Result<void>();
    }

    // Relations between axes would make shapes that may not be put together.
    Result<void> checkConstraints() const {
        const auto constraints = m_json.find("constraints");
        if (constraints == m_json.end() || constraints->is_null()) {
            return {};
        }
        for (const OrderedJson& one : *constraints) {
            const std::string text = one.is_string() ? one.get<std::string>() : std::string();
            for (const std::string_view word : words(text)) {
                const auto axis = std::ranges::find(m_draft.axes, word, &ProblemAxis::name);
                if (text.empty() || (axis != m_draft.axes.end() && !axis->constant)) {
                    return refuse(fmt::format("has a constraint on a variable axis: {}", abbreviated(text, 80)));
                }
            }
        }
        return {};
    }

    void takeWorkloads() {
        if (!m_workloads) {
            return;
        }
        m_draft.benchmarks = m_workloads->axes;
        if (m_workloads->leastMatchedRatio) {
            m_draft.notes.push_back(fmt::format("The benchmark is content with {:.4g} of the elements; here each of "
                                                "them has to be right, so its tolerance is not taken",
                                                *m_workloads->leastMatchedRatio));
        } else {
            m_draft.tolerance = m_workloads->tolerance;
        }
    }

    const OrderedJson& m_json;
    std::string_view m_where;
    const std::optional<Workloads>& m_workloads;
    PackNames m_packNames;
    PackDraft m_draft;
    std::set<std::string> m_used;
    std::map<std::string, std::int64_t> m_constants; // by the pack's names
    std::vector<NamedTensor> m_inputs;
    std::vector<NamedTensor> m_outputs;
};

} // namespace

Result<ImportedProblem> problemFromDefinition(std::string_view text, std::string_view where,
                                              const std::optional<Workloads>& workloads) {
    if (text.size() > definitionTextLimitBytes) {
        return usageError(fmt::format("is longer than {} KiB", definitionTextLimitBytes >> 10), std::string(where));
    }
    GKS_TRY(parseJson(text, where)); // refuses what is not JSON, or too deep
    const OrderedJson json = OrderedJson::parse(text, nullptr, false);
    if (!json.is_object()) {
        return usageError("is no Definition: a JSON object is needed", std::string(where));
    }
    return DefinitionReader(json, where, workloads).read(text);
}

} // namespace gks
