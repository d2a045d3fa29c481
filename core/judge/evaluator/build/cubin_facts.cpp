// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/judge/evaluator/build/elf_file.h"
#include "core/judge/evaluator/build/module_facts_reader.h"
#include "core/judge/plan/launch_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

// A cubin is an ELF file. Beside the code it has records of attributes (`.nv.info` of the module, `.nv.info.KERNEL` of
// a kernel), as `cuobjdump -elf` and `readelf` show them: NVIDIA documents the names, the numbers are of what ptxas 12
// and 13 write for sm_90a and sm_100. Where a record is not as expected the cubin is refused, nothing is guessed.
namespace gks {
namespace {

constexpr Elf64_Half cudaMachine = 190;
constexpr unsigned char entryFlag = 0x10; // of a symbol: a kernel
constexpr std::uint64_t cubinSymbolLimit = 1 << 18;
constexpr std::size_t cubinNamesLimitBytes = std::size_t{16} << 20;
constexpr std::size_t cubinKernelLimit = 4096;
constexpr std::size_t cubinRecordLimit = 1 << 20;
constexpr std::uint32_t mostThreads = 1024;
constexpr int optInSharedMemory = 97; // CUdevice_attribute: of a block that asks for it
constexpr std::string_view infoPrefix = ".nv.info.";
constexpr std::string_view sharedPrefix = ".nv.shared.";
// From 9.0 on a kernel's section begins with what the device keeps for itself; then this section is there too.
constexpr std::string_view reservedSection = ".nv.shared.reserved.0";
constexpr std::uint64_t reservedSharedBytes = 1024;

enum Record : std::uint8_t {
    maxThreadsRecord = 0x05,
    requiredThreadsRecord = 0x10,
    parameterRecord = 0x17,
    parameterBytesRecord = 0x19,
    registersRecord = 0x2f,
    newParameterRecord = 0x45,
};
constexpr std::uint8_t sizedForm = 4; // of a record: its value is a size, and as many bytes follow

struct Parameter {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
};

struct CubinKernel {
    std::map<std::uint32_t, Parameter> parameters; // by their ordinal
    std::optional<std::uint32_t> parameterBytes;
    std::uint64_t bound = mostThreads;
    std::uint32_t sharedBytes = 0;
    std::uint32_t registers = 0;
};

// What a kernel asks of the driver, in words.
std::string_view serviceName(std::string_view function) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known = {
        {{"vprintf", "printf"}, {"__assertfail", "assert"}, {"malloc", "malloc"}, {"free", "free"}}};
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == function; });
    return found != known.end() ? found->second : function;
}

class CubinReader {
public:
    CubinReader(const ElfFile& elf, std::uint32_t optInBytes) : m_elf(elf), m_optInBytes(optInBytes) {}

    Result<ModuleFacts> read() {
        if (m_elf.header().e_machine != cudaMachine) {
            return m_elf.broken("it is for another machine");
        }
        GKS_TRY(nameSections());
        for (const Elf64_Shdr& section : m_elf.sections()) {
            if (section.sh_type == SHT_SYMTAB) {
                GKS_TRY(readSymbols(section));
            }
        }
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            GKS_TRY(readSection(m_elf.sections()[i], m_names[i]));
        }
        for (const auto& [symbol, kernel] : m_kernels) {
            GKS_TRY_ASSIGN(KernelFacts facts, factsOf(symbol, kernel));
            m_facts.kernels.push_back(std::move(facts));
        }
        m_facts.code = DeviceCode::nvidia;
        return std::move(m_facts);
    }

private:
    Result<void> nameSections() {
        std::size_t bytes = 0;
        for (const Elf64_Shdr& section : m_elf.sections()) {
            auto name = m_elf.nameOf(section);
            bytes += name ? name->size() : 0;
            if (!name || bytes > cubinNamesLimitBytes) {
                return m_elf.broken("names of sections");
            }
            m_names.push_back(std::move(*name));
        }
        return {};
    }

    Result<void> readSymbols(const Elf64_Shdr& table) {
        const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
        if (!m_symbols.empty() || count > cubinSymbolLimit || table.sh_link >= m_elf.sections().size()) {
            return m_elf.broken("symbol table");
        }
        std::size_t bytes = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            Elf64_Sym symbol = {};
            if (!m_elf.read(table.sh_offset + i * sizeof symbol, symbol)) {
                return m_elf.broken("symbol table");
            }
            auto name = m_elf.text(m_elf.sections()[table.sh_link], symbol.st_name);
            bytes += name ? name->size() : 0;
            if (!name || bytes > cubinNamesLimitBytes) {
                return m_elf.broken("names of symbols");
            }
            GKS_TRY(readSymbol(symbol, *name));
            m_symbols.push_back(std::move(*name));
        }
        return {};
    }

    Result<void> readSymbol(const Elf64_Sym& symbol, const std::string& name) {
        const unsigned type = ELF64_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && type == STT_FUNC) {
            return kernelError(fmt::format("device code calls {}, which needs the host while it runs",
                                           abbreviated(sanitizedUtf8(serviceName(name)), 64)),
                               {}, "Leave the call out");
        }
        if (type == STT_FUNC && (symbol.st_other & entryFlag) != 0) {
            m_kernels.try_emplace(name);
            return m_kernels.size() <= cubinKernelLimit ? Result<void>() : m_elf.broken("too many kernels");
        }
        if (type == STT_OBJECT && symbol.st_size > 0 && symbol.st_shndx < m_names.size()) {
            const std::string_view section = m_names[symbol.st_shndx];
            const bool isConstant = section.starts_with(".nv.constant3");
            if (isConstant || section.starts_with(".nv.global")) {
                m_facts.variables.push_back({name, symbol.st_size, isConstant});
            }
        }
        return {};
    }

    Result<void> readSection(const Elf64_Shdr& section, std::string_view name) {
        if (name == ".nv.info") {
            return readRecords(section, nullptr);
        }
        if (name.starts_with(infoPrefix)) {
            const auto kernel = m_kernels.find(std::string(name.substr(infoPrefix.size())));
            return kernel != m_kernels.end() ? readRecords(section, &kernel->second) : Result<void>();
        }
        if (name.starts_with(sharedPrefix)) {
            const auto kernel = m_kernels.find(std::string(name.substr(sharedPrefix.size())));
            const bool hasReserved = std::find(m_names.begin(), m_names.end(), reservedSection) != m_names.end();
            const std::uint64_t reserved = hasReserved ? reservedSharedBytes : 0;
            if (kernel != m_kernels.end() && (section.sh_size < reserved || section.sh_size > UINT32_MAX)) {
                return m_elf.broken("shared memory");
            }
            if (kernel != m_kernels.end()) {
                kernel->second.sharedBytes = static_cast<std::uint32_t>(section.sh_size - reserved);
            }
        }
        return {};
    }

    // A form, an attribute and two bytes of value, with as many bytes behind it as the value says where the form is
    // sized.
    Result<void> readRecords(const Elf64_Shdr& section, CubinKernel* kernel) {
        const auto bytes = m_elf.bytesOf(section);
        if (!bytes) {
            return m_elf.broken("records");
        }
        for (std::size_t at = 0; at + 4 <= bytes->size();) {
            const auto form = static_cast<std::uint8_t>((*bytes)[at]);
            const auto attribute = static_cast<std::uint8_t>((*bytes)[at + 1]);
            std::uint16_t value = 0;
            std::memcpy(&value, bytes->data() + at + 2, sizeof value);
            at += 4;
            const std::size_t size = form == sizedForm ? value : 0;
            if (size > bytes->size() - at || ++m_records > cubinRecordLimit) {
                return m_elf.broken("records");
            }
            GKS_TRY(readRecord(attribute, value, bytes->substr(at, size), kernel));
            at += size;
        }
        return {};
    }

    template<class T>
    static T at(std::string_view bytes, std::size_t offset) {
        T value = {};
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    }

    Result<void> readRecord(std::uint8_t attribute, std::uint16_t value, std::string_view body, CubinKernel* kernel) {
        if (kernel == nullptr) {
            return attribute == registersRecord ? readRegisters(body) : Result<void>();
        }
        switch (attribute) {
        case parameterRecord: {
            constexpr std::size_t recordBytes = 12; // index, ordinal and offset, and the size above 18 other bits
            constexpr unsigned sizeShift = 18;
            if (body.size() != recordBytes) {
                return m_elf.broken("record of a parameter");
            }
            const Parameter parameter = {at<std::uint16_t>(body, 6), at<std::uint32_t>(body, 8) >> sizeShift};
            if (!kernel->parameters.try_emplace(at<std::uint16_t>(body, 4), parameter).second) {
                return m_elf.broken("a parameter that is there twice");
            }
            return {};
        }
        case newParameterRecord:
            return m_elf.broken("a record of a parameter that this program does not know");
        case parameterBytesRecord:
            kernel->parameterBytes = value;
            return {};
        case maxThreadsRecord:
        case requiredThreadsRecord:
            if (body.size() != 3 * sizeof(std::uint32_t)) {
                return m_elf.broken("record of a block");
            }
            kernel->bound = std::min(kernel->bound, elementsOf({at<std::uint32_t>(body, 0), at<std::uint32_t>(body, 4),
                                                                at<std::uint32_t>(body, 8)}));
            return {};
        default:
            return {};
        }
    }

    Result<void> readRegisters(std::string_view body) {
        if (body.size() != 2 * sizeof(std::uint32_t)) {
            return m_elf.broken("record of registers");
        }
        const auto symbol = at<std::uint32_t>(body, 0);
        const auto kernel = symbol < m_symbols.size() ? m_kernels.find(m_symbols[symbol]) : m_kernels.end();
        if (kernel != m_kernels.end()) {
            kernel->second.registers = at<std::uint32_t>(body, 4);
        }
        return {};
    }

    Result<KernelFacts> factsOf(const std::string& symbol, const CubinKernel& kernel) const {
        KernelFacts facts;
        facts.symbol = symbol;
        std::uint32_t end = 0;
        std::uint32_t expected = 0;
        for (const auto& [ordinal, parameter] : kernel.parameters) {
            const bool isNext = ordinal == expected++ && parameter.offset >= end;
            end = parameter.offset + parameter.bytes;
            if (!isNext || parameter.bytes == 0 || end > planArgumentLimitBytes) {
                return m_elf.broken("parameters that do not follow one another");
            }
            facts.argumentBytes.push_back(parameter.bytes);
        }
        // Without parameters there may be no record of their bytes.
        if (end != kernel.parameterBytes.value_or(0) || facts.argumentBytes.size() > planArgumentLimit) {
            return m_elf.broken("parameters that end elsewhere than their bank");
        }
        facts.greatestBlock = static_cast<std::uint32_t>(std::min(kernel.bound, threadsFor(kernel.registers)));
        facts.staticLdsBytes = kernel.sharedBytes;
        facts.mostDynamicLdsBytes = m_optInBytes - std::min(m_optInBytes, kernel.sharedBytes);
        facts.registers = kernel.registers;
        return facts;
    }

    // As many as there are registers for: each of four parts of a multiprocessor has its own, given out to whole warps.
    static std::uint64_t threadsFor(std::uint32_t registers) {
        constexpr std::uint64_t lanes = 32;
        constexpr std::uint64_t parts = 4;
        constexpr std::uint64_t registersOfPart = 16384;
        constexpr std::uint64_t step = 256;
        const std::uint64_t ofWarp = (std::max<std::uint64_t>(registers, 1) * lanes + step - 1) / step * step;
        return std::min<std::uint64_t>(mostThreads, registersOfPart / ofWarp * parts * lanes);
    }

    const ElfFile& m_elf;
    std::uint32_t m_optInBytes;
    ModuleFacts m_facts;
    std::vector<std::string> m_names;   // of sections
    std::vector<std::string> m_symbols; // names of symbols
    std::map<std::string, CubinKernel> m_kernels;
    std::size_t m_records = 0;
};

} // namespace

Result<ModuleFacts> factsOfCubin(std::string_view bytes, const DeviceAnswers& device) {
    GKS_TRY_ASSIGN(const ElfFile elf, ElfFile::open(bytes, "the device code"));
    const auto optIn = device.attributes.find(optInSharedMemory);
    return CubinReader(elf,
                       optIn != device.attributes.end() ? static_cast<std::uint32_t>(std::max(optIn->second, 0)) : 0)
        .read();
}

} // namespace gks
