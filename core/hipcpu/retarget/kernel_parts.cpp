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

// Each with what it alone reaches; what several reach, or none, is of the first one.
class ModuleParts {
public:
    using Roots = std::vector<llvm::Function*>;

    ModuleParts(llvm::Module& whole, const std::vector<Roots>& roots) : m_whole(whole) {
        for (llvm::GlobalValue& value : whole.global_values()) {
            if (!value.isDeclaration()) {
                m_named.try_emplace(&value, namedBy(value));
            }
        }
        llvm::SmallPtrSet<const llvm::GlobalValue*, 16> all;
        for (const Roots& some : roots) {
            all.insert(some.begin(), some.end());
        }
        for (std::size_t part = 0; part < roots.size(); ++part) {
            addPart(part, roots[part], all);
        }
    }

    // What one part has and another one uses gets a name with that ending.
    void open(const std::string& ending) {
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
                value->setName(value->getName() + "." + ending);
                value->setLinkage(llvm::GlobalValue::ExternalLinkage);
                value->setVisibility(llvm::GlobalValue::HiddenVisibility);
            }
        }
    }

    std::unique_ptr<llvm::Module> part(std::size_t number) const {
        llvm::ValueToValueMapTy map;
        const auto isOfPart = [&](const llvm::GlobalValue* value) {
            return ownerOf(*value) == number || mayBeCopied(*value);
        };
        std::unique_ptr<llvm::Module> own = llvm::CloneModule(m_whole, map, isOfPart);
        dropUnused(*own);
        return own;
    }

private:
    static constexpr std::size_t first = 0;

    void addPart(std::size_t part, const Roots& roots, const llvm::SmallPtrSetImpl<const llvm::GlobalValue*>& others) {
        Values reached;
        reached.insert(roots.begin(), roots.end());
        for (std::size_t at = 0; at < reached.size(); ++at) {
            for (llvm::GlobalValue* next : m_named.find(reached[at])->second) {
                if (!others.contains(next)) {
                    reached.insert(next);
                }
            }
        }
        for (const llvm::GlobalValue* value : reached) {
            const auto [owner, isFirst] = m_owners.try_emplace(value, part);
            owner->second = isFirst ? part : first;
        }
    }

    std::size_t ownerOf(const llvm::GlobalValue& value) const {
        const auto owner = m_owners.find(&value);
        return owner == m_owners.end() ? first : owner->second;
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

    llvm::Module& m_whole;
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

void declareBlockFunctions(llvm::Module& flat, std::vector<Kernel>& kernels, const std::string& unit) {
    for (Kernel& kernel : kernels) {
        if (kernel.item != nullptr) {
            auto* anyType = llvm::FunctionType::get(llvm::Type::getVoidTy(flat.getContext()), false);
            kernel.block = llvm::Function::Create(anyType, llvm::GlobalValue::ExternalWeakLinkage,
                                                  "hipcpu_block." + kernel.name + "." + unit, flat);
            kernel.block->setVisibility(llvm::GlobalValue::HiddenVisibility);
        }
    }
}

std::vector<DevicePart> partsOf(llvm::Module& flat, const std::vector<Kernel>& kernels, const std::string& unit) {
    std::vector<ModuleParts::Roots> roots = {{}};
    for (const Kernel& kernel : kernels) {
        roots.push_back({kernel.thread});
        if (kernel.item != nullptr) {
            roots.back().push_back(kernel.item);
        }
    }
    ModuleParts parts(flat, roots);
    parts.open(unit);
    const std::unique_ptr<llvm::Module> shared = parts.part(0);
    for (const Kernel& kernel : kernels) {
        if (kernel.item != nullptr) { // a block function may take its place
            shared->getFunction(kernel.thread->getName())->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
        }
    }
    std::vector<DevicePart> all = {{bitcodeOf(*shared)}};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        all.push_back({bitcodeOf(*parts.part(i + 1))});
        if (const Kernel& kernel = kernels[i]; kernel.item != nullptr) {
            all.back().kernel = KernelCode{kernel.name, kernel.thread->getName().str(), kernel.item->getName().str(),
                                           kernel.block->getName().str(), kernel.maxThreadsPerBlock};
        }
    }
    return all;
}

Pieces piecesOf(llvm::Module& part, const Kernel& kernel) {
    std::vector<ModuleParts::Roots> roots;
    for (llvm::Function* root : {kernel.block, kernel.rows, kernel.thread}) {
        if (root != nullptr) {
            roots.push_back({root});
        }
    }
    ModuleParts parts(part, roots);
    parts.open(roots.front().front()->getName().str());
    Pieces pieces{parts.part(0), {}};
    for (std::size_t i = 1; i < roots.size(); ++i) {
        pieces.others.push_back({bitcodeOf(*parts.part(i)), roots[i].front() == kernel.thread});
    }
    return pieces;
}

} // namespace gks::hipcpu
