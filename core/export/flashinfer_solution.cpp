// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/flashinfer_solution.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/export/torch_files.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t definitionLimitBytes = std::size_t{1} << 20;
constexpr std::size_t definitionNameBytes = 128;

// As the benchmark names cards; empty: none that it knows.
std::string hardwareName(std::string_view device) {
    static constexpr std::array cards = {"A100", "H100", "H200",     "H20",      "B200", "B300",
                                         "L40S", "L40",  "RTX 4090", "RTX 5090", "A10"};
    for (const char* card : cards) {
        if (device.find(card) != std::string_view::npos) {
            return "NVIDIA_" + replaceAll(card, " ", "_");
        }
    }
    return {};
}

// As they stand in a Solution: "NVIDIA_H100".
Result<void> checkHardware(const std::string& name) {
    const bool isWord = !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    return isWord ? Result<void>()
                  : usageError(fmt::format("\"{}\" is no name of a card", abbreviated(name, 40)), "--hardware",
                               "Name one as FlashInfer-Bench does: NVIDIA_H100");
}

// An import puts '_' behind a name that a pack cannot have.
std::string withoutMarks(std::string name) {
    while (name.ends_with('_')) {
        name.pop_back();
    }
    return name;
}

// By their places, which is how a benchmark passes them; the names of a pack are in lower case.
Result<void> sameTensors(const OrderedJson& definition, const char* key, const ProblemPack& pack, TensorRole role,
                         const std::string& where) {
    const auto listed = definition.find(key);
    if (listed == definition.end() || !listed->is_object()) {
        return usageError(fmt::format("has no object \"{}\"", key), where);
    }
    auto at = listed->begin();
    for (const TensorSpec& tensor : pack.tensors) {
        if (tensor.role != role) {
            continue;
        }
        const std::string next = "Name the Definition of this problem";
        if (at == listed->end() || withoutMarks(lowered(at.key())) != withoutMarks(tensor.name) || !at->is_object()) {
            return usageError(fmt::format("does not have \"{}\" at its place in {}", tensor.name, key), where, next);
        }
        const auto dtype = at->find("dtype");
        const auto shape = at->find("shape");
        const std::string wanted = definitionTypeName(tensor.type);
        if (dtype == at->end() || !dtype->is_string() || dtype->get<std::string>() != wanted || shape == at->end() ||
            !shape->is_array() || shape->size() != tensor.extents.size()) {
            return usageError(fmt::format("has another type or rank of \"{}\" than {} with {} extents", tensor.name,
                                          wanted, tensor.extents.size()),
                              where, next);
        }
        ++at;
    }
    return at == listed->end()
               ? Result<void>()
               : usageError(fmt::format("has further {}", key), where, "Name the Definition of this problem");
}

Result<std::string> definitionName(const ProblemPack& pack, const std::filesystem::path& given) {
    std::error_code ignored;
    const std::filesystem::path file = given.empty() ? pack.folder / definitionFile : given;
    if (given.empty() && !std::filesystem::exists(file, ignored)) {
        return usageError(fmt::format("the problem {} comes from no Definition of FlashInfer-Bench", pack.name),
                          "export", "Name one that asks for the same: --definition FILE.json");
    }
    GKS_TRY_ASSIGN(const std::string text, readFile(file, definitionLimitBytes));
    GKS_TRY(parseJson(text, file.string())); // refuses what is not JSON, or too deep
    const OrderedJson definition = OrderedJson::parse(text, nullptr, false);
    const auto name = definition.is_object() ? definition.find("name") : definition.end();
    if (!definition.is_object() || name == definition.end() || !name->is_string() || name->get<std::string>().empty() ||
        name->get<std::string>().size() > definitionNameBytes) {
        return usageError("is no Definition: it has no \"name\"", file.string());
    }
    GKS_TRY(sameTensors(definition, "inputs", pack, TensorRole::input, file.string()));
    GKS_TRY(sameTensors(definition, "outputs", pack, TensorRole::output, file.string()));
    return name->get<std::string>();
}

} // namespace

std::string definitionTypeName(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
        return "float8_e4m3fn";
    case ElementType::fp8E5m2:
        return "float8_e5m2";
    case ElementType::f16:
        return "float16";
    case ElementType::bf16:
        return "bfloat16";
    case ElementType::f32:
        return "float32";
    case ElementType::i8:
        return "int8";
    case ElementType::i32:
        return "int32";
    case ElementType::i64:
        return "int64";
    case ElementType::f64:
    case ElementType::u32:
        break;
    }
    return {};
}

Result<BundleFiles> solutionFiles(const ExportedKernel& kernel, const CInterfaceOptions& options,
                                  const std::filesystem::path& definition, const std::string& meantFor) {
    const std::string measured = kernel.target == TargetKind::nvidia ? hardwareName(kernel.device) : std::string();
    const std::string hardware = meantFor.empty() ? measured : meantFor;
    if (hardware.empty()) {
        return usageError(fmt::format("a Solution names the NVIDIA card that it is for, and this kernel was measured "
                                      "on the target {} ({})",
                                      name(kernel.target), kernel.device),
                          "export",
                          "Name the card that you mean: --hardware NVIDIA_H100; the Solution then says what "
                          "measured it");
    }
    GKS_TRY(checkHardware(hardware));
    const std::string caution =
        hardware == measured
            ? std::string()
            : fmt::format(" Measured on the target {} ({}), never on {}: the times are {}, and the choice by shape "
                          "follows them.",
                          name(kernel.target), sanitizedUtf8(kernel.device), hardware,
                          kernel.target == TargetKind::cpu ? "CPU timings, not GPU" : "those of another device");
    GKS_TRY_ASSIGN(const std::string solved, definitionName(kernel.pack, definition));
    CInterfaceOptions asCuda = options;
    asCuda.sourceSuffix = "cu";
    GKS_TRY_ASSIGN(BundleFiles sources, interfaceFiles(kernel, asCuda));
    GKS_TRY_ASSIGN(sources["binding.cpp"], torchBinding(kernel, BindingKind::benchmark));
    OrderedJson files = OrderedJson::array();
    for (const auto& [path, content] : sources) {
        files.push_back({{"path", path}, {"content", content}});
    }
    const OrderedJson solution = {{"name", fmt::format("{}_{}", kernel.name, lowered(hardware))},
                                  {"definition", solved},
                                  {"author", "gpu-kernel-scientist"},
                                  {"description", fmt::format("{}{} Evidence: SHA-256 {}", sanitizedUtf8(kernel.claim),
                                                              caution, kernel.evidenceSha256)},
                                  {"spec",
                                   {{"language", "cuda"},
                                    {"target_hardware", {hardware}},
                                    {"entry_point", "binding.cpp::run"},
                                    {"destination_passing_style", true},
                                    {"binding", "torch"},
                                    {"dependencies", OrderedJson::array()}}},
                                  {"sources", files}};
    return BundleFiles{{fmt::format("{}.json", kernel.name), dumped(solution)}};
}

} // namespace gks
