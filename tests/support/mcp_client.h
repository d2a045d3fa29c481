// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/process.h"

#include <QtGlobal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// kernel-scientist-cli mcp as a client of the modern era has it.
namespace gks::test {

class McpClient {
public:
    explicit McpClient(std::vector<std::string> words = {})
        : m_process(start(std::move(words))), m_lines(m_process.outputDescriptor()) {}

    Json request(const char* method, Json params = Json::object()) {
        const int id = send(method, std::move(params));
        for (;;) {
            Json said = next();
            if (said["id"] == id) {
                return said;
            }
        }
    }
    // Without waiting for its reply; the id.
    int send(const char* method, Json params = Json::object()) {
        params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                           {"io.modelcontextprotocol/clientInfo", {{"name", "test agent"}, {"version", "1"}}},
                           {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
        say({{"jsonrpc", "2.0"}, {"id", ++m_id}, {"method", method}, {"params", std::move(params)}});
        return m_id;
    }
    void say(const Json& message) {
        if (!m_process.write(message.dump() + "\n")) {
            qFatal("the server is gone");
        }
    }
    Json next() {
        std::string line;
        if (m_lines.next(line, std::chrono::minutes(2)) != LineReader::Status::line) {
            qFatal("the server says nothing");
        }
        return Json::parse(line);
    }
    // The text of a tool's result, or of its error.
    std::string call(const char* tool, Json arguments = Json::object(), bool isError = false) {
        const Json said = request("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
        if (!said.contains("result") || said["result"]["isError"] != isError) {
            qFatal("%s", said.dump().c_str());
        }
        return said["result"]["content"][0]["text"].get<std::string>();
    }
    Json json(const char* tool, Json arguments = Json::object()) {
        return Json::parse(call(tool, std::move(arguments)));
    }
    // Waits for a handle until it has a result.
    std::string result(const std::string& handle) {
        for (;;) {
            std::string text = call("wait", {{"handle", handle}});
            if (text.find("Call wait with this handle") == std::string::npos) {
                return text;
            }
        }
    }
    ChildProcess& process() { return m_process; }
    void closeInput() { m_process.closeInput(); }

private:
    static ChildProcess start(std::vector<std::string> words) {
        Command command;
        command.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-cli", "mcp"};
        command.arguments.insert(command.arguments.end(), words.begin(), words.end());
        auto process = ChildProcess::start(command);
        if (!process) {
            qFatal("%s", process.error().message().c_str());
        }
        return std::move(*process);
    }
    ChildProcess m_process;
    LineReader m_lines;
    int m_id = 0;
};

} // namespace gks::test
