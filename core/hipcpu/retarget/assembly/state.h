// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/assembly/text.h"

#include <llvm/IR/IRBuilder.h>
#include <map>
#include <string>

namespace gks::hipcpu {

// The registers of one statement of inline assembly while it becomes IR: values of 32 bits, of the thread that runs.
// What the statement was not handed and has not written has no value; reading it is refused.
class AssemblyState {
public:
    explicit AssemblyState(llvm::IRBuilder<>& builder) : ir(builder) {}

    llvm::IRBuilder<>& ir;

    // The first reason for which the statement cannot be carried over; empty: none.
    const std::string& refusal() const { return m_refusal; }
    void refuse(std::string reason);

    // A value of a whole number of words, or of less than one, in the registers that begin there.
    void put(AssemblyOperand::Kind kind, unsigned first, llvm::Value* value);
    llvm::Value* get(AssemblyOperand::Kind kind, unsigned first, llvm::Type* type);
    // An output that nothing has been written to: what is there is anybody's.
    void putUnknown(AssemblyOperand::Kind kind, unsigned first, unsigned count);
    bool isKnown(AssemblyOperand::Kind kind, unsigned first, unsigned count) const;

    // An immediate that is no constant in unoptimised IR, by the number that stands for it in the text.
    void putImmediate(std::int64_t number, llvm::Value* value) { m_immediates[number] = value; }
    llvm::Value* number(std::int64_t integer); // 32 bits

    // The operand as a value of the type; with its sign and magnitude, or as it stands in the registers.
    llvm::Value* read(const AssemblyOperand& operand, llvm::Type* type);
    llvm::Value* readPlain(const AssemblyOperand& operand, llvm::Type* type);
    llvm::Value* withSign(const AssemblyOperand& operand, llvm::Value* value);
    void write(const AssemblyOperand& operand, llvm::Value* value); // vector registers in the lanes that are on
    // A modifier such as "offset:16", 0 without it.
    llvm::Value* offset(const AssemblyInstruction& instruction, std::string_view modifier = "offset");

    // One bit of each lane: vcc or a pair of scalar registers. The mask of the wave is made of it when somebody asks.
    void writeLaneMask(const AssemblyOperand& operand, llvm::Value* bit);
    llvm::Value* readLaneMask(const AssemblyOperand& operand);
    void writeScc(llvm::Value* bit);
    llvm::Value* readScc();

    // From here on registers keep their values over the ends of blocks, and lanes may be switched off. Every block is
    // left before its last instruction is made.
    void keepInMemory(bool switchesLanes);
    void leaveBlock();
    llvm::Value* isActive();           // whether the lane is on
    void keepActive(llvm::Value* bit); // only where it is set
    bool switchesLanes() const { return m_active != nullptr; }
    llvm::Value* firstLane(); // that is on; 0 where none is

    llvm::Value* bits(llvm::Value* value, unsigned width); // as an integer
    llvm::Value* call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types,
                      llvm::ArrayRef<llvm::Value*> operands) {
        return ir.CreateIntrinsic(id, types, operands);
    }

private:
    using Key = std::pair<AssemblyOperand::Kind, unsigned>;

    llvm::Value* word(Key key);
    llvm::AllocaInst* inEntry(llvm::Value* initial);
    llvm::Value* constant(const AssemblyOperand& operand, llvm::Type* type);

    std::map<Key, llvm::Value*> m_words;
    std::map<unsigned, llvm::Value*> m_laneMasks; // by the first of the two scalar registers
    std::map<std::int64_t, llvm::Value*> m_immediates;
    std::string m_refusal;
    bool m_isInMemory = false;
    std::map<Key, llvm::AllocaInst*> m_places;
    llvm::AllocaInst* m_active = nullptr; // null: no lane is switched off
};

// Source i of a vector instruction, counted without its destination: with the half, the part or the other lane that the
// instruction chooses. Value 1 of an instruction with two destinations has first = 2.
llvm::Value* readSource(AssemblyState& state, const AssemblyInstruction& instruction, unsigned i, llvm::Type* type,
                        unsigned first = 1);
// What an instruction on integers computes with "clamp" in the place of what it computes without; 0: it has none.
llvm::Intrinsic::ID saturation(std::string_view name);
// What goes to the first operand: scaled, clamped, in its half, in the lanes that the instruction chooses.
void writeResult(AssemblyState& state, const AssemblyInstruction& instruction, llvm::Value* result);

// Each returns false for an instruction that is not one of its family.
bool translateArithmetic(AssemblyState& state, const AssemblyInstruction& instruction);
bool translatePacked(AssemblyState& state, const AssemblyInstruction& instruction);
bool translateComparison(AssemblyState& state, const AssemblyInstruction& instruction);
bool translateScalar(AssemblyState& state, const AssemblyInstruction& instruction);
bool translateSaveExec(AssemblyState& state, const AssemblyInstruction& instruction);
bool translateLanes(AssemblyState& state, const AssemblyInstruction& instruction);
bool translateMatrix(AssemblyState& state, const AssemblyInstruction& instruction);
bool translateMemory(AssemblyState& state, const AssemblyInstruction& instruction);
bool translateLds(AssemblyState& state, const AssemblyInstruction& instruction);

} // namespace gks::hipcpu
