// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions on global memory: through an address (global, flat, scalar) or a buffer resource. What a later s_waitcnt
// waits for has happened when the instruction ends.
#include "core/hipcpu/retarget/assembly/access.h"
#include "core/hipcpu/retarget/flatten.h"

#include <algorithm>
#include <array>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gks::hipcpu {
namespace {

constexpr unsigned globalSpace = 1;
// The address of a global or flat instruction: a pair of vector registers, or an offset of 32 bits and a pair of scalar
// ones. nullptr when it has another form.
llvm::Value* globalAddress(AssemblyState& state, const AssemblyInstruction& instruction, const AssemblyOperand& vector,
                           const AssemblyOperand* scalar, unsigned space) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* pointer = ir.getPtrTy(space);
    llvm::Value* base = nullptr;
    if (scalar != nullptr && scalar->isRegister()) {
        base = ir.CreateGEP(ir.getInt8Ty(), state.read(*scalar, pointer),
                            ir.CreateZExt(state.read(vector, ir.getInt32Ty()), ir.getInt64Ty()));
    } else if (vector.isRegister() && vector.count == 2) {
        base = state.read(vector, pointer);
    } else {
        return nullptr;
    }
    return ir.CreateGEP(ir.getInt8Ty(), base, ir.CreateSExt(state.offset(instruction), ir.getInt64Ty()));
}

// Two halves or two bfloats at once: the device library has the loop.
llvm::Value* addPair(AssemblyState& state, std::string_view name, llvm::Value* pointer, unsigned space,
                     const AssemblyOperand& operand) {
    llvm::IRBuilder<>& ir = state.ir;
    const bool isFlat = space == 0;
    if (name == "pk_add_f16") {
        llvm::Type* type = llvm::FixedVectorType::get(ir.getHalfTy(), 2);
        return state.call(isFlat ? llvm::Intrinsic::amdgcn_flat_atomic_fadd
                                 : llvm::Intrinsic::amdgcn_global_atomic_fadd,
                          {type, pointer->getType(), type}, {pointer, state.read(operand, type)});
    }
    llvm::Type* type = llvm::FixedVectorType::get(ir.getInt16Ty(), 2);
    return state.call(isFlat ? llvm::Intrinsic::amdgcn_flat_atomic_fadd_v2bf16
                             : llvm::Intrinsic::amdgcn_global_atomic_fadd_v2bf16,
                      {pointer->getType()}, {pointer, state.read(operand, type)});
}

// The old value goes to the first operand where the instruction asks for it.
bool translateAtomic(AssemblyState& state, const AssemblyInstruction& instruction, std::string_view name,
                     unsigned space) {
    llvm::IRBuilder<>& ir = state.ir;
    const bool returns = instruction.has("sc0");
    const unsigned at = returns ? 1 : 0;
    if (instruction.operands.size() < at + 2) {
        return false;
    }
    const AssemblyOperand& data = instruction.operands[at + 1];
    const AssemblyOperand* scalar = instruction.operands.size() > at + 2 ? &instruction.operands[at + 2] : nullptr;
    llvm::Value* pointer = globalAddress(state, instruction, instruction.operands[at], scalar, space);
    if (pointer == nullptr) {
        return false;
    }
    llvm::Value* old = nullptr;
    if (name == "cmpswap" || name == "cmpswap_x2") { // the new value, then the one that is expected
        llvm::Type* type = name == "cmpswap" ? ir.getInt32Ty() : ir.getInt64Ty();
        llvm::Value* both = state.read(data, llvm::FixedVectorType::get(type, 2));
        llvm::Value* pair = ir.CreateAtomicCmpXchg(pointer, ir.CreateExtractElement(both, 1),
                                                   ir.CreateExtractElement(both, ir.getInt32(0)), llvm::MaybeAlign(),
                                                   llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
        old = ir.CreateExtractValue(pair, 0);
    } else if (name == "pk_add_f16" || name == "pk_add_bf16") {
        old = addPair(state, name, pointer, space, data);
    } else {
        old = atomicUpdate(state, name, pointer, data);
    }
    if (old != nullptr && returns) {
        state.write(instruction.operands[0], old);
    }
    return old != nullptr;
}

// Into LDS behind m0, four bytes for each lane.
llvm::Value* ldsTarget(AssemblyState& state, const AssemblyInstruction& instruction) {
    AssemblyOperand m0;
    m0.kind = AssemblyOperand::Kind::scalar;
    m0.first = scalarRegister::m0;
    llvm::Value* address = state.ir.CreateAdd(state.read(m0, state.ir.getInt32Ty()), state.offset(instruction));
    return state.ir.CreateIntToPtr(address, state.ir.getPtrTy(ldsAddressSpace));
}

bool translateGlobal(AssemblyState& state, const AssemblyInstruction& instruction) {
    std::string_view name = instruction.name;
    const bool isFlat = name.starts_with("flat_");
    if (!isFlat && !name.starts_with("global_")) {
        return false;
    }
    const unsigned space = isFlat ? 0 : globalSpace;
    name.remove_prefix(std::string_view(isFlat ? "flat_" : "global_").size());
    const auto& operands = instruction.operands;
    llvm::IRBuilder<>& ir = state.ir;
    if (name.starts_with("atomic_")) {
        return translateAtomic(state, instruction, name.substr(std::string_view("atomic_").size()), space);
    }
    if (name.starts_with("load_lds_")) {
        const auto access = accessNamed(name.substr(std::string_view("load_lds_").size()));
        llvm::Value* from = access && operands.size() == 2
                                ? globalAddress(state, instruction, operands[0], &operands[1], space)
                                : nullptr;
        if (from == nullptr) {
            return false;
        }
        state.call(
            llvm::Intrinsic::amdgcn_global_load_lds, {},
            {from, ldsTarget(state, instruction), ir.getInt32(access->bits / 8), ir.getInt32(0), ir.getInt32(0)});
        return true;
    }
    const bool loads = name.starts_with("load_");
    if ((!loads && !name.starts_with("store_")) || operands.size() < 2) {
        return false;
    }
    const auto access = accessOf(instruction, name.substr(name.find('_') + 1));
    const AssemblyOperand* scalar = operands.size() > 2 ? &operands[2] : nullptr;
    llvm::Value* pointer = access ? globalAddress(state, instruction, operands[loads ? 1 : 0], scalar, space) : nullptr;
    if (pointer == nullptr) {
        return false;
    }
    if (loads) {
        loadFrom(state, operands[0], *access, pointer);
    } else {
        storeTo(state, operands[1], *access, pointer);
    }
    return true;
}

// s_load_dwordx4 s[0:3], s[4:5], 0x10 and s_buffer_load_dword
bool translateScalarLoad(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    std::string_view name = instruction.name;
    const bool isBuffer = name.starts_with("s_buffer_load_dword");
    if ((!isBuffer && !name.starts_with("s_load_dword")) || instruction.operands.size() != 3) {
        return false;
    }
    name.remove_prefix(std::string_view(isBuffer ? "s_buffer_load_dword" : "s_load_dword").size());
    const auto words = name.empty() ? std::optional<std::int64_t>(1) : integerOf(name.substr(1));
    if (!words || *words > 16) {
        return false;
    }
    llvm::Value* offset = ir.CreateAdd(state.read(instruction.operands[2], ir.getInt32Ty()), state.offset(instruction));
    AssemblyOperand destination = instruction.operands[0];
    for (unsigned i = 0; i < *words; ++i, ++destination.first) {
        llvm::Value* at = ir.CreateAdd(offset, ir.getInt32(4 * i));
        if (isBuffer) {
            llvm::Type* resource = llvm::FixedVectorType::get(ir.getInt32Ty(), 4);
            state.write(destination, state.call(llvm::Intrinsic::amdgcn_raw_buffer_load, {ir.getInt32Ty()},
                                                {state.read(instruction.operands[1], resource), at, ir.getInt32(0),
                                                 ir.getInt32(0)}));
        } else {
            llvm::Value* base = state.read(instruction.operands[1], ir.getPtrTy(globalSpace));
            loadFrom(state, destination, {}, ir.CreateGEP(ir.getInt8Ty(), base, ir.CreateSExt(at, ir.getInt64Ty())));
        }
    }
    return true;
}

// How a buffer instruction says where: an index and an offset of the lane, a scalar offset.
struct BufferPlace {
    llvm::Value* resource = nullptr;
    llvm::Value* index = nullptr; // nullptr: none
    llvm::Value* lane = nullptr;
    llvm::Value* scalar = nullptr;
};

// The operands from `at` on: v4 or off, s[8:11], s3. The instruction's own offset belongs to the lane's.
BufferPlace bufferPlace(AssemblyState& state, const AssemblyInstruction& instruction, unsigned at,
                        bool withOffset = true) {
    llvm::IRBuilder<>& ir = state.ir;
    BufferPlace place;
    AssemblyOperand lane = instruction.operands[at];
    if (instruction.has("idxen")) {
        place.index = state.read(lane, ir.getInt32Ty());
        ++lane.first;
    }
    place.lane = instruction.has("offen") ? state.read(lane, ir.getInt32Ty()) : ir.getInt32(0);
    place.lane = withOffset ? ir.CreateAdd(place.lane, state.offset(instruction)) : place.lane;
    place.resource = state.read(instruction.operands[at + 1], llvm::FixedVectorType::get(ir.getInt32Ty(), 4));
    place.scalar = state.read(instruction.operands[at + 2], ir.getInt32Ty());
    return place;
}

// buffer_atomic_add_f32 v0, v1, s[8:11], 0 offen; v0 gets the old value where sc0 asks for it.
bool translateBufferAtomic(AssemblyState& state, const AssemblyInstruction& instruction, std::string_view name) {
    using Intrinsics = llvm::Intrinsic::AMDGCNIntrinsics;
    struct Row {
        std::string_view name;
        Intrinsics id;
        char type; // as in assembly_access.cpp; h: two halves
    };
    static constexpr auto rows = std::to_array<Row>({{"add_f32", Intrinsics::amdgcn_raw_buffer_atomic_fadd, 'f'},
                                                     {"add_f64", Intrinsics::amdgcn_raw_buffer_atomic_fadd, 'd'},
                                                     {"pk_add_f16", Intrinsics::amdgcn_raw_buffer_atomic_fadd, 'h'},
                                                     {"add", Intrinsics::amdgcn_raw_buffer_atomic_add, 'i'},
                                                     {"sub", Intrinsics::amdgcn_raw_buffer_atomic_sub, 'i'},
                                                     {"smax", Intrinsics::amdgcn_raw_buffer_atomic_smax, 'i'},
                                                     {"umax", Intrinsics::amdgcn_raw_buffer_atomic_umax, 'i'},
                                                     {"smin", Intrinsics::amdgcn_raw_buffer_atomic_smin, 'i'},
                                                     {"umin", Intrinsics::amdgcn_raw_buffer_atomic_umin, 'i'},
                                                     {"swap", Intrinsics::amdgcn_raw_buffer_atomic_swap, 'i'}});
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.name == name; });
    if (row == rows.end() || instruction.operands.size() != 4 || instruction.has("idxen")) {
        return false;
    }
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* type = row->type == 'f'   ? ir.getFloatTy()
                       : row->type == 'd' ? ir.getDoubleTy()
                       : row->type == 'h' ? static_cast<llvm::Type*>(llvm::FixedVectorType::get(ir.getHalfTy(), 2))
                                          : ir.getInt32Ty();
    const BufferPlace place = bufferPlace(state, instruction, 1);
    llvm::Value* old = state.call(
        row->id, {type},
        {state.read(instruction.operands[0], type), place.resource, place.lane, place.scalar, ir.getInt32(0)});
    if (instruction.has("sc0")) {
        state.write(instruction.operands[0], old);
    }
    return true;
}

bool translateBuffer(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    std::string_view name = instruction.name;
    if (name.starts_with("buffer_atomic_")) {
        return translateBufferAtomic(state, instruction, name.substr(std::string_view("buffer_atomic_").size()));
    }
    const bool loads = name.starts_with("buffer_load_");
    if ((!loads && !name.starts_with("buffer_store_")) || instruction.has("addr64")) {
        return false;
    }
    name.remove_prefix(std::string_view(loads ? "buffer_load_" : "buffer_store_").size());
    const auto access = accessNamed(name);
    const bool toLds = instruction.has("lds");
    const unsigned at = toLds ? 0 : 1;
    if (!access || instruction.operands.size() != at + 3) {
        return false;
    }
    if (toLds) {
        const BufferPlace place = bufferPlace(state, instruction, at, false);
        if (place.index != nullptr) {
            return false;
        }
        // The offset counts on both sides; the one of LDS is in its address.
        llvm::Value* lane = ir.CreateAdd(place.lane, state.offset(instruction));
        state.call(llvm::Intrinsic::amdgcn_raw_buffer_load_lds, {},
                   {place.resource, ldsTarget(state, instruction), ir.getInt32(access->bits / 8), lane, place.scalar,
                    ir.getInt32(0), ir.getInt32(0)});
        return true;
    }
    const BufferPlace place = bufferPlace(state, instruction, at);
    llvm::Type* type = access->type(state);
    llvm::SmallVector<llvm::Value*, 6> operands;
    if (!loads) {
        operands.push_back(valueToStore(state, instruction.operands[0], *access));
    }
    operands.push_back(place.resource);
    if (place.index != nullptr) {
        operands.push_back(place.index);
    }
    operands.append({place.lane, place.scalar, ir.getInt32(0)});
    const llvm::Intrinsic::ID id =
        place.index != nullptr
            ? (loads ? llvm::Intrinsic::amdgcn_struct_buffer_load : llvm::Intrinsic::amdgcn_struct_buffer_store)
            : (loads ? llvm::Intrinsic::amdgcn_raw_buffer_load : llvm::Intrinsic::amdgcn_raw_buffer_store);
    llvm::Value* loaded = state.call(id, {type}, operands);
    if (loads) {
        writeLoaded(state, instruction.operands[0], *access, loaded);
    }
    return true;
}

} // namespace

bool translateMemory(AssemblyState& state, const AssemblyInstruction& instruction) {
    return translateGlobal(state, instruction) || translateBuffer(state, instruction) ||
           translateScalarLoad(state, instruction);
}

} // namespace gks::hipcpu
