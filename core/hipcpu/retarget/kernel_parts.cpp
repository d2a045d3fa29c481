// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/kernel_parts.h"

#include "core/hipcpu/retarget/host_code.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace gks::hipcpu {
namespace {

using Values = llvm::SetVector<llvm::GlobalValue*>;

void addGlobals(llvm::Constant* constant, Values& found, llvm::SmallPtrSetImpl<llvm::Constant*>& seen) {
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
        if (!global->isDeclaration()) {
            found.insert(global);
        }
        return;
    }
    if (seen.insert(constant).second) {
        for (llvm::Value* operand : constant->operands()) {
            if (auto* part = llvm::dyn_cast<llvm::Constant>(operand)) {
                addGlobals(part, found, seen);
            }
        }
    }
}

// What is defined here and named by a definition.
Values namedBy(llvm::GlobalValue& value) {
    Values found;
    llvm::SmallPtrSet<llvm::Constant*, 16> seen;
    if (auto* function = llvm::dyn_cast<llvm::Function>(&value)) {
        for (llvm::Instruction& instruction : llvm::instructions(*function)) {
            for (llvm::Value* operand : instruction.operands()) {
                if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand)) {
                    addGlobals(constant, found, seen);
                }
            }
        }
    } else if (auto* user = llvm::dyn_cast<llvm::User>(&value)) { // a variable's value, what an alias stands for
        for (llvm::Value* operand : user->operands()) {
            addGlobals(llvm::cast<llvm::Constant>(operand), found, seen);
        }
    }
    return found;
}

// Nobody asks where it lies, so that each part may have its own.
bool mayBeCopied(const llvm::GlobalValue& value) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    return variable != nullptr && variable->isConstant() && variable->hasLocalLinkage() &&
           variable->hasGlobalUnnamedAddr();
}

class KernelParts {
public:
    KernelParts(llvm::Module& flat, const std::vector<Kernel>& kernels) : m_flat(flat) {
        for (llvm::GlobalValue& value : flat.global_values()) {
            if (!value.isDeclaration()) {
                m_named.try_emplace(&value, namedBy(value));
            }
        }
        for (const Kernel& kernel : kernels) {
            for (llvm::Function* root : {kernel.block, kernel.rows, kernel.thread}) {
                if (root != nullptr) {
                    addPart(*root, kernel.rows);
                    m_isForFaults.push_back(root == kernel.thread && kernel.block != nullptr);
                }
            }
        }
    }

    // What one part has and another one uses.
    void open(const std::string& unit) {
        Values opened;
        for (const auto& [value, named] : m_named) {
            for (llvm::GlobalValue* other : named) {
                // Other parts may have a copy: of the table of a class, which names its virtual functions.
                if (!mayBeCopied(*other) && (mayBeCopied(*value) || ownerOf(*value) != ownerOf(*other))) {
                    opened.insert(other);
                }
            }
        }
        for (llvm::GlobalValue* value : opened) {
            if (value->hasLocalLinkage()) {
                value->setName(value->getName() + "." + unit);
                value->setLinkage(llvm::GlobalValue::ExternalLinkage);
                value->setVisibility(llvm::GlobalValue::HiddenVisibility);
            }
        }
    }

    std::size_t count() const { return m_isForFaults.size(); }

    DevicePart part(std::size_t number) const { return {bitcode(number), m_isForFaults[number]}; }

private:
    static constexpr std::size_t shared = 0;

    // All that the root names, but not what has a part of its own.
    void addPart(llvm::Function& root, const llvm::Function* other) {
        const std::size_t part = m_isForFaults.size();
        Values reached;
        reached.insert(&root);
        for (std::size_t at = 0; at < reached.size(); ++at) {
            for (llvm::GlobalValue* next : m_named.find(reached[at])->second) {
                if (next != other) {
                    reached.insert(next);
                }
            }
        }
        for (const llvm::GlobalValue* value : reached) {
            const auto [owner, isFirst] = m_owners.try_emplace(value, part);
            owner->second = isFirst ? part : shared;
        }
    }

    std::string bitcode(std::size_t part) const {
        llvm::ValueToValueMapTy map;
        const auto isOfPart = [&](const llvm::GlobalValue* value) {
            return ownerOf(*value) == part || mayBeCopied(*value);
        };
        const std::unique_ptr<llvm::Module> own = llvm::CloneModule(m_flat, map, isOfPart);
        dropUnused(*own);
        return bitcodeOf(*own);
    }

    std::size_t ownerOf(const llvm::GlobalValue& value) const {
        const auto owner = m_owners.find(&value);
        return owner == m_owners.end() ? shared : owner->second;
    }

    // What other kernels alone have would make another part of this one whenever they change.
    static void dropUnused(llvm::Module& part) {
        for (bool dropped = true; dropped;) {
            dropped = false;
            for (llvm::GlobalValue& value : llvm::make_early_inc_range(part.global_values())) {
                value.removeDeadConstantUsers();
                if (value.use_empty() && (value.isDeclaration() || mayBeCopied(value))) {
                    value.eraseFromParent();
                    dropped = true;
                }
            }
        }
    }

    llvm::Module& m_flat;
    std::vector<bool> m_isForFaults = {false}; // of each part
    llvm::MapVector<llvm::GlobalValue*, Values> m_named;
    llvm::DenseMap<const llvm::GlobalValue*, std::size_t> m_owners;
};

} // namespace

std::string bitcodeOf(llvm::Module& flat) {
    flat.setModuleIdentifier("device code"); // a path that changes from build to build
    flat.setSourceFileName("device code");
    std::string bitcode;
    llvm::raw_string_ostream out(bitcode);
    llvm::WriteBitcodeToFile(flat, out);
    return bitcode;
}

std::vector<DevicePart> partsOf(llvm::Module& flat, const std::vector<Kernel>& kernels, const std::string& unit) {
    KernelParts parts(flat, kernels);
    parts.open(unit);
    std::vector<DevicePart> all;
    for (std::size_t number = 0; number < parts.count(); ++number) {
        all.push_back(parts.part(number));
    }
    return all;
}

} // namespace gks::hipcpu
