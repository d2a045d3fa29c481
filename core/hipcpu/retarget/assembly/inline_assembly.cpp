// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/assembly/inline_assembly.h"

#include "core/base/text.h"
#include "core/hipcpu/retarget/assembly/bindings.h"
#include "core/hipcpu/retarget/assembly/flow.h"
#include "core/hipcpu/retarget/assembly/state.h"
#include "core/hipcpu/retarget/fences.h"
#include "core/hipcpu/retarget/flatten.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <map>

namespace gks::hipcpu {
namespace {

using Kind = AssemblyOperand::Kind;

// The families, asked one after the other: each instruction is one of the first that knows it.
bool translateInstruction(AssemblyState& state, const AssemblyInstruction& instruction) {
    if (translateLanes(state, instruction) || translateArithmetic(state, instruction) ||
        translateComparison(state, instruction)) {
        return true;
    }
    // The others read their sources without the choice of a lane.
    return !instruction.isDpp() && (translateScalar(state, instruction) || translateSaveExec(state, instruction) ||
                                    translatePacked(state, instruction) || translateMatrix(state, instruction) ||
                                    translateMemory(state, instruction) || translateLds(state, instruction));
}

bool mayOrderMemory(const Assembled& statement) {
    for (const AssemblyInstruction& one : statement.instructions) {
        if (!one.name.starts_with("v_")) {
            return true;
        }
    }
    return false;
}

bool waitsForMemory(const Assembled& statement) {
    return std::any_of(statement.instructions.begin(), statement.instructions.end(),
                       [](const AssemblyInstruction& one) { return one.name.starts_with("s_waitcnt"); });
}

llvm::GlobalVariable* m0Variable(llvm::Module& module) {
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (variable.hasMetadata(mark::m0)) {
            return &variable;
        }
    }
    llvm::Type* word = llvm::Type::getInt32Ty(module.getContext());
    auto* variable = new llvm::GlobalVariable(module, word, false, llvm::GlobalValue::InternalLinkage,
                                              llvm::ConstantInt::get(word, 0), "hipcpu.m0", nullptr,
                                              llvm::GlobalValue::NotThreadLocal, 1);
    variable->setMetadata(mark::m0, llvm::MDNode::get(module.getContext(), {}));
    return variable;
}

bool namesM0(const Assembled& statement) {
    for (const AssemblyInstruction& one : statement.instructions) {
        for (const AssemblyOperand& operand : one.operands) {
            if (operand.kind == Kind::scalar && operand.first == scalarRegister::m0) {
                return true;
            }
        }
        if (one.has("lds") || one.name.find("_lds_") != std::string::npos) {
            return true;
        }
    }
    return false;
}

} // namespace

AssemblyOutcome replaceAssembly(llvm::CallInst& call) {
    const auto& statement = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    const std::string text = abbreviated(statement.getAsmString(), 200);
    llvm::IRBuilder<> builder(&call);
    AssemblyState state(builder);
    const AssemblyBindings bindings(call, statement, state);
    if (!state.refusal().empty()) {
        return {fmt::format("inline assembly {}: \"{}\"", state.refusal(), text)};
    }
    const Assembled instructions = bindings.instructions();
    if (!instructions.problem.empty() || !state.refusal().empty()) {
        return {fmt::format("inline assembly: {}: \"{}\"",
                            instructions.problem.empty() ? state.refusal() : instructions.problem, text),
                bindings.hasOpenImmediates()};
    }
    if (bindings.clobbersMemory() || mayOrderMemory(instructions)) {
        builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
    }
    llvm::GlobalVariable* m0 = namesM0(instructions) ? m0Variable(*call.getModule()) : nullptr;
    if (m0 != nullptr) {
        state.put(Kind::scalar, scalarRegister::m0, builder.CreateLoad(builder.getInt32Ty(), m0));
    }
    AssemblyFlow flow(call, state, instructions);
    for (std::size_t i = 0; i < instructions.instructions.size(); ++i) {
        const AssemblyInstruction& one = instructions.instructions[i];
        flow.enter(i);
        flow.beginActive(one);
        if (!flow.jump(one, i) && !translateInstruction(state, one)) {
            return {fmt::format("{} in inline assembly is not supported on the cpu target: \"{}\"", one.name, text)};
        }
        if (!state.refusal().empty()) {
            return {fmt::format("{} in inline assembly {}: \"{}\"", one.name, state.refusal(), text)};
        }
        flow.endActive();
    }
    flow.end();
    if (m0 != nullptr) {
        builder.CreateStore(state.get(Kind::scalar, scalarRegister::m0, builder.getInt32Ty()), m0);
    }
    if (waitsForMemory(instructions)) {
        builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, waitScope(call.getContext()));
    }
    if (llvm::Value* results = bindings.results()) {
        call.replaceAllUsesWith(results);
    }
    call.eraseFromParent();
    return {};
}

void makeImmediatesConstant(llvm::Module& device) {
    for (llvm::Function& function : device) {
        const bool isKernel = function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
        if (!function.isDeclaration() && !isKernel) {
            function.removeFnAttr(llvm::Attribute::OptimizeNone);
            function.removeFnAttr(llvm::Attribute::NoInline);
            function.addFnAttr(llvm::Attribute::AlwaysInline);
        }
    }
    llvm::PassBuilder builder;
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager callGraph;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(callGraph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, callGraph, modules);
    llvm::ModulePassManager passes;
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
    passes.addPass(llvm::GlobalDCEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(
        builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O3, llvm::ThinOrFullLTOPhase::None)));
    passes.run(device, modules);
}

void bindM0(llvm::Module& flat) {
    llvm::GlobalVariable* variable = nullptr;
    for (llvm::GlobalVariable& one : flat.globals()) {
        variable = one.hasMetadata(mark::m0) ? &one : variable;
    }
    if (variable == nullptr) {
        return;
    }
    std::map<llvm::Function*, llvm::AllocaInst*> slots;
    for (llvm::Use& use : llvm::make_early_inc_range(variable->uses())) {
        auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (user == nullptr) {
            continue;
        }
        llvm::AllocaInst*& slot = slots[user->getFunction()];
        if (slot == nullptr) {
            llvm::BasicBlock& entry = user->getFunction()->getEntryBlock();
            llvm::IRBuilder<> builder(&entry, entry.begin());
            slot = builder.CreateAlloca(builder.getInt32Ty());
            builder.CreateStore(builder.getInt32(0), slot);
        }
        use.set(slot);
    }
    if (variable->use_empty()) {
        variable->eraseFromParent();
    }
}

} // namespace gks::hipcpu
