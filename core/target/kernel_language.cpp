// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/kernel_language.h"

#include "core/base/version_order.h"

#include <algorithm>

namespace gks {

std::string usualLanguageOfCuda(std::string_view version) {
    return versionBefore(version, "12") ? "-std=c++17" : usualLanguageOption;
}

bool namesLanguage(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(),
                       [](const std::string& word) { return word.starts_with("-std="); });
}

std::vector<std::string> withProblemsLanguage(const std::string& language, std::vector<std::string> options) {
    if (!language.empty() && !namesLanguage(options)) {
        options.insert(options.begin(), "-std=" + language);
    }
    return options;
}

} // namespace gks
