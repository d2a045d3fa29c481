// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/assembly/bindings.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

using Kind = AssemblyOperand::Kind;

constexpr unsigned registersOf[] = {256, 256, 102};
// Numbers that stand for immediates which are no constants, in two rounds of assembling: small enough for every field.
constexpr unsigned standInLimit = 6;
constexpr unsigned standIn(unsigned position, unsigned round) {
    return 2 + 2 * position + round;
}
// What the state knows them by: no field of an instruction is as wide.
constexpr std::int64_t unknownImmediate(unsigned position) {
    return (std::int64_t{1} << 40) + position;
}

unsigned wordsOf(llvm::Type* type, const llvm::DataLayout& layout) {
    return static_cast<unsigned>((layout.getTypeSizeInBits(type).getFixedValue() + 31) / 32);
}

bool isWait(const AssemblyInstruction& one) {
    return one.name.starts_with("s_waitcnt") || one.name == "s_nop" || one.name == "s_sleep" || one.name == "s_setprio";
}

// What is read from the numbers of LLVM's form instead of the printed one.
bool readsImmediates(const AssemblyInstruction& one) {
    return one.isDpp() || one.name.starts_with("v_mfma") || one.name.starts_with("v_smfmac") ||
           one.name == "s_getreg_b32" || one.name == "ds_swizzle_b32" || hasShortImmediate(one.name);
}

// Which immediate stands there, by what two rounds have in its place; -1: none.
int positionOf(std::int64_t a, std::int64_t b) {
    const std::int64_t position = (a - standIn(0, 0)) / 2;
    const bool fits = position >= 0 && position < standInLimit && a == standIn(static_cast<unsigned>(position), 0) &&
                      b == standIn(static_cast<unsigned>(position), 1);
    return fits ? static_cast<int>(position) : -1;
}

// Where the rounds differ there is an immediate, alone; false where it is part of a sum or decides about the form.
bool nameImmediates(AssemblyInstruction& one, const AssemblyInstruction& other) {
    if (isWait(one)) {
        return one.name == other.name;
    }
    if (one.opcode != other.opcode || one.operands.size() != other.operands.size() ||
        one.modifiers.size() != other.modifiers.size() ||
        (readsImmediates(one) && one.immediates != other.immediates)) {
        return false;
    }
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
        AssemblyOperand& a = one.operands[i];
        const AssemblyOperand& b = other.operands[i];
        if (a.text == b.text) {
            continue;
        }
        const int position = a.kind == Kind::integer && b.kind == Kind::integer ? positionOf(a.integer, b.integer) : -1;
        if (position < 0) {
            return false;
        }
        a.integer = unknownImmediate(static_cast<unsigned>(position));
    }
    for (std::size_t i = 0; i < one.modifiers.size(); ++i) {
        auto& [name, value] = one.modifiers[i];
        const auto& [otherName, otherValue] = other.modifiers[i];
        if (name == otherName && value == otherValue) {
            continue;
        }
        const auto a = integerOf(value);
        const auto b = integerOf(otherValue);
        const int position = name == otherName && a && b ? positionOf(*a, *b) : -1;
        if (position < 0) {
            return false;
        }
        value = std::to_string(unknownImmediate(static_cast<unsigned>(position)));
    }
    return true;
}

} // namespace

AssemblyBindings::AssemblyBindings(llvm::CallInst& call, const llvm::InlineAsm& statement, AssemblyState& state)
    : m_call(call), m_statement(statement), m_state(state) {
    for (unsigned kind = 0; kind < 3; ++kind) {
        m_taken[kind].resize(registersOf[kind]);
    }
    occupy(statement.getAsmString());
    const llvm::InlineAsm::ConstraintInfoVector constraints = statement.ParseConstraints();
    for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints) {
        if (!constraint.Codes.empty() && constraint.Codes[0] != "{memory}") {
            occupy(constraint.Codes[0]);
        }
        m_clobbersMemory = m_clobbersMemory || (constraint.Type == llvm::InlineAsm::isClobber &&
                                                !constraint.Codes.empty() && constraint.Codes[0] == "{memory}");
    }
    llvm::SmallVector<llvm::Type*, 4> outputs;
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(call.getType())) {
        outputs.assign(structure->element_begin(), structure->element_end());
    } else if (!call.getType()->isVoidTy()) {
        outputs.push_back(call.getType());
    }
    unsigned output = 0;
    unsigned input = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints) {
        if (constraint.Type == llvm::InlineAsm::isClobber) {
            continue;
        }
        const bool isOutput = constraint.Type == llvm::InlineAsm::isOutput;
        if (constraint.Codes.empty() || constraint.isIndirect || constraint.isMultipleAlternative ||
            constraint.Type == llvm::InlineAsm::isLabel ||
            (isOutput ? output >= outputs.size() : input >= call.arg_size())) {
            state.refuse("has an operand in memory or with a choice, which is not supported");
            return;
        }
        if (isOutput) {
            bindOutput(constraint.Codes[0], outputs[output++]);
        } else {
            bindInput(constraint.Codes[0], call.getArgOperand(input++));
        }
    }
}

// Registers that the text or the list of clobbers names are nobody else's.
void AssemblyBindings::occupy(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        const std::size_t kind = std::string_view("vas").find(text[i]);
        const bool begins = i == 0 || std::string_view(" \t\n,-|{[(").find(text[i - 1]) != std::string_view::npos;
        if (kind == std::string_view::npos || !begins) {
            continue;
        }
        const bool isTuple = text[i + 1] == '[';
        const auto numberAt = [&](std::size_t at, std::size_t& end) {
            end = at;
            while (end < text.size() && end < at + 3 && text[end] >= '0' && text[end] <= '9') {
                ++end;
            }
            return integerOf(text.substr(at, end - at));
        };
        std::size_t end = 0;
        const auto first = numberAt(i + (isTuple ? 2 : 1), end);
        auto last = first;
        if (isTuple && end < text.size() && text[end] == ':') {
            last = numberAt(end + 1, end);
        }
        for (std::int64_t at = first.value_or(1); first && last && at <= *last; ++at) {
            if (at < static_cast<std::int64_t>(m_taken[kind].size())) {
                m_taken[kind][static_cast<std::size_t>(at)] = true;
            }
        }
    }
}

bool AssemblyBindings::place(llvm::StringRef code, llvm::Type* type, Operand& operand) {
    operand.count = wordsOf(type, m_call.getModule()->getDataLayout());
    if (code.starts_with("{") && code.ends_with("}")) { // a register by its name
        const AssemblyInstruction named = instructionOfText("x " + code.drop_front().drop_back().str(), "");
        if (named.operands.size() != 1 || !named.operands[0].isRegister() || named.operands[0].count != operand.count) {
            return false;
        }
        operand.kind = named.operands[0].kind;
        operand.first = named.operands[0].first;
        return true;
    }
    if (code != "v" && code != "a" && code != "s" && code != "r" && code != "^VA") {
        return false;
    }
    operand.kind = code == "v" || code == "^VA" ? Kind::vectorRegister : code == "a" ? Kind::accumulator : Kind::scalar;
    std::vector<bool>& taken = m_taken[static_cast<int>(operand.kind)];
    const unsigned alignment = operand.count == 1 ? 1 : operand.kind == Kind::scalar && operand.count > 2 ? 4 : 2;
    for (unsigned first = 0; first + operand.count <= taken.size(); first += alignment) {
        const auto begin = taken.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(operand.count);
        if (std::find(begin, end, true) == end) {
            std::fill(begin, end, true);
            operand.first = first;
            return true;
        }
    }
    return false;
}

void AssemblyBindings::bindOutput(llvm::StringRef code, llvm::Type* type) {
    Operand operand;
    if (!type->isSized() || type->isAggregateType() || !place(code, type, operand)) {
        m_state.refuse(fmt::format("has an output with the constraint {}, which is not supported", code.str()));
    }
    m_state.putUnknown(operand.kind, operand.first, operand.count);
    m_outputs.push_back(type);
    m_operands.push_back(operand);
}

void AssemblyBindings::bindInput(llvm::StringRef code, llvm::Value* value) {
    Operand operand;
    unsigned tied = 0;
    if (value->getType()->isAggregateType()) {
        m_state.refuse("has an operand of a type that registers do not hold");
    } else if (!code.getAsInteger(10, tied)) {
        if (tied >= m_operands.size()) {
            m_state.refuse("has an operand that belongs to none");
            return;
        }
        operand = m_operands[tied];
        m_state.put(operand.kind, operand.first, value);
    } else if (code == "n" || code == "i" || code == "I" || code == "J" || code == "A" || code == "B" || code == "C" ||
               code == "DA" || code == "DB" || code == "^DA" || code == "^DB") {
        operand.isImmediate = true;
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
        operand.isConstant = constant != nullptr && constant->getBitWidth() <= 64;
        operand.number = operand.isConstant ? constant->getSExtValue() : 0;
        if (!operand.isConstant && !value->getType()->isIntegerTy()) {
            m_state.refuse("has an immediate operand that is no integer");
        } else if (!operand.isConstant) {
            m_state.putImmediate(unknownImmediate(static_cast<unsigned>(m_operands.size())), value);
        }
    } else if (place(code, value->getType(), operand)) {
        m_state.put(operand.kind, operand.first, value);
    } else {
        m_state.refuse(fmt::format("has an operand with the constraint {}, which is not supported", code.str()));
    }
    m_operands.push_back(operand);
}

std::string AssemblyBindings::written(const Operand& operand, unsigned position, unsigned round) const {
    if (operand.isImmediate) {
        return std::to_string(operand.isConstant ? operand.number : standIn(position, round));
    }
    if (operand.kind == Kind::scalar && operand.first >= scalarRegister::vcc) {
        return operand.first == scalarRegister::m0 ? "m0" : operand.first == scalarRegister::scc ? "scc" : "vcc";
    }
    const char letter = "vas"[static_cast<int>(operand.kind)];
    return operand.count == 1 ? fmt::format("{}{}", letter, operand.first)
                              : fmt::format("{}[{}:{}]", letter, operand.first, operand.first + operand.count - 1);
}

// The text with its operands: $0, ${1:modifier}; $$ and $| are those letters.
std::string AssemblyBindings::textWith(unsigned round) const {
    const llvm::StringRef text = m_statement.getAsmString();
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '$' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        ++i;
        if (text[i] == '$' || text[i] == '|') { // the bar of a magnitude, which clang has escaped
            result += text[i];
            continue;
        }
        if (text.substr(i).starts_with("{:uid}")) { // %=: labels are those of a statement anyway
            result += '0';
            i += std::string_view("{:uid}").size() - 1;
            continue;
        }
        const bool isBraced = text[i] == '{';
        std::size_t end = i + (isBraced ? 1 : 0);
        unsigned position = 0;
        const std::size_t begin = end;
        while (end < text.size() && end < begin + 3 && text[end] >= '0' && text[end] <= '9') {
            position = position * 10 + static_cast<unsigned>(text[end] - '0');
            ++end;
        }
        const std::size_t close = isBraced ? text.find('}', end) : end - 1;
        if (end == begin || position >= m_operands.size() || close == llvm::StringRef::npos) {
            m_state.refuse("names an operand that it does not have");
            return {};
        }
        result += written(m_operands[position], position, round);
        i = close;
    }
    return result;
}

bool AssemblyBindings::hasOpenImmediates() const {
    return std::any_of(m_operands.begin(), m_operands.end(),
                       [](const Operand& one) { return one.isImmediate && !one.isConstant; });
}

Assembled AssemblyBindings::instructions() const {
    Assembled result = assembled(textWith(0));
    if (!hasOpenImmediates() || !result.problem.empty()) {
        return result;
    }
    const Assembled other = assembled(textWith(1));
    bool isClear = m_operands.size() <= standInLimit && other.problem.empty() &&
                   other.instructions.size() == result.instructions.size();
    for (std::size_t i = 0; isClear && i < result.instructions.size(); ++i) {
        isClear = nameImmediates(result.instructions[i], other.instructions[i]);
    }
    if (!isClear) {
        result.problem = "an immediate operand is no constant, and no whole operand of an instruction";
    }
    return result;
}

llvm::Value* AssemblyBindings::results() const {
    llvm::Value* all = nullptr;
    for (unsigned i = 0; i < m_outputs.size(); ++i) {
        llvm::Value* one = m_state.get(m_operands[i].kind, m_operands[i].first, m_outputs[i]);
        if (!m_call.getType()->isStructTy()) {
            return one;
        }
        all = all == nullptr ? llvm::PoisonValue::get(m_call.getType()) : all;
        all = m_state.ir.CreateInsertValue(all, one, i);
    }
    return all;
}

} // namespace gks::hipcpu
