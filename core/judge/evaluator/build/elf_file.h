// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// A 64-bit little-endian ELF file, read from bytes that outlive it and that a compiler has made of hostile source:
// every offset is checked against the file, and nothing of it is loaded.
class ElfFile {
public:
    // `what` is called "the module" in errors.
    static Result<ElfFile> open(std::string_view bytes, std::string_view what);

    const Elf64_Ehdr& header() const { return m_header; }
    const std::vector<Elf64_Shdr>& sections() const { return m_sections; }

    template<class T>
    bool read(std::uint64_t offset, T& into) const {
        if (offset > m_bytes.size() || sizeof(T) > m_bytes.size() - offset) {
            return false;
        }
        std::memcpy(&into, m_bytes.data() + offset, sizeof(T));
        return true;
    }
    // A name of at most 4096 bytes in a table of names.
    std::optional<std::string> text(const Elf64_Shdr& strings, std::uint64_t at) const;
    std::optional<std::string> nameOf(const Elf64_Shdr& section) const;
    // Nothing when they do not lie in the file.
    std::optional<std::string_view> bytesOf(const Elf64_Shdr& section) const;

    tl::unexpected<Error> broken(std::string_view part) const;

private:
    std::string_view m_bytes;
    std::string m_what;
    Elf64_Ehdr m_header = {};
    std::vector<Elf64_Shdr> m_sections;
};

} // namespace gks
