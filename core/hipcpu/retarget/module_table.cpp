// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/module_table.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/access_sites.h"
#include "core/hipcpu/retarget/flatten.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MD5.h>

namespace gks::hipcpu {
namespace {

class TableBuilder {
public:
    explicit TableBuilder(llvm::Module& module) : m_module(module), m_builder(module.getContext()) {}

    llvm::Constant* text(llvm::StringRef value) {
        return constant(llvm::ConstantDataArray::getString(m_module.getContext(), value));
    }
    llvm::Constant* numbers(const std::vector<std::uint32_t>& values) {
        return constant(llvm::ConstantDataArray::get(m_module.getContext(), values));
    }
    llvm::Constant* number32(std::uint32_t value) { return m_builder.getInt32(value); }
    llvm::Constant* number64(std::uint64_t value) { return m_builder.getInt64(value); }
    llvm::Constant* orNull(llvm::Constant* value) {
        return value != nullptr ? value : llvm::ConstantPointerNull::get(m_builder.getPtrTy());
    }
    llvm::Constant* entry(llvm::ArrayRef<llvm::Constant*> fields) { return llvm::ConstantStruct::getAnon(fields); }
    llvm::Constant* array(const std::vector<llvm::Constant*>& entries) {
        if (entries.empty()) {
            return orNull(nullptr);
        }
        return constant(llvm::ConstantArray::get(llvm::ArrayType::get(entries[0]->getType(), entries.size()), entries));
    }
    llvm::GlobalVariable* constant(llvm::Constant* value) {
        return new llvm::GlobalVariable(m_module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                        "hipcpu.table");
    }

private:
    llvm::Module& m_module;
    llvm::IRBuilder<> m_builder;
};

llvm::Constant* kernelEntry(TableBuilder& table, const Kernel& kernel, Architecture architecture) {
    std::vector<std::uint32_t> sizes;
    for (const KernelArgument& argument : kernel.arguments) {
        sizes.push_back(argument.summary.sizeBytes);
    }
    return table.entry(
        {table.text(kernel.name), table.orNull(kernel.thread), table.orNull(kernel.block),
         table.number32(kernel.maxThreadsPerBlock), table.number32(kernel.staticLdsBytes),
         table.number32(kernel.usesDynamicLds ? 1 : 0), table.number32(static_cast<std::uint32_t>(sizes.size())),
         sizes.empty() ? table.orNull(nullptr) : table.numbers(sizes), table.number32(ldsLimitBytes(architecture)),
         table.number64(kernel.writtenArguments), table.number32(kernel.waitsForOthers ? 1 : 0)});
}

} // namespace

void emitModuleTable(llvm::Module& flat, const std::vector<Kernel>& kernels, const std::string& unit,
                     Architecture architecture) {
    TableBuilder table(flat);
    std::vector<llvm::Constant*> kernelEntries;
    for (const Kernel& kernel : kernels) {
        kernelEntries.push_back(kernelEntry(table, kernel, architecture));
        if (kernel.thread != nullptr) {
            kernel.thread->setLinkage(llvm::GlobalValue::InternalLinkage);
        }
    }
    std::vector<llvm::Constant*> variableEntries;
    for (llvm::GlobalVariable& variable : flat.globals()) {
        if (variable.hasMetadata(mark::deviceVariable)) {
            const std::uint64_t sizeBytes =
                flat.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
            variableEntries.push_back(
                table.entry({table.text(variable.getName().drop_front(std::string_view(renamed::hostVariable).size())),
                             &variable, table.number64(sizeBytes)}));
            variable.setLinkage(llvm::GlobalValue::InternalLinkage);
        }
    }
    llvm::GlobalVariable* const sites = flat.getNamedGlobal(accessSitesName);
    std::uint64_t siteCount = 0;
    if (sites != nullptr) {
        siteCount = llvm::cast<llvm::ArrayType>(sites->getValueType())->getNumElements();
        sites->setLinkage(llvm::GlobalValue::PrivateLinkage);
        sites->setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
    llvm::Constant* value =
        table.entry({table.number64(moduleMagic), table.number32(abiVersion),
                     table.number32(static_cast<std::uint32_t>(kernelEntries.size())), table.array(kernelEntries),
                     table.array(variableEntries), table.number64(variableEntries.size()), table.orNull(sites),
                     table.number64(siteCount), table.number32(static_cast<std::uint32_t>(architecture))});
    llvm::GlobalVariable* module = table.constant(value);
    module->setName("__hip_fatbin_" + unit);
    module->setLinkage(llvm::GlobalValue::ExternalLinkage);
    module->setVisibility(llvm::GlobalValue::HiddenVisibility);
    llvm::Constant* null = table.orNull(nullptr);
    auto* handle = new llvm::GlobalVariable(flat, null->getType(), false, llvm::GlobalValue::ExternalLinkage, null,
                                            "__hip_gpubin_handle_" + unit);
    handle->setVisibility(llvm::GlobalValue::HiddenVisibility);
}

std::string unitHash(const std::string& compilationUnitId) {
    return llvm::utohexstr(llvm::MD5Hash(compilationUnitId), /*LowerCase=*/true);
}

} // namespace gks::hipcpu
