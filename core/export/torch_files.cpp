// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch_files.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/export/library_files.h"
#include "core/export/torch_texts.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace gks {
using namespace exporttexts;
namespace {

struct TorchType {
    std::string_view python; // an expression; empty: of fp8
    std::string_view scalar; // at::ScalarType
};

TorchType torchType(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
        return {"", "at::ScalarType::Undefined"};
    case ElementType::fp8E5m2:
        return {"", "at::ScalarType::Undefined"};
    case ElementType::f16:
        return {"torch.float16", "at::kHalf"};
    case ElementType::bf16:
        return {"torch.bfloat16", "at::kBFloat16"};
    case ElementType::f32:
        return {"torch.float32", "at::kFloat"};
    case ElementType::f64:
        return {"torch.float64", "at::kDouble"};
    case ElementType::i8:
        return {"torch.int8", "at::kChar"};
    case ElementType::i32:
        return {"torch.int32", "at::kInt"};
    case ElementType::u32:
        return {"torch.uint32", "at::ScalarType::Undefined"};
    case ElementType::i64:
        return {"torch.int64", "at::kLong"};
    }
    return {"torch.float32", "at::kFloat"};
}

std::string pythonType(ElementType type, std::string_view device) {
    const TorchType names = torchType(type);
    return names.python.empty()
               ? fmt::format("@NAMESPACE@_fp8(\"{}\", {})", type == ElementType::fp8E4m3 ? "e4m3" : "e5m2", device)
               : std::string(names.python);
}

bool isInput(const TensorSpec& tensor) {
    return tensor.role == TensorRole::input;
}

// Where an extent of an input is a dim and nothing else: "x.shape[0]", or the same in C++.
std::optional<std::string> extentThatSays(const ProblemPack& pack, const std::string& dim, std::string_view format) {
    for (const TensorSpec& tensor : pack.tensors) {
        const auto at = std::ranges::find(tensor.extents, dim);
        if (isInput(tensor) && at != tensor.extents.end()) {
            return fmt::format(fmt::runtime(format), tensor.name, at - tensor.extents.begin());
        }
    }
    return std::nullopt;
}

std::vector<std::string> dimsNobodySays(const ProblemPack& pack) {
    std::vector<std::string> dims;
    for (const std::string& dim : pack.dims) {
        if (!extentThatSays(pack, dim, "{}{}")) {
            dims.push_back(dim);
        }
    }
    return dims;
}

Result<std::string> pythonShape(const ProblemPack& pack, const TensorSpec& tensor) {
    std::string text = "(";
    for (const std::string& extent : tensor.extents) {
        GKS_TRY_ASSIGN(const std::string portable, portableExtent(extent, pack.dims));
        text += std::ranges::find(pack.dims, extent) != pack.dims.end() ? extent + ", "
                                                                        : fmt::format("int({}), ", portable);
    }
    return text + ")";
}

std::string schemaOf(const ProblemPack& pack) {
    std::vector<std::string> parts;
    char alias = 'a';
    for (const TensorSpec& tensor : pack.tensors) {
        parts.push_back(isInput(tensor) ? "Tensor " + tensor.name
                                        : fmt::format("Tensor({}!) {}", alias++, tensor.name));
    }
    for (const std::string& dim : pack.dims) {
        parts.push_back("int " + dim);
    }
    return fmt::format("run({}, int gks_which) -> ()", join(parts, ", "));
}

// Names of a pack are no words of C++; these are words of Python, or ours.
Result<void> checkPythonNames(const ProblemPack& pack) {
    static const std::set<std::string_view> words = {
        "as", "assert", "async",  "await",    "def",  "del",   "elif", "except", "finally", "from",  "global", "import",
        "in", "is",     "lambda", "nonlocal", "pass", "raise", "with", "yield",  "torch",   "which", "run",    "int"};
    std::vector<std::string> names = pack.dims;
    std::ranges::transform(pack.tensors, std::back_inserter(names), &TensorSpec::name);
    const auto bad = std::ranges::find_if(names, [&](const std::string& name) { return words.contains(name); });
    return bad == names.end() ? Result<void>()
                              : usageError(fmt::format("\"{}\" is no name in the Python of an export", *bad),
                                           "problem.toml", "Export it --as header, or rename it in the problem pack");
}

std::string optionList(const ExportedKernel& kernel) {
    std::string text;
    for (const std::string& option : repeatableOptions(kernel)) {
        text += fmt::format(", \"{}\"", option);
    }
    return text;
}

std::string hasMagnitude(const ProblemPack& pack) {
    return pack.tolerance.ofMagnitude > 0 ? "1" : "0";
}

std::string upperName(const ExportedKernel& kernel) {
    std::string text = kernel.name;
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return text;
}

} // namespace

Result<std::string> torchBinding(const ExportedKernel& kernel, BindingKind kind) {
    const ProblemPack& pack = kernel.pack;
    const std::vector<std::string> unknown = dimsNobodySays(pack);
    if (kind == BindingKind::benchmark && !unknown.empty()) {
        return usageError(fmt::format("no extent of an input says {}", join(unknown, ", ")), kernel.name,
                          "Export it in another form");
    }
    std::vector<std::string> parameters;
    std::string list;
    std::string pointers;
    std::string expects;
    std::string ranks;
    std::vector<std::string> dimsFrom;
    for (const std::string& dim : pack.dims) {
        dimsFrom.push_back(extentThatSays(pack, dim, "{}.size({})").value_or(dim));
    }
    for (const TensorSpec& tensor : pack.tensors) {
        parameters.push_back(
            fmt::format("{}at::Tensor{} {}", isInput(tensor) ? "const " : "", isInput(tensor) ? "&" : "", tensor.name));
        list += tensor.name + ", ";
        pointers += fmt::format("static_cast<{}{}*>({}.data_ptr()), ", isInput(tensor) ? "const " : "",
                                cType(tensor.type), tensor.name);
        ranks += fmt::format("    TORCH_CHECK({0}.dim() == {1}, \"{0} has \", {0}.dim(), \" extents, not {1}\");\n",
                             tensor.name, tensor.extents.size());
        std::vector<std::string> extents;
        for (const std::string& extent : tensor.extents) {
            GKS_TRY_ASSIGN(const std::string portable, portableExtent(extent, pack.dims));
            extents.push_back(
                std::ranges::find(pack.dims, extent) != pack.dims.end() ? extent : fmt::format("whole({})", portable));
        }
        expects += fmt::format("        expect({0}, \"{0}\", {{{1}}}, {2}, {3}, gks_device);\n", tensor.name,
                               join(extents, ", "), torchType(tensor.type).scalar, sizeBytes(tensor.type));
    }
    const std::string registration(kind == BindingKind::extension ? extensionRegistration
                                   : kind == BindingKind::hub     ? hubRegistration
                                                                  : benchmarkRegistration);
    const std::string includes =
        kind == BindingKind::hub ? "#include <torch/all.h>\n#include <torch/library.h>\n\n#include \"registration.h\"\n"
                                 : "#include <torch/extension.h>\n#include <torch/library.h>\n";
    const bool hasReference = kind == BindingKind::extension;
    const std::vector<std::pair<std::string, std::string>> values = {
        {"NAME", kernel.name},
        {"UPPER", upperName(kernel)},
        {"HAS_MAGNITUDE", hasMagnitude(pack)},
        {"SCHEMA", schemaOf(pack)},
        {"INCLUDES", includes},
        {"TENSOR_PARAMETERS", join(parameters, ", ")},
        {"TENSOR_LIST", list},
        {"FIRST", pack.tensors.front().name},
        {"DIMS", replaceAll(dimParameters(pack), "int64_t", "std::int64_t")},
        {"DIM_LIST", join(pack.dims, ", ")},
        {"DIMS_FROM", join(dimsFrom, ", ")},
        {"RANKS", ranks},
        {"EXPECTS", expects},
        {"POINTERS", pointers}};
    std::string text = replaceAll(std::string(bindingText), "@REGISTRATION@", registration);
    text = replaceAll(std::move(text), "@REFERENCE@", hasReference ? referenceText : "");
    text = replaceAll(std::move(text), "@REFERENCE_DECLARATION@", hasReference ? referenceDeclaration : "");
    return filled(text, values);
}

Result<std::string> pythonWrapper(const ExportedKernel& kernel, BindingKind kind) {
    const ProblemPack& pack = kernel.pack;
    GKS_TRY(checkPythonNames(pack));
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string checks;
    std::string made;
    std::string list;
    std::vector<std::string> described;
    const std::string& first = pack.tensors.front().name;
    for (const TensorSpec& tensor : pack.tensors) {
        (isInput(tensor) ? inputs : outputs).push_back(isInput(tensor) ? tensor.name : tensor.name + "=None");
        list += tensor.name + ", ";
        described.push_back(tensorText(tensor));
        const std::string dtype = replaceAll(pythonType(tensor.type, first + ".device"), "@NAMESPACE@", "");
        if (isInput(tensor)) {
            checks += fmt::format(
                "    if {0}.dim() != {1} or {0}.dtype != {2}:\n        raise ValueError(f\"{0} must have {1} "
                "extents and the type {{{2}}}, not {{{0}.dim()}} and {{{0}.dtype}}\")\n    {0} = {0}.contiguous()\n",
                tensor.name, tensor.extents.size(), dtype);
        } else {
            GKS_TRY_ASSIGN(const std::string shape, pythonShape(pack, tensor));
            made += fmt::format("    if {0} is None:\n        {0} = torch.empty({1}, dtype={2}, device={3}.device)\n",
                                tensor.name, shape, dtype, first);
        }
    }
    std::vector<std::string> arguments = inputs;
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    const std::vector<std::string> unknown = dimsNobodySays(pack);
    arguments.emplace_back("*");
    arguments.insert(arguments.end(), unknown.begin(), unknown.end());
    std::string dims;
    for (const std::string& dim : pack.dims) {
        if (const auto says = extentThatSays(pack, dim, "{}.shape[{}]")) {
            dims += fmt::format("    {} = {}\n", dim, *says);
        }
    }
    std::vector<std::string> results;
    for (const TensorSpec& tensor : pack.tensors) {
        if (!isInput(tensor)) {
            results.push_back(tensor.name);
        }
    }
    const std::string imports =
        kind == BindingKind::hub
            ? "from ._ops import ops as _ops\n"
            : fmt::format("from . import _C\n\n_ops = torch.ops.{}\nevidence = _C.evidence\n", kernel.name);
    return filled(wrapperText, {{"NAME", kernel.name},
                                {"TITLE", commentText(pack.title)},
                                {"KERNEL", kernelLabel(kernel.id)},
                                {"IMPORTS", imports},
                                {"DIM_LIST", join(pack.dims, ", ")},
                                {"ARGUMENTS", join(arguments, ", ")},
                                {"TENSORS", join(described, "; ")},
                                {"CHECKS", checks},
                                {"DIMS_FROM", dims},
                                {"OUTPUTS", made},
                                {"TENSOR_LIST", list},
                                {"RESULT", join(results, ", ")}});
}

namespace {

Result<std::string> pythonTest(const ExportedKernel& kernel) {
    const ProblemPack& pack = kernel.pack;
    GKS_TRY_ASSIGN(const auto shapes, triedShapes(kernel));
    std::string cases;
    for (const TriedShape& one : shapes) {
        cases += fmt::format("    (({},), {}),\n", fmt::join(one.shape, ", "), one.isMeasured ? "True" : "False");
    }
    std::string drawn;
    std::string outputs;
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        const TensorSpec& tensor = pack.tensors[i];
        if (!isInput(tensor)) {
            outputs += fmt::format("{}, ", i);
            drawn += "        None,\n";
            continue;
        }
        constexpr std::string_view fills[] = {"normal", "uniform", "zeros", "ones"};
        GKS_TRY_ASSIGN(const std::string shape, pythonShape(pack, tensor));
        const std::string range = tensor.scale == 1 && tensor.offset == 0
                                      ? std::string()
                                      : fmt::format(", {:e}, {:e}", tensor.scale, tensor.offset);
        drawn += fmt::format("        draw({}, {}, \"{}\"{}),\n", shape,
                             replaceAll(pythonType(tensor.type, "device"), "@NAMESPACE@", kernel.name + "."),
                             fills[static_cast<std::size_t>(tensor.fill)], range);
    }
    std::string keywords;
    for (const std::string& dim : dimsNobodySays(pack)) {
        keywords += fmt::format(", {0}={0}", dim);
    }
    std::string names;
    std::string unpacked;
    for (const std::string& dim : pack.dims) {
        names += fmt::format("\"{}\", ", dim);
        unpacked += dim + ", ";
    }
    return filled(pythonTestText, {{"NAME", kernel.name},
                                   {"DIM_LIST", join(pack.dims, ", ")},
                                   {"DIM_UNPACK", unpacked.substr(0, unpacked.size() - 1)},
                                   {"DIM_NAMES", "(" + names + ")"},
                                   {"CASES", cases},
                                   {"RELATIVE", fmt::format("{:e}", pack.tolerance.relative)},
                                   {"ABSOLUTE", fmt::format("{:e}", pack.tolerance.absolute)},
                                   {"OF_MAGNITUDE", fmt::format("{:e}", pack.tolerance.ofMagnitude)},
                                   {"DRAWN", drawn},
                                   {"KEYWORDS", keywords},
                                   {"OUTPUT_INDICES", "(" + outputs + ")"}});
}

} // namespace

Result<BundleFiles> torchFiles(const ExportedKernel& kernel, const CInterfaceOptions& options) {
    CInterfaceOptions asCuda = options;
    asCuda.sourceSuffix = "cu"; // what the extension builder takes for device code, of ROCm too
    GKS_TRY_ASSIGN(const BundleFiles interface, interfaceFiles(kernel, asCuda));
    BundleFiles files;
    for (const auto& [path, content] : interface) {
        files["csrc/" + path] = content;
    }
    const std::vector<std::pair<std::string, std::string>> values = {{"NAME", kernel.name},
                                                                     {"OPTIONS", optionList(kernel)}};
    GKS_TRY_ASSIGN(files[fmt::format("csrc/{}_torch.cpp", kernel.name)], torchBinding(kernel, BindingKind::extension));
    GKS_TRY_ASSIGN(files["csrc/reference.cpp"], readFile(kernel.pack.referencePath));
    GKS_TRY_ASSIGN(files[kernel.name + "/__init__.py"], pythonWrapper(kernel, BindingKind::extension));
    GKS_TRY_ASSIGN(files[fmt::format("test_{}.py", kernel.name)], pythonTest(kernel));
    files["setup.py"] = filled(setupText, values);
    files["load_inline.py"] = filled(inlineText, values);
    return files;
}

Result<BundleFiles> hubFiles(const ExportedKernel& kernel, const CInterfaceOptions& options) {
    CInterfaceOptions asCuda = options;
    asCuda.sourceSuffix = "cu";
    GKS_TRY_ASSIGN(const BundleFiles interface, interfaceFiles(kernel, asCuda));
    BundleFiles files;
    std::vector<std::string> sources;
    for (const auto& [path, content] : interface) {
        files["src/" + path] = content;
        sources.push_back(fmt::format("\"src/{}\"", path));
    }
    GKS_TRY_ASSIGN(files["torch-ext/torch_binding.cpp"], torchBinding(kernel, BindingKind::hub));
    GKS_TRY_ASSIGN(files[fmt::format("torch-ext/{}/__init__.py", kernel.name)],
                   pythonWrapper(kernel, BindingKind::hub));
    std::vector<std::string> backends;
    std::string kernels;
    for (const std::string_view backend : {"cuda", "rocm"}) {
        const bool isMeant =
            kernel.target == TargetKind::cpu || (kernel.target == TargetKind::nvidia) == (backend == "cuda");
        if (isMeant) {
            backends.push_back(fmt::format("\"{}\"", backend));
            kernels += filled(kernelToml, {{"SECTION", fmt::format("{}_{}", kernel.name, backend)},
                                           {"BACKEND", std::string(backend)},
                                           {"SOURCES", join(sources, ", ")}});
        }
    }
    files["build.toml"] = filled(
        buildToml,
        {{"DASHED", replaceAll(kernel.name, "_", "-")}, {"BACKENDS", join(backends, ", ")}, {"KERNELS", kernels}});
    files["flake.nix"] = filled(flakeText, {{"NAME", kernel.name}});
    return files;
}

} // namespace gks
