// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/chat.h"

#include <algorithm>
#include <array>

namespace gks {

std::span<const ProviderFacts> knownProviders() {
    static constexpr std::array<ProviderFacts, 5> providers = {{
        {"openai", "OpenAI and compatible (vLLM, Ollama, ...)", "https://api.openai.com/v1", "OPENAI_API_KEY"},
        {"anthropic", "Anthropic messages", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"},
        {"gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY"},
        {manualProviderName, "You: the prompt is shown, the reply pasted", "", ""},
        {replayProviderName, "A recording", "", ""},
    }};
    return providers;
}

const ProviderFacts* providerFacts(std::string_view name) {
    const auto known = knownProviders();
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const ProviderFacts& one) { return one.name == name; });
    return found == known.end() ? nullptr : &*found;
}

} // namespace gks
