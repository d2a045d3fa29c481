// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/source_check.h"

#include "core/base/text.h"
#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/assembly/inline_assembly.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/matrix_instruction.h"
#include "core/hipcpu/retarget/portable_intrinsics.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace gks::hipcpu {
namespace {

std::string placeOf(const llvm::Instruction& instruction) {
    const llvm::DebugLoc& at = instruction.getDebugLoc();
    if (!at) {
        return readableName(instruction.getFunction()->getName().str());
    }
    // clang splits the path where it leaves the working directory.
    const std::filesystem::path file(at->getFilename().str());
    const std::filesystem::path folder(at->getDirectory().str());
    return fmt::format("{}:{}", (folder / file).string(), at->getLine());
}

const llvm::CallBase* firstCall(const llvm::Function& function) {
    for (const llvm::User* user : function.users()) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
            call != nullptr && call->getCalledOperand() == &function) {
            return call;
        }
    }
    return nullptr;
}

bool isWorkItemFence(const llvm::Function& function) {
    return function.getName() == "__atomic_work_item_fence" && function.getReturnType()->isVoidTy() &&
           function.arg_size() == 3;
}

// Matrix instructions go by their names alone.
bool isMatrixOf(Architecture architecture, const llvm::Function& function) {
    const std::string name = function.getName().drop_front(std::string_view("llvm.amdgcn.").size()).str();
    if (function.getIntrinsicID() == llvm::Intrinsic::not_intrinsic) {
        return architecture == Architecture::gfx950 && isMatrixOfGfx950(name);
    }
    const auto what = decodeMatrixName(name);
    return what && (architecture != Architecture::gfx950 || what->a != MatrixType::xf32); // it has xf32 no longer
}

bool isSupported(const llvm::Function& function, const llvm::Module& library, Architecture architecture) {
    const llvm::StringRef name = function.getName();
    for (const char* matrix : {"llvm.amdgcn.mfma.", "llvm.amdgcn.smfmac."}) {
        if (name.starts_with(matrix)) {
            return isMatrixOf(architecture, function);
        }
    }
    // What LLVM 19 does not know gfx950 has added.
    if (name.starts_with("llvm.amdgcn.") && function.getIntrinsicID() == llvm::Intrinsic::not_intrinsic &&
        architecture != Architecture::gfx950) {
        return false;
    }
    if (function.getIntrinsicID() == llvm::Intrinsic::amdgcn_div_scale) {
        return true; // see device_calls.cpp
    }
    const std::string libraryName = deviceLibraryName(function);
    if (libraryName.empty() && function.isIntrinsic()) {
        return isPortable(function);
    }
    const llvm::GlobalValue* found = library.getNamedValue(libraryName.empty() ? name : llvm::StringRef(libraryName));
    return (found != nullptr && !found->isDeclaration()) || isWorkItemFence(function);
}

// The letters of identifiers, what mangling and numbering add, and no others.
bool isSymbol(llvm::StringRef name) {
    return llvm::all_of(name,
                        [](char letter) {
                            return llvm::isAlnum(letter) || letter == '_' || letter == '.' || letter == '$' ||
                                   (letter & 0x80) != 0;
                        }) &&
           sanitizedUtf8(name.str()) == name.str();
}

} // namespace

// What a build of several sources may lack.
constexpr const char* ofAnotherSource = "; device code of another source is reached with -fgpu-rdc alone";

std::string readableName(const std::string& mangled) {
    return llvm::demangle(mangled);
}

std::vector<std::string> kernelsUsing(const llvm::Function& function) {
    std::vector<std::string> kernels;
    llvm::SmallPtrSet<const llvm::Function*, 16> seen = {&function};
    std::vector<const llvm::Value*> open = {&function};
    while (!open.empty()) {
        const llvm::Value* value = open.back();
        open.pop_back();
        for (const llvm::User* user : value->users()) {
            const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
            if (instruction == nullptr) {
                open.push_back(user);
            } else if (const llvm::Function* caller = instruction->getFunction(); seen.insert(caller).second) {
                if (caller->getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL) {
                    kernels.push_back(readableName(caller->getName().str()));
                }
                open.push_back(caller);
            }
        }
    }
    std::sort(kernels.begin(), kernels.end());
    return kernels;
}

std::vector<std::string> translateInlineAssembly(llvm::Module& device) {
    std::vector<std::string> refused;
    if (!device.getModuleInlineAsm().empty()) {
        refused.push_back(fmt::format("assembly at file scope is not supported on the cpu target: \"{}\"",
                                      abbreviated(device.getModuleInlineAsm(), 200)));
    }
    const auto replaceAll = [&] {
        std::vector<std::string> open;
        for (llvm::Function& function : device) {
            std::vector<llvm::CallInst*> statements; // they may become several blocks
            for (llvm::Instruction& instruction : llvm::instructions(function)) {
                auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                if (call != nullptr && call->isInlineAsm()) {
                    statements.push_back(call);
                }
            }
            for (llvm::CallInst* call : statements) {
                const std::string place = placeOf(*call);
                AssemblyOutcome outcome = replaceAssembly(*call);
                if (!outcome.refusal.empty()) {
                    (outcome.wantsConstants ? open : refused).push_back(place + ": " + outcome.refusal);
                }
            }
        }
        return open;
    };
    for (llvm::Function& function : device) {
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            if (llvm::isa<llvm::CallBrInst, llvm::IndirectBrInst>(instruction)) {
                refused.push_back(fmt::format("{}: jumps to labels from assembly or through a variable are not "
                                              "supported on the cpu target",
                                              placeOf(instruction)));
            }
        }
    }
    std::vector<std::string> open = replaceAll();
    if (!open.empty() && refused.empty()) {
        makeImmediatesConstant(device);
        open = replaceAll();
    }
    refused.insert(refused.end(), open.begin(), open.end());
    return refused;
}

std::vector<std::string> misfittingCalls(const llvm::Module& device) {
    std::vector<std::string> refused;
    for (const llvm::Function& function : device) {
        llvm::SmallVector<llvm::Type*, 4> types;
        const llvm::CallBase* call = firstCall(function);
        if (call == nullptr || function.getIntrinsicID() == llvm::Intrinsic::not_intrinsic ||
            llvm::Intrinsic::getIntrinsicSignature(const_cast<llvm::Function*>(&function), types)) {
            continue;
        }
        std::string form;
        llvm::raw_string_ostream(form) << *function.getFunctionType();
        refused.push_back(fmt::format("{}: {} is called in a form that it does not have: {}", placeOf(*call),
                                      llvm::Intrinsic::getBaseName(function.getIntrinsicID()).str(), form));
    }
    return refused;
}

std::vector<std::string> unsupportedCalls(const llvm::Module& device, const llvm::Module& deviceLibrary,
                                          Architecture architecture) {
    std::vector<std::string> refused;
    for (const llvm::Function& function : device) {
        if (!function.isDeclaration() || function.use_empty() || isSupported(function, deviceLibrary, architecture)) {
            continue;
        }
        const llvm::CallBase* call = firstCall(function);
        const std::vector<std::string> kernels = kernelsUsing(function);
        const bool isOfSource = function.getName().starts_with("_Z"); // not a builtin's or a library's name
        refused.push_back(fmt::format(
            "{}{} {} (used by {}){}", call != nullptr ? placeOf(*call) + ": " : std::string(),
            readableName(function.getName().str()),
            isOfSource ? "is declared for the device and not defined there" : "is not supported on the cpu target",
            kernels.empty() ? std::string("no kernel") : join(kernels, ", "), isOfSource ? ofAnotherSource : ""));
    }
    return refused;
}

std::vector<std::string> unusableNames(const llvm::Module& device) {
    std::vector<std::string> refused;
    for (const llvm::GlobalVariable& variable : device.globals()) {
        // The dynamic LDS is declared like this; nothing else is anybody's to provide.
        if (variable.isDeclaration() && variable.getAddressSpace() != ldsAddressSpace) {
            refused.push_back(fmt::format("{} is not provided to device code by the cpu target{}",
                                          readableName(variable.getName().str()), ofAnotherSource));
        }
    }
    for (const llvm::GlobalObject& object : device.global_objects()) {
        const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&object);
        const auto* function = llvm::dyn_cast<llvm::Function>(&object);
        const bool isKernel = function != nullptr && function->getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
        const bool isNamed = variable != nullptr && variable->isExternallyInitialized();
        if ((isKernel || isNamed) && !isSymbol(object.getName())) {
            refused.push_back(fmt::format("the symbol of a {} holds a character that no identifier has",
                                          isKernel ? "kernel" : "device variable"));
        }
    }
    return refused;
}

} // namespace gks::hipcpu
