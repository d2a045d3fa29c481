// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/assembly/text.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

namespace gks::hipcpu {
namespace {

// At commas outside brackets.
std::vector<std::string_view> operandTexts(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char letter = i < text.size() ? text[i] : ',';
        depth += letter == '[' || letter == '(' ? 1 : letter == ']' || letter == ')' ? -1 : 0;
        if (letter == ',' && (depth == 0 || i == text.size())) {
            parts.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return parts;
}

// At blanks outside brackets.
std::vector<std::string_view> wordTexts(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char letter = i < text.size() ? text[i] : ' ';
        depth += letter == '[' || letter == '(' ? 1 : letter == ']' || letter == ')' ? -1 : 0;
        if (letter == ' ' && (depth == 0 || i == text.size())) {
            if (i > begin) {
                parts.push_back(text.substr(begin, i - begin));
            }
            begin = i + 1;
        }
    }
    return parts;
}

bool takeWrapped(std::string_view& text, std::string_view before, std::string_view behind) {
    if (text.size() <= before.size() + behind.size() || !text.starts_with(before) || !text.ends_with(behind)) {
        return false;
    }
    text.remove_prefix(before.size());
    text.remove_suffix(behind.size());
    return true;
}

struct NamedRegister {
    std::string_view name;
    unsigned first;
    unsigned count;
};
constexpr auto namedRegisters = std::to_array<NamedRegister>({{"vcc", scalarRegister::vcc, 2},
                                                              {"vcc_lo", scalarRegister::vcc, 1},
                                                              {"vcc_hi", scalarRegister::vcc + 1, 1},
                                                              {"exec", scalarRegister::exec, 2},
                                                              {"exec_lo", scalarRegister::exec, 1},
                                                              {"exec_hi", scalarRegister::exec + 1, 1},
                                                              {"m0", scalarRegister::m0, 1},
                                                              {"scc", scalarRegister::scc, 1},
                                                              {"src_scc", scalarRegister::scc, 1}});

bool readRegister(std::string_view text, AssemblyOperand& operand) {
    for (const NamedRegister& named : namedRegisters) {
        if (named.name == text) {
            operand.kind = AssemblyOperand::Kind::scalar;
            operand.first = named.first;
            operand.count = named.count;
            return true;
        }
    }
    const std::size_t kind = text.empty() ? std::string_view::npos : std::string_view("vas").find(text[0]);
    if (kind == std::string_view::npos) {
        return false;
    }
    std::string_view rest = text.substr(1);
    const bool isTuple = takeWrapped(rest, "[", "]");
    const std::size_t colon = isTuple ? rest.find(':') : std::string_view::npos;
    const auto first = integerOf(rest.substr(0, colon));
    const auto last = colon == std::string_view::npos ? first : integerOf(rest.substr(colon + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > 511) {
        return false;
    }
    operand.kind = static_cast<AssemblyOperand::Kind>(kind);
    operand.first = static_cast<unsigned>(*first);
    operand.count = static_cast<unsigned>(*last - *first + 1);
    return true;
}

AssemblyOperand operandOf(std::string_view text) {
    AssemblyOperand operand;
    operand.text = std::string(text);
    operand.isSigned = takeWrapped(text, "sext(", ")");
    if (takeWrapped(text, "neg(", ")")) {
        operand.isNegated = true;
    } else if (text.size() > 1 && text[0] == '-' && std::string_view("vas|").find(text[1]) != std::string_view::npos) {
        operand.isNegated = true;
        text.remove_prefix(1);
    }
    operand.isAbsolute = takeWrapped(text, "|", "|") || takeWrapped(text, "abs(", ")");
    if (readRegister(text, operand)) {
        return operand;
    }
    if (const auto integer = integerOf(text)) {
        operand.kind = AssemblyOperand::Kind::integer;
        operand.integer = *integer;
        operand.isLiteral = text.starts_with("0x");
        return operand;
    }
    const std::string copy(text);
    char* end = nullptr;
    const double number = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() && *end == '\0') {
        operand.kind = AssemblyOperand::Kind::number;
        operand.number = number;
    }
    return operand;
}

} // namespace

std::optional<std::int64_t> integerOf(std::string_view text) {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    const bool hexadecimal = text.starts_with("0x");
    text.remove_prefix(hexadecimal ? 2 : 0);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(negative ? 0 - number : number);
}

bool hasShortImmediate(std::string_view name) {
    static constexpr auto names =
        std::to_array<std::string_view>({"s_movk_i32", "s_addk_i32", "s_mulk_i32", "s_cmovk_i32"});
    return name.starts_with("s_cmpk_") || std::find(names.begin(), names.end(), name) != names.end();
}

bool AssemblyInstruction::has(std::string_view modifier) const {
    return std::any_of(modifiers.begin(), modifiers.end(), [&](const auto& one) { return one.first == modifier; });
}

std::string_view AssemblyInstruction::value(std::string_view modifier) const {
    for (const auto& one : modifiers) {
        if (one.first == modifier) {
            return one.second;
        }
    }
    return {};
}

bool AssemblyInstruction::bit(std::string_view modifier, unsigned i, bool otherwise) const {
    const std::string_view list = value(modifier); // "[0,1,1]"
    const std::size_t at = std::size_t{2} * i + 1;
    return at < list.size() ? list[at] == '1' : otherwise;
}

AssemblyInstruction instructionOfText(std::string_view printed, std::string_view opcode) {
    AssemblyInstruction instruction;
    instruction.opcode = std::string(opcode);
    printed = trimmed(printed);
    const std::size_t blank = printed.find(' ');
    std::string_view name = printed.substr(0, blank);
    for (const std::string_view suffix : {"_e32", "_e64", "_dpp", "_sdwa"}) {
        if (name.ends_with(suffix)) {
            name.remove_suffix(suffix.size());
            break;
        }
    }
    instruction.name = std::string(name);
    if (blank == std::string_view::npos) {
        return instruction;
    }
    for (const std::string_view part : operandTexts(printed.substr(blank + 1))) {
        const std::vector<std::string_view> all = wordTexts(part);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i == 0) {
                instruction.operands.push_back(operandOf(all[i]));
                continue;
            }
            const std::size_t colon = all[i].find(':');
            instruction.modifiers.emplace_back(
                all[i].substr(0, colon), colon == std::string_view::npos ? "" : std::string(all[i].substr(colon + 1)));
        }
    }
    return instruction;
}

} // namespace gks::hipcpu
