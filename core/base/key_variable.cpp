// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/key_variable.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace gks {
namespace {

constexpr std::array<std::string_view, 4> wholeWords = {"pass", "pwd", "pat", "auth"};
constexpr std::array<std::string_view, 7> endings = {"key",    "token",      "secret",    "password",
                                                     "passwd", "passphrase", "credential"};

bool isSecretWord(std::string_view word) {
    while (!word.empty() && (word.back() == 's' || (word.back() >= '0' && word.back() <= '9'))) {
        if (std::find(wholeWords.begin(), wholeWords.end(), word) != wholeWords.end()) {
            return true; // "pass" ends with an s of its own
        }
        word.remove_suffix(1);
    }
    return std::find(wholeWords.begin(), wholeWords.end(), word) != wholeWords.end() ||
           std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return word.ends_with(ending); });
}

} // namespace

bool isNamedLikeKey(std::string_view variable) {
    if (variable == "PWD" || variable == "OLDPWD") {
        return false;
    }
    const auto parts = split(lowered(variable), '_');
    return std::any_of(parts.begin(), parts.end(), [](const std::string& word) { return isSecretWord(word); });
}

} // namespace gks
