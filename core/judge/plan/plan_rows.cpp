// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/plan_rows.h"

#include "core/base/quantity.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <optional>

namespace gks {
namespace {

constexpr std::size_t shownBytes = 16;
constexpr std::size_t shownKernelBytes = 100;
constexpr std::size_t rowWordBytes = sizeof(std::uint64_t);

std::string shown(const PlanBytes& bytes) {
    const std::span<const std::uint8_t> all(bytes);
    return bytes.size() <= shownBytes ? "0x" + hexText(all) : "0x" + hexText(all.first(shownBytes)) + "...";
}

// "cooperative; cluster 2 x 1; ", nothing where nothing was asked for.
std::string shown(const LaunchAttributes& attributes) {
    std::string text = attributes.cooperative ? "cooperative; " : "";
    if (elementsOf(attributes.cluster) != 1) {
        text += fmt::format("cluster {}; ", extentText(attributes.cluster));
    }
    if (attributes.clusterPolicy != 0) {
        text += fmt::format("cluster policy {}; ", attributes.clusterPolicy);
    }
    text += attributes.programmaticSerialization ? "may begin early; " : "";
    if (attributes.carveoutPercent >= 0) {
        text += fmt::format("{} % of on-chip memory as LDS; ", attributes.carveoutPercent);
    }
    return text;
}

template<class T>
std::string joined(const std::vector<T>& numbers) {
    std::vector<std::string> words;
    std::transform(numbers.begin(), numbers.end(), std::back_inserter(words),
                   [](T one) { return std::to_string(one); });
    return join(words, " x ");
}

// The elements of CUtensorMapDataType.
std::string_view elementName(std::uint32_t type) {
    constexpr std::array<std::string_view, 13> names = {"u8",  "u16", "u32",  "i32",     "u64",  "i64",     "f16",
                                                        "f32", "f64", "bf16", "f32 ftz", "tf32", "tf32 ftz"};
    return type < names.size() ? names[type] : "?";
}

template<class T>
T valueAt(const PlanBytes& bytes, std::size_t at) {
    T value = {};
    std::memcpy(&value, &bytes[at], sizeof value);
    return value;
}

class Words {
public:
    Words(const ModuleFacts& facts, const SetAddresses& addresses, const std::map<std::string, std::int64_t>& dims)
        : m_facts(facts), m_addresses(addresses), m_dims(dims) {}

    void operator()(const KernelLaunch& launch) {
        row.what = readableSymbol(launch.kernel);
        row.grid = extentText(launch.grid);
        row.block = extentText(launch.block);
        row.lds = formatBytes(launch.dynamicLdsBytes);
        std::vector<std::string> values;
        const KernelFacts* const kernel = m_facts.kernel(launch.kernel);
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            std::map<std::size_t, std::size_t> holes;
            for (const PaddingBytes& hole : kernel != nullptr ? kernel->padding : std::vector<PaddingBytes>()) {
                if (hole.argument == i && hole.bytes > 0) {
                    holes[hole.offset] = hole.bytes;
                }
            }
            if (const std::string maps = mapsIn(launch.maps, i); !maps.empty()) {
                values.push_back(maps);
            } else {
                values.push_back(meaning(launch.arguments[i], holes));
            }
        }
        row.arguments = shown(launch.attributes) + join(values, ", ");
    }
    void operator()(const DeviceFill& fill) {
        row.what =
            fmt::format("{}, {} with {:#x}", place(fill.to), formatBytes(fill.count * fill.elementBytes), fill.value);
    }
    void operator()(const DeviceCopy& copy) {
        row.what =
            fmt::format("{} to {}, {}", place(copy.from), place(copy.to), formatBytes(copy.rowBytes * copy.rows));
        if (copy.rows > 1) {
            row.what += fmt::format(" in {} rows", copy.rows);
        }
    }
    void operator()(const HostWrite& write) {
        row.what = fmt::format("{} to {}, {}", shown(write.bytes), place(write.to), formatBytes(write.bytes.size())) +
                   withMaps(write.maps);
    }
    void operator()(const SymbolCopy& copy) {
        const std::string variable = fmt::format("{}+{}", readableSymbol(copy.symbol), copy.offset);
        row.what = fmt::format("{} to {}, {}", copy.toSymbol ? place(copy.address) : variable,
                               copy.toSymbol ? variable : place(copy.address), formatBytes(copy.bytes));
    }
    void operator()(const SymbolWrite& write) {
        row.what = fmt::format("{} to {}+{}, {}", shown(write.bytes), readableSymbol(write.symbol), write.offset,
                               formatBytes(write.bytes.size())) +
                   withMaps(write.maps);
    }
    void operator()(const EventRecord& record) { row.what = fmt::format("event {}", record.event); }
    void operator()(const EventWait& wait) { row.what = fmt::format("event {}", wait.event); }

    PlanRow row;

private:
    // "x", "x+64", "workspace"; nothing for an address that is none of the set.
    std::optional<std::string> bufferAt(std::uint64_t address) const {
        const auto named = [&](const std::string& name, std::uint64_t begin) {
            return address == begin ? name : fmt::format("{}+{}", name, address - begin);
        };
        for (const TensorAddress& tensor : m_addresses.tensors) {
            if (address - tensor.address < tensor.bytes) {
                return named(tensor.name, tensor.address);
            }
        }
        if (address - m_addresses.workspace < m_addresses.workspaceBytes) {
            return named("workspace", m_addresses.workspace);
        }
        return std::nullopt;
    }

    std::string place(std::uint64_t address) const { return bufferAt(address).value_or(fmt::format("{:#x}", address)); }

    // Several dimensions may have this value: then it is none of them in particular.
    std::string number(std::int64_t value) const {
        std::string name;
        for (const auto& [dim, extent] : m_dims) {
            if (extent == value) {
                name = name.empty() ? dim : name + "|" + dim;
            }
        }
        return name.empty() ? std::to_string(value) : fmt::format("{}={}", name, value);
    }

    // "map of x, f16, 4096 x 1024, box 64 x 128"
    std::string words(const TensorMap& map) const {
        return fmt::format("map of {}, {}, {}, box {}", place(map.address), elementName(map.type), joined(map.extents),
                           joined(map.box));
    }

    // Those of one argument; what stands beside them in it is not shown.
    std::string mapsIn(const std::vector<PlacedMap>& maps, std::size_t argument) const {
        std::vector<std::string> parts;
        for (const PlacedMap& placed : maps) {
            if (placed.argument == argument) {
                parts.push_back(words(placed.map));
            }
        }
        return parts.empty() ? std::string() : "{" + join(parts, "; ") + "}";
    }

    std::string withMaps(const std::vector<PlacedMap>& maps) const {
        const std::string text = mapsIn(maps, 0);
        return text.empty() ? text : " with " + text;
    }

    // `holes` are the offsets and lengths of padding.
    std::string meaning(const PlanBytes& argument, const std::map<std::size_t, std::size_t>& holes) const {
        if (argument.size() == sizeof(std::int32_t)) {
            return number(valueAt<std::int32_t>(argument, 0));
        }
        if (argument.size() == rowWordBytes) {
            const auto value = valueAt<std::uint64_t>(argument, 0);
            return bufferAt(value).value_or(value == 0 ? "null" : fmt::format("{:#x}", value));
        }
        if (argument.size() < rowWordBytes) {
            return shown(argument);
        }
        // A structure: addresses by name, what is left in halves.
        std::vector<std::string> parts;
        for (std::size_t at = 0; at < argument.size();) {
            if (const auto hole = holes.find(at); hole != holes.end()) {
                at += hole->second;
                continue;
            }
            const bool isWord = at % rowWordBytes == 0 && at + rowWordBytes <= argument.size();
            const auto buffer = isWord ? bufferAt(valueAt<std::uint64_t>(argument, at)) : std::nullopt;
            if (buffer) {
                parts.push_back(*buffer);
                at += rowWordBytes;
            } else if (at + sizeof(std::int32_t) <= argument.size()) {
                parts.push_back(number(valueAt<std::int32_t>(argument, at)));
                at += sizeof(std::int32_t);
            } else {
                parts.push_back(std::to_string(argument[at]));
                ++at;
            }
        }
        return "{" + join(parts, ", ") + "}";
    }

    const ModuleFacts& m_facts;
    const SetAddresses& m_addresses;
    const std::map<std::string, std::int64_t>& m_dims;
};

} // namespace

std::string extentText(const Extent& extent) {
    if (extent[2] != 1) {
        return fmt::format("{} x {} x {}", extent[0], extent[1], extent[2]);
    }
    return extent[1] != 1 ? fmt::format("{} x {}", extent[0], extent[1]) : std::to_string(extent[0]);
}

std::string readableSymbol(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      &std::free);
    return abbreviated(sanitizedUtf8(status == 0 && name ? name.get() : symbol.c_str()), shownKernelBytes);
}

std::vector<PlanRow> rowsOf(const LaunchPlan& plan, const ModuleFacts& facts, const SetAddresses& addresses,
                            const std::map<std::string, std::int64_t>& dims) {
    std::vector<PlanRow> rows;
    for (const PlanOperation& operation : plan.operations) {
        Words words(facts, addresses, dims);
        std::visit(words, operation.action);
        const StreamKind kind = plan.streams.at(operation.stream).kind;
        words.row.stream = kind == StreamKind::solve ? std::to_string(operation.stream)
                                                     : fmt::format("{} {}", operation.stream, name(kind));
        words.row.operation = name(operation.action);
        words.row.place = operation.place;
        rows.push_back(std::move(words.row));
    }
    return rows;
}

} // namespace gks
