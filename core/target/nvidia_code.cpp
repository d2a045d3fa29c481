// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/nvidia_code.h"

#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/target/kernel_name.h"
#include "core/target/nvidia_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>

// SASS: a function begins with ".text.<symbol>:", and before the instructions of a line stands
//     \t//## File "/tmp/build/kernel.hip", line 7
//             /*0090*/              @!P0 LDC.64 R2, c[0x0][0x218] ;
// with ".L_x_0:" where "BRA `(.L_x_0)" leads. PTX: ".entry <symbol>(", and before the instructions of a line
//     \t.loc\t1 7 5
// with file 1 in a line ".file\t1 "/tmp/build/kernel.hip"" at its end.
namespace gks {
namespace {

constexpr std::size_t nvidiaFunctionLimit = 256;
constexpr std::size_t nvidiaInstructionLimit = 100'000;
constexpr std::size_t nvidiaTextLimitBytes = 200;
constexpr std::size_t pendingLimitBytes = 1 << 16;
constexpr std::size_t labelLimit = 100'000;
constexpr int lineLimit = 1 << 20;

// Columns are made by tabs and blanks: one blank is enough beside a source.
std::string shownNvidia(std::string_view given) {
    std::string text;
    for (const char c : given.substr(0, 4 * nvidiaTextLimitBytes)) {
        const bool isBlank = c == ' ' || c == '\t';
        if (!isBlank || (!text.empty() && text.back() != ' ')) {
            text += isBlank ? ' ' : c;
        }
    }
    return terminalLine(abbreviated(sanitizedUtf8(trimmed(text)), nvidiaTextLimitBytes));
}

template<class Number>
std::optional<Number> numberAt(std::string_view text, int base = 10) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

// What both kinds of text are put into.
class NvidiaReader {
public:
    NvidiaReader(MachineCode& code, std::string_view sourceFile) : m_code(code), m_sourceFile(sourceFile) {}

protected:
    void begin(std::string_view symbol) {
        m_isFull = m_isFull || m_code.functions.size() == nvidiaFunctionLimit;
        if (m_isFull) {
            m_code.isCut = true;
            return;
        }
        m_code.functions.push_back({kernelName(std::string(symbol)), {}});
        m_line = 0;
        m_header.clear();
    }

    void setPlace(std::string_view path, int line) {
        const std::string_view file = path.substr(path.rfind('/') + 1);
        const bool isOwn = file == m_sourceFile;
        m_line = isOwn && line <= lineLimit ? line : 0;
        m_header = isOwn || line == 0 ? std::string() : fmt::format("{}:{}", shownNvidia(file), line);
    }

    void add(std::string_view text, InstructionCost cost, std::uint64_t offset) {
        if (m_code.functions.empty()) {
            return;
        }
        if (m_isFull || m_total == nvidiaInstructionLimit) {
            m_code.isCut = true;
            return;
        }
        ++m_total;
        m_code.functions.back().instructions.push_back({shownNvidia(text), cost, offset, m_line, m_header});
    }

    MachineCode& m_code; // NOLINT(*-ref-data-members): a reader lives as long as the call

private:
    std::string_view m_sourceFile;
    int m_line = 0;
    std::string m_header;
    std::size_t m_total = 0;
    bool m_isFull = false;
};

class SassReader : NvidiaReader {
public:
    using NvidiaReader::NvidiaReader;

    void read(std::string_view line) {
        constexpr std::string_view section = ".text.";
        constexpr std::string_view place = "//## File \"";
        const std::string_view text = trimmed(line);
        if (line.starts_with(section) && line.ends_with(':')) {
            end();
            begin(line.substr(section.size(), line.size() - section.size() - 1));
        } else if (text.starts_with(place)) {
            const std::size_t quote = text.find("\", line ", place.size());
            if (quote != std::string_view::npos) {
                setPlace(text.substr(place.size(), quote - place.size()),
                         numberAt<int>(text.substr(quote + 8)).value_or(0));
            }
        } else if (line.starts_with(".L") && line.ends_with(':') && m_labels.size() < labelLimit) {
            m_waiting.emplace_back(line.substr(0, line.size() - 1));
        } else if (text.starts_with("/*")) {
            addInstruction(text);
        }
    }

    // A function is padded behind its end, by a branch to itself and by instructions that do nothing.
    void end() {
        if (m_code.functions.empty()) {
            return;
        }
        auto& all = m_code.functions.back().instructions;
        for (MachineInstruction& one : all) {
            one.text = withTarget(one.text);
        }
        while (!all.empty() && all.back().text == "NOP") {
            all.pop_back();
        }
        if (!all.empty() && all.back().text == fmt::format("BRA <+{:#x}>", all.back().offset)) {
            all.pop_back();
        }
        m_labels.clear();
        m_waiting.clear();
    }

private:
    void addInstruction(std::string_view text) {
        const std::size_t close = text.find("*/");
        const auto offset = numberAt<std::uint64_t>(text.substr(2), 16);
        if (close == std::string_view::npos || !offset) {
            return;
        }
        std::string_view instruction = text.substr(close + 2);
        instruction = trimmed(instruction.substr(0, instruction.rfind(';')));
        for (std::string& label : m_waiting) {
            m_labels[std::move(label)] = *offset;
        }
        m_waiting.clear();
        if (!instruction.empty()) {
            add(instruction, costOfSass(instruction), *offset);
        }
    }

    std::string withTarget(const std::string& text) const {
        const std::size_t open = text.find("`(");
        const std::size_t close = text.find(')', open);
        const auto known = open == std::string::npos || close == std::string::npos
                               ? m_labels.end()
                               : m_labels.find(text.substr(open + 2, close - open - 2));
        return known == m_labels.end() ? text : fmt::format("{}<+{:#x}>", text.substr(0, open), known->second);
    }

    std::map<std::string, std::uint64_t, std::less<>> m_labels;
    std::vector<std::string> m_waiting; // for the offset of the next instruction
};

class PtxReader : NvidiaReader {
public:
    using NvidiaReader::NvidiaReader;

    // Files are named behind the code that is of them.
    void readFileLine(std::string_view line) {
        const std::string_view text = trimmed(line);
        const std::size_t open = text.find('"');
        const std::size_t close = text.rfind('"');
        if (text.starts_with(".file") && open != close && m_files.size() < labelLimit) {
            if (const auto number = numberAt<int>(trimmed(text.substr(5)))) {
                m_files[*number] = std::string(text.substr(open + 1, close - open - 1));
            }
        }
    }

    void read(std::string_view line) {
        const std::string_view text = trimmed(line);
        if (const std::string_view symbol = symbolIn(text); !symbol.empty()) {
            begin(symbol);
            m_number = 0;
            m_pending.clear();
        } else if (text.starts_with(".loc")) {
            setLocation(trimmed(text.substr(4)));
        } else {
            addStatements(text);
        }
    }

private:
    // ".visible .entry _Z5scalePf(", ".func  (.param .b32 func_retval0) _Z3addf("
    static std::string_view symbolIn(std::string_view text) {
        for (const std::string_view kind : {".entry ", ".func "}) {
            if (const std::size_t at = text.find(kind); at != std::string_view::npos && text.starts_with('.')) {
                std::string_view rest = trimmed(text.substr(at + kind.size()));
                if (rest.starts_with('(')) {
                    rest = trimmed(rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1));
                }
                return firstWord(rest, "( \t");
            }
        }
        return {};
    }

    // A line may hold several, and one may go over several lines where a source has written it so.
    void addStatements(std::string_view text) {
        text = text.substr(0, text.find("//"));
        const bool begins = !text.empty() && text.front() != '.' && !text.ends_with(':');
        if (!begins || m_pending.size() > pendingLimitBytes) {
            return;
        }
        m_pending += text;
        m_pending += ' ';
        std::size_t end = 0;
        for (std::size_t semicolon = 0; (semicolon = m_pending.find(';', end)) != std::string::npos;) {
            std::string_view one = trimmed(std::string_view(m_pending).substr(end, semicolon - end));
            while (!one.empty() && std::string_view("{})").find(one.front()) != std::string_view::npos) { // of a block
                one = trimmed(one.substr(1));
            }
            if (!one.empty() && one.front() != '.') {
                add(one, costOfPtx(one), m_number++);
            }
            end = semicolon + 1;
        }
        m_pending.erase(0, end);
    }

    void setLocation(std::string_view words) {
        const auto file = m_files.find(numberAt<int>(words).value_or(0));
        const std::size_t space = words.find_first_of(" \t");
        const std::string_view rest =
            space == std::string_view::npos ? std::string_view() : trimmed(words.substr(space));
        setPlace(file == m_files.end() ? std::string_view() : file->second, numberAt<int>(rest).value_or(0));
    }

    std::map<int, std::string> m_files;
    std::uint64_t m_number = 0;
    std::string m_pending; // of a statement that has not ended
};

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '%';
}

} // namespace

Result<MachineCode> readSass(std::string_view disassembly, const std::string& architecture,
                             std::string_view sourceFile) {
    MachineCode code;
    code.architecture = architecture;
    SassReader reader(code, sourceFile);
    for (const std::string_view line : lines(disassembly)) {
        reader.read(line);
    }
    reader.end();
    return codeOfKernels(std::move(code), "disassembly");
}

Result<MachineCode> readPtx(std::string_view text, const std::string& architecture, std::string_view sourceFile) {
    MachineCode code;
    code.architecture = architecture;
    PtxReader reader(code, sourceFile);
    for (const std::string_view line : lines(text)) {
        reader.readFileLine(line);
    }
    for (const std::string_view line : lines(text)) {
        reader.read(line);
    }
    return codeOfKernels(std::move(code), "PTX");
}

std::string normalizedNvidiaInstruction(std::string_view text) {
    const std::string_view behind = withoutPredicate(text);
    const std::string_view mnemonic = firstWord(behind, " \t");
    const std::string_view base = firstWord(mnemonic, ".");
    if (base == "BRA" || base == "bra" || base == "BSSY" || base == "CALL") {
        return std::string(mnemonic);
    }
    // A name is followed by its number: "R12", "UR4", "P0", "%rd3".
    constexpr std::array files = {std::string_view("R"),  std::string_view("UR"), std::string_view("P"),
                                  std::string_view("UP"), std::string_view("B"),  std::string_view("SB")};
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isNameCharacter(text[end])) {
            ++end;
        }
        if (end == at) {
            out += text[at++];
            continue;
        }
        const std::string_view word = text.substr(at, end - at);
        const std::size_t digits = word.find_last_not_of("0123456789") + 1;
        const std::string_view file = word.substr(0, digits);
        const bool isRegister =
            digits < word.size() && (file.starts_with('%') || std::ranges::find(files, file) != files.end());
        out += isRegister ? file : word;
        at = end;
    }
    return out;
}

} // namespace gks
