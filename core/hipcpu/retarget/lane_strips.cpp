// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/lane_strips.h"

#include "core/hipcpu/abi.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace gks::hipcpu {
namespace {

// A value is base + lane: base is a multiple of a power of two, its unit, and lane a multiple of 1 << shift below that.
// `most` is the largest that the value can be: nothing wraps round or is negative below the limit, in any type that
// holds it.
struct Parts {
    llvm::Value* base = nullptr;
    llvm::Value* lane = nullptr;
    unsigned shift = 0;
    std::uint64_t unit = 0;
    std::uint64_t most = 0;
};
constexpr std::uint64_t mostValue = (std::uint64_t{1} << 31) - 1;

std::optional<std::uint64_t> constantOf(const llvm::Value* value) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
    if (number == nullptr || number->getBitWidth() > 64 || number->isNegative()) {
        return {};
    }
    return number->getZExtValue();
}

class Strips {
public:
    explicit Strips(const std::vector<LaneStrip>& strips) {
        for (const LaneStrip& strip : strips) {
            for (llvm::Instruction* index : {strip.x, strip.linear}) {
                m_parts[index] = {index->getOperand(0), index->getOperand(1), 0, laneStrip, maxThreadsPerBlock - 1};
            }
        }
    }

    // Replaces the instruction, or learns its parts.
    void visit(llvm::Instruction& instruction) {
        if (instruction.getNumOperands() == 0 || m_parts.contains(&instruction)) {
            return;
        }
        const auto known = m_parts.find(instruction.getOperand(0));
        if (known == m_parts.end()) {
            return;
        }
        const Parts parts = known->second;
        llvm::IRBuilder<> builder(&instruction);
        if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction)) {
            llvm::Type* type = instruction.getType();
            learn(instruction, {builder.CreateZExt(parts.base, type), builder.CreateZExt(parts.lane, type), parts.shift,
                                parts.unit, parts.most});
            return;
        }
        const auto second = instruction.getNumOperands() == 2 ? constantOf(instruction.getOperand(1)) : std::nullopt;
        if (!second) {
            return;
        }
        llvm::Value* constant = instruction.getOperand(1);
        switch (instruction.getOpcode()) {
        case llvm::Instruction::Add:
            if (*second % parts.unit == 0) {
                learn(instruction, {builder.CreateAdd(parts.base, constant), parts.lane, parts.shift, parts.unit,
                                    parts.most + *second});
            }
            break;
        case llvm::Instruction::Or:
            if (llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() && *second % parts.unit == 0) {
                learn(instruction, {builder.CreateOr(parts.base, constant), parts.lane, parts.shift, parts.unit,
                                    parts.most + *second});
            }
            break;
        case llvm::Instruction::Shl:
            if (*second < 16 && (instruction.hasNoUnsignedWrap() || instruction.hasNoSignedWrap())) {
                learn(instruction,
                      {builder.CreateShl(parts.base, constant), builder.CreateShl(parts.lane, constant),
                       parts.shift + static_cast<unsigned>(*second), parts.unit << *second, parts.most << *second});
            }
            break;
        case llvm::Instruction::And:
            mask(instruction, builder, parts, *second);
            break;
        case llvm::Instruction::LShr:
        case llvm::Instruction::AShr:
            if (*second < 32 && (std::uint64_t{1} << *second) % parts.unit == 0) {
                replace(instruction, builder.CreateLShr(parts.base, constant));
            } else if (*second < 32) {
                learn(instruction, {builder.CreateLShr(parts.base, constant), builder.CreateLShr(parts.lane, constant),
                                    parts.shift - std::min(parts.shift, static_cast<unsigned>(*second)),
                                    parts.unit >> *second, parts.most >> *second});
            }
            break;
        case llvm::Instruction::UDiv:
        case llvm::Instruction::SDiv:
            if (*second != 0 && *second % parts.unit == 0) {
                replace(instruction, builder.CreateUDiv(parts.base, constant));
            }
            break;
        case llvm::Instruction::URem:
        case llvm::Instruction::SRem:
            if (*second != 0 && *second % parts.unit == 0) {
                learn(instruction, {builder.CreateURem(parts.base, constant), parts.lane, parts.shift, parts.unit,
                                    std::min(parts.most, *second)});
            }
            break;
        default:
            break;
        }
    }

    void finish() {
        for (llvm::Instruction* instruction : m_replaced) {
            instruction->eraseFromParent();
        }
    }

private:
    void mask(llvm::Instruction& instruction, llvm::IRBuilder<>& builder, const Parts& parts, std::uint64_t bits) {
        const std::uint64_t ofLane = parts.unit - (std::uint64_t{1} << parts.shift);
        llvm::Value* base = builder.CreateAnd(parts.base, instruction.getOperand(1));
        if ((bits & ofLane) == 0) {
            replace(instruction, base);
        } else if ((bits & ofLane) == ofLane) {
            learn(instruction, {base, parts.lane, parts.shift, parts.unit, std::min(parts.most, bits)});
        }
    }
    void learn(llvm::Instruction& instruction, const Parts& parts) {
        if (parts.most > mostValue) {
            return;
        }
        llvm::IRBuilder<> builder(&instruction);
        auto* sum = llvm::BinaryOperator::CreateNUWAdd(parts.base, parts.lane, "", instruction.getIterator());
        sum->setHasNoSignedWrap();
        m_parts[sum] = parts;
        replace(instruction, sum);
    }
    void replace(llvm::Instruction& instruction, llvm::Value* value) {
        instruction.replaceAllUsesWith(value);
        m_replaced.push_back(&instruction);
    }

    llvm::DenseMap<llvm::Value*, Parts> m_parts;
    std::vector<llvm::Instruction*> m_replaced;
};

} // namespace

void useLaneStrips(llvm::Function& function, const std::vector<LaneStrip>& strips) {
    Strips work(strips);
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    for (llvm::BasicBlock* block : order) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
            work.visit(instruction);
        }
    }
    work.finish();
}

} // namespace gks::hipcpu
