// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/disassembly.h"

#include "core/base/text.h"
#include "core/target/multiply_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <optional>

// A function begins with "<symbol>:", an instruction is a tab, the mnemonic, operands, and a comment with its address
// and encoding:
//     \ts_load_dword s11, s[0:1], 0x2c    // 000000002300: C00202C0 0000002C
// Functions are padded with s_nop for the instruction fetcher, which is no part of the kernel; blocks may follow the
// first s_endpgm, so the end is the last instruction that is not padding.
namespace gks {
namespace {

constexpr std::size_t functionLimit = 4096;
constexpr std::size_t symbolLimitBytes = 4096;

struct Rule {
    std::string_view pattern;
    std::string_view className;
};
// The first pattern that is found anywhere decides, then the first prefix.
constexpr std::array anywhere = {Rule{"mfma", "mfma"}, Rule{"smfmac", "mfma"}, Rule{"accvgpr", "accvgpr"},
                                 Rule{"atomic", "atomic"}, Rule{"branch", "branch"}};
constexpr std::array prefixes = {Rule{"ds_", "lds"},
                                 Rule{"global_load", "vmem_load"},
                                 Rule{"flat_load", "vmem_load"},
                                 Rule{"buffer_load", "vmem_load"},
                                 Rule{"scratch_load", "scratch_load"},
                                 Rule{"scratch_store", "scratch_store"},
                                 Rule{"global_store", "vmem_store"},
                                 Rule{"flat_store", "vmem_store"},
                                 Rule{"buffer_store", "vmem_store"},
                                 Rule{"buffer_", "cache"},
                                 Rule{"global_", "cache"},
                                 Rule{"s_waitcnt", "waitcnt"},
                                 Rule{"s_barrier", "barrier"},
                                 Rule{"s_setpc", "branch"},
                                 Rule{"s_swappc", "branch"},
                                 Rule{"s_call", "branch"},
                                 Rule{"s_load", "smem"},
                                 Rule{"s_buffer_load", "smem"},
                                 Rule{"s_scratch_load", "smem"},
                                 Rule{"s_store", "smem"},
                                 Rule{"s_dcache", "cache"},
                                 Rule{"s_", "salu"},
                                 Rule{"v_", "valu"}};

bool isPadding(std::string_view mnemonic) {
    return mnemonic == "s_nop" || mnemonic == "s_code_end";
}

// The address behind "// ", and how many bytes of encoding follow it.
struct Encoding {
    std::uint64_t address = 0;
    std::uint64_t sizeBytes = 0;
};
std::optional<Encoding> encodingOf(std::string_view line) {
    const std::size_t comment = line.rfind("// ");
    if (comment == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view text = line.substr(comment + 3);
    const std::size_t colon = text.find(':');
    Encoding encoding;
    if (colon == std::string_view::npos ||
        std::from_chars(text.data(), text.data() + colon, encoding.address, 16).ptr != text.data() + colon) {
        return std::nullopt;
    }
    // Words of eight digits, then perhaps the target of a branch in angle brackets.
    for (std::size_t at = colon + 1; at + 9 <= text.size() && text[at] == ' '; at += 9) {
        const std::string_view word = text.substr(at + 1, 8);
        if (word.find_first_not_of("0123456789ABCDEF") != std::string_view::npos) {
            break;
        }
        encoding.sizeBytes += 4;
    }
    return encoding;
}

class FunctionReader {
public:
    void begin(FunctionCode& code) {
        m_code = &code;
        m_padding = 0;
        m_first = UINT64_MAX;
    }
    void add(std::string_view mnemonic, std::string_view line) {
        if (m_code == nullptr) {
            return;
        }
        if (isPadding(mnemonic)) {
            ++m_padding;
            return;
        }
        if (m_padding > 0) { // it was not padding: code goes on behind it
            m_code->instructions["salu"] += std::exchange(m_padding, 0);
        }
        ++m_code->instructions[std::string(instructionClass(mnemonic))];
        if (const auto type = multiplyType(mnemonic)) {
            ++m_code->multiplies[std::string(*type)];
        }
        if (const auto encoding = encodingOf(line)) {
            m_first = std::min(m_first, encoding->address);
            const std::uint64_t end = encoding->address + encoding->sizeBytes;
            m_code->codeBytes = static_cast<int>(std::min<std::uint64_t>(end - std::min(end, m_first), INT32_MAX));
        }
    }

private:
    FunctionCode* m_code = nullptr;
    int m_padding = 0;
    std::uint64_t m_first = UINT64_MAX; // address
};

} // namespace

std::string_view instructionClass(std::string_view mnemonic) {
    for (const Rule& rule : anywhere) {
        if (mnemonic.find(rule.pattern) != std::string_view::npos) {
            return rule.className;
        }
    }
    for (const Rule& rule : prefixes) {
        if (mnemonic.starts_with(rule.pattern)) {
            return rule.className;
        }
    }
    return "other";
}

Result<std::map<std::string, FunctionCode, std::less<>>> readDisassembly(std::string_view text) {
    std::map<std::string, FunctionCode, std::less<>> functions;
    FunctionReader reader;
    std::size_t number = 0;
    for (const std::string_view line : lines(text)) {
        ++number;
        if (line.starts_with('<') && line.ends_with(">:")) {
            const std::string_view symbol = line.substr(1, line.size() - 3);
            if (symbol.size() > symbolLimitBytes || functions.size() == functionLimit) {
                return infrastructureError("more or longer functions than a kernel has",
                                           fmt::format("disassembly:{}", number));
            }
            reader.begin(functions[std::string(symbol)]);
        } else if (line.starts_with('\t')) {
            const std::string_view instruction = trimmed(line);
            const std::string_view mnemonic = instruction.substr(0, instruction.find_first_of(" \t"));
            if (!mnemonic.empty() && mnemonic.front() != '.') { // "..." stands for zeros that were left out
                reader.add(mnemonic, line);
            }
        }
    }
    return functions;
}

} // namespace gks
