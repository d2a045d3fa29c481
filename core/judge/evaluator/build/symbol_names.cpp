// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/symbol_names.h"

#include "core/judge/evaluator/build/elf_file.h"

#include <algorithm>

namespace gks {
namespace {

constexpr std::uint64_t checkedSymbolLimit = 1 << 18;

} // namespace

Result<void> checkSymbolNames(std::string_view bytes) {
    GKS_TRY_ASSIGN(const ElfFile elf, ElfFile::open(bytes, "the code object"));
    std::uint64_t left = checkedSymbolLimit; // in all tables together: they may lie on one another
    for (const Elf64_Shdr& table : elf.sections()) {
        if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) {
            continue;
        }
        const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
        if (count > left || table.sh_link >= elf.sections().size()) {
            return elf.broken("symbol table");
        }
        left -= count;
        for (std::uint64_t i = 1; i < count; ++i) {
            Elf64_Sym symbol = {};
            const bool isThere = elf.read(table.sh_offset + i * sizeof symbol, symbol);
            const auto name = isThere ? elf.text(elf.sections()[table.sh_link], symbol.st_name) : std::nullopt;
            if (!name) {
                return elf.broken("symbol name");
            }
            if (std::any_of(name->begin(), name->end(), [](unsigned char letter) { return letter < ' '; })) {
                return kernelError("a symbol of the code holds a control character", {}, "Leave the asm label out");
            }
        }
    }
    return {};
}

} // namespace gks
