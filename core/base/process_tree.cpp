// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process_tree.h"

#include "core/base/files.h"

#include <algorithm>
#include <filesystem>

namespace gks {
namespace {

constexpr std::size_t treeLimit = 64; // the sandbox allows a runner far fewer
constexpr std::string_view spaces = " \t\n";

} // namespace

std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(spaces, end);
    }
    return words;
}

std::vector<std::string> threadsOf(const std::string& process) {
    std::vector<std::string> threads;
    std::error_code code;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + process + "/task", code)) {
        threads.push_back(thread.path().string());
    }
    return threads;
}

std::vector<std::string> processTree(int pid) {
    std::vector<std::string> tree = {std::to_string(pid)};
    for (std::size_t i = 0; i < tree.size() && tree.size() < treeLimit; ++i) {
        for (const std::string& thread : threadsOf(tree[i])) { // a child is listed with the thread that started it
            const std::string children = readFile(thread + "/children").value_or(std::string());
            for (const std::string_view child : wordsOf(children)) {
                tree.emplace_back(child);
            }
        }
    }
    return tree;
}

} // namespace gks
