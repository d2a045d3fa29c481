// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/judge/evaluator/build/module_symbols.h"

#include <QTest>
#include <algorithm>
#include <cstring>
#include <elf.h>

using namespace gks;

namespace {

// A module of nothing but tables of symbols over the same entries, all with the same name.
std::string madeUp(std::size_t tables, std::size_t symbols, std::size_t nameBytes) {
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_DYN;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(tables + 1);
    header.e_shoff = sizeof header;
    const std::size_t namesAt = sizeof header + header.e_shnum * sizeof(Elf64_Shdr);
    const std::size_t symbolsAt = namesAt + nameBytes + 1;
    Elf64_Shdr names = {};
    names.sh_type = SHT_STRTAB;
    names.sh_offset = namesAt;
    names.sh_size = nameBytes + 1;
    Elf64_Shdr table = {};
    table.sh_type = SHT_DYNSYM;
    table.sh_offset = symbolsAt;
    table.sh_size = (symbols + 1) * sizeof(Elf64_Sym);
    std::string elf;
    const auto append = [&](const auto& record) { elf.append(reinterpret_cast<const char*>(&record), sizeof record); };
    append(header);
    append(names);
    for (std::size_t i = 0; i < tables; ++i) {
        append(table);
    }
    return elf + std::string(nameBytes, 'n') + std::string(1 + table.sh_size, '\0');
}

} // namespace

class JudgeModuleSymbols : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const auto bytes = readFile("/proc/self/exe", std::size_t{1} << 30); // large with a sanitizer
        QVERIFY(bytes.has_value());
        m_elf = *bytes;
    }

    // This test is itself a position independent ELF file with libraries and symbols.
    void readsThisProgram() {
        const auto symbols = readModuleSymbols(m_elf);
        QVERIFY2(symbols.has_value(), symbols ? "" : symbols.error().message().c_str());
        QVERIFY(std::any_of(symbols->libraries.begin(), symbols->libraries.end(),
                            [](const std::string& library) { return library.starts_with("libQt6Test"); }));
        QVERIFY(!symbols->imported.empty());
    }

    // No part of a broken file is read outside the file: run under the address sanitizer this is the test.
    void brokenFilesAreRefused() {
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{3}, std::size_t{63}, std::size_t{64}, m_elf.size() / 2, m_elf.size() - 1}) {
            QVERIFY(!readModuleSymbols(std::string_view(m_elf).substr(0, size)));
        }
        std::string changed = m_elf;
        for (std::size_t at = 16; at < 64; ++at) {
            changed[at] = static_cast<char>(changed[at] ^ 0x5a);
            static_cast<void>(readModuleSymbols(changed));
            changed[at] = m_elf[at];
        }
    }

    // Tables that lie on one another must not multiply what a small file asks for.
    void tablesAreBounded() {
        const auto one = readModuleSymbols(madeUp(1, 3, 5));
        QVERIFY2(one.has_value(), one ? "" : one.error().message().c_str());
        QCOMPARE(one->imported, std::vector<std::string>(3, "nnnnn"));
        QVERIFY(!readModuleSymbols(madeUp(2, 3, 5)));
        const std::size_t most = moduleNamesLimitBytes / 1024;
        QVERIFY(readModuleSymbols(madeUp(1, most, 1023)).has_value());
        QVERIFY(!readModuleSymbols(madeUp(1, most + 1, 1023)));
    }

private:
    std::string m_elf;
};

QTEST_APPLESS_MAIN(JudgeModuleSymbols)
#include "judge_module_symbols.moc"
