// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/model_stages.h"

#include "core/base/command_line.h"
#include "core/base/foreign_text.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/names.h"
#include "core/llm/chat.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t folderLimitBytes = 4096;
constexpr std::size_t addressLimitBytes = 2000;
constexpr std::size_t modelNameLimitBytes = 200;
constexpr std::size_t variableLimitBytes = 64; // keys are longer than names
constexpr std::size_t writerNameLimitBytes = 24;

bool isWriterSlot(std::string_view text) {
    if (!text.starts_with(writerSlotPrefix)) {
        return false;
    }
    const std::string_view name = text.substr(writerSlotPrefix.size());
    return !name.empty() && name != ownWriter && name.size() <= writerNameLimitBytes &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

} // namespace

std::string_view name(ModelStage stage) {
    switch (stage) {
    case ModelStage::selector:
        return "selector";
    case ModelStage::designer:
        return "designer";
    case ModelStage::writer:
        return "writer";
    case ModelStage::repair:
        return "repair";
    case ModelStage::checker:
        return "checker";
    case ModelStage::digest:
        return "digest";
    }
    return "";
}

Result<ModelStage> modelStageFromName(std::string_view text) {
    return enumFromName(text, modelStages, "stage");
}

const std::string& modelStageNames() {
    static const std::string names = [] {
        std::vector<std::string> all;
        for (const ModelStage stage : modelStages) {
            all.emplace_back(name(stage));
        }
        return join(all, "|");
    }();
    return names;
}

std::vector<std::string> modelSlots() {
    std::vector<std::string> slots = {std::string(defaultModel)};
    for (const ModelStage stage : modelStages) {
        slots.emplace_back(name(stage));
    }
    return slots;
}

Result<void> checkModelSlot(std::string_view text) {
    const std::vector<std::string> slots = modelSlots();
    return isWriterSlot(text) || std::find(slots.begin(), slots.end(), text) != slots.end()
               ? Result<void>()
               : usageError("unknown stage '" + std::string(text) + "'", {},
                            "Use one of " + join(slots, ", ") +
                                ", or writer/NAME for a further writer: small letters, digits and hyphens, at most " +
                                std::to_string(writerNameLimitBytes) + ", and not 'own'");
}

std::string writerSlot(std::string_view writer) {
    return writer.empty() ? std::string(name(ModelStage::writer)) : std::string(writerSlotPrefix) + std::string(writer);
}

std::vector<std::string> writersOf(const std::map<std::string, ModelChoice>& models) {
    std::vector<std::string> names;
    for (const auto& [slot, choice] : models) {
        if (isWriterSlot(slot) && names.size() < limits::writers) {
            names.push_back(slot.substr(writerSlotPrefix.size()));
        }
    }
    return names;
}

bool hasWriter(const std::map<std::string, ModelChoice>& models, std::string_view writer) {
    const std::vector<std::string> names = writersOf(models);
    return writer.empty() || std::find(names.begin(), names.end(), writer) != names.end();
}

const ModelChoice* modelOf(const std::map<std::string, ModelChoice>& models, ModelStage stage) {
    const ModelStage standIn = stage == ModelStage::repair    ? ModelStage::writer
                               : stage == ModelStage::checker ? ModelStage::selector
                                                              : stage;
    for (const std::string_view slot : {name(stage), name(standIn), defaultModel}) {
        if (const auto found = models.find(std::string(slot)); found != models.end()) {
            return &found->second;
        }
    }
    return nullptr;
}

const ModelChoice* writerModelOf(const std::map<std::string, ModelChoice>& models, ModelStage stage,
                                 std::string_view writer) {
    const auto own = models.find(writerSlot(writer));
    const bool isReplaced = stage == ModelStage::repair && models.contains(std::string(name(stage)));
    return own == models.end() || isReplaced ? modelOf(models, stage) : &own->second;
}

bool takesHint(ModelStage stage) {
    return stage != ModelStage::checker && stage != ModelStage::digest;
}

Result<void> checkLocalAddress(const ModelChoice& choice) {
    if (choice.provider == commandProviderName) {
        const auto words = commandWords(choice.baseUrl);
        return words ? Result<void>() : tl::unexpected(words.error());
    }
    if (choice.provider == folderProviderName &&
        (!choice.baseUrl.starts_with('/') || choice.baseUrl.size() > folderLimitBytes ||
         terminalLine(choice.baseUrl) != choice.baseUrl)) {
        return usageError(fmt::format("{} is not the full path of a folder", quotation(choice.baseUrl)), "folder",
                          "Give the full path");
    }
    return {};
}

Result<void> checkServerAddress(std::string_view address) {
    const bool isPlain = address.size() <= addressLimitBytes && terminalLine(address) == address &&
                         address.find_first_of("@?#") == std::string_view::npos;
    return isPlain ? Result<void>()
                   : usageError("not the plain address of a server", "base URL",
                                "Give it as http://host:port/v1 or https://host/v1, without user name, password and "
                                "key: the campaign file would keep them");
}

Result<void> checkModelName(std::string_view name) {
    return name.size() <= modelNameLimitBytes && terminalLine(name) == name
               ? Result<void>()
               : usageError("the name of a model is one line of at most 200 characters", "model");
}

Result<void> checkKeyVariable(std::string_view variable) {
    const bool isName = std::all_of(variable.begin(), variable.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    const bool beginsWell = variable.empty() || std::isdigit(static_cast<unsigned char>(variable.front())) == 0;
    return isName && beginsWell && variable.size() <= variableLimitBytes && !variable.starts_with("sk")
               ? Result<void>()
               : usageError("not the name of an environment variable", "key variable",
                            "Give the variable that holds the key, not the key");
}

} // namespace gks
