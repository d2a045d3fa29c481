// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

struct HttpRequest {
    std::string url;
    std::vector<std::string> headers; // "Name: value"
    std::string body;                 // posted
    double connectTimeoutSeconds = 10;
    double idleTimeoutSeconds = 60; // without a byte from the server
};

struct HttpHead {
    long status = 0;
    std::string contentType;                 // lower case
    std::optional<double> retryAfterSeconds; // from Retry-After, a number or a date
};

struct HttpEnd {
    HttpHead head;         // status 0: no answer came
    bool complete = false; // the body ended where the server said it would
    bool refused = false;  // the body sink wanted no more
    std::string problem;   // what ended it early, in words
};

// Pieces of the body as they come; false ends the transfer.
using HttpBodySink = std::function<bool(const HttpHead& head, std::string_view piece)>;

// Posts and streams the answer, blocking. A stop request is followed at once (then cancelledError). Redirections are
// not followed: a key must not travel to an address that nobody chose. An error only when nothing could be sent at all,
// as for a malformed address.
Result<HttpEnd> postStreaming(const HttpRequest& request, const HttpBodySink& sink, const std::stop_token& stop);

// The host is this machine.
bool isLoopbackUrl(const std::string& url);
// Scheme, host and path only: what may be shown of an address.
std::string publicUrl(const std::string& url);

} // namespace gks
