// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/target/nvidia_code.h"
#include "core/target/nvidia_words.h"

#include <algorithm>
#include <array>

namespace gks {
namespace {

struct CostOfWord {
    std::string_view word;
    InstructionCost cost;
};

} // namespace

// By the instruction set's names in NVIDIA's "CUDA Binary Utilities"; what is not named here computes.
InstructionCost costOfSass(std::string_view instruction) {
    using enum InstructionCost;
    const std::string_view whole = firstWord(withoutPredicate(instruction), " \t");
    const std::string_view base = firstWord(whole, ".");
    if (base.ends_with("MMA") && base != "HFMA2") {
        return matrix;
    }
    if (whole.starts_with("WARPGROUP.DEPBAR")) {
        return wait;
    }
    constexpr std::array known = {CostOfWord{"LDG", globalMemory},
                                  CostOfWord{"STG", globalMemory},
                                  CostOfWord{"LD", globalMemory},
                                  CostOfWord{"ST", globalMemory},
                                  CostOfWord{"ATOM", globalMemory},
                                  CostOfWord{"ATOMG", globalMemory},
                                  CostOfWord{"RED", globalMemory},
                                  CostOfWord{"REDG", globalMemory},
                                  CostOfWord{"LDGSTS", globalMemory},
                                  CostOfWord{"LDGMC", globalMemory},
                                  CostOfWord{"UBLKCP", globalMemory},
                                  CostOfWord{"UBLKPF", globalMemory},
                                  CostOfWord{"UBLKRED", globalMemory},
                                  CostOfWord{"UTMALDG", globalMemory},
                                  CostOfWord{"UTMASTG", globalMemory},
                                  CostOfWord{"UTMAPF", globalMemory},
                                  CostOfWord{"UTMAREDG", globalMemory},
                                  CostOfWord{"CCTL", globalMemory},
                                  CostOfWord{"LDS", lds},
                                  CostOfWord{"STS", lds},
                                  CostOfWord{"LDSM", lds},
                                  CostOfWord{"STSM", lds},
                                  CostOfWord{"ATOMS", lds},
                                  CostOfWord{"STAS", lds},
                                  CostOfWord{"LDL", scratch},
                                  CostOfWord{"STL", scratch},
                                  CostOfWord{"LDC", scalarMemory},
                                  CostOfWord{"ULDC", scalarMemory},
                                  CostOfWord{"LDCU", scalarMemory},
                                  CostOfWord{"DEPBAR", wait},
                                  CostOfWord{"LDGDEPBAR", wait},
                                  CostOfWord{"UTMACMDFLUSH", wait},
                                  CostOfWord{"MEMBAR", wait},
                                  CostOfWord{"ERRBAR", wait},
                                  CostOfWord{"FENCE", wait},
                                  CostOfWord{"NANOSLEEP", wait},
                                  CostOfWord{"BAR", barrier},
                                  CostOfWord{"SYNCS", barrier},
                                  CostOfWord{"UCGABAR_ARV", barrier},
                                  CostOfWord{"UCGABAR_WAIT", barrier},
                                  CostOfWord{"WARPSYNC", barrier},
                                  CostOfWord{"BRA", branch},
                                  CostOfWord{"BRX", branch},
                                  CostOfWord{"JMP", branch},
                                  CostOfWord{"JMX", branch},
                                  CostOfWord{"EXIT", branch},
                                  CostOfWord{"RET", branch},
                                  CostOfWord{"CALL", branch},
                                  CostOfWord{"BSSY", branch},
                                  CostOfWord{"BSYNC", branch},
                                  CostOfWord{"BREAK", branch}};
    const auto found = std::ranges::find(known, base, &CostOfWord::word);
    return found == known.end() ? arithmetic : found->cost;
}

// By the first words of a name, the longer ones first.
InstructionCost costOfPtx(std::string_view instruction) {
    using enum InstructionCost;
    const std::string_view name = firstWord(withoutPredicate(instruction), " \t;");
    constexpr std::array known = {CostOfWord{"wgmma.wait", wait},
                                  CostOfWord{"wgmma.fence", wait},
                                  CostOfWord{"wgmma.commit", wait},
                                  CostOfWord{"wgmma", matrix},
                                  CostOfWord{"mma", matrix},
                                  CostOfWord{"wmma.mma", matrix},
                                  CostOfWord{"ld.param", scalarMemory},
                                  CostOfWord{"ld.const", scalarMemory},
                                  CostOfWord{"ld.shared", lds},
                                  CostOfWord{"st.shared", lds},
                                  CostOfWord{"ldmatrix", lds},
                                  CostOfWord{"stmatrix", lds},
                                  CostOfWord{"atom.shared", lds},
                                  CostOfWord{"red.shared", lds},
                                  CostOfWord{"ld.local", scratch},
                                  CostOfWord{"st.local", scratch},
                                  CostOfWord{"cp.async.wait", wait},
                                  CostOfWord{"cp.async.bulk.wait", wait},
                                  CostOfWord{"cp.async.commit", wait},
                                  CostOfWord{"cp.async.bulk.commit", wait},
                                  CostOfWord{"cp.", globalMemory},
                                  CostOfWord{"ld.", globalMemory},
                                  CostOfWord{"st.", globalMemory},
                                  CostOfWord{"atom", globalMemory},
                                  CostOfWord{"red.", globalMemory},
                                  CostOfWord{"prefetch", globalMemory},
                                  CostOfWord{"fence", wait},
                                  CostOfWord{"membar", wait},
                                  CostOfWord{"nanosleep", wait},
                                  CostOfWord{"mbarrier", barrier},
                                  CostOfWord{"bar", barrier},
                                  CostOfWord{"bra", branch},
                                  CostOfWord{"brx", branch},
                                  CostOfWord{"call", branch},
                                  CostOfWord{"ret", branch},
                                  CostOfWord{"exit", branch}};
    const auto found = std::ranges::find_if(known, [&](const CostOfWord& one) { return name.starts_with(one.word); });
    return found == known.end() ? arithmetic : found->cost;
}

} // namespace gks
