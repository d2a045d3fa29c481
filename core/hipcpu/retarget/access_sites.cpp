// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/access_sites.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/flatten.h"

#include <algorithm>
#include <array>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

constexpr std::size_t siteNameLimitBytes = 96;

// Names that clang gives to values of its own.
bool isOfCompiler(llvm::StringRef name) {
    static constexpr std::array<llvm::StringLiteral, 18> names = {
        "arrayidx", "arraydecay", "add.ptr", "incdec.ptr", "call",      "this",   "retval", "cond", "ref.tmp",
        "agg.tmp",  "coerce",     "sub.ptr", "arraybegin", "arrayinit", "lookup", "spec",   "tmp",  "hipcpu"};
    return name.empty() ||
           std::any_of(names.begin(), names.end(), [&](llvm::StringRef one) { return name.starts_with(one); });
}

// "x.addr.0.i" is x.
std::string withoutEndings(llvm::StringRef name) {
    const auto isPlain = [](char letter) { return llvm::isAlnum(letter) || letter == '_'; };
    const llvm::StringRef begin = name.take_while(isPlain);
    return isOfCompiler(begin) ? std::string() : begin.take_front(siteNameLimitBytes).str();
}

// Of "turn(float*)::row", as a variable within a function is called, the last part; without template arguments.
std::string nameOfVariable(const llvm::GlobalVariable& variable) {
    llvm::StringRef symbol = variable.getName();
    symbol.consume_front(renamed::hostVariable);
    symbol.consume_front(renamed::other);
    const std::string readable = llvm::demangle(symbol);
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < readable.size(); ++i) {
        depth += readable[i] == '(' || readable[i] == '<' ? 1 : readable[i] == ')' || readable[i] == '>' ? -1 : 0;
        begin = depth == 0 && readable[i] == ':' ? i + 1 : begin;
    }
    return readable.substr(begin).substr(0, siteNameLimitBytes);
}

// The field of a structure that begins there, with a point before it.
std::string fieldAt(const llvm::DIType* type, std::uint64_t offsetBits) {
    const auto* structure = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
    for (const llvm::DINode* element : structure != nullptr ? structure->getElements() : llvm::DINodeArray()) {
        const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
        if (member != nullptr && !member->isStaticMember() && member->getOffsetInBits() == offsetBits) {
            return "." + member->getName().str();
        }
    }
    return {};
}

// What debug information calls a value or what is kept in its place.
std::string nameInDebugInformation(const llvm::Value& value) {
    llvm::SmallVector<llvm::DbgVariableIntrinsic*, 4> intrinsics;
    llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
    llvm::findDbgUsers(intrinsics, const_cast<llvm::Value*>(&value), &records);
    for (const llvm::DbgVariableRecord* record : records) {
        if (!record->getVariable()->getName().empty() && record->getVariable()->getName() != "this") {
            const auto fragment = record->getExpression()->getFragmentInfo();
            const std::string name =
                record->getVariable()->getName().str() +
                (fragment ? fieldAt(record->getVariable()->getType(), fragment->OffsetInBits) : "");
            return name.substr(0, siteNameLimitBytes);
        }
    }
    return {};
}

} // namespace

std::string nameOfMemory(const llvm::Value& pointer) {
    const llvm::Value* const object = llvm::getUnderlyingObject(&pointer, 0);
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
        return nameOfVariable(*variable);
    }
    if (std::string known = nameInDebugInformation(*object); !known.empty()) {
        return known;
    }
    if (std::string own = withoutEndings(object->getName()); !own.empty()) {
        return own;
    }
    // A pointer that is a field of something.
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object);
    return load != nullptr ? withoutEndings(load->getPointerOperand()->getName()) : std::string();
}

AccessSites::AccessSites(llvm::Module& module, const std::vector<std::filesystem::path>& systemFolders)
    : m_module(module) {
    for (const auto& folder : systemFolders) {
        m_systemFolders.push_back((folder / "").string());
    }
    llvm::Type* const bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
    m_placeholder = new llvm::GlobalVariable(module, bytes, true, llvm::GlobalValue::ExternalLinkage, nullptr,
                                             "hipcpu.sites.placeholder");
    m_sites.emplace_back(); // unknown
    m_numbers[m_sites.front()] = 0;
}

bool AccessSites::isOwnFile(llvm::StringRef path) const {
    return std::none_of(m_systemFolders.begin(), m_systemFolders.end(),
                        [&](const std::string& folder) { return path.starts_with(folder); });
}

AccessSites::Place AccessSites::placeOf(const llvm::Instruction& instruction) const {
    Place place;
    for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at != nullptr; at = at->getInlinedAt()) {
        if (at->getLine() == 0) {
            continue;
        }
        place = {at->getFilename().str(), at->getLine(), at->getColumn()};
        if (isOwnFile(at->getFilename())) {
            break;
        }
    }
    return place;
}

llvm::Constant* AccessSites::of(const llvm::Instruction& instruction, const llvm::Value* pointer,
                                const Demands& demands) {
    const Key key = {placeOf(instruction), pointer != nullptr ? nameOfMemory(*pointer) : std::string(), demands};
    static_assert(sizeof(AccessSite) == 48); // as emit() writes it
    const auto [found, isNew] = m_numbers.try_emplace(key, m_sites.size());
    if (isNew) {
        m_sites.push_back(key);
    }
    llvm::IRBuilder<> builder(m_module.getContext());
    return llvm::ConstantExpr::getInBoundsGetElementPtr(builder.getInt8Ty(), m_placeholder,
                                                        builder.getInt64(found->second * sizeof(AccessSite)));
}

llvm::Constant* AccessSites::text(const std::string& words) {
    llvm::Constant*& known = m_texts[words];
    if (known == nullptr) {
        llvm::Constant* const value = llvm::ConstantDataArray::getString(m_module.getContext(), words);
        known = words.empty() ? static_cast<llvm::Constant*>(
                                    llvm::ConstantPointerNull::get(llvm::PointerType::get(m_module.getContext(), 0)))
                              : new llvm::GlobalVariable(m_module, value->getType(), true,
                                                         llvm::GlobalValue::PrivateLinkage, value, "hipcpu.site.text");
    }
    return known;
}

void AccessSites::emit() {
    llvm::IRBuilder<> builder(m_module.getContext());
    std::vector<llvm::Constant*> entries;
    const auto number = [&](std::uint64_t value) { return builder.getInt32(static_cast<std::uint32_t>(value)); };
    for (const auto& [place, name, demands] : m_sites) {
        entries.push_back(llvm::ConstantStruct::getAnon(
            {text(place.file), text(name), builder.getInt64(demands.objectBytes), number(place.line),
             number(place.column), number(demands.alignment), number(demands.flags), number(entries.size()),
             number(demands.typeAlignment)}));
    }
    llvm::Constant* const table =
        llvm::ConstantArray::get(llvm::ArrayType::get(entries.front()->getType(), entries.size()), entries);
    auto* const sites = new llvm::GlobalVariable(m_module, table->getType(), true, llvm::GlobalValue::ExternalLinkage,
                                                 table, accessSitesName);
    sites->setVisibility(llvm::GlobalValue::HiddenVisibility);
    m_placeholder->replaceAllUsesWith(sites);
    m_placeholder->eraseFromParent();
}

} // namespace gks::hipcpu
