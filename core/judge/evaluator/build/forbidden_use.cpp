// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel's shared object may ask of other libraries. A list of what is allowed: the host side of a kernel plans
// and launches, for which the HIP interface, the language's own runtime and pure functions of the C library are enough.
// Three kinds of answer: a vendor library (policy of the pack), a function that only serves to leave the kernel's place
// (suspicious), and one that is merely not on the list (refused, but nobody is accused).
#include "core/judge/evaluator/build/module_symbols.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace gks {
namespace {

// What every module may link: the runtimes of the targets and of the language.
constexpr auto ordinaryLibraries =
    std::to_array<std::string_view>({"libhipcpu.", "libamdhip64.", "libcudart.", "libstdc++.", "libm.", "libc.",
                                     "libgcc_s.", "ld-linux", "libpthread.", "libdl.", "librt."});

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

// Other processes, files, the network, other code, other rights on memory, the runner's own descriptors and signals.
constexpr auto leavingFunctions = std::to_array<std::string_view>({"system",
                                                                   "popen",
                                                                   "fork",
                                                                   "vfork",
                                                                   "clone",
                                                                   "clone3",
                                                                   "daemon",
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
                                                                   "recv",
                                                                   "recvfrom",
                                                                   "recvmsg",
                                                                   "getaddrinfo",
                                                                   "gethostbyname",
                                                                   "getifaddrs",
                                                                   "dlopen",
                                                                   "dlmopen",
                                                                   "dlsym",
                                                                   "dlvsym",
                                                                   "dladdr",
                                                                   "dl_iterate_phdr",
                                                                   "ptrace",
                                                                   "process_vm_readv",
                                                                   "process_vm_writev",
                                                                   "mmap",
                                                                   "mmap64",
                                                                   "munmap",
                                                                   "mprotect",
                                                                   "pkey_mprotect",
                                                                   "pkey_set",
                                                                   "mremap",
                                                                   "madvise",
                                                                   "memfd_create",
                                                                   "shm_open",
                                                                   "syscall",
                                                                   "prctl",
                                                                   "kill",
                                                                   "killpg",
                                                                   "tgkill",
                                                                   "sigqueue",
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
                                                                   "tmpfile",
                                                                   "tmpfile64",
                                                                   "mkstemp",
                                                                   "opendir",
                                                                   "unlink",
                                                                   "rename",
                                                                   "write",
                                                                   "pwrite",
                                                                   "pwrite64",
                                                                   "writev",
                                                                   "dprintf",
                                                                   "read",
                                                                   "pread",
                                                                   "pread64",
                                                                   "readv",
                                                                   "fread",
                                                                   "dup",
                                                                   "dup2",
                                                                   "dup3",
                                                                   "close",
                                                                   "fcntl",
                                                                   "ioctl",
                                                                   "sigaction",
                                                                   "signal",
                                                                   "sigaltstack",
                                                                   "longjmp",
                                                                   "siglongjmp"});

// Work on a thread of the host outlives solve() and is no kernel.
constexpr auto threadFunctions =
    std::to_array<std::string_view>({"pthread_create", "thrd_create", "_ZNSt6thread15_M_start_thread", "GOMP_parallel",
                                     "__kmpc_fork_call", "timer_create", "setitimer", "hipLaunchHostFunc",
                                     "hipStreamAddCallback", "cudaLaunchHostFunc", "cudaStreamAddCallback"});

// Device code that is not in the source.
constexpr auto codeLoaders = std::to_array<std::string_view>(
    {"hipModuleLoad", "hiprtc", "cuModuleLoad", "cuLibraryLoad", "cudaLibraryLoad", "nvrtc"});

// Parts of the C++ library that open files, by what their mangled names contain.
constexpr auto fileClasses = std::to_array<std::string_view>(
    {"basic_filebuf", "basic_ifstream", "basic_ofstream", "basic_fstream", "10filesystem"});

// The C library as far as it computes, formats, prints, allocates and tells the time. Suffixes f and l of the
// mathematical functions and the wrappings __..._chk, __isoc99_ and __isoc23_ are taken off before the search.
constexpr std::string_view pureFunctions =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim floor"
    " fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan"
    " nearbyint nextafter nexttoward pow remainder remquo rint round roundeven scalbln scalbn sin sincos sinh sqrt tan"
    " tanh tgamma trunc"
    " memcpy memmove memset memcmp memchr memrchr mempcpy bcmp bzero strlen strnlen strcmp strncmp strcpy strncpy "
    "strcat"
    " strncat strchr strrchr strstr strtok strtok_r strspn strcspn strpbrk strdup strndup strcasecmp strncasecmp"
    " strerror malloc calloc realloc free aligned_alloc posix_memalign memalign abort exit _exit _Exit quick_exit "
    "atexit"
    " qsort bsearch rand srand random srandom rand_r drand48 abs labs llabs div ldiv lldiv strtol strtoll strtoul"
    " strtoull strtod strtof strtold atoi atol atoll atof getenv"
    " printf fprintf vprintf vfprintf sprintf snprintf vsprintf vsnprintf puts fputs putchar fputc putc fwrite fflush"
    " perror stdout stderr sscanf vsscanf isalnum isalpha isdigit isspace isupper islower isxdigit ispunct toupper "
    "tolower"
    " clock clock_gettime gettimeofday time nanosleep usleep sleep sched_yield difftime sysconf getpid getppid "
    "getpagesize"
    " pthread_once pthread_self pthread_key_create pthread_getspecific pthread_setspecific sched_getcpu get_nprocs ";

// What compilers and the language's runtime need.
constexpr auto runtimePrefixes = std::to_array<std::string_view>({"__cxa_",
                                                                  "_Unwind_",
                                                                  "_ITM_",
                                                                  "__gxx_",
                                                                  "__gcc_",
                                                                  "__gmon_",
                                                                  "__stack_chk_",
                                                                  "__tls_",
                                                                  "__errno_",
                                                                  "__assert",
                                                                  "__ctype_",
                                                                  "__once_",
                                                                  "__libc_single_threaded",
                                                                  "__dso_handle",
                                                                  "__atomic_",
                                                                  "__sync_",
                                                                  "__div",
                                                                  "__udiv",
                                                                  "__mod",
                                                                  "__umod",
                                                                  "__mul",
                                                                  "__popcount",
                                                                  "__trunc",
                                                                  "__extend",
                                                                  "__float",
                                                                  "__fix",
                                                                  "__clz",
                                                                  "__ctz",
                                                                  "__gnu_",
                                                                  "__ash",
                                                                  "__lsh",
                                                                  "__powi",
                                                                  "pthread_mutex_",
                                                                  "hipcpu_",
                                                                  "pthread_cond_"});

template<class Names>
bool isOneOf(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}
template<class Names>
bool beginsWithOneOf(const Names& names, std::string_view name) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view known) { return name.starts_with(known); });
}

bool isPure(std::string_view name) {
    const auto listed = [](std::string_view bare) {
        return pureFunctions.find(fmt::format(" {} ", bare)) != std::string_view::npos;
    };
    for (const std::string_view prefix : {"__isoc99_", "__isoc23_"}) {
        name = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
    }
    if (name.starts_with("__") && name.ends_with("_chk")) {
        name = name.substr(2, name.size() - 6);
    }
    return listed(name) || ((name.ends_with('f') || name.ends_with('l')) && listed(name.substr(0, name.size() - 1)));
}

// hipMalloc, cudaMalloc, __hipRegisterFunction
bool isOfDeviceRuntime(std::string_view name) {
    for (const std::string_view prefix : {"hip", "cuda", "__hip", "__cuda"}) {
        if (name.starts_with(prefix) && name.size() > prefix.size() && std::isupper(name[prefix.size()]) != 0) {
            return true;
        }
    }
    return false;
}

bool isAllowed(std::string_view library, const std::vector<std::string>& allowed) {
    return std::any_of(allowed.begin(), allowed.end(), [&](const std::string& name) {
        return !name.empty() && lowered(library).find(lowered(name)) != std::string::npos;
    });
}

std::optional<ForbiddenUse> judgeImport(const std::string& name, const std::vector<std::string>& allowedLibraries) {
    for (const Vendor& vendor : vendors) {
        if (name.starts_with(vendor.prefix)) {
            return isAllowed(vendor.library, allowedLibraries)
                       ? std::nullopt
                       : std::optional(ForbiddenUse{fmt::format(
                             "the kernel calls {} of a vendor library, which this problem does not allow", name)});
        }
    }
    if (isOneOf(leavingFunctions, name)) {
        return ForbiddenUse{fmt::format("the kernel calls {}(), which has no place in a kernel", name)};
    }
    if (beginsWithOneOf(threadFunctions, name)) {
        return ForbiddenUse{fmt::format("the kernel calls {}(): work outside the device's streams", name)};
    }
    if (beginsWithOneOf(codeLoaders, name)) {
        return ForbiddenUse{fmt::format("the kernel calls {}(): device code that is not in its source", name)};
    }
    if (std::any_of(fileClasses.begin(), fileClasses.end(),
                    [&](std::string_view part) { return name.find(part) != std::string::npos; })) {
        return ForbiddenUse{fmt::format("the kernel opens files (it uses {})", name)};
    }
    if (name.empty() || name.starts_with("_Z") || isOfDeviceRuntime(name) || isPure(name) ||
        beginsWithOneOf(runtimePrefixes, name)) {
        return std::nullopt;
    }
    return ForbiddenUse{
        fmt::format("the kernel calls {}(), which is not among the functions that a kernel may call", name), false};
}

} // namespace

std::optional<ForbiddenUse> forbiddenUse(const ModuleSymbols& symbols,
                                         const std::vector<std::string>& allowedLibraries) {
    for (const std::string& library : symbols.libraries) {
        if (!beginsWithOneOf(ordinaryLibraries, library) && !isAllowed(library, allowedLibraries)) {
            return ForbiddenUse{
                fmt::format("the kernel links the library {}, which this problem does not allow", library)};
        }
    }
    std::optional<ForbiddenUse> unlisted; // an accusation, if there is one, says more
    for (const std::string& name : symbols.imported) {
        auto use = judgeImport(name, allowedLibraries);
        if (use && use->isSuspicious) {
            return use;
        }
        if (use && !unlisted) {
            unlisted = std::move(use);
        }
    }
    // A function of the same name as the runner's own: for a library that is loaded late that has no effect, but nobody
    // does it by accident.
    for (const std::string& name : symbols.exported) {
        if (isOfDeviceRuntime(name) || isPure(name) || isOneOf(leavingFunctions, name)) {
            return ForbiddenUse{fmt::format("the kernel defines {}(), a function of the runtime", name)};
        }
    }
    return unlisted;
}

} // namespace gks
