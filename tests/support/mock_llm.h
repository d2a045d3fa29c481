// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gks {

// aimock, an LLM test server written by others (npm package @copilotkit/aimock), on a free port of the loopback.
class MockLlm {
public:
    // The folder with node_modules: GKS_AIMOCK, or aimock/ under build/. Empty when it is not there, and `reason` says
    // what to install.
    static std::filesystem::path find(std::string& reason);
    static Result<std::unique_ptr<MockLlm>>
    start(const std::filesystem::path& fixtures, const std::vector<std::string>& options = {},
          const std::vector<std::pair<std::string, std::string>>& environment = {});

    std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port) + "/v1"; }
    // What the server received, as JSON.
    std::string journal() const;

private:
    MockLlm(ChildProcess process, int port) : m_process(std::move(process)), m_port(port) {}

    ChildProcess m_process;
    int m_port;
};

} // namespace gks
