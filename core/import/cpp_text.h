// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The host code of a problem in C++: a file and what it includes of its own folder, put together as one text for a
// compiler in the sandbox, and as tokens for those who read a few forms of it. Nothing is compiled or run here.
// Refused with file and line: files from elsewhere, directives that read files, assembly, and device code.
namespace gks {

struct CppToken {
    enum class Kind { name, number, text, symbol };
    Kind kind = Kind::symbol;
    std::string text;     // of a text with its quotes
    std::size_t at = 0;   // in the whole text
    std::size_t line = 0; // of the whole text
};

// A definition of a function outside of every class: what its tokens are.
struct CppFunction {
    std::string name;
    std::size_t first = 0;           // with its type
    std::size_t open = 0, close = 0; // of the parameters
    std::size_t bodyOpen = 0, bodyClose = 0;
};

class CppText {
public:
    using Read = std::function<Result<std::string>(const std::string& name)>;
    // `folder` and names in it are what messages name.
    static Result<CppText> read(const std::string& file, const Read& files, std::string folder);

    const std::vector<CppToken>& tokens() const { return m_tokens; } // without directives
    const std::vector<CppFunction>& functions() const { return m_functions; }
    // The only definition of this name; refused otherwise.
    Result<const CppFunction*> function(std::string_view name) const;
    const std::set<std::string>& systemHeaders() const { return m_headers; }
    const std::map<std::string, std::string>& files() const { return m_files; } // as they were read
    // What a macro stands for; null where there is none of this name.
    const std::string* macro(const std::string& name) const;
    std::vector<std::string> macroNames() const;

    // The text without these functions, and with what a compiler needs to name the lines of the files.
    std::string without(const std::function<bool(const CppFunction&)>& drops) const;
    // Refuses device code, and what is no C++ for a host: everywhere but in these functions.
    Result<void> isHostCode(const std::function<bool(const CppFunction&)>& ignores) const;
    bool mentions(const CppFunction& function, std::string_view name) const;

    // Of the closing bracket that belongs to the opening one at `open`.
    Result<std::size_t> closing(std::size_t open) const;
    bool is(std::size_t token, std::string_view text) const {
        return token < m_tokens.size() && m_tokens[token].text == text;
    }
    std::string place(std::size_t token) const; // "folder/reference.cuh:12"
    tl::unexpected<Error> refuse(std::size_t token, std::string what) const;

private:
    struct Line {
        std::string file;
        std::size_t number = 0;
        bool isDirective = false;
    };

    tl::unexpected<Error> refuseLine(const Line& line, std::string what) const;
    Result<void> take(const std::string& file, const Read& files, int depth);
    Result<void> directive(const std::string& text, const Line& line, const Read& files, int depth);
    Result<void> include(std::string_view given, const Line& line, const Read& files, int depth);
    void keep(const std::string& text, Line line);
    Result<void> readTokens();
    Result<void> findFunctions();

    std::string m_folder;
    std::string m_text;
    std::vector<Line> m_lines;
    std::vector<std::size_t> m_begins; // of lines, in the text
    std::vector<CppToken> m_tokens;
    std::vector<CppFunction> m_functions;
    std::set<std::string> m_headers;
    std::map<std::string, std::string> m_macros;
    std::string m_guard;      // of a condition whose #define is to come
    std::size_t m_guards = 0; // that are open
    std::map<std::string, std::string> m_files;
};

inline constexpr std::size_t cppLimitBytes = std::size_t{128} << 10; // of all files together

} // namespace gks
