// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What of a device module's file becomes memory. Only what the retargeter wrote may be executed: the judge asks before
// it hands the module over, and whoever loads it asks again. The code lies in one segment of its own, whose pages of
// the file hold nothing else (the linker's -z separate-code), and nothing that can be written is ever executed.

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string_view>

namespace gks::hipcpu {

class DeviceImage {
public:
    explicit DeviceImage(std::string_view elf) : m_elf(elf) {}

    // Null, or what is wrong, to stand behind "the device module".
    const char* fault() const {
        Elf64_Ehdr header = {};
        if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
            header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
            header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr) ||
            header.e_shentsize != sizeof(Elf64_Shdr)) {
            return "is not a sound ELF file";
        }
        Elf64_Phdr code = {};
        if (const char* const wrong = faultOfSegments(header, code)) {
            return wrong;
        }
        return faultOfSections(header, code);
    }

private:
    static constexpr std::uint64_t pageBytes = 4096;

    template<class T>
    bool read(std::uint64_t offset, T& into) const {
        if (offset > m_elf.size() || sizeof(T) > m_elf.size() - offset) {
            return false;
        }
        std::memcpy(&into, m_elf.data() + offset, sizeof(T));
        return true;
    }

    const char* faultOfSegments(const Elf64_Ehdr& header, Elf64_Phdr& code) const {
        unsigned codes = 0;
        unsigned stacks = 0;
        for (unsigned i = 0; i < header.e_phnum; ++i) {
            Elf64_Phdr segment = {};
            if (!read(header.e_phoff + i * sizeof segment, segment)) {
                return "is not a sound ELF file";
            }
            const bool isCode = (segment.p_flags & PF_X) != 0;
            switch (segment.p_type) {
            case PT_LOAD:
                if (isCode && (segment.p_flags & PF_W) != 0) {
                    return "has memory that is written and executed";
                }
                codes += isCode ? 1 : 0;
                code = isCode ? segment : code;
                break;
            case PT_DYNAMIC:
                if (relocatesCode(segment)) {
                    return "has its code written to when it is loaded";
                }
                break;
            case PT_GNU_STACK:
                ++stacks;
                if (isCode) {
                    return "wants a stack that is executed";
                }
                break;
            case PT_PHDR:
            case PT_NOTE:
            case PT_GNU_RELRO:
            case PT_GNU_EH_FRAME:
            case PT_GNU_PROPERTY:
                break;
            default:
                return "has a program header that no device module has";
            }
        }
        if (stacks != 1) { // without one the loader takes an executable stack to be wanted
            return "does not say what stack it wants";
        }
        if (codes != 1 || code.p_offset % pageBytes != 0 || code.p_vaddr % pageBytes != 0 ||
            code.p_memsz != code.p_filesz || code.p_filesz > m_elf.size()) {
            return "has code elsewhere than in pages of its own";
        }
        return sharesPages(header, code) ? "has code elsewhere than in pages of its own" : nullptr;
    }

    bool sharesPages(const Elf64_Ehdr& header, const Elf64_Phdr& code) const {
        const std::uint64_t bytes = (code.p_filesz + pageBytes - 1) / pageBytes * pageBytes;
        const auto overlap = [bytes](std::uint64_t begin, std::uint64_t size, std::uint64_t codeBegin) {
            return size > 0 && begin < codeBegin + bytes && codeBegin < begin + size;
        };
        for (unsigned i = 0; i < header.e_phnum; ++i) {
            Elf64_Phdr other = {};
            if (read(header.e_phoff + i * sizeof other, other) && other.p_type == PT_LOAD &&
                (other.p_flags & PF_X) == 0 &&
                (overlap(other.p_offset, other.p_filesz, code.p_offset) ||
                 overlap(other.p_vaddr, other.p_memsz, code.p_vaddr))) {
                return true;
            }
        }
        return false;
    }

    bool relocatesCode(const Elf64_Phdr& dynamic) const {
        Elf64_Dyn entry = {};
        for (std::uint64_t at = 0; at + sizeof entry <= dynamic.p_filesz && read(dynamic.p_offset + at, entry);
             at += sizeof entry) {
            if (entry.d_tag == DT_TEXTREL || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0)) {
                return true;
            }
        }
        return false;
    }

    const char* faultOfSections(const Elf64_Ehdr& header, const Elf64_Phdr& code) const {
        static constexpr std::string_view text(".text", sizeof ".text"); // with its end
        Elf64_Shdr names = {};
        if (!read(header.e_shoff + header.e_shstrndx * sizeof names, names)) {
            return "is not a sound ELF file";
        }
        for (unsigned i = 0; i < header.e_shnum; ++i) {
            Elf64_Shdr section = {};
            if (!read(header.e_shoff + i * sizeof section, section)) {
                return "is not a sound ELF file";
            }
            if ((section.sh_flags & SHF_EXECINSTR) == 0) {
                continue;
            }
            const std::uint64_t name = names.sh_offset + section.sh_name;
            if (name > m_elf.size() || m_elf.substr(name, text.size()) != text || section.sh_addr != code.p_vaddr ||
                section.sh_size != code.p_filesz) {
                return "has code elsewhere than in .text";
            }
        }
        return nullptr;
    }

    std::string_view m_elf;
};

} // namespace gks::hipcpu
