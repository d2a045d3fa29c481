// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/module_symbols.h"

#include "core/judge/evaluator/build/elf_file.h"

#include <algorithm>
#include <array>
#include <set>

namespace gks {
namespace {

constexpr std::size_t entryLimit = 1 << 20;

class NameReader {
public:
    NameReader(const ElfFile& elf, const Elf64_Shdr& strings, std::size_t& usedBytes)
        : m_elf(elf), m_strings(strings), m_usedBytes(usedBytes) {}

    // Appends the name at `at`; `what` says whose it is.
    Result<void> read(std::uint64_t at, std::string_view what, std::vector<std::string>& into) {
        auto name = m_elf.text(m_strings, at);
        if (!name) {
            return m_elf.broken(what);
        }
        m_usedBytes += name->size() + 1;
        if (m_usedBytes > moduleNamesLimitBytes) {
            return m_elf.broken("too many symbols");
        }
        into.push_back(std::move(*name));
        return {};
    }

private:
    const ElfFile& m_elf;
    const Elf64_Shdr& m_strings;
    std::size_t& m_usedBytes;
};

Result<void> readSymbols(const ElfFile& elf, const Elf64_Shdr& table, NameReader names, ModuleSymbols& into) {
    const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    if (count > entryLimit) {
        return elf.broken("too many symbols");
    }
    for (std::uint64_t i = 1; i < count; ++i) {
        Elf64_Sym symbol = {};
        if (!elf.read(table.sh_offset + i * sizeof symbol, symbol)) {
            return elf.broken("symbol table");
        }
        auto& list = symbol.st_shndx == SHN_UNDEF ? into.imported : into.exported;
        GKS_TRY(names.read(symbol.st_name, "symbol name", list));
    }
    return {};
}

Result<void> readNeeded(const ElfFile& elf, const Elf64_Shdr& table, NameReader names, ModuleSymbols& into) {
    const std::uint64_t count = std::min<std::uint64_t>(table.sh_size / sizeof(Elf64_Dyn), entryLimit);
    for (std::uint64_t i = 0; i < count; ++i) {
        Elf64_Dyn entry = {};
        if (!elf.read(table.sh_offset + i * sizeof entry, entry)) {
            return elf.broken("dynamic section");
        }
        if (entry.d_tag == DT_NULL) {
            break;
        }
        if (entry.d_tag == DT_NEEDED) {
            GKS_TRY(names.read(entry.d_un.d_val, "library name", into.libraries));
        }
        static constexpr std::array<Elf64_Sxword, 5> run = {DT_INIT, DT_INIT_ARRAY, DT_PREINIT_ARRAY, DT_FINI,
                                                            DT_FINI_ARRAY};
        into.runsWhenLoaded = into.runsWhenLoaded || std::find(run.begin(), run.end(), entry.d_tag) != run.end();
    }
    return {};
}

Result<void> readRelocations(const ElfFile& elf, const Elf64_Shdr& table, ModuleSymbols& into) {
    const std::uint64_t count = std::min<std::uint64_t>(table.sh_size / sizeof(Elf64_Rela), entryLimit);
    for (std::uint64_t i = 0; i < count && !into.runsWhenLoaded; ++i) {
        Elf64_Rela entry = {};
        if (!elf.read(table.sh_offset + i * sizeof entry, entry)) {
            return elf.broken("relocations");
        }
        into.runsWhenLoaded = ELF64_R_TYPE(entry.r_info) == R_X86_64_IRELATIVE;
    }
    return {};
}

} // namespace

Result<ModuleSymbols> readModuleSymbols(std::string_view bytes) {
    GKS_TRY_ASSIGN(const ElfFile elf, ElfFile::open(bytes, "the module"));
    if (elf.header().e_type != ET_DYN) {
        return elf.broken("header");
    }
    const std::vector<Elf64_Shdr>& sections = elf.sections();
    ModuleSymbols symbols;
    std::size_t usedBytes = 0;
    std::set<std::uint32_t> seen;
    for (const Elf64_Shdr& section : sections) {
        if (section.sh_type == SHT_RELA) {
            GKS_TRY(readRelocations(elf, section, symbols));
        }
        if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC) {
            continue;
        }
        // A linker writes one of each; many that lie on one another would be read for minutes.
        if (!seen.insert(section.sh_type).second) {
            return elf.broken("several dynamic sections");
        }
        if (section.sh_link >= sections.size()) {
            return elf.broken("string table");
        }
        const NameReader names(elf, sections[section.sh_link], usedBytes);
        GKS_TRY(section.sh_type == SHT_DYNSYM ? readSymbols(elf, section, names, symbols)
                                              : readNeeded(elf, section, names, symbols));
    }
    if (!seen.contains(SHT_DYNSYM)) {
        return elf.broken("it has no dynamic symbols");
    }
    return symbols;
}

} // namespace gks
