// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/facts_json.h"

#include "core/judge/plan/strict_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

// Of one module or set; the bound of their text is far above what these take.
constexpr std::size_t kernelLimit = 4096;
constexpr std::size_t variableLimit = 4096;
constexpr std::size_t paddingLimit = 4096;
constexpr std::size_t tensorLimit = 64;

Json writePadding(const std::vector<PaddingBytes>& padding) {
    Json list = Json::array();
    for (const PaddingBytes& hole : padding) {
        list.push_back({hole.argument, hole.offset, hole.bytes});
    }
    return list;
}

void readPadding(StrictFields& fields, KernelFacts& kernel) {
    const Json* const list = fields.list("padding", paddingLimit);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const Json& hole = (*list)[i];
        std::array<std::uint32_t, 3> values{};
        bool fits = hole.is_array() && hole.size() == values.size();
        for (std::size_t v = 0; fits && v < values.size(); ++v) {
            fits = hole[v].is_number_unsigned() && hole[v].get<std::uint64_t>() <= planArgumentLimitBytes;
            values[v] = fits ? hole[v].get<std::uint32_t>() : 0;
        }
        const auto [argument, offset, bytes] = values;
        if (!fits || argument >= kernel.argumentBytes.size() || bytes > kernel.argumentBytes[argument] ||
            offset > kernel.argumentBytes[argument] - bytes) {
            return fields.fail("padding", "does not name bytes of arguments");
        }
        kernel.padding.push_back({argument, offset, bytes});
    }
}

Result<KernelFacts> readKernel(const Json& json, const std::string& where) {
    KernelFacts kernel;
    StrictFields fields(json, where);
    fields.text("symbol", kernel.symbol, planSymbolLimitBytes);
    fields.numbers("argument_bytes", kernel.argumentBytes, planArgumentLimit, planArgumentLimitBytes);
    readPadding(fields, kernel);
    fields.number("greatest_block", kernel.greatestBlock);
    fields.number("static_lds_bytes", kernel.staticLdsBytes);
    fields.number("most_dynamic_lds_bytes", kernel.mostDynamicLdsBytes);
    fields.number("registers", kernel.registers);
    GKS_TRY(fields.finish());
    return kernel;
}

Result<VariableFacts> readVariable(const Json& json, const std::string& where) {
    VariableFacts variable;
    StrictFields fields(json, where);
    fields.text("symbol", variable.symbol, planSymbolLimitBytes);
    fields.number("bytes", variable.bytes);
    fields.flag("constant", variable.constant);
    GKS_TRY(fields.finish());
    return variable;
}

Result<TensorAddress> readTensor(const Json& json, const std::string& where) {
    TensorAddress tensor;
    StrictFields fields(json, where);
    fields.text("name", tensor.name, planSymbolLimitBytes);
    fields.address("address", tensor.address);
    fields.number("bytes", tensor.bytes);
    fields.flag("output", tensor.isOutput);
    GKS_TRY(fields.finish());
    return tensor;
}

Result<VariableAddress> readVariableAddress(const Json& json, const std::string& where) {
    VariableAddress variable;
    StrictFields fields(json, where);
    fields.text("symbol", variable.symbol, planSymbolLimitBytes);
    fields.address("address", variable.address);
    GKS_TRY(fields.finish());
    return variable;
}

} // namespace

Json toJson(const ModuleFacts& facts) {
    Json kernels = Json::array();
    for (const KernelFacts& kernel : facts.kernels) {
        kernels.push_back({{"symbol", kernel.symbol},
                           {"argument_bytes", kernel.argumentBytes},
                           {"padding", writePadding(kernel.padding)},
                           {"greatest_block", kernel.greatestBlock},
                           {"static_lds_bytes", kernel.staticLdsBytes},
                           {"most_dynamic_lds_bytes", kernel.mostDynamicLdsBytes},
                           {"registers", kernel.registers}});
    }
    Json variables = Json::array();
    for (const VariableFacts& variable : facts.variables) {
        variables.push_back({{"symbol", variable.symbol}, {"bytes", variable.bytes}, {"constant", variable.constant}});
    }
    return {{"version", moduleFactsVersion},
            {"device_code", name(facts.code)},
            {"kernels", std::move(kernels)},
            {"variables", std::move(variables)}};
}

Result<ModuleFacts> moduleFactsFromJson(const Json& json, const std::string& where) {
    ModuleFacts facts;
    StrictFields fields(json, where);
    fields.version(moduleFactsVersion);
    fields.choice("device_code", facts.code, {DeviceCode::cpu, DeviceCode::amd, DeviceCode::nvidia}, "device code");
    const Json* const kernels = fields.list("kernels", kernelLimit);
    const Json* const variables = fields.list("variables", variableLimit);
    GKS_TRY(fields.finish());
    GKS_TRY(readEach(kernels, where, "kernel", facts.kernels, readKernel));
    GKS_TRY(readEach(variables, where, "variable", facts.variables, readVariable));
    return facts;
}

Result<ModuleFacts> moduleFactsFromText(std::string_view text, const std::string& where) {
    GKS_TRY_ASSIGN(const Json json, parseHostileJson(text, moduleFactsLimitBytes, where));
    return moduleFactsFromJson(json, where);
}

Json toJson(const SetAddresses& addresses) {
    Json tensors = Json::array();
    for (const TensorAddress& tensor : addresses.tensors) {
        tensors.push_back({{"name", tensor.name},
                           {"address", addressText(tensor.address)},
                           {"bytes", tensor.bytes},
                           {"output", tensor.isOutput}});
    }
    Json variables = Json::array();
    for (const VariableAddress& variable : addresses.variables) {
        variables.push_back({{"symbol", variable.symbol}, {"address", addressText(variable.address)}});
    }
    return {{"tensors", std::move(tensors)},
            {"workspace", addressText(addresses.workspace)},
            {"workspace_bytes", addresses.workspaceBytes},
            {"variables", std::move(variables)}};
}

Result<SetAddresses> setAddressesFromJson(const Json& json, const std::string& where) {
    SetAddresses addresses;
    StrictFields fields(json, where);
    const Json* const tensors = fields.list("tensors", tensorLimit);
    fields.address("workspace", addresses.workspace);
    fields.number("workspace_bytes", addresses.workspaceBytes);
    const Json* const variables = fields.list("variables", variableLimit);
    GKS_TRY(fields.finish());
    GKS_TRY(readEach(tensors, where, "tensor", addresses.tensors, readTensor));
    GKS_TRY(readEach(variables, where, "variable", addresses.variables, readVariableAddress));
    return addresses;
}

} // namespace gks
