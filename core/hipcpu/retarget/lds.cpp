// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/lds.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/source_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <map>

namespace gks::hipcpu {
namespace {

constexpr std::uint64_t dynamicLdsAlignment = 1024;

bool isDynamic(const llvm::GlobalVariable& variable) {
    return variable.isDeclaration();
}

std::vector<llvm::GlobalVariable*> ldsVariables(llvm::Module& module) {
    std::vector<llvm::GlobalVariable*> variables;
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (variable.hasMetadata(mark::ldsVariable)) {
            variables.push_back(&variable);
        }
    }
    return variables;
}

llvm::SetVector<llvm::Function*> usersOf(const llvm::GlobalVariable& variable) {
    llvm::SetVector<llvm::Function*> functions;
    for (const llvm::User* user : variable.users()) {
        if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
            functions.insert(const_cast<llvm::Function*>(instruction->getFunction()));
        }
    }
    return functions;
}

// Places variables one behind the other.
class Layout {
public:
    void place(const llvm::GlobalVariable& variable) {
        const llvm::DataLayout& layout = variable.getDataLayout();
        m_end = llvm::alignTo(m_end, layout.getPreferredAlign(&variable));
        m_offsets[&variable] = m_end;
        m_end += layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
    }
    bool has(const llvm::GlobalVariable& variable) const { return m_offsets.count(&variable) != 0; }
    std::uint64_t offset(const llvm::GlobalVariable& variable) const { return m_offsets.at(&variable); }
    std::uint64_t end() const { return m_end; }
    void alignEnd() { m_end = llvm::alignTo(m_end, dynamicLdsAlignment); }

private:
    std::map<const llvm::GlobalVariable*, std::uint64_t> m_offsets;
    std::uint64_t m_end = 0;
};

void replaceUses(llvm::Function& function, llvm::GlobalVariable& variable, llvm::Value* address) {
    for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
        const auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (instruction != nullptr && instruction->getFunction() == &function) {
            use.set(address);
        }
    }
}

// A function outside kernels finds its block through the running thread.
llvm::Value* addressOutsideKernels(llvm::Function& function, const llvm::GlobalVariable& variable,
                                   const Layout& common) {
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    const auto thisThread = function.getParent()->getOrInsertFunction(
        "hipcpu_this_thread", llvm::FunctionType::get(builder.getPtrTy(), false));
    const auto field = [&](llvm::Type* type, llvm::Value* base, std::size_t offset) {
        return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset));
    };
    llvm::Value* block = field(builder.getPtrTy(), builder.CreateCall(thisThread), offsetof(ThreadContext, block));
    llvm::Value* lds = field(builder.getPtrTy(), block, offsetof(BlockContext, lds));
    llvm::Value* offset =
        isDynamic(variable)
            ? builder.CreateZExt(field(builder.getInt32Ty(), block, offsetof(BlockContext, staticLdsBytes)),
                                 builder.getInt64Ty())
            : static_cast<llvm::Value*>(builder.getInt64(common.offset(variable)));
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), lds, offset);
}

Result<void> bindKernel(Kernel& kernel, const std::vector<llvm::GlobalVariable*>& variables, Layout layout,
                        std::uint32_t limitBytes) {
    llvm::Function& function = *kernel.thread;
    std::vector<llvm::GlobalVariable*> used;
    for (llvm::GlobalVariable* variable : variables) {
        if (!usersOf(*variable).contains(&function)) {
            continue;
        }
        used.push_back(variable);
        if (isDynamic(*variable)) {
            kernel.usesDynamicLds = true;
        } else if (!layout.has(*variable)) {
            layout.place(*variable);
        }
    }
    if (layout.end() > limitBytes) {
        return kernelError(fmt::format("local memory ({}) exceeds limit ({}) in '{}'", layout.end(), limitBytes,
                                       readableName(kernel.name)));
    }
    if (kernel.usesDynamicLds) {
        layout.alignEnd();
    }
    kernel.staticLdsBytes = static_cast<std::uint32_t>(layout.end());
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    for (llvm::GlobalVariable* variable : used) {
        const std::uint64_t offset = isDynamic(*variable) ? layout.end() : layout.offset(*variable);
        replaceUses(
            function, *variable,
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(2), offset, variable->getName()));
    }
    return {};
}

// Does the pointer come from the kernel's arguments, i.e. from memory that the host has allocated?
bool isFromArguments(const llvm::Value* object, const llvm::Function& thread) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(object);
    if (load == nullptr) {
        return false;
    }
    const auto* storage = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(load->getPointerOperand()));
    return storage != nullptr && llvm::getUnderlyingObject(storage->getPointerOperand()) == thread.getArg(0);
}

// The scopes of all LDS variables. The arrays of dynamic LDS all begin at the same place and share one.
class Scopes {
public:
    explicit Scopes(llvm::Module& module) {
        llvm::MDBuilder builder(module.getContext());
        llvm::MDNode* domain = builder.createAnonymousAliasScopeDomain("hipcpu.lds");
        llvm::MDNode* dynamic = nullptr;
        for (const llvm::GlobalVariable* variable : ldsVariables(module)) {
            llvm::MDNode*& scope = m_scopes[variable];
            scope = isDynamic(*variable) && dynamic != nullptr
                        ? dynamic
                        : builder.createAnonymousAliasScope(domain, variable->getName());
            dynamic = isDynamic(*variable) ? scope : dynamic;
        }
    }
    bool empty() const { return m_scopes.empty(); }
    llvm::MDNode* of(const llvm::Value* object) const { return m_scopes.lookup(object); }
    llvm::MDNode* allExcept(const llvm::MDNode* left, llvm::LLVMContext& context) const {
        llvm::SetVector<llvm::Metadata*> others;
        for (const auto& [variable, scope] : m_scopes) {
            if (scope != left) {
                others.insert(scope);
            }
        }
        return llvm::MDNode::get(context, others.getArrayRef());
    }

private:
    llvm::MapVector<const llvm::Value*, llvm::MDNode*> m_scopes;
};

void addScopes(llvm::Instruction& access, unsigned kind, llvm::MDNode* scopes) {
    if (scopes->getNumOperands() > 0) {
        access.setMetadata(kind, llvm::MDNode::concatenate(access.getMetadata(kind), scopes));
    }
}

} // namespace

bool isInLds(const llvm::Value* pointer) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer, 0));
    return variable != nullptr && variable->hasMetadata(mark::ldsVariable);
}

void tagLdsAccesses(llvm::Function& thread) {
    llvm::LLVMContext& context = thread.getContext();
    const Scopes scopes(*thread.getParent());
    for (llvm::Instruction& access : llvm::instructions(thread)) {
        const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
        if (pointer == nullptr || scopes.empty()) {
            continue;
        }
        llvm::SmallVector<const llvm::Value*, 4> objects;
        llvm::getUnderlyingObjects(pointer, objects);
        if (llvm::MDNode* scope = objects.size() == 1 ? scopes.of(objects[0]) : nullptr) {
            addScopes(access, llvm::LLVMContext::MD_alias_scope, llvm::MDNode::get(context, {scope}));
            addScopes(access, llvm::LLVMContext::MD_noalias, scopes.allExcept(scope, context));
        } else if (std::all_of(objects.begin(), objects.end(),
                               [&](const llvm::Value* object) { return isFromArguments(object, thread); })) {
            addScopes(access, llvm::LLVMContext::MD_noalias, scopes.allExcept(nullptr, context));
        }
    }
}

Result<void> bindLds(llvm::Module& flat, std::vector<Kernel>& kernels, std::uint32_t limitBytes) {
    const std::vector<llvm::GlobalVariable*> variables = ldsVariables(flat);
    std::vector<llvm::Constant*> constants(variables.begin(), variables.end());
    llvm::convertUsersOfConstantsToInstructions(constants);
    llvm::SetVector<llvm::Function*> threads;
    for (const Kernel& kernel : kernels) {
        threads.insert(kernel.thread);
    }
    Layout common;
    bool commonDynamic = false;
    for (llvm::GlobalVariable* variable : variables) {
        for (llvm::Function* function : usersOf(*variable)) {
            if (!threads.contains(function)) {
                commonDynamic = commonDynamic || isDynamic(*variable);
                if (!isDynamic(*variable) && !common.has(*variable)) {
                    common.place(*variable);
                }
            }
        }
    }
    for (Kernel& kernel : kernels) {
        kernel.usesDynamicLds = commonDynamic;
        GKS_TRY(bindKernel(kernel, variables, common, limitBytes));
    }
    for (llvm::GlobalVariable* variable : variables) {
        for (llvm::Function* function : usersOf(*variable)) {
            replaceUses(*function, *variable, addressOutsideKernels(*function, *variable, common));
        }
        variable->removeDeadConstantUsers();
        if (variable->use_empty()) {
            variable->eraseFromParent();
        }
    }
    return {};
}

} // namespace gks::hipcpu
