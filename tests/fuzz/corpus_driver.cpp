// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

// Stands in for libFuzzer: every file of the corpus as it is, every beginning of the small ones, then changes by a
// generator with a fixed seed. It follows no coverage; what it finds, it finds in every run.
namespace {

std::string changed(const std::vector<std::string>& corpus, std::mt19937& random, std::size_t limit) {
    const auto pick = [&](std::size_t below) {
        return below == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    std::string text = corpus[pick(corpus.size())];
    for (std::size_t changes = 1 + pick(8); changes > 0; --changes) {
        const std::size_t at = pick(text.size() + 1);
        const std::size_t count = pick(std::min<std::size_t>(64, text.size() - at + 1));
        switch (pick(4)) {
        case 0:
            text.erase(at, count);
            break;
        case 1:
            text.insert(at, text.substr(pick(text.size() + 1), count));
            break;
        case 2: {
            const std::string& other = corpus[pick(corpus.size())];
            text.insert(at, other.substr(pick(other.size() + 1), count));
            break;
        }
        default:
            if (at < text.size()) {
                text[at] = static_cast<char>(pick(256));
            }
        }
    }
    text.resize(std::min(text.size(), limit));
    return text;
}

void run(const std::string& text) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

} // namespace

int main(int argc, char** argv) {
    std::size_t runs = 1000;
    std::size_t limit = 8192;
    std::vector<std::string> corpus;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const auto number = [&](std::string_view name, std::size_t& value) {
            if (argument.starts_with(name)) {
                std::from_chars(argument.data() + name.size(), argument.data() + argument.size(), value);
            }
        };
        number("-runs=", runs);
        number("-max_len=", limit);
        std::error_code failed;
        for (const auto& entry : std::filesystem::directory_iterator(argument, failed)) {
            std::ifstream file(entry.path(), std::ios::binary);
            corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    }
    if (corpus.empty()) {
        std::fputs("no corpus: name its folder\n", stderr);
        return 2;
    }
    std::sort(corpus.begin(), corpus.end()); // folders list in any order
    for (const std::string& text : corpus) {
        for (std::size_t length = text.size() <= 512 ? 0 : text.size(); length <= text.size(); ++length) {
            run(text.substr(0, length));
        }
    }
    std::mt19937 random(1);
    for (std::size_t i = 0; i < runs; ++i) {
        run(changed(corpus, random, limit));
    }
    std::printf("%zu files, %zu changed inputs\n", corpus.size(), runs);
    return 0;
}
