// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/chat.h"

#include <algorithm>
#include <array>

namespace gks {

std::span<const ProviderFacts> knownProviders() {
    using enum ProviderKind;
    static constexpr std::array<ProviderFacts, 7> providers = {{
        {"openai", http, "OpenAI-compatible (OpenAI, vLLM, Ollama, ...)", "https://api.openai.com/v1",
         "OPENAI_API_KEY"},
        {"anthropic", http, "Anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"},
        {"gemini", http, "Gemini", "https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY"},
        {commandProviderName, command, "Command: a program on this machine answers", "", ""},
        {folderProviderName, folder, "Folder: requests and replies are files", "", ""},
        {manualProviderName, person, "Manual (copy the prompt, paste the reply)", "", ""},
        {replayProviderName, recording, "Recording", "", ""},
    }};
    return providers;
}

const ProviderFacts* providerFacts(std::string_view name) {
    const auto known = knownProviders();
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const ProviderFacts& one) { return one.name == name; });
    return found == known.end() ? nullptr : &*found;
}

bool isOfKind(std::string_view provider, ProviderKind kind) {
    const ProviderFacts* facts = providerFacts(provider);
    return facts != nullptr && facts->kind == kind;
}

} // namespace gks
