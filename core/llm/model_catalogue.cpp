// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/model_catalogue.h"

#include "core/base/files.h"
#include "core/base/locations.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <toml++/toml.h>

namespace gks {
namespace {

constexpr std::size_t shortestDate = 3; // digits: "gemini-2.5-pro-001"; "claude-opus-5-5" is another model

// "gpt-4o-2024-08-06" is "gpt-4o".
bool isDated(const std::string& model, const std::string& name) {
    const std::size_t start = name.size() + 1;
    return model.size() >= start + shortestDate && model.starts_with(name) && model[start - 1] == '-' &&
           std::all_of(model.begin() + static_cast<std::ptrdiff_t>(start),
                       model.begin() + static_cast<std::ptrdiff_t>(start + shortestDate),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

Result<void> readOutput(const toml::table& model, const std::string& where, ModelFacts& facts) {
    constexpr std::int64_t most = 10'000'000;
    const auto limit = model["output_limit"].value<std::int64_t>();
    if (model.contains("output_limit") && (!limit || *limit <= 0 || *limit > most)) {
        return usageError("output_limit is a whole number of tokens above 0", where);
    }
    const auto reasoning = model["reasoning_tokens"].value<std::int64_t>();
    if (model.contains("reasoning_tokens") && (!reasoning || *reasoning < 0 || *reasoning > most)) {
        return usageError("reasoning_tokens is a whole number of tokens, 0 or more", where);
    }
    const std::string field = model["output_field"].value_or(std::string());
    if (model.contains("output_field") && field != "max_tokens" && field != "max_completion_tokens") {
        return usageError("output_field is max_tokens or max_completion_tokens", where);
    }
    facts.outputTokens = static_cast<int>(limit.value_or(0));
    facts.reasoningTokens = reasoning ? std::optional(static_cast<int>(*reasoning)) : std::nullopt;
    facts.outputField = field;
    facts.thinking = model["thinking"].value_or(std::string());
    if (model.contains("thinking") && facts.thinking != "budget" && facts.thinking != "adaptive" &&
        facts.thinking != "level") {
        return usageError("thinking is budget, adaptive or level", where);
    }
    return {};
}

Result<ModelFacts> factsFrom(const toml::table& model, const std::string& where) {
    const auto name = model["name"].value<std::string>();
    const auto input = model["input"].value<double>();
    const auto output = model["output"].value<double>();
    const bool isPriced = model.contains("input") || model.contains("output");
    if (!name || name->empty() || (isPriced && (!input || !output || !(*input >= 0) || !(*output >= 0)))) {
        return usageError("a model needs a name, and input and output prices (USD per million tokens) together", where);
    }
    static const std::set<std::string_view> known = {"name",         "input",     "output",       "context",
                                                     "structured",   "reasoning", "output_limit", "reasoning_tokens",
                                                     "output_field", "thinking",  "seen",         "source"};
    for (const auto& [key, value] : model) {
        if (!known.contains(key.str())) {
            return usageError(fmt::format("unknown key '{}'", key.str()), where,
                              "Known are name, input, output, context, structured, reasoning, output_limit, "
                              "reasoning_tokens, output_field, thinking, seen and source");
        }
    }
    for (const char* const key : {"structured", "reasoning"}) {
        if (model.contains(key) && !model[key].is_boolean()) {
            return usageError(fmt::format("{} is true or false", key), where);
        }
    }
    if (model.contains("source") && !model["source"].is_string()) {
        return usageError("source is a text", where);
    }
    ModelFacts facts;
    facts.isPriced = isPriced;
    facts.inputUsd = input.value_or(0);
    facts.outputUsd = output.value_or(0);
    facts.structured = model["structured"].value<bool>();
    facts.reasoning = model["reasoning"].value<bool>();
    facts.source = model["source"].value_or(std::string());
    facts.contextTokens = model["context"].value_or(std::int64_t{0});
    if (model.contains("context") && facts.contextTokens <= 0) {
        return usageError("context is a whole number of tokens above 0", where);
    }
    GKS_TRY(readOutput(model, where, facts));
    if (const toml::date* seen = model["seen"].as_date() ? &model["seen"].as_date()->get() : nullptr) {
        facts.seen = fmt::format("{:04}-{:02}-{:02}", seen->year, seen->month, seen->day);
    } else if (model.contains("seen")) {
        return usageError("seen is a date, like 2026-11-05", where);
    }
    return facts;
}

} // namespace

Result<ModelCatalogue> ModelCatalogue::load() {
    ModelCatalogue catalogue;
    GKS_TRY(catalogue.read(resourceFolder() / "models.toml"));
    std::error_code ignored;
    if (const auto own = configFolder() / "models.toml"; std::filesystem::exists(own, ignored)) {
        GKS_TRY(catalogue.read(own));
    }
    return catalogue;
}

Result<void> ModelCatalogue::read(const std::filesystem::path& file) {
    GKS_TRY_ASSIGN(const std::string text, readFile(file));
    return readText(text, file.string());
}

Result<void> ModelCatalogue::readText(std::string_view text, const std::string& where) {
    toml::table table;
    try {
        table = toml::parse(text, where);
    } catch (const toml::parse_error& error) {
        return usageError(fmt::format("not valid TOML ({})", error.description()),
                          fmt::format("{}:{}", where, error.source().begin.line), "Fix the file or remove it");
    }
    const toml::array* models = table["model"].as_array();
    if (models == nullptr) {
        return usageError("no [[model]] found", where, "Add name, input and output of each model");
    }
    for (const toml::node& node : *models) {
        const auto line = fmt::format("{}:{}", where, node.source().begin.line);
        const toml::table* model = node.as_table();
        if (model == nullptr) {
            return usageError("a model is a table", line, "Write [[model]] above it");
        }
        GKS_TRY_ASSIGN(ModelFacts facts, factsFrom(*model, line));
        m_models[(*model)["name"].value_or(std::string())] = std::move(facts);
    }
    return {};
}

const ModelFacts* ModelCatalogue::facts(const std::string& model) const {
    const std::string plain = model.substr(model.rfind('/') + 1); // npos + 1 is 0
    const ModelFacts* found = nullptr;
    std::size_t length = 0;
    for (const auto& [name, candidate] : m_models) {
        if ((plain == name || isDated(plain, name)) && name.size() >= length) {
            found = &candidate;
            length = name.size();
        }
    }
    return found;
}

void prepare(ChatRequest& request, const ModelFacts* facts) {
    request.reasoningTokens = usualReasoningTokens;
    if (facts == nullptr) {
        return;
    }
    request.outputField = facts->outputField;
    request.thinking = facts->thinking;
    int room = facts->reasoningTokens.value_or(facts->reasoning.value_or(true) ? usualReasoningTokens : 0);
    if (facts->outputTokens > 0) {
        request.maxOutputTokens = std::min(request.maxOutputTokens, facts->outputTokens);
        room = std::min(room, facts->outputTokens - request.maxOutputTokens);
    }
    request.reasoningTokens = room;
}

std::optional<double> ModelCatalogue::usd(const std::string& model, std::int64_t tokensIn,
                                          std::int64_t tokensOut) const {
    const ModelFacts* known = facts(model);
    if (known == nullptr || !known->isPriced) {
        return {};
    }
    return (static_cast<double>(tokensIn) * known->inputUsd + static_cast<double>(tokensOut) * known->outputUsd) / 1e6;
}

} // namespace gks
