// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/tuning_table.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace gks::tuning {
namespace {

namespace fs = std::filesystem;

// "#define NAME 1 // @tune NAME 1 2 4" with another list, or with the current value alone.
std::string withList(std::string_view line, const std::map<std::string, std::string>& values) {
    const std::size_t tag = line.find("// @tune ");
    if (tag == std::string_view::npos) {
        return std::string(line);
    }
    const std::string_view declared = line.substr(tag + 9);
    const std::string name(declared.substr(0, declared.find(' ')));
    const auto given = values.find(name);
    const std::string kept(line.substr(0, tag));
    const std::string_view definition = trimmed(kept);
    const std::string_view current = definition.substr(definition.rfind(' ') + 1);
    return kept + "// @tune " + name + " " + (given == values.end() ? std::string(current) : given->second);
}

} // namespace

const std::vector<SmallSpace>& smallSpaces() {
    static const std::vector<SmallSpace> spaces = {
        {"row-softmax",
         TargetKind::cpu,
         "row-softmax",
         "tunable",
         {{"THREADS", "64 256"},
          {"THREADS_PER_ROW", "1 4 16 64"},
          {"VECTOR", "1 4 8 16"},
          {"ONE_PASS", "0 1"},
          {"EXP_BY_POLYNOMIAL", "0 1"}},
         "[[64, 1024], [31, 1000]]",
         "[[5, 77]]"},
        {"sum-reduction",
         TargetKind::cpu,
         "sum-reduction",
         "tunable",
         {{"BLOCKS", "2 8 64 256"},
          {"THREADS", "64 256 1024"},
          {"VECTOR", "1 4 8 16"},
          {"UNROLL", "1 4"},
          {"CONTIGUOUS", "0 1"}},
         "[[262144], [65537]]",
         "[[4097]]"},
        {"fp8-gemm",
         TargetKind::cpu,
         "fp8-gemm",
         "tunable",
         {{"BLOCK_M", "32 64"},
          {"BLOCK_N", "32 64 128"},
          {"BLOCK_K", "16 64"},
          {"THREAD_M", "1 2 4 8"},
          {"THREAD_N", "2 4 8 16"}},
         "[[64, 64, 256], [32, 128, 128]]",
         "[[32, 96, 128]]"},
        {"row-softmax-nvidia",
         TargetKind::nvidia,
         "row-softmax",
         "tunable",
         {{"THREADS", "64 256"},
          {"THREADS_PER_ROW", "4 16 32 64"},
          {"VECTOR", "1 2 4 8"},
          {"ONE_PASS", "0 1"},
          {"EXP_BY_POLYNOMIAL", "0 1"},
          {"KEEP_EXPONENTIALS", "0 1"}}},
        {"sum-reduction-nvidia",
         TargetKind::nvidia,
         "sum-reduction",
         "tunable",
         {{"BLOCKS", "64 256 1024"},
          {"THREADS", "128 256 512 1024"},
          {"VECTOR", "1 2 4 8"},
          {"UNROLL", "1 4"},
          {"CONTIGUOUS", "0 1"}}},
        {"fp8-gemm-nvidia",
         TargetKind::nvidia,
         "fp8-gemm",
         "tunable",
         {{"BLOCK_M", "32 64 128"},
          {"BLOCK_N", "32 64 128"},
          {"BLOCK_K", "16 32"},
          {"THREAD_M", "2 4 8"},
          {"THREAD_N", "2 4 8"}}},
    };
    return spaces;
}

Result<std::string> sourceOf(const SmallSpace& space) {
    const fs::path file = resourceFolder() / "problems" / space.problem / "seeds" / (space.seed + ".hip");
    GKS_TRY_ASSIGN(const std::string seed, readFile(file));
    std::string source;
    for (const std::string_view line : lines(seed)) {
        source += withList(line, space.values) + "\n";
    }
    return source;
}

Result<void> writePack(const SmallSpace& space, const fs::path& folder) {
    const fs::path pack = resourceFolder() / "problems" / space.problem;
    std::error_code failure;
    fs::copy(pack, folder, fs::copy_options::recursive, failure);
    if (failure) {
        return infrastructureError(failure.message(), folder.string());
    }
    if (space.shapes.empty()) {
        return {};
    }
    GKS_TRY_ASSIGN(const std::string manifest, readFile(pack / "problem.toml"));
    std::string written;
    bool ofShapes = false;
    for (const std::string_view line : lines(manifest)) {
        const bool heading = line.starts_with('[');
        ofShapes = heading ? line == "[shapes]" : ofShapes;
        if (ofShapes && heading) {
            written += "[shapes]\n";
            for (const char* set : {"test", "benchmark", "quick", "cpu"}) {
                written += fmt::format("{} = {}\n", set, space.shapes);
            }
            written += fmt::format("held_out = {}\n\n", space.heldOut);
        } else if (!ofShapes) {
            written += std::string(line) + "\n";
        }
    }
    return writeFileAtomically(folder / "problem.toml", written);
}

std::string toCsv(const Table& table, const SearchSpace& space) {
    std::string text;
    for (const std::string& remark : table.remarks) {
        text += "# " + remark + "\n";
    }
    std::size_t passes = 0;
    for (const Row& row : table.rows) {
        passes = std::max(passes, row.us.size());
    }
    const auto varies = [](const Tunable& tunable) { return tunable.values.size() > 1; };
    for (const Tunable& tunable : space.tunables()) {
        text += varies(tunable) ? tunable.name + "," : "";
    }
    text += "verdict";
    for (std::size_t pass = 1; pass <= passes; ++pass) {
        text += fmt::format(",us_{}", pass);
    }
    text += "\n";
    for (const Row& row : table.rows) {
        const auto values = space.valuesOf(row.point);
        for (const Tunable& tunable : space.tunables()) {
            text += varies(tunable) ? values.at(tunable.name) + "," : "";
        }
        text += row.verdict;
        for (const double us : row.us) {
            text += fmt::format(",{:.3f}", us);
        }
        text += "\n";
    }
    return text;
}

Result<Table> fromCsv(std::string_view text, const SearchSpace& space) {
    Table table;
    std::vector<std::string> columns;
    int number = 0;
    for (const std::string_view line : lines(text)) {
        ++number;
        if (line.starts_with("# ")) {
            table.remarks.emplace_back(line.substr(2));
            continue;
        }
        const std::vector<std::string> cells = split(line, ',');
        if (columns.empty()) {
            columns = cells;
            continue;
        }
        Row row;
        std::map<std::string, std::string> values;
        for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
            double us = 0;
            if (columns[i] == "verdict") {
                row.verdict = cells[i];
            } else if (!columns[i].starts_with("us_")) {
                values[columns[i]] = cells[i];
            } else if (std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), us).ec == std::errc()) {
                row.us.push_back(us);
            }
        }
        row.point = space.pointOf(values);
        if (row.verdict.empty() || std::count(row.point.begin(), row.point.end(), -1) > 0) {
            return usageError("not a point of this space", fmt::format("line {}", number));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

double microseconds(const Row& row) {
    return row.us.empty() ? 0 : *std::min_element(row.us.begin(), row.us.end());
}

} // namespace gks::tuning
