// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cuda_reference.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

bool isForTheHarness(const CppText& text, const CppFunction& function) {
    return function.name == "generate_input" || function.name == "check_implementation" ||
           text.mentions(function, "TestReporter");
}

constexpr std::string_view keeping = R"(namespace {

std::mutex guard;
bool isTold = false;  // that new_inputs() is called when inputs may have changed
bool isKnown = false; // they have not since they were looked at
std::uint64_t held = 0;
std::shared_ptr<const task::output_t> whole; // of the inputs that `held` was computed from

// Of all that a tensor holds; four products that do not wait for each other.
std::uint64_t digest(const void* tensor, std::size_t bytes, std::uint64_t start) {
    std::uint64_t lanes[4] = {start, start + 1, start + 2, start + 3};
    const auto* at = static_cast<const unsigned char*>(tensor);
    const auto take = [&](const unsigned char* from) {
        for (int i = 0; i < 4; ++i) {
            std::uint64_t word;
            std::memcpy(&word, from + 8 * i, sizeof word);
            lanes[i] = (lanes[i] ^ word) * 0x9e3779b97f4a7c15u;
            lanes[i] ^= lanes[i] >> 29;
        }
    };
    for (; bytes >= 32; bytes -= 32, at += 32) {
        take(at);
    }
    unsigned char rest[32] = {};
    std::memcpy(rest, at, bytes);
    rest[31] = static_cast<unsigned char>(bytes);
    take(rest);
    return (lanes[0] * 3 ^ lanes[1]) * 0xff51afd7ed558ccdu + (lanes[2] * 3 ^ lanes[3]);
}

)";

std::string elementType(const CppPart& part) {
    const std::string& type = part.cppType;
    return part.isVector ? type.substr(type.find('<') + 1, type.rfind('>') - type.find('<') - 1) : type;
}

std::string countFunction(const CudaProblem& problem, std::string_view name, const CppSize& size) {
    const std::string length = size.text();
    const auto known = words(length);
    std::string text = fmt::format("std::int64_t {}([[maybe_unused]] const std::int64_t* dims) {{\n", name);
    for (std::size_t i = 0; i < problem.dims.size(); ++i) {
        if (std::ranges::find(known, problem.dims[i]) != known.end()) {
            text += fmt::format("    const std::int64_t {} = dims[{}];\n", problem.dims[i], i);
        }
    }
    return text + fmt::format("    return {};\n}}\n", length);
}

std::string inputsFunction(const CudaProblem& problem) {
    std::vector<std::string> parts;
    std::string look;
    std::size_t tensor = 0;
    for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
        const CppPart& part = problem.inputs[i].part;
        if (!part.isVector) {
            parts.push_back(fmt::format("static_cast<{}>(input{}(dims))", part.cppType, i));
            continue;
        }
        const std::string from = fmt::format("static_cast<const {}*>(tensors[{}])", elementType(part), tensor);
        parts.push_back(fmt::format("{0}({1}, {1} + input{2}(dims))", part.cppType, from, i));
        look += fmt::format("    key = digest(tensors[{0}], static_cast<std::size_t>(input{1}(dims)) * sizeof({2}), "
                            "key);\n",
                            tensor++, i, elementType(part));
    }
    const bool isOne = problem.inputType.form == CppData::Form::one;
    return fmt::format("task::input_t inputsOf([[maybe_unused]] const void* const* tensors, [[maybe_unused]] const "
                       "std::int64_t* dims) {{\n    return {};\n}}\n\n",
                       isOne ? parts.front() : fmt::format("task::input_t{{{}}}", join(parts, ",\n        "))) +
           fmt::format("std::uint64_t keyOf(const void* const* tensors, const std::int64_t* dims) {{\n"
                       "    std::uint64_t key = digest(dims, {} * sizeof *dims, 0);\n{}    return key;\n}}\n\n",
                       problem.dims.size(), look);
}

constexpr std::string_view asking = R"(// The whole of the outputs, which ref_kernel computes at once.
std::shared_ptr<const task::output_t> outputsOf(const void* const* tensors, const std::int64_t* dims) {
    const std::lock_guard lock(guard);
    if (isTold && isKnown) {
        return whole;
    }
    const std::uint64_t key = keyOf(tensors, dims);
    if (!whole || key != held) {
        whole.reset();
        whole = std::make_shared<const task::output_t>(task::ref_kernel(inputsOf(tensors, dims)));
        held = key;
    }
    isKnown = true;
    return whole;
}

template<class T>
void give(const T& values, std::int64_t count, int output, std::int64_t begin, std::int64_t end, double* expected) {
    if constexpr (std::is_arithmetic_v<T>) {
        std::fill_n(expected, end - begin, static_cast<double>(values));
    } else {
        if (static_cast<std::int64_t>(values.size()) != count) {
            std::fprintf(stderr, "ref_kernel returns %lld values as output %d, where problem.toml has %lld\n",
                         static_cast<long long>(values.size()), output, static_cast<long long>(count));
            std::abort();
        }
        std::transform(values.begin() + begin, values.begin() + end, expected,
                       [](auto value) { return static_cast<double>(value); });
    }
}

} // namespace

extern "C" void new_inputs() {
    const std::lock_guard lock(guard);
    isTold = true;
    isKnown = false;
}

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, std::int64_t end,
                          double* expected) {
    const auto outputs = outputsOf(tensors, dims);
    switch (output - @FIRST@) {
)";

} // namespace

std::string cudaReference(const CppText& text, const CudaProblem& problem) {
    std::set<std::string> headers = {"algorithm", "array", "cmath",  "cstdint", "cstdio",      "cstdlib", "cstring",
                                     "memory",    "mutex", "random", "tuple",   "type_traits", "utility", "vector"};
    headers.insert(text.systemHeaders().begin(), text.systemHeaders().end());
    std::string whole = "// The host code of the problem as it is, and below what calls its ref_kernel.\n";
    for (const std::string& header : headers) {
        whole += fmt::format("#include <{}>\n", header);
    }
    whole += "\nnamespace task {\n" +
             text.without([&](const CppFunction& function) { return isForTheHarness(text, function); });
    for (const std::string& name : text.macroNames()) {
        whole += fmt::format("#undef {}\n", name);
    }
    const auto lines = std::ranges::count(whole, '\n');
    whole += fmt::format("#line {} \"reference.cpp\"\n}} // namespace task\n\n", lines + 2);
    whole += keeping;
    for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
        whole += countFunction(problem, fmt::format("input{}", i), problem.inputs[i].size);
    }
    for (std::size_t i = 0; i < problem.outputs.size(); ++i) {
        whole += countFunction(problem, fmt::format("output{}", i), problem.outputs[i]);
    }
    const auto first = std::ranges::count_if(problem.inputs, [](const CppInput& input) { return input.part.isVector; });
    whole += "\n" + inputsFunction(problem) + replaceAll(std::string(asking), "@FIRST@", std::to_string(first));
    const bool isOne = problem.outputType.form == CppData::Form::one;
    for (std::size_t i = 0; i < problem.outputs.size(); ++i) {
        whole += fmt::format("    case {0}:\n        give({1}, output{0}(dims), {0}, begin, end, expected);\n"
                             "        break;\n",
                             i, isOne ? std::string("*outputs") : fmt::format("std::get<{}>(*outputs)", i));
    }
    return whole + "    default:\n        break;\n    }\n}\n";
}

std::string cudaSeed(const CppSize& length, const std::string& element, const std::string& output,
                     const std::vector<std::string>& dims) {
    std::string count;
    for (const std::string& factor : length.factors) {
        std::string text;
        for (std::size_t i = 0; i < factor.size();) {
            std::size_t end = i;
            while (end < factor.size() &&
                   (std::isalnum(static_cast<unsigned char>(factor[end])) != 0 || factor[end] == '_')) {
                ++end;
            }
            const std::string word = factor.substr(i, end - i);
            const bool isDim = std::ranges::find(dims, word) != dims.end();
            text += word.empty() ? std::string(1, factor[i]) : (isDim ? "p." + word : word);
            i = std::max(end, i + 1);
        }
        count += (count.empty() ? "(long long)(" : " * (") + text + ")";
    }
    return fmt::format("// Naive, one thread per element\n#include \"problem.h\"\n\n"
                       "__global__ void elements(Problem p) {{\n"
                       "    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "    if (i < {0}) {{\n        p.{1}[i] = {2};\n    }}\n}}\n\n"
                       "extern \"C\" hipError_t solve(const Problem& p, void*, hipStream_t stream) {{\n"
                       "    elements<<<unsigned(({0} + 255) / 256), 256, 0, stream>>>(p);\n"
                       "    return hipGetLastError();\n}}\n",
                       count, output, element);
}

} // namespace gks
