// SPDX-License-Identifier: GPL-3.0-or-later
// libgit2 says which lines were removed and added. A block of removed lines beside a block of added lines is then
// paired: the pairing that maximises the summed similarity of its pairs, in order, by dynamic programming (cost:
// product of the block sizes). Lines that stay alone get filler on the other side.
#include "core/diff/side_by_side.h"

#include "core/base/text.h"
#include "core/diff/word_diff.h"

#include <algorithm>
#include <git2.h>
#include <memory>

namespace gks {
namespace {

constexpr std::size_t pairingLimit = 80;  // larger blocks are not paired by similarity but in order
constexpr double pairingSimilarity = 0.4; // lines less alike are shown as removed and added, not as changed

struct LibGit2 {
    LibGit2() { git_libgit2_init(); }
    ~LibGit2() { git_libgit2_shutdown(); }
    LibGit2(const LibGit2&) = delete;
    LibGit2& operator=(const LibGit2&) = delete;
};

// For each line whether it is only on its side.
struct LineMarks {
    std::vector<bool> removed;
    std::vector<bool> added;
};

LineMarks markLines(std::string_view left, std::string_view right, std::size_t leftCount, std::size_t rightCount,
                    const DiffOptions& options) {
    static const LibGit2 library;
    LineMarks marks{std::vector<bool>(leftCount, false), std::vector<bool>(rightCount, false)};
    git_diff_options git{};
    git_diff_options_init(&git, GIT_DIFF_OPTIONS_VERSION);
    git.context_lines = 0;
    git.flags = GIT_DIFF_PATIENCE | GIT_DIFF_FORCE_TEXT;
    if (options.ignoreWhitespace) {
        git.flags |= GIT_DIFF_IGNORE_WHITESPACE;
    }
    git_patch* raw = nullptr;
    if (git_patch_from_buffers(&raw, left.data(), left.size(), "left", right.data(), right.size(), "right", &git) !=
        0) {
        // Out of memory or beyond libgit2's limits: everything differs, which is still a true picture.
        marks.removed.assign(leftCount, true);
        marks.added.assign(rightCount, true);
        return marks;
    }
    const std::unique_ptr<git_patch, decltype(&git_patch_free)> patch(raw, git_patch_free);
    for (std::size_t hunk = 0; hunk < git_patch_num_hunks(raw); ++hunk) {
        const int count = git_patch_num_lines_in_hunk(raw, hunk);
        for (int i = 0; i < count; ++i) {
            const git_diff_line* line = nullptr;
            if (git_patch_get_line_in_hunk(&line, raw, hunk, static_cast<std::size_t>(i)) != 0) {
                continue;
            }
            const auto mark = [](std::vector<bool>& side, int number) {
                if (number >= 1 && static_cast<std::size_t>(number) <= side.size()) {
                    side[static_cast<std::size_t>(number) - 1] = true;
                }
            };
            if (line->origin == GIT_DIFF_LINE_DELETION) {
                mark(marks.removed, line->old_lineno);
            } else if (line->origin == GIT_DIFF_LINE_ADDITION) {
                mark(marks.added, line->new_lineno);
            }
        }
    }
    return marks;
}

class RowBuilder {
public:
    explicit RowBuilder(SideBySide& out) : m_out(out) {}

    void equal(int left, int right) { m_out.rows.push_back({RowKind::equal, left, right, {}, {}}); }

    void block(int leftBegin, int leftEnd, int rightBegin, int rightEnd) {
        const int firstRow = static_cast<int>(m_out.rows.size());
        const auto height = static_cast<std::size_t>(leftEnd - leftBegin);
        const auto width = static_cast<std::size_t>(rightEnd - rightBegin);
        if (height > 0 && width > 0 && height <= pairingLimit && width <= pairingLimit) {
            paired(leftBegin, height, rightBegin, width);
        } else {
            inOrder(leftBegin, leftEnd, rightBegin, rightEnd);
        }
        m_out.changes.push_back({firstRow, static_cast<int>(m_out.rows.size()) - 1});
    }

private:
    const std::string& leftLine(std::size_t i) const { return m_out.left[i]; }
    const std::string& rightLine(std::size_t i) const { return m_out.right[i]; }

    void removed(int line) {
        m_out.rows.push_back({RowKind::removed, line, std::nullopt, {}, {}});
        ++m_out.removedLines;
    }
    void added(int line) {
        m_out.rows.push_back({RowKind::added, std::nullopt, line, {}, {}});
        ++m_out.addedLines;
    }
    void changed(int left, int right, WordDiff words) {
        m_out.rows.push_back({RowKind::changed, left, right, std::move(words.left), std::move(words.right)});
        ++m_out.changedLines;
    }

    void inOrder(int leftBegin, int leftEnd, int rightBegin, int rightEnd) {
        while (leftBegin < leftEnd && rightBegin < rightEnd) {
            changed(leftBegin, rightBegin,
                    diffWords(leftLine(static_cast<std::size_t>(leftBegin)),
                              rightLine(static_cast<std::size_t>(rightBegin))));
            ++leftBegin;
            ++rightBegin;
        }
        while (leftBegin < leftEnd) {
            removed(leftBegin++);
        }
        while (rightBegin < rightEnd) {
            added(rightBegin++);
        }
    }

    void paired(int leftBegin, std::size_t height, int rightBegin, std::size_t width) {
        const auto l = [&](std::size_t i) { return static_cast<std::size_t>(leftBegin) + i; };
        const auto r = [&](std::size_t j) { return static_cast<std::size_t>(rightBegin) + j; };
        std::vector<double> alike(height * width);
        for (std::size_t i = 0; i < height; ++i) {
            for (std::size_t j = 0; j < width; ++j) {
                alike[i * width + j] = diffWords(leftLine(l(i)), rightLine(r(j))).similarity;
            }
        }
        std::vector<double> best((height + 1) * (width + 1), 0.0);
        const auto at = [&](std::size_t i, std::size_t j) -> double& { return best[i * (width + 1) + j]; };
        const auto pair = [&](std::size_t i, std::size_t j) {
            const double similarity = alike[i * width + j];
            return similarity >= pairingSimilarity ? similarity : 0.0;
        };
        for (std::size_t i = height; i-- > 0;) {
            for (std::size_t j = width; j-- > 0;) {
                at(i, j) = std::max({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + pair(i, j)});
            }
        }
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < height || j < width) {
            const bool both = i < height && j < width;
            if (both && pair(i, j) > 0 && at(i, j) == at(i + 1, j + 1) + pair(i, j)) {
                changed(static_cast<int>(l(i)), static_cast<int>(r(j)), diffWords(leftLine(l(i)), rightLine(r(j))));
                ++i;
                ++j;
            } else if (i < height && (!both || at(i, j) == at(i + 1, j))) {
                removed(static_cast<int>(l(i++)));
            } else {
                added(static_cast<int>(r(j++)));
            }
        }
    }

    SideBySide& m_out;
};

} // namespace

SideBySide compareSources(std::string_view left, std::string_view right, const DiffOptions& options) {
    SideBySide out;
    for (const auto line : lines(left)) {
        out.left.emplace_back(line);
    }
    for (const auto line : lines(right)) {
        out.right.emplace_back(line);
    }
    // Compared without carriage returns and with a final newline on both sides: a missing one is not a change of a
    // kernel.
    const std::string leftText = join(out.left, "\n") + "\n";
    const std::string rightText = join(out.right, "\n") + "\n";
    const LineMarks marks = markLines(leftText, rightText, out.left.size(), out.right.size(), options);

    RowBuilder rows(out);
    std::size_t l = 0;
    std::size_t r = 0;
    while (l < out.left.size() || r < out.right.size()) {
        const std::size_t leftBegin = l;
        const std::size_t rightBegin = r;
        while (l < out.left.size() && marks.removed[l]) {
            ++l;
        }
        while (r < out.right.size() && marks.added[r]) {
            ++r;
        }
        if (l > leftBegin || r > rightBegin) {
            rows.block(static_cast<int>(leftBegin), static_cast<int>(l), static_cast<int>(rightBegin),
                       static_cast<int>(r));
        } else if (l < out.left.size() && r < out.right.size()) {
            rows.equal(static_cast<int>(l++), static_cast<int>(r++));
        } else {
            rows.block(static_cast<int>(l), static_cast<int>(out.left.size()), static_cast<int>(r),
                       static_cast<int>(out.right.size()));
            break;
        }
    }
    return out;
}

} // namespace gks
