// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
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

    struct Demands { // as the fields of AccessSite
        std::uint64_t objectBytes = 0;
        std::uint64_t alignment = 1;
        std::uint64_t typeAlignment = 1;
        std::uint32_t flags = 0;

        auto operator<=>(const Demands&) const = default;
    };
    // `pointer` null: of no memory.
    llvm::Constant* of(const llvm::Instruction& instruction, const llvm::Value* pointer, const Demands& demands);
    llvm::Constant* of(const llvm::Instruction& instruction) { return of(instruction, nullptr, Demands()); }
    // Once all are known.
    void emit();

private:
    struct Place {
        std::string file;
        std::uint32_t line = 0;
        std::uint32_t column = 0;

        auto operator<=>(const Place&) const = default;
    };
    using Key = std::tuple<Place, std::string, Demands>;

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
