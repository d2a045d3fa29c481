// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cheats/cheat_sample.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <tuple>

namespace gks {
namespace {

// What follows `key` on a line "// key rest".
std::optional<std::string> after(std::string_view line, std::string_view key) {
    const std::string head = fmt::format("// {}", key);
    return line.starts_with(head) ? std::optional(std::string(trimmed(line.substr(head.size())))) : std::nullopt;
}

CheatSample parsed(const std::filesystem::path& file) {
    CheatSample sample;
    sample.name = file.stem().string();
    sample.source = readFile(file).value_or("");
    for (const std::string_view line : lines(sample.source)) {
        if (const auto row = after(line, "Row ")) {
            const std::size_t colon = row->find(": ");
            for (const std::string_view one : split(std::string_view(*row).substr(0, colon), ',')) {
                sample.rows.push_back(std::stoi(std::string(trimmed(one))));
            }
            sample.trick = row->substr(colon + 2);
        } else if (const auto caught = after(line, "Caught: ")) {
            const std::size_t colon = caught->find(": ");
            sample.verdicts = caught->substr(0, colon);
            sample.caughtBy = caught->substr(colon + 2);
        } else if (const auto reason = after(line, "Gains nothing: ")) {
            sample.caughtBy = *reason;
        } else if (const auto problem = after(line, "Problem: ")) {
            sample.problem = *problem;
        }
    }
    return sample;
}

} // namespace

std::vector<CheatSample> readSamples(const std::string& folder) {
    std::vector<CheatSample> samples;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".hip") {
            samples.push_back(parsed(entry.path()));
        }
    }
    std::sort(samples.begin(), samples.end(), [](const CheatSample& a, const CheatSample& b) {
        return std::tie(a.rows, a.name) < std::tie(b.rows, b.name);
    });
    return samples;
}

std::string tableOf(const std::vector<CheatSample>& samples) {
    std::string table = "| row | kernel | what it does | verdict | what stops it |\n|---|---|---|---|---|\n";
    for (const CheatSample& sample : samples) {
        const std::string verdict = sample.gainsNothing() ? "gains nothing" : replaceAll(sample.verdicts, "|", " or ");
        table += fmt::format("| {} | `{}` | {} | {} | {} |\n", fmt::join(sample.rows, ", "), sample.name, sample.trick,
                             verdict, sample.gainsNothing() ? sample.caughtBy : fmt::format("\"{}\"", sample.caughtBy));
    }
    return table;
}

} // namespace gks
