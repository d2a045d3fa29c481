// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gks::hipcpu {

// Places of the named registers among the scalar ones, as in the encoding of the instructions.
namespace scalarRegister {
inline constexpr unsigned vcc = 106;
inline constexpr unsigned m0 = 124;
inline constexpr unsigned exec = 126;
inline constexpr unsigned scc = 253;
} // namespace scalarRegister

struct AssemblyOperand {
    enum class Kind {
        vectorRegister,
        accumulator,
        scalar,
        integer,
        number, // with a point
        word,   // "off", "hwreg(...)"
    };
    Kind kind = Kind::word;
    unsigned first = 0; // of the registers
    unsigned count = 1;
    std::int64_t integer = 0;
    bool isLiteral = false; // a word of 32 bits behind the instruction, not one of the small numbers within
    double number = 0;
    bool isNegated = false;
    bool isAbsolute = false;
    bool isSigned = false; // sext(): what a part of a register is widened with
    std::string text = {};

    bool isRegister() const { return kind <= Kind::scalar; }
};

// One instruction in the notation in which LLVM prints it, which has one form for each.
struct AssemblyInstruction {
    std::string name;   // "v_add_f32", without the suffix of its encoding
    std::string opcode; // LLVM's own: "V_ADD_F32_e64_vi"
    std::vector<AssemblyOperand> operands;
    std::vector<std::pair<std::string, std::string>> modifiers; // "offset" and "16", "sc0" and ""
    std::vector<std::int64_t> immediates;                       // all that LLVM's form holds, in its order
    static constexpr std::size_t noTarget = ~std::size_t{0};
    std::size_t target = noTarget; // of a jump to a label: the instruction there; their number for the end

    bool has(std::string_view modifier) const;
    std::string_view value(std::string_view modifier) const; // empty: it has none
    // Element i of "op_sel:[0,1]"; otherwise when there is none.
    bool bit(std::string_view modifier, unsigned i, bool otherwise) const;
    bool isDpp() const { return opcode.find("_dpp") != std::string::npos; }
    bool isSdwa() const { return opcode.find("_sdwa") != std::string::npos; }
};

// Scalar instructions with an integer of 16 bits within, which is printed without its sign.
bool hasShortImmediate(std::string_view name);

// From "v_add_f32_e64 v0, -|v1|, s3 clamp".
AssemblyInstruction instructionOfText(std::string_view printed, std::string_view opcode);

std::optional<std::int64_t> integerOf(std::string_view text); // decimal or 0x, with a sign

} // namespace gks::hipcpu
