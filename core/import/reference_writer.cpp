// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/reference_writer.h"

#include "core/base/text.h"
#include "core/import/code_writer.h"
#include "core/import/cpp_sizes.h"
#include "core/import/reference_texts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gks {
namespace {

using NodeKind = TensorNode::Kind;
using Indices = CodeWriter::Indices;

std::string indented(const std::vector<std::string>& lines, std::size_t by) {
    std::string text;
    for (const std::string& line : lines) {
        text += std::string(by, ' ') + line + "\n";
    }
    return text;
}

bool hasLoop(const std::vector<std::string>& lines) {
    return std::ranges::any_of(lines, [](const std::string& line) { return line.starts_with("for ("); });
}

const TensorSpec& outputOf(const ProblemPack& pack, std::size_t output) {
    std::size_t at = 0;
    for (const TensorSpec& tensor : pack.tensors) {
        if (tensor.role == TensorRole::output && at++ == output) {
            return tensor;
        }
    }
    return pack.tensors.back();
}

// The indices of an element from `flat`, but for the last one.
std::string leadingIndices(const TensorSpec& tensor, const std::string& flat, std::string_view type,
                           std::string_view prefix, std::size_t by) {
    std::string text;
    std::string rest = flat;
    for (std::size_t i = tensor.extents.size() - 1; i-- > 0;) {
        const std::string extent = tensor.extents[i] == "1" ? "1" : std::string(prefix) + tensor.extents[i];
        text += fmt::format("{}[[maybe_unused]] const {} i{} = {};\n", std::string(by, ' '), type, i,
                            i == 0 ? rest : fmt::format("{} % {}", rest, extent));
        rest = fmt::format("({} / {})", rest, extent);
    }
    return text;
}

struct RangeFunction {
    std::string text;   // empty: too long
    bool keeps = false; // what belongs to no element is dear: it makes a Range that has it
};

// Range by range of one output; `bounds`: the magnitudes.
RangeFunction rangeFunction(const ProblemPack& pack, const TensorProgram& program, std::size_t output, bool bounds) {
    const TensorSpec& tensor = outputOf(pack, output);
    CodeWriter writer(pack, {"double", "std::", false});
    Indices at;
    std::set<std::string> leading;
    for (std::size_t i = 0; i < tensor.extents.size(); ++i) {
        at.push_back(program.outputs[output]->shape[i] == "1" ? "0" : fmt::format("i{}", i));
        if (i + 1 < tensor.extents.size()) {
            leading.insert(fmt::format("i{}", i));
        }
    }
    writer.open(leading);
    writer.open({fmt::format("i{}", tensor.extents.size() - 1)});
    const std::string result =
        bounds ? writer.bound(program.outputs[output], at) : writer.value(program.outputs[output], at);
    const auto element = writer.close();
    const auto row = writer.close();
    const auto whole = writer.close();
    if (writer.isTooLong()) {
        return {};
    }
    RangeFunction made;
    made.keeps = hasLoop(whole);
    constexpr std::string_view range = "std::int64_t begin, std::int64_t end, double* expected";
    made.text =
        fmt::format("{} {}{}(const Inputs& in, const std::int64_t* dims{}) {{\n", made.keeps ? "Range" : "void",
                    bounds ? "bounds" : "values", output, made.keeps ? std::string() : fmt::format(", {}", range));
    for (std::size_t i = 0; i < pack.dims.size(); ++i) {
        made.text += fmt::format("    [[maybe_unused]] const std::int64_t {} = dims[{}];\n", pack.dims[i], i);
    }
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            made.text += fmt::format("    [[maybe_unused]] const auto {} = in.tensor{};\n", pack.tensors[i].name, i);
        }
    }
    const std::string last = tensor.extents.back();
    made.text += indented(whole, 4) + (made.keeps ? fmt::format("    return [=]({}) {{\n", range) : std::string());
    made.text +=
        fmt::format("    for (std::int64_t at = begin; at < end;) {{\n        const std::int64_t row = at / {0}, "
                    "stop = std::min(end, (row + 1) * {0});\n",
                    last);
    made.text += leadingIndices(tensor, "row", "std::int64_t", "", 8) + indented(row, 8);
    made.text += fmt::format(
        "        for (; at < stop; ++at) {{\n            [[maybe_unused]] const std::int64_t i{} = at - row * {};\n",
        tensor.extents.size() - 1, last);
    made.text +=
        indented(element, 12) + fmt::format("            expected[at - begin] = {};\n        }}\n    }}\n{}}}\n\n",
                                            result, made.keeps ? "    };\n" : "");
    return made;
}

std::string readerOf(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
    case ElementType::fp8E5m2:
    case ElementType::f32:
        return "Plain<float>";
    case ElementType::f16:
        return "Half";
    case ElementType::bf16:
        return "Bf16";
    case ElementType::f64:
        return "Plain<double>";
    case ElementType::i8:
        return "Plain<std::int8_t>";
    case ElementType::i32:
        return "Plain<std::int32_t>";
    case ElementType::u32:
        return "Plain<std::uint32_t>";
    case ElementType::i64:
        return "Plain<std::int64_t>";
    }
    return "Plain<float>";
}

std::string readerElement(const std::string& reader) {
    const std::size_t open = reader.find('<');
    return open == std::string::npos ? "std::uint16_t" : reader.substr(open + 1, reader.size() - open - 2);
}

// `keeps`: of each output.
std::string entryPoint(const ProblemPack& pack, const std::vector<bool>& keeps, bool bounds) {
    std::string text = fmt::format(
        "extern \"C\" void {}(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, "
        "std::int64_t end, double* expected) {{\n    const Inputs in = {{",
        bounds ? "magnitude" : "reference");
    std::size_t firstOutput = pack.tensors.size();
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            text += fmt::format("{{static_cast<const {}*>(tensors[{}])}}, ",
                                readerElement(readerOf(pack.tensors[i].type)), i);
        } else {
            firstOutput = std::min(firstOutput, i);
        }
    }
    text += "};\n";
    for (std::size_t output = 0; output < keeps.size(); ++output) {
        const std::string name = fmt::format("{}{}", bounds ? "bounds" : "values", output);
        const std::string call = keeps[output]
                                     ? fmt::format("(*kept({}, [&] {{ return {}(in, dims); }}))(begin, end, expected)",
                                                   2 * output + (bounds ? 1 : 0), name)
                                     : fmt::format("{}(in, dims, begin, end, expected)", name);
        text += fmt::format("    if (output == {}) {{\n        {};\n    }}\n", firstOutput + output, call);
    }
    return text + "}\n";
}

// Sums over windows share terms, and there are ways to compute them with fewer operations than they are written with.
bool hasWindow(const TensorPtr& node, std::set<const TensorNode*>& seen) {
    return seen.insert(node.get()).second &&
           (node->kind == NodeKind::window ||
            std::ranges::any_of(node->from, [&](const TensorPtr& from) { return hasWindow(from, seen); }));
}

void countFlops(const TensorPtr& node, std::set<const TensorNode*>& seen, std::map<std::string, int>& terms) {
    if (!seen.insert(node.get()).second) {
        return;
    }
    if (node->kind == NodeKind::reduce) {
        const TensorNode& of = *node->from[0];
        const bool multiplies = of.kind == NodeKind::binary && of.word == "*";
        terms[elementsText(of.shape)] += multiplies ? 2 : 1;
    }
    if (node->kind == NodeKind::scan) {
        terms[elementsText(node->shape)] += 1;
    }
    for (const TensorPtr& from : node->from) {
        countFlops(from, seen, terms);
    }
}

// A thread for each output; where a row has loops of its own, as a softmax has, a thread for each row, or every output
// would go through the whole row again.
struct NaiveKernel {
    std::string text;    // empty: too long
    std::string threads; // how many
};

NaiveKernel naiveKernel(const ProblemPack& pack, const TensorProgram& program, std::size_t output) {
    const TensorSpec& tensor = outputOf(pack, output);
    const std::size_t lastAxis = tensor.extents.size() - 1;
    CodeWriter writer(pack, {"float", "", true});
    Indices at;
    std::set<std::string> leading;
    std::vector<std::string> extents;
    for (std::size_t i = 0; i <= lastAxis; ++i) {
        at.push_back(program.outputs[output]->shape[i] == "1" ? "0" : fmt::format("i{}", i));
        extents.push_back(tensor.extents[i] == "1" ? "1" : "p." + tensor.extents[i]);
        if (i < lastAxis) {
            leading.insert(fmt::format("i{}", i));
        }
    }
    writer.open(leading);
    writer.open({fmt::format("i{}", lastAxis)});
    writer.runAlong(fmt::format("i{}", lastAxis));
    const std::string result = writer.value(program.outputs[output], at);
    const auto element = writer.close();
    const auto row = writer.close();
    const auto whole = writer.close();
    if (writer.isTooLong()) {
        return {};
    }
    const bool isByRow = writer.hasRun() || hasLoop(row);
    const std::string last = extents.back();
    const std::string rows = fmt::format(
        "(long long)({})", lastAxis == 0 ? std::string("1") : join({extents.begin(), extents.end() - 1}, ") * ("));
    const std::string all = fmt::format("(long long)({})", join(extents, ") * ("));
    const std::string stored = tensor.type == ElementType::bf16  ? fmt::format("to_bf16({})", result)
                               : tensor.type == ElementType::f16 ? fmt::format("to_f16({})", result)
                                                                 : result;
    NaiveKernel kernel;
    kernel.threads = isByRow ? rows : all;
    kernel.text =
        fmt::format("__global__ void output{}(Problem p) {{\n    const long long {} = (long long)blockIdx.x * "
                    "blockDim.x + threadIdx.x;\n    if ({} >= {}) {{\n        return;\n    }}\n",
                    output, isByRow ? "row" : "flat", isByRow ? "row" : "flat", kernel.threads);
    if (!isByRow) {
        kernel.text += fmt::format("    [[maybe_unused]] const int i{} = int(flat % {});\n    [[maybe_unused]] const "
                                   "long long row = flat / {};\n",
                                   lastAxis, last, last);
    }
    kernel.text += leadingIndices(tensor, "row", "int", "p.", 4) + indented(whole, 4) + indented(row, 4);
    if (isByRow) {
        kernel.text +=
            fmt::format("    for (int i{0} = 0; i{0} < {1}; ++i{0}) {{\n        const long long flat = row * {1} "
                        "+ i{0};\n",
                        lastAxis, last) +
            indented(element, 8) + fmt::format("        p.{}[flat] = {};\n    }}\n}}\n\n", tensor.name, stored);
    } else {
        kernel.text += indented(element, 4) + fmt::format("    p.{}[flat] = {};\n}}\n\n", tensor.name, stored);
    }
    return kernel;
}

std::string flopsText(const ProblemPack& pack, const TensorProgram& program, bool ofWindows) {
    std::set<const TensorNode*> seen;
    std::map<std::string, int> terms;
    for (const TensorPtr& output : program.outputs) {
        std::set<const TensorNode*> looked;
        if (ofWindows || !hasWindow(output, looked)) {
            countFlops(output, seen, terms);
        }
        terms[elementsText(output->shape)] += 1;
    }
    std::vector<std::string> parts;
    for (const auto& [product, count] : terms) {
        parts.push_back(fmt::format("{}*{}", count, product));
    }
    return pack.tensors.empty() ? "1" : join(parts, " + ");
}

} // namespace

std::string referenceSource(const ProblemPack& pack, const TensorProgram& program) {
    std::string functions;
    std::vector<bool> ofValues;
    std::vector<bool> ofBounds;
    for (std::size_t output = 0; output < program.outputs.size(); ++output) {
        for (const bool bounds : {false, true}) {
            const RangeFunction function = rangeFunction(pack, program, output, bounds);
            if (function.text.empty()) {
                return {};
            }
            functions += function.text;
            (bounds ? ofBounds : ofValues).push_back(function.keeps);
        }
    }
    const auto any = [](const std::vector<bool>& all) { return std::ranges::find(all, true) != all.end(); };
    const bool keepsAny = any(ofValues) || any(ofBounds);
    std::string text = fmt::format(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n// Translated from the reference of the Definition; every "
        "number "
        "is a double. A magnitude bounds the error, see notes.md.\n#include <algorithm>\n#include <cmath>\n#include "
        "<cstdint>\n#include <cstring>\n{}#include <vector>\n\nnamespace {{\n\n",
        keepsAny ? "#include <functional>\n#include <map>\n#include <memory>\n#include <mutex>\n" : "");
    text += std::string(inputHelpers) + "\nstruct Inputs {\n";
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            text += fmt::format("    {} tensor{}; // {}\n", readerOf(pack.tensors[i].type), i, pack.tensors[i].name);
        }
    }
    text += fmt::format("}};\n\n{}{}}} // namespace\n\n", keepsAny ? keeping : "", functions);
    return text + entryPoint(pack, ofValues, false) + "\n" + entryPoint(pack, ofBounds, true) +
           std::string(keepsAny ? forgetting : "");
}

std::string naiveSource(const ProblemPack& pack, const TensorProgram& program) {
    std::string text = "// Naive, one thread per output, or per row where a row has sums of its own\n// "
                       "SPDX-License-Identifier: GPL-3.0-or-later\n#include \"problem.h\"\n\n";
    std::string launches;
    for (std::size_t output = 0; output < program.outputs.size(); ++output) {
        const NaiveKernel kernel = naiveKernel(pack, program, output);
        if (kernel.text.empty()) {
            return {};
        }
        text += kernel.text;
        launches +=
            fmt::format("    output{}<<<unsigned(({} + 255) / 256), 256, 0, stream>>>(p);\n", output, kernel.threads);
    }
    return text + "extern \"C\" hipError_t solve(const Problem& p, void*, hipStream_t stream) {\n" + launches +
           "    return hipGetLastError();\n}\n";
}

std::string writtenFlops(const ProblemPack& pack, const TensorProgram& program) {
    return flopsText(pack, program, true);
}

std::string leastFlops(const ProblemPack& pack, const TensorProgram& program) {
    return flopsText(pack, program, false);
}

std::string elementsText(const std::vector<std::string>& shape) {
    std::vector<std::string> factors;
    for (const std::string& extent : shape) {
        if (extent != "1") {
            factors.push_back(isSumText(extent) ? "(" + extent + ")" : extent);
        }
    }
    return factors.empty() ? "1" : join(factors, "*");
}

std::string leastBytes(const ProblemPack& pack) {
    std::vector<std::string> parts;
    for (const TensorSpec& tensor : pack.tensors) {
        parts.push_back(fmt::format("{}*{}", sizeBytes(tensor.type), elementsText(tensor.extents)));
    }
    return join(parts, " + ");
}

} // namespace gks
