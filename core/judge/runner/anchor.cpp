// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/anchor.h"

#include <charconv>
#include <dlfcn.h>

namespace gks::runner {

std::optional<Anchor> Anchor::load(const std::string& path, std::string& error) {
    void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const text = ::dlerror();
        error = text != nullptr ? text : "the library of the anchor cannot be loaded";
        return std::nullopt;
    }
    Anchor anchor;
    anchor.m_solve = reinterpret_cast<decltype(anchor.m_solve)>(::dlsym(handle, "solve"));
    anchor.m_workspaceBytes = reinterpret_cast<decltype(anchor.m_workspaceBytes)>(::dlsym(handle, "workspace_bytes"));
    anchor.m_version = reinterpret_cast<decltype(anchor.m_version)>(::dlsym(handle, "anchor_version"));
    if (anchor.m_solve == nullptr) {
        error = "the anchor has no function extern \"C\" hipError_t solve(const Problem&, void*, hipStream_t)";
        return std::nullopt;
    }
    return anchor;
}

std::string Anchor::version() const {
    const char* const text = m_version != nullptr ? m_version() : nullptr;
    return text != nullptr ? text : "";
}

bool Anchor::setProblem(std::string_view digits) {
    if (digits.empty() || digits.size() % 2 != 0 || digits.size() / 2 > m_problem.size()) {
        return false;
    }
    m_problem.fill(0);
    for (std::size_t i = 0; 2 * i < digits.size(); ++i) {
        const char* const end = digits.data() + 2 * i + 2;
        if (std::from_chars(digits.data() + 2 * i, end, m_problem[i], 16).ptr != end) {
            return false;
        }
    }
    return true;
}

std::uint64_t Anchor::workspaceBytes() const {
    return m_workspaceBytes != nullptr ? m_workspaceBytes(m_problem.data()) : 0;
}

Driver::Status Anchor::solve(Driver::Address workspace, Driver::Stream stream) const {
    return m_solve(m_problem.data(), reinterpret_cast<void*>(workspace), stream);
}

} // namespace gks::runner
