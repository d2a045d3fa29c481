// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/bubblewrap_view.h"

#include <algorithm>
#include <deque>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr int linksLimit = 40; // as the kernel

bool isBelow(const fs::path& path, const fs::path& folder) {
    const auto [left, right] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return left == folder.end() && right != path.end();
}

const char* option(BubblewrapView::Access access) {
    switch (access) {
    case BubblewrapView::Access::read:
        return "--ro-bind";
    case BubblewrapView::Access::write:
        return "--bind";
    case BubblewrapView::Access::device:
        break;
    }
    return "--dev-bind";
}

} // namespace

fs::path BubblewrapView::withoutLinks(const fs::path& path) {
    std::deque<fs::path> rest(path.begin(), path.end());
    fs::path real = "/";
    for (int links = 0; !rest.empty();) {
        const fs::path part = rest.front();
        rest.pop_front();
        if (part.empty() || part == "." || part == "/") {
            continue;
        }
        if (part == "..") {
            real = real.parent_path();
            continue;
        }
        const fs::path next = real / part;
        std::error_code ignored;
        if (!fs::is_symlink(next, ignored)) {
            real = next;
            continue;
        }
        if (++links > linksLimit) {
            return path;
        }
        const fs::path target = fs::read_symlink(next, ignored);
        m_links.emplace(next, target);
        rest.insert(rest.begin(), target.begin(), target.end());
        real = target.is_absolute() ? fs::path("/") : real;
    }
    return real;
}

void BubblewrapView::show(const fs::path& path, Access access) {
    Access& known = m_binds.try_emplace(withoutLinks(path), access).first->second;
    known = std::max(known, access);
}

// A folder above the path shows it already, in the same way.
bool BubblewrapView::isCovered(const fs::path& path, Access access) const {
    for (fs::path above = path.parent_path();; above = above.parent_path()) {
        if (const auto at = m_binds.find(above); at != m_binds.end()) {
            return at->second == access;
        }
        if (above == above.parent_path()) {
            return false;
        }
    }
}

std::vector<std::string> BubblewrapView::arguments() const {
    std::vector<std::string> arguments;
    for (const auto& [path, access] : m_binds) {
        if (!isCovered(path, access)) {
            arguments.insert(arguments.end(), {option(access), path.string(), path.string()});
        }
    }
    for (const auto& [place, target] : m_links) {
        const bool isShown =
            std::any_of(m_binds.begin(), m_binds.end(), [&](const auto& bind) { return isBelow(place, bind.first); });
        if (!isShown) { // in a folder that is shown it is there
            arguments.insert(arguments.end(), {"--symlink", target.string(), place.string()});
        }
    }
    return arguments;
}

} // namespace gks
