// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/source_check.h"

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/campaign/limits.h"

#include <fmt/format.h>

namespace gks {

Result<void> checkKernelSource(std::string_view source) {
    if (trimmed(source).empty()) {
        return usageError("the source is empty");
    }
    if (source.size() > limits::kernelSourceBytes) {
        return usageError(
            fmt::format("the source has {} bytes, the limit is {}", source.size(), limits::kernelSourceBytes));
    }
    if (source.find('\0') != std::string_view::npos || sanitizedUtf8(source) != source) {
        return usageError("the source is no text: it has bytes that are no UTF-8", {}, "Name the file of a kernel");
    }
    return {};
}

} // namespace gks
