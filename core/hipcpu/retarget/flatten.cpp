// SPDX-License-Identifier: GPL-3.0-or-later
// Address spaces, flattened. Device IR keeps LDS, private, constant and global memory in separate address spaces with
// pointers of different sizes; on the CPU all of it is memory of one process. LLVM has no pass for this, but its value
// mapper can rename types while it copies: every `ptr addrspace(N)` becomes `ptr`, also inside structures, signatures
// and attributes. Three things need care: constant address space casts (the mapper would build an invalid cast, so a
// materializer replaces them by their operand), overloaded intrinsics (llvm.memcpy.p0.p4 and .p0.p5 become the same
// function), and 32-bit LDS addresses, which are marked here and turned into offsets when the LDS layout is known.
// Cost: one copy of the module, a few milliseconds.
#include "core/hipcpu/retarget/flatten.h"

#include "core/hipcpu/retarget/alignment_claims.h"
#include "core/hipcpu/retarget/fences.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace gks::hipcpu {
namespace {

class FlatTypes final : public llvm::ValueMapTypeRemapper {
public:
    llvm::Type* remapType(llvm::Type* type) override {
        if (const auto known = m_known.find(type); known != m_known.end()) {
            return known->second;
        }
        llvm::Type* flat = remapped(type);
        m_known[type] = flat;
        return flat;
    }

private:
    llvm::Type* remapped(llvm::Type* type) {
        if (type->isPointerTy()) {
            return llvm::PointerType::get(type->getContext(), 0);
        }
        if (type->getNumContainedTypes() == 0) {
            return type;
        }
        llvm::SmallVector<llvm::Type*, 8> parts;
        for (llvm::Type* part : type->subtypes()) {
            parts.push_back(remapType(part));
        }
        if (std::equal(parts.begin(), parts.end(), type->subtype_begin())) {
            return type;
        }
        if (const auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
            return llvm::FunctionType::get(parts[0], llvm::ArrayRef(parts).drop_front(), function->isVarArg());
        }
        if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
            return llvm::StructType::get(type->getContext(), parts, structure->isPacked());
        }
        if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
            return llvm::ArrayType::get(parts[0], array->getNumElements());
        }
        return llvm::VectorType::get(parts[0], llvm::cast<llvm::VectorType>(type)->getElementCount());
    }

    llvm::DenseMap<llvm::Type*, llvm::Type*> m_known;
};

// Stands in for constant address space casts.
class CastRemover final : public llvm::ValueMaterializer {
public:
    CastRemover(llvm::ValueToValueMapTy& values, FlatTypes& types) : m_values(values), m_types(types) {}

    llvm::Value* materialize(llvm::Value* value) override {
        const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
        if (expression == nullptr || expression->getOpcode() != llvm::Instruction::AddrSpaceCast) {
            return nullptr;
        }
        return llvm::MapValue(expression->getOperand(0), m_values, llvm::RF_None, &m_types, this);
    }

private:
    llvm::ValueToValueMapTy& m_values;
    FlatTypes& m_types;
};

bool isLds(const llvm::Value* value) {
    return value->getType()->isPointerTy() && value->getType()->getPointerAddressSpace() == ldsAddressSpace;
}

bool anyGoesThroughMemory(const llvm::FunctionType* type) {
    return goesThroughMemory(type->getReturnType()) ||
           std::any_of(type->param_begin(), type->param_end(), goesThroughMemory);
}

// LDS addresses in constants become instructions, so that each can be replaced by "lds + offset"; integers made from
// LDS pointers are marked.
void exposeLds(llvm::Module& device) {
    llvm::SmallVector<llvm::Constant*, 16> variables;
    for (llvm::GlobalVariable& variable : device.globals()) {
        if (isLds(&variable)) {
            variables.push_back(&variable);
        }
    }
    llvm::convertUsersOfConstantsToInstructions(variables);
    llvm::MDNode* node = llvm::MDNode::get(device.getContext(), {});
    for (llvm::Function& function : device) {
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            const bool from = llvm::isa<llvm::PtrToIntInst>(instruction) && isLds(instruction.getOperand(0));
            const bool to = llvm::isa<llvm::IntToPtrInst>(instruction) && isLds(&instruction);
            if (from || to) {
                instruction.setMetadata(mark::ldsAddress, node);
            }
        }
    }
}

std::string newName(const llvm::GlobalVariable& variable) {
    return (variable.isExternallyInitialized() ? renamed::hostVariable : renamed::other) + variable.getName().str();
}

void copyVariable(const llvm::GlobalVariable& from, llvm::Module& into, llvm::ValueToValueMapTy& values,
                  FlatTypes& types) {
    const bool lds = isLds(&from);
    const bool named = from.isExternallyInitialized();
    // The host may write what it can name: nothing of that may be folded.
    const bool constant = from.isConstant() && !named;
    // What the host can name stays external until the module table holds it.
    const bool external = from.isDeclaration() || named;
    const auto linkage = external ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage;
    auto* to =
        new llvm::GlobalVariable(into, types.remapType(from.getValueType()), constant, linkage, nullptr, newName(from));
    to->setAlignment(from.getAlign());
    to->setUnnamedAddr(from.getUnnamedAddr());
    to->setExternallyInitialized(named);
    llvm::MDNode* node = llvm::MDNode::get(into.getContext(), {});
    if (lds) {
        to->setMetadata(mark::ldsVariable, node);
    } else if (named) {
        to->setMetadata(mark::deviceVariable, node);
    } else if (from.hasMetadata(mark::m0)) {
        to->setMetadata(mark::m0, node);
    }
    values[&from] = to;
}

llvm::Function* declaredIn(llvm::Module& into, const llvm::Function& from, FlatTypes& types) {
    if (const std::string name = deviceLibraryName(from); !name.empty()) {
        auto* type = llvm::cast<llvm::FunctionType>(types.remapType(from.getFunctionType()));
        return llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, &into);
    }
    if (from.isIntrinsic()) {
        llvm::SmallVector<llvm::Type*, 4> overloads;
        llvm::Intrinsic::getIntrinsicSignature(const_cast<llvm::Function*>(&from), overloads);
        for (llvm::Type*& type : overloads) {
            type = types.remapType(type);
        }
        return llvm::Intrinsic::getDeclaration(&into, from.getIntrinsicID(), overloads);
    }
    auto* type = llvm::cast<llvm::FunctionType>(types.remapType(from.getFunctionType()));
    if (from.isDeclaration()) {
        return llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, from.getName(), &into);
    }
    const bool kernel = from.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
    return llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                  (kernel ? renamed::kernel : renamed::other) + from.getName().str(), &into);
}

// Attributes that speak of the AMD target, or of inlining decisions that are ours now; and what would stand elsewhere
// than among code, or in front of it.
void dropTargetAttributes(llvm::Function& function) {
    function.setSection("");
    function.setPrefixData(nullptr);
    function.setPrologueData(nullptr);
    function.clearGC();
    function.clearMetadata();
    llvm::AttrBuilder kept(function.getContext());
    for (const llvm::Attribute& attribute : function.getAttributes().getFnAttrs()) {
        if (!attribute.isStringAttribute()) {
            kept.addAttribute(attribute);
        }
    }
    kept.removeAttribute(llvm::Attribute::NoInline);
    kept.removeAttribute(llvm::Attribute::OptimizeNone);
    kept.removeAttribute(llvm::Attribute::AlwaysInline);
    kept.removeAttribute(llvm::Attribute::Naked); // its end is where the next function begins
    function.setAttributes(function.getAttributes()
                               .removeFnAttributes(function.getContext())
                               .addFnAttributes(function.getContext(), kept));
    for (unsigned i = 0; i < function.arg_size(); ++i) {
        function.removeParamAttr(i, llvm::Attribute::ByRef);
        // See lowerAlignment. What the compiler puts on the stack itself is aligned.
        if (!function.hasParamAttribute(i, llvm::Attribute::ByVal) && !function.hasStructRetAttr()) {
            function.removeParamAttr(i, llvm::Attribute::Alignment);
        }
    }
}

// The device reads and writes at any address that suits a word of 32 bits or the smaller element, and kernels rely on
// that: float4 at a row of 129 floats, eight bytes of fp8 at a row of 580. A CPU faults where it was promised more.
// Atomics need their alignment there as well as here.
void lowerAlignment(llvm::Instruction& instruction, const llvm::DataLayout& layout, bool claims) {
    constexpr std::uint64_t wordBytes = 4;
    const auto allowed = [&](llvm::Type* type, llvm::Align claimed) {
        const std::uint64_t bytes = layout.getTypeStoreSize(type->getScalarType()).getFixedValue();
        const std::uint64_t element = std::bit_floor(std::clamp<std::uint64_t>(bytes, 1, wordBytes));
        return std::min(claimed, llvm::Align(element));
    };
    const auto claim = [&](llvm::Value* pointer, llvm::Align claimed, llvm::Align kept) {
        if (claims && claimed > kept) {
            claimAlignment(instruction, pointer, claimed);
        }
        return kept;
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load != nullptr && !load->isAtomic()) {
        load->setAlignment(
            claim(load->getPointerOperand(), load->getAlign(), allowed(load->getType(), load->getAlign())));
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store != nullptr && !store->isAtomic()) {
        store->setAlignment(claim(store->getPointerOperand(), store->getAlign(),
                                  allowed(store->getValueOperand()->getType(), store->getAlign())));
    } else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        memory->setDestAlignment(claim(memory->getRawDest(), memory->getDestAlign().valueOrOne(), llvm::Align()));
        if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory)) {
            transfer->setSourceAlignment(
                claim(transfer->getRawSource(), transfer->getSourceAlign().valueOrOne(), llvm::Align()));
        }
    }
}

llvm::SyncScope::ID flatScope(const llvm::LLVMContext& context, llvm::SyncScope::ID scope) {
    llvm::SmallVector<llvm::StringRef> names;
    context.getSyncScopeNames(names);
    const llvm::StringRef name = scope < names.size() ? names[scope] : "";
    if (name == waitScopeName) {
        return scope;
    }
    // The threads of a block share one thread of the operating system.
    const bool withinBlock =
        name.starts_with("workgroup") || name.starts_with("wavefront") || name.starts_with("singlethread");
    return withinBlock ? llvm::SyncScope::SingleThread : llvm::SyncScope::System;
}

void flattenScope(llvm::Instruction& instruction) {
    if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
        fence->setSyncScopeID(flatScope(instruction.getContext(), fence->getSyncScopeID()));
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        update->setSyncScopeID(flatScope(instruction.getContext(), update->getSyncScopeID()));
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        exchange->setSyncScopeID(flatScope(instruction.getContext(), exchange->getSyncScopeID()));
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load != nullptr && load->isAtomic()) {
        load->setSyncScopeID(flatScope(instruction.getContext(), load->getSyncScopeID()));
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store != nullptr && store->isAtomic()) {
        store->setSyncScopeID(flatScope(instruction.getContext(), store->getSyncScopeID()));
    }
}

void tidyBody(llvm::Function& function, bool claimsAlignment) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        if (llvm::isa<llvm::AddrSpaceCastInst>(instruction)) {
            instruction.replaceAllUsesWith(instruction.getOperand(0));
            instruction.eraseFromParent();
            continue;
        }
        flattenScope(instruction);
        lowerAlignment(instruction, layout, claimsAlignment);
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
            call->setCallingConv(llvm::CallingConv::C);
            const llvm::Function* callee = call->getCalledFunction();
            // Claims such as "reads no memory" held for the instruction; the function that stands for it may switch
            // fibres.
            if (callee != nullptr && callee->isDeclaration() && !callee->isIntrinsic()) {
                call->setAttributes({});
            }
        }
    }
}

} // namespace

bool goesThroughMemory(const llvm::Type* type) {
    return type->isVectorTy() || (type->isIntegerTy() && type->getIntegerBitWidth() > 64);
}

std::string deviceLibraryName(const llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    const bool intrinsic = name.starts_with("llvm.amdgcn.");
    const bool library = name.starts_with("__ocml_") || name.starts_with("__ockl_");
    if (!function.isDeclaration() || (!intrinsic && !library)) {
        return {};
    }
    const bool vector = anyGoesThroughMemory(function.getFunctionType());
    if (library) {
        return vector ? "hipcpu_v_" + name.drop_front(2).str() : std::string();
    }
    std::string rest = name.drop_front(5).str();
    std::replace(rest.begin(), rest.end(), '.', '_');
    return (vector ? "hipcpu_v_" : "hipcpu_") + rest;
}

void keepReachable(llvm::Module& device) {
    for (const char* list : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors"}) {
        if (llvm::GlobalVariable* variable = device.getGlobalVariable(list)) {
            variable->eraseFromParent();
        }
    }
    for (llvm::GlobalValue& value : device.global_values()) {
        value.setDSOLocal(false);
        if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) {
            object->setComdat(nullptr);
        }
        const auto* function = llvm::dyn_cast<llvm::Function>(&value);
        const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
        const bool kernel = function != nullptr && function->getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
        const bool named = variable != nullptr && variable->isExternallyInitialized() &&
                           !variable->getName().contains("__HIP_Coordinates");
        if (variable != nullptr && variable->isExternallyInitialized() && !named) {
            llvm::cast<llvm::GlobalVariable>(value).setExternallyInitialized(false);
        }
        if (!value.isDeclaration()) {
            value.setVisibility(llvm::GlobalValue::DefaultVisibility);
            value.setLinkage(kernel || named ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage);
        }
    }
    llvm::ModuleAnalysisManager none;
    llvm::GlobalDCEPass().run(device, none);
}

std::unique_ptr<llvm::Module> flattened(std::unique_ptr<llvm::Module> device, const std::string& triple,
                                        const llvm::DataLayout& layout, bool claimsAlignment) {
    exposeLds(*device);
    auto flat = std::make_unique<llvm::Module>(device->getModuleIdentifier(), device->getContext());
    flat->setTargetTriple(triple);
    flat->setDataLayout(layout);
    flat->setSourceFileName(device->getSourceFileName());

    llvm::ValueToValueMapTy values;
    FlatTypes types;
    CastRemover casts(values, types);
    for (const llvm::GlobalVariable& variable : device->globals()) {
        copyVariable(variable, *flat, values, types);
    }
    for (const llvm::Function& function : *device) {
        values[&function] = declaredIn(*flat, function, types);
    }
    for (const llvm::GlobalAlias& alias : device->aliases()) {
        values[&alias] = llvm::MapValue(alias.getAliasee(), values, llvm::RF_None, &types, &casts);
    }
    for (const llvm::GlobalVariable& variable : device->globals()) {
        if (variable.hasInitializer()) {
            llvm::cast<llvm::GlobalVariable>(values[&variable])
                ->setInitializer(llvm::MapValue(variable.getInitializer(), values, llvm::RF_None, &types, &casts));
        }
    }
    for (const llvm::Function& function : *device) {
        if (function.isDeclaration()) {
            continue;
        }
        auto* copy = llvm::cast<llvm::Function>(values[&function]);
        for (unsigned i = 0; i < function.arg_size(); ++i) {
            copy->getArg(i)->setName(function.getArg(i)->getName());
            values[function.getArg(i)] = copy->getArg(i);
        }
        llvm::SmallVector<llvm::ReturnInst*, 8> returns;
        llvm::CloneFunctionInto(copy, &function, values, llvm::CloneFunctionChangeType::DifferentModule, returns, "",
                                nullptr, &types, &casts);
        copy->setLinkage(llvm::GlobalValue::InternalLinkage);
        copy->setCallingConv(llvm::CallingConv::C);
        dropTargetAttributes(*copy);
        tidyBody(*copy, claimsAlignment);
    }
    return flat;
}

} // namespace gks::hipcpu
