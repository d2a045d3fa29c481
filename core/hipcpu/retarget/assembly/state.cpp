// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/assembly/state.h"

#include <bit>
#include <fmt/format.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

using Kind = AssemblyOperand::Kind;

constexpr std::uint32_t unknownWord = 0xcbcbcbcb; // as of LDS that nobody has written

std::string registerName(Kind kind, unsigned index) {
    if (kind == Kind::scalar && index >= scalarRegister::vcc) {
        switch (index) {
        case scalarRegister::m0:
            return "m0";
        case scalarRegister::scc:
            return "scc";
        case scalarRegister::exec:
        case scalarRegister::exec + 1:
            return "exec";
        default:
            return "vcc";
        }
    }
    return fmt::format("{}{}", "vas"[static_cast<int>(kind)], index);
}

unsigned bitsOf(llvm::Type* type, const llvm::IRBuilder<>& ir) {
    return static_cast<unsigned>(
        ir.GetInsertBlock()->getModule()->getDataLayout().getTypeSizeInBits(type).getFixedValue());
}

} // namespace

void AssemblyState::refuse(std::string reason) {
    if (m_refusal.empty()) {
        m_refusal = std::move(reason);
    }
}

llvm::Value* AssemblyState::bits(llvm::Value* value, unsigned width) {
    if (value->getType()->isPointerTy()) {
        value = ir.CreatePtrToInt(value, ir.getIntNTy(bitsOf(value->getType(), ir)));
    } else if (!value->getType()->isIntegerTy()) {
        value = ir.CreateBitCast(value, ir.getIntNTy(bitsOf(value->getType(), ir)));
    }
    return ir.CreateZExtOrTrunc(value, ir.getIntNTy(width));
}

void AssemblyState::put(Kind kind, unsigned first, llvm::Value* value) {
    const unsigned words = (bitsOf(value->getType(), ir) + 31) / 32;
    if (words == 1) {
        m_words[{kind, first}] = bits(value, 32);
    } else {
        llvm::Value* all =
            ir.CreateBitCast(bits(value, 32 * words), llvm::FixedVectorType::get(ir.getInt32Ty(), words));
        for (unsigned i = 0; i < words; ++i) {
            m_words[{kind, first + i}] = ir.CreateExtractElement(all, i);
        }
    }
    if (kind == Kind::scalar) {
        for (unsigned i = 0; i < words + 1; ++i) {
            m_laneMasks.erase(first + i - 1);
        }
    }
}

llvm::AllocaInst* AssemblyState::inEntry(llvm::Value* initial) {
    llvm::BasicBlock& entry = ir.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    return builder.CreateAlloca(initial->getType());
}

void AssemblyState::keepInMemory(bool switchesLanes) {
    m_isInMemory = true;
    if (switchesLanes) {
        m_active = inEntry(ir.getTrue());
        ir.CreateStore(ir.getTrue(), m_active);
    }
}

// The mask of a comparison that nobody has asked for yet is made here, where all lanes are.
void AssemblyState::leaveBlock() {
    while (!m_laneMasks.empty()) {
        const unsigned first = m_laneMasks.begin()->first;
        word({Kind::scalar, first});
        m_laneMasks.erase(first);
    }
    for (const auto& [key, value] : m_words) {
        llvm::AllocaInst*& place = m_places[key];
        place = place != nullptr ? place : inEntry(value);
        ir.CreateStore(value, place);
    }
    m_words.clear();
}

llvm::Value* AssemblyState::isActive() {
    return ir.CreateLoad(ir.getInt1Ty(), m_active);
}

llvm::Value* AssemblyState::firstLane() {
    llvm::Value* mask = get(Kind::scalar, scalarRegister::exec, ir.getInt64Ty());
    llvm::Value* first =
        ir.CreateTrunc(call(llvm::Intrinsic::cttz, {ir.getInt64Ty()}, {mask, ir.getFalse()}), ir.getInt32Ty());
    return ir.CreateSelect(ir.CreateIsNull(mask), ir.getInt32(0), first);
}

void AssemblyState::keepActive(llvm::Value* bit) {
    ir.CreateStore(ir.CreateAnd(bit, isActive()), m_active);
}

void AssemblyState::putUnknown(Kind kind, unsigned first, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        m_words[{kind, first + i}] = ir.getInt32(unknownWord);
    }
}

bool AssemblyState::isKnown(Kind kind, unsigned first, unsigned count) const {
    for (unsigned i = 0; i < count; ++i) {
        const Key key = {kind, first + i};
        if (m_words.find(key) == m_words.end() && m_places.find(key) == m_places.end()) {
            return false;
        }
    }
    return true;
}

llvm::Value* AssemblyState::word(Key key) {
    const auto [kind, index] = key;
    if (kind == Kind::scalar) {
        for (unsigned half = 0; half < 2; ++half) {
            if (const auto mask = m_laneMasks.find(index - half); mask != m_laneMasks.end()) {
                llvm::Value* wave = call(llvm::Intrinsic::amdgcn_ballot, {ir.getInt64Ty()}, {mask->second});
                put(Kind::scalar, mask->first, wave);
                break;
            }
        }
        if (index == scalarRegister::exec || index == scalarRegister::exec + 1) {
            llvm::Value* isOn = m_active != nullptr ? isActive() : ir.getTrue();
            llvm::Value* active = call(llvm::Intrinsic::amdgcn_ballot, {ir.getInt64Ty()}, {isOn});
            return ir.CreateTrunc(ir.CreateLShr(active, 32 * (index - scalarRegister::exec)), ir.getInt32Ty());
        }
    }
    if (const auto found = m_words.find(key); found != m_words.end()) {
        return found->second;
    }
    if (const auto place = m_places.find(key); place != m_places.end()) {
        return m_words[key] = ir.CreateLoad(ir.getInt32Ty(), place->second);
    }
    refuse(fmt::format("reads {}, which the statement has neither been handed nor written", registerName(kind, index)));
    return ir.getInt32(0);
}

namespace {

// The vector that these are the words of, all in their order; else null.
llvm::Value* vectorOf(llvm::ArrayRef<llvm::Value*> words) {
    llvm::Value* vector = nullptr;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto* part = llvm::dyn_cast<llvm::ExtractElementInst>(words[i]);
        const auto* number = part != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(part->getIndexOperand()) : nullptr;
        if (number == nullptr || !number->equalsInt(i) || (i != 0 && part->getVectorOperand() != vector)) {
            return nullptr;
        }
        vector = part->getOperand(0);
    }
    return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() == words.size() ? vector : nullptr;
}

// The pointer that the words are; else null.
llvm::Value* pointerOf(llvm::Value* words) {
    const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(words);
    const auto* number = cast != nullptr ? llvm::dyn_cast<llvm::PtrToIntInst>(cast->getOperand(0)) : nullptr;
    return number != nullptr ? const_cast<llvm::Value*>(number->getPointerOperand()) : nullptr;
}

} // namespace

// A statement's operand that nothing has changed stays what it was: what is said of a pointer counts.
llvm::Value* AssemblyState::get(Kind kind, unsigned first, llvm::Type* type) {
    const unsigned width = bitsOf(type, ir);
    const unsigned words = (width + 31) / 32;
    llvm::Value* value = nullptr;
    if (words == 1) {
        value = word({kind, first});
    } else {
        llvm::SmallVector<llvm::Value*, 16> all;
        for (unsigned i = 0; i < words; ++i) {
            all.push_back(word({kind, first + i}));
        }
        value = vectorOf(all);
        if (value == nullptr) {
            value = llvm::PoisonValue::get(llvm::FixedVectorType::get(ir.getInt32Ty(), words));
            for (unsigned i = 0; i < words; ++i) {
                value = ir.CreateInsertElement(value, all[i], i);
            }
        } else if (llvm::Value* pointer = type->isPointerTy() ? pointerOf(value) : nullptr; pointer != nullptr) {
            return ir.CreateAddrSpaceCast(pointer, type);
        }
        value = type->isVectorTy() || type->isDoubleTy() ? value : ir.CreateBitCast(value, ir.getIntNTy(32 * words));
    }
    if (width % 32 != 0) {
        value = ir.CreateTrunc(bits(value, 32 * words), ir.getIntNTy(width));
    }
    return type->isPointerTy() ? ir.CreateIntToPtr(value, type) : ir.CreateBitCast(value, type);
}

llvm::Value* AssemblyState::number(std::int64_t integer) {
    const auto found = m_immediates.find(integer);
    return found != m_immediates.end() ? ir.CreateZExtOrTrunc(found->second, ir.getInt32Ty())
                                       : ir.getInt32(static_cast<std::uint32_t>(integer));
}

llvm::Value* AssemblyState::constant(const AssemblyOperand& operand, llvm::Type* type) {
    const unsigned width = bitsOf(type, ir);
    if (operand.kind == Kind::number) {
        llvm::Type* scalar = type->getScalarType();
        if (type->isVectorTy() && !scalar->isHalfTy()) {
            refuse("has a number in the place of several, which is not supported");
        }
        // Numbers are those of the operand's width, also where it is an integer; of a packed half the lower one has it.
        const unsigned each = type->isVectorTy() ? bitsOf(scalar, ir) : width;
        llvm::Type* format = each == 16 ? ir.getHalfTy() : each == 64 ? ir.getDoubleTy() : ir.getFloatTy();
        llvm::Constant* value = llvm::ConstantFP::get(format, operand.number);
        return ir.CreateBitCast(ir.CreateZExt(bits(value, each), ir.getIntNTy(width)), type);
    }
    if (width <= 32) {
        llvm::Value* value = ir.CreateTrunc(number(operand.integer), ir.getIntNTy(width));
        return type->isPointerTy() ? ir.CreateIntToPtr(value, type) : ir.CreateBitCast(value, type);
    }
    if (type->isVectorTy() && operand.integer != 0) {
        refuse("has a number in the place of several, which is not supported");
    }
    const bool isUpper = operand.isLiteral && type->isDoubleTy(); // of a literal, the rest is 0
    const std::int64_t value = isUpper ? operand.integer << 32 : operand.integer;
    llvm::Value* wide = ir.getInt(llvm::APInt(width, static_cast<std::uint64_t>(value), true));
    return type->isPointerTy() ? ir.CreateIntToPtr(wide, type) : ir.CreateBitCast(wide, type);
}

llvm::Value* AssemblyState::readPlain(const AssemblyOperand& operand, llvm::Type* type) {
    if (operand.kind == Kind::word) {
        refuse(fmt::format("has the operand {}, which is not supported", operand.text));
        return llvm::PoisonValue::get(type);
    }
    return operand.isRegister() ? get(operand.kind, operand.first, type) : constant(operand, type);
}

llvm::Value* AssemblyState::withSign(const AssemblyOperand& operand, llvm::Value* value) {
    if ((operand.isAbsolute || operand.isNegated) && !value->getType()->getScalarType()->isFloatingPointTy()) {
        refuse(fmt::format("has {}, an integer with a sign of its own, which is not supported", operand.text));
        return value;
    }
    value = operand.isAbsolute ? ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value) : value;
    return operand.isNegated ? ir.CreateFNeg(value) : value;
}

llvm::Value* AssemblyState::read(const AssemblyOperand& operand, llvm::Type* type) {
    return withSign(operand, readPlain(operand, type));
}

void AssemblyState::write(const AssemblyOperand& operand, llvm::Value* value) {
    const bool isExec = operand.kind == Kind::scalar && operand.first - scalarRegister::exec < 2;
    if (isExec && m_active != nullptr) {
        llvm::Value* mask = bits(value, 64);
        if (operand.count == 1) { // the other half stays
            const unsigned begin = 32 * (operand.first - scalarRegister::exec);
            llvm::Value* old = get(Kind::scalar, scalarRegister::exec, ir.getInt64Ty());
            mask = ir.CreateOr(ir.CreateShl(mask, begin), ir.CreateAnd(old, ~(std::uint64_t{0xffffffff} << begin)));
        }
        ir.CreateStore(call(llvm::Intrinsic::amdgcn_inverse_ballot, {ir.getInt64Ty()}, {mask}), m_active);
        return;
    }
    if (!operand.isRegister() || isExec) {
        refuse(fmt::format("writes {}, which is not supported", operand.text));
        return;
    }
    if (m_active != nullptr && operand.kind != Kind::scalar) {
        const unsigned words = (bitsOf(value->getType(), ir) + 31) / 32;
        for (unsigned i = 0; i < words; ++i) {
            if (!isKnown(operand.kind, operand.first + i, 1)) {
                putUnknown(operand.kind, operand.first + i, 1);
            }
        }
        llvm::Type* whole = ir.getIntNTy(32 * words);
        llvm::Value* old = get(operand.kind, operand.first, whole);
        value = ir.CreateSelect(isActive(), bits(value, 32 * words), old);
    }
    put(operand.kind, operand.first, value);
}

llvm::Value* AssemblyState::offset(const AssemblyInstruction& instruction, std::string_view modifier) {
    const auto integer = integerOf(instruction.value(modifier));
    return number(integer.value_or(0));
}

void AssemblyState::writeLaneMask(const AssemblyOperand& operand, llvm::Value* bit) {
    if (operand.kind != Kind::scalar || operand.count != 2 || operand.first == scalarRegister::exec) {
        refuse(fmt::format("writes {}, which is not supported", operand.text));
        return;
    }
    m_laneMasks[operand.first] = m_active != nullptr ? ir.CreateAnd(bit, isActive()) : bit;
}

llvm::Value* AssemblyState::readLaneMask(const AssemblyOperand& operand) {
    if (operand.kind == Kind::scalar) {
        if (const auto found = m_laneMasks.find(operand.first); found != m_laneMasks.end()) {
            return found->second;
        }
    }
    return call(llvm::Intrinsic::amdgcn_inverse_ballot, {ir.getInt64Ty()}, {read(operand, ir.getInt64Ty())});
}

void AssemblyState::writeScc(llvm::Value* bit) {
    put(Kind::scalar, scalarRegister::scc, ir.CreateZExt(bit, ir.getInt32Ty()));
}

llvm::Value* AssemblyState::readScc() {
    return ir.CreateICmpNE(get(Kind::scalar, scalarRegister::scc, ir.getInt32Ty()), ir.getInt32(0));
}

} // namespace gks::hipcpu
