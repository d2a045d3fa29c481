// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/module_symbols.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t entryLimit = 1 << 20;
constexpr std::size_t nameLimitBytes = 4096;

// What every module may link: the runtimes of the targets and of the language.
constexpr std::array<std::string_view, 11> ordinaryLibraries = {
    "libhipcpu.", "libamdhip64.", "libcudart.",  "libstdc++.", "libm.", "libc.",
    "libgcc_s.",  "ld-linux",     "libpthread.", "libdl.",     "librt."};

// Vendor libraries by the beginning of their functions' names: a kernel is to be written, not called.
struct Vendor {
    std::string_view prefix;
    std::string_view library;
};
constexpr std::array<Vendor, 20> vendors = {
    {{"hipblas", "hipblas"},     {"rocblas", "rocblas"},   {"cublas", "cublas"},       {"miopen", "MIOpen"},
     {"MIOpen", "MIOpen"},       {"cudnn", "cudnn"},       {"cutensor", "cutensor"},   {"hiptensor", "hiptensor"},
     {"hipfft", "hipfft"},       {"rocfft", "rocfft"},     {"cufft", "cufft"},         {"hipsparse", "hipsparse"},
     {"rocsparse", "rocsparse"}, {"cusparse", "cusparse"}, {"hipsolver", "hipsolver"}, {"rocsolver", "rocsolver"},
     {"cblas_", "blas"},         {"sgemm_", "blas"},       {"dgemm_", "blas"},         {"hipdnn", "hipdnn"}}};

// Functions that only serve to leave the kernel's place: other processes, files, the network, other code, other rights
// on memory.
constexpr std::array<std::string_view, 72> forbiddenFunctions = {"system",
                                                                 "popen",
                                                                 "fork",
                                                                 "vfork",
                                                                 "clone",
                                                                 "clone3",
                                                                 "posix_spawn",
                                                                 "posix_spawnp",
                                                                 "execl",
                                                                 "execle",
                                                                 "execlp",
                                                                 "execv",
                                                                 "execve",
                                                                 "execvp",
                                                                 "execvpe",
                                                                 "fexecve",
                                                                 "socket",
                                                                 "socketpair",
                                                                 "connect",
                                                                 "bind",
                                                                 "listen",
                                                                 "accept",
                                                                 "accept4",
                                                                 "send",
                                                                 "sendto",
                                                                 "sendmsg",
                                                                 "getaddrinfo",
                                                                 "gethostbyname",
                                                                 "dlopen",
                                                                 "dlmopen",
                                                                 "dlsym",
                                                                 "dlvsym",
                                                                 "dladdr",
                                                                 "dl_iterate_phdr",
                                                                 "ptrace",
                                                                 "process_vm_readv",
                                                                 "process_vm_writev",
                                                                 "mprotect",
                                                                 "pkey_mprotect",
                                                                 "mremap",
                                                                 "memfd_create",
                                                                 "syscall",
                                                                 "prctl",
                                                                 "kill",
                                                                 "tgkill",
                                                                 "pthread_kill",
                                                                 "raise",
                                                                 "open",
                                                                 "open64",
                                                                 "openat",
                                                                 "openat64",
                                                                 "creat",
                                                                 "fopen",
                                                                 "fopen64",
                                                                 "freopen",
                                                                 "fdopen",
                                                                 "opendir",
                                                                 "unlink",
                                                                 "rename",
                                                                 "write",
                                                                 "pwrite",
                                                                 "pwrite64",
                                                                 "writev",
                                                                 "read",
                                                                 "pread",
                                                                 "pread64",
                                                                 "readv",
                                                                 "dup",
                                                                 "dup2",
                                                                 "dup3",
                                                                 "sigaction",
                                                                 "signal"};

// Work on a thread of the host outlives solve() and is no kernel; changing the runtime's hooks or clock likewise.
constexpr std::array<std::string_view, 8> forbiddenThreads = {
    "pthread_create", "thrd_create",      "_ZNSt6thread15_M_start_thread",
    "GOMP_parallel",  "__kmpc_fork_call", "timer_create",
    "setitimer",      "hipLaunchHostFunc"};

class Elf {
public:
    explicit Elf(std::string_view bytes) : m_bytes(bytes) {}

    template<class T>
    bool read(std::uint64_t offset, T& into) const {
        if (offset > m_bytes.size() || sizeof(T) > m_bytes.size() - offset) {
            return false;
        }
        std::memcpy(&into, m_bytes.data() + offset, sizeof(T));
        return true;
    }
    std::optional<std::string> text(const Elf64_Shdr& strings, std::uint64_t at) const {
        if (strings.sh_offset > m_bytes.size() || strings.sh_size > m_bytes.size() - strings.sh_offset ||
            at >= strings.sh_size) {
            return std::nullopt;
        }
        const std::string_view rest =
            m_bytes.substr(strings.sh_offset + at, std::min<std::uint64_t>(strings.sh_size - at, nameLimitBytes));
        const std::size_t end = rest.find('\0');
        return end == std::string_view::npos ? std::nullopt : std::optional(std::string(rest.substr(0, end)));
    }

private:
    std::string_view m_bytes;
};

tl::unexpected<Error> broken(std::string_view what) {
    return kernelError(fmt::format("the module is not a sound ELF file: {}", what));
}

Result<std::vector<Elf64_Shdr>> readSections(const Elf& elf) {
    Elf64_Ehdr header = {};
    if (!elf.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN ||
        header.e_shentsize != sizeof(Elf64_Shdr)) {
        return broken("header");
    }
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        if (!elf.read(header.e_shoff + i * sizeof(Elf64_Shdr), sections[i])) {
            return broken("section table");
        }
    }
    return sections;
}

Result<void> readSymbols(const Elf& elf, const Elf64_Shdr& table, const Elf64_Shdr& strings, ModuleSymbols& into) {
    const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    if (count > entryLimit) {
        return broken("too many symbols");
    }
    for (std::uint64_t i = 1; i < count; ++i) {
        Elf64_Sym symbol = {};
        if (!elf.read(table.sh_offset + i * sizeof symbol, symbol)) {
            return broken("symbol table");
        }
        auto name = elf.text(strings, symbol.st_name);
        if (!name) {
            return broken("symbol name");
        }
        (symbol.st_shndx == SHN_UNDEF ? into.imported : into.exported).push_back(std::move(*name));
    }
    return {};
}

Result<void> readNeeded(const Elf& elf, const Elf64_Shdr& table, const Elf64_Shdr& strings, ModuleSymbols& into) {
    const std::uint64_t count = std::min<std::uint64_t>(table.sh_size / sizeof(Elf64_Dyn), entryLimit);
    for (std::uint64_t i = 0; i < count; ++i) {
        Elf64_Dyn entry = {};
        if (!elf.read(table.sh_offset + i * sizeof entry, entry)) {
            return broken("dynamic section");
        }
        if (entry.d_tag == DT_NULL) {
            break;
        }
        if (entry.d_tag == DT_NEEDED) {
            auto name = elf.text(strings, entry.d_un.d_val);
            if (!name) {
                return broken("library name");
            }
            into.libraries.push_back(std::move(*name));
        }
    }
    return {};
}

bool isAllowed(std::string_view library, const std::vector<std::string>& allowed) {
    return std::any_of(allowed.begin(), allowed.end(), [&](const std::string& name) {
        return !name.empty() && lowered(library).find(lowered(name)) != std::string::npos;
    });
}

} // namespace

Result<ModuleSymbols> readModuleSymbols(std::string_view bytes) {
    const Elf elf(bytes);
    GKS_TRY_ASSIGN(const std::vector<Elf64_Shdr> sections, readSections(elf));
    ModuleSymbols symbols;
    bool found = false;
    for (const Elf64_Shdr& section : sections) {
        if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC) {
            continue;
        }
        if (section.sh_link >= sections.size()) {
            return broken("string table");
        }
        const Elf64_Shdr& strings = sections[section.sh_link];
        if (section.sh_type == SHT_DYNSYM) {
            GKS_TRY(readSymbols(elf, section, strings, symbols));
            found = true;
        } else {
            GKS_TRY(readNeeded(elf, section, strings, symbols));
        }
    }
    if (!found) {
        return broken("it has no dynamic symbols");
    }
    return symbols;
}

std::optional<std::string> forbiddenUse(const ModuleSymbols& symbols,
                                        const std::vector<std::string>& allowedLibraries) {
    for (const std::string& library : symbols.libraries) {
        const bool ordinary = std::any_of(ordinaryLibraries.begin(), ordinaryLibraries.end(),
                                          [&](std::string_view known) { return library.starts_with(known); });
        if (!ordinary && !isAllowed(library, allowedLibraries)) {
            return fmt::format("the kernel links the library {}, which this problem does not allow", library);
        }
    }
    for (const std::string& name : symbols.imported) {
        for (const Vendor& vendor : vendors) {
            if (name.starts_with(vendor.prefix) && !isAllowed(vendor.library, allowedLibraries)) {
                return fmt::format("the kernel calls {} of a vendor library, which this problem does not allow", name);
            }
        }
        if (std::find(forbiddenFunctions.begin(), forbiddenFunctions.end(), name) != forbiddenFunctions.end()) {
            return fmt::format("the kernel calls {}(), which has no place in a kernel", name);
        }
        for (const std::string_view thread : forbiddenThreads) {
            if (name.starts_with(thread)) {
                return fmt::format("the kernel calls {}(): work outside the device's streams", name);
            }
        }
    }
    return std::nullopt;
}

} // namespace gks
