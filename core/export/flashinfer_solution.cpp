// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/flashinfer_solution.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/export/solved_definition.h"
#include "core/export/torch_files.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

// Maker, slot and memory. Any other word makes it another card: "RTX 4090 Laptop GPU", "RTX 4090 D".
bool isBesideTheCard(std::string_view word) {
    static constexpr auto known = std::to_array<std::string_view>(
        {"NVIDIA", "GeForce", "Tesla", "PCIe", "PCIE", "NVL", "HBM2", "HBM2e", "HBM3", "HBM3e"});
    const auto isDigits = [](std::string_view text) {
        return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return std::ranges::find(known, word) != known.end() ||
           (word.ends_with("GB") && isDigits(word.substr(0, word.size() - 2))) ||
           (word.starts_with("SXM") && isDigits(word.substr(3)));
}

// As the benchmark names cards; empty: none that it knows.
std::string hardwareName(std::string_view device) {
    static constexpr auto cards = std::to_array<std::string_view>(
        {"A100", "H100", "H200", "H20", "B200", "B300", "L40S", "L40", "RTX_4090", "RTX_5090", "A10"});
    std::vector<std::string> ofCard;
    const std::string spaced = replaceAll(std::string(device), "-", " ");
    for (const std::string_view word : words(spaced)) {
        if (!isBesideTheCard(word)) {
            ofCard.emplace_back(word);
        }
    }
    const std::string card = join(ofCard, "_");
    return std::ranges::find(cards, card) == cards.end() ? std::string() : "NVIDIA_" + card;
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

} // namespace

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
    GKS_TRY_ASSIGN(const SolvedDefinition solved, solvedDefinition(kernel.pack, definition));
    const std::string open = solved.isCompared
                                 ? std::string()
                                 : " Nobody has compared the reference of this Definition with that of the problem "
                                   "which the kernel was judged by.";
    CInterfaceOptions asCuda = options;
    asCuda.sourceSuffix = "cu";
    GKS_TRY_ASSIGN(BundleFiles sources, interfaceFiles(kernel, asCuda));
    GKS_TRY_ASSIGN(sources["binding.cpp"], torchBinding(kernel, BindingKind::benchmark));
    OrderedJson files = OrderedJson::array();
    for (const auto& [path, content] : sources) {
        files.push_back({{"path", path}, {"content", content}});
    }
    const OrderedJson solution = {
        {"name", fmt::format("{}_{}", kernel.name, lowered(hardware))},
        {"definition", solved.name},
        {"author", "gpu-kernel-scientist"},
        {"description",
         fmt::format("{}{}{} Evidence: SHA-256 {}", sanitizedUtf8(kernel.claim), caution, open, kernel.evidenceSha256)},
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
