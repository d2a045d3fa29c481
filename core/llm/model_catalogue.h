// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace gks {

// What models cost: resources/models.toml, overridden by models.toml in the configuration folder.
class ModelCatalogue {
public:
    static Result<ModelCatalogue> load();
    Result<void> read(const std::filesystem::path& file);

    // None when the price of the model is not known. A vendor in front ("openai/gpt-4o") and a date behind
    // ("gpt-4o-2024-08-06") are left out of the comparison.
    std::optional<double> usd(const std::string& model, std::int64_t tokensIn, std::int64_t tokensOut) const;

private:
    struct Price { // per million tokens
        double input = 0;
        double output = 0;
    };
    std::map<std::string, Price> m_prices;
};

} // namespace gks
