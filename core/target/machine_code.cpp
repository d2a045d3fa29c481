// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/machine_code.h"

#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/target/disassembly.h"
#include "core/target/kernel_name.h"
#include "core/target/nvidia_code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

// A function begins with "<symbol>:". Then a line of the line table stands before the instructions that are of it:
//     ; scale(float*, float const*, int)():
//     ; /tmp/build/kernel.hip:7
//     \ts_load_dword s11, s[0:1], 0x2c    // 000000002300: C00202C0 0000002C
// and a branch has its target behind its encoding: "<_Z5scalePfPKfi+0x44>".
namespace gks {
namespace {

constexpr std::size_t machineFunctionLimit = 256;
constexpr std::size_t machineInstructionLimit = 100'000;
constexpr std::size_t machineLineLimitBytes = 200;
constexpr int sourceLineLimit = 1 << 20;

InstructionCost costOfClass(std::string_view className) {
    constexpr std::array<std::pair<std::string_view, InstructionCost>, 12> known = {
        {{"mfma", InstructionCost::matrix},
         {"vmem_load", InstructionCost::globalMemory},
         {"vmem_store", InstructionCost::globalMemory},
         {"atomic", InstructionCost::globalMemory},
         {"cache", InstructionCost::globalMemory},
         {"lds", InstructionCost::lds},
         {"scratch_load", InstructionCost::scratch},
         {"scratch_store", InstructionCost::scratch},
         {"smem", InstructionCost::scalarMemory},
         {"waitcnt", InstructionCost::wait},
         {"barrier", InstructionCost::barrier},
         {"branch", InstructionCost::branch}}};
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == className; });
    return found == known.end() ? InstructionCost::arithmetic : found->second;
}

std::string_view mnemonicOf(std::string_view instruction) {
    return instruction.substr(0, instruction.find_first_of(" \t"));
}

std::string shown(std::string_view text) {
    return terminalLine(abbreviated(sanitizedUtf8(trimmed(text)), machineLineLimitBytes));
}

// The source line that the next instructions are of.
struct SourcePlace {
    int line = 0;
    std::string header;
};
std::optional<SourcePlace> placeIn(std::string_view comment, std::string_view sourceFile) {
    const std::size_t colon = comment.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    // "; kernel.hip:7 (discriminator 2)"
    const std::string_view digits = comment.substr(colon + 1, comment.find(' ', colon) - colon - 1);
    int line = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
    if (error != std::errc() || end != digits.data() + digits.size() || line < 0 || line > sourceLineLimit) {
        return std::nullopt;
    }
    const std::string_view path = comment.substr(0, colon);
    const std::string_view file = path.substr(path.rfind('/') + 1);
    if (line == 0) { // code that is of no line
        return SourcePlace{};
    }
    return file == sourceFile ? SourcePlace{line, {}} : SourcePlace{0, fmt::format("{}:{}", shown(file), line)};
}

struct Words {
    std::string_view instruction; // mnemonic and operands
    std::optional<std::uint64_t> address;
    std::string_view target; // of a branch: "+0x44"
};
Words wordsOf(std::string_view line) {
    const std::size_t comment = line.rfind("// ");
    Words words{trimmed(line.substr(0, comment)), {}, {}};
    if (comment == std::string_view::npos) {
        return words;
    }
    const std::string_view rest = line.substr(comment + 3);
    const std::size_t colon = rest.find(':');
    std::uint64_t address = 0;
    if (colon != std::string_view::npos &&
        std::from_chars(rest.data(), rest.data() + colon, address, 16).ptr == rest.data() + colon) {
        words.address = address;
    }
    if (const std::size_t open = rest.find('<'); open != std::string_view::npos && rest.ends_with('>')) {
        const std::string_view named = rest.substr(open + 1, rest.size() - open - 2);
        const std::size_t plus = named.rfind('+');
        words.target = plus == std::string_view::npos ? std::string_view("+0x0") : named.substr(plus);
    }
    return words;
}

class ListingReader {
public:
    ListingReader(MachineCode& code, std::string_view sourceFile) : m_code(code), m_sourceFile(sourceFile) {}

    void read(std::string_view line) {
        if (line.starts_with('<') && line.ends_with(">:")) {
            begin(std::string(line.substr(1, line.size() - 3)));
        } else if (line.starts_with("; ")) {
            if (auto place = placeIn(line.substr(2), m_sourceFile)) {
                m_place = std::move(*place);
            }
        } else if (line.starts_with('\t') && !m_code.functions.empty()) {
            add(wordsOf(line));
        }
    }

    // Functions are padded for the instruction fetcher; that is no part of them.
    void end() {
        if (m_code.functions.empty()) {
            return;
        }
        auto& all = m_code.functions.back().instructions;
        while (!all.empty() && (all.back().text.starts_with("s_nop") || all.back().text.starts_with("s_code_end"))) {
            all.pop_back();
        }
    }

private:
    void begin(const std::string& symbol) {
        end();
        if (m_code.functions.size() == machineFunctionLimit) {
            m_code.isCut = true;
            m_isFull = true;
            return;
        }
        m_code.functions.push_back({kernelName(symbol), {}});
        m_place = {};
        m_first.reset();
    }

    void add(const Words& words) {
        const std::string_view mnemonic = mnemonicOf(words.instruction);
        if (mnemonic.empty() || mnemonic.front() == '.') { // "..." stands for zeros that were left out
            return;
        }
        if (m_isFull || m_total == machineInstructionLimit) {
            m_code.isCut = true;
            return;
        }
        ++m_total;
        MachineInstruction one;
        one.cost = costOfClass(instructionClass(mnemonic));
        one.text = one.cost == InstructionCost::branch && !words.target.empty()
                       ? fmt::format("{} <{}>", shown(mnemonic), shown(words.target))
                       : shown(words.instruction);
        if (words.address) {
            m_first = m_first.value_or(*words.address);
            one.offset = *words.address - std::min(*m_first, *words.address);
        }
        one.line = m_place.line;
        one.place = m_place.header;
        m_code.functions.back().instructions.push_back(std::move(one));
    }

    MachineCode& m_code;
    std::string_view m_sourceFile;
    SourcePlace m_place;
    std::optional<std::uint64_t> m_first; // address
    std::size_t m_total = 0;
    bool m_isFull = false;
};

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isDecimal(char c) {
    return c >= '0' && c <= '9';
}

// At `at` a register begins: its file, and behind it a number or a range. The text without the number, and where it
// ends; nothing where it is another word.
std::optional<std::pair<std::string, std::size_t>> registerAt(std::string_view text, std::size_t at) {
    const char file = text[at];
    if ((file != 'v' && file != 's' && file != 'a') || (at > 0 && isWordCharacter(text[at - 1]))) {
        return std::nullopt;
    }
    std::size_t end = at + 1;
    if (end < text.size() && text[end] == '[') {
        int first = 0;
        int last = 0;
        const char* stop = text.data() + text.size();
        const auto low = std::from_chars(text.data() + end + 1, stop, first);
        if (low.ec != std::errc() || low.ptr == stop || *low.ptr != ':') {
            return std::nullopt;
        }
        const auto high = std::from_chars(low.ptr + 1, stop, last);
        if (high.ec != std::errc() || high.ptr == stop || *high.ptr != ']' || last < first || last > 1024) {
            return std::nullopt;
        }
        return std::pair(fmt::format("{}[{}]", file, last - first + 1),
                         static_cast<std::size_t>(high.ptr + 1 - text.data()));
    }
    while (end < text.size() && isDecimal(text[end])) {
        ++end;
    }
    if (end == at + 1 || (end < text.size() && isWordCharacter(text[end]))) {
        return std::nullopt;
    }
    return std::pair(std::string(1, file), end);
}

} // namespace

std::string_view name(InstructionCost cost) {
    switch (cost) {
    case InstructionCost::arithmetic:
        return "arithmetic";
    case InstructionCost::matrix:
        return "matrix";
    case InstructionCost::globalMemory:
        return "global memory";
    case InstructionCost::lds:
        return "LDS";
    case InstructionCost::scratch:
        return "scratch";
    case InstructionCost::scalarMemory:
        return "scalar memory";
    case InstructionCost::wait:
        return "wait";
    case InstructionCost::barrier:
        return "barrier";
    case InstructionCost::branch:
        return "branch";
    }
    return "";
}

std::size_t MachineCode::instructionTotal() const {
    std::size_t total = 0;
    for (const MachineFunction& function : functions) {
        total += function.instructions.size();
    }
    return total;
}

Result<MachineCode> codeOfKernels(MachineCode code, std::string_view where) {
    if (code.instructionTotal() == 0) {
        return infrastructureError("there is no device code in it", std::string(where),
                                   "A kernel needs at least one __global__ function");
    }
    return code;
}

Result<MachineCode> readMachineCode(std::string_view disassembly, const std::string& architecture,
                                    std::string_view sourceFile) {
    MachineCode code;
    code.architecture = architecture;
    ListingReader reader(code, sourceFile);
    for (const std::string_view line : lines(disassembly)) {
        reader.read(line);
    }
    reader.end();
    return codeOfKernels(std::move(code), "disassembly");
}

std::map<InstructionCost, int> costsOf(const MachineCode& code) {
    std::map<InstructionCost, int> counts;
    for (const MachineFunction& function : code.functions) {
        for (const MachineInstruction& one : function.instructions) {
            ++counts[one.cost];
        }
    }
    return counts;
}

std::vector<const MachineInstruction*> instructionsOf(const MachineCode& code, int line) {
    std::vector<const MachineInstruction*> found;
    for (const MachineFunction& function : code.functions) {
        for (const MachineInstruction& one : function.instructions) {
            if (line > 0 && one.line == line) {
                found.push_back(&one);
            }
        }
    }
    return found;
}

std::string normalizedInstruction(std::string_view text) {
    const std::string_view mnemonic = mnemonicOf(text);
    if (instructionClass(mnemonic) == "branch") {
        return std::string(mnemonic);
    }
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (auto found = registerAt(text, at)) {
            out += found->first;
            at = found->second;
        } else {
            out += text[at++];
        }
    }
    return out;
}

std::string listingText(const MachineCode& code) {
    std::string text;
    for (const MachineFunction& function : code.functions) {
        text += fmt::format("{}\n", function.name);
        for (const MachineInstruction& one : function.instructions) {
            text += fmt::format("{:>6}  {:#07x}  {}{}\n", one.line > 0 ? std::to_string(one.line) : std::string(),
                                one.offset, one.text, one.place.empty() ? std::string() : "  ; " + one.place);
        }
    }
    return text;
}

std::string normalizedListing(const MachineCode& code) {
    const bool isNvidias = !code.architecture.starts_with("gfx");
    std::string text;
    for (const MachineFunction& function : code.functions) {
        text += function.name + "\n";
        for (const MachineInstruction& one : function.instructions) {
            text +=
                "    " + (isNvidias ? normalizedNvidiaInstruction(one.text) : normalizedInstruction(one.text)) + "\n";
        }
    }
    return text;
}

} // namespace gks
