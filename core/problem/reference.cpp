// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/problem/element_codec.h"
#include "core/problem/parallel_ranges.h"
#include "core/problem/raw_memory.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

using ReferenceFunction = void (*)(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin,
                                   std::int64_t end, double* expected);

constexpr std::array compilers = {"clang++-19", "g++", "c++"};
constexpr std::array flags = {"-std=c++20", "-O3", "-march=native", "-shared", "-fPIC"};

// Elements per call of the reference. A reference that needs the whole of a row (its maximum, its sum of squares)
// computes that once per call, so pieces are few: some for every core, for balance, and large enough to vectorise.
constexpr std::int64_t fewestElements = 256;
constexpr std::int64_t piecesPerCore = 4;

std::int64_t pieceElements(std::int64_t elements) {
    const std::int64_t pieces = piecesPerCore * std::max(1U, std::thread::hardware_concurrency());
    return std::max(fewestElements, (elements + pieces - 1) / pieces);
}

// The loaded library; closed when the last user is gone.
struct Library {
    void* handle = nullptr;
    ReferenceFunction function = nullptr;

    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (handle != nullptr) {
            ::dlclose(handle);
        }
    }
};

class LibraryOutputs final : public ExpectedOutputs {
public:
    LibraryOutputs(std::shared_ptr<const Library> library, const ProblemPack& pack, const Shape& shape)
        : m_library(std::move(library))
        , m_shape(shape)
        , m_pointers(pack.tensors.size(), nullptr)
        , m_decoded(pack.tensors.size())
        , m_outputElements(pack.tensors.size(), 0) {}

    Result<void> addTensor(const ProblemPack& pack, std::size_t index, std::span<const std::byte> bytes,
                           Fp8Encoding encoding) {
        const TensorSpec& tensor = pack.tensors[index];
        GKS_TRY_ASSIGN(const std::int64_t elements, pack.elementCount(tensor, m_shape));
        if (tensor.role == TensorRole::output) {
            m_outputElements[index] = elements;
            return {};
        }
        if (bytes.size() != static_cast<std::size_t>(elements) * sizeBytes(tensor.type)) {
            return usageError(fmt::format("input {} of shape {} needs {} elements of {} bytes, {} bytes were given",
                                          tensor.name, pack.shapeLabel(m_shape), elements, sizeBytes(tensor.type),
                                          bytes.size()),
                              pack.name);
        }
        m_pointers[index] = bytes.data();
        if (isFp8(tensor.type)) {
            RawVector<float>& decoded = m_decoded[index];
            decoded.resize(bytes.size());
            forRanges(elements, std::int64_t{1} << 20, [&](std::int64_t begin, std::int64_t end) {
                const auto at = static_cast<std::size_t>(begin);
                const auto count = static_cast<std::size_t>(end - begin);
                decodeFp8(tensor.type, encoding, bytes.subspan(at, count), std::span(decoded).subspan(at, count));
            });
            m_pointers[index] = decoded.data();
        }
        return {};
    }

    Result<std::vector<double>> range(std::size_t tensorIndex, std::int64_t begin, std::int64_t end) const override {
        GKS_TRY(isInside(tensorIndex, begin, end));
        std::vector<double> expected(static_cast<std::size_t>(end - begin));
        forRanges(end - begin, pieceElements(end - begin), [&](std::int64_t from, std::int64_t to) {
            call(tensorIndex, begin + from, begin + to, expected.data() + from);
        });
        return expected;
    }

    Result<std::vector<double>> at(std::size_t tensorIndex, std::span<const std::int64_t> indices) const override {
        for (const std::int64_t index : indices) {
            GKS_TRY(isInside(tensorIndex, index, index + 1));
        }
        std::vector<double> expected(indices.size());
        forRanges(static_cast<std::int64_t>(indices.size()), 16, [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t i = from; i < to; ++i) {
                const std::int64_t index = indices[static_cast<std::size_t>(i)];
                call(tensorIndex, index, index + 1, expected.data() + i);
            }
        });
        return expected;
    }

private:
    Result<void> isInside(std::size_t tensorIndex, std::int64_t begin, std::int64_t end) const {
        if (tensorIndex >= m_outputElements.size() || m_outputElements[tensorIndex] == 0) {
            return usageError(fmt::format("tensor {} is not an output", tensorIndex));
        }
        if (begin < 0 || begin > end || end > m_outputElements[tensorIndex]) {
            return usageError(fmt::format("elements [{}, {}) are outside of the {} elements of the output", begin, end,
                                          m_outputElements[tensorIndex]));
        }
        return {};
    }

    void call(std::size_t tensorIndex, std::int64_t begin, std::int64_t end, double* expected) const {
        m_library->function(m_pointers.data(), m_shape.data(), static_cast<int>(tensorIndex), begin, end, expected);
    }

    std::shared_ptr<const Library> m_library;
    Shape m_shape;
    std::vector<const void*> m_pointers;
    std::vector<RawVector<float>> m_decoded;
    std::vector<std::int64_t> m_outputElements; // 0 for inputs
};

class LibraryReference final : public Reference {
public:
    LibraryReference(std::shared_ptr<const Library> library, ProblemPack pack)
        : m_library(std::move(library)), m_pack(std::move(pack)) {}

    Result<std::shared_ptr<const ExpectedOutputs>> prepare(const Shape& shape,
                                                           const std::vector<std::span<const std::byte>>& tensors,
                                                           Fp8Encoding encoding) const override {
        if (shape.size() != m_pack.dims.size() || tensors.size() != m_pack.tensors.size()) {
            return usageError(fmt::format("{} dims and {} tensors were given, the pack has {} and {}", shape.size(),
                                          tensors.size(), m_pack.dims.size(), m_pack.tensors.size()),
                              m_pack.name);
        }
        auto outputs = std::make_shared<LibraryOutputs>(m_library, m_pack, shape);
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            GKS_TRY(outputs->addTensor(m_pack, i, tensors[i], encoding));
        }
        return outputs;
    }

    Result<std::vector<double>> expected(const Shape& shape, const std::vector<std::span<const std::byte>>& tensors,
                                         Fp8Encoding encoding, std::size_t tensorIndex, std::int64_t begin,
                                         std::int64_t end) const override {
        GKS_TRY_ASSIGN(const auto outputs, prepare(shape, tensors, encoding));
        return outputs->range(tensorIndex, begin, end);
    }

private:
    std::shared_ptr<const Library> m_library;
    ProblemPack m_pack;
};

Result<fs::path> findCompiler() {
    for (const char* name : compilers) {
        if (const auto found = findProgram(name)) {
            return *found;
        }
    }
    return infrastructureError("no C++ compiler was found for the reference",
                               fmt::format("{}", fmt::join(compilers, ", ")), "Install clang-19 or g++");
}

// The newest of the ready-made libraries that this processor can run; none for a pack of the user's own.
std::optional<fs::path> shippedReference(const std::string& source) {
#if defined(__x86_64__)
    const std::string hash = sha256Hex(source);
    for (const auto& [level, fits] : {std::pair("x86-64-v4", __builtin_cpu_supports("x86-64-v4")),
                                      std::pair("x86-64-v3", __builtin_cpu_supports("x86-64-v3"))}) {
        std::error_code ignored;
        if (fs::path path = referenceFolder() / fmt::format("{}-{}.so", hash, level);
            fits && fs::exists(path, ignored)) {
            return path;
        }
    }
#endif
    return std::nullopt;
}

// -march=native ties a library to the processor it was made on, and a home folder may be shared by different machines.
std::string processorFeatures() {
    const Result<std::string> text = readFile("/proc/cpuinfo");
    const std::size_t at = text ? text->find("flags") : std::string::npos;
    return at == std::string::npos ? std::string() : text->substr(at, text->find('\n', at) - at);
}

Result<fs::path> compiledReference(const ProblemPack& pack) {
    GKS_TRY_ASSIGN(const std::string source, readFile(pack.referencePath));
    if (auto shipped = shippedReference(source)) {
        return std::move(*shipped);
    }
    GKS_TRY_ASSIGN(const fs::path compiler, findCompiler());
    std::error_code ignored;
    const std::string key =
        sha256Hex(fmt::format("{}\n{} {}\n{}\n{}", source, compiler.string(), fmt::join(flags, " "),
                              fs::file_size(fs::canonical(compiler, ignored), ignored), processorFeatures()));
    const fs::path folder = cacheFolder() / "references";
    fs::path library = folder / (key + ".so");
    if (fs::exists(library, ignored)) {
        return library;
    }
    GKS_TRY(makeDirectories(folder));
    const fs::path beside =
        folder / fmt::format("{}.{}.part", key, sha256Hex(fmt::format("{} {}", ::getpid(), ::gettid())).substr(0, 12));
    Command command;
    command.arguments = {compiler.string()};
    command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
    command.arguments.insert(command.arguments.end(), {pack.referencePath.string(), "-o", beside.string()});
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(command));
    if (!run.ok()) {
        fs::remove(beside, ignored);
        return usageError(
            fmt::format("the reference does not compile ({}): {}", run.exit.text(), abbreviated(run.error, 2000)),
            pack.referencePath.string());
    }
    std::error_code code;
    fs::rename(beside, library, code); // atomic: another process may be making the same library
    if (code) {
        return infrastructureError(fmt::format("cannot store the compiled reference: {}", code.message()),
                                   library.string());
    }
    return library;
}

std::string loaderMessage() {
    const char* message = ::dlerror();
    return message != nullptr ? message : "unknown error of the dynamic loader";
}

} // namespace

Result<std::shared_ptr<const Reference>> Reference::load(const ProblemPack& pack) {
    GKS_TRY_ASSIGN(const fs::path path, compiledReference(pack));
    auto library = std::make_shared<Library>();
    library->handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library->handle == nullptr) {
        return infrastructureError(fmt::format("cannot load the compiled reference: {}", loaderMessage()),
                                   path.string(), "Delete the file and try again");
    }
    library->function = reinterpret_cast<ReferenceFunction>(::dlsym(library->handle, "reference"));
    if (library->function == nullptr) {
        return usageError("does not define extern \"C\" void reference(...)", pack.referencePath.string());
    }
    return std::make_shared<LibraryReference>(std::move(library), pack);
}

} // namespace gks
