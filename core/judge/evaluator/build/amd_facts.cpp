// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/judge/evaluator/build/elf_file.h"
#include "core/judge/evaluator/build/module_facts_reader.h"
#include "core/judge/plan/launch_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

// AMD's code object says what its kernels are in a note with a map in MessagePack: "User Guide for AMDGPU Backend",
// Code Object Metadata, versions 3 to 5. Symbols with a size that are no code are variables.
namespace gks {
namespace {

constexpr Elf64_Half amdMachine = 224;
constexpr std::uint32_t metadataNote = 32;
constexpr std::size_t amdSymbolLimit = 1 << 18;
constexpr std::size_t amdKernelLimit = 4096;
constexpr std::size_t amdNamesLimitBytes = std::size_t{16} << 20;
constexpr std::size_t metadataDepthLimit = 16;
constexpr std::uint32_t ldsOfComputeUnit = 65536;

struct NoteHeader {
    std::uint32_t nameBytes;
    std::uint32_t descriptionBytes;
    std::uint32_t type;
};

// The types of MessagePack that metadata uses, into JSON: no more depth than there is in it, no more entries than
// bytes.
class MetadataReader {
public:
    explicit MetadataReader(std::string_view bytes) : m_bytes(bytes) {}

    std::optional<Json> read() {
        Json json = value(0);
        return m_isBroken ? std::nullopt : std::optional(std::move(json));
    }

private:
    Json value(std::size_t depth) {
        const std::uint64_t type = number(1);
        if (m_isBroken || depth > metadataDepthLimit) {
            m_isBroken = true;
            return {};
        }
        if (type < 0x80) {
            return type;
        }
        if (type < 0x90) {
            return map(type & 0x0f, depth);
        }
        if (type < 0xa0) {
            return list(type & 0x0f, depth);
        }
        if (type < 0xc0) {
            return text(type & 0x1f);
        }
        switch (type) {
        case 0xc0:
            return {};
        case 0xc2:
        case 0xc3:
            return type == 0xc3;
        case 0xcc:
        case 0xcd:
        case 0xce:
        case 0xcf:
            return number(std::size_t{1} << (type - 0xcc));
        case 0xd9:
        case 0xda:
        case 0xdb:
            return text(number(std::size_t{1} << (type - 0xd9)));
        case 0xdc:
        case 0xdd:
            return list(number(std::size_t{2} << (type - 0xdc)), depth);
        case 0xde:
        case 0xdf:
            return map(number(std::size_t{2} << (type - 0xde)), depth);
        default: // negative and broken numbers, bytes and extensions have no place there
            m_isBroken = true;
            return {};
        }
    }

    std::uint64_t number(std::size_t bytes) {
        if (m_bytes.size() < bytes) {
            m_isBroken = true;
            return 0;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) { // the highest byte first
            value = value << 8 | static_cast<std::uint8_t>(m_bytes[i]);
        }
        m_bytes.remove_prefix(bytes);
        return value;
    }

    Json text(std::uint64_t bytes) {
        if (m_bytes.size() < bytes) {
            m_isBroken = true;
            return {};
        }
        std::string value(m_bytes.substr(0, bytes));
        m_bytes.remove_prefix(bytes);
        return value;
    }

    Json list(std::uint64_t count, std::size_t depth) {
        Json entries = Json::array();
        for (std::uint64_t i = 0; i < count && !m_isBroken; ++i) {
            entries.push_back(value(depth + 1));
        }
        return entries;
    }

    Json map(std::uint64_t count, std::size_t depth) {
        Json entries = Json::object();
        for (std::uint64_t i = 0; i < count && !m_isBroken; ++i) {
            const Json key = value(depth + 1);
            m_isBroken = m_isBroken || !key.is_string();
            if (!m_isBroken) {
                entries[key.get<std::string>()] = value(depth + 1);
            }
        }
        return entries;
    }

    std::string_view m_bytes;
    bool m_isBroken = false;
};

std::optional<std::uint32_t> fieldOf(const Json& json, const char* key, std::uint32_t most) {
    const auto found = json.find(key);
    const bool fits =
        found != json.end() && found->is_number_unsigned() && found->template get<std::uint64_t>() <= most;
    return fits ? std::optional(found->template get<std::uint32_t>()) : std::nullopt;
}

std::string textOf(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// What a hidden argument is for where it needs the host while the kernel runs.
std::string_view needOf(std::string_view kind) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> needs = {
        {{"hidden_hostcall_buffer", "printf or assert"},
         {"hidden_printf_buffer", "printf"},
         {"hidden_heap_v1", "malloc"}}};
    const auto found = std::find_if(needs.begin(), needs.end(), [&](const auto& need) { return need.first == kind; });
    return found != needs.end() ? found->second : std::string_view();
}

Result<KernelFacts> kernelIn(const ElfFile& elf, const Json& json) {
    constexpr std::uint32_t mostThreads = 1024;
    constexpr std::uint32_t mostRegisters = 1024;
    if (!json.is_object()) {
        return elf.broken("metadata of a kernel");
    }
    KernelFacts facts;
    facts.symbol = textOf(json, ".name");
    const auto block = fieldOf(json, ".max_flat_workgroup_size", mostThreads);
    const auto lds = fieldOf(json, ".group_segment_fixed_size", ldsOfComputeUnit);
    const auto registers = fieldOf(json, ".vgpr_count", mostRegisters);
    const auto args = json.find(".args");
    const bool hasArguments = args != json.end();
    if (facts.symbol.empty() || facts.symbol.size() > planSymbolLimitBytes || !block || !lds || !registers ||
        (hasArguments && !args->is_array())) {
        return elf.broken("metadata of a kernel");
    }
    facts.greatestBlock = *block;
    facts.staticLdsBytes = *lds;
    facts.mostDynamicLdsBytes = ldsOfComputeUnit - *lds;
    facts.registers = *registers;
    std::size_t bytes = 0;
    for (std::size_t i = 0; hasArguments && i < args->size(); ++i) {
        const Json& argument = (*args)[i];
        const std::string kind = argument.is_object() ? textOf(argument, ".value_kind") : std::string();
        const auto size =
            argument.is_object() ? fieldOf(argument, ".size", planArgumentLimitBytes) : std::optional<std::uint32_t>();
        if (kind.empty() || !size) {
            return elf.broken("metadata of an argument");
        }
        if (const std::string_view need = needOf(kind); !need.empty()) {
            return kernelError(fmt::format("device code calls {}, which needs the host while it runs", need), {},
                               "Leave the call out");
        }
        if (!kind.starts_with("hidden_")) { // those the runtime fills
            facts.argumentBytes.push_back(*size);
            bytes += *size;
        }
    }
    if (facts.argumentBytes.size() > planArgumentLimit || bytes > planArgumentLimitBytes) {
        return elf.broken("more arguments than a kernel has");
    }
    return facts;
}

// The map of the metadata; nothing when the note is not this one.
Result<std::optional<Json>> metadataIn(const ElfFile& elf, const Elf64_Shdr& section) {
    constexpr std::string_view owner{"AMDGPU\0", 7};
    const auto bytes = elf.bytesOf(section);
    if (!bytes) {
        return elf.broken("notes");
    }
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    for (std::string_view rest = *bytes; rest.size() >= sizeof(NoteHeader);) {
        NoteHeader note = {};
        std::memcpy(&note, rest.data(), sizeof note);
        rest.remove_prefix(sizeof note);
        const std::uint64_t nameBytes = padded(note.nameBytes);
        if (nameBytes > rest.size() || note.descriptionBytes > rest.size() - nameBytes) {
            return elf.broken("notes");
        }
        const std::string_view name = rest.substr(0, note.nameBytes);
        const std::string_view description = rest.substr(nameBytes, note.descriptionBytes);
        if (note.type == metadataNote && name == owner) {
            auto json = MetadataReader(description).read();
            if (!json || !json->is_object()) {
                return elf.broken("metadata");
            }
            return json;
        }
        rest.remove_prefix(std::min<std::uint64_t>(nameBytes + padded(note.descriptionBytes), rest.size()));
    }
    return std::nullopt;
}

Result<void> readVariables(const ElfFile& elf, const Elf64_Shdr& table, ModuleFacts& facts) {
    const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    if (count > amdSymbolLimit || table.sh_link >= elf.sections().size()) {
        return elf.broken("symbol table");
    }
    std::size_t bytes = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        Elf64_Sym symbol = {};
        if (!elf.read(table.sh_offset + i * sizeof symbol, symbol)) {
            return elf.broken("symbol table");
        }
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF ||
            symbol.st_shndx >= elf.sections().size()) {
            continue;
        }
        auto name = elf.text(elf.sections()[table.sh_link], symbol.st_name);
        bytes += name ? name->size() : 0;
        if (!name || bytes > amdNamesLimitBytes) {
            return elf.broken("names of symbols");
        }
        if (!name->ends_with(".kd")) { // descriptors of kernels
            const bool isWritable = (elf.sections()[symbol.st_shndx].sh_flags & SHF_WRITE) != 0;
            facts.variables.push_back({std::move(*name), symbol.st_size, !isWritable});
        }
    }
    return {};
}

} // namespace

Result<ModuleFacts> factsOfAmdCode(std::string_view bytes) {
    GKS_TRY_ASSIGN(const ElfFile elf, ElfFile::open(bytes, "the device code"));
    if (elf.header().e_machine != amdMachine) {
        return elf.broken("it is for another machine");
    }
    ModuleFacts facts;
    facts.code = DeviceCode::amd;
    std::optional<Json> metadata;
    bool hasSymbols = false;
    for (const Elf64_Shdr& section : elf.sections()) {
        if (section.sh_type == SHT_NOTE && !metadata) {
            GKS_TRY_ASSIGN(metadata, metadataIn(elf, section));
        }
        if (section.sh_type == SHT_DYNSYM) {
            if (hasSymbols) {
                return elf.broken("several tables of symbols");
            }
            hasSymbols = true;
            GKS_TRY(readVariables(elf, section, facts));
        }
    }
    if (!metadata) {
        return facts; // no kernels
    }
    const auto kernels = metadata->find("amdhsa.kernels");
    if (kernels == metadata->end()) {
        return facts;
    }
    if (!kernels->is_array() || kernels->size() > amdKernelLimit) {
        return elf.broken("metadata");
    }
    for (const Json& json : *kernels) {
        GKS_TRY_ASSIGN(KernelFacts kernel, kernelIn(elf, json));
        facts.kernels.push_back(std::move(kernel));
    }
    return facts;
}

} // namespace gks
