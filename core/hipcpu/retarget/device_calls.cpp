// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/device_calls.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/fibre_turns.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/matrix_calls.h"
#include "core/hipcpu/retarget/operand_slots.h"
#include "core/hipcpu/retarget/places.h"

#include <fmt/format.h>
#include <functional>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <map>

namespace gks::hipcpu {
namespace {

void throughMemory(llvm::CallInst& call, OperandSlots& slots) {
    llvm::IRBuilder<> builder(&call);
    llvm::Module& module = *call.getModule();
    llvm::SmallVector<llvm::Value*, 8> operands;
    llvm::AllocaInst* result = nullptr;
    if (!call.getType()->isVoidTy()) {
        result = slots.slot(*call.getFunction(), call.getType(), 0);
        operands.push_back(result);
    }
    unsigned position = 1;
    for (llvm::Value* operand : call.args()) {
        operands.push_back(goesThroughMemory(operand->getType()) ? slots.stored(builder, operand, position) : operand);
        ++position;
    }
    llvm::SmallVector<llvm::Type*, 8> types;
    for (const llvm::Value* operand : operands) {
        types.push_back(operand->getType());
    }
    // The declaration with vectors still has the name; it is renamed once all its calls are gone.
    const std::string name = call.getCalledFunction()->getName().str() + ".memory";
    const auto callee = module.getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
    builder.CreateCall(callee, operands);
    if (result != nullptr) {
        call.replaceAllUsesWith(builder.CreateAlignedLoad(call.getType(), result, result->getAlign()));
    }
    call.eraseFromParent();
}

void forEachCall(llvm::Function& callee, const std::function<void(llvm::CallInst&)>& visit) {
    for (llvm::User* user : llvm::make_early_inc_range(callee.users())) {
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
            call != nullptr && call->getCalledFunction() == &callee) {
            visit(*call);
        }
    }
}

// What an instruction leaves as it was where a builtin says nothing of it (`old` of __builtin_amdgcn_mov_dpp) is some
// value on a card. Poison would take what is joined with it along: the other half of a double that is moved by halves.
void giveValuesToPoison(llvm::CallInst& call) {
    for (llvm::Use& operand : call.args()) {
        if (llvm::isa<llvm::UndefValue>(operand.get())) {
            operand.set(llvm::Constant::getNullValue(operand->getType()));
        }
    }
}

// The first step of AMD's division scales what the later ones could not hold; here the last one divides, and there is
// nothing to scale: (numerator, denominator, whether the first is meant) gives that and no flag.
void divisionScale(llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value* meant = builder.CreateSelect(call.getArgOperand(2), call.getArgOperand(0), call.getArgOperand(1));
    llvm::Value* pair = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), meant, 0);
    call.replaceAllUsesWith(builder.CreateInsertValue(pair, builder.getFalse(), 1));
    call.eraseFromParent();
}

// The 8-bit floats of gfx950 are OCP's, by the same instructions.
void chooseEncoding(llvm::Module& flat) {
    for (const char* name : {"amdgcn_cvt_f32_", "v_amdgcn_cvt_pk_f32_"}) {
        for (const char* type : {"fp8", "bf8"}) {
            const std::string whole = std::string("hipcpu_") + name + type;
            if (llvm::Function* function = flat.getFunction(whole)) {
                function->setName(whole + "_ocp");
            }
        }
    }
    for (const char* name : {"cvt_pk_", "cvt_sr_"}) {
        for (const char* type : {"fp8", "bf8"}) {
            const std::string whole = std::string("hipcpu_amdgcn_") + name + type + "_f32";
            if (llvm::Function* function = flat.getFunction(whole)) {
                function->setName(whole + "_ocp");
            }
        }
    }
}

void lowerCallsOf(llvm::Function& callee, OperandSlots& slots, Architecture architecture) {
    static constexpr std::string_view vectorPrefix = "hipcpu_v_";
    const std::string name = callee.getName().str();
    for (const char* prefix : {"hipcpu_v_amdgcn_", "hipcpu_amdgcn_"}) {
        const llvm::StringRef rest = llvm::StringRef(name).starts_with(prefix)
                                         ? llvm::StringRef(name).drop_front(std::string_view(prefix).size())
                                         : "";
        if (rest.starts_with("mfma_") || rest.starts_with("smfmac_")) {
            forEachCall(callee, [&](llvm::CallInst& call) { lowerMatrixCall(call, slots, rest, architecture); });
            return;
        }
    }
    if (name.starts_with("hipcpu_amdgcn_div_scale_")) {
        forEachCall(callee, divisionScale);
        return;
    }
    if (name.starts_with(vectorPrefix) && !name.ends_with(".memory")) {
        forEachCall(callee, [&](llvm::CallInst& call) { throughMemory(call, slots); });
        if (llvm::Function* memory = callee.getParent()->getFunction(name + ".memory")) {
            callee.setName(name + ".vector");
            memory->setName(name);
        }
    }
}

void lowerIntrinsic(llvm::IntrinsicInst& call) {
    llvm::IRBuilder<> builder(&call);
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap: {
        const auto fail = call.getModule()->getOrInsertFunction(
            "hipcpu_fail", llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false));
        builder.CreateCall(fail,
                           {builder.CreateGlobalString("the kernel stopped itself (trap, abort or failed assertion)")});
        call.eraseFromParent();
        break;
    }
    case llvm::Intrinsic::readsteadycounter:
        call.replaceAllUsesWith(builder.CreateIntrinsic(llvm::Intrinsic::readcyclecounter, {}, {}));
        call.eraseFromParent();
        break;
    case llvm::Intrinsic::canonicalize:
        call.replaceAllUsesWith(builder.CreateFMul(call.getArgOperand(0), llvm::ConstantFP::get(call.getType(), 1.0)));
        call.eraseFromParent();
        break;
    default:
        break;
    }
}

// On the device an LDS address is 32 bits wide and counts from the start of the block's LDS; so it is here. Those bits
// of a generic pointer into LDS are the same number there; here they are the low half of an address, which is told from
// an offset by its size: the runtime has LDS where no offset reaches (see block_grid.cpp).
void lowerLdsAddress(llvm::Instruction& instruction) {
    llvm::IRBuilder<> builder(&instruction);
    const auto base = instruction.getModule()->getOrInsertFunction("hipcpu_lds_base",
                                                                   llvm::FunctionType::get(builder.getPtrTy(), false));
    llvm::Value* start = builder.CreateCall(base);
    llvm::Value* result = nullptr;
    if (llvm::isa<llvm::PtrToIntInst>(instruction)) {
        llvm::Value* address = builder.CreatePtrToInt(instruction.getOperand(0), builder.getInt64Ty());
        llvm::Value* offset = builder.CreateSub(address, builder.CreatePtrToInt(start, builder.getInt64Ty()));
        result = builder.CreateZExtOrTrunc(offset, instruction.getType());
    } else {
        llvm::Value* given = builder.CreateZExtOrTrunc(instruction.getOperand(0), builder.getInt32Ty());
        llvm::Value* inside = builder.CreateSub(given, builder.CreatePtrToInt(start, builder.getInt32Ty()));
        llvm::Value* isAddress = builder.CreateICmpULT(inside, builder.getInt32(greatestLdsBytes));
        llvm::Value* offset = builder.CreateZExt(builder.CreateSelect(isAddress, inside, given), builder.getInt64Ty());
        result = builder.CreateGEP(builder.getInt8Ty(), start, offset);
    }
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
}

llvm::Value* resized(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
    return value->getType() == type ? value : builder.CreateZExtOrTrunc(value, type);
}

// Header versions disagree about bool and int in some library functions. False when the signatures cannot be
// reconciled.
bool adaptCall(llvm::CallInst& call, llvm::Function& function) {
    const auto fits = [](const llvm::Type* from, const llvm::Type* to) {
        return from == to || (from->isIntegerTy() && to->isIntegerTy());
    };
    llvm::FunctionType* type = function.getFunctionType();
    if (call.arg_size() != type->getNumParams() || !fits(type->getReturnType(), call.getType())) {
        return false;
    }
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value*, 8> operands;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
        if (!fits(call.getArgOperand(i)->getType(), type->getParamType(i))) {
            return false;
        }
        operands.push_back(resized(builder, call.getArgOperand(i), type->getParamType(i)));
    }
    llvm::CallInst* adapted = builder.CreateCall(&function, operands);
    call.replaceAllUsesWith(resized(builder, adapted, call.getType()));
    call.eraseFromParent();
    return true;
}

void extendOperands(llvm::CallBase& call, const llvm::Function& function) {
    for (unsigned i = 0; i < call.arg_size(); ++i) {
        for (const auto kind : {llvm::Attribute::ZExt, llvm::Attribute::SExt}) {
            if (function.hasParamAttribute(i, kind)) {
                call.addParamAttr(i, kind);
            }
        }
    }
}

void describeRuntimeFunction(llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    function.setAttributes({});
    function.setDoesNotThrow();
    function.addFnAttr(llvm::Attribute::NonLazyBind); // a barrier is too short for a detour through the PLT
    if (name == "hipcpu_this_thread" || name == "hipcpu_lds_base") {
        function.setDoesNotAccessMemory();
        function.setWillReturn();
        function.addFnAttr(llvm::Attribute::Speculatable);
    } else if (name == "hipcpu_fail") {
        function.setDoesNotReturn();
        function.addFnAttr(llvm::Attribute::Cold);
    } else {
        function.setConvergent();
    }
}

} // namespace

void lowerDeviceCalls(llvm::Module& flat, Architecture architecture) {
    OperandSlots slots;
    // Lowering adds declarations to the module, so what there is to lower is listed first.
    llvm::SmallVector<llvm::Function*, 32> declared;
    for (llvm::Function& function : flat) {
        if (function.isDeclaration() && !function.isIntrinsic()) {
            declared.push_back(&function);
        }
    }
    for (llvm::Function* function : declared) {
        forEachCall(*function, giveValuesToPoison);
        lowerCallsOf(*function, slots, architecture);
    }
    if (architecture == Architecture::gfx950) {
        chooseEncoding(flat);
    }
    for (llvm::Function& function : flat) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (instruction.hasMetadata(mark::ldsAddress)) {
                lowerLdsAddress(instruction);
            } else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
                lowerIntrinsic(*call);
            }
        }
    }
    for (llvm::Function& function : llvm::make_early_inc_range(flat)) {
        if (function.isDeclaration() && function.use_empty()) {
            function.eraseFromParent();
        }
    }
}

Result<void> adoptLibrarySignatures(llvm::Module& flat) {
    for (llvm::Function& function : flat) {
        if (function.isDeclaration() && function.getName().starts_with("hipcpu_")) {
            describeRuntimeFunction(function);
        }
        for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(user);
            if (call == nullptr || call->getCalledOperand() != &function) {
                continue;
            }
            if (call->getFunctionType() == function.getFunctionType()) {
                extendOperands(*call, function);
            } else if (!adaptCall(*call, function)) {
                return infrastructureError(
                    fmt::format("the device library's {} has another signature than the compiler's",
                                function.getName().str()),
                    "hipcpu_device.bc", "Build the program and its device library from one version");
            }
        }
    }
    return {};
}

bool isLaneFunction(const llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    return !function.isDeclaration() && (name.starts_with("hipcpu_") || name.starts_with("__ockl_")) &&
           !name.starts_with("hipcpu_thread.") &&
           llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
               const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
               return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::returnaddress;
           });
}

namespace {

// When lanes of a wave wait at several sites those at the one of the least number go on.
void numberSites(llvm::Function& function, std::uint64_t& site) {
    llvm::SmallVector<llvm::BasicBlock*, 64> blocks;
    const Places places = placesOf(function);
    for (llvm::BasicBlock& block : function) {
        blocks.push_back(&block);
    }
    llvm::stable_sort(blocks, [&](const llvm::BasicBlock* a, const llvm::BasicBlock* b) {
        return places.lookup(a) < places.lookup(b);
    });
    for (llvm::BasicBlock* block : blocks) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
            auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::returnaddress) {
                llvm::Constant* number =
                    llvm::ConstantInt::get(llvm::Type::getInt64Ty(block->getContext()), site += siteStep);
                call->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(number, call->getType()));
                call->eraseFromParent();
            }
        }
    }
}

} // namespace

void inlineLaneFunctions(llvm::Module& flat) {
    llvm::SmallVector<llvm::Function*, 16> laneFunctions;
    for (llvm::Function& function : flat) {
        if (isLaneFunction(function)) {
            laneFunctions.push_back(&function);
        }
    }
    // A lane function may call another: repeat until all calls from elsewhere are gone.
    for (bool changed = true; changed;) {
        changed = false;
        for (llvm::Function* function : laneFunctions) {
            forEachCall(*function, [&](llvm::CallInst& call) {
                if (!llvm::is_contained(laneFunctions, call.getFunction())) {
                    llvm::InlineFunctionInfo info;
                    changed = llvm::InlineFunction(call, info).isSuccess() || changed;
                }
            });
        }
    }
    std::uint64_t site = 0;
    for (llvm::Function& function : flat) {
        if (!function.isDeclaration() && !llvm::is_contained(laneFunctions, &function)) {
            numberSites(function, site);
        }
    }
}

} // namespace gks::hipcpu
