// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/llm/chat.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gks {

// What is known of one model. Prices in US dollars per million tokens, of the plain tier.
struct ModelFacts {
    double inputUsd = 0;
    double outputUsd = 0;
    std::int64_t contextTokens = 0;     // prompt and reply together; 0: not known
    std::optional<bool> structured;     // keeps to a JSON schema by itself; empty: not known
    std::optional<bool> reasoning;      // thinks before it answers; empty: not known
    int outputTokens = 0;               // the most that it puts out, thinking and reply together; 0: not known
    std::optional<int> reasoningTokens; // room for thinking that a reply needs beside itself; empty: the usual
    std::string outputField;            // in which chat completions limit both; empty: max_tokens
    std::string thinking;               // how it is asked for: "budget", "adaptive", "level"; empty: not known
    std::string seen;                   // when the prices were read, "2026-11-05"; empty: not said
    std::string source;                 // where they were read; empty: not said
    bool isPriced = true;               // false: only the tokens are counted, the prices are 0
};

// Generous where nothing is known: what is not thought is not billed, and a reply that is cut is billed for nothing.
inline constexpr int usualReasoningTokens = 32768;
// Fills in what the request needs to know of the model: room for thinking, the fields to use, and no more tokens than
// it can put out.
void prepare(ChatRequest& request, const ModelFacts* facts);

// What models cost and can do: resources/models.toml, overridden by models.toml in the configuration folder.
class ModelCatalogue {
public:
    static Result<ModelCatalogue> load();
    Result<void> read(const std::filesystem::path& file);
    // The same with the file's text; `where` is its name in errors.
    Result<void> readText(std::string_view text, const std::string& where);

    // Null when nothing is known of the model. A vendor in front ("openai/gpt-4o") and a date behind
    // ("gpt-4o-2024-08-06") are left out of the comparison.
    const ModelFacts* facts(const std::string& model) const;
    // None when the price of the model is not known.
    std::optional<double> usd(const std::string& model, std::int64_t tokensIn, std::int64_t tokensOut) const;
    const std::map<std::string, ModelFacts>& models() const { return m_models; }

private:
    std::map<std::string, ModelFacts> m_models;
};

} // namespace gks
