// SPDX-License-Identifier: GPL-3.0-or-later
// An address is computed for all lanes of the first wave, as far as it depends on nothing but which lane it is; for the
// other waves it is the same but for what their lanes have in common. Cost: at most `mostSteps` for an address.
#include "core/hipcpu/retarget/own_place.h"

#include "core/hipcpu/abi.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <numeric>

namespace gks::hipcpu {
namespace {

constexpr unsigned mostSteps = 2000;

const llvm::Value* baseOf(const llvm::Value& pointer, const llvm::DataLayout& layout, std::int64_t& offset) {
    llvm::APInt bytes(64, 0);
    const llvm::Value* const base = pointer.stripAndAccumulateConstantOffsets(layout, bytes, true);
    offset = bytes.getSExtValue();
    return base;
}

llvm::StringRef calleeName(const llvm::Value& value) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
    const llvm::Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
    return callee != nullptr ? callee->getName() : "";
}

std::int64_t narrowed(std::int64_t value, unsigned bits) {
    return bits >= 64 ? value
                      : static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << (64 - bits)) >> (64 - bits);
}

// As the instruction has it of two integers of these bits; nothing: not known.
std::optional<std::int64_t> resultOf(const llvm::Instruction& instruction, std::int64_t a, std::int64_t b,
                                     unsigned bits) {
    const llvm::APInt x(bits, static_cast<std::uint64_t>(a), true);
    const llvm::APInt y(bits, static_cast<std::uint64_t>(b), true);
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
        return llvm::ICmpInst::compare(x, y, compare->getPredicate()) ? -1 : 0;
    }
    const bool isShift = instruction.isShift();
    if ((isShift && y.uge(bits)) || (instruction.isIntDivRem() && y.isZero())) {
        return std::nullopt;
    }
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
        return (x + y).getSExtValue();
    case llvm::Instruction::Sub:
        return (x - y).getSExtValue();
    case llvm::Instruction::Mul:
        return (x * y).getSExtValue();
    case llvm::Instruction::And:
        return (x & y).getSExtValue();
    case llvm::Instruction::Or:
        return (x | y).getSExtValue();
    case llvm::Instruction::Xor:
        return (x ^ y).getSExtValue();
    case llvm::Instruction::Shl:
        return x.shl(y).getSExtValue();
    case llvm::Instruction::LShr:
        return x.lshr(y).getSExtValue();
    case llvm::Instruction::AShr:
        return x.ashr(y).getSExtValue();
    case llvm::Instruction::UDiv:
        return x.udiv(y).getSExtValue();
    case llvm::Instruction::SDiv:
        return x.sdiv(y).getSExtValue();
    case llvm::Instruction::URem:
        return x.urem(y).getSExtValue();
    case llvm::Instruction::SRem:
        return x.srem(y).getSExtValue();
    default:
        return std::nullopt;
    }
}

bool lieApart(std::int64_t a, std::int64_t b, std::uint64_t bytes, std::uint64_t modulus) {
    const std::uint64_t distance = a > b ? static_cast<std::uint64_t>(a - b) : static_cast<std::uint64_t>(b - a);
    if (modulus == 0) {
        return distance >= bytes;
    }
    return distance % modulus >= bytes && modulus - distance % modulus >= bytes;
}

} // namespace

OwnPlaces::OwnPlaces(const llvm::Function& thread, const llvm::LoopInfo& loops) : m_loops(loops) {
    for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        std::int64_t offset = 0;
        if (load != nullptr &&
            calleeName(*baseOf(*load->getPointerOperand(), thread.getDataLayout(), offset)) == "hipcpu_this_thread") {
            m_hasRows = m_hasRows || offset == 4;
            m_hasPlanes = m_hasPlanes || offset == 8;
        }
    }
}

bool OwnPlaces::Lanes::isSame() const {
    return modulus == 0 && llvm::all_equal(values);
}

OwnPlaces::Lanes OwnPlaces::unknown() {
    return {{}, false, 1};
}

template<class Holds>
bool OwnPlaces::anyShape(Holds holds) const {
    if (!m_hasRows && !m_hasPlanes) {
        return holds(Shape{});
    }
    for (unsigned x = 1; x < lanes; x *= 2) {
        for (unsigned y = m_hasPlanes ? 1 : lanes; y <= lanes; y *= 2) {
            if (holds(Shape{x, y})) {
                return true;
            }
        }
    }
    return false;
}

std::optional<OwnPlaces::Lanes> OwnPlaces::ofShape(const llvm::Value& pointer, Shape shape) {
    m_shape = shape;
    m_steps = 0;
    m_assumed.clear();
    const Lanes result = valueOf(pointer);
    return m_steps <= mostSteps ? std::optional(result) : std::nullopt;
}

bool OwnPlaces::isOwn(const llvm::Value& pointer, std::uint64_t bytes) {
    return anyShape([&](Shape shape) {
        const std::optional<Lanes> place = ofShape(pointer, shape);
        for (unsigned a = 0; place && a < lanes; ++a) {
            for (unsigned b = 0; b < a; ++b) {
                if (!lieApart(place->values[a], place->values[b], bytes, place->modulus)) {
                    return false;
                }
            }
        }
        return place.has_value();
    });
}

bool OwnPlaces::isShared(const llvm::Value& pointer, std::uint64_t bytes) {
    const std::optional<Lanes> place = ofShape(pointer, Shape{});
    return place && place->modulus == 0 && !isOwn(pointer, bytes);
}

OwnPlaces::Lanes OwnPlaces::valueOf(const llvm::Value& value) {
    if (const auto assumed = m_assumed.find(&value); assumed != m_assumed.end()) {
        return assumed->second;
    }
    return ++m_steps > mostSteps ? unknown() : computed(value);
}

OwnPlaces::Lanes OwnPlaces::computed(const llvm::Value& value) {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value);
        number != nullptr && number->getBitWidth() <= 64) {
        Lanes result{{}, true, 0};
        result.values.fill(number->getSExtValue());
        return result;
    }
    if (llvm::isa<llvm::GEPOperator>(value)) {
        return address(value);
    }
    if (llvm::isa<llvm::Constant, llvm::Argument>(value)) {
        return {};
    }
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
        return loaded(*load);
    }
    if (const auto* counter = llvm::dyn_cast<llvm::PHINode>(&value)) {
        return counted(*counter);
    }
    if (const llvm::StringRef name = calleeName(value); !name.empty()) {
        if (name.contains("readfirstlane") || name == "hipcpu_lds_base" || name == "hipcpu_implicit_arguments" ||
            name == "hipcpu_dispatch_packet") {
            return {};
        }
        const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
        if (intrinsic == nullptr || intrinsic->getIntrinsicID() != llvm::Intrinsic::ctpop) {
            return unknown();
        }
        Lanes bits = valueOf(*intrinsic->getOperand(0));
        const unsigned width = value.getType()->getScalarSizeInBits();
        if (!bits.isExact || width > 64) {
            return bits.isSame() ? Lanes{} : unknown();
        }
        for (std::int64_t& one : bits.values) {
            one = std::popcount(static_cast<std::uint64_t>(one) & (~std::uint64_t{0} >> (64 - width)));
        }
        return bits;
    }
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction != nullptr ? arithmetic(*instruction) : unknown();
}

OwnPlaces::Lanes OwnPlaces::arithmetic(const llvm::Instruction& instruction) {
    const auto width = [](const llvm::Value& value) {
        return value.getType()->isPointerTy() ? 64 : value.getType()->getScalarSizeInBits();
    };
    if (instruction.mayReadOrWriteMemory() || instruction.getNumOperands() == 0 ||
        (!instruction.getType()->isIntegerTy() && !instruction.getType()->isPointerTy()) || width(instruction) > 64 ||
        width(*instruction.getOperand(0)) > 64) {
        return unknown();
    }
    Lanes a = valueOf(*instruction.getOperand(0));
    switch (instruction.getOpcode()) {
    case llvm::Instruction::ZExt:
        if (a.isExact && width(*instruction.getOperand(0)) < 64) {
            const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width(*instruction.getOperand(0)));
            for (std::int64_t& one : a.values) {
                one = static_cast<std::int64_t>(static_cast<std::uint64_t>(one) & mask);
            }
        }
        return a;
    case llvm::Instruction::Trunc:
        for (std::int64_t& one : a.values) {
            one = a.isExact ? narrowed(one, width(instruction)) : one;
        }
        return a;
    case llvm::Instruction::SExt:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
        return a;
    default:
        break;
    }
    if (instruction.getNumOperands() < 2) {
        return a.isSame() ? Lanes{} : unknown();
    }
    Lanes b = valueOf(*instruction.getOperand(1));
    if (instruction.getOpcode() == llvm::Instruction::Select) {
        const Lanes c = valueOf(*instruction.getOperand(2));
        for (unsigned i = 0; a.isExact && b.isExact && c.isExact && i < lanes; ++i) {
            b.values[i] = a.values[i] != 0 ? b.values[i] : c.values[i];
        }
        return (a.isExact && b.isExact && c.isExact) ? b : a.isSame() && b.isSame() && c.isSame() ? Lanes{} : unknown();
    }
    if (a.isExact && b.isExact) {
        for (unsigned i = 0; i < lanes; ++i) {
            const auto one = resultOf(instruction, a.values[i], b.values[i], width(*instruction.getOperand(0)));
            if (!one) {
                return unknown();
            }
            a.values[i] = *one;
        }
        return a;
    }
    if (a.isSame() && b.isSame()) {
        return {};
    }
    const bool isSum = instruction.getOpcode() == llvm::Instruction::Add ||
                       (instruction.getOpcode() == llvm::Instruction::Or &&
                        llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint());
    if (isSum || instruction.getOpcode() == llvm::Instruction::Sub) {
        for (unsigned i = 0; i < lanes; ++i) {
            a.values[i] += isSum ? b.values[i] : -b.values[i];
        }
        return {a.values, false, std::gcd(a.modulus, b.modulus)};
    }
    if (instruction.getOpcode() == llvm::Instruction::Mul && a.isExact) {
        std::swap(a, b);
    }
    const std::int64_t by = b.isExact && b.isSame() ? b.values[0] : 0;
    const bool isPower = instruction.getOpcode() == llvm::Instruction::Shl;
    if (by > 0 && (isPower ? by < 20 : by < 1 << 20) &&
        (isPower || instruction.getOpcode() == llvm::Instruction::Mul)) {
        const std::int64_t factor = isPower ? std::int64_t{1} << by : by;
        for (std::int64_t& one : a.values) {
            one *= factor;
        }
        return {a.values, false, a.modulus * static_cast<std::uint64_t>(factor)};
    }
    const bool isMask = instruction.getOpcode() == llvm::Instruction::And && by > 0 && (by & (by + 1)) == 0;
    if (isMask || (by > 0 && (instruction.getOpcode() == llvm::Instruction::URem ||
                              instruction.getOpcode() == llvm::Instruction::SRem))) {
        return {a.values, false, std::gcd(a.modulus, static_cast<std::uint64_t>(isMask ? by + 1 : by))};
    }
    return unknown();
}

OwnPlaces::Lanes OwnPlaces::address(const llvm::Value& pointer) {
    const auto& element = llvm::cast<llvm::GEPOperator>(pointer);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&pointer);
    if (instruction == nullptr) {
        return {}; // of a constant
    }
    llvm::MapVector<llvm::Value*, llvm::APInt> parts;
    llvm::APInt bytes(64, 0);
    if (!element.collectOffset(instruction->getDataLayout(), 64, parts, bytes)) {
        return unknown();
    }
    Lanes result = valueOf(*element.getPointerOperand());
    result.isExact = false;
    for (const auto& [index, factor] : parts) {
        const Lanes part = valueOf(*index);
        for (unsigned i = 0; i < lanes; ++i) {
            result.values[i] += part.values[i] * factor.getSExtValue();
        }
        result.modulus = std::gcd(result.modulus, part.modulus * factor.abs().getZExtValue());
    }
    return result;
}

OwnPlaces::Lanes OwnPlaces::loaded(const llvm::LoadInst& load) {
    std::int64_t offset = 0;
    const llvm::Value& base = *baseOf(*load.getPointerOperand(), load.getDataLayout(), offset);
    const llvm::StringRef from = calleeName(base);
    Lanes result{{}, true, 0};
    for (unsigned lane = 0; from == "hipcpu_this_thread" && lane < lanes; ++lane) {
        const unsigned row = lane / m_shape.x;
        switch (offset) {
        case 0:
            result.values[lane] = lane % m_shape.x;
            break;
        case 4:
            result.values[lane] = m_shape.x < lanes ? row % m_shape.y : 0;
            break;
        case 8:
            result.values[lane] = m_shape.x < lanes ? row / m_shape.y : 0;
            break;
        case offsetof(ThreadContext, lane):
            result.values[lane] = lane;
            break;
        default: // its block
            return {};
        }
    }
    if (from == "hipcpu_this_thread") {
        return result;
    }
    // How long a row of the block is.
    const bool isLength =
        (from == "hipcpu_implicit_arguments" && offset == 12) || (from == "hipcpu_dispatch_packet" && offset == 4);
    if (isLength && m_shape.x < lanes) {
        result.values.fill(m_shape.x);
        return result;
    }
    return valueOf(*load.getPointerOperand()).isSame() && !load.isVolatile() ? Lanes{} : unknown();
}

// Counters of loops that all lanes step alike.
OwnPlaces::Lanes OwnPlaces::counted(const llvm::PHINode& counter) {
    const llvm::Loop* loop = m_loops.getLoopFor(counter.getParent());
    const llvm::BasicBlock* latch = loop != nullptr ? loop->getLoopLatch() : nullptr;
    if (latch == nullptr || loop->getHeader() != counter.getParent() || counter.getNumIncomingValues() != 2 ||
        (!counter.getType()->isIntegerTy() && !counter.getType()->isPointerTy())) {
        return unknown();
    }
    const unsigned again = counter.getIncomingBlock(0) == latch ? 0 : 1;
    Lanes begin = valueOf(*counter.getIncomingValue(1 - again));
    begin.isExact = false;
    m_assumed[&counter] = begin;
    const Lanes next = valueOf(*counter.getIncomingValue(again));
    m_assumed.erase(&counter);
    const std::int64_t step = next.values[0] - begin.values[0];
    for (unsigned i = 0; i < lanes; ++i) {
        if (next.values[i] - begin.values[i] != step) {
            return unknown();
        }
    }
    if (next.modulus != begin.modulus) {
        return {begin.values, false, std::gcd(begin.modulus, next.modulus)};
    }
    // One lane's place may be another's some turns later.
    const auto [least, most] = std::minmax_element(begin.values.begin(), begin.values.end());
    if (step != 0 && std::abs(step) <= *most - *least) {
        begin.modulus = std::gcd(begin.modulus, static_cast<std::uint64_t>(std::abs(step)));
    }
    return begin;
}

} // namespace gks::hipcpu
