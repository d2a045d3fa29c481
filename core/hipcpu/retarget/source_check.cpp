// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/source_check.h"

#include "core/base/text.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/matrix_instruction.h"
#include "core/hipcpu/retarget/portable_intrinsics.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <optional>

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

// One instruction without its comment, which begins with either of these.
std::string_view instructionOf(std::string_view line) {
    return trimmed(line.substr(0, std::min(line.find(';'), line.find("//"))));
}

bool isBarrierLine(std::string_view line) {
    return instructionOf(line) == "s_barrier";
}

// Instructions that wait for memory or advise the scheduler: a CPU needs neither.
bool isHint(std::string_view line) {
    static constexpr std::array<std::string_view, 8> hints = {"s_waitcnt", "s_nop",       "s_setprio",  "s_sleep",
                                                              "s_sched",   "buffer_wbl2", "buffer_inv", "s_icache"};
    line = instructionOf(line);
    return line.empty() ||
           std::any_of(hints.begin(), hints.end(), [&](std::string_view hint) { return line.starts_with(hint); });
}

bool isHintsAndBarriers(std::string_view text) {
    const auto all = lines(text);
    return std::all_of(all.begin(), all.end(),
                       [](std::string_view line) { return isHint(line) || isBarrierLine(line); });
}

bool hasBarrier(std::string_view text) {
    const auto all = lines(text);
    return std::any_of(all.begin(), all.end(), isBarrierLine);
}

// For statements whose outputs are tied to inputs ("+v"): the values that come out. nullopt when an output has no
// input.
std::optional<llvm::Value*> handedThrough(llvm::CallInst& call, const llvm::InlineAsm& statement) {
    if (call.getType()->isVoidTy()) {
        return nullptr;
    }
    llvm::SmallVector<llvm::Value*, 4> outputs;
    unsigned operand = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : statement.ParseConstraints()) {
        if (constraint.Type == llvm::InlineAsm::isOutput) {
            outputs.push_back(nullptr);
        } else if (constraint.Type == llvm::InlineAsm::isInput) {
            unsigned tied = 0;
            if (!constraint.Codes.empty() && !llvm::StringRef(constraint.Codes[0]).getAsInteger(10, tied) &&
                tied < outputs.size()) {
                outputs[tied] = call.getArgOperand(operand);
            }
            ++operand;
        }
    }
    if (std::count(outputs.begin(), outputs.end(), nullptr) != 0) {
        return std::nullopt;
    }
    if (outputs.size() == 1) {
        return outputs[0];
    }
    llvm::IRBuilder<> builder(&call);
    llvm::Value* all = llvm::PoisonValue::get(call.getType());
    for (unsigned i = 0; i < outputs.size(); ++i) {
        all = builder.CreateInsertValue(all, outputs[i], i);
    }
    return all;
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

bool isSupported(const llvm::Function& function, const llvm::Module& library) {
    const llvm::StringRef name = function.getName();
    for (const char* matrix : {"llvm.amdgcn.mfma.", "llvm.amdgcn.smfmac."}) {
        if (name.starts_with(matrix)) {
            return function.getIntrinsicID() != llvm::Intrinsic::not_intrinsic &&
                   decodeMatrixName(name.drop_front(std::string_view("llvm.amdgcn.").size()).str()).has_value();
        }
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

std::vector<std::string> removeInlineAssembly(llvm::Module& device) {
    std::vector<std::string> refused;
    if (!device.getModuleInlineAsm().empty()) {
        refused.push_back(fmt::format("assembly at file scope is not supported on the cpu target: \"{}\"",
                                      abbreviated(device.getModuleInlineAsm(), 200)));
    }
    for (llvm::Function& function : device) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            if (llvm::isa<llvm::CallBrInst, llvm::IndirectBrInst>(instruction)) {
                refused.push_back(fmt::format("{}: jumps to labels from assembly or through a variable are not "
                                              "supported on the cpu target",
                                              placeOf(instruction)));
                continue;
            }
            if (call == nullptr || !call->isInlineAsm()) {
                continue;
            }
            const auto* statement = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
            const auto result = isHintsAndBarriers(statement->getAsmString()) ? handedThrough(*call, *statement)
                                                                              : std::optional<llvm::Value*>();
            if (!result) {
                refused.push_back(fmt::format("{}: inline assembly is not supported on the cpu target: \"{}\"",
                                              placeOf(*call), abbreviated(statement->getAsmString(), 200)));
                continue;
            }
            llvm::IRBuilder<> builder(call);
            builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
            if (hasBarrier(statement->getAsmString())) {
                builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_s_barrier, {}, {});
            }
            if (*result != nullptr) {
                call->replaceAllUsesWith(*result);
            }
            call->eraseFromParent();
        }
    }
    return refused;
}

std::vector<std::string> unsupportedCalls(const llvm::Module& device, const llvm::Module& deviceLibrary) {
    std::vector<std::string> refused;
    for (const llvm::Function& function : device) {
        if (!function.isDeclaration() || function.use_empty() || isSupported(function, deviceLibrary)) {
            continue;
        }
        const llvm::CallBase* call = firstCall(function);
        const std::vector<std::string> kernels = kernelsUsing(function);
        refused.push_back(fmt::format("{}{} is not supported on the cpu target (used by {})",
                                      call != nullptr ? placeOf(*call) + ": " : std::string(),
                                      readableName(function.getName().str()),
                                      kernels.empty() ? std::string("no kernel") : join(kernels, ", ")));
    }
    return refused;
}

std::vector<std::string> unusableNames(const llvm::Module& device) {
    std::vector<std::string> refused;
    for (const llvm::GlobalVariable& variable : device.globals()) {
        // The dynamic LDS is declared like this; nothing else is anybody's to provide.
        if (variable.isDeclaration() && variable.getAddressSpace() != ldsAddressSpace) {
            refused.push_back(fmt::format("{} is not provided to device code by the cpu target",
                                          readableName(variable.getName().str())));
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
