// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <llvm/ADT/StringRef.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace llvm {
class Constant;
class GlobalVariable;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace gks::hipcpu {

// Name under which a module that tells its accesses has its table of AccessSite, until the module table holds it.
inline constexpr const char* accessSitesName = "hipcpu.sites";

// The places of a module that accesses are told of, as constants (AccessSite of abi.h). Which file and line a place has
// comes from debug information: of a function that was inlined the innermost call in the person's own files.
class AccessSites {
public:
    // Files in these folders are not the person's.
    AccessSites(llvm::Module& module, const std::vector<std::filesystem::path>& systemFolders);

    // `pointer` null: of no memory.
    llvm::Constant* of(const llvm::Instruction& instruction, const llvm::Value* pointer, std::uint64_t objectBytes,
                       std::uint64_t alignment, std::uint32_t flags);
    // Once all are known.
    void emit();

private:
    struct Place {
        std::string file;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
    };
    using Key = std::tuple<std::string, std::string, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t,
                           std::uint32_t>; // as the fields of AccessSite

    Place placeOf(const llvm::Instruction& instruction) const;
    bool isOwnFile(llvm::StringRef path) const;
    llvm::Constant* text(const std::string& words);

    llvm::Module& m_module;
    std::vector<std::string> m_systemFolders;
    llvm::GlobalVariable* m_placeholder;
    std::map<Key, std::uint64_t> m_numbers;
    std::vector<Key> m_sites; // in the order of their numbers
    std::map<std::string, llvm::Constant*> m_texts;
};

// What a person calls the memory that a pointer leads into: a variable, a parameter, a field. Empty where the IR does
// not say it.
std::string nameOfMemory(const llvm::Value& pointer);

} // namespace gks::hipcpu
