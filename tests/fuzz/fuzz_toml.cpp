// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/model_catalogue.h"
#include "core/problem/manifest.h"
#include "tests/fuzz/fuzz.h"

using gks::fuzz::require;

// Files that people write or are given: prices of models, and the manifest of a problem.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(gks::fuzz::text(data, size));
    gks::ModelCatalogue catalogue;
    const auto read = catalogue.readText(text, "models.toml");
    require(read || read.error().where.starts_with("models.toml"), "an error has its place");
    for (const auto& [name, facts] : catalogue.models()) {
        require(!name.empty() && facts.inputUsd >= 0 && facts.outputUsd >= 0 && facts.contextTokens >= 0,
                "prices and sizes are not negative");
        require(catalogue.usd(name, 1000, 1000).value_or(0) >= 0, "no model pays");
    }
    gks::ProblemPack pack;
    const auto manifest = gks::readManifest("problem.toml", text, pack);
    require(manifest || manifest.error().where.starts_with("problem.toml"), "an error has its place");
    if (manifest) {
        for (const auto& [set, shapes] : pack.shapes) {
            for (const gks::Shape& shape : shapes) {
                require(shape.size() == pack.dims.size(), "a shape has one extent for each dim");
                require(pack.flops(shape).value_or(0) > 0 && pack.bytes(shape).value_or(0) > 0, "work is positive");
            }
        }
        require(!gks::generateProblemHeader(pack).empty(), "an accepted problem has a header");
    }
    return 0;
}
