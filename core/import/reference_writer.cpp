// SPDX-License-Identifier: GPL-3.0-or-later
// Every value is computed in the outermost loop in which its indices are known: what belongs to a row is computed once
// a row, and the same value twice is one. A magnitude is a bound of the error, to first order and in units of the
// rounding: |x| of an input, the sum over the operands of |derivative| times their bounds of everything else.
#include "core/import/reference_writer.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gks {
namespace {

using NodeKind = TensorNode::Kind;
using Indices = std::vector<std::string>;

struct Dialect {
    std::string type;   // "double", "float"
    std::string prefix; // "std::" before functions
    bool isDevice = false;
};

class CodeWriter {
public:
    CodeWriter(const ProblemPack& pack, Dialect dialect) : m_pack(pack), m_dialect(std::move(dialect)) {
        m_scopes.emplace_back();
    }

    void open(const std::set<std::string>& variables) {
        m_scopes.emplace_back();
        m_scopes.back().variables = variables;
    }
    std::vector<std::string> close() {
        std::vector<std::string> lines = std::move(m_scopes.back().lines);
        m_scopes.pop_back();
        return lines;
    }

    std::string value(const TensorPtr& node, const Indices& at) {
        return remembered("v", node, at, [&] { return valueCode(node, at); });
    }
    std::string bound(const TensorPtr& node, const Indices& at) {
        return remembered("b", node, at, [&] { return boundCode(node, at); });
    }

private:
    struct Scope {
        std::set<std::string> variables;
        std::vector<std::string> lines;
        std::map<std::string, std::string> known; // by kind, node and indices
    };

    static std::string numberText(double value) {
        return fmt::format("{:.17g}{}", value, std::abs(value) < 1e15 && value == std::floor(value) ? ".0" : "");
    }

    std::size_t levelOf(const Indices& at) const {
        for (std::size_t level = m_scopes.size(); level-- > 1;) {
            if (std::ranges::any_of(
                    at, [&](const std::string& index) { return m_scopes[level].variables.contains(index); })) {
                return level;
            }
        }
        return 0;
    }

    template<class Code>
    std::string remembered(const char* kind, const TensorPtr& node, const Indices& at, const Code& code) {
        const std::size_t level = levelOf(at);
        const std::string key = fmt::format("{}{} {}", kind, static_cast<const void*>(node.get()), join(at, " "));
        for (std::size_t i = 0; i <= level; ++i) {
            if (const auto found = m_scopes[i].known.find(key); found != m_scopes[i].known.end()) {
                return found->second;
            }
        }
        // The loops inside are not there yet for what is computed outside of them.
        std::vector<Scope> inner(std::make_move_iterator(m_scopes.begin() + static_cast<std::ptrdiff_t>(level) + 1),
                                 std::make_move_iterator(m_scopes.end()));
        m_scopes.resize(level + 1);
        const std::string text = code();
        const std::string name = fmt::format("{}{}", kind, m_count++);
        m_scopes.back().lines.push_back(fmt::format("const {} {} = {};", m_dialect.type, name, text));
        m_scopes.back().known[key] = name;
        std::move(inner.begin(), inner.end(), std::back_inserter(m_scopes));
        return name;
    }

    std::string call(std::string_view function, const std::string& argument) const {
        const std::string suffix = m_dialect.isDevice ? "f" : "";
        const std::string name = function == "abs" ? "fabs" : std::string(function);
        return fmt::format("{}{}{}({})", m_dialect.prefix, name, suffix, argument);
    }

    std::string unaryCode(const std::string& word, const std::string& x) const {
        if (word == "neg") {
            return "-" + x;
        }
        if (word == "rsqrt") {
            return "1 / " + call("sqrt", x);
        }
        if (word == "sigmoid" || word == "silu") {
            return fmt::format("{} / (1 + {})", word == "silu" ? x : "1", call("exp", "-" + x));
        }
        if (word == "relu") {
            return fmt::format("{0} > 0 ? {0} : 0", x);
        }
        if (word == "square") {
            return fmt::format("{0} * {0}", x);
        }
        return word == "reciprocal" ? "1 / " + x : call(word, x);
    }

    // |f'(x)|, where f(x) is at hand.
    std::string slopeCode(const std::string& word, const std::string& x, const std::string& f) const {
        const std::map<std::string_view, std::string> slopes = {
            {"exp", f},
            {"expm1", f + " + 1"},
            {"exp2", "0.6931471805599453 * " + f},
            {"log", "1 / " + x},
            {"log1p", fmt::format("1 / (1 + {})", x)},
            {"log2", "1.4426950408889634 / " + x},
            {"sqrt", fmt::format("0.5 / {}", f)},
            {"rsqrt", fmt::format("0.5 * {} / {}", f, x)},
            {"sin", call("cos", x)},
            {"cos", call("sin", x)},
            {"tanh", fmt::format("1 - {0} * {0}", f)},
            {"erf", fmt::format("1.1283791670955126 * {}", call("exp", fmt::format("-{0} * {0}", x)))},
            {"sigmoid", fmt::format("{0} * (1 - {0})", f)},
            {"silu", "1.1"},
            {"square", "2 * " + x},
            {"reciprocal", fmt::format("{0} * {0}", f)}};
        const auto found = slopes.find(word);
        return found == slopes.end() ? "1.0" : call("abs", found->second); // neg, abs, relu
    }

    Indices broadcast(const TensorPtr& of, const Indices& at) const {
        Indices indices(at.end() - static_cast<std::ptrdiff_t>(of->shape.size()), at.end());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            indices[i] = of->shape[i] == "1" ? "0" : indices[i];
        }
        return indices;
    }
    static Indices inside(const TensorNode& node, const Indices& at) { // of permute, insert and remove
        Indices indices = at;
        if (node.kind == NodeKind::permute) {
            for (std::size_t i = 0; i < node.axes.size(); ++i) {
                indices[node.axes[i]] = at[i];
            }
        } else if (node.kind == NodeKind::insert) {
            indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(node.axes[0]));
        } else {
            indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(node.axes[0]), "0");
        }
        return indices;
    }

    std::string binaryCode(const TensorNode& node, const Indices& at) {
        const std::string a = value(node.from[0], broadcast(node.from[0], at));
        const std::string b = value(node.from[1], broadcast(node.from[1], at));
        if (node.word == "**") {
            return node.from[1]->kind == NodeKind::number && node.from[1]->number == 2
                       ? fmt::format("{0} * {0}", a)
                       : fmt::format("{}{}({}, {})", m_dialect.prefix, m_dialect.isDevice ? "powf" : "pow", a, b);
        }
        if (node.word == "max" || node.word == "min") {
            return fmt::format("{0} {2} {1} ? {0} : {1}", a, b, node.word == "max" ? ">" : "<");
        }
        return fmt::format("{} {} {}", a, node.word, b);
    }

    std::string extentCode(const std::string& extent) const {
        return m_dialect.isDevice && extent != "1" ? "p." + extent : extent;
    }

    // A loop over the axis in the place where its indices are known.
    template<class Term, class Fold>
    std::string loop(const TensorNode& node, const Indices& at, const std::string& start, const Term& term,
                     const Fold& fold) {
        const std::string variable = fmt::format("r{}", m_count++);
        const std::string sum = fmt::format("s{}", m_count++);
        Indices indices = at;
        indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(node.axes[0]), variable);
        const std::string& extent = node.from[0]->shape[node.axes[0]];
        open({variable});
        const std::string one = term(node.from[0], indices);
        std::vector<std::string> body = close();
        auto& lines = m_scopes.back().lines;
        lines.push_back(fmt::format("{} {} = {};", m_dialect.type, sum, start));
        lines.push_back(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1}) {{",
                                    m_dialect.isDevice ? "int" : "std::int64_t", variable, extentCode(extent)));
        for (const std::string& line : body) {
            lines.push_back("    " + line);
        }
        lines.push_back("    " + fold(sum, one));
        lines.emplace_back("}");
        return sum;
    }

    std::string valueCode(const TensorPtr& pointer, const Indices& at) {
        const TensorNode& node = *pointer;
        switch (node.kind) {
        case NodeKind::input:
            return inputCode(node, at);
        case NodeKind::number:
            return numberText(node.number) + (m_dialect.isDevice ? "f" : "");
        case NodeKind::extent:
            return fmt::format("{}({})", m_dialect.type, extentCode(node.word));
        case NodeKind::unary:
            return unaryCode(node.word, value(node.from[0], at));
        case NodeKind::binary:
            return binaryCode(node, at);
        case NodeKind::reduce: {
            const bool isSum = node.word == "sum";
            const std::string start = isSum ? "0" : node.word == "max" ? "-INFINITY" : "INFINITY";
            return loop(
                node, at, start, [&](const TensorPtr& of, const Indices& indices) { return value(of, indices); },
                [&](const std::string& sum, const std::string& one) {
                    return isSum ? fmt::format("{} += {};", sum, one)
                                 : fmt::format("{0} = {1} {2} {0} ? {1} : {0};", sum, one,
                                               node.word == "max" ? ">" : "<");
                });
        }
        case NodeKind::permute:
        case NodeKind::insert:
        case NodeKind::remove:
            return value(node.from[0], inside(node, at));
        }
        return "0";
    }

    std::string inputCode(const TensorNode& node, const Indices& at) const {
        const TensorSpec& tensor = m_pack.tensors[node.input];
        std::string index = "0";
        for (std::size_t i = 0; i < at.size(); ++i) {
            index = i == 0 ? (m_dialect.isDevice ? fmt::format("size_t({})", at[i]) : at[i])
                           : fmt::format("({}) * {} + {}", index, extentCode(tensor.extents[i]), at[i]);
        }
        return m_dialect.isDevice ? fmt::format("float(p.{}[{}])", tensor.name, index)
                                  : fmt::format("{}[{}]", tensor.name, index);
    }

    std::string boundCode(const TensorPtr& pointer, const Indices& at) {
        const TensorNode& node = *pointer;
        switch (node.kind) {
        case NodeKind::input:
            return call("abs", value(pointer, at));
        case NodeKind::number:
        case NodeKind::extent:
            return "0";
        case NodeKind::unary: {
            const std::string f = value(pointer, at);
            return fmt::format("{} * {} + {}", slopeCode(node.word, value(node.from[0], at), f),
                               bound(node.from[0], at), call("abs", f));
        }
        case NodeKind::binary:
            return binaryBound(pointer, at);
        case NodeKind::reduce: {
            const bool isSum = node.word == "sum";
            return loop(
                node, at, "0", [&](const TensorPtr& of, const Indices& indices) { return bound(of, indices); },
                [&](const std::string& sum, const std::string& one) {
                    return isSum ? fmt::format("{} += {};", sum, one)
                                 : fmt::format("{0} = {1} > {0} ? {1} : {0};", sum, one);
                });
        }
        case NodeKind::permute:
        case NodeKind::insert:
        case NodeKind::remove:
            return bound(node.from[0], inside(node, at));
        }
        return "0";
    }

    std::string binaryBound(const TensorPtr& pointer, const Indices& at) {
        const TensorNode& node = *pointer;
        const Indices left = broadcast(node.from[0], at);
        const Indices right = broadcast(node.from[1], at);
        const std::string a = value(node.from[0], left);
        const std::string b = value(node.from[1], right);
        const std::string ea = bound(node.from[0], left);
        const std::string eb = bound(node.from[1], right);
        if (node.word == "*") {
            return fmt::format("{} * {} + {} * {}", call("abs", b), ea, call("abs", a), eb);
        }
        if (node.word == "/") {
            return fmt::format("({} + {} * {}) / {}", ea, call("abs", value(pointer, at)), eb, call("abs", b));
        }
        if (node.word == "**") {
            return fmt::format("{} * {} + {}",
                               call("abs", fmt::format("{} * {} / ({} == 0 ? 1 : {})", b, value(pointer, at), a, a)),
                               ea, call("abs", value(pointer, at)));
        }
        return fmt::format("{} + {}", ea, eb);
    }

    const ProblemPack& m_pack;
    Dialect m_dialect;
    std::vector<Scope> m_scopes;
    std::size_t m_count = 0;
};

std::string indented(const std::vector<std::string>& lines, std::size_t by) {
    std::string text;
    for (const std::string& line : lines) {
        text += std::string(by, ' ') + line + "\n";
    }
    return text;
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

// Range by range of one output; `bounds`: the magnitudes.
std::string rangeFunction(const ProblemPack& pack, const TensorProgram& program, std::size_t output, bool bounds) {
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
    std::string text = fmt::format("void {}{}(const Inputs& in, const std::int64_t* dims, std::int64_t begin, "
                                   "std::int64_t end, double* expected) {{\n",
                                   bounds ? "bounds" : "values", output);
    for (std::size_t i = 0; i < pack.dims.size(); ++i) {
        text += fmt::format("    [[maybe_unused]] const std::int64_t {} = dims[{}];\n", pack.dims[i], i);
    }
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            text += fmt::format("    [[maybe_unused]] const auto& {} = in.tensor{};\n", pack.tensors[i].name, i);
        }
    }
    const std::string last = tensor.extents.back();
    text += indented(whole, 4);
    text += fmt::format("    for (std::int64_t at = begin; at < end;) {{\n        const std::int64_t row = at / {0}, "
                        "stop = std::min(end, (row + 1) * {0});\n",
                        last);
    text += leadingIndices(tensor, "row", "std::int64_t", "", 8) + indented(row, 8);
    text += fmt::format(
        "        for (; at < stop; ++at) {{\n            [[maybe_unused]] const std::int64_t i{} = at - row * {};\n",
        tensor.extents.size() - 1, last);
    return text + indented(element, 12) +
           fmt::format("            expected[at - begin] = {};\n        }}\n    }}\n}}\n\n", result);
}

constexpr std::string_view inputHelpers = R"(// Values of inputs as numbers; fp8 comes decoded.
template<class T>
struct Plain {
    const T* values;
    double operator[](std::int64_t i) const { return double(values[i]); }
};
struct Bf16 {
    const std::uint16_t* bits;
    double operator[](std::int64_t i) const {
        const std::uint32_t wide = std::uint32_t(bits[i]) << 16;
        float value;
        std::memcpy(&value, &wide, sizeof value);
        return double(value);
    }
};
struct Half {
    const std::uint16_t* bits;
    double operator[](std::int64_t i) const {
        const int exponent = (bits[i] >> 10) & 31, fraction = bits[i] & 1023;
        const double value = exponent == 31  ? (fraction != 0 ? double(NAN) : double(INFINITY))
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
        return (bits[i] & 0x8000) != 0 ? -value : value;
    }
};
)";

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

std::string entryPoint(const ProblemPack& pack, const TensorProgram& program, bool bounds) {
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
    for (std::size_t output = 0; output < program.outputs.size(); ++output) {
        text += fmt::format("    if (output == {}) {{\n        {}{}(in, dims, begin, end, expected);\n    }}\n",
                            firstOutput + output, bounds ? "bounds" : "values", output);
    }
    return text + "}\n";
}

void countFlops(const TensorPtr& node, std::set<const TensorNode*>& seen, std::map<std::string, int>& terms) {
    if (!seen.insert(node.get()).second) {
        return;
    }
    if (node->kind == NodeKind::reduce) {
        const TensorNode& of = *node->from[0];
        std::vector<std::string> extents = of.shape;
        std::erase(extents, "1");
        const bool multiplies = of.kind == NodeKind::binary && of.word == "*";
        terms[extents.empty() ? "1" : join(extents, "*")] += multiplies ? 2 : 1;
    }
    for (const TensorPtr& from : node->from) {
        countFlops(from, seen, terms);
    }
}

std::string elementsText(const std::vector<std::string>& shape) {
    std::vector<std::string> extents = shape;
    std::erase(extents, "1");
    return extents.empty() ? "1" : join(extents, "*");
}

} // namespace

std::string referenceSource(const ProblemPack& pack, const TensorProgram& program) {
    std::string text = "// SPDX-License-Identifier: GPL-3.0-or-later\n// Translated from the reference of the "
                       "Definition; every number is a double. A magnitude bounds "
                       "the error, see notes.md.\n#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include "
                       "<cstring>\n\nnamespace {\n\n";
    text += std::string(inputHelpers) + "\nstruct Inputs {\n";
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            text += fmt::format("    {} tensor{}; // {}\n", readerOf(pack.tensors[i].type), i, pack.tensors[i].name);
        }
    }
    text += "};\n\n";
    for (std::size_t output = 0; output < program.outputs.size(); ++output) {
        text += rangeFunction(pack, program, output, false) + rangeFunction(pack, program, output, true);
    }
    return text + "} // namespace\n\n" + entryPoint(pack, program, false) + "\n" + entryPoint(pack, program, true);
}

std::string naiveSource(const ProblemPack& pack, const TensorProgram& program) {
    std::string text =
        "// Naive, one thread per output\n// SPDX-License-Identifier: GPL-3.0-or-later\n#include \"problem.h\"\n\n";
    std::string launches;
    for (std::size_t output = 0; output < program.outputs.size(); ++output) {
        const TensorSpec& tensor = outputOf(pack, output);
        CodeWriter writer(pack, {"float", "", true});
        Indices at;
        std::set<std::string> variables;
        for (std::size_t i = 0; i < tensor.extents.size(); ++i) {
            at.push_back(program.outputs[output]->shape[i] == "1" ? "0" : fmt::format("i{}", i));
            variables.insert(fmt::format("i{}", i));
        }
        writer.open(variables);
        const std::string result = writer.value(program.outputs[output], at);
        const auto lines = writer.close();
        const auto whole = writer.close();
        std::vector<std::string> extents;
        for (const std::string& extent : tensor.extents) {
            extents.push_back(extent == "1" ? "1" : "p." + extent);
        }
        const std::string count = fmt::format("(long long)({})", join(extents, ") * ("));
        const std::string last = extents.back();
        const std::string stored = tensor.type == ElementType::bf16  ? fmt::format("to_bf16({})", result)
                                   : tensor.type == ElementType::f16 ? fmt::format("to_f16({})", result)
                                                                     : fmt::format("{}", result);
        text += fmt::format("__global__ void output{}(Problem p) {{\n    const long long flat = (long long)blockIdx.x "
                            "* blockDim.x + threadIdx.x;\n"
                            "    if (flat >= {}) {{\n        return;\n    }}\n    [[maybe_unused]] const int i{} = "
                            "int(flat % {});\n    [[maybe_unused]] const long long row = flat / {};\n",
                            output, count, tensor.extents.size() - 1, last, last);
        text += leadingIndices(tensor, "row", "int", "p.", 4) + indented(whole, 4) + indented(lines, 4);
        text += fmt::format("    p.{}[flat] = {};\n}}\n\n", tensor.name, stored);
        launches += fmt::format("    output{}<<<unsigned(({} + 255) / 256), 256, 0, stream>>>(p);\n", output, count);
    }
    return text + "extern \"C\" hipError_t solve(const Problem& p, void*, hipStream_t stream) {\n" + launches +
           "    return hipGetLastError();\n}\n";
}

std::string leastFlops(const ProblemPack& pack, const TensorProgram& program) {
    std::set<const TensorNode*> seen;
    std::map<std::string, int> terms;
    for (const TensorPtr& output : program.outputs) {
        countFlops(output, seen, terms);
        terms[elementsText(output->shape)] += 1;
    }
    std::vector<std::string> parts;
    for (const auto& [product, count] : terms) {
        parts.push_back(fmt::format("{}*{}", count, product));
    }
    return pack.tensors.empty() ? "1" : join(parts, " + ");
}

std::string leastBytes(const ProblemPack& pack) {
    std::vector<std::string> parts;
    for (const TensorSpec& tensor : pack.tensors) {
        parts.push_back(fmt::format("{}*{}", sizeBytes(tensor.type), elementsText(tensor.extents)));
    }
    return join(parts, " + ");
}

} // namespace gks
