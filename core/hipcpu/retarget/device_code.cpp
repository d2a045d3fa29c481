// SPDX-License-Identifier: GPL-3.0-or-later
// The bitcode lies in a section of its own that no program gets, behind a line: the id of the unit, the architecture,
// whether it is checked, and how many bytes follow. Objects that are linked to one have one after the other.
#include "core/hipcpu/retarget/device_code.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/hipcpu/retarget/diagnostic_keeper.h"
#include "core/hipcpu/retarget/host_code.h"
#include "core/hipcpu/retarget/source_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <set>
#include <string_view>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr const char* sectionName = ".hipcpu.device_code";

tl::unexpected<Error> damaged(const fs::path& file) {
    return usageError("the device code in it is damaged", file.string(), "Compile its sources again");
}

// LLVM has the mangled name in quotes.
std::string withReadableName(const std::string& text) {
    const std::size_t begin = text.find('\''), end = text.rfind('\'');
    return begin == end
               ? text
               : text.substr(0, begin + 1) + readableName(text.substr(begin + 1, end - begin - 1)) + text.substr(end);
}

// Reads what one section holds.
Result<void> readSection(llvm::StringRef text, const fs::path& file, const fs::path& stem,
                         std::vector<DeviceCode>& into) {
    while (!text.empty()) {
        const auto [line, rest] = text.split('\n');
        llvm::SmallVector<llvm::StringRef, 4> words;
        line.split(words, ' ');
        std::size_t bytes = 0;
        const auto architecture = words.size() == 4 ? architectureFrom(words[1].str()) : std::nullopt;
        if (!architecture || words[3].getAsInteger(10, bytes) || bytes > rest.size()) {
            return damaged(file);
        }
        const fs::path bitcode = fmt::format("{}.{}.bc", stem.string(), into.size());
        GKS_TRY(writeFileAtomically(bitcode, rest.take_front(bytes).str()));
        into.push_back({words[0].str(), *architecture, words[2] == "checked", bitcode});
        text = rest.drop_front(bytes);
    }
    return {};
}

Result<void> readObject(const llvm::object::Binary& binary, const fs::path& file, const fs::path& stem,
                        std::vector<DeviceCode>& into) {
    const auto* object = llvm::dyn_cast<llvm::object::ObjectFile>(&binary);
    if (object == nullptr) {
        return {};
    }
    for (const llvm::object::SectionRef& section : object->sections()) {
        auto name = section.getName();
        if (!name || *name != sectionName) {
            llvm::consumeError(name.takeError());
            continue;
        }
        auto contents = section.getContents();
        if (!contents) {
            llvm::consumeError(contents.takeError());
            return damaged(file);
        }
        GKS_TRY(readSection(*contents, file, stem, into));
    }
    return {};
}

} // namespace

Result<void> emitDeviceCode(const DeviceCode& code, const fs::path& object) {
    GKS_TRY_ASSIGN(const std::string bitcode, readFile(code.bitcode));
    GKS_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, hostMachine(0));
    llvm::LLVMContext context;
    llvm::Module module("device code", context);
    module.setTargetTriple(machine->getTargetTriple().str());
    module.setDataLayout(machine->createDataLayout());
    const std::string line = fmt::format("{} {} {} {}\n", code.unit, nameOf(code.architecture),
                                         code.isChecked ? "checked" : "plain", bitcode.size());
    auto* value = llvm::ConstantDataArray::getString(context, line + bitcode, false);
    auto* held = new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                          "hipcpu.device_code");
    held->setSection(sectionName);
    held->setAlignment(llvm::Align(1));
    held->setMetadata(llvm::LLVMContext::MD_exclude, llvm::MDNode::get(context, {}));
    return emitObject(module, *machine, object);
}

Result<std::vector<DeviceCode>> deviceCodeIn(const fs::path& file, const fs::path& folder, const std::string& stem) {
    std::vector<DeviceCode> found;
    auto opened = llvm::object::createBinary(file.string());
    if (!opened) {
        llvm::consumeError(opened.takeError()); // the linker says what is wrong with it
        return found;
    }
    const llvm::object::Binary& binary = *opened->getBinary();
    const auto* archive = llvm::dyn_cast<llvm::object::Archive>(&binary);
    if (archive == nullptr) {
        GKS_TRY(readObject(binary, file, folder / stem, found));
        return found;
    }
    llvm::Error fault = llvm::Error::success();
    for (const llvm::object::Archive::Child& child : archive->children(fault)) {
        auto member = child.getAsBinary();
        if (!member) {
            llvm::consumeError(member.takeError());
            continue;
        }
        GKS_TRY(readObject(**member, file, folder / stem, found));
    }
    llvm::consumeError(std::move(fault));
    return found;
}

std::vector<fs::path> archivesAmong(const std::vector<std::string>& linkerOptions) {
    std::vector<fs::path> folders, archives;
    for (const std::string_view option : {"-L", "-l"}) { // folders count for all libraries
        for (std::size_t at = 0; at < linkerOptions.size(); ++at) {
            std::string value = linkerOptions[at];
            if (!value.starts_with(option) || (value == option && at + 1 == linkerOptions.size())) {
                continue;
            }
            value = value == option ? linkerOptions[++at] : value.substr(option.size());
            if (option == "-L") {
                folders.emplace_back(value);
                continue;
            }
            std::error_code ignored;
            const auto found = std::find_if(folders.begin(), folders.end(), [&](const fs::path& folder) {
                return fs::exists(folder / fmt::format("lib{}.a", value), ignored);
            });
            if (found != folders.end()) {
                archives.push_back(*found / fmt::format("lib{}.a", value));
            }
        }
    }
    return archives;
}

Result<DeviceCode> linkedDeviceCode(const std::vector<DeviceCode>& codes, const fs::path& linked) {
    llvm::LLVMContext context;
    const DiagnosticKeeper diagnostics(context);
    llvm::Module whole("device code", context);
    llvm::Linker linker(whole);
    DeviceCode result = codes.front();
    std::set<std::pair<std::string, std::string>> seen;
    for (const DeviceCode& code : codes) {
        if (code.architecture != result.architecture) {
            return usageError(fmt::format("device code for {} cannot be linked to that for {}",
                                          nameOf(code.architecture), nameOf(result.architecture)),
                              {}, "Compile all sources with the same --offload-arch");
        }
        GKS_TRY_ASSIGN(const std::string text, readFile(code.bitcode));
        if (!seen.emplace(code.unit, sha256Hex(text)).second) {
            continue;
        }
        llvm::SMDiagnostic problem;
        std::unique_ptr<llvm::Module> module = llvm::parseIRFile(code.bitcode.string(), problem, context);
        if (module == nullptr) {
            return infrastructureError("not LLVM 19 bitcode: " + problem.getMessage().str(), code.bitcode.string());
        }
        result.isChecked = result.isChecked || code.isChecked;
        if (&code == &codes.front()) {
            whole.setTargetTriple(module->getTargetTriple());
            whole.setDataLayout(module->getDataLayout());
        }
        if (linker.linkInModule(std::move(module))) {
            return kernelError("error: device code of several sources does not go together: " +
                               withReadableName(diagnostics.text()));
        }
    }
    std::string bitcode;
    llvm::raw_string_ostream out(bitcode);
    llvm::WriteBitcodeToFile(whole, out);
    GKS_TRY(writeFileAtomically(linked, bitcode));
    result.bitcode = linked;
    return result;
}

} // namespace gks::hipcpu
