// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gks {

// Who has to act on an error. The command line maps it to its exit status.
enum class ErrorKind {
    usage,          // what was asked for is wrong: a bad file, field or option
    kernel,         // the kernel is at fault
    infrastructure, // a tool, a device, the disk, the network
    cancelled,
};

// What happened, where, and what to do next. `where` is a file:line, a stage or a name and may be empty.
struct Error {
    ErrorKind kind = ErrorKind::infrastructure;
    std::string what;
    std::string where = {};
    std::string next = {};

    // "where: what. next"
    std::string message() const;
};

template<class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> usageError(std::string what, std::string where = {}, std::string next = {}) {
    return tl::unexpected(Error{ErrorKind::usage, std::move(what), std::move(where), std::move(next)});
}
inline tl::unexpected<Error> kernelError(std::string what, std::string where = {}, std::string next = {}) {
    return tl::unexpected(Error{ErrorKind::kernel, std::move(what), std::move(where), std::move(next)});
}
inline tl::unexpected<Error> infrastructureError(std::string what, std::string where = {}, std::string next = {}) {
    return tl::unexpected(Error{ErrorKind::infrastructure, std::move(what), std::move(where), std::move(next)});
}
inline tl::unexpected<Error> cancelledError(std::string where = {}) {
    return tl::unexpected(Error{ErrorKind::cancelled, "cancelled", std::move(where), {}});
}

// errno as text, for the `what` of an infrastructure error.
std::string systemMessage(int errorNumber);

} // namespace gks

// Returns the error of `expression` from the enclosing function; for Results whose value is not needed.
#define GKS_TRY(expression)                                                                                            \
    do {                                                                                                               \
        if (auto gksResult = (expression); !gksResult) {                                                               \
            return tl::unexpected(std::move(gksResult).error());                                                       \
        }                                                                                                              \
    } while (false)

#define GKS_CONCAT_INNER(a, b) a##b
#define GKS_CONCAT(a, b) GKS_CONCAT_INNER(a, b)
// Declares `declaration` from the value of `expression`, or returns its error.
#define GKS_TRY_ASSIGN(declaration, expression)                                                                        \
    auto GKS_CONCAT(gksValue, __LINE__) = (expression);                                                                \
    if (!GKS_CONCAT(gksValue, __LINE__)) {                                                                             \
        return tl::unexpected(std::move(GKS_CONCAT(gksValue, __LINE__)).error());                                      \
    }                                                                                                                  \
    declaration = std::move(*GKS_CONCAT(gksValue, __LINE__))
