// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/module_facts_reader.h"
#include "core/judge/evaluator/build/module_symbols.h"
#include "core/judge/plan/launch_plan.h"
#include "core/target/disassembly.h"
#include "core/target/target.h"
#include "tests/fuzz/fuzz.h"

#include <numeric>

using gks::fuzz::require;

namespace {

std::size_t bytesOf(const std::vector<std::string>& names) {
    return std::accumulate(names.begin(), names.end(), std::size_t{0},
                           [](std::size_t sum, const std::string& name) { return sum + name.size() + 1; });
}

void readDeviceCode(std::string_view elf) {
    for (const auto& facts : {gks::factsOfCubin(elf, gks::commonH200()), gks::factsOfAmdCode(elf)}) {
        require(facts || !facts.error().what.empty(), "a refusal has its reason");
        for (const gks::KernelFacts& kernel : facts ? facts->kernels : std::vector<gks::KernelFacts>()) {
            require(kernel.greatestBlock <= 1024 && kernel.argumentBytes.size() <= gks::planArgumentLimit,
                    "what a kernel takes is within the bounds of a plan");
        }
    }
}

void readElf(std::string_view elf) {
    readDeviceCode(elf);
    const auto symbols = gks::readModuleSymbols(elf);
    if (!symbols) {
        require(!symbols.error().what.empty(), "a refusal has its reason");
        return;
    }
    require(bytesOf(symbols->imported) + bytesOf(symbols->exported) + bytesOf(symbols->libraries) <=
                gks::moduleNamesLimitBytes,
            "names take no more than they may, whatever the tables say");
}

} // namespace

// What a compiler made of hostile source: the module itself, or what the tools of LLVM print of it, notes and
// disassembly parted by byte 1.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = gks::fuzz::text(data, size);
    if (text.starts_with("\x7f"
                         "ELF")) {
        readElf(text);
        return 0;
    }
    const std::string_view notes = text.substr(0, text.find('\x01'));
    const std::string_view listing = text.substr(std::min(notes.size() + 1, text.size()));
    const auto report = gks::readStaticReport("gfx942", notes, listing);
    require(report || !report.error().where.empty(), "an error has its place");
    if (report) {
        for (const gks::KernelResources& kernel : report->kernels) {
            require(kernel.name.size() <= 500 && kernel.name.find('\n') == std::string::npos, "a name is a short line");
            require(kernel.vgprs >= 0 && kernel.occupancyWavesPerSimd >= 0 && kernel.codeBytes >= 0,
                    "counts are not negative");
        }
    }
    if (const auto functions = gks::readDisassembly(listing)) {
        for (const auto& [symbol, code] : *functions) {
            require(code.codeBytes >= 0, "a size is not negative");
            for (const auto& [name, count] : code.instructions) {
                require(count > 0 && !name.empty(), "a class is there because it was seen");
            }
        }
    }
    return 0;
}
