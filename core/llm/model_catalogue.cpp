// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/model_catalogue.h"

#include "core/base/files.h"
#include "core/base/locations.h"

#include <cctype>
#include <fmt/format.h>
#include <toml++/toml.h>

namespace gks {

Result<ModelCatalogue> ModelCatalogue::load() {
    ModelCatalogue catalogue;
    GKS_TRY(catalogue.read(resourceFolder() / "models.toml"));
    std::error_code ignored;
    if (const auto own = configFolder() / "models.toml"; std::filesystem::exists(own, ignored)) {
        GKS_TRY(catalogue.read(own));
    }
    return catalogue;
}

Result<void> ModelCatalogue::read(const std::filesystem::path& file) {
    GKS_TRY_ASSIGN(const std::string text, readFile(file));
    toml::table table;
    try {
        table = toml::parse(text, file.string());
    } catch (const toml::parse_error& error) {
        return usageError(fmt::format("not valid TOML ({})", error.description()),
                          fmt::format("{}:{}", file.string(), error.source().begin.line), "Mend the file or remove it");
    }
    const toml::array* models = table["model"].as_array();
    if (models == nullptr) {
        return usageError("there is no [[model]]", file.string(), "Give name, input and output of each model");
    }
    for (const toml::node& node : *models) {
        const toml::table* model = node.as_table();
        const auto name = model != nullptr ? (*model)["name"].value<std::string>() : std::nullopt;
        const auto input = model != nullptr ? (*model)["input"].value<double>() : std::nullopt;
        const auto output = model != nullptr ? (*model)["output"].value<double>() : std::nullopt;
        if (!name || !input || !output || *input < 0 || *output < 0) {
            return usageError("a model needs name, input and output, in US dollars per million tokens",
                              fmt::format("{}:{}", file.string(), node.source().begin.line));
        }
        m_prices[*name] = {*input, *output};
    }
    return {};
}

std::optional<double> ModelCatalogue::usd(const std::string& model, std::int64_t tokensIn,
                                          std::int64_t tokensOut) const {
    const std::string plain = model.substr(model.rfind('/') + 1); // npos + 1 is 0
    const Price* price = nullptr;
    std::size_t length = 0;
    for (const auto& [name, candidate] : m_prices) {
        const bool same = plain == name;
        const bool dated = plain.size() > name.size() + 1 && plain.starts_with(name) && plain[name.size()] == '-' &&
                           std::isdigit(static_cast<unsigned char>(plain[name.size() + 1])) != 0;
        if ((same || dated) && name.size() >= length) {
            price = &candidate;
            length = name.size();
        }
    }
    if (price == nullptr) {
        return {};
    }
    return (static_cast<double>(tokensIn) * price->input + static_cast<double>(tokensOut) * price->output) / 1e6;
}

} // namespace gks
