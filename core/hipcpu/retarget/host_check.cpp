// SPDX-License-Identifier: GPL-3.0-or-later
// The host side of a kernel, between clang's front end and the code generator.
//
// On the cpu target device buffers are ordinary memory, and host code could do the work of a kernel in place, at native
// speed and without a launch. On a GPU the same access is a fault, so here it is made one: every load, store, atomic
// and copy through a pointer of unknown origin first asks the runtime library whether the address lies in a device
// buffer, and so does every call that hands such a pointer to another library (HIP itself excepted). Host code of an
// honest kernel plans and launches; it has next to no such accesses, and each costs a comparison. Stack variables,
// globals and fresh allocations need no question.
#include "core/hipcpu/retarget/host_check.h"

#include "core/base/text.h"
#include "core/hipcpu/retarget/host_code.h"
#include "core/hipcpu/retarget/source_check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <set>

namespace gks::hipcpu {
namespace {

constexpr std::size_t shownAssemblyBytes = 120;

// What compilers and HIP's headers make themselves.
constexpr std::array<std::string_view, 9> ordinarySections = {"llvm.metadata", ".hip", "__hip",  ".text", ".rodata",
                                                              ".data",         ".bss", ".tdata", ".tbss"};

bool hasOrdinarySection(const llvm::GlobalObject& object) {
    const llvm::StringRef section = object.getSection();
    const bool isCode = llvm::isa<llvm::Function>(object);
    return section.empty() ||
           std::any_of(ordinarySections.begin(), ordinarySections.end(), [&](std::string_view prefix) {
               return section.starts_with(prefix) && (prefix == ".text") == isCode;
           });
}

// The C++ library's headers name symbols that must be linked in, which makes no code.
bool makesNoCode(std::string_view fileScope) {
    const auto all = lines(fileScope);
    return std::all_of(all.begin(), all.end(), [](std::string_view line) {
        return trimmed(line).empty() || trimmed(line).starts_with(".globl ");
    });
}

// Calls of these take device pointers, or are made by the compiler.
bool mayTakeDevicePointers(const llvm::Function& callee) {
    return callee.getName().starts_with("hip") || callee.getName().starts_with("__hip") || !callee.isDeclaration();
}

bool needsQuestion(const llvm::Value* pointer) {
    const llvm::Value* origin = llvm::getUnderlyingObject(pointer, 0);
    return !llvm::isa<llvm::AllocaInst>(origin) && !llvm::isa<llvm::GlobalValue>(origin) &&
           !llvm::isa<llvm::ConstantPointerNull>(origin) && !llvm::isNoAliasCall(origin);
}

std::vector<llvm::Value*> pointersOf(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        return {load->getPointerOperand()};
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        return {store->getPointerOperand()};
    }
    if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        return {change->getPointerOperand()};
    }
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        return {exchange->getPointerOperand()};
    }
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) {
        return {};
    }
    const llvm::Function* callee = call->getCalledFunction();
    const bool isMemoryCall = llvm::isa<llvm::AnyMemIntrinsic>(call) ||
                              (callee != nullptr && (callee->getIntrinsicID() == llvm::Intrinsic::masked_load ||
                                                     callee->getIntrinsicID() == llvm::Intrinsic::masked_store ||
                                                     callee->getIntrinsicID() == llvm::Intrinsic::masked_gather));
    if (callee != nullptr && !isMemoryCall && (callee->isIntrinsic() || mayTakeDevicePointers(*callee))) {
        return {};
    }
    std::vector<llvm::Value*> pointers;
    for (llvm::Value* argument : call->args()) {
        if (argument->getType()->isPointerTy()) {
            pointers.push_back(argument);
        }
    }
    return pointers;
}

void guard(llvm::Function& function, llvm::FunctionCallee question) {
    for (llvm::BasicBlock& block : function) {
        llvm::SmallPtrSet<const llvm::Value*, 16> asked;
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
            for (llvm::Value* pointer : pointersOf(instruction)) {
                if (needsQuestion(pointer) && asked.insert(pointer).second) {
                    llvm::IRBuilder<>(&instruction).CreateCall(question, {pointer});
                }
            }
        }
    }
}

} // namespace

Result<void> checkHostCode(const llvm::Module& host) {
    std::set<std::string> refused;
    if (!makesNoCode(host.getModuleInlineAsm())) {
        refused.insert(fmt::format("assembly at file scope is refused in host code: \"{}\"",
                                   abbreviated(host.getModuleInlineAsm(), shownAssemblyBytes)));
    }
    for (const llvm::GlobalObject& object : host.global_objects()) {
        if (!hasOrdinarySection(object)) {
            refused.insert(fmt::format("{}: a section of its own is refused in host code: \"{}\"",
                                       readableName(object.getName().str()), object.getSection().str()));
        }
    }
    for (const llvm::Function& function : host) {
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
            const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            const auto* statement =
                call != nullptr ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
            if (statement != nullptr && !trimmed(statement->getAsmString()).empty()) {
                refused.insert(fmt::format("{}: inline assembly in host code is refused: \"{}\"",
                                           readableName(function.getName().str()),
                                           abbreviated(statement->getAsmString(), shownAssemblyBytes)));
            }
        }
    }
    return refused.empty() ? Result<void>()
                           : kernelError("error: " + join({refused.begin(), refused.end()}, "\nerror: "));
}

void guardDeviceMemory(llvm::Module& host) {
    llvm::LLVMContext& context = host.getContext();
    const llvm::FunctionCallee question = host.getOrInsertFunction(
        "__hipHostAccess", llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::get(context, 0)},
                                                   /*isVarArg=*/false));
    for (llvm::Function& function : host) {
        guard(function, question);
    }
}

Result<void> compileHostCode(const std::filesystem::path& bitcode, const HostObjects& objects, int optimisationLevel) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const std::unique_ptr<llvm::Module> host = llvm::parseIRFile(bitcode.string(), problem, context);
    if (host == nullptr) {
        return infrastructureError("not LLVM 19 bitcode: " + problem.getMessage().str(), bitcode.string());
    }
    GKS_TRY(checkHostCode(*host));
    GKS_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, hostMachine(optimisationLevel));
    if (!objects.unguarded.empty()) {
        const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*host);
        GKS_TRY(emitObject(*copy, *machine, objects.unguarded));
    }
    guardDeviceMemory(*host);
    return emitObject(*host, *machine, objects.guarded);
}

} // namespace gks::hipcpu
