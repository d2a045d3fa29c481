// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/assembly/labels.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks::hipcpu {
namespace {

bool isDigit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool isOfLabel(char letter) {
    return isDigit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           letter == '.' || letter == '$';
}

bool isNumber(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

} // namespace

std::string_view AssemblyLabels::withoutLabels(std::string_view line, std::size_t next) {
    for (;;) {
        const auto end = static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), isOfLabel) - line.begin());
        if (end == 0 || end == line.size() || line[end] != ':') {
            return line;
        }
        const std::string label(line.substr(0, end));
        if (isNumber(label)) {
            m_numbers.push_back({label, next});
        } else if (!m_names.emplace(label, next).second && m_problem.empty()) {
            m_problem = fmt::format("the label {} stands twice", abbreviated(label, 60));
        }
        line = trimmed(line.substr(end + 1));
    }
}

std::string AssemblyLabels::withoutTarget(std::string_view instruction, std::size_t at) {
    const std::size_t end = std::min(instruction.find(' '), instruction.size());
    const std::string_view name = instruction.substr(0, end);
    const std::string_view label = trimmed(instruction.substr(end));
    const bool isJump = name == "s_branch" || name.starts_with("s_cbranch_");
    if (!isJump || label.empty() || !std::all_of(label.begin(), label.end(), isOfLabel) || isNumber(label) ||
        label.starts_with("0x")) {
        return std::string(instruction);
    }
    m_jumps.push_back({at, std::string(label)});
    return fmt::format("{} 0", name);
}

// "1f" is the next 1 behind the jump, "1b" the last one before it.
std::map<std::size_t, std::size_t> AssemblyLabels::targets() {
    std::map<std::size_t, std::size_t> found;
    for (const Jump& jump : m_jumps) {
        const std::string_view label = jump.label;
        const std::string_view digits = label.substr(0, label.size() - 1);
        const bool isBack = label.back() == 'b';
        if (isNumber(digits) && (isBack || label.back() == 'f')) {
            for (const Number& one : m_numbers) { // in the order of the text
                const bool isBefore = one.at <= jump.at;
                if (one.digits == digits && isBefore == isBack && (isBack || found.count(jump.at) == 0)) {
                    found[jump.at] = one.at;
                }
            }
        } else if (const auto name = m_names.find(jump.label); name != m_names.end()) {
            found[jump.at] = name->second;
        }
        if (found.count(jump.at) == 0 && m_problem.empty()) {
            m_problem = fmt::format("it jumps to {}, which is no label of it", abbreviated(label, 60));
        }
    }
    return found;
}

} // namespace gks::hipcpu
