// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// Hashes of a source's runs of five tokens, comments, formatting and local names apart; sorted, each once.
using SourceShingles = std::vector<std::uint64_t>;
SourceShingles sourceShingles(std::string_view source);

// How much two sources are the same, 0..1: the Jaccard index of their runs (Broder, "On the resemblance and containment
// of documents", 1997).
double resemblance(const SourceShingles& a, const SourceShingles& b);

// Min-wise hashes of the runs: two sources agree in a place with the probability of their resemblance (Broder, 1997).
// The values stand in the campaign file (kernel.sketch), so they are the same in every build and never change. Who
// wrote the file is not known: a sketch says which sources are worth comparing, and never that they are the same.
inline constexpr std::size_t sketchPlaces = 16;
using SourceSketch = std::array<std::uint32_t, sketchPlaces>;
SourceSketch sketchOf(const SourceShingles& shingles);
// The same of a source that normalizedSource() has made.
SourceSketch sketchOfNormalized(std::string_view normalized);
std::size_t equalPlaces(const SourceSketch& a, const SourceSketch& b);

// As the file has it: the places one after the other, little-endian. Nothing for bytes of another length.
std::string packedSketch(const SourceSketch& sketch);
std::optional<SourceSketch> unpackedSketch(std::string_view bytes);

} // namespace gks
