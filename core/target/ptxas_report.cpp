// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/ptxas_report.h"

#include "core/base/one_line.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace gks {
namespace {

constexpr std::size_t ptxasKernelLimit = 64;
constexpr std::size_t ptxasSymbolLimitBytes = 200;

// The number in front of `unit`: 4096 of "used 1 barriers, 4096 bytes smem".
int numberBefore(std::string_view line, std::string_view unit) {
    const std::size_t at = line.find(unit);
    if (at == std::string_view::npos || at < 2 || line[at - 1] != ' ') {
        return 0;
    }
    const std::size_t end = at - 1;
    const std::size_t before = line.find_last_not_of("0123456789", end - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    int value = 0;
    const auto read = std::from_chars(line.data() + begin, line.data() + end, value);
    return read.ec == std::errc() ? value : 0;
}

std::string_view between(std::string_view line, std::string_view mark, char end) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = line.substr(at + mark.size());
    return rest.substr(0, rest.find(end));
}

} // namespace

std::vector<PtxasKernel> readPtxasReport(std::string_view log) {
    std::vector<PtxasKernel> kernels;
    bool isOfEntry = false; // and not of a function that an entry calls
    for (const std::string_view line : lines(log)) {
        const bool isOwn = line.starts_with("ptxas "); // else it is set off, or somebody quotes it
        if (const std::string_view symbol = between(line, "Compiling entry function '", '\'');
            isOwn && !symbol.empty()) {
            if (kernels.size() == ptxasKernelLimit) {
                break;
            }
            PtxasKernel kernel;
            kernel.symbol = beginningOf(symbol, ptxasSymbolLimitBytes);
            kernels.push_back(std::move(kernel));
            isOfEntry = false;
        } else if (const std::string_view of = between(line, "Function properties for ", '\n'); isOwn && !of.empty()) {
            isOfEntry = !kernels.empty() && trimmed(of).starts_with(kernels.back().symbol);
        } else if (isOfEntry && line.find("bytes stack frame") != std::string_view::npos) {
            kernels.back().stackBytes = numberBefore(line, "bytes stack frame");
            kernels.back().spillBytes =
                numberBefore(line, "bytes spill stores") + numberBefore(line, "bytes spill loads");
        } else if (isOwn && !kernels.empty() && line.find(": Used ") != std::string_view::npos) {
            kernels.back().registers = numberBefore(line, "registers");
            kernels.back().barriers = numberBefore(line, "barriers");
            kernels.back().sharedBytes = numberBefore(line, "bytes smem");
        }
    }
    return kernels;
}

} // namespace gks
