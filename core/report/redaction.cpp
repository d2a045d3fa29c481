// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/redaction.h"

#include "core/base/key_variable.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::size_t shortestSecretBytes = 8;
constexpr std::string_view redactedKey = "[key removed]";
constexpr std::string_view redactedFolder = "[folder]";

// Places that are alike on every machine.
constexpr std::array<std::string_view, 10> commonRoots = {"usr",  "opt", "lib", "lib64", "bin",
                                                          "sbin", "etc", "dev", "proc",  "sys"};

bool isWordByte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte == '-';
}

bool isNameByte(char c) {
    return isWordByte(c) || c == '.' || c == '+' || c == '@' || c == '~' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// Tokens as providers give them out.
bool looksLikeKey(std::string_view word, std::string_view before) {
    constexpr std::array<std::string_view, 7> beginnings = {"sk-", "AIza", "ghp_", "gsk_", "hf_", "xai-", "xoxb-"};
    return (word.size() >= 20 && std::any_of(beginnings.begin(), beginnings.end(),
                                             [&](std::string_view begin) { return word.starts_with(begin); })) ||
           (word.size() >= 16 && (before.ends_with("Bearer ") || before.ends_with("bearer ")));
}

std::string withoutKeyLikeWords(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        if (!isWordByte(text[at])) {
            result += text[at++];
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && (isWordByte(text[end]) || text[end] == '.')) {
            ++end;
        }
        const std::string_view word = text.substr(at, end - at);
        result += looksLikeKey(word, text.substr(0, at)) ? redactedKey : word;
        at = end;
    }
    return result;
}

// "https://user:password@host" without what stands before the host.
std::string withoutUserInfo(std::string text) {
    for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
        const std::size_t end = text.find_first_of("/ \t\n\"'<>\\", at + 3);
        const std::size_t sign = text.find('@', at + 3);
        if (sign != std::string::npos && (end == std::string::npos || sign < end)) {
            text.replace(at + 3, sign - at - 3, redactedKey);
        }
    }
    return text;
}

bool beginsPath(std::string_view text, std::size_t slash) {
    if (slash + 1 >= text.size() || !isNameByte(text[slash + 1])) {
        return false;
    }
    if (slash == 0) {
        return true;
    }
    const char before = text[slash - 1];
    const bool option = slash >= 2 && text[slash - 2] == '-' && isWordByte(before); // -I/home/...
    return option || (!isNameByte(before) && before != '/' && before != ')' && before != ']' && before != '>');
}

// Absolute paths keep their last part, which says what the file is.
std::string withoutPaths(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '/' || !beginsPath(text, at)) {
            result += text[at++];
            continue;
        }
        std::size_t end = at;
        std::size_t last = at;
        int parts = 0;
        while (end + 1 < text.size() && text[end] == '/' && isNameByte(text[end + 1])) {
            last = end++;
            ++parts;
            while (end < text.size() && isNameByte(text[end])) {
                ++end;
            }
        }
        const std::string_view path = text.substr(at, end - at);
        const std::string_view root = path.substr(1, path.find('/', 1) - 1);
        const bool common = std::find(commonRoots.begin(), commonRoots.end(), root) != commonRoots.end();
        result +=
            parts < 2 || common ? std::string(path) : std::string(redactedFolder).append(text.substr(last, end - last));
        at = end;
    }
    return result;
}

void keepDistinct(std::vector<std::string>& values, std::size_t shortest) {
    std::erase_if(values, [&](const std::string& value) { return value.size() < shortest; });
    std::sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
        return std::pair(b.size(), a) < std::pair(a.size(), b);
    });
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace

Redaction Redaction::forThisMachine(const std::vector<std::string>& keyVariables) {
    Redaction redaction;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        const std::string_view variable = text.substr(0, equals);
        if (equals != std::string_view::npos &&
            (isNamedLikeKey(variable) ||
             std::find(keyVariables.begin(), keyVariables.end(), variable) != keyVariables.end())) {
            redaction.m_secrets.emplace_back(text.substr(equals + 1));
        }
    }
    keepDistinct(redaction.m_secrets, shortestSecretBytes);
    // Paths with spaces in them are found by their beginning only.
    std::error_code ignored;
    for (const auto& folder : {executableFolder(), resourceFolder(), cacheFolder(), dataFolder(), configFolder(),
                               std::filesystem::current_path(ignored)}) {
        redaction.m_folders.push_back(folder.string());
    }
    if (const char* home = std::getenv("HOME"); home != nullptr) {
        redaction.m_folders.emplace_back(home);
    }
    std::erase_if(redaction.m_folders, [](const std::string& folder) { return folder.starts_with("/usr"); });
    keepDistinct(redaction.m_folders, 4);
    return redaction;
}

std::string Redaction::text(std::string_view original) const {
    std::string text = sanitizedUtf8(original);
    for (const std::string& secret : m_secrets) {
        text = replaceAll(std::move(text), secret, redactedKey);
    }
    text = withoutUserInfo(withoutKeyLikeWords(text));
    for (const std::string& folder : m_folders) {
        text = replaceAll(std::move(text), folder, redactedFolder);
    }
    return withoutPaths(text);
}

OrderedJson Redaction::json(OrderedJson json) const {
    if (json.is_string()) {
        return text(json.get_ref<const std::string&>());
    }
    if (json.is_structured()) {
        for (auto& element : json) {
            element = this->json(std::move(element));
        }
    }
    return json;
}

bool Redaction::holdsSecret(std::string_view text) const {
    return std::any_of(m_secrets.begin(), m_secrets.end(),
                       [&](const std::string& secret) { return text.find(secret) != std::string_view::npos; });
}

} // namespace gks
