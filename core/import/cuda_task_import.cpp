// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cuda_task_import.h"

#include "core/base/text.h"
#include "core/import/cuda_reference.h"
#include "core/import/pack_draft.h"
#include "core/import/task_shapes.h"
#include "core/import/yaml_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gks {
namespace {

constexpr std::size_t cudaDimLimit = 8;
constexpr std::size_t argumentLimit = 16;

class CudaTaskReader {
public:
    CudaTaskReader(const CppText& text, const std::string& folder)
        : m_text(text), m_task(folder + "/task.yml"), m_where(folder + "/reference.cuh") {}

    Result<ImportedProblem> read(std::string_view task, std::string_view name) {
        GKS_TRY_ASSIGN(const OrderedJson json, parseYaml(task, m_task));
        if (!json.is_object()) {
            return usageError("is no task: a mapping is needed", m_task, "Write the problem pack by hand");
        }
        GKS_TRY(m_text.isHostCode([&](const CppFunction& function) {
            return function.name == "generate_input" || function.name == "check_implementation" ||
                   m_text.mentions(function, "TestReporter");
        }));
        GKS_TRY_ASSIGN(m_problem.inputType, cppData(m_text, "input_t"));
        GKS_TRY_ASSIGN(m_problem.outputType, cppData(m_text, "output_t"));
        GKS_TRY(readInputs());
        GKS_TRY(readOutputs());
        GKS_TRY(nameDims());
        GKS_TRY_ASSIGN(m_draft.tests, taskShapes(json, "tests", m_draft.axes, m_task));
        GKS_TRY_ASSIGN(m_draft.benchmarks, taskShapes(json, "benchmarks", m_draft.axes, m_task));
        if (m_draft.tests.empty() && m_draft.benchmarks.empty()) {
            return usageError("has neither \"tests\" nor \"benchmarks\"", m_task, "Write the problem pack by hand");
        }
        m_draft.own = OwnReference{cudaReference(m_text, m_problem), seed()};
        readTolerance();
        m_draft.name = name;
        m_draft.title = taskTitle(json);
        m_draft.isFree = false; // what holds between and beyond these shapes, a task says in prose alone
        m_draft.notes.emplace_back(
            "Shapes are those of task.yml alone. Where kernels have to be right for others, name the dims in \"free\"");
        if (m_draft.own->seed.empty()) {
            m_draft.notes.emplace_back(
                "No first kernel follows from ref_kernel: write one, and begin a campaign at it with new --kernels");
            m_draft.notes.emplace_back("The cost counts what is written alone: put in the operations and bytes that no "
                                       "kernel can do without");
        }
        m_draft.origin = "task.yml and reference.cuh";
        for (const auto& [file, text] : m_text.files()) {
            m_draft.reference += fmt::format("// {}\n{}\n", file, text);
            m_draft.files[file] = text;
        }
        m_draft.files["task.yml"] = task;
        return packFrom(std::move(m_draft), m_where);
    }

private:
    // The arguments by position: the harness knows them by the names in ArgumentNames.
    Result<std::vector<std::string>> argumentNames() const {
        const auto& tokens = m_text.tokens();
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].text != "ArgumentNames") {
                continue;
            }
            std::size_t open = i;
            for (; open < tokens.size() && !m_text.is(open, "{") && !m_text.is(open, ";"); ++open) {
            }
            GKS_TRY_ASSIGN(const std::size_t close,
                           m_text.is(open, "{") ? m_text.closing(open) : Result<std::size_t>(open));
            std::vector<std::string> names;
            for (std::size_t at = open; at < close; ++at) {
                if (tokens[at].kind == CppToken::Kind::text && names.size() < argumentLimit) {
                    names.push_back(tokens[at].text.substr(1, tokens[at].text.size() - 2));
                }
            }
            return names;
        }
        return usageError("says nowhere what the arguments are called (ArgumentNames)", m_where,
                          "Write the problem pack by hand");
    }

    Result<void> readInputs() {
        GKS_TRY_ASSIGN(const CppFunction* generate, m_text.function("generate_input"));
        GKS_TRY_ASSIGN(m_arguments, argumentNames());
        GKS_TRY_ASSIGN(const auto parameters, cppParameters(m_text, *generate));
        if (parameters.size() != m_arguments.size()) {
            return m_text.refuse(generate->open, fmt::format("has a generate_input with {} parameters where "
                                                             "ArgumentNames has {}",
                                                             parameters.size(), m_arguments.size()));
        }
        std::map<std::string, std::string> dims;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            GKS_TRY_ASSIGN(std::string dim, m_names.own(m_arguments[i]));
            dims[parameters[i]] = dim;
            m_dims.push_back(std::move(dim));
        }
        GKS_TRY_ASSIGN(CppInputs inputs, cppInputs(m_text, *generate, m_problem.inputType, dims));
        for (CppInput& input : inputs.parts) {
            if (input.part.isVector) {
                GKS_TRY_ASSIGN(input.name, m_names.own(input.name));
                m_draft.tensors.push_back({input.name, input.part.type, input.size.factors, TensorRole::input,
                                           input.fill.kind, input.fill.scale, input.fill.offset});
            }
        }
        m_problem.inputs = std::move(inputs.parts);
        return m_draft.tensors.empty() ? Result<void>(m_text.refuse(generate->first, "takes no vector as its input"))
                                       : Result<void>();
    }

    Result<void> readOutputs() {
        GKS_TRY_ASSIGN(const CppFunction* kernel, m_text.function("ref_kernel"));
        GKS_TRY_ASSIGN(m_kernel,
                       cppKernel(m_text, *kernel, m_problem.outputType, m_problem.inputType, m_problem.inputs));
        m_problem.outputs = m_kernel.lengths;
        for (std::size_t i = 0; i < m_kernel.lengths.size(); ++i) {
            const CppPart& part = m_problem.outputType.parts[i];
            if (!isOutputType(part.type)) {
                return m_text.refuse(kernel->first, fmt::format("returns {}, which no output can be", part.cppType));
            }
            TensorSpec tensor;
            GKS_TRY_ASSIGN(tensor.name, m_names.own(m_kernel.lengths.size() == 1 ? std::string("output")
                                                                                 : fmt::format("output{}", i)));
            tensor.type = part.type;
            tensor.extents = m_kernel.lengths[i].factors;
            tensor.role = TensorRole::output;
            m_draft.tensors.push_back(std::move(tensor));
        }
        return {};
    }

    // Arguments that a length has are dims; a number for ref_kernel has to follow from them.
    Result<void> nameDims() {
        std::set<std::string, std::less<>> used;
        for (const TensorSpec& tensor : m_draft.tensors) {
            const std::string text = join(tensor.extents, " ");
            for (const std::string_view word : words(text)) {
                used.emplace(word);
            }
        }
        for (std::size_t i = 0; i < m_dims.size(); ++i) {
            const bool isGiven = std::ranges::any_of(m_problem.inputs, [&](const CppInput& input) {
                const std::string text = input.size.text();
                const auto named = words(text);
                return std::ranges::find(named, m_dims[i]) != named.end();
            });
            if (used.contains(m_dims[i])) {
                m_problem.dims.push_back(m_dims[i]);
                m_draft.axes.push_back({.name = m_arguments[i], .dim = m_dims[i]});
                m_draft.dims.push_back(m_arguments[i]);
            } else if (isGiven) {
                return usageError(fmt::format("gives ref_kernel the argument {}, which is no part of a length",
                                              abbreviated(m_arguments[i], 40)),
                                  m_where, "Write the problem pack by hand");
            }
        }
        return m_draft.dims.empty() || m_draft.dims.size() > cudaDimLimit
                   ? Result<void>(
                         usageError(fmt::format("has no argument that a length has, or more than {}", cudaDimLimit),
                                    m_where, "Write the problem pack by hand"))
                   : Result<void>();
    }

    std::string seed() const {
        return m_kernel.element.empty()
                   ? std::string()
                   : cudaSeed(m_kernel.lengths.front(), m_kernel.element, m_draft.tensors.back().name, m_problem.dims);
    }

    void readTolerance() {
        const auto check = m_text.function("check_implementation");
        m_draft.tolerance = check ? cppTolerance(m_text, **check) : std::nullopt;
        if (!m_draft.tolerance) {
            m_draft.notes.emplace_back("Another comparison is not taken over: check_implementation does something else "
                                       "than to compare fabs(ref[i] - out[i]) of every element with a limit");
        }
    }

    const CppText& m_text;
    std::string m_task;
    std::string m_where;
    PackNames m_names{m_where};
    std::vector<std::string> m_arguments;
    std::vector<std::string> m_dims; // of each argument
    CudaProblem m_problem;
    CppKernel m_kernel;
    PackDraft m_draft;
};

} // namespace

Result<ImportedProblem> problemFromCudaTask(std::string_view task, const CppText::Read& files, std::string_view name,
                                            const std::string& folder) {
    GKS_TRY_ASSIGN(const CppText text, CppText::read("reference.cuh", files, folder));
    return CudaTaskReader(text, folder).read(task, name);
}

} // namespace gks
