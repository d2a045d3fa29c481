// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/elf_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t elfNameLimitBytes = 4096;

} // namespace

tl::unexpected<Error> ElfFile::broken(std::string_view part) const {
    return kernelError(fmt::format("{} is an invalid ELF file: {}", m_what, part));
}

Result<ElfFile> ElfFile::open(std::string_view bytes, std::string_view what) {
    ElfFile file;
    file.m_bytes = bytes;
    file.m_what = what;
    Elf64_Ehdr& header = file.m_header;
    if (!file.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_shentsize != sizeof(Elf64_Shdr)) {
        return file.broken("header");
    }
    file.m_sections.resize(header.e_shnum);
    for (std::size_t i = 0; i < file.m_sections.size(); ++i) {
        if (!file.read(header.e_shoff + i * sizeof(Elf64_Shdr), file.m_sections[i])) {
            return file.broken("section table");
        }
    }
    return file;
}

std::optional<std::string_view> ElfFile::bytesOf(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > m_bytes.size() ||
        section.sh_size > m_bytes.size() - section.sh_offset) {
        return std::nullopt;
    }
    return m_bytes.substr(section.sh_offset, section.sh_size);
}

std::optional<std::string> ElfFile::text(const Elf64_Shdr& strings, std::uint64_t at) const {
    const auto table = bytesOf(strings);
    if (!table || at >= table->size()) {
        return std::nullopt;
    }
    const std::string_view rest = table->substr(at, elfNameLimitBytes);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::nullopt : std::optional(std::string(rest.substr(0, end)));
}

std::optional<std::string> ElfFile::nameOf(const Elf64_Shdr& section) const {
    return m_header.e_shstrndx < m_sections.size() ? text(m_sections[m_header.e_shstrndx], section.sh_name)
                                                   : std::nullopt;
}

} // namespace gks
